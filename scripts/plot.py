#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the rules that accept a sphere about each point, and writes the table of false hits into README.md.

plot.py picture NAME OUT.svg OUT.png < DIGITS   as false_hits slice prints them
plot.py table README < TABLE                    replaces the text between <!-- false hits --> and <!-- /false hits -->
"""
import struct
import sys
import zlib

# By the number of rules that accept: none, a crossed face plane, face by face, planes, the distance.
COLOURS = ["#ffffff", "#dddddd", "#f4a261", "#e9c46a", "#2a9d8f"]
WORDS = ["no rule", "any face plane crossed (false)", "face by face (false)", "planes (false)", "exact: touches"]
ROW = 18


def runs(row):
    start = 0
    for i in range(1, len(row) + 1):
        if i == len(row) or row[i] != row[start]:
            yield start, i - start, int(row[start])
            start = i


def svg(name, rows):
    width, height = len(rows[0]), len(rows)
    shown = sorted({int(c) for row in rows for c in row} - {0})
    paths = [""] * len(COLOURS)
    for y, row in enumerate(rows):
        for x, length, rule in runs(row):
            if rule:
                paths[rule] += f"M{x} {y}h{length}v1h-{length}z"
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + ROW * len(shown) + 4}"'
             f' font-family="sans-serif" font-size="12"><title>{name}</title>',
             f'<rect width="{width}" height="{height + ROW * len(shown) + 4}" fill="{COLOURS[0]}"/>']
    lines += [f'<path fill="{COLOURS[rule]}" d="{paths[rule]}" shape-rendering="crispEdges"/>' for rule in shown]
    for i, rule in enumerate(reversed(shown)):
        y = height + 4 + ROW * i
        lines.append(f'<rect x="4" y="{y}" width="12" height="12" fill="{COLOURS[rule]}"/>'
                     f'<text x="22" y="{y + 11}">{WORDS[rule]}</text>')
    return "\n".join(lines + ["</svg>", ""])


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    palette = b"".join(bytes.fromhex(colour[1:]) for colour in COLOURS)
    pixels = b"".join(b"\0" + bytes(int(c) for c in row) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", palette) +
            chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b""))


def picture(name, svg_path, png_path):
    rows = sys.stdin.read().split()
    if not rows or any(len(row) != len(rows[0]) or set(row) - set("01234") for row in rows):
        sys.exit("plot: the input is no slice")
    with open(svg_path, "w") as file:
        file.write(svg(name, rows))
    with open(png_path, "wb") as file:
        file.write(png(rows))


def table(path):
    rows = sys.stdin.read().strip()
    with open(path) as file:
        text = file.read()
    opening, closing = "<!-- false hits -->", "<!-- /false hits -->"
    if text.count(opening) != 1 or text.count(closing) != 1:
        sys.exit(f"{path}: needs one {opening} and one {closing}")
    head, rest = text.split(opening)
    with open(path, "w") as file:
        file.write(f"{head}{opening}\n{rows}\n{closing}{rest.split(closing)[1]}")


match sys.argv[1:]:
    case ["picture", name, svg_path, png_path]:
        picture(name, svg_path, png_path)
    case ["table", readme]:
        table(readme)
    case _:
        sys.exit(__doc__)
