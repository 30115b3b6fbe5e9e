//! What the contacts of one event feel for a given state of slip: impulses and velocities per unit of normal impulse.

use super::pairs::Pair;
use super::ratios::Ratios;
use crate::impact::Impact;
use nalgebra::{DMatrix, DVector, SymmetricEigen, Vector2};

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    /// It slips along this unit vector; zero if nothing holds it.
    Slip(Vector2<f64>),
    /// It sticks.
    Stick,
}

/// The contacts of one event.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) contacts: usize,
    pub(super) components: usize,
    /// W, without empty rows.
    pub(super) w: DMatrix<f64>,
    pub(super) kinetic: Vec<f64>,
    pub(super) static_: Vec<f64>,
    pub(super) ratios: Ratios,
    /// The size of W, 1/kg.
    pub(super) size: f64,
    /// No velocity changes much faster with the normal impulse, 1/kg.
    pub(super) pace: f64,
}

/// Changes per unit of the normal impulse of all contacts together.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    /// dP_n of every contact: C_i/ΣC.
    pub(super) normal: DVector<f64>,
    /// dP.
    pub(super) impulse: DVector<f64>,
    /// dV = W dP.
    pub(super) velocity: DVector<f64>,
}

/// Ratios and friction that are no answer of the constraints.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    /// dP_n of every contact.
    pub(super) ratios: DVector<f64>,
    /// dP, of which sticking contacts keep the friction as far as they can: it is within its limits.
    pub(super) impulse: DVector<f64>,
}

/// The friction that keeps the sticking contacts where they are, for impulses elsewhere.
#[derive(Debug)]
pub(super) struct Hold {
    rows: Vec<usize>,
    /// −(W_SS)⁺ W_S·: the shortest of the impulses that do it.
    answer: DMatrix<f64>,
    /// The signs of the pairs that stick, once they are chosen.
    pub(super) signs: Option<Vec<f64>>,
}

/// An eigenvalue below this fraction of the largest is zero: several contacts hold the same motion.
const REDUNDANT: f64 = 1e-11;

impl Field {
    pub(super) fn new(
        impact: &Impact,
        pairs: Vec<Pair>,
        kinetic: Vec<f64>,
        static_: Vec<f64>,
        as_published: bool,
    ) -> Field {
        let (contacts, components) = (impact.contacts(), impact.components());
        let w = impact.inverse_mass().dense(components);
        let size = w.diagonal().max();
        let pace = size * (1.0 + kinetic.iter().copied().fold(0.0, f64::max));
        let ratios = Ratios::new(contacts, components, pairs, as_published);
        Field { contacts, components, w, kinetic, static_, ratios, size, pace }
    }

    /// The velocity along the surface at a contact.
    pub(super) fn tangential(&self, vector: &DVector<f64>, contact: usize) -> Vector2<f64> {
        let at = self.components * contact;
        Vector2::new(vector[at + 1], if self.components == 3 { vector[at + 2] } else { 0.0 })
    }

    pub(super) fn set_tangential(&self, vector: &mut DVector<f64>, contact: usize, value: &Vector2<f64>) {
        for k in 1..self.components {
            vector[self.components * contact + k] = value[k - 1];
        }
    }

    /// Σ C_i V_n,i: the power of the normal forces.
    pub(super) fn power(&self, rates: &Rates, velocity: &DVector<f64>) -> f64 {
        (0..self.contacts).map(|i| rates.normal[i] * velocity[self.components * i]).sum()
    }

    /// The greatest normal velocity.
    pub(super) fn normal_speed(&self, velocity: &DVector<f64>) -> f64 {
        (0..self.contacts).map(|i| velocity[self.components * i].abs()).fold(0.0, f64::max)
    }

    /// Whether a contact feels friction.
    pub(super) fn is_rough(&self, contact: usize) -> bool {
        self.kinetic[contact] > 0.0 || self.static_[contact] > 0.0
    }

    /// What the sticking contacts do.
    pub(super) fn hold(&self, motions: &[Motion]) -> Hold {
        let sticking = (0..self.contacts).filter(|i| motions[*i] == Motion::Stick);
        let rows: Vec<usize> = sticking
            .flat_map(|i| (1..self.components).map(move |k| (i, k)))
            .map(|(i, k)| self.components * i + k)
            .collect();
        if rows.is_empty() {
            return Hold { rows, answer: DMatrix::zeros(0, self.w.ncols()), signs: None };
        }
        let across = self.w.select_rows(&rows);
        let eigen = SymmetricEigen::new(across.select_columns(&rows));
        let zero = REDUNDANT * eigen.eigenvalues.amax();
        let inverse = eigen.eigenvalues.map(|value| if value > zero { value.recip() } else { 0.0 });
        let pseudo = &eigen.eigenvectors * DMatrix::from_diagonal(&inverse) * eigen.eigenvectors.transpose();
        Hold { rows, answer: -(pseudo * across), signs: None }
    }

