"""The items of a scene, in the order of the calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from carom._carom import InputError
from carom._items import item_of, noun_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carom._carom import Law
    from carom._scene import Scene

#: The immovable world.
GROUND = "ground"

#: Items that others could take for it.
BODIES = ("body", "robot")


class Items:
    """Items that are added one by one."""

    #: Headers, names in messages, and keys with their values as text.
    _items: list[tuple[str, str, tuple[tuple[str, str], ...]]]
    _counts: dict[str, int]
    _names: set[tuple[str, str | None]]
    #: The law of the scene, if it is one of your own.
    _law: Law | None

    def _add(self, header: str, name: str | None, keys: Mapping[str, Any]) -> Scene:
        noun, count = noun_of(header), self._counts.get(header, 0) + 1
        if name is not None:
            _check_name(noun, name)
        called = f"{noun} {count}" if name is None else f'{noun} "{name}"'
        if name is not None and (header, name) in self._names:
            raise InputError(f"{called}: another {noun} has the same name; expected another name")
        self._items.append(item_of(header, called, {"name": name, **keys}, self._law))
        self._counts[header] = count
        self._names.add((header, name))
        return cast("Scene", self)


def _check_name(noun: str, name: object) -> None:
    if not isinstance(name, str):
        raise InputError(f"the name of a {noun} is {name!r}; expected a word")
    if not name:
        raise InputError(f"the name of a {noun} is empty; expected a word")
    if name == GROUND and noun in BODIES:
        raise InputError(f"{noun}: `{GROUND}` is the name of the immovable world; expected another name")
