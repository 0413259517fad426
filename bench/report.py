#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Condenses the benchmark's output into one JSON file, and makes tables of it.

report.py merge OUT CPU NAMES PART...   medians of all parts in the order of the file NAMES, without host or paths
report.py table JSON                    Markdown: all workloads and sizes, and layouts
report.py acceptance JSON               Markdown: measured ratios beside the promised limits
report.py pages JSON README DETAILS     replaces the text between <!-- bench --> and <!-- /bench --> in both files:
                                        a short table in README, the whole table in DETAILS
report.py predicates JSON DETAILS       replaces the text between <!-- predicates --> and <!-- /predicates -->: a line
                                        for each predicate that was measured
"""
import json
import pathlib
import re
import sys

DROPPED = {"host_name", "executable", "load_avg", "json_schema_version"}
KEPT = {"cpu_time", "pairs", "bytes/s", "read_share", "hits", "wrong", "undecided", "exact"}


def merge(out, cpu, names, *parts):
    context, medians = {"cpu": cpu}, {}
    for part in parts:
        with open(part) as file:
            run = json.load(file)
        context.update({k: v for k, v in run["context"].items() if k not in DROPPED})
        for row in run["benchmarks"]:
            if row.get("error_occurred"):
                sys.exit(f"{row['name']}: {row['error_message']}")
            # One repetition is its own median.
            if row.get("aggregate_name") == "median" or row.get("repetitions") == 1:
                medians[row["run_name"]] = {k: v for k, v in row.items() if k in KEPT}
    with open(names) as file:
        medians = {name: medians[name] for name in file.read().split()}
    with open(out, "w") as file:
        json.dump({"context": context, "medians": medians}, file, indent=1)
        file.write("\n")


class Results:
    """Medians by (workload, pairs, implementation)."""

    def __init__(self, path):
        with open(path) as file:
            data = json.load(file)
        self.cpu = data["context"]["cpu"]
        self.rows = {}
        for name, row in data["medians"].items():
            family, kind, size, implementation = name.split("/", 3)
            self.rows[f"{family}/{kind}", int(size), implementation] = row
        # The benchmark lists the fastest first.
        self.isas = list(dict.fromkeys(c.split("/")[0] for _, _, c in self.rows if "/" in c))

    def inputs(self):
        workloads = list(dict.fromkeys(w for w, _, _ in self.rows))
        return sorted({(w, n) for w, n, _ in self.rows}, key=lambda input: (workloads.index(input[0]), input[1]))

    def ns(self, workload, n, implementation):
        row = self.rows.get((workload, n, implementation))
        return row and row["cpu_time"] / row["pairs"]

    def ratio(self, workload, n, above, below):
        above, below = self.ns(workload, n, above), self.ns(workload, n, below)
        return above / below if above and below else None

    def value(self, workload, n, implementation, key):
        return self.rows.get((workload, n, implementation), {}).get(key)


def cell(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def size_text(n):
    for unit, text in ((1 << 20, "Mi"), (1 << 10, "Ki")):
        if n % unit == 0:
            return f"{n // unit} {text}"
    return str(n)


def markdown(header, rows):
    """Returns a table without its empty columns, or nothing if it has no rows."""
    if not rows:
        return ""
    kept = [i for i, name in enumerate(header) if not name or any(row[i] for row in rows)]
    header, rows = [header[i] for i in kept], [[row[i] for i in kept] for row in rows]
    lines = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def is_layout(workload):
    return workload.startswith("layout/")


def table(results, wanted=lambda workload, n: True):
    best = results.isas[0] if results.isas else None
    header = ["ns a pair", "pairs", "compiler, -O3", *reversed(results.isas), "compiler / exact",
              f"{best}, 8 a pass", f"{best} unchecked", "exact / unchecked", "exact / inexact", "plain, -O2",
              "share of read bandwidth"]
    rows = []
    for workload, n in results.inputs():
        if is_layout(workload) or not wanted(workload, n):
            continue
        exact, unchecked = f"{best}/exact", f"{best}/unchecked"
        times = ["compiler", *(f"{isa}/exact" for isa in reversed(results.isas))]
        rows.append([workload, size_text(n), *(cell(results.ns(workload, n, c), 3) for c in times),
                     cell(results.ratio(workload, n, "compiler", exact), 1),
                     *(cell(results.ns(workload, n, c), 3) for c in (f"{best}/x8", unchecked)),
                     cell(results.ratio(workload, n, exact, unchecked)),
                     cell(results.ratio(workload, n, exact, f"{best}/inexact")),
                     cell(results.ns(workload, n, "plain"), 3),
                     cell(results.value(workload, n, exact, "read_share"))])
    return markdown(header, rows)


LAYOUTS = {"columns": "columns, staggered", "same_place": "from one place of a page", "tiles": "tiles of 16"}


def layouts(results):
    """Returns the table of layouts: ns a pair of a wide loop that counts hits."""
    rows = [[workload.split("/")[1], size_text(n), *(cell(results.ns(workload, n, c), 3) for c in LAYOUTS)]
            for workload, n in results.inputs() if is_layout(workload)]
    return markdown(["ns a pair", "pairs", *LAYOUTS.values()], rows)


WORKLOADS = ("sphere_vs_aabbs", "sphere_aabb_pairs", "frustum_culling", "sphere_obb_pairs")
SHORT = {
    "sphere_vs_aabbs/1%": "one sphere touches AABBs",
    "sphere_aabb_pairs/7%": "sphere touches AABB, item by item",
    "sphere_obb_pairs/42%": "sphere touches OBB, item by item",
    "frustum_culling/sphere_hull": "sphere touches a view frustum",
    "frustum_culling/sphere_hull_planes": "sphere beyond no plane of it",
    "frustum_culling/aabb_hull_planes": "AABB beyond no plane of it",
}


def short_table(results):
    """Returns README.md's table: some workloads, with the fewest pairs (in a cache) and the most (from memory)."""
    best = results.isas[0]
    implementations = ["plain", "compiler", *(f"{isa}/exact" for isa in reversed(results.isas) if isa != "scalar"),
                   f"{best}/unchecked"]
    header = ["ns a pair", "pairs", "plain loop", "compiler", *(c.split("/")[0] for c in implementations[2:-1]),
              "unchecked", "exact / unchecked"]
    rows = []
    for workload in SHORT:
        sizes = [n for w, n in results.inputs() if w == workload]
        rows += [[SHORT[workload], size_text(n), *(cell(results.ns(workload, n, c)) for c in implementations),
                  cell(results.ratio(workload, n, f"{best}/exact", f"{best}/unchecked"))]
                 for n in (sizes[0], sizes[-1])]
    return markdown(header, rows)


