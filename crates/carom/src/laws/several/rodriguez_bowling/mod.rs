//! `rodriguez-bowling`: impulse ratios from rigid-body constraints, one energetic coefficient for each impact event.
//!
//! A. Rodriguez, *Dynamic simulation of multibody systems in simultaneous, indeterminate contact and impact with friction*,
//! UT Arlington 2014 (with A. Bowling). Equation numbers are that thesis's.
//!
//! **One clock.** The normal impulses grow together, dP_n,i = C_i dP with Σ C = 1; dV = W dP (5.17). Coulomb's friction acts at
//! every contact, dP_t = −μ_k C u while it slips along u, within μ_s C while it sticks. In the plane, and without friction,
//! V is piecewise linear in P and every change of slip is located in closed form (Ch. 5, `straight.rs`); in space the slips
//! turn and an ODE is followed (Ch. 7, `spatial.rs`). Contacts whose slip stops stick, reverse or resume, decided together,
//! also in space where the source leaves it open (`rest.rs`).
//!
//! **Ratios.** Two contacts of a body that nothing else holds have impulses that cancel: along the line u between the points. They
//! span null(W) of the pair (`pairs.rs`), so W tells them: z = (z_i, z_j) with W z = 0. The source carries the velocity
//! constraint z·V = 0 over to impulses, z_i·dP_i + z_j·dP_j = 0, "no internal impulse" (3.16–3.22). Impulses that push a body
//! from two sides cannot satisfy that, so the source replaces normal impulses by their magnitudes (App. B), which makes C depend
//! on how axes are chosen. Here, in mode `consistent`,
//!
//! ```text
//! |z_i·dP_i| = |z_j·dP_j|        for every pair of contacts of one body
//! C_i = C_j                      for a pair without cancelling impulses (chains: p_left = p_right), and where 0 = 0
//! ```
//!
//! which is the source's constraint where pushing impulses can satisfy it, and "no net impulse along the line" where they
//! cannot; no choice of axes or order enters. Two contacts meet it exactly, together with Coulomb's law (`rest.rs` shows that a ratio
//! exists if μ_s = μ_k). More pairs than ratios (a block on four corners) are met by least squares over Σ C = 1, C ≥ 0. As each slipping
//! pair contributes (a_i C_i − a_j C_j)² with a ≥ 0, the minimum has C ≥ 0 by itself (the matrix is an M-matrix); a pair with a sticking
//! contact, whose friction depends on all C, has the sign that meets the rule best, the source's sign if both do. Without friction on a flat
//! face all pairs say 0 = 0, and C = 1.
//!
//! **End of an event.** Work of the normal forces W_n = Σ ∫ V_n dP_n (4.14); the event ends when they have given back e*² of what
//! they took, or for e* < 0 during compression, at W_n = (1 − e*²) W_nc. Contacts that still approach make another event,
//! with its own e*, together with those that touch; separated contacts feel it through W and may be hit again. With C ≥ 0 the
//! energy cannot rise: normal forces return at most what they took, and friction opposes slip.
//!
//! **Where that does not lead on.** Ratios that give approaching contacts nothing, or never end compression, leave the event to
//! the approaching contacts, then to the fastest alone, which is Routh's process with Stronge's ending. Impulses that only wedge a
//! body (W dP = 0) do no work: the event ends there. Contacts that hit each other without end are stopped after 50 rounds
//! by the frictionless plastic impact (`settle.rs`), and a note says so. e* < 0 holds for its own event only: later ones that
//! are not given have 0.
//!
//! **As published.** n − 1 pairs in the order of the contacts, normal impulses replaced by magnitudes: the first contact's normal
//! keeps its sense, and that of the next is reversed if the line between the points runs into both (the ball in a corner:
//! p_t1 + p_n1 − p_t2 − p_n2 = 0 with the wall's axis out of the body, (B.22)). A ratio below zero is an error. In the plane
//! the work is (4.7), the change of V_tᵀ(W⁺)_tn V_n + ½ V_nᵀ(W⁺)_nn V_n where W is singular; only the last compression
//! counts, and for e* < 0 the vertex of the first curve. A separated contact of a body that is hit again keeps its velocity
//! (the rocking block, Tables 6.2 and 6.3), which no impulse does: the velocities told then do not follow from the impulses,
//! and a note says so. Energy may rise.

mod events;
mod field;
mod log;
mod measure;
mod no_slip;
mod pairs;
mod piece;
mod ratios;
mod record;
mod rest;
mod settle;
mod simplex;
mod spatial;
mod straight;
mod tally;
mod turning;

pub use no_slip::NoSlip;
pub use tally::Ending;

use crate::course::{Clock, IslandHistory};
use crate::impact::Impact;
use crate::law::parameter::{Fallback, KINETIC_FRICTION, Kind, Parameter, STATIC_FRICTION, number};
use crate::law::{BoundLaw, Guarantees, Inapplicable, Law, Method, Promise, Promised, SeveralContacts};
use crate::outcome::{Note, Outcome, Solution};

/// Ratios of normal impulses and one energetic coefficient for each event.
#[derive(Clone, Debug, PartialEq)]
pub struct RodriguezBowling {
    /// e* of the first, second, … event, −1 to 1; later ones have the last, or 0 if that is negative.
    pub restitution: Vec<f64>,
    /// μ_s of every contact.
    pub static_friction: Vec<f64>,
    /// μ_k of every contact, at most μ_s.
    pub kinetic_friction: Vec<f64>,
    /// What ends an event.
    pub ending: Ending,
    /// Whether the source's own rules hold instead of the consistent ones.
    pub as_published: bool,
}

