from __future__ import annotations

from importlib import import_module
from operator import index
from typing import TYPE_CHECKING, Any

from carom._carom import InputError
from carom.adapters._contacts import Contacts

if TYPE_CHECKING:
    from collections.abc import Iterable


def mujoco(model: Any, data: Any, contacts: Iterable[int] | None = None) -> Contacts:
    """The contacts of a MuJoCo simulation.

    ``data`` must be up to date: call ``mujoco.mj_forward(model, data)`` first. Equality constraints and limits of joints are no
    coordinates, so they do not hold during the impact.

    Parameters
    ----------
    model : mujoco.MjModel
    data : mujoco.MjData
    contacts : iterable of int, optional
        Places in ``data.contact``; all of them by default.

    Returns
    -------
    Contacts
        With the sliding friction of each contact; 0 for contacts without friction.

    Raises
    ------
    InputError
        If there is no contact, or one that is not between two geoms.

    Examples
    --------
    A box that lands on its edge, by several laws:

    >>> import mujoco, carom  # doctest: +SKIP
    >>> mujoco.mj_forward(model, data)  # doctest: +SKIP
    >>> touching = carom.adapters.mujoco(model, data)  # doctest: +SKIP
    >>> for law in ("newton-lcp", "poisson-lcp", "compliant-network"):  # doctest: +SKIP
    ...     print(law, touching.impact(law, restitution=0.5).generalised_velocity_after)
    """
    import numpy as np

    library = import_module("mujoco")
    # Of a number that is not whole MuJoCo reads memory that is not its own.
    places = list(range(data.ncon)) if contacts is None else [index(place) for place in contacts]
    if not places:
        raise InputError("there is no contact in the MuJoCo data")
    for place in places:
        if not 0 <= place < data.ncon:
            raise InputError(f"there is no contact {place} in the MuJoCo data; expected one of the {data.ncon}")
    nv = model.nv
    mass = np.empty((nv, nv))
    column = np.empty(nv)
    for k, unit in enumerate(np.eye(nv)):
        library.mj_mulM(model, data, column, unit)
        mass[:, k] = column
    jacobian = np.empty((len(places), 3, nv))
    friction = np.empty(len(places))
    names = []
    sides = np.empty((2, 3, nv))
    for k, place in enumerate(places):
        contact = data.contact[place]
        geoms = [int(contact.geom1), int(contact.geom2)]
        if min(geoms) < 0:
            raise InputError(f"contact {place} is not between two geoms")
        for side, geom in zip(sides, geoms, strict=True):
            library.mj_jac(model, data, side, None, contact.pos, model.geom_bodyid[geom])
        # MuJoCo's normal points from the first geom into the second.
        jacobian[k] = np.reshape(contact.frame, (3, 3)) @ (sides[1] - sides[0])
        friction[k] = contact.friction[0] if contact.dim > 1 else 0.0
        first, second = (model.geom(geom).name or f"geom {geom}" for geom in geoms)
        names.append(f"{second} on {first}")
    return Contacts(names, mass, jacobian, np.array(data.qvel), friction)
