//! `hertz-mindlin`
mod annuli;
mod continuous;
mod leap;
mod log;
mod look;
mod memory;
mod scaled;
mod springs;

use super::law::{Guarantees, Inapplicable, Kernel, Law, Promise};
use super::parameter::{FRICTION, Fallback, Kind, Parameter, number};
use crate::collision::Collision;
use crate::course::History;
use crate::outcome::Outcome;

/// h
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HertzMindlin {
    /// E*
    pub youngs_modulus: f64,
    /// nu
    pub poisson_ratio: f64,
    /// R
    pub radius: f64,
    /// mu
    pub friction: f64,
    /// n
    pub elements: usize,
    /// which
    pub kind: usize,
}

impl HertzMindlin {
    /// r
    pub fn resolve(&self, collision: &Collision) -> Result<Outcome, Inapplicable> {
        self.follow(collision, None)
    }

    fn follow(&self, collision: &Collision, history: Option<&mut History>) -> Result<Outcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(Outcome::none(collision));
        }
        let ratio = 2.0 * (1.0 - self.poisson_ratio) / (2.0 - self.poisson_ratio);
        let scaled = scaled::Scaled::of(collision, self.youngs_modulus, self.radius, self.friction, ratio);
        if self.kind == 2 {
            let section = collision.planar_section().ok_or(Inapplicable::NotPlanar)?;
            let scaled = scaled.within(&section);
            let look = look::Look::at(&scaled)?;
            let mut log = log::Log::new(&scaled, history);
            let end = continuous::follow(&scaled, &look, &mut log)?;
            Ok(log.finish(collision, &end))
        } else if self.kind == 1 {
            let section = collision.planar_section().ok_or(Inapplicable::NotPlanar)?;
            let scaled = scaled.within(&section);
            let depth = look::Look::at(&scaled)?.depth;
            let mut bed = annuli::Annuli::new(&scaled, self.elements, depth);
            let mut log = log::Log::new(&scaled, history);
            let end = leap::leap(&scaled, &mut bed, depth, &mut log)?;
            Ok(log.finish(collision, &end))
        } else {
            let depth = look::Look::at(&scaled)?.depth;
            let mut bed = springs::Springs::new(&scaled, self.elements, depth);
            let mut log = log::Log::new(&scaled, history);
            let end = leap::leap(&scaled, &mut bed, depth, &mut log)?;
            Ok(log.finish(collision, &end))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn maw() {
        let table = [(0.25, 0.0417), (0.5, 0.0479), (0.75, 0.0142), (1.0, -0.0597), (1.2, -0.1805), (1.5, -0.4280),
            (2.0, -0.8372), (3.0, -1.3797), (4.0, -1.4365), (4.5, -1.2176), (5.0, -0.7647), (6.0, 0.2353)];
        let (mu, nu) = (0.5, 0.3);
        let factor = 2.0 * (1.0 - nu) / (mu * (2.0 - nu));
        for (psi1, psi2) in table {
            let c = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [-1.0, psi1 / factor]).unwrap();
            print!("{psi1} {psi2:.4} ");
            for annuli in [0,1] {
                for elements in [10, 20, 50, 100, 200] {
                    let law = HertzMindlin { youngs_modulus: 1.0, poisson_ratio: nu, radius: 1.0, friction: mu, elements, kind: annuli };
                    let t = std::time::Instant::now();
                    let o = law.resolve(&c).unwrap();
                    let t = t.elapsed().as_secs_f64();
                    print!(" {:.5}({:.0})", o.velocity_after.y / o.velocity_after.x * factor, t * 1e6);
                    let w = o.compression.unwrap().works.unwrap();
                    if elements == 50 { print!("[{:.1e}]", (-w.restitution/w.compression).sqrt()-1.0); }
                }
                print!(" |");
            }
            let law = HertzMindlin { youngs_modulus: 1.0, poisson_ratio: nu, radius: 1.0, friction: mu, elements:50, kind: 2 };
            let t = std::time::Instant::now();
            match law.resolve(&c) { Ok(o) => {
                    let t = t.elapsed().as_secs_f64();
                    print!(" {:.7}({:.0},{})", o.velocity_after.y / o.velocity_after.x * factor, t * 1e6, o.course.unwrap().evaluations);
                    let w = o.compression.unwrap().works.unwrap();
                    print!("[{:.1e}]", (-w.restitution/w.compression).sqrt()-1.0); },
              Err(e) => print!("{e:?}") }
            println!();
        }
    }
}
#[cfg(test)]
mod probe {
    use super::*;
    #[test]
    fn compare() {
        let c = Collision::planar([[0.15162978873890065, -0.044789566282600904], [-0.044789566282600904, 1.8483702112610993]], [-0.9233094195904055, 0.38405691726048696]).unwrap();
        let f = |kind| { let mut h = History::default();
        HertzMindlin { youngs_modulus: 1.0, poisson_ratio: 0.3, radius: 1.0, friction: 0.4601216164636911, elements:200, kind }.follow(&c, Some(&mut h)).unwrap(); h };
        let (a, b) = (f(2), f(0));
        let mut j = 0;
        for s in a.samples.iter() {
            while j + 2 < b.samples.len() && b.samples[j + 1].at < s.at { j += 1; }
            let (l, r) = (&b.samples[j], &b.samples[j + 1]);
            let w = if r.at > l.at { (s.at - l.at) / (r.at - l.at) } else { 0.0 };
            let ft = l.force.unwrap().y * (1.0 - w) + r.force.unwrap().y * w;
            println!("{:.4} d {:.4} u {:.4} Ft {:.5} {:.5} {:?} {:?} Vn {:.4} Vt {:.4}", s.at, s.displacement.unwrap().x, s.displacement.unwrap().y, s.force.unwrap().y, ft, s.motion, l.motion, s.velocity.x, s.velocity.y);
        }
        for p in a.phases() { println!("{p:?}"); }
        println!();
        for p in b.phases() { println!("{p:?}"); }
    }
}
