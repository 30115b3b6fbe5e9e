//! The laws: each is one file, listed once in [`ALL`].

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
mod own;
mod pfeiffer_glocker;
mod routh;
pub(crate) mod several;
mod smith;
mod split_mass;
mod spring_dashpot;
mod stronge_compliant;
mod whittaker;

pub use crate::cone_edge::ROUGH;
pub use crate::design::Unloading;
pub use crate::law::{
    Answered, BoundLaw, Fallback, Guarantees, Inapplicable, Kind, Law, OneContact, Parameter, Posed, Promise,
    SeveralContacts, Wedge,
};
pub use accessible::Accessible;
pub use bilinear::Bilinear;
pub use bilinear_spring::BilinearSpring;
pub use brach::Brach;
pub use chatterjee_1::Chatterjee1;
pub use chatterjee_2::Chatterjee2;
pub use chatterjee_3::Chatterjee3;
pub use chatterjee_combined::ChatterjeeCombined;
pub use hertz::Hertz;
pub use hertz_mindlin::{Discretisation, HertzMindlin};
pub use ivanov::{Direction, Ivanov};
pub use ivanov_potential::IvanovPotential;
pub use lai::{Lai, Springs};
pub use newton::Newton;
pub use nonlinear_dashpot::NonlinearDashpot;
pub use own::OwnLaw;
pub use pfeiffer_glocker::PfeifferGlocker;
pub use routh::{Routh, Termination};
pub use several::{
    CompliantNetwork, Ending, FrictionCone, LiuZhaoBrogliato, NewtonLcp, NoSlip, Order, PoissonLcp, RakshitChatterjee,
    RodriguezBowling, SEVERAL, Sequential,
};
pub use smith::Smith;
pub use split_mass::{DeadCollision, SplitMass};
pub use spring_dashpot::{Damping, SpringDashpot};
pub use stronge_compliant::StrongeCompliant;
pub use whittaker::Whittaker;

pub(crate) use routh::outgoing_direction;

use crate::error::Error;

/// Every law for one contact, in the order of the catalogue; those for several are [`SEVERAL`].
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
    ALL.iter().chain(SEVERAL)
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

impl Law {
    /// Refuses static and kinetic friction that differ if the law takes one coefficient of friction only.
    pub fn check_frictions(&self, static_friction: f64, kinetic_friction: f64) -> Result<(), Error> {
        let takes = |law: &Law, key: &str| law.parameters.iter().any(|parameter| parameter.key == key);
        if !takes(self, "friction") || static_friction == kinetic_friction {
            return Ok(());
        }
        let takes_both = |law: &&Law| takes(law, "kinetic_friction") && law.is_simultaneous() == self.is_simultaneous();
        let others = every().filter(takes_both).map(|law| law.id).collect();
        Err(Error::SingleFriction { law: self.id, static_friction, kinetic_friction, others })
    }
}
