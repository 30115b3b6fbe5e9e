//! A ball bounces on the floor until it rests: every impact at its exact time, and the end of the series of impacts.
//!
//! `cargo run -p carom --example bouncing_ball`
#![allow(clippy::print_stdout, reason = "an example shows its results")]

use carom::sim::{EventEngine, EventKind, EventSettings, SceneBody, SceneBuilder, Solid};
use carom::{Amount, Dimension, Shape, laws};
use nalgebra::Vector3;

const G: f64 = 9.81;
const HEIGHT: f64 = 1.0;
const RADIUS: f64 = 0.1;
const RESTITUTION: f64 = 0.8;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = SceneBuilder::new(Dimension::Spatial);
    scene.gravity = Vector3::z() * -G;
    let rubber = scene.add_material(&[("restitution", RESTITUTION), ("friction", 0.3)]);
    let ball = Solid::Shape(Shape::Ball { radius: RADIUS });
    let ball = SceneBody::of_solid(&ball, Amount::Density(1100.0), rubber, scene.dimension)?;
    let ball = scene.add_body(ball.at_position(Vector3::z() * (HEIGHT + RADIUS)));
    scene.add_wall(Vector3::z(), 0.0, rubber);

    let mut engine = EventEngine::new(&scene.build()?, laws::find("newton")?, EventSettings::default())?;
    let mut impacts = 0;
    let mut rests = None;
    while let Some(event) = engine.advance(10.0)? {
        match event.kind {
            EventKind::Impact => {
                impacts += 1;
                if impacts <= 5 {
                    let rebound = event.contacts[0].velocity_after.x;
                    println!("{:9.6} s  rebounds at {rebound:.6} m/s", event.time);
                }
            }
            EventKind::Accumulation { until } => rests = Some(until),
            _ => {}
        }
    }
    let rests = rests.ok_or("the ball does not come to rest")?;
    println!("{rests:9.6} s  rests after {impacts} impacts and infinitely many more");

    // The fall takes √(2h/g), and each flight after it the e-th part of the one before.
    let fall = f64::sqrt(2.0 * HEIGHT / G);
    assert!((rests - fall * (1.0 + RESTITUTION) / (1.0 - RESTITUTION)).abs() < 1e-9);
    assert!((engine.states()[ball.index()].pose.position.z - RADIUS).abs() < 1e-9);
    Ok(())
}
