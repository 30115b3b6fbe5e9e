//! The sampled collisions.

use crate::collision::Collision;
use crate::random::Random;
use nalgebra::{Matrix3, Vector3};

const SEED: u64 = 1997;

/// Inverse masses of 0.5 to 10 kg⁻¹ and speeds of 0.1 to 10 m/s, from nearly head-on to nearly grazing. Planar and
/// spatial by turns, coupled and (for laws that need it) with a diagonal inverse mass.
pub(super) fn sampled(count: usize) -> Vec<Collision> {
    let mut random = Random(SEED);
    (0..count).filter_map(|k| collision(&mut random, k % 2 == 0, k % 4 < 2)).collect()
}

fn collision(random: &mut Random, planar: bool, coupled: bool) -> Option<Collision> {
    let scale = random.log_between(1.0, 10.0);
    let w = if coupled {
        random.definite(0.05) * scale
    } else {
        // The mass ratio of a round body lies between that of a point and of a hoop.
        let tangential = random.between(1.0, 4.0);
        Matrix3::from_diagonal(&Vector3::new(1.0, tangential, tangential)) * (0.25 * scale)
    };
    let speed = random.log_between(0.1, 10.0);
    let (slip, normal) = random.between(0.05, 1.5).sin_cos();
    let (across, along) = random.between(0.0, std::f64::consts::TAU).sin_cos();
    if planar {
        let w = [[w[(0, 0)], w[(0, 1)]], [w[(1, 0)], w[(1, 1)]]];
        Collision::planar(w, [-normal * speed, slip.copysign(along) * speed]).ok()
    } else {
        Collision::new(&w, &(Vector3::new(-normal, slip * along, slip * across) * speed)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_a_sound_approach_and_all_kinds_are_there() {
        const OF_EACH_KIND: usize = 12;
        let all = sampled(4 * OF_EACH_KIND);
        assert_eq!(all.len(), 4 * OF_EACH_KIND);
        assert!(all.iter().all(|c| c.is_approaching() && !c.is_singular()));
        let planar = all.iter().filter(|c| c.planar_section().is_some() && c.velocity().z == 0.0).count();
        let coupled = all.iter().filter(|c| c.inverse_mass()[(0, 1)] != 0.0).count();
        assert_eq!((planar, coupled), (2 * OF_EACH_KIND, 2 * OF_EACH_KIND));
    }
}
