# SPDX-License-Identifier: MIT
"""Joins, counts and neighbours of data beyond one machine, by Dask: what one process finds, exactly.

    from distributed import Client
    import abut.dask
    result = abut.dask.join("spheres-*.npy", "boxes-*.npy", "out", shapes=(abut.Spheres, abut.AABBs), client=Client())
    result["pairs"], result["files"]

Blocks are NPY files of shape (n, k), one shape a row, or a Dask array with known chunks (one along the columns). Rows
are numbered through all blocks, in the order of the sorted names. Space is cut into tiles of about equal load, from a
sample. Each block is read once, and its rows go to every tile that their boxes meet, rounded outwards. A task joins one
tile and reports the pairs whose reference point (the greater of both lower bounds on each axis) the tile holds:
Index.join(own=tile). So no pair is lost, and none is reported twice. A worker needs the memory of one block or of one
tile.

Neighbours are found in the tile of a point first. Tiles that may hold nearer items, or as near ones, add their nearest.
The candidates of all these are then compared exactly.

All files are written whole and then renamed. A task that runs again, as after a worker died, writes the same file. The
folder must be one that all workers see.
"""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from . import _tiles
from ._shapes import OBBs, Points
from ._tiles import digest, plan

__all__ = ["counts", "digest", "join", "nearest", "plan"]

#: Rows of both sets that one tile should have, where the caller does not say how many tiles there are.
ROWS_A_TILE = 500_000
SAMPLE = 50_000


class _Run:
    """Sets whose rows are with the tiles that their boxes meet, and what is done with them next."""

    def __init__(self, sources: list[Any], out: str | os.PathLike, shapes: Any, client: Any, tiles: int | None):
        self.makes = list(shapes) if isinstance(shapes, (tuple, list)) else [shapes]
        if len(self.makes) != len(sources):
            raise ValueError(f"{len(sources)} sets need as many shapes; here are {len(self.makes)}")
        if OBBs in self.makes:
            raise TypeError("OBBs: a sphere that touches one may be outside of its box by 2**-8 of the radius")
        if client is None:
            from distributed import default_client

            client = default_client()
        self.client = client
        self.out = Path(out).resolve()
        self.scratch = self.out / "scratch"
        self.scratch.mkdir(parents=True, exist_ok=True)
        sets = [_tiles.blocks_of(source, name, self.scratch, client) for source, name in zip(sources, "ab")]
        most = max(1, SAMPLE // sum(map(len, sets)))
        samples = [
            client.gather([self.submit(_tiles.sample_block, p, make, most) for p in paths])
            for paths, make in zip(sets, self.makes)
        ]
        self.total = [sum(n for n, _ in sample) for sample in samples]
        corners = np.concatenate([c for sample in samples for _, c in sample])
        self.tiles = plan(corners, tiles or 1 + sum(self.total) // ROWS_A_TILE)
        self.parts = [self.scatter(*each) for each in zip(sets, samples, self.makes, "ab")]

    def submit(self, *arguments: Any) -> Any:
        return self.client.submit(*arguments, pure=False, retries=2)

    def scatter(self, paths: list[str], sample: list[tuple[int, np.ndarray]], make: Any, name: str) -> list[Any]:
        firsts = np.cumsum([0] + [n for n, _ in sample])
        return [
            self.submit(_tiles.scatter_block, path, str(self.scratch / f"{name}{i:05}"), int(first), make, self.tiles)
            for i, (path, first) in enumerate(zip(paths, firsts))
        ]

    def finish(self, results: list[dict[str, Any]], found: dict[str, Any]) -> dict[str, Any]:
        """Removes the scratch files, and writes what is known of the run."""
        scattered = self.client.gather(sum(self.parts, []))
        for path in self.scratch.iterdir():
            path.unlink()
        self.scratch.rmdir()
        copies = np.sum([r["rows"] for r in results], axis=0)
        loads = [sum(r["rows"]) for r in results]
        result = {
            **found,
            "tiles": len(self.tiles),
            "replication": [float(c / max(n, 1)) for c, n in zip(copies, self.total)],
            "bytes": sum(part["bytes"] for part in scattered),
            "rows": [min(loads), max(loads)],
            "peak_mb": max(r["peak_mb"] for r in results),
        }
        temporary = self.out / "manifest.json.new"
        temporary.write_text(json.dumps(result, indent=1))
        os.replace(temporary, self.out / "manifest.json")
        return result


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
    run = _Run([a] if b is None else [a, b], out, shapes, client, tiles)
    other = run.parts[1] if b is not None else None
    tasks = [
        run.submit(_tiles.join_tile, i, box, run.makes, run.parts[0], other, str(run.out), touch)
        for i, box in enumerate(run.tiles)
    ]
    results = run.client.gather(tasks)
    digests = sum(r["digest"] for r in results) % 2**64
    found = {
        "pairs": sum(r["pairs"] for r in results),
        "files": [r["file"] for r in results],
        "digest": f"{digests:016x}",
    }
    return run.finish(results, found)


def counts(
    a: Any,
    b: Any,
    out: str | os.PathLike,
    *,
    shapes: Any,
    client: Any = None,
    tiles: int | None = None,
    touch: str = "closed",
) -> dict[str, Any]:
    """How many rows of b each row of a touches: a file a block of a, uint64 (n,), in the order of its rows.

    Arguments and result are those of join(), without a digest; invalid rows touch nothing.
    """
    run = _Run([a, b], out, shapes, client, tiles)
    scratch = str(run.scratch)
    tasks = [
        run.submit(_tiles.count_tile, i, box, run.makes, *run.parts, scratch, touch) for i, box in enumerate(run.tiles)
    ]
    blocks = range(len(run.parts[0]))
    files = run.client.gather([run.submit(_tiles.sum_block, i, run.parts[0], tasks, str(run.out)) for i in blocks])
    results = run.client.gather(tasks)
    return run.finish(results, {"pairs": sum(r["pairs"] for r in results), "files": files})


def nearest(
    points: Any,
    b: Any,
    out: str | os.PathLike,
    *,
    shapes: Any,
    k: int = 1,
    within: float = float("inf"),
    client: Any = None,
    tiles: int | None = None,
) -> dict[str, Any]:
    """The k rows of b nearest to each point, as Index.nearest: exact order, equally near rows by number.

    points, b: as for join(); points are rows x y z. shapes: the class of b, or a function; not OBBs.

    Files are structured arrays, a row a point: query (its number), index (k) and distance (k); where there is no
    neighbour, the index is the number of rows of b and the distance inf. Points come by tile; invalid ones are left
    out. Returns a dictionary as join() does, with asked: points sent to a second tile or further ones.
    """
    if k < 1:
        raise ValueError("k is at least 1")
    run = _Run([points, b], out, [Points, shapes], client, tiles)
    (a, b), scratch, numbers = run.parts, str(run.scratch), range(len(run.tiles))
    asked = [run.submit(_tiles.ask_tile, i, run.tiles, run.makes, a, b, scratch, k, within) for i in numbers]
    answers = [run.submit(_tiles.answer_tile, i, run.makes, b, asked, scratch, k, within) for i in numbers]
    last = str(run.out), k, within, run.total[1]
    files = run.client.gather([run.submit(_tiles.nearest_tile, i, run.makes, asked, answers, *last) for i in numbers])
    results = run.client.gather(asked)
    return run.finish(results, {"files": files, "asked": sum(int(r["asks"]["offsets"][-1]) for r in results)})
