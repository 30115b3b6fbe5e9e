"""Ctrl-C during long calls, and numbers that no float holds."""

import signal
import subprocess
import sys
import textwrap
from typing import Any

import carom
import numpy as np
import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="signals of one process to itself")
@pytest.mark.parametrize("call", ["threads=1", "threads=2", "threads=1, jacobian=True"])
def test_a_long_batch_can_be_interrupted(call: str) -> None:
    # Seconds of work by a law that iterates.
    script = f"""
    import signal, threading, time, os
    import carom, numpy as np
    w, v = np.diag([1.0, 3.0, 2.0]) + 0.2, np.random.default_rng(1).uniform(-1.0, 1.0, (3_000_000, 3))
    start = time.monotonic()
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        carom.collide(w, v, "routh-stronge", {call})
    except KeyboardInterrupt:
        print(time.monotonic() - start)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert 0.4 < float(done.stdout) < 2.0, done


def test_the_next_call_works_after_an_interrupt() -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupted)
    v = np.tile([-1.0, 0.3, 0.2], (2_000_000, 1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            carom.collide(np.diag([1.0, 3.0, 2.0]) + 0.2, v, "routh-stronge")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert carom.collide(np.eye(3), v[:5], "newton").shape == (5,)


@pytest.mark.parametrize("law", [law.id for law in carom.laws() if not law.several])
def test_negative_friction_is_refused_by_every_law(law: str) -> None:
    others = {"youngs_modulus": 1e9, "radius": 0.1, "stiffness": 1e6, "duration": 1e-3, "stiffness_ratio": 1.0, "frequency_ratio": 1.7}
    keys = {parameter.key for parameter in carom.law(law).parameters}
    given: dict[str, Any] = {key: value for key, value in others.items() if key in keys}
    for friction in (-1.0, -1, np.float64(-1.0), float("nan")):
        with pytest.raises(carom.InputError, match="friction"):
            carom.collide(np.eye(2), [-1.0, 0.2], law, friction=friction, **given)


def test_negative_friction_of_one_row_makes_it_invalid() -> None:
    for law in ("newton", "routh-poisson", "smith", "chatterjee-2"):
        done = carom.collide(np.eye(2), [-1.0, 0.2], law, friction=[0.3, -1.0, 0.0, np.nan])
        assert done.status_names().tolist() == ["resolved", "invalid", "resolved", "invalid"], law


def test_whole_numbers_beyond_floats() -> None:
    huge = 10**400
    for call in (
        lambda: carom.collide(np.eye(2), [-1.0, 0.2], restitution=huge),
        lambda: carom.collide(np.eye(2), [-1.0, 0.2], restitution=[huge]),
        lambda: carom.collide(np.eye(2), [-1.0, huge]),
        lambda: carom.compare(np.eye(2), [-1.0, 0.2], friction=huge),
        lambda: carom.impact(np.eye(2), [-1.0, 0.2], friction=huge),
        lambda: carom.law("newton").properties(restitution=huge),
        lambda: carom.Scene(gravity=[0.0, huge]),
        lambda: carom.Scene().material("steel", friction=huge),
        lambda: carom.Scene().body("ball", carom.Body.ball(radius=huge, mass=1.0)),
        lambda: carom.Scene(duration=huge),
    ):
        with pytest.raises(carom.InputError, match="beyond the range of floats|expected real numbers|no array of numbers"):
            call()
