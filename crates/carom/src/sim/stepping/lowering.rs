//! The largest factor on the restitution of an island with which it gains no energy.
//!
//! Newton's law with friction can create energy (Kane & Levinson 1985). All coefficients of restitution of an island that would gain are
//! multiplied by one factor, as in the event engine: at 0 no island gains, so halving the interval between 0 and a factor that gains finds
//! the largest that does not, from below. Contacts that hold each other by friction may have no finite impulses at all with which they
//! rebound; without rebound they have. Such an island counts as one that gains.

/// Halvings of the interval. The factor is then known to a thousandth, which is the tolerance of the solver.
const HALVINGS: u32 = 10;

/// The search of one island.
#[derive(Clone, Copy, Debug)]
struct Search {
    /// The factor that was tried last.
    at: f64,
    /// No gain, and a gain.
    low: f64,
    high: f64,
    halvings: u32,
}

impl Search {
    const FULL: Search = Search { at: 1.0, low: 0.0, high: 1.0, halvings: 0 };

    /// The factor to try after one that gained or not; nothing where the last was the one to keep.
    fn next(&mut self, gains: bool) -> Option<f64> {
        match (gains, self.at == self.low) {
            (false, true) => return None,
            (false, false) => self.low = self.at,
            // A factor that gained nothing before gains now, from other impulses and the solver's residual.
            (true, true) => (self.low, self.high) = (0.0, self.at),
            (true, false) => self.high = self.at,
        }
        if self.halvings < HALVINGS {
            self.halvings += 1;
            return Some(0.5 * (self.low + self.high));
        }
        (self.at != self.low).then_some(self.low)
    }
}

/// The searches of all islands of a step, by root.
#[derive(Clone, Debug, Default)]
pub(super) struct Lowering {
    searches: Vec<Search>,
    /// Islands that are to be solved again, and by how much their restitution changes for that.
    pub(super) tried: Vec<bool>,
    pub(super) ratios: Vec<f64>,
}

impl Lowering {
    pub(super) fn reset(&mut self, bodies: usize) {
        self.searches.clear();
        self.searches.resize(bodies, Search::FULL);
        self.tried.clear();
        self.tried.resize(bodies, false);
        self.ratios.clear();
        self.ratios.resize(bodies, 1.0);
    }

    /// Goes on after all islands, or those that were tried, were solved. Returns whether some are to be solved again.
    pub(super) fn next(&mut self, gaining: &[bool]) -> bool {
        for (root, search) in self.searches.iter_mut().enumerate() {
            let begins = search.at == 1.0 && gaining[root];
            if !(begins || self.tried[root]) {
                continue;
            }
            let factor = search.next(gaining[root]);
            self.tried[root] = factor.is_some();
            self.ratios[root] = factor.map_or(1.0, |factor| factor / search.at);
            search.at = factor.unwrap_or(search.at);
        }
        self.tried.contains(&true)
    }

    /// The least factor of an island whose restitution was lowered.
    pub(super) fn least(&self) -> Option<f64> {
        self.searches.iter().map(|search| search.at).filter(|factor| *factor < 1.0).reduce(f64::min)
    }
}
