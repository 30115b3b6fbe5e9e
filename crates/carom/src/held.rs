//! Impulses that hold each other: a jam test of several contacts.
//!
//! Contacts can wedge a body if impulses P ≠ 0 inside the friction cones change no velocity, W P = 0 (wrench closure of a
//! grasp). Any P in the cones with P ≠ 0 has a positive sum of normal impulses, so the least
//!
//! ```text
//! ½ P·W P + ½ (Σ P_n − 1)²        with every P_k in its cone
//! ```
//!
//! is 0 exactly if there are such impulses. Otherwise τ = 1 − Σ P_n is positive at the minimum and V = W P separates all contacts
//! at once, V_n ≥ τ + μ |V_t|: nothing can be held. W is taken in units of its mean normal entry.

use crate::error::Error;
use crate::impact::Impact;
use crate::solve::ACCEPTED;
use crate::solve::cone_qp::ConeQp;
use crate::solve::unknowns::Unknowns;
use nalgebra::{DMatrix, DVector, Vector3};

/// Impulses at contacts that hold each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The contacts that take part, ascending.
    pub contacts: Vec<usize>,
    /// One such set of impulses at all contacts of the impact; the normal impulses of an island sum to 1.
    pub impulses: Vec<Vector3<f64>>,
}

/// τ up to this is zero. It grows with the square of the angle by which the cones miss each other: 1e-6 rad.
const HELD: f64 = 1e-12;
/// A contact with a smaller share of the normal impulses does not take part.
const TAKES_PART: f64 = 1e-6;
/// Steeper cones are cut here: their edges would be lost in rounding.
const STEEPEST: f64 = 1e4;

impl Held {
    /// Impulses in the friction cones that change nothing; `None` if there are none but zero, or if this could not be decided.
    ///
    /// ```
    /// use carom::{Held, impact::Impact};
    /// use nalgebra::{DMatrix, DVector};
    /// // A block between two parallel walls, each pressing against it.
    /// let w = DMatrix::from_row_slice(4, 4, &[1., 0., -1., 0., 0., 1., 0., -1., -1., 0., 1., 0., 0., -1., 0., 1.]);
    /// let impact = Impact::new(&w, &DVector::from_vec(vec![-1.0, 0.0, 1.0, 0.0]), true).unwrap();
    /// assert_eq!(Held::of(&impact, &[0.0, 0.0]).unwrap().unwrap().contacts, [0, 1]);
    /// ```
    pub fn of(impact: &Impact, friction: &[f64]) -> Result<Option<Held>, Error> {
        if friction.len() != impact.contacts() {
            return Err(Error::WrongSize { what: "coefficients of friction and contacts of an impact" });
        }
        if let Some(bad) = friction.iter().find(|friction| friction.is_nan() || **friction < 0.0) {
            return Err(Error::OutOfRange {
                what: "friction",
                value: *bad,
                expected: "a number of at least 0, or inf",
            });
        }
        let mut held = Held { contacts: Vec::new(), impulses: vec![Vector3::zeros(); impact.contacts()] };
        for island in impact.islands() {
            let friction: Vec<f64> = island.iter().map(|contact| friction[*contact].min(STEEPEST)).collect();
            let Some(impulses) = held_together(&impact.restricted(&island), &friction) else { continue };
            for (contact, impulse) in island.into_iter().zip(impulses) {
                held.impulses[contact] = impulse;
                if impulse.x > TAKES_PART {
                    held.contacts.push(contact);
                }
            }
        }
        held.contacts.sort_unstable();
        Ok((!held.contacts.is_empty()).then_some(held))
    }
}

fn held_together(island: &Impact, friction: &[f64]) -> Option<Vec<Vector3<f64>>> {
    let unknowns = Unknowns::new(island, friction);
    let size = unknowns.v.len();
    let mut normals = DVector::zeros(size);
    for cone in &unknowns.cones {
        normals[cone.start] = 1.0;
    }
    let h = &unknowns.w + &normals * normals.transpose();
    let g = -&normals;
    let (rows, bounds) = (DMatrix::zeros(size, 0), DVector::zeros(0));
    let program = ConeQp { h: &h, g: &g, cones: &unknowns.cones, rows: &rows, bounds: &bounds, equalities: 0 };
    let answer = program.solve(&normals / unknowns.cones.len() as f64, DVector::zeros(0));
    let sum = answer.x.dot(&normals);
    if answer.residual > ACCEPTED || 1.0 - sum > HELD {
        return None;
    }
    Some(unknowns.cones.iter().map(|cone| Vector3::from(cone.of(answer.x.as_slice())) / sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::contact::ContactFrame;
    use crate::impact::{Contact, Network};

    /// A disk that touches two walls whose normals make this angle with each other, rad.
    fn between_walls(angle: f64) -> Impact {
        let disk = Body::planar(1.0, 0.5).unwrap();
        let wall = |turn: f64| {
            let normal = [turn.sin(), turn.cos()];
            let frame = ContactFrame::planar(normal).unwrap();
            Contact { a: Some(0), b: None, point: -Vector3::new(normal[0], normal[1], 0.0), frame }
        };
        Network::new([disk], [wall(0.5 * angle), wall(-0.5 * angle)], &[], true).unwrap().impact().unwrap()
    }

    #[test]
    fn a_disk_in_a_groove_is_held_if_the_friction_angle_reaches_the_line_between_the_contacts() {
        // Two forces balance along the line through both contacts, which makes the angle (π − φ)/2 with each normal.
        for angle in [0.3, 1.0, 2.0, 2.8, 3.1] {
            let impact = between_walls(angle);
            let least = (0.5 * (std::f64::consts::PI - angle)).tan();
            assert_eq!(Held::of(&impact, &[least * 0.999; 2]).unwrap(), None, "{angle}");
            let held = Held::of(&impact, &[least * 1.001; 2]).unwrap().unwrap();
            assert_eq!(held.contacts, [0, 1]);
            let change = impact.inverse_mass().product(&held.impulses);
            assert!(change.iter().all(|v| v.norm() < 1e-6), "{change:?}");
        }
    }

    #[test]
    fn a_ball_on_the_floor_is_not_held() {
        let floor = between_walls(0.0).restricted(&[0]);
        assert_eq!(Held::of(&floor, &[0.0]).unwrap(), None);
        assert_eq!(Held::of(&floor, &[5.0]).unwrap(), None);
        assert_eq!(Held::of(&floor, &[f64::INFINITY]).unwrap(), None);
    }

    #[test]
    fn only_the_contacts_that_hold_each_other_are_named() {
        // A ball squeezed from left and right, and from below without resistance.
        let ball = Body::new(2.0, &(nalgebra::Matrix3::identity() * 0.8)).unwrap();
        let touch = |normal: Vector3<f64>| {
            let frame = ContactFrame::spatial(&normal, None).unwrap();
            Contact { a: Some(0), b: None, point: -normal, frame }
        };
        let contacts = [touch(Vector3::x()), touch(Vector3::z()), touch(-Vector3::x())];
        let impact = Network::new([ball], contacts, &[], false).unwrap().impact().unwrap();
        let held = Held::of(&impact, &[0.0; 3]).unwrap().unwrap();
        assert_eq!(held.contacts, [0, 2]);
    }
}
