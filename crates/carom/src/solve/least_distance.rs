//! The shortest point of a polyhedron, or the proof that it is empty: minimise |x| where g·x ≥ h for some rows and g·x = h for others.
//!
//! Lawson & Hanson, Solving Least Squares Problems, 1974, chapter 23: with the rows as columns (g, h), find u ≥ 0 that brings Σ u (g, h)
//! closest to (0, 1), u free for equations. If the rest r is zero, u proves that no x exists (Farkas); else x = −r_g/r_h. The length
//! of r falls as that of x grows, |r|² = 1/(1 + |x|²), so that rows which rounding made dependent cannot ask for impulses of 10¹⁶.

/// Rows over some unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Polyhedron {
    size: usize,
    equations: Vec<Vec<f64>>,
    inequalities: Vec<Vec<f64>>,
}

/// Unit of length of x. In units of it the solutions are short, which leaves most digits to those that are long.
const UNIT: f64 = 100.0;
/// Points farther away do not count: rounding leaves them too few digits, and cuts of disks there repeat each other.
const FARTHEST: f64 = 1e6;
/// A column this short is the rounding of one that depends on others.
const DEPENDENT: f64 = 1e-10;
/// A column that leads closer to (0, 1) by less than this does not count, relative to the distance.
const GAIN: f64 = 1e-11;

impl Polyhedron {
    /// The whole space.
    pub(crate) fn new(size: usize) -> Polyhedron {
        Polyhedron { size, equations: Vec::new(), inequalities: Vec::new() }
    }

    /// g·x ≥ h.
    pub(crate) fn at_least(&mut self, row: &[f64], bound: f64) {
        self.inequalities.extend(column(row, bound));
    }

    /// g·x = h.
    pub(crate) fn equal(&mut self, row: &[f64], value: f64) {
        self.equations.extend(column(row, value));
    }

    /// Its shortest point; nothing if it is empty, or farther away than [`FARTHEST`].
    pub(crate) fn shortest(&self) -> Option<Vec<f64>> {
        let mut basis = Basis::default();
        for equation in &self.equations {
            basis.add(equation);
        }
        let mut target = vec![0.0; self.size + 1];
        target[self.size] = 1.0;
        basis.project_out(&mut target);
        let mut columns = Vec::with_capacity(self.inequalities.len());
        for inequality in &self.inequalities {
            let mut column = inequality.clone();
            basis.project_out(&mut column);
            let length = norm(&column);
            if length > DEPENDENT {
                scale(&mut column, length.recip());
                columns.push(column);
            }
        }
        let Nearest { rest, .. } = nearest(&columns, &target)?;
        let share = rest[self.size];
        let empty = (1.0 + (FARTHEST / UNIT).powi(2)).recip();
        (share > empty).then(|| rest[..self.size].iter().map(|entry| -entry / share * UNIT).collect())
    }
}

/// Weights u ≥ 0 of columns whose sum comes closest to a target; nothing if they are not found.
pub(crate) fn combination(columns: &[Vec<f64>], target: &[f64]) -> Option<Vec<f64>> {
    let lengths: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    let mut units = columns.to_vec();
    for (column, length) in units.iter_mut().zip(&lengths) {
        scale(column, length.recip());
    }
    let Nearest { used, weights, .. } = nearest(&units, target)?;
    let mut all = vec![0.0; columns.len()];
    for (j, weight) in used.into_iter().zip(weights) {
        all[j] = weight / lengths[j];
    }
    Some(all)
}

/// A row and its bound as a column of unit length; nothing if both are rounding.
fn column(row: &[f64], bound: f64) -> Option<Vec<f64>> {
    let mut column: Vec<f64> = row.iter().map(|entry| entry * UNIT).chain([bound]).collect();
    let length = norm(&column);
    scale(&mut column, length.recip());
    (length > DEPENDENT).then_some(column)
}

/// The non-negative combination of columns that comes closest to a target.
struct Nearest {
    /// The remainder of the target.
    rest: Vec<f64>,
    used: Vec<usize>,
    weights: Vec<f64>,
}

