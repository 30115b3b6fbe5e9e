//! The surface of a tracked body: where it touches a plane, and its symmetry.

use carom::sim::{Core, Part};
use nalgebra::Vector3;

/// The surface of a body, in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// The hull of some convex parts.
    Parts(Vec<Part>),
    /// The half y > 0 of a disk about the origin.
    HalfDisk {
        /// m.
        radius: f64,
    },
}

impl Outline {
    /// The point that reaches furthest in a direction, which need not have length 1.
    pub fn support(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Outline::HalfDisk { radius } if direction.y >= 0.0 => direction.normalize() * *radius,
            Outline::HalfDisk { radius } => Vector3::x() * radius.copysign(direction.x),
            Outline::Parts(parts) => {
                let points = parts.iter().map(|part| support_of(part, direction));
                let further =
                    |a: Vector3<f64>, b: Vector3<f64>| if b.dot(direction) > a.dot(direction) { b } else { a };
                points.reduce(further).unwrap_or_else(Vector3::zeros)
            }
        }
    }

    /// The greatest distance of its points from the origin.
    pub fn reach(&self) -> f64 {
        match self {
            Outline::HalfDisk { radius } => *radius,
            Outline::Parts(parts) => parts.iter().map(Part::reach).fold(0.0, f64::max),
        }
    }

    /// The radius of a circle or ball about the origin.
    pub fn ball_radius(&self) -> Option<f64> {
        match self {
            Outline::Parts(parts) => match &parts[..] {
                [Part { core: Core::Hull(hull), radius, .. }] if hull.vertices() == [Vector3::zeros()] => Some(*radius),
                _ => None,
            },
            Outline::HalfDisk { .. } => None,
        }
    }

    /// Whether it has corners only, so that a direction of its normal follows from no point of it.
    pub fn has_corners_only(&self) -> bool {
        match self {
            Outline::HalfDisk { .. } => false,
            Outline::Parts(parts) => parts.iter().all(|part| part.radius == 0.0 && matches!(part.core, Core::Hull(_))),
        }
    }

    /// What leaves it and a centre of mass where they are.
    pub fn symmetry(&self, centre: &Vector3<f64>) -> Symmetry {
        let is_round = self.ball_radius().is_some();
        match (is_round, self.is_mirrored(0) && centre.x == 0.0, self.is_mirrored(1) && centre.y == 0.0) {
            (true, true, true) => Symmetry::Round,
            (_, true, true) => Symmetry::TwoMirrors,
            (_, true, false) => Symmetry::Mirror,
            (_, false, _) => Symmetry::None,
        }
    }

    /// Whether turning the sign of a coordinate changes nothing.
    fn is_mirrored(&self, axis: usize) -> bool {
        let Outline::Parts(parts) = self else { return axis == 0 };
        let tolerance = ROUNDING * self.reach();
        let turned = |mut v: Vector3<f64>| {
            v[axis] = -v[axis];
            v
        };
        let corners: Vec<Vector3<f64>> = parts.iter().flat_map(|part| corners_of(&part.core)).collect();
        let radii_differ = parts.iter().any(|part| part.radius != parts[0].radius);
        let has = |v: Vector3<f64>| corners.iter().any(|w| (w - v).norm() <= tolerance);
        !radii_differ && corners.iter().all(|v| has(turned(*v)))
    }
}

/// Of the reach, what the rounding of corners amounts to.
const ROUNDING: f64 = 1e-9;

/// The corners of a hull, or the ends of the axes of an ellipsoid.
fn corners_of(core: &Core) -> Vec<Vector3<f64>> {
    match core {
        Core::HalfSpace { .. } => Vec::new(),
        Core::Hull(hull) => hull.vertices().to_vec(),
        Core::Ellipsoid { centre, axes, semi_axes } => (0..3)
            .flat_map(|k| [1.0, -1.0].map(|sign| centre + axes * (Vector3::ith(k, semi_axes[k]) * sign)))
            .collect(),
    }
}

/// Which turns and reflections leave an outline as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// None.
    None,
    /// The reflection x → −x.
    Mirror,
    /// The reflections x → −x and y → −y.
    TwoMirrors,
    /// All.
    Round,
}

fn support_of(part: &Part, direction: &Vector3<f64>) -> Vector3<f64> {
    let core = match &part.core {
        // Bodies have no half-spaces.
        Core::HalfSpace { .. } => Vector3::zeros(),
        Core::Hull(hull) => {
            let first = hull.vertices().first().copied().unwrap_or_else(Vector3::zeros);
            let further =
                |best: Vector3<f64>, v: &Vector3<f64>| if v.dot(direction) > best.dot(direction) { *v } else { best };
            hull.vertices().iter().fold(first, further)
        }
        Core::Ellipsoid { centre, axes, semi_axes } => {
            let own = axes.inverse_transform_vector(direction).component_mul(semi_axes);
            centre + axes * own.component_mul(semi_axes) / own.norm()
        }
    };
    if part.radius > 0.0 { core + direction.normalize() * part.radius } else { core }
}
