//! `hertz-mindlin`: oblique elastic impact with partial slip.
//!
//! Maw, Barber & Fawcett 1976. Two bodies of revolution touch in a circle of radius a = √(R d) where they are pressed
//! together by d. Along the normal they are Hertz's spring. Along the tangents every part of the circle sticks or slips by
//! itself: the traction |q| never exceeds μ p, and where it is less the surfaces move together. All loss is that of slip.
//!
//! With 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂ and 1/G* = (2 − ν₁)/(4 G₁) + (2 − ν₂)/(4 G₂), the contact is the same as a row of
//! independent springs of stiffness E* dx and G* dx under a parabola x²/R (Jäger 1993; Popov & Heß, Method of Dimensionality
//! Reduction in Contact Mechanics and Friction, 2015):
//!
//! ```text
//! F_n = 2 ∫₀ᵃ E* (d − x²/R) dx = 4/3 E* √R d^{3/2}
//! F_t = −2 ∫₀ᵃ G* s dx,   |s| ≤ λ (d − x²/R),   λ = μ E*/G*
//! ```
//!
//! A spring's stretch s follows the shift u of the bodies while it is below its limit. Why that is exact: the force density
//! g = G* s of the springs is Abel's transform of the traction,
//!
//! ```text
//! q(r) = −1/π ∫_r^a g'(x)/√(x² − r²) dx,   surfaces displaced by   2/π ∫₀^r g(x)/G*/√(r² − x²) dx
//! ```
//!
//! The first looks outwards only: q = ±μ p beyond r = c if and only if g is at its limit beyond x = c. The second looks
//! inwards only: the surfaces within r = c move by du if and only if the springs within x = c are stretched by du. So the
//! bed and the circle slip in the same annulus at every instant, whatever the history, as long as slip comes in from the edge
//! and all of it in one direction. It does, in a plane (see `continuous.rs`), where |dg/dx| ≤ 2 μ E* x/R always, which is
//! |q| ≤ μ p. Like Cattaneo's and Mindlin's solutions both neglect what a traction along t does across t, and take its mean
//! around the circle.
//!
//! In units with E* = R = 1/W_nn = −V_n = 1 only W, V, μ and κ = G*/E* are left, κ = 2(1 − ν)/(2 − ν) for bodies of one
//! material or one rigid body: modulus, radius, mass and speed do not change the velocities after.
//!
//! Where slip turns in space the bed is not the circle: the limit of a vector of springs is not that of the traction. The
//! velocities after then differ by some per cent of the approach.
//!
//! Three ways to compute it: `continuous.rs` follows the bed without any grid, in a plane; `springs.rs` is a bed of n springs;
//! `annuli.rs` is the traction itself on n annuli, an independent check in a plane and the right answer in space. At 50
//! elements springs are within 10⁻³ of the continuous bed in the velocities, annuli within 5·10⁻³.

mod annuli;
mod continuous;
mod leap;
mod log;
mod look;
mod memory;
mod scaled;
mod springs;

use crate::collision::Collision;
use crate::course::{Clock, ContactHistory};
use crate::elastic::{Limits, kappa};
use crate::law::parameter::{
    FRICTION, Fallback, Kind, POISSON_RATIO, Parameter, RADIUS, WAVE_SPEED, YIELD_STRESS, YOUNGS_MODULUS, number,
};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::{ContactNote, ContactOutcome};
use annuli::Annuli;
use leap::{Bed, leap};
use log::Log;
use look::Look;
use scaled::Scaled;
use springs::{MOST, Springs};

/// Oblique impact of elastic bodies after Maw, Barber and Fawcett.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HertzMindlin {
    /// Reduced modulus E*, Pa.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν of the pair, −1 to 0.5.
    pub poisson_ratio: f64,
    /// Relative radius R, m.
    pub radius: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
    /// Elements n of springs or annuli, 4 to 200.
    pub elements: usize,
    /// How the contact is divided; `None` for the continuous bed where the collision is planar and annuli where it is not.
    pub discretisation: Option<Discretisation>,
    /// What to check the theory's validity with.
    pub limits: Limits,
}

/// How the contact is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discretisation {
    /// Not at all: the state of the bed is followed as a curve. Planar collisions only.
    Continuous,
    /// Into springs. Where slip turns they are not the circle.
    Springs,
    /// Into concentric annuli of traction.
    Annuli,
}

/// Fewer elements are no bed.
const FEWEST: usize = 4;

const DISCRETISATIONS: [Discretisation; 3] =
    [Discretisation::Continuous, Discretisation::Springs, Discretisation::Annuli];

/// Friction below this share of the normal force is lost in rounding.
const FRICTIONLESS: f64 = 1e-15;
/// Friction beyond this holds like any more.
const ROUGH: f64 = 1e12;
/// A first look errs by a few per cent in the depth; the bed had better reach that far.
const SPARE: f64 = 1.03;

