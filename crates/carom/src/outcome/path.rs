//! The path of the accumulated impulse.

use nalgebra::Vector3;

/// Points of the path of the impulse, from the origin to the end: its corners, or points along a curve.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<Vector3<f64>>", into = "Vec<Vector3<f64>>")
)]
pub struct Path {
    corners: [Vector3<f64>; Path::CAPACITY],
    length: usize,
}

impl Path {
    /// Enough for a smooth-looking curve.
    const CAPACITY: usize = 24;

    pub(crate) fn push(&mut self, corner: Vector3<f64>) {
        if self.length == Path::CAPACITY {
            // Every other point of a long curve shows its shape as well.
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

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        self.corners() == other.corners()
    }
}

#[cfg(feature = "serde")]
impl From<Path> for Vec<Vector3<f64>> {
    fn from(path: Path) -> Vec<Vector3<f64>> {
        path.corners().to_vec()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Vec<Vector3<f64>>> for Path {
    type Error = String;

    fn try_from(corners: Vec<Vector3<f64>>) -> Result<Path, String> {
        if corners.len() > Path::CAPACITY {
            return Err(format!("a path has {} corners; expected at most {}", corners.len(), Path::CAPACITY));
        }
        let mut path = Path::default();
        for corner in corners {
            path.push(corner);
        }
        Ok(path)
    }
}

/// Points of a path nearer to each other than this share of the impulse look like one.
const CLOSE: f64 = 0.02;
