# SPDX-License-Identifier: MIT
"""Arrow data (pyarrow, Polars, DuckDB, nanoarrow) by the C data interface: columns in place, and no Arrow library."""
from __future__ import annotations

from typing import Any, Collection

import numpy as np

from . import _abut
from ._arrays import view


def has_arrow(x: Any) -> bool:
    """Whether this offers its columns by the C data interface. pandas does by pyarrow alone, which makes nan null."""
    return (
        type(x) is not np.ndarray
        and (hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"))
        and not hasattr(x, "iloc")
    )


class Records:
    """Records in chunks: the names of their columns, and those columns that were wanted."""

    def __init__(self, chunks: list[list[tuple[str, Any]]]):
        self.columns = [name for name, _ in chunks[0]]
        self._chunks = chunks

    def __getitem__(self, name: str) -> np.ndarray:
        at = self.columns.index(name)
        return _join(name, [chunk[at][1] for chunk in self._chunks])


def columns_of(x: Any, wanted: Collection[str]) -> Records | np.ndarray:
    """Records or a table, of which columns of other names are not looked at, or one array."""
    if hasattr(x, "__arrow_c_array__"):
        chunks = [_abut.arrow_array(*x.__arrow_c_array__(), wanted)]
    else:
        chunks = _abut.arrow_stream(x.__arrow_c_stream__(), wanted)
    return Records(chunks) if isinstance(chunks[0], list) else _join("", chunks)


def _array(column: Any, name: str) -> np.ndarray:
    """A column as an array of shape (n,), or (n, width) for fixed-size lists."""
    if isinstance(column, str):
        raise TypeError(f"the Arrow column {name} has the format {column!r}: numbers are needed, float32 at best")
    dtype, width, memory = column
    return view(memory, dtype).reshape((-1, width) if width else -1)


def _join(name: str, chunks: list[Any]) -> np.ndarray:
    """One array of the chunks of a column: in place if there is one chunk."""
    arrays = [_array(chunk, name) for chunk in chunks]
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
