//! `spring-dashpot`: a linear spring and a linear dashpot in parallel (Kelvin and Voigt).
//!
//! Chatterjee 1997, 8.3, and 8.5 for elements along the eigenvectors of the mass. Along the normal
//!
//! ```text
//! F_n = −(k x + c dx/dt),   contact ends where F_n = 0 (not where x = 0)
//! ```
//!
//! so that the force starts with a jump to c |V_n|. Head-on, restitution depends on ζ = c/(2√(k m)) only:
//!
//! ```text
//! e = exp(−2 ζ acos(ζ)/√(1 − ζ²)),   ζ > 1: acosh and √(ζ² − 1)
//! ```
//!
//! The law is homogeneous of degree 1 in V; of degree 0 in mass only if the damping follows the mass.

use super::compliant::{Aligned, Element, Friction, Normal, Oblique, Tangent};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory};
use crate::design::damping_ratio;
use crate::law::parameter::{
    Fallback, KINETIC_FRICTION, Kind, Parameter, STATIC_FRICTION, STIFFNESS, STIFFNESS_RATIO, TANGENTIAL_DAMPING,
    number,
};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::ContactOutcome;
use nalgebra::{Matrix3, SymmetricEigen};

/// Spring and dashpot in parallel, along normal and tangents or along the eigenvectors of the mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDashpot {
    /// Normal stiffness k, N/m.
    pub stiffness: f64,
    /// Where the damping comes from.
    pub damping: Damping,
    /// Tangential over normal stiffness.
    pub stiffness_ratio: f64,
    /// Tangential damping, N s/m; `None` follows the damping: none along the contact's axes, tuned along eigenvectors.
    pub tangential_damping: Option<f64>,
    /// Coefficient of friction while sticking.
    pub static_friction: f64,
    /// Coefficient of friction while slipping.
    pub kinetic_friction: f64,
    /// Whether the elements lie along the eigenvectors of the mass instead of normal and tangents.
    pub along_eigenvectors: bool,
}

/// What determines a dashpot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// Its coefficient c, N s/m.
    Coefficient(f64),
    /// The restitution e of a head-on collision of the mass it carries.
    Restitution(f64),
}

impl Damping {
    fn coefficient(self, stiffness: f64, mass: f64) -> f64 {
        match self {
            Damping::Coefficient(c) => c,
            Damping::Restitution(e) => 2.0 * damping_ratio(e) * (stiffness * mass).sqrt(),
        }
    }
}

#[derive(Clone, Copy)]
struct KelvinVoigt {
    stiffness: f64,
    damping: f64,
}

impl Element for KelvinVoigt {
    fn normal(&self, compression: f64, rate: f64) -> Normal {
        Normal {
            force: self.stiffness * compression + self.damping * rate,
            by_compression: self.stiffness,
            by_rate: self.damping,
        }
    }
}

impl SpringDashpot {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let (damping, restitution) = match self.damping {
            Damping::Coefficient(damping) => (damping, 1.0),
            // The struct takes any restitution above 0, the parameter none that asks for an almost endless damping.
            Damping::Restitution(restitution) if restitution > 0.0 => (f64::NAN, restitution.max(LEAST_TUNED)),
            Damping::Restitution(restitution) => (f64::NAN, restitution),
        };
        let values = [
            self.stiffness,
            damping,
            restitution,
            self.stiffness_ratio,
            self.tangential_damping.unwrap_or(f64::NAN),
            self.static_friction,
            self.kinetic_friction,
            if self.along_eigenvectors { 1.0 } else { 0.0 },
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
        let friction = Friction { sticking: self.static_friction, slipping: self.kinetic_friction };
        if self.along_eigenvectors {
            return self.follow_eigenvectors(collision, friction, history);
        }
        let mass = collision.inverse_mass()[(0, 0)].recip();
        let element =
            KelvinVoigt { stiffness: self.stiffness, damping: self.damping.coefficient(self.stiffness, mass) };
        let tangent = Tangent {
            stiffness: self.stiffness * self.stiffness_ratio,
            damping: self.tangential_damping.unwrap_or(0.0),
        };
        let time = time(mass, self.stiffness, element.damping);
        Aligned::new(collision, element, tangent, friction, time).follow(history)
    }

