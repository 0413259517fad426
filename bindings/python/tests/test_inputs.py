# SPDX-License-Identifier: MIT
"""Every layout gives the same shapes, columns stay in place, and nothing that is passed crashes."""
import array
import gc

import numpy as np
import pytest
import scenes

import abut

FIELDS = {cls: len(cls.fields()) for cls in
          (abut.Points, abut.Spheres, abut.AABBs, abut.Planes, abut.OBBs, abut.Segments, abut.Capsules, abut.Triangles)}


@pytest.fixture
def pair(rng):
    """Spheres and boxes as rows, and which pairs touch."""
    spheres, boxes = scenes.rows("spheres", rng, 500, 3), scenes.rows("aabbs", rng, 500, 3)
    hits = abut.touches(abut.Spheres(spheres), abut.AABBs(boxes))
    assert 0 < hits.sum() < 500
    return spheres, boxes, hits


def structured(rows, names):
    record = np.zeros(len(rows), [(name, np.float32) for name in names] + [("id", np.int32)])
    for name, column in zip(names, rows.T):
        record[name] = column
    return record


class Subclass(np.ndarray):
    def __array_finalize__(self, other):
        self.extra = 1


class Dlpack:
    """What arrays of other libraries look like."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def read_only(rows):
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


LAYOUTS = {
    "C order": lambda s: s,
    "Fortran order": np.asfortranarray,
    "strided": lambda s: np.repeat(np.repeat(s, 3, 0), 2, 1)[::3, ::2],
    "reversed": lambda s: s[::-1].copy()[::-1],
    "read-only": read_only,
    "float64": lambda s: s.astype(np.float64),
    "float16": lambda s: s.astype(np.float16),
    "int32": lambda s: s.astype(np.int32),
    "int64": lambda s: s.astype(np.int64),
    "int8": lambda s: s.astype(np.int8),
    "big-endian": lambda s: s.astype(">f4"),
    "big-endian float64": lambda s: s.astype(">f8"),
    "unaligned": lambda s: np.frombuffer(b"x" + s.tobytes(), np.float32, offset=1).reshape(s.shape),
    "list": lambda s: s.tolist(),
    "memoryview": memoryview,
    "subclass": lambda s: s.view(Subclass),
    "matrix": lambda s: np.asmatrix(s),
    "DLPack": Dlpack,
    "tuple of columns": lambda s: tuple(np.ascontiguousarray(s.T)),
    "tuple of strided columns": lambda s: tuple(s.T),
    "structured": lambda s: structured(s, "xyzr"),
    "masked, nothing masked": lambda s: np.ma.masked_array(s, np.zeros(s.shape, bool)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout, pair):
    spheres, boxes, hits = pair
    assert np.array_equal(abut.touches(abut.Spheres(LAYOUTS[layout](spheres)), abut.AABBs(boxes)), hits)


def test_parts_and_columns(pair):
    spheres, boxes, hits = pair
    ways = [
        abut.Spheres(spheres[:, :3], spheres[:, 3]),
        abut.Spheres(center=spheres[:, :3], radius=spheres[:, 3:]),
        abut.Spheres(*spheres.T),
        abut.Spheres(x=spheres[:, 0], y=spheres[:, 1], z=spheres[:, 2], r=array.array("f", spheres[:, 3])),
    ]
    for way in ways:
        assert np.array_equal(abut.touches(way, abut.AABBs(boxes[:, :3], boxes[:, 3:])), hits)
    same = abut.touches(abut.Spheres(spheres[:, :3], 1.0), abut.AABBs(boxes))
    assert np.array_equal(same, abut.touches(abut.Spheres(spheres[:, :3], np.ones(500)), abut.AABBs(boxes)))


def test_triangles_of_a_mesh(rng):
    vertices, faces = rng.random((20, 3)), rng.integers(0, 20, (30, 3))
    corners = vertices[faces].astype(np.float32)
    flat = abut.Triangles(corners.reshape(30, 9))
    spheres = abut.Spheres(rng.random((30, 3)), 0.2)
    assert np.array_equal(abut.touches(spheres, abut.Triangles(corners)), abut.touches(spheres, flat))


@pytest.mark.parametrize("cls", FIELDS)
def test_columns_stay_in_place(cls, rng):
    rows = scenes.rows(cls.plural, rng, 100).astype(np.float32)
    assert cls(np.asfortranarray(rows)).copied == 0
    assert cls(*np.ascontiguousarray(rows.T)).copied == 0
    assert cls(np.ascontiguousarray(rows)).copied == FIELDS[cls]
    columns = np.ascontiguousarray(rows.T)
    looking = cls(*columns)
    columns[0, 0] = np.nan
    assert np.isnan(looking.bounds[0, 0]) if cls is not abut.Planes else True


def test_batch_keeps_its_arrays(pair):
    spheres, boxes, hits = pair
    batch, other = abut.Spheres(np.asfortranarray(spheres)), abut.AABBs(np.asfortranarray(boxes))
    gc.collect()
    np.full(10**6, 7.0)
    assert np.array_equal(abut.touches(batch, other), hits)


@pytest.mark.parametrize("cls", FIELDS)
@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_items(cls, n, rng):
    batch = cls(scenes.rows(cls.plural, rng, n))
    assert len(batch) == n and repr(batch) == f"<abut.{cls.__name__}: {n}>"
    spheres = abut.Spheres(np.zeros((n, 4)))
    if any(p.a is abut.Spheres and p.b is cls and p.relation == 0 for p in abut.predicates()):
        assert abut.touches(spheres, batch).shape == (n,)
        assert abut.touches(spheres, batch, all=True).shape == (n, n)
        assert abut.touches(abut.Spheres(np.zeros((3, 4))), batch, all=True).shape == (3, n)
    if cls is not abut.Planes:
        assert batch.bounds.shape == (n, 6)
        index = abut.Index(batch)
        assert len(index) == n
        assert index.query(spheres).shape[0] == 2
        assert index.nearest(np.zeros((n, 3)), k=2)[0].shape == (n, 2)


def test_one_row_is_one_answer():
    sphere, box = abut.Spheres([0, 0, 0, 1]), abut.AABBs([1, 0, 0, 2, 1, 1])
    assert abut.touches(sphere, box) is True
    assert abut.touches(sphere, box, touch="open") is False
    assert abut.touches(sphere, abut.AABBs([[1, 0, 0, 2, 1, 1]])).shape == (1,)
    assert abut.classify(sphere, box) == 2
    assert abut.distance([3, 0, 0], box)[0] == 1.0


def test_origin_and_exact():
    far = np.array([[1e9 + 0.25, 0, 0, 0.5]])
    assert abut.Spheres(far, origin=(1e9, 0, 0), exact=True).bounds.tolist() == [[-0.25, -0.5, -0.5, 0.75, 0.5, 0.5]]
    with pytest.raises(ValueError, match="row 1: y is no float32"):
        abut.Spheres(np.array([[0, 0, 0, 1], [0, 0.1, 0, 1]]), exact=True)
    with pytest.raises(ValueError, match="row 0: x is beyond float32"):
        abut.Points(np.array([[1e39, 0, 0]]))
    assert np.isinf(abut.AABBs(np.array([[-np.inf, 0, 0, 1, 1, np.inf]])).bounds[0, [0, 5]]).all()
    boxes = abut.AABBs(np.array([[10.0, 0, 0, 11, 1, 1]]), origin=(10, 0, 0))
    assert boxes.bounds.tolist() == [[0, 0, 0, 1, 1, 1]]
    obb = np.array([[10.0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1]])
    assert np.allclose(abut.OBBs(obb, origin=(10, 0, 0)).bounds, [[-1, -1, -1, 1, 1, 1]], atol=1e-5)
    with pytest.raises(ValueError, match="planes take no origin"):
        abut.Planes(np.zeros((1, 4)), origin=(1, 0, 0))


@pytest.mark.parametrize(
    "wrong, error",
    [
        (np.zeros((5, 3)), ValueError),
        (np.zeros((5, 4, 2)), ValueError),
        (np.zeros((2, 2, 2, 2)), ValueError),
        (np.zeros(()), ValueError),
        (np.zeros(5), ValueError),
        (np.zeros((3, 4), complex), TypeError),
        (np.zeros((3, 4), np.longdouble), TypeError),
        (np.zeros((3, 4), "U3"), TypeError),
        (np.zeros((3, 4), object), TypeError),
        (np.zeros((3, 4), "M8[s]"), TypeError),
        (np.zeros(3, [("a", np.float32)]), TypeError),
        (np.ma.masked_array(np.zeros((3, 4)), np.ones((3, 4))), TypeError),
        (np.full((3, 4), 2**60), ValueError),
        ([[0, 0, 0], [1]], (ValueError, TypeError)),
        (None, TypeError),
        ("text", TypeError),
        (b"bytes of no use", TypeError),
        (object(), TypeError),
        ({}, TypeError),
    ],
)
def test_wrong_arrays_raise(wrong, error):
    with pytest.raises(error):
        abut.Spheres(wrong)


def test_wrong_arguments_raise(pair):
    spheres, boxes = abut.Spheres(pair[0]), abut.AABBs(pair[1])
    index = abut.Index(boxes)
    cases = [
        (TypeError, lambda: abut.touches(pair[0], boxes)),
        (TypeError, lambda: abut.touches(spheres, None)),
        (TypeError, lambda: abut.inside(boxes, abut.Points(np.zeros((1, 3))))),
        (ValueError, lambda: abut.touches(abut.Spheres(pair[0][:3]), boxes)),
        (ValueError, lambda: abut.touches(spheres, boxes, touch="maybe")),
        (TypeError, lambda: abut.Index(abut.Planes(np.ones((2, 4))))),
        (TypeError, lambda: abut.Index(pair[1])),
        (ValueError, lambda: index.query(spheres, predicate="near")),
        (TypeError, lambda: index.query(spheres, predicate="inside")),
        (TypeError, lambda: index.query(abut.Planes(np.ones((1, 4))))),
        (TypeError, lambda: index.query(None) if index.self_pairs() is None else index.counts(None)),
        (ValueError, lambda: index.query(spheres, workers=0)),
        (ValueError, lambda: index.nearest(np.zeros((3, 3)), k=0)),
        ((ValueError, MemoryError), lambda: index.nearest(np.zeros((3, 3)), k=2**62)),
        (ValueError, lambda: index.nearest(np.zeros((3, 4)))),
        (ValueError, lambda: index.refit(spheres)),
        (ValueError, lambda: index.refit(abut.AABBs(pair[1][:5]))),
        (TypeError, lambda: abut.Spheres()),
        (TypeError, lambda: abut.Spheres(center=pair[0])),
        (ValueError, lambda: abut.Spheres(pair[0][:, :3], np.ones(7))),
        (TypeError, lambda: abut.Shapes(pair[0])),
        (ValueError, lambda: abut.use_isa("mmx")),
        (ValueError, lambda: abut.Hulls(np.zeros((6, 4)), [0, 7])),
        (ValueError, lambda: abut.Hulls(np.zeros((6, 4)), [0, 4, 2])),
        (ValueError, lambda: abut.Hulls(np.zeros((40, 4)))),
        (ValueError, lambda: abut.Hulls(np.zeros((0, 4)))),
        (ValueError, lambda: abut.Hulls(np.zeros((6, 4)), [0.5, 6])),
        (ValueError, lambda: abut.Hulls(np.zeros((6, 4)), [])),
        (TypeError, lambda: abut.distance(spheres, boxes)),
        (ValueError, lambda: abut.Frustum.from_matrix(np.eye(3))),
        (ValueError, lambda: abut.Frustum.from_matrix(np.zeros((4, 4)))),
        (ValueError, lambda: abut.Frustum.from_camera((0, 0, 0), (0, 0, 0))),
    ]
    for number, (error, call) in enumerate(cases):
        with pytest.raises(error):
            call()
            pytest.fail(f"case {number} raised nothing")
    with pytest.raises(ValueError, match="500 spheres and 3 aabbs do not pair up"):
        abut.touches(spheres, abut.AABBs(pair[1][:3]))
    with pytest.raises(ValueError, match=r"points: x to z: 3 numbers a row .* \(n, 3\); this one has 2 dimensions"):
        abut.Points(np.zeros((9, 4)))
    with pytest.raises(ValueError, match=r"obbs: ux to wz: 9 numbers a row .* \(n, 9\) or \(n, 3, 3\)"):
        abut.OBBs(np.zeros((8, 3)), np.ones((8, 3)), np.zeros(8))


def test_invalid_rows_are_named(pair):
    boxes = pair[1].copy()
    boxes[3, 4], boxes[9, 0] = np.nan, np.inf
    with pytest.raises(ValueError, match=r"aabbs: row 3: maxy is (NaN|not a number).*2 invalid"):
        abut.check(abut.AABBs(boxes))
    with pytest.raises(ValueError, match="aabbs: row 3"):
        abut.Index(abut.AABBs(boxes))
    index = abut.Index(abut.AABBs(boxes), skip_invalid=True)
    with pytest.raises(ValueError, match="row 3"):
        index.refit(abut.AABBs(boxes))
    assert index.refit(abut.AABBs(boxes), skip_invalid=True) == 1.0
    assert abut.check(abut.AABBs(pair[1])) is None
