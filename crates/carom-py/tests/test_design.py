"""Contact elements, elastic contact, and bodies for a mass matrix."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support import inverse_masses

import carom
from carom import design, elastic


def follow(force: Callable[[float, float], float], mass: float, speed: float) -> tuple[float, float]:
    """Restitution and duration by small steps of Runge and Kutta until the force ends."""
    x, v, t, h = 0.0, speed, 0.0, 2e-7

    def rate(x: float, v: float) -> tuple[float, float]:
        return v, -force(x, v) / mass

    while True:
        a = rate(x, v)
        b = rate(x + 0.5 * h * a[0], v + 0.5 * h * a[1])
        c = rate(x + 0.5 * h * b[0], v + 0.5 * h * b[1])
        d = rate(x + h * c[0], v + h * c[1])
        x += h / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0])
        v += h / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1])
        t += h
        if v < 0.0 and force(x, v) <= 0.0:
            return -v / speed, t


def test_dashpots_do_what_they_are_designed_for() -> None:
    mass, speed = 0.1, 2.0
    linear = design.linear_dashpot(0.6, mass, duration=1e-3)
    growing = design.growing_dashpot(0.6, mass, speed, duration=1e-3)
    forces: tuple[Callable[[float, float], float], ...] = (
        lambda x, v: linear.stiffness * x + linear.damping * v,
        lambda x, v: growing.stiffness * x + growing.damping * x * v,
    )
    for force in forces:
        restitution, duration = follow(force, mass, speed)
        # The contact ends within the last step, in which the velocity changes by less than 1e-3 of it.
        assert restitution == pytest.approx(0.6, abs=1e-3) and duration == pytest.approx(1e-3, abs=4e-7)


def test_designs_have_what_is_asked_for() -> None:
    mass, speed = 0.067, 0.5
    designs: tuple[Callable[..., Any], ...] = (
        lambda **given: design.linear_dashpot(0.8, mass, speed=speed, **given),
        lambda **given: design.growing_dashpot(0.8, mass, speed, **given),
        lambda **given: design.bilinear_spring("steep", 0.8, mass, speed=speed, **given),
        lambda **given: design.bilinear_spring("shallow", 0.8, mass, speed=speed, **given),
        lambda **given: design.split_mass(0.8, mass, speed=speed, **given),
        lambda **given: design.hertz_spring(mass, speed, **given),
    )
    for make in designs:
        element = make(duration=0.5e-3)
        impact = element.impact(mass, speed)
        assert impact.duration == pytest.approx(0.5e-3, rel=1e-12)
        assert impact.restitution == pytest.approx(1.0 if isinstance(element, design.HertzSpring) else 0.8, rel=1e-12)
        assert make(peak_force=300.0).impact(mass, speed).peak_force == pytest.approx(300.0, rel=1e-12)
        assert pickle.loads(pickle.dumps(element)) == element
        with pytest.raises(carom.InputError, match="either duration or peak_force"):
            make()
        with pytest.raises(carom.InputError, match="either duration or peak_force"):
            make(duration=1e-3, peak_force=1.0)


def test_hertz() -> None:
    # Johnson, Contact Mechanics, 4.2: a ball on a plane.
    radius, (modulus, _) = 0.01, elastic.reduced_moduli((2.1e11, 0.3))
    assert modulus == pytest.approx(2.1e11 / 0.91)
    pressed = elastic.hertz(radius, modulus, load=50.0)
    a = (0.75 * 50.0 * radius / modulus) ** (1 / 3)
    assert pressed.semi_axes == pytest.approx((a, a), rel=1e-12)
    assert pressed.approach == pytest.approx(a * a / radius, rel=1e-12)
    assert pressed.peak_pressure == pytest.approx(1.5 * 50.0 / (math.pi * a * a), rel=1e-12)
    assert elastic.hertz(radius, modulus, approach=pressed.approach).load == pytest.approx(50.0, rel=1e-12)
    # The spring takes all kinetic energy: 2/5 F d = 1/2 m v².
    impact = elastic.hertz_impact(0.03, 1.5, modulus, radius)
    assert impact.peak_force * impact.greatest_approach == pytest.approx(1.25 * 0.03 * 1.5**2, rel=1e-12)
    deepest = elastic.hertz(radius, modulus, approach=impact.greatest_approach)
    assert deepest.load == pytest.approx(impact.peak_force, rel=1e-12)
    spring = design.hertz_spring(0.03, 1.5, peak_force=impact.peak_force)
    assert spring.impact(0.03, 1.5).duration == pytest.approx(impact.duration, rel=1e-12)


def test_curvature() -> None:
    # The sum of the curvature tensors, by their eigenvalues.
    random = np.random.default_rng(3)
    for _ in range(50):
        first, second = random.uniform(0.1, 2.0, 2), random.uniform(0.1, 2.0, 2)
        angle = float(random.uniform(-3.0, 3.0))
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        tensor = np.diag(1.0 / first) + turn @ np.diag(1.0 / second) @ turn.T
        larger, smaller, direction = elastic.relative_radii(
            (float(first[0]), float(first[1])), (float(second[0]), float(second[1])), angle
        )
        assert [1.0 / larger, 1.0 / smaller] == pytest.approx(np.linalg.eigvalsh(tensor).tolist(), rel=1e-10)
        along = np.array([math.cos(direction), math.sin(direction)])
        assert tensor @ along == pytest.approx(along / larger, rel=1e-6, abs=1e-9)


def test_bodies_for_a_mass_matrix() -> None:
    random = np.random.default_rng(4)
    for mass in inverse_masses(random, 50, 3):
        pair = carom.realise(mass)
        assert pair.error < 1e-13
        inverse = np.zeros((3, 3))
        for body in (pair.a, pair.b):
            x, y, z = -body.position
            arm = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            inverse += np.eye(3) / body.mass - arm @ np.linalg.inv(body.inertia) @ arm
        # Entries of the matrices differ by a factor of ten at most.
        assert np.allclose(inverse @ mass, np.eye(3), atol=1e-11)
        assert pair.a.position[0] >= 0.0 >= pair.b.position[0]


def test_bad_input() -> None:
    calls: tuple[tuple[Callable[[], Any], str], ...] = (
        (lambda: design.linear_dashpot(0.0, 1.0, duration=1.0), "restitution"),
        (lambda: design.linear_dashpot(0.5, -1.0, duration=1.0), "mass"),
        (lambda: design.linear_dashpot(0.5, 1.0, peak_force=1.0), "speed is not given"),
        (lambda: design.growing_dashpot(0.5, 1.0, math.nan, duration=1.0), "speed"),
        (lambda: design.bilinear_spring("soft", 0.5, 1.0, duration=1.0), "unloading is \"soft\""),  # type: ignore[arg-type]
        (lambda: design.LinearDashpot(-1.0, 0.0).impact(1.0, 1.0), "stiffness"),
        (lambda: elastic.hertz(0.1, 1e9), "either load or approach"),
        (lambda: elastic.hertz(0.0, 1e9, load=1.0), "radius of curvature"),
        (lambda: elastic.hertz((math.inf, 0.1), 1e9, load=1.0), "relative curvature"),
        (lambda: elastic.hertz(0.1, 1e9, load=math.nan), "load"),
        (lambda: elastic.relative_radii((-0.1, -0.1)), "relative curvature"),
        (lambda: elastic.reduced_moduli((1e9, 0.7)), "Poisson"),
        (lambda: elastic.thin_disk(0.05, 0.005, 0.0, 1e9, load=1.0), "thickness"),
        (lambda: elastic.thin_disk(0.05, 0.005, 0.006, 1e9, approach=1.0), "approach"),
        (lambda: elastic.hertz_impact(1.0, 0.0, 1e9, 0.1), "speed"),
        (lambda: carom.realise(np.diag([1.0, 1.0, 0.0])), "mass matrix"),
        (lambda: carom.realise([[1, 1, 0], [0, 1, 0], [0, 0, 1]]), "mass matrix"),
        (lambda: carom.realise(np.full((3, 3), np.nan)), "mass matrix"),
    )
    for call, expected in calls:
        with pytest.raises(carom.InputError, match=expected):
            call()
    with pytest.raises(carom.ShapeError, match=r"mass_matrix has the shape \(2, 2\); expected \(3, 3\)"):
        carom.realise(np.eye(2))
