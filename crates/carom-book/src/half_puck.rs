//! `data/half-puck-frames.csv`: photographs of the half puck of Chatterjee's section 11.2 before and after it hits a plate, computed by a
//! law, with errors of the thesis' pictures.

use super::pucks::normal;
use carom::laws::find;
use carom::{Body, Collision, ContactFrame};
use nalgebra::Vector3;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fmt::Write;

const RESTITUTION: f64 = 0.92;
const FRICTION: f64 = 0.2;
/// The thesis' numbers: kg, kg m², m. The distance of the centre of mass from that of the disk is the one that fits the measured moment of
/// inertia of the whole puck.
const MASS: f64 = 0.0334;
const INERTIA: f64 = 2.65e-5;
const RADIUS: f64 = 0.0491;
const CENTRE: f64 = 0.02065;
/// Pixels for each metre, exposures a second, and the error of a dot's position, pixels.
const PIXELS: f64 = 4900.0;
const RATE: f64 = 530.0 / 60.0;
const DOT: f64 = 0.5;
/// Marks beside the one at the centre of mass, in the axes of the half disk, m.
const MARKS: [[f64; 2]; 2] = [[-0.035, 0.01], [0.035, 0.01]];
const SEED: u64 = 1996;
const TRIALS: usize = 24;
/// Photographs before and after.
const FRAMES: i32 = 3;

/// The file.
pub fn file() -> Result<String, String> {
    let law = find("routh-poisson").and_then(|law| law.bind(&[("restitution", RESTITUTION), ("friction", FRICTION)]));
    let law = law.map_err(|error| error.to_string())?;
    let frame = ContactFrame::planar([0.0, 1.0]).map_err(|error| error.to_string())?;
    let body = Body::planar(MASS, INERTIA).map_err(|error| error.to_string())?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut text = format!(
        "# Synthetic: the half puck of A. Chatterjee, Rigid Body Collisions, Ph.D. thesis, Cornell 1997, section 11.2, against a plate y < 0 at\n\
         # 0.3 to 0.7 m/s, by routh-poisson with restitution {RESTITUTION} and friction {FRICTION}; positions of three dots in pixels, {} pixels/mm, with normal\n\
         # errors of {DOT} pixels; 530 exposures a minute. Not measured. Made by `cargo xtask generate`.\n\
         trial,frame,phase,x,y,x1,y1,x2,y2\n",
        PIXELS / 1000.0
    );
    for trial in 1..=TRIALS {
        // The round side hits the plate at α from the flat side, and comes in at θ from the normal.
        let alpha = random.random_range(0.35..std::f64::consts::PI - 0.35);
        let theta: f64 = random.random_range(-1.4..1.4);
        let (speed, spin) = (random.random_range(0.3..0.7), random.random_range(-3.0..3.0));
        let turn = -std::f64::consts::FRAC_PI_2 - alpha;
        let turned =
            |x: f64, y: f64| Vector3::new(turn.cos() * x - turn.sin() * y, turn.sin() * x + turn.cos() * y, 0.0);
        let point = Vector3::new(random.random_range(0.05..0.07), 0.0, 0.0);
        let centre = point + Vector3::y() * RADIUS + turned(0.0, CENTRE);
        let velocity = Vector3::new(theta.sin(), -theta.cos(), 0.0) * speed;
        let before = body.at(centre).moving(velocity, Vector3::z() * spin);
        let collision =
            Collision::between(&before, &Body::immovable(), &point, &frame).map_err(|error| error.to_string())?;
        if !collision.is_approaching() {
            return Err(format!("trial {trial} does not approach"));
        }
        let outcome = law.resolve_collision(&collision).map_err(|error| error.to_string())?;
        let push = frame.to_world(&outcome.impulse);
        let after = (velocity + push / MASS, spin + (point - centre).cross(&push).z / INERTIA);
        let late = random.random_range(0.1..0.9);
        for exposure in 0..2 * FRAMES {
            let time = (f64::from(exposure - FRAMES + 1) - late) / RATE;
            let (phase, (v, w)) = if time < 0.0 { ("before", (velocity, spin)) } else { ("after", after) };
            let angle = turn + w * time;
            let _ = write!(text, "{trial},{exposure},{phase}");
            for [x, y] in [[0.0, CENTRE], MARKS[0], MARKS[1]] {
                let (x, y) = (x, y - CENTRE);
                let at = centre
                    + v * time
                    + Vector3::new(angle.cos() * x - angle.sin() * y, angle.sin() * x + angle.cos() * y, 0.0);
                for coordinate in [at.x, at.y] {
                    let _ = write!(text, ",{:.1}", coordinate * PIXELS + DOT * normal(&mut random));
                }
            }
            text.push('\n');
        }
    }
    Ok(text)
}
