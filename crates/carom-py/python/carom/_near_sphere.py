from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from carom import _carom
from carom._carom import Law

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class SphereLinearisation(NamedTuple):
    """How the velocity after changes with the mass matrix about that of a sphere, from :func:`linearise_about_sphere`.

    Attributes
    ----------
    incidence : float
        The angle of incidence from the normal, rad.
    jacobian : ndarray
        (3, 6), the derivatives of (n, t1, t2) by M11, M22, M33, M12, M13 and M23.
    uncertainty : float
        The change of the worst entry by the extrapolation. Far above 1e-5 the law has no derivative here.
    functions : dict of str to float
        The five entries that determine the Jacobian of the usual laws: ``"j14"``, ``"j21"``, ``"j24"``, ``"j35"`` and ``"j36"``.
    defect : float
        How far the Jacobian is from the one that the five functions determine.
    """

    incidence: float
    jacobian: NDArray[np.float64]
    uncertainty: float
    functions: dict[str, float]
    defect: float


def linearise_about_sphere(law: str | Law, incidence: float, **parameters: ArrayLike) -> SphereLinearisation:
    """Linearise a law about the sphere: M = diag(7, 2, 2) kg and V = (-cos, -sin, 0) m/s of the angle of incidence.

    Parameters
    ----------
    law : str or Law
        A law for one contact.
    incidence : float
        0 to pi/2, rad.
    **parameters : float or str
        Parameters of the law; restitution is 0.8 and friction 0.3 where they are not given.

    Returns
    -------
    SphereLinearisation

    Raises
    ------
    InputError
        If the law, a parameter or the angle is bad.
    NoAnswerError
        If the law has no answer.

    Examples
    --------
    >>> import carom
    >>> grain = carom.linearise_about_sphere("chatterjee-2", 1.2, restitution=0.9, tangential_restitution=0.0, friction=0.2)
    >>> round(grain.functions["j21"], 3)
    0.069
    """
    jacobian, uncertainty, functions, defect = _carom._linearise_about_sphere(law, incidence, parameters)
    names = ("j14", "j21", "j24", "j35", "j36")
    return SphereLinearisation(incidence, jacobian, uncertainty, dict(zip(names, functions)), defect)
