from __future__ import annotations

import copy
import os
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from carom import _carom
from carom._carom import InputError, Law
from carom._items import item_of, noun_of
from carom._scene_bodies import Bodies
from carom._scene_links import Links

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from carom._carom import Checkpoint, Prediction, Scenario, Simulation

#: How long a scene moves that does not say so, s.
DURATION = 1.0

#: The axes of the two kinds of scenes.
AXES = {"planar": 2, "spatial": 3}

#: Around strings and tables in a file.
BRACKETS = '"{} '

#: Names of several items.
PLURALS = {"body": "bodies", "pair that passes": "pairs that pass"}


class Scene(Bodies, Links):
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
        self._items = []
        self._counts = {}
        self._names = set()
        self._law = None
        self._read: tuple[str, Law | None, Scenario] | None = None
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

    def law(self, id: str | Law, **parameters: Any) -> Scene:
        """Choose the law, and the parameters of laws that are no property of the materials.

        Parameters
        ----------
        id : str or Law
            The law; one of your own as the law itself.
        **parameters : float or str
            Such as ``stiffness`` or ``youngs_modulus``. Parameters that only laws of your own have may stand here, at a material, at a
            pair or at a contact.

        Returns
        -------
        Scene

        Raises
        ------
        InputError
            If there is no such law or parameter, or a value is beyond its bounds.

        Examples
        --------
        >>> import carom
        >>> import numpy as np
        >>> @carom.law(parameters={"yield_speed": (0, None)})
        ... def yielding(inverse_mass, velocity, yield_speed):
        ...     impulse = np.zeros_like(velocity)
        ...     restitution = np.minimum(1, (yield_speed / -velocity[:, 0]) ** 0.25)
        ...     impulse[:, 0] = -(1 + restitution) * velocity[:, 0] / inverse_mass[:, 0, 0]
        ...     return impulse
        >>> scene = carom.Scene("A ball that yields").law(yielding, yield_speed=0.1)
        >>> scene = scene.body("ball", carom.Body.ball(radius=0.1, mass=1.0), position=[0.0, 0.1], velocity=[0.0, -1.6])
        >>> scene = scene.contact(between=("ball", "ground"), point=[0.0, 0.0], normal=[0.0, 1.0], friction=0.0)
        >>> round(scene.collide()["bodies"][0]["velocity"][1], 12)
        0.8
        """
        own = id if isinstance(id, Law) and id.function is not None else None
        chosen = {} if own is not None else {"id": getattr(id, "id", id)}
        item = item_of("[law]", "law", {**chosen, **parameters}, own)
        self._items = [*(other for other in self._items if other[0] != "[law]"), item]
        self._law = own
        self._counts.pop("[law]", None)
        self._counts["[law]"] = 1
        return self

    def to_toml(self) -> str:
        """The scene as a scenario file, which the command ``carom`` reads to the same numbers, bit for bit.

        Returns
        -------
        str

        Raises
        ------
        InputError
            If it has a law of your own, or parameters of one: a file holds no functions of Python.

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
        if self._law is not None:
            raise InputError(
                f"law: `{self._law.id}` is a function of Python, which a file does not hold; expected a law of the catalogue"
            )
        text = self._written()[0]
        _carom._check_file(text)
        return text

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
        law = self._law
        if read is None or read[:2] != (text, law):
            read = (text, law, _carom._scenario(text, self._folder, starts, law))
            self._read = read
        return read[2]

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
        """Resolve the contacts by every law of the catalogue, and by that of the scene; see :meth:`Scenario.compare`.

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
        return self._law == other._law and self._written() == other._written()

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
