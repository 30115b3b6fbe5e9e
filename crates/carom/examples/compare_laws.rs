//! A falling rod hits the ground: every law that needs only restitution and friction, side by side.
//!
//! `cargo run -p carom --example compare_laws`
#![allow(clippy::print_stdout, reason = "an example shows its results")]

use carom::audit::audit_collision;
use carom::{Amount, Body, Collision, ContactFrame, Shape, laws};
use nalgebra::Vector3;
use std::f64::consts::FRAC_PI_4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A rod of 1 kg and 1 m at 45°, its lower end at the origin.
    let centre = Vector3::new(0.5, 0.5, 0.0) * FRAC_PI_4.cos();
    let rod = Shape::Rod { length: 1.0 }.planar_body(Amount::Mass(1.0))?;
    let rod = rod.at(centre).moving(Vector3::new(0.6, -1.0, 0.0), Vector3::zeros());

    // W and V at the contact: all that a law needs to know of the bodies.
    let frame = ContactFrame::planar([0.0, 1.0])?;
    let collision = Collision::between(&rod, &Body::immovable(), &Vector3::zeros(), &frame)?;

    let (restitution, friction) = (0.9, 0.8);
    println!("{:20} {:>9} {:>9} {:>9}  audit", "law", "P_n", "P_t", "ΔE (J)");
    for law in laws::ALL {
        let bound = law.bind_from(|key| match key {
            "restitution" => Some(restitution),
            "friction" | "static_friction" | "kinetic_friction" => Some(friction),
            _ => None,
        });
        // Laws that need more, such as a stiffness, are left out.
        let Ok(bound) = bound else { continue };
        match bound.resolve_collision(&collision) {
            Ok(outcome) => {
                let (p, change) = (outcome.impulse, collision.energy_change(&outcome.impulse));
                let verdict = if audit_collision(&collision, &outcome, friction).is_ok() { "ok" } else { "impossible" };
                println!("{:20} {:9.4} {:9.4} {change:9.4}  {verdict}", law.id, p.x, p.y);
            }
            Err(why) => println!("{:20} {why}", law.id),
        }
    }
    Ok(())
}
