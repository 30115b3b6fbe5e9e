//! The laws: each is one file, listed once in [`ALL`].

pub(crate) mod bound;
pub(crate) mod check;
mod inapplicable;
pub(crate) mod law;
pub(crate) mod parameter;

mod accessible;
mod bilinear;
mod bilinear_spring;
mod brach;
mod chatterjee_1;
mod chatterjee_2;
mod chatterjee_3;
mod chatterjee_combined;
mod compliant;
mod hertz;
mod hertz_mindlin;
mod ivanov;
mod ivanov_potential;
mod lai;
mod newton;
mod nonlinear_dashpot;
mod pfeiffer_glocker;
mod routh;
mod smith;
mod split_mass;
mod spring_dashpot;
mod stronge_compliant;
mod whittaker;

pub use crate::cone_edge::ROUGH;
pub use crate::design::Unloading;
pub use accessible::Accessible;
pub use bilinear::Bilinear;
pub use bilinear_spring::BilinearSpring;
pub use bound::BoundLaw;
pub use brach::Brach;
pub use chatterjee_1::Chatterjee1;
pub use chatterjee_2::Chatterjee2;
pub use chatterjee_3::Chatterjee3;
pub use chatterjee_combined::ChatterjeeCombined;
pub use hertz::Hertz;
pub use hertz_mindlin::{Discretisation, HertzMindlin};
pub use inapplicable::Inapplicable;
pub use ivanov::{Direction, Ivanov};
pub use ivanov_potential::IvanovPotential;
pub use lai::{Lai, Springs};
pub use law::{Guarantees, Law, Promise};
pub use newton::Newton;
pub use nonlinear_dashpot::NonlinearDashpot;
pub use parameter::{Fallback, Kind, Parameter};
pub use pfeiffer_glocker::PfeifferGlocker;
pub use routh::{Routh, Termination};
pub use smith::Smith;
pub use split_mass::{DeadCollision, SplitMass};
pub use spring_dashpot::{Damping, SpringDashpot};
pub use stronge_compliant::StrongeCompliant;
pub use whittaker::Whittaker;

use crate::error::Error;
use crate::impact;

/// Every law for one contact, in the order of the catalogue; those for several are [`impact::LAWS`].
pub static ALL: &[Law] = &[
    newton::LAW,
    whittaker::LAW,
    smith::LAW,
    brach::LAW,
    bilinear::LAW,
    routh::POISSON,
    routh::NEWTON,
    routh::STRONGE,
    pfeiffer_glocker::LAW,
    chatterjee_1::LAW,
    chatterjee_2::LAW,
    chatterjee_3::LAW,
    chatterjee_combined::LAW,
    ivanov::LAW,
    accessible::LAW,
    spring_dashpot::LAW,
    nonlinear_dashpot::LAW,
    bilinear_spring::LAW,
    split_mass::LAW,
    stronge_compliant::LAW,
    ivanov_potential::LAW,
    hertz::LAW,
    hertz_mindlin::LAW,
    lai::LAW,
];

/// Every law: those for one contact, then those for several.
pub fn every() -> impl Iterator<Item = &'static Law> {
    ALL.iter().chain(impact::LAWS)
}

/// The law with this id.
///
/// ```
/// assert_eq!(carom::laws::find("chatterjee-2").unwrap().name, "Chatterjee's law II");
/// assert!(carom::laws::find("chaterjee-2").is_err());
/// ```
pub fn find(id: &str) -> Result<&'static Law, Error> {
    every().find(|law| law.id == id).ok_or_else(|| Error::UnknownLaw { id: id.to_owned() })
}
