"""Impulse space of one collision."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from support import inverse_masses, velocities

import carom

ROD = [[2.5, -1.5], [-1.5, 2.5]]


def allowed(space: carom.ImpulseSpace, w: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The slack of the three conditions, from their definition; all are at least 0 inside."""
    energy = -(2.0 * p @ v + np.einsum("...i,ij,...j", p, w, p))
    cone = space.friction * p[..., 0] - np.linalg.norm(p[..., 1:], axis=-1)
    return np.stack([energy, cone, v[0] + p @ w[0]], axis=-1)


@pytest.mark.parametrize("components", [2, 3])
def test_the_region_is_what_energy_friction_and_penetration_allow(components: int) -> None:
    random = np.random.default_rng(7)
    masses, speeds = inverse_masses(random, 30, components), velocities(random, 30, components)
    for w, v in zip(masses, speeds):
        space = carom.impulse_space(w, v, friction=float(random.uniform(0.05, 2.0)))
        size = np.linalg.norm(space.centre)
        points = random.normal(size=(200, components)) * size
        slack = allowed(space, w, v, points)
        clear = np.asarray(np.abs(slack).min(axis=-1) > 1e-9)
        assert np.array_equal(space.contains(points)[clear], np.asarray(np.all(slack > 0.0, axis=-1))[clear])
        nearest = space.nearest(points)
        # The tolerance of the library at edges, relative to the distance.
        assert (allowed(space, w, v, nearest) > -1e-8 * size).all()
        outside = np.asarray(~space.contains(points))
        way = np.linalg.norm(points - nearest, axis=-1)
        assert np.allclose(space.distance(points)[outside], -way[outside], rtol=1e-12)
        assert space.contains(points[0]) is bool(space.contains(points)[0])


def test_points_of_the_ellipsoid() -> None:
    random = np.random.default_rng(8)
    for components in (2, 3):
        for w, v in zip(inverse_masses(random, 20, components), velocities(random, 20, components)):
            space = carom.impulse_space(w, v)
            assert np.allclose(v + w @ space.centre, 0.0, atol=1e-12)
            directions, half_lengths = space.principal_axes()
            assert np.allclose(directions @ directions.T, np.eye(components))
            for end in (space.centre[:, None] + directions * half_lengths).T:
                assert abs(end @ (2.0 * v + w @ end)) < 1e-10 * (1.0 + end @ end)
            if v[0] < 0.0:
                fastest = v + w @ space.fastest_separation
                assert space.largest_restitution == pytest.approx(-fastest[0] / v[0])
                assert np.allclose(space.frictionless(0.5), carom.collide(w, v, "newton", 0.5, 0.0).impulse)
                assert space.interior_point is not None and space.contains(space.interior_point)
            else:
                assert space.largest_restitution is None


def test_the_boundary_bounds() -> None:
    w, v = np.array(ROD), np.array([-1.0, 0.6])
    space = carom.impulse_space(w, v, 0.8)
    boundary = space.boundary(400)
    slack = allowed(space, w, v, boundary)
    assert np.abs(slack.min(axis=-1)).max() < 1e-12
    # A convex polygon, run through once.
    steps = np.roll(boundary, -1, axis=0) - boundary
    after = np.roll(steps, -1, axis=0)
    assert (steps[:, 0] * after[:, 1] - steps[:, 1] * after[:, 0] > -1e-12).all()
    leaves = space.exit_point([0.5, 0.0], [2.0, 0.0])
    assert leaves is not None and leaves == pytest.approx([0.8, 0.0])

    solid = carom.impulse_space(np.eye(3), [-1.0, 0.2, 0.1], 0.4)
    vertices, triangles = solid.surface(2)
    assert triangles.shape == (320, 3) and triangles.max() == len(vertices) - 1
    assert np.abs(allowed(solid, np.eye(3), np.array([-1.0, 0.2, 0.1]), vertices).min(axis=-1)).max() < 1e-12


def test_extents() -> None:
    assert carom.impulse_space(ROD, [-1.0, 0.6], 0.8).extent == "solid"
    assert carom.impulse_space(ROD, [-1.0, 0.6], 0.0).extent == "segment"
    assert carom.impulse_space(ROD, [1.0, 0.0], 0.1).extent == "point"
    assert carom.impulse_space(ROD, [-1.0, 0.6], np.inf).extent == "solid"


def test_pictures_and_pickles() -> None:
    for space in (carom.impulse_space(ROD, [-1.0, 0.6], 0.8), carom.impulse_space(np.eye(3), [-1.0, 0.2, 0.1])):
        assert space._repr_svg_() == space.svg() != space.svg(0.5)
        assert "<svg" in space.svg(title="A <rod>") and "A &lt;rod&gt;" in space.svg(title="A <rod>")
        again = pickle.loads(pickle.dumps(space))
        assert repr(again) == repr(space) and np.array_equal(again.centre, space.centre)


def test_bad_input() -> None:
    space = carom.impulse_space(ROD, [-1.0, 0.6], 0.8)
    solid = carom.impulse_space(np.eye(3), [-1.0, 0.2, 0.1])
    for call, expected in (
        (lambda: carom.impulse_space(ROD, [-1.0, 0.6], -0.1), "friction"),
        (lambda: carom.impulse_space(ROD, [-1.0, 0.6], np.nan), "friction"),
        (lambda: carom.impulse_space(ROD, [np.nan, 0.6]), "velocity"),
        (lambda: space.nearest([np.inf, 0.0]), "impulse"),
        (lambda: space.frictionless(2.0), "restitution"),
        (lambda: space.principal_axes(-1.0), "level"),
        (lambda: space.exit_point([5.0, 0.0], [1.0, 0.0]), "accessible"),
        (lambda: space.exit_point([0.5, 0.0], [0.0, 0.0]), "direction"),
        (lambda: space.boundary(2), "points is 2; expected 3 to 1000000"),
        (lambda: space.surface(), "surface is for problems in space"),
        (lambda: solid.boundary(), "boundary is for problems in the plane"),
        (lambda: solid.surface(9), "level is 9; expected 0 to 8"),
        (lambda: space.svg(-1.0), "restitution is -1"),
        (lambda: carom.impulse_space(ROD, [-1.0, 0.6], 0.0).boundary(), "segment"),
    ):
        with pytest.raises(carom.InputError, match=expected):
            call()
    for shape, expected in (
        (lambda: carom.impulse_space(ROD, [[-1.0, 0.6]]), "expected one problem"),
        (lambda: carom.impulse_space(ROD, [-1.0, 0.6, 0.0]), "inverse_mass has the shape"),
        (lambda: space.contains([0.1, 0.2, 0.3]), r"expected \(..., 2\)"),
        (lambda: space.exit_point([[0.5, 0.0]] * 2, [1.0, 0.0]), "start holds 2 vectors"),
    ):
        with pytest.raises(carom.ShapeError, match=expected):
            shape()
    assert space.contains([np.nan, 0.0]) is False
    assert space.contains(np.empty((0, 2))).shape == (0,)
