"""Laws for slightly aspherical bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom


@pytest.mark.parametrize("law", ["chatterjee-1", "chatterjee-2", "whittaker", "smith"])
def test_it_is_the_derivative_by_the_mass_matrix(law: str) -> None:
    given = {"restitution": 0.9, "friction": 0.2}
    incidence = 1.2
    linear = carom.linearise_about_sphere(law, incidence, **given)
    velocity = [-math.cos(incidence), -math.sin(incidence), 0.0]
    step = 1e-5
    for column, (i, j) in enumerate([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]):
        after = []
        for change in (step, -step):
            mass = np.diag([7.0, 2.0, 2.0])
            mass[i, j] += change
            mass[j, i] = mass[i, j]
            inverse = np.linalg.inv(mass)
            result = carom.collide(0.5 * (inverse + inverse.T), velocity, law, 0.9, 0.2)
            after.append(result.velocity_after)
        # The differences keep 1e-10 of rounding, and the square of the step.
        assert np.allclose((after[0] - after[1]) / (2.0 * step), linear.jacobian[:, column], atol=1e-8)
    assert linear.uncertainty < 1e-5 and linear.defect < 1e-9
    assert linear.functions["j24"] == linear.jacobian[1, 3]


def test_bad_input() -> None:
    for incidence in (-0.1, 1.6, math.nan):
        with pytest.raises(carom.InputError, match="incidence is .*; expected an angle from 0 to π/2"):
            carom.linearise_about_sphere("newton", incidence)
    with pytest.raises(carom.InputError, match="no law"):
        carom.linearise_about_sphere("newtn", 0.5)
    with pytest.raises(carom.InputError, match="friction"):
        carom.linearise_about_sphere("smith", 0.5, friction=-1.0)
    with pytest.raises(carom.InputError, match="colour"):
        carom.linearise_about_sphere("newton", 0.5, colour=1.0)
    with pytest.raises(carom.ShapeError, match="friction is an array; expected one value"):
        carom.linearise_about_sphere("smith", 0.5, friction=[0.1, 0.2])
