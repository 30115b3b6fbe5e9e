//! Parameters of a law: key, meaning, bounds, default.

use std::f64::consts::PI;

/// One parameter of a law, as the scenario file, the catalogue and the bindings know it.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key in `[[contact]]`, `[collision]` or `[law]`.
    pub key: &'static str,
    /// The letter the source uses.
    pub symbol: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// The values it may take.
    pub kind: Kind,
    /// What holds when it is not given.
    pub fallback: Fallback,
    /// Whether any value but zero leads out of the plane of a planar collision.
    pub leaves_plane: bool,
}

/// The values a parameter may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A finite number between two bounds, both included; a least value of [`f64::MIN_POSITIVE`] stands for “above 0”.
    Number {
        /// Least value.
        least: f64,
        /// Greatest value.
        greatest: f64,
    },
    /// One of these words; as a number, its place in the list.
    Choice(&'static [&'static str]),
}

/// What holds when a parameter is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fallback {
    /// It must be given.
    Required,
    /// This value.
    Value(f64),
    /// The value of another key.
    SameAs(&'static str),
    /// What the law works out, as this says. The law's kernel sees it as NaN.
    Derived(&'static str),
}

impl Parameter {
    /// Coefficient of normal restitution, 0 to 1.
    pub const RESTITUTION: Parameter = RESTITUTION;
    /// Coulomb's coefficient of friction, at least 0.
    pub const FRICTION: Parameter = FRICTION;

    /// A number between two bounds, both included, that must be given.
    pub const fn number(key: &'static str, meaning: &'static str, least: f64, greatest: f64) -> Parameter {
        number(key, "", meaning, (least, greatest), Fallback::Required)
    }

    /// The same with a value that holds when it is not given.
    #[must_use]
    pub const fn with_default(self, value: f64) -> Parameter {
        Parameter { fallback: Fallback::Value(value), ..self }
    }

    pub(crate) const fn leaving_plane(self) -> Parameter {
        Parameter { leaves_plane: true, ..self }
    }

    /// A coefficient of friction for a law without a limit at infinity.
    pub(crate) const fn finite(self) -> Parameter {
        self.at_most(f64::MAX)
    }

    /// A coefficient of friction for a law that loses its digits beyond some value.
    pub(crate) const fn at_most(self, greatest: f64) -> Parameter {
        Parameter { kind: Kind::Number { least: 0.0, greatest }, ..self }
    }

    /// Whether infinity is a value: that of a coefficient of friction, whose limit the law computes with [`ROUGH`](crate::laws::ROUGH).
    pub fn takes_infinity(&self) -> bool {
        let is_friction = matches!(self.key, "friction" | "static_friction" | "kinetic_friction");
        is_friction && matches!(self.kind, Kind::Number { greatest: f64::INFINITY, .. })
    }

    /// Whether a number is a value of this parameter.
    pub fn accepts(&self, value: f64) -> bool {
        match self.kind {
            Kind::Number { least, greatest } => {
                (value.is_finite() || (self.takes_infinity() && value == f64::INFINITY))
                    && (least..=greatest).contains(&value)
            }
            Kind::Choice(words) => value >= 0.0 && value.fract() == 0.0 && value < words.len() as f64,
        }
    }

    /// What is expected of a value, for messages.
    pub(crate) fn expectation(&self) -> &'static str {
        match self.kind {
            Kind::Number { least: 0.0, .. } if self.takes_infinity() => "a number of at least 0, or inf",
            Kind::Number { least: 0.0, greatest: 1.0 } => "a number from 0 to 1",
            Kind::Number { least: 0.0, greatest: 1e9 } => "a number from 0 to 1e9",
            Kind::Number { least: -1.0, greatest: 1.0 } => "a number from -1 to 1",
            Kind::Number { least: 0.0, .. } => "a finite number of at least 0",
            Kind::Number { least: f64::MIN_POSITIVE, .. } => "a finite number above 0",
            Kind::Number { .. } => "a number in the range that `carom laws` lists",
            Kind::Choice(_) => "one of the law's choices",
        }
    }

    /// The values it may take, in words.
    pub fn range(&self) -> String {
        match self.kind {
            Kind::Number { greatest: PI, .. } => "−π to π".to_owned(),
            Kind::Number { least, .. } if self.takes_infinity() => format!("at least {}, or inf", bound(least)),
            Kind::Number { least: f64::MIN_POSITIVE, greatest: f64::INFINITY } => "above 0".to_owned(),
            Kind::Number { least, greatest } => match (least.is_finite(), greatest < f64::MAX) {
                (true, true) => format!("{} to {}", bound(least), bound(greatest)),
                (true, false) => format!("at least {}", bound(least)),
                (false, true) => format!("at most {}", bound(greatest)),
                (false, false) => "any number".to_owned(),
            },
            Kind::Choice(words) => words.join(" | "),
        }
    }
}

