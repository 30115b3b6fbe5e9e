"""`collide`: values, batches against single problems, broadcasting, memory, bad input."""

from __future__ import annotations

import copy
import pickle
import threading
import tracemalloc
from typing import Any, cast

import numpy as np
import pytest
from support import inverse_masses, needed, velocities

import carom

ROD = np.array([[2.5, -1.5], [-1.5, 2.5]])
FALL = np.array([-1.0, 0.6])
NUMBERS = ("impulse", "velocity_after", "energy_change", "mode", "status", "restitution", "audit")


def same(a: carom.CollideResult, b: carom.CollideResult) -> None:
    """All outputs of two batches are the same, bit for bit."""
    for name in NUMBERS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def test_a_rod_of_the_literature() -> None:
    # Wang & Mason 1992, case 2: the end sticks during compression.
    rod = carom.collide(ROD, FALL, "routh-poisson", 0.9, 0.8)
    assert rod.impulse[0] == pytest.approx(0.76, abs=1e-12)
    assert rod.velocity_after[1] == 0.0
    assert (rod.mode, rod.status, rod.shape) == ("c-sticking", "resolved", ())
    assert rod.restitution["poisson"] == pytest.approx(0.9, abs=1e-12)
    assert rod.audit == dict.fromkeys(carom.AUDIT_FLAGS, "ok")
    assert rod.law == carom.law("routh-poisson")


def test_an_audit_says_what_is_wrong() -> None:
    rod = carom.collide(ROD, FALL, "whittaker", 0.9, 0.8)
    assert rod.energy_change > 0.0
    assert rod.audit["energy"].startswith("creates 0.05")
    assert rod.restitution["poisson"] is None
    rods = carom.collide(ROD, [FALL], "whittaker", 0.9, 0.8)
    assert rods.audit.tolist() == [carom.AUDIT_FLAGS["energy"]]
    assert np.isnan(rods.restitution[0, carom.RESTITUTIONS.index("poisson")])


@pytest.mark.parametrize("components", [2, 3])
@pytest.mark.parametrize("law", carom.laws(), ids=lambda law: str(law.id))
def test_a_batch_is_its_problems_one_by_one(law: carom.Law, components: int) -> None:
    random = np.random.default_rng(7)
    rows = 40
    w, v = inverse_masses(random, rows, components), velocities(random, rows, components)
    if law.id == "bilinear":
        w = w * np.eye(components)
    keys = [name for parameter in law.parameters for name in (parameter.key, parameter.fallback)]
    drawn: dict[str, Any] = {"restitution": random.uniform(0.2, 0.9, rows), "friction": random.uniform(0.0, 1.0, rows)}
    drawn = {key: column for key, column in drawn.items() if key in keys or f"as {key}" in keys}
    batch = carom.collide(w, v, law, **drawn, **needed(law))
    answered = 0
    for k in range(rows):
        try:
            own = {key: column[k] for key, column in drawn.items()}
            one = carom.collide(w[k], v[k], law.id, **own, **needed(law))
        except carom.NoAnswerError:
            assert batch.status_names()[k] in ("refused", "singular")
            assert not batch.impulse[k].any()
            continue
        answered += 1
        np.testing.assert_array_equal(one.impulse, batch.impulse[k])
        np.testing.assert_array_equal(one.velocity_after, batch.velocity_after[k])
        assert one.energy_change == batch.energy_change[k]
        assert (one.mode, one.status) == (batch.mode_names()[k], batch.status_names()[k])
        for place, name in enumerate(carom.RESTITUTIONS):
            value = one.restitution[name]
            assert np.array_equal(np.nan if value is None else value, batch.restitution[k, place], equal_nan=True)
        found = sum(flag for name, flag in carom.AUDIT_FLAGS.items() if one.audit[name] != "ok")
        assert found == batch.audit[k]
    # Laws for the plane alone, and the one that needs another law, have no answers there.
    planar_only = law.guarantees["spatial"] == "no" and components == 3
    assert answered > 0 or planar_only or law.id == "sequential"


