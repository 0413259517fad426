# SPDX-License-Identifier: MIT
"""The tasks of abut.dask: blocks are scattered to tiles, and a task answers for one tile. All run on workers."""
from __future__ import annotations

import glob
import os
import resource
from pathlib import Path
from typing import Any, Callable

import numpy as np

from ._index import Index
from ._shapes import AABBs, Points, Shapes


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
    """The number of rows of a block, and the lower corners of some. Where they are infinite, any cut is as good."""
    rows = np.load(path, mmap_mode="r")
    step = max(1, len(rows) // most)
    corners = make(np.ascontiguousarray(rows[::step])).bounds[:, :3]
    corners = corners[~np.isnan(corners).any(1)]
    return len(rows), np.where(np.isfinite(corners), corners, np.float32(0))


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
    offsets = np.searchsorted(tile, np.arange(len(tiles) + 1))
    return {"name": name, "offsets": offsets, "bytes": rows[row].nbytes, "first": first, "rows": len(rows)}


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


def peak_mb() -> int:
    """The peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


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
    return {"file": path, "pairs": len(result), "digest": digest(result), "rows": counts, "peak_mb": peak_mb()}


def save_block(block: Any, path: str) -> str:
    """Writes a chunk of a Dask array as a block."""
    publish(path, np.asarray(block))
    return path


def blocks_of(source: Any, name: str, scratch: Path, client: Any) -> list[str]:
    """The paths of the blocks of a set."""
    if hasattr(source, "to_delayed") and hasattr(source, "columns"):
        raise TypeError(
            f"{name}: a Dask DataFrame is not read by position: pass an array of its columns in their order, such as "
            "frame[list('xyzr')].to_dask_array(lengths=True)"
        )
    if hasattr(source, "to_delayed"):
        chunks = [client.compute(chunk) for chunk in source.to_delayed().ravel()]
        paths = [str(scratch / f"{name}-{i:05}.npy") for i in range(len(chunks))]
        return client.gather([client.submit(save_block, c, p, pure=False) for c, p in zip(chunks, paths)])
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        folder = os.path.isdir(text)
        source = glob.glob(os.path.join(text, "*.npy") if folder else text)
        source = source or (glob.glob(os.path.join(text, "*.parq*")) if folder else [])
    paths = sorted(os.fspath(path) for path in source)
    if any(path.endswith((".parquet", ".parq")) for path in paths):
        raise ValueError(
            f"{name}: Parquet needs a reader, and Debian 12 packages none: write NPY blocks, or pass a Dask array, "
            "such as dask.dataframe.read_parquet(folder)[list('xyzr')].to_dask_array(lengths=True)"
        )
    if not paths:
        raise FileNotFoundError(f"{name}: there are no blocks: a pattern, a folder or a list of NPY files is needed")
    return paths


def count_tile(
    number: int, tile: np.ndarray, makes: list[Callable], a: list[dict], b: list[dict], scratch: str, touch: str
) -> dict[str, Any]:
    """Writes how many pairs of each row of a the tile owns, in the order of gather()."""
    (rows_a, _), (rows_b, _) = gather(a, number), gather(b, number)
    counts = Index(makes[1](rows_b)).counts(makes[0](rows_a), touch=touch, own=tile)
    path = os.path.join(scratch, f"counts-{number:05}.npy")
    publish(path, counts)
    pairs = int(counts.sum(dtype=np.uint64))
    return {"file": path, "pairs": pairs, "rows": [len(rows_a), len(rows_b)], "peak_mb": peak_mb()}


def sum_block(number: int, a: list[dict[str, Any]], tiles: list[dict[str, Any]], out: str) -> str:
    """Adds up what the tiles counted of the rows of a block: uint64, a row each."""
    part = a[number]
    ids = np.load(part["name"] + ".ids.npy", mmap_mode="r")
    counts = np.zeros(part["rows"], np.uint64)
    for i, tile in enumerate(tiles):
        first, end = part["offsets"][i : i + 2]
        before = sum(int(other["offsets"][i + 1] - other["offsets"][i]) for other in a[:number])
        counted = np.load(tile["file"], mmap_mode="r")[before : before + end - first]
        counts[(ids[first:end] - np.uint64(part["first"])).astype(np.intp)] += counted  # a row is once in a tile
    path = os.path.join(out, f"counts-{number:05}.npy")
    publish(path, counts)
    return path


def publish_part(name: str, rows: np.ndarray, ids: np.ndarray, offsets: np.ndarray) -> dict[str, Any]:
    """Writes rows and their numbers, ordered by tile, as gather() reads them."""
    publish(name + ".rows.npy", rows)
    publish(name + ".ids.npy", ids)
    return {"name": name, "offsets": offsets, "bytes": rows.nbytes}


def reach_of(points: np.ndarray, items: Shapes, distances: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """At least the true distance of each point from its chosen item; inf where there is none, at infinite distance.

    Distances are rounded. By abut/distance.h they are off by at most 64 * 2**-24 times a few lengths, none of which is
    beyond the farthest corner of the item's box twice; those of points and boxes by a share of themselves.
    """
    reach = distances * (1 + 1e-5) + 1e-17
    found = np.isfinite(distances)
    if type(items) not in (Points, AABBs):
        bounds = items.bounds[chosen[found]].astype(np.float64)
        far = np.maximum(np.abs(points[found] - bounds[:, :3]), np.abs(points[found] - bounds[:, 3:]))
        reach[found] += 1e-4 * np.sqrt((far**2).sum(1))
    return reach


def ask_tile(
    number: int, tiles: np.ndarray, makes: list[Callable], a: list[dict], b: list[dict], scratch: str, k: int,
    within: float
) -> dict[str, Any]:
    """Finds the neighbours of the points that a tile holds among its items, and which other tiles may have nearer ones.

    Writes the points, the items found, and the points again, ordered by the tiles to ask.
    """
    tile = tiles[number]
    (rows_a, ids_a), (rows_b, ids_b) = gather(a, number), gather(b, number)
    places = makes[0](rows_a).bounds[:, :3]
    home = ((tile[:3] <= places) & (places < tile[3:])).all(1)
    places, ids_a = np.ascontiguousarray(places[home]), ids_a[home]
    items = makes[1](rows_b)
    distances, chosen = (x.reshape(-1, k) for x in Index(items).nearest(Points(places), k, within=within))
    exact = places.astype(np.float64)
    reach = reach_of(exact, items, distances[:, -1], chosen[:, -1])
    reach = np.minimum(reach, within * (1 + 1e-6))[:, None]
    low = np.nextafter((exact - reach).astype(np.float32), np.float32(-np.inf))
    high = np.nextafter((exact + reach).astype(np.float32), np.float32(np.inf))
    to, point = Index(AABBs(low, high)).query(AABBs(tiles))
    to, point = to[to != number], point[to != number]
    name = os.path.join(scratch, f"tile-{number:05}")
    some = np.unique(chosen[chosen < len(items)])
    offsets = np.arange(len(tiles) + 1)
    return {
        "home": publish_part(name + ".home", places, ids_a, None),
        "asks": publish_part(name + ".asks", places[point], ids_a[point], np.searchsorted(to, offsets)),
        "own": publish_part(name + ".own", rows_b[some], ids_b[some], np.where(offsets > number, len(some), 0)),
        "rows": [len(rows_a), len(rows_b)],
        "peak_mb": peak_mb(),
    }


def answer_tile(
    number: int, makes: list[Callable], b: list[dict], asked: list[dict], scratch: str, k: int, within: float
) -> dict[str, Any]:
    """Writes the items of a tile that are among the nearest to points of other tiles, ordered by those."""
    rows, ids = gather(b, number)
    index = Index(makes[1](rows))
    chosen, offsets = [np.empty(0, np.intp)], [0]
    for other in asked:
        places, _ = gather([other["asks"]], number)
        found = np.unique(index.nearest(Points(places), k, within=within)[1])
        chosen.append(found[found < len(rows)])
        offsets.append(offsets[-1] + len(chosen[-1]))
    some = np.concatenate(chosen)
    return publish_part(os.path.join(scratch, f"answer-{number:05}"), rows[some], ids[some], np.array(offsets))


def nearest_tile(
    number: int, makes: list[Callable], asked: list[dict], answers: list[dict], out: str, k: int, within: float, n: int
) -> str:
    """Writes the neighbours of the points that a tile holds, from the candidates of all tiles."""
    home = asked[number]["home"]["name"]
    places, queries = np.load(home + ".rows.npy"), np.load(home + ".ids.npy")
    rows, ids = gather(answers + [asked[number]["own"]], number)
    ids, first = np.unique(ids, return_index=True)  # by number, as equally near items are ordered
    distances, chosen = Index(makes[1](rows[first])).nearest(Points(places), k, within=within)
    result = np.empty(len(places), [("query", "u8"), ("index", "u8", (k,)), ("distance", "f8", (k,))])
    result["query"] = queries
    result["index"] = np.append(ids, np.uint64(n))[chosen].reshape(-1, k)
    result["distance"] = distances.reshape(-1, k)
    path = os.path.join(out, f"nearest-{number:05}.npy")
    publish(path, result)
    return path
