#!/usr/bin/env python3
"""`carom.fit` beside scipy.optimize.least_squares on the same collisions with the same law written in NumPy.

Run by `cargo xtask bench fit`, which builds the package and installs scipy beside it. Three parameters of chatterjee-2, 10⁴ planar collisions
with coupled W and normal errors of 0.01 m/s. scipy gets the law vectorised over all rows, its own derivatives by differences ("2-point") and,
as the faster alternative, the law's kink-free steps by Levenberg and Marquardt's method without bounds. Prints a Markdown table.
"""

import os
import time

import carom
import numpy as np
from scipy.optimize import least_squares

ROWS = 10_000
TRUTH = (0.7, 0.4, 0.25)
KEYS = ["restitution", "tangential_restitution", "friction"]
ROUNDS = 5


def problems():
    random = np.random.default_rng(1997)
    before = np.column_stack([-random.uniform(0.5, 1.5, ROWS), random.uniform(-2.0, 2.0, ROWS)])
    w_nt = random.uniform(-0.5, 0.5, ROWS)
    w = np.stack([np.ones(ROWS), w_nt, 3.0 * np.ones(ROWS)], axis=1)
    return w, before


def chatterjee_2(w, v, e, e_t, friction):
    """V after: (1 + e) of the frictionless impulse and as much of the way to the sticking one as the cone allows, at most 1 + e_t."""
    w_nn, w_nt, w_tt = w.T
    free = -v[:, 0] / w_nn
    determinant = w_nn * w_tt - w_nt**2
    stick_n = -(w_tt * v[:, 0] - w_nt * v[:, 1]) / determinant
    stick_t = -(w_nn * v[:, 1] - w_nt * v[:, 0]) / determinant
    way_n, way_t = stick_n - free, stick_t
    normal = (1.0 + e) * free
    # |κ way_t| = μ (normal + κ way_n)
    room = np.abs(way_t) - friction * way_n
    limit = np.where(room > 0.0, friction * normal / np.where(room > 0.0, room, 1.0), np.inf)
    share = np.minimum(1.0 + e_t, limit)
    p_n, p_t = normal + share * way_n, share * way_t
    return np.stack([v[:, 0] + w_nn * p_n + w_nt * p_t, v[:, 1] + w_nt * p_n + w_tt * p_t], axis=1)


def least_time(work):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - start)
    return min(times), found


def main():
    w, before = problems()
    after = chatterjee_2(w, before, *TRUTH)
    matrices = np.stack([w[:, :2], w[:, 1:]], axis=1)
    check = carom.collide(matrices, before, "chatterjee-2", restitution=TRUTH[0], tangential_restitution=TRUTH[1], friction=TRUTH[2])
    assert np.abs(check.velocity_after - after).max() < 1e-12
    after += 0.01 * np.random.default_rng(1).standard_normal(after.shape)
    data = dict(zip(("w_nn", "w_nt", "w_tt"), w.T), vn_before=before[:, 0], vt_before=before[:, 1], vn_after=after[:, 0], vt_after=after[:, 1])
    bounds = {"friction": (0.0, 2.0)}

    def residual(x):
        return (chatterjee_2(w, before, *x) - after).ravel()

    start = [0.5, 0.5, 0.5]
    box = ([0.0, 0.0, 0.0], [1.0, 1.0, 2.0])
    trf, by_trf = least_time(lambda: least_squares(residual, start, bounds=box))
    lm, by_lm = least_time(lambda: least_squares(residual, start, method="lm"))

    def fit(**options):
        return carom.fit("chatterjee-2", data, KEYS, bounds=bounds, **options)

    rows = [("scipy least_squares, trf within bounds", trf, by_trf.x), ("scipy least_squares, lm without bounds", lm, by_lm.x)]
    for name, options in (
        ("carom.fit, one start, no profiles", {"starts": 1, "profiles": False}),
        ("carom.fit, 8 starts, no profiles", {"profiles": False}),
        ("carom.fit as it is: 8 starts, profiles", {}),
    ):
        seconds, found = least_time(lambda options=options: fit(**options))
        rows.append((name, seconds, found.x))
    begin = time.perf_counter()
    fit(profiles=False, bootstrap=1000)
    bootstrap = time.perf_counter() - begin - rows[3][1]
    print("| | time | scipy's time within bounds / this | greatest difference of an estimate |\n|---|---:|---:|---:|")
    for name, seconds, x in rows:
        print(f"| {name} | {1e3 * seconds:.1f} ms | {trf / seconds:.1f} | {np.abs(x - by_trf.x).max():.1e} |")
    print(f"| 1000 bootstraps, {os.cpu_count()} threads | {bootstrap:.1f} s | {1000 * trf / bootstrap:.1f} | |")


if __name__ == "__main__":
    main()
