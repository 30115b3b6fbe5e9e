//! `hertz`: frictionless elastic impact, followed in time.
//!
//! H. Hertz, Über die Berührung fester elastischer Körper, 1882. The bodies near the contact are elastic half-spaces of
//! reduced modulus E* and relative radius R; the rest of them is rigid, with the normal mass 1/W_nn:
//!
//! ```text
//! F = 4/3 E* √R δ^(3/2),   V_n after = −V_n,   P = −2 V_n/W_nn n
//! δ_max = (15 V_n²/(16 W_nn E* √R))^(2/5),   F_max = 5 V_n²/(4 W_nn δ_max),   T = 2.9433 δ_max/|V_n|
//! ```
//!
//! The impulse is along n whatever W couples, so that one degree of freedom says all; its motion is known in closed form
//! ([`HertzImpact`]).

use super::newton::Newton;
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, ContactSample, Course, Motion};
use crate::elastic::{HertzImpact, Limits, Moment};
use crate::law::parameter::{RADIUS, WAVE_SPEED, YIELD_STRESS, YOUNGS_MODULUS};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::{ContactNote, ContactOutcome};
use nalgebra::Vector3;
use std::f64::consts::PI;

/// Hertz's elastic impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hertz {
    /// Reduced modulus E*, Pa.
    pub youngs_modulus: f64,
    /// Relative radius R, m; of an elliptic contact its
    /// [effective radius](crate::elastic::PointContact::effective_radius).
    pub radius: f64,
    /// What to check the theory's validity with.
    pub limits: Limits,
}

/// Samples of a history, evenly spaced in the phase of the motion.
const SAMPLES: u32 = 96;

impl Hertz {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let [yield_stress, wave_speed] = self.limits.parameters();
        let values = [self.youngs_modulus, self.radius, yield_stress, wave_speed];
        LAW.check_and_resolve(&values, collision, || Ok(self.follow(collision, None)))
    }

    fn follow(&self, collision: &Collision, history: Option<&mut ContactHistory>) -> ContactOutcome {
        let mut outcome = Newton { restitution: 1.0 }.compute(collision);
        if !collision.is_approaching() {
            return outcome;
        }
        let (mass, speed) = (collision.inverse_mass()[(0, 0)].recip(), -collision.velocity().x);
        let impact = HertzImpact::of(mass, speed, self.youngs_modulus, self.radius);
        outcome.course = Some(Course {
            clock: Clock::Time,
            duration: Some(impact.duration()),
            peak_force: Some(impact.peak_force()),
            peak_indentation: Some(impact.greatest_approach()),
            evaluations: 0,
        });
        for doubt in self.limits.doubts(self.youngs_modulus, self.radius, speed, impact.greatest_approach()) {
            outcome.notes.push(ContactNote::Doubtful(doubt));
        }
        if let Some(history) = history {
            history.clock = Clock::Time;
            let phases = (0..=SAMPLES).map(|k| PI * f64::from(k) / f64::from(SAMPLES));
            history.samples.extend(phases.map(|phase| sample(collision, &impact.moment(phase))));
        }
        outcome
    }
}

fn sample(collision: &Collision, moment: &Moment) -> ContactSample {
    let (before, column) = (collision.velocity(), collision.inverse_mass().column(0));
    let mass = column[0].recip();
    let gained = mass * (-before.x - moment.velocity);
    let velocity = before + column * gained;
    // The normal impulse over time adds up to m (v t − δ).
    let displacement = before * moment.time + column * (mass * (-before.x * moment.time - moment.approach));
    ContactSample {
        at: moment.time,
        force: Some(Vector3::x() * moment.force),
        displacement: Some(Vector3::new(-moment.approach, displacement.y, displacement.z)),
        velocity,
        slip: velocity.yz(),
        impulse: Vector3::x() * gained,
        normal_work: 0.5 * mass * (moment.velocity.powi(2) - before.x.powi(2)),
        tangential_work: 0.0,
        motion: Motion::Frictionless,
    }
}

