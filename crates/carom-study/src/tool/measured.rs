//! An impulse that was measured, or thought of: whether it is possible, and the nearest one that is.

use super::Fact;
use carom::Dimension;
use carom::audit::audit_collision;
use carom::impulse_space::AccessibleRegion;
use carom::problem::Span;
use carom::{Collision, ContactOutcome, Error};
use nalgebra::Vector3;

/// The audit of an impulse (n, t1, t2) on a collision with this coefficient of friction.
pub fn measured_facts(
    collision: &Collision,
    dimension: Dimension,
    impulse: &Vector3<f64>,
    friction: f64,
) -> Result<Vec<Fact>, Error> {
    let outcome = ContactOutcome::jump(collision, *impulse, friction);
    let audit = audit_collision(collision, &outcome, friction);
    let region = AccessibleRegion::new(collision, friction)?;
    let nearest = region.nearest(impulse)?;
    let place = region.parameters_of(impulse);
    let components = if dimension == Dimension::Planar { 2 } else { 3 };
    let vector = |v: &Vector3<f64>| v.iter().copied().take(components).collect::<Vec<f64>>();
    let ratio = (impulse.x != 0.0).then(|| impulse.y.hypot(impulse.z) / impulse.x);
    let span = Span::of(collision.velocity(), &outcome.velocity_after, impulse)?;
    let restitution = outcome.restitution(collision);
    Ok(vec![
        Fact::list("impulse", "impulse", &vector(impulse), "N s"),
        Fact::list("velocity_before", "velocity before", &vector(collision.velocity()), "m/s"),
        Fact::list("velocity_after", "velocity after", &vector(&outcome.velocity_after), "m/s"),
        Fact::words("mode", "mode", outcome.mode.name()),
        Fact::number("energy_change", "energy change", collision.energy_change(impulse), "J"),
        Fact::number("newton", "kinematic restitution", restitution.newton, ""),
        Fact::number("largest_newton", "the largest that energy allows", region.ellipsoid().largest_restitution(), ""),
        Fact::number("ivanov", "Ivanov's η", restitution.ivanov, ""),
        Fact::number("impulse_ratio", "impulse ratio P_t/P_n", ratio, ""),
        Fact::maybe("span", "span condition", span.holds),
        Fact::words("audit_energy", "energy", audit.energy.to_string()),
        Fact::words("audit_friction", "friction", audit.contacts[0].friction.to_string()),
        Fact::words("audit_penetration", "penetration", audit.contacts[0].penetration.to_string()),
        Fact::verdict("accessible", "in the accessible region", region.contains(impulse)),
        Fact::number("distance", "distance to its boundary, inside > 0", region.distance(impulse)?, "N s"),
        Fact::list("nearest", "nearest admissible impulse", &vector(&nearest), "N s"),
        Fact::list(
            "nearest_velocity_after",
            "velocity after that one",
            &vector(&collision.velocity_after(&nearest)),
            "m/s",
        ),
        Fact::number("fraction", "law `accessible`: fraction", place.map(|place| place.fraction), ""),
        Fact::number("polar", "law `accessible`: polar", place.map(|place| place.polar), "rad"),
        Fact::number("azimuth", "law `accessible`: azimuth", place.map(|place| place.azimuth), "rad"),
    ])
}
