# SPDX-License-Identifier: MIT
"""An index: neighbours as SciPy finds them, frusta, threads, and results that outlive it."""
import signal
import threading
import time

import numpy as np
import pytest
import scenes

import abut


def test_nearest_as_by_hand(rng):
    points, asked = rng.random((400, 3)).astype(np.float32), rng.random((60, 3)).astype(np.float32)
    index = abut.Index(abut.Points(points))
    every = np.linalg.norm(asked[:, None].astype(float) - points[None].astype(float), axis=2)
    order = np.argsort(every, axis=1, kind="stable")
    distances, indices = index.nearest(asked, k=5)
    assert distances.dtype == np.float64 and indices.dtype == np.intp
    assert np.array_equal(indices, order[:, :5])
    assert np.allclose(distances, np.sort(every, axis=1)[:, :5], rtol=1e-6)
    first = index.nearest(asked)
    assert first[0].shape == (60,) and np.array_equal(first[1], order[:, 0])
    assert index.nearest(asked[0])[1] == order[0, 0]
    assert index.nearest(asked[0], k=2)[1].tolist() == order[0, :2].tolist()
    near, which = index.nearest(asked, k=5, within=0.1)
    assert np.array_equal(near < np.inf, distances <= 0.1) and (which[near == np.inf] == 400).all()
    padded = index.nearest(asked[0], k=402)
    assert (padded[1][-2:] == 400).all() and np.isinf(padded[0][-2:]).all()


def test_nearest_within_is_exact():
    """Neighbours just at the limit, which rounded distances cannot tell apart."""
    index = abut.Index(abut.Points([[1, 0, 0], [3, 4, 0], [0, 5, 2**-60], [2**-70, 5, 0], [9, 9, 9]]))
    assert index.nearest([0, 0, 0], k=5)[1].tolist() == [0, 1, 3, 2, 4]
    assert index.nearest([0, 0, 0], k=5, within=5)[1].tolist() == [0, 1, 5, 5, 5]
    assert index.nearest([0, 0, 0], k=5, within=5, touch="open")[1].tolist() == [0, 5, 5, 5, 5]
    assert index.nearest([1, 0, 0], k=2, within=0)[1].tolist() == [0, 5]
    for within in (-1, -np.inf, np.nan, 1e39):
        with pytest.raises(ValueError, match="within is a distance"):
            index.nearest([0, 0, 0], within=within)


def test_nearest_without_itself(rng):
    points = rng.random((70_000, 3)).astype(np.float32)  # more than are asked about at a time
    index = abut.Index(abut.Points(points))
    distances, indices = index.nearest(points, k=2)
    assert np.array_equal(indices[:, 0], np.arange(len(points)))
    others = index.nearest(points, exclude_self=True, workers=2)
    assert np.array_equal(others[1], indices[:, 1]) and np.array_equal(others[0], distances[:, 1])
    with pytest.raises(ValueError, match="a point for each item"):
        index.nearest(points[:5], exclude_self=True)


def test_nearest_of_shapes_is_distance(rng):
    boxes = abut.AABBs(scenes.rows("aabbs", rng, 100))
    points = abut.Points(scenes.rows("points", rng, 50))
    distances, indices = abut.Index(boxes).nearest(points)
    for i in range(50):
        chosen = abut.AABBs(boxes.bounds[indices[i]])
        d2, _ = abut.distance(points.bounds[i, :3], chosen)
        assert np.sqrt(d2) == pytest.approx(distances[i])


def moving_spheres(rng, balls=40):
    """Balls of whole numbers, moving ones, and the times at which each of these hits each ball, up to 9."""
    centres, radii = rng.integers(-9, 10, (balls, 3)), rng.integers(0, 3, balls)
    origins, motions, thick = rng.integers(-12, 13, (60, 3)), rng.integers(-5, 6, (60, 3)), rng.integers(0, 2, 60)
    w = (origins[:, None] - centres).astype(float)
    reach = thick[:, None] + radii
    a, b = (motions**2).sum(1)[:, None], (w * motions[:, None]).sum(2)
    c = (w**2).sum(2) - reach**2
    with np.errstate(all="ignore"):
        t = np.where(c <= 0, 0, np.where((b < 0) & (b**2 >= a * c), (-b - np.sqrt(b**2 - a * c)) / a, np.inf))
    t[t > 9] = np.inf
    spheres = abut.Spheres(np.column_stack([centres, radii]).astype(np.float32))
    return abut.Index(spheres), (origins, motions, thick), t


