//! What bodies and obstacles touch with, part by part.

use super::Writer;
use super::toml::{Text, number, numbers, quoted, table};
use carom::sim::{Core, MaterialId, Part};
use nalgebra::Vector3;

impl Writer<'_> {
    /// Parts, one by one.
    pub(super) fn parts(&self, text: &mut Text, parts: &[Part]) {
        let first = parts.first().map_or_else(MaterialId::default, |part| part.material);
        let lines: Vec<String> = parts.iter().map(|part| self.part(part, first)).collect();
        text.list("parts", &lines);
    }

    fn part(&self, part: &Part, common: MaterialId) -> String {
        let mut keys = Vec::new();
        match &part.core {
            Core::HalfSpace { normal, offset } => {
                keys.push(("half_space", table(&[("normal", self.vector(normal)), ("offset", number(*offset))])));
            }
            Core::Ellipsoid { centre, axes, semi_axes } => keys.push((
                "ellipsoid",
                table(&[
                    ("semi_axes", numbers(semi_axes.as_slice())),
                    ("position", self.vector(centre)),
                    ("orientation", self.orientation(axes)),
                ]),
            )),
            Core::Hull(hull) => {
                let corners: Vec<String> = hull.vertices().iter().map(|vertex| self.vector(vertex)).collect();
                keys.push(("vertices", format!("[{}]", corners.join(", "))));
                let face = |(normal, corners): (&Vector3<f64>, &[usize])| {
                    table(&[("normal", self.vector(normal)), ("corners", format!("{corners:?}"))])
                };
                let faces: Vec<String> = hull.faces().map(face).collect();
                if !faces.is_empty() {
                    keys.push(("face", format!("[{}]", faces.join(", "))));
                }
            }
        }
        if part.radius != 0.0 {
            keys.push(("radius", number(part.radius)));
        }
        if part.material != common {
            keys.push(("material", quoted(&self.material_name(part.material))));
        }
        table(&keys)
    }
}