/// A bound as people write it: far ones with a power of ten.
fn bound(value: f64) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}

pub(crate) const fn number(
    key: &'static str,
    symbol: &'static str,
    meaning: &'static str,
    (least, greatest): (f64, f64),
    fallback: Fallback,
) -> Parameter {
    Parameter { key, symbol, meaning, kind: Kind::Number { least, greatest }, fallback, leaves_plane: false }
}

pub(crate) const RESTITUTION: Parameter =
    number("restitution", "e", "coefficient of normal restitution", (0.0, 1.0), Fallback::Required);

pub(crate) const TANGENTIAL_RESTITUTION: Parameter = number(
    "tangential_restitution",
    "r_t",
    "tangential restitution: −1 leaves the slip, 0 stops it, 1 reverses it",
    (-1.0, 1.0),
    Fallback::Value(0.0),
);

/// Tangential restitution of laws with a phase of compression and one of expansion.
pub(crate) const RETURNED_TANGENTIAL: Parameter = number(
    "tangential_restitution",
    "e_t",
    "share of the tangential compression impulse given back",
    (0.0, 1.0),
    Fallback::Value(0.0),
);

/// ν of the same laws.
pub(crate) const STORED_FRICTION: Parameter = number(
    "stored_friction",
    "ν",
    "share of the friction limit that stores tangential impulse",
    (0.0, 1.0),
    Fallback::Value(1.0),
);

pub(crate) const FRICTION: Parameter =
    number("friction", "μ", "Coulomb's coefficient of friction", (0.0, f64::INFINITY), Fallback::Required);

pub(crate) const STATIC_FRICTION: Parameter = number(
    "static_friction",
    "μ_s",
    "coefficient of friction while sticking",
    (0.0, f64::INFINITY),
    Fallback::SameAs("friction"),
);

pub(crate) const KINETIC_FRICTION: Parameter = number(
    "kinetic_friction",
    "μ_k",
    "coefficient of friction while slipping",
    (0.0, f64::INFINITY),
    Fallback::SameAs("friction"),
);

pub(crate) const STIFFNESS: Parameter =
    number("stiffness", "k", "normal stiffness of the contact, N/m", (1e-30, 1e30), Fallback::Required);

/// k_t/k_n of two like elastic spheres, 2(1 − ν)/(2 − ν), at ν = 0.3.
pub(crate) const STIFFNESS_RATIO: Parameter = number(
    "stiffness_ratio",
    "k_t/k",
    "tangential stiffness over normal stiffness",
    (1e-6, 1e6),
    Fallback::Value(14.0 / 17.0),
);

pub(crate) const TANGENTIAL_DAMPING: Parameter = number(
    "tangential_damping",
    "c_t",
    "coefficient of the tangential dashpot, N s/m",
    (0.0, 1e30),
    Fallback::Derived("none; along eigenvectors tuned like the normal one"),
);

/// Any number above 0.
pub(crate) const POSITIVE: (f64, f64) = (f64::MIN_POSITIVE, f64::INFINITY);

pub(crate) const YOUNGS_MODULUS: Parameter = number(
    "youngs_modulus",
    "E*",
    "reduced modulus of the two bodies, 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂, Pa",
    POSITIVE,
    Fallback::Required,
);

pub(crate) const POISSON_RATIO: Parameter = number(
    "poisson_ratio",
    "ν",
    "Poisson's ratio, that of the pair if the bodies differ",
    (-1.0, 0.5),
    Fallback::Required,
);

pub(crate) const RADIUS: Parameter =
    number("radius", "R", "radius of relative curvature, 1/R = 1/R₁ + 1/R₂, m", POSITIVE, Fallback::Required);

pub(crate) const YIELD_STRESS: Parameter = number(
    "yield_stress",
    "Y",
    "yield stress of the weaker body, for a warning if it yields, Pa",
    POSITIVE,
    Fallback::Derived("no warning"),
);

pub(crate) const WAVE_SPEED: Parameter = number(
    "wave_speed",
    "c",
    "speed of elastic waves in the slower body, for a warning if waves take part, m/s",
    POSITIVE,
    Fallback::Derived("no warning"),
);
