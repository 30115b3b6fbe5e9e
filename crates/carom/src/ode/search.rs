//! The first event inside a step.

/// Places inside a step at which the event functions are looked at, the end included.
const LOOKS: usize = 8;

/// The first function that falls to zero for parts of the step from 0 to 1, and the part where it does. A function that
/// is not positive at the start counts as zero there.
pub(crate) fn first_fall<const EVENTS: usize>(events: impl Fn(f64) -> [f64; EVENTS]) -> Option<(usize, f64)> {
    let at = |k: usize| k as f64 / LOOKS as f64;
    let looks: [[f64; EVENTS]; LOOKS + 1] = std::array::from_fn(|k| events(at(k)));
    let mut first: Option<(usize, f64)> = None;
    #[allow(clippy::needless_range_loop, reason = "an event is a column of the looks")]
    for event in 0..EVENTS {
        let value = |part: f64| events(part)[event];
        let look = |k: usize| if k == 0 { looks[0][event].max(0.0) } else { looks[k][event] };
        let found = (1..=LOOKS).find_map(|k| {
            if look(k) < 0.0 {
                return Some(fall(&value, (at(k - 1), look(k - 1)), (at(k), look(k))));
            }
            // A dip between the looks: the parabola through three of them has its bottom there, below zero or above it by
            // no more than its bend, which leaves room for other curves.
            let sides = if k < LOOKS { [look(k - 1), look(k + 1)] } else { return None };
            let (bend, tilt) = (sides[0] - 2.0 * look(k) + sides[1], sides[1] - sides[0]);
            // A function that leaves zero at the start of a mode does not dip there.
            let at_start = k == 1 && tilt > 0.0 && look(0) > 1e-6 * bend;
            let inside = tilt.abs() <= bend || at_start || (k == LOOKS - 1 && tilt < 0.0);
            if !inside || tilt.abs() >= 2.0 * bend || look(k) - tilt * tilt / (8.0 * bend) > bend {
                return None;
            }
            let bottom = lowest(&value, at(k - 1), at(k + 1));
            (bottom.1 < 0.0).then(|| fall(&value, (at(k - 1), sides[0]), bottom))
        });
        if let Some(part) = found
            && first.is_none_or(|(_, earlier)| part < earlier)
        {
            first = Some((event, part));
        }
    }
    first
}

/// Where a function falls to zero between a place where it is not negative and one where it is, on the negative side by
/// no more than rounding: halving, and inverse quadratic interpolation where three points allow it (T. R. Chandrupatla,
/// Advances in Engineering Software 28, 1997).
fn fall(f: &impl Fn(f64) -> f64, above: (f64, f64), below: (f64, f64)) -> f64 {
    // The newest point, the one on the other side of zero, and the one that was replaced last.
    let ((mut x1, mut f1), (mut x2, mut f2)) = (below, above);
    let mut part = 0.5;
    for _ in 0..200 {
        let x = x1 + part * (x2 - x1);
        let value = f(x);
        let (x3, f3);
        if (value < 0.0) == (f1 < 0.0) {
            (x3, f3) = (x1, f1);
        } else {
            (x3, f3, x2, f2) = (x2, f2, x1, f1);
        }
        (x1, f1) = (x, value);
        let least = 2.0 * f64::EPSILON * x.max(f64::EPSILON) / (x2 - x1).abs();
        if least > 0.5 {
            break;
        }
        let (xi, phi) = ((x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2));
        let smooth = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
        let interpolated = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
        part = if smooth { interpolated.clamp(least, 1.0 - least) } else { 0.5 };
    }
    if f1 < 0.0 { x1 } else { x2 }
}

/// The bottom of a dip, by golden section, or the first place found below zero.
fn lowest(f: &impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut c, mut d) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
    let (mut f_c, mut f_d) = (f(c), f(d));
    for _ in 0..40 {
        if f_c < 0.0 || f_d < 0.0 {
            break;
        }
        if f_c < f_d {
            (b, d, f_d) = (d, c, f_c);
            c = b - GOLDEN * (b - a);
            f_c = f(c);
        } else {
            (a, c, f_c) = (c, d, f_d);
            d = a + GOLDEN * (b - a);
            f_d = f(d);
        }
    }
    if f_c < f_d { (c, f_c) } else { (d, f_d) }
}

#[cfg(test)]
mod tests {
    use super::first_fall;

    #[test]
    fn a_dip_is_found_wherever_it_lies_between_the_looks() {
        // Bottoms between the first two looks and between the last two once were overlooked.
        for k in 1..400 {
            let bottom = f64::from(k) / 400.0;
            let found = first_fall(|part| [(part - bottom).powi(2) - 1e-8]);
            let fall = bottom - 1e-4;
            assert!(found.is_some_and(|(_, part)| (part - fall).abs() < 1e-12), "{bottom}: {found:?}");
            assert_eq!(first_fall(|part| [(part - bottom).powi(2) + 1e-8]), None);
        }
    }

    #[test]
    fn a_fall_close_to_the_start_is_exact_relative_to_its_distance() {
        for exponent in 1..12 {
            let near = 0.1_f64.powi(exponent);
            let found = first_fall(|part| [near * near - part * part]);
            assert!(found.is_some_and(|(_, part)| (part / near - 1.0).abs() < 1e-14), "{near}: {found:?}");
        }
    }
}