def test_casts_of_spheres(rng):
    index, (origins, motions, thick), t = moving_spheres(rng)
    times, items = index.cast(origins, motions, thick, end=9, workers=2)
    first = t.min(1)
    assert times.dtype == np.float64 and items.dtype == np.intp
    assert np.allclose(times, first, atol=1e-6) and ((items == 40) == np.isinf(first)).all()
    hit = items < 40
    assert hit.sum() > 9 and np.allclose(t[hit, items[hit]], first[hit], atol=1e-6)
    one = index.cast(origins[0], motions[0], thick[0], end=9)
    assert one == (times[0], items[0]) and isinstance(one[0], float) and isinstance(one[1], int)
    assert index.cast([0, 0, np.nan], [1, 0, 0]) == (np.inf, 40)
    assert index.cast(np.empty((0, 3)), np.empty((0, 3)))[0].shape == (0,)
    for wrong in ([0, 0], [[[0, 0, 0]]], 1):
        with pytest.raises(ValueError, match="shape"):
            index.cast(wrong, [1, 0, 0])
    with pytest.raises(ValueError, match="end"):
        index.cast([0, 0, 0], [1, 0, 0], end=-1)


def test_casts_any_and_all(rng):
    index, rays, t = moving_spheres(rng, balls=300)
    hits = index.cast_any(*rays, end=9, workers=2)
    assert hits.dtype == np.bool_ and np.array_equal(hits, np.isfinite(t).any(1)) and 9 < hits.sum() < 60
    for workers in (1, 2):
        which, items, times = index.cast_all(*rays, end=9, workers=workers)
        assert which.dtype == items.dtype == np.intp and times.dtype == np.float64
        assert np.array_equal(np.unique(which * 300 + items), np.flatnonzero(np.isfinite(t)))
        assert len(which) == np.isfinite(t).sum() > 100
        assert np.allclose(times, t[which, items], atol=1e-6)
        # By ray, then time; of times that are equal as whole numbers show, by index.
        assert np.array_equal(np.lexsort((items, t[which, items].round(9), which)), np.arange(len(which)))
    first, at = index.cast(*rays, end=9), np.searchsorted(which, np.flatnonzero(hits))
    assert np.array_equal(items[at], first[1][hits]) and np.array_equal(times[at], first[0][hits])


def test_casts_any_and_all_of_some():
    index = abut.Index(abut.Spheres([[4, 0, 0, 1], [7, 0, 0, 0.5], [4, 0, 0, 1]]))
    assert index.cast_any([0, 0, 0], [8, 0, 0]) is True and index.cast_any([0, 3, 0], [8, 0, 0]) is False
    assert index.cast_any([[0, 0, 0], [np.nan, 0, 0]], [8, 0, 0]).tolist() == [True, False]
    assert [a.tolist() for a in index.cast_all([0, 0, 0], [8, 0, 0])] == [[0, 0, 0], [0, 2, 1], [0.375, 0.375, 0.8125]]
    thick = index.cast_all([0, 3, 0], [1, 0, 0], radii=[2, 1], end=np.inf)
    assert [a.tolist() for a in thick] == [[0, 0], [0, 2], [4, 4]]
    assert index.cast_any(np.empty((0, 3)), np.empty((0, 3))).shape == (0,)
    assert [a.shape for a in index.cast_all(np.empty((0, 3)), np.empty((0, 3)))] == [(0,)] * 3
    for cast in (index.cast_any, index.cast_all):
        with pytest.raises(ValueError, match="shape"):
            cast([0, 0], [1, 0, 0])
        with pytest.raises(ValueError, match="end"):
            cast([0, 0, 0], [1, 0, 0], end=-1)


def test_casts_of_many_rays():
    # More than are cast between two looks at signals, and more hits than the first guess.
    n = 3 * 2**14 + 65
    index = abut.Index(abut.Spheres([[k, 0, 0, 0.25] for k in range(4)]))
    origins = np.zeros((n, 3), np.float32)
    origins[::3, 1] = 1
    which, items, times = index.cast_all(origins, [4, 0, 0])
    hits = index.cast_any(origins, [4, 0, 0])
    assert np.array_equal(np.flatnonzero(hits), np.flatnonzero(np.arange(n) % 3))
    assert np.array_equal(which, np.repeat(np.flatnonzero(hits), 4))
    assert np.array_equal(items.reshape(-1, 4), np.tile(np.arange(4), (hits.sum(), 1)))
    assert np.array_equal(times.reshape(-1, 4), np.tile([0, 0.1875, 0.4375, 0.6875], (hits.sum(), 1)))


