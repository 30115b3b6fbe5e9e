"""Tracks reduced to collisions."""

import csv
import os
import pickle
import re
import signal
import sys
import threading
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

DATA = Path(__file__).parents[3] / "data"
FRAMES, SETUP = DATA / "half-puck-frames.csv", DATA / "half-puck.toml"


def rows_of(path: Path) -> tuple[list[str], list[list[str]]]:
    """The header and the fields of a file."""
    with path.open(encoding="utf-8") as file:
        header, *rows = csv.reader(line for line in file if not line.startswith("#"))
    return header, rows


def tracks() -> dict[str, Any]:
    """The sample as columns."""
    header, rows = rows_of(FRAMES)
    fields = {name: [row[place] for row in rows] for place, name in enumerate(header)}
    return {name: values if name == "phase" else np.array([float(value or "nan") for value in values]) for name, values in fields.items()}


def setup() -> dict[str, Any]:
    """The setup of the sample."""
    body = {
        "name": "half puck",
        "half_disk": {"radius": 0.0491},
        "mass": 0.0334,
        "inertia": np.float64(2.65e-5),
        "centre_of_mass": np.array([0.0, 0.02065]),
        "marks": [[-0.035, 0.01], [0.035, 0.01]],
    }
    camera = {"rate": 8.833333333333334, "scale": 4900, "deviation": 0.5, "bound": 2.0, "y_down": None}
    return {"title": "Half puck", "camera": camera, "body": [body], "wall": {"normal": [0, 1], "point": (0, 0)}}


def assert_same(one: carom.Reduction, two: carom.Reduction) -> None:
    assert list(one) == list(two)
    for name, values in one.items():
        np.testing.assert_array_equal(values, two[name])


def test_the_columns_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "collisions.csv"
    found = carom.reduce(FRAMES, str(SETUP), draws=20, seed=3, output=path)
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# Reduced by carom {carom.__version__} from {FRAMES} with {SETUP}, 20 draws, seed 3. SI units, rad."
    header, rows = rows_of(path)
    assert list(found) == list(found.collisions) == header and len(found) == len(header)
    for place, (name, values) in enumerate(found.items()):
        fields = [row[place] for row in rows]
        if isinstance(values, list):
            assert values == fields, name
        else:
            assert values.dtype == np.float64
            np.testing.assert_array_equal(values, [float(field or "nan") for field in fields], err_msg=name)
    assert {name for name, values in found.items() if isinstance(values, list)} == {"trial", "group", "rejected_lines", "notes"}
    assert len(rows) == 24 and found.left_out == () and found.title == "Half puck against a plate"
    assert found.deviation == pytest.approx(0.5 / 4900)
    fits = [carom.fit("routh-poisson", data).x for data in (path, found, found.collisions)]
    np.testing.assert_array_equal(fits[0], fits[1])
    np.testing.assert_array_equal(fits[0], fits[2])


def test_all_tables_and_setups_give_the_same() -> None:
    expected = carom.reduce(FRAMES, SETUP, draws=5)
    data = tracks()
    kinds = [(name, "U6" if name == "phase" else "f8") for name in data]
    tables: list[Any] = [FRAMES, data, np.array(list(zip(*data.values())), dtype=kinds)]
    missing = {name: [None if value != value else value for value in values] for name, values in data.items()}
    tables.append(missing)
    for name, maker in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        if find_spec(name):
            make = getattr(import_module(name), maker)
            tables += [make(data), make(missing)]
    for table in tables:
        assert_same(carom.reduce(table, setup(), draws=5), expected)


def test_trials_left_out_are_named() -> None:
    data = tracks()
    keep = ~((data["trial"] == 2) & (np.array(data["phase"]) == "after"))
    data = {name: np.array(values)[keep] for name, values in data.items()}
    found = carom.reduce(data, setup(), draws=0)
    first = int(np.flatnonzero(data["trial"] == 2)[0])
    [out] = found.left_out
    assert (out.trial, out.row) == ("2", first) and "after the collision" in out.reason
    assert f"left out: trial 2 (row {first})" in found.summary()
    assert "2" not in found["trial"] and len(found["trial"]) == 23
    only = {name: values[first : first + 2] for name, values in data.items()}
    with pytest.raises(carom.InputError, match="no trial gives a collision; row 0: trial 2"):
        carom.reduce(only, setup())


