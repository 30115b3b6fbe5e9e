//! The path of the accumulated impulse.

use nalgebra::Vector3;

/// Points of the path of the impulse, from the origin to the end: its corners, or points along a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Path {
    corners: [Vector3<f64>; Path::CAPACITY],
    length: usize,
}

impl Path {
    /// Enough for a smooth-looking curve.
    const CAPACITY: usize = 24;

    pub(crate) fn push(&mut self, corner: Vector3<f64>) {
        if self.length == Path::CAPACITY {
            // Every other point of a long curve tells its shape too.
            for k in 1..Path::CAPACITY / 2 {
                self.corners[k] = self.corners[2 * k];
            }
            self.length = Path::CAPACITY / 2;
        }
        self.corners[self.length] = corner;
        self.length += 1;
    }

    /// Adds a point of a curve unless it is close to the last one.
    pub(crate) fn thread(&mut self, point: Vector3<f64>) {
        let last = if self.length == 0 { Vector3::zeros() } else { self.corners[self.length - 1] };
        if (point - last).norm() > CLOSE * point.norm() {
            self.push(point);
        }
    }

    /// Ends the path here, where a curve's last point may be already.
    pub(crate) fn finish(&mut self, end: Vector3<f64>) {
        if self.length > 1 && (self.corners[self.length - 1] - end).norm() <= CLOSE * end.norm() {
            self.length -= 1;
        }
        self.push(end);
    }

    /// The corners; empty for a law without a path.
    pub fn corners(&self) -> &[Vector3<f64>] {
        &self.corners[..self.length]
    }
}

/// Points of a path nearer to each other than this share of the impulse look like one.
const CLOSE: f64 = 0.02;
