"""Tables for data frames and notebooks."""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom._carom import Table

#: Rows of the beginning and of the end that notebooks show.
SHOWN = 5


def to_pandas(table: Table) -> Any:
    """The table as a data frame."""
    pandas = import_module("pandas")
    # Before pandas 3 there is no way without copies.
    read = getattr(pandas.DataFrame, "from_arrow", None)
    frame = pandas.DataFrame(dict(table.items())) if read is None else read(table)
    frame.attrs["units"] = table.units
    return frame


def html(table: Table) -> str:
    """Its first and last rows."""
    rows = table.shape[0]
    places = list(range(rows)) if rows <= 2 * SHOWN + 1 else [*range(SHOWN), None, *range(rows - SHOWN, rows)]
    head = "".join(f"<th>{escape(name)}{f'<br>{escape(unit)}' if unit else ''}</th>" for name, unit in table.units.items())
    body = []
    for place in places:
        cells = ["⋮" if place is None else _cell(column[place].item()) for column in table.values()]
        body.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return f"<table><tr>{head}</tr>{''.join(body)}</table>{rows} rows"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    return escape(str(value))
