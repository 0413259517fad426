# SPDX-License-Identifier: MIT
"""Joins by tiles and processes find the pairs of one process, even if a worker is killed."""
import os
import signal
from types import SimpleNamespace

import numpy as np
import pytest

import abut

distributed = pytest.importorskip("distributed")
import abut.dask  # noqa: E402  after the check that Dask is here

N = 6000
TILES = 7


@pytest.fixture(scope="module")
def client(request):
    """Of a cluster of so many processes."""
    settings = dict(n_workers=request.param, threads_per_worker=1, processes=True, dashboard_address=None)
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        yield client


def uniform(rng):
    return rng.random((N, 3)) * 20


def clustered(rng):
    return rng.normal(rng.integers(0, 3, (N, 1)) * 9, 1, (N, 3))


def on_a_grid(rng):
    """Many rows have the same coordinates, so that cuts go through them and some tiles are empty."""
    return rng.integers(0, 3, (N, 3)) * 4.0


def sets_of(scene, rng):
    """Spheres and boxes; one sphere reaches everywhere, one box is all of space, and one row of each is invalid."""
    spheres = np.column_stack([scene(rng), rng.random(N) * 0.3]).astype(np.float32)
    low = scene(rng)
    boxes = np.concatenate([low, low + rng.random((N, 3))], 1).astype(np.float32)
    spheres[17, 3], spheres[18, 0] = 30, np.nan
    boxes[40] = [-np.inf] * 3 + [np.inf] * 3
    return spheres, boxes


def write(folder, name, rows, blocks=3):
    for i, block in enumerate(np.array_split(rows, blocks)):
        np.save(folder / f"{name}-{i}.npy", block)
    return str(folder / f"{name}-*.npy")


def check(result, want):
    union = np.concatenate([np.load(path) for path in result["files"]])
    assert len(union) == result["pairs"] == len(want) > 0
    assert result["digest"] == f"{abut.dask.digest(want):016x}"
    assert np.array_equal(union[np.lexsort((union[:, 1], union[:, 0]))], want)
    assert not any(name.startswith("scratch") for name in os.listdir(os.path.dirname(result["files"][0])))


@pytest.mark.parametrize("scene", [uniform, clustered, on_a_grid])
@pytest.mark.parametrize("client", [2], indirect=True)
def test_union_of_tiles(scene, client, rng, tmp_path):
    spheres, boxes = sets_of(scene, rng)
    want = abut.Index(abut.AABBs(boxes)).query(abut.Spheres(spheres)).T
    sources = write(tmp_path, "a", spheres), write(tmp_path, "b", boxes, 4)
    shapes = abut.Spheres, abut.AABBs
    result = abut.dask.join(*sources, tmp_path / "out", shapes=shapes, client=client, tiles=TILES)
    check(result, want)
    assert result["tiles"] == TILES and result["rows"][0] >= 0
    if scene is uniform:
        assert max(result["replication"]) < 1.4
    alone = abut.dask.join(sources[1], None, tmp_path / "self", shapes=abut.AABBs, client=client, tiles=TILES)
    check(alone, abut.Index(abut.AABBs(boxes)).self_pairs().T)


def in_one_process(points, items, k, within):
    distances, indices = abut.Index(items).nearest(points, k, within=within)
    return distances.reshape(-1, k), indices.reshape(-1, k)


def check_nearest(result, points, items, k, within):
    """Neighbours are those of one process, to the bit; invalid points have none."""
    found = np.concatenate([np.load(path) for path in result["files"]])
    found = found[np.argsort(found["query"])]
    valid = np.flatnonzero(np.isfinite(points).all(1))
    assert np.array_equal(found["query"], valid) and len(valid) < len(points)
    distances, indices = in_one_process(points[valid], items, k, within)
    assert np.array_equal(found["index"], indices) and np.array_equal(found["distance"], distances)
    assert (indices < len(items)).any()


