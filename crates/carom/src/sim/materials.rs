//! Parameters of laws at contacts, for every pair of materials.

/// A table of parameters for every pair of materials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Materials {
    count: usize,
    pairs: Vec<Vec<(&'static str, f64)>>,
    /// Parameters of the law as a whole.
    shared: Vec<(&'static str, f64)>,
}

impl Materials {
    /// A table for so many materials. `of` gives the parameters of a pair; it is asked once for each, the lower place first.
    pub fn new(
        count: usize,
        shared: Vec<(&'static str, f64)>,
        of: impl Fn(usize, usize) -> Vec<(&'static str, f64)>,
    ) -> Materials {
        let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a.min(b), a.max(b))));
        let pairs = pairs.map(|(a, b)| of(a, b)).collect();
        Materials { count, pairs, shared }
    }

    /// One material with these parameters.
    pub fn uniform(parameters: &[(&'static str, f64)]) -> Materials {
        Materials::new(1, Vec::new(), |_, _| parameters.to_vec())
    }

    /// How many materials there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A parameter where these two materials touch: the pair's own, else the law's. `friction` stands for static and kinetic
    /// friction alike, and they for it when they are equal.
    pub fn parameter(&self, a: usize, b: usize, key: &str) -> Option<f64> {
        let given = |key: &str| {
            let own = self.pairs.get(a * self.count + b).into_iter().flatten();
            own.chain(&self.shared).find(|(k, _)| *k == key).map(|(_, value)| *value)
        };
        given(key).or_else(|| match key {
            "static_friction" | "kinetic_friction" => given("friction"),
            "friction" => given("static_friction").filter(|sticking| given("kinetic_friction") == Some(*sticking)),
            _ => None,
        })
    }

    /// The least value of a parameter over all pairs of materials that have it.
    pub fn least(&self, key: &str) -> Option<f64> {
        let pairs = (0..self.count).flat_map(|a| (a..self.count).map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| self.parameter(a, b, key)).min_by(f64::total_cmp)
    }

    /// Static and kinetic friction where these two materials touch; none is 0.
    pub fn friction(&self, a: usize, b: usize) -> [f64; 2] {
        ["static_friction", "kinetic_friction"].map(|key| self.parameter(a, b, key).unwrap_or(0.0))
    }
}
