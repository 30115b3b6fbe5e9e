//! The impacts of each body, one after the other: when they accumulate, and when they only chatter.

/// The last impacts of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Series {
    /// When the last two were, s.
    times: [f64; 2],
    /// How many followed each other without a pause. A number of the checkpoint.
    count: f64,
}

/// Impacts that follow each other without a pause before the rest of them is completed without rebound.
const MOST_IN_A_ROW: f64 = 200.0;

impl Series {
    /// Numbers of the checkpoint for each body.
    pub(super) const WIDTH: usize = 3;

    /// Before any impact.
    pub(super) const START: Series = Series { times: [f64::MIN; 2], count: 0.0 };

    pub(super) fn from_memory(&[first, second, count]: &[f64; Series::WIDTH]) -> Series {
        Series { times: [first, second], count }
    }

    pub(super) fn memory(&self) -> [f64; Series::WIDTH] {
        [self.times[0], self.times[1], self.count]
    }

    /// One more impact. A longer time since the last one is a pause.
    pub(super) fn add(&mut self, time: f64, pause: f64) {
        self.count = if time - self.times[1] <= pause { self.count + 1.0 } else { 0.0 };
        self.times = [self.times[1], time];
    }

    /// Whether impacts have followed each other for so long that only a cut-off ends them.
    pub(super) fn chatters(&self) -> bool {
        self.count > MOST_IN_A_ROW
    }

    /// When impacts at intervals of a fixed ratio end, if one is now.
    pub(super) fn end(&self, now: f64) -> f64 {
        let (before, last) = (self.times[1] - self.times[0], now - self.times[1]);
        let ratio = last / before;
        if ratio.is_finite() && ratio > 0.0 && ratio < 1.0 { now + last * ratio / (1.0 - ratio) } else { now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_a_fixed_ratio_end_where_their_sum_does() {
        let mut series = Series::START;
        let ratio: f64 = 0.8;
        let time = |k: i32| (1.0 - ratio.powi(k)) / (1.0 - ratio);
        (0..6).for_each(|k| series.add(time(k), 1.0));
        assert!((series.end(time(6)) - 5.0).abs() < 1e-12);
        assert_eq!(Series::START.end(0.3), 0.3);
    }

    #[test]
    fn a_pause_ends_chatter() {
        let mut series = Series::START;
        (0..300).for_each(|k| series.add(f64::from(k) * 1e-6, 1e-5));
        assert!(series.chatters() && Series::from_memory(&series.memory()) == series);
        series.add(1.0, 1e-5);
        assert!(!series.chatters());
    }
}
