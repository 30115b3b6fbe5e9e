//! The laws for several contacts at once, one file or folder each.

mod compliant_network;
mod follow;
mod liu_zhao_brogliato;
mod newton_lcp;
mod poisson_lcp;
mod rakshit_chatterjee;
mod rodriguez_bowling;
mod sequential;

pub use compliant_network::CompliantNetwork;
pub use liu_zhao_brogliato::LiuZhaoBrogliato;
pub use newton_lcp::NewtonLcp;
pub use poisson_lcp::PoissonLcp;
pub use rakshit_chatterjee::{FrictionCone, RakshitChatterjee};
pub use rodriguez_bowling::{Ending, NoSlip, RodriguezBowling};
pub use sequential::{Order, Sequential};

use crate::law::Law;
use crate::outcome::Note;
use crate::solve::shortest::Shortest;

/// Every law for several contacts, in the order of the catalogue.
pub static SEVERAL: &[Law] = &[
    newton_lcp::LAW,
    poisson_lcp::LAW,
    rakshit_chatterjee::LAW,
    rodriguez_bowling::LAW,
    liu_zhao_brogliato::LAW,
    sequential::LAW,
    compliant_network::LAW,
];

/// The note that other impulses lead to the same velocities.
pub(super) fn note_of_shortest(least: &Shortest) -> Note {
    if least.found {
        Note::Indeterminate { freedom: least.freedom }
    } else {
        Note::Doubtful("other impulses give the same motion, perhaps shorter ones than these".into())
    }
}
