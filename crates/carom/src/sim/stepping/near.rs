//! Which bodies are near each other, kept over several steps, and the impulses that their contacts start from (Verlet 1967).

use super::crowd::Crowd;
use super::grid::Grid;
use crate::sim::passing::Filter;

/// Pairs closer than a skin. The list stays good until bodies may have crossed it.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    grid: Grid,
    found: Vec<[u32; 2]>,
    /// Pairs of balls, the higher place first, ascending.
    pub(super) rounds: Vec<[u32; 2]>,
    /// Impulse of each pair of balls in the last step: along the normal, and across it in world axes.
    pub(super) memory: Vec<[f64; 4]>,
    old: Vec<([u32; 2], [f64; 4])>,
    /// Pairs with another shape.
    pub(super) others: Vec<[u32; 2]>,
    /// Pairs that pass through each other.
    pub(super) filter: Filter,
    pub(super) skin: f64,
    /// How far bodies may have moved since the list was made, m.
    pub(super) travel: f64,
    pub(super) valid: bool,
}

/// Least width of the skin, in radii of the greatest body; and in the fastest body's ways in a step.
const SKIN: f64 = 0.2;
const SKIN_STEPS: f64 = 8.0;

impl Near {
    pub(super) fn new(filter: Filter) -> Near {
        Near { filter, ..Near::default() }
    }

    /// Makes the list anew if bodies may have come closer than `slack` unseen.
    pub(super) fn renew(&mut self, crowd: &Crowd, slack: f64, planar: bool) {
        if self.valid && 2.0 * (self.travel + slack) <= self.skin {
            return;
        }
        let greatest = crowd.places.iter().map(|place| place[3]).fold(0.0, f64::max);
        self.skin = (SKIN * greatest).max(SKIN_STEPS * slack);
        (self.travel, self.valid) = (0.0, true);
        self.old.clear();
        let remembered = self.rounds.iter().zip(&self.memory).filter(|(_, impulse)| impulse[0] > 0.0);
        self.old.extend(remembered.map(|(pair, impulse)| (*pair, *impulse)));
        self.grid.pairs(&crowd.places, self.skin, planar, &mut self.found);
        self.rounds.clear();
        self.memory.clear();
        self.others.clear();
        let mut old = self.old.iter().peekable();
        for pair in &self.found {
            if !self.filter.lets_touch(pair[0] as usize, pair[1] as usize) {
                continue;
            }
            if !pair.iter().all(|body| crowd.round[*body as usize]) {
                self.others.push(*pair);
                continue;
            }
            while old.next_if(|(known, _)| known < pair).is_some() {}
            let impulse = old.next_if(|(known, _)| known == pair).map_or([0.0; 4], |(_, impulse)| *impulse);
            self.rounds.push(*pair);
            self.memory.push(impulse);
        }
    }

    /// Bodies moved no farther than this.
    pub(super) fn travelled(&mut self, way: f64) {
        self.travel += way;
    }
}
