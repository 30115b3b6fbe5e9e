//! When each pair is due, and which comes first.
//!
//! A tournament: every node of a binary tree names the earlier of its two sides. A pair that gets another time plays again upwards for
//! as long as it won before or wins now, which is a match or two for most, however many pairs there are.

/// Times of pairs; infinite ones never come.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    due: Vec<f64>,
    /// Winner of the matches below each node; node k has the sides 2k and 2k + 1, and the last half are the pairs themselves.
    winners: Vec<u32>,
}

impl Agenda {
    /// Of so many pairs, none of them due.
    pub(super) fn new(pairs: usize) -> Agenda {
        let leaves = pairs.next_power_of_two();
        let mut winners: Vec<u32> = vec![0; leaves];
        winners.extend(0..leaves as u32);
        for node in (1..leaves).rev() {
            winners[node] = winners[2 * node];
        }
        Agenda { due: vec![f64::INFINITY; leaves], winners }
    }

    /// Sets the time of a pair.
    pub(super) fn set(&mut self, pair: usize, time: f64) {
        if self.due[pair] == time {
            return;
        }
        self.due[pair] = time;
        let mut node = self.due.len() + pair;
        while node > 1 {
            node /= 2;
            let [one, other] = [2 * node, 2 * node + 1].map(|side| self.winners[side]);
            // Of equals the lower wins, so that the order is that of the pairs.
            let winner = if self.due[other as usize] < self.due[one as usize] { other } else { one };
            if winner != pair as u32 && self.winners[node] != pair as u32 {
                return;
            }
            self.winners[node] = winner;
        }
    }

    /// The first pair and its time, if any is due.
    pub(super) fn first(&self) -> Option<(f64, usize)> {
        let winner = self.winners[1] as usize;
        let time = self.due[winner];
        (time < f64::INFINITY).then_some((time, winner))
    }

    /// When the first of all others but this pair is due.
    pub(super) fn first_but(&self, pair: usize) -> f64 {
        let mut first = f64::INFINITY;
        let mut node = self.due.len() + pair;
        while node > 1 {
            first = first.min(self.due[self.winners[node ^ 1] as usize]);
            node /= 2;
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_first_is_the_least_of_all_whatever_is_set() {
        let mut random = Random(5);
        for pairs in [1_usize, 2, 3, 7, 8, 100] {
            let mut agenda = Agenda::new(pairs);
            let mut times = vec![f64::INFINITY; pairs];
            assert_eq!(agenda.first(), None);
            for _ in 0..2000 {
                let pair = (random.unit() * pairs as f64) as usize;
                // A few values only, so that many are equal.
                let time = [0.0, 1.0, 2.0, 3.0, f64::INFINITY][(random.unit() * 5.0) as usize];
                agenda.set(pair, time);
                times[pair] = time;
                let least = (0..pairs).min_by(|a, b| times[*a].total_cmp(&times[*b])).filter(|k| times[*k].is_finite());
                assert_eq!(agenda.first(), least.map(|k| (times[k], k)));
                let others = (0..pairs).filter(|k| *k != pair).map(|k| times[k]).fold(f64::INFINITY, f64::min);
                assert_eq!(agenda.first_but(pair), others);
            }
        }
    }
}
