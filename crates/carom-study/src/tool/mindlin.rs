//! Static tangential loading of a circular contact.

use super::Fact;
use crate::plot::{Axis, Chart, Curve, Dot, Sheet, Text};
use carom::Error;
use carom::elastic::TangentialLoading;
use nalgebra::Vector2;

/// The contact under a tangential force, N.
pub fn mindlin_facts(contact: &TangentialLoading, force: f64) -> Result<Vec<Fact>, Error> {
    let radius = contact.contact_radius();
    let stick = contact.stick_radius(force)?;
    Ok(vec![
        Fact::number("contact_radius", "radius a of the contact", radius, "m"),
        Fact::number("greatest_force", "slides above the force μP", contact.greatest_force(), "N"),
        Fact::number("greatest_displacement", "after moving by", contact.greatest_displacement(), "m"),
        Fact::number("initial_stiffness", "stiffness without slip", contact.initial_stiffness(), "N/m"),
        Fact::number("force", "tangential force Q", force, "N"),
        Fact::number("displacement", "displacement", contact.displacement(force)?, "m"),
        Fact::number("displacement_without_slip", "without slip", contact.displacement_without_slip(force)?, "m"),
        Fact::number("stick_radius", "radius c that sticks", stick, "m"),
        Fact::number("stick_share", "c/a", stick.map(|stick| stick / radius), ""),
        Fact::verdict("slides", "slides", stick.is_none()),
    ])
}

/// Force over displacement, each in units of its value where the contact begins to slide (Lai 1999, fig. 4.9), and the part of the
/// contact that sticks. `None` if it never slides, or at once.
pub fn mindlin_sheet(contact: &TangentialLoading, force: f64, subtitle: String) -> Result<Option<Sheet>, Error> {
    const POINTS: usize = 160;
    let (most, farthest) = match (contact.greatest_force(), contact.greatest_displacement()) {
        (Some(most), Some(farthest)) if most > 0.0 => (most, farthest),
        _ => return Ok(None),
    };
    // Closer together where c/a falls steeply.
    let shares = || (0..=POINTS).map(|k| 1.0 - (1.0 - k as f64 / POINTS as f64).powi(3));
    let moved =
        |share: f64| -> Result<f64, Error> { Ok(contact.displacement(share * most)?.unwrap_or(farthest) / farthest) };
    let stuck = |share: f64| -> Result<f64, Error> {
        Ok(contact.stick_radius(share * most)?.unwrap_or(0.0) / contact.contact_radius())
    };
    let mut slipping =
        shares().map(|share| Ok(Vector2::new(moved(share)?, share))).collect::<Result<Vec<_>, Error>>()?;
    slipping.push(Vector2::new(1.2, 1.0));
    let held = [Vector2::zeros(), Vector2::new(contact.displacement_without_slip(most)? / farthest, 1.0)];
    let used = force / most;
    let dots = |x: f64, y: f64| {
        if used <= 1.0 { vec![Dot { at: Vector2::new(x, y), label: Text::default() }] } else { Vec::new() }
    };
    let force_name = || Text::plain("force ").italic("Q").then("/").italic("μP");
    let loading = Chart {
        title: "force over displacement".to_owned(),
        across: Axis::number(
            Text::plain("displacement 16").italic("a G").subscript("e").italic("δ").then("/3").italic("μP"),
        )
        .between(0.0, 1.2),
        up: Axis::number(force_name()),
        curves: vec![
            Curve::line(0, Text::plain("with slip"), slipping),
            Curve::line(1, Text::plain("without slip"), held.to_vec()),
        ],
        dots: dots(moved(used.min(1.0))?, used),
        ..Chart::default()
    };
    let sticking = Chart {
        title: "part of the contact that sticks".to_owned(),
        across: Axis::number(force_name()).between(0.0, 1.0),
        up: Axis::number(Text::symbol("c").then("/").italic("a")),
        curves: vec![Curve::line(
            0,
            Text::default(),
            shares().map(|share| Ok(Vector2::new(share, stuck(share)?))).collect::<Result<_, Error>>()?,
        )],
        dots: dots(used, stuck(used.min(1.0))?),
        ..Chart::default()
    };
    let title = "Tangential loading of a contact".to_owned();
    Ok(Some(Sheet { title, subtitle, charts: vec![loading, sticking] }))
}
