//! The ratios C of the normal impulses (Rodriguez 2014, App. B; see the head of the law).

use super::field::Motion;
use super::pairs::{Link, Pair};
use super::simplex::least_on_simplex;
use nalgebra::{DMatrix, DVector, RowDVector};

/// How the ratios follow from the pairs.
#[derive(Debug)]
pub(super) struct Ratios {
    contacts: usize,
    components: usize,
    pairs: Vec<Pair>,
    /// The n − 1 pairs of the source's chain, with the senses of the normals; `None` for all pairs by least squares.
    chain: Option<Vec<Step>>,
}

/// A pair of the chain.
#[derive(Debug)]
struct Step {
    pair: usize,
    /// Whether the magnitude of each contact's normal impulse counts against its normal.
    senses: [f64; 2],
}

/// Pairs that say nothing (0 = 0, as without friction) leave equal impulses: their weight against those that do.
const EQUAL: f64 = 1e-14;
/// A constraint of the source with smaller coefficients says nothing.
const SILENT: f64 = 1e-9;
/// A ratio this little below zero is a rounded zero.
const ROUNDED: f64 = 1e-12;
/// The signs of at most this many sticking pairs are tried in all combinations.
const MOST_SIGNS: usize = 3;
/// Departures from the rule that differ by less, per unit of normal impulse, are the same.
const SAME: f64 = 1e-9;

impl Ratios {
    pub(super) fn new(contacts: usize, components: usize, pairs: Vec<Pair>, as_published: bool) -> Ratios {
        let chain = as_published.then(|| chain(contacts, &pairs));
        Ratios { contacts, components, pairs, chain }
    }

    /// Whether the source's own rules hold, which may leave no ratios.
    pub(super) fn are_published(&self) -> bool {
        self.chain.is_some()
    }

    /// C, of sum 1, for impulses per unit of each normal impulse. The signs of the pairs that stick are chosen, or kept if
    /// they are given.
    pub(super) fn solve(
        &self,
        response: &DMatrix<f64>,
        motions: &[Motion],
        signs: &mut Option<Vec<f64>>,
    ) -> Option<DVector<f64>> {
        if self.contacts == 1 {
            return Some(DVector::from_element(1, 1.0));
        }
        match &self.chain {
            Some(chain) => self.along_chain(chain, response),
            None => Some(self.by_least_squares(response, motions, signs)),
        }
    }

    /// The self-equilibrated parts of both contacts' impulses, as rows over C.
    fn internal(&self, pair: &Pair, null: &[DMatrix<f64>; 2], response: &DMatrix<f64>) -> [DMatrix<f64>; 2] {
        [0, 1].map(|side| null[side].tr_mul(&response.rows(self.components * pair.contacts[side], self.components)))
    }

    fn by_least_squares(
        &self,
        response: &DMatrix<f64>,
        motions: &[Motion],
        signs: &mut Option<Vec<f64>>,
    ) -> DVector<f64> {
        let n = self.contacts;
        let mut squares = DMatrix::zeros(n, n);
        let mut add = |i: usize, j: usize, (a, b): (f64, f64)| {
            squares[(i, i)] += a * a;
            squares[(j, j)] += b * b;
            squares[(i, j)] -= a * b;
            squares[(j, i)] -= a * b;
        };
        let mut held = Vec::new();
        for pair in &self.pairs {
            let [i, j] = pair.contacts;
            let Link::Rigid(null) = &pair.link else {
                add(i, j, (1.0, 1.0));
                continue;
            };
            add(i, j, (EQUAL.sqrt(), EQUAL.sqrt()));
            let [a, b] = self.internal(pair, null, response);
            if motions[i] == Motion::Stick || motions[j] == Motion::Stick {
                held.push((a, b));
            } else {
                add(i, j, (a.column(i).norm(), b.column(j).norm()));
            }
        }
        let with = |signs: &[f64]| {
            let mut all = squares.clone();
            for ((a, b), sign) in held.iter().zip(signs) {
                let sum: DMatrix<f64> = a + b * *sign;
                all += sum.tr_mul(&sum);
            }
            least_on_simplex(&all)
        };
        if let Some(signs) = signs {
            return with(signs);
        }
        let departure = |ratios: &DVector<f64>| self.departure(&(response * ratios));
        if held.len() <= MOST_SIGNS {
            // Least departure from the rule; of several, the one with the fewest pairs that push against each other.
            let mut choices: Vec<Vec<f64>> = (0..1_usize << held.len())
                .map(|code| (0..held.len()).map(|k| if code >> k & 1 == 1 { -1.0 } else { 1.0 }).collect())
                .collect();
            choices.sort_by_key(|choice: &Vec<f64>| choice.iter().filter(|sign| **sign < 0.0).count());
            let mut best: Option<(f64, DVector<f64>, Vec<f64>)> = None;
            for choice in choices {
                let ratios = with(&choice);
                let off = departure(&ratios);
                if best.as_ref().is_none_or(|(least, ..)| off < least - SAME) {
                    best = Some((off, ratios, choice));
                }
            }
            if let Some((_, ratios, choice)) = best {
                *signs = Some(choice);
                return ratios;
            }
        }
        // A pair that sticks has the sign of no internal impulse where impulses that push can have it, and the other where they
        // cannot; each change lowers the sum of squares.
        let mut chosen = vec![1.0; held.len()];
        let mut ratios = with(&chosen);
        for _ in 0..2 * held.len() {
            let mut changed = false;
            for ((a, b), sign) in held.iter().zip(&mut chosen) {
                let (a, b) = (a * &ratios, b * &ratios);
                if (&a - &b * *sign).norm() < (1.0 - ROUNDED) * (a + b * *sign).norm() {
                    (*sign, changed) = (-*sign, true);
                }
            }
            if !changed {
                break;
            }
            ratios = with(&chosen);
        }
        *signs = Some(chosen);
        ratios
    }

