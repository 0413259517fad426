# SPDX-License-Identifier: MIT
"""Joins of data beyond one machine, by Dask: every pair of two sets of files, each exactly once.

    from distributed import Client
    import abut.dask
    result = abut.dask.join("spheres-*.npy", "boxes-*.npy", "out", shapes=(abut.Spheres, abut.AABBs), client=Client())
    result["pairs"], result["files"]

Blocks are NPY files of shape (n, k), one shape a row, or a Dask array with known chunks. Rows are numbered through all
blocks, in the order of the sorted names. Space is cut into tiles of about equal load, from a sample. Each block is read
once, and its rows go to every tile that their boxes meet, rounded outwards. A task joins one tile and reports the pairs
whose reference point (the greater of both lower bounds on each axis) the tile holds: Index.join(own=tile). So no pair
is lost, and none is reported twice. A worker needs the memory of one block or of one tile.

All files are written whole and then renamed. A task that runs again, as after a worker died, writes the same file. The
folder must be one that all workers see.
"""
from __future__ import annotations

import glob
import json
import os
import resource
from pathlib import Path
from typing import Any, Callable

import numpy as np

from ._index import Index
from ._shapes import AABBs, OBBs, Shapes

#: Rows of both sets that one tile should have, where the caller does not say how many tiles there are.
ROWS_A_TILE = 500_000
SAMPLE = 50_000


