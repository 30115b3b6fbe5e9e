//! Mass, where its centre is, and its inertia.

use super::hull::Hull;
use super::state::Pose;
use nalgebra::{Matrix3, Vector3};

/// How the mass of something is distributed, in the axes it is described in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matter {
    /// kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub centre: Vector3<f64>,
    /// About the centre of mass, kg m².
    pub inertia: Matrix3<f64>,
}

impl Matter {
    /// From the content (volume or area), the first moments ∫r and the second moments ∫r rᵀ, all about `origin`, at density 1.
    fn of_moments(content: f64, first: &Vector3<f64>, second: &Matrix3<f64>, origin: &Vector3<f64>) -> Matter {
        let arm = first / content;
        let spread = second - arm * arm.transpose() * content;
        Matter { mass: content, centre: origin + arm, inertia: inertia_of(&spread) }
    }

    /// Of a flat polygon in the x–y plane with 1 kg/m².
    pub(super) fn of_polygon(hull: &Hull) -> Matter {
        let origin = middle(hull);
        let (mut area, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for face in &hull.faces {
            let [a, b] = [face.corners[0], face.corners[1]].map(|k| hull.vertices[k] - origin);
            let triangle = 0.5 * a.cross(&b).z;
            let sum = a + b;
            area += triangle;
            first += sum * (triangle / 3.0);
            second += (sum * sum.transpose() + a * a.transpose() + b * b.transpose()) * (triangle / 12.0);
        }
        Matter::of_moments(area, &first, &second, &origin)
    }

    /// Of a polyhedron with 1 kg/m³.
    pub(super) fn of_polyhedron(hull: &Hull) -> Matter {
        let origin = middle(hull);
        let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for face in &hull.faces {
            let corner = |k: usize| hull.vertices[face.corners[k]] - origin;
            for k in 2..face.corners.len() {
                let [a, b, c] = [corner(0), corner(k - 1), corner(k)];
                let tetrahedron = a.dot(&b.cross(&c)) / 6.0;
                let sum = a + b + c;
                let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
                volume += tetrahedron;
                first += sum * (tetrahedron / 4.0);
                second += (sum * sum.transpose() + squares) * (tetrahedron / 20.0);
            }
        }
        Matter::of_moments(volume, &first, &second, &origin)
    }

    /// The same with this mass instead.
    #[must_use]
    pub fn weighing(self, mass: f64) -> Matter {
        Matter { mass, inertia: self.inertia * (mass / self.mass), ..self }
    }

    /// The same turned about the origin, then moved.
    #[must_use]
    pub fn moved(self, pose: &Pose) -> Matter {
        let turn = pose.orientation.to_rotation_matrix().into_inner();
        let inertia = turn * self.inertia * turn.transpose();
        Matter { centre: pose.point(&self.centre), inertia: (inertia + inertia.transpose()) * 0.5, ..self }
    }

    /// All together; where two overlap, both count. `None` without any.
    ///
    /// ```
    /// # use carom::sim::Matter;
    /// # use nalgebra::{Matrix3, Vector3};
    /// let end = |x: f64| Matter { mass: 1.0, centre: Vector3::x() * x, inertia: Matrix3::zeros() };
    /// let dumbbell = Matter::sum(&[end(0.0), end(2.0)]).unwrap();
    /// assert_eq!((dumbbell.mass, dumbbell.centre.x, dumbbell.inertia[(2, 2)]), (2.0, 1.0, 2.0));
    /// ```
    pub fn sum(all: &[Matter]) -> Option<Matter> {
        let mass: f64 = all.iter().map(|one| one.mass).sum();
        let moment: Vector3<f64> = all.iter().map(|one| one.centre * one.mass).sum();
        let centre = moment / mass;
        // Parallel axes.
        let shifted = |one: &Matter| {
            let arm = one.centre - centre;
            one.inertia + inertia_of(&(arm * arm.transpose())) * one.mass
        };
        (!all.is_empty()).then(|| Matter { mass, centre, inertia: all.iter().map(shifted).sum() })
    }
}

/// The inertia of a distribution with the second moments ∫r rᵀ.
fn inertia_of(second: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * second.trace() - second
}

fn middle(hull: &Hull) -> Vector3<f64> {
    hull.vertices.iter().sum::<Vector3<f64>>() / hull.vertices.len().max(1) as f64
}
