"""Derivatives of collide against differences of collide itself."""

import pickle
from typing import Any

import carom
import numpy as np
import pytest
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEP = 1e-6


def problems(n: int, rows: int) -> tuple[Array, Array]:
    """Well-conditioned collisions that approach."""
    random = np.random.default_rng(7)
    a = random.uniform(-0.4, 0.4, (rows, n, n))
    w = a @ a.transpose(0, 2, 1) + np.eye(n)
    v = random.uniform(-1.0, 1.0, (rows, n))
    v[:, 0] = -0.2 - np.abs(v[:, 0])
    return w, v


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("law", ["newton", "chatterjee-1", "chatterjee-2", "chatterjee-3", "routh-stronge", "routh-poisson", "routh-newton", "smith"])
def test_jacobians_are_limits_of_differences(law: str, n: int) -> None:
    rows = 400
    w, v = problems(n, rows)
    triangle = np.triu_indices(n)
    parameters: dict[str, Any] = {"restitution": 0.6}
    for key, value in [("friction", 0.35), ("tangential_restitution", 0.2)]:
        if any(parameter.key == key for parameter in carom.law(law).parameters):
            parameters[key] = value
    found = carom.collide(w, v, law, jacobian=True, **parameters)
    keys = found.inputs[n + len(triangle[0]) :]
    assert found.jacobian.shape == (rows, 2 * n, n + len(triangle[0]) + len(keys))
    x = np.concatenate([v, w[:, triangle[0], triangle[1]], np.tile([parameters[key] for key in keys], (rows, 1))], axis=1)

    def answer(x: Array) -> Array:
        values: dict[str, Any] = {key: x[:, n + len(triangle[0]) + k] for k, key in enumerate(keys)}
        result = carom.collide(x[:, n : n + len(triangle[0])], x[:, :n], law, **values)
        return np.concatenate([result.impulse, result.velocity_after], axis=1)

    here, smooth = answer(x), found.derivative == carom.DERIVATIVES.index("smooth")
    assert smooth.mean() > 0.9
    for k in range(x.shape[1]):
        step = np.zeros(x.shape[1])
        step[k] = STEP
        up, down = (answer(x + step) - here) / STEP, (here - answer(x - step)) / STEP
        slack = np.abs(up - down) + 1e-7 * (1.0 + np.abs(up))
        off = np.abs(found.jacobian[:, :, k] - 0.5 * (up + down))
        assert np.all(off[smooth] <= slack[smooth]), found.inputs[k]


def test_one_problem_has_a_matrix_and_a_word() -> None:
    w = [[2.5, -1.5], [-1.5, 2.5]]
    rod = carom.collide(w, [-1.0, 0.6], "newton", restitution=0.5, jacobian=True)
    assert rod.inputs == ("V_n", "V_t", "W_nn", "W_nt", "W_tt", "restitution")
    # P_n = -(1 + e) V_n / W_nn
    assert rod.jacobian[0].tolist() == pytest.approx([-0.6, 0.0, -0.24, 0.0, 0.0, 0.4])
    assert rod.derivative == "smooth"
    assert carom.collide(w, [0.0, 0.6], "newton", restitution=0.5, jacobian=True).derivative == "kink"
    again = pickle.loads(pickle.dumps(rod))
    assert np.array_equal(again.jacobian, rod.jacobian) and "jacobian" not in repr(rod)


def test_derivatives_that_are_not_there() -> None:
    w, v = np.eye(2), [-1.0, 0.6]
    with pytest.raises(carom.InputError, match="law `hertz` has no derivatives"):
        carom.collide(w, v, "hertz", youngs_modulus=1e9, radius=0.1, jacobian=True)
    assert carom.collide(w, [v], "newton", restitution=[0.5], jacobian=True).derivative.tolist() == [0]
    assert carom.collide(w, v, friction=np.inf, jacobian=True).derivative == "unknown"
    with pytest.raises(AttributeError, match="jacobian"):
        carom.collide(w, v).jacobian
    rows = carom.collide(w, [[np.nan, 0.6], v], jacobian=True)
    assert rows.derivative.tolist() == [2, 0] and not rows.jacobian[0].any()
    empty = carom.collide(w, np.empty((0, 2)), jacobian=True)
    assert empty.jacobian.shape == (0, 4, 7)


def test_words_row_by_row_and_their_derivatives() -> None:
    rules = ["centre", "sliding", "frictionless"]
    w, v = [[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]
    rows = carom.collide(w, v, "ivanov", direction=rules, jacobian=True)
    assert rows.inputs[-1] == "direction" and not rows.jacobian[..., -1].any()
    for row, rule in enumerate(rules):
        alone = carom.collide(w, v, "ivanov", direction=rule, jacobian=True)
        assert alone.impulse.tolist() == rows.impulse[row].tolist() and alone.jacobian.tolist() == rows.jacobian[row].tolist()
    with pytest.raises(carom.InputError, match='direction is "up"; expected centre, sliding, frictionless'):
        carom.collide(w, v, "ivanov", direction=["centre", "up", "sliding"])
    with pytest.raises(carom.InputError, match="restitution holds"):
        carom.collide(w, v, "newton", restitution=["a", "b"])
