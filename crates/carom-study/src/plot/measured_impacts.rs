//! Every law for several contacts against two measurements: three balls in a row and a rocking block.
//!
//! Three equal balls of the material D (Ceanga & Hurmuzlu, J. Appl. Mech. 68, 2001, as quoted by A. Rodriguez, PhD thesis, UT
//! Arlington, 2014, table 6.4): the first comes with speed 1, pairs of them have the restitution 0.85. The rocking block is
//! that of Yilmaz, Gharib & Hurmuzlu, Proc. R. Soc. A 465, 2009, as quoted there, tables 6.2 and 6.3: it rocks about one lower
//! corner and the other hits the ground with speed 1; the corners have the restitutions 0.43 and 0.64.

use super::axis::Axis;
use super::chart::Chart;
use super::curve::Curve;
use super::sheet::Sheet;
use super::text::Text;
use carom::impact::{Contact, Network};
use carom::laws::SEVERAL;
use carom::{Body, ContactFrame, Error};
use nalgebra::{Vector2, Vector3};

/// Speeds after an impact, as measured or by a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Speeds {
    /// The law's id, or `measured`.
    pub name: &'static str,
    /// One for each ball or corner, relative to the speed before.
    pub values: Vec<f64>,
}

/// The measured speeds of the three balls.
pub const THREE_BALLS: [f64; 3] = [0.036, 0.106, 0.857];
/// The measured speeds at which the two corners leave.
pub const TWO_CORNERS: [f64; 2] = [0.1, 0.6];

/// The speeds of three balls by every law that answers.
pub fn three_balls() -> Result<Vec<Speeds>, Error> {
    let ball = |x: f64, v: f64| {
        let body = Body::planar(0.166, 4e-5)?;
        Ok::<Body, Error>(body.at(Vector3::x() * x).moving(Vector3::x() * v, Vector3::zeros()))
    };
    let bodies = vec![ball(0.0, 1.0)?, ball(0.04, 0.0)?, ball(0.08, 0.0)?];
    let frame = ContactFrame::planar([1.0, 0.0])?;
    let touch = |k: usize, x: f64| Contact { a: Some(k + 1), b: Some(k), point: Vector3::x() * x, frame };
    let network = Network::new(bodies, vec![touch(0, 0.02), touch(1, 0.06)], &[], true)?;
    by_every_law(&network, [0.85, 0.85], |bodies, _| bodies.iter().map(|body| body.velocity.x).collect())
}

/// The speeds of the corners of a rocking block by every law that answers.
pub fn two_corners() -> Result<Vec<Speeds>, Error> {
    let (mass, width, height) = (2.5, 0.1087, 0.0645);
    let block = Body::planar(mass, mass * (width * width + height * height) / 12.0)?
        .at(Vector3::new(0.0, height / 2.0, 0.0))
        .moving(Vector3::new(height / (2.0 * width), -0.5, 0.0), Vector3::z() * (-1.0 / width));
    let frame = ContactFrame::planar([0.0, 1.0])?;
    let corner = |x: f64| Contact { a: Some(0), b: None, point: Vector3::x() * x, frame };
    let network = Network::new(vec![block], vec![corner(-width / 2.0), corner(width / 2.0)], &[], true)?;
    by_every_law(&network, [0.43, 0.64], |_, after| after.iter().map(|v| v.x).collect())
}

fn by_every_law(
    network: &Network,
    restitution: [f64; 2],
    speeds: impl Fn(&[Body], &[Vector3<f64>]) -> Vec<f64>,
) -> Result<Vec<Speeds>, Error> {
    let impact = network.impact()?;
    let lookup = |contact: usize, key: &str| match key {
        "restitution" => restitution.get(contact).copied(),
        "friction" => Some(0.0),
        _ => None,
    };
    let answers = SEVERAL.iter().filter_map(|law| {
        let outcome = law.bind_contacts(2, lookup).ok()?.resolve(&impact).ok()?;
        let bodies = network.after(&outcome.impulses()).ok()?.0;
        Some(Speeds { name: law.id, values: speeds(&bodies, &outcome.velocities_after()) })
    });
    Ok(answers.collect())
}

/// Both measurements with every law.
pub fn measured_impacts() -> Result<Sheet, Error> {
    let chart = |title: &str, across: &str, measured: &[f64], laws: Vec<Speeds>| {
        let points = |values: &[f64]| {
            values.iter().enumerate().map(|(k, value)| Vector2::new(k as f64 + 1.0, *value)).collect::<Vec<_>>()
        };
        let mut curves = vec![Curve::measured(Text::plain("measured"), points(measured))];
        // Dashes from the start: laws that agree are seen through each other.
        let lines = laws.iter().enumerate();
        curves.extend(lines.map(|(k, law)| Curve::line(k + 1, Text::plain(law.name), points(&law.values))));
        Chart {
            title: title.to_owned(),
            across: Axis::count(Text::plain(across)).between(0.8, measured.len() as f64 + 0.2),
            up: Axis::number(Text::plain("speed after / speed before")),
            curves,
            ..Chart::default()
        }
    };
    Ok(Sheet {
        title: "Every law against two measurements".to_owned(),
        subtitle: "frictionless; restitution of pairs 0.85 (balls), of corners 0.43 and 0.64 (block)".to_owned(),
        charts: vec![
            chart("Three balls in a row", "ball", &THREE_BALLS, three_balls()?),
            chart("Rocking block", "corner", &TWO_CORNERS, two_corners()?),
        ],
    })
}
