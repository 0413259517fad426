# SPDX-License-Identifier: MIT
"""Shapes of two dimensions answer as in the plane, under both touch rules."""
import numpy as np
import pytest
from arrow_producer import Producer

import abut
from abut import _tiles

INF = np.inf
#: Each class with its columns in the plane, and the values of those that it does without.
FLAT = {
    abut.Points: ("x y", {"z": 0}),
    abut.Spheres: ("x y r", {"z": 0}),
    abut.AABBs: ("minx miny maxx maxy", {"minz": -INF, "maxz": INF}),
    abut.Segments: ("ax ay bx by", {"az": 0, "bz": 0}),
    abut.Capsules: ("ax ay bx by r", {"az": 0, "bz": 0}),
}
CLASSES = pytest.mark.parametrize("cls", FLAT)


def flat_rows(cls, rng, n, size=6):
    """Rows of small integers, so that many pairs just touch."""
    rows = rng.integers(-size, size + 1, (n, len(FLAT[cls][0].split()))).astype(np.float32)
    if cls in (abut.Spheres, abut.Capsules):
        rows[:, -1] = rng.integers(0, 4, n)
    if cls is abut.AABBs:
        rows[:, 2:] = rows[:, :2] + rng.integers(0, 4, (n, 2))
    return rows


def make(cls, rows):
    """Shapes of rows without z, as circles cannot be made of one array."""
    return cls(rows[:, :2], rows[:, 2]) if cls is abut.Spheres else cls(rows)


def with_z(cls, rows):
    names, heights = FLAT[cls]
    columns = {**dict(zip(names.split(), rows.T)), **{name: np.full(len(rows), z) for name, z in heights.items()}}
    return cls(*[columns[name] for name in cls.fields()])


def same(made, expected):
    assert len(made) == len(expected) and np.array_equal(made.bounds, expected.bounds)
    spheres = abut.Spheres(np.random.default_rng(2).integers(-6, 7, (99, 3)), 2)
    assert np.array_equal(abut.touches(spheres, made, all=True), abut.touches(spheres, expected, all=True))


@CLASSES
def test_all_ways(cls, rng):
    rows = flat_rows(cls, rng, 40)
    names, want = FLAT[cls][0].split(), with_z(cls, rows)
    columns = dict(zip(names, rows.T))
    parts, first = {}, 0
    for part, width in cls.groups:
        width = 2 if width == 3 else width
        parts[part] = rows[:, first : first + width]
        first += width
    ways = [
        cls(columns), cls(dict(reversed(columns.items()))), cls(**columns), cls(*parts.values()), cls(**parts),
        cls(Producer(columns)), make(cls, np.asfortranarray(rows)), make(cls, rows.astype(np.float64)),
        make(cls, rows.astype(int)), cls(np.rec.fromarrays(rows.T, names=",".join(names))),
    ]
    if cls is not abut.Spheres:
        ways += [cls(rows), cls(rows.tolist()), cls(*rows.T), cls(Producer(rows))]
    for way in ways:
        same(way, want)
    assert make(cls, rows[:0]).bounds.shape == (0, 6)
    one = cls(**dict(zip(names, rows[0].tolist())))
    assert one.single and np.array_equal(one.bounds, want.bounds[:1])
    assert np.array_equal(make(cls, rows + 3).bounds, cls(columns, origin=(-3, -3)).bounds) or "r" in names


def test_columns_stay_in_place(rng):
    rows = np.asfortranarray(flat_rows(abut.AABBs, rng, 9))
    assert abut.AABBs(rows).copied == 2 and abut.Points(rows[:, :2]).copied == 1, "those of z"


def test_circles_are_no_spheres_without_a_radius(rng):
    for rows in np.zeros((5, 3)), np.zeros(3):
        with pytest.raises(ValueError, match=r"4 numbers a row are needed, and these are 3; circles are Spheres\(a\[:"):
            abut.Spheres(rows)
    with pytest.raises(TypeError, match="here are 3 arrays"):
        abut.Spheres(*np.zeros((3, 5)))


def test_parts_of_both_kinds_are_refused():
    with pytest.raises(ValueError, match="AABBs: some parts have x, y and z, and others x and y"):
        abut.AABBs(np.zeros((2, 2)), np.zeros((2, 3)))


@pytest.mark.parametrize("height", ["z", "Z"])
def test_a_table_with_a_height_is_not_flat(height):
    with pytest.raises(TypeError, match="without z"):
        abut.AABBs({"minx": 0, "miny": 0, "maxx": 1, "maxy": 1, "min" + height: 0})
    with pytest.raises(TypeError, match="here are"):
        abut.AABBs(minx=0, miny=0, maxx=1, maxy=1, **{"min" + height: 0})


@pytest.mark.parametrize("cls", [abut.OBBs, abut.Planes, abut.Triangles])
def test_other_shapes_have_a_z(cls):
    columns = {name: 0.0 for name in cls.fields() if name[-1] != "z"}
    for call in (lambda: cls(columns), lambda: cls(**columns), lambda: cls(np.zeros((4, len(columns))))):
        with pytest.raises((TypeError, ValueError)):
            call()


