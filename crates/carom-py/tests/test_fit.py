"""Laws fitted to measured collisions."""

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

W = [[1.0, 0.2], [0.2, 3.0]]


def collisions(law: str = "routh-poisson", rows: int = 60, seed: int = 1, sd: float = 0.0, **parameters: Any) -> dict[str, Any]:
    """Columns of collisions of one body by a law."""
    random = np.random.default_rng(seed)
    before = np.column_stack([-random.uniform(0.5, 1.5, rows), random.uniform(-2.0, 2.0, rows)])
    after = carom.collide(W, before, law, **parameters).velocity_after + sd * random.standard_normal((rows, 2))
    return {
        "w_nn": np.full(rows, W[0][0]),
        "w_nt": np.full(rows, W[0][1]),
        "w_tt": np.full(rows, W[1][1]),
        "vn_before": before[:, 0],
        "vt_before": before[:, 1],
        "vn_after": after[:, 0],
        "vt_after": after[:, 1],
    }


def test_parameters_come_back() -> None:
    found = carom.fit("routh-poisson", collisions(restitution=0.7, friction=0.25))
    assert found.names == ("restitution", "friction")
    assert np.allclose(found.x, [0.7, 0.25], atol=1e-7)
    assert found.values["friction"] == found.x[1]


def test_a_linear_law_gives_the_estimate_of_the_normal_equations() -> None:
    data = collisions("newton", sd=0.01, restitution=0.6, friction=0.0)
    found = carom.fit("newton", data)
    before, after = data["vn_before"], data["vn_after"]
    # v_t after depends on the restitution as well: V after = V before - (1 + e) V_n (1, w_nt/w_nn).
    slope = np.concatenate([-before, -before * 0.2])
    rest = np.concatenate([after, data["vt_after"] - data["vt_before"] + before * 0.2])
    estimate = slope @ rest / (slope @ slope)
    squares = np.sum((rest - estimate * slope) ** 2)
    assert found.x[0] == pytest.approx(estimate, abs=1e-9)
    assert found.squares == pytest.approx(squares, rel=1e-9)
    freedom = 2 * len(before) - 1
    assert found.freedom == freedom
    assert found.stderr[0] == pytest.approx(np.sqrt(squares / freedom / (slope @ slope)), rel=1e-6)
    assert found.covariance[0, 0] == pytest.approx(found.stderr[0] ** 2)


def test_all_tables_are_read(tmp_path: Path) -> None:
    data = collisions(restitution=0.7, friction=0.25, sd=0.01)
    data["group"] = ["a", "b"] * 30
    expected = carom.fit("routh-poisson", data, ["restitution@group", "friction"]).x
    names = list(data)
    path = tmp_path / "data.csv"
    lines = [",".join(names), *(",".join(str(data[name][row]) for name in names) for row in range(60))]
    path.write_text("\n".join(lines) + "\n")
    kinds = [(name, "U1" if name == "group" else "f8") for name in names]
    structured = np.array(list(zip(*data.values())), dtype=kinds)
    tables: list[Any] = [path, str(path), structured]
    pandas = pytest.importorskip("pandas")
    tables.append(pandas.DataFrame(data))
    polars = pytest.importorskip("polars")
    tables.append(polars.DataFrame(data))
    for table in tables:
        found = carom.fit("routh-poisson", table, ["restitution@group", "friction"])
        assert found.names == ("restitution@a", "restitution@b", "friction")
        assert np.array_equal(found.x, expected)


def test_intervals_and_samples_do_not_depend_on_threads() -> None:
    data = collisions(restitution=0.7, friction=0.25, sd=0.01)
    one = carom.fit("routh-poisson", data, bootstrap=40, threads=1)
    two = carom.fit("routh-poisson", data, bootstrap=40, threads=2)
    assert one.samples is not None and two.samples is not None
    assert one.samples.shape == (40, 2) and np.array_equal(one.samples, two.samples)
    for method in ("profile", "bootstrap", "stderr"):
        interval = one.ci(method)
        assert interval.shape == (2, 2)
        assert np.all((interval[:, 0] < one.x) & (one.x < interval[:, 1]))
    with pytest.raises(carom.InputError, match="expected profile, bootstrap, stderr"):
        one.ci("exact")
    with pytest.raises(carom.InputError, match="no bootstrap"):
        carom.fit("routh-poisson", data).ci("bootstrap")


