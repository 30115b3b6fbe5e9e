//! The pair of springs in numbers without units.
//!
//! With the depth r² = −δ_n, the tangential extension s and q = s/r²:
//!
//! ```text
//! coupled:    f_n = r³ (4/3 + q²/(3κ))      uncoupled:  f_n = 4/3 r³       f_t = −4/(3κ) q r³
//! ```
//!
//! |f_t| = μ f_n where |q| = C; less means sticking.

use crate::elastic::{kappa, slip_ratio};

/// Which springs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Springs {
    /// The normal force knows of the tangential extension, so that the pair has a potential (5.23), (5.24).
    Coupled,
    /// The raw laws of Hertz and of the secant stiffness, which have none and can create energy (5.11), (5.12).
    Uncoupled,
}

/// Springs and friction between two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub friction: f64,
    /// 4/(3κ), the tangential stiffness.
    pub tangential: f64,
    /// 1/(3κ) of the coupled springs, 0 of the uncoupled.
    pub coupling: f64,
    /// C, the |q| at which the contact slips; infinite if it never does.
    pub slip_ratio: f64,
    /// f_n/r³ while it slips.
    pub slipping_stiffness: f64,
}

impl Contact {
    pub fn new(poisson_ratio: f64, friction: f64, springs: Springs) -> Contact {
        let kappa = kappa(poisson_ratio);
        let (coupling, slip_ratio) = match springs {
            Springs::Coupled => (1.0 / (3.0 * kappa), slip_ratio(poisson_ratio, friction).unwrap_or(f64::INFINITY)),
            Springs::Uncoupled => (0.0, kappa * friction),
        };
        let slipping_stiffness = 4.0 / 3.0 + coupling * slip_ratio * slip_ratio;
        Contact { friction, tangential: 4.0 / (3.0 * kappa), coupling, slip_ratio, slipping_stiffness }
    }

    /// r times the force (n, t) on A. Unlike the force itself it stays finite where contact ends.
    pub fn push(&self, root: f64, extension: f64) -> [f64; 2] {
        let square = root * root;
        [4.0 / 3.0 * square * square + self.coupling * extension * extension, -self.tangential * extension * square]
    }

    /// Whether the springs never slip.
    pub fn always_sticks(&self) -> bool {
        self.slip_ratio.is_infinite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_the_slip_ratio_friction_is_at_its_limit() {
        for springs in [Springs::Coupled, Springs::Uncoupled] {
            for friction in [0.01, 0.5, 1.0] {
                let contact = Contact::new(0.3, friction, springs);
                let [normal, tangential] = contact.push(1.3, contact.slip_ratio * 1.69);
                assert!((tangential + friction * normal).abs() < 1e-14 * normal);
                assert!((normal / 1.3_f64.powi(4) - contact.slipping_stiffness).abs() < 1e-14);
            }
        }
        assert!(Contact::new(0.3, 1.2, Springs::Coupled).always_sticks());
        assert!(!Contact::new(0.3, 1.2, Springs::Uncoupled).always_sticks());
    }

    #[test]
    fn the_coupled_springs_have_a_potential() {
        // V = 8/15 r⁵ + 2/(3κ) s² r; the forces are its derivatives by −δ_n = r² and by s.
        let contact = Contact::new(0.28, 0.7, Springs::Coupled);
        let potential = |root: f64, s: f64| 8.0 / 15.0 * root.powi(5) + 0.5 * contact.tangential * s * s * root;
        let (root, s, h) = (0.9, 0.4, 1e-5);
        let by_root = (potential(root + h, s) - potential(root - h, s)) / (2.0 * h);
        let by_s = (potential(root, s + h) - potential(root, s - h)) / (2.0 * h);
        let [normal, tangential] = contact.push(root, s);
        assert!((by_root / (2.0 * root) - normal / root).abs() < 1e-9 && (by_s + tangential / root).abs() < 1e-9);
    }
}
