"""Laws of one's own: functions in Python as laws."""

from __future__ import annotations

import gc
import pickle
import threading
import traceback
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support import inverse_masses, velocities

import carom

Array = NDArray[np.float64]
ROD, FALL = [[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]
SCENARIOS = Path(__file__).parents[3] / "scenarios"


@carom.law(parameters={"restitution": (0, 1)})
def plain(inverse_mass: Array, velocity: Array, restitution: Array) -> Array:
    """Newton's law again.

    It has no friction.
    """
    impulse = np.zeros_like(velocity)
    impulse[..., 0] = -(1 + restitution) * velocity[..., 0] / inverse_mass[..., 0, 0]
    return impulse


@carom.law(parameters={"restitution": (0, 1), "friction": (0, None)}, vectorised=False, name="one-by-one")
def single(inverse_mass: Array, velocity: Array, restitution: float, friction: float = 0.25) -> list[float]:
    assert inverse_mass.shape == (len(velocity), len(velocity)) and isinstance(friction, float)
    normal = -(1 + restitution) * float(velocity[0]) / float(inverse_mass[0, 0])
    slip = velocity[1:]
    return [normal, *(-friction * normal * slip / np.linalg.norm(slip))]


def test_a_decorated_function_is_a_law() -> None:
    assert isinstance(plain, carom.Law) and plain.id == "plain" and plain.summary == "Newton's law again."
    assert single.id == "one-by-one" and [p.default for p in single.parameters] == [None, 0.25]
    assert plain.function is not None and carom.law("newton").function is None
    assert plain != single and plain == plain and "plain" in repr(plain)
    assert carom.law("smith") == carom.law("smith")


@pytest.mark.parametrize("n", [2, 3])
def test_it_resolves_problems_and_batches(n: int) -> None:
    random = np.random.default_rng(n)
    w, v = inverse_masses(random, 40_000, n), velocities(random, 40_000, n)
    e = random.uniform(0, 1, 40_000)
    own, newton = carom.collide(w, v, plain, restitution=e), carom.collide(w, v, "newton", restitution=e)
    np.testing.assert_allclose(own.impulse, newton.impulse, rtol=1e-14)
    np.testing.assert_array_equal(own.status, newton.status)
    assert not own.audit.any() and own.law == plain
    one = carom.collide(w[0], v[0], plain, restitution=e[0])
    np.testing.assert_array_equal(one.impulse, own.impulse[0])
    rows = carom.collide(w[:50], v[:50], single, restitution=e[:50])
    for k in range(50):
        np.testing.assert_array_equal(carom.collide(w[k], v[k], single, restitution=e[k]).impulse, rows.impulse[k])
    assert carom.collide(w[:0], v[:0], plain).impulse.shape == (0, n)


def test_a_batch_calls_a_vectorised_function_once_for_many_rows() -> None:
    calls: list[tuple[int, ...]] = []

    @carom.law
    def counting(inverse_mass: Array, velocity: Array) -> Array:
        calls.append(velocity.shape)
        return np.zeros_like(velocity)

    v = np.full((40_000, 2), -1.0)
    v[::2, 0] = 1.0
    v[1, 0] = np.nan
    done = carom.collide(np.eye(2), v, counting)
    assert sum(rows for rows, _ in calls) == 19_999 and len(calls) == 3
    assert done.status_names()[1] == "invalid" and done.audit[3] == carom.AUDIT_FLAGS["penetration"]


def test_it_is_compared_audited_and_measured() -> None:
    table = carom.compare(ROD, FALL, ["newton", plain, single], restitution=0.9)
    assert list(table) == ["newton", "plain", "one-by-one"]
    with pytest.raises(carom.InputError, match="same id"):
        carom.compare(ROD, FALL, [plain, plain])

    @carom.law(parameters={"restitution": (0, 1)})
    def stops_t1(inverse_mass: Array, velocity: Array, restitution: Array) -> Array:
        impulse = np.zeros_like(velocity)
        impulse[:, 0] = -(1 + restitution) * velocity[:, 0] / inverse_mass[:, 0, 0]
        impulse[:, 1] = -velocity[:, 1] / inverse_mass[:, 1, 1]
        return impulse

    measured = stops_t1.properties(restitution=1.0)
    assert measured["degree_in_velocity"] == 1.0 and measured["energy_gain"] > 0.0 and measured["frame_variance"] > 0.0
    w, v = measured["counterexamples"]["energy_gain"]
    assert "creates" in carom.collide(w, v, stops_t1, restitution=1.0).audit["energy"]
    assert plain.properties(restitution=1.0)["frame_variance"] == 0.0


def test_scenarios_take_it() -> None:
    rod = carom.load(SCENARIOS / "falling-rod.toml").collide(plain)
    assert rod["law"] == "plain"
    assert rod["contacts"][0]["local"]["impulse"] == pytest.approx([0.76, 0.0, 0.0], abs=1e-12)
    own = carom.load(SCENARIOS / "bouncing-ball.toml").simulate(duration=2.0, law=plain)
    newton = carom.load(SCENARIOS / "bouncing-ball.toml").simulate(duration=2.0, law="newton")
    np.testing.assert_allclose(own.trajectory["y"], newton.trajectory["y"], rtol=1e-9)
    alone = carom.impact(ROD, FALL, plain, planar=True, restitution=0.9)
    assert alone.impulse[0] == pytest.approx([0.76, 0.0])


def test_a_planar_law_answers_in_any_plane_and_there_only() -> None:
    @carom.law(planar=True)
    def plane(inverse_mass: Array, velocity: Array) -> Any:
        assert inverse_mass.shape[1:] == (2, 2)
        return -np.linalg.solve(inverse_mass, velocity[..., None])[..., 0]

    turn = np.array([[1, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]])
    w = turn @ np.array([[2.5, -1.5, 0], [-1.5, 2.5, 0], [0, 0, 1]]) @ turn.T
    found = carom.collide(w, turn @ [-1.0, 0.6, 0.0], plane).impulse
    np.testing.assert_allclose(turn.T @ found, [*carom.collide(ROD, FALL, plane).impulse, 0.0], atol=1e-12)
    with pytest.raises(carom.NoAnswerError, match="`plane`.*planar"):
        carom.collide(w, [-1.0, 0.6, 0.1], plane)


class Mine(Exception):
    pass


@carom.law
def raising(inverse_mass: Array, velocity: Array) -> Array:
    raise Mine("here")


@pytest.mark.parametrize("threads", [0, 2])
def test_an_exception_is_the_callers_own(threads: int) -> None:
    v = np.full((1000, 2), -1.0)
    rod, ball = carom.load(SCENARIOS / "falling-rod.toml"), carom.load(SCENARIOS / "bouncing-ball.toml")
    calls: list[Any] = [
        lambda: carom.collide(ROD, FALL, raising),
        lambda: carom.collide(ROD, v, raising, threads=threads),
        lambda: carom.compare(ROD, FALL, ["newton", raising]),
        lambda: carom.impact(ROD, FALL, raising, planar=True),
        lambda: raising.properties(),
        lambda: carom.region(ROD, FALL, raising),
        lambda: rod.collide(raising),
        lambda: ball.simulate(law=raising, duration=2.0),
        lambda: carom.linearise_about_sphere(raising, 1.0),
    ]
    for call in calls:
        with pytest.raises(Mine, match="here") as raised:
            call()
        assert traceback.extract_tb(raised.value.__traceback__)[-1].name == "raising"
    # Nothing is left behind.
    assert carom.collide(ROD, FALL, plain).status == "resolved"


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda v: v[..., :1], r"law `wrong` returned an impulse of the shape \(4, 1\); expected \(4, 2\)"),
        (lambda v: 0.0, r"law `wrong` returned an impulse of the shape \(\); expected \(4, 2\)"),
        (lambda v: None, "the impulse of law `wrong` holds object; expected real numbers"),
        (lambda v: v + 1j, "the impulse of law `wrong` holds complex128"),
        (lambda v: [[1.0], [1.0, 2.0]], "the impulse of law `wrong` is no array"),
    ],
)
def test_wrong_returns_are_errors(returned: Any, message: str) -> None:
    @carom.law
    def wrong(inverse_mass: Array, velocity: Array) -> Any:
        return returned(velocity)

    with pytest.raises(carom.CaromError, match=message):
        carom.collide(ROD, np.full((4, 2), -1.0), wrong)


