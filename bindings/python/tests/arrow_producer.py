# SPDX-License-Identifier: MIT
"""Arrow data made by hand, as no Arrow library is needed: the structs of the C data interface, in capsules."""
import ctypes as c

import numpy as np

FORMATS = {"float32": b"f", "float64": b"g", "float16": b"e", "int32": b"i", "uint8": b"C", "int64": b"l"}
#: Producers outlive what looks at their memory and calls them back.
ALIVE = []
TEXT = c.create_string_buffer(b"it broke")
new_capsule = c.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]


class Schema(c.Structure):
    pass


class Array(c.Structure):
    pass


class Stream(c.Structure):
    pass


RELEASE_SCHEMA, RELEASE_ARRAY = c.CFUNCTYPE(None, c.POINTER(Schema)), c.CFUNCTYPE(None, c.POINTER(Array))
RELEASE_STREAM, LAST_ERROR = c.CFUNCTYPE(None, c.POINTER(Stream)), c.CFUNCTYPE(c.c_void_p, c.POINTER(Stream))
GET_SCHEMA = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Schema))
GET_NEXT = c.CFUNCTYPE(c.c_int, c.POINTER(Stream), c.POINTER(Array))
Schema._fields_ = [
    ("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_char_p), ("flags", c.c_int64),
    ("n_children", c.c_int64), ("children", c.POINTER(c.POINTER(Schema))), ("dictionary", c.POINTER(Schema)),
    ("release", RELEASE_SCHEMA), ("private", c.c_void_p),
]
Array._fields_ = [
    ("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64), ("n_buffers", c.c_int64),
    ("n_children", c.c_int64), ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(Array))),
    ("dictionary", c.POINTER(Array)), ("release", RELEASE_ARRAY), ("private", c.c_void_p),
]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", LAST_ERROR), ("release", RELEASE_STREAM),
    ("private", c.c_void_p),
]


def pointers(kind, structs):
    array = (c.POINTER(kind) * max(len(structs), 1))(*map(c.pointer, structs))
    return c.cast(array, c.POINTER(c.POINTER(kind)))


class Producer:
    """Exports an array, (n, k) rows as fixed-size lists, or a dict of columns as records. It counts what is taken.

    offset: rows in front that do not count. valid: for each row whether it is valid. released: arrays given back.
    spoil: a function that changes schema and array of the whole before they are exported.
    """

    def __init__(self, data, *, offset=0, valid=None, format=None, spoil=None):
        self.data, self.offset, self.valid, self.format, self.spoil = data, offset, valid, format, spoil
        self.released, self.schemas, self.kept = 0, 0, []

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = self.structs()
        self.kept += [schema, array]
        make = lambda struct, name: new_capsule(c.addressof(struct), name, None)
        return make(schema, b"arrow_schema"), make(array, b"arrow_array")

    def structs(self):
        """The structs of the whole, which release themselves as the interface says: by clearing release."""
        schema, array = self.part(self.data, b"")
        ALIVE.append(self)

        def free_schema(pointer):
            self.schemas += 1
            pointer.contents.release = RELEASE_SCHEMA()

        def free_array(pointer):
            self.released += 1
            pointer.contents.release = RELEASE_ARRAY()

        schema.release, array.release = RELEASE_SCHEMA(free_schema), RELEASE_ARRAY(free_array)
        if self.spoil:
            self.spoil(schema, array)
        return schema, array

    def part(self, data, name):
        if isinstance(data, dict):
            parts = [self.part(column, key.encode()) for key, column in data.items()]
            return self.nest(b"+s", name, parts, len(next(iter(data.values()))) - self.offset)
        if data.ndim == 2:
            items = Producer(np.ascontiguousarray(data).ravel())
            self.kept.append(items)
            return self.nest(b"+w:%d" % data.shape[1], name, [items.part(items.data, b"item")], len(data) - self.offset)
        data = np.ascontiguousarray(data)
        validity = None
        if self.valid is not None:
            validity = np.packbits(np.r_[np.ones(self.offset, bool), self.valid], bitorder="little")
        nested = isinstance(self.data, dict)
        buffers = (c.c_void_p * 2)(None if validity is None else validity.ctypes.data, data.ctypes.data)
        self.kept += [data, validity, buffers]
        array = Array(
            length=len(data) - (0 if nested else self.offset), null_count=0 if validity is None else -1,
            offset=0 if nested else self.offset, n_buffers=2, buffers=c.cast(buffers, c.POINTER(c.c_void_p)),
        )
        return Schema(format=self.format or FORMATS[data.dtype.name], name=name), array

    def nest(self, format, name, parts, length):
        schemas, arrays = pointers(Schema, [s for s, _ in parts]), pointers(Array, [a for _, a in parts])
        buffers = (c.c_void_p * 1)(None)
        self.kept += [parts, schemas, arrays, buffers]
        array = Array(
            length=length, offset=self.offset, n_buffers=1, n_children=len(parts), children=arrays,
            buffers=c.cast(buffers, c.POINTER(c.c_void_p)),
        )
        return Schema(format=format, name=name, n_children=len(parts), children=schemas), array


class StreamProducer:
    """Exports producers one after another, and may fail after the last. Without chunks it has the schema of one."""

    def __init__(self, chunks, error=0, empty_of=None, spoil=None):
        self.chunks, self.error, self.released, self.kept = chunks, error, 0, []
        self.first, self.spoil = empty_of or chunks[0], spoil

    def __arrow_c_stream__(self, requested_schema=None):
        rest = list(self.chunks)
        ALIVE.append(self)

        def get_schema(stream, out):
            schema, _ = self.first.structs()
            self.kept.append(schema)
            c.memmove(out, c.byref(schema), c.sizeof(Schema))
            return 0

        def get_next(stream, out):
            if not rest and self.error:
                return self.error
            array = rest.pop(0).structs()[1] if rest else Array()
            self.kept.append(array)
            c.memmove(out, c.byref(array), c.sizeof(Array))
            return 0

        def release(stream):
            self.released += 1
            stream.contents.release = RELEASE_STREAM()

        stream = Stream(GET_SCHEMA(get_schema), GET_NEXT(get_next), LAST_ERROR(lambda _: c.addressof(TEXT)),
                        RELEASE_STREAM(release))
        self.kept.append(stream)
        if self.spoil:
            self.spoil(stream)
        return new_capsule(c.addressof(stream), b"arrow_array_stream", None)
