"""Results in notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carom._carom import Simulation


def simulation(run: Simulation) -> str:
    """A picture of the motion and the energy, and a summary."""
    return f"{run.svg()}<details><summary>{escape(repr(run))}</summary><pre>{escape(str(run))}</pre></details>"
