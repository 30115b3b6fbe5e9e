"""What joins the bodies of a scene, and what acts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from carom._items import ends_of, pair_of
from carom._scene_items import Items

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from carom._scene import Scene


class Links(Items):
    """Methods that add joints, springs, strings and loads."""

    def joint(
        self,
        name: str,
        kind: Literal["revolute", "spherical", "prismatic", "fixed", "universal", "planar"],
        *,
        between: Sequence[str],
        point: ArrayLike,
        axis: ArrayLike | None = None,
        limits: ArrayLike | None = None,
        restitution: float | None = None,
        collide: bool | None = None,
    ) -> Scene:
        """Add an ideal joint. It takes any impulse and no energy.

        Parameters
        ----------
        name : str
            Its name for motors, springs and results.
        kind : str
            The motion that it leaves free: turning about an axis, all turning, sliding along an axis, nothing, turning about the axis and one across
            it, or sliding across the axis and turning about it.
        between : sequence of str
            The bodies A and B that it holds together.
        point : array_like
            Where it is, m.
        axis : array_like, optional
            Direction of its axis, of any length; z for a revolute joint in the plane.
        limits : array_like, optional
            Least and greatest displacement from the start, rad or m.
        restitution : float, optional
            How strongly it is thrown back at a limit.
        collide : bool, optional
            Whether the two bodies touch each other; they do not by default.

        Returns
        -------
        Scene
        """
        return self._add(
            "[[joint]]",
            name,
            {
                "kind": kind,
                "between": pair_of(between),
                "point": point,
                "axis": axis,
                "limits": limits,
                "restitution": restitution,
                "collide": collide,
            },
        )

    def spring(
        self,
        *,
        between: Sequence[str],
        stiffness: float,
        damping: float | None = None,
        rest_length: float | None = None,
        ends: Sequence[ArrayLike] | None = None,
    ) -> Scene:
        """Add a massless spring with a damper beside it.

        Parameters
        ----------
        between : sequence of str
            The bodies A and B that it joins.
        stiffness : float
            N/m.
        damping : float, optional
            N s/m.
        rest_length : float, optional
            m; the distance at the start by default.
        ends : sequence of array_like, optional
            Where its ends on A and on B are at the start, m; the centres of mass by default.

        Returns
        -------
        Scene
        """
        keys = {"stiffness": stiffness, "damping": damping, "rest_length": rest_length}
        return self._add("[[spring]]", None, {"between": pair_of(between), **ends_of("spring", ends), **keys})

    def torsion_spring(
        self, joint: str, *, stiffness: float, damping: float | None = None, rest_angle: float | None = None
    ) -> Scene:
        """Add a spring with a damper to a revolute joint.

        Parameters
        ----------
        joint : str
            The joint.
        stiffness, damping : float
            N m/rad and N m s/rad.
        rest_angle : float, optional
            Where it is at rest, rad from the start.

        Returns
        -------
        Scene
        """
        keys = {"stiffness": stiffness, "damping": damping, "rest_angle": rest_angle}
        return self._add("[[torsion_spring]]", None, {"joint": joint, **keys})

    def string(
        self,
        name: str,
        *,
        between: Sequence[str],
        length: float | None = None,
        ends: Sequence[ArrayLike] | None = None,
        restitution: float | None = None,
    ) -> Scene:
        """Add a massless string: two points come no further apart than its length.

        Parameters
        ----------
        name : str
            Its name in results.
        between : sequence of str
            The bodies A and B that it joins.
        length : float, optional
            m; the distance at the start by default.
        ends : sequence of array_like, optional
            Where its ends on A and on B are at the start, m; the centres of mass by default.
        restitution : float, optional
            How strongly it throws the ends back when it goes taut.

        Returns
        -------
        Scene
        """
        keys = {"length": length, "restitution": restitution}
        return self._add("[[string]]", name, {"between": pair_of(between), **ends_of("string", ends), **keys})

    def motor(self, joint: str, effort: float, *, signal: Mapping[str, float] | None = None) -> Scene:
        """Add a motor to a revolute or prismatic joint.

        Parameters
        ----------
        joint : str
            The joint.
        effort : float
            Torque, N m, or force, N, on its body A; the opposite acts on B.
        signal : mapping, optional
            A factor offset + amplitude · sin(frequency · t + phase), with the frequency in rad/s.

        Returns
        -------
        Scene
        """
        return self._add("[[motor]]", None, {"joint": joint, "effort": effort, "signal": signal})

    def force(
        self, body: str, force: ArrayLike, *, point: ArrayLike | None = None, signal: Mapping[str, float] | None = None
    ) -> Scene:
        """Add a force on a point of a body, in world axes.

        Parameters
        ----------
        body : str
            The body.
        force : array_like
            N.
        point : array_like, optional
            Where the point is at the start, m; the centre of mass by default.
        signal : mapping, optional
            A factor, as of :meth:`motor`.

        Returns
        -------
        Scene
        """
        return self._add("[[force]]", None, {"body": body, "point": point, "force": force, "signal": signal})

    def torque(self, body: str, torque: ArrayLike, *, signal: Mapping[str, float] | None = None) -> Scene:
        """Add a torque on a body, in world axes.

        Parameters
        ----------
        body : str
            The body.
        torque : float or array_like
            N m.
        signal : mapping, optional
            A factor, as of :meth:`motor`.

        Returns
        -------
        Scene
        """
        return self._add("[[torque]]", None, {"body": body, "torque": torque, "signal": signal})
