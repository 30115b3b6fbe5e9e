from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from carom._carom import InputError, Law, _fit, _fit_laws
from carom._columns import table_of
from carom._progress import place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GREY = "#9c9c9c"
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"


@dataclass(frozen=True)
class Fit:
    """A law fitted to measured collisions, by :func:`fit`.

    Notebooks show its pictures; ``print`` shows its table.

    Attributes
    ----------
    law : str
        The id of the law.
    names : tuple of str
        The numbers that were fitted: ``key``, ``key@group`` or ``key~column``.
    x, stderr : ndarray
        Their values and standard errors; an error is NaN at a bound, or if the data do not determine the number.
    at_bound : tuple of bool
        Which of them are at a bound.
    correlation : ndarray
        Of the estimates.
    errors : str
        ``"measured"``, ``"equal"`` or ``"energy"``.
    squares, freedom : float, int
        The sum of squares of the residuals, and its degrees of freedom.
    log_likelihood, aicc, bic : float
    mean_error : float
        The mean of √(Δv·M Δv / V·M V).
    scale : float
        The standard deviation of a residual.
    rows : ndarray
        The rows that were used, from 0; lines if the data come from a file.
    residuals : ndarray
        Weighted residuals, (rows, 2) or (rows, 3).
    predicted : ndarray
        Velocities after by the law, m/s.
    influence : ndarray
        Cook's distance of each collision.
    undetermined : tuple of str
        Numbers that the data do not determine.
    refused : int
        Collisions that the law refuses.
    left_out : tuple of (int, str)
        Rows that were not used, and why.
    impossible : tuple of (int, str, float, float or None)
        Rows that break a law of nature: the row, its fault, the size of the fault, and that size in standard deviations if errors are measured.
    samples : ndarray or None
        Estimates of the bootstrap, (repetitions, numbers).
    reach : dict or None
        If asked for, how near each collision is to what the law reaches (``law``) and to the accessible region (``region``), as √(Δv·M Δv / V·M V).
    """

    law: str
    names: tuple[str, ...]
    x: NDArray[np.float64]
    stderr: NDArray[np.float64]
    at_bound: tuple[bool, ...]
    correlation: NDArray[np.float64]
    errors: str
    confidence: float
    squares: float
    freedom: int
    log_likelihood: float
    aicc: float
    bic: float
    mean_error: float
    scale: float
    rows: NDArray[np.int64]
    residuals: NDArray[np.float64]
    predicted: NDArray[np.float64]
    influence: NDArray[np.float64]
    undetermined: tuple[str, ...]
    refused: int
    left_out: tuple[tuple[int, str], ...]
    impossible: tuple[tuple[int, str, float, float | None], ...]
    samples: NDArray[np.float64] | None
    reach: dict[str, Any] | None
    _profiles: NDArray[np.float64] | None = field(repr=False)
    _summary: str = field(repr=False)
    _svg: str = field(repr=False)
    _shown: tuple[NDArray[np.float64], NDArray[np.float64]] = field(repr=False)

    @property
    def values(self) -> dict[str, float]:
        """The estimates by name."""
        return dict(zip(self.names, self.x.tolist()))

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Of the estimates; NaN where a standard error is."""
        return self.correlation * self.stderr * self.stderr[:, None]

    def ci(self, method: str = "profile") -> NDArray[np.float64]:
        """The intervals of the estimates, (numbers, 2).

        Parameters
        ----------
        method : {"profile", "bootstrap", "stderr"}
            By the profile of the likelihood, whose end is a bound if the data do not exclude it; by percentiles of the bootstrap; or by the
            standard errors and the normal distribution.
        """
        import numpy as np

        if method == "profile":
            if self._profiles is None:
                raise InputError("there are no profiles; expected a fit with profiles=True")
            return self._profiles.copy()
        tails = [50.0 * (1.0 - self.confidence), 50.0 * (1.0 + self.confidence)]
        if method == "bootstrap":
            if self.samples is None:
                raise InputError("there is no bootstrap; expected a fit with bootstrap=1000")
            ends: NDArray[np.float64] = np.percentile(self.samples, tails, axis=0).T
            return ends
        if method == "stderr":
            ends = self.x[:, None] + self.stderr[:, None] * np.array([NormalDist().inv_cdf(tail / 100.0) for tail in tails])
            return ends
        raise InputError(f"method is {method!r}; expected profile, bootstrap, stderr")

    def summary(self) -> str:
        """The table of the command, for a terminal."""
        return self._summary

    def __str__(self) -> str:
        return self._summary

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._summary)}</pre>{self._svg}"

    def plot(self, axes: Any = None) -> Any:
        """Impulses, restitution, residuals and their quantiles on axes of matplotlib.

        Parameters
        ----------
        axes : array of matplotlib axes, optional
            Four of them; a new figure by default.

        Returns
        -------
        ndarray of axes
        """
        import numpy as np

        try:
            pyplot = import_module("matplotlib.pyplot")
        except ImportError as why:
            raise ImportError("plot needs matplotlib: pip install matplotlib") from why
        if axes is None:
            _, axes = pyplot.subplots(2, 2, figsize=(9, 7), layout="constrained")
        axes = np.asarray(axes)
        if axes.size != 4:
            raise InputError(f"axes has {axes.size} axes; expected 4")
        impulses, restitution, residuals, quantiles = axes.ravel()
        dots = {"marker": ".", "linestyle": "", "markersize": 4}
        measured, predicted = self._shown
        for ax, across, up in ((impulses, 1, 2), (restitution, 0, 3)):
            ax.plot(measured[:, across], measured[:, up], color=GREY, label="measured", **dots)
            ax.plot(predicted[:, across], predicted[:, up], color=BLUE, label=self.law, **dots)
        impulses.set(xlabel="impulse along the slip $P_t/P_c$", ylabel="normal impulse $P_n/P_c$")
        restitution.set(xlabel="incidence in °", ylabel="restitution $e$")
        impulses.legend(frameon=False)
        unit = 1.0 if self.errors == "measured" else self.scale
        scaled = self.residuals / unit
        for component, name, color in zip(scaled.T, ("n", "t1", "t2") if scaled.shape[1] == 3 else ("n", "t"), (ORANGE, GREEN, BLUE)):
            residuals.plot(measured[:, 0], component, color=color, label=name, **dots)
        residuals.axhline(0.0, color=GREY, linewidth=0.8)
        residuals.set(xlabel="incidence in °", ylabel="residual")
        residuals.legend(frameon=False)
        ordered = np.sort(scaled, axis=None)
        normal = [NormalDist().inv_cdf((place + 0.5) / ordered.size) for place in range(ordered.size)]
        quantiles.plot(normal, normal, color=GREY, linewidth=0.8)
        quantiles.plot(normal, ordered, color=BLUE, **dots)
        quantiles.set(xlabel="quantile of the normal distribution", ylabel="residual")
        return axes


@dataclass(frozen=True)
class LawComparison:
    """Laws fitted to the same collisions, by :func:`fit_laws`; the best first.

    Attributes
    ----------
    laws : tuple of str
        The laws that could be fitted, the best by AICc first.
    refusals : dict of str to str
        Why the others could not.
    sentence : str
        The result in words.
    """

    laws: tuple[str, ...]
    refusals: dict[str, str]
    sentence: str
    _rows: tuple[dict[str, Any], ...] = field(repr=False)
    _summary: str = field(repr=False)
    _svg: str = field(repr=False)

    @property
    def best(self) -> str:
        """The id of the best law."""
        if not self.laws:
            raise InputError("no law could be fitted")
        return self.laws[0]

    def table(self) -> dict[str, list[Any]]:
        """Columns, as ``pandas.DataFrame`` takes them: law, numbers, log-likelihood, AICc, BIC, errors and estimates."""
        names = ("law", "numbers", "log_likelihood", "aicc", "bic", "mean_error", "left_out_error", "estimates")
        return {name: [row[name] for row in self._rows] for name in names}

    def summary(self) -> str:
        """The table of the command, for a terminal."""
        return self._summary

    def __str__(self) -> str:
        return self._summary

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._summary)}</pre>{self._svg}"


def fit(
    law: str | Law,
    data: Any,
    free: Iterable[str] | None = None,
    *,
    fixed: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    errors: str | None = None,
    group: str | None = None,
    starts: int = 8,
    confidence: float = 0.95,
    profiles: bool = True,
    bootstrap: int = 0,
    seed: int = 1,
    threads: int = 0,
    reach: bool = False,
    report: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Fit:
    """Fit the parameters of a law to measured collisions.

    Parameters
    ----------
    law : str or Law
        A law for one contact, also one of one's own.
    data : path, mapping of columns, data frame or Reduction
        A CSV file, or columns in pandas, polars, Arrow, a structured array or a dictionary: ``w_nn``, ``w_nt``, ``w_tt`` (1/kg), ``vn_before``,
        ``vt_before``, ``vn_after``, ``vt_after`` (m/s) or the impulse ``pn``, ``pt``; in space ``w_nn``, ``w_n1``, ``w_n2``, ``w_11``,
        ``w_12``, ``w_22``, ``v1_before``, ``v2_before`` and so on. ``X_sd`` and ``cov_X_Y`` give errors, ``group`` names groups.
    free : iterable of str, optional
        ``key``, ``key@group`` for a value in every group, ``key~column+column`` linear in columns or in ``approach``, ``slip``, ``incidence``.
        By default the parameters without a default.
    fixed : mapping, optional
        Parameters that are held.
    bounds : mapping, optional
        Narrower bounds of free parameters.
    errors : {"measured", "equal", "energy"}, optional
        Errors of the velocities: those of the data, the same for all, or the same in energy. By default measured if the data have them.
    group : str, optional
        The column of groups, instead of ``group``.
    starts : int
        First points of descents.
    confidence : float
        The probability of intervals.
    profiles : bool
        Whether to follow the profile of the likelihood.
    bootstrap : int
        Repetitions on collisions drawn again.
    seed : int
        Of what is drawn. Results do not depend on `threads`.
    threads : int
        0 for one on each core.
    reach : bool
        Whether to find how near the law comes to each collision by itself.
    report : path, optional
        A file for a page of HTML with tables, pictures and the method.
    progress : bool
        Whether to show how far bootstrap and reach have come.

    Returns
    -------
    Fit

    Raises
    ------
    InputError
        If the data or the request are wrong.

    Examples
    --------
    >>> import carom
    >>> found = carom.fit("routh-poisson", "data/pucks-synthetic.csv")
    >>> found.names, found.x.round(2)
    (('restitution', 'friction'), array([0.92, 0.16]))
    >>> found.ci().round(3)
    array([[0.919, 0.921],
           [0.159, 0.16 ]])
    """
    import numpy as np

    request = _request(free, fixed, bounds, errors, group, starts, confidence, profiles, bootstrap, seed, threads, reach, report, progress)
    found = _run(lambda: _fit(law, table_of(data), request), request, report)
    said = json.loads(found["json"])
    estimates = said["estimates"]
    ends = None
    if profiles:
        # An end without a bound is infinite.
        ends = np.array(
            [
                [
                    -np.inf if each["profile"]["low"] is None else each["profile"]["low"],
                    np.inf if each["profile"]["high"] is None else each["profile"]["high"],
                ]
                for each in estimates
            ]
        ).reshape(-1, 2)
    return Fit(
        law=said["law"],
        names=tuple(each["name"] for each in estimates),
        x=np.array([each["value"] for each in estimates]),
        stderr=np.array([_number(each["standard_error"]) for each in estimates]),
        at_bound=tuple(each["at_bound"] for each in estimates),
        correlation=np.array([[_number(value) for value in row] for row in said["correlation"]]),
        errors=said["errors"],
        confidence=confidence,
        squares=said["squares"],
        freedom=said["freedom"],
        log_likelihood=_number(said["log_likelihood"]),
        aicc=_number(said["aicc"]),
        bic=_number(said["bic"]),
        mean_error=_number(said["mean_error"]),
        scale=said["scale"],
        rows=found["rows"],
        residuals=found["residuals"],
        predicted=found["predicted"],
        influence=found["influence"],
        undetermined=tuple(said["undetermined"]),
        refused=said["refused"],
        left_out=tuple((each["line"], each["reason"]) for each in said["left_out"]),
        impossible=tuple(found["impossible"]),
        samples=found["samples"],
        reach=found["reach"],
        _profiles=ends,
        _summary=found["summary"],
        _svg=found["svg"],
        _shown=(found["shown_measured"], found["shown_predicted"]),
    )


def fit_laws(
    data: Any,
    laws: Iterable[str | Law] | None = None,
    free: Iterable[str] = (),
    *,
    errors: str | None = None,
    group: str | None = None,
    starts: int = 8,
    report: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> LawComparison:
    """Fit several laws to measured collisions, and order them by AICc.

    Parameters
    ----------
    data
        As :func:`fit` takes it.
    laws : iterable of str or Law, optional
        All laws for one contact that take no time by default.
    free : iterable of str
        Parameters to fit besides those without a default, for the laws that have them.
    errors, group, starts, report, progress
        As for :func:`fit`.

    Returns
    -------
    LawComparison

    Examples
    --------
    >>> import carom
    >>> found = carom.fit_laws("data/pucks-synthetic.csv", ["smith", "routh-poisson", "newton"])
    >>> found.laws
    ('routh-poisson', 'smith', 'newton')
    """
    chosen = [] if laws is None else list(laws)
    if laws is not None and not chosen:
        raise InputError("laws is empty; expected ids of laws, or None for all that take no time")
    request = _request(list(free), None, None, errors, group, starts, 0.95, False, 0, 1, 0, False, report, progress)
    found = _run(lambda: _fit_laws(chosen, table_of(data), request), request, report)
    said = json.loads(found["json"])
    rows = [row for row in said["laws"] if "refusal" not in row]
    return LawComparison(
        laws=tuple(row["law"] for row in rows),
        refusals={row["law"]: row["refusal"] for row in said["laws"] if "refusal" in row},
        sentence=said["sentence"],
        _rows=tuple(rows),
        _summary=found["summary"],
        _svg=found["svg"],
    )


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _request(
    free: Iterable[str] | None,
    fixed: Mapping[str, float] | None,
    bounds: Mapping[str, tuple[float, float]] | None,
    errors: str | None,
    group: str | None,
    starts: int,
    confidence: float,
    profiles: bool,
    bootstrap: int,
    seed: int,
    threads: int,
    reach: bool,
    report: str | os.PathLike[str] | None,
    progress: bool,
) -> dict[str, Any]:
    if isinstance(free, str):
        raise InputError(f"free is the text {free!r}; expected a list such as [{free!r}]")
    if report is not None and not Path(report).resolve().parent.is_dir():
        raise FileNotFoundError(f"there is no folder {Path(report).resolve().parent}")
    for name, count in (("starts", starts), ("bootstrap", bootstrap), ("seed", seed), ("threads", threads)):
        if count < 0:
            raise InputError(f"{name} is {count}; expected at least 0")
    line = place() if progress else None

    def watch(what: str, done: int, of: int) -> None:
        assert line is not None
        line.show(f"{what} {done}/{of}")

    return {
        "free": None if free is None else list(free),
        "fixed": list((fixed or {}).items()),
        "bounds": [(key, list(ends)) for key, ends in (bounds or {}).items()],
        "errors": errors,
        "group": group,
        "starts": starts,
        "confidence": confidence,
        "profiles": profiles,
        "bootstrap": bootstrap,
        "seed": seed,
        "threads": threads,
        "reach": reach,
        "report": report is not None,
        "command": f"carom.fit, Python; free={free}, fixed={fixed}, bounds={bounds}, errors={errors}, bootstrap={bootstrap}, seed={seed}",
        "watch": None if line is None else watch,
        "_line": line,
    }


def _run(work: Any, request: dict[str, Any], report: str | os.PathLike[str] | None) -> dict[str, Any]:
    try:
        found: dict[str, Any] = work()
    finally:
        if request["_line"] is not None:
            request["_line"].end()
    if report is not None:
        path = Path(report)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.resolve().parent, suffix=".tmp", delete=False) as file:
            file.write(found["page"])
        os.replace(file.name, path)
    return found
