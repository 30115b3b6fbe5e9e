from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carom._carom import InputError, ShapeError, _contact_axes
from carom.adapters._contacts import Contacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


def pinocchio(
    model: Any,
    data: Any,
    frames: Sequence[str | int | tuple[str | int, str | int]],
    configuration: ArrayLike,
    velocity: ArrayLike,
    normals: ArrayLike = (0.0, 0.0, 1.0),
) -> Contacts:
    """Contacts at frames of a Pinocchio model.

    Pinocchio's ``data`` is brought up to date with the configuration. Constraints are no coordinates, so they do not hold during the
    impact.

    Parameters
    ----------
    model : pinocchio.Model
    data : pinocchio.Data
    frames : sequence of str, int, or pairs of them
        A name or number for each frame that touches the immovable world at its origin; a pair for frames A and B that touch each
        other there.
    configuration : array_like
        q, (nq,).
    velocity : array_like
        v, (nv,).
    normals : array_like
        Normals in world axes, from the world, or from B, into the frame: (3,) for all, or (n, 3).

    Returns
    -------
    Contacts

    Raises
    ------
    InputError
        If there is no contact, no such frame, or a normal has no direction.
    ShapeError
        If shapes do not fit the model.

    Examples
    --------
    >>> import carom, pinocchio  # doctest: +SKIP
    >>> touching = carom.adapters.pinocchio(model, data, ["left_foot", "right_foot"], q, v)  # doctest: +SKIP
    >>> touching.impact("poisson-lcp", restitution=0.0, friction=0.7).generalised_velocity_after  # doctest: +SKIP
    """
    import numpy as np

    library = import_module("pinocchio")
    q, v = np.asarray(configuration, dtype=np.float64), np.asarray(velocity, dtype=np.float64)
    for name, given, size in (("configuration", q, model.nq), ("velocity", v, model.nv)):
        if given.shape != (size,):
            raise ShapeError(f"{name} has the shape {given.shape}; expected ({size},), as the model has it")
    if not frames:
        raise InputError("frames names no frame; expected one for each contact")
    given = np.asarray(normals, dtype=np.float64)
    if given.shape not in ((3,), (len(frames), 3)):
        raise ShapeError(f"normals has the shape {given.shape}; expected (3,) or ({len(frames)}, 3)")

    def number(frame: str | int) -> int:
        found = model.getFrameId(frame) if isinstance(frame, str) else int(frame)
        if not 0 <= found < model.nframes:
            raise InputError(f"the model has no frame {frame!r}")
        return int(found)

    pairs = [(number(frame[0]), number(frame[1])) if isinstance(frame, tuple) else (number(frame), 0) for frame in frames]
    mass = np.array(library.crba(model, data, q))
    # Some versions fill the upper triangle only.
    mass = np.triu(mass) + np.triu(mass, 1).T
    library.computeJointJacobians(model, data, q)
    library.updateFramePlacements(model, data)
    aligned = library.ReferenceFrame.LOCAL_WORLD_ALIGNED
    jacobian = np.empty((len(pairs), 3, model.nv))
    for k, (normal, (a, b)) in enumerate(zip(np.broadcast_to(given, (len(pairs), 3)), pairs, strict=True)):
        # Frame 0 is the world.
        relative = library.getFrameJacobian(model, data, a, aligned)[:3]
        if b != 0:
            relative = relative - library.getFrameJacobian(model, data, b, aligned)[:3]
        jacobian[k] = np.reshape(_contact_axes(*normal.tolist()), (3, 3)) @ relative
    names = [f"{model.frames[a].name} on {model.frames[b].name}" for a, b in pairs]
    return Contacts(names, mass, jacobian, v, None)
