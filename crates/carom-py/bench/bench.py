"""Times the Python package and prints Markdown tables; run by `cargo xtask bench python`.

The arguments are the lines that the Rust benchmark of large batches printed: for each law nanoseconds a row into old memory and into new
memory.

NumPy computes the same laws in two ways. *Whole arrays*: each operation over all rows, as the formulas are usually written; intermediate arrays go
through memory. *Blocked*: the same functions over blocks that stay in the cache, as somebody writes who has measured.

Where the headers and the library of Siconos are installed (Debian: `apt-get install python3-siconos`), `siconos.c` is compiled and solves the same
problems one by one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import carom

Array = NDArray[np.float64]

ROWS = 10_000_000
#: Rows that stay in the second cache, for the NumPy implementations.
BLOCK = 16_384
RESTITUTION, FRICTION = 0.7, 0.4
OUTPUTS = ("impulse", "velocity_after")
#: The least of this many rounds: other work on the machine only ever adds time.
ROUNDS = 7


def problems(rows: int) -> tuple[Array, Array]:
    """Planar collisions, the same numbers as in `crates/carom/benches/batch.rs`; columns are contiguous."""
    k = np.arange(rows, dtype=np.float64)
    w, v = np.empty((3, rows)), np.empty((2, rows))
    columns = [
        (w[0], 1.0, 2.0, 0.6180339887498949),
        (w[1], -0.5, 0.5, 0.4142135623730951),
        (w[2], 1.0, 2.0, 0.7320508075688772),
        (v[0], -1.0, -0.1, 0.2360679774997898),
        (v[1], -1.0, 1.0, 0.6457513110645906),
    ]
    for column, least, greatest, turn in columns:
        column[:] = least + (greatest - least) * np.modf(k * turn)[0]
    return w.T, v.T


def newton(w: Array, v: Array, p: Array, after: Array) -> None:
    """P_n = −(1 + e) V_n/W_nn."""
    nn, nt, _ = w.T
    np.multiply(v[:, 0], -(1.0 + RESTITUTION), out=p[:, 0])
    p[:, 0] /= nn
    p[:, 1] = 0.0
    np.multiply(v[:, 0], -RESTITUTION, out=after[:, 0])
    np.multiply(nt, p[:, 0], out=after[:, 1])
    after[:, 1] += v[:, 1]


def chatterjee_2(w: Array, v: Array, p: Array, after: Array) -> None:
    """(1 + e) P₁ + κ (P₂ − P₁), with κ = 1, or less on the cone."""
    nn, nt, tt = w.T
    vn, vt = v.T
    determinant = nn * tt - nt * nt
    frictionless = -vn / nn
    sticking = (nt * vn - nn * vt) / determinant
    rise = (nt * vt - tt * vn) / determinant - frictionless
    base = (1.0 + RESTITUTION) * frictionless
    slack = np.abs(sticking) - FRICTION * rise
    limit = FRICTION * base
    share = np.where(slack > limit, limit / slack, 1.0)
    np.multiply(share, rise, out=p[:, 0])
    p[:, 0] += base
    np.multiply(share, sticking, out=p[:, 1])
    close(w, v, p, after)


def routh_poisson(w: Array, v: Array, p: Array, after: Array) -> None:
    """Slip to its stop, stick or slip back, and Poisson's end at (1 + e) times the impulse of compression."""
    nn, nt, tt = w.T
    vn, vt = v.T
    against = -np.copysign(FRICTION, vt)
    slowing = nt + tt * against
    slows = slowing * vt < 0.0
    stop = np.where(slows, -vt / slowing, np.inf)
    stick = -nt / tt
    second = np.clip(stick, -FRICTION, FRICTION)
    first_rate, second_rate = nn + nt * against, nn + nt * second
    v_stop = vn + first_rate * np.where(slows, stop, 0.0)
    stopped = slows & (v_stop <= 0.0)
    end = np.where(stopped, stop - v_stop / second_rate, -vn / first_rate)
    end *= 1.0 + RESTITUTION
    p[:, 0] = end
    np.multiply(against, np.minimum(end, stop), out=p[:, 1])
    p[:, 1] += second * np.maximum(end - stop, 0.0)
    close(w, v, p, after)


