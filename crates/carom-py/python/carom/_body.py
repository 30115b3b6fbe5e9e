from __future__ import annotations

from os import fspath
from typing import TYPE_CHECKING, Any

from carom._carom import InputError
from carom._toml import inline

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from numpy.typing import ArrayLike


class Body:
    """A rigid body: a shape with its mass, or a mass and an inertia.

    The shapes are class methods; each takes ``mass`` or ``density``, or ``mass`` and ``inertia`` (and ``centre_of_mass``, in the axes of
    the shape) if it is not homogeneous. The density of ``disk``, ``shell``, ``polygon`` and a flat ``box`` is per area (kg/m²), that of
    ``rod`` and ``hoop`` per length (kg/m). Without a shape a body touches nothing while it moves. :meth:`Scene.body` gives it a name and a
    place, and checks it; without a mass it can be an obstacle or a piece of a compound.

    Parameters
    ----------
    mass : float, optional
        kg.
    inertia : float or array_like, optional
        About the centre of mass, kg m²: the moment in the plane; principal moments (3,) or the tensor (3, 3) in space.

    Examples
    --------
    >>> import carom
    >>> carom.Body.ball(radius=0.1, mass=2.0)
    Body.ball(radius=0.1, mass=2.0)
    >>> carom.Body(mass=1.0, inertia=0.02)
    Body(mass=1.0, inertia=0.02)
    """

    __slots__ = ("_keys", "_kind", "_place", "_shape")

    def __init__(self, mass: float | None = None, inertia: ArrayLike | None = None) -> None:
        self._kind = ""
        self._shape: dict[str, Any] = {}
        self._keys: dict[str, Any] = _given(mass=mass, inertia=inertia)
        self._place: dict[str, Any] | None = None

    @classmethod
    def _of(
        cls,
        kind: str,
        shape: dict[str, Any],
        mass: float | None,
        density: float | None,
        inertia: ArrayLike | None,
        centre_of_mass: ArrayLike | None,
    ) -> Body:
        body = cls()
        body._kind, body._shape = kind, _given(**shape)
        body._keys = _given(mass=mass, density=density, inertia=inertia, centre_of_mass=centre_of_mass)
        return body

    @classmethod
    def ball(
        cls,
        radius: float,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A solid ball. In the plane it touches as a circle."""
        return cls._of("ball", {"radius": radius}, mass, density, inertia, centre_of_mass)

    @classmethod
    def disk(
        cls,
        radius: float,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A flat disk with axis z."""
        return cls._of("disk", {"radius": radius}, mass, density, inertia, centre_of_mass)

    @classmethod
    def rod(
        cls,
        length: float,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A thin rod along x."""
        return cls._of("rod", {"length": length}, mass, density, inertia, centre_of_mass)

    @classmethod
    def box(
        cls,
        size: ArrayLike,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A rectangular block with three edges, or a flat rectangle with two."""
        return cls._of("box", {"size": size}, mass, density, inertia, centre_of_mass)

    @classmethod
    def cylinder(
        cls,
        radius: float,
        length: float,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A solid cylinder with axis z. In space it touches as a prism of 32 sides."""
        return cls._of("cylinder", {"radius": radius, "length": length}, mass, density, inertia, centre_of_mass)

    @classmethod
    def ellipsoid(
        cls,
        semi_axes: ArrayLike,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A solid ellipsoid with half the diameters along x, y, z."""
        return cls._of("ellipsoid", {"semi_axes": semi_axes}, mass, density, inertia, centre_of_mass)

    @classmethod
    def shell(
        cls,
        radius: float,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A thin spherical shell."""
        return cls._of("shell", {"radius": radius}, mass, density, inertia, centre_of_mass)

    @classmethod
    def hoop(
        cls,
        radius: float,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A thin ring with axis z."""
        return cls._of("hoop", {"radius": radius}, mass, density, inertia, centre_of_mass)

    @classmethod
    def capsule(
        cls,
        radius: float,
        length: float,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A cylinder along x of this length, with half balls as ends."""
        return cls._of("capsule", {"radius": radius, "length": length}, mass, density, inertia, centre_of_mass)

    @classmethod
    def polygon(
        cls,
        vertices: ArrayLike,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A flat convex polygon, in the plane only: the hull of these corners, (n, 2)."""
        return cls._of("polygon", {"vertices": vertices}, mass, density, inertia, centre_of_mass)

    @classmethod
    def polyhedron(
        cls,
        vertices: ArrayLike,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """A convex polyhedron, in space only: the hull of these corners, (n, 3)."""
        return cls._of("polyhedron", {"vertices": vertices}, mass, density, inertia, centre_of_mass)

    @classmethod
    def mesh(
        cls,
        file: str | PathLike[str],
        scale: float | None = None,
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """The convex hull of a mesh, in space only: an OBJ or STL file, relative to the folder of the scene."""
        return cls._of("mesh", {"file": fspath(file), "scale": scale}, mass, density, inertia, centre_of_mass)

    @classmethod
    def compound(
        cls,
        pieces: Iterable[Body],
        *,
        mass: float | None = None,
        density: float | None = None,
        inertia: ArrayLike | None = None,
        centre_of_mass: ArrayLike | None = None,
    ) -> Body:
        """Several bodies that move as one, each where :meth:`at` puts it; where two overlap, both count.

        All pieces have a mass of their own, or none and the compound has one.

        Examples
        --------
        >>> import carom
        >>> ends = [carom.Body.ball(radius=0.1, mass=1.0).at([x, 0.0]) for x in (-0.3, 0.3)]
        >>> dumbbell = carom.Body.compound(ends)
        """
        listed = list(pieces)
        for piece in listed:
            if not isinstance(piece, Body):
                raise InputError(f"a piece of a compound is of the type {type(piece).__name__}; expected a Body")
            if not piece._kind:
                raise InputError(f"a piece of a compound is {piece!r}; expected a body with a shape")
            more = [key for key in piece._keys if key != "mass"]
            if more:
                raise InputError(f"a piece of a compound is {piece!r}; expected no {more[0]}, only a mass of its own")
        return cls._of("compound", {"pieces": tuple(listed)}, mass, density, inertia, centre_of_mass)

    def at(self, position: ArrayLike, orientation: ArrayLike | None = None) -> Body:
        """The same body as a piece of a compound, at a place in the axes of the compound.

        Parameters
        ----------
        position : array_like
            Where the origin of the shape is, m.
        orientation : float or array_like, optional
            How the shape is turned: an angle in rad in the plane, a quaternion (w, x, y, z) in space.

        Returns
        -------
        Body
        """
        placed = Body()
        placed._kind, placed._shape, placed._keys = self._kind, self._shape, self._keys
        placed._place = _given(position=position, orientation=orientation)
        return placed

    def _shape_keys(self) -> dict[str, Any]:
        """The value of ``shape`` in a scenario file."""
        if self._kind != "compound":
            return {self._kind: self._shape}
        pieces = self._shape["pieces"]
        return {"compound": [{"shape": p._shape_keys(), **(p._place or {}), **p._keys} for p in pieces]}

    def _table(self) -> dict[str, Any]:
        """The keys of ``[[body]]``."""
        return {"shape": self._shape_keys(), **self._keys} if self._kind else self._keys

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Body):
            return NotImplemented
        return (inline(self._table()), inline(self._place or {})) == (inline(other._table()), inline(other._place or {}))

    def __hash__(self) -> int:
        return hash((inline(self._table()), inline(self._place or {})))

    def __repr__(self) -> str:
        keys = {**self._shape, **self._keys}
        words = ", ".join(f"{key}={value!r}" for key, value in keys.items())
        name = f"Body.{self._kind}" if self._kind else "Body"
        placed = f".at({', '.join(f'{key}={value!r}' for key, value in self._place.items())})" if self._place else ""
        return f"{name}({words}){placed}"


def _given(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}
