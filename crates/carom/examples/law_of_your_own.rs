//! A law that is not in the catalogue: restitution that falls with the speed of approach, as between metals that yield.
//!
//! Above the speed of first yield v_y restitution falls as e = (v_y/v)^¼ (K. L. Johnson, Contact Mechanics, 1985, 11.5), below it
//! is 1. Friction stops the slip or is at its limit. The properties that follow are measured, not promised.
//!
//! `cargo run -p carom --example law_of_your_own`

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use carom::laws::{Law, Parameter};
use carom::properties::Properties;
use carom::{Collision, audit};
use nalgebra::{Matrix2, Vector2, Vector3};

/// The impulse for values in the order of the parameters: v_y, μ.
fn impulse(collision: &Collision, values: &[f64]) -> Vector3<f64> {
    let (w, v) = (collision.inverse_mass(), collision.velocity());
    let restitution = (values[0] / -v.x).powf(0.25).min(1.0);
    let normal = -(1.0 + restitution) * v.x / w[(0, 0)];
    let slip = Vector2::new(v.y + w[(1, 0)] * normal, v.z + w[(2, 0)] * normal);
    let across: Matrix2<f64> = w.fixed_view::<2, 2>(1, 1).into();
    let stops = across.try_inverse().map_or_else(Vector2::zeros, |mass| -mass * slip);
    let tangential = stops.cap_magnitude(values[1] * normal);
    Vector3::new(normal, tangential.x, tangential.y)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let yield_speed = Parameter::number("yield_speed", "speed at which the softer body first yields, m/s", 1e-6, 1e3);
    let law = Law::from_fn("yielding", [yield_speed, Parameter::FRICTION], impulse)
        .name("Restitution that falls with speed")
        .source("K. L. Johnson, Contact Mechanics, 1985, 11.5")
        .into_static()?;
    let bound = law.bind(&[("yield_speed", 0.1), ("friction", 0.3)])?;

    println!("   speed    e_n   audit");
    for speed in [0.05, 0.5, 5.0] {
        let ball = Collision::planar([[2.0, 0.0], [0.0, 7.0]], [-speed, 0.5 * speed])?;
        let outcome = bound.resolve_collision(&ball)?;
        let verdict = if audit::audit_collision(&ball, &outcome, 0.3).is_ok() { "ok" } else { "impossible" };
        println!("{speed:8.2} {:6.3}   {verdict}", outcome.velocity_after.x / speed);
    }

    let measured = Properties::measure(&bound);
    println!("degree in velocity: {:?}", measured.homogeneity.in_velocity);
    println!("largest gain of energy: {:.3} of all there is", measured.energy_gain);
    if let Some(collision) = measured.counterexamples.in_velocity {
        println!("no one degree, for instance at V = {:?} m/s", collision.velocity().as_slice());
    }
    Ok(())
}