def test_numbers_that_are_not_finite_are_refused_row_by_row() -> None:
    @carom.law
    def holes(inverse_mass: Array, velocity: Array) -> Array:
        return np.where(velocity[:, 1:] > 0.0, np.nan, -velocity)

    done = carom.collide(np.eye(2), [[-1.0, 0.5], [-1.0, -0.5]], holes)
    assert done.status_names().tolist() == ["refused", "resolved"] and not done.impulse[0].any()
    with pytest.raises(carom.NoAnswerError, match="law `holes`: the law's impulse is not finite"):
        carom.collide(np.eye(2), [-1.0, 0.5], holes)


def test_definitions_that_make_no_sense_are_errors() -> None:
    def function(inverse_mass: Array, velocity: Array, restitution: float = 0.5) -> Array:
        return velocity

    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": "newton"}, "id that no law of the catalogue has"),
        ({"name": "No Name"}, "an id of lower-case letters"),
        ({"parameters": {"friction": (0, 1)}}, r"does not take \(inverse_mass, velocity, friction\)"),
        ({"parameters": {"restitution": 1}}, r"bounds of `restitution` are 1; expected \(least, greatest\)"),
        ({"parameters": {"restitution": (1, 0)}}, "`restitution`"),
        ({"parameters": {"restitution": (0.6, 1)}}, "a default within the bounds"),
    ]
    for arguments, message in wrong:
        with pytest.raises(carom.InputError, match=message):
            carom.law(**arguments)(function)
    with pytest.raises(carom.InputError, match="an id of lower-case letters"):
        carom.law(lambda inverse_mass, velocity: velocity)
    with pytest.raises(TypeError, match="expected the id of a law, or a function"):
        carom.law(3)  # type: ignore[call-overload]
    with pytest.raises(carom.InputError, match="has no derivatives"):
        carom.collide(ROD, FALL, plain, jacobian=True)
    with pytest.raises(carom.InputError, match="restitution is 2"):
        carom.collide(ROD, FALL, plain, restitution=2.0)