def sorted_pairs(index):
    return sorted(sorted(pair) for pair in index.self_pairs().tolist())


def test_refit_of_some(rng):
    rows = rng.uniform(-9, 9, (500, 4)).astype(np.float32)
    rows[:, 3] = 1
    index = abut.Index(abut.Spheres(rows))
    for some in ([3, 499, 3], rng.permutation(500)[:200].astype(np.int16), [], np.arange(500, dtype=np.uint64)):
        rows[np.asarray(some, int), :3] += 1
        assert index.refit(abut.Spheres(rows), moved=some) is None
        assert sorted_pairs(index) == sorted_pairs(abut.Index(abut.Spheres(rows)))
    rows[7, :3] = rows[9, :3]
    index.refit(abut.Spheres(rows), moved=[8])
    assert sorted_pairs(index) != sorted_pairs(abut.Index(abut.Spheres(rows)))
    assert index.refit(abut.Spheres(rows)) > 0
    for wrong, text in ((500, "0 to 499"), (-1, "0 to 499"), (1.5, "integers")):
        with pytest.raises(ValueError, match=text):
            index.refit(abut.Spheres(rows), moved=[wrong])
    with pytest.raises(ValueError, match="integers"):
        index.refit(abut.Spheres(rows), moved=[[1]])
    with pytest.raises(ValueError, match="as many"):
        index.refit(abut.Spheres(rows[:9]), moved=[1])
    rows[2, 3] = -1
    with pytest.raises(ValueError, match="row 2"):
        index.refit(abut.Spheres(rows), moved=[2])


def casts_among(index, rays, **how):
    """Of each ray: the first time, and all hits as sets of (index, time). All three kinds of casts must agree."""
    times, items = index.cast(*rays, **how)
    which, found, at = index.cast_all(*rays, **how)
    assert np.array_equal(index.cast_any(*rays, **how), times < np.inf) and np.array_equal(
        np.unique(which), np.flatnonzero(times < np.inf))
    starts = np.searchsorted(which, np.unique(which))
    assert np.array_equal(found[starts], items[items < len(index)])
    assert np.array_equal(at[starts], times[times < np.inf])
    return times, [set(zip(found[which == i].tolist(), at[which == i].tolist())) for i in range(len(times))]


