# SPDX-License-Identifier: MIT
"""Arrow data (pyarrow, Polars, DuckDB, nanoarrow) by the C data interface: columns in place, and no Arrow library."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import _abut
from ._arrays import view


def has_arrow(x: Any) -> bool:
    """Whether this offers its columns by the C data interface. That of pandas asks for pyarrow, and nan becomes null."""
    return (
        type(x) is not np.ndarray
        and (hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"))
        and not hasattr(x, "iloc")
    )


class Records(Mapping):
    """Records in chunks, whose columns are looked at when they are taken out by their names."""

    def __init__(self, chunks: list[dict[str, Any]]):
        self.chunks = chunks

    def __getitem__(self, name: str) -> np.ndarray:
        return _join(name, [chunk[name] for chunk in self.chunks])

    def __iter__(self) -> Iterator[str]:
        return iter(self.chunks[0])

    def __len__(self) -> int:
        return len(self.chunks[0])


def columns_of(x: Any) -> Records | np.ndarray:
    """Records or a table, whose columns are not looked at yet, or one array."""
    if hasattr(x, "__arrow_c_array__"):
        chunks = [_abut.arrow_array(*x.__arrow_c_array__())]
    else:
        chunks = _abut.arrow_stream(x.__arrow_c_stream__())
    if not chunks:
        return np.empty(0, np.float32)
    return Records(chunks) if isinstance(chunks[0], dict) else _join("", chunks)


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
