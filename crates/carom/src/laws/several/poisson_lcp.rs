//! `poisson-lcp`: two phases with normal and tangential Poisson restitution at every contact.
//!
//! Glocker & Pfeiffer, Multiple impacts with friction in rigid multibody systems, 1995; Pfeiffer & Glocker, Multibody Dynamics
//! with Unilateral Contacts, 1996; Chatterjee 1997, 5.1.5. The planar law is theirs; the form in space is derived here.
//!
//! ```text
//! compression   P_Cn ≥ 0 ⟂ V_Cn ≥ 0 and Coulomb friction on V_Ct at every contact: impulse P_C, velocity V_C
//! expansion     P_En ≥ e P_Cn ⟂ V_n after ≥ 0
//!               P_Et in the disk of centre S s and radius μ P_En − S,   −V_t after normal to the disk there
//!               S = ½ (μ ν P_En + e e_t |P_Ct|),   s = P_Ct/|P_Ct|
//! P = P_C + P_E
//! ```
//!
//! In the plane the disk is the window of `pfeiffer-glocker`: from μ (ν − 1) P_En + e e_t |P_Ct| to μ P_En on the side of
//! the stored impulse. In space it is the disk with that window as its diameter along s, which touches the rim of the friction
//! disk |P_Et| ≤ μ P_En from inside: the same law when turned, the planar one when planar, and the friction cone holds. Where
//! compression needs no friction s has no direction, and the centre is 0.
//!
//! The impulse of expansion exceeds e P_Cn where contacts would otherwise be pressed into each other. Where impulses of compression
//! are not unique their restitution is not either: the shortest are taken. The published proof that energy does not rise is wrong; for
//! equal restitution no counterexample is known (random networks in the tests).

use super::newton_lcp::{coulomb, decided, speed};
use crate::course::IslandHistory;
use crate::impact::Impact;
use crate::law::parameter::{FRICTION, RESTITUTION, RETURNED_TANGENTIAL, STORED_FRICTION};
use crate::law::{BoundLaw, Guarantees, Inapplicable, Law, Method, Promise, Promised, SeveralContacts};
use crate::outcome::Outcome;
use crate::outcome::{Effort, Note, Solution};
use crate::solve::friction::{Disk, Friction};
use crate::solve::shortest::shortest;
use crate::solve::sparse::Sparse;
use crate::solve::unknowns::Unknowns;
use crate::solve::{LARGE, Status};
use nalgebra::{DVector, Vector2, Vector3};

/// Glocker and Pfeiffer's law.
#[derive(Clone, Debug, PartialEq)]
pub struct PoissonLcp {
    /// Kinetic normal restitution e of each contact, 0 to 1.
    pub restitution: Vec<f64>,
    /// Tangential restitution e_t of each contact, 0 to 1.
    pub tangential_restitution: Vec<f64>,
    /// Share ν of the friction limit that stores tangential impulse at each contact, 0 to 1.
    pub stored_friction: Vec<f64>,
    /// Coefficient of friction μ ≥ 0 of each contact.
    pub friction: Vec<f64>,
}

/// A tangential impulse of compression this small, relative to the greatest normal one, is rounding and has no direction.
const NO_FRICTION: f64 = 1e-13;

/// A velocity after compression below this fraction of the fastest is rounding.
const AT_REST: f64 = 1e-12;

