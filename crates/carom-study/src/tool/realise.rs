//! Two bodies with a wanted mass matrix, and the scenario in which they collide.

use super::Fact;
use carom::tools::{Realisation, realise, realise_by_points};
use carom::{Body, Error};
use nalgebra::{Matrix3, Vector3};
use std::fmt::Write;

/// How the bodies are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Two bodies with arms along two principal axes: any mass matrix.
    Arms,
    /// The thesis' cross and pendulum of point masses (Chatterjee 1997, eq. 10.7): unless all eigenvalues are equal.
    Points,
}

/// Two bodies, and the point masses they are made of if there are any: M_a, M_b, m, M_c in kg.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The bodies.
    pub bodies: Realisation,
    /// The point masses.
    pub points: Option<[f64; 4]>,
}

impl Pair {
    /// Bodies whose local mass matrix is this, kg, in (n, t1, t2).
    pub fn new(mass: &Matrix3<f64>, pairing: Pairing) -> Result<Pair, Error> {
        match pairing {
            Pairing::Arms => Ok(Pair { bodies: realise(mass)?, points: None }),
            Pairing::Points => {
                let found = realise_by_points(mass)?;
                let points = [found.cross_tip, found.pendulum_tip, found.cross_bar, found.heavy];
                Ok(Pair { bodies: found.pair, points: Some(points) })
            }
        }
    }
}

/// The bodies' masses, places and inertias.
pub fn pair_facts(pair: &Pair) -> Vec<Fact> {
    let Realisation { a, b, error } = &pair.bodies;
    let inertia = |body: &Body| body.inertia().transpose().iter().copied().collect::<Vec<f64>>();
    let mut facts = vec![
        Fact::number("mass_a", "mass of A", a.mass(), "kg"),
        Fact::list("position_a", "its centre from the contact", a.position.as_slice(), "m"),
        Fact::list("inertia_a", "its inertia, row by row", &inertia(a), "kg·m²"),
        Fact::number("mass_b", "mass of B", b.mass(), "kg"),
        Fact::list("position_b", "its centre from the contact", b.position.as_slice(), "m"),
        Fact::list("inertia_b", "its inertia, row by row", &inertia(b), "kg·m²"),
        Fact::number("error", "relative error of W", *error, ""),
    ];
    if let Some(points) = &pair.points {
        facts.push(Fact::list("point_masses", "M_a, M_b, m, M_c", points, "kg"));
    }
    facts
}

/// A scenario in which the bodies touch at the origin, n along x and t1 along y, with this relative velocity, m/s.
pub fn pair_scenario(pair: &Pair, velocity: &Vector3<f64>) -> String {
    let list = |v: &[f64]| {
        let entries: Vec<String> = v.iter().map(|x| format!("{:?}", x + 0.0)).collect();
        format!("[{}]", entries.join(", "))
    };
    let mut text = "title = \"Two bodies with a wanted mass matrix\"\n".to_owned();
    for (name, body, velocity) in [("a", &pair.bodies.a, *velocity), ("b", &pair.bodies.b, Vector3::zeros())] {
        let rows: Vec<String> = body.inertia().column_iter().map(|column| list(column.as_slice())).collect();
        let _ = write!(
            text,
            "\n[[body]]\nname = \"{name}\"\nmass = {:?}\ninertia = [\n  {},\n]\nposition = {}\nvelocity = {}\n",
            body.mass(),
            rows.join(",\n  "),
            list(body.position.as_slice()),
            list(velocity.as_slice())
        );
    }
    text.push_str(
        "\n[[contact]]\nbetween = [\"a\", \"b\"]\npoint = [0.0, 0.0, 0.0]\nnormal = [1.0, 0.0, 0.0]\n\
         tangent = [0.0, 1.0, 0.0]\nfriction = 0.3\nrestitution = 0.5\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn the_scenario_gives_the_mass_matrix_back() {
        let mass = Matrix3::new(2.0, 0.5, -0.3, 0.5, 1.0, 0.2, -0.3, 0.2, 0.6);
        let velocity = Vector3::new(-1.0, 0.4, -0.2);
        for pairing in [Pairing::Arms, Pairing::Points] {
            let pair = Pair::new(&mass, pairing).unwrap();
            let scenario = Scenario::parse("pair.toml", &pair_scenario(&pair, &velocity)).unwrap();
            let back = scenario.collision().unwrap().mass().unwrap();
            assert!((back - mass).amax() < 1e-11, "{pairing:?}: {back}");
            assert!((scenario.collision().unwrap().velocity() - velocity).amax() < 1e-15);
        }
    }
}
