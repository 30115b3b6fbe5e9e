//! Contacts followed in space, ordinary and grazing, against a second method: equal small steps of the same equations with
//! friction by projection onto the cone, extrapolated from two step lengths. `CAROM_CASES` sets the number of cases,
//! `--nocapture` prints the figures of the campaign.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "the campaign prints its figures")]

mod support;

use carom::{Collision, ContactOutcome};
use nalgebra::{Matrix3, Vector2, Vector3};
use rand::RngExt;
use std::time::{Duration, Instant};
use support::{Random, cases, log_uniform, random};

const LAWS: [&str; 5] = ["spring-dashpot", "nonlinear-dashpot", "bilinear-spring", "stronge-compliant", "split-mass"];

/// One collision and parameters; each law uses those that it has.
struct Case {
    collision: Collision,
    restitution: f64,
    friction: f64,
    stiffness: f64,
    stiffness_ratio: f64,
    growth: f64,
    exponent: f64,
}

impl Case {
    fn draw(random: &mut Random, grazing: bool) -> Case {
        let turn = support::rotation(random);
        let eigenvalues = Vector3::from_fn(|_, _| random.random_range(0.2..2.0));
        let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
        let approach = if grazing { random.random_range(1e-3..2e-3) } else { random.random_range(0.1..1.0) };
        let v = Vector3::new(-approach, random.random_range(-1.0..1.0), random.random_range(-1.0..1.0));
        let stiffness = 1e4;
        Case {
            collision: Collision::new(&((w + w.transpose()) * 0.5), &v).unwrap(),
            restitution: random.random_range(0.05..1.0),
            friction: random.random_range(0.05..1.2),
            stiffness,
            stiffness_ratio: random.random_range(0.3..2.0),
            growth: log_uniform(random, -1.5, 0.7) * stiffness / approach,
            exponent: 1.0,
        }
    }

    /// A dashpot that grows with any power of the compression, in a plane or in space.
    fn draw_exponent(random: &mut Random) -> Case {
        let mut case = Case::draw(random, false);
        if random.random::<bool>() {
            let (mut w, mut v) = (*case.collision.inverse_mass(), *case.collision.velocity());
            (w[(0, 2)], w[(2, 0)], w[(1, 2)], w[(2, 1)], v.z) = (0.0, 0.0, 0.0, 0.0, 0.0);
            case.collision = Collision::new(&w, &v).unwrap();
        }
        case.exponent = log_uniform(random, -1.0, 4_f64.log10());
        // As strong as before at the depth that the spring alone would allow.
        let depth = -case.collision.velocity().x * case.time();
        case.growth *= depth.powf(1.0 - case.exponent);
        case
    }

    fn resolve(&self, id: &str) -> Result<ContactOutcome, carom::laws::Inapplicable> {
        let law = carom::laws::find(id).unwrap();
        let bound = law
            .bind_from(|key| match key {
                "restitution" => Some(self.restitution),
                "friction" => Some(self.friction),
                "stiffness" => Some(self.stiffness),
                "stiffness_ratio" => Some(self.stiffness_ratio),
                "damping_growth" => Some(self.growth),
                "exponent" => Some(self.exponent),
                _ => None,
            })
            .unwrap();
        bound.resolve_collision(&self.collision)
    }

    /// About a quarter of the swing along the normal.
    fn time(&self) -> f64 {
        1.0 / (self.stiffness * self.collision.inverse_mass()[(0, 0)]).sqrt()
    }

    /// The velocity after by the second method.
    fn second(&self, id: &str, steps: f64) -> Vector3<f64> {
        let at = |step: f64| {
            let impulse = if id == "split-mass" { self.split(step) } else { self.massless(id, step) };
            self.collision.velocity_after(&impulse)
        };
        let step = self.time() / steps;
        2.0 * at(0.5 * step) - at(step)
    }

    /// A massless contact point: the tangential spring is drawn back to the cone after each step.
    fn massless(&self, id: &str, step: f64) -> Vector3<f64> {
        let (w, k) = (self.collision.inverse_mass(), self.stiffness);
        let damping =
            2.0 * carom::design::LinearDashpot::damping_ratio(self.restitution).unwrap() * (k / w[(0, 0)]).sqrt();
        let slope = k / self.restitution.powi(2);
        let (mut crest, mut stretch) = (0.0_f64, Vector2::zeros());
        let (mut compression, mut impulse, mut force) = (0.0, Vector3::zeros(), Vector3::zeros());
        loop {
            let v = self.collision.velocity_after(&impulse);
            let moved = (v + w * force * (0.5 * step)) * step;
            compression -= moved.x;
            crest = crest.max(compression);
            stretch += moved.yz();
            let rate = -(v + w * force * step).x;
            let normal = match id {
                "spring-dashpot" => k * compression + damping * rate,
                "nonlinear-dashpot" => k * compression + self.growth * compression.max(0.0).powf(self.exponent) * rate,
                _ => k * crest - slope * (crest - compression),
            };
            let over = compression <= 0.0 || normal <= 0.0;
            let pull = stretch * (k * self.stiffness_ratio);
            let excess = pull.norm() / (self.friction * normal.max(0.0));
            if excess > 1.0 {
                stretch /= excess;
            }
            let tangential = stretch * (-k * self.stiffness_ratio);
            let next = if over { Vector3::zeros() } else { Vector3::new(normal, tangential.x, tangential.y) };
            // The last step is as long as the force takes to fall to zero.
            let share = if over && normal < 0.0 { force.x / (force.x - normal) } else { 1.0 };
            impulse += (force + next) * (0.5 * step * share);
            force = next;
            if over {
                return impulse;
            }
        }
    }

