"""The impulses that a law reaches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import carom

Array = NDArray[np.float64]
ROD, FALL = [[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]
#: W and V in space.
SPACE, FLIGHT = [[1.0, 0.2, 0.1], [0.2, 3.0, 0.3], [0.1, 0.3, 2.5]], [-1.0, 0.5, 0.3]


def area(cell: Array) -> float:
    x, y = cell.T
    return 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))


def test_the_accessible_law_reaches_everything_and_no_more() -> None:
    region = carom.region(ROD, FALL, "accessible", friction=0.8)
    assert region.parameters == ("fraction", "polar") and region.extent == "part"
    assert region.share == pytest.approx(1.0, abs=0.01)
    assert sum(area(cell) for cell in region.cells) == pytest.approx(area(region.outline), rel=0.02)
    space = carom.impulse_space(ROD, FALL, friction=0.8)
    assert space.contains(region.impulse).all()
    again = carom.collide(ROD, FALL, "accessible", friction=0.8, **dict(zip(region.parameters, region.values.T)))
    np.testing.assert_allclose(region.impulse, again.impulse, atol=1e-14)
    np.testing.assert_allclose(region.velocity_after, again.velocity_after, atol=1e-14)
    np.testing.assert_allclose(region.energy_change, again.energy_change, atol=1e-14)


def test_kinds_of_sets() -> None:
    newton = carom.region(ROD, FALL, "newton")
    assert newton.extent == "curve" and newton.share is None and newton.curves and newton.cells == []
    assert carom.region(ROD, FALL, "newton", restitution=0.5).extent == "point"
    assert carom.region(SPACE, FLIGHT, "chatterjee-2").extent == "surface"
    third = carom.region(SPACE, FLIGHT, "accessible", friction=0.3)
    assert third.extent == "part" and third.share is not None and third.share > 0.9 and third.impulse.shape[1] == 3
    rule = carom.region(ROD, FALL, "chatterjee-2", friction=0.8, restitution=0.5)
    assert rule.parameters == ("tangential_restitution",) and "chatterjee-2" in repr(rule)


def test_laws_of_ones_own_have_regions() -> None:
    @carom.law(parameters={"restitution": (0, 1), "hold": (0, None)})
    def sticky(inverse_mass: Array, velocity: Array, restitution: Array, hold: Array) -> Any:
        wanted = np.zeros_like(velocity)
        wanted[:, 0] = -restitution * velocity[:, 0]
        wanted[:, 1:] = (1.0 - hold[:, None]) * velocity[:, 1:]
        return np.linalg.solve(inverse_mass, (wanted - velocity)[..., None])[..., 0]

    with pytest.raises(carom.InputError, match="`hold` of law `sticky` has no bounds"):
        carom.region(ROD, FALL, sticky)
    region = carom.region(ROD, FALL, sticky, hold=1.0)
    assert region.parameters == ("restitution",) and region.law == sticky
    stuck = carom.impulse_space(ROD, FALL).centre
    assert np.isclose(region.impulse, stuck, atol=1e-12).all(axis=1).any()


def test_pictures() -> None:
    region = carom.region(ROD, FALL, "chatterjee-2", friction=0.8)
    assert region.svg().startswith("<svg") and region._repr_svg_() == region.svg()
    matplotlib: Any = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    pyplot: Any = pytest.importorskip("matplotlib.pyplot")
    figure, ax = pyplot.subplots()
    assert region.plot(ax, alpha=0.5) is ax
    low, high = ax.get_ylim()
    assert low <= region.outline[:, 0].min() and high >= region.outline[:, 0].max()
    assert len(ax.collections) == 1 and ax.get_xlabel() == "tangential impulse (kg m/s)"
    for law in ("newton", "accessible"):
        carom.region(ROD, FALL, law).plot(ax)
    figure.canvas.draw()
    pyplot.close(figure)


def test_bad_questions_are_errors() -> None:
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: carom.region(ROD, FALL, "newton-lcp"), "is for several contacts"),
        (lambda: carom.region(ROD, FALL, "newton", friction=-1.0), "friction is -1"),
        (lambda: carom.region(ROD, FALL, "newton", friction=float("nan")), "friction is NaN"),
        (lambda: carom.region(ROD, FALL, "newton", polar=1.0), "no parameter `polar`|polar"),
        (lambda: carom.region(ROD, FALL, "newton", restitution=np.ones(2)), "restitution is an array"),
        (lambda: carom.region(ROD, [FALL, FALL], "newton"), "expected one problem"),
    ]
    for call, message in calls:
        with pytest.raises(carom.CaromError, match=message):
            call()
    with pytest.raises(carom.NoAnswerError):
        carom.region(SPACE, FLIGHT, "pfeiffer-glocker")
