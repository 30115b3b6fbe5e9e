from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from carom import _carom

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class RigidBody(NamedTuple):
    """A free rigid body at rest: mass (kg), inertia about its centre of mass (kg m²), and position of the latter (m)."""

    mass: float
    inertia: NDArray[np.float64]
    position: NDArray[np.float64]


class Realisation(NamedTuple):
    """Two bodies in contact at the origin, from :func:`realise`.

    `a` is on the side that the normal points to. `error` is the largest difference between an entry of their inverse mass and of the
    wanted one, relative to the largest entry.
    """

    a: RigidBody
    b: RigidBody
    error: float


def realise(mass_matrix: ArrayLike) -> Realisation:
    """Two free rigid bodies whose mass matrix at their contact is a given one.

    Parameters
    ----------
    mass_matrix : array_like
        M, kg, (3, 3) in the contact frame (n, t1, t2), which is that of the bodies too: symmetric and positive definite, with
        eigenvalues within a factor of 10¹⁰ of each other.

    Returns
    -------
    Realisation

    Raises
    ------
    InputError
        If the matrix is not of this kind.
    ShapeError
        If its shape is another.

    Examples
    --------
    >>> import carom
    >>> pair = carom.realise([[2, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])
    >>> pair.error < 1e-14
    True
    """
    a, b, error = _carom._realise(mass_matrix)
    return Realisation(RigidBody(*a), RigidBody(*b), error)
