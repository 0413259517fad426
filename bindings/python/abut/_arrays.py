# SPDX-License-Identifier: MIT
"""What users pass, as NumPy arrays of native float32 or float64; and memory of the extension as arrays."""
from __future__ import annotations

from typing import Any

import numpy as np

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
# float64 holds integers up to here without rounding.
MOST_INTEGER = 2**53


def as_floats(x: Any) -> np.ndarray:
    """The array itself if it is of native float32 or float64, else the least conversion of it."""
    if type(x) is np.ndarray and x.dtype in FLOATS and x.dtype.isnative:
        return x
    if not isinstance(x, np.ndarray) and hasattr(x, "__dlpack__"):
        x = np.from_dlpack(x)
    if hasattr(x, "isna") and not isinstance(getattr(x, "dtype", FLOATS[0]), np.dtype):
        x = _of_nullable(x)
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise TypeError("masked items have no meaning here: leave them out, or fill them, with nan say")
    x = np.asarray(x)
    if x.dtype.names:
        raise TypeError(f"a structured array with the fields {', '.join(x.dtype.names)} does not fit these shapes")
    if x.dtype.kind == "f" and x.dtype.itemsize <= 8:
        return x.astype(np.float32 if x.dtype.itemsize < 8 else np.float64, copy=False)
    if x.dtype.kind in "iub":
        if x.dtype.itemsize == 8 and x.size and (x.max() > MOST_INTEGER or x.min() < -MOST_INTEGER):
            raise ValueError(f"an integer beyond 2**53 would be rounded twice: convert the array first")
        return x.astype(np.float64)
    if x.size == 0 and x.dtype == object:
        return np.zeros(x.shape, np.float32)
    raise TypeError(f"numbers are needed, float32 at best; this is an array of {x.dtype}")


def _of_nullable(x: Any) -> Any:
    """A column of pandas with a type that is not NumPy's, as Float32 or Int64: its numbers, if none is missing."""
    missing = np.flatnonzero(x.isna())
    if missing.size:
        raise ValueError(f"row {missing[0]} is missing, which has no meaning here: fill it, with nan say")
    return x.to_numpy(getattr(x.dtype, "numpy_dtype", np.float64)) if x.dtype.kind in "iufb" else x


def view(memory: Any, dtype: Any) -> np.ndarray:
    """The memory of a result, without a copy."""
    return np.frombuffer(memory, dtype=dtype) if memoryview(memory).nbytes else np.empty(0, dtype)
