//! Chatterjee's move of an impulse onto the friction cone, along the line to an impulse on the axis.

use crate::batch::real::Real;

/// How an impulse of a height and a tangential size outside the cone moves onto it: a function of the impulse on the axis, height,
/// tangential size and friction, in this order.
struct Moved {
    /// The height after.
    height: f64,
    /// The share of the tangential part that is left.
    share: f64,
    height_slopes: [f64; 4],
    share_slopes: [f64; 4],
    kink: bool,
}

impl Moved {
    #[inline(always)]
    fn of<T: Real>(axis: f64, height: f64, tangential: f64, friction: f64) -> Moved {
        let (limit, inside) = (friction * axis, friction * height);
        let stays = tangential <= inside;
        let inverse = (limit - inside + tangential).reciprocal();
        let share = limit * inverse;
        // Steep cones end near the frictionless impulse, flat ones near the tangent plane: no cancellation either way.
        let steep = tangential * axis * inverse;
        let gap = height - axis;
        let flat = axis + gap * share;
        let moved = f64::select(friction > 1.0, steep, flat);
        // An impulse inside stays where it is.
        let (rest, slope) = (f64::select(stays, 0.0, 1.0 - share), friction * inverse);
        let by_axis = rest * f64::select(stays, 0.0, slope);
        let by_height = f64::select(stays, 0.0, share * slope);
        let by_tangential = f64::select(stays, 0.0, -share * inverse);
        let by_friction = f64::select(stays, 0.0, moved * inverse);
        let share = f64::select(stays, 1.0, share);
        Moved {
            height: f64::select(stays, height, moved),
            share,
            height_slopes: [rest + gap * by_axis, share + gap * by_height, gap * by_tangential, gap * by_friction],
            share_slopes: [by_axis, by_height, by_tangential, by_friction],
            // A direction outside the cone is needed, which the axis does not have.
            kink: T::tie(tangential, inside) | (!stays & (tangential == 0.0)),
        }
    }
}

/// An impulse in the plane, moved onto the cone; `axis` is the impulse along the normal.
#[inline(always)]
pub(super) fn onto_cone_in_plane<T: Real>(axis: T, impulse: [T; 2], friction: T) -> [T; 2] {
    let [height, along] = impulse;
    let size = along.value();
    let moved = Moved::of::<T>(axis.value(), height.value(), size.abs(), friction.value());
    let ([a, b, c, d], [e, f, g, h]) = (moved.height_slopes, moved.share_slopes);
    let normal = axis * a + height * b + along * (1.0_f64.copysign(size) * c) + friction * d;
    let tangential =
        axis * (size * e) + height * (size * f) + along * (moved.share + size.abs() * g) + friction * (size * h);
    let [normal, tangential] = T::with_derivatives_of([moved.height, size * moved.share], [normal, tangential]);
    [normal.with_kink(moved.kink), tangential]
}

/// The same in space.
#[inline(always)]
pub(super) fn onto_cone_in_space<T: Real>(axis: T, impulse: [T; 3], friction: T) -> [T; 3] {
    let [height, along_1, along_2] = impulse;
    let (x, y) = (along_1.value(), along_2.value());
    let size = (x.squared() + y.squared()).sqrt();
    let moved = Moved::of::<T>(axis.value(), height.value(), size, friction.value());
    let ([a, b, c, d], [e, f, g, h]) = (moved.height_slopes, moved.share_slopes);
    let per_size = f64::select(size > 0.0, size.reciprocal(), 0.0);
    let lengthening = along_1 * (x * per_size) + along_2 * (y * per_size);
    let normal = axis * a + height * b + lengthening * c + friction * d;
    let share = axis * e + height * f + lengthening * g + friction * h;
    let (first, second) = (along_1 * moved.share + share * x, along_2 * moved.share + share * y);
    let values = [moved.height, x * moved.share, y * moved.share];
    let [normal, first, second] = T::with_derivatives_of(values, [normal, first, second]);
    [normal.with_kink(moved.kink), first, second]
}
