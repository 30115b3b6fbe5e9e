"""Times the Python package and prints Markdown tables; run by `cargo xtask bench python`.

The arguments are the lines that the Rust benchmark of large batches printed: for each law nanoseconds a row into old memory and into new
memory.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

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
    print("| law | Rust, old arrays | Python, `out=` | ÷ Rust | Rust, new | Python, new | all outputs, `out=` | NumPy | ÷ Python, `out=` | 2 threads × |")
    print("|---|---|---|---|---|---|---|---|---|---|")
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
        numpy = fastest(lambda: by_numpy(law, w, v, p, after), rounds=3) / ROWS * 1e9
        in_rust = rust.get(law)
        cells = [f"{in_rust[0]:.2f}", f"{old:.2f}", f"{old / in_rust[0]:.2f}", f"{in_rust[1]:.2f}"] if in_rust else ["–", f"{old:.2f}", "–", "–"]
        print(f"| {law} | {' | '.join(cells)} | {new:.2f} | {whole:.2f} | {numpy:.1f} | {numpy / old:.1f} | {old / both:.2f} |")


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
    one_w, one_v = np.array([[2.5, -1.5], [-1.5, 2.5]]), np.array([-1.0, 0.6])
    arrays = fastest(lambda: carom.collide(one_w, one_v, "routh-poisson", 0.9, 0.8), 20_000)
    lists = fastest(lambda: carom.collide([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6], "routh-poisson", 0.9, 0.8), 20_000)
    print(f"\nOne collision with all outputs: {arrays * 1e6:.2f} µs from arrays, {lists * 1e6:.2f} µs from lists.")


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
    imports()


if __name__ == "__main__":
    main()
