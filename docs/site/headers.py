# SPDX-License-Identifier: MIT
"""The API reference, from the public headers: their comments have one form, and stand above what they describe."""
import html
import re

FIRST = ["abut.h", "distance.h", "shapes.h", "index.h", "world.h"]
MACRO = re.compile(r"^(ABUT_\w+)\((\w+)[,)]")
FUNCTION = re.compile(r"\b(abut_\w+)\s*\(")
TYPE = re.compile(r"^(?:typedef .*?\b(abut_\w+)\(|(?:struct|enum) (abut_\w+) \{)", re.M)


def inline(text):
    """Text of a comment as HTML: names of functions are links."""
    text = html.escape(text, quote=False)
    return re.sub(r"\babut_\w+\b", lambda match: f"<a data-name>{match.group(0)}</a>", text)


def comment_html(comment):
    """Paragraphs and lists of a comment; lines that are indented by four or more stay as they are."""
    lines = [re.sub(r"^ ?\*? ?", "", line) for line in comment.strip("/*\n ").split("\n")]
    blocks, kind = [], None
    for line in lines:
        if re.match(r"(Errors|Requires|Returns)\b", line):
            kind = None  # a paragraph of its own
        now = None if not line.strip() else "pre" if line.startswith("  ") else "p"
        if now and now == kind:
            blocks[-1][1].append(line)
        elif now:
            blocks.append((now, [line]))
        kind = now
    return "".join(f"<pre>{html.escape(chr(10).join(text))}</pre>" if tag == "pre" else
                   f"<p>{inline(' '.join(text))}</p>" for tag, text in blocks)


def chunks(text):
    """Yields (comment, code) of a header: code is what follows a comment up to an empty line."""
    comment = None
    for block in re.split(r"\n\s*\n(?![^/]*\*/)", text):
        match = re.match(r"\s*(/\*.*?\*/)[ \t]*\n?(.*)", block, re.S)
        if match and not block.lstrip().startswith("/* ----"):
            comment, code = match.groups()
            yield comment, code.strip("\n")
        elif match:
            yield match.group(1), match.group(2).strip("\n")
        else:
            yield None, block.strip("\n")


def names_in(code):
    """The public names that a piece of code declares."""
    names = []
    for line in code.split("\n"):
        macro = MACRO.match(line)
        if macro and macro.group(2).startswith("abut_"):
            names.append(macro.group(2))
    names += [name for pair in TYPE.findall(code) for name in pair if name]
    if "ABUT_API" in code:
        names += FUNCTION.findall(re.sub(r"\([^()]*\*[^()]*\)\(", "(", code))
    return list(dict.fromkeys(names))


BY_NAME = {
    "ABUT_PREDICATE": ("enum abut_status {0}(const struct abut_{1} *a, const struct abut_{2} *b,\n"
                       "    const struct abut_options *options, uint64_t *hits); /* and {0}_all */"),
    "ABUT_CLASSIFY": ("enum abut_status {0}(const struct abut_{1} *a, const struct abut_{2} *b,\n"
                      "    const struct abut_options *options, uint8_t *classes);"),
}


def shown(code):
    """Code as a reader wants it: macros that make functions become these."""
    def function(match):
        form = BY_NAME.get(match.group(1))
        arguments = [word.strip() for word in match.group(2).split(",")]
        return form.format(*arguments) if form and len(arguments) > 2 else match.group(0)
    return re.sub(r"^(ABUT_[A-Z]+)\((abut_[^()\n]*)\)$", function, code, flags=re.M).replace("ABUT_API ", "")


def anchored(body, anchors):
    """Links to names that the page has, and plain code for others."""
    return re.sub(r"<a data-name>(\w+)</a>",
                  lambda m: f'<a href="#{m.group(1)}"><code>{m.group(1)}</code></a>' if m.group(1) in anchors
                  else f"<code>{m.group(1)}</code>", body)


def header_html(name, text, anchors):
    """One header as a section."""
    text = re.sub(r"^#(?!define ABUT_(MAX|VERSION)).*(\\\n.*)*\n", "", text, flags=re.M)
    text = re.sub(r'^extern "C" \{\n|^\}\n(?=\Z)', "", text, flags=re.M)
    out = [f'<h2 id="{name}">&lt;abut/{name}&gt;</h2>']
    for comment, code in chunks(text):
        if comment and "SPDX" in comment:
            rest = code
            comment, code = (rest, "") if rest.startswith("/*") else (None, rest)
        title = comment and re.match(r"/\* ---- (.*?) -+", comment)
        if title:
            anchor = re.sub(r"[^a-z]+", "-", title.group(1).lower())
            out.append(f'<h3 id="{name}-{anchor}">{html.escape(title.group(1))}</h3>')
            comment = "\n".join(comment.split("\n")[1:])
        for declared in names_in(code):
            if declared not in anchors:
                anchors.add(declared)
                out.append(f'<a id="{declared}"></a>')
        if code.strip() and not re.fullmatch(r"\s*(\}|ABUT_RESTRICT)?\s*", code):
            out.append(f"<pre>{html.escape(shown(code))}</pre>")
        if comment and comment.strip("/* \n"):
            out.append(comment_html(comment))
    return "\n".join(out)


def reference(folder):
    """The reference as HTML."""
    anchors = set()
    order = FIRST + sorted(path.name for path in folder.glob("*.h") if path.name not in FIRST)
    bodies = [header_html(name, (folder / name).read_text(encoding="utf-8"), anchors) for name in order]
    contents = " ".join(f'<a href="#{name}">{name}</a>' for name in order)
    index = ", ".join(f'<a href="#{name}"><code>{name}</code></a>' for name in sorted(anchors))
    return anchored(f"<h1>Reference</h1><p>Made from the headers, which are the manual. {contents}</p>"
                    f"<details><summary>All {len(anchors)} names</summary><p>{index}</p></details>" +
                    "\n".join(bodies), anchors)
