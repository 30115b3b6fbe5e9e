"""Scenes made in Python: the numbers of files, errors that name the item, pickles, threads, progress, checkpoints."""

from __future__ import annotations

import copy
import io
import pickle
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import carom

SCENARIOS = Path(__file__).parents[3] / "scenarios"
Body = carom.Body


def bouncing() -> carom.Scene:
    scene = carom.Scene("Bouncing", gravity=[0.0, -9.81])
    scene.material("rubber", restitution=0.8, friction=0.5).wall("floor", normal=[0.0, 1.0])
    ball = Body.ball(radius=0.1, mass=1.0)
    return scene.body("ball", ball, position=[0.0, 1.0], velocity=[0.5, 0.0], angular_velocity=3.0)


def everything() -> carom.Scene:
    """A planar scene with every kind of item but robots."""
    scene = bouncing()
    scene.material("steel", restitution=0.6, friction=0.3).pair("rubber", "steel", restitution=0.7, friction=0.4)
    for name in ("ball", "floor"):
        scene = named(scene, name, "rubber")
    scene.body("box", Body.box(size=[0.2, 0.3], density=7.0), position=[1.0, 1.0], orientation=0.3, material="steel")
    ends = [Body.disk(radius=0.1).at([-0.2, 0.0]), Body.box(size=[0.2, 0.1]).at([0.1, 0.0], orientation=0.5)]
    scene.body("club", Body.compound(ends, mass=2.0), position=[2.0, 1.0], material="steel")
    triangle = Body.polygon([[-0.1, -0.1], [0.2, 0.0], [0.0, 0.2]], mass=0.3)
    scene.body("triangle", triangle, position=[2.0, 2.0], material="steel")
    scene.body("arm", Body(mass=0.5, inertia=0.01), position=[3.0, 1.0])
    scene.body("slide", Body.capsule(radius=0.05, length=0.2, mass=1.0), position=[4.0, 2.0], material="steel")
    scene.obstacle("post", Body.disk(radius=0.1), position=[0.5, 0.1], material="steel")
    scene.joint("hinge", "revolute", between=("arm", "ground"), point=[3.0, 1.5], limits=[-1.0, 1.0], restitution=0.2)
    scene.joint("rail", "prismatic", between=("slide", "ground"), point=[4.0, 2.0], axis=[1.0, 0.0], collide=False)
    scene.spring(between=("box", "ground"), stiffness=20.0, damping=0.1, rest_length=0.4, ends=([1.0, 1.0], [1.0, 2.0]))
    scene.torsion_spring("hinge", stiffness=3.0, damping=0.01, rest_angle=0.1)
    scene.string("cord", between=("triangle", "ground"), length=0.6, ends=([2.0, 2.0], [2.0, 2.5]), restitution=0.3)
    scene.motor("rail", 2.0, signal={"frequency": 5.0}).force("ball", [0.1, 0.0], point=[0.0, 1.05])
    return scene.torque("club", 0.01, signal={"frequency": 2.0, "offset": 0.5}).passing("ball", "post")


def named(scene: carom.Scene, name: str, material: str) -> carom.Scene:
    """With a material for an item, which a scene of one material does not need."""
    item = next(place for place, (_, called, _) in enumerate(scene._items) if called.endswith(f'"{name}"'))
    header, called, keys = scene._items[item]
    scene._items[item] = (header, called, (*keys, ("material", f'"{material}"')))
    return scene


def same(one: carom.Simulation, other: carom.Simulation) -> None:
    for name in ("trajectory", "events", "ledger"):
        a, b = getattr(one, name), getattr(other, name)
        assert a.keys() == b.keys()
        for key in a:
            np.testing.assert_array_equal(a[key], b[key])


def test_a_ball_falls_and_bounces() -> None:
    run = bouncing().simulate(2.0)
    assert run.status == "finished" and run.summary["title"] == "Bouncing"
    # It falls 0.9 m, and bounces with 0.8 of its speed.
    first = run.events["time"][0]
    assert first == pytest.approx((2 * 0.9 / 9.81) ** 0.5, rel=1e-12)
    assert run.events["velocity_after_n"][0] == pytest.approx(0.8 * 9.81 * first, rel=1e-12)
    assert run.trajectory["time"][-1] == 2.0
    assert bouncing().simulate().summary["duration"] == 1.0


