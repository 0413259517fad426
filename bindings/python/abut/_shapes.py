# SPDX-License-Identifier: MIT
"""Batches of shapes: light objects around the caller's arrays.

A batch looks at arrays where they lie if their columns are dense float32, as in Fortran order or as separate arrays. It
copies other layouts once; keep the batch, then, rather than making it anew. Do not change the arrays while a batch is
in use: what it looks at changes with them, what it copied does not.
"""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _abut
from ._arrays import as_floats, view
from ._tables import columns_by_name, names_of, rows_of, with_z, without_arrow

KINDS: dict[str, int] = {plural: kind for kind, (plural, _) in enumerate(_abut.shapes)}

#: Names of columns that tables may have instead.
OTHER_NAMES = {"r": "radius"} | {end + axis: axis + end for end in ("min", "max") for axis in "xyz"}

#: z of shapes that have none, and of boxes.
_NO_Z = np.zeros((), np.float32)
_ALL_Z = {"minz": np.array(-np.inf, np.float32), "maxz": np.array(np.inf, np.float32)}


def _without_z(fields: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in fields if name[-1] != "z")


def _is_plain(x: Any, width: int) -> bool:
    """Whether this is an array of numbers that has just so many columns."""
    return type(x) is np.ndarray and not x.dtype.names and (width == 1 or x.shape[-1:] == (width,))


