//! `data/pucks-synthetic.csv`: collisions of the pucks of Chatterjee's Table 11.1 with a wall, computed by a law, with errors of the
//! thesis' photographs.

use carom::Collision;
use carom::laws::find;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fmt::Write;
use std::path::Path;

const RESTITUTION: f64 = 0.92;
const FRICTION: f64 = 0.16;
/// m/s.
const SPEED: f64 = 0.5;
/// Photographs: pixels for each metre, exposures a second, and the error of a dot's position, pixels. The thesis' bound is 2 pixels; half a
/// pixel is a plausible standard deviation of a dot picked by hand.
const PIXELS: f64 = 4350.0;
const RATE: f64 = 530.0 / 60.0;
const DOT: f64 = 0.5;
/// Between the two dots on a puck, m.
const BASE: f64 = 0.08;
const SEED: u64 = 1997;

/// The file, from Table 11.1.
pub fn file(root: &Path) -> Result<String, String> {
    let path = root.join("data/pucks.csv");
    let table = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let law = find("routh-poisson").and_then(|law| law.bind(&[("restitution", RESTITUTION), ("friction", FRICTION)]));
    let law = law.map_err(|error| error.to_string())?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let position = DOT / PIXELS;
    // The centre lies between two dots, each seen twice; the angle is their difference over the base.
    let (linear, spin) = (position * RATE, 2.0 * position * RATE / BASE);
    let mut text = format!(
        "# Synthetic: the pucks of data/pucks.csv against a wall at {SPEED} m/s and 5 to 85 degrees from the normal, by routh-poisson with\n\
         # restitution {RESTITUTION} and friction {FRICTION}, and normal errors of the positions of two dots in two photographs before and after:\n\
         # {DOT} pixels at {} pixels/mm, 530 exposures a minute. Not measured. Made by `cargo xtask generate`.\n\
         group,w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after,vn_before_sd,vt_before_sd,vn_after_sd,vt_after_sd\n",
        PIXELS / 1000.0
    );
    for line in table.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |place: usize| {
            fields
                .get(place)
                .and_then(|text| text.parse::<f64>().ok())
                .ok_or_else(|| format!("{}: {line}", path.display()))
        };
        let (radius, mass, ratio) = (number(2)? * 1e-3, number(5)? * 1e-3, number(6)?);
        // λ₂/λ₁ = I/(I + m r²): W_tt = 1/m + r²/I = 1/(m λ₂/λ₁).
        let w = [[mass.recip(), 0.0], [0.0, (mass * ratio).recip()]];
        let tangential = linear.hypot(spin * radius);
        for step in 0..17 {
            let angle = (5.0 + 5.0 * f64::from(step)).to_radians();
            let before = [-SPEED * angle.cos(), SPEED * angle.sin()];
            let collision = Collision::planar(w, before).map_err(|error| error.to_string())?;
            let after = law.resolve_collision(&collision).map_err(|error| error.to_string())?.velocity_after;
            let mut measured = |value: f64, deviation: f64| value + deviation * normal(&mut random);
            let values = [
                measured(before[0], linear),
                measured(before[1], tangential),
                measured(after.x, linear),
                measured(after.y, tangential),
            ];
            let _ = write!(text, "{},{:.6},0,{:.6}", fields[0], w[0][0], w[1][1]);
            for value in values.into_iter().chain([linear, tangential, linear, tangential]) {
                let _ = write!(text, ",{value:.6}");
            }
            text.push('\n');
        }
    }
    Ok(text)
}

/// A number of the standard normal distribution, by G. E. P. Box and M. E. Muller.
pub fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let (first, second): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}
