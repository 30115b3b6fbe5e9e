//! `lai`: a pair of springs with a potential, and friction at its end.
//!
//! L.-J. Lai, Rebound Predictions of Mechanical Collisions, Oregon State University 1999, chapter 5. Between the bodies
//! stands a normal spring after Hertz and a tangential one after Mindlin, whose end Q sticks to the other body or slips on
//! it. With u the displacement of A relative to B since first touch (u_n < 0), s the extension of the tangential spring
//! and R, E*, ν of the pair,
//!
//! ```text
//! f_t = −4 (1 − ν)/(2 − ν) √R E* s (−u_n)^(1/2)                                                              (5.24)
//! f_n = √R E* (−u_n)^(3/2) [4/3 + (1 − ν)/(2 − ν) (s/u_n)²]                                                  (5.23)
//! ```
//!
//! The last term is what a potential needs: without it (`springs = "uncoupled"`) a cycle of the springs can create energy.
//! With κ = (2 − ν)/(3(1 − ν)), |f_t| reaches μ f_n where |s/u_n| = C = (2/μ)(1 − √(1 − κμ²)):
//!
//! ```text
//! sticks: s' = V_t while |s/u_n| < C,   slips: s = ∓C u_n while ±(V_t − s') > 0                        (5.25), (5.26)
//! ```
//!
//! All energy is lost in slip. E*, R, mass and speed drop out of the rebound: it depends on ν, μ, the direction of V and
//! the ratios of W only. If μ > 1/√κ the contact never slips (5.29).

mod log;
mod process;
mod scaled;
mod slip;
mod springs;
mod state;
mod stick;

pub use springs::Springs;

use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, Course};
use crate::elastic::{Limits, kappa};
use crate::law::bound::finite;
use crate::law::parameter::{
    FRICTION, Fallback, Kind, POISSON_RATIO, Parameter, RADIUS, WAVE_SPEED, YIELD_STRESS, YOUNGS_MODULUS,
};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::{Compression, ContactNote, ContactOutcome, Works};
use log::Log;
use scaled::Scaled;
use springs::Contact;

/// Lai's springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lai {
    /// Reduced modulus E*, Pa.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν of the pair.
    pub poisson_ratio: f64,
    /// Relative radius R, m.
    pub radius: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
    /// Which springs.
    pub springs: Springs,
    /// What to check the theory's validity with.
    pub limits: Limits,
}

impl Lai {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let [yield_stress, wave_speed] = self.limits.parameters();
        let springs = if self.springs == Springs::Coupled { 0.0 } else { 1.0 };
        let elastic = [self.youngs_modulus, self.poisson_ratio, self.radius, self.friction];
        let values = [elastic[0], elastic[1], elastic[2], elastic[3], springs, yield_stress, wave_speed];
        let law = Lai { friction: finite(self.friction), ..*self };
        LAW.check_and_resolve(&values, collision, || law.follow(collision, None))
    }

    fn follow(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let section = collision.planar_section().ok_or(Inapplicable::NotPlanar)?;
        let scaled = Scaled::new(&section, self.youngs_modulus, self.radius);
        let contact = Contact::new(self.poisson_ratio, self.friction, self.springs);
        let mut log = Log::new(&scaled, &contact, history);
        let rebound = process::follow(&scaled, &contact, &mut log)?;

        let units = &scaled.units;
        let impulse = scaled.to_contact(&rebound.end.impulse, units.impulse);
        let mut outcome = ContactOutcome::jump(collision, impulse, self.friction);
        outcome.path = log.path;
        let [compression, restitution] = rebound.works.map(|work| work * units.work);
        outcome.compression = Some(Compression {
            impulse: scaled.to_contact(&rebound.compressed, units.impulse),
            works: Some(Works::of(collision, &impulse, compression, restitution)),
        });
        let indentation = rebound.peak_root.powi(2) * units.length;
        outcome.course = Some(Course {
            clock: Clock::Time,
            duration: Some(rebound.end.time * units.time),
            peak_force: rebound.peak_force.map(|force| force * units.force),
            peak_indentation: Some(indentation),
            evaluations: rebound.evaluations,
        });
        if contact.always_sticks() {
            outcome.notes.push(ContactNote::AlwaysSticks { threshold: kappa(self.poisson_ratio).sqrt().recip() });
        }
        for doubt in self.limits.doubts(self.youngs_modulus, self.radius, units.speed, indentation) {
            outcome.notes.push(ContactNote::Doubtful(doubt));
        }
        Ok(outcome)
    }
}

const SPRINGS: Parameter = Parameter {
    key: "springs",
    symbol: "",
    meaning: "whether the normal spring knows of the tangential one; uncoupled springs can create energy",
    kind: Kind::Choice(&["coupled", "uncoupled"]),
    fallback: Fallback::Value(0.0),
    leaves_plane: false,
};

pub(super) const LAW: Law = Law {
    id: "lai",
    name: "Lai's coupled springs",
    source: "L.-J. Lai, Rebound Predictions of Mechanical Collisions, Oregon State University 1999, chapter 5",
    summary: "Planar; a normal and a tangential spring that share a potential, and Coulomb friction at their end.",
    equations: "f_n = √R E* (−u_n)^(3/2) (4/3 + (1 − ν)/(2 − ν) (s/u_n)²)\n\
                f_t = −4 (1 − ν)/(2 − ν) √R E* s (−u_n)^(1/2)\n\
                sticks: s' = V_t while |f_t| < μ f_n\n\
                slips: |f_t| = μ f_n, s = ∓C u_n, C = (2/μ)(1 − √(1 − κμ²)), κ = (2 − ν)/(3(1 − ν))\n\
                springs = \"uncoupled\": f_n = 4/3 √R E* (−u_n)^(3/2), C = κμ",
    caveats: "One spring for the whole contact area: near head-on it is half again too stiff along the surface, and the \
              slip comes back far too little (sphere: ψ₂ up to 0.58 too high). Uncoupled springs can create energy. \
              Above μ = 1/√κ, about 1.1, the springs never slip, and the law is outside its validity.",
    parameters: &[YOUNGS_MODULUS, POISSON_RATIO, RADIUS, FRICTION, SPRINGS, YIELD_STRESS, WAVE_SPEED],
    guarantees: Guarantees { energy: Promise::If("if coupled"), spatial: Promise::No, ..Guarantees::ALL },
    consistency: None,
    method: Method::OneContact(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl OneContact for Entry {
    fn resolve(
        &self,
        collision: &Collision,
        p: &[f64],
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let springs = if p[4] == 0.0 { Springs::Coupled } else { Springs::Uncoupled };
        let limits = Limits::of_parameters(p[5], p[6]);
        Lai { youngs_modulus: p[0], poisson_ratio: p[1], radius: p[2], friction: p[3], springs, limits }
            .follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}

#[cfg(test)]
mod tests;