class Shapes(_abut.Batch):
    """What all shapes have in common. len() is their number; `copied` says how many columns were copied."""

    __slots__ = ()
    plural: str = ""
    #: The arguments that make a batch, and how many fields each of them has.
    groups: tuple[tuple[str, int], ...] = ()
    #: Whether the fields may do without z: at z = 0, and boxes at all z.
    flat: bool = False
    #: How many fields the arguments have, by their number.
    _widths: dict[int, tuple[int, ...]] = {}

    def __new__(cls, *arrays: Any, origin: Sequence[float] | None = None, exact: bool = False, **named: Any) -> Any:
        if not cls.plural:
            raise TypeError("Shapes is not made itself: make Spheres, AABBs, ...")
        kind = KINDS[cls.plural]
        parts, widths = cls._parts(arrays, named)
        if origin is not None:
            origin = tuple(float(c) for c in with_z(rows_of(origin, "origin", ("x", "y", "z"), ("x", "y"))))
        return super().__new__(cls, kind, parts, widths, origin, exact, None, False)

    @classmethod
    def fields(cls) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return _abut.shapes[KINDS[cls.plural]][1]

    @classmethod
    def _arguments(cls, arrays: tuple[Any, ...], named: dict[str, Any]) -> list[tuple[Any, tuple[str, ...]]]:
        """What is given, and the fields that each has: all, a part of them, or one."""
        fields = cls.fields()
        flat = _without_z(fields) if cls.flat else fields
        ends = np.cumsum([width for _, width in cls.groups]).tolist()
        parts = {name: fields[end - width : end] for (name, width), end in zip(cls.groups, ends)}
        if named:
            names = [way for way in (tuple(parts), fields, flat) if set(way) == set(named)]
            if arrays or not names:
                ways = f"one array, or of {', '.join(parts)}, or of {', '.join(fields)}"
                raise TypeError(f"{cls.__name__} are made of {ways}; here are {', '.join(named)}")
            return [(named[name], parts.get(name, (name,))) for name in names[0]]
        if len(arrays) == 1 and type(arrays[0]) is tuple:
            columns = tuple(without_arrow(x, fields) for x in arrays[0])
            arrays = columns if len(columns) == len(fields) and any(map(np.ndim, columns)) else (columns,)
        if len(arrays) == 1:
            return [(arrays[0], fields)]
        for columns in fields, flat:
            # Three columns may be positions of spheres whose radius was forgotten.
            if len(arrays) == len(columns) and (columns is fields or len(columns) != 3):
                return [(array, (name,)) for array, name in zip(arrays, columns)]
        if len(arrays) == len(parts):
            return list(zip(arrays, parts.values()))
        groups = ", ".join(f"{name} ({width})" if width > 1 else name for name, width in cls.groups)
        raise TypeError(
            f"{cls.__name__} are made of one array of shape (n, {len(fields)}), of {groups}, or of {len(fields)} "
            f"columns: {', '.join(fields)}; here are {len(arrays)} arrays"
        )

    @classmethod
    def _parts(cls, arrays: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[np.ndarray, ...], tuple[int, ...]]:
        """The arrays that hold all fields, and how many fields each has."""
        widths = () if named else cls._widths.get(len(arrays), ())
        if widths and all(map(_is_plain, arrays, widths)):  # without names or a search for them, which take 5 us
            return tuple(map(as_floats, arrays)), widths
        fields = cls.fields()
        parts = [part for array, names in cls._arguments(arrays, named) for part in cls._part(array, names)]
        there = {name for _, names in parts for name in names}
        heights = [name for name in fields if name not in there]
        if heights and any(name in there for name in fields if name[-1] == "z"):
            raise ValueError(f"{cls.__name__}: some parts have x, y and z, and others x and y")
        if heights:
            parts += [(_ALL_Z.get(name, _NO_Z), (name,)) for name in heights]
            parts.sort(key=lambda part: fields.index(part[1][0]))
        return tuple(array for array, _ in parts), tuple(len(names) for _, names in parts)

    @classmethod
    def _part(cls, x: Any, fields: tuple[str, ...]) -> list[tuple[np.ndarray, tuple[str, ...]]]:
        """One argument as arrays and their fields: by names if it has any, else in their order. z may be left out."""
        flat = _without_z(fields) if cls.flat and len(fields) > 1 else fields
        if type(x) is not np.ndarray or x.dtype.names:
            ways = [fields, flat] if flat != fields else [fields]
            ways += [tuple(OTHER_NAMES.get(name, name) for name in way) for way in ways]
            x = without_arrow(x, ways[0] + ways[len(ways) // 2])
            found = columns_by_name(x, cls.__name__, ways, row=len(fields) > 1)
            if found is not None:
                way = fields if len(found[0]) == len(fields) else flat
                return [(column, (name,)) for column, name in zip(found[1], way)]
        x = as_floats(x)
        if flat == fields or x.ndim not in (1, 2) or x.shape[-1] != len(flat):
            return [(x, fields)]
        if len(flat) == 3:
            raise ValueError(
                f"{cls.plural}: x to {fields[-1]}: {len(fields)} numbers a row are needed, and these are 3; circles "
                f"are {cls.__name__}(a[:, :2], a[:, 2]), or columns of the names {', '.join(flat)}"
            )
        return [(x[..., i], (name,)) for i, name in enumerate(flat)]

    @property
    def bounds(self) -> np.ndarray:
        """The box of each shape, rounded outwards: (n, 6) float32, minx miny minz maxx maxy maxz. nan if invalid.

        Where a hull is unbounded its box is infinite. A hull without points may get any box.
        """
        return view(_abut.bounds(self), np.float32).reshape(6, -1).T

    def __repr__(self) -> str:
        return f"<abut.{type(self).__name__}: {len(self)}>"


def _shapes(name: str, plural: str, groups: str, text: str, flat: str = "") -> type[Shapes]:
    """A class of shapes, with the ways to make it in its documentation."""
    pairs = tuple((part.split(":")[0], int(part.split(":")[1])) for part in groups.split())
    fields = _abut.shapes[KINDS[plural]][1]
    ways = [f"{name}(array)        of shape (n, {len(fields)}), or ({len(fields)},) for one: {' '.join(fields)}"]
    if len(pairs) > 1:
        shape = {1: "(n,)", 9: "(n, 3, 3)"}
        parts, shapes = (n for n, _ in pairs), (shape.get(w, "(n, 3)") for _, w in pairs)
        ways.append(f"{name}({', '.join(parts)})  of shapes {', '.join(shapes)}")
    ways.append(f"{name}({', '.join(fields)})  of shape (n,) each; also by name, or as one tuple")
    ways.append(f"{name}(table)        a DataFrame, dict, Arrow table or structured array with columns of these names")
    if flat:
        ways.append(f"In two dimensions the same without z, at {flat}: {' '.join(_without_z(fields))}")
    lines = "\n    ".join(ways)
    doc = f"""{text}

    {lines}

Any of the arrays may have one row, or be a number, for all. float32 columns are used in place. float64 and integers are
rounded once, to the nearest float32, after `origin` has been subtracted from positions in float64; exact=True raises
instead of rounding. A finite number beyond float32 raises ValueError."""
    members = {"__slots__": (), "__doc__": doc, "__module__": "abut", "plural": plural, "groups": pairs}
    widths = (len(fields),), tuple(width for _, width in pairs), (1,) * len(fields)
    members |= {"flat": bool(flat), "_widths": {len(way): way for way in widths}}
    return type(name, (Shapes,), members)


Points = _shapes("Points", "points", "position:3", "Points.", "z = 0")
Spheres = _shapes("Spheres", "spheres", "center:3 radius:1", "Closed balls.", "z = 0")
AABBs = _shapes("AABBs", "aabbs", "min:3 max:3", "Closed axis-aligned boxes.", "all z")
Planes = _shapes("Planes", "planes", "normal:3 d:1", "Half spaces n.p + d <= 0, with outward normals of any length.")
OBBs = _shapes(
    "OBBs",
    "obbs",
    "center:3 half:3 axes:9",
    "Oriented boxes: centres, half extents and axes. The rows of (3, 3) are the axes of the box, of unit length. A\n"
    "rotation matrix from box to world has them as columns: pass its transpose.",
)
Segments = _shapes("Segments", "segments", "a:3 b:3", "Segments from a to b.", "z = 0")
Capsules = _shapes(
    "Capsules", "capsules", "a:3 b:3 radius:1", "All points within radius of a segment.", "z = 0"
)
Triangles = _shapes(
    "Triangles", "triangles", "a:3 b:3 c:3", "Triangles; Triangles(vertices[faces]) takes (n, 3, 3), as of trimesh."
)


class Hulls(Shapes):
    """Convex volumes of 1 to 32 planes each, with outward normals: the points with n.p + d <= 0 for all.

    Hulls(planes)            (k, 4) one hull, or (n, k, 4) for n hulls of k planes each: nx ny nz d
    Hulls([planes, ...])     one array of shape (k, 4) a hull
    Hulls(planes, offsets)   hull i has the planes offsets[i] to offsets[i + 1] - 1
    """

    __slots__ = ()
    plural = "hulls"

    def __new__(cls, planes: Any, offsets: Any = None, *, exact: bool = False) -> Any:
        single = False
        lists = isinstance(planes, list) or type(planes) is tuple
        if offsets is None and lists and all(names_of(hull) or np.ndim(hull) == 2 for hull in planes):
            hulls = [rows_of(hull, "Hulls", cls.fields()) for hull in planes]
            offsets = np.cumsum([0] + [len(hull) for hull in hulls])
            planes = np.concatenate(hulls) if hulls else np.empty((0, 4), np.float32)
        elif offsets is None:
            planes = rows_of(planes, "Hulls", cls.fields())
            if planes.ndim not in (2, 3):
                raise ValueError("one hull is an array of shape (k, 4), n hulls of k planes each (n, k, 4)")
            single = planes.ndim == 2
            n, k = (1, len(planes)) if single else planes.shape[:2]
            offsets = np.arange(n + 1) * k
            planes = planes.reshape(n * k, planes.shape[-1])
        else:
            planes = rows_of(planes, "Hulls", cls.fields())
        offsets = np.asarray(offsets)
        if offsets.dtype.kind not in "iu" or (offsets.size and (offsets.min() < 0 or offsets.max() >= 2**32)):
            raise ValueError("offsets are integers from 0 on, one more than there are hulls")
        offsets = np.ascontiguousarray(offsets, np.uint32)
        lengths = np.diff(offsets.astype(np.int64))
        if lengths.size and not ((lengths >= 1) & (lengths <= 32)).all():
            wrong = int(np.flatnonzero((lengths < 1) | (lengths > 32))[0])
            raise ValueError(f"hulls: hull {wrong} has {lengths[wrong]} planes; a hull has 1 to 32")
        return _abut.Batch.__new__(cls, KINDS["hulls"], (planes,), (4,), None, exact, offsets, single)


class Frustum(Hulls):
    """What a camera sees, as one hull. Give it to cull(), touches(), inside() and Index.query()."""

    __slots__ = ()

    @classmethod
    def from_matrix(cls, view_projection: Any, depth: str = "0..1", vectors: str = "column") -> Frustum:
        """The frustum of a matrix of shape (4, 4).

        depth: "0..1" (Direct3D, Vulkan, glTF viewers; reversed or not), or "-1..1" (OpenGL).
        vectors: "column" for clip = M @ p, "row" for clip = p @ M.
        """
        depths, kinds = {"0..1": 0, "-1..1": 1}, {"column": 0, "row": 1}
        if depth not in depths or vectors not in kinds:
            raise ValueError('depth is "0..1" or "-1..1", and vectors is "column" or "row"')
        matrix = np.ascontiguousarray(as_floats(view_projection), np.float32)
        if matrix.shape != (4, 4):
            raise ValueError(f"a matrix of shape (4, 4) is needed, not {matrix.shape}")
        return cls._of(_abut.frustum_of_matrix(matrix.tobytes(), kinds[vectors], depths[depth]), "matrix")

    @classmethod
    def from_camera(
        cls,
        eye: Sequence[float],
        direction: Sequence[float],
        up: Sequence[float] = (0, 0, 1),
        *,
        fov: float = 60.0,
        aspect: float = 16 / 9,
        near: float = 0.1,
        far: float = float("inf"),
    ) -> Frustum:
        """The frustum of a camera. fov is the vertical field of view in degrees; aspect is width over height."""
        places = [
            tuple(float(c) for c in rows_of(place, name, ("x", "y", "z")))
            for name, place in (("eye", eye), ("direction", direction), ("up", up))
        ]
        if any(len(place) != 3 for place in places):
            raise ValueError("eye, direction and up are three numbers each")
        tangent = float(np.tan(np.radians(fov) / 2))
        return cls._of(_abut.frustum_of_camera(*places, tangent, float(aspect), float(near), float(far)), "camera")

    @classmethod
    def _of(cls, planes: Any, what: str) -> Frustum:
        if planes is None:
            raise ValueError(f"this {what} sees no volume")
        return cls(view(planes, np.float32).reshape(-1, 4))


def check(shapes: Shapes) -> None:
    """Raises ValueError for the first invalid row, with row and field. Predicates treat invalid rows as misses."""
    _abut.check(shapes)


CLASSES: dict[int, type[Shapes]] = {
    KINDS[c.plural]: c for c in (Points, Spheres, AABBs, Planes, OBBs, Segments, Capsules, Triangles, Hulls)
}
