//! All roots of a quartic between −1 and 1, and none besides.

/// Up to four roots, ascending.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Roots {
    values: [f64; 4],
    count: usize,
}

impl Roots {
    fn push(&mut self, root: f64) {
        if self.count < 4 {
            self.values[self.count] = root;
            self.count += 1;
        }
    }

    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.values[..self.count]
    }
}

/// Monomials h⁰ … h⁴ in the Bernstein basis of degree four on [−1, 1].
const BERNSTEIN: [[f64; 5]; 5] = [
    [1.0, 1.0, 1.0, 1.0, 1.0],
    [-1.0, -0.5, 0.0, 0.5, 1.0],
    [1.0, 0.0, -1.0 / 3.0, 0.0, 1.0],
    [-1.0, 0.5, 0.0, -0.5, 1.0],
    [1.0, -1.0, 1.0, -1.0, 1.0],
];

/// Halvings after which roots that still cannot be told apart are one.
const DEEPEST: u32 = 45;

/// The roots in [−1, 1) of `c[0] + c[1] h + … + c[4] h⁴`; roots that touch without crossing count once.
///
/// The sign changes of the Bernstein coefficients bound the number of roots (Descartes' rule): none means none, one
/// means exactly one, and an interval with more is halved. No root is missed, whatever the conditioning.
pub(crate) fn roots_within_one(c: &[f64; 5]) -> Roots {
    let mut coefficients = [0.0; 5];
    for (factor, row) in c.iter().zip(&BERNSTEIN) {
        for (b, entry) in coefficients.iter_mut().zip(row) {
            *b += factor * entry;
        }
    }
    let mut roots = Roots::default();
    if coefficients != [0.0; 5] {
        isolate(c, &coefficients, -1.0, 1.0, 0, &mut roots);
    }
    roots
}

fn isolate(c: &[f64; 5], b: &[f64; 5], left: f64, right: f64, depth: u32, roots: &mut Roots) {
    if b[0] == 0.0 {
        roots.push(left);
    }
    match sign_changes(b) {
        0 => {}
        1 => roots.push(bracketed_root(c, left, right)),
        _ if depth == DEEPEST => roots.push(0.5 * (left + right)),
        _ => {
            let middle = 0.5 * (left + right);
            let (lower, upper) = halves(b);
            isolate(c, &lower, left, middle, depth + 1, roots);
            isolate(c, &upper, middle, right, depth + 1, roots);
        }
    }
}

fn sign_changes(b: &[f64; 5]) -> usize {
    let mut last = 0.0;
    let mut changes = 0;
    for &value in b.iter().filter(|value| **value != 0.0) {
        changes += usize::from(last * value.signum() < 0.0);
        last = value.signum();
    }
    changes
}

/// De Casteljau's subdivision at the middle.
fn halves(b: &[f64; 5]) -> ([f64; 5], [f64; 5]) {
    let (mut lower, mut upper, mut row) = ([0.0; 5], [0.0; 5], *b);
    for k in 0..5 {
        lower[k] = row[0];
        upper[4 - k] = row[4 - k];
        for j in 0..4 - k {
            row[j] = 0.5 * (row[j] + row[j + 1]);
        }
    }
    (lower, upper)
}

/// The one root between `left` and `right`, by Newton's method kept inside a shrinking bracket.
fn bracketed_root(c: &[f64; 5], mut left: f64, mut right: f64) -> f64 {
    let rising = value_and_slope(c, right).0 > 0.0;
    let mut x = 0.5 * (left + right);
    for _ in 0..100 {
        let (value, slope) = value_and_slope(c, x);
        if value == 0.0 {
            return x;
        }
        if (value < 0.0) == rising {
            left = x;
        } else {
            right = x;
        }
        let newton = x - value / slope;
        let next = if newton > left && newton < right { newton } else { 0.5 * (left + right) };
        if (next - x).abs() <= 2.0 * f64::EPSILON || right - left <= 2.0 * f64::EPSILON {
            return next;
        }
        x = next;
    }
    x
}

fn value_and_slope(c: &[f64; 5], x: f64) -> (f64, f64) {
    c.iter().rev().fold((0.0, 0.0), |(sum, slope), coefficient| (sum * x + coefficient, slope * x + sum))
}

#[cfg(test)]
mod tests {
    use super::roots_within_one;

    fn with_roots(roots: [f64; 4]) -> [f64; 5] {
        let mut c = [1.0, 0.0, 0.0, 0.0, 0.0];
        for root in roots {
            let mut next = [0.0; 5];
            for k in 0..5 {
                next[k] -= root * c[k];
                if k < 4 {
                    next[k + 1] += c[k];
                }
            }
            c = next;
        }
        c
    }

    #[test]
    fn finds_all_roots_inside_and_none_outside() {
        let found = roots_within_one(&with_roots([-0.7, -1e-3, 1e-3, 3.0]));
        let expected = [-0.7, -1e-3, 1e-3];
        assert_eq!(found.as_slice().len(), 3, "{found:?}");
        for (root, expected) in found.as_slice().iter().zip(expected) {
            assert!((root - expected).abs() < 1e-12, "{root} for {expected}");
        }
    }

    #[test]
    fn the_left_end_belongs_to_the_interval_and_the_right_one_does_not() {
        assert_eq!(roots_within_one(&with_roots([-1.0, 1.0, 5.0, 6.0])).as_slice(), [-1.0]);
    }

    #[test]
    fn a_double_root_counts_once_and_a_positive_quartic_has_none() {
        let found = roots_within_one(&with_roots([0.25, 0.25, 4.0, 5.0]));
        assert!(found.as_slice().iter().all(|root| (root - 0.25).abs() < 1e-6) && !found.as_slice().is_empty());
        assert!(roots_within_one(&[1.0, 0.0, 1.0, 0.0, 1.0]).as_slice().is_empty());
    }
}
