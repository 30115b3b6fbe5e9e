//! Whether a rigid law is justified (Chatterjee 1997, 9.3.2).
//!
//! A mode that is fast and damped follows the contact force as a spring would, a_k = −A_k F/λ_k, that is q = g·F/ω². Then
//! its velocity g·Ḟ/ω² is of the order (period/contact time)² of the velocities of the collision, the contact feels
//! the rigid motion alone, and the bodies are rigid against forces. What counts is therefore the speed at which the contact
//! point vibrates.

use std::fmt;

/// How rigid the bodies were in a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigidity {
    /// Greatest speed at which vibration moved the contact point along the normal, relative to the speed of approach; 0
    /// for rigid bodies.
    pub response: f64,
    /// Energy left in vibration relative to the energy of approach ½V_n²/W_nn.
    pub energy_share: f64,
    /// Time from first touch to last in periods of the slowest mode; none without modes, and 0 for one impulse that takes no
    /// time.
    pub periods: Option<f64>,
    /// How often the bodies touched.
    pub touches: usize,
}

/// Vibration slower than this share of the approach changes the contact force by about as much.
const SMALL_RESPONSE: f64 = 0.1;
/// A loss of energy below this share changes a coefficient of restitution by half as much.
const SMALL_SHARE: f64 = 0.01;

impl Rigidity {
    /// Whether the motion at the contact was that of rigid bodies, so that a rigid law is justified at every instant.
    pub fn is_rigid(&self) -> bool {
        self.touches <= 1 && self.response <= SMALL_RESPONSE && self.energy_share <= SMALL_SHARE
    }
}

impl fmt::Display for Rigidity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (response, share) = (100.0 * self.response, 100.0 * self.energy_share);
        if self.is_rigid() {
            write!(f, "a rigid law is justified: ")?;
        } else {
            write!(f, "a rigid law is not justified: ")?;
        }
        match self.touches {
            0 => write!(f, "no contact")?,
            1 => write!(f, "one contact")?,
            n => write!(f, "{n} contacts")?,
        }
        write!(
            f,
            ", the contact vibrates at {response:.1} % of the speed of approach, {share:.1} % of its energy is left"
        )?;
        match self.periods {
            Some(periods) => write!(f, " in vibration, the collision lasts {periods:.2} periods of the slowest mode"),
            None => write!(f, " in vibration"),
        }
    }
}
