"""Elastic contact: moduli and curvatures of a pair, Hertz's contact and impact, and the thin disk."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from carom import _carom

__all__ = ["HertzImpact", "Pressed", "hertz", "hertz_impact", "reduced_moduli", "relative_radii", "thin_disk"]


class Pressed(NamedTuple):
    """A contact under load, in N, m and Pa.

    `approach` is that of points far from the contact, `semi_axes` are those of the contact area, the longer first, `peak_pressure` is
    that in its middle, and `stiffness` is the derivative of the load by the approach.
    """

    load: float
    approach: float
    semi_axes: tuple[float, float]
    peak_pressure: float
    stiffness: float


class HertzImpact(NamedTuple):
    """A frictionless elastic impact: greatest approach (m), peak force (N) and duration (s)."""

    greatest_approach: float
    peak_force: float
    duration: float


def reduced_moduli(first: tuple[float, float], second: tuple[float, float] | None = None) -> tuple[float, float]:
    """The modulus E* of a pair, Pa, and its Poisson's ratio.

    Parameters
    ----------
    first, second : tuple of float
        Young's modulus, Pa, and Poisson's ratio of each body; without a second one it is rigid.

    Examples
    --------
    >>> import carom
    >>> modulus, poisson_ratio = carom.elastic.reduced_moduli((7e10, 0.3), (7e10, 0.3))
    >>> round(modulus / 1e10, 4), round(poisson_ratio, 12)
    (3.8462, 0.3)
    """
    return _carom._reduced_moduli(first, second)


def relative_radii(
    first: tuple[float, float], second: tuple[float, float] = (inf, inf), angle: float = 0.0
) -> tuple[float, float, float]:
    """The relative radii of curvature of two surfaces, and the direction of the longer axis of their contact.

    Parameters
    ----------
    first, second : tuple of float
        The two principal radii of each surface, m: negative for a seat, infinite where it is straight.
    angle : float
        From the first principal direction of the first surface to that of the second, rad.

    Returns
    -------
    tuple of float
        The larger radius and the smaller, m, and the angle of the longer axis from the first principal direction, rad.

    Examples
    --------
    Two equal cylinders at right angles touch like a ball on a plane:

    >>> import carom, math
    >>> cylinder = (math.inf, 0.01)
    >>> larger, smaller, _ = carom.elastic.relative_radii(cylinder, cylinder, math.pi / 2)
    >>> round(larger, 12), round(smaller, 12)
    (0.01, 0.01)
    """
    return _carom._relative_radii(first, second, angle)


def hertz(
    radii: float | tuple[float, float], modulus: float, *, load: float | None = None, approach: float | None = None
) -> Pressed:
    """The contact of Hertz, under a load or at an approach.

    Parameters
    ----------
    radii : float or tuple of float
        The relative radius of a circular contact, m, or both of an elliptic one.
    modulus : float
        The reduced modulus E*, Pa.
    load, approach : float
        Either the load, N, or the approach, m; negative ones are no contact.

    Examples
    --------
    >>> import carom
    >>> round(carom.elastic.hertz((0.5, 0.25), 1.0, load=1.0).approach, 6)
    1.159694
    """
    pair = radii if isinstance(radii, tuple) else (radii, radii)
    return Pressed(*_carom._hertz(pair, modulus, load, approach))


def hertz_impact(mass: float, speed: float, modulus: float, radius: float) -> HertzImpact:
    """The impact of a mass (kg) with a normal speed (m/s) on a contact of reduced modulus E* (Pa) and relative radius (m).

    Examples
    --------
    An aluminium ball 0.1 m across at 0.5 m/s (Lai 1999, 6.2):

    >>> import carom
    >>> round(carom.elastic.hertz_impact(1.41372, 0.5, 7.6923e10, 0.05).duration, 7)
    0.0003046
    """
    return HertzImpact(*_carom._hertz_impact(mass, speed, modulus, radius))


def thin_disk(
    radius: float,
    edge_radius: float,
    thickness: float,
    modulus: float,
    *,
    load: float | None = None,
    approach: float | None = None,
) -> Pressed:
    """A thin disk of rounded edge on a rigid plate, under a load or at an approach.

    Parameters
    ----------
    radius, edge_radius, thickness : float
        The radius of the disk, that of its edge, and its thickness, m.
    modulus : float
        Its own E/(1 - nu²), Pa.
    load, approach : float
        Either the load, N, or the approach, m; negative ones are no contact.

    Examples
    --------
    A disk of Delrin 6.4 mm thick (Chatterjee 1997, 11.3):

    >>> import carom
    >>> round(carom.elastic.thin_disk(0.0495, 0.005, 0.0064, 2.7e9 / 0.91, load=100.0).approach, 6)
    5e-05
    """
    return Pressed(*_carom._thin_disk(radius, edge_radius, thickness, modulus, load, approach))
