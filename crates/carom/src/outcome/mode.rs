//! What a contact did.

use nalgebra::Vector3;
use std::fmt;

/// What the contact did during the collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Mode {
    /// The contact points move apart and no impulse acts.
    Separating,
    /// The contact points neither approach nor part, and no impulse acts.
    Touching,
    /// No friction acted.
    Frictionless,
    /// Friction at its limit throughout, slip in one direction (or from rest).
    Sliding,
    /// The slip stopped.
    Sticking,
    /// Friction stayed below its limit though the contact slips afterwards, as tangential restitution makes it.
    InsideCone,
    /// Friction at its limit, slip direction reversed.
    ReversedSliding,
    /// Slip stopped during compression and stayed stopped.
    CSticking,
    /// Slip stopped during restitution and stayed stopped.
    RSticking,
    /// Slip stopped during compression and went on in another direction.
    CReversedSliding,
    /// Slip stopped during restitution and went on in another direction.
    RReversedSliding,
}

/// Friction this close to its limit, relative to μ P_n, is at its limit.
pub(crate) const AT_THE_LIMIT: f64 = 1e-12;
/// A slip below this fraction of the speeds of the impact has stopped.
pub(crate) const STOPPED: f64 = 1e-9;

/// The change at one contact, from which its mode is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// Relative velocity before, contact frame, m/s.
    pub before: Vector3<f64>,
    /// Impulse, contact frame, kg m/s.
    pub impulse: Vector3<f64>,
    /// Relative velocity after, contact frame, m/s.
    pub after: Vector3<f64>,
    /// The greatest coefficient of friction at the contact.
    pub friction: f64,
    /// The greatest relative velocity of the impact, at all its contacts, m/s.
    pub speed: f64,
    /// Whether the law can give back tangential velocity. Without that, friction opposes the slip at every instant: a contact
    /// that slips afterwards slid, even where its friction cancels in part because the slip turned or reversed.
    pub restores_slip: bool,
}

impl Mode {
    /// The mode of a contact, the same for every law and command that knows no more than the change.
    pub fn of_contact(change: &ContactChange) -> Mode {
        let ContactChange { before, impulse, after, friction, speed, restores_slip } = change;
        let (normal, tangential) = (impulse.x, length(&impulse.as_slice()[1..]));
        if *impulse == Vector3::zeros() {
            if before.x > 0.0 { Mode::Separating } else { Mode::Touching }
        } else if *friction == 0.0 && tangential == 0.0 {
            Mode::Frictionless
        } else if length(&after.as_slice()[1..]) <= STOPPED * speed {
            Mode::Sticking
        } else if *restores_slip && tangential < friction * normal * (1.0 - AT_THE_LIMIT) {
            Mode::InsideCone
        } else if after.yz().dot(&before.yz()) < 0.0 {
            Mode::ReversedSliding
        } else {
            Mode::Sliding
        }
    }

    /// The name used in every output, for instance `c-sticking`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Separating => "separating",
            Mode::Touching => "touching",
            Mode::Frictionless => "frictionless",
            Mode::Sliding => "sliding",
            Mode::Sticking => "sticking",
            Mode::InsideCone => "inside-cone",
            Mode::ReversedSliding => "reversed-sliding",
            Mode::CSticking => "c-sticking",
            Mode::RSticking => "r-sticking",
            Mode::CReversedSliding => "c-reversed-sliding",
            Mode::RReversedSliding => "r-reversed-sliding",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The length of a vector, also where its square overflows.
pub(super) fn length(components: &[f64]) -> f64 {
    let length = components.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length.is_finite() { length } else { components.iter().fold(0.0, |sum, x| x.hypot(sum)) }
}