    fn follow_eigenvectors(
        &self,
        collision: &Collision,
        friction: Friction,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if collision.is_singular() {
            return Err(Inapplicable::InfiniteMass);
        }
        let eigen = SymmetricEigen::new(*collision.inverse_mass());
        let upright = eigen.eigenvectors.row(0).transpose().iamax();
        let (mut k, mut c) = (Matrix3::zeros(), Matrix3::zeros());
        let mut shortest = f64::INFINITY;
        for i in 0..3 {
            let (d, mass) = (eigen.eigenvectors.column(i), eigen.eigenvalues[i].recip());
            let stiffness = self.stiffness * if i == upright { 1.0 } else { self.stiffness_ratio };
            let own = if i == upright { None } else { self.tangential_damping };
            let damping = own.unwrap_or_else(|| self.damping.coefficient(stiffness, mass));
            let dyad = d * d.transpose();
            k += dyad * stiffness;
            c += dyad * damping;
            shortest = shortest.min(time(mass, stiffness, damping));
        }
        Oblique::new(collision, k, c, friction).follow(shortest, history)
    }
}

/// The time a mass takes to be stopped by a spring and a dashpot.
fn time(mass: f64, stiffness: f64, damping: f64) -> f64 {
    1.0 / ((stiffness / mass).sqrt() + damping / mass)
}

const DAMPING: Parameter = number(
    "damping",
    "c",
    "coefficient of the normal dashpot, N s/m",
    (0.0, 1e30),
    Fallback::Derived("what gives `restitution` head-on"),
);

/// The least restitution that the parameter tunes a dashpot to.
const LEAST_TUNED: f64 = 0.01;

/// Restitution as a way to choose the damping: an ever stronger dashpot tends to 0 but never gets there.
const TUNED_RESTITUTION: Parameter = number(
    "restitution",
    "e",
    "restitution of a head-on collision; chooses the damping where that is not given",
    (LEAST_TUNED, 1.0),
    Fallback::Value(1.0),
);

const AXES: Parameter = Parameter {
    key: "axes",
    symbol: "d",
    meaning: "directions of the elements: normal and tangents, or the eigenvectors of the mass",
    kind: Kind::Choice(&["contact", "eigenvectors"]),
    fallback: Fallback::Value(0.0),
    leaves_plane: false,
};

pub(super) const LAW: Law = Law {
    id: "spring-dashpot",
    name: "Linear spring and dashpot (Kelvin–Voigt)",
    source: "A. Chatterjee, Rigid Body Collisions, PhD thesis, Cornell, 1997, 8.3 and 8.5",
    summary: "Spring and dashpot in parallel in all directions, Coulomb friction at the massless contact point.",
    equations: "F = −(K x + C dx/dt), dx/dt = V − u, u: slip of the contact point\n\
                |F_t| ≤ μ_s F_n while it sticks, F_t = −μ_k F_n u/|u| while it slips\n\
                contact ends where F_n = 0\n\
                head-on: e = exp(−2 ζ acos(ζ)/√(1 − ζ²)), ζ = c/(2√(k m))",
    caveats: "The force jumps at first touch. A fixed damping makes restitution depend on the mass. Along eigenvectors the \
              motion need not be unique, which is reported.",
    parameters: &[
        STIFFNESS,
        DAMPING,
        TUNED_RESTITUTION,
        STIFFNESS_RATIO,
        TANGENTIAL_DAMPING,
        STATIC_FRICTION.finite(),
        KINETIC_FRICTION.finite(),
        AXES,
    ],
    guarantees: Guarantees { unique: Promise::If("yes, along the contact's axes"), ..Guarantees::ALL },
    consistency: Some((
        "along eigenvectors either every dashpot or none: `damping` and `tangential_damping` both positive or both zero",
        |p| {
            let damped = p[1].is_nan() && p[2] < 1.0 || p[1] > 0.0;
            p[7] == 0.0 || p[4].is_nan() || damped == (p[4] > 0.0)
        },
    )),
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
        SpringDashpot {
            stiffness: p[0],
            damping: if p[1].is_nan() { Damping::Restitution(p[2]) } else { Damping::Coefficient(p[1]) },
            stiffness_ratio: p[3],
            tangential_damping: Some(p[4]).filter(|c| !c.is_nan()),
            static_friction: p[5],
            kinetic_friction: p[6],
            along_eigenvectors: p[7] == 1.0,
        }
        .follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}
