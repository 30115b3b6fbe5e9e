"""Sweeps from Python: the shards of the command, on a cluster whose workers die, and in any file system."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

import carom

PLAN = """
scenario = '''
[collision]
inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
velocity = [-1.0, 0.6]
friction = 0.3
restitution = 0.5
'''
outputs = ["impulse", "mode"]
rows_per_shard = 500
samples = 1000
[axes]
"law.id" = ["smith", "chatterjee-2"]
"collision.friction" = { uniform = [0, 1] }
"collision.velocity[1]" = [-0.5, 0.5]
"""


@pytest.fixture
def plan(tmp_path: Path) -> carom.Plan:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return carom.Plan(path)


def shards(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_plan(plan: carom.Plan) -> None:
    assert (plan.rows, plan.shards) == (4000, 8)
    assert plan.columns == ("law.id", "collision.friction", "collision.velocity[1]", "impulse[0]", "impulse[1]", "impulse[2]", "mode", "status")
    again = pickle.loads(pickle.dumps(plan))
    assert (again.rows, again.title) == (plan.rows, plan.title) and copy.copy(plan).rows == plan.rows
    assert repr(plan) == "<carom.Plan 'plan': 4000 rows in 8 shards>"


def test_sweep_and_resume(plan: carom.Plan, tmp_path: Path) -> None:
    done = carom.sweep(plan, tmp_path / "out", threads=2)
    assert (done.rows, done.shards, done.kept, done.statuses) == (4000, 8, 0, {"resolved": 4000})
    expected = shards(tmp_path / "out")
    with pytest.raises(carom.CaromError, match="has 8 shards of this plan already"):
        carom.sweep(plan, tmp_path / "out")
    (tmp_path / "out" / sorted(expected)[3]).unlink()
    again = carom.sweep(plan, tmp_path / "out", resume=True, progress=True)
    assert (again.rows, again.kept) == (500, 7) and shards(tmp_path / "out") == expected


def test_rows_are_those_of_collide(plan: carom.Plan, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    carom.sweep(plan, tmp_path / "out")
    table = polars.read_parquet(tmp_path / "out" / "*.parquet").filter(polars.col("law.id") == "chatterjee-2")
    velocity = [[-1.0, tangential] for tangential in table["collision.velocity[1]"]]
    answers = carom.collide(
        [[2.5, -1.5], [-1.5, 2.5]], velocity, "chatterjee-2", restitution=0.5, friction=table["collision.friction"].to_numpy()
    )
    assert (answers.impulse[:, 0] == table["impulse[0]"].to_numpy()).all()


def test_bad_plans(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        carom.sweep(tmp_path / "nowhere.toml", tmp_path / "out")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.replace("collision.friction", "collision.fricton"))
    with pytest.raises(carom.InputError, match="did you mean `friction`"):
        carom.sweep(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_other_file_systems(plan: carom.Plan, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    carom.sweep(plan, tmp_path / "out")
    url = "memory://sweeps/out"
    done = carom.sweep(plan, url)
    assert (done.rows, done.statuses) == (4000, {"resolved": 4000})
    files = fsspec.filesystem("memory")
    there = {Path(file).name: files.cat(file) for file in files.ls("/sweeps/out", detail=False)}
    assert there == shards(tmp_path / "out")
    files.rm(f"/sweeps/out/{min(there)}")
    assert carom.sweep(plan, url, resume=True)[1:4] == (500, 1, 7)


def lose(client: Any) -> None:
    """Kills a worker as a machine that fails would."""
    (pid, *_) = client.run(os.getpid).values()
    os.kill(pid, signal.SIGKILL)


def test_a_cluster_that_loses_a_worker(plan: carom.Plan, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    carom.sweep(plan, tmp_path / "alone")
    slow = tmp_path / "slow.toml"
    slow.write_text(PLAN.replace("samples = 1000", "samples = 20000").replace("rows_per_shard = 500", "rows_per_shard = 2000"))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert carom.sweep(plan, tmp_path / "cluster", client=client).rows == 4000
        assert shards(tmp_path / "cluster") == shards(tmp_path / "alone")
        killer = threading.Timer(0.2, lose, [client])
        killer.start()
        done = carom.sweep(slow, tmp_path / "lost", client=client)
        killer.join()
        assert done.statuses == {"resolved": 80000}
    carom.sweep(slow, tmp_path / "whole")
    assert {name: data for name, data in shards(tmp_path / "lost").items() if not name.startswith(".")} == shards(tmp_path / "whole")