def promises(results, isa):
    """Yields (ratio, pairs, figure, sense, limit). The promises hold for AVX2 and AVX-512."""
    exact, large = f"{isa}/exact", 16 << 20

    def price(workload, n, limit):
        for build in "unchecked", "inexact":
            yield f"{workload} exact / {build}", n, results.ratio(workload, n, exact, f"{isa}/{build}"), "<=", limit

    for workload, sizes, limits in (("sphere_vs_aabbs/1%", (1024, 4096, large), (1.10, 1.05, 1.05)),
                                    ("sphere_vs_aabbs/50%", (1024, 4096, large), (1.12, 1.12, 1.12)),
                                    ("sphere_aabb_pairs/7%", (512, 4096, 8 << 20), (1.10, 1.10, 1.10)),
                                    ("sphere_aabb_pairs/46%", (512, 4096, 8 << 20), (1.10, 1.10, 1.10)),
                                    ("sphere_obb_pairs/42%", (256, 4096, 8 << 20), (1.10, 1.10, 1.10))):
        for n, limit in zip(sizes, limits):
            yield from price(workload, n, limit)
    for workload in "sphere_vs_aabbs/1%", "sphere_vs_aabbs/50%":
        yield (f"{workload} share of read bandwidth", large, results.value(workload, large, exact, "read_share"),
               ">=", 0.9)
        for items in 8, 64:
            figure = results.ratio(workload, large, exact, f"{isa}/x{items}")
            yield f"{workload} one / {items} a pass", large, figure, ">=", 4
        yield (f"{workload} plain / exact", 4096, results.ratio(workload, 4096, "plain", exact),
               ">=", 7 if isa == "avx512" else 6)
        yield f"{workload} undecided", large, results.value(workload, large, exact, "undecided"), "<=", 1e-5
    for n in 1024, 4096, large:
        planes, boxes = "frustum_culling/sphere_hull_planes", "frustum_culling/aabb_hull_planes"
        for workload in planes, "frustum_culling/sphere_in_hull", boxes:
            yield from price(workload, n, 1.10)
    for n in 4096, large:
        distance, usual = results.ns("frustum_culling/sphere_hull", n, exact), results.ns(planes, n, exact)
        yield "frustum_culling distance / planes", n, usual and distance and distance / usual, "<=", 1.25
    one, four = (results.ns("frustum_culling/sphere_hull_planes", large, exact),
                 results.ns("frustum_culling/four_cameras", large, exact))
    yield "frustum_culling four cameras in a pass / one", large, one and four and 4 * four / one, "<=", 2.6
    for n in 512, 4096:
        usual, ties = results.ns("sphere_aabb_pairs/46%", n, exact), results.ns("sphere_aabb_pairs/ties", n, exact)
        yield "sphere_aabb_pairs/ties / sphere_aabb_pairs/46%", n, usual and ties and ties / usual, "<=", 75


