"""Values as the text of a scenario file. A number is written in the digits that read back to the same bits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def inline(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (int, float)):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(inline(item) for item in value) + "]"
    # Arrays and numbers of NumPy and its like.
    if hasattr(value, "tolist"):
        return inline(value.tolist())
    raise TypeError(f"{value!r}, which is of the type {type(value).__name__}")


def quoted(text: str) -> str:
    """A string. The escapes of JSON are those of TOML, which wants that of one more character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
