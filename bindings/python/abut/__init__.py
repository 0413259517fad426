# SPDX-License-Identifier: MIT
"""Which spheres, boxes and other shapes touch? Exactly, and many pairs at once.

    import abut, numpy as np
    spheres = abut.Spheres(np.array([[1, 0, 1, 2], [9, 9, 9, 1]], np.float32))
    boxes = abut.AABBs(np.array([[2, 1, 2, 4, 3, 4], [0, 0, 0, 2, 2, 2]], np.float32))
    abut.touches(spheres, boxes)         # pair by pair: array([ True, False])
    abut.Index(boxes).query(spheres)     # all pairs: array([[0, 0], [0, 1]])

Every answer is that of real arithmetic on the float32 coordinates, and the same on every machine.
"""
from ._abut import isa, isas, use_isa, version as __version__
from ._index import Index
from ._predicates import Predicate, Relation, classify, contains, cull, distance, inside, predicates, touches
from ._shapes import (
    AABBs,
    Capsules,
    Frustum,
    Hulls,
    OBBs,
    Planes,
    Points,
    Segments,
    Shapes,
    Spheres,
    Triangles,
    check,
)
from ._world import Changes, World

__all__ = [
    "AABBs", "Capsules", "Changes", "Frustum", "Hulls", "Index", "OBBs", "Planes", "Points", "Predicate", "Relation",
    "Segments", "Shapes", "Spheres", "Triangles", "World", "check", "classify", "contains", "cull", "distance",
    "inside", "isa", "isas", "predicates", "touches", "use_isa",
]
