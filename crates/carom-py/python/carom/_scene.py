from __future__ import annotations

import copy
import os
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from carom import _carom
from carom._carom import InputError
from carom._items import ends_of, item_of, noun_of, pair_of, solid_of, vector_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from carom._body import Body
    from carom._carom import Checkpoint, Law, Prediction, Scenario, Simulation

#: How long a scene moves that does not say so, s.
DURATION = 1.0

#: The axes of the two kinds of scenes.
AXES = {"planar": 2, "spatial": 3}

#: Around strings and tables in a file.
BRACKETS = '"{} '

#: Names of several items.
PLURALS = {"body": "bodies", "pair that passes": "pairs that pass"}


class Scene:
    """Bodies with their surroundings, joints and loads; for :meth:`collide` and :meth:`simulate`.

    Every item is a method that adds it and returns the scene. Items call each other by their names; ``"ground"`` is the immovable
    world. The arguments are the keys of a scenario file, and :meth:`to_toml` gives that file. In the plane
    vectors are (x, y) and turning is a number; in space they are (x, y, z), and an orientation is a quaternion (w, x, y, z).

    A scene may change while another thread simulates it: each call works on the scene as it is when it starts.

    Parameters
    ----------
    title : str
        The title of files and pictures.
    gravity : array_like, optional
        Acceleration of free fall, m/s²; none by default.
    dimension : {'planar', 'spatial'}, optional
        Needed only where no vector says it.
    duration : float, optional
        How long it moves, s; 1 by default.
    engine : {'event', 'stepping'}, optional
        Whether every impact is located in time, as by default, or time goes on in steps.
    interval, tolerance, step : float, optional
        Time between frames, s; relative error of smooth motion; the step of the engine ``stepping``, s.
    description : str, optional
        Its source and purpose.
    folder : str or os.PathLike
        Where the files of meshes and robots are.

    Examples
    --------
    >>> import carom
    >>> scene = carom.Scene("Bouncing ball", gravity=[0.0, -9.81])
    >>> scene.material("rubber", restitution=0.8, friction=0.5)
    <carom.Scene 'Bouncing ball': 1 material>
    >>> scene.wall("floor", normal=[0.0, 1.0])
    <carom.Scene 'Bouncing ball': 1 material, 1 wall>
    >>> scene.body("ball", carom.Body.ball(radius=0.1, mass=1.0), position=[0.0, 1.0])
    <carom.Scene 'Bouncing ball': 1 material, 1 wall, 1 body>
    >>> run = scene.simulate(duration=2.0)
    >>> run.status, len(run.events["time"])
    ('finished', 3)
    """

    def __init__(
        self,
        title: str = "scene",
        *,
        gravity: ArrayLike | None = None,
        dimension: Literal["planar", "spatial"] | None = None,
        duration: float | None = None,
        engine: Literal["event", "stepping"] | None = None,
        interval: float | None = None,
        tolerance: float | None = None,
        step: float | None = None,
        description: str | None = None,
        folder: str | os.PathLike[str] = ".",
    ) -> None:
        if dimension is not None and dimension not in AXES:
            raise InputError(f'dimension is "{dimension}"; expected planar or spatial')
        if gravity is None and dimension is not None:
            gravity = [0.0] * AXES[dimension]
        self._folder = os.fspath(folder)
        #: Headers, names in messages, and keys with their values as text, in the order of the calls.
        self._items: list[tuple[str, str, tuple[tuple[str, str], ...]]] = []
        self._counts: dict[str, int] = {}
        self._names: set[tuple[str, str | None]] = set()
        self._read: tuple[str, Scenario] | None = None
        self._head = item_of("", "the scene", {"title": title, "description": description})[2]
        settings = {
            "gravity": gravity,
            "engine": engine,
            "interval": interval,
            "tolerance": tolerance,
            "step": step,
        }
        self._settings = item_of("[simulation]", "the scene", {"duration": DURATION if duration is None else duration, **settings})[2]
        self._moves = duration is not None or any(value is not None for value in settings.values())
        if dimension is not None and gravity is not None and len(list(gravity)) != AXES[dimension]:  # type: ignore[arg-type]
            raise InputError(f"gravity is {gravity!r}; expected {AXES[dimension]} numbers in a {dimension} scene")

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

    def law(self, id: str | Law, **parameters: Any) -> Scene:
        """Choose the law, and the parameters of laws that are no property of the materials.

        Parameters
        ----------
        id : str or Law
            The law.
        **parameters : float or str
            Such as ``stiffness`` or ``youngs_modulus``.

        Returns
        -------
        Scene
        """
        for place, item in enumerate(self._items):
            if item[0] == "[law]":
                del self._items[place]
                break
        self._counts.pop("[law]", None)
        return self._add("[law]", None, {"id": getattr(id, "id", id), **parameters})

    def to_toml(self) -> str:
        """The scene as a scenario file, which the command ``carom`` reads to the same numbers, bit for bit.

        Returns
        -------
        str

        Examples
        --------
        >>> import carom
        >>> print(carom.Scene("Nothing yet", gravity=[0.0, -9.81]).to_toml())
        title = "Nothing yet"
        <BLANKLINE>
        [simulation]
        duration = 1.0
        gravity = [0.0, -9.81]
        <BLANKLINE>
        """
        return self._written()[0]

    def scenario(self) -> Scenario:
        """The scene as it is now, checked and ready to be resolved or simulated.

        Returns
        -------
        Scenario

        Raises
        ------
        InputError
            With the item, the value and the expectation, if something in the scene is wrong.
        """
        text, starts = self._written()
        if not {"[[body]]", "[[urdf]]"} & set(self._counts):
            raise InputError("the scene has no bodies; expected one by `body` or `robot`")
        read = self._read
        if read is None or read[0] != text:
            read = (text, _carom._scenario(text, self._folder, starts))
            self._read = read
        return read[1]

    def collide(self, law: str | Law | None = None) -> Prediction:
        """Resolve the contacts by a law; see :meth:`Scenario.collide`.

        Parameters
        ----------
        law : str or Law, optional
            The law of the scene by default.

        Returns
        -------
        Prediction

        Examples
        --------
        >>> import carom
        >>> scene = carom.Scene("Two balls")
        >>> for name, x, speed in (("left", -0.1, 2.0), ("right", 0.1, 0.0)):
        ...     ball = carom.Body.ball(radius=0.1, mass=1.0)
        ...     scene = scene.body(name, ball, position=[x, 0.0], velocity=[speed, 0.0])
        >>> scene = scene.contact(between=("left", "right"), point=[0.0, 0.0], normal=[-1.0, 0.0], restitution=0.5, friction=0.2)
        >>> [body["velocity"][0] for body in scene.collide("newton")["bodies"]]
        [0.5, 1.5]
        """
        return self._touching().collide(law)

    def compare(self) -> Prediction:
        """Resolve the contacts by every law; see :meth:`Scenario.compare`.

        Returns
        -------
        Prediction
        """
        return self._touching().compare()

    def simulate(
        self,
        duration: float | None = None,
        engine: Literal["event", "stepping"] | None = None,
        law: str | Law | None = None,
        *,
        threads: int = 0,
        progress: bool = False,
        checkpoint_every: float | None = None,
        on_checkpoint: Callable[[Checkpoint], object] | None = None,
    ) -> Simulation:
        """Follow the scene through time; see :meth:`Scenario.simulate`.

        Parameters
        ----------
        duration : float, optional
            How long, s.
        engine : {'event', 'stepping'}, optional
            The engine.
        law : str or Law, optional
            The law of impacts, as published.
        threads : int
            Threads that share the steps of large piles.
        progress : bool
            Whether to show a bar.
        checkpoint_every : float, optional
            Simulated time between checkpoints, s.
        on_checkpoint : callable, optional
            It is called with each :class:`Checkpoint` on the way.

        Returns
        -------
        Simulation
        """
        return self.scenario().simulate(
            duration,
            engine,
            law,
            threads=threads,
            progress=progress,
            checkpoint_every=checkpoint_every,
            on_checkpoint=on_checkpoint,
        )

    def copy(self) -> Scene:
        """Another scene with the same items.

        Returns
        -------
        Scene
        """
        return copy.copy(self)

    def __copy__(self) -> Scene:
        other = Scene.__new__(Scene)
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        # The scenario can be read again.
        own = {"_items": list(self._items), "_counts": dict(self._counts), "_names": set(self._names), "_read": None}
        return {**self.__dict__, **own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return self.to_toml() == other.to_toml()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = [(noun_of(header), count) for header, count in list(self._counts.items())]
        words = ", ".join(f"{count} {noun if count == 1 else PLURALS.get(noun, noun + 's')}" for noun, count in counts)
        return f"<carom.Scene {self._title()}: {words or 'empty'}>"

    def _repr_html_(self) -> str:
        bodies = [dict(keys) for header, _, keys in list(self._items) if header == "[[body]]"]
        columns = list(dict.fromkeys(key for body in bodies for key in body))
        head = "".join(f"<th>{column.replace('_', ' ')}</th>" for column in columns)
        rows = ("".join(f"<td>{escape(body.get(key, '').strip(BRACKETS))}</td>" for key in columns) for body in bodies)
        return f"{escape(repr(self))}<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def _touching(self) -> Scenario:
        if "[[contact]]" not in self._counts:
            raise InputError("the scene has no contact; expected one by `contact`, or `simulate`, which finds its contacts itself")
        return self.scenario()

    def _title(self) -> str:
        return repr(dict(self._head)["title"].strip('"'))

    def _add(self, header: str, name: str | None, keys: Mapping[str, Any]) -> Scene:
        noun, count = noun_of(header), self._counts.get(header, 0) + 1
        called = noun if header == "[law]" else f"{noun} {count}" if name is None else f'{noun} "{name}"'
        if name is not None and (header, name) in self._names:
            raise InputError(f"{called}: another {noun} has the same name; expected another name")
        self._items.append(item_of(header, called, {"name": name, **keys}))
        self._counts[header] = count
        self._names.add((header, name))
        return self

    def _written(self) -> tuple[str, list[tuple[int, str]]]:
        """The text, and the lines at which items begin."""
        items = list(self._items)
        moves = self._moves or not any(header == "[[contact]]" for header, _, _ in items)
        tables = [("[simulation]", "the scene", self._settings)] if moves else []
        lines = [f"{key} = {value}" for key, value in self._head]
        starts = [(1, "the scene")]
        for header, item, keys in tables + items:
            lines += ["", header]
            starts.append((len(lines), item))
            lines += [f"{key} = {value}" for key, value in keys]
        return "\n".join(lines) + "\n", starts
