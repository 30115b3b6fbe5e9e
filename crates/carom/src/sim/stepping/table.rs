//! Friction and restitution of every pair of materials, looked up once.

use crate::sim::id::MaterialId;
use crate::sim::in_time::SceneInTime;
use crate::sim::part::Part;

/// Coefficients by pair of materials.
#[derive(Clone, Debug)]
pub(super) struct Table {
    count: usize,
    pairs: Vec<[f64; 2]>,
}

impl Table {
    pub(super) fn new(scene: &SceneInTime) -> Table {
        let parts = scene.bodies.iter().flat_map(|body| &body.parts).chain(&scene.world);
        let count = parts.map(|part: &Part| part.material.index() + 1).max().unwrap_or(0);
        let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        let materials = &scene.materials;
        let pairs = pairs.map(|(a, b)| {
            let (a, b) = (MaterialId::new(a), MaterialId::new(b));
            let restitution = materials.parameter(a, b, "restitution").unwrap_or(0.0);
            [materials.friction(a, b)[1], restitution.clamp(0.0, 1.0)]
        });
        Table { count, pairs: pairs.collect() }
    }

    /// Kinetic friction and restitution.
    #[inline]
    pub(super) fn of(&self, a: usize, b: usize) -> [f64; 2] {
        self.pairs[a * self.count + b]
    }
}
