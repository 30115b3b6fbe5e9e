//! Curvature and Hertz's contact of two surfaces.

use super::Fact;
use carom::Error;
use carom::elastic::{Gap, LineContact, PointContact, Surface};

/// Two surfaces of reduced modulus E* (Pa) under a load (N); along a line, the load is per metre.
pub fn hertz_facts(surfaces: &[Surface; 2], modulus: f64, load: f64) -> Result<Vec<Fact>, Error> {
    let gap = Gap::between(&surfaces[0], &surfaces[1])?;
    let mut facts = vec![
        Fact::list("curvatures", "A and B of the gap A x² + B y²", &[gap.a(), gap.b()], "1/m"),
        Fact::number("direction", "direction of x", gap.direction(), "rad"),
    ];
    if gap.is_line() {
        let radius = gap.relative_radii()[1];
        let contact = LineContact::new(radius, modulus)?;
        facts.extend([
            Fact::words("contact", "contact", "along a line"),
            Fact::number("relative_radius", "relative radius", radius, "m"),
            Fact::number("load_per_length", "load per length", load, "N/m"),
            Fact::number("half_width", "half-width of the contact", contact.half_width(load)?, "m"),
            Fact::number("peak_pressure", "peak pressure", contact.peak_pressure(load)?, "Pa"),
        ]);
        return Ok(facts);
    }
    let contact = PointContact::new(&gap, modulus)?;
    let pressed = contact.under(load)?;
    facts.extend([
        Fact::words("contact", "contact", "at a point"),
        Fact::list("relative_radii", "relative radii R' and R''", &gap.relative_radii(), "m"),
        Fact::number("axis_ratio", "b/a of the ellipse", contact.axis_ratio(), ""),
        Fact::number("effective_radius", "radius of the ball with the same F(δ)", contact.effective_radius(), "m"),
        Fact::number("modulus", "reduced modulus E*", modulus, "Pa"),
        Fact::number("load", "load", pressed.load, "N"),
        Fact::number("approach", "approach", pressed.approach, "m"),
        Fact::list("semi_axes", "semi-axes a and b", &pressed.semi_axes, "m"),
        Fact::number("peak_pressure", "peak pressure", pressed.peak_pressure, "Pa"),
        Fact::number("stiffness", "stiffness dF/dδ", pressed.stiffness, "N/m"),
    ]);
    Ok(facts)
}