    /// |z_1·dP_1| − |z_2·dP_2| of the first pair: below zero if the first contact receives too little.
    pub(super) fn excess(&self, impulse: &DVector<f64>) -> f64 {
        self.pairs.first().map_or(0.0, |pair| self.off(pair, impulse))
    }

    fn off(&self, pair: &Pair, impulse: &DVector<f64>) -> f64 {
        let [i, j] = pair.contacts;
        let at = |contact: usize| impulse.rows(self.components * contact, self.components);
        match &pair.link {
            Link::Rigid([a, b]) => a.tr_mul(&at(i)).norm() - b.tr_mul(&at(j)).norm(),
            Link::Loose => at(i)[0] - at(j)[0],
        }
    }

    /// How far impulses per unit of normal impulse are from the rule: the root of the sum of (|z_i·dP_i| − |z_j·dP_j|)² over all
    /// pairs, with C_i − C_j for pairs without cancelling impulses.
    pub(super) fn departure(&self, impulse: &DVector<f64>) -> f64 {
        self.pairs.iter().map(|pair| self.off(pair, impulse)).map(|off| off * off).sum::<f64>().sqrt()
    }

    fn along_chain(&self, chain: &[Step], response: &DMatrix<f64>) -> Option<DVector<f64>> {
        let n = self.contacts;
        let mut system = DMatrix::zeros(n, n);
        system.row_mut(0).fill(1.0);
        for (k, step) in chain.iter().enumerate() {
            let pair = &self.pairs[step.pair];
            let [i, j] = pair.contacts;
            let mut row = RowDVector::zeros(n);
            if let Link::Rigid(null) = &pair.link
                && null[0].ncols() == 1
            {
                for side in [0, 1] {
                    let (contact, z) = (pair.contacts[side], null[side].column(0));
                    row[contact] += step.senses[side] * z[0];
                    for k in 1..self.components {
                        row += response.row(self.components * contact + k) * z[k];
                    }
                }
            }
            if row.norm() <= SILENT {
                row.fill(0.0);
                (row[i], row[j]) = (1.0, -1.0);
            }
            system.set_row(k + 1, &row);
        }
        let mut sum = DVector::zeros(n);
        sum[0] = 1.0;
        let singular = ROUNDED * system.amax();
        let lu = system.full_piv_lu();
        if lu.u().diagonal().iter().any(|pivot| pivot.abs() <= singular) {
            return None;
        }
        let ratios = lu.solve(&sum)?;
        (ratios.min() >= -ROUNDED).then(|| ratios.map(|ratio| ratio.max(0.0)))
    }
}

/// Contact after contact, each tied to the nearest in the list that is tied already.
///
/// The source writes impulses along fixed axes and replaces normal ones by magnitudes. A second contact squeezes the body against
/// the first if the line between them leads into both normals; the source's axis then runs against its normal.
fn chain(contacts: usize, pairs: &[Pair]) -> Vec<Step> {
    let mut sense: Vec<Option<f64>> = vec![None; contacts];
    sense[0] = Some(1.0);
    let mut chain = Vec::new();
    loop {
        let open = pairs.iter().enumerate().filter(|(_, pair)| {
            let [i, j] = pair.contacts;
            sense[i].is_some() != sense[j].is_some()
        });
        let Some((place, pair)) = open.min_by_key(|(place, pair)| (pair.contacts[1] - pair.contacts[0], *place)) else {
            return chain;
        };
        let squeeze = match &pair.link {
            Link::Rigid([a, b]) if (a[(0, 0)] * b[(0, 0)]).abs() > SILENT => -(a[(0, 0)] * b[(0, 0)]).signum(),
            _ => 1.0,
        };
        let [i, j] = pair.contacts;
        let senses = match (sense[i], sense[j]) {
            (Some(first), _) => [first, first * squeeze],
            (None, Some(second)) => [second * squeeze, second],
            (None, None) => [1.0, squeeze],
        };
        (sense[i], sense[j]) = (Some(senses[0]), Some(senses[1]));
        chain.push(Step { pair: place, senses });
    }
}
