"""Contact elements in one dimension: which stiffness and damping give a restitution, and a duration or a greatest force.

Everything is head-on, one mass against one element. For two bodies the mass is the effective one along the normal, 1/W_nn. Give either
`duration`, s, or `peak_force`, N, which is that at the `speed` of approach, m/s. The result has the coefficients and
``impact(mass, speed)``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from carom import _carom

__all__ = [
    "BilinearSpring",
    "GrowingDashpot",
    "HertzSpring",
    "Impact",
    "LinearDashpot",
    "SplitMass",
    "bilinear_spring",
    "growing_dashpot",
    "hertz_spring",
    "linear_dashpot",
    "split_mass",
]


class Impact(NamedTuple):
    """A head-on impact of a mass on an element: restitution, duration (s), peak force (N) and peak compression (m)."""

    restitution: float
    duration: float
    peak_force: float
    peak_compression: float


class LinearDashpot(NamedTuple):
    """A spring and a linear dashpot in parallel, F = k x + c dx/dt: stiffness k (N/m) and damping c (N s/m)."""

    stiffness: float
    damping: float

    def impact(self, mass: float, speed: float) -> Impact:
        """The impact of a mass (kg) with a speed (m/s)."""
        return Impact(*_carom._linear_dashpot_impact(self.stiffness, self.damping, mass, speed))


class GrowingDashpot(NamedTuple):
    """A spring with a dashpot that grows with the compression, F = k x + c x dx/dt: stiffness k (N/m) and damping c (N s/m²)."""

    stiffness: float
    damping: float

    def impact(self, mass: float, speed: float) -> Impact:
        """The impact of a mass (kg) with a speed (m/s)."""
        return Impact(*_carom._growing_dashpot_impact(self.stiffness, self.damping, mass, speed))


class HertzSpring(NamedTuple):
    """A spring F = k x^(3/2), which gives all energy back: stiffness k (N/m^(3/2))."""

    stiffness: float

    def impact(self, mass: float, speed: float) -> Impact:
        """The impact of a mass (kg) with a speed (m/s)."""
        return Impact(*_carom._hertz_spring_impact(self.stiffness, mass, speed))


class BilinearSpring(NamedTuple):
    """A spring that unloads along another line: how, the restitution, and the stiffness while loading (N/m)."""

    unloading: Literal["steep", "shallow"]
    restitution: float
    stiffness: float

    def impact(self, mass: float, speed: float) -> Impact:
        """The impact of a mass (kg) with a speed (m/s)."""
        return Impact(*_carom._bilinear_spring_impact(self.unloading, self.restitution, self.stiffness, mass, speed))


class SplitMass(NamedTuple):
    """A mass of which the share e sits on a spring, while the rest stops: the restitution e and the stiffness (N/m)."""

    restitution: float
    stiffness: float

    def impact(self, mass: float, speed: float) -> Impact:
        """The impact of a mass (kg) with a speed (m/s)."""
        return Impact(*_carom._split_mass_impact(self.restitution, self.stiffness, mass, speed))


def linear_dashpot(
    restitution: float,
    mass: float,
    *,
    speed: float | None = None,
    duration: float | None = None,
    peak_force: float | None = None,
) -> LinearDashpot:
    """The spring and linear dashpot on which a mass has a restitution above 0.

    Examples
    --------
    >>> import carom
    >>> element = carom.design.linear_dashpot(0.8, 0.067, duration=0.5e-3)
    >>> impact = element.impact(0.067, 0.5)
    >>> round(impact.restitution, 12), round(impact.duration, 12)
    (0.8, 0.0005)
    """
    return LinearDashpot(*_carom._linear_dashpot(restitution, mass, speed, duration, peak_force))


def growing_dashpot(
    restitution: float, mass: float, speed: float, *, duration: float | None = None, peak_force: float | None = None
) -> GrowingDashpot:
    """The spring and growing dashpot on which a mass with a speed has a restitution above 0, which falls with the speed.

    Examples
    --------
    >>> import carom
    >>> element = carom.design.growing_dashpot(0.5, 0.1, 2.0, duration=1e-3)
    >>> element.impact(0.1, 4.0).restitution < 0.5
    True
    """
    return GrowingDashpot(*_carom._growing_dashpot(restitution, mass, speed, duration, peak_force))


def hertz_spring(
    mass: float, speed: float, *, duration: float | None = None, peak_force: float | None = None
) -> HertzSpring:
    """The spring of Hertz for a mass with a speed. Its duration depends on the speed.

    Examples
    --------
    >>> import carom
    >>> spring = carom.design.hertz_spring(0.1, 2.0, peak_force=500.0)
    >>> round(spring.impact(0.1, 2.0).peak_force, 9)
    500.0
    """
    return HertzSpring(_carom._hertz_spring(mass, speed, duration, peak_force))


def bilinear_spring(
    unloading: Literal["steep", "shallow"],
    restitution: float,
    mass: float,
    *,
    speed: float | None = None,
    duration: float | None = None,
    peak_force: float | None = None,
) -> BilinearSpring:
    """The bilinear spring on which a mass has a restitution.

    It unloads more steeply than it loads, to a lasting compression, or less steeply after a drop of the force.

    Examples
    --------
    >>> import carom
    >>> spring = carom.design.bilinear_spring("steep", 0.6, 0.1, duration=1e-3)
    >>> round(spring.impact(0.1, 2.0).duration, 12)
    0.001
    """
    stiffness = _carom._bilinear_spring(unloading, restitution, mass, speed, duration, peak_force)
    return BilinearSpring(unloading, restitution, stiffness)


def split_mass(
    restitution: float,
    mass: float,
    *,
    speed: float | None = None,
    duration: float | None = None,
    peak_force: float | None = None,
) -> SplitMass:
    """The spring in a split mass that has a restitution above 0.

    Examples
    --------
    >>> import carom
    >>> design = carom.design.split_mass(0.6, 0.1, duration=1e-3)
    >>> round(design.impact(0.1, 2.0).duration, 12)
    0.001
    """
    return SplitMass(restitution, _carom._split_mass(restitution, mass, speed, duration, peak_force))
