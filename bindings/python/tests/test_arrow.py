# SPDX-License-Identifier: MIT
"""Arrow data by the C data interface: every layout gives the same shapes, in place, and all memory is given back."""
import gc

import numpy as np
import pytest
import scenes
from arrow_producer import Producer, StreamProducer

import abut


@pytest.fixture
def rows(rng):
    return scenes.rows("spheres", rng, 100)


def records(rows, dtype=np.float32):
    return {name: np.array(column, dtype) for name, column in zip("xyzr", rows.T)}


def same(shapes, rows):
    boxes = abut.AABBs([[-3, -3, -3, 3, 3, 3]])
    assert len(shapes) == len(rows)
    assert np.array_equal(shapes.bounds, abut.Spheres(rows).bounds)
    assert np.array_equal(abut.touches(shapes, boxes), abut.touches(abut.Spheres(rows), boxes))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "int64"])
def test_records(dtype, rows):
    extra = {"name": np.arange(len(rows), dtype=np.int32), **records(rows, dtype)}
    source = Producer(extra)
    shapes = abut.Spheres(source)
    same(shapes, rows)
    assert shapes.copied == (0 if dtype in ("float32", "float16") else 4), "NumPy makes float32 of float16"
    assert source.released == (dtype != "float32"), "columns in place hold the array, and copies do not"
    del shapes
    gc.collect()
    assert source.released == 1


def test_rows_columns_and_parts(rows):
    same(abut.Spheres(Producer(rows)), rows)
    columns = [Producer(column) for column in rows.T]
    same(abut.Spheres(*columns), rows)
    same(abut.Spheres(tuple(columns)), rows)
    same(abut.Spheres(Producer(rows[:, :3]), Producer(rows[:, 3])), rows)
    same(abut.Spheres(center=Producer(rows[:, :3]), radius=rows[:, 3]), rows)
    index = abut.Index(abut.Spheres(rows))
    assert np.array_equal(index.nearest(Producer(rows[:, :3]))[1], index.nearest(rows[:, :3])[1])


def test_offsets(rows):
    same(abut.Spheres(Producer(records(rows), offset=13)), rows[13:])
    same(abut.Spheres(Producer(rows, offset=13)), rows[13:])
    same(abut.Spheres(*[Producer(column, offset=13) for column in rows.T]), rows[13:])


@pytest.mark.parametrize("n", [0, 1])
def test_few_rows(n, rows):
    same(abut.Spheres(Producer(records(rows[:n]))), rows[:n])
    same(abut.Spheres(Producer(rows[:n])), rows[:n])


def test_streams(rows):
    chunks = [Producer(records(part)) for part in np.array_split(rows, 3)]
    source = StreamProducer(chunks)
    same(abut.Spheres(source), rows)
    gc.collect()
    assert source.released == 1 and [chunk.released for chunk in chunks] == [1, 1, 1]
    one = Producer(records(rows))
    shapes = abut.Spheres(StreamProducer([one]))
    same(shapes, rows)
    assert shapes.copied == 0
    failing = StreamProducer([Producer(records(rows))], error=5)
    with pytest.raises(ValueError, match="error 5: it broke"):
        abut.Spheres(failing)
    gc.collect()
    assert failing.released == 1 and failing.chunks[0].released == 1


def test_nulls_are_named(rows):
    valid = np.ones(87, bool)
    same(abut.Spheres(*[Producer(column, offset=13, valid=valid) for column in rows.T]), rows[13:])
    valid[41] = False
    source = Producer(rows[:, 1], offset=13, valid=valid)
    with pytest.raises(ValueError, match="row 41 of the Arrow column"):
        abut.Spheres(rows[13:, 0], source, rows[13:, 2], rows[13:, 3])
    gc.collect()
    assert source.released == 1 and source.schemas == 0


def test_wrong_arrow_data_raises(rows):
    missing = records(rows)
    missing["R"] = missing.pop("r")
    with pytest.raises(TypeError, match="need columns of the names x, y, z, r; these are x, y, z, R"):
        abut.Spheres(Producer(missing))
    text = Producer(records(rows), format=b"u")
    with pytest.raises(TypeError, match="Arrow column x has the format 'u': numbers are needed"):
        abut.Spheres(text)
    gc.collect()
    assert text.released == 1
    with pytest.raises(ValueError, match="4 numbers a row"):
        abut.Spheres(Producer(rows[:, :3]))

    class Twice(Producer):
        """Gives the same capsules again, of which the array has been taken."""

        def __arrow_c_array__(self, requested_schema=None):
            self.capsules = getattr(self, "capsules", None) or super().__arrow_c_array__()
            return self.capsules

    twice = Twice(rows)
    same(abut.Spheres(twice), rows)
    with pytest.raises(ValueError, match="taken, before"):
        abut.Spheres(twice)

    class NotCapsules:
        def __arrow_c_array__(self, requested_schema=None):
            return "schema", "array"

    with pytest.raises((TypeError, ValueError)):
        abut.Spheres(NotCapsules())
