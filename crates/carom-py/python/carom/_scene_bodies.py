"""Bodies of a scene, what surrounds them, and how surfaces meet."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from carom._carom import InputError
from carom._items import pair_of, solid_of, vector_of
from carom._scene_items import Items

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from carom._body import Body
    from carom._scene import Scene


class Bodies(Items):
    """Methods that add bodies, obstacles, materials and contacts."""

    def body(
        self,
        name: str,
        body: Body,
        *,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        material: str | None = None,
    ) -> Scene:
        """Add a body.

        Parameters
        ----------
        name : str
            How other items call it.
        body : Body
            Its shape, mass and inertia.
        position : array_like, optional
            Where its centre of mass is, m; the origin by default.
        orientation : float or array_like, optional
            How its own axes are turned: rad in the plane, a quaternion (w, x, y, z) in space.
        velocity : array_like, optional
            Velocity of its centre of mass, m/s.
        angular_velocity : float or array_like, optional
            rad/s, in world axes.
        material : str, optional
            The name of its material; the only one by default.

        Returns
        -------
        Scene
            This one.

        Raises
        ------
        InputError
            If a value is one that no body can have.
        """
        return self._add(
            "[[body]]",
            name,
            {
                **solid_of("body", name, body),
                "position": position,
                "orientation": orientation,
                "velocity": velocity,
                "angular_velocity": angular_velocity,
                "material": material,
            },
        )

    def wall(
        self, name: str, *, normal: ArrayLike, point: ArrayLike | None = None, material: str | None = None
    ) -> Scene:
        """Add an immovable plane, with its solid behind it.

        Parameters
        ----------
        name : str
            Its name in results. Joints, springs, strings and contacts call it ``"ground"``.
        normal : array_like
            Direction out of the solid, of any length.
        point : array_like, optional
            Any point of its surface, m; the origin by default.
        material : str, optional
            The name of its material; the only one by default.

        Returns
        -------
        Scene
        """
        normal = vector_of("wall", name, "normal", normal)
        if point is None:
            point = [0.0] * len(normal)
        return self._add("[[wall]]", name, {"point": point, "normal": normal, "material": material})

    def obstacle(
        self,
        name: str,
        body: Body,
        *,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        material: str | None = None,
    ) -> Scene:
        """Add an immovable shape.

        Parameters
        ----------
        name : str
            Its name in results. Joints, springs, strings and contacts call it ``"ground"``.
        body : Body
            Its shape; it needs no mass.
        position : array_like, optional
            Where the origin of the shape is, m.
        orientation : float or array_like, optional
            How the shape is turned.
        material : str, optional
            The name of its material; the only one by default.

        Returns
        -------
        Scene
        """
        shape = solid_of("obstacle", name, body).get("shape")
        if shape is None:
            raise InputError(f'obstacle "{name}": the body is {body!r}; expected one with a shape')
        keys = {"shape": shape, "position": position, "orientation": orientation, "material": material}
        return self._add("[[obstacle]]", name, keys)

    def robot(
        self,
        file: str | os.PathLike[str],
        name: str | None = None,
        *,
        base: Literal["free", "fixed"] | None = None,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        displacements: Mapping[str, float] | None = None,
        self_collision: bool | None = None,
        material: str | None = None,
    ) -> Scene:
        """Add a robot of a URDF file.

        Parameters
        ----------
        file : str or os.PathLike
            The file, relative to the folder of the scene.
        name : str, optional
            The prefix of the names of its bodies and joints, before a slash.
        base : {'free', 'fixed'}, optional
            Whether its root link moves, as by default.
        position, orientation : array_like, optional
            Where its root link is, m, and how it is turned, a quaternion (w, x, y, z).
        displacements : mapping of str to float, optional
            How far joints are turned, rad, or drawn out, m, at the start.
        self_collision : bool, optional
            Whether its links touch each other, as by default.
        material : str, optional
            The name of its material; the only one by default.

        Returns
        -------
        Scene
        """
        keys: dict[str, Any] = {
            "file": os.fspath(file),
            "base": base,
            "position": position,
            "orientation": orientation,
            "self_collision": self_collision,
            "material": material,
        }
        if displacements:
            keys["joint"] = [{"name": joint, "displacement": at} for joint, at in displacements.items()]
        return self._add("[[urdf]]", name, keys)

    def material(self, name: str, **parameters: float) -> Scene:
        """Add a material, with the parameters of laws that belong to a surface.

        Where two materials touch, friction is the geometric mean and restitution the smaller, unless :meth:`pair` says otherwise.

        Parameters
        ----------
        name : str
            Its name for bodies, walls and obstacles. A single material is that of everything.
        **parameters : float
            ``restitution``, ``friction``, and other parameters of the law.

        Returns
        -------
        Scene
        """
        return self._add("[[material]]", name, parameters)

    def pair(self, a: str, b: str, **parameters: float) -> Scene:
        """Add the parameters of two materials that touch each other.

        Parameters
        ----------
        a, b : str
            The names of the materials; they may be the same.
        **parameters : float
            As of :meth:`material`.

        Returns
        -------
        Scene
        """
        return self._add("[[pair]]", None, {"between": [a, b], **parameters})

    def contact(
        self,
        *,
        between: Sequence[str],
        point: ArrayLike,
        normal: ArrayLike,
        tangent: ArrayLike | None = None,
        **parameters: float,
    ) -> Scene:
        """Add a contact, for :meth:`collide`. A simulation finds its contacts itself.

        Parameters
        ----------
        between : sequence of str
            The bodies A and B that touch; the impulse acts on A.
        point : array_like
            Where they touch, m.
        normal : array_like
            Direction of the common normal, from B into A, of any length.
        tangent : array_like, optional
            Direction whose projection on the tangent plane is t1, in space.
        **parameters : float
            ``restitution``, ``friction``, and other parameters of the law at a contact.

        Returns
        -------
        Scene
        """
        keys = {"between": pair_of(between), "point": point, "normal": normal, "tangent": tangent, **parameters}
        return self._add("[[contact]]", None, keys)

    def passing(self, a: str, b: str) -> Scene:
        """Let two bodies, or a body and a wall or an obstacle, pass through each other.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        Scene
        """
        return self._add("[[passing]]", None, {"between": [a, b]})
