from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from carom._carom import CollideResult, InputError, Law, NoAnswerError, collide
from carom._carom import law as find
from carom._carom import laws as every

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


#: Components below this share of the largest are rounding.
NOISE = 1e-14


class Comparison(Mapping[str, CollideResult]):
    """The answers of several laws to the same collisions, by :func:`compare`.

    It maps the id of each law that has an answer to its result. Notebooks show the table.

    Attributes
    ----------
    refusals : dict of str to str
        The reason of each law that has no answer.
    """

    __slots__ = ("_results", "refusals")

    def __init__(self, results: dict[str, CollideResult], refusals: dict[str, str]) -> None:
        self._results = results
        self.refusals = refusals

    def __getitem__(self, law: str) -> CollideResult:
        return self._results[law]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def table(self) -> dict[str, list[Any]]:
        """The answers to one problem as columns, as ``pandas.DataFrame`` takes them.

        Returns
        -------
        dict of str to list
            Law, components of the impulse and of the velocity after, change of energy, mode, and findings of the audit.
        """
        components = ("n", "t1", "t2")
        columns: dict[str, list[Any]] = {"law": []}
        for law, result in self.items():
            if result.shape != ():
                raise InputError(f"a table is of one problem, and these are {result.shape} of them")
            row = {"law": law}
            for name in ("impulse", "velocity_after"):
                row |= {f"{name}_{axis}": number for axis, number in zip(components, getattr(result, name).tolist())}
            found = [f"{name}: {finding}" for name, finding in result.audit.items() if finding != "ok"]
            row |= {"energy_change": result.energy_change, "mode": result.mode, "audit": "; ".join(found) or "ok"}
            for name, value in row.items():
                columns.setdefault(name, []).append(value)
        return columns

    def _rows(self) -> list[list[str]]:
        if any(result.shape != () for result in self.values()):
            return [["law", "result"], *([law, repr(result)] for law, result in self.items())]
        columns = self.table()
        energies = [1.0] * len(columns["law"])
        for name in ("impulse", "velocity_after"):
            axes = [column for column in columns if column.startswith(name)]
            for place, numbers in enumerate(zip(*(columns[column] for column in axes))):
                for column, number in zip(axes, _without_noise(numbers)):
                    columns[column][place] = number
            sizes = zip(*(columns[column] for column in axes))
            energies = [size * max(map(abs, numbers)) for size, numbers in zip(energies, sizes)]
        changes = zip(columns["energy_change"], energies)
        columns["energy_change"] = [0.0 if abs(change) <= NOISE * size else change for change, size in changes]
        rows = [[f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row] for row in zip(*columns.values())]
        return [list(columns), *rows]

    def __repr__(self) -> str:
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join(lines + [f"{law}: {why}" for law, why in self.refusals.items()])

    def _repr_html_(self) -> str:
        head, *rows = self._rows()
        cells = "".join(f"<th>{escape(name)}</th>" for name in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        refused = "".join(f"<br><code>{law}</code>: {escape(why)}" for law, why in self.refusals.items())
        return f"<table><tr>{cells}</tr>{body}</table>{refused}"


def compare(
    inverse_mass: ArrayLike,
    velocity: ArrayLike,
    laws: Iterable[str | Law] | None = None,
    restitution: ArrayLike = 0.8,
    friction: ArrayLike = 0.3,
    **parameters: ArrayLike,
) -> Comparison:
    """Resolve the same collisions by several laws.

    Parameters
    ----------
    inverse_mass, velocity : array_like
        One problem or a batch, as :func:`collide` takes them.
    laws : iterable of str or Law, optional
        All laws for one contact by default.
    restitution, friction : array_like
        For the laws that take them.
    **parameters : array_like or str
        Other parameters, for the laws that take them.

    Returns
    -------
    Comparison
        With the reason for each law that has no answer, or lacks a parameter.

    Raises
    ------
    InputError
        If no law can take the problem, or no law knows a parameter.
    ShapeError
        If shapes do not fit each other.

    Examples
    --------
    >>> import carom
    >>> carom.compare([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6], ["newton", "routh-poisson", "hertz"], 0.9, 0.8)
    law            impulse_n  impulse_t1  velocity_after_n  velocity_after_t1  energy_change  mode          audit
    newton         0.76       0           0.9               -0.54              -0.038         frictionless  ok
    routh-poisson  0.76       0.216       0.576             0                  -0.09632       c-sticking    ok
    hertz: needs `youngs_modulus`, `radius`
    """
    chosen = [law for law in every() if not law.several] if laws is None else [_law(law) for law in laws]
    given = {"restitution": restitution, "friction": friction, **parameters}
    taken = {law.id: _taken(law) for law in chosen}
    if len(taken) < len(chosen):
        raise InputError("two of the laws have the same id")
    for key in parameters:
        if not any(key in keys for keys in taken.values()):
            raise InputError(f"none of the laws has a parameter `{key}`")
    results: dict[str, CollideResult] = {}
    refusals: dict[str, str] = {}
    refused: InputError | None = None
    for law in chosen:
        missing = [p.key for p in law.parameters if p.fallback == "required" and p.key not in given]
        if missing:
            refusals[law.id] = "needs " + ", ".join(f"`{key}`" for key in missing)
            continue
        # Any law refuses a friction that no contact has.
        own: dict[str, Any] = {key: value for key, value in given.items() if key in taken[law.id] or key == "friction" and not law.several}
        try:
            results[law.id] = collide(inverse_mass, velocity, law, **own)
        except NoAnswerError as why:
            refusals[law.id] = str(why)
        except InputError as why:
            refusals[law.id] = str(why)
            refused = refused or why
    if not results and refused is not None:
        raise refused
    return Comparison(results, refusals)


def _without_noise(components: tuple[float, ...]) -> list[float]:
    """Components as they are shown: zero where they are rounding beside the others."""
    size = max(map(abs, components))
    return [0.0 if abs(component) <= NOISE * size else component for component in components]


def _law(law: str | Law) -> Law:
    return law if isinstance(law, Law) else find(law)


def _taken(law: Law) -> set[str]:
    """The keys of a law's parameters, and those whose value they have where they are not given."""
    fallbacks = {p.fallback.removeprefix("as ") for p in law.parameters if p.fallback.startswith("as ")}
    return {p.key for p in law.parameters} | fallbacks