def test_laws_pickle_by_name() -> None:
    assert pickle.loads(pickle.dumps(plain)) == plain
    done = pickle.loads(pickle.dumps(carom.collide(ROD, FALL, plain)))
    assert done.law == plain

    @carom.law
    def local(inverse_mass: Array, velocity: Array) -> Array:
        return -velocity

    with pytest.raises(pickle.PicklingError, match="law `local` cannot be pickled"):
        pickle.dumps(local)


def test_thousands_of_laws_come_and_go() -> None:
    class Marker:
        pass

    gone = []
    for k in range(3000):
        marker = Marker()
        gone.append(weakref.ref(marker))

        @carom.law(parameters={"restitution": (0, 1)})
        def passing(inverse_mass: Array, velocity: Array, restitution: Array, kept: Marker = marker, scale: int = k) -> Array:
            return -velocity * scale

        assert carom.collide(np.eye(2), FALL, passing).impulse[0] == k
        del marker, passing
    gc.collect()
    assert sum(ref() is not None for ref in gone) <= 1


def test_a_result_keeps_its_law() -> None:
    def made(factor: float) -> Any:
        @carom.law(name="kept")
        def law(inverse_mass: Array, velocity: Array) -> Array:
            return -velocity * factor

        return carom.collide(np.eye(2), FALL, law)

    first, second = made(1.0), made(2.0)
    assert carom.collide(np.eye(2), FALL, first.law).impulse[0] == 1.0
    assert carom.collide(np.eye(2), FALL, second.law).impulse[0] == 2.0


