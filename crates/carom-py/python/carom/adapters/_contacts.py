from __future__ import annotations

from typing import TYPE_CHECKING

from carom._carom import ImpactResult, Law, impact_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class Contacts:
    """Contacts of a system in generalised coordinates, as another program has them.

    Attributes
    ----------
    names : list of str
        The two sides of each contact, as in "box on floor": V is the velocity of the first relative to the second.
    mass_matrix : ndarray
        M, (nv, nv).
    jacobian : ndarray
        J, (n, 3, nv), with rows (n, t1, t2).
    velocity : ndarray
        q̇ before, (nv,).
    friction : ndarray or None
        The coefficients of friction that the program has, (n,).
    """

    __slots__ = ("friction", "jacobian", "mass_matrix", "names", "velocity")

    def __init__(
        self,
        names: list[str],
        mass_matrix: NDArray[np.float64],
        jacobian: NDArray[np.float64],
        velocity: NDArray[np.float64],
        friction: NDArray[np.float64] | None,
    ) -> None:
        self.names = names
        self.mass_matrix = mass_matrix
        self.jacobian = jacobian
        self.velocity = velocity
        self.friction = friction

    def impact(
        self,
        law: str | Law = "newton-lcp",
        restitution: ArrayLike = 0.8,
        friction: ArrayLike | None = None,
        **parameters: ArrayLike,
    ) -> ImpactResult:
        """Resolve these contacts by a law; see :func:`carom.impact_of`.

        Parameters
        ----------
        law : str or Law
            A law for several contacts; one for a single contact if no contact acts on another.
        restitution : array_like
            A number, or one for each contact.
        friction : array_like, optional
            The same; the program's own coefficients by default, 0.3 if it has none.
        **parameters : array_like or str
            Other parameters of the law.

        Returns
        -------
        ImpactResult
        """
        if friction is None:
            friction = 0.3 if self.friction is None else self.friction
        return impact_of(
            self.mass_matrix, self.jacobian, self.velocity, law, restitution, friction, planar=False, **parameters
        )

    def __repr__(self) -> str:
        return f"Contacts({', '.join(self.names)})"
