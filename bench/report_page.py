#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes charts and one page of what `scripts/bench.sh report` measured.

report_page.py FOLDER CPU    reads kernels.json, joins.json and frames.json in FOLDER; writes *.svg and index.html there
"""
import datetime
import html
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLOURS = ["#08519c", "#6baed6", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#999999", "#b2df8a", "#a6761d", "#000000",
           "#54278f", "#80cdc1", "#f768a1", "#ffd92f"]
PACKAGES = ["gcc", "libsimde-dev", "libbullet-dev", "libcgal-dev", "libembree-dev", "libboost-dev", "libcglm-dev",
            "libfcl-dev", "libode-dev", "libeigen3-dev"]
WIDTH = 860
WAYS = {"refit and join": "abut, index refit and joined", "abut_world": "abut, world"}
KERNELS = {
    "sphere_vs_aabbs/1%": "one sphere touches AABBs",
    "sphere_aabb_pairs/7%": "sphere touches AABB, item by item",
    "sphere_obb_pairs/42%": "sphere touches OBB, item by item",
    "aabb_aabb/one": "one AABB touches AABBs",
    "obb_obb/zip": "OBB touches OBB, item by item",
    "obb_obb/one": "one OBB touches OBBs",
    "frustum_culling/sphere_hull": "sphere touches a view frustum",
    "frustum_culling/sphere_hull_planes": "sphere beyond no plane of it",
    "frustum_culling/aabb_hull_planes": "AABB beyond no plane of it",
}
LOOPS = {"plain": "plain loop, -O2", "compiler": "compiler's loop, not exact"}


def figure(value):
    """Three digits, and all digits before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def text(x, y, words, anchor="start", size=12, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}">'
            f'{html.escape(words)}</text>')


def svg(height, parts, title, footer):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
        f'<title>{html.escape(title)}</title><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(12, 22, title, size=15, weight="bold"), *parts, text(12, height - 8, footer, size=10), "</svg>", ""])


def legend(names, y):
    """The parts of a legend, and the height that it takes."""
    parts, x, top = [], 12, y
    for name, colour in names:
        width = 34 + 6.6 * len(name)
        if x + width > WIDTH:
            x, y = 12, y + 18
        parts.append(f'<rect x="{x}" y="{y - 10}" width="11" height="11" fill="{colour}"/>' + text(x + 16, y, name))
        x += width
    return parts, y - top + 18


def bars(title, footer, groups, unit):
    """Groups are (name, {series: value}); each has its own scale, so that its shortest bars can be compared."""
    series = list(dict.fromkeys(name for _, values in groups for name in values))
    colours = dict(zip(series, COLOURS * 4))
    parts, taken = legend(colours.items(), 46)
    left, y = max(60, 20 + max(int(6.6 * len(name)) for name, _ in groups)), 46 + taken
    for name, values in groups:
        parts.append(text(left - 8, y + len(values) * 7 + 4, name, "end"))
        for way, value in values.items():
            width = value / max(values.values()) * (WIDTH - left - 110)
            parts.append(f'<rect x="{left}" y="{y}" width="{width:.1f}" height="12" fill="{colours[way]}"/>')
            parts.append(text(left + width + 4, y + 10, f"{figure(value)} {unit}", size=10))
            y += 14
        y += 12
    return svg(y + 16, parts, title, footer)


def lines(title, footer, curves, x_name, y_name):
    """Curves are {name: [(x, y)]}, drawn on two logarithmic axes."""
    colours = dict(zip(curves, COLOURS * 4))
    parts, taken = legend(colours.items(), 46)
    points = [point for curve in curves.values() for point in curve]
    x_from, x_to = (f(math.log10(x) for x, _ in points) for f in (min, max))
    y_from = math.floor(min(math.log10(y) for _, y in points))
    y_to = math.ceil(max(math.log10(y) for _, y in points))
    top, height, left, width = 50 + taken, 300, 70, WIDTH - 100

    def at(x, y):
        return (left + (math.log10(x) - x_from) / max(x_to - x_from, 1e-9) * width,
                top + (y_to - math.log10(y)) / max(y_to - y_from, 1) * height)
    for power in range(y_from, y_to + 1):
        y = at(points[0][0], 10 ** power)[1]
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(text(left - 6, y + 4, f"{10 ** power:g}", "end", 10))
    for x in sorted({x for x, _ in points}):
        parts.append(text(at(x, 10 ** y_from)[0], top + height + 16, f"{x // 1000} k", "middle", 10))
    parts.append(text(left, top - 8, y_name, size=11) + text(left + width, top + height + 32, x_name, "end", 11))
    for name, curve in curves.items():
        places = [at(x, y) for x, y in sorted(curve)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colours[name]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colours[name]}"/>' for x, y in places]
    return svg(top + height + 58, parts, title, footer)


def kernel_rows(path):
    """Yields workload, size, implementation and row of the kernels: loops, other libraries, and abut's exact ones."""
    with open(path) as file:
        medians = json.load(file)["medians"]
    for name, row in medians.items():
        family, kind, size, way = name.split("/", 3)
        workload = KERNELS.get(f"{family}/{kind}")
        if workload and way.endswith("/exact"):
            yield workload, int(size), "abut, " + way[:-len("/exact")], row
        elif workload and "/" not in way:
            yield workload, int(size), LOOPS.get(way, way).replace(",", ", "), row


def kernels(path):
    """Groups of nanoseconds a pair, with inputs that fit into a cache."""
    groups = {}
    for workload, size, way, row in kernel_rows(path):
        if size <= 4096 and way != "abut, scalar":
            groups.setdefault(f"{workload}, {size}", {})[way] = row["cpu_time"] / row["pairs"]
    return list(groups.items())