@pytest.mark.parametrize("make", [bouncing, everything], ids=["bouncing", "everything"])
@pytest.mark.parametrize("engine", ["event", "stepping"])
def test_the_file_of_a_scene_has_the_same_numbers(make: Any, engine: Any, tmp_path: Path) -> None:
    scene = make()
    file = tmp_path / "scene.toml"
    file.write_text(scene.to_toml(), encoding="utf-8")
    run = scene.simulate(0.7, engine)
    assert run.failure is None
    same(run, carom.load(file).simulate(0.7, engine))
    assert carom.load(file).to_toml() == scene.to_toml()


def test_numbers_keep_every_bit() -> None:
    random = np.random.default_rng(5)
    places = random.normal(size=(40, 2)) * 10.0 ** random.uniform(-12, 4, size=(40, 1))
    scene = carom.Scene(gravity=[0.0, 0.0])
    for k, place in enumerate(places):
        # Bodies without parts may be anywhere.
        scene.body(f"body {k}", Body(mass=1.0, inertia=np.float64(0.1)), position=place, orientation=np.float32(0.1))
    first = scene.simulate(duration=1e-3).trajectory
    np.testing.assert_array_equal(np.column_stack([first["x"], first["y"]])[:40], places)


def solid(keys: dict[str, Any]) -> Body:
    """The body of the keys of a table, which are taken out of it."""
    own = {key: keys.pop(key) for key in ("mass", "density", "inertia", "centre_of_mass") if key in keys}
    if "shape" not in keys:
        return Body(**own)
    [(kind, sizes)] = keys.pop("shape").items()
    if kind == "compound":
        sizes = {"pieces": [solid(piece).at(**piece) for piece in sizes]}
    made: Body = getattr(Body, kind)(**sizes, **own)
    return made


def rebuilt(text: dict[str, Any]) -> carom.Scene:
    """A scene of the tables of a file, all of which are taken out of it."""
    scene = carom.Scene(text.pop("title"), description=text.pop("description", None), **text.pop("simulation"))
    for material in text.pop("material", []):
        scene.material(**material)
    for pair in text.pop("pair", []):
        scene.pair(*pair.pop("between"), **pair)
    for place, wall in enumerate(text.pop("wall", [])):
        scene.wall(wall.pop("name", f"wall {place + 1}"), **wall)
    for place, obstacle in enumerate(text.pop("obstacle", [])):
        scene.obstacle(obstacle.pop("name", f"obstacle {place + 1}"), solid(obstacle), **obstacle)
    for body in text.pop("body"):
        scene.body(body.pop("name"), solid(body), **body)
    for place, joint in enumerate(text.pop("joint", [])):
        scene.joint(joint.pop("name", f"joint {place + 1}"), **joint)
    for contact in text.pop("contact", []):
        scene.contact(**contact)
    law = text.pop("law", None)
    return scene if law is None else scene.law(law.pop("id"), **law)


MOVING = [file for file in sorted(SCENARIOS.glob("*.toml")) if "\n[simulation]" in file.read_text(encoding="utf-8")]


@pytest.mark.parametrize("file", MOVING, ids=lambda file: file.stem)
def test_scenes_of_the_gallery_made_in_python_have_its_numbers(file: Path) -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 does not read TOML")
    text = tomllib.loads(file.read_text(encoding="utf-8"))
    until = min(0.05, text["simulation"]["duration"])
    scene = rebuilt(text)
    assert text == {}
    same(scene.simulate(until), carom.load(file).simulate(until))


