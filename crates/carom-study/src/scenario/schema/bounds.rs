//! The numbers a field may take.

use carom::format::Exact;

/// An interval of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub least: f64,
    pub greatest: f64,
    /// Whether `least` itself is excluded.
    pub above: bool,
}

impl Bounds {
    pub const ANY: Bounds = Bounds { least: f64::NEG_INFINITY, greatest: f64::INFINITY, above: false };
    pub const POSITIVE: Bounds = Bounds { least: 0.0, greatest: f64::INFINITY, above: true };
    pub const NOT_NEGATIVE: Bounds = Bounds { least: 0.0, greatest: f64::INFINITY, above: false };

    pub fn contain(&self, value: f64) -> bool {
        value <= self.greatest && if self.above { value > self.least } else { value >= self.least }
    }

    /// The same without infinity.
    pub const fn finite(self) -> Bounds {
        Bounds { greatest: self.greatest.min(f64::MAX), ..self }
    }

    /// The smallest interval that holds both.
    pub fn hull(&self, other: &Bounds) -> Bounds {
        Bounds {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            above: if self.least == other.least {
                self.above && other.above
            } else {
                [self, other][usize::from(other.least < self.least)].above
            },
        }
    }

    /// The interval in words that follow “a number”; empty when any number will do.
    pub fn words(&self) -> String {
        let Bounds { least, greatest, above } = *self;
        let is_finite = (least.is_finite(), greatest < f64::MAX);
        let [least, greatest] = [least, greatest].map(Exact);
        match is_finite {
            (true, true) if above => format!(" above {least} and up to {greatest}"),
            (true, true) => format!(" from {least} to {greatest}"),
            (true, false) if above => format!(" above {least}"),
            (true, false) => format!(" of at least {least}"),
            (false, true) => format!(" of at most {greatest}"),
            (false, false) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_written_without_rows_of_zeros() {
        let bounds = Bounds { least: 1e-30, greatest: 1e30, above: false };
        assert_eq!(bounds.words(), " from 1e-30 to 1e30");
        assert_eq!(Bounds { least: -0.5, greatest: 1000.0, above: true }.words(), " above -0.5 and up to 1000");
    }

    #[test]
    fn the_hull_holds_both_intervals() {
        let unit = Bounds { least: 0.0, greatest: 1.0, above: false };
        let signed = Bounds { least: -1.0, greatest: 1.0, above: true };
        assert_eq!(unit.hull(&signed), signed);
        assert_eq!(signed.hull(&unit), signed);
        assert_eq!(Bounds::POSITIVE.hull(&unit), Bounds::NOT_NEGATIVE);
    }

    #[test]
    fn an_open_end_excludes_its_bound() {
        assert!(!Bounds::POSITIVE.contain(0.0) && Bounds::NOT_NEGATIVE.contain(0.0) && !Bounds::ANY.contain(f64::NAN));
    }
}
