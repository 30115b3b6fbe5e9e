//! `liu-zhao-brogliato`: energy shared out among the contacts by their stiffness, restitution at each.
//!
//! Liu, Zhao & Brogliato 2008 (frictionless), Zhao, Liu & Brogliato 2009 (friction), Nguyen & Brogliato 2014. Darboux
//! and Keller's dynamics: nothing moves while impulses grow. Each contact stores an energy E as a spring F = k δ^η
//! does; the springs give the ratios in which impulses grow, and their restitution is Stronge's (two stiffnesses):
//!
//! ```text
//! dV = W dP,   dP_n,j/dP_n,i = (k_j/k_i)^(1/(η+1)) (E_j/E_i)^(η/(η+1))       F ∝ k^(1/(η+1)) E^(η/(η+1))
//! dE_j = −V_n,j dP_n,j          while V_n,j < 0
//! dE_j = −V_n,j dP_n,j/e_j²     while V_n,j > 0: all is given back when e² of it has become work
//! ```
//!
//! The source takes as clock the impulse of a primary contact, the one with the most energy, and meets 0/0 where it starts.
//! Here the clock is τ with dP_n,j = F_j dτ for all j. With E = k δ^(η+1)/(η+1) the same equations are
//!
//! ```text
//! dP_n,j/dτ = k_j δ_j^η,   dδ_j/dτ = −V_n,j or −V_n,j/e_j²
//! ```
//!
//! which are regular: the singular start δ = 0 is an ordinary point and needs no limit, and no contact is primary. With e = 1
//! τ is time, and as long as no contact parts and returns this is the network of springs. A contact that parted
//! (δ = 0, V_n > 0) presses again as soon as V_n < 0, for there are no gaps; after a partial release a contact that
//! is compressed again stores on top of what it has left. The end: all energy released, nothing approaches.
//!
//! e = 0 is the limit of small e: where V_n turns positive the energy is released in no time, down to δ₁ where the other
//! contacts have pushed V_n back to zero: ∫ dV_n/dτ dδ from δ₁ to δ vanishes, dV_n/dτ being affine in F; or down to nothing.
//!
//! Friction follows Coulomb at each contact, `friction.rs`. Normal forces are given by δ, so that what contacts without slip
//! do is a convex problem (friction with given limits): it always has an answer, and its accelerations are unique.

mod contact;
mod friction;
mod process;

use super::follow::{Scale, follow, header, speed};
use crate::course::Clock;
use crate::course::IslandHistory;
use crate::impact::Impact;
use crate::law::parameter::{FRICTION, Fallback, Parameter, RESTITUTION, number};
use crate::law::{BoundLaw, Guarantees, Inapplicable, Law, Method, Promise, SeveralContacts};
use crate::outcome::{Outcome, Solution};
use contact::Contact;
use nalgebra::DVector;
use process::Accumulation;

/// Liu, Zhao and Brogliato's law.
#[derive(Clone, Debug, PartialEq)]
pub struct LiuZhaoBrogliato {
    /// Energetic coefficient of restitution e of each contact, 0 to 1.
    pub restitution: Vec<f64>,
    /// Coefficient of friction μ ≥ 0 of each contact.
    pub friction: Vec<f64>,
    /// Stiffness k of each contact; only ratios count.
    pub stiffness: Vec<f64>,
    /// Power η of the compression in the force of each contact, 1 to 4.
    pub exponent: Vec<f64>,
}

impl LiuZhaoBrogliato {
    /// The outcome by the law's [equations](crate::laws::Law::equations).
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        let columns: [&[f64]; 4] = [&self.restitution, &self.friction, &self.stiffness, &self.exponent];
        BoundLaw::typed(&LAW, impact.contacts(), &columns)?.resolve(impact)
    }
}

fn resolve(impact: &Impact, bound: &BoundLaw, history: Option<&mut IslandHistory>) -> Result<Solution, Inapplicable> {
    let speed = speed(impact);
    let contact = |k: usize| {
        let (stiffness, exponent) = (bound.at(2, k), bound.at(3, k));
        let scale = Scale::of(&impact.inverse_mass().block(k, k), speed, stiffness, exponent);
        Contact { restitution: bound.at(0, k), friction: bound.at(1, k), stiffness, exponent, scale }
    };
    let contacts: Vec<Contact> = (0..impact.contacts()).map(contact).collect();
    let scales: Vec<Scale> = contacts.iter().map(|contact| contact.scale).collect();
    let own = if impact.is_planar() { Vec::new() } else { vec![1.0; 2 * contacts.len()] };
    let mut start = DVector::zeros(header(contacts.len()) + own.len());
    let accumulation = Accumulation::new(impact, contacts, &mut start);
    follow(impact, accumulation, &scales, start, &own, history)
}

/// Stiffness where only its ratio between contacts counts.
pub(super) const RELATIVE_STIFFNESS: Parameter = number(
    "stiffness",
    "k",
    "stiffness of the contact, F = k δ^η; only ratios between contacts count",
    (1e-30, 1e30),
    Fallback::Value(1.0),
);

pub(super) const EXPONENT: Parameter = number(
    "exponent",
    "η",
    "power of the compression in the force: 1 linear, 1.5 Hertz",
    (1.0, 4.0),
    Fallback::Value(1.0),
);

pub(crate) const LAW: Law = Law {
    id: "liu-zhao-brogliato",
    name: "Liu, Zhao and Brogliato's multiple impact",
    source: "C. Liu, Z. Zhao & B. Brogliato, Frictionless multiple impacts in multibody systems I, II, Proc. R. Soc. A 464, \
             2008 and 465, 2009; Z. Zhao, C. Liu & B. Brogliato, Planar dynamics of a rigid body system with frictional \
             impacts II, Proc. R. Soc. A 465, 2009; N. S. Nguyen & B. Brogliato, Multiple Impacts in Dissipative Granular \
             Chains, Springer 2014",
    summary: "Follows the impulses of all contacts; energy stored at each shares them out, and e² of it comes back.",
    equations: "dV = W dP,  dP_n,j/dP_n,i = (k_j/k_i)^(1/(η+1)) (E_j/E_i)^(η/(η+1))\n\
                dE_j = −V_n,j dP_n,j while V_n,j < 0,  −V_n,j dP_n,j/e_j² while V_n,j > 0\n\
                dP_t,j = −μ_j u dP_n,j while slipping along u; no slip where |dP_t| ≤ μ dP_n can hold it\n\
                ends where all E_j = 0 and no V_n,j < 0",
    caveats: "Outcomes depend on ratios of stiffness. A contact that parted presses again at once when it is driven back, as \
              if no gap had opened. Bodies can wedge, which is reported.",
    parameters: &[RESTITUTION, FRICTION, RELATIVE_STIFFNESS, EXPONENT],
    guarantees: Guarantees { tangential_restitution: Promise::No, ..Guarantees::ALL },
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
        Some(Clock::NormalImpulse)
    }
}
