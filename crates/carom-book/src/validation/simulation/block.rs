//! A block that rocks in a plane about a corner that sticks or slides, in coordinates of its own.

use super::super::penalty::until_zero;
use super::G;

/// A block on its left lower corner, tilted by θ, in a plane.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) mass: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Static and kinetic.
    pub(super) friction: [f64; 2],
}

impl Block {
    pub(super) fn inertia(&self) -> f64 {
        self.mass * (self.width * self.width + self.height * self.height) / 12.0
    }

    /// From the corner to the centre.
    pub(super) fn arm(&self, tilt: f64) -> [f64; 2] {
        let (sine, cosine) = tilt.sin_cos();
        [0.5 * (cosine * self.width - sine * self.height), 0.5 * (sine * self.width + cosine * self.height)]
    }

    /// Rates of (slip, tilt, turning) while the corner slides towards `side`, or sticks (0), and what friction would need beyond what
    /// it has.
    pub(super) fn rates(&self, side: f64, [_, tilt, turning]: [f64; 3]) -> ([f64; 3], f64) {
        let (m, [x, y]) = (self.mass, self.arm(tilt));
        let spin = turning * turning;
        if side == 0.0 {
            let rate = -m * G * x / (self.inertia() + m * (x * x + y * y));
            let [across, normal] = [m * (-y * rate - spin * x), m * (x * rate - spin * y + G)];
            return ([0.0, turning, rate], across.abs() - self.friction[0] * normal);
        }
        let lever = x + self.friction[1] * side * y;
        let rate = -m * (G - spin * y) * lever / (self.inertia() + m * x * lever);
        let normal = m * (G + rate * x - spin * y);
        let slides = -self.friction[1] * side * normal / m + rate * y + spin * x;
        ([slides, turning, rate], 0.0)
    }

    /// Rocks from a slip, tilt and turning until it is level again: the time, and slip and turning there.
    pub(super) fn rock(&self, start: [f64; 3]) -> (f64, [f64; 3]) {
        let (mut y, mut time) = (start, 0.0);
        for _ in 0..10 {
            let mut side = if y[0] == 0.0 { 0.0 } else { y[0].signum() };
            if side == 0.0 && self.rates(0.0, y).1 > 0.0 {
                // It cannot stick: of the two ways to slide it takes the one that it then follows.
                side = if self.rates(1.0, y).0[0] > 0.0 { 1.0 } else { -1.0 };
            }
            let block = *self;
            let next = |y: &[f64; 3]| block.rates(side, *y).0;
            let changes = |y: &[f64; 3]| {
                let level = y[1];
                if side == 0.0 { level.min(-block.rates(0.0, *y).1) } else { level.min(y[0] * side) }
            };
            y = until_zero(&next, &changes, y, 1e-5, &mut time);
            if y[1].abs() < 1e-9 {
                break;
            }
            if side != 0.0 {
                y[0] = 0.0;
            }
        }
        (time, y)
    }
}

pub(super) const FLAT: Block = Block { mass: 2.5, width: 0.1087, height: 0.0645, friction: [0.0; 2] };
