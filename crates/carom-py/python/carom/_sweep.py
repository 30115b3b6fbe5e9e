from __future__ import annotations

import os
import tempfile
import time
import uuid
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from carom._carom import CaromError, Plan
from carom._progress import PAUSE, WIDTH, place

if TYPE_CHECKING:
    from collections.abc import Callable


class SweepResult(NamedTuple):
    """What :func:`sweep` has done.

    `rows` and `shards` were computed now, `kept` shards were there before. `statuses` counts the rows of all of them by status, and `reasons`
    holds for a status the first row that has it, with the reason. `output` is where the Parquet files are, which ``polars.read_parquet``,
    ``pandas.read_parquet`` and others read.
    """

    output: str
    rows: int
    shards: int
    kept: int
    statuses: dict[str, int]
    reasons: dict[str, tuple[int, str]]


def sweep(
    plan: str | os.PathLike[str] | Plan,
    output: str | os.PathLike[str],
    *,
    client: Any = None,
    threads: int = 0,
    resume: bool = False,
    progress: bool = False,
    storage_options: dict[str, Any] | None = None,
) -> SweepResult:
    """Compute a plan into Parquet files, as the command ``carom sweep`` does.

    Parameters
    ----------
    plan : str, os.PathLike or Plan
        The plan, or its file.
    output : str or os.PathLike
        A folder; or with ``://`` the URL of one, which fsspec opens.
    client : dask.distributed.Client, optional
        Computes the shards on a cluster, whose workers need the package; a folder must be one that all of them see. A shard that a worker
        lost is computed again.
    threads : int
        Threads on this machine, 0 for one for each core. Results do not depend on them.
    resume : bool
        Keep the shards that are there, and compute the rest. Without it a folder with shards is an error.
    progress : bool
        Show a bar on stderr.
    storage_options : dict, optional
        For fsspec.

    Returns
    -------
    SweepResult

    Raises
    ------
    InputError
        If something in the plan is wrong, with the line and the expectation.
    CaromError
        If the folder holds shards of another plan, or shards without `resume`.

    Examples
    --------
    >>> import carom, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = carom.sweep("plans/energy-over-restitution.toml", folder)
    >>> done.rows, done.statuses
    (1212, {'resolved': 1212})
    """
    ready = plan if isinstance(plan, Plan) else Plan(plan)
    folder = os.fspath(output)
    store = _Store(folder, storage_options) if "://" in folder else None
    there = store.whole(ready) if store else ready._whole(folder)
    if there and not resume:
        raise CaromError(f"{folder} has {len(there)} shards of this plan already; give resume=True, or another folder")
    bar = _Bar() if progress else None
    try:
        return _run(ready, there, folder, client, threads, bar, storage_options)
    finally:
        if bar:
            bar.close()


def _run(
    plan: Plan,
    there: list[int],
    folder: str,
    client: Any,
    threads: int,
    bar: Callable[[int, int], None] | None,
    options: dict[str, Any] | None,
) -> SweepResult:
    if client is None and "://" not in folder:
        return _result(folder, [plan._compute(folder, 1, 1, threads, bar)])
    missing = [shard for shard in range(plan.shards) if shard not in set(there)]
    if client is None:
        parts = [_compute(plan, shard, folder, options, threads) for shard in missing]
    else:
        parts = _on_cluster(client, plan, missing, folder, options, bar)
    result = _result(folder, parts)
    return result._replace(kept=len(there))


def _on_cluster(
    client: Any, plan: Plan, shards: list[int], place: str, options: dict[str, Any] | None, bar: Callable[[int, int], None] | None
) -> list[dict[str, Any]]:
    """The shards by the workers of a cluster."""
    as_completed = import_module("dask.distributed").as_completed
    shared = client.scatter(plan, broadcast=True)
    # A shard is the same whoever computes it; "pure" would keep results of earlier calls.
    futures = [client.submit(_compute, shared, shard, place, options, 1, pure=False, retries=3) for shard in shards]
    parts: list[dict[str, Any]] = []
    for future in as_completed(futures):
        parts.append(future.result())
        if bar:
            bar(sum(part["rows"] for part in parts), plan.rows)
    return parts


def _compute(plan: Plan, shard: int, place: str, options: dict[str, Any] | None, threads: int) -> dict[str, Any]:
    """One shard into a folder, or through a folder of its own into a URL."""
    if "://" not in place:
        return plan._compute(place, shard + 1, plan.shards, threads, None)
    with tempfile.TemporaryDirectory() as folder:
        part = plan._compute(folder, shard + 1, plan.shards, threads, None)
        name = plan._file(shard)
        _Store(place, options).put(Path(folder) / name, name)
    return part


class _Store:
    """A folder that fsspec opens."""

    def __init__(self, url: str, options: dict[str, Any] | None) -> None:
        self.files, self.path = import_module("fsspec.core").url_to_fs(url, **(options or {}))
        self.path = self.path.rstrip("/")

    def whole(self, plan: Plan) -> list[int]:
        """The shards that are there; one of them is looked at to see whose they are."""
        if not self.files.exists(self.path):
            self.files.makedirs(self.path, exist_ok=True)
            return []
        names = {Path(file).name for file in self.files.ls(self.path, detail=False)}
        there = [shard for shard in range(plan.shards) if plan._file(shard) in names]
        others = {name for name in names if name.endswith(".parquet")} - {plan._file(shard) for shard in there}
        if others:
            raise CaromError(f"{self.path} holds other files ({min(others)}); expected an empty folder, or that of this plan")
        if there:
            with tempfile.TemporaryDirectory() as folder:
                name = plan._file(there[0])
                self.files.get(f"{self.path}/{name}", str(Path(folder) / name))
                if plan._whole(folder) != [there[0]]:
                    raise CaromError(f"{self.path}/{name} is damaged, or of another plan; remove it")
        return there

    def put(self, local: Path, name: str) -> None:
        """Copies a file under another name, and gives it its own when it is whole."""
        unfinished = f"{self.path}/.{name}.{uuid.uuid4().hex}.part"
        self.files.put(str(local), unfinished)
        self.files.mv(unfinished, f"{self.path}/{name}")


def _result(place: str, parts: list[dict[str, Any]]) -> SweepResult:
    statuses: dict[str, int] = {}
    reasons: dict[str, tuple[int, str]] = {}
    for part in parts:
        for status, (rows, reason) in part["statuses"].items():
            statuses[status] = statuses.get(status, 0) + rows
            if reason and (status not in reasons or reason[0] < reasons[status][0]):
                reasons[status] = reason
    rows, shards, kept = (sum(part[key] for part in parts) for key in ("rows", "shards", "kept"))
    return SweepResult(place, rows, shards, kept, statuses, reasons)


class _Bar:
    """Rows out of all, on a terminal or in a notebook."""

    def __init__(self) -> None:
        self._place = place()
        self._start = self._last = time.monotonic()
        self._line = ""

    def __call__(self, done: int, rows: int) -> None:
        now = time.monotonic()
        share = done / max(rows, 1)
        full, rate = round(WIDTH * share), done / max(now - self._start, 1e-9)
        self._line = f"[{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}  {done} of {rows} rows, {rate:.3g} rows/s"
        if now - self._last >= PAUSE:
            self._last = now
            self._place.show(self._line)

    def close(self) -> None:
        self._place.show(self._line)
        self._place.end()
