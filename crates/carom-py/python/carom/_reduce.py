from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from carom._carom import InputError, _reduce
from carom._columns import table_of
from carom._toml import inline, quoted

#: The most draws, as for the command.
MOST_DRAWS = 1_000_000


class LeftOut(NamedTuple):
    """A trial that gives no collision: its name, why, and where it begins, as a row from 0, or a line if the tracks come from a file."""

    trial: str
    reason: str
    row: int


@dataclass(frozen=True, eq=False)
class Reduction(Mapping[str, Any]):
    """Measured collisions with their errors, by :func:`reduce`.

    It is a mapping of the columns, which :func:`fit` takes as it is. Notebooks and ``print`` show its summary.

    Attributes
    ----------
    collisions : dict
        The columns of the table that the command ``carom reduce`` writes: arrays of numbers, NaN where there is none, and lists of words.
        ``rejected_lines`` has rows from 0, or lines if the tracks come from a file.
    left_out : tuple of LeftOut
        Trials that give no collision, each with `trial`, `reason` and `row`.
    title : str or None
        What was measured, if the setup says it.
    deviation : float
        The standard deviation of a coordinate, given or measured, m.
    """

    collisions: dict[str, Any]
    left_out: tuple[LeftOut, ...]
    title: str | None
    deviation: float
    _summary: str = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.collisions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.collisions)

    def __len__(self) -> int:
        return len(self.collisions)

    # Arrays are equal element by element only.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def summary(self) -> str:
        """The table of the command, for a terminal."""
        return self._summary

    def __str__(self) -> str:
        return self._summary

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._summary)}</pre>"

    def to_pandas(self) -> Any:
        """The collisions as a data frame."""
        return import_module("pandas").DataFrame(self.collisions)


def reduce(
    frames: Any,
    setup: str | os.PathLike[str] | Mapping[str, Any],
    *,
    draws: int = 400,
    seed: int = 1,
    output: str | os.PathLike[str] | None = None,
) -> Reduction:
    """Reduce tracked positions to collisions with errors, as the command ``carom reduce`` does.

    Parameters
    ----------
    frames : path, mapping of columns, or data frame
        A CSV file, or columns in pandas, polars, Arrow, a structured array or a dictionary, with a row for each frame and body: ``trial``,
        ``body``, ``time`` (s) or ``frame``, ``phase``, ``x1``, ``y1``, ``x2``, ``y2`` and so on of marks, ``x``, ``y`` of the centre of
        mass, ``angle``. NaN, None or an empty word was not seen.
    setup : path or mapping
        A TOML file, or the same as a dictionary: ``camera``, ``body`` (a list), ``wall``, ``force``.
    draws : int
        Draws of the Monte Carlo errors of each collision; 0 for none.
    seed : int
        Of the draws.
    output : path, optional
        A CSV file for the collisions.

    Returns
    -------
    Reduction

    Raises
    ------
    InputError
        If tracks or setup are wrong, with the row or line, or no trial gives a collision.

    Examples
    --------
    >>> import carom
    >>> reduction = carom.reduce("data/half-puck-frames.csv", "data/half-puck.toml", draws=0)
    >>> reduction.collisions["restitution"][:3].round(3)
    array([0.885, 0.808, 0.921])
    >>> carom.fit("routh-poisson", reduction).x.round(2)
    array([0.92, 0.2 ])
    """
    if not 0 <= draws <= MOST_DRAWS:
        raise InputError(f"draws is {draws}; expected 0 to {MOST_DRAWS}")
    if not 0 <= seed < 2**64:
        raise InputError(f"seed is {seed}; expected 0 to 2⁶⁴ − 1")
    if output is not None and not Path(output).resolve().parent.is_dir():
        raise FileNotFoundError(f"there is no folder {Path(output).resolve().parent}")
    found = _reduce(table_of(frames), _given(setup), draws, seed)
    if output is not None:
        path = Path(output)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.resolve().parent, suffix=".tmp", delete=False
        ) as file:
            file.write(found["csv"])
        os.replace(file.name, path)
    return Reduction(
        collisions=found["collisions"],
        left_out=tuple(LeftOut(*each) for each in found["left_out"]),
        title=found["title"],
        deviation=found["deviation"],
        _summary=found["summary"],
    )


def _given(setup: Any) -> dict[str, Any]:
    """A path, or the text of the setup and the lines at which its tables begin."""
    if isinstance(setup, (str, os.PathLike)):
        return {"path": os.fspath(setup), "text": "", "tables": []}
    if not isinstance(setup, Mapping):
        raise InputError(f"setup is of the type {type(setup).__name__}; expected a path or a dictionary")
    lines: list[str] = []
    tables: list[tuple[int, str]] = [(1, "setup")]
    parts: list[tuple[str, str, Mapping[str, Any]]] = []
    top: dict[str, Any] = {}
    for key, value in setup.items():
        name = quoted(str(key))
        if isinstance(value, Mapping):
            parts.append((f"[{name}]", f"setup: {key}", value))
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, Mapping) for item in value):
            parts += [(f"[[{name}]]", f"setup: {key} {place}", item) for place, item in enumerate(value, 1)]
        else:
            top[key] = value
    for header, item, keys in [("", "setup", top), *parts]:
        if header:
            lines.append(header)
            tables.append((len(lines), item))
        for key, value in keys.items():
            if value is not None:
                lines.append(f"{quoted(str(key))} = {_written(item, key, value)}")
    return {"path": None, "text": "\n".join(lines) + "\n", "tables": tables}


def _written(item: str, key: str, value: Any) -> str:
    try:
        return inline(value)
    except TypeError as why:
        raise InputError(f"{item}: `{key}` holds {why}; expected numbers or words") from None
    except OverflowError:
        raise InputError(f"{item}: `{key}` holds a whole number beyond the range of floats") from None
