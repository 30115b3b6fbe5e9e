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
        let found = (0..=LOOKS).find_map(|k| {
            if look(k) < 0.0 {
                return Some(fall(&value, (at(k - 1), look(k - 1)), (at(k), look(k))));
            }
            // A dip between the looks. A parabola's bottom is below the lowest look by no more than an eighth of the bend; eight
            // times that leaves room for other curves.
            let middle = k.clamp(1, LOOKS - 1);
            let bend = look(middle - 1) - 2.0 * look(middle) + look(middle + 1);
            let dips = match k {
                // At the ends of the step the bottom is inside where the parabola falls inwards. What starts at zero only rises, but
                // for rounding: what falls from there is below zero at the next look.
                0 => look(0) > 0.0 && look(0) <= look(1) && look(1) - look(0) < 0.5 * bend,
                LOOKS => look(LOOKS) <= look(LOOKS - 1) && look(LOOKS - 1) - look(LOOKS) < 0.5 * bend,
                _ => look(k) <= look(k - 1).min(look(k + 1)),
            };
            if !dips || look(k) > bend {
                return None;
            }
            let from = k.saturating_sub(1);
            let bottom = lowest(&value, at(from), at((k + 1).min(LOOKS)));
            (bottom.1 < 0.0).then(|| fall(&value, (at(from), look(from)), bottom))
        });
        if let Some(part) = found
            && first.is_none_or(|(_, earlier)| part < earlier)
        {
            first = Some((event, part));
        }
    }
    first
}

/// Where a function falls to zero between a place where it is not negative and one where it is: false position with
/// halving, kept on the negative side by no more than rounding.
fn fall(f: &impl Fn(f64) -> f64, (mut a, mut f_a): (f64, f64), (mut b, mut f_b): (f64, f64)) -> f64 {
    for turn in 0..200 {
        if b - a <= f64::EPSILON {
            break;
        }
        let secant = a + (b - a) * f_a / (f_a - f_b);
        let middle = if turn % 3 == 2 || !(secant > a && secant < b) { 0.5 * (a + b) } else { secant };
        let value = f(middle);
        if value < 0.0 {
            (b, f_b) = (middle, value);
        } else {
            (a, f_a) = (middle, value);
        }
    }
    b
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
