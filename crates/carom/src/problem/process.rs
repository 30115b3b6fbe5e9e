//! Wang & Mason's planar impact process (1992, 3.1 to 3.4): coefficients, critical frictions and Table 1.
//!
//! With x along t and y along n the paper writes
//!
//! ```text
//! S = S_o + B₁ P_x − B₃ P_y        C = C_o − B₃ P_x + B₂ P_y                     (17), (18)
//! ```
//!
//! so B₁ = W_tt, B₂ = W_nn and B₃ = −W_nt. The line of sticking S = 0 meets the line of termination C = −e C_o at D and the
//! line of greatest compression C = 0 at Q; solving (17) and (18) for P gives P_x/P_y there,
//!
//! ```text
//! ((1 + e) B₃ C_o + B₂ S_o)/((1 + e) B₁ C_o + B₃ S_o)                             (32), (33) with e = 0
//! ```
//!
//! Limiting friction moves along P_x = −s μ P_y, s the sign of S_o, so the friction at which it passes through D or Q is −s times
//! this ratio. The paper prints the ratio itself, for S_o < 0.

use crate::collision::Section;
use crate::error::{Error, finite, non_negative};
use crate::outcome::Mode;

/// The coefficients of a planar impact and its initial velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactProcess {
    /// B₁ = W_tt, 1/kg.
    pub b1: f64,
    /// B₂ = W_nn, 1/kg.
    pub b2: f64,
    /// B₃ = −W_nt, 1/kg.
    pub b3: f64,
    /// S_o, the slip before, m/s.
    pub sliding: f64,
    /// C_o, the normal velocity before, m/s; negative for approach.
    pub compression: f64,
}

