"""Random problems for the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import carom

Array = NDArray[np.float64]

#: Values for parameters that laws need besides restitution and friction.
GIVEN = {
    "stiffness": 1e6,
    "damping_growth": 1e3,
    "youngs_modulus": 2e9,
    "poisson_ratio": 0.3,
    "radius": 0.02,
    "impulse_ratio": 0.1,
    "fraction": 0.4,
    "polar": 0.3,
}


def inverse_masses(random: np.random.Generator, rows: int, components: int) -> Array:
    """Symmetric matrices with eigenvalues within a factor of ten."""
    turn = np.linalg.qr(random.normal(size=(rows, components, components)))[0]
    scale = 10.0 ** random.uniform(-1.0, 0.0, size=(rows, 1, components))
    matrices = (turn * scale) @ np.swapaxes(turn, -1, -2)
    symmetric: Array = 0.5 * (matrices + np.swapaxes(matrices, -1, -2))
    return symmetric


def velocities(random: np.random.Generator, rows: int, components: int) -> Array:
    """Velocities of which most approach."""
    velocity: Array = random.uniform(-1.0, 1.0, size=(rows, components))
    velocity[:, 0] = -np.abs(velocity[:, 0])
    velocity[::7, 0] *= -1.0
    return velocity


def needed(law: carom.Law) -> dict[str, Any]:
    """The required parameters of a law besides restitution and friction."""
    required = [p.key for p in law.parameters if p.fallback == "required"]
    return {key: GIVEN[key] for key in required if key not in ("restitution", "friction")}
