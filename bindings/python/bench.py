# SPDX-License-Identifier: MIT
"""Times abut beside the C calls, SciPy and shapely: seconds of the processor, medians by turns, one thread each.

usage: bench.py PART...
parts: c [N] (ABUT_LIBRARY names a libabut.a), elementwise, ckdtree [N], strtree [N], guide (rows of docs/python.md)
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import abut

rng = np.random.default_rng(1)
REPEATS = 5


class Times(list):
    """Median seconds of calls, and by how much they differed in each turn."""

    def __init__(self, times):
        super().__init__(float(np.median(t)) for t in times)
        self.turns = np.array(times)

    def ratio(self):
        """How many times as fast the first is as the second: the median of the turns."""
        return float(np.median(self.turns[1] / self.turns[0]))


def turns(*calls, repeats=REPEATS):
    """Times of each call, and their last results."""
    times, results = [[] for _ in calls], [None] * len(calls)
    for _ in range(repeats):
        for i, call in enumerate(calls):
            results[i] = None
            begin = time.process_time()
            results[i] = call()
            times[i].append(time.process_time() - begin)
    return Times(times), results


def scene(n):
    """Spheres and boxes of about two pairs a sphere: (n, 4) and (n, 6) float32."""
    edge = (n / 1e6) ** (1 / 3) * 100
    spheres = np.column_stack([rng.random((n, 3)) * edge, 0.2 + 0.4 * rng.random(n)]).astype(np.float32)
    low = rng.random((n, 3)) * edge
    return spheres, np.concatenate([low, low + 0.2 + 0.8 * rng.random((n, 3))], 1).astype(np.float32)


def c_calls(folder):
    """bench_join.c with the library that ABUT_LIBRARY names."""
    here, program = Path(__file__).parent, Path(folder) / "bench_join.so"
    sources = [here / "bench_join.c", os.environ["ABUT_LIBRARY"]]
    subprocess.run(["cc", "-std=c11", "-O2", "-shared", "-fPIC", f"-I{here.parents[1] / 'include'}", *sources, "-lm",
                    "-o", program], check=True)
    return ctypes.CDLL(str(program))


def beside_c(n=10**6):
    spheres, boxes = scene(n)
    mine = lambda: abut.Index(abut.AABBs(boxes)).query(abut.Spheres(spheres))
    count = mine().shape[1]
    columns = [np.ascontiguousarray(rows.T) for rows in (spheres, boxes)]
    pointers = [(ctypes.c_void_p * len(c))(*(column.ctypes.data for column in c)) for c in columns]

    def theirs():
        pairs = np.empty((count, 2), np.uint32)
        memory = ctypes.c_void_p(pairs.ctypes.data)
        assert library.bench_join(ctypes.c_size_t(n), *pointers, memory, ctypes.c_size_t(count)) == 0
        return pairs

    with tempfile.TemporaryDirectory() as folder:
        library = c_calls(folder)
        (python, c), (a, b) = turns(mine, theirs)
    assert np.array_equal(a.T, b)
    print(f"Index({n} boxes).query({n} spheres), {count} pairs: {python:.2f} s, C {c:.2f} s, {python / c:.2f}")


def elementwise():
    spheres, boxes = scene(10**7)
    for n in 10 ** np.arange(8):
        some = np.asfortranarray(spheres[:n]), np.asfortranarray(boxes[:n])
        calls = max(1, 10**5 // int(n))
        a, b = abut.Spheres(some[0]), abut.AABBs(some[1])
        rows = np.ascontiguousarray(spheres[:n]), np.ascontiguousarray(boxes[:n])
        kept = lambda: [abut.touches(a, b) for _ in range(calls)]
        made = lambda: [abut.touches(abut.Spheres(rows[0]), abut.AABBs(rows[1])) for _ in range(calls)]
        (first, second), _ = turns(kept, made)
        print(f"touches of {n}: {first / calls * 1e6:.1f} us; from (n, 4) and (n, 6) {second / calls * 1e6:.1f} us")


def uniform(n):
    return rng.random((n, 3))


def clusters(n):
    """Balls of points, denser towards their middles, in a thousandth of the space."""
    return rng.random((200, 3))[rng.integers(0, 200, n)] + rng.normal(0, 0.005, (n, 3))


def lines(n):
    """Points near 100 segments, as on wires or trajectories."""
    a, b = rng.random((2, 100, 3))
    line, t = rng.integers(0, 100, n), rng.random((n, 1))
    return a[line] + t * (b - a)[line] + rng.normal(0, 1e-4, (n, 3))


def line(n):
    """Points on one straight line."""
    return rng.random((n, 1)) * [[1, 0.5, 0.25]]


def ckdtree(n=200_000):
    """Neighbours in four scenes: the 8 nearest, and all within the median distance of the 6th or 100th."""
    from scipy.spatial import cKDTree

    for make in uniform, clusters, lines, line:
        both = make(2 * n).astype(np.float32).astype(float)
        points, queries = both[:n], both[n:]
        times, (index, tree) = turns(lambda: abut.Index(abut.Points(points)), lambda: cKDTree(points))
        report(f"{make.__name__}: building of {n}", times)
        times, (here, there) = turns(lambda: index.nearest(queries, 8), lambda: tree.query(queries, 8))
        assert np.allclose(here[0], there[0], atol=0, rtol=1e-6)
        report(f"{make.__name__}: 8 nearest of {n} to {n}", times)
        for k, some in ((6, queries), (100, queries[: n // 10])):
            radius = float(np.float32(np.median(tree.query(queries[:1000], k)[0][:, -1])))
            mine = lambda: index.rows(abut.Spheres(some, radius))
            times, (here, there) = turns(mine, lambda: tree.query_ball_point(some, radius, return_sorted=True))
            assert here[0][-1] == sum(map(len, there))
            report(f"{make.__name__}: rows of {n} and {len(some)}, {here[0][-1] / len(some):.1f} a row", times)


def report(what, times):
    print(f"{what}: {times[0]:.3f} s, cKDTree {times[1]:.3f} s, {times.ratio():.2f} times as fast", flush=True)


def strtree(n=10**5):
    import shapely.geometry
    from shapely.strtree import STRtree

    low = rng.random((2, n, 2)) * np.sqrt(n)
    boxes = np.concatenate([low, low + 1.0], 2).astype(np.float32)
    mine = lambda: abut.Index(abut.AABBs(boxes[0])).query(abut.AABBs(boxes[1]))
    shapes = [[shapely.geometry.box(*row) for row in rows.astype(float)] for rows in boxes]
    theirs = lambda: [len(tree.query(shape)) for tree in [STRtree(shapes[0])] for shape in shapes[1]]
    times, (pairs, counts) = turns(mine, theirs, repeats=3)
    assert pairs.shape[1] == sum(counts)
    seconds = f"{times[0]:.3f} s, STRtree {times[1]:.2f} s, {times.ratio():.0f} times as fast"
    print(f"{n} and {n} 2-D boxes, {pairs.shape[1]} pairs: {seconds}")


def guide():
    """The rows of "From other libraries" in docs/python.md that strtree() does not time."""
    from scipy.spatial import cKDTree
    from scipy.spatial.transform import Rotation

    points, queries = (rng.random((200_000, 3)).astype(np.float32).astype(float) for _ in range(2))
    far, near = float(np.float32(0.03)), float(np.float32(0.02))
    mine = lambda: abut.Index(abut.Points(points)).nearest(queries, 8, within=far)
    theirs = lambda: cKDTree(points).query(queries, 8, distance_upper_bound=far)
    times, (here, there) = turns(mine, theirs)
    assert np.array_equal(here[1], there[1])
    print(f"nearest, k=8: {times[0]:.3f} s, cKDTree.query {times[1]:.3f} s, {times.ratio():.2f}")
    mine = lambda: abut.Index(abut.Points(points)).rows(abut.Spheres(queries, near))
    theirs = lambda: cKDTree(points).query_ball_point(queries, near)
    times, (here, there) = turns(mine, theirs)
    assert here[0][-1] == sum(map(len, there))
    print(f"rows, {here[0][-1]} pairs: {times[0]:.3f} s, query_ball_point {times[1]:.3f} s, {times.ratio():.2f}")
    mine = lambda: abut.Index(abut.Spheres(points, near / 2)).self_pairs()
    theirs = lambda: cKDTree(points).query_pairs(near, output_type="ndarray")
    times, (here, there) = turns(mine, theirs)
    assert np.array_equal(here.T, there[np.lexsort(there.T[::-1])])
    print(f"self_pairs, {len(there)} pairs: {times[0]:.3f} s, query_pairs {times[1]:.3f} s, {times.ratio():.2f}")

    n = 10**5
    center, half, radius = rng.random((n, 3)), rng.random((n, 3)) * 0.3, rng.random(n) * 0.3
    turned = Rotation.random(n, random_state=1).as_matrix()
    axes = turned.transpose(0, 2, 1)
    (a,), _ = turns(lambda: abut.touches(abut.Spheres(points[:n], radius), abut.OBBs(center, half, axes)))
    print(f"touches of {n} spheres and obbs: {a:.4f} s")
    low = rng.random((n, 3)) * 46
    index = abut.Index(abut.AABBs(low, low + 1))
    low += rng.normal(0, 0.05, low.shape)
    (a,), (pairs,) = turns(lambda: (index.refit(abut.AABBs(low, low + 1)), index.self_pairs())[1])
    print(f"refit and self_pairs of {n} boxes, {pairs.shape[1]} pairs: {a:.4f} s")
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 225), np.linspace(0.01, np.pi - 0.01, 225), indexing="ij")
    ball = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1)
    corners = ball[:-1, :-1], ball[1:, :-1], ball[:-1, 1:], ball[1:, 1:]
    mesh = np.concatenate([np.stack([corners[i] for i in t], 2).reshape(-1, 3, 3) for t in ((0, 1, 2), (3, 2, 1))])
    queries = rng.uniform(-1.5, 1.5, (n, 3))

    def closest():
        nearest = abut.Index(abut.Triangles(mesh)).nearest(queries)[1]
        return abut.distance(queries, abut.Triangles(mesh[nearest]))

    low, high = mesh.min((0, 1)), mesh.max((0, 1))
    inside = lambda: abut.inside(abut.Points(queries), abut.AABBs(low, high), touch="open")
    compare = lambda: ((queries > low) & (queries < high)).all(1)
    (a, b, c, d), (_, _, here, there) = turns(closest, lambda: abut.Triangles(mesh).bounds, inside, compare)
    assert np.array_equal(here, there)
    print(f"closest of {len(mesh)} triangles to {n} points: {a:.2f} s, bounds {b:.4f} s")
    print(f"inside: {c:.5f} s, NumPy {d:.5f} s")


PARTS = {"guide": guide, "c": beside_c, "elementwise": elementwise, "ckdtree": ckdtree, "strtree": strtree}
arguments = sys.argv[1:] or ["elementwise", "ckdtree", "strtree"]
while arguments:
    part = PARTS[arguments.pop(0)]
    part(*([int(arguments.pop(0))] if arguments and arguments[0].isdigit() else []))
