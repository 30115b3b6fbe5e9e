from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom._carom import Region


def plotted(region: Region, ax: Any, style: dict[str, Any]) -> Any:
    """Draws a region on matplotlib axes."""
    collections = import_module("matplotlib.collections")
    ax = import_module("matplotlib.pyplot").gca() if ax is None else ax
    # The picture has the normal impulse upwards.
    outline = region.outline[:, ::-1]
    if len(outline):
        ax.fill(*outline.T, facecolor="0.93", edgecolor="black", linewidth=1.0)
    style = {"color": "#6fa3d0", "label": region.law.id, **style}
    if region.cells:
        ax.add_collection(collections.PolyCollection([cell[:, ::-1] for cell in region.cells], **style))
    elif region.curves:
        ax.add_collection(collections.LineCollection([curve[:, ::-1] for curve in region.curves], linewidths=2.0, **style))
    elif region.points:
        ax.plot(*zip(*(point[::-1] for point in region.points)), "o", **style)
    ax.autoscale_view()
    ax.set_aspect("equal")
    ax.set_xlabel("tangential impulse (kg m/s)")
    ax.set_ylabel("normal impulse (kg m/s)")
    return ax