def test_a_law_of_ones_own_is_fitted() -> None:
    @carom.law(parameters={"loss": (0.0, 1.0)})
    def lossy(inverse_mass: Any, velocity: Any, loss: Any) -> Any:
        impulse = np.zeros_like(velocity)
        impulse[..., 0] = -(2.0 - loss) * velocity[..., 0] / inverse_mass[..., 0, 0]
        return impulse

    found = carom.fit(lossy, collisions("newton", restitution=0.6, friction=0.0), ["loss"])
    assert found.x[0] == pytest.approx(0.4, abs=1e-6)


def test_reach_and_faults() -> None:
    data = collisions(restitution=0.7, friction=0.25)
    data["vn_after"][3] = 3.0
    data["vn_before"][5] = 0.1
    found = carom.fit("routh-poisson", data, reach=True)
    assert found.reach is not None
    assert [row for row, *_ in found.impossible] == [3]
    assert [row for row, _ in found.left_out] == [5]
    assert found.rows.tolist() == [row for row in range(60) if row != 5]
    assert np.argmax(found.influence) == 3 and np.argmax(found.reach["law"]) == 3
    assert found.residuals.shape == found.predicted.shape == (59, 2)


def test_laws_are_ordered() -> None:
    found = carom.fit_laws(collisions(restitution=0.7, friction=0.25, sd=0.01), ["newton", "smith", "routh-poisson", "bilinear"])
    assert found.best == "routh-poisson" and found.laws[-1] == "newton"
    assert list(found.refusals) == ["bilinear"]
    assert found.table()["law"] == list(found.laws)
    assert "routh-poisson" in found.sentence and "routh-poisson" in str(found)


def test_reports_pictures_and_pickles(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("agg")
    data = collisions(restitution=0.7, friction=0.25, sd=0.01)
    path = tmp_path / "page.html"
    found = carom.fit("routh-poisson", data, report=path)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert found.plot().size == 4
    assert "<svg" in found._repr_html_() and "restitution" in found.summary()
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.x, found.x) and again.summary() == found.summary()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"law": "routh-poison"}, "there is no law `routh-poison`"),
        ({"free": ["frction"]}, "did you mean `friction`"),
        ({"free": "friction"}, "expected a list"),
        ({"free": ["friction~heat"]}, "no column of numbers `heat`"),
        ({"errors": "none"}, "expected measured, equal, energy"),
        ({"errors": "measured"}, "gives no errors"),
        ({"confidence": 1.0}, "expected a share"),
        ({"starts": 0}, "expected at least 1"),
        ({"bootstrap": 1}, "at least 2"),
        ({"bounds": {"friction": (0.5, 0.1)}}, "expected rising ones"),
        ({"fixed": {"friction": 0.1, "height": 1.0}}, "has no parameter `height`"),
        ({"group": "puck"}, "no column `puck`"),
        ({"data": 3}, "expected a path"),
        ({"data": {}}, "no column `w_nn`"),
        ({"data": "none.csv"}, "no such file"),
    ],
)
def test_bad_requests_are_named(change: dict[str, Any], message: str) -> None:
    request: dict[str, Any] = {"law": "routh-poisson", "data": collisions(restitution=0.7, friction=0.25)} | change
    with pytest.raises(carom.InputError, match=re.escape(message)):
        carom.fit(**request)


def test_bad_columns_are_named() -> None:
    data = collisions(restitution=0.7, friction=0.25)
    faults: list[tuple[str, Any, str]] = [
        ("vn_after", np.where(np.arange(60) == 7, np.nan, 1.0), "row 7: `vn_after` is `NaN`; expected a finite number"),
        ("vn_after", ["x"] * 60, "row 0: `vn_after` is `x`; expected a finite number"),
        ("vn_after", np.ones(59), "has 59 rows; expected 60"),
        ("vn_after", np.ones((60, 2)), "expected one number in each row"),
    ]
    for column, values, message in faults:
        with pytest.raises(carom.InputError, match=re.escape(message)):
            carom.fit("routh-poisson", data | {column: values})
    with pytest.raises(FileNotFoundError):
        carom.fit("routh-poisson", data, report="nowhere/page.html")
