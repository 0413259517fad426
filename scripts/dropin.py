#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the drop-in sources: dropin.py FOLDER. They need no SIMDe, no flags of files, and -Iinclude alone.

Each source file begins with dropin.h, which refuses unsafe arithmetic and turns contraction off. In the files of
instruction sets pragmas replace the flags of isas.def, and native.h replaces SIMDe: it is made of the names that these
files use.
"""
import os
import re
import shutil
import sys

# The processors that native.h knows, with the macro of each.
MACROS = {"x86": "__SSE2_MATH__", "aarch64": "__aarch64__"}

DROPIN_H = """/* SPDX-License-Identifier: MIT */
/* Every source file begins with this: answers are exact only where float arithmetic is IEEE arithmetic. */
%s
/* A product and a sum are rounded apart: the exact stage needs every rounding. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif
"""

README = """# abut %s, drop-in sources

The whole library as C files for x86-64 and AArch64. It needs no SIMDe and no flags of single files. Add everything in
`src` to your build, and `include` to the folders of headers; gcc and clang take it, as C11 or later:

    cc -O2 -Iinclude -c $(find src -name '*.c')
    ar rcs libabut.a *.o

Instruction sets are chosen at run time. `-O3` makes spheres and hulls 3 to 21 %% faster. Files may not be merged into
one: each instruction set is a translation unit of its own. `-ffast-math` and its parts are refused where the compiler
tells of them; never use them, or `-ffp-contract=fast`, for these files. Programs link with `-lm`.

`include/abut/abut.h` is the manual. The files are made from abut's repository by `scripts/dropin.sh`.
"""


def instruction_sets(root):
    """Name, processor and flags of each instruction set of isas.def."""
    with open(os.path.join(root, "src/tables/isas.def")) as table:
        return re.findall(r'^INSTRUCTION_SET\((\w+), (\w+), "([^"]*)"', table.read(), re.M)


def native(name):
    """What a name of SIMDe is called in the compiler's own headers."""
    if name.startswith("SIMDE_X86_"):
        return "1"
    if name.startswith("SIMDE_"):
        return name[len("SIMDE"):]
    return name[len("simde"):] if re.match(r"simde_(_m|mm)", name) else name[len("simde_"):]


def define(name):
    """The macro for a name. SIMDe's loads and stores of integers take any pointer."""
    integers = re.match(r"simde_mm\d*_(load|store)u?_si(128|256)$", name)
    if not integers:
        return f"#define {name} {native(name)}"
    pointer = f"__m{integers.group(2)}i *"
    if integers.group(1) == "load":
        return f"#define {name}(from) {native(name)}((const {pointer})(from))"
    return f"#define {name}(to, value) {native(name)}(({pointer})(to), value)"


def native_header(sources):
    """native.h for the names in sources, a list of (processor, text)."""
    lines = ["/* SPDX-License-Identifier: MIT */",
             "/* The names that instruction sets use, in the compiler's own headers. */"]
    for processor, header in ("x86", "immintrin.h"), ("aarch64", "arm_neon.h"):
        text = "".join(text for of, text in sources if of == processor)
        names = sorted(set(re.findall(r"\b(?:simde|SIMDE)_\w+", text)))
        lines += [f"#if defined({MACROS[processor]})", f"#include <{header}>"]
        lines += [define(name) for name in names]
        lines += ["#endif"]
    return "\n".join(lines) + "\n"


def relative_includes(text, path, src):
    """The same text, whose quoted includes are relative to the file at path in src."""
    def relative(match):
        target = match.group(1)
        if not os.path.exists(os.path.join(src, target)):
            return match.group(0)
        return f'#include "{os.path.relpath(target, os.path.dirname(path) or ".")}"'
    return re.sub(r'^#include "([^"]+)"', relative, text, flags=re.M)


def of_instruction_set(text, name, processor, flags):
    """An instruction set's file, with pragmas for flags and native.h for SIMDe."""
    text, count = re.subn(r"(#include <simde/[^>]*>\n)+", '#include "native.h"\n', text)
    if processor == "any":
        return text
    if count != 1 or "simde/" in text:
        sys.exit(f"dropin: src/isa/{name}.c includes SIMDe in {count} places")
    targets = ",".join(flag[len("-m"):] for flag in flags.split())
    begin, end = "", ""
    if targets:
        begin = ("#if defined(__clang__)\n"
                 f'#pragma clang attribute push(__attribute__((target("{targets}"))), apply_to = function)\n'
                 "#else\n"
                 f'#pragma GCC target("{targets}")\n'
                 "#endif\n")
        end = "#if defined(__clang__)\n#pragma clang attribute pop\n#endif\n"
    return (f"#if defined({MACROS[processor]})\n{begin}{text}{end}#else\n"
            f"/* A translation unit has at least one declaration. */\ntypedef int abut_without_{name};\n#endif\n")


def environment_checks(root):
    """The checks of cmake/environment.c."""
    with open(os.path.join(root, "cmake/environment.c")) as file:
        return file.read().split("*/\n", 2)[2].split("\nint main")[0]


def object_names(src):
    """Names of C files by path: compilers put all objects into one folder, so a name that repeats gets its folders."""
    paths = [os.path.relpath(os.path.join(folder, file), src)
             for folder, _, files in os.walk(src) for file in files if file.endswith(".c")]
    paths = [path for path in paths if not path.startswith("cli/")]
    names = [os.path.basename(path) for path in paths]
    return {path: path.replace("/", "_") if names.count(name) > 1 else name for path, name in zip(paths, names)}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def make(root, out):
    src = os.path.join(root, "src")
    isas = {name: (processor, flags) for name, processor, flags in instruction_sets(root)}
    native_sources, names = [], object_names(src)
    for folder, folders, files in os.walk(src):
        folders[:] = sorted(name for name in folders if name != "cli")
        for file in sorted(files):
            path = os.path.relpath(os.path.join(folder, file), src)
            with open(os.path.join(src, path)) as source:
                text = source.read()
            name = file[:-len(".c")] if path.startswith("isa/") and file.endswith(".c") else ""
            if name:
                processor, flags = isas[name]
                if processor != "any" and processor not in MACROS:
                    continue
                native_sources.append((processor, text))
                text = of_instruction_set(text, name, processor, flags)
            text = relative_includes(text, path, src)
            if file.endswith(".c"):
                text = f'#include "{os.path.relpath("dropin.h", os.path.dirname(path) or ".")}"\n' + text
            write(os.path.join(out, "src", os.path.dirname(path), names.get(path, file)), text)
    write(os.path.join(out, "src/isa/native.h"), native_header(native_sources))
    write(os.path.join(out, "src/dropin.h"), DROPIN_H % environment_checks(root))
    shutil.copytree(os.path.join(root, "include"), os.path.join(out, "include"))
    shutil.copy(os.path.join(root, "LICENSE"), out)
    with open(os.path.join(root, "include/abut/abut.h")) as header:
        version = re.search(r'ABUT_VERSION "(.*)"', header.read()).group(1)
    write(os.path.join(out, "README.md"), README % version)


if len(sys.argv) != 2:
    sys.exit(__doc__)
make(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), sys.argv[1])
