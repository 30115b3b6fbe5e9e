"""A bar that shows how far a simulation or a sweep has come, on a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from typing import Any

#: Time between two pictures of the bar, s.
PAUSE = 0.1
WIDTH = 30


class Bar:
    """Simulated time out of a duration."""

    def __init__(self, duration: float, shown: Any) -> None:
        self._duration = duration
        self._shown = shown
        self._start = self._last = time.monotonic()
        self._line = ""

    def update(self, reached: float, events: int) -> None:
        now = time.monotonic()
        share = min(max(reached / self._duration, 0.0), 1.0)
        full = round(WIDTH * share)
        elapsed = now - self._start
        left = f", {elapsed * (1.0 - share) / share:.0f} s left" if 0.0 < share < 1.0 else ""
        self._line = (
            f"[{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}  {reached:.4g} of {self._duration:.4g} s, "
            f"{events} events, {elapsed:.1f} s{left}"
        )
        if now - self._last >= PAUSE:
            self._last = now
            self._shown.show(self._line)

    def close(self) -> None:
        self._shown.show(self._line)
        self._shown.end()


class Terminal:
    """A line of stderr that is written again and again."""

    def __init__(self) -> None:
        self._length = 0

    def show(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._length))
        sys.stderr.flush()
        self._length = len(line)

    def end(self) -> None:
        sys.stderr.write("\n")


class Notebook:
    """An output of a notebook that is replaced."""

    def __init__(self, display: Any) -> None:
        self._handle = display({"text/plain": ""}, raw=True, display_id=True)

    def show(self, line: str) -> None:
        self._handle.update({"text/plain": line}, raw=True)

    def end(self) -> None:
        pass


class Nowhere:
    """Neither a terminal nor a notebook."""

    def show(self, line: str) -> None:
        pass

    def end(self) -> None:
        pass


def bar(duration: float) -> Bar:
    """The bar of a simulation, where the program runs."""
    return Bar(duration, place())


def place() -> Terminal | Notebook | Nowhere:
    """Where the program can show a line: a terminal, a notebook, or nowhere."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python else None
    if shell is not None and hasattr(shell, "kernel"):
        return Notebook(import_module("IPython.display").display)
    stderr = sys.stderr
    return Terminal() if stderr is not None and stderr.isatty() else Nowhere()
