//! Balls fall into a box and come to rest on each other, in steps of 1/240 s.
//!
//! `cargo run -p carom --example pile`
#![allow(clippy::print_stdout, reason = "an example shows its results")]

use carom::sim::{SceneBody, SceneBuilder, Solid, SteppingEngine, SteppingSettings};
use carom::{Amount, Dimension, Shape};
use nalgebra::Vector3;

const RADIUS: f64 = 0.05;
const WIDTH: f64 = 0.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = SceneBuilder::new(Dimension::Spatial);
    scene.gravity = Vector3::z() * -9.81;
    let wood = scene.add_material(&[("restitution", 0.2), ("friction", 0.5)]);
    scene.add_wall(Vector3::z(), 0.0, wood);
    for side in [Vector3::x(), Vector3::y()] {
        scene.add_wall(side, 0.0, wood);
        scene.add_wall(-side, -WIDTH, wood);
    }
    let ball = Solid::Shape(Shape::Ball { radius: RADIUS });
    let ball = SceneBody::of_solid(&ball, Amount::Density(700.0), wood, scene.dimension)?;
    for k in 0..64 {
        let [x, y, z] = [k % 4, k / 4 % 4, k / 16].map(|place| 0.07 + 0.115 * f64::from(place));
        // Every other layer is a little aside.
        let aside = if k / 16 % 2 == 0 { 0.0 } else { 0.01 };
        scene.add_body(ball.clone().at_position(Vector3::new(x + aside, y + aside, z)));
    }

    let mut engine = SteppingEngine::new(&scene.build()?, SteppingSettings::default())?;
    println!("  time  fastest ball  highest ball  contacts");
    for k in 1..=8 {
        engine.advance(0.5 * f64::from(k))?;
        let states = engine.states();
        let fastest = states.iter().map(|state| state.velocity.norm()).fold(0.0, f64::max);
        let highest = states.iter().map(|state| state.pose.position.z).fold(0.0, f64::max);
        let contacts = engine.report().contacts;
        println!("{:4.1} s  {fastest:8.5} m/s  {highest:10.4} m  {contacts:8}", engine.time());
    }

    let states = engine.states();
    let inside = |x: f64| (0.99 * RADIUS..=WIDTH - 0.99 * RADIUS).contains(&x);
    assert!(states.iter().all(|state| inside(state.pose.position.x) && inside(state.pose.position.y)));
    assert!(states.iter().all(|state| state.velocity.norm() < 0.05), "the pile rests");
    // What gravity gave is lost to impacts and friction, and nothing is created.
    assert!(engine.ledger().residual().abs() < 1e-9 * engine.ledger().start);
    Ok(())
}
