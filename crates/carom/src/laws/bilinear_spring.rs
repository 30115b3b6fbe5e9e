//! `bilinear-spring`: a spring that gives back the fraction e² of the energy it took.
//!
//! Chatterjee 1997, 8.4. Loading is F = k x up to the greatest compression x_m, then
//!
//! ```text
//! steep    F = k x_m − (k/e²)(x_m − x), zero at x = (1 − e²) x_m       model 1 (Drake & Walton, Stronge)
//! shallow  F = e² k x, zero at x = 0, after a drop of F at x_m         model 2
//! ```
//!
//! Both have the energetic restitution e, and are homogeneous in V and M. e = 0 ends the collision at x_m.
//!
//! The source leaves open what reloading does. Here a contact that is compressed again climbs the line it came down, up to
//! x_m, and from there loads as before.

use super::compliant::{Aligned, Element, Friction, Normal, Tangent};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory};
use crate::design::Unloading;
use crate::law::parameter::{
    Fallback, KINETIC_FRICTION, Kind, Parameter, RESTITUTION, STATIC_FRICTION, STIFFNESS, STIFFNESS_RATIO,
};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;

/// A normal spring of energetic restitution with an elastic tangential spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BilinearSpring {
    /// Energetic restitution e, 0 to 1.
    pub restitution: f64,
    /// Normal stiffness k while loading, N/m.
    pub stiffness: f64,
    /// Tangential stiffness over `stiffness`.
    pub stiffness_ratio: f64,
    /// Coefficient of friction while sticking.
    pub static_friction: f64,
    /// Coefficient of friction while slipping.
    pub kinetic_friction: f64,
    /// How the spring unloads.
    pub unloading: Unloading,
}

#[derive(Clone, Copy)]
struct Hysteresis {
    stiffness: f64,
    /// e².
    returned: f64,
    unloading: Unloading,
    /// Greatest compression so far, while below it.
    crest: Option<f64>,
    parting: bool,
}

impl Element for Hysteresis {
    fn normal(&self, compression: f64, _: f64) -> Normal {
        let k = self.stiffness;
        let (force, by_compression) = match (self.crest, self.unloading) {
            (None, _) => (k * compression, k),
            (Some(_), _) if self.returned == 0.0 => (0.0, 0.0),
            (Some(crest), Unloading::Steep) => {
                let slope = k / self.returned;
                (k * crest - slope * (crest - compression), slope)
            }
            (Some(_), Unloading::Shallow) => (self.returned * k * compression, self.returned * k),
        };
        Normal { force, by_compression, by_rate: 0.0 }
    }

    fn turn(&mut self, parting: bool, compression: f64) {
        self.parting = parting;
        if parting && self.crest.is_none() {
            self.crest = Some(compression);
        }
    }

    fn limit(&self, compression: f64) -> f64 {
        match self.crest {
            Some(crest) if !self.parting => crest - compression,
            _ => 1.0,
        }
    }

    fn switch(&mut self) {
        self.crest = None;
    }
}

impl BilinearSpring {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(
            &[
                self.restitution,
                self.stiffness,
                self.stiffness_ratio,
                self.static_friction,
                self.kinetic_friction,
                if self.unloading == Unloading::Steep { 0.0 } else { 1.0 },
            ],
            collision,
        )
    }

    pub(super) fn follow(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let element = Hysteresis {
            stiffness: self.stiffness,
            returned: self.restitution * self.restitution,
            unloading: self.unloading,
            crest: None,
            parting: false,
        };
        let tangent = Tangent { stiffness: self.stiffness * self.stiffness_ratio, damping: 0.0 };
        let friction = Friction { sticking: self.static_friction, slipping: self.kinetic_friction };
        let time = 1.0 / (self.stiffness * collision.inverse_mass()[(0, 0)]).sqrt();
        Aligned::new(collision, element, tangent, friction, time).follow(history)
    }
}

const UNLOADING: Parameter = Parameter {
    key: "unloading",
    symbol: "",
    meaning: "steeper than loading to a lasting compression (model 1), or shallower to none (model 2)",
    kind: Kind::Choice(&["steep", "shallow"]),
    fallback: Fallback::Value(0.0),
    leaves_plane: false,
};

pub(super) const LAW: Law = Law {
    id: "bilinear-spring",
    name: "Bilinear spring",
    source: "A. Chatterjee, Rigid Body Collisions, PhD thesis, Cornell, 1997, 8.4; after Drake & Walton 1992 and W. J. \
             Stronge",
    summary: "A hysteretic normal spring of energetic restitution e with an elastic tangential spring.",
    equations: "loading F_n = k x up to x_m\n\
                steep unloading F_n = k x_m − (k/e²)(x_m − x), shallow unloading F_n = e² k x\n\
                reloading along the line of unloading up to x_m, then along k x\n\
                tangential spring k_t, Coulomb friction at the massless contact point\n\
                contact ends where F_n = 0",
    caveats: "The rule for reloading is a choice the source leaves open. Shallow unloading drops the force at once and lasts \
              long for small e; under strong coupling the drop can chatter against friction, which is refused.",
    parameters: &[RESTITUTION, STIFFNESS, STIFFNESS_RATIO, STATIC_FRICTION, KINETIC_FRICTION, UNLOADING],
    guarantees: Guarantees::ALL,
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
        BilinearSpring {
            restitution: p[0],
            stiffness: p[1],
            stiffness_ratio: p[2],
            static_friction: p[3],
            kinetic_friction: p[4],
            unloading: if p[5] == 0.0 { Unloading::Steep } else { Unloading::Shallow },
        }
        .follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}