impl PoissonLcp {
    /// The outcome by the law's [equations](crate::laws::Law::equations).
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        let columns: [&[f64]; 4] =
            [&self.restitution, &self.tangential_restitution, &self.stored_friction, &self.friction];
        BoundLaw::typed(&LAW, impact.contacts(), &columns)?.resolve(impact)
    }

    fn solve(&self, impact: &Impact) -> Result<Solution, Inapplicable> {
        if impact.contacts() > LARGE && self.friction.iter().all(|mu| *mu == 0.0) {
            return self.frictionless(impact);
        }
        let unknowns = Unknowns::new(impact, &self.friction);
        let (problem, compression) = coulomb(&unknowns, &vec![0.0; impact.contacts()]).map_err(|why| match why {
            // Compression has a solution; rounding of W can hide it.
            Inapplicable::Wedged { contacts, .. } => Inapplicable::Wedged { contacts, proven: false },
            other => other,
        })?;
        let velocity = unknowns.velocity_after(&compression.x);
        let mut dual = velocity.clone();
        for cone in &unknowns.cones {
            let slip = cone.of(velocity.as_slice());
            dual[cone.start] += cone.friction * slip[1].hypot(slip[2]);
        }
        let least = shortest(&unknowns.w, &unknowns.cones, &compression.x, &dual);
        let compression = match &least {
            Some(least) => problem.refined_or(&least.x, compression),
            None => compression,
        };
        let compressed = &compression.x;
        let velocity = unknowns.velocity_after(compressed);

        let greatest = unknowns.cones.iter().map(|cone| compressed[cone.start]).fold(0.0, f64::max);
        let expansion = |k: usize| self.expansion(&unknowns, k, compressed, NO_FRICTION * greatest);
        let disks: Vec<Disk> = (0..impact.contacts()).map(expansion).collect();
        let problem = Friction { q: velocity, disks, ..problem };
        let mut guess = DVector::zeros(compressed.len());
        for disk in &problem.disks {
            guess[disk.start] = disk.least;
        }
        let expansion = decided(problem.decide(guess))?;
        let effort = Effort {
            iterations: compression.iterations + expansion.iterations,
            residual: compression.residual.max(expansion.residual),
        };
        let outcome = Solution::of(impact, unknowns.admissible(&(compressed + expansion.x)), effort);
        Ok(match least {
            None => outcome,
            Some(_) => outcome.with_note(Note::Doubtful(
                "the impulses of compression are not unique and restitution depends on them; the shortest were taken"
                    .into(),
            )),
        })
    }

    /// Many contacts without friction.
    fn frictionless(&self, impact: &Impact) -> Result<Solution, Inapplicable> {
        let w = Sparse::normals(impact.inverse_mass());
        let normal: Vec<f64> = impact.velocity().iter().map(|v| v.x).collect();
        let scale = speed(&normal);
        let compression = w.solve(&normal, scale);
        // Both phases but for what exceeds e P_C in expansion.
        let given: Vec<f64> = compression.p.iter().zip(&self.restitution).map(|(p, e)| p * (1.0 + e)).collect();
        let before: Vec<f64> = normal.iter().zip(w.times(&given)).map(|(v, change)| v + change).collect();
        // Contacts that come to rest do so but for rounding.
        let before: Vec<f64> = before.iter().map(|v| if v.abs() <= AT_REST * scale { 0.0 } else { *v }).collect();
        let excess = w.solve(&before, scale);
        let residual = compression.residual.max(excess.residual);
        if compression.status != Status::Solved || excess.status != Status::Solved {
            return Err(Inapplicable::Unsolved { residual });
        }
        let impulses = given.iter().zip(&excess.p).map(|(given, excess)| Vector3::x() * (given + excess)).collect();
        let effort = Effort { iterations: compression.iterations + excess.iterations, residual };
        Ok(Solution::of(impact, impulses, effort))
    }

    /// Where the impulse of expansion may be. Impulses of compression up to `rounding` are none.
    fn expansion(&self, unknowns: &Unknowns, contact: usize, compressed: &DVector<f64>, rounding: f64) -> Disk {
        let cone = unknowns.cones[contact];
        let [normal, t1, t2] = cone.of(compressed.as_slice());
        let (e, mu) = (self.restitution[contact], self.friction[contact]);
        let tangential = Vector2::new(t1, t2);
        let length = tangential.norm();
        let along = if length > rounding { tangential / length } else { Vector2::zeros() };
        // The stored impulse S, fixed and growing with P_En.
        let stored =
            [0.5 * e * self.tangential_restitution[contact] * length, 0.5 * mu * self.stored_friction[contact]];
        Disk {
            start: cone.start,
            size: cone.size,
            least: e * normal.max(0.0),
            centre: stored.map(|part| along * part),
            radius: [-stored[0], mu - stored[1]],
        }
    }
}

/// Beyond this coefficient the stored tangential impulse is lost in the rounding of the friction limit: from 10¹⁴ on answers are wrong.
const STEEPEST: f64 = 1e9;

pub(super) const LAW: Law = Law {
    id: "poisson-lcp",
    name: "Glocker and Pfeiffer's impact law with Poisson's restitution",
    source: "C. Glocker & F. Pfeiffer, Multiple impacts with friction in rigid multibody systems, 1995",
    summary: "Compression and expansion of all contacts together, with normal and tangential Poisson restitution.",
    equations: "compression: P_Cn ≥ 0 ⟂ V_Cn ≥ 0, Coulomb friction on V_Ct; impulse P_C, velocity V_C\n\
                expansion: P_En ≥ e P_Cn ⟂ V_n after ≥ 0\n\
                S = ½ (μ ν P_En + e e_t |P_Ct|), s = P_Ct/|P_Ct|\n\
                P_Et in the disk of centre S s and radius μ P_En − S, −V_t after normal to it there\n\
                P = P_C + P_E",
    caveats: "The published energy proof is wrong. In space the law is an extension of the planar one made here.",
    parameters: &[RESTITUTION, RETURNED_TANGENTIAL, STORED_FRICTION, FRICTION.at_most(STEEPEST)],
    guarantees: Guarantees {
        energy: Promise::If("with equal restitution, no counterexample known"),
        unique: Promise::If("without friction"),
        ..Guarantees::ALL
    },
    consistency: None,
    method: Method::SeveralContacts(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl SeveralContacts for Entry {
    fn resolve(
        &self,
        impact: &Impact,
        bound: &BoundLaw,
        _history: Option<&mut IslandHistory>,
    ) -> Result<Solution, Inapplicable> {
        PoissonLcp {
            restitution: bound.column(0),
            tangential_restitution: bound.column(1),
            stored_friction: bound.column(2),
            friction: bound.column(3),
        }
        .solve(impact)
    }

    fn promised(&self, _impact: &Impact, bound: &BoundLaw) -> Promised {
        let (restitution, friction) = (bound.column(0), bound.column(3));
        let energy = friction.iter().all(|mu| *mu == 0.0) && restitution.iter().all(|e| *e == restitution[0]);
        Promised { energy, ..LAW.guarantees.always() }
    }
}
