//! Parameters of laws at contacts, for every pair of materials.

use super::id::MaterialId;
use crate::error::Error;

/// A table of parameters for every pair of materials.
///
/// ```
/// use carom::sim::Materials;
///
/// let mut materials = Materials::default();
/// let rubber = materials.add(&[("restitution", 0.8), ("friction", 0.9)]);
/// let ice = materials.add(&[("restitution", 0.3), ("friction", 0.05)]);
/// materials.set_pair(rubber, ice, &[("restitution", 0.5), ("friction", 0.1)])?;
/// assert_eq!(materials.parameter(ice, rubber, "friction"), Some(0.1));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Materials {
    count: usize,
    /// Row by row of the lower triangle: (0, 0), (1, 0), (1, 1), (2, 0), …
    pairs: Vec<Vec<(&'static str, f64)>>,
    /// Parameters of the law as a whole.
    shared: Vec<(&'static str, f64)>,
}

impl Materials {
    /// A table of `count` materials. `of` gives the parameters of a pair; it is asked once for each, the lower place first.
    pub fn new(
        count: usize,
        shared: Vec<(&'static str, f64)>,
        of: impl Fn(MaterialId, MaterialId) -> Vec<(&'static str, f64)>,
    ) -> Materials {
        let pairs = (0..count).flat_map(|b| (0..=b).map(move |a| (MaterialId::new(a), MaterialId::new(b))));
        let pairs = pairs.map(|(a, b)| of(a, b)).collect();
        Materials { count, pairs, shared }
    }

    /// One material with these parameters.
    pub fn uniform(parameters: &[(&'static str, f64)]) -> Materials {
        Materials::new(1, Vec::new(), |_, _| parameters.to_vec())
    }

    /// Adds a material. The parameters are those of a contact with itself; contacts with others have none until
    /// [`set_pair`](Materials::set_pair) gives them.
    pub fn add(&mut self, parameters: &[(&'static str, f64)]) -> MaterialId {
        self.pairs.extend((0..self.count).map(|_| Vec::new()));
        self.pairs.push(parameters.to_vec());
        self.count += 1;
        MaterialId::new(self.count - 1)
    }

    /// Gives the parameters where these two materials touch.
    pub fn set_pair(&mut self, a: MaterialId, b: MaterialId, parameters: &[(&'static str, f64)]) -> Result<(), Error> {
        let (index, count) = (a.max(b).index(), self.count);
        let place = self.place(a, b).ok_or(Error::NoSuch { what: "material", index, count })?;
        self.pairs[place] = parameters.to_vec();
        Ok(())
    }

    /// The number of materials.
    pub fn count(&self) -> usize {
        self.count
    }

    fn place(&self, a: MaterialId, b: MaterialId) -> Option<usize> {
        let (low, high) = (a.min(b).index(), a.max(b).index());
        (high < self.count).then(|| high * (high + 1) / 2 + low)
    }

    /// A parameter where these two materials touch: the pair's own, else the law's. `friction` stands for static and kinetic
    /// friction alike, and they for it when they are equal.
    pub fn parameter(&self, a: MaterialId, b: MaterialId, key: &str) -> Option<f64> {
        let own = self.place(a, b).and_then(|place| self.pairs.get(place));
        let given = |key: &str| {
            let known = own.into_iter().flatten().chain(&self.shared);
            known.into_iter().find(|(k, _)| *k == key).map(|(_, value)| *value)
        };
        given(key).or_else(|| match key {
            "static_friction" | "kinetic_friction" => given("friction"),
            "friction" => given("static_friction").filter(|sticking| given("kinetic_friction") == Some(*sticking)),
            _ => None,
        })
    }

    /// A parameter of the law as a whole, or of the first material's contact with itself.
    pub(super) fn shared(&self, key: &str) -> Option<f64> {
        self.parameter(MaterialId::new(0), MaterialId::new(0), key)
    }

    /// The least value of a parameter over all pairs of materials that have it.
    pub fn least(&self, key: &str) -> Option<f64> {
        let pairs = (0..self.count).flat_map(|a| (a..self.count).map(move |b| (a, b)));
        let values = pairs.filter_map(|(a, b)| self.parameter(MaterialId::new(a), MaterialId::new(b), key));
        values.min_by(f64::total_cmp)
    }

    /// Static and kinetic friction where these two materials touch; none is 0.
    pub fn friction(&self, a: MaterialId, b: MaterialId) -> [f64; 2] {
        ["static_friction", "kinetic_friction"].map(|key| self.parameter(a, b, key).unwrap_or(0.0))
    }

    /// Refuses numbers that no law takes. Bounds of their own are checked where a law is bound to them.
    pub(super) fn check(&self) -> Result<(), Error> {
        for (key, value) in self.pairs.iter().flatten().chain(&self.shared) {
            let negative = is_coefficient(key) && *value < 0.0;
            if value.is_nan() || negative {
                let expected = if is_coefficient(key) { "a number of at least 0" } else { "a number" };
                return Err(Error::OutOfRange { what: key, value: *value, expected });
            }
        }
        Ok(())
    }
}

/// Coefficients that engines use themselves, beside the law.
fn is_coefficient(key: &str) -> bool {
    matches!(key, "restitution" | "friction" | "static_friction" | "kinetic_friction")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pair_stands_for_another() {
        let materials = Materials::new(4, Vec::new(), |a, b| vec![("friction", (10 * a.index() + b.index()) as f64)]);
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            let expected = (a < 4 && b < 4).then(|| (10 * a.min(b) + a.max(b)) as f64);
            assert_eq!(materials.parameter(MaterialId::new(a), MaterialId::new(b), "friction"), expected);
        }
    }
}
