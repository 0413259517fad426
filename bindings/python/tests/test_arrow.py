# SPDX-License-Identifier: MIT
"""Arrow data by the C data interface: every layout gives the same shapes, in place, and all memory is given back."""
import gc

import numpy as np
import pytest
import scenes
from arrow_producer import GET_NEXT, GET_SCHEMA, LAST_ERROR, Array, Producer, Schema, StreamProducer, pointers

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
    with pytest.raises(TypeError, match=r"names x, y, z, r \(without z: x, y, r\); these are x, y, z, R"):
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


def test_other_columns_do_not_count(rows):
    bits = np.packbits(np.arange(100) < 50, bitorder="little")
    columns = {**records(rows), "weight": np.zeros(100, np.float32)}

    def spoil(schema, array):
        weight = array.children[4].contents
        weight.null_count, weight.length = -1, 50
        weight.buffers[0] = bits.ctypes.data
        schema.children[4].contents.format = None

    same(abut.Spheres(Producer(columns, spoil=spoil)), rows)


def test_names_that_are_there_twice(rows):
    def rename(schema, array):
        schema.children[4].contents.name = again

    columns = {**records(rows), "weight": rows[:, 0]}
    again = b"other"
    same(abut.Spheres(Producer(columns, spoil=rename)), rows)
    again = b"y"
    with pytest.raises(TypeError, match="Spheres: 2 columns are named y"):
        abut.Spheres(Producer(columns, spoil=rename))


def test_streams_without_chunks(rows):
    for empty in Producer(records(rows)), Producer(rows):
        stream = StreamProducer([], empty_of=empty)
        assert len(abut.Spheres(stream)) == 0 and stream.released == 1
    with pytest.raises(TypeError, match=r"names x, y, z, r \(without z: x, y, r\); these are a"):
        abut.Spheres(StreamProducer([], empty_of=Producer({"a": rows[:, 0]})))


def child(change):
    """Changes the second column of records."""
    return lambda schema, array: change(schema.children[1].contents, array.children[1].contents)


def items(change):
    """Changes the numbers of fixed-size lists."""
    return lambda schema, array: change(schema.children[0].contents, array.children[0].contents)


def put(**members):
    """Changes members of the array, or of its schema where the name says so."""

    def spoil(schema, array):
        for name, value in members.items():
            setattr(schema if name.startswith("schema_") else array, name.removeprefix("schema_"), value)

    return spoil


def missing(kind):
    return pointers(kind, [])  # an array of one pointer, which is null


MALFORMED = {
    "a child is shorter": (dict, child(put(length=99)), "column y: it is shorter than its records"),
    "a child is empty": (dict, child(put(length=0)), "column y: it is shorter"),
    "the offset is beyond": (dict, put(offset=1), "column x: it is shorter"),
    "records of no length that is true": (dict, put(length=2**62), "length is negative, or more"),
    "records of negative length": (dict, put(length=-1), "length is negative"),
    "records of a negative offset": (dict, put(offset=-100), "offset is negative"),
    "records of a huge offset": (dict, put(offset=2**63 - 1), "offset is negative, or more"),
    "a child of a huge length": (dict, child(put(length=2**62)), "column y: its length is negative, or more"),
    "a child of a negative offset": (dict, child(put(offset=-1)), "column y: its offset is negative"),
    "a child without a format": (dict, child(put(schema_format=None)), "column y: it has no format"),
    "a child without buffers": (dict, child(put(buffers=None)), "column y: its buffers are missing"),
    "a child of one buffer": (dict, child(put(n_buffers=1)), "column y: numbers have two buffers"),
    "a child of negative buffers": (dict, child(put(n_buffers=-2)), "column y: its buffers are missing"),
    "nulls that are nowhere": (dict, child(put(null_count=3)), "column y: it counts nulls"),
    "fewer children than the schema": (dict, put(n_children=2), "children are not those of its schema"),
    "more children than the schema": (dict, put(schema_n_children=2), "children are not those of its schema"),
    "no children": (dict, put(children=None), "children are not those"),
    "no children in the schema": (dict, put(schema_children=None), "children are missing"),
    "negative children": (dict, put(n_children=-4, schema_n_children=-4), "children are missing"),
    "a null child": (dict, put(children=missing(Array)), "one of its children is missing"),
    "a null child in the schema": (dict, put(schema_children=missing(Schema)), "one of its children is missing"),
    "no format": (dict, put(schema_format=None), "it has no format"),
    "rows of no format": (np.array, put(schema_format=None), "it has no format"),
    "lists of a huge length": (np.array, put(length=2**62), "length is negative, or more"),
    "more rows than a batch has": (np.array, put(length=2**32), "has 4294967296 rows, and a batch at most 4294967294"),
    "lists that end too soon": (np.array, items(put(length=399)), "fewer numbers than its rows need"),
    "lists further on than they are": (np.array, put(offset=1), "fewer numbers"),
    "lists of a negative offset": (np.array, items(put(offset=-4)), "offset is negative"),
    "lists of no format": (np.array, items(put(schema_format=None)), "it has no format"),
    "lists without numbers": (np.array, items(put(buffers=None)), "its buffers are missing"),
    "lists without a child": (np.array, put(n_children=0, schema_n_children=0), "a fixed-size list has one child"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_arrays_raise(case, rows):
    kind, spoil, message = MALFORMED[case]
    data = records(rows) if kind is dict else rows
    for stream in False, True:
        source = Producer(data, spoil=spoil)
        with pytest.raises(ValueError, match=message):
            abut.Spheres(StreamProducer([source]) if stream else source)
        gc.collect()
        assert source.released == 1


@pytest.mark.parametrize("width", [b"+w:", b"+w:0", b"+w:-4", b"+w:4x", b"+w:99999999999999999999", b"+w:16"])
def test_malformed_widths_raise(width, rows):
    with pytest.raises(TypeError, match="numbers are needed"):
        abut.Spheres(Producer(rows, spoil=put(schema_format=width)))


@pytest.mark.parametrize("member, null", [("get_schema", GET_SCHEMA()), ("get_next", GET_NEXT())])
def test_malformed_streams_raise(member, null, rows):
    source = StreamProducer([Producer(rows)], spoil=lambda stream: setattr(stream, member, null))
    with pytest.raises(ValueError, match="an Arrow stream without a schema"):
        abut.Spheres(source)
    assert source.released == 1


def test_a_stream_that_gives_no_reason(rows):
    source = StreamProducer([Producer(rows)], 7, spoil=lambda stream: setattr(stream, "get_last_error", LAST_ERROR()))
    with pytest.raises(ValueError, match="error 7: no reason"):
        abut.Spheres(source)


def test_nulls_in_lists_are_named_by_row(rows):
    valid = np.ones(400, bool)
    valid[4 * 17 + 2] = False
    bits = np.packbits(valid, bitorder="little")

    def spoil(schema, array):
        array.null_count = -1
        array.buffers[0] = bits.ctypes.data

    with pytest.raises(ValueError, match="row 17 of the Arrow column"):
        abut.Spheres(Producer(rows, spoil=items(spoil)))
