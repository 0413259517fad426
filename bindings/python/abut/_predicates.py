# SPDX-License-Identifier: MIT
"""Questions item by item, or of all pairs, and the table of predicates that the library exports."""
from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from . import _abut
from ._arrays import view
from ._shapes import CLASSES, Points, Shapes


class Relation(IntEnum):
    """What is asked of a pair."""

    TOUCHES = 0
    INSIDE = 1
    CULL = 2


class Predicate(NamedTuple):
    """One predicate of the library: which classes of shapes it takes, and whether an index can be searched by it."""

    name: str
    relation: Relation
    a: type[Shapes]
    b: type[Shapes]
    function: str
    query_a: bool  #: an index of b can be searched for a
    query_b: bool  #: an index of a can be searched for b
    self_pairs: bool


def predicates() -> list[Predicate]:
    """All predicates of the library, in the order of its manual."""
    return [Predicate(n, Relation(r), CLASSES[a], CLASSES[b], *rest) for n, r, a, b, *rest in _abut.predicates]


TOUCH = {"closed": 0, "open": 1}


def touch_rule(touch: str) -> int:
    """The number of a touch rule."""
    if touch not in TOUCH:
        raise ValueError(f'touch is "closed" (touching is a hit) or "open" (it is not), not {touch!r}')
    return TOUCH[touch]


def relation_of(predicate: str) -> int:
    """The number of a relation."""
    try:
        return Relation[predicate.upper()]
    except (KeyError, AttributeError):
        raise ValueError(f'predicate is "touches", "inside" or "cull", not {predicate!r}') from None


def _test(relation: int, a: Shapes, b: Shapes, all: bool, touch: str, packed: bool) -> Any:
    hits, rows, n = _abut.test(relation, a, b, touch_rule(touch), all, packed)
    if packed:
        words = view(hits, np.uint64)
        return words.reshape(rows, -1 if rows else 0) if all else words
    hits = view(hits, np.bool_)
    if not all:
        return bool(hits[0]) if a.single and b.single else hits
    hits = hits.reshape(rows, n)
    return hits.T if b._kind == _HULLS else hits


_HULLS = len(_abut.shapes) - 1
_TEXT = """

Item by item: n with n, or 1 with n. The result is an array of bool, one a pair; a bool for one row with one row.
all=True tests every a with every b: an array of bool of shape (len(a), len(b)).
touch="open" makes a distance equal to the radius a miss; by default it is a hit.
packed=True gives the bits, 64 pairs a uint64; pair i is bit i % 64 of word i // 64. With all=True there is one row of
words an item of a (of b, where b is hulls).
Invalid rows (nan, negative radius, empty box) are misses: see check(). Raises TypeError for shapes without this
predicate, and ValueError for lengths that do not pair up."""


def touches(a: Shapes, b: Shapes, *, all: bool = False, touch: str = "closed", packed: bool = False) -> Any:
    """Whether a and b have a point in common."""
    return _test(Relation.TOUCHES, a, b, all, touch, packed)


def inside(a: Shapes, b: Shapes, *, all: bool = False, touch: str = "closed", packed: bool = False) -> Any:
    """Whether all of a is in b."""
    return _test(Relation.INSIDE, a, b, all, touch, packed)


def contains(a: Shapes, b: Shapes, *, all: bool = False, touch: str = "closed", packed: bool = False) -> Any:
    """Whether all of b is in a: inside(b, a). With packed=True and all=True, rows are those of inside(b, a)."""
    hits = _test(Relation.INSIDE, b, a, all, touch, packed)
    return hits.T if all and not packed else hits


def cull(a: Shapes, b: Shapes, *, all: bool = False, touch: str = "closed", packed: bool = False) -> Any:
    """Whether a is beyond no plane of the hull b: the usual frustum test. It keeps some that touches() drops."""
    return _test(Relation.CULL, a, b, all, touch, packed)


for _function in (touches, inside, contains, cull):
    _function.__doc__ += _TEXT


def classify(a: Shapes, b: Shapes) -> Any:
    """Where a is, item by item: 0 no class (invalid), 1 outside of b, 2 crossing it, 3 inside. uint8.

    Outside is what does not touch b, exactly: also a box off an edge of a hull, which cull keeps.
    """
    classes = view(_abut.classify(a, b), np.uint8)
    return int(classes[0]) if a.single and b.single else classes


def distance(points: Any, shapes: Shapes) -> tuple[Any, Any]:
    """Squared distances from points to shapes, item by item, and the closest points: float32, (n,) and (n, 3).

    Points are Points or an array of shape (n, 3). A point inside is at distance 0. Both are nan for an invalid row.
    The lengths are equal, or one of them is 1. For the nearest of many shapes use Index.nearest.
    """
    if not isinstance(points, Shapes):
        points = Points(points)
    columns = view(_abut.distance(points, shapes), np.float32).reshape(4, -1)
    if points.single and shapes.single:
        return float(columns[0, 0]), columns[1:, 0]
    return columns[0], columns[1:].T