@pytest.mark.parametrize("components", [2, 3])
def test_answers_satisfy_mechanics(components: int) -> None:
    random = np.random.default_rng(11)
    rows = 5000
    w, v = inverse_masses(random, rows, components), velocities(random, rows, components)
    done = carom.collide(w, v, "chatterjee-2", 0.7, 0.4)
    p = done.impulse
    speed = np.abs(v).max()
    after = v + np.einsum("nij,nj->ni", w, p)
    np.testing.assert_allclose(done.velocity_after, after, atol=1e-13 * speed)
    energy = 0.5 * np.einsum("ni,ni->n", p, v + after)
    at_stake = 0.5 * np.einsum("ni,nij,nj->n", v, np.linalg.inv(w), v).max()
    np.testing.assert_allclose(done.energy_change, energy, atol=1e-13 * at_stake)
    hit = done.status == carom.STATUSES.index("resolved")
    assert 0 < hit.sum() < rows
    np.testing.assert_allclose(-after[hit, 0] / v[hit, 0], done.restitution[hit, 0], rtol=1e-9)
    slip = np.linalg.norm(p[:, 1:], axis=1)
    assert np.all(slip <= 0.4 * p[:, 0] + 1e-13 * np.abs(p).max())


@pytest.mark.parametrize("components", [2, 3])
def test_layouts_have_the_same_bits(components: int) -> None:
    random = np.random.default_rng(3)
    rows = 1003
    w, v = inverse_masses(random, rows, components), velocities(random, rows, components)
    e = random.uniform(0.0, 1.0, rows)
    plain = carom.collide(w, v, restitution=e)
    upper = np.triu_indices(components)
    packed = w[:, upper[0], upper[1]]
    same(plain, carom.collide(packed, v, restitution=e))
    same(plain, carom.collide(np.asfortranarray(w), np.asfortranarray(v), restitution=e))
    same(plain, carom.collide(w.tolist(), v.tolist(), restitution=e.tolist()))
    # Columns of one table, read where they lie.
    table = np.concatenate([packed, v, e[:, None], np.ones((rows, 2))], axis=1)
    n = packed.shape[1]
    same(plain, carom.collide(table[:, :n], table[:, n : n + components], restitution=table[:, n + components]))
    # Every second row, and rows in reverse.
    same(plain, carom.collide(np.repeat(packed, 2, axis=0)[::2], np.repeat(v, 2, axis=0)[1::2], restitution=e))
    same(plain, carom.collide(packed[::-1][::-1], v[::-1].copy()[::-1], restitution=e))
    # Numbers of another type, in another byte order, and out of line.
    big = v.astype(">f8")
    bytes_ = np.zeros(v.nbytes + 1, dtype=np.uint8)
    askew = bytes_[1:].view(np.float64).reshape(v.shape)
    askew[...] = v
    same(plain, carom.collide(packed, big, restitution=e))
    same(plain, carom.collide(packed, askew, restitution=e))
    # One thread or several.
    for threads in (1, 2, 5):
        same(plain, carom.collide(w, v, restitution=e, threads=threads))


def test_arguments_broadcast_as_in_numpy() -> None:
    random = np.random.default_rng(5)
    w, v = inverse_masses(random, 3, 2), velocities(random, 4, 2)
    mu = random.uniform(0.1, 1.0, (2, 1, 1))
    all_ = carom.collide(w[:, None], v, "chatterjee-2", 0.5, mu)
    assert all_.shape == (2, 3, 4)
    assert all_.impulse.shape == (2, 3, 4, 2)
    assert all_.restitution.shape == (2, 3, 4, 4)
    for i, j, k in np.ndindex(2, 3, 4):
        one = carom.collide(w[j], v[k], "chatterjee-2", 0.5, mu[i, 0, 0])
        np.testing.assert_array_equal(one.impulse, all_.impulse[i, j, k])
    assert carom.collide(ROD, FALL, restitution=np.array(0.5)).shape == ()
    assert carom.collide(ROD, FALL, restitution=[0.5]).shape == (1,)
    assert carom.collide(ROD[None], FALL, friction=[0.1, 0.2]).shape == (2,)
    ints = carom.collide([[2, 0], [0, 2]], [-1, 0], restitution=1, friction=0)
    assert ints.impulse.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (0, 0)])
