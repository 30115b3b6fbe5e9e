"""Items of scenes: their keys and values as text, checked by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carom import _carom
from carom._body import Body
from carom._carom import InputError
from carom._toml import inline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from carom._carom import Law

#: Names of items in messages where the header has another.
NOUNS = {"[[urdf]]": "robot", "[[passing]]": "pair that passes"}


def item_of(header: str, item: str, keys: Mapping[str, Any], law: Law | None = None) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """An item, whose keys and values are checked by themselves; ``law`` is that of the scene, if it is one of your own."""
    written = []
    for key, value in keys.items():
        if value is not None:
            try:
                written.append((key, inline(value)))
            except TypeError as why:
                raise InputError(f"{item}: `{key}` holds {why}; expected numbers or words") from None
            except OverflowError:
                raise InputError(f"{item}: `{key}` holds a whole number beyond the range of floats") from None
    text = "\n".join([header, *(f"{key} = {value}" for key, value in written)])
    _carom._check_item(item, text, law)
    return header, item, tuple(written)


def solid_of(noun: str, name: str, body: Body) -> dict[str, Any]:
    """The keys of a body."""
    if not isinstance(body, Body):
        raise InputError(f'{noun} "{name}": the body is of the type {type(body).__name__}; expected a carom.Body')
    if body._place is not None:
        raise InputError(f'{noun} "{name}": the body is a piece of a compound, by `at`; expected `position` of the {noun} instead')
    return body._table()


def vector_of(noun: str, name: str, key: str, given: ArrayLike) -> list[Any]:
    try:
        return list(given)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f'{noun} "{name}": `{key}` is {given!r}; expected 2 numbers, or 3 in space') from None


def ends_of(noun: str, ends: Sequence[ArrayLike] | None) -> dict[str, Any]:
    if ends is None:
        return {}
    try:
        start, end = ends
    except (TypeError, ValueError):
        raise InputError(f"ends of a {noun} are {ends!r}; expected 2 points, one on A and one on B") from None
    return {"from": start, "to": end}


def pair_of(between: Sequence[str]) -> Any:
    """Two names; one alone is for the reader to refuse."""
    return between if isinstance(between, str) else list(between)


def noun_of(header: str) -> str:
    return NOUNS.get(header) or header.strip("[]").replace("_", " ")