    /// Impulse per unit of each contact's normal impulse: Coulomb's friction where it slips, what holds it where it sticks.
    fn response(&self, motions: &[Motion], hold: &Hold) -> DMatrix<f64> {
        let mut response = DMatrix::zeros(self.w.nrows(), self.contacts);
        for (i, motion) in motions.iter().enumerate() {
            let at = self.components * i;
            response[(at, i)] = 1.0;
            if let Motion::Slip(direction) = motion {
                for k in 1..self.components {
                    response[(at + k, i)] = -self.kinetic[i] * direction[k - 1];
                }
            }
        }
        if !hold.rows.is_empty() {
            let answer = &hold.answer * &response;
            for (row, at) in hold.rows.iter().enumerate() {
                response.set_row(*at, &answer.row(row));
            }
        }
        response
    }

    /// The same with these signs, or with signs chosen here for as long as it holds: choosing them again would let the rates
    /// jump.
    pub(super) fn hold_on(&self, motions: &[Motion], signs: Option<&Vec<f64>>) -> Hold {
        let mut hold = self.hold(motions);
        hold.signs = signs.cloned();
        if hold.signs.is_none() {
            let response = self.response(motions, &hold);
            let mut chosen = None;
            if self.ratios.solve(&response, motions, &mut chosen).is_some() {
                hold.signs = chosen;
            }
        }
        hold
    }

    /// The rates for a state of slip, with ratios of the normal impulses from the constraints or fixed. `None` if the
    /// constraints give none that are positive.
    pub(super) fn rates(&self, motions: &[Motion], hold: &Hold, fixed: Option<&Fixed>) -> Option<Rates> {
        let response = self.response(motions, hold);
        let normal = match fixed {
            Some(fixed) => fixed.ratios.clone(),
            None => self.ratios.solve(&response, motions, &mut hold.signs.clone())?,
        };
        let mut impulse = response * &normal;
        if let Some(fixed) = fixed {
            for at in &hold.rows {
                impulse[*at] = fixed.impulse[*at];
            }
            let change = &hold.answer * &impulse;
            for (row, at) in hold.rows.iter().enumerate() {
                impulse[*at] += change[row];
            }
        }
        let mut velocity = &self.w * &impulse;
        for at in &hold.rows {
            velocity[*at] = 0.0;
        }
        Some(Rates { normal, impulse, velocity })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::body::Body;
    use crate::contact::ContactFrame;
    use crate::impact::{Contact, Network};
    use crate::laws::several::rodriguez_bowling::pairs::pairs;
    use nalgebra::{Matrix3, Vector3};

    /// (7.16) on a flat ground: normal impulses grow as s_i/μ_i, whatever the pairs, also where the slip is across one of them.
    #[test]
    fn coplanar_contacts_share_the_impulse_by_their_slips() {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let frame = ContactFrame::spatial(&Vector3::z(), None).unwrap();
        for (spin, count) in [(0.0, 3), (4.0, 3), (4.0, 4), (-2.5, 2)] {
            let body = Body::new(2.5, &Matrix3::from_diagonal(&Vector3::new(1.0, 1.1, 1.8))).unwrap();
            let body = body.moving(Vector3::new(0.0, 3.0, -1.0), Vector3::new(-0.5, 0.0, spin));
            let place = |[x, y]: [f64; 2]| Contact { a: Some(0), b: None, point: Vector3::new(x, y, -0.5), frame };
            let contacts: Vec<Contact> = corners[..count].iter().map(|corner| place(*corner)).collect();
            let impact = Network::new([body], contacts, &[], false).unwrap().impact().unwrap();
            let friction: Vec<f64> = (0..count).map(|i| 0.2 + 0.1 * i as f64).collect();
            let slips: Vec<Vector2<f64>> = impact.velocity().iter().map(Vector3::yz).collect();
            let motions: Vec<Motion> = slips.iter().map(|slip| Motion::Slip(slip.normalize())).collect();
            for as_published in [false, true] {
                if as_published && spin == 0.0 {
                    // Slip across AB says 0 = 0 there, which the chain of the source cannot see.
                    continue;
                }
                let field = Field::new(&impact, pairs(&impact), friction.clone(), friction.clone(), as_published);
                let rates = field.rates(&motions, &field.hold(&motions), None).unwrap();
                let share = |i: usize| rates.normal[i] * friction[i] / slips[i].norm();
                for i in 1..count {
                    assert!((share(i) / share(0) - 1.0).abs() < 1e-11, "{} {as_published}", rates.normal);
                }
            }
        }
    }
}