def test_contacts_collide_as_those_of_a_file() -> None:
    scene = carom.Scene("Two balls").law("routh-poisson")
    for name, x, speed in (("left", -0.1, 2.0), ("right", 0.1, -1.0)):
        scene.body(name, Body.ball(radius=0.1, mass=1.0), position=[x, 0.0], velocity=[speed, 0.5 * speed])
    scene.contact(between=("left", "right"), point=[0.0, 0.0], normal=[-1.0, 0.0], restitution=0.5, friction=0.2)
    answer = scene.collide()
    assert answer["law"] == "routh-poisson" and answer["contacts"][0]["mode"] == "c-sticking"
    local = answer["contacts"][0]["local"]
    # Two balls of mass 1 have 1/m = 2 along the normal, and approach with 3 m/s.
    assert local["impulse"][0] == pytest.approx(1.5 * 3.0 / 2.0)
    assert "[simulation]" not in scene.to_toml()
    assert scene.collide("newton").data == pickle.loads(pickle.dumps(scene.collide("newton"))).data
    assert [a["law"] for a in pickle.loads(pickle.dumps(scene.compare()))] == [a["law"] for a in scene.compare()]


def test_a_compound_has_the_inertia_of_its_pieces() -> None:
    m, r, a, torque = 0.5, 0.1, 0.3, 0.2
    ends = [Body.disk(radius=r, mass=m).at([x, 0.0]) for x in (-a, a)]
    scene = carom.Scene(dimension="planar").body("dumbbell", Body.compound(ends)).torque("dumbbell", torque)
    end = scene.simulate(1.0).trajectory["angular_velocity"][-1]
    assert end == pytest.approx(torque / (2.0 * (0.5 * m * r**2 + m * a**2)), rel=1e-9)