/// Lawson & Hanson, chapter 23, algorithm NNLS, of columns of unit length; nothing if it does not end.
fn nearest(columns: &[Vec<f64>], target: &[f64]) -> Option<Nearest> {
    let mut used: Vec<usize> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    let mut basis = Basis::default();
    let mut rest = target.to_vec();
    // Columns in use, or that rounding alone made seem useful.
    let mut shut = vec![false; columns.len()];
    for _ in 0..10 * (columns.len() + 1) {
        let least = GAIN * norm(&rest);
        let open = (0..columns.len()).filter(|j| !shut[*j]);
        let gains = open.map(|j| (j, dot(&columns[j], &rest)));
        let Some((entering, _)) = gains.filter(|(_, gain)| *gain > least).max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return Some(Nearest { rest, used, weights });
        };
        shut[entering] = true;
        if !basis.add(&columns[entering]) {
            continue;
        }
        used.push(entering);
        weights.push(0.0);
        let mut whole = true;
        loop {
            let wanted = basis.weights(target);
            if weights.last() == Some(&0.0) && wanted.last().is_some_and(|weight| *weight <= 0.0) {
                used.pop();
                weights.pop();
                basis.pop();
                break;
            }
            if wanted.iter().all(|weight| *weight > 0.0) {
                weights = wanted;
                shut.fill(false);
                for j in &used {
                    shut[*j] = true;
                }
                break;
            }
            let reach = |k: usize| if wanted[k] <= 0.0 { weights[k] / (weights[k] - wanted[k]) } else { 1.0 };
            let Some(limit) = (0..wanted.len()).min_by(|a, b| reach(*a).total_cmp(&reach(*b))) else { break };
            let step = reach(limit);
            for (now, wanted) in weights.iter_mut().zip(&wanted) {
                *now += step * (wanted - *now);
            }
            // The one that limits the step leaves whatever rounding left of it: else the loop might not end.
            let stays = |k: usize| k != limit && (wanted[k] > 0.0 || weights[k] > f64::EPSILON);
            let kept: Vec<bool> = (0..wanted.len()).map(stays).collect();
            let mut flags = kept.iter();
            used.retain(|_| flags.next() == Some(&true));
            let mut flags = kept.iter();
            weights.retain(|_| flags.next() == Some(&true));
            // The columns before the first that left are still in place.
            let first = kept.iter().position(|kept| !kept).unwrap_or(kept.len());
            basis.truncate(first);
            for j in &used[first..] {
                basis.add(&columns[*j]);
            }
            whole = false;
        }
        if whole {
            basis.take_off_last(&mut rest);
        } else {
            rest.copy_from_slice(target);
            basis.project_out(&mut rest);
        }
    }
    None
}

/// Columns orthonormalised one by one: A = Q R.
#[derive(Clone, Debug, Default)]
struct Basis {
    directions: Vec<Vec<f64>>,
    /// R, column by column.
    coefficients: Vec<Vec<f64>>,
}

impl Basis {
    /// Takes a column of unit length in, unless it depends on the others.
    fn add(&mut self, column: &[f64]) -> bool {
        let mut rest = column.to_vec();
        let mut own = vec![0.0; self.directions.len()];
        // Twice is enough for directions that are orthogonal to rounding.
        for _ in 0..2 {
            for (direction, coefficient) in self.directions.iter().zip(&mut own) {
                let share = dot(direction, &rest);
                *coefficient += share;
                take_off(&mut rest, direction, share);
            }
        }
        let length = norm(&rest);
        if length <= DEPENDENT {
            return false;
        }
        scale(&mut rest, length.recip());
        own.push(length);
        self.directions.push(rest);
        self.coefficients.push(own);
        true
    }

    fn pop(&mut self) {
        self.truncate(self.directions.len() - 1);
    }

    fn truncate(&mut self, count: usize) {
        self.directions.truncate(count);
        self.coefficients.truncate(count);
    }

    /// Leaves the part of a vector that is orthogonal to the last column as well.
    fn take_off_last(&self, vector: &mut [f64]) {
        if let Some(direction) = self.directions.last() {
            let share = dot(direction, vector);
            take_off(vector, direction, share);
        }
    }