def test_empty_batches(shape: tuple[int, ...]) -> None:
    done = carom.collide(ROD, np.empty((*shape, 2)))
    assert (done.impulse.shape, done.mode.shape) == ((*shape, 2), shape)
    done = carom.collide(np.empty((*shape, 6)), [-1.0, 0.0, 0.0], friction=np.empty(shape))
    assert done.restitution.shape == (*shape, 4)


def test_results_feed_back_without_copies() -> None:
    rows = 100_000
    w = np.ascontiguousarray(np.broadcast_to([2.0, 0.5, 3.0], (rows, 3)))
    first = carom.collide(w, np.full((rows, 2), -1.0))
    table = np.random.default_rng(1).uniform(0.1, 1.0, (rows, 8))
    carom.collide(w, first.velocity_after)
    for arguments in [
        (w, first.velocity_after),
        (w.reshape(rows // 10, 10, 3), first.velocity_after.reshape(rows // 10, 10, 2)),
        (table[:, :3], table[:, 3:5]),
        (table[:, [0]].copy() * [2.0, 0.5, 3.0], table[::1, 5:7]),
    ]:
        tracemalloc.start()
        try:
            carom.collide(*arguments, outputs=())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        # The status takes a byte a row; a copied column would take eight.
        assert peak < 2 * rows


@pytest.mark.parametrize("shape", [(5,), (2, 3), (0,)])
def test_arrays_of_a_former_result_are_overwritten(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(6)
    first, second = (random.uniform(-1.0, 1.0, (*shape, 3)) for _ in range(2))
    w = inverse_masses(random, 1, 3)[0]
    out = carom.collide(w, first)
    expected = carom.collide(w, second, "chatterjee-2")
    done = carom.collide(w, second, "chatterjee-2", out=out)
    same(expected, done)
    for name in NUMBERS:
        assert np.shares_memory(getattr(done, name), getattr(out, name)) or shape == (0,)
    # Missing arrays are made; outputs that are not asked for are left alone.
    part = carom.collide(w, second, outputs=["audit"])
    assert carom.collide(w, second, out=part).audit is part.audit
    with pytest.raises(AttributeError):
        _ = carom.collide(w, second, out=part).mode
    same(carom.collide(w, second, outputs=NUMBERS, out=part), carom.collide(w, second))


def test_results_that_cannot_be_overwritten() -> None:
    out = carom.collide(ROD, [FALL] * 3)
    with pytest.raises(carom.ShapeError, match=r"impulse of out does not fit; expected .* of the shape \(4,\)"):
        carom.collide(ROD, [FALL] * 4, out=out)
    with pytest.raises(carom.ShapeError, match="impulse of out"):
        carom.collide(np.eye(3), [[-1.0, 0.0, 0.0]] * 3, out=out)
    with pytest.raises(carom.InputError, match="impulse of out is read-only, or an argument"):
        carom.collide(ROD, out.impulse, out=out)
    with pytest.raises(carom.InputError, match="out is for batches"):
        carom.collide(ROD, FALL, out=out)
    with pytest.raises(carom.ShapeError, match="impulse of out"):
        carom.collide(ROD, [FALL], out=carom.collide(ROD, FALL))
    out.audit.flags.writeable = False
    with pytest.raises(carom.InputError, match="audit of out is read-only"):
        carom.collide(ROD, [FALL] * 3, out=out)
    with pytest.raises(TypeError):
        carom.collide(ROD, [FALL] * 3, out=cast("carom.CollideResult", out.impulse))


def test_bad_rows_have_a_status_and_no_nan() -> None:
    w = np.array([[2.0, 0.0, 2.0]] * 6)
    v = np.array([[-1.0, 0.5]] * 6)
    mu = np.array([0.3] * 6)
    w[1, 0], w[2, 1], v[3, 1], mu[4] = np.nan, 5.0, np.inf, -1.0
    w[5] = [1.0, 1.0, 1.0]
    for law in ("routh-poisson", "smith", "hertz-mindlin"):
        done = carom.collide(w, v, law, friction=mu, **needed(carom.law(law)))
        assert done.status_names().tolist() == ["resolved", *["invalid"] * 4, "singular"]
        assert np.all(np.isfinite(done.impulse)) and np.all(np.isfinite(done.velocity_after))
        assert np.all(done.impulse[1:] == 0.0)
        assert done.mode_names().tolist()[1:] == [""] * 5


@pytest.mark.parametrize(
    ("call", "kind", "says"),
    [
        (lambda: carom.collide(np.ones((2, 3)), 5.0), carom.ShapeError, r"velocity has the shape \(\); expected \(\.\.\., 2\)"),
        (lambda: carom.collide([2.0] * 3, [1.0] * 4), carom.ShapeError, r"\(4,\)"),
        (lambda: carom.collide([2.0] * 4, [1.0] * 2), carom.ShapeError, r"\(4,\), velocity \(2,\); .* \(\.\.\., 2, 2\) or \(\.\.\., 3\)"),
        (lambda: carom.collide(np.eye(2), [-1.0] * 3), carom.ShapeError, r"\(2, 2\), velocity \(3,\); .* \(\.\.\., 6\)"),
        (
            lambda: carom.collide(np.ones((4, 3)), np.ones((3, 2)), friction=np.ones(5)),
            carom.ShapeError,
            r"inverse_mass \(4, 3\), velocity \(3, 2\), friction \(5,\)",
        ),
        (lambda: carom.collide(ROD, [[-1.0], [0.1, 2.0]]), carom.InputError, "velocity is no array of numbers"),
        (lambda: carom.collide(ROD, ["a", "b"]), carom.InputError, "velocity holds <U1; expected real numbers"),
        (lambda: carom.collide(ROD, FALL + 1j), carom.InputError, "velocity holds complex128"),
        (lambda: carom.collide(ROD, np.array([None, 1.0])), carom.InputError, "velocity holds object"),
        (lambda: carom.collide(ROD, FALL > 0.0), carom.InputError, "velocity holds bool"),
        (lambda: carom.collide(ROD, np.ma.masked_array(FALL, [True, False])), carom.InputError, "masked"),
        (lambda: carom.collide(ROD, [np.nan, 0.0]), carom.InputError, "velocity must be a finite number"),
        (lambda: carom.collide([[1.0, 2.0], [2.0, 1.0]], FALL), carom.InputError, "eigenvalue -1"),
        (lambda: carom.collide([[2.0, 1.0], [0.0, 2.0]], FALL), carom.InputError, "symmetric"),
        (lambda: carom.collide(ROD, FALL, friction=-0.1), carom.InputError, "friction is -0.1; expected"),
        (lambda: carom.collide(ROD, [FALL] * 2, friction=-0.1), carom.InputError, "friction is -0.1; expected"),
        (lambda: carom.collide(ROD, FALL, restitution=1.5), carom.InputError, "restitution is 1.5; expected a number from 0 to 1"),
        (lambda: carom.collide(ROD, FALL, law="nobody"), carom.InputError, "there is no law `nobody`"),
        (lambda: carom.collide(ROD, FALL, elasticity=1.0), carom.InputError, "`routh-poisson` has no parameter `elasticity`"),
        (lambda: carom.collide(ROD, FALL, "brach"), carom.InputError, "`brach` needs `impulse_ratio`"),
        (lambda: carom.collide(ROD, FALL, "hertz", restitution=0.5, radius=1.0, youngs_modulus=1.0), carom.InputError, "no parameter `restitution`"),
        (lambda: carom.collide(ROD, FALL, "ivanov", direction="up"), carom.InputError, 'direction is "up"; expected centre, sliding'),
        (lambda: carom.collide(ROD, FALL, restitution="high"), carom.InputError, 'restitution is "high"'),
        (lambda: carom.collide(ROD, FALL, "sequential"), carom.NoAnswerError, "one contact"),
        (lambda: carom.collide(ROD, FALL, threads=-1), carom.InputError, "threads is -1; expected 0 to 1024"),
        (lambda: carom.collide(ROD, FALL, threads=5000), carom.InputError, "threads is 5000"),
        (lambda: carom.collide(ROD, FALL, outputs=["force"]), carom.InputError, 'no output "force"; expected some of impulse'),
        (lambda: carom.collide(ROD, FALL, outputs="impulse"), carom.InputError, "in a list"),
        (lambda: carom.collide(ROD, FALL, law=cast("str", 3)), TypeError, "law"),
    ],
)
def test_bad_input(call: Any, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind, match=says) as caught:
        call()
    assert isinstance(caught.value, (ValueError, TypeError))
    if kind is not TypeError:
        assert isinstance(caught.value, carom.CaromError)


def test_choices_are_words_or_places() -> None:
    word = carom.collide(ROD, FALL, "ivanov", direction="sliding")
    place = carom.collide(ROD, FALL, "ivanov", direction=1)
    assert word.impulse.tolist() == place.impulse.tolist()


def test_only_what_is_asked_for_is_there() -> None:
    for velocity in (FALL, [FALL]):
        done = carom.collide(ROD, velocity, outputs=["mode"])
        assert (done.mode_names() if done.shape == () else done.mode_names()[0]) == "c-reversed-sliding"
        assert done.status is not None
        with pytest.raises(AttributeError, match="impulse"):
            _ = done.impulse


def test_results_show_themselves() -> None:
    one = carom.collide(ROD, FALL, restitution=0.9, friction=0.8)
    many = carom.collide(ROD, [[-1.0, 0.6], [1.0, -0.6], [np.nan, 0.0]])
    assert repr(one).startswith("CollideResult(law='routh-poisson', impulse=[0.7")
    assert repr(many) == "CollideResult(law='routh-poisson', shape=(3,), resolved=1, separating=1, invalid=1)"
    assert "<td>'c-sticking'</td>" in one._repr_html_()
    assert "<th>invalid</th><td>1</td>" in many._repr_html_()


def test_results_are_pickled_and_copied() -> None:
    for result in (carom.collide(ROD, [FALL, -FALL]), carom.collide(ROD, FALL, outputs=["mode", "audit"])):
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert repr(again) == repr(result)
            assert again.law == result.law
    assert pickle.loads(pickle.dumps(carom.law("smith"))) == carom.law("smith")


def test_other_threads_run_meanwhile() -> None:
    random = np.random.default_rng(2)
    rows = 20_000
    w, v = inverse_masses(random, rows, 3), velocities(random, rows, 3)
    about_to, results = threading.Event(), []

    def work() -> None:
        about_to.set()
        results.append(carom.collide(w, v, "routh-poisson", threads=1))

    thread = threading.Thread(target=work)
    thread.start()
    about_to.wait()
    turns = 0
    while thread.is_alive():
        turns += 1
    # Were the interpreter held, this loop would stand still until the result is there.
    assert turns > 1000
    same(results[0], carom.collide(w, v, "routh-poisson"))


def test_calls_from_several_threads_agree() -> None:
    random = np.random.default_rng(9)
    w, v = inverse_masses(random, 3000, 2), velocities(random, 3000, 2)
    expected = carom.collide(w, v)
    results: list[carom.CollideResult] = []
    threads = [threading.Thread(target=lambda: results.append(carom.collide(w, v))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    for result in results:
        same(expected, result)


