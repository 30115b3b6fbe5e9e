"""Scenario files from Python: the numbers of the command, tables, pictures, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import carom

SCENARIOS = Path(__file__).parents[3] / "scenarios"


def test_a_scenario_is_the_collision_that_it_describes() -> None:
    rod = carom.load(SCENARIOS / "falling-rod.toml")
    assert (rod.title, rod.path) == ("Falling rod, Wang & Mason case 2", SCENARIOS / "falling-rod.toml")
    prediction = rod.collide("routh-poisson")
    same = carom.collide([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6], "routh-poisson", 0.9, 0.8)
    local = prediction["contacts"][0]["local"]
    np.testing.assert_allclose(local["impulse"][:2], same.impulse, rtol=1e-12)
    np.testing.assert_allclose(prediction["energy"]["change"], same.energy_change, rtol=1e-12)
    assert prediction["contacts"][0]["mode"] == same.mode
    assert "c-sticking" in str(prediction)
    assert repr(prediction) == "<carom.Prediction 'Falling rod, Wang & Mason case 2' by routh-poisson>"
    assert prediction.svg().startswith("<svg ") and prediction.svg() == prediction._repr_svg_()


def test_laws_are_compared() -> None:
    rod = carom.load(str(SCENARIOS / "falling-rod.toml"))
    answers = {answer["law"]: answer for answer in rod.compare()}
    assert list(answers) == [law.id for law in carom.laws() if not law.several] and len(rod.compare()) == len(answers)
    assert "not_applicable" in answers["hertz"]
    alone = rod.collide("routh-poisson").data
    # A comparison does not follow the course.
    assert answers["routh-poisson"] == {**alone, "phases": None}
    several = carom.load(SCENARIOS / "cradle-three.toml").compare()
    assert several[0]["law"] == "newton-lcp"


def test_a_ball_falls_and_bounces() -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 does not read TOML")
    path = SCENARIOS / "bouncing-ball.toml"
    text = tomllib.loads(path.read_text(encoding="utf-8"))
    ball = carom.load(path)
    run = ball.simulate(duration=0.25)
    assert run.status == "finished" and run.failure is None
    assert run.summary["duration"] == 0.25 and run.summary["engine"] == "event"
    lengths = {len(column) for column in run.trajectory.values()}
    assert len(lengths) == 1
    first = run.trajectory
    start = text["body"][0]["position"]
    assert [first["x"][0], first["y"][0]] == start[:2]
    # Before the first impact it falls freely.
    falls = first["time"] < (run.events["time"][0] if len(run.events["time"]) else 0.25)
    g = -text["simulation"]["gravity"][1]
    t = first["time"][falls]
    np.testing.assert_allclose(first["y"][falls], start[1] + first["velocity_y"][0] * t - 0.5 * g * t**2, atol=1e-12)
    assert first["body"].dtype.kind == "U"
    longer = ball.simulate()
    assert longer.summary["duration"] == text["simulation"]["duration"] and len(longer.events["time"]) > 0
    assert "carom.Simulation" in repr(longer) and str(longer)
    assert longer.svg().startswith("<svg ")
    np.testing.assert_array_equal(ball.simulate(threads=1).trajectory["y"], longer.trajectory["y"])
    stepped = ball.simulate(duration=0.1, engine="stepping", law="newton-lcp")
    assert stepped.summary["engine"] == "stepping" and stepped.summary["law"] == "newton-lcp"


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_scenario_of_the_gallery_loads(path: Path) -> None:
    assert carom.load(path).title


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        carom.load(tmp_path / "nowhere.toml")
    file = tmp_path / "rod.toml"
    good = (SCENARIOS / "falling-rod.toml").read_text(encoding="utf-8")
    file.write_text(good.replace("friction = 0.8", "friction = -0.8"), encoding="utf-8")
    with pytest.raises(carom.InputError, match=r"`friction` is -0.8(.|\n)*rod.toml:\d+"):
        carom.load(file)
    file.write_text("[simulation]\nduration = -1", encoding="utf-8")
    with pytest.raises(carom.InputError, match="rod.toml:2"):
        carom.load(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(carom.InputError):
        carom.load(file)


def test_bad_calls() -> None:
    rod, ball = carom.load(SCENARIOS / "falling-rod.toml"), carom.load(SCENARIOS / "bouncing-ball.toml")
    refused: list[tuple[Any, str]] = [
        (rod.simulate, "simulation"),
        (lambda: rod.collide("nobody"), "there is no law `nobody`"),
        (lambda: rod.collide("brach"), "law `brach` needs `impulse_ratio`"),
        (lambda: rod.collide("bilinear"), "needs a diagonal inverse mass"),
        (lambda: ball.simulate(duration=-1.0), "duration is -1; expected a number of seconds above 0"),
        (lambda: ball.simulate(duration=float("nan")), "duration is NaN"),
        (lambda: ball.simulate(engine=cast("Any", "warp")), 'engine is "warp"; expected event or stepping'),
        (lambda: ball.simulate(threads=-1), "threads is -1; expected 0 to 1024"),
    ]
    for call, says in refused:
        with pytest.raises(carom.CaromError, match=says):
            call()
