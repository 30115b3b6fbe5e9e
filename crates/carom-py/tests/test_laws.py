"""The catalogue of laws."""

from __future__ import annotations

import numpy as np
import pytest

import carom


def test_every_law_says_what_it_is() -> None:
    laws = carom.laws()
    assert len({law.id for law in laws}) == len(laws) > 30
    for law in laws:
        assert carom.law(law.id) == law
        assert law.name and law.source and law.summary and law.equations
        assert repr(law) == f"<carom.Law '{law.id}'>"
        assert f"<code>{law.id}</code>" in law._repr_html_()
        assert set(law.guarantees) == {"energy", "friction", "penetration", "tangential_restitution", "spatial", "unique"}
        for parameter in law.parameters:
            assert parameter.key.isidentifier()
            assert parameter.meaning and parameter.range and parameter.fallback
            assert (parameter.choices is None) == (parameter.least is not None)
            if parameter.choices is not None and parameter.default is not None:
                assert parameter.default in parameter.choices


def test_parameters_have_bounds_and_defaults() -> None:
    restitution, friction, tangential = carom.law("chatterjee-2").parameters
    assert (restitution.key, restitution.least, restitution.greatest) == ("restitution", 0.0, 1.0)
    assert restitution.fallback == "required" and restitution.default is None
    assert sorted([friction.key, tangential.key]) == ["friction", "tangential_restitution"]
    direction = next(p for p in carom.law("ivanov").parameters if p.key == "direction")
    assert (direction.choices, direction.default) == (("centre", "sliding", "frictionless"), "centre")


def test_laws_for_several_contacts_come_last() -> None:
    several = [law.several for law in carom.laws()]
    assert several == sorted(several) and any(several) and not all(several)


@pytest.mark.parametrize("id", ["newton", "chatterjee-2", "routh-poisson"])
def test_laws_keep_their_promises_where_they_are_measured(id: str) -> None:
    law = carom.law(id)
    measured = law.properties(restitution=0.9, friction=0.5)
    assert measured["resolved"] > 0 and measured["refused"] == 0
    assert measured["degree_in_velocity"] == pytest.approx(1.0)
    for promise, found in (("energy", "energy_gain"), ("friction", "friction_excess"), ("penetration", "penetration")):
        if law.guarantees[promise] == "yes":
            assert measured[found] == 0.0 and measured["counterexamples"][found] is None


def test_a_gain_of_energy_is_that_of_its_counterexample() -> None:
    measured = carom.law("whittaker").properties(restitution=0.95, friction=0.3)
    w, v = measured["counterexamples"]["energy_gain"]
    gain = carom.collide(w, v, "whittaker", 0.95, 0.3).energy_change
    # Over the energy that all of the contact holds, by the mass matrix.
    assert measured["energy_gain"] == pytest.approx(gain / (0.5 * v @ np.linalg.solve(w, v)), rel=1e-9)
    assert measured["energy_gain"] > 0.0 and measured["friction_excess"] == 0.0


def test_properties_of_bad_parameters() -> None:
    with pytest.raises(carom.InputError, match="friction"):
        carom.law("smith").properties(friction=-1.0)
    with pytest.raises(carom.ShapeError, match="restitution is an array"):
        carom.law("newton").properties(restitution=[0.1, 0.2])


def test_unknown_laws() -> None:
    with pytest.raises(carom.InputError, match="no law `chaterjee-2`"):
        carom.law("chaterjee-2")
    with pytest.raises(TypeError):
        carom.law(2)  # type: ignore[call-overload]


def test_exceptions_are_value_errors() -> None:
    for kind in (carom.InputError, carom.ShapeError, carom.NoAnswerError):
        assert issubclass(kind, carom.CaromError) and issubclass(carom.CaromError, ValueError)


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert carom.__version__ == version("carom")
