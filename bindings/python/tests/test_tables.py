# SPDX-License-Identifier: MIT
"""Tables and labelled rows are read by their names, in any order, or refused; never by position."""
from collections import namedtuple

import numpy as np
import pytest
import scenes

import abut

try:
    import pandas
except ImportError:
    pandas = None


class Column:
    """What a column of a DataFrame looks like, numbered or with a label a row. None is a missing number."""

    def __init__(self, values, labels=None, dtype=None):
        self.values = np.array([np.nan if v is None else v for v in values], float)
        self.index = np.arange(len(values)) if labels is None else np.array(labels, object)
        self.iloc = self.missing = np.array([v is None for v in values])
        self.dtype = dtype or self.values.dtype

    def isna(self):
        return self.missing

    def to_numpy(self, dtype=None):
        return np.array(self.values, dtype)

    def __array__(self, dtype=None):
        return np.array(self.values, dtype or (object if self.missing.any() else float))

    def __getitem__(self, label):
        return self.values[list(self.index).index(label)]


class Nullable:
    """The dtype of a column with missing numbers."""

    kind, numpy_dtype = "f", np.dtype(np.float32)


class Frame:
    """What a DataFrame looks like: it has names, and makes an array of its columns in their order."""

    def __init__(self, columns, index=None):
        self.columns, self.data, self.iloc = list(columns), columns, None

    def __getitem__(self, name):
        return Column(self.data[name])

    def __array__(self, dtype=None):
        return np.array(list(self.data.values()), dtype or float).T


def structured(columns):
    record = np.zeros(len(next(iter(columns.values()))), [(name, np.float64) for name in columns])
    for name, column in columns.items():
        record[name] = column
    return record


KINDS = {"frame": Frame, "dict": dict, "structured": structured, "record": lambda c: namedtuple("T", c)(**c)}
if pandas:
    KINDS["pandas"] = pandas.DataFrame
TABLES = pytest.mark.parametrize("table", KINDS.values(), ids=KINDS)
EVERY = [abut.Points, abut.Spheres, abut.AABBs, abut.Planes, abut.OBBs, abut.Segments, abut.Capsules, abut.Triangles]


def columns_of(cls, rows):
    """Columns by name, in an order that is not theirs, with another one among them."""
    columns = dict(zip(cls.fields(), rows.T))
    order = list(columns)[::-1]
    return {"weight": rows[:, 0] * 7, **{name: columns[name] for name in order}}


def same(made, expected):
    assert len(made) == len(expected) and made.single == expected.single
    if made._kind == abut.Planes(np.zeros((1, 4)))._kind:
        points = abut.Points(scenes.rows("points", np.random.default_rng(1), 50))
        assert np.array_equal(abut.inside(points, made, all=True), abut.inside(points, expected, all=True))
    else:
        assert np.array_equal(made.bounds, expected.bounds, equal_nan=True)


@TABLES
@pytest.mark.parametrize("cls", EVERY)
def test_columns_come_by_name_in_any_order(cls, table, rng):
    rows = scenes.rows(cls.plural, rng, 20)
    same(cls(table(columns_of(cls, rows))), cls(rows))


@TABLES
def test_parts_come_by_name(table, rng):
    rows = scenes.rows("capsules", rng, 20)
    a, b = (table(dict(zip(names, rows[:, at].T))) for names, at in ((("az", "ax", "ay"), [2, 0, 1]),
                                                                     (("by", "bz", "bx"), [4, 5, 3])))
    same(abut.Capsules(a, b, rows[:, 6]), abut.Capsules(rows))
    same(abut.Capsules(a=a, b=rows[:, 3:6], radius=table({"r": rows[:, 6]})), abut.Capsules(rows))
    with pytest.raises(TypeError, match=r"the names ax, ay, az \(without z: ax, ay\); these are by"):
        abut.Capsules(b, b, 1.0)


@TABLES
def test_other_names(table, rng):
    spheres, boxes = scenes.rows("spheres", rng, 5), scenes.rows("aabbs", rng, 5)
    columns = dict(zip(("radius", "z", "y", "x"), spheres.T[::-1]))
    same(abut.Spheres(table(columns)), abut.Spheres(spheres))
    names = ("xmin", "ymin", "zmin", "xmax", "ymax", "zmax")
    same(abut.AABBs(table(dict(zip(names, boxes.T)))), abut.AABBs(boxes))