def test_errors_name_the_item() -> None:
    s = everything
    ball = Body.ball(radius=0.1, mass=1.0)
    refused: list[tuple[Any, str]] = [
        (lambda: s().body("b", Body.ball(radius=-1.0, mass=1.0)), 'body "b": `radius` is -1; expected a number above 0'),
        (lambda: s().body("b", Body.ball(radius=1.0, mass=cast("Any", "1"))), 'body "b": `mass` is the string `1`; expected a number'),
        (lambda: s().body("b", Body.ball(radius=1.0, mass=float("nan"))), 'body "b": `mass` is not a number'),
        (lambda: s().body("b", Body.ball(radius=1.0, mass=cast("Any", 1j))), 'body "b": `mass` holds 1j'),
        (lambda: s().body("b", ball, position=[0.0, 0.0, 0.0]).simulate(), 'body "b": `position` is spatial, but the rest is planar'),
        (lambda: s().body("b", Body.ball(radius=1.0), material="steel").simulate(), 'body "b": body `b` has neither `mass` nor `density`'),
        (lambda: s().body("b", cast("Any", 3)), 'body "b": the body is of the type int; expected a carom.Body'),
        (lambda: s().body("b", ball.at([0.0, 0.0])), 'body "b": the body is a piece of a compound'),
        (lambda: s().body("b", ball, material="stel").simulate(), "there is no material `stel`; did you mean `steel`"),
        (lambda: s().body("ball", ball), 'body "ball": another body has the same name'),
        (lambda: s().body("", ball), "the name of a body is empty"),
        (lambda: s().material("", friction=0.1), "the name of a material is empty"),
        (lambda: s().wall("", normal=[0.0, 1.0]), "the name of a wall is empty"),
        (lambda: s().body(3, ball), "the name of a body is 3; expected a word"),  # type: ignore[arg-type]
        (lambda: s().body("ground", ball), "`ground` is the name of the immovable world"),
        (lambda: s().body("b", ball, position=[0.0, 1.05], material="rubber").simulate(), "`b` starts .* inside `ball`"),
        (lambda: s().wall("w", normal=cast("Any", 3.0)), 'wall "w": `normal` is 3.0; expected 2 numbers'),
        (lambda: s().wall("w", normal=[0.0, 0.0]).simulate(), 'wall "w": '),
        (lambda: s().obstacle("o", Body(mass=1.0)), 'obstacle "o": the body is Body.*; expected one with a shape'),
        (lambda: s().material("glass", frction=0.3), 'material "glass": unknown key `frction`.*did you mean `friction`'),
        (lambda: s().joint("pin", cast("Any", "rotary"), between=("ball", "box"), point=[0.0, 0.0]), 'joint "pin": there is no `kind` `rotary`'),
        (lambda: s().joint("pin", "fixed", between=("ball", "bxo"), point=[0.0, 0.0]).simulate(), 'joint "pin": there is no body `bxo`; did you mean `box`'),
        (lambda: s().motor("nope", 1.0).simulate(), "motor 2: there is no joint `nope`"),
        (lambda: s().motor("nope", 1.0).torque("box", 1.0).simulate(), "motor 2: there is no joint `nope`"),
        (lambda: s().spring(between=("ball", "box"), stiffness=-1.0), "spring 2: `stiffness` is -1"),
        (lambda: s().spring(between=("ball", "box"), stiffness=1.0, ends=[[0.0, 0.0]]), r"ends of a spring are \[\[0.0, 0.0\]\]; expected 2 points"),
        (lambda: s().collide("newton"), "the scene has no contact; expected one by `contact`"),
        (lambda: s().contact(between="ball", point=[0.0, 0.0], normal=[0.0, 1.0]), "contact 1: `between` is the string `ball`"),
        (lambda: s().string("s", between=("ball", "box"), ends=cast("Any", 5)), "ends of a string are 5; expected 2 points"),
        (lambda: s().simulate(checkpoint_every=1e-9), "checkpoint_every 1e-9 over a duration of 1 s asks for"),
        (lambda: s().law("nobody"), "law: there is no law `nobody`"),
        (lambda: s().law(cast("Any", 3)), "law: `id` is a number"),
        (lambda: s().simulate(-1.0), "duration is -1"),
        (lambda: s().simulate(checkpoint_every=0.0), "checkpoint_every is 0; expected"),
        (lambda: s().simulate(on_checkpoint=print), "on_checkpoint is given without checkpoint_every"),
        (lambda: s().robot("arm.urdf").simulate(), "robot 1: a robot is spatial, but the rest is planar"),
        (lambda: carom.Scene().robot("nowhere.urdf").simulate(), "robot 1: .*nowhere.urdf"),
        (lambda: carom.Scene().simulate(), "the scene has no bodies"),
        (lambda: carom.Scene(dimension="planar", gravity=[0.0, 0.0, 1.0]), r"gravity is \[0.0, 0.0, 1.0\]; expected 2 numbers"),
        (lambda: carom.Scene(dimension=cast("Any", "flat")), 'dimension is "flat"; expected planar or spatial'),
        (lambda: carom.Scene(engine=cast("Any", "warp")), "there is no `engine` `warp`"),
        (lambda: Body.compound([cast("Any", 3)]), "a piece of a compound is of the type int"),
        (lambda: Body.compound([Body(mass=1.0)]), "expected a body with a shape"),
        (lambda: Body.compound([Body.ball(radius=1.0, density=2.0)]), "expected no density"),
    ]
    for call, says in refused:
        with pytest.raises(carom.InputError, match=says):
            call()


def test_a_refused_item_is_not_added() -> None:
    scene = bouncing()
    with pytest.raises(carom.InputError):
        scene.body("box", Body.box(size=[0.1, -0.1], mass=1.0))
    assert scene == bouncing()
    assert scene.body("box", Body.box(size=[0.1, 0.1], mass=1.0), position=[1.0, 1.0]).simulate(0.1).failure is None


