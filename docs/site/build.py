#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Builds the pages of the site. usage: build.py FOLDER; build.sh runs it, after the npm package is in FOLDER/abut."""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

import markdown

from headers import reference
from pictures import PICTURES, bars

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import report_page  # noqa: E402  # its charts of what scripts/bench.sh report measured
# file: (name in the bar, title)
PAGES = {
    "index": ("Try it", "abut: which shapes touch, exactly"),
    "guide": ("Guide", "Guide"),
    "python": ("Python", "abut from Python"),
    "javascript": ("JavaScript", "abut in JavaScript"),
    "command": ("Command", "The command"),
    "reference": ("Reference", "Reference"),
    "pairs": ("Pairs", "What can touch what"),
    "exactness": ("Exactness", "How exactness works"),
    "speed": ("Speed", "Speed"),
    "questions": ("Questions", "Questions"),
}


def page(out, name, body):
    """Writes one page, with the bar of all pages."""
    current = ' aria-current="page"'
    links = "".join(f'<a href="{file}.html"{current if file == name else ""}>{text}</a>'
                    for file, (text, _) in PAGES.items())
    body = re.sub(r"(<table(?! class=\"digits))(.*?</table>)", r'<div class="scroll">\1\2</div>', body, flags=re.S) \
        if name != "index" else body
    (out / f"{name}.html").write_text(f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(PAGES[name][1])}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<header><nav class="bar" aria-label="Pages"><strong>abut</strong>{links}</nav></header>
