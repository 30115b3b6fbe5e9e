#!/usr/bin/env python3
"""Balls in a box, step by step: Carom beside MuJoCo, and disks beside Box2D, on the same scenes, in turn.

    python3 -m venv .venv
    .venv/bin/pip install mujoco
    cargo build -p carom --release --bench stepping
    .venv/bin/python benches/peers/stepping.py [COUNT ...]

The scene is that of `crates/carom/benches/stepping.rs`: balls of radius 0.05 m and mass 0.5 kg on a lattice over a floor between
walls, step 1/240 s, friction 0.5. The first quarter of the steps falls, the rest is a pile. MuJoCo runs its CG solver with default
tolerance and iterations and elliptic cones, one thread. Its contacts are soft and have no restitution coefficient; Carom's are rigid
with restitution 0.2. Box2D (`benches/peers/box2d`, built from the package registry) has that restitution and soft contacts, and
computes in f32. Each engine runs twice, in turn; the best of each part counts. A peer that cannot be had is passed over with a line
that says so. Prints Markdown tables.
"""

import math
import subprocess
import sys
import time
from pathlib import Path

try:
    import mujoco
except ImportError:
    mujoco = None

RADIUS, MASS, STEP, FRICTION = 0.05, 0.5, 1 / 240, 0.5
ROUNDS = 2
ROOT = Path(__file__).resolve().parents[2]


def model(count, cone):
    side = math.ceil((count / 2) ** (1 / 3))
    pitch = 2.2 * RADIUS
    wide = side * pitch + 0.5 * RADIUS
    half = wide / 2
    walls = {"1 0 0": f"0 {half} 1", "-1 0 0": f"{wide} {half} 1", "0 1 0": f"{half} 0 1", "0 -1 0": f"{half} {wide} 1"}
    planes = "".join(
        f'<geom type="plane" size="50 50 1" pos="{place}" zaxis="{normal}"/>' for normal, place in walls.items()
    )
    bodies = []
    for k in range(count):
        x, y, z = k % side, k // side % side, k // side // side
        nudge = 0.0 if z % 2 == 0 else 0.4 * RADIUS
        px, py, pz = (c * pitch + 1.1 * RADIUS for c in (x, y, z))
        bodies.append(
            f'<body pos="{px + nudge} {py + nudge} {pz}"><freejoint/><geom type="sphere" size="{RADIUS}" mass="{MASS}"/></body>'
        )
    xml = f"""<mujoco><option timestep="{STEP}" solver="CG" cone="{cone}" gravity="0 0 -9.81"/>
    <size memory="2G"/>
    <default><geom friction="{FRICTION} 0 0" condim="3"/></default>
    <worldbody><geom type="plane" size="50 50 1"/>{planes}{''.join(bodies)}</worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(xml)


def mujoco_run(count, steps, cone="elliptic"):
    m = model(count, cone)
    d = mujoco.MjData(m)
    rates = []
    for share in (steps // 4, steps - steps // 4):
        began = time.perf_counter()
        iterations = 0
        for _ in range(share):
            mujoco.mj_step(m, d)
            iterations += int(sum(d.solver_niter))
        rates.append((count * share / (time.perf_counter() - began), d.ncon, iterations / share))
    return rates


def carom_program():
    found = subprocess.run(
        ["cargo", "bench", "-p", "carom", "--bench", "stepping", "--no-run", "--message-format=short"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )
    return found.stderr.split("(")[-1].split(")")[0].strip()


def carom_run(program, case, steps):
    out = subprocess.run([program, case, str(steps)], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines()[2:]]
    return [(float(row[8]), int(row[3]), float(row[4]), float(row[7])) for row in rows]


def box2d(*arguments):
    return subprocess.run(
        ["cargo", *arguments], cwd=ROOT / "benches" / "peers" / "box2d", capture_output=True, text=True, check=True
    ).stdout


def box2d_run(count, steps):
    rows = [line.split() for line in box2d("run", "--release", "--quiet", "--", str(count), str(steps)).splitlines()[1:]]
    return [(float(rate), int(contacts), float(overlap)) for contacts, overlap, rate in rows]


def in_turn(count, own, other):
    """Runs both in turn. Gives the part's name and the best of each engine for both parts."""
    ours, theirs = [], []
    for _ in range(ROUNDS if count <= 1000 else 1):
        ours.append(own())
        theirs.append(other())
    for k, part in enumerate(("falling", "pile")):
        yield part, *(max(runs, key=lambda run: run[k][0])[k] for runs in (ours, theirs))


def beside_mujoco(program, counts):
    if mujoco is None:
        print("MuJoCo: passed over, this Python has no mujoco\n")
        return
    print(f"MuJoCo {mujoco.__version__} CG, elliptic cones\n")
    print("| spheres | part | Carom body-steps/s | contacts | sweeps | MuJoCo body-steps/s | contacts | iterations | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for count in counts:
        steps = 600 if count <= 1000 else 200
        pairs = in_turn(count, lambda: carom_run(program, f"spheres-{count}", steps), lambda: mujoco_run(count, steps))
        for part, a, b in pairs:
            print(f"| {count} | {part} | {a[0]:.0f} | {a[1]} | {a[2]:.1f} | {b[0]:.0f} | {b[1]} | {b[2]:.1f} | {a[0] / b[0]:.2f} |", flush=True)
    print()


def beside_box2d(program, counts):
    try:
        box2d("build", "--release")
    except (OSError, subprocess.CalledProcessError) as error:
        why = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        print(f"Box2D: passed over, it cannot be built: {why[-1]}\n")
        return
    print(box2d("run", "--release", "--quiet", "--", "2", "4").splitlines()[0] + "\n")
    print("| disks | part | Carom body-steps/s | contacts | sweeps | overlap m | Box2D body-steps/s | contacts | overlap m | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for count in counts:
        steps = 1000
        pairs = in_turn(count, lambda: carom_run(program, f"disks-{count}", steps), lambda: box2d_run(count, steps))
        for part, a, b in pairs:
            print(
                f"| {count} | {part} | {a[0]:.0f} | {a[1]} | {a[2]:.1f} | {a[3]:.1e} | {b[0]:.0f} | {b[1]} | {b[2]:.1e} | {a[0] / b[0]:.2f} |",
                flush=True,
            )


def main():
    counts = [int(argument) for argument in sys.argv[1:]] or [100, 1000]
    program = carom_program()
    beside_mujoco(program, counts)
    beside_box2d(program, counts)


if __name__ == "__main__":
    main()