def close(w: Array, v: Array, p: Array, after: Array) -> None:
    """V + W P."""
    nn, nt, tt = w.T
    np.multiply(nn, p[:, 0], out=after[:, 0])
    after[:, 0] += nt * p[:, 1] + v[:, 0]
    np.multiply(nt, p[:, 0], out=after[:, 1])
    after[:, 1] += tt * p[:, 1] + v[:, 1]


LAWS: dict[str, Callable[[Array, Array, Array, Array], None]] = {
    "newton": newton,
    "chatterjee-2": chatterjee_2,
    "routh-poisson": routh_poisson,
}


def by_numpy(law: str, w: Array, v: Array, p: Array, after: Array) -> None:
    """Block by block, so that intermediate arrays stay in the cache."""
    for start in range(0, len(v), BLOCK):
        rows = slice(start, start + BLOCK)
        LAWS[law](w[rows], v[rows], p[rows], after[rows])


def fastest(call: Callable[[], object], repeats: int = 1, rounds: int = ROUNDS) -> float:
    """The least time of a call, s."""
    least = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        least = min(least, (time.perf_counter() - start) / repeats)
    return float(least)


def batches(rust: dict[str, list[float]]) -> None:
    w, v = problems(ROWS)
    p, after = np.empty((2, ROWS)).T, np.empty((2, ROWS)).T
    print(f"{ROWS:.0e} planar collisions a call, impulses and velocities after, ns each; `out=` overwrites old arrays.\n")
    heads = ["law", "Rust, old arrays", "Python, `out=`", "÷ Rust", "Rust, new", "Python, new", "all outputs, `out=`"]
    heads += ["NumPy, whole arrays", "÷ Python, `out=`", "NumPy, blocked", "÷ Python, `out=`", "copy", "2 threads ×"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    copied = copy() / ROWS * 1e9
    for law in LAWS:

        def call(threads: int = 1, out: carom.CollideResult | None = None, outputs: tuple[str, ...] | None = None) -> carom.CollideResult:
            return carom.collide(w, v, law, RESTITUTION, FRICTION, threads=threads, out=out, outputs=outputs)

        done = call(outputs=OUTPUTS)
        by_numpy(law, w, v, p, after)
        for ours, theirs in ((done.impulse, p), (done.velocity_after, after)):
            np.testing.assert_allclose(ours, theirs, atol=1e-12)
        old = fastest(lambda: call(out=done)) / ROWS * 1e9
        new = fastest(lambda: call(outputs=OUTPUTS), rounds=3) / ROWS * 1e9
        both = fastest(lambda: call(2, out=done)) / ROWS * 1e9
        everything = call()
        whole = fastest(lambda: call(out=everything), rounds=3) / ROWS * 1e9
        del everything
        whole_arrays = fastest(lambda: LAWS[law](w, v, p, after), rounds=3) / ROWS * 1e9
        blocked = fastest(lambda: by_numpy(law, w, v, p, after), rounds=3) / ROWS * 1e9
        in_rust = rust.get(law)
        cells = [f"{in_rust[0]:.2f}", f"{old:.2f}", f"{old / in_rust[0]:.2f}", f"{in_rust[1]:.2f}"] if in_rust else ["–", f"{old:.2f}", "–", "–"]
        cells += [f"{new:.2f}", f"{whole:.2f}", f"{whole_arrays:.1f}", f"{whole_arrays / old:.1f}", f"{blocked:.1f}", f"{blocked / old:.1f}"]
        print(f"| {law} | {' | '.join(cells)} | {copied:.2f} | {old / both:.2f} |")


def copy() -> float:
    """Copying as many bytes as a batch reads and writes: nine numbers a row, half of them read, s."""
    source, target = np.ones(ROWS * 9 // 2), np.empty(ROWS * 9 // 2)
    return fastest(lambda: np.copyto(target, source))


def small() -> None:
    """Rows in the cache, and one problem."""
    rows = 4096
    w, v = problems(rows)
    p, after = np.empty((2, rows)).T, np.empty((2, rows)).T
    print(f"\n{rows} planar collisions a call, in the cache, one thread, ns each.\n")
    print("| law | Python, `out=` | NumPy | ÷ Python |")
    print("|---|---|---|---|")
    for law in LAWS:
        out = carom.collide(w, v, law, RESTITUTION, FRICTION, outputs=OUTPUTS)
        ours = fastest(lambda: carom.collide(w, v, law, RESTITUTION, FRICTION, threads=1, out=out), 200) / rows * 1e9
        theirs = fastest(lambda: by_numpy(law, w, v, p, after), 200) / rows * 1e9
        print(f"| {law} | {ours:.2f} | {theirs:.1f} | {theirs / ours:.1f} |")
    one()


def one() -> None:
    """One problem a call."""
    one_w, one_v = np.array([[2.5, -1.5], [-1.5, 2.5]]), np.array([-1.0, 0.6])
    arrays = fastest(lambda: carom.collide(one_w, one_v, "routh-poisson", 0.9, 0.8), 20_000)
    lists = fastest(lambda: carom.collide([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6], "routh-poisson", 0.9, 0.8), 20_000)
    print(f"\nOne collision with all outputs: {arrays * 1e6:.2f} µs from arrays, {lists * 1e6:.2f} µs from lists.")


def siconos() -> None:
    """Solves of Siconos beside a batch of the law that answers the same: Coulomb's cone with V_n' = −e V_n."""
    headers, compiler = Path("/usr/include/siconos/numerics"), shutil.which("cc")
    if not headers.is_dir() or compiler is None:
        print("\nSiconos is not installed.")
        return
    rows = 4096
    with tempfile.TemporaryDirectory() as folder:
        program, answers = Path(folder) / "siconos", Path(folder) / "impulses"
        source = Path(__file__).with_name("siconos.c")
        subprocess.check_call([compiler, "-O3", f"-I{headers}", str(source), "-lsiconos_numerics", "-lm", "-o", str(program)])
        lines = subprocess.check_output([program, str(rows), str(RESTITUTION), str(FRICTION), answers], text=True).splitlines()
        theirs = np.fromfile(answers).reshape(rows, 2)
    w, v = problems(rows)

    def call(out: carom.CollideResult | None = None) -> carom.CollideResult:
        friction = {"static_friction": FRICTION, "kinetic_friction": FRICTION}
        return carom.collide(w, v, "whittaker", RESTITUTION, **friction, threads=1, out=out, outputs=None if out else OUTPUTS)

    done = call()
    np.testing.assert_allclose(done.impulse, theirs, atol=1e-6)
    ours = fastest(lambda: call(done), 200) / rows * 1e9
    print(f"\n{rows} planar problems of one contact: the same impulses from Siconos, called from C, and from `whittaker` as a batch; one thread.\n")
    print("| solver | ns a solve | failures | ÷ Python, `out=` |")
    print("|---|---|---|---|")
    print(f"| Carom, `whittaker` | {ours:.2f} | 0 | 1 |")
    for line in lines:
        name, time_each, failures = line.split()
        print(f"| Siconos, {name} | {float(time_each):.0f} | {failures} | {float(time_each) / ours:.0f} |")


def imports() -> None:
    code = "import time; s = time.perf_counter(); import carom; print(time.perf_counter() - s)"
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(ROUNDS)]
    print(f"\n`import carom`: {min(times) * 1e3:.1f} ms.")


def main() -> None:
    rust = {}
    for line in sys.argv[1:]:
        law, *times = line.split()
        rust[law] = [float(number) for number in times]
    batches(rust)
    small()
    siconos()
    imports()


if __name__ == "__main__":
    main()