<main>
{body}
</main>
<footer><p class="bar faint">abut {version()}, MIT licence.
Built from the repository by docs/site/build.sh.</p></footer>
</html>
""", encoding="utf-8")


def version():
    """The version that abut.h names."""
    header = (ROOT / "include/abut/abut.h").read_text(encoding="utf-8")
    return re.search(r'#define ABUT_VERSION "(.*)"', header).group(1)


def from_markdown(text):
    """HTML of a document; its pictures by name become drawings."""
    text = re.sub(r"<!-- picture: (\w+) -->", lambda match: PICTURES[match.group(1)](), text)
    # Doctest blocks are written without a fence.
    text = re.sub(r"(?:^>>> .*\n(?:^(?!\n).*\n)*)", lambda m: "```\n" + m.group(0) + "```\n", text, flags=re.M)
    return markdown.markdown(text, extensions=["fenced_code", "tables", "toc", "sane_lists"])


def section(text, heading):
    """The lines under a heading, up to the next of its level."""
    level = heading.split(" ")[0]
    return re.search(rf"^{re.escape(heading)}\n(.*?)(?=^{level} |\Z)", text, re.S | re.M).group(1)


def local_links(text, folder, known):
    """Links of a document in the repository: to pages of the site, or, elsewhere, just their text."""
    def replace(match):
        label, target = match.groups()
        if re.match(r"https?:|#", target) or target.endswith(".html"):
            return match.group(0)
        path = (folder / target.split("#")[0]).resolve()
        return f"[{label}]({known[path]})" if path in known else label
    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)", replace, text)


def manual():
    """The manual page as HTML: its body alone, with the style of the site."""
    text = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", str(ROOT / "src/cli/abut.1")], check=True,
                          capture_output=True, text=True).stdout
    text = re.sub(r'<table class="(head|foot)">.*?</table>', "", text, flags=re.S)
    for level, tag in ((3, "h2"), (2, "h1")):
        text = re.sub(f"<(/?){tag}", rf"<\1h{level}", text)
    return "<h1>The command</h1>\n" + text


def pairs():
    """The matrix of predicates, from their table."""
    lines = re.findall(r"^(?:BLOCK_|SCALAR_)?PREDICATE\((\w+), (\w+), (\w+), (\w+), (\w+)\)",
                       (ROOT / "src/tables/predicates.def").read_text(encoding="utf-8"), re.M)
    names = {"plane": "half space", "aabb": "AABB", "obb": "OBB"}
    rows = list(dict.fromkeys(a for _, a, _, _, _ in lines))
    columns = list(dict.fromkeys(b for _, _, b, _, _ in lines))
    said = {"touches": "touches", "inside": "inside", "cull": "cull", "in": "inside"}
    cells = {}
    for _, a, b, relation, function in lines:
        cells.setdefault((a, b), []).append(f'<a href="reference.html#{function}">{said[relation]}</a>')
        if relation == "touches" and a != b and a in columns and b in rows:
            cells.setdefault((b, a), []).append(f'<a href="reference.html#{function}">touches</a>')
    title = lambda shape: names.get(shape, shape)
    head = "".join(f"<th>{title(column)}</th>" for column in columns)
    body = "".join("<tr><th>" + title(row) + "</th>" +
                   "".join("<td>" + "<br>".join(cells.get((row, column), [])) + "</td>" for column in columns) + "</tr>"
                   for row in rows)
    return (f"<h1>What can touch what</h1><p>{len(lines)} predicates, each exact. A row's shape touches a column's, is "
            "inside of it, or is beyond none of its planes (cull). A link leads to the formula.</p>"
            f'<table class="matrix"><tr><th></th>{head}</tr>{body}</table>')


def first_table(text, columns):
    """The first table of a text, with so many columns: its header and rows."""
    lines = re.search(r"^\|.*\n\|[-| ]+\n((?:\|.*\n)+)", text, re.M).group(0).strip().split("\n")
    rows = [[cell.strip() for cell in line.strip("|").split("|")][:columns] for line in lines]
    return [rows[0], *rows[2:]]


def measured_on(text, versions=""):
    """Machine and date of the figures of a text, for the foot of a chart."""
    date = re.search(r"20\d\d-\d\d-\d\d", text).group(0)
    return f"Zen 4 (AMD EPYC, 3.7 GHz), one thread, {date}, abut {version()}{versions}. Shorter is faster; logarithmic."


def chart(heading, text):
    """A chart of the first table under a heading, or nothing."""
    if heading == "## How fast are other libraries?":
        header, _, *rows = first_table(text, 3)  # the second row is abut's own time
        ours = ["abut", "1", "1"]
        return bars("Times of joins as multiples of abut's", [header, ours, *rows], "x", measured_on(text))
    if heading == "## What does a frame of a world that moves take?":
        return bars("Milliseconds a frame", first_table(text, 4), "ms", measured_on(text, ", Bullet 3.24"))
    return ""


def frames(out):
    """Charts of worlds that move, one a scene of each machine that bench/results has."""
    text = ""
    for path in sorted((ROOT / "bench/results").glob("*/frames.json")):
        measured = json.loads(path.read_text(encoding="utf-8"))["context"]
        dated = subprocess.run(["git", "-C", str(ROOT), "log", "-1", "--format=%as", "--", str(path)], check=True,
                               capture_output=True, text=True).stdout.strip()
        footer = f"{measured['cpu']}, {dated}, abut {version()}, packages of Debian 12 (scripts/bench.sh report)"
        text += f"\n## Worlds that move: every frame's self pairs, {measured['cpu']}\n"
        for scene, curves in report_page.frames(path).items():
            name = f"{path.parent.name}-{scene.replace(' ', '-')}.svg"
            title = f"{scene.capitalize()}: milliseconds a frame"
            (out / name).write_text(report_page.lines(title, footer, curves, "boxes", "ms a frame"), encoding="utf-8")
            text += f"\n![Milliseconds a frame by the number of boxes: {scene}]({name})\n"
    return text


def speed(out):
    """The charts and tables of speed, with what README and bench/README.md say about machines."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    bench = (ROOT / "bench/README.md").read_text(encoding="utf-8")
    text = "# Speed\n" + section(readme, "## Speed")
    text += "\n## Machines\n" + section(bench, "## Machines")
    text += frames(out)
    for heading in ("## How fast is a join?", "## How fast are other libraries?",
                    "## What does a frame of a world that moves take?"):
        under = section(bench, heading)
        text += f"\n{heading}\n\n{chart(heading, under)}\n\n{under}"
    return text


def pictures_of(text, folder, out):
    """Copies the pictures that a document shows, and names them without their folder."""
    def replace(match):
        source = (folder / match.group(2)).resolve()
        if source.exists() and out not in source.parents:
            shutil.copy(source, out / source.name)
        return f"![{match.group(1)}]({source.name})"
    return re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", replace, text)


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    shutil.copy(HERE / "style.css", out)
    shutil.copytree(HERE / "demo", out / "demo", dirs_exist_ok=True)
    page(out, "index", (HERE / "demo.html").read_text(encoding="utf-8"))
    sources = {"guide": "docs/guide.md", "python": "docs/python.md", "javascript": "bindings/wasm/README.md",
               "exactness": "docs/exactness.md", "questions": "docs/faq.md"}
    known = {(ROOT / path).resolve(): f"{name}.html" for name, path in sources.items()}
    known[ROOT / "README.md"] = "guide.html"
    for name, path in sources.items():
        text = pictures_of((ROOT / path).read_text(encoding="utf-8"), (ROOT / path).parent, out)
        page(out, name, from_markdown(local_links(text, (ROOT / path).parent, known)))
    text = pictures_of(speed(out), ROOT, out)
    page(out, "speed", from_markdown(local_links(text, ROOT, known)))
    page(out, "command", manual())
    page(out, "pairs", pairs())
    page(out, "reference", reference(ROOT / "include/abut"))


main()