def test_casts_among_hulls(rng):
    # Cubes as hulls and as AABBs are the same sets; the hull in between is half of its box.
    low = rng.integers(-9, 9, (30, 3)).astype(np.float32)
    high = low + rng.integers(1, 4, (30, 3))
    cubes = abut.AABBs(np.hstack([low, high]))
    planes = np.zeros((30, 6, 4), np.float32)
    for k in range(3):
        planes[:, k, k], planes[:, k, 3] = -1, low[:, k]
        planes[:, 3 + k, k], planes[:, 3 + k, 3] = 1, -high[:, k]
    hulls = abut.Hulls(planes)
    rays = rng.integers(-12, 13, (200, 3)), rng.integers(-9, 10, (200, 3))
    index = abut.Index(abut.AABBs(hulls.bounds), skip_invalid=True)
    for workers in (1, 2):
        for radii in (0, 0.75, rng.random(200)):
            times, hits = casts_among(index, rays, end=3, radii=radii, hulls=hulls, workers=workers)
            expected, same = casts_among(abut.Index(cubes), rays, end=3, radii=radii)
            assert np.array_equal(times, expected) and hits == same and 20 < (times < np.inf).sum() < 200
    wedge = abut.Hulls([[[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [1, 1, 1, -2]]])
    box = abut.Index(abut.AABBs(wedge.bounds), skip_invalid=True)
    assert box.cast([1.75, 1.75, 1], [0, 0, -1], hulls=wedge) == (np.inf, 1)
    assert box.cast([1.75, 1.75, 1], [0, 0, -1]) == (0, 0)
    assert box.cast([0.5, 0.5, 3], [0, 0, -8], hulls=wedge) == (0.25, 0)
    assert box.cast_any([0.5, 0.5, 3], [0, 0, -8], hulls=wedge) is True
    assert box.cast([0.5, 0.5, 3], [0, 0, -8], radii=0.5, hulls=wedge)[0] < 0.25
    assert box.cast([5, 5, 1], [-4, -4, 0], radii=2, hulls=wedge) == (np.float32((8 - np.sqrt(6)) / 8), 0)


def test_casts_among_wrong_hulls():
    wedge = abut.Hulls([[[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [1, 1, 1, -2]]])
    box = abut.Index(abut.AABBs([0, 0, 0, 2, 2, 2]))
    for index, hulls, error, text in (
        (box, abut.AABBs([0, 0, 0, 1, 1, 1]), TypeError, "hulls are needed, not aabbs"),
        (box, [[1, 0, 0, 0]], TypeError, "hulls"),
        (abut.Index(abut.Spheres([0, 0, 0, 1])), wedge, TypeError, r"index has spheres; .*\(hulls.bounds\)"),
        (abut.Index(abut.AABBs([[0, 0, 0, 2, 2, 2]] * 2)), wedge, ValueError, "1 hulls and an index of 2 boxes"),
    ):
        for cast in (index.cast, index.cast_any, index.cast_all):
            with pytest.raises(error, match=text):
                cast([0, 0, 9], [0, 0, -9], hulls=hulls)


def test_frustum():
    frustum = abut.Frustum.from_camera((0, 0, 0), (1, 0, 0), fov=90, aspect=1, near=1, far=10)
    spheres = abut.Spheres([[5, 0, 0, 1], [-5, 0, 0, 1], [5, 5.5, 0, 1], [5, 9, 0, 1]])
    assert abut.touches(spheres, frustum).tolist() == [True, False, True, False]
    assert abut.inside(spheres, frustum).tolist() == [True, False, False, False]
    assert abut.cull(spheres, frustum, all=True).shape == (4, 1)
    index = abut.Index(spheres)
    for predicate in ("touches", "inside", "cull"):
        hits = getattr(abut, predicate)(spheres, frustum)
        assert index.query(frustum, predicate=predicate)[1].tolist() == np.flatnonzero(hits).tolist()
    matrix = np.diag([1.0, 1.0, 1.0, 1.0])
    cube = abut.Frustum.from_matrix(matrix, depth="-1..1")
    assert abut.inside(abut.Points([[0.5, -1, 1], [0, 0, 1.5]]), cube).tolist() == [True, False]
    assert abut.contains(cube, abut.Points([[0.5, -1, 1], [0, 0, 1.5]])).tolist() == [True, False]


def test_hulls_of_different_lengths():
    cube = np.concatenate([np.column_stack([np.eye(3), [-1] * 3]), np.column_stack([-np.eye(3), [-1] * 3])])
    hulls = abut.Hulls([cube, cube[:1]])
    assert len(hulls) == 2
    points = abut.Points([[0, 0, 0], [0, 9, 0], [9, 0, 0]])
    assert abut.inside(points, hulls, all=True).tolist() == [[True, True], [False, True], [False, False]]
    assert abut.contains(hulls, points, all=True).shape == (2, 3)
    assert len(abut.Hulls(np.stack([cube, cube, cube]))) == 3


def test_distance(rng):
    points, spheres = scenes.rows("points", rng, 30), scenes.rows("spheres", rng, 30)
    d2, closest = abut.distance(points, abut.Spheres(spheres))
    assert d2.dtype == np.float32 and closest.shape == (30, 3)
    want = np.maximum(np.linalg.norm(points - spheres[:, :3], axis=1) - spheres[:, 3], 0)
    assert np.allclose(np.sqrt(d2), want, atol=1e-5)
    assert np.isnan(abut.distance([[np.nan, 0, 0]], abut.Spheres([[0, 0, 0, 1]]))[0]).all()


def test_results_outlive_the_index(rng):
    boxes, spheres = scenes.rows("aabbs", rng, 300), scenes.rows("spheres", rng, 300)
    index = abut.Index(abut.AABBs(boxes))
    pairs = index.query(abut.Spheres(spheres))
    copy = pairs.copy()
    del index
    np.full(10**6, 3.0)
    assert np.array_equal(pairs, copy) and pairs.shape[1] > 0
    pairs[0, 0] = 7  # results are the caller's, to write to


def test_refit_moves_the_items(rng):
    boxes, spheres = scenes.rows("aabbs", rng, 300), abut.Spheres(scenes.rows("spheres", rng, 300))
    index = abut.Index(abut.AABBs(boxes))
    moved = abut.AABBs(boxes + np.float32(2))
    assert index.refit(moved) > 0
    assert np.array_equal(index.query(spheres), abut.Index(moved).query(spheres))


def test_searches_run_without_the_lock_and_keep_refits_out(rng):
    """While a thread searches, another runs; a refit in the meantime raises instead of pulling the tree away."""
    n = 200_000
    low = rng.random((n, 3)).astype(np.float32)
    boxes = abut.AABBs(low, low + np.float32(0.02))
    spheres = abut.Spheres(low, 0.02)
    index = abut.Index(boxes)
    began, ended, refused, ticks = threading.Event(), threading.Event(), 0, 0

    def search():
        began.set()
        for _ in range(3):
            index.counts(spheres)
        ended.set()

    thread = threading.Thread(target=search)
    thread.start()
    began.wait()
    while not ended.is_set():
        ticks += 1
        try:
            index.refit(boxes)
        except RuntimeError as error:
            assert "another thread" in str(error)
            refused += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 3 and refused > 0
    assert index.refit(boxes) == 1.0


def test_sparse_matrix_of_rows(rng):
    sparse = pytest.importorskip("scipy.sparse")
    spheres = abut.Spheres(scenes.rows("spheres", rng, 100))
    offsets, indices = abut.Index(spheres).rows(spheres)
    matrix = sparse.csr_matrix((np.ones(len(indices)), indices, offsets), shape=(100, 100))
    assert np.array_equal(matrix.toarray() > 0, abut.touches(spheres, spheres, all=True))


def test_instruction_sets_agree(rng):
    spheres, boxes = (abut.Spheres(scenes.rows("spheres", rng, 500)), abut.AABBs(scenes.rows("aabbs", rng, 500)))
    best, answers = abut.isa(), []
    for isa in abut.isas():
        abut.use_isa(isa)
        answers.append(abut.touches(spheres, boxes, all=True))
    abut.use_isa(best)
    assert all(np.array_equal(answer, answers[0]) for answer in answers) and len(answers) > 1


def test_ckdtree_finds_the_same_neighbours(rng):
    spatial = pytest.importorskip("scipy.spatial")
    points, asked = rng.random((3000, 3)).astype(np.float32), rng.random((500, 3)).astype(np.float32)
    mine = abut.Index(abut.Points(points)).nearest(asked, k=3, within=0.05)
    theirs = spatial.cKDTree(points.astype(float)).query(asked.astype(float), k=3, distance_upper_bound=0.05)
    assert np.array_equal(mine[1], theirs[1]) and np.allclose(mine[0], theirs[0], rtol=1e-6)


def test_tiles_own_every_pair_once(rng):
    spheres, boxes = abut.Spheres(scenes.rows("spheres", rng, 300)), abut.AABBs(scenes.rows("aabbs", rng, 300))
    index, far = abut.Index(boxes), np.inf
    tiles = [(-far, -far, -far, 1, far, far), (1, -far, -far, far, 2, far), (1, 2, -far, far, far, far)]
    parts = [index.query(spheres, own=tile) for tile in tiles]
    union = np.concatenate(parts, 1)
    whole = index.query(spheres)
    assert np.array_equal(union[:, np.lexsort((union[1], union[0]))], whole)
    assert sum(index.counts(spheres, own=tile).sum() for tile in tiles) == whole.shape[1]
    corners = np.maximum(spheres.bounds[whole[0], :3], boxes.bounds[whole[1], :3])
    assert np.array_equal(whole[:, corners[:, 0] < 1], parts[0])
    self_parts = [index.self_pairs(own=tile) for tile in tiles]
    assert sum(part.shape[1] for part in self_parts) == index.self_pairs().shape[1]
    with pytest.raises(ValueError):
        index.query(spheres, own=(0, 0, 0, 1, 1, np.nan))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("search", ["counts", "join", "self_pairs", "nearest"])
def test_a_signal_ends_a_long_search(search, workers, rng):
    """A handler that raises, as that of Ctrl-C, runs during the search, and its exception ends it."""
    n = 100_000
    points = abut.Points(rng.random((n, 3)))
    index = abut.Index(points if search == "nearest" else abut.Spheres(points.bounds[:, :3], 10.0))
    nowhere = (50, 50, 50, 51, 51, 51)  # owns no pair, so that none is kept in memory

    class Ended(Exception):
        pass

    def handler(number, frame):
        raise Ended

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Ended):
            # All touch all: 10^10 pairs, far longer than any test may take.
            if search == "counts":
                index.counts(points, workers=workers)
            if search == "join":
                index.join(points, workers=workers, own=nowhere)
            if search == "self_pairs":
                index.self_pairs(workers=workers, own=nowhere)
            for _ in range(1000):
                index.nearest(points, k=50, workers=workers)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert index.nearest([0.5, 0.5, 0.5])[1] < n
