//! A thin disk pressed edge-on against a plate.

use super::Fact;
use crate::plot::{Axis, Chart, Curve, Dot, Sheet, Text};
use carom::Error;
use carom::elastic::{Pressed, ThinDisk};
use nalgebra::Vector2;

/// The disk under a load, N.
pub fn disk_facts(disk: &ThinDisk, load: f64) -> Result<Vec<Fact>, Error> {
    let Pressed { approach, semi_axes, peak_pressure, stiffness, .. } = disk.under(load)?;
    let bulk = disk.bulk_approach(load)?;
    Ok(vec![
        Fact::number("load", "load", load, "N"),
        Fact::number("approach", "approach", approach, "m"),
        Fact::number("bulk_approach", "of the disk in its plane", bulk, "m"),
        Fact::number("edge_approach", "of the contact at the edge", approach - bulk, "m"),
        Fact::number("stiffness", "stiffness", stiffness, "N/m"),
        Fact::list("semi_axes", "semi-axes of the contact", &semi_axes, "m"),
        Fact::number("peak_pressure", "peak pressure", peak_pressure, "Pa"),
        Fact::number("greatest_load", "the formula holds below", disk.greatest_load(), "N"),
    ])
}

/// Load over approach, as in Chatterjee 1997, fig. 11.42: both parts together, and each alone.
pub fn disk_sheet(disk: &ThinDisk, load: f64, subtitle: String) -> Result<Sheet, Error> {
    const POINTS: usize = 120;
    let parts = (0..=POINTS)
        .map(|k| {
            let load = load * k as f64 / POINTS as f64;
            Ok((load, disk.under(load)?.approach, disk.bulk_approach(load)?))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let curve = |of: fn(f64, f64) -> f64| {
        parts.iter().map(|(load, total, bulk)| Vector2::new(of(*total, *bulk), *load)).collect()
    };
    let chart = Chart {
        across: Axis::quantity(Text::plain("approach ").italic("δ"), "m"),
        up: Axis::quantity(Text::plain("load ").italic("F"), "N"),
        curves: vec![
            Curve::line(0, Text::plain("both"), curve(|total, _| total)),
            Curve::line(1, Text::plain("disk in its plane"), curve(|_, bulk| bulk)),
            Curve::line(2, Text::plain("edge"), curve(|total, bulk| total - bulk)),
        ],
        dots: vec![Dot { at: Vector2::new(disk.under(load)?.approach, load), label: Text::default() }],
        ..Chart::default()
    };
    Ok(Sheet { title: "Thin disk pressed edge-on".to_owned(), subtitle, charts: vec![chart] })
}