@TABLES
def test_unknown_names_are_refused(table, rng):
    rows = scenes.rows("spheres", rng, 4)
    wrong = table(dict(zip("XYZR", rows.T)))
    with pytest.raises(TypeError, match=r"Spheres need columns of the names x, y, z, r \(.*\); these are X, Y, Z, R"):
        abut.Spheres(wrong)
    index = abut.Index(abut.Spheres(rows))
    refused = [
        lambda: abut.Points(wrong),
        lambda: abut.Spheres(wrong, 1.0),
        lambda: abut.Spheres([wrong]),
        lambda: abut.Hulls(wrong),
        lambda: abut.Hulls([wrong]),
        lambda: abut.Hulls(wrong, [0, 4]),
        lambda: index.nearest(wrong),
        lambda: abut.distance(wrong, abut.Spheres(rows)),
        lambda: index.cast(wrong, rows[:, :3]),
        lambda: index.cast(rows[:, :3], wrong),
        lambda: index.query(abut.Spheres(rows), own=wrong),
        lambda: abut.Spheres(rows, origin=wrong),
        lambda: abut.Frustum.from_camera(wrong, (1, 0, 0)),
        lambda: abut.Spheres(table({})) if table is dict else abut.Spheres(wrong),
    ]
    for call in refused:
        with pytest.raises(TypeError, match="names"):
            call()


@TABLES
def test_whatever_takes_arrays_takes_names(table, rng):
    rows = scenes.rows("spheres", rng, 30)
    index, points = abut.Index(abut.Spheres(rows)), table(dict(zip("zxy", rows[:, [2, 0, 1]].T)))
    motions = rows[:, [1, 2, 0]] + 1
    moved = table(dict(zip(("dz", "dy", "dx"), motions.T[::-1])))
    assert np.array_equal(index.nearest(points, 3)[1], index.nearest(rows[:, :3], 3)[1])
    assert np.array_equal(index.cast(points, moved)[0], index.cast(rows[:, :3], motions)[0])
    planes = scenes.planes(rng, 2, 4)
    named = table(dict(zip(("d", "nx", "nz", "ny"), planes[:, [3, 0, 2, 1]].T)))
    for made, expected in ((abut.Hulls(named), abut.Hulls(planes)), (abut.Hulls([named]), abut.Hulls([planes])),
                           (abut.Hulls(named, [0, 6, 12]), abut.Hulls(planes, [0, 6, 12]))):
        assert np.array_equal(made.bounds, expected.bounds, equal_nan=True)


def labelled(values, labels):
    return [Column(values, labels), dict(zip(labels, values)), namedtuple("Row", labels)(*values),
            structured(dict(zip(labels, np.array(values)[:, None])))[0]] + \
        ([pandas.Series(values, labels)] if pandas else [])


def test_rows_come_by_name():
    expected = abut.Spheres([1, 2, 3, 4])
    for row in labelled([4.0, 3, 2, 1], ["r", "z", "y", "x"]):
        same(abut.Spheres(row), expected)
    for row in labelled([3.0, 2, 1], ["z", "y", "x"]):
        same(abut.Spheres(row, 4), expected)
        same(abut.Spheres([[2, 4, 6, 4]], origin=row), abut.Spheres([[1, 2, 3, 4]]))
    for row in labelled([4.0, 3, 2, 1], ["R", "z", "y", "x"]):
        with pytest.raises(TypeError, match="these are R, z, y, x"):
            abut.Spheres(row)
        with pytest.raises(TypeError, match="a list of rows with names"):
            abut.Spheres([row, row])


def test_labels_of_rows_are_no_names_of_a_column(rng):
    rows = scenes.rows("spheres", rng, 3)
    same(abut.Spheres(*[Column(column, ["a", "b", "c"]) for column in rows.T]), abut.Spheres(rows))
    same(abut.Spheres(tuple(Column(column) for column in rows.T)), abut.Spheres(rows))


def test_a_name_that_is_there_twice_is_refused():
    class Twice(Frame):
        def __init__(self, columns):
            super().__init__(columns)
            self.columns = ["x", "y", "z", "x", "weight", "weight"]

    with pytest.raises(TypeError, match="Points: 2 columns are named x"):
        abut.Points(Twice({"x": [1], "y": [2], "z": [3]}))


def test_nullable_columns():
    columns = {name: Column([1, 2, 3], dtype=Nullable) for name in "xyz"}
    same(abut.Points(columns), abut.Points(np.repeat([[1], [2], [3]], 3, 1)))
    columns["y"] = Column([1, 2, None], dtype=Nullable)
    with pytest.raises(ValueError, match="column y: row 2 is missing"):
        abut.Points(columns)
    with pytest.raises(ValueError, match="row 2 is missing"):
        abut.Points(*columns.values())
    with pytest.raises(TypeError, match="column z: numbers are needed"):
        abut.Points({"x": [1.0], "y": [2.0], "z": ["three"]})
