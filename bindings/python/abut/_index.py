# SPDX-License-Identifier: MIT
"""The broad phase: all pairs of two large sets, nearest neighbours, and casts."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _abut
from ._arrays import view
from ._predicates import Relation, relation_of, touch_rule
from ._shapes import AABBs, Capsules, Hulls, Points, Shapes
from ._tables import rows_of, with_z

_UNSORTED, _SORTED, _ROWS = range(3)


def _own(own: Any) -> bytes:
    """The bytes of a box that owns pairs: none for all of space."""
    if own is None:
        return b""
    bounds = rows_of(own, "own", AABBs.fields()).astype(np.float32)
    if bounds.shape != (6,) or np.isnan(bounds).any():
        raise ValueError("own is six numbers, minx miny minz maxx maxy maxz")
    return bounds.tobytes()


def _workers(workers: int) -> int:
    if workers != -1 and workers < 1:
        raise ValueError("workers is at least 1, or -1 for as many as there are processors")
    return min(workers, 256)


def _rays(origins: Any, motions: Any, radii: Any, end: float) -> tuple[Capsules, float, bool]:
    """Rays as capsules of start, motion and radius; their end as float32; and whether there is one, without rows."""
    origins = rows_of(origins, "origins", ("x", "y", "z"), ("x", "y"))
    motions = rows_of(motions, "motions", ("dx", "dy", "dz"), ("dx", "dy"))
    if not all(x.ndim in (1, 2) and x.shape[-1] in (2, 3) and x.shape[-1] == origins.shape[-1] for x in (origins, motions)):
        raise ValueError(
            f"origins and motions both have the shape (n, 3), or both (n, 2), not {origins.shape} and {motions.shape}"
        )
    origins, motions = (with_z(x).astype(np.float32, copy=False) for x in (origins, motions))
    if not float(end) >= 0:
        raise ValueError(f"end is a time of 0 or more, not {end}")
    single = origins.ndim == motions.ndim == 1 and np.ndim(radii) == 0
    origins, motions = np.broadcast_arrays(np.atleast_2d(origins), np.atleast_2d(motions))
    radii = np.asarray(radii, np.float32)
    n = max(len(origins), radii.size) if len(origins) == 1 else len(origins)
    rows = np.empty((n, 7), np.float32)
    rows[:, :3], rows[:, 3:6], rows[:, 6] = origins, motions, radii
    return Capsules(rows), float(np.float32(end)), single


class Index(_abut.Index):
    """An index of shapes, built once and searched by many queries, from any thread.

    Index(shapes, workers=1, skip_invalid=False) copies what it needs of the shapes: Points, Spheres, AABBs, OBBs,
    Segments, Capsules or Triangles. An invalid row raises ValueError with row and field, unless skip_invalid: it
    then touches nothing. workers is a number of threads, -1 for all processors, here and in all methods.

    Answers are those of touches(): predicate="inside" and "cull" are for queries that are Hulls, and say what the
    items are to the hull. touch="open" makes touching a miss. Ctrl-C ends a search.

    own=(minx, miny, minz, maxx, maxy, maxz), a half-open box, reports only the pairs that this box owns: those whose
    reference point it holds, on each axis the greater of both lower bounds (Shapes.bounds). See abut.dask.
    """

    __slots__ = ()

    def __new__(cls, shapes: Shapes, *, workers: int = 1, skip_invalid: bool = False) -> Index:
        return super().__new__(cls, shapes, _workers(workers), skip_invalid)

    def query(
        self, queries: Shapes, *, predicate: str = "touches", touch: str = "closed", workers: int = 1, own: Any = None
    ) -> np.ndarray:
        """All pairs: intp of shape (2, n), queries over items, sorted by query and then by item."""
        return self._pairs(queries, relation_of(predicate), touch, workers, own)

    def self_pairs(self, *, touch: str = "closed", workers: int = 1, own: Any = None) -> np.ndarray:
        """The pairs among the items, each once with the lower number first: intp of shape (2, n), sorted."""
        return self._pairs(None, Relation.TOUCHES, touch, workers, own)

    def _pairs(self, queries: Shapes | None, relation: int, touch: str, workers: int, own: Any) -> np.ndarray:
        pairs = super().join(queries, relation, touch_rule(touch), _workers(workers), _SORTED, _own(own))
        return view(pairs, np.intp).reshape(2, -1)

    def join(
        self, queries: Shapes, *, predicate: str = "touches", touch: str = "closed", workers: int = 1, own: Any = None
    ) -> np.ndarray:
        """All pairs in no particular order, in the smallest form: uint32 of shape (n, 2), a query and an item a row."""
        rules = relation_of(predicate), touch_rule(touch)
        pairs = super().join(queries, *rules, _workers(workers), _UNSORTED, _own(own))
        return view(pairs, np.uint32).reshape(-1, 2)

    def rows(
        self, queries: Shapes, *, predicate: str = "touches", touch: str = "closed", workers: int = 1, own: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The pairs as compressed rows, as scipy.sparse.csr_array takes them: offsets (indptr), ascending indices."""
        rows = super().join(queries, relation_of(predicate), touch_rule(touch), _workers(workers), _ROWS, _own(own))
        return view(rows[0], np.intp), view(rows[1], np.intp)

    def counts(
        self, queries: Shapes, *, predicate: str = "touches", touch: str = "closed", workers: int = 1, own: Any = None
    ) -> np.ndarray:
        """How many items each query touches: uint32 of shape (n,)."""
        counts = super().counts(queries, relation_of(predicate), touch_rule(touch), _workers(workers), False, _own(own))
        return view(counts, np.uint32)

    def any(
        self, queries: Shapes, *, predicate: str = "touches", touch: str = "closed", workers: int = 1, own: Any = None
    ) -> np.ndarray:
        """Whether each query touches any item: bool of shape (n,). Ends for each query soon after its first hit."""
        bits = super().counts(queries, relation_of(predicate), touch_rule(touch), _workers(workers), True, _own(own))
        return np.unpackbits(view(bits, np.uint8), bitorder="little", count=len(queries)).view(np.bool_)

    def nearest(
        self,
        points: Any,
        k: int = 1,
        *,
        within: float = float("inf"),
        touch: str = "closed",
        exclude_self: bool = False,
        workers: int = 1,
    ) -> tuple[Any, Any]:
        """The k nearest items of each point, as scipy.spatial.cKDTree.query: distances (float64) and indices (intp).

        points are Points or an array of shape (n, 3), or (3,) for one. The shapes of both results are (n, k), without
        the last dimension if k is 1, and without the first for one point. Where there are fewer items, or none within
        that distance, the distance is inf and the index is len(index), which is no item. Order is exact, and equally
        near items come by number; the distances that are returned are rounded.

        within is rounded to float32; an item just at that distance counts, unless touch="open". exclude_self=True: the
        points are those of the index, and item i is no neighbour of point i.
        """
        if not isinstance(points, Shapes):
            points = Points(points)
        if exclude_self and len(points) != len(self):
            raise ValueError(f"exclude_self needs a point for each item: {len(self)}, not {len(points)}")
        limit = -1.0 if within == np.inf else float(within)
        if np.isnan(limit) or (limit < 0 and within != np.inf) or limit > np.finfo(np.float32).max:
            raise ValueError("within is a distance, not negative, that float32 can hold")
        rule = touch_rule(touch) * (limit >= 0)  # nothing is just at a distance of infinity
        indices, d2 = super().nearest(points, k, limit, rule, exclude_self, _workers(workers))
        indices = view(indices, np.uint32).astype(np.intp)
        distances = np.sqrt(view(d2, np.float32), dtype=np.float64)
        indices[indices == 2**32 - 1] = len(self)
        shape = (() if points.single else (len(points),)) + (() if k == 1 else (k,))
        if shape == ():
            return float(distances[0]), int(indices[0])
        return distances.reshape(shape), indices.reshape(shape)

    def cast(
        self,
        origins: Any,
        motions: Any,
        radii: Any = 0.0,
        *,
        end: float = 1.0,
        hulls: Hulls | None = None,
        workers: int = 1,
    ) -> tuple[Any, Any]:
        """The item that each ray or moving sphere hits first, and when: times (float64) and indices (intp).

        A ray is at origin + t motion, for t from 0 to end; end=inf is a ray without end. origins and motions have the
        shape (n, 3), or (3,) for one; if both have (n, 2) or (2,), z is 0. radii has n elements, or is one for all: 0
        for rays. Where a ray hits nothing, or has NaN, the time is inf and the index len(index). Numbers are rounded
        to float32 first. Which item is first is exact, and of equal times the lower index comes first; times are rounded to
        float32.

        With hulls these are hit, and not their boxes, which the index has: one a hull, in the same order, as in
        abut.Index(abut.AABBs(hulls.bounds), skip_invalid=True). Nothing hits a hull without points.
        """
        rays, end, single = _rays(origins, motions, radii, end)
        items, t = super().cast(rays, end, _workers(workers), hulls)
        items = view(items, np.uint32).astype(np.intp)
        t = view(t, np.float32).astype(np.float64)
        items[items == 2**32 - 1] = len(self)
        return (float(t[0]), int(items[0])) if single else (t, items)

    def cast_any(
        self,
        origins: Any,
        motions: Any,
        radii: Any = 0.0,
        *,
        end: float = 1.0,
        hulls: Hulls | None = None,
        workers: int = 1,
    ) -> np.ndarray | bool:
        """Whether each ray or moving sphere hits any item: bool of shape (n,), or one bool. Arguments are as of cast().

        Ends for each ray at its first hit, whichever that is: for shadows, lines of sight and paths that must be free.
        """
        rays, end, single = _rays(origins, motions, radii, end)
        bits = super().cast_any(rays, end, _workers(workers), hulls)
        hits = np.unpackbits(view(bits, np.uint8), bitorder="little", count=len(rays)).view(np.bool_)
        return bool(hits[0]) if single else hits

    def cast_all(
        self,
        origins: Any,
        motions: Any,
        radii: Any = 0.0,
        *,
        end: float = 1.0,
        hulls: Hulls | None = None,
        workers: int = 1,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All hits of rays or moving spheres: rays (intp), indices (intp) and times (float64), an element a hit.

        Sorted by ray, and those of one ray by their exact times, equal ones by index. Arguments are as of cast().
        """
        rays, end, _ = _rays(origins, motions, radii, end)
        offsets, (items, t) = super().cast_all(rays, end, _workers(workers), hulls)
        counts = np.diff(view(offsets, np.int64))
        return (
            np.repeat(np.arange(len(rays), dtype=np.intp), counts),
            view(items, np.uint32).astype(np.intp),
            view(t, np.float32).astype(np.float64),
        )

    def refit(
        self, shapes: Shapes, *, moved: Any = None, workers: int = 1, skip_invalid: bool = False
    ) -> float | None:
        """Moves the items: as many of the same shapes, in the same order. Much cheaper than building.

        Returns how much the leaves have grown since the index was built; from 1.5 on build anew. With moved, integers
        in any order, only the items of these indices may have changed. Few of them take little time, and None is
        returned, as the growth would take longer. Give shapes with a contiguous column each, which are not copied.
        """
        if moved is not None:
            moved = np.asarray(moved)
            if moved.ndim != 1 or (moved.size and moved.dtype.kind not in "iu"):
                raise ValueError("moved is an array of integers: indices of items")
            if moved.size and not (moved.min() >= 0 and moved.max() < len(self)):
                raise ValueError(f"moved has an index that is no item's: there are 0 to {len(self) - 1}")
            moved = np.ascontiguousarray(moved, np.uint32)
        return super().refit(shapes, _workers(workers), skip_invalid, moved)

    def __repr__(self) -> str:
        return f"<abut.Index of {_abut.shapes[self._kind][0]}: {len(self)}>"
