# SPDX-License-Identifier: MIT
"""The drawings of the site, as SVG in the colours of its style."""
import html
import math
import re


def svg(width, height, label, parts):
    """One drawing without empty lines, which would end its block in a document."""
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{label}" '
            f'font-family="inherit" font-size="14" fill="var(--text)">' + "".join(parts) + "</svg>")


def box(x, y, width, height, fill="var(--panel)"):
    """A rounded box."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="var(--line)"/>'


def text(x, y, words, **more):
    """Words in the middle of x."""
    extra = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    return f'<text x="{x}" y="{y}" text-anchor="middle"{extra}>{words}</text>'


def stages():
    """Pairs on their way through the three stages."""
    parts = []
    for i, (name, share, time) in enumerate((("float32 filter", "all pairs", "about 1 ns"),
                                             ("float64 filter", "one in a million", "about 50 ns"),
                                             ("exact arithmetic", "what is left", "a us, or many"))):
        x = 10 + 250 * i
        parts += [box(x, 40, 190, 70), text(x + 95, 70, name, font_weight="600"),
                  text(x + 95, 94, time, fill="var(--faint)"),
                  text(x + 95, 26, share, fill="var(--faint)"),
                  f'<path d="M{x + 95} 110v34" stroke="var(--hit)" stroke-width="2"/>',
                  text(x + 95, 162, "yes or no", fill="var(--hit)")]
        if i < 2:
            parts.append(f'<path d="M{x + 190} 75h60" stroke="var(--false)" stroke-width="2"/>')
            parts.append(text(x + 220, 66, "?", fill="var(--false)", font_weight="600"))
    return svg(720, 175, "Pairs pass three stages; each answers, or hands on what it cannot decide", parts)


def bound():
    """Two pairs of intervals: apart, and overlapping."""
    parts = []
    for y, a, b, verdict, ink in ((50, 120, 400, "certain: less", "var(--hit)"),
                                  (130, 240, 300, "undecided: next stage", "var(--false)")):
        parts.append(f'<path d="M20 {y}h520" stroke="var(--line)"/>')
        for x, name in ((a, "D squared"), (b, "R squared")):
            parts += [f'<rect x="{x - 45}" y="{y - 9}" width="90" height="18" rx="4" fill="{ink}" opacity="0.35"/>',
                      f'<circle cx="{x}" cy="{y}" r="4" fill="{ink}"/>',
                      text(x, y - 18 if name[0] == "D" else y + 28, name)]
        parts.append(f'<text x="560" y="{y + 5}" fill="{ink}">{verdict}</text>')
    return svg(740, 175, "Where the intervals of two computed numbers are apart, their order is certain", parts)


PICTURES = {"stages": stages, "bound": bound}


BAR_INKS = ("var(--link)", "var(--hit)", "var(--false)")
LEFT, LONGEST, BAR = 350, 290, 14


def bars(label, table, unit, footer):
    """Bars on a logarithmic scale, a group a row of a table: a list of its header, and of rows of texts."""
    header, *rows = table
    numbers = [[float(cell.replace(",", "")) if re.fullmatch(r"[\d.,]+", cell) else None for cell in row[1:]]
               for row in rows]
    every = [number for row in numbers for number in row if number]
    least, most = math.log10(min(every)) - 0.3, math.log10(max(every))
    parts, y = [], 30
    for k, series in enumerate(header[1:]):
        parts.append(f'<rect x="{10 + 230 * k}" y="4" width="12" height="12" fill="{BAR_INKS[k % 3]}"/>'
                     f'<text x="{28 + 230 * k}" y="15">{html.escape(series)}</text>')
    for row, values in zip(rows, numbers):
        shown = [(k, value) for k, value in enumerate(values) if value]
        middle = y + len(shown) * BAR / 2 + 5
        parts.append(f'<text x="{LEFT - 10}" y="{middle}" text-anchor="end">{html.escape(row[0])}</text>')
        for k, value in shown:
            width = (math.log10(value) - least) / (most - least) * LONGEST
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 2}" fill="{BAR_INKS[k % 3]}"/>'
                         f'<text x="{LEFT + width + 6:.1f}" y="{y + 11}" font-size="12">{value:g} {unit}</text>')
            y += BAR
        y += 10
    parts.append(f'<text x="10" y="{y + 12}" font-size="12" fill="var(--faint)">{html.escape(footer)}</text>')
    return svg(740, y + 20, label, parts)