    /// Two masses: the one at the contact obeys Coulomb's law with the velocity it has after each step.
    fn split(&self, step: f64) -> Vector3<f64> {
        let (w, v, alpha, k) =
            (self.collision.inverse_mass(), *self.collision.velocity(), self.restitution, self.stiffness);
        let k_t = k * self.stiffness_ratio;
        let near = w / (1.0 - alpha);
        let dead = carom::laws::Routh {
            restitution: 0.0,
            friction: self.friction,
            termination: carom::laws::Termination::Poisson,
        };
        let mut total = dead.resolve(&Collision::new(&near, &v).unwrap()).unwrap().impulse;
        let (mut v_a, mut v_b) = (v, v + near * total);
        let (mut stretch, mut reaction) = (Vector3::zeros(), Vector3::<f64>::zeros());
        let easing = 1.0 / near.fixed_view::<2, 2>(1, 1).symmetric_eigenvalues().max();
        loop {
            stretch += (v_a - v_b) * step;
            let f = Vector3::new(k * stretch.x, k_t * stretch.y, k_t * stretch.z) * step;
            v_a -= w * f / alpha;
            let free = v_b + near * f;
            for _ in 0..2000 {
                let before = reaction;
                let push = near[(0, 1)] * reaction.y + near[(0, 2)] * reaction.z;
                reaction.x = (-(free.x + push) / near[(0, 0)]).max(0.0);
                let slip = (free + near * reaction).yz();
                let held = reaction.yz() - slip * easing;
                let most = self.friction * reaction.x;
                let drawn = if held.norm() > most { held * (most / held.norm()) } else { held };
                (reaction.y, reaction.z) = (drawn.x, drawn.y);
                if (reaction - before).norm() < 1e-13 * reaction.norm() {
                    break;
                }
            }
            v_b = free + near * reaction;
            total += reaction;
            let parting = (v_a * alpha + v_b * (1.0 - alpha)).x;
            if reaction.x <= 0.0 && parting >= 0.0 {
                return total;
            }
            if reaction.x <= 0.0 {
                // Only collisions in which the mass at the contact does not lift off are compared.
                return Vector3::repeat(f64::NAN);
            }
        }
    }
}

#[derive(Default)]
struct Figures {
    refused: u32,
    compared: u32,
    worst: f64,
    evaluations: usize,
    most: usize,
    time: Duration,
    longest: Duration,
}

fn campaign(name: &str, laws: &[&str], default: u64, tolerance: f64, draw: impl Fn(&mut Random) -> Case) {
    const STEPS: f64 = 2000.0;
    for id in laws {
        let (mut figures, count) = (Figures::default(), cases(default));
        for case in 0..count {
            let drawn = draw(&mut random(41, case));
            let start = Instant::now();
            let answer = drawn.resolve(id);
            let taken = start.elapsed();
            let Ok(outcome) = answer else {
                println!("case {case}: {id} {}", answer.unwrap_err());
                figures.refused += 1;
                continue;
            };
            let evaluations = outcome.course.unwrap().evaluations;
            figures.evaluations += evaluations;
            figures.most = figures.most.max(evaluations);
            figures.time += taken;
            figures.longest = figures.longest.max(taken);
            let second = drawn.second(id, STEPS);
            if second.x.is_nan() {
                continue;
            }
            let miss = (outcome.velocity_after - second).norm() / drawn.collision.velocity().norm();
            figures.compared += 1;
            figures.worst = figures.worst.max(miss);
            if miss > tolerance {
                println!("case {case}: {id} off by {miss:e}");
            }
        }
        println!(
            "{name}, {id}: {} of {count} refused, {} compared, worst {:.1e}, evaluations mean {} most {}, time mean {:?} \
             most {:?}",
            figures.refused,
            figures.compared,
            figures.worst,
            figures.evaluations / count as usize,
            figures.most,
            figures.time / count as u32,
            figures.longest
        );
        assert_eq!(figures.refused, 0, "{id}");
        assert!(figures.worst < tolerance, "{id}: {}", figures.worst);
    }
}

#[test]
fn ordinary_collisions_in_space_agree_with_small_steps() {
    campaign("ordinary", &LAWS, 20, 1e-4, |random| Case::draw(random, false));
}

#[test]
fn grazing_collisions_in_space_agree_with_small_steps() {
    campaign("grazing", &LAWS, 20, 1e-4, |random| Case::draw(random, true));
}

#[test]
fn dashpots_of_any_exponent_agree_with_small_steps() {
    campaign("exponents", &["nonlinear-dashpot"], 60, 1e-4, Case::draw_exponent);
}
