"""Pictures on the axes of matplotlib, which is imported when one is drawn."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from carom._carom import CaromError

#: Colours and dashes of the lines of the impact process, as in the command's diagrams.
LINES = {
    "C": ("#0b4f8a", (0, (8, 3))),
    "S": ("#00694a", (0, (8, 2, 2, 2))),
    "T": ("#7d2a63", (0, (4, 2))),
    "L": ("#9a4300", (0, (1.5, 2))),
    "RF": ("#9a4300", (0, (6, 2, 1.5, 2, 1.5, 2))),
}
MEANINGS = {
    "C": "maximum compression",
    "S": "sticking",
    "T": "termination",
    "L": "limiting friction",
    "RF": "reversed limiting friction",
}
MARKERS = "osD^vP*Xhp"
#: Laws that are named in one entry of a legend.
NAMED = 3
REGION = "#b5cbe2"
GREY = "#5f5f5f"
INK = "#1a1a1a"
#: More bodies than this are not named.
MOST_NAMES = 10


def axes(ax: Any) -> Any:
    """The axes to draw on."""
    if ax is not None:
        if not hasattr(ax, "plot"):
            raise CaromError(f"ax is of the type {type(ax).__name__}; expected axes of matplotlib")
        return ax
    try:
        return import_module("matplotlib.pyplot").gca()
    except ImportError as why:
        raise ImportError("plot needs matplotlib: pip install matplotlib") from why


def impulse_plane(shown: dict[str, Any], ax: Any) -> Any:
    """The diagram of impulse space, with the normal impulse upwards as everywhere."""
    ax = axes(ax)
    lower, upper = shown["window"]
    region = shown["region"]
    ax.fill(*upright(region), color=REGION, lw=0, alpha=0.7, label="accessible region", zorder=1)
    for lost, curve in shown["levels"]:
        ax.plot(*upright(closed(curve)), color="#a8a8a8", lw=0.6, zorder=2, label="_")
        if len(curve):
            ax.annotate(f"{lost:.0%}", curve[len(curve) // 4][::-1], color=GREY, fontsize=7, clip_on=True, annotation_clip=True)
    ax.plot(*upright(closed(shown["ellipse"])), color=INK, lw=1.2, label="no change of energy", zorder=2)
    for place, ends in enumerate(shown["cone"]):
        ax.plot(*upright(ends), color=GREY, lw=1.0, label="_" if place else "friction cone", zorder=2)
    for name, ends in shown["lines"]:
        colour, dashes = LINES[name]
        ax.plot(*upright(ends), color=colour, ls=dashes, lw=1.2, label=f"{name}: {MEANINGS[name]}", zorder=3)
    for path in shown["paths"]:
        ax.plot(*upright(path), color=INK, lw=0.8, alpha=0.6, label="_", zorder=4)
    if shown["centre"] is not None:
        ax.plot(*shown["centre"][::-1], "+", color=INK, ms=9, label="greatest loss", zorder=4)
    for place, (at, laws, admissible) in enumerate(shown["marks"]):
        more = f" and {len(laws) - NAMED} more" if len(laws) > NAMED else ""
        face = None if admissible else "none"
        label = ", ".join(laws[:NAMED]) + more + ("" if admissible else " (not admissible)")
        ax.plot(*at[::-1], MARKERS[place % len(MARKERS)], ms=7, mfc=face, color=f"C{place % 10}", label=label, zorder=5)
    ax.plot(0.0, 0.0, ".", color=INK, label="_", zorder=4)
    ax.set(xlim=(lower[1], upper[1]), ylim=(lower[0], upper[0]), title=shown["title"])
    ax.set_aspect("equal")
    ax.set_ylabel("normal impulse $P_n$ (N s)")
    ax.set_xlabel(f"tangential impulse $P_t$ (N s){', along the slip' if shown['spatial'] else ''}")
    ax.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    return ax


def motion(shown: dict[str, Any], ax: Any) -> Any:
    """Bodies at equal intervals of time, and the ways of their centres."""
    ax = axes(ax)
    collections, polygon = import_module("matplotlib.collections"), import_module("matplotlib.patches").Polygon
    names, colours, flashes = shown["names"], shown["colours"], shown["flashes"]
    named = 1 < len(names) <= MOST_NAMES
    for name, colour, path in zip(names, colours, shown["paths"]):
        ax.plot(*path.T, color=colour, lw=0.8, alpha=0.6, label=name if named else "_")
    for corners in shown["obstacles"]:
        ax.fill(*corners.T, facecolor="#e4e4e4", edgecolor=GREY, lw=1.0, label="_")
    for place, (_, bodies) in enumerate(flashes):
        last = place == len(flashes) - 1
        alpha = 1.0 if last else 0.2 + 0.6 * (place + 1) / len(flashes)
        for colour, outlines in zip(colours, bodies):
            # Outlines without an inside are drawn as lines.
            solid = [polygon(outline) for outline in outlines if len(outline) > 2]
            thin = [outline for outline in outlines if len(outline) == 2]
            face = colour if last else "none"
            if solid:
                patches = collections.PatchCollection(solid, facecolor=face, edgecolor="none", alpha=0.25)
                rims = collections.LineCollection([closed(p.get_xy()) for p in solid], colors=colour, alpha=alpha, lw=1.0)
                ax.add_collection(patches)
                ax.add_collection(rims)
            if thin:
                ax.add_collection(collections.LineCollection(thin, colors=colour, alpha=alpha, lw=1.5))
    impacts = shown["impacts"]
    if len(impacts):
        ax.plot(*impacts.T, "x", color=INK, ms=4, label="impacts")
    ax.set_aspect("equal", adjustable="datalim")
    ax.autoscale_view()
    for point, normal in shown["walls"]:
        along = (normal[1], -normal[0])
        ax.axline(point, xy2=(point[0] + along[0], point[1] + along[1]), color=INK, lw=1.2)
    times = f"{flashes[0][0]:.4g} to {flashes[-1][0]:.4g} s" if flashes else "nothing was computed"
    ax.set_title(f"{shown['title']}, {times}")
    if shown["planar"]:
        ax.set(xlabel="x (m)", ylabel="y (m)")
    else:
        ax.set(xlabel="across the view (m)", ylabel="up the view (m)")
    if named or len(impacts):
        ax.legend(fontsize=8)
    return ax


def energy(shown: dict[str, Any], ax: Any) -> Any:
    """Where the energy is and where it went."""
    return curves(shown, axes(ax), "energy (J)")


def gaps(shown: dict[str, Any], ax: Any) -> Any:
    """Gaps between bodies that met."""
    return curves(shown, axes(ax), "gap (m)")


def curves(shown: dict[str, Any], ax: Any, quantity: str) -> Any:
    """Curves over time."""
    labels = [label for label, _, _ in shown["curves"] if label]
    for label, colour, points in shown["curves"]:
        ax.plot(*points.T, color=colour, lw=1.2, label=label or "_")
    ax.set(xlabel="time (s)", ylabel=quantity, title=shown["title"])
    if labels:
        ax.legend(fontsize=8)
    return ax


def upright(points: Any) -> Any:
    """Points (n, t) as coordinates across and up."""
    return points[:, ::-1].T


def closed(points: Any) -> Any:
    """A line around corners that ends where it begins."""
    return np.vstack([points, points[:1]])
