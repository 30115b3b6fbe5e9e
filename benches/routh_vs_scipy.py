#!/usr/bin/env python3
"""Routh's process in space: Carom against scipy.integrate.solve_ivp on the same thousand collisions.

    python3 -m venv .venv
    .venv/bin/pip install scipy
    .venv/bin/python benches/routh_vs_scipy.py

Runs `cargo bench --bench routh`, which writes the collisions with Carom's impulses and times, then solves each by DOP853.
The process as one writes it down first, with the accumulated normal impulse as clock,

    dV_t/dP_n = a − μ T u,  dP_t/dP_n = −μ u

is singular at |V_t| = 0: a step over a stop makes it chatter without end. scipy is therefore given the time τ with
dP_n = |V_t| dτ, in which nothing is singular:

    V_t' = a |V_t| − μ T V_t,  P_n' = |V_t|,  P_t' = −μ V_t

It also gets everything that is known in closed form: what follows a stop is not integrated, and a slip of less than
`STOPPED` of the speeds has stopped. Compression and restitution end at events. Prints a Markdown table.
"""

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

# What is asked of an impulse, relative to its length; and what makes DOP853 deliver it.
ACCURACY = 1e-10
RTOL, ATOL = 1e-11, 1e-13
STOPPED = 1e-12


class Collision:
    def __init__(self, row):
        f = {key: value if key == "ending" else float(value) for key, value in row.items()}
        self.w_nn = f["w_nn"]
        self.a = np.array([f["w_n1"], f["w_n2"]])
        self.t = np.array([[f["w_11"], f["w_12"]], [f["w_12"], f["w_22"]]])
        self.v_n, self.slip = f["v_n"], np.array([f["v_1"], f["v_2"]])
        self.mu, self.e, self.ending = f["friction"], f["restitution"], f["ending"]
        self.impulse = np.array([f["p_n"], f["p_1"], f["p_2"]])
        self.nanoseconds = f["ns"]
        self.speed = np.sqrt(self.v_n**2 + self.slip @ self.slip)

    def normal_velocity(self, p_n, p_t):
        return self.v_n + self.w_nn * p_n + self.a @ p_t

    def after_stop(self):
        """dP_t/dP_n after the slip has stopped: sticking, or slip along the direction that friction does not turn."""
        ratio = -np.linalg.solve(self.t, self.a)
        if np.linalg.norm(ratio) <= self.mu:
            return ratio
        # a − μ T u = g u with |u| = 1 has one solution with g > 0.
        along = lambda g: np.linalg.solve(g * np.eye(2) + self.mu * self.t, self.a)
        g = brentq(lambda g: np.linalg.norm(along(g)) - 1, 0, np.linalg.norm(self.a), xtol=1e-15)
        return -self.mu * along(g)

    def goal(self, compressed):
        """What is missing to the end of restitution, as a function of P_n, V_n and the work since compression ended."""
        p_c, work_c = compressed
        if self.ending == "poisson":
            return lambda p_n, v_n, work: (1 + self.e) * p_c - p_n
        if self.ending == "newton":
            return lambda p_n, v_n, work: -self.e * self.v_n - v_n
        return lambda p_n, v_n, work: -(self.e**2) * work_c - work

    def straight(self, p_n, p_t, work, compressed):
        """The end of the process from here on along a straight line."""
        ratio = self.after_stop()
        rate = self.w_nn + self.a @ ratio
        v_n = self.normal_velocity(p_n, p_t)
        if compressed is None:
            length = -v_n / rate
            work += 0.5 * v_n * length
            p_n, p_t, v_n = p_n + length, p_t + ratio * length, 0.0
            compressed, work = (p_n, work), 0.0
        if self.ending == "poisson":
            length = (1 + self.e) * compressed[0] - p_n
        elif self.ending == "newton":
            length = (-self.e * self.v_n - v_n) / rate
        else:
            left = -(self.e**2) * compressed[1] - work
            length = 2 * left / (v_n + np.sqrt(v_n**2 + 2 * rate * left))
        return np.array([p_n + length, *(p_t + ratio * length)])


def event(function, direction):
    function.terminal, function.direction = True, direction
    return function


def by_scipy(c):
    """State: V_t (2), P_n, P_t (2), work; the clock is τ."""
    (a1, a2), ((t11, t12), (_, t22)), mu = c.a, c.t, c.mu

    def derivative(_, y):
        x, z = y[0], y[1]
        s = np.sqrt(x * x + z * z)
        return [
            a1 * s - mu * (t11 * x + t12 * z),
            a2 * s - mu * (t12 * x + t22 * z),
            s,
            -mu * x,
            -mu * z,
            s * (c.v_n + c.w_nn * y[2] + a1 * y[3] + a2 * y[4]),
        ]

    def v_n(_, y):
        return c.v_n + c.w_nn * y[2] + a1 * y[3] + a2 * y[4]

    stopped = event(lambda _, y: np.hypot(y[0], y[1]) - STOPPED * c.speed, -1)
    y, compressed = np.array([*c.slip, 0.0, 0.0, 0.0, 0.0]), None
    while True:
        if compressed is None:
            end = event(v_n, 1)
        else:
            missing = c.goal(compressed)
            end = event(lambda t, y: missing(y[2], v_n(t, y), y[5]), -1)
        solution = solve_ivp(derivative, (0.0, 1e6), y, "DOP853", rtol=RTOL, atol=ATOL, events=[end, stopped])
        y = solution.y[:, -1]
        if len(solution.t_events[1]):
            return c.straight(y[2], y[3:5], y[5], compressed)
        if compressed is not None:
            return y[2:5]
        compressed, y = (y[2], y[5]), np.array([*y[:5], 0.0])


def run(collisions):
    errors = []
    start = time.perf_counter()
    for c in collisions:
        errors.append(np.linalg.norm(by_scipy(c) - c.impulse) / np.linalg.norm(c.impulse))
    seconds = time.perf_counter() - start
    errors = np.array(errors)
    return 1e6 * seconds / len(collisions), np.median(errors), np.max(errors), np.mean(errors <= ACCURACY)


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "collisions.csv"
        root = Path(__file__).resolve().parent.parent
        command = ["cargo", "bench", "--quiet", "--package", "carom", "--bench", "routh", "--", str(file)]
        subprocess.run(command, cwd=root, check=True, stdout=sys.stderr)
        with open(file, newline="") as lines:
            collisions = [Collision(row) for row in csv.DictReader(lines)]
    carom = np.mean([c.nanoseconds for c in collisions]) / 1e3
    print(f"scipy {scipy.__version__}, DOP853, rtol {RTOL:g}, atol {ATOL:g}; {len(collisions)} collisions\n")
    print("| | µs per collision | ÷ Carom | median difference | greatest | within 1e-10 |")
    print("|---|---|---|---|---|---|")
    print(f"| Carom | {carom:.2f} | 1 | | | |")
    micros, median, worst, share = run(collisions)
    print(f"| scipy | {micros:.0f} | {micros / carom:.0f} | {median:.1e} | {worst:.1e} | {100 * share:.1f} % |")


if __name__ == "__main__":
    main()