impl HertzMindlin {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let [yield_stress, wave_speed] = self.limits.parameters();
        let place = self.discretisation.and_then(|wanted| DISCRETISATIONS.iter().position(|other| *other == wanted));
        // The curve is not divided.
        let divides = self.discretisation != Some(Discretisation::Continuous);
        let elements = if divides { self.elements } else { self.elements.max(FEWEST) };
        let values = [
            self.youngs_modulus,
            self.poisson_ratio,
            self.radius,
            self.friction,
            elements as f64,
            place.map_or(f64::NAN, |place| place as f64),
            yield_stress,
            wave_speed,
        ];
        LAW.check_and_resolve(&values, collision, || self.follow(collision, None))
    }

    fn follow(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let friction = if self.friction < FRICTIONLESS { 0.0 } else { self.friction.min(ROUGH) };
        // G*/E*: the reciprocal of the ratio of the compliances.
        let ratio = 2.0 / (3.0 * kappa(self.poisson_ratio));
        let scaled = Scaled::of(collision, self.youngs_modulus, self.radius, friction, ratio);
        let mut outcome = self.on_contact(collision, scaled, history)?;
        let indentation = outcome.course.and_then(|course| course.peak_indentation).unwrap_or(0.0);
        for doubt in self.limits.doubts(self.youngs_modulus, self.radius, scaled.units.velocity, indentation) {
            outcome.notes.push(ContactNote::Doubtful(doubt));
        }
        Ok(outcome)
    }

    fn on_contact(
        &self,
        collision: &Collision,
        scaled: Scaled,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let section = collision.planar_section();
        let discretisation = self.discretisation.unwrap_or(match section {
            Some(_) => Discretisation::Continuous,
            None => Discretisation::Annuli,
        });
        if discretisation == Discretisation::Springs {
            let springs = |reach| Springs::new(&scaled, self.elements, reach);
            return on_bed(collision, &scaled, springs, history);
        }
        if discretisation == Discretisation::Annuli {
            let scaled = section.map_or(scaled, |section| scaled.within(&section));
            let annuli = |reach| Annuli::new(&scaled, self.elements, reach);
            return on_bed(collision, &scaled, annuli, history);
        }
        let scaled = scaled.within(&section.ok_or(Inapplicable::NotPlanar)?);
        let mut log = Log::new(&scaled, history);
        let end = continuous::follow(&scaled, &Look::at(&scaled)?, &mut log)?;
        Ok(log.finish(collision, &end))
    }
}

/// Follows the collision on a bed made for some indentation.
fn on_bed<B: Bed>(
    collision: &Collision,
    scaled: &Scaled,
    bed: impl Fn(f64) -> B,
    history: Option<&mut ContactHistory>,
) -> Result<ContactOutcome, Inapplicable> {
    let mut log = Log::new(scaled, history);
    let reach = SPARE * Look::at(scaled)?.depth;
    let end = leap(scaled, &mut bed(reach), reach, &mut log)?;
    Ok(log.finish(collision, &end))
}

pub(super) const LAW: Law = Law {
    id: "hertz-mindlin",
    name: "Oblique elastic impact of Maw, Barber and Fawcett",
    source: "N. Maw, J. R. Barber & J. N. Fawcett, The oblique impact of elastic spheres, Wear 38, 1976; R. D. Mindlin & H. \
             Deresiewicz, Elastic spheres in contact under varying oblique forces, J. Appl. Mech. 20, 1953; J. Jäger, \
             Elastic contact of equal spheres under oblique forces, Arch. Appl. Mech. 63, 1993",
    summary: "Hertz's spring along the normal; along the tangents each part of the contact sticks or slips by itself.",
    equations: "dV/dt = W F, contact while d > 0, d = −∫V_n dt, u = ∫V_t dt\n\
                F_n = 2 ∫ E* (d − x²/R) dx = 4/3 E* √R d^{3/2} over 0 < x < √(R d)\n\
                F_t = −2 ∫ G* s dx, G*/E* = κ = 2(1 − ν)/(2 − ν)\n\
                ds = du while |s| < μ/κ (d − x²/R), otherwise |s| = μ/κ (d − x²/R), along s: slip",
    caveats: "No loss but that of friction: a central collision has e = 1. Valid for contacts small beside the bodies and \
              impacts slow beside waves. Velocities after depend on ν and μ only; modulus and radius set forces and times. \
              In space the annuli err by about 0.001 of the approach; springs are not the circle where slip turns. Both neglect \
              what a traction along one tangent does along the other.",
    parameters: &[
        YOUNGS_MODULUS,
        POISSON_RATIO,
        RADIUS,
        FRICTION,
        number("elements", "n", "number of springs or annuli", (FEWEST as f64, MOST as f64), Fallback::Value(50.0)),
        Parameter {
            key: "discretisation",
            symbol: "",
            meaning: "how the contact is divided: not at all (planar), springs, or annuli",
            kind: Kind::Choice(&["continuous", "springs", "annuli"]),
            fallback: Fallback::Derived("continuous where the collision is planar, annuli where it is not"),
            leaves_plane: false,
        },
        YIELD_STRESS,
        WAVE_SPEED,
    ],
    guarantees: Guarantees { spatial: Promise::If("yes; approximately with springs"), ..Guarantees::ALL },
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
        HertzMindlin {
            youngs_modulus: p[0],
            poisson_ratio: p[1],
            radius: p[2],
            friction: p[3],
            elements: p[4].round() as usize,
            discretisation: DISCRETISATIONS.get(p[5] as usize).copied().filter(|_| !p[5].is_nan()),
            limits: Limits::of_parameters(p[6], p[7]),
        }
        .follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}

#[cfg(test)]
mod tests;