def test_results_are_shown_and_kept() -> None:
    found = carom.reduce(FRAMES, SETUP, draws=0)
    assert found.summary() == str(found) and "24 collisions of 24 trials" in str(found)
    assert found._repr_html_().startswith("<pre>Half puck against a plate")
    again = pickle.loads(pickle.dumps(found))
    assert_same(again, found)
    assert str(again) == str(found) and again.left_out == found.left_out
    assert not any(name.endswith("_mc") for name in found)
    pandas = pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == list(found) and len(frame) == 24


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frames": 3}, "expected a path"),
        ({"frames": {}}, "there are no positions"),
        ({"frames": "none.csv"}, "no such file"),
        ({"setup": "none.toml"}, "no such file"),
        ({"setup": 3}, "setup is of the type int; expected a path or a dictionary"),
        ({"setup": {}}, "expected `[[body]]`"),
        ({"setup": setup() | {"wall": {"normal": [0, 0]}}}, "setup: wall: `normal` has no direction"),
        ({"setup": setup() | {"wall": {"normal": {1, 2}}}}, "setup: wall: `normal` holds {1, 2}"),
        ({"setup": setup() | {"wall": {"norm": [0, 1]}}}, "did you mean `normal`?"),
        ({"setup": setup() | {"body": [setup()["body"][0] | {"mass": -1}]}}, "setup: body 1: `mass`"),
        ({"setup": setup() | {"body": [setup()["body"][0] | {"mass": 10**400}]}}, "beyond the range of floats"),
        ({"setup": setup() | {"a\nb": 1}}, "setup"),
        ({"draws": -1}, "draws is -1; expected 0 to 1000000"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_requests_are_named(change: dict[str, Any], message: str) -> None:
    request: dict[str, Any] = {"frames": FRAMES, "setup": SETUP, "draws": 0} | change
    with pytest.raises(carom.InputError, match=re.escape(message)):
        carom.reduce(**request)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of one process to itself")
def test_draws_can_be_interrupted() -> None:
    # Minutes of draws for the first trial.
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        carom.reduce(FRAMES, SETUP, draws=1_000_000)
    assert time.monotonic() - start < 20.0


def test_bad_columns_are_named(tmp_path: Path) -> None:
    data = tracks()
    rows = len(data["frame"])
    faults: list[tuple[str, Any, str]] = [
        ("x1", np.where(np.arange(rows) == 7, np.inf, data["x1"]), "row 7: `x1` is `inf`; expected a finite number"),
        ("x", np.where(np.arange(rows) == 7, np.nan, data["x"]), "row 7: `x` is empty"),
        ("x1", ["left"] * rows, "row 0: `x1` is `left`; expected a finite number"),
        ("frame", np.zeros(rows), "row 1: the time is 0 s after 0 s in row 0"),
        ("phase", ["later"] * rows, "row 0: `phase` is `later`"),
        ("x1", np.ones(rows - 1), f"has {rows - 1} rows; expected {rows}"),
        ("x1", np.ones((rows, 2)), "expected one number in each row"),
    ]
    for column, values, message in faults:
        with pytest.raises(carom.InputError, match=re.escape(message)):
            carom.reduce(data | {column: values}, SETUP)
    metres = {name: values / 4900 if name[0] in "xy" else values for name, values in data.items()}
    with pytest.raises(carom.InputError, match=r"row \d+: the marks are 0.0002 times as far apart"):
        carom.reduce(metres, SETUP)
    with pytest.raises(FileNotFoundError):
        carom.reduce(FRAMES, SETUP, output="nowhere/collisions.csv")
    with pytest.raises(carom.InputError):
        carom.reduce(data | {"frame": np.zeros(rows)}, SETUP, output=tmp_path / "none.csv")
    assert list(tmp_path.iterdir()) == []
