"""Tables of runs in NumPy, Arrow, polars, DuckDB and pandas. Tests that need one that is not there are skipped."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

SCENARIOS = Path(__file__).parents[3] / "scenarios"
NAMES = ("trajectory", "events", "ledger")


@pytest.fixture(scope="module")
def run() -> carom.Simulation:
    # It falls, slides and stops. The default law lowers restitution where energy would rise, which is missing where it does not.
    scene = carom.Scene("Sliding block", gravity=[0.0, -9.81], duration=2.0).material("steel", friction=0.3, restitution=0.2)
    block = carom.Body.box([0.2, 0.1], mass=1.0)
    return scene.wall("floor", normal=[0.0, 1.0]).body("block", block, position=[0.0, 0.15], velocity=[2.0, 0.0]).simulate()


def test_tables_are_dicts_of_columns(run: carom.Simulation) -> None:
    for name in NAMES:
        table: carom.Table = getattr(run, name)
        assert table is getattr(run, name) and table.name == name
        rows, columns = table.shape
        assert rows == len(table) and columns == len(table.keys()) == len(table.values()) == len(table.items())
        assert list(table) == table.keys() == list(dict(table)) == list(table.units)
        assert all(len(column) == rows and not column.flags.writeable for column in table.values())
        assert "time" in table and "nothing" not in table and 3 not in table
        assert table["time"] is table["time"]
        with pytest.raises(KeyError, match="there is no column nothing; expected one of "):
            table["nothing"]
        assert repr(table).startswith(f"<carom.Table {name}: {rows} rows of ") and "time (s)" in repr(table)
        html = table._repr_html_()
        assert html.count("<tr>") == min(rows, 11) + 1 and f"{rows} rows" in html
        again = pickle.loads(pickle.dumps(table))
        assert repr(again) == repr(table)
        for key in table:
            np.testing.assert_array_equal(again[key], table[key])


def test_the_ledger_is_balanced(run: carom.Simulation) -> None:
    ledger = run.ledger
    np.testing.assert_array_equal(ledger["total"], ledger["kinetic"] + ledger["potential"])
    balance = ledger["total"] - (ledger["total"][0] + ledger["supplied"] - ledger["friction"] - ledger["impacts"])
    np.testing.assert_allclose(ledger["residual"], balance, atol=1e-12)
    assert ledger["friction"][-1] > 0.0 and set(ledger.units.values()) == {"s", "J"}
    assert ledger["time"].tolist() == sorted(set(run.trajectory["time"]))


def test_arrow_has_units_and_missing_numbers(run: carom.Simulation) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    for name in NAMES:
        table: carom.Table = getattr(run, name)
        arrow = pa.table(table)
        assert arrow.schema == pa.schema(table)
        assert (arrow.num_rows, arrow.num_columns) == table.shape
        assert arrow.schema.metadata[b"title"].decode() == run.summary["title"]
        for field, (key, unit) in zip(arrow.schema, table.units.items()):
            assert field.name == key
            assert (field.metadata or {}).get(b"unit", b"").decode() == unit
        for key, column in table.items():
            read = arrow[key]
            if column.dtype.kind == "U":
                assert read.to_pylist() == column.tolist()
            else:
                np.testing.assert_array_equal(np.isnan(column), read.is_null().to_numpy())
                np.testing.assert_array_equal(read.drop_null().to_numpy(), column[~np.isnan(column)])
    missing = pa.table(run.events)["restitution_factor"]
    assert 0 < missing.null_count


def test_arrow_reads_without_copies(run: carom.Simulation) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")

    def place(table: Any) -> int:
        address: int = pa.table(table)["y"].chunk(0).buffers()[1].address
        return address

    assert place(run.trajectory) == place(run.trajectory)
    kept = pa.table(carom.load(SCENARIOS / "bouncing-ball.toml").simulate(0.1).trajectory)
    # The numbers outlive the run.
    assert kept["time"][-1].as_py() == 0.1


def test_polars_reads_tables(run: carom.Simulation) -> None:
    pl = pytest.importorskip("polars", reason="needs polars")
    for name in NAMES:
        table: carom.Table = getattr(run, name)
        frame = pl.DataFrame(table)
        assert frame.shape == table.shape and frame.columns == table.keys()
        np.testing.assert_array_equal(frame["time"].to_numpy(), table["time"])
    assert pl.DataFrame(run.events)["restitution_factor"].null_count() > 0


def test_duckdb_reads_tables(run: carom.Simulation) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    trajectory = run.trajectory
    [(rows, latest)] = duckdb.sql("select count(*), max(time) from trajectory").fetchall()
    assert (rows, latest) == (trajectory.shape[0], trajectory["time"].max())


def test_pandas_reads_tables(run: carom.Simulation) -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    for name in NAMES:
        table: carom.Table = getattr(run, name)
        frame = table.to_pandas()
        assert frame.shape == table.shape and list(frame.columns) == table.keys()
        np.testing.assert_array_equal(frame["time"].to_numpy(), table["time"])
        assert frame.attrs["units"] == table.units
        assert pandas.DataFrame(dict(table)).shape == table.shape
        # Otherwise it would be the names of the columns.
        with pytest.raises(TypeError, match=rf"the table {name} is no array; take a column, or table.to_pandas\(\)"):
            pandas.DataFrame(table)