pub(super) const LAW: Law = Law {
    id: "hertz",
    name: "Hertz's elastic impact",
    source: "H. Hertz, Über die Berührung fester elastischer Körper, J. reine angew. Math. 92, 1882; K. L. Johnson, \
             Contact Mechanics, Cambridge 1985, 11.4",
    summary: "Frictionless and elastic: force, indentation and duration of the contact; the normal velocity reverses.",
    equations: "F = 4/3 E* √R δ^(3/2), −V_n = dδ/dt\n\
                P = −2 V_n/W_nn n\n\
                δ_max = (15 V_n²/(16 W_nn E* √R))^(2/5)\n\
                F_max = 5 V_n²/(4 W_nn δ_max), T = 2.9433 δ_max/|V_n|",
    caveats: "No friction and no loss. Only for contacts much smaller than the bodies, slow beside elastic waves, and \
              below yield, which medium-hard steel reaches near 0.1 m/s.",
    parameters: &[YOUNGS_MODULUS, RADIUS, YIELD_STRESS, WAVE_SPEED],
    guarantees: Guarantees { tangential_restitution: Promise::No, ..Guarantees::ALL },
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
        let limits = Limits::of_parameters(p[2], p[3]);
        Ok(Hertz { youngs_modulus: p[0], radius: p[1], limits }.follow(collision, history))
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elastic::{Doubt, Strength};
    use crate::laws::find;
    use nalgebra::Matrix3;

    /// The aluminium ball of Lai 1999, 6.2, with some slip.
    fn ball() -> Collision {
        let mass = 4.0 / 3.0 * PI * 0.05_f64.powi(3) * 2700.0;
        Collision::planar([[1.0 / mass, 0.0], [0.0, 3.5 / mass]], [-0.5, 0.2]).unwrap()
    }

    const ALUMINIUM: Hertz =
        Hertz { youngs_modulus: 7e10 / 0.91, radius: 0.05, limits: Limits { strength: None, wave_speed: None } };

    #[test]
    fn the_numbers_of_the_source_come_out() {
        let outcome = ALUMINIUM.resolve(&ball()).unwrap();
        let course = outcome.course.unwrap();
        assert!((outcome.impulse.x - 1.4137).abs() < 5e-5 && (outcome.velocity_after.x - 0.5).abs() < 1e-15);
        assert!((course.duration.unwrap() - 3.046e-4).abs() < 5e-8);
        assert!((course.peak_force.unwrap() - 8537.0).abs() < 0.5);
        assert!((course.peak_indentation.unwrap() - 5.175e-5).abs() < 5e-9);
        assert_eq!(outcome.notes.iter().count(), 0);
    }

    #[test]
    fn the_history_obeys_the_equations_of_motion() {
        let w = Matrix3::new(2.0, 0.4, -0.3, 0.4, 3.0, 0.2, -0.3, 0.2, 1.5);
        let collision = Collision::new(&w, &Vector3::new(-1.2, 0.5, -0.1)).unwrap();
        let bound = find("hertz").unwrap().bind(&[("youngs_modulus", 1e6), ("radius", 0.1)]).unwrap();
        let (outcome, history) = bound.follow_collision(&collision).unwrap();
        let samples = history.unwrap().samples;
        let (first, last) = (samples.first().unwrap(), samples.last().unwrap());
        assert_eq!((first.at, first.velocity, first.impulse.x), (0.0, *collision.velocity(), 0.0));
        assert!((last.at - outcome.course.unwrap().duration.unwrap()).abs() < 1e-15);
        assert!((last.impulse - outcome.impulse).norm() < 1e-14 && last.force.unwrap().x == 0.0);
        for pair in samples.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            let step = b.at - a.at;
            assert!((collision.velocity_after(&b.impulse) - b.velocity).norm() < 1e-14);
            let law = 4.0 / 3.0 * 1e6 * 0.1_f64.sqrt() * (-b.displacement.unwrap().x).powf(1.5);
            assert!((b.force.unwrap().x - law).abs() < 1e-12 * outcome.course.unwrap().peak_force.unwrap());
            // Trapezoids between close samples.
            let moved = b.displacement.unwrap() - a.displacement.unwrap() - (a.velocity + b.velocity) * (0.5 * step);
            assert!(moved.norm() < 1e-5 * outcome.course.unwrap().peak_indentation.unwrap(), "{moved}");
            let pushed = b.impulse.x - a.impulse.x - 0.5 * step * (a.force.unwrap().x + b.force.unwrap().x);
            assert!(pushed.abs() < 1e-3 * outcome.impulse.x, "{pushed}");
            let change = collision.energy_change(&b.impulse);
            assert!((b.normal_work - change).abs() < 1e-15);
        }
    }

    #[test]
    fn doubts_become_notes() {
        let limits = Limits { strength: Some(Strength::Yield(276e6)), wave_speed: Some(5092.0) };
        let outcome = Hertz { limits, ..ALUMINIUM }.resolve(&ball()).unwrap();
        let notes: Vec<_> = outcome.notes.iter().collect();
        assert!(matches!(notes[..], [ContactNote::Doubtful(Doubt::Yields { .. })]), "{notes:?}");
        let soft = Hertz { youngs_modulus: 1e5, ..ALUMINIUM }.resolve(&ball()).unwrap();
        assert!(matches!(soft.notes.iter().next(), Some(ContactNote::Doubtful(Doubt::LargeContact { .. }))));
    }
}
