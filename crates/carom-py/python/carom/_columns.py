"""Tables of other programs as columns: arrays of numbers, or lists of words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from carom._carom import InputError


def table_of(data: Any) -> Any:
    """A path, or columns by name."""
    import numpy as np

    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    if isinstance(data, np.ndarray) and data.dtype.names:
        names: Iterable[Any] = data.dtype.names
    elif isinstance(data, Mapping):
        names = data.keys()
    elif hasattr(data, "column_names"):
        names = data.column_names
    elif hasattr(data, "columns") and not callable(data.columns):
        names = data.columns
    elif hasattr(data, "__arrow_c_stream__"):
        data = import_module("pyarrow").table(data)
        names = data.column_names
    else:
        raise InputError(f"data is of the type {type(data).__name__}; expected a path, a data frame or a mapping of columns")
    return [(str(name), _column(str(name), data[name])) for name in names]


def _column(name: str, values: Any) -> Any:
    import numpy as np

    values = np.asarray(values)
    if values.ndim != 1:
        raise InputError(f"the column `{name}` has the shape {values.shape}; expected one number in each row")
    if values.dtype.kind in "fiub":
        return np.ascontiguousarray(values, dtype=np.float64)
    items = [None if _is_missing(value) else value for value in values.tolist()]
    if all(item is None or isinstance(item, (int, float)) for item in items):
        return np.array([np.nan if item is None else item for item in items], dtype=np.float64)
    return ["" if item is None else str(item) for item in items]


def _is_missing(value: Any) -> bool:
    """None, NaN, and what pandas has in their place, which equals nothing."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)