def test_laws_may_call_carom_and_run_in_threads() -> None:
    @carom.law(parameters={"restitution": (0, 1)})
    def nested(inverse_mass: Array, velocity: Array, restitution: Array) -> Any:
        return carom.collide(inverse_mass, velocity, plain, restitution=restitution).impulse

    v = np.full((5000, 2), -1.0)
    expected = carom.collide(ROD, v, plain, restitution=0.5).impulse
    found: list[Any] = []

    def work() -> None:
        found.append(carom.collide(ROD, v, nested, restitution=0.5).impulse)
        with pytest.raises(Mine):
            carom.collide(ROD, v, raising)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(np.array_equal(impulse, expected) for impulse in found)

    @carom.law
    def endless(inverse_mass: Array, velocity: Array) -> Any:
        return carom.collide(inverse_mass, velocity, endless).impulse

    with pytest.raises(RecursionError):
        carom.collide(ROD, FALL, endless)


@pytest.mark.parametrize("key", ["two words", "", "class", "1st", "inverse_mass", "velocity", "threads", "outputs", "jacobian", "out", "law", "collisions"])
def test_parameters_are_free_keyword_arguments(key: str) -> None:
    with pytest.raises(carom.InputError, match="expected (a name of letters|another name)"):

        @carom.law(parameters={key: (0, 1)})
        def strange(inverse_mass: Any, velocity: Any, **parameters: Any) -> Any:
            return velocity


def test_properties_find_what_is_rare() -> None:
    whittaker = carom.law("whittaker")
    few, many = whittaker.properties(collisions=48), whittaker.properties()
    assert few["resolved"] + few["refused"] == 48 and many["resolved"] + many["refused"] == 4096
    assert few["energy_gain"] == 0.0 and many["energy_gain"] > 0.1
    w, v = many["counterexamples"]["energy_gain"]
    assert carom.collide(w, v, whittaker).energy_change > 0.0
    assert carom.law("hertz").properties(youngs_modulus=1e9, radius=0.1)["resolved"] <= 48
    for wrong in (0, -3, 10**7):
        with pytest.raises(carom.InputError, match="expected 1 to 1000000"):
            whittaker.properties(collisions=wrong)


@carom.law(parameters={"restitution": (0, 1), "onset_speed": (0, 10)})
def yielding(inverse_mass: Array, velocity: Array, restitution: Array, onset_speed: Array) -> Array:
    """Restitution falls with the speed of approach beyond that of yield."""
    factor = np.minimum(1.0, onset_speed / -velocity[..., 0]) ** 0.25
    impulse = np.zeros_like(velocity)
    impulse[..., 0] = -(1 + restitution * factor) * velocity[..., 0] / inverse_mass[..., 0, 0]
    return impulse


#: The factor of restitution of a ball that falls on the ground.
SPEED, YIELD = 1.6, 0.1
FACTOR = (YIELD / SPEED) ** 0.25


def falling(**parameters: float) -> carom.Scene:
    ball = carom.Body.ball(radius=0.1, mass=1.0)
    scene = carom.Scene("Falling ball").body("ball", ball, position=[0.0, 0.1], velocity=[0.0, -SPEED])
    return scene.contact(between=("ball", "ground"), point=[0.0, 0.0], normal=[0.0, 1.0], friction=0.0, restitution=0.5, **parameters)


def speed_after(prediction: Any) -> float:
    return float(prediction["bodies"][0]["velocity"][1])


def test_scenes_take_their_parameters_at_the_law_and_at_contacts() -> None:
    expected = 0.5 * FACTOR * SPEED
    for scene in (falling().law(yielding, onset_speed=YIELD), falling(onset_speed=YIELD).law(yielding)):
        assert scene.scenario().law == yielding
        assert speed_after(scene.collide()) == pytest.approx(expected, rel=1e-14)
        # Every law of the catalogue, and the scene's own.
        compared = {entry["law"]: entry for entry in scene.compare()}
        assert len(compared) == len(falling().law("newton").compare()) + 1
        assert speed_after(compared["yielding"]) == pytest.approx(expected, rel=1e-14)
        assert speed_after(compared["newton"]) == pytest.approx(0.5 * SPEED, rel=1e-14)
    # Without a law of its own: by the argument.
    assert speed_after(falling(onset_speed=YIELD).collide(yielding)) == pytest.approx(expected, rel=1e-14)
    # The contact's own value comes before that of the law.
    both = falling(onset_speed=YIELD).law(yielding, onset_speed=10.0)
    assert speed_after(both.collide()) == pytest.approx(expected, rel=1e-14)


