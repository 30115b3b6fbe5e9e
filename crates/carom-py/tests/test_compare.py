"""Several laws on the same collisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom

ROD, FALL = [[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]


def test_every_law_answers_or_says_why_not() -> None:
    done = carom.compare(ROD, FALL, restitution=0.9, friction=0.8)
    ids = [law.id for law in carom.laws() if not law.several]
    assert sorted([*done, *done.refusals]) == sorted(ids)
    assert done.refusals["hertz"] == "needs `youngs_modulus`, `radius`"
    assert done.refusals["bilinear"].startswith("needs a diagonal inverse mass")
    for law, result in done.items():
        keys = {parameter.key for parameter in carom.law(law).parameters}
        own: dict[str, Any] = {"restitution": 0.9} if "restitution" in keys or law == "ivanov" else {}
        alone = carom.collide(ROD, FALL, law, friction=0.8, **own)
        np.testing.assert_array_equal(result.impulse, alone.impulse)
    assert done["whittaker"].audit["energy"].startswith("creates")


def test_parameters_go_to_the_laws_that_take_them() -> None:
    done = carom.compare(ROD, FALL, ["hertz", "brach", "newton"], youngs_modulus=1e9, radius=0.1, impulse_ratio=0.1)
    assert list(done) == ["hertz", "brach", "newton"] and not done.refusals
    # Above 1 for the one law that takes it.
    done = carom.compare(ROD, FALL, ["brach", "newton"], restitution=1.1, impulse_ratio=0.0)
    assert list(done) == ["brach"] and "restitution is 1.1" in done.refusals["newton"]


def test_a_batch_is_compared() -> None:
    done = carom.compare(ROD, [FALL, [1.0, 0.0]], [carom.law("newton"), "smith"])
    assert done["smith"].shape == (2,)
    assert "CollideResult(law='smith', shape=(2,), resolved=1, separating=1)" in repr(done)
    with pytest.raises(carom.InputError, match="a table is of one problem"):
        done.table()


def test_tables() -> None:
    done = carom.compare(ROD, FALL, ["newton", "whittaker", "hertz"], 0.9, 0.8)
    table = done.table()
    assert table["law"] == ["newton", "whittaker"] and table["mode"] == ["frictionless", "sticking"]
    assert table["impulse_n"] == [done["newton"].impulse[0], done["whittaker"].impulse[0]]
    assert table["audit"][0] == "ok" and table["audit"][1].startswith("energy: creates")
    assert "impulse_t2" not in table
    assert "impulse_t2" in carom.compare(np.eye(3), [-1.0, 0.5, 0.5], ["newton"]).table()
    html = done._repr_html_()
    assert "<td>whittaker</td>" in html and "<code>hertz</code>: needs `youngs_modulus`" in html


def test_rounding_is_shown_as_zero() -> None:
    # An elastic collision, and a contact that sticks up to rounding: neither sums to zero exactly.
    w = [[1.3, 0.0, 0.1], [0.0, 2.7, 0.0], [0.1, 0.0, 1.9]]
    done = carom.compare(w, [-0.7, 0.0, 0.0], ["newton", "chatterjee-2", "chatterjee-3"], 1.0, 0.3)
    assert any(0.0 < abs(result.energy_change) < 1e-15 or 0.0 < abs(result.impulse[1]) < 1e-15 for result in done.values())
    shown = [repr(done), done._repr_html_()] + [repr(result) for result in done.values()]
    assert not any("e-1" in text for text in shown), shown


def test_bad_input() -> None:
    with pytest.raises(carom.InputError, match="friction is -1.*expected a number of at least 0"):
        carom.compare(ROD, FALL, ["newton"], friction=-1.0)
    with pytest.raises(carom.InputError, match="friction is -1"):
        carom.compare(ROD, FALL, ["routh-poisson", "smith"], friction=-1.0)
    with pytest.raises(carom.InputError, match="velocity must be a finite number"):
        carom.compare(ROD, [np.nan, 0.0])
    with pytest.raises(carom.InputError, match="none of the laws has a parameter `bounce`"):
        carom.compare(ROD, FALL, bounce=1.0)
    with pytest.raises(carom.InputError, match="no law `nobody`"):
        carom.compare(ROD, FALL, ["nobody"])
    with pytest.raises(carom.ShapeError, match="velocity has the shape"):
        carom.compare(ROD, [1.0])
