#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/speed.svg from the table of kernels in README.md: nanoseconds a pair, one group of bars a row."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
SERIES = [("plain loop", "#b0b0b0"), ("compiler", "#e69f00"), ("sse", "#9ecae1"), ("avx2", "#4292c6"),
          ("avx512", "#08519c")]
WIDTH, BAR, GAP, LEFT, TOP = 860, 13, 22, 290, 56


def rows():
    """Yields the name of a kernel and its nanoseconds by series, for the sizes that fit into a cache."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = re.search(r"<!-- bench -->\n(.*?)<!-- /bench -->", text, re.S).group(1).strip().split("\n")
    header = [cell.strip() for cell in table[0].strip("|").split("|")]
    for line in table[2:]:
        cells = dict(zip(header, (cell.strip() for cell in line.strip("|").split("|"))))
        if not cells["pairs"].endswith("Mi"):
            yield f"{cells[header[0]]}, {cells['pairs']}", {s: float(cells[s]) for s, _ in SERIES if cells.get(s)}


def main():
    groups = list(rows())
    most = 6.0
    scale = (WIDTH - LEFT - 70) / most
    height = TOP + sum(len(values) * BAR + GAP for _, values in groups)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
           '<text x="12" y="20" font-size="14" font-weight="bold">Nanoseconds a pair (shorter is faster), '
           'in a cache, one core of a Zen 4</text>']
    x = 12
    for name, colour in SERIES:
        label = {"plain loop": "plain loop, not vectorised",
                 "compiler": "compiler's loop, not exact"}.get(name, f"abut, {name}")
        out.append(f'<rect x="{x}" y="32" width="11" height="11" fill="{colour}"/>'
                   f'<text x="{x + 16}" y="42">{label}</text>')
        x += 40 + 7 * len(label)
    y = TOP
    for name, values in groups:
        out.append(f'<text x="{LEFT - 8}" y="{y + len(values) * BAR / 2 + 4:.0f}" text-anchor="end">{name}</text>')
        for series, colour in SERIES:
            if series not in values:
                continue
            width = min(values[series], most) * scale
            out.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{colour}"/>')
            more = " (cut)" if values[series] > most else ""
            out.append(f'<text x="{LEFT + width + 4:.1f}" y="{y + BAR - 3}" font-size="10">'
                       f'{values[series]:.2f}{more}</text>')
            y += BAR
        y += GAP
    out.append("</svg>\n")
    (ROOT / "docs" / "speed.svg").write_text("\n".join(out), encoding="utf-8")


main()