def test_robots_become_bodies(tmp_path: Path) -> None:
    urdf = """<robot name="pendulum">
      <link name="base"/>
      <link name="arm"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><origin xyz="0 0 -0.5"/><geometry><sphere radius="0.1"/></geometry></collision></link>
      <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""
    (tmp_path / "arm.urdf").write_text(urdf, encoding="utf-8")
    scene = carom.Scene(gravity=[0.0, 0.0, -9.81], folder=tmp_path).material("steel", friction=0.3, restitution=0.2)
    scene.robot("arm.urdf", "left", base="fixed", displacements={"hinge": 0.5})
    run = scene.simulate(0.5)
    assert set(run.trajectory["body"]) == {"left/arm"} and abs(run.summary["worst_relative_residual"]) < 1e-9
    alone = carom.load(tmp_path / "arm.urdf")
    # Both stand for themselves without the file of the robot.
    for scenario in (scene.scenario(), alone):
        again = pickle.loads(pickle.dumps(scenario))
        (tmp_path / "whole.toml").write_text(scenario.to_toml(), encoding="utf-8")
        for other in (again, carom.load(tmp_path / "whole.toml")):
            same(scenario.simulate(0.2), other.simulate(0.2))


def test_scenes_are_copied_pickled_and_compared() -> None:
    scene = everything()
    for again in (pickle.loads(pickle.dumps(scene)), copy.deepcopy(scene), copy.copy(scene), scene.copy()):
        assert again == scene and again.to_toml() == scene.to_toml()
        again.body("more", Body(mass=1.0, inertia=1.0))
        assert again != scene and scene == everything()
    scenario = scene.scenario()
    assert scenario is scene.scenario()
    same(scenario.simulate(0.1), pickle.loads(pickle.dumps(scenario)).simulate(0.1))
    assert Body.ball(radius=0.1, mass=1.0) == Body.ball(0.1, mass=1.0) != Body.ball(radius=0.1, mass=2.0)
    assert len({Body.ball(radius=0.1), Body.ball(radius=0.1)}) == 1
    with pytest.raises(carom.InputError, match="no scenario of carom"):
        carom._carom._restored_scenario(b"junk")


def test_scenes_show_what_is_in_them() -> None:
    assert repr(everything()) == (
        "<carom.Scene 'Bouncing': 2 materials, 1 wall, 6 bodies, 1 pair, 1 obstacle, 2 joints, 1 spring, 1 torsion spring, 1 string, "
        "1 motor, 1 force, 1 torque, 1 pair that passes>"
    )
    html = everything()._repr_html_()
    assert html.count("<tr>") == 7 and "club" in html
    assert repr(Body.box([0.2, 0.1], density=2.0).at([0.0, 1.0])) == "Body.box(size=[0.2, 0.1], density=2.0).at(position=[0.0, 1.0])"
    run = bouncing().simulate(0.1)
    assert "<svg" in run._repr_html_() and "<summary>" in run._repr_html_()


def test_a_scene_may_change_while_it_runs() -> None:
    scene = bouncing()
    runs: list[carom.Simulation] = []
    alone = scene.simulate(1.0)
    thread = threading.Thread(target=lambda: runs.extend(scene.simulate(1.0) for _ in range(20)))
    thread.start()
    places = iter(range(1, 10_000))
    while thread.is_alive():
        k = next(places)
        scene.body(f"other {k}", Body.ball(radius=0.01, mass=1.0), position=[5.0 + k, 5.0])
        time.sleep(1e-3)
    thread.join()
    assert len(runs) == 20 and len(set(scene.simulate(0.01).trajectory["body"])) > 1
    assert len({len(set(run.trajectory["body"])) for run in runs}) > 1
    for run in runs:
        ball = run.trajectory["body"] == "ball"
        np.testing.assert_allclose(run.trajectory["y"][ball], alone.trajectory["y"], atol=1e-9)


def test_several_threads_simulate_at_once() -> None:
    scenario = everything().scenario()
    runs: list[carom.Simulation] = []
    alone = scenario.simulate(0.5)
    threads = [threading.Thread(target=lambda: runs.append(scenario.simulate(0.5))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 4
    for run in runs:
        same(run, alone)


def long() -> carom.Scenario:
    """Takes minutes."""
    return carom.load(SCENARIOS / "granular-gas.toml")


def test_an_interrupt_stops_a_simulation() -> None:
    scenario = long()
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        scenario.simulate(duration=scenario.simulate(1e-3).summary["duration"] * 1e6)
    assert time.monotonic() - start < 60.0


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    bouncing().simulate(1.0, progress=True)
    assert capsys.readouterr() == ("", "")
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    bouncing().simulate(1.0, progress=True)
    assert "100%" in screen.getvalue() and "1 of 1 s" in screen.getvalue() and screen.getvalue().endswith("\n")
    written = screen.getvalue()
    bouncing().simulate(1.0)
    assert screen.getvalue() == written


def test_progress_is_shown_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            shown.append(data["text/plain"])

    class Module:
        kernel = True

        @staticmethod
        def get_ipython() -> Any:
            return Module

        @staticmethod
        def display(data: dict[str, str], raw: bool, display_id: bool) -> Handle:
            return Handle()

    monkeypatch.setitem(sys.modules, "IPython", cast("Any", Module))
    monkeypatch.setitem(sys.modules, "IPython.display", cast("Any", Module))
    bouncing().simulate(1.0, progress=True)
    assert "100%" in shown[-1]


@pytest.mark.parametrize("engine", ["event", "stepping"])
def test_a_checkpoint_goes_on_to_the_same_bits(engine: Any) -> None:
    kept: list[carom.Checkpoint] = []
    run = everything().simulate(1.0, engine, checkpoint_every=0.3, on_checkpoint=kept.append)
    assert [c.number for c in run.checkpoints] == [c.number for c in kept] == [1, 2, 3]
    assert [c.time for c in kept] == pytest.approx([0.3, 0.6, 0.9], abs=2e-3)
    middle = run.checkpoints[1]
    for checkpoint in (middle, kept[1], pickle.loads(pickle.dumps(middle)), carom.Checkpoint.from_bytes(bytes(kept[1]))):
        again = checkpoint.resume()
        same(again, run)
        assert [c.number for c in again.checkpoints] == [3]
        summary, other = run.summary, again.summary
        assert summary == other
    # A run that was to be shorter goes on as the longer one.
    short = everything().simulate(0.7, engine, checkpoint_every=0.3)
    longer = short.checkpoints[0].resume(0.9)
    assert longer.trajectory["time"][-1] >= 0.9


def test_an_exception_of_a_callback_is_the_callers() -> None:
    def stop(checkpoint: carom.Checkpoint) -> None:
        raise LookupError(checkpoint.number)

    with pytest.raises(LookupError, match="1"):
        bouncing().simulate(1.0, checkpoint_every=0.1, on_checkpoint=stop)


def test_altered_checkpoints_are_refused() -> None:
    checkpoint = bouncing().simulate(1.0, checkpoint_every=0.5).checkpoints[0]
    data = bytes(checkpoint)
    for bad in (b"", b"junk", data[:-1], data + b"x", data.replace(b"0.5", b"0.6"), data.replace(b"[[body]]", b"[[bdoy]]")):
        with pytest.raises(carom.InputError):
            carom.Checkpoint.from_bytes(bad)
    with pytest.raises(carom.InputError, match=r"duration is 0.4; expected at least 0.5"):
        checkpoint.resume(0.4)
    text = data.replace(b"-9.81", b"-9.82")
    with pytest.raises(carom.InputError, match="altered"):
        carom.Checkpoint.from_bytes(text)


def test_simulations_are_pickled() -> None:
    run = everything().simulate(1.0, checkpoint_every=0.5, law="newton-lcp")
    again = pickle.loads(pickle.dumps(run))
    same(again, run)
    assert (again.summary, str(again), repr(again)) == (run.summary, str(run), repr(run))
    assert repr(again.checkpoints) == repr(run.checkpoints)
    same(again.checkpoints[0].resume(), run)
    table = pickle.loads(pickle.dumps(run.events))
    assert repr(table) == repr(run.events)


def test_a_failed_run_keeps_its_reason() -> None:
    scene = bouncing().body("box", Body.box(size=[0.2, 0.3], mass=1.0), position=[1.0, 1.0], orientation=0.3)
    run = scene.simulate(law="bilinear")
    assert run.failure is not None and "bilinear" in run.failure
    again = pickle.loads(pickle.dumps(run))
    assert again.failure == run.failure and again.status == run.status == "failed"
    assert again.summary == run.summary and str(again) == str(run) and again.svg() == run.svg()
