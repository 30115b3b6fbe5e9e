//! Draws the impulse space of a falling rod: every law's impulse, the energy ellipse, the friction cone and the accessible region.
//!
//! `cargo run -p carom-study --example plot -- rod.svg`
#![allow(clippy::print_stdout, reason = "an example shows its results")]

use carom_study::plot::{Diagram, SCALE, png};
use carom_study::prediction::{Detail, predict_all};
use carom_study::scenario::Scenario;
use std::path::PathBuf;

const ROD: &str = "
    title = 'Falling rod'

    [[body]]
    name = 'rod'
    mass = 1.0
    shape = { rod = { length = 1.0 } }
    position = [0.35355339059327373, 0.35355339059327373]
    velocity = [0.6, -1.0]

    [[contact]]
    between = ['rod', 'ground']
    point = [0.0, 0.0]
    normal = [0.0, 1.0]
    friction = 0.8
    restitution = 0.9
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = Scenario::parse("rod.toml", ROD)?;
    let answers = predict_all(&scenario, scenario.laws(), Detail::Outcome);
    let diagram = Diagram::of(&scenario, &answers).ok_or("only one contact has a diagram")?;

    let file = std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("carom-rod.svg"), PathBuf::from);
    let svg = diagram.svg();
    if file.extension().is_some_and(|ending| ending == "png") {
        std::fs::write(&file, png(&svg, SCALE)?)?;
    } else {
        std::fs::write(&file, svg)?;
    }
    println!("{}", file.display());
    Ok(())
}
