# SPDX-License-Identifier: MIT
"""Tables and labelled rows (DataFrames, dicts, structured arrays, Arrow records), which are read by names alone."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Collection, Sequence

import numpy as np

from ._arrays import as_floats
from ._arrow import columns_of, has_arrow

#: No more names than this are listed in a message.
MOST_NAMES = 12


def names_of(x: Any, row: bool = True) -> list[Any] | None:
    """The names of the columns of a table, or of the numbers of a labelled row; None for what has no names."""
    if isinstance(x, (np.ndarray, np.generic)):
        return list(x.dtype.names) if x.dtype.names else None
    if isinstance(x, Mapping):
        return list(x)
    if isinstance(x, tuple):
        return list(x._fields) if hasattr(x, "_fields") else None
    for attribute in ("column_names", "columns"):
        names = getattr(x, attribute, None)
        if names is not None and not callable(names):
            return list(names)
    # A row of a DataFrame is a series with the names of the columns. Other series are columns, mostly numbered.
    if row and hasattr(x, "iloc") and x.index.dtype.kind not in "iuf":
        return list(x.index)
    return None


def _column(x: Any, name: str) -> np.ndarray:
    try:
        return as_floats(getattr(x, name) if isinstance(x, tuple) else x[name])
    except (TypeError, ValueError) as error:
        raise type(error)(f"column {name}: {error}") from None


def columns_by_name(
    x: Any, what: str, ways: Sequence[Sequence[str]], row: bool = True
) -> tuple[Sequence[str], list[Any]] | None:
    """The first of several lists of names that a table has, and these columns; None if x has no names.

    The first list is of all names. One without z is taken only where no column is named as one of its z. row: a series
    with names is a row; otherwise it is a column, whose names do not count.
    """
    if isinstance(x, (list, tuple)) and len(x) and names_of(x[0]) is not None:
        raise TypeError(f"{what}: a list of rows with names: make one table of them, or pass a column each")
    names = names_of(x, row)
    if names is None:
        return None
    heights = {name for way in ways for name in way if "z" in name} & {str(name).lower() for name in names}
    for way in ways:
        if set(way) <= set(names) and (len(way) == len(ways[0]) or not heights):
            for name in way:
                if names.count(name) > 1:
                    raise TypeError(f"{what}: {names.count(name)} columns are named {name}: leave all but one out")
            return way, [_column(x, name) for name in way]
    there = ", ".join(map(str, names[:MOST_NAMES])) + (", ..." if len(names) > MOST_NAMES else "")
    flat = f" (without z: {', '.join(ways[1])})" if len(ways) > 1 and len(ways[1]) < len(ways[0]) else ""
    raise TypeError(
        f"{what} need columns of the names {', '.join(ways[0])}{flat}; these are {there or 'none'}: rename them, or "
        f"pass an array whose columns are in this order"
    )


def without_arrow(x: Any, names: Collection[str]) -> Any:
    """Arrow data as a table with these columns or as an array, and other things as they are."""
    return columns_of(x, names) if has_arrow(x) else x


def rows_of(x: Any, what: str, names: Sequence[str], flat: Sequence[str] = ()) -> np.ndarray:
    """The numbers of a table or a labelled row with these names, in their order; anything else as an array."""
    x = without_arrow(x, names)
    found = columns_by_name(x, what, (names, flat) if flat else (names,))
    return as_floats(x) if found is None else np.stack(np.broadcast_arrays(*found[1]), -1)


def with_z(x: np.ndarray) -> np.ndarray:
    """Vectors in the last dimension, of which two numbers have a z of 0."""
    return np.concatenate([x, np.zeros_like(x[..., :1])], -1) if x.ndim and x.shape[-1] == 2 else x