def acceptance(results):
    rows = []
    for isa in results.isas:
        for what, n, figure, sense, limit in promises(results, isa):
            if figure is None:
                continue
            kept = figure <= limit if sense == "<=" else figure >= limit
            verdict = "" if isa not in ("avx512", "avx2") else "holds" if kept else "MISSED"
            rows.append([isa, what, size_text(n), f"{figure:.3g}", f"{sense} {limit:g}", verdict])
    return markdown(["", "ratio", "pairs", "figure", "promised", ""], rows)


LIST = pathlib.Path(__file__).resolve().parent.parent / "src/tables/predicates.def"
RANDOM = {"sphere_aabb": "sphere_aabb_pairs/46%"}


def random_pairs(name, measured):
    """The workload of random pairs, item by item, or one hull against many items."""
    names = (RANDOM.get(name), f"{name}/zip", f"frustum_culling/{name}")
    return next((workload for workload in names if workload in measured), None)


def share(value):
    return "" if value is None else "0" if value == 0 else f"{value:.1g}"


def predicates(results):
    """A line for each predicate, with 4 Ki random pairs, and the same number at rest where there is such a scene."""
    measured, n, rows = {w for w, _, _ in results.rows}, 4096, []
    isas = [isa for isa in reversed(results.isas) if isa not in ("scalar", "sse")] or results.isas[:1]
    names = re.findall(r"^[A-Z_]*PREDICATE\((\w+),", LIST.read_text(encoding="utf-8"), re.M)
    for name in names:
        workload = random_pairs(name, measured)
        if workload is None:
            continue
        best = f"{isas[-1]}/exact"
        rows.append([name, f"{100 * results.value(workload, n, best, 'hits'):.2g} %",
                     *(cell(results.ns(workload, n, c)) for c in ("compiler", *(f"{isa}/exact" for isa in isas))),
                     cell(results.ratio(workload, n, "compiler", best), 1),
                     share(results.value(workload, n, best, "undecided")),
                     cell(results.ns(f"rest/{name}", n, best), 1)])
    return markdown(["ns a pair", "hits", "compiler", *isas, f"compiler / {isas[-1]}", "undecided", "at rest"], rows)


def replace(path, text, name="bench"):
    opening, closing = f"<!-- {name} -->", f"<!-- /{name} -->"
    with open(path) as file:
        page = file.read()
    if page.count(opening) != 1 or page.count(closing) != 1:
        sys.exit(f"{path}: needs one {opening} and one {closing}")
    head, rest = page.split(opening)
    tail = rest.split(closing)[1]
    with open(path, "w") as file:
        file.write(f"{head}{opening}\n{text}\n{closing}{tail}")


def pages(results, readme, details):
    replace(readme, short_table(results))
    whole = table(results, lambda workload, n: workload.startswith((*WORKLOADS, "rest/")) and n != 65536)
    replace(details, f"On {results.cpu}:\n\n{whole}")
    replace(details, predicates(results), "predicates")


def main(arguments):
    match arguments:
        case ["merge", out, cpu, names, *parts] if parts:
            merge(out, cpu, names, *parts)
        case ["table", path]:
            print("\n\n".join(text for text in (table(Results(path)), layouts(Results(path))) if text))
        case ["acceptance", path]:
            print(acceptance(Results(path)))
        case ["pages", path, readme, details]:
            pages(Results(path), readme, details)
        case ["predicates", path, details]:
            replace(details, predicates(Results(path)), "predicates")
        case _:
            sys.exit(__doc__)


main(sys.argv[1:])
