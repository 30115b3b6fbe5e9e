"""Pictures on the axes of matplotlib. They are skipped where it is not there."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import carom

matplotlib = pytest.importorskip("matplotlib", reason="needs matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib")

SCENARIOS = Path(__file__).parents[3] / "scenarios"
ROD = ([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6])


@pytest.fixture
def ax() -> Any:
    figure, axes = plt.subplots()
    yield axes
    figure.canvas.draw()
    plt.close(figure)


def labels(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def line(ax: Any, label: str) -> Any:
    [found] = [line for line in ax.get_lines() if line.get_label() == label]
    return found.get_xydata()


def impulses(ax: Any, label: str) -> Any:
    """Points (n, t) of a line in an impulse plane, where the normal impulse points upwards."""
    return line(ax, label)[:, ::-1]


def test_impulse_space(ax: Any) -> None:
    space = carom.impulse_space(*ROD, friction=0.8)
    assert space.plot(restitution=0.9, ax=ax) is ax
    assert {"accessible region", "friction cone", "T: termination", "S: sticking"} <= set(labels(ax))
    w, v = map(np.array, ROD)
    # On the ellipse no energy changes, on the lines the velocity after is known.
    ellipse = impulses(ax, "no change of energy")
    np.testing.assert_allclose(np.einsum("ki,ki->k", ellipse, 2 * v + ellipse @ w), 0.0, atol=1e-12)
    np.testing.assert_allclose((v + impulses(ax, "T: termination") @ w)[:, 0], 0.9, rtol=1e-12)
    np.testing.assert_allclose((v + impulses(ax, "S: sticking") @ w)[:, 1], 0.0, atol=1e-12)
    [region] = ax.patches
    assert space.contains(region.get_xy()[:, ::-1].mean(axis=0))
    assert ax.get_ylabel() == "normal impulse $P_n$ (N s)"


def test_impulse_space_in_space_and_without_an_inverse(ax: Any) -> None:
    spatial = carom.impulse_space(np.diag([1.0, 2.0, 3.0]), [-1.0, 0.5, 0.2])
    assert "along the slip" in spatial.plot(ax=ax).get_xlabel()
    carom.impulse_space([[1.0, 0.0], [0.0, 0.0]], [-1.0, 0.0]).plot(ax=ax)
    with pytest.raises(carom.InputError, match="restitution is 2"):
        spatial.plot(2.0, ax)


def test_one_collision(ax: Any) -> None:
    rod = carom.collide(*ROD, restitution=0.9, friction=0.8)
    assert rod.plot(ax) is ax
    np.testing.assert_allclose(impulses(ax, "routh-poisson")[0], rod.impulse)
    assert "T: termination" in labels(ax)
    assert pickle.loads(pickle.dumps(rod)).svg() == rod.svg()
    assert rod.svg() in rod._repr_html_()
    # Without its impulse there is no mark.
    assert len(carom.collide(*ROD, outputs=["mode"]).plot(ax).get_lines()) > 0
    gains = carom.collide(*ROD, "whittaker", restitution=0.9, friction=0.8).plot(ax)
    assert "whittaker (not admissible)" in labels(gains)
    with pytest.raises(carom.ShapeError, match=r"the shape of the batch is \(2,\); expected one problem"):
        carom.collide(ROD[0], [ROD[1], ROD[1]]).plot(ax)


def test_predictions(ax: Any) -> None:
    rod = carom.load(SCENARIOS / "falling-rod.toml")
    answers = rod.compare()
    answers.plot(ax)
    named = ", ".join(labels(ax))
    assert "routh-poisson" in named and "not admissible" in named
    rod.collide("smith").plot(ax)
    with pytest.raises(carom.InputError, match="there are 2 contacts; expected one"):
        carom.load(SCENARIOS / "cradle-three.toml").compare().plot(ax)


def test_motion_energy_and_gaps(ax: Any) -> None:
    run = carom.load(SCENARIOS / "bouncing-ball.toml").simulate()
    assert run.plot(ax=ax) is ax
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x (m)", "y (m)")
    path = ax.get_lines()[0].get_xydata()
    assert path[0].tolist() == [run.trajectory["x"][0], run.trajectory["y"][0]]
    plt.figure()
    energy = run.plot("energy")
    assert energy is plt.gca()
    kinetic = line(energy, "kinetic")
    np.testing.assert_array_equal(kinetic, np.column_stack([run.ledger["time"], run.ledger["kinetic"]]))
    plt.close()
    run.plot("gaps", ax)
    gap = ax.get_lines()[-1].get_xydata()
    assert gap[:, 1].min() == 0.0 and gap[-1, 0] == run.summary["duration"]


def test_motion_in_space_and_of_many(ax: Any) -> None:
    run = carom.load(SCENARIOS / "tippe-top.toml").simulate(0.05)
    assert run.plot(ax=ax).get_xlabel() == "across the view (m)"
    gas = carom.load(SCENARIOS / "granular-gas.toml").simulate(0.01)
    gas.plot(ax=ax)
    with pytest.raises(carom.InputError, match="there are no gaps to draw"):
        carom.Scene().body("a", carom.Body(mass=1.0, inertia=1.0)).simulate(0.1).plot("gaps", ax)


def test_bad_calls() -> None:
    run = carom.load(SCENARIOS / "bouncing-ball.toml").simulate(0.1)
    with pytest.raises(carom.InputError, match='kind is "speed"; expected motion, energy or gaps'):
        run.plot(cast("Any", "speed"))
    with pytest.raises(carom.CaromError, match="ax is of the type int; expected axes"):
        run.plot(ax=3)


def test_without_matplotlib() -> None:
    code = """
import sys, carom
assert "matplotlib" not in sys.modules
sys.modules["matplotlib.pyplot"] = sys.modules["matplotlib"] = None
try:
    carom.impulse_space([[1, 0], [0, 1]], [-1, 0]).plot()
except ImportError as why:
    print(why)
"""
    done = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert done == "plot needs matplotlib: pip install matplotlib\n"