def publish(path: str, array: np.ndarray) -> None:
    """Writes an array all at once: readers see the whole file, or none."""
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        with open(temporary, "wb") as file:
            np.save(file, array)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def sample_block(path: str, make: Callable[[np.ndarray], Shapes], most: int) -> tuple[int, np.ndarray]:
    """The number of rows of a block, and the lower corners of some."""
    rows = np.load(path, mmap_mode="r")
    step = max(1, len(rows) // most)
    corners = make(np.ascontiguousarray(rows[::step])).bounds[:, :3]
    return len(rows), corners[np.isfinite(corners).all(1)]


def plan(corners: np.ndarray, tiles: int) -> np.ndarray:
    """Cuts space at medians until there are so many half-open boxes: (tiles, 6), that part all of space."""
    parts = [(np.repeat(np.float32([-np.inf, np.inf]), 3), corners)]
    while len(parts) < tiles:
        largest = max(range(len(parts)), key=lambda i: len(parts[i][1]))
        box, inside = parts.pop(largest)
        below, above = box.copy(), box.copy()
        if len(inside):
            axis = int(np.argmax(np.ptp(inside, axis=0)))
            cut = np.median(inside[:, axis]).astype(np.float32)
        else:
            axis, cut = 0, box[3]
        below[axis + 3] = above[axis] = cut
        less = inside[:, axis] < cut
        parts += [(below, inside[less]), (above, inside[~less])]
    return np.array([box for box, _ in parts], np.float32)


def scatter_block(
    path: str, name: str, first: int, make: Callable[[np.ndarray], Shapes], tiles: np.ndarray
) -> dict[str, Any]:
    """Writes the rows of a block ordered by tile, with their numbers. Invalid rows meet no tile."""
    rows = np.load(path)
    # Empty tiles (min = max in the middle of space) still have a box, closed, and shapes on it go there in vain.
    tile, row = Index(make_boxes(make(rows).bounds), skip_invalid=True).query(AABBs(tiles))
    publish(name + ".rows.npy", rows[row])
    publish(name + ".ids.npy", row.astype(np.uint64) + np.uint64(first))
    return {"name": name, "offsets": np.searchsorted(tile, np.arange(len(tiles) + 1)), "bytes": rows[row].nbytes}


def make_boxes(bounds: np.ndarray) -> AABBs:
    """Boxes of bounds."""
    return AABBs(np.asfortranarray(bounds))


def gather(parts: list[dict[str, Any]], tile: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of one tile, and their numbers."""
    cuts = [(part["name"], part["offsets"][tile], part["offsets"][tile + 1]) for part in parts]
    rows = [np.load(name + ".rows.npy", mmap_mode="r")[first:end] for name, first, end in cuts]
    ids = [np.load(name + ".ids.npy", mmap_mode="r")[first:end] for name, first, end in cuts]
    return np.concatenate(rows), np.concatenate(ids)


def digest(pairs: np.ndarray) -> int:
    """A hash of a set of pairs (n, 2), whatever their order: parts of a set add up to the whole, modulo 2**64."""
    x, y = (np.ascontiguousarray(column, np.uint64) for column in np.asarray(pairs).T)
    x = x * np.uint64(0x9E3779B97F4A7C15) ^ y * np.uint64(0xC2B2AE3D27D4EB4F)
    x ^= x >> np.uint64(29)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(32)
    return int(x.sum(dtype=np.uint64))


def join_tile(
    number: int, tile: np.ndarray, makes: list[Callable], a: list[dict], b: list[dict] | None, out: str, touch: str
) -> dict[str, Any]:
    """Writes the pairs that a tile owns, as numbers of rows: uint64 (n, 2)."""
    rows_a, ids_a = gather(a, number)
    if b is None:
        pairs = Index(makes[0](rows_a)).self_pairs(touch=touch, own=tile).T
        # Numbers within a tile ascend block by block, as those of all rows do.
        result = ids_a[pairs]
        counts = [len(rows_a)]
    else:
        rows_b, ids_b = gather(b, number)
        pairs = Index(makes[1](rows_b)).join(makes[0](rows_a), touch=touch, own=tile)
        result = np.stack([ids_a[pairs[:, 0]], ids_b[pairs[:, 1]]], 1)
        counts = [len(rows_a), len(rows_b)]
    path = os.path.join(out, f"pairs-{number:05}.npy")
    publish(path, result)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"file": path, "pairs": len(result), "digest": digest(result), "rows": counts, "peak_mb": peak}


def save_block(block: Any, path: str) -> str:
    """Writes a chunk of a Dask array as a block."""
    publish(path, np.asarray(block))
    return path


def blocks_of(source: Any, name: str, scratch: Path, client: Any) -> list[str]:
    """The paths of the blocks of a set."""
    if hasattr(source, "to_delayed"):
        chunks = [client.compute(chunk) for chunk in source.to_delayed().ravel()]
        paths = [str(scratch / f"{name}-{i:05}.npy") for i in range(len(chunks))]
        return client.gather([client.submit(save_block, c, p, pure=False) for c, p in zip(chunks, paths)])
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        source = glob.glob(os.path.join(text, "*.npy") if os.path.isdir(text) else text)
    paths = sorted(os.fspath(path) for path in source)
    if not paths:
        raise FileNotFoundError(f"{name}: there are no blocks: a pattern, a folder or a list of NPY files is needed")
    return paths


def join(
    a: Any,
    b: Any,
    out: str | os.PathLike,
    *,
    shapes: Any,
    client: Any = None,
    tiles: int | None = None,
    touch: str = "closed",
) -> dict[str, Any]:
    """All pairs of a row of a and a row of b that touch, each once, in files of a folder.

    a, b: a pattern ("spheres-*.npy"), a folder, a list of paths, or a Dask array. b=None: the pairs within a.
    shapes: the class of each, or a function from rows to shapes; one for b=None. Not OBBs, whose boxes may be apart.
    client: of distributed; by default the current one. tiles: how many; by default by the number of rows.

    Returns a dictionary, which is also in the folder as manifest.json: pairs, files (uint64 (n, 2) each), digest,
    tiles, replication (copies a row, of a and of b), bytes (written by the scatter), rows (least and most a tile), and
    peak_mb (of a worker).
    """
    from distributed import default_client

    client = client or default_client()
    makes = list(shapes) if isinstance(shapes, (tuple, list)) else [shapes]
    sources = [a] if b is None else [a, b]
    if len(makes) != len(sources):
        raise ValueError(f"{len(sources)} sets need as many shapes; here are {len(makes)}")
    if OBBs in makes:
        raise TypeError("OBBs: a sphere that touches one may be outside of its box by 2**-8 of the radius")
    out = Path(out).resolve()
    scratch = out / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    submit = lambda *arguments: client.submit(*arguments, pure=False, retries=2)

    sets = [blocks_of(source, name, scratch, client) for source, name in zip(sources, "ab")]
    most = max(1, SAMPLE // sum(map(len, sets)))
    samples = [client.gather([submit(sample_block, p, make, most) for p in s]) for s, make in zip(sets, makes)]
    total = [sum(n for n, _ in sample) for sample in samples]
    boxes = plan(np.concatenate([c for sample in samples for _, c in sample]), tiles or 1 + sum(total) // ROWS_A_TILE)

    parts = []
    for paths, sample, make, name in zip(sets, samples, makes, "ab"):
        firsts = np.cumsum([0] + [n for n, _ in sample])[:-1]
        parts.append(
            [submit(scatter_block, p, str(scratch / f"{name}{i:05}"), int(f), make, boxes)
             for i, (p, f) in enumerate(zip(paths, firsts))]
        )
    other = parts[1] if b is not None else None
    tasks = [submit(join_tile, i, box, makes, parts[0], other, str(out), touch) for i, box in enumerate(boxes)]
    results, scattered = client.gather(tasks), client.gather(sum(parts, []))
    for path in scratch.iterdir():
        path.unlink()
    scratch.rmdir()

    copies = np.sum([r["rows"] for r in results], axis=0)
    loads = [sum(r["rows"]) for r in results]
    result = {
        "pairs": sum(r["pairs"] for r in results),
        "files": [r["file"] for r in results],
        "digest": f"{sum(r['digest'] for r in results) % 2**64:016x}",
        "tiles": len(boxes),
        "replication": [float(c / max(n, 1)) for c, n in zip(copies, total)],
        "bytes": sum(part["bytes"] for part in scattered),
        "rows": [min(loads), max(loads)],
        "peak_mb": max(r["peak_mb"] for r in results),
    }
    temporary = out / "manifest.json.new"
    temporary.write_text(json.dumps(result, indent=1))
    os.replace(temporary, out / "manifest.json")
    return result
