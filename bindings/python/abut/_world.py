# SPDX-License-Identifier: MIT
"""A world that moves: items come, go and move, and each update reports the pairs that began and ended to touch."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _abut
from ._arrays import view
from ._index import _workers
from ._predicates import touch_rule
from ._shapes import Shapes


class Changes(NamedTuple):
    """Pairs of ids, uint32 of shape (n, 2), the lower one first, sorted."""

    began: np.ndarray  #: touch now, and did not at the update before
    ended: np.ndarray  #: touched at the update before, and do not now, or are gone
    kept: np.ndarray | None  #: touch now, and did before; None if they were not asked for


def _numbers(name: str, values: Any, dtype: type, n: int | None = None) -> np.ndarray:
    """A copy of ids or labels: integers from 0 on that fit. A single one stands for n."""
    array = np.asarray(values)
    if array.dtype.kind == "f" and not isinstance(values, np.ndarray):
        array = np.asarray(values, object)  # NumPy makes float64 of small and large integers side by side
    limits = np.iinfo(dtype)
    whole = array.dtype.kind in "iu" or all(isinstance(value, (int, np.integer)) for value in array.ravel().tolist())
    if not whole or array.ndim > 1 or (array.size and (array.min() < 0 or array.max() > limits.max)):
        raise ValueError(f"{name} are integers from 0 to {limits.max}, in one dimension")
    shape = (n,) if n is not None and array.ndim == 0 else np.shape(np.atleast_1d(array))
    return np.array(np.broadcast_to(array, shape), dtype)


class World(_abut.World):
    """Shapes that move, and the pairs of them that touch.

    world = World(padding=0.1)          padding: about as far as most items move in ten updates; it changes cost alone
    ids = world.add(spheres)            Points, Spheres, AABBs, OBBs, Segments, Capsules, Triangles, mixed as you like
    world.move(ids[:2], abut.Spheres(...))
    world.remove(ids[5])
    began, ended, kept = world.update(kept=True)

    An update reports exactly the pairs whose answer changed since the update before. Its cost depends on how many items
    moved, and hardly on how many there are. Answers are those of touches(); touch="open" makes touching a miss.

    Items keep their ids and shapes until they are removed. Two items are a pair if the groups of each have a bit in
    common with the mask of the other, and they touch; a group is 1 and a mask all bits by default. Shapes that can meet
    must have a predicate: two points have none (TypeError). An invalid row raises ValueError with row and field, and an
    id that is not in the world ValueError. A call that raises has changed nothing. len() is the number of items, and
    `id in world` tells whether there is such an item. Worlds can be pickled.
    """

    __slots__ = ()

    def __new__(cls, *, padding: float = 0.0, touch: str = "closed") -> World:
        return super().__new__(cls, padding, touch_rule(touch), None)

    def add(self, shapes: Shapes, *, groups: Any = None, masks: Any = None, data: Any = None) -> np.ndarray:
        """Adds items, and returns their ids: uint32 (n,). Labels are one number for all, or one each; data uint64."""
        labels = self._labels(len(shapes) if isinstance(shapes, Shapes) else 0, groups, masks, data)
        return view(super().add(shapes, *labels), np.uint32)

    def move(self, ids: Any, shapes: Shapes) -> None:
        """Gives items another place and size: item ids[i] becomes row i of shapes, of the shape that it had."""
        super().move(_numbers("ids", ids, np.uint32), shapes)

    def label(self, ids: Any, *, groups: Any = None, masks: Any = None, data: Any = None) -> None:
        """Gives items other groups, masks or data; what is None stays."""
        ids = _numbers("ids", ids, np.uint32)
        super().label(ids, *self._labels(len(ids), groups, masks, data))

    def remove(self, ids: Any) -> None:
        """Removes items. The next update reports the end of their pairs; after it their ids are free again."""
        super().remove(_numbers("ids", ids, np.uint32))

    def update(self, *, kept: bool = False, workers: int = 1) -> Changes:
        """The pairs that began and ended since the update before, and with kept=True also all others that touch."""
        began, ended, others = (view(p, np.uint32).reshape(-1, 2) for p in super().update(kept, _workers(workers)))
        return Changes(began, ended, others if kept else None)

    def touching(self, id: int) -> np.ndarray:
        """The ids of the items that touch this one, as of the last update, ascending: uint32."""
        return view(super().touching(int(_numbers("ids", id, np.uint32)[0])), np.uint32)

    def data(self, id: int) -> int:
        """The data that an item was labelled with."""
        there, data = super().info(int(_numbers("ids", id, np.uint32)[0]))
        if not there:
            raise ValueError("an id that is not in the world")
        return data

    def save(self) -> bytes:
        """The world as bytes. A restored one goes on as this one does: the same calls give the same ids and pairs."""
        return bytes(super().save())

    @classmethod
    def restore(cls, saved: bytes) -> World:
        """The world that save() wrote, with the same version of abut and byte order. ValueError for other bytes."""
        return super().__new__(cls, 0.0, 0, saved)

    @property
    def pair_count(self) -> int:
        """How many pairs touch, as of the last update."""
        return super().sizes()[1]

    @property
    def nbytes(self) -> int:
        """The memory of the world, in bytes."""
        return super().sizes()[2]

    @staticmethod
    def _labels(n: int, groups: Any, masks: Any, data: Any) -> tuple[Any, Any, Any]:
        given = ("groups", groups, np.uint32), ("masks", masks, np.uint32), ("data", data, np.uint64)
        return tuple(None if values is None else _numbers(name, values, dtype, n) for name, values, dtype in given)

    def __len__(self) -> int:
        return super().sizes()[0]

    def __contains__(self, id: Any) -> bool:
        return 0 <= int(id) < 2**32 and super().info(int(id))[0]

    def __reduce__(self) -> Any:
        return World.restore, (self.save(),)

    def __repr__(self) -> str:
        return f"<abut.World: {len(self)} items, {self.pair_count} pairs>"