    /// Leaves the part of a vector that is orthogonal to all columns.
    fn project_out(&self, vector: &mut [f64]) {
        for _ in 0..2 {
            for direction in &self.directions {
                let share = dot(direction, vector);
                take_off(vector, direction, share);
            }
        }
    }

    /// The weights of the columns that come closest to a target.
    fn weights(&self, target: &[f64]) -> Vec<f64> {
        let mut weights: Vec<f64> = self.directions.iter().map(|direction| dot(direction, target)).collect();
        for j in (0..weights.len()).rev() {
            weights[j] /= self.coefficients[j][j];
            let own = weights[j];
            take_off(&mut weights[..j], &self.coefficients[j][..j], own);
        }
        weights
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn take_off(a: &mut [f64], b: &[f64], share: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= share * b;
    }
}

fn scale(a: &mut [f64], factor: f64) {
    for a in a {
        *a *= factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The shortest point satisfies every row and is a combination of the active ones that pushes outwards: no shorter one exists.
    #[test]
    fn the_shortest_point_is_feasible_and_optimal() {
        let mut random = Random(21);
        let (mut found, mut empty) = (0, 0);
        for case in 0..3000 {
            let size = 1 + case % 7;
            let row = |random: &mut Random| -> Vec<f64> { (0..size).map(|_| random.between(-1.0, 1.0)).collect() };
            let mut set = Polyhedron::new(size);
            let equations: Vec<_> =
                (0..case % 3).map(|_| (row(&mut random), random.between(-1.0, 1.0))).take(size).collect();
            let rows: Vec<_> = (0..case % 11).map(|_| (row(&mut random), random.between(-1.0, 1.0))).collect();
            for (row, value) in &equations {
                set.equal(row, *value);
            }
            for (row, bound) in &rows {
                set.at_least(row, *bound);
            }
            let Some(x) = set.shortest() else {
                empty += 1;
                continue;
            };
            found += 1;
            let size = 1.0 + norm(&x);
            assert!(equations.iter().all(|(row, value)| (dot(row, &x) - value).abs() < 1e-8 * size), "{case}");
            assert!(rows.iter().all(|(row, bound)| dot(row, &x) - bound > -1e-8 * size), "{case}");
            // x itself is the multiplier combination: x = Σ λ g with λ ≥ 0 on active rows, so no feasible direction shortens it.
            let active: Vec<Vec<f64>> = rows
                .iter()
                .filter(|(row, bound)| dot(row, &x) - bound < 1e-7 * size)
                .map(|(row, _)| row.iter().map(|g| g / norm(row)).collect())
                .collect();
            let mut basis = Basis::default();
            for (row, _) in &equations {
                basis.add(&row.iter().map(|g| g / norm(row)).collect::<Vec<_>>());
            }
            let mut left = x.clone();
            basis.project_out(&mut left);
            let mut columns = active;
            for column in &mut columns {
                basis.project_out(column);
            }
            let Nearest { rest, .. } = nearest(&columns, &left).unwrap();
            assert!(norm(&rest) < 1e-6 * size, "{case}: {rest:?}");
        }
        assert!(found > 1000 && empty > 300, "{found} {empty}");
    }

    /// Rows that contradict each other but for rounding are empty; rows that repeat each other are not.
    #[test]
    fn dependent_rows_are_empty_or_one() {
        let mut random = Random(22);
        for _ in 0..200 {
            let row: Vec<f64> = (0..4).map(|_| random.between(-1.0, 1.0)).collect();
            let close: Vec<f64> = row.iter().map(|g| 3.0 * g * (1.0 + random.between(-2e-16, 2e-16))).collect();
            let mut set = Polyhedron::new(4);
            set.equal(&row, 1.0);
            set.equal(&close, 3.0);
            assert!(set.shortest().is_some());
            set.equal(&close, 3.1);
            assert!(set.shortest().is_none());
            let mut set = Polyhedron::new(4);
            set.at_least(&row, 1.0);
            set.at_least(&close.iter().map(|g| -g).collect::<Vec<_>>(), -2.9);
            assert!(set.shortest().is_none());
        }
    }
}
