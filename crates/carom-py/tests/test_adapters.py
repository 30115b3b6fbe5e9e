"""Contacts of MuJoCo and Pinocchio."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import carom

BOX = """
<mujoco>
  <option gravity="0 0 -9.81"><flag energy="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction="0.4 0.005 0.0001" condim="1"/>
    <body pos="0 0 0.105" euler="0 5 0"><freejoint/>
      <geom name="box" type="box" size=".1 .1 .1" mass="2" friction="0.4 0.005 0.0001"/></body>
    <body pos="1 0 0.2"><freejoint/><geom name="ball" type="sphere" size=".2" mass="0.5" condim="1"/></body>
    <body name="arm" pos="2 0 0.5" euler="0 20 0"><joint type="hinge" axis="0 1 0" armature="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02" mass="1"/>
      <body pos="0 0 -.3" euler="0 15 0"><joint type="hinge" axis="0 1 0"/>
        <geom name="tip" type="capsule" fromto="0 0 0 0 0 -.2" size=".03" mass="1"/></body></body>
  </worldbody>
</mujoco>
"""


def simulation() -> tuple[Any, Any, Any]:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    model = mujoco.MjModel.from_xml_string(BOX)
    data = mujoco.MjData(model)
    data.qvel[:] = [0.5, 0.1, -2.0, 0.3, 0.0, 0.2, 0.1, 0.2, -1.0, 0.0, 3.0, 0.0, -2.0, 3.0]
    mujoco.mj_forward(model, data)
    return mujoco, model, data


def energy(mujoco: Any, model: Any, data: Any, velocity: Any) -> float:
    """The kinetic energy that MuJoCo works out itself."""
    data.qvel[:] = velocity
    mujoco.mj_forward(model, data)
    return float(data.energy[1])


@pytest.mark.parametrize("law", ["newton-lcp", "poisson-lcp", "sequential", "compliant-network"])
def test_what_a_law_does_in_mujoco(law: str) -> None:
    mujoco, model, data = simulation()
    touching = carom.adapters.mujoco(model, data)
    assert len(touching.names) == data.ncon >= 3
    assert "ball on floor" in touching.names and "box on floor" in touching.names
    before = np.array(data.qvel)
    done = touching.impact(law, restitution=0.5)
    after = done.generalised_velocity_after
    assert after is not None
    assert set(done.audit.values()) == {"ok"}
    energies = [energy(mujoco, model, data, velocity) for velocity in (after, before)]
    assert done.energy_change == pytest.approx(energies[0] - energies[1], abs=1e-8 * energies[1])
    assert done.energy_change < 0.0
    # A ball without friction keeps its slip and its spin.
    ball = touching.names.index("ball on floor")
    assert touching.friction is not None and touching.friction[ball] == 0.0
    np.testing.assert_allclose(after[6:12], [0.1, 0.2, 0.5, 0.0, 3.0, 0.0], atol=1e-9)
    # A contact by itself.
    one = carom.adapters.mujoco(model, data, contacts=[ball])
    assert one.names == ["ball on floor"] and repr(one) == "Contacts(ball on floor)"
    rough = one.impact("routh-poisson", 0.5, 0.05)
    assert rough.mode == ["sliding"]
    np.testing.assert_allclose(rough.impulse[0, 0], 0.5 * 1.5, rtol=1e-9)


def test_contacts_that_mujoco_has_not() -> None:
    mujoco, model, data = simulation()
    with pytest.raises(carom.InputError, match="no contact 99 in the MuJoCo data; expected one of the"):
        carom.adapters.mujoco(model, data, [99])
    data.qpos[2], data.qpos[9], data.qpos[14] = 5.0, 5.0, 1.5
    mujoco.mj_forward(model, data)
    with pytest.raises(carom.InputError, match="no contact"):
        carom.adapters.mujoco(model, data)


@pytest.mark.parametrize("law", ["newton-lcp", "poisson-lcp", "routh-poisson"])
def test_what_a_law_does_in_pinocchio(law: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    model = pin.buildSampleModelManipulator()
    data = model.createData()
    pin.seed(3)
    q, v = pin.randomConfiguration(model), np.linspace(-1.0, 1.0, model.nv)
    frame = "effector_body"
    pin.forwardKinematics(model, data, q, v)
    place = model.getFrameId(frame)
    moves = pin.getFrameVelocity(model, data, place, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED).linear
    normal = -moves / np.linalg.norm(moves) + np.array([0.1, 0.2, 0.0])
    touching = carom.adapters.pinocchio(model, data, [frame], q, v, normal)
    assert touching.names == ["effector_body on universe"]
    done = touching.impact(law, restitution=0.5, friction=0.4)
    after = done.generalised_velocity_after
    assert after is not None and set(done.audit.values()) == {"ok"}
    energies = [pin.computeKineticEnergy(model, data, q, u) for u in (v, after)]
    assert done.energy_change == pytest.approx(energies[1] - energies[0], abs=1e-9 * energies[0])
    pin.forwardKinematics(model, data, q, after)
    moved = pin.getFrameVelocity(model, data, place, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED).linear
    unit = normal / np.linalg.norm(normal)
    assert unit @ moved == pytest.approx(done.velocity_after[0, 0], rel=1e-9)
    assert np.linalg.norm(moved) == pytest.approx(np.linalg.norm(done.velocity_after[0]), rel=1e-9)


def test_frames_that_pinocchio_has_not() -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
    model = pin.buildSampleModelManipulator()
    data = model.createData()
    q, v = pin.neutral(model), np.zeros(model.nv)
    read = carom.adapters.pinocchio
    refused: list[tuple[Any, str]] = [
        (lambda: read(model, data, ["nose"], q, v), "no frame 'nose'"),
        (lambda: read(model, data, [99], q, v), "no frame 99"),
        (lambda: read(model, data, [], q, v), "names no frame"),
        (lambda: read(model, data, ["elbow_body"], q[1:], v), r"configuration has the shape \(5,\); expected \(6,\)"),
        (lambda: read(model, data, ["elbow_body"], q, v, np.ones((2, 3))), r"normals has the shape \(2, 3\)"),
        (lambda: read(model, data, ["elbow_body"], q, v, [0.0, 0.0, 0.0]), "zero length"),
    ]
    for call, says in refused:
        with pytest.raises(carom.CaromError, match=says):
            call()
    both = read(model, data, [("wrist1_body", "elbow_body")], q, v)
    assert both.names == ["wrist1_body on elbow_body"]


def test_other_programs_are_not_imported_before_they_are_needed() -> None:
    code = "import carom, sys; print({'numpy', 'mujoco', 'pinocchio'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"