def differences(path):
    """A table of how many answers of other code differ from the exact ones, for the largest inputs."""
    rows = list(kernel_rows(path))
    most = max((size for _, size, _, _ in rows), default=0)
    groups = {}
    for workload, size, way, row in rows:
        if size == most and not way.startswith("abut") and "wrong" in row:
            groups.setdefault(workload, {})[way] = 1e6 * row["wrong"]
    return f"<p>Answers in a million that differ from the exact ones, of {most:,} pairs and more:</p>" + table(
        groups.items(), "in a million")


def joins(path):
    """Groups of milliseconds a join, with fresh memory."""
    with open(path) as file:
        medians = json.load(file)["medians"]
    groups = {}
    for name, row in medians.items():
        sets, kind, n, way = name.rsplit("/cold", 1)[0].split("/", 3)
        if name.endswith("/cold"):
            group = f"{sets.removeprefix('join_')}, {kind}, {int(n):,}"
            groups.setdefault(group, {})[way] = row["build_ms"] + row["query_ms"]
    return list(groups.items())


def frames(path):
    """For each scene, curves of milliseconds a frame."""
    with open(path) as file:
        rows = json.load(file)["frames"]
    scenes = {}
    for row in rows:
        way = WAYS.get(row["way"], row["way"])
        scenes.setdefault(row["scene"], {}).setdefault(way, []).append((row["n"], row["ms"]))
    return scenes


def versions():
    """Packages and their versions, of those that are installed."""
    found = {}
    for package in PACKAGES:
        query = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
        if query.returncode == 0 and query.stdout:
            found[package] = query.stdout
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*git, "describe", "--always"], capture_output=True, text=True)
    # The results that the report writes are no change of what it measured.
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", ".", ":!bench/results"], capture_output=True)
    return {"abut": (commit.stdout.strip() or "unknown") + ("-dirty" if changed.returncode == 1 else "")} | found


def table(groups, unit):
    series = list(dict.fromkeys(name for _, values in groups for name in values))
    head = "".join(f"<th>{html.escape(name)}</th>" for name in (unit, *series))
    rows = "".join(
        "<tr><td>" + html.escape(name) + "</td>" +
        "".join(f"<td>{figure(values[way])}</td>" if way in values else "<td></td>" for way in series) + "</tr>"
        for name, values in groups)
    return f"<details><summary>Figures</summary><table><tr>{head}</tr>{rows}</table></details>"


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>abut: speed</title><style>
body {{ font: 16px/1.5 sans-serif; max-width: 900px; margin: 2em auto; padding: 0 1em }}
img {{ width: 100%; border: 1px solid #ddd }}
table {{ border-collapse: collapse; font-size: 13px }}
td, th {{ border: 1px solid #ddd; padding: 2px 6px; text-align: right }}
td:first-child {{ text-align: left }}
</style></head><body><h1>abut: speed</h1>
<p>{cpu}, one core, {date}. {versions}. Made by <code>scripts/bench.sh report</code>. All ways found the same pairs,
which was checked before times were printed. Times are medians of CPU time, measured by turns.</p>
<h2>Kernels</h2><p>Nanoseconds a pair. The compiler's loop is readable C at -O3 for this machine, and is not exact.
Other libraries test one pair a call, on arrays of their own shapes, inlined and compiled for this machine. CGAL's test
is exact, too.</p>
{kernels}{differences}
<h2>Joins</h2><p>Milliseconds to build an index and find all pairs, with fresh memory.</p>
{joins}
<h2>Worlds that move</h2><p>Milliseconds a frame to find the pairs of boxes that touch. Ways that take more than a
second are left out of larger worlds; Bullet's axis sweep is left out beyond 16,000.</p>
{frames}
</body></html>
"""


def main(folder, cpu):
    folder = pathlib.Path(folder)
    date, known = datetime.date.today().isoformat(), versions()
    words = ", ".join(f"{name} {version}" for name, version in known.items())
    footer = f"{cpu}, {date}, abut {known['abut']}"
    (folder / "context.json").write_text(json.dumps({"cpu": cpu, "date": date, "versions": known}, indent=1) + "\n")

    def picture(name, chart, figures):
        (folder / f"{name}.svg").write_text(chart, encoding="utf-8")
        return f'<p><img src="{name}.svg" alt="{name}, chart of the figures below"></p>{figures}'
    parts = {}
    for name, read, title, unit in (("kernels", kernels, "Nanoseconds a pair", "ns"),
                                    ("joins", joins, "Milliseconds a join", "ms")):
        title += " (shorter is faster; each group has its own scale)"
        groups = read(folder / f"{name}.json")
        parts[name] = picture(name, bars(title, footer, groups, unit), table(groups, unit))
    parts["frames"] = ""
    for scene, curves in frames(folder / "frames.json").items():
        sizes = sorted({n for curve in curves.values() for n, _ in curve})
        groups = [(f"{n:,}", {way: dict(curve)[n] for way, curve in curves.items() if n in dict(curve)}) for n in sizes]
        chart = lines(f"{scene.capitalize()}: milliseconds a frame", footer, curves, "boxes", "ms a frame")
        parts["frames"] += picture(scene.replace(" ", "_"), chart, table(groups, "ms"))
    parts["differences"] = differences(folder / "kernels.json")
    page = PAGE.format(cpu=html.escape(cpu), date=date, versions=html.escape(words), **parts)
    (folder / "index.html").write_text(page, encoding="utf-8")
    print(folder / "index.html")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
