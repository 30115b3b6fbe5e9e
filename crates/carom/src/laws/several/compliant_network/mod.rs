//! `compliant-network`: a spring at every contact, followed in time.
//!
//! What instantaneous laws for several contacts are compared with (Goyal, Pinson & Sinden 1994; Chatterjee 1997, 10.1). The
//! bodies do not move by any distance that matters (W is constant), but their displacements at the contacts are kept:
//! springs are compressed by them, and gaps open and close. With compression δ,
//!
//! ```text
//! dP_j/dt = F_j,   V = V_before + W P,   dδ_j/dt = −V_n,j
//! F_n = k δ^η + c δ^((η−1)/2) dδ/dt  where that is positive and δ > 0, else 0
//! ```
//!
//! The damping (Tsuji, Tanaka & Ishida 1992; for η = 1 Kelvin and Voigt) makes restitution independent of the speed: in
//! y = √(2k/(η+1)) δ^((η+1)/2), with y dy = k δ^η dδ, one mass m = 1/W_nn alone is a linear oscillator for any η, so that
//!
//! ```text
//! c = 2 ζ(e) √(m k (η+1)/2),   e = exp(−2 ζ acos(ζ)/√(1 − ζ²))
//! ```
//!
//! is exact for one contact without friction. With stored energy k δ^(η+1)/(η+1) the element never gives more than it
//! took, clipped or not. Along the tangents a spring k_t carries the massless contact point, which sticks while
//! k_t |x_t| ≤ μ F_n and otherwise slips with k_t |x_t| = μ F_n (`tangent.rs`, as `spring-dashpot`). It is linear for
//! every η, for a spring that softens while it is stretched would create energy: k_t = (k_t/k) k d^(η−1), with d the compression
//! that stops m at the greatest speed of the impact.
//!
//! It ends where no contact presses and none closes any more.

mod element;
mod process;
mod tangent;

use super::follow::{Scale, follow, header, speed};
use super::liu_zhao_brogliato::EXPONENT;
use crate::course::Clock;
use crate::course::IslandHistory;
use crate::impact::Impact;
use crate::law::parameter::{FRICTION, Fallback, Parameter, STIFFNESS_RATIO, number};
use crate::law::{BoundLaw, Guarantees, Inapplicable, Law, Method, SeveralContacts};
use crate::outcome::{Outcome, Solution};
use element::Element;
use nalgebra::DVector;
use process::Springs;

/// A network of springs and dashpots.
#[derive(Clone, Debug, PartialEq)]
pub struct CompliantNetwork {
    /// Restitution of each contact alone, without friction, 0.01 to 1; it chooses the damping.
    pub restitution: Vec<f64>,
    /// Coefficient of friction μ ≥ 0 of each contact.
    pub friction: Vec<f64>,
    /// Stiffness k of each contact, N/m^η.
    pub stiffness: Vec<f64>,
    /// Power η of the compression in the force of each contact, 1 to 4.
    pub exponent: Vec<f64>,
    /// Tangential over normal stiffness of each contact.
    pub stiffness_ratio: Vec<f64>,
    /// Distance of the bodies at each contact at first, m.
    pub gap: Vec<f64>,
}

impl CompliantNetwork {
    /// The outcome by the law's [equations](crate::laws::Law::equations).
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        let columns: [&[f64]; 6] =
            [&self.restitution, &self.friction, &self.stiffness, &self.exponent, &self.stiffness_ratio, &self.gap];
        BoundLaw::typed(&LAW, impact.contacts(), &columns)?.resolve(impact)
    }
}

fn resolve(impact: &Impact, bound: &BoundLaw, history: Option<&mut IslandHistory>) -> Result<Solution, Inapplicable> {
    let n = impact.contacts();
    let speed = speed(impact);
    let element = |k: usize| {
        let block = impact.inverse_mass().block(k, k);
        let mass = block[(0, 0)].recip();
        let scale = Scale::of(&block, speed, bound.at(2, k), bound.at(3, k));
        Element::new(mass, scale, bound.at(0, k), bound.at(1, k), [2, 3, 4].map(|place| bound.at(place, k)))
    };
    let elements: Vec<Element> = (0..n).map(element).collect();
    let scales: Vec<Scale> = elements.iter().map(|element| element.scale).collect();
    let own: Vec<f64> = scales.iter().flat_map(|scale| [scale.compression; 2]).collect();
    let mut start = DVector::zeros(header(n) + own.len());
    for k in 0..n {
        start[super::follow::compression(n, k)] = -bound.at(5, k);
    }
    let springs = Springs::new(impact, elements, &mut start);
    follow(impact, springs, &scales, start, &own, history)
}

/// Restitution chooses the damping: an ever stronger dashpot tends to 0 but never gets there.
const TUNED_RESTITUTION: Parameter = number(
    "restitution",
    "e",
    "restitution of the contact alone, without friction; chooses the damping",
    (0.01, 1.0),
    Fallback::Value(1.0),
);

const STIFFNESS: Parameter = number(
    "stiffness",
    "k",
    "stiffness of the contact, N/m^η: F = k δ^η; without gaps only ratios between contacts count",
    (1e-30, 1e30),
    Fallback::Value(1.0),
);

const GAP: Parameter =
    number("gap", "g", "distance of the bodies at the contact at first, m", (0.0, 1e30), Fallback::Value(0.0));

pub(crate) const LAW: Law = Law {
    id: "compliant-network",
    name: "Network of springs and dashpots",
    source: "S. Goyal, E. N. Pinson & F. W. Sinden, Simulation of dynamics of interacting rigid bodies including friction, \
             Engineering with Computers 10, 1994; A. Chatterjee, Rigid Body Collisions, Cornell 1997, 10.1; Y. Tsuji, T. \
             Tanaka & T. Ishida, Powder Technology 71, 1992 (damping)",
    summary: "Springs with damping at every contact, friction at their massless points, followed in time.",
    equations: "F_n = k δ^η + c δ^((η−1)/2) dδ/dt where δ > 0 and that is positive, dδ/dt = −V_n\n\
                c = 2 ζ(e) √(k (η+1)/(2 W_nn)), e = exp(−2 ζ acos(ζ)/√(1 − ζ²))\n\
                F_t = −k_t x_t, |F_t| ≤ μ F_n, Coulomb friction at the massless contact point\n\
                ends where no contact presses and none closes",
    caveats: "Outcomes depend on ratios of stiffness, and on gaps compared with compressions. Bodies can wedge, which is \
              reported, or rattle without end if nothing damps them.",
    parameters: &[TUNED_RESTITUTION, FRICTION, STIFFNESS, EXPONENT, STIFFNESS_RATIO, GAP],
    guarantees: Guarantees::ALL,
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
        history: Option<&mut IslandHistory>,
    ) -> Result<Solution, Inapplicable> {
        resolve(impact, bound, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}
