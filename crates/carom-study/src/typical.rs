//! Typical values for parameters that a law requires, so that any law can be tried without a scenario.

use carom::laws::{Fallback, Kind, Law, Parameter};
use carom::{BoundLaw, Error};

/// A contact of hard bodies of about a kilogram at about a metre per second: values in SI units by key.
const TYPICAL: &[(&str, f64)] = &[
    ("restitution", 0.7),
    ("friction", 0.3),
    ("impulse_ratio", 0.1),
    ("fraction", 0.5),
    ("polar", 0.3),
    ("stiffness", 1e6),
    // k/c = 1 m/s.
    ("damping_growth", 1e6),
    ("youngs_modulus", 7e10),
    ("poisson_ratio", 0.3),
    ("radius", 0.02),
    ("elements", 20.0),
];

/// Binds a law to the values given, and to typical ones where it has no default of its own. Damping that a law works out
/// from the restitution is left to it.
///
/// ```
/// use carom_study::typical;
/// let law = typical::bind(carom::laws::find("routh-poisson")?, &[("friction", 0.1)])?;
/// assert_eq!(law.values(0), [0.7, 0.1]);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn bind(law: &'static Law, given: &[(&str, f64)]) -> Result<BoundLaw, Error> {
    let typical = |key: &str| TYPICAL.iter().chain(given).rev().find(|(k, _)| *k == key).map(|(_, value)| *value);
    let fill = |parameter: &Parameter| {
        let value = match parameter.fallback {
            Fallback::Derived(_) => None,
            Fallback::SameAs(other) => typical(other),
            Fallback::Value(_) => typical(parameter.key),
            Fallback::Required => Some(typical(parameter.key).unwrap_or_else(|| middle(parameter))),
        };
        Some((parameter.key, value?))
    };
    let is_missing = |parameter: &&Parameter| given.iter().all(|(key, _)| *key != parameter.key);
    let rest = law.parameters.iter().filter(is_missing).filter_map(fill);
    let values: Vec<(&str, f64)> = given.iter().copied().chain(rest).collect();
    law.bind(&values)
}

/// A value well inside the bounds of a parameter that the table does not know.
fn middle(parameter: &Parameter) -> f64 {
    match parameter.kind {
        Kind::Choice(_) => 0.0,
        Kind::Number { least, greatest } => match (least.is_finite(), greatest.is_finite()) {
            (true, true) if least > 0.0 => (least * greatest).sqrt(),
            (true, true) => 0.5 * (least + greatest),
            (true, false) => least + 1.0,
            (false, true) => greatest - 1.0,
            (false, false) => 1.0,
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use carom::laws;
    use carom::properties::Properties;

    #[test]
    fn every_law_can_be_tried_with_typical_values() {
        for law in laws::ALL {
            let measured = Properties::measure(&bind(law, &[]).unwrap());
            assert!(measured.resolved >= 12, "{}: {measured:?}", law.id);
        }
    }

    #[test]
    fn given_values_come_first_and_unknown_ones_are_refused() {
        let law = laws::find("spring-dashpot").unwrap();
        let value = |bound: &BoundLaw, key: &str| {
            let place = law.parameters.iter().position(|p| p.key == key).unwrap();
            bound.values(0)[place]
        };
        let bound = bind(law, &[]).unwrap();
        assert!(value(&bound, "damping").is_nan());
        assert_eq!((value(&bound, "restitution"), value(&bound, "kinetic_friction")), (0.7, 0.3));
        let bound = bind(law, &[("damping", 5.0), ("friction", 0.1)]).unwrap();
        assert_eq!((value(&bound, "damping"), value(&bound, "static_friction")), (5.0, 0.1));
        assert!(matches!(bind(law, &[("colour", 1.0)]), Err(Error::UnknownParameter { .. })));
    }

    #[test]
    fn a_parameter_the_table_does_not_know_gets_a_value_within_its_bounds() {
        let all = laws::ALL.iter().flat_map(|law| law.parameters);
        assert!(all.clone().count() > 20);
        for parameter in all {
            assert!(parameter.accepts(middle(parameter)), "{}", parameter.key);
        }
    }
}