def gap(a, b):
    """
    Of each of a and each of b, points, circles or boxes of integers: the squared distance without radii, the square of
    the sum of these, and the greatest gap on an axis, negative where they overlap.
    """
    low_a, high_a = (a[:, None, :2], a[:, None, 2:4] if a.shape[1] == 4 else a[:, None, :2])
    low_b, high_b = (b[None, :, :2], b[None, :, 2:4] if b.shape[1] == 4 else b[None, :, :2])
    radii = sum(x[:, 2].reshape(shape) for x, shape in ((a, (-1, 1)), (b, (1, -1))) if x.shape[1] == 3)
    d = np.maximum(np.maximum(low_a - high_b, low_b - high_a), 0)
    return (d**2).sum(2), np.asarray(radii) ** 2, np.maximum(low_a - high_b, low_b - high_a).max(2)


PAIRS = [(abut.Points, abut.Spheres), (abut.Spheres, abut.Spheres), (abut.Points, abut.AABBs),
         (abut.Spheres, abut.AABBs), (abut.AABBs, abut.AABBs)]


@pytest.mark.parametrize("touch", ["closed", "open"])
@pytest.mark.parametrize("a, b", PAIRS)
def test_answers_are_those_of_the_plane(a, b, touch, rng):
    rows_a, rows_b = flat_rows(a, rng, 150), flat_rows(b, rng, 150)
    d2, r2, apart = gap(rows_a, rows_b)
    if abut.Spheres in (a, b):
        want = d2 <= r2 if touch == "closed" else d2 < r2
    else:
        want = apart <= 0 if touch == "closed" else apart < 0
    assert (d2 == r2).sum() > 20, "ties"
    shapes_a, shapes_b = make(a, rows_a), make(b, rows_b)
    assert np.array_equal(abut.touches(shapes_a, shapes_b, all=True, touch=touch), want)
    assert np.array_equal(abut.Index(shapes_b).query(shapes_a, touch=touch), np.argwhere(want).T)
    if a is b:
        want = np.triu(abut.touches(shapes_a, shapes_a, all=True, touch=touch), 1)
        assert np.array_equal(abut.Index(shapes_a).self_pairs(touch=touch), np.argwhere(want).T)


def test_neighbours_casts_and_tiles(rng):
    boxes, points = flat_rows(abut.AABBs, rng, 80, 40), flat_rows(abut.Points, rng, 50, 40)
    index = abut.Index(abut.AABBs(boxes))
    distances, indices = index.nearest(points, 3)
    d2 = gap(points, boxes)[0]
    order = np.argsort(d2, 1, kind="stable")[:, :3]
    assert np.array_equal(indices, order)
    assert np.array_equal(distances, np.sqrt(np.take_along_axis(d2, order, 1).astype(np.float64)))
    d2, closest = abut.distance(points, abut.AABBs(boxes[0]))
    assert np.array_equal(d2, gap(points, boxes[:1])[0][:, 0]) and (closest[:, 2] == 0).all()
    assert index.cast([100, 0], [-8, 0], end=INF) == index.cast([100, 0, 0], [-8, 0, 0], end=INF)
    motions = {"dy": points[:, 0], "dx": points[:, 1] + 0.5}
    moved = index.cast(dict(zip("yx", points.T[::-1])), motions)
    same = index.cast(np.c_[points, points[:, 0] * 0], np.c_[motions["dx"], motions["dy"], points[:, 0] * 0])
    assert np.array_equal(moved, same)
    spheres = abut.Spheres(points, 3)
    whole = index.query(spheres)
    tiles = [(-INF, -INF, -INF, 3, INF, INF), (3, -INF, -INF, INF, INF, INF)]
    halves = np.concatenate([index.query(spheres, own=tile) for tile in tiles], 1)
    assert whole.shape[1] > 10 and np.array_equal(whole, halves[:, np.lexsort(halves[::-1])])
    world = abut.World(padding=1)
    world.add(abut.AABBs(boxes))
    assert len(world.update().began) == index.self_pairs().shape[1]


def test_tiles_of_dask_cut_the_plane(rng, tmp_path):
    boxes = flat_rows(abut.AABBs, rng, 400, 1000)
    boxes[7] = np.nan
    np.save(tmp_path / "a.npy", boxes)
    n, corners = _tiles.sample_block(str(tmp_path / "a.npy"), abut.AABBs, 400)
    tiles = _tiles.plan(corners, 4)
    part = _tiles.scatter_block(str(tmp_path / "a.npy"), str(tmp_path / "part"), 0, abut.AABBs, tiles)
    assert n == 400 and len(corners) == 399 and np.diff(part["offsets"]).max() < 150
    ids = [np.load(part["name"] + ".ids.npy")[first:end] for first, end in zip(part["offsets"], part["offsets"][1:])]
    pairs = [ids[i][abut.Index(abut.AABBs(boxes[ids[i]])).self_pairs(own=tile)] for i, tile in enumerate(tiles)]
    found = np.concatenate(pairs, 1)
    want = abut.Index(abut.AABBs(boxes), skip_invalid=True).self_pairs()
    assert want.shape[1] > 0 and np.array_equal(found[:, np.lexsort(found[::-1])], want)
