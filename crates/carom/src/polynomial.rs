//! Real roots of polynomials of low degree, all of them and none besides.

/// Roots in ascending order, at most four.
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

/// All real roots of `c[0] + c[1] x + … + c[4] x⁴`; roots that touch without crossing count once.
///
/// The roots of each derivative separate those of the polynomial, so every crossing is bracketed before it is refined:
/// none is missed, whatever the conditioning.
pub(crate) fn quartic_roots(c: &[f64; 5]) -> Roots {
    let quadratic = separated_roots(&[2.0 * c[2], 6.0 * c[3], 12.0 * c[4]], &linear_root(6.0 * c[3], 24.0 * c[4]));
    let cubic = separated_roots(&[c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4]], &quadratic);
    separated_roots(c, &cubic)
}

fn linear_root(c0: f64, c1: f64) -> Roots {
    let mut roots = Roots::default();
    if c1 != 0.0 {
        roots.push(-c0 / c1);
    }
    roots
}

/// Roots of the polynomial given the stationary points, by bracketing between them.
fn separated_roots(c: &[f64], stationary: &Roots) -> Roots {
    let mut roots = Roots::default();
    let Some(bound) = root_bound(c) else { return roots };
    let mut left = -bound;
    let mut f_left = value(c, left);
    for &right in stationary.as_slice().iter().chain([&bound]) {
        let right = right.clamp(-bound, bound);
        let f_right = value(c, right);
        if f_right == 0.0 {
            if roots.as_slice().last() != Some(&right) {
                roots.push(right);
            }
        } else if f_left != 0.0 && (f_left < 0.0) != (f_right < 0.0) {
            roots.push(bracketed_root(c, left, right, f_left));
        }
        (left, f_left) = (right, f_right);
    }
    roots
}

/// Cauchy's bound: every root lies within, `None` for a constant.
fn root_bound(c: &[f64]) -> Option<f64> {
    let (lead, rest) = c.split_last()?;
    if rest.is_empty() {
        return None;
    }
    if *lead == 0.0 {
        return root_bound(rest);
    }
    let bound = 1.0 + rest.iter().fold(0.0_f64, |most, x| most.max((x / lead).abs()));
    Some(bound.min(f64::MAX.sqrt().sqrt()))
}

fn value(c: &[f64], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

fn value_and_slope(c: &[f64], x: f64) -> (f64, f64) {
    c.iter().rev().fold((0.0, 0.0), |(sum, slope), coefficient| (sum * x + coefficient, slope * x + sum))
}

/// Newton's method kept inside a shrinking bracket.
fn bracketed_root(c: &[f64], mut left: f64, mut right: f64, f_left: f64) -> f64 {
    let mut x = 0.5 * (left + right);
    for _ in 0..200 {
        let (f, slope) = value_and_slope(c, x);
        if f == 0.0 {
            return x;
        }
        if (f < 0.0) == (f_left < 0.0) {
            left = x;
        } else {
            right = x;
        }
        let newton = x - f / slope;
        let next = if newton > left && newton < right { newton } else { 0.5 * (left + right) };
        if (next - x).abs() <= 2.0 * f64::EPSILON * x.abs()
            || right - left <= 2.0 * f64::EPSILON * right.abs().max(left.abs())
        {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::quartic_roots;

    #[test]
    fn finds_all_roots_of_a_factored_quartic() {
        // (x + 3)(x + 1e-3)(x − 1e-3)(x − 200)
        let mut c = [1.0, 0.0, 0.0, 0.0, 0.0];
        for root in [-3.0, -1e-3, 1e-3, 200.0] {
            let mut next = [0.0; 5];
            for k in 0..5 {
                next[k] -= root * c[k];
                if k < 4 {
                    next[k + 1] += c[k];
                }
            }
            c = next;
        }
        let roots = quartic_roots(&c);
        let expected = [-3.0, -1e-3, 1e-3, 200.0];
        assert_eq!(roots.as_slice().len(), 4);
        for (root, expected) in roots.as_slice().iter().zip(expected) {
            assert!((root - expected).abs() < 1e-9 * expected.abs(), "{root} for {expected}");
        }
    }

    #[test]
    fn a_positive_quartic_has_none() {
        assert!(quartic_roots(&[1.0, 0.0, 1.0, 0.0, 1.0]).as_slice().is_empty());
    }

    #[test]
    fn lower_degrees_are_quartics_with_zero_leading_coefficients() {
        assert_eq!(quartic_roots(&[-2.0, 1.0, 0.0, 0.0, 0.0]).as_slice(), [2.0]);
        assert_eq!(quartic_roots(&[-4.0, 0.0, 1.0, 0.0, 0.0]).as_slice(), [-2.0, 2.0]);
    }
}
