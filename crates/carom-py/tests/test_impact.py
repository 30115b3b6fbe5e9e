"""`impact` and `impact_of`: values, mechanics, bad input."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from support import Array, inverse_masses, velocities

import carom

SEVERAL = [law for law in carom.laws() if law.several]
# A disk in a corner (Rodriguez 2014, 6.1), contacts with ground and wall.
CORNER = np.array([[1.0, 0, 0, 1], [0, 3, -1, 2], [0, -1, 1, 0], [1, 2, 0, 3]])
INTO_CORNER = np.array([[-4.43, 8.0], [-8.0, -4.43]])


def system(seed: int, contacts: int, components: int, coordinates: int) -> tuple[Array, Array, Array]:
    """A mass matrix of mixed units, Jacobians and velocities that approach."""
    random = np.random.default_rng(seed)
    units = 10.0 ** random.uniform(-2.0, 2.0, coordinates)
    M = inverse_masses(random, 1, coordinates)[0] * units[:, None] * units
    J = random.normal(size=(contacts, components, coordinates)) * units
    qdot = random.normal(size=coordinates) / units
    sign = np.sign(np.einsum("nj,j->n", J[:, 0], qdot))
    J[:, 0] *= -sign[:, None]
    return M, J, qdot


def test_a_disk_in_a_corner() -> None:
    done = carom.impact(CORNER, INTO_CORNER, "newton-lcp", [0.5, 0.7], 0.1)
    assert done.law.id == "newton-lcp"
    np.testing.assert_allclose(done.velocity_after[:, 0], [0.5 * 4.43, 0.7 * 8.0], rtol=1e-9)
    assert np.all(np.abs(done.impulse[:, 1]) <= 0.1 * done.impulse[:, 0] * (1 + 1e-9))
    assert set(done.audit.values()) == {"ok"}
    assert len(done.mode) == 2
    for again in (
        carom.impact(CORNER, INTO_CORNER.ravel(), "newton-lcp", [0.5, 0.7], 0.1),
        carom.impact(CORNER.reshape(2, 2, 2, 2), INTO_CORNER, "newton-lcp", [0.5, 0.7], [0.1, 0.1]),
        carom.impact(CORNER, INTO_CORNER, carom.law("newton-lcp"), [0.5, 0.7], 0.1, planar=True),
        pickle.loads(pickle.dumps(done)),
    ):
        assert repr(again) == repr(done)


@pytest.mark.parametrize("components", [2, 3])
@pytest.mark.parametrize("law", SEVERAL, ids=lambda law: str(law.id))
def test_impacts_satisfy_mechanics(law: carom.Law, components: int) -> None:
    random = np.random.default_rng(4)
    for contacts in (1, 2, 3):
        n = contacts * components
        w = inverse_masses(random, 1, n)[0]
        v = velocities(random, contacts, components)
        try:
            done = carom.impact(w, v, law, 0.6, 0.3)
        except carom.NoAnswerError:
            assert components == 3 or contacts == 1, "every law answers some"
            continue
        speed = np.abs(v).max()
        after = (v.ravel() + w @ done.impulse.ravel()).reshape(v.shape)
        np.testing.assert_allclose(done.velocity_after, after, atol=1e-8 * speed)
        energy = 0.5 * done.impulse.ravel() @ (v + after).ravel()
        assert done.energy_change == pytest.approx(energy, abs=1e-8 * float(speed**2 / np.abs(w).min()))


def test_one_contact_is_a_collision() -> None:
    random = np.random.default_rng(8)
    for law in ("routh-poisson", "chatterjee-2", "smith"):
        w, v = inverse_masses(random, 1, 3)[0], [-1.0, 0.3, 0.2]
        one, same = carom.collide(w, v, law), carom.impact(w, [v], law)
        np.testing.assert_allclose(same.impulse[0], one.impulse, rtol=1e-12)
        assert (same.mode, same.audit) == ([one.mode], one.audit)


@pytest.mark.parametrize("law", ["newton-lcp", "poisson-lcp", "sequential", "compliant-network"])
def test_generalised_coordinates(law: str) -> None:
    for seed in range(20):
        M, J, qdot = system(seed, 2, 3, 7)
        done = carom.impact_of(M, J, qdot, law, 0.6, [0.3, 0.5])
        p = done.impulse.ravel()
        flat = J.reshape(6, 7)
        after = done.generalised_velocity_after
        assert after is not None
        # Momentum, each coordinate by its own terms; M q̇ cancels the less the better M is conditioned.
        np.testing.assert_allclose(M @ (after - qdot), flat.T @ p, atol=1e-9 * np.abs(M @ qdot).max())
        np.testing.assert_allclose(flat @ after, done.velocity_after.ravel(), atol=1e-7 * np.abs(flat @ qdot).max())
        energies = [0.5 * u @ M @ u for u in (qdot, after)]
        assert done.energy_change == pytest.approx(energies[1] - energies[0], abs=1e-8 * float(energies[0]))
        assert set(done.audit.values()) == {"ok"}, done
        # The same impact by its inverse mass.
        same = carom.impact(flat @ np.linalg.solve(M, flat.T), (flat @ qdot).reshape(2, 3), law, 0.6, [0.3, 0.5])
        np.testing.assert_allclose(same.impulse, done.impulse, atol=1e-7 * np.abs(done.impulse).max())
        # Rows of J in one table.
        again = carom.impact_of(M, flat, qdot, law, 0.6, [0.3, 0.5], planar=False)
        np.testing.assert_array_equal(again.impulse, done.impulse)


def test_a_pendulum_against_a_wall_is_singular_along_the_wall() -> None:
    # One coordinate, a contact that cannot slip by itself: W has rank 1.
    swung = carom.impact_of([[0.5]], [[[1.0], [0.0]]], [-2.0], "newton-lcp", restitution=0.5)
    assert swung.generalised_velocity_after is not None
    np.testing.assert_allclose(swung.generalised_velocity_after, [1.0])
    np.testing.assert_allclose(swung.impulse, [[1.5, 0.0]], atol=1e-12)


M2, J2, Q2 = np.eye(2), np.eye(2)[None], np.array([-1.0, 0.5])


@pytest.mark.parametrize(
    ("call", "kind", "says"),
    [
        (lambda: carom.impact(CORNER, np.ones(6)), carom.ShapeError, r"velocity has the shape \(6,\).* expected `planar`"),
        (lambda: carom.impact(CORNER, np.ones((2, 3))), carom.ShapeError, r"\(4, 4\), velocity \(2, 3\); expected .* \(6, 6\)"),
        (lambda: carom.impact(CORNER, np.ones((1, 4))), carom.ShapeError, r"\(1, 4\); expected n contacts of 2 or 3"),
        (lambda: carom.impact(CORNER, np.ones((2, 2)), planar=False), carom.ShapeError, "of 3 components each"),
        (lambda: carom.impact(np.empty((0, 0)), np.empty((0, 2))), carom.ShapeError, r"\(0, 2\)"),
        (lambda: carom.impact(CORNER, 1.0), carom.ShapeError, r"\(\)"),
        (lambda: carom.impact(-CORNER, INTO_CORNER), carom.InputError, "inverse mass has the eigenvalue"),
        (lambda: carom.impact(CORNER, INTO_CORNER * np.nan), carom.InputError, "velocity must be a finite number"),
        (lambda: carom.impact(CORNER, INTO_CORNER, friction=[0.1] * 3), carom.ShapeError, r"friction has the shape \(3,\); .* 2 contacts"),
        (lambda: carom.impact(CORNER, INTO_CORNER, friction=[0.1, -0.1]), carom.InputError, "friction is -0.1"),
        (lambda: carom.impact(CORNER, INTO_CORNER, bounce=1), carom.InputError, "`newton-lcp` has no parameter `bounce`"),
        (lambda: carom.impact(CORNER, INTO_CORNER, "sequential", single_law="smith", impulse_ratio=1), carom.InputError, "no parameter `impulse_ratio`"),
        (lambda: carom.impact(CORNER, INTO_CORNER, "sequential", single_law="brach"), carom.InputError, "`brach` needs `impulse_ratio`"),
        (lambda: carom.impact(CORNER, INTO_CORNER, "smith"), carom.NoAnswerError, "one contact"),
        (lambda: carom.impact_of([[1.0, 2.0], [2.0, 1.0]], J2, Q2), carom.InputError, "mass matrix has the eigenvalue -1"),
        (lambda: carom.impact_of(np.ones((2, 2)), J2, Q2), carom.InputError, "mass matrix has the eigenvalue .*; expected positive"),
        (lambda: carom.impact_of([[1.0, 0.5], [0.0, 1.0]], J2, Q2), carom.InputError, "mass matrix must be symmetric"),
        (lambda: carom.impact_of(np.full((2, 2), np.inf), J2, Q2), carom.InputError, "mass matrix must be a finite number"),
        (lambda: carom.impact_of(M2, J2, [np.nan, 0.0]), carom.InputError, "generalised velocity must be a finite"),
        (lambda: carom.impact_of(M2, J2 * np.nan, Q2), carom.InputError, "Jacobian must be a finite"),
        (lambda: carom.impact_of(M2, J2 * [[0.0], [1.0]], Q2), carom.InputError, "nothing can move along the contact normal"),
        (lambda: carom.impact_of(np.eye(3), J2, Q2), carom.ShapeError, r"mass_matrix has the shape \(3, 3\), velocity \(2,\)"),
        (lambda: carom.impact_of(M2, J2[..., :1], Q2), carom.ShapeError, r"jacobian has the shape \(1, 2, 1\), velocity \(2,\); .* \(n, 3, 2\)"),
        (lambda: carom.impact_of(M2, [1.0, 2.0], Q2), carom.ShapeError, "jacobian"),
        (lambda: carom.impact_of(M2, J2, [Q2]), carom.ShapeError, r"velocity has the shape \(1, 2\); expected \(nv,\)"),
        (lambda: carom.impact_of(M2, np.empty((0, 3, 2)), Q2), carom.ShapeError, r"\(0, 3, 2\)"),
        (lambda: carom.impact_of(np.empty((0, 0)), np.empty((1, 3, 0)), []), carom.CaromError, "mass matrix|jacobian|sizes"),
    ],
)
def test_bad_input(call: Any, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says):
        call()


def test_results_show_themselves() -> None:
    done = carom.impact_of(M2, J2, Q2)
    assert repr(done).startswith("ImpactResult(law='newton-lcp', impulse=[[1.8")
    assert "<th>generalised velocity after</th>" in done._repr_html_()
    assert carom.impact(CORNER, INTO_CORNER).generalised_velocity_after is None
