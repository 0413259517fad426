# SPDX-License-Identifier: MIT
"""Arrow data (pyarrow, Polars, DuckDB, nanoarrow) by the C data interface: columns in place, and no Arrow library."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _abut
from ._arrays import view


def has_arrow(x: Any) -> bool:
    """Whether this offers its columns by the C data interface."""
    return type(x) is not np.ndarray and (hasattr(x, "__arrow_c_array__") or hasattr(x, "__arrow_c_stream__"))


def _array(column: Any, name: str) -> np.ndarray:
    """A column as an array of shape (n,), or (n, width) for fixed-size lists."""
    if isinstance(column, str):
        raise TypeError(f"the Arrow column {name} has the format {column!r}: numbers are needed, float32 at best")
    dtype, width, memory = column
    return view(memory, dtype).reshape((-1, width) if width else -1)


def columns_of(x: Any) -> dict[str, Any] | np.ndarray | None:
    """The columns of records or of a table, not looked at yet, or one array; None if x cannot export them now."""
    try:
        if hasattr(x, "__arrow_c_array__"):
            chunks = [_abut.arrow_array(*x.__arrow_c_array__())]
        else:
            chunks = _abut.arrow_stream(x.__arrow_c_stream__())
    except ImportError:  # pandas asks for pyarrow
        return None
    if not chunks:
        return np.empty(0, np.float32)
    if isinstance(chunks[0], dict):
        return {name: [chunk[name] for chunk in chunks] for name in chunks[0]}
    return join("", chunks)


def join(name: str, chunks: list[Any]) -> np.ndarray:
    """One array of the chunks of a column: in place if there is one chunk."""
    arrays = [_array(chunk, name) for chunk in chunks]
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