impl ImpactProcess {
    /// The process of a planar collision.
    ///
    /// ```
    /// use carom::{Collision, problem::ImpactProcess};
    /// // Wang & Mason's case 3: S_o = C_o = −1.
    /// let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, -1.0]).unwrap();
    /// let process = ImpactProcess::of(&rod.planar_section().unwrap());
    /// assert!((process.critical_friction(0.3)?.unwrap() - 0.9368).abs() < 5e-5);
    /// assert!((process.critical_friction(0.0)?.unwrap() - 1.0).abs() < 1e-15);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn of(section: &Section) -> ImpactProcess {
        ImpactProcess {
            b1: section.inverse_mass[(1, 1)],
            b2: section.inverse_mass[(0, 0)],
            b3: -section.inverse_mass[(0, 1)],
            sliding: section.velocity.y,
            compression: section.velocity.x,
        }
    }

    /// μ_s = −B₃/B₁ (34): friction above |μ_s| holds a contact that has stopped slipping. `None` where nothing moves along t.
    pub fn sticking_friction(&self) -> Option<f64> {
        (self.b1 > 0.0).then(|| -self.b3 / self.b1)
    }

    /// The least friction that stops the slip before the normal velocity is −e C_o: μ_d (32), and μ_q (33) for e = 0. Negative if
    /// the slip stops even without friction; `None` if no friction stops it.
    pub fn critical_friction(&self, restitution: f64) -> Result<Option<f64>, Error> {
        non_negative("restitution", restitution)?;
        let grown = (1.0 + restitution) * self.compression;
        let below = grown * self.b1 + self.b3 * self.sliding;
        finite("W and V of the process, with the restitution", &[below])?;
        if below >= 0.0 {
            return Ok(None);
        }
        let critical = -self.sign() * (grown * self.b3 + self.b2 * self.sliding) / below;
        finite("critical friction", &[critical])?;
        Ok(Some(critical))
    }

    /// P_d = (B₂ + s μ B₃) s S_o (35).
    pub fn p_d(&self, friction: f64) -> Result<f64, Error> {
        non_negative("friction", friction)?;
        let p_d = (self.b2 + self.sign() * friction * self.b3) * self.sign() * self.sliding;
        finite("P_d", &[p_d])?;
        Ok(p_d)
    }

    /// P_q = −(μ B₁ + s B₃) C_o (36).
    pub fn p_q(&self, friction: f64) -> Result<f64, Error> {
        non_negative("friction", friction)?;
        let p_q = -(friction * self.b1 + self.sign() * self.b3) * self.compression;
        finite("P_q", &[p_q])?;
        Ok(p_q)
    }

    /// The contact mode of an impact that meets (C_o < 0), by Table 1 and for direct impacts by (37) and (38).
    pub fn mode(&self, friction: f64, restitution: f64) -> Result<Mode, Error> {
        non_negative("restitution", restitution)?;
        let (p_d, p_q) = (self.p_d(friction)?, self.p_q(friction)?);
        let holds = friction * self.b1 > self.b3.abs();
        if self.sliding == 0.0 {
            return Ok(if holds { Mode::CSticking } else { Mode::Sliding });
        }
        Ok(match (p_d, holds) {
            (p_d, _) if p_d > (1.0 + restitution) * p_q => Mode::Sliding,
            (p_d, true) if p_d > p_q => Mode::RSticking,
            (p_d, false) if p_d > p_q => Mode::RReversedSliding,
            (_, true) => Mode::CSticking,
            (_, false) => Mode::CReversedSliding,
        })
    }

    /// s, the sign of S_o; 1 for a direct impact.
    fn sign(&self) -> f64 {
        if self.sliding < 0.0 { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Collision;
    use crate::laws::find;
    use crate::random::Random;

    fn random_process(random: &mut Random) -> (Collision, ImpactProcess) {
        let (nn, tt) = (random.log_between(0.1, 10.0), random.log_between(0.1, 10.0));
        let nt = random.between(-0.99, 0.99) * (nn * tt).sqrt();
        let velocity = [-random.log_between(0.05, 1.0), random.between(-2.0, 2.0)];
        let collision = Collision::planar([[nn, nt], [nt, tt]], velocity).unwrap();
        let process = ImpactProcess::of(&collision.planar_section().unwrap());
        (collision, process)
    }

    #[test]
    fn table_1_names_the_mode_that_the_law_finds() {
        let mut random = Random(71);
        let law = find("routh-poisson").unwrap();
        let mut seen = std::collections::HashSet::new();
        for _ in 0..20_000 {
            let (collision, process) = random_process(&mut random);
            let (friction, restitution) = (random.log_between(0.01, 5.0), random.unit());
            let bound = law.bind(&[("friction", friction), ("restitution", restitution)]).unwrap();
            let mode = bound.resolve_collision(&collision).unwrap().mode;
            assert_eq!(process.mode(friction, restitution), Ok(mode), "{process:?} μ = {friction}, e = {restitution}");
            seen.insert(mode.name());
        }
        assert_eq!(seen.len(), 5, "{seen:?}");
    }

    #[test]
    fn the_critical_friction_is_where_the_mode_changes() {
        let mut random = Random(72);
        for _ in 0..20_000 {
            let (_, process) = random_process(&mut random);
            let e = random.unit();
            let slides = |friction: f64| process.mode(friction, e) == Ok(Mode::Sliding);
            match process.critical_friction(e).unwrap() {
                Some(critical) if critical > 0.0 => {
                    assert!(slides(critical * 0.999_999) && !slides(critical * 1.000_001));
                }
                Some(_) => assert!(!slides(1e-9)),
                None => assert!(slides(1e-9) && slides(1.0) && slides(1e9)),
            }
        }
    }

    #[test]
    fn a_tangential_impact_jams_above_its_critical_friction() {
        let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [0.0, -1.0]).unwrap();
        let process = ImpactProcess::of(&rod.planar_section().unwrap());
        assert!((process.critical_friction(0.5).unwrap().unwrap() - 5.0 / 3.0).abs() < 1e-15);
        let other = ImpactProcess { sliding: 1.0, ..process };
        assert_eq!(other.critical_friction(0.5), Ok(None));
    }
}