@pytest.mark.parametrize("scene", [uniform, clustered, on_a_grid])
@pytest.mark.parametrize("client", [2], indirect=True)
def test_counts_and_neighbours(scene, client, rng, tmp_path):
    spheres, boxes = sets_of(scene, rng)
    points = np.ascontiguousarray(spheres[:, :3])
    sources = write(tmp_path, "a", spheres), write(tmp_path, "b", boxes, 4), write(tmp_path, "p", points)
    options = dict(client=client, tiles=TILES)
    result = abut.dask.counts(*sources[:2], tmp_path / "counts", shapes=(abut.Spheres, abut.AABBs), **options)
    want = abut.Index(abut.AABBs(boxes)).counts(abut.Spheres(spheres))
    blocks = [np.load(path) for path in result["files"]]
    assert [len(block) for block in blocks] == [N // 3] * 3 and np.array_equal(np.concatenate(blocks), want)
    assert result["pairs"] == want.sum() and not (tmp_path / "counts/scratch").exists()
    many, few = abut.AABBs(boxes), np.delete(spheres, [17, 18], 0)
    result = abut.dask.nearest(sources[2], sources[1], tmp_path / "near", shapes=abut.AABBs, k=4, **options)
    check_nearest(result, points, many, 4, np.inf)
    assert result["asked"] > 0 and result["rows"][0] >= 0
    # Fewer items than k, so that every tile is asked; and a distance at which many are just as near.
    source = write(tmp_path, "few", few[:5], 1)
    result = abut.dask.nearest(sources[2], source, tmp_path / "few", shapes=abut.Spheres, k=7, within=8, **options)
    check_nearest(result, points, abut.Spheres(few[:5]), 7, 8)


@pytest.mark.parametrize("client", [2], indirect=True)
def test_dask_arrays(client, rng, tmp_path):
    array = pytest.importorskip("dask.array")
    spheres, boxes = sets_of(uniform, rng)
    blocks = [array.from_array(rows, chunks=(2500, -1)) for rows in (spheres, boxes)]
    result = abut.dask.join(*blocks, tmp_path / "out", shapes=(abut.Spheres, abut.AABBs), client=client, tiles=3)
    check(result, abut.Index(abut.AABBs(boxes)).query(abut.Spheres(spheres)).T)


BLOCK_OF_BOXES = N // 4


class DiesOnce:
    """Makes boxes. The first that a join of a tile makes kill its worker: blocks and their samples have other sizes."""

    def __init__(self, marker):
        self.marker = str(marker)

    def __call__(self, rows):
        if len(rows) != BLOCK_OF_BOXES and not os.path.exists(self.marker):
            open(self.marker, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return abut.AABBs(rows)


@pytest.mark.parametrize("client", [4], indirect=True)
def test_a_killed_worker_changes_nothing(client, rng, tmp_path):
    spheres, boxes = sets_of(clustered, rng)
    want = abut.Index(abut.AABBs(boxes)).query(abut.Spheres(spheres)).T
    sources = write(tmp_path, "a", spheres), write(tmp_path, "b", boxes, 4)
    marker = tmp_path / "killed"
    shapes = abut.Spheres, DiesOnce(marker)
    result = abut.dask.join(*sources, tmp_path / "out", shapes=shapes, client=client, tiles=TILES)
    assert marker.exists(), "no worker was killed"
    check(result, want)
    marker.unlink()
    points = np.ascontiguousarray(spheres[:, :3])
    source = write(tmp_path, "p", points)
    result = abut.dask.nearest(source, sources[1], tmp_path / "near", shapes=shapes[1], k=2, client=client, tiles=TILES)
    assert marker.exists(), "no worker was killed"
    check_nearest(result, points, abut.AABBs(boxes), 2, np.inf)
    marker.unlink()
    result = abut.dask.counts(*sources, tmp_path / "counts", shapes=shapes, client=client, tiles=TILES)
    assert marker.exists(), "no worker was killed"
    want = abut.Index(abut.AABBs(boxes)).counts(abut.Spheres(spheres))
    assert np.array_equal(np.concatenate([np.load(path) for path in result["files"]]), want)


def test_wrong_sources_raise(tmp_path):
    client = object()
    shapes = abut.Spheres, abut.AABBs
    with pytest.raises(FileNotFoundError, match="no blocks"):
        abut.dask.join(str(tmp_path / "none-*.npy"), str(tmp_path), tmp_path / "out", shapes=shapes, client=client)
    (tmp_path / "a.parquet").touch()
    frame = SimpleNamespace(columns=["r", "x", "y", "z"], to_delayed=list)
    with pytest.raises(TypeError, match="a Dask DataFrame is not read by position"):
        abut.dask.counts(frame, "b-*.npy", tmp_path / "out", shapes=(abut.Spheres, abut.Spheres), client=object())
    with pytest.raises(ValueError, match="Parquet needs a reader"):
        abut.dask.join(str(tmp_path), str(tmp_path), tmp_path / "out", shapes=shapes, client=client)
    with pytest.raises(ValueError, match="k is at least 1"):
        abut.dask.nearest("a", "b", tmp_path / "out", shapes=abut.AABBs, k=0, client=client)
    with pytest.raises(ValueError, match="2 sets need as many shapes"):
        abut.dask.join("a", "b", tmp_path / "out", shapes=abut.Spheres, client=client)
    with pytest.raises(TypeError, match="OBBs"):
        abut.dask.join("a", "b", tmp_path / "out", shapes=(abut.Spheres, abut.OBBs), client=client)
