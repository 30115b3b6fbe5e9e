//! The parameters that vary.

use carom::laws::{Kind, Law};

/// A parameter that varies.
pub struct Axis {
    pub key: &'static str,
    least: f64,
    greatest: f64,
    /// A ratio without bounds of its own varies evenly in its angle, so that huge friction does not thin it out.
    by_angle: bool,
    /// The place of a share before this one: both together are at most 1, so that this one varies over the remainder.
    remainder_of: Option<usize>,
}

impl Axis {
    /// Every parameter of the law but friction, rules and fixed ones; a parameter that leaves the plane stays fixed in planar collisions.
    /// A restitution without bounds runs to the largest that energy allows.
    pub fn of(law: &Law, fixed: &[&str], friction: f64, largest_restitution: f64, planar: bool) -> Vec<Axis> {
        let mut axes: Vec<Axis> = law
            .parameters
            .iter()
            .filter(|parameter| !matches!(parameter.key, "friction" | "static_friction" | "kinetic_friction"))
            .filter(|parameter| !(planar && parameter.leaves_plane))
            .filter(|parameter| !fixed.contains(&parameter.key))
            .filter_map(|parameter| match parameter.kind {
                Kind::Number { least, greatest } => Some(Axis {
                    key: parameter.key,
                    least: if least.is_finite() { least } else { -friction },
                    greatest: match parameter.key {
                        _ if greatest.is_finite() => greatest,
                        "restitution" => largest_restitution,
                        _ => friction,
                    },
                    by_angle: least.is_infinite(),
                    remainder_of: None,
                }),
                Kind::Choice(_) => None,
            })
            .collect();
        let first_share = axes.iter().position(|axis| axis.key == "share_1");
        if let Some(second) = axes.iter_mut().find(|axis| axis.key == "share_2") {
            second.remainder_of = first_share;
        }
        axes
    }

    /// The values of all parameters, each at a part of its range from 0 to 1.
    pub fn values(axes: &[Axis], parts: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(axes.len());
        for (axis, part) in axes.iter().zip(parts) {
            let between = |least: f64, greatest: f64| least + (greatest - least) * part;
            values.push(match axis.remainder_of {
                Some(other) => between(axis.least, axis.greatest - values[other]),
                None if axis.by_angle => between(axis.least.atan(), axis.greatest.atan()).tan(),
                None => between(axis.least, axis.greatest),
            });
        }
        values
    }
}
