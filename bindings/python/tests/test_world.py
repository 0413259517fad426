# SPDX-License-Identifier: MIT
"""Worlds: every update reports just the pairs whose answer changed; and worlds are saved and restored."""
import pickle

import numpy as np
import pytest
import scenes

import abut


def pairs_of(world_rows, touch="closed"):
    """The pairs that touch, by all pairs: world_rows has the row of each id."""
    ids = np.array(sorted(world_rows))
    shapes = abut.Spheres(np.array([world_rows[i] for i in ids], np.float32).reshape(-1, 4))
    first, second = np.nonzero(np.triu(abut.touches(shapes, shapes, all=True, touch=touch), 1))
    return set(zip(ids[first].tolist(), ids[second].tolist()))


def as_set(pairs):
    assert pairs.dtype == np.uint32 and pairs.shape[1:] == (2,)
    assert np.array_equal(pairs, pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]) and (pairs[:, 0] < pairs[:, 1]).all()
    return set(map(tuple, pairs.tolist()))


@pytest.mark.parametrize("touch", ["closed", "open"])
@pytest.mark.parametrize("workers", [1, 2])
def test_updates_as_by_all_pairs(touch, workers, rng):
    world, rows, before, changed = abut.World(padding=0.5, touch=touch), {}, set(), 0
    for step in range(12):
        new = scenes.rows("spheres", rng, 30)
        rows.update(zip(world.add(abut.Spheres(new)).tolist(), new))
        moved = rng.choice(sorted(rows), 20, replace=False)
        places = scenes.rows("spheres", rng, 20)
        world.move(moved, abut.Spheres(places))
        rows.update(zip(moved.tolist(), places))
        gone = rng.choice(sorted(rows), 10, replace=False)
        world.remove(gone)
        for i in gone.tolist():
            del rows[i]
        began, ended, kept = world.update(kept=True, workers=workers)
        now = pairs_of(rows, touch)
        assert as_set(began) == now - before and as_set(ended) == before - now and as_set(kept) == now & before
        changed += len(began) + len(ended)
        before = now
        assert len(world) == len(rows) and world.pair_count == len(now)
        some = int(rng.choice(sorted(rows)))
        assert world.touching(some).tolist() == sorted({a + b - some for a, b in now if some in (a, b)})
    assert changed > 100
    again = world.update()
    assert len(again.began) == len(again.ended) == 0 and again.kept is None


def test_shapes_are_mixed_and_labels_keep_them_apart(rng):
    world = abut.World()
    spheres = world.add(abut.Spheres([[0, 0, 0, 1], [1, 0, 0, 1]]), groups=1, masks=[2, 2], data=[7, 2**63])
    box = world.add(abut.AABBs([0, 0, 0, 1, 1, 1]), groups=2)
    assert world.update().began.tolist() == [[spheres[0], box[0]], [spheres[1], box[0]]]
    assert world.data(spheres[0]) == 7 and world.data(spheres[1]) == 2**63 and world.data(box[0]) == 0
    world.label(spheres, masks=3)
    assert world.update().began.tolist() == [spheres.tolist()]
    world.label(spheres[:1], groups=[4])
    assert world.update().ended.tolist() == [spheres.tolist()]
    points = abut.Points([[0, 0, 0], [1, 1, 1]])
    with pytest.raises(TypeError, match="no predicate"):
        world.add(points)
    assert len(world) == 3 and 2 in world and 3 not in world and -1 not in world
    assert len(world.add(points, groups=8, masks=1)) == 2
    assert repr(world) == f"<abut.World: 5 items, {world.pair_count} pairs>" and world.nbytes > 1000


def test_a_restored_world_goes_on(rng):
    world = abut.World(padding=0.25)
    ids = world.add(abut.Spheres(scenes.rows("spheres", rng, 200)))
    world.update()
    world.move(ids[:50], abut.Spheres(scenes.rows("spheres", rng, 50)))
    others = [abut.World.restore(world.save()), pickle.loads(pickle.dumps(world))]
    assert world.save() == others[0].save() == others[1].save()
    new = abut.Spheres(scenes.rows("spheres", rng, 20))
    ids, changes = world.add(new), world.update(kept=True)
    assert len(changes.began) and len(changes.ended) and len(changes.kept)
    for other in others:
        assert np.array_equal(other.add(new), ids)
        assert all(np.array_equal(mine, its) for mine, its in zip(changes, other.update(kept=True)))
    saved = world.save()
    for wrong in (b"", b"no world", saved[:-1], saved + b"x", bytes(len(saved))):
        with pytest.raises(ValueError, match="no world"):
            abut.World.restore(wrong)


def test_wrong_calls_change_nothing(rng):
    world = abut.World()
    ids = world.add(abut.Spheres(scenes.rows("spheres", rng, 10)))
    saved = world.save()
    sphere = abut.Spheres([0, 0, 0, 1])
    cases = [
        (TypeError, lambda: world.add(np.zeros((1, 4)))),
        (TypeError, lambda: world.add(abut.Planes([[1, 0, 0, 0]]))),
        (TypeError, lambda: world.add(abut.Hulls([[1, 0, 0, 0]]))),
        (ValueError, lambda: world.add(abut.Spheres([[0, 0, 0, 1], [0, 0, 0, -1]]))),
        (ValueError, lambda: world.add(sphere, groups=[1, 2])),
        (ValueError, lambda: world.add(sphere, masks=-1)),
        (ValueError, lambda: world.add(sphere, data=0.5)),
        (ValueError, lambda: world.move([99], sphere)),
        (ValueError, lambda: world.move(ids[:2], sphere)),
        (ValueError, lambda: world.move(ids[:1], abut.AABBs([0, 0, 0, 1, 1, 1]))),
        (ValueError, lambda: world.move(ids[:1], abut.Spheres([np.nan, 0, 0, 1]))),
        (ValueError, lambda: world.remove([0, 99])),
        (ValueError, lambda: world.remove([[0], [1]])),
        (ValueError, lambda: world.remove([2**32])),
        (ValueError, lambda: world.label([99], groups=1)),
        (ValueError, lambda: world.touching(99)),
        (ValueError, lambda: world.data(99)),
        (ValueError, lambda: world.update(workers=0)),
        (ValueError, lambda: abut.World(padding=-1)),
        (ValueError, lambda: abut.World(padding=np.nan)),
        (ValueError, lambda: abut.World(touch="maybe")),
    ]
    for number, (error, call) in enumerate(cases):
        with pytest.raises(error):
            call()
            pytest.fail(f"case {number} raised nothing")
    assert world.save() == saved
    assert len(world.add(abut.Spheres(np.zeros((0, 4))))) == 0
    world.remove([])
    with pytest.raises(ValueError, match="spheres: row 1: r is negative"):
        world.add(abut.Spheres([[0, 0, 0, 1], [0, 0, 0, -1]]))
