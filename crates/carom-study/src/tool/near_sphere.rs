//! A law linearised about the sphere.

use super::Fact;
use carom::laws::{BoundLaw, Inapplicable};
use carom::tools::linearise_about_sphere;

/// How the velocity after changes with the mass matrix about that of a sphere, at an angle of incidence, rad.
pub fn near_sphere_facts(law: &BoundLaw, incidence: f64) -> Result<Vec<Fact>, Inapplicable> {
    let found = linearise_about_sphere(|collision| law.resolve_collision(collision), incidence)?;
    let five = found.five_functions();
    let row = |k: usize| found.jacobian.row(k).iter().copied().collect::<Vec<f64>>();
    Ok(vec![
        Fact::words("law", "law", law.law().id),
        Fact::number("incidence", "angle of incidence", incidence, "rad"),
        Fact::number("j14", "J14 = ∂V_n/∂M12", five.j14, ""),
        Fact::number("j21", "J21 = ∂V_t/∂M11", five.j21, ""),
        Fact::number("j24", "J24 = ∂V_t/∂M12", five.j24, ""),
        Fact::number("j35", "J35, across, with M13", five.j35, ""),
        Fact::number("j36", "J36, across, with M23", five.j36, ""),
        Fact::list("jacobian_n", "∂V_n/∂(M11, M22, M33, M12, M13, M23)", &row(0), ""),
        Fact::list("jacobian_t", "∂V_t/∂(…)", &row(1), ""),
        Fact::list("jacobian_across", "∂V across/∂(…)", &row(2), ""),
        Fact::number("defect", "departure from the five functions", found.defect(), ""),
        Fact::number("uncertainty", "uncertainty of the differences", found.uncertainty, ""),
    ])
}
