from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from keyword import iskeyword
from math import inf
from typing import Any, overload

from carom._carom import InputError, Law, _define
from carom._carom import law as _find

Bounds = tuple[float | None, float | None]

#: Arguments of functions that take the parameters of laws as keyword arguments.
RESERVED = frozenset(
    "inverse_mass velocity law laws threads outputs jacobian out mass_matrix planar collisions id name a b between point normal tangent".split()
)
Function = Callable[..., Any]


@overload
def law(id: str) -> Law: ...
@overload
def law(id: Function) -> Law: ...
@overload
def law(
    id: None = None, *, parameters: Mapping[str, Bounds] | None = None, name: str | None = None, vectorised: bool = True, planar: bool = False
) -> Callable[[Function], Law]: ...
def law(
    id: str | Function | None = None,
    *,
    parameters: Mapping[str, Bounds] | None = None,
    name: str | None = None,
    vectorised: bool = True,
    planar: bool = False,
) -> Law | Callable[[Function], Law]:
    """The law with an id; or, as a decorator, a law of your own.

    The function of a law of your own gets the inverse mass and the velocity of bodies that approach, and the law's parameters as keyword
    arguments. It returns the impulse P, kg m/s, in the components of the velocity.

    A vectorised function gets many collisions at once, as arrays of the shapes (rows, n, n), (rows, n) and (rows,), and returns
    (rows, n). Another gets one at a time: (n, n), (n,) and floats, and returns (n,). n is 2 for batches in the plane that
    :func:`collide` and :func:`compare` resolve, and else 3; of a planar law always 2.

    Parameters
    ----------
    id : str
        For instance ``"routh-poisson"``; see :func:`laws`.
    parameters : mapping of str to (float, float)
        Least and greatest value of each parameter, both included; ``None`` for no bound. A default of the function's is the parameter's.
        A parameter is given as a keyword argument, beside ``inverse_mass``, ``velocity`` and other arguments of functions that take laws.
    name : str
        The id of your law; by default the name of the function, with hyphens.
    vectorised : bool
        Whether the function takes many collisions at once.
    planar : bool
        Whether the law is for planar collisions, in whatever plane; others have no answer then.

    Returns
    -------
    Law
        Or a decorator that makes one. Functions that take a law take it.

    Raises
    ------
    InputError
        If there is no such law, or yours has a name, parameter or bound that no law can have.

    Examples
    --------
    >>> import carom
    >>> carom.law("routh-poisson").name
    "Routh's process with Poisson's hypothesis"

    >>> import numpy as np
    >>> @carom.law(parameters={"restitution": (0, 1)})
    ... def slippery(inverse_mass, velocity, restitution):
    ...     impulse = np.zeros_like(velocity)
    ...     impulse[..., 0] = -(1 + restitution) * velocity[..., 0] / inverse_mass[..., 0, 0]
    ...     return impulse
    >>> carom.collide([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6], slippery, restitution=0.5).impulse.tolist()
    [0.6, 0.0]
    """
    if isinstance(id, str):
        if parameters is not None or name is not None:
            raise InputError(f'law "{id}" is one of the catalogue; parameters and a name are for laws of your own')
        return _find(id)
    if isinstance(id, Law) or (id is not None and not callable(id)):
        raise TypeError(f"law is of the type {type(id).__name__}; expected the id of a law, or a function")

    def define(function: Function) -> Law:
        return _own(function, dict(parameters or {}), name, vectorised, planar)

    return define if id is None else define(id)


def _own(function: Function, parameters: dict[str, Bounds], name: str | None, vectorised: bool, planar: bool) -> Law:
    if isinstance(function, Law) or not callable(function):
        raise TypeError(f"a law is made of a function, not of {type(function).__name__}")
    if name is None:
        name = str(getattr(function, "__name__", "")).strip("_").replace("_", "-").lower()
    for key in parameters:
        _check_key(name, key)
    defaults = _defaults(function, list(parameters), name)
    rows = [(key, *_bounds(key, bounds), defaults.get(key)) for key, bounds in parameters.items()]
    summary = (inspect.getdoc(function) or "").partition("\n")[0]
    return _define(function, name, rows, summary, vectorised, planar)


def _defaults(function: Function, keys: list[str], name: str) -> dict[str, float]:
    """The defaults of a function that has to take W, V and these keys."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        # Some functions in C do not say what they take.
        return {}
    try:
        signature.bind(None, None, **dict.fromkeys(keys))
    except TypeError as why:
        expected = ", ".join(["inverse_mass", "velocity", *keys])
        raise InputError(f"law `{name}`: the function does not take ({expected}): {why}") from None
    given = ((key, signature.parameters[key].default) for key in keys if key in signature.parameters)
    return {key: float(default) for key, default in given if default is not inspect.Parameter.empty}


def _check_key(name: str, key: object) -> None:
    if not isinstance(key, str) or not key.isidentifier() or iskeyword(key):
        raise InputError(f"law `{name}`: the parameter {key!r} is no keyword argument; expected a name of letters, digits and underscores")
    if key in RESERVED:
        raise InputError(f"law `{name}`: the parameter `{key}` is an argument of functions that take laws; expected another name")


def _bounds(key: str, bounds: Bounds) -> tuple[float, float]:
    try:
        least, greatest = bounds
        return (-inf if least is None else float(least)), (inf if greatest is None else float(greatest))
    except (TypeError, ValueError):
        raise InputError(f"the bounds of `{key}` are {bounds!r}; expected (least, greatest), or None for no bound") from None


def _reduced(law: Law) -> tuple[Any, ...]:
    """How a law of one's own is pickled: by the name under which it can be imported."""
    from pickle import PicklingError

    function = law.function
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    try:
        found = _imported(str(module), str(name))
    except (ImportError, AttributeError):
        found = None
    if found != law:
        raise PicklingError(
            f"law `{law.id}` cannot be pickled: {module}.{name} is not this law; expected a law that can be imported by its name"
        )
    return _imported, (module, name)


def _imported(module: str, name: str) -> Any:
    __import__(module)
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part)
    return found
