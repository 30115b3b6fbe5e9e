//! The impacts of each body, one after the other: when they accumulate, and when they only chatter.

use crate::sim::checkpoint::ImpactSeries;

/// Impacts of a body that are forgotten in the time in which something crosses the scene.
const FORGOTTEN: f64 = 200.0;
/// So many more than that are chatter.
const CROWD: f64 = 200.0;
/// Impacts that chatter are completed without rebound below this fraction of the speeds in the scene. What is lost by it is their
/// energy: less than its square of all.
const CHATTER: f64 = 1e-4;
/// Where chatter goes on all the same, as where one chatters inside another, ever faster ones are, up to this fraction.
const MOST_CHATTER: f64 = 1e-2;

impl ImpactSeries {
    /// Before any impact.
    pub(super) const START: ImpactSeries = ImpactSeries { times: [f64::MIN; 2], crowd: 0.0 };

    /// One more impact. Something crosses the scene in the time `crossing`.
    pub(super) fn add(&mut self, time: f64, crossing: f64) {
        let forgotten = FORGOTTEN * (time - self.times[1]) / crossing;
        self.crowd = (self.crowd - forgotten).max(0.0) + 1.0;
        self.times = [self.times[1], time];
    }

    /// Whether impacts have crowded for so long that only a cut-off ends them.
    pub(super) fn chatters(&self) -> bool {
        self.crowd > CROWD
    }

    /// The fraction of the speeds in the scene below which an impact is only chatter.
    pub(super) fn cut_off(&self) -> f64 {
        if self.chatters() { (CHATTER * (self.crowd / CROWD).powi(4)).min(MOST_CHATTER) } else { 0.0 }
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
        let mut series = ImpactSeries::START;
        let ratio: f64 = 0.8;
        let time = |k: i32| (1.0 - ratio.powi(k)) / (1.0 - ratio);
        (0..6).for_each(|k| series.add(time(k), 1.0));
        assert!((series.end(time(6)) - 5.0).abs() < 1e-12);
        assert_eq!(ImpactSeries::START.end(0.3), 0.3);
    }

    #[test]
    fn impacts_that_crowd_chatter_until_time_has_passed() {
        let mut series = ImpactSeries::START;
        let crossing = 1.0;
        (0..200).for_each(|k| series.add(f64::from(k) * 1e-6, crossing));
        assert_eq!(series.cut_off(), 0.0);
        (200..300).for_each(|k| series.add(f64::from(k) * 1e-6, crossing));
        assert!(series.cut_off() > CHATTER);
        (300..2000).for_each(|k| series.add(f64::from(k) * 1e-6, crossing));
        assert_eq!(series.cut_off(), MOST_CHATTER);
        series.add(20.0, crossing);
        assert!(!series.chatters());
        // A body that is hit often, but not as often, never chatters.
        (1..10_000).for_each(|k| series.add(20.0 + f64::from(k) * 0.006, crossing));
        assert!(!series.chatters());
    }
}