#: Time between frames, s.
INTERVAL = 1e-3


def bouncing() -> carom.Scene:
    ball = carom.Body.ball(radius=0.1, mass=1.0)
    scene = carom.Scene("Bouncing ball", gravity=[0.0, -9.81], duration=0.45, interval=INTERVAL)
    return scene.wall("floor", normal=[0.0, 1.0]).body("ball", ball, position=[0.0, 0.6])


def test_simulations_take_their_parameters_of_law_material_and_pair() -> None:
    speed = (2 * 9.81 * 0.5) ** 0.5
    material = {"restitution": 0.5, "friction": 0.0}
    pair = bouncing().material("rubber", **material, onset_speed=9.0).pair("rubber", "rubber", onset_speed=YIELD)
    runs = [
        bouncing().material("rubber", **material).law(yielding, onset_speed=YIELD).simulate(),
        bouncing().law(yielding).material("rubber", **material, onset_speed=YIELD).simulate(),
        bouncing().material("rubber", **material, onset_speed=YIELD).simulate(law=yielding),
        pair.simulate(law=yielding),
    ]
    for run in runs:
        assert run.status == "finished"
        heights = np.array(run.trajectory["y"])
        rebound = 0.5 * (YIELD / speed) ** 0.25 * speed
        later = np.array(run.trajectory["time"]) > (2 * 0.5 / 9.81) ** 0.5
        # The highest frame is at most half an interval from the top.
        below = 0.1 + rebound**2 / (2 * 9.81) - heights[later].max()
        assert -1e-9 < below < 9.81 * (INTERVAL / 2) ** 2 / 2 + 1e-9
        with pytest.raises(carom.InputError, match="is a function of Python"):
            pickle.dumps(run)


def test_bounds_and_unknown_keys_of_scenes_are_those_of_their_laws() -> None:
    wrong: list[tuple[Any, str]] = [
        (lambda: falling(onset_speed=-1.0), "contact 1: `onset_speed` is -1; expected a number from 0 to 10"),
        (lambda: falling().law(yielding, onset_speed=11.0), "law: `onset_speed` is 11; expected a number from 0 to 10"),
        (lambda: bouncing().material("rubber", onset_speed=11.0), 'material "rubber": `onset_speed` is 11; expected a number from 0 to 10'),
        (lambda: bouncing().material("rubber", onset_speed="fast"),  # type: ignore[arg-type]
            'material "rubber": `onset_speed` is the string'),
        (lambda: falling().law(yielding, onset_sped=0.1), 'law: unknown key `onset_sped` in `\\[law\\]`; did you mean `onset_speed`?'),
        (lambda: falling().law(yielding, stiffnes=0.1), "did you mean `stiffness`?"),
        (lambda: bouncing().material("rubber", restitutoin=0.1), "did you mean `restitution`?"),
        (lambda: falling().law(yielding, restitution=0.5), "belongs in"),
        (lambda: falling().law(yielding).collide(), "law `yielding` needs `onset_speed`"),
        (lambda: falling().law("yielding"), "there is no law"),
    ]
    for call, message in wrong:
        with pytest.raises(carom.InputError, match=message):
            call()
    with pytest.raises(carom.InputError, match=r"belongs in `\[\[contact\]\]`.* or `\[\[pair\]\]`"):
        carom._carom._check_item("body", "[[body]]\nname = 'ball'\nonset_speed = 0.1")