/// The most impact events that have a coefficient of their own.
const MOST_GIVEN: usize = 4;

impl RodriguezBowling {
    /// The outcome by the law's [equations](crate::laws::Law::equations).
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        if !(1..=MOST_GIVEN).contains(&self.restitution.len()) {
            return Err(Inapplicable::Parameters {
                expected: "one to four coefficients of restitution, one for each event",
            });
        }
        let n = impact.contacts();
        let event = |place: usize| vec![self.restitution.get(place).copied().unwrap_or(f64::NAN); n];
        let events: [Vec<f64>; MOST_GIVEN] = std::array::from_fn(event);
        let as_published = vec![f64::from(u8::from(self.as_published)); n];
        let ending = vec![if self.ending == Ending::Energy { 0.0 } else { 1.0 }; n];
        let mut columns: Vec<&[f64]> = events.iter().map(Vec::as_slice).collect();
        columns.extend([&*self.static_friction, &*self.kinetic_friction, &*as_published, &*ending]);
        BoundLaw::typed(&LAW, n, &columns)?.resolve(impact)
    }
}

const ONE_RESTITUTION: &str = "the contacts have different coefficients of restitution, but an impact event has one: that of the \
                               first contact";

const LATER: Fallback = Fallback::Derived("that of the event before, or 0 if that is negative");

const fn restitution(key: &'static str, symbol: &'static str, meaning: &'static str, fallback: Fallback) -> Parameter {
    number(key, symbol, meaning, (-1.0, 1.0), fallback)
}

pub(crate) const LAW: Law = Law {
    id: "rodriguez-bowling",
    name: "Rodriguez and Bowling's impact events",
    source: "A. Rodriguez, PhD thesis, UT Arlington 2014; A. Rodriguez and A. Bowling, Multibody Syst. Dyn. 28 (2012) 313",
    summary: "Lets the normal impulses grow in ratios that rigid-body constraints give, with Coulomb friction and one energetic \
              coefficient of restitution for each impact event.",
    equations: "dV = W dP,  dP_n,i = C_i dP,  dP_t,i = −μ_k C_i u_i slipping, |dP_t,i| ≤ μ_s C_i sticking\n\
                |z_i·dP_i| = |z_j·dP_j|,  z = null(W of the contacts i, j);  C_i = C_j if there is none\n\
                W_n = Σ ∫ V_n,i dP_n,i;  an event ends where W_n = (1 − e*²) W_nc; then the next, while some V_n,i < 0",
    caveats: "e* belongs to an event, not to a contact; negative values stop it during compression. Within an event separating \
              contacts go on receiving impulse. As published, ratios depend on the order of the contacts, may be infeasible, and \
              energy may rise.",
    parameters: &[
        restitution(
            "restitution",
            "e*",
            "energetic restitution of the first impact event, below 0 to end it during compression",
            Fallback::Required,
        ),
        restitution("restitution_2", "e*₂", "energetic restitution of the second event", LATER),
        restitution("restitution_3", "e*₃", "energetic restitution of the third event", LATER),
        restitution("restitution_4", "e*₄", "energetic restitution of the fourth event and all after it", LATER),
        STATIC_FRICTION,
        KINETIC_FRICTION,
        Parameter {
            key: "mode",
            symbol: "",
            meaning: "rules that cannot create energy and depend on no axes, or those of the source",
            kind: Kind::Choice(&["consistent", "as-published"]),
            fallback: Fallback::Value(0.0),
            leaves_plane: false,
        },
        Parameter {
            key: "ending",
            symbol: "",
            meaning: "what e* is about: the work of the normal forces, or the first contact's normal impulse",
            kind: Kind::Choice(&["energy", "ratio"]),
            fallback: Fallback::Value(0.0),
            leaves_plane: false,
        },
    ],
    guarantees: Guarantees {
        energy: Promise::If("consistent, ending by energy"),
        friction: Promise::If("consistent"),
        penetration: Promise::If("consistent"),
        tangential_restitution: Promise::No,
        spatial: Promise::Yes,
        unique: Promise::No,
    },
    consistency: Some(("static_friction of at least kinetic_friction", |p| p[4] >= p[5])),
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
        let mut restitution = vec![bound.whole(0)];
        restitution.extend((1..MOST_GIVEN).map(|place| bound.whole(place)).take_while(|e| !e.is_nan()));
        let mixed = bound.column(0).iter().any(|e| *e != restitution[0]);
        let law = RodriguezBowling {
            restitution,
            static_friction: bound.column(4),
            kinetic_friction: bound.column(5),
            as_published: bound.whole(6) == 1.0,
            ending: if bound.whole(7) == 0.0 { Ending::Energy } else { Ending::Ratio },
        };
        let solution = law.solve(impact, history)?;
        Ok(if mixed { solution.with_note(Note::Doubtful(ONE_RESTITUTION.into())) } else { solution })
    }

    fn promised(&self, _impact: &Impact, bound: &BoundLaw) -> Promised {
        let [consistent, by_energy] = [6, 7].map(|choice| bound.whole(choice) == 0.0);
        Promised { energy: consistent && by_energy, friction: consistent, penetration: consistent }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::NormalImpulse)
    }
}
