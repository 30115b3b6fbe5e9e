//! Newton's cradle as a network: one ball hits four at rest, resolved by every law for several contacts.
//!
//! `cargo run -p carom --example cradle`
#![allow(clippy::print_stdout, reason = "an example shows its results")]

use carom::audit::audit;
use carom::impact::{Contact, Network};
use carom::{Body, ContactFrame};
use nalgebra::Vector3;

const BALLS: u32 = 5;
const DIAMETER: f64 = 0.05;
const RESTITUTION: f64 = 0.97;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = |k: u32| {
        let speed = if k == 0 { 1.0 } else { 0.0 };
        let at = Vector3::x() * (DIAMETER * f64::from(k));
        Ok(Body::planar(0.2, 5e-5)?.at(at).moving(Vector3::x() * speed, Vector3::zeros()))
    };
    let bodies: Vec<Body> = (0..BALLS).map(ball).collect::<Result<_, carom::Error>>()?;
    // The normal points from B into A: from each ball to the next.
    let frame = ContactFrame::planar([1.0, 0.0])?;
    let touch = |k: usize| {
        let point = (bodies[k].position + bodies[k + 1].position) * 0.5;
        Contact { a: Some(k + 1), b: Some(k), point, frame }
    };
    let contacts: Vec<Contact> = (0..bodies.len() - 1).map(touch).collect();
    let network = Network::new(bodies, contacts, &[], true)?;
    let impact = network.impact()?;

    println!("velocities after one of {BALLS} balls arrives at 1 m/s, restitution {RESTITUTION}");
    for law in carom::laws::SEVERAL {
        let bound = law.bind_contacts(impact.contacts(), |_, key| match key {
            "restitution" => Some(RESTITUTION),
            "friction" | "static_friction" | "kinetic_friction" => Some(0.0),
            _ => None,
        });
        let Ok(bound) = bound else { continue };
        match bound.resolve(&impact) {
            Ok(outcome) => {
                let (after, _) = network.after(&outcome.impulses())?;
                let speeds: Vec<String> = after.iter().map(|body| format!("{:7.4}", body.velocity.x)).collect();
                let sound =
                    audit(&impact, &outcome, &vec![0.0; impact.contacts()], impact.local_energy(), None).is_ok();
                println!("{:20} {}  audit {}", law.id, speeds.join(" "), if sound { "ok" } else { "fails" });
            }
            Err(why) => println!("{:20} {why}", law.id),
        }
    }
    Ok(())
}