def test_a_law_s_own_bounds_hold_instead_of_the_catalogue_s() -> None:
    @carom.law(parameters={"tangential_restitution": (0, 2)})
    def lively(inverse_mass: Array, velocity: Array, tangential_restitution: Array) -> Array:
        impulse = np.zeros_like(velocity)
        impulse[..., 0] = -(1 + tangential_restitution) * velocity[..., 0] / inverse_mass[..., 0, 0]
        return impulse

    ball = carom.Body.ball(radius=0.1, mass=1.0)

    def scene() -> carom.Scene:
        return carom.Scene("Ball").body("ball", ball, position=[0.0, 0.1], velocity=[0.0, -1.0])

    keys: Any = {"between": ("ball", "ground"), "point": [0.0, 0.0], "normal": [0.0, 1.0], "tangential_restitution": 1.5, "friction": 0.0}
    assert speed_after(scene().law(lively).contact(**keys).collide()) == pytest.approx(1.5, rel=1e-14)
    with pytest.raises(carom.InputError, match="`tangential_restitution` is 1.5; expected a number from -1 to 1"):
        scene().contact(**keys)
    with pytest.raises(carom.InputError, match="`tangential_restitution` is 1.5; expected a number from -1 to 1"):
        scene().law(lively).contact(**keys).law("newton").collide()
    # Narrower bounds hold as well.
    with pytest.raises(carom.InputError, match="`tangential_restitution` is -0.5; expected a number from 0 to 2"):
        scene().law(lively).contact(**{**keys, "tangential_restitution": -0.5}).collide()


def test_scenes_with_own_laws_are_no_files_but_pickle() -> None:
    chosen, given = falling().law(yielding, onset_speed=YIELD), falling(onset_speed=YIELD)
    with pytest.raises(carom.InputError, match="law: `yielding` is a function of Python, which a file does not hold"):
        chosen.to_toml()
    with pytest.raises(carom.InputError, match='no parameters of laws of your own: unknown key `onset_speed`'):
        given.to_toml()
    for scene in (chosen, given):
        with pytest.raises(carom.InputError, match="`yielding` is a function of Python"):
            scene.scenario().to_toml()
        expected = speed_after(scene.collide(yielding))
        for copied in (scene.copy(), pickle.loads(pickle.dumps(scene)), pickle.loads(pickle.dumps(scene.scenario()))):
            assert speed_after(copied.collide(yielding)) == expected
    assert chosen == chosen.copy() and chosen != falling().law("newton")
    # Another law takes the place of the first.
    assert "newton" in chosen.law("newton").to_toml()
    compared = pickle.loads(pickle.dumps(falling().law(yielding, onset_speed=YIELD).compare()))
    assert "yielding" in [entry["law"] for entry in compared]

    @carom.law(parameters={"only_here": (0, 1)})
    def local(inverse_mass: Array, velocity: Array, only_here: Array) -> Array:
        return -velocity

    with pytest.raises(pickle.PicklingError, match="law `local` cannot be pickled"):
        pickle.dumps(falling(only_here=0.5).scenario())


def test_keys_of_laws_that_are_gone_are_unknown() -> None:
    @carom.law(parameters={"soon_gone": (0, 1)})
    def passing(inverse_mass: Array, velocity: Array, soon_gone: Array) -> Array:
        return np.zeros_like(velocity)

    scene = falling().law(passing, soon_gone=0.5)
    assert speed_after(scene.collide()) == -SPEED
    del passing
    gc.collect()
    # The scene keeps it.
    assert speed_after(scene.collide()) == -SPEED and speed_after(falling(soon_gone=0.5).collide(scene.scenario().law)) == -SPEED
    del scene
    gc.collect()
    with pytest.raises(carom.InputError, match='unknown key `soon_gone`'):
        falling(soon_gone=0.5)


def test_a_law_that_shares_a_key_does_not_keep_a_scene_from_pickling() -> None:
    @carom.law(parameters={"restitution": (0, 1), "onset_speed": (0, None)})
    def local(inverse_mass: Array, velocity: Array, restitution: Array, onset_speed: Array) -> Array:
        return np.zeros_like(velocity)

    scene = falling(onset_speed=YIELD).scenario()
    copied = pickle.loads(pickle.dumps(scene))
    assert speed_after(copied.collide(yielding)) == speed_after(scene.collide(yielding))
    with pytest.raises(pickle.PicklingError, match="law `local` cannot be pickled"):
        pickle.dumps(falling().law(local, onset_speed=YIELD).scenario())
