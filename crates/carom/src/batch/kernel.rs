//! A law as a function of plain numbers without branches, and the loop over rows that compilers turn into vector code.

use super::lanes::{DETAILS, Found, Given, LANES, Lanes, PARAMETERS, Wide, first, first_mut, group, row};
use super::real::Real;
use multiversion::multiversion;

/// Kernels answer where every pivot of W is above this fraction of its trace: there closed forms keep ten digits. What is
/// nearer to singular goes to the law itself, which refuses what rounding has spoilt.
pub(super) const REGULAR: f64 = 1e-6;
/// A rate that is the difference of terms this much larger goes to the law itself.
pub(super) const CANCELS: f64 = 1e-6;

/// W and V in the plane, (n, t).
#[derive(Clone, Copy)]
pub(super) struct Plane<T> {
    pub(super) nn: T,
    pub(super) nt: T,
    pub(super) tt: T,
    pub(super) v: [T; 2],
}

/// W and V in space, (n, t1, t2): nn, n1, n2, 11, 12, 22.
#[derive(Clone, Copy)]
pub(super) struct Space<T> {
    pub(super) w: [T; 6],
    pub(super) v: [T; 3],
}

/// The answer of a kernel for bodies that approach.
#[derive(Clone, Copy)]
pub(super) struct Response<T, const D: usize> {
    pub(super) impulse: [T; D],
    /// Whether the contact sticks, so that V_t after is zero exactly.
    pub(super) sticks: bool,
    /// The normal impulse of compression; zero for a law without one.
    pub(super) compression: T,
    /// The works of the normal force in compression and in restitution.
    pub(super) works: [T; 2],
    /// The place of the mode in [`MODES`](super::MODES), of a law that follows the collision; else [`OF_CHANGE`].
    pub(super) mode: u64,
    /// Whether the law itself has to decide.
    pub(super) refer: bool,
}

/// The mode is read off the change.
pub(super) const OF_CHANGE: u64 = u64::MAX;

impl<T: Real, const D: usize> Response<T, D> {
    /// The answer of a law that jumps from before to after.
    #[inline(always)]
    pub(super) fn jump(impulse: [T; D]) -> Response<T, D> {
        let zero = T::constant(0.0);
        Response { impulse, sticks: false, compression: zero, works: [zero; 2], mode: OF_CHANGE, refer: false }
    }

    /// The same, to be decided by the law itself under a condition.
    #[inline(always)]
    pub(super) fn unless(self, refer: bool) -> Response<T, D> {
        Response { refer: self.refer | refer, ..self }
    }
}

impl<T: Real> Plane<T> {
    /// The determinant of W.
    #[inline(always)]
    pub(super) fn determinant(&self) -> T {
        self.nn * self.tt - self.nt * self.nt
    }

    /// 1/W_nn and one over the determinant.
    #[inline(always)]
    pub(super) fn inverses(&self) -> [T; 2] {
        T::reciprocals([self.nn, self.determinant()])
    }

    /// M u, with the [inverses](Self::inverses).
    #[inline(always)]
    pub(super) fn mass_times(&self, [_, inverse]: [T; 2], u: [T; 2]) -> [T; 2] {
        let (nn, nt, tt, inverse) = (self.nn.value(), self.nt.value(), self.tt.value(), inverse.value());
        let (u_n, u_t) = (u[0].value(), u[1].value());
        let p = [(tt * u_n - nt * u_t) * inverse, (nn * u_t - nt * u_n) * inverse];
        // Derivatives by one Newton step from there: d(M u) = M (du − dW P).
        let missing_n = u[0] - self.nn * p[0] - self.nt * p[1];
        let missing_t = u[1] - self.nt * p[0] - self.tt * p[1];
        let across = -nt * inverse;
        let step_n = missing_n * (tt * inverse) + missing_t * across;
        let step_t = missing_n * across + missing_t * (nn * inverse);
        T::with_derivatives_of(p, [step_n, step_t])
    }

    /// u·M u, twice an energy.
    #[inline(always)]
    pub(super) fn energy(&self, inverses: [T; 2], u: [T; 2]) -> T {
        let momentum = self.mass_times(inverses, u);
        u[0] * momentum[0] + u[1] * momentum[1]
    }

    /// V + W P.
    #[inline(always)]
    pub(super) fn after(&self, p: [T; 2]) -> [T; 2] {
        [self.v[0] + self.nn * p[0] + self.nt * p[1], self.v[1] + self.nt * p[0] + self.tt * p[1]]
    }

    /// The same in the tangent that opposes the slip, and its sign in the old one; without slip the tangent stays.
    #[inline(always)]
    pub(super) fn opposing_slip(&self) -> (Plane<T>, T) {
        let one = T::constant(1.0);
        let sign = -one.with_sign_of(self.v[1]);
        // Without slip V_t counts as positive; the tangent stays where it is.
        let still = self.v[1].value() == 0.0;
        let sign = T::select(still, one, sign).with_kink(nearly_still(self.v[0], self.v[1].value()));
        (Plane { nt: self.nt * sign, v: [self.v[0], self.v[1] * sign], ..*self }, sign)
    }
}

impl<T: Real> Space<T> {
    /// Pivots of W: W_nn, and the second and third times those before, W_nn d₁ and W_nn² d₁ d₂; with them what couples the tangents.
    #[inline(always)]
    fn pivots(&self) -> ([T; 3], T) {
        let [nn, n1, n2, w11, w12, w22] = self.w;
        let second = nn * w11 - n1 * n1;
        let coupling = nn * w12 - n1 * n2;
        ([nn, second, second * (nn * w22 - n2 * n2) - coupling * coupling], coupling)
    }

    /// One over each pivot.
    #[inline(always)]
    pub(super) fn inverses(&self) -> [T; 3] {
        T::reciprocals(self.pivots().0)
    }

    /// M u, with the [inverses](Self::inverses).
    #[inline(always)]
    pub(super) fn mass_times(&self, inverses: [T; 3], u: [T; 3]) -> [T; 3] {
        let [w_nn, w_n1, w_n2, w_11, w_12, w_22] = self.w;
        let w = [w_nn.value(), w_n1.value(), w_n2.value(), w_11.value(), w_12.value(), w_22.value()];
        let plain = Space { w, v: [0.0; 3] };
        let inverses = [inverses[0].value(), inverses[1].value(), inverses[2].value()];
        let p = plain.eliminated(inverses, [u[0].value(), u[1].value(), u[2].value()]);
        // Derivatives by one Newton step from there: d(M u) = M (du − dW P).
        let missing_n = u[0] - w_nn * p[0] - w_n1 * p[1] - w_n2 * p[2];
        let missing_1 = u[1] - w_n1 * p[0] - w_11 * p[1] - w_12 * p[2];
        let missing_2 = u[2] - w_n2 * p[0] - w_12 * p[1] - w_22 * p[2];
        let [m_nn, m_n1, m_n2] = plain.eliminated(inverses, [1.0, 0.0, 0.0]);
        let [_, m_11, m_12] = plain.eliminated(inverses, [0.0, 1.0, 0.0]);
        let [_, _, m_22] = plain.eliminated(inverses, [0.0, 0.0, 1.0]);
        let step_n = missing_n * m_nn + missing_1 * m_n1 + missing_2 * m_n2;
        let step_1 = missing_n * m_n1 + missing_1 * m_11 + missing_2 * m_12;
        let step_2 = missing_n * m_n2 + missing_1 * m_12 + missing_2 * m_22;
        T::with_derivatives_of(p, [step_n, step_1, step_2])
    }

    /// u·M u, twice an energy.
    #[inline(always)]
    pub(super) fn energy(&self, inverses: [T; 3], u: [T; 3]) -> T {
        let momentum = self.mass_times(inverses, u);
        u[0] * momentum[0] + u[1] * momentum[1] + u[2] * momentum[2]
    }

    /// V + W P.
    #[inline(always)]
    pub(super) fn after(&self, p: [T; 3]) -> [T; 3] {
        let [nn, n1, n2, w11, w12, w22] = self.w;
        [
            self.v[0] + nn * p[0] + n1 * p[1] + n2 * p[2],
            self.v[1] + n1 * p[0] + w11 * p[1] + w12 * p[2],
            self.v[2] + n2 * p[0] + w12 * p[1] + w22 * p[2],
        ]
    }

    /// The same in tangents of which the first opposes the slip, so that V = (V_n, −v_t, 0), and that tangent in the old ones;
    /// without slip the tangents stay. Derivatives are then those of a faint slip along −t1.
    #[inline(always)]
    pub(super) fn opposing_slip(&self) -> (Space<T>, [T; 2]) {
        let still = (self.v[1].value() == 0.0) & (self.v[2].value() == 0.0);
        self.opposing(self.v[1].faint(still, self.v[0].value()))
    }

    /// The same for a law whose impulse has a direction even where the slip is faint, so that it jumps: without slip the tangents do not
    /// turn, in derivatives either.
    #[inline(always)]
    pub(super) fn opposing_direction(&self) -> (Space<T>, [T; 2]) {
        let (turned, [c, s]) = self.opposing(self.v[1]);
        let slips = (self.v[1].value() != 0.0) | (self.v[2].value() != 0.0);
        let along = T::select(slips, turned.v[1], self.v[1]);
        (Space { v: [turned.v[0], along, turned.v[2]], ..turned }, [c, s])
    }

    #[inline(always)]
    fn opposing(&self, v_1: T) -> (Space<T>, [T; 2]) {
        let [nn, n1, n2, w11, w12, w22] = self.w;
        let zero = T::constant(0.0);
        let speed = length([v_1, self.v[2]]);
        let slips = speed.value() > 0.0;
        let inverse = -speed.reciprocal();
        let edge = nearly_still(self.v[0], self.v[1].value().abs() + self.v[2].value().abs());
        let c = f64::select(slips, v_1.value() * inverse.value(), 1.0);
        let s = f64::select(slips, self.v[2].value() * inverse.value(), 0.0);
        let per_speed = f64::select(slips, inverse.value(), 0.0);
        let turn = self.v[2] * (c * per_speed) - v_1 * (s * per_speed);
        let [c, s] = T::with_derivatives_of([c, s], [turn * -s, turn * c]);
        let (c, s) = (c.with_kink(edge), s.with_kink(edge));
        let (cc, cs, ss) = (c * c, c * s, s * s);
        let turned = [
            nn,
            n1 * c + n2 * s,
            n2 * c - n1 * s,
            w11 * cc + w12 * cs * 2.0 + w22 * ss,
            (w22 - w11) * cs + w12 * (cc - ss),
            w11 * ss - w12 * cs * 2.0 + w22 * cc,
        ];
        (Space { w: turned, v: [self.v[0], -speed, zero] }, [c, s])
    }
}

/// Whether a slip is so faint beside the approach that its direction is an edge.
#[inline(always)]
pub(super) fn nearly_still<T: Real>(v_n: T, slip: f64) -> bool {
    let approach = v_n.value().abs();
    T::tie(approach + slip.abs(), approach)
}

/// An impulse in turned tangents back in the old ones.
#[inline(always)]
pub(super) fn turn_back<T: Real>(p: [T; 3], tangent: [T; 2]) -> [T; 3] {
    let [c, s] = tangent;
    [p[0], p[1] * c - p[2] * s, p[1] * s + p[2] * c]
}

/// The length of a tangential vector.
#[inline(always)]
pub(super) fn length<T: Real>(t: [T; 2]) -> T {
    (t[0].squared() + t[1].squared()).sqrt()
}

/// One algebraic law on plain numbers, for bodies that approach (V_n < 0) and a regular W.
pub(super) trait Kernel {
    /// The answer in the plane.
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2>;

    /// The answer in space; a law without a closed form there leaves every row to the law itself.
    #[inline(always)]
    fn space<T: Real>(_problem: &Space<T>, _p: &[T; PARAMETERS]) -> Response<T, 3> {
        Response::jump([T::constant(0.0); 3]).unless(true)
    }
}

/// Resolves a block of rows; the flag asks for works and modes besides impulses and velocities. Returns whether the law itself has to
/// resolve some of the rows.
pub(super) type Resolve = fn(&Given, &mut Found, bool) -> bool;

/// Resolves a block of rows in the plane; `details` asks for works and modes besides impulses and velocities.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn resolve_plane<K: Kernel>(given: &Given, found: &mut Found, details: bool) -> bool {
    match (details, given.one_law) {
        (true, _) => plane::<K, true, false>(given, found),
        (false, false) => plane::<K, false, false>(given, found),
        (false, true) => plane::<K, false, true>(given, found),
    }
}

/// The same in space.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn resolve_space<K: Kernel>(given: &Given, found: &mut Found, details: bool) -> bool {
    match (details, given.one_law) {
        (true, _) => space::<K, true, false>(given, found),
        (false, false) => space::<K, false, false>(given, found),
        (false, true) => space::<K, false, true>(given, found),
    }
}

#[inline(always)]
fn plane<K: Kernel, const DETAILED: bool, const ONE_LAW: bool>(given: &Given, found: &mut Found) -> bool {
    let groups = found.refer.len();
    // Columns of known length need no checks in the loop.
    let ([nn, nt, tt, ..], [v_n, v_t, _]) = (&given.inverse_mass, &given.velocity);
    let [nns, nts, tts, normals, slips] = first(&[nn, nt, tt, v_n, v_t], groups);
    let parameters = first(&given.parameters, groups);
    let shared: [Lanes; PARAMETERS] = if groups > 0 { group(&parameters, 0) } else { [[0.0; LANES]; PARAMETERS] };
    let ([p_n, p_t, _], [after_n, after_t, _]) = (&mut found.impulse, &mut found.after);
    let (p_n, p_t, after_n, after_t) =
        (&mut p_n[..groups], &mut p_t[..groups], &mut after_n[..groups], &mut after_t[..groups]);
    let refers = &mut found.refer[..groups];
    let (details, modes) = detail_columns::<DETAILED>(&mut found.details, found.mode, groups);
    let mut any = [0; LANES];
    for g in 0..groups {
        // Local arrays stay in registers.
        let (nn, nt, tt, v_n, v_t) = (nns[g], nts[g], tts[g], normals[g], slips[g]);
        let p: [Lanes; PARAMETERS] = if ONE_LAW { shared } else { group(&parameters, g) };
        let (mut impulses, mut after) = ([[0.0; LANES]; 2], [[0.0; LANES]; 2]);
        let mut works = [[0.0; LANES]; DETAILS];
        let (mut mode, mut refer) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            let problem = Plane { nn: nn[i], nt: nt[i], tt: tt[i], v: [v_n[i], v_t[i]] };
            let answer = K::plane(&problem, &row(&p, i));
            let parts = v_n[i] > 0.0;
            let mut impulse = answer.impulse;
            for k in 0..2 {
                impulse[k] = if parts { 0.0 } else { impulse[k] };
                impulses[k][i] = impulse[k];
            }
            let moved = problem.after(impulse);
            after[0][i] = moved[0];
            after[1][i] = if answer.sticks & !parts { 0.0 } else { moved[1] };
            let sound = impulse[0].abs() + impulse[1].abs() < HUGE;
            refer[i] = flag(!problem.is_known() | (v_n[i] == 0.0) | (!parts & (answer.refer | !sound)));
            any[i] |= refer[i];
            if DETAILED {
                works[0][i] = answer.compression;
                works[1][i] = answer.works[0];
                works[2][i] = answer.works[1];
                mode[i] = answer.mode;
            }
        }
        p_n[g] = impulses[0];
        p_t[g] = impulses[1];
        after_n[g] = after[0];
        after_t[g] = after[1];
        refers[g] = refer;
        if DETAILED {
            for k in 0..DETAILS {
                details[k][g] = works[k];
            }
            modes[g] = mode;
        }
    }
    any != [0; LANES]
}

/// The columns of works and modes, empty where they are not asked for.
#[inline(always)]
fn detail_columns<'a, const DETAILED: bool>(
    details: &'a mut [&mut [Lanes]; DETAILS],
    modes: &'a mut [Wide],
    groups: usize,
) -> ([&'a mut [Lanes]; DETAILS], &'a mut [Wide]) {
    let groups = if DETAILED { groups } else { 0 };
    (first_mut(details, groups), &mut modes[..groups])
}

#[inline(always)]
fn space<K: Kernel, const DETAILED: bool, const ONE_LAW: bool>(given: &Given, found: &mut Found) -> bool {
    let groups = found.refer.len();
    let (inverse_mass, velocity) = (first(&given.inverse_mass, groups), first(&given.velocity, groups));
    let parameters = first(&given.parameters, groups);
    let shared: [Lanes; PARAMETERS] = if groups > 0 { group(&parameters, 0) } else { [[0.0; LANES]; PARAMETERS] };
    let (impulse, after) = (first_mut(&mut found.impulse, groups), first_mut(&mut found.after, groups));
    let refers = &mut found.refer[..groups];
    let (details, modes) = detail_columns::<DETAILED>(&mut found.details, found.mode, groups);
    let mut any = [0; LANES];
    for g in 0..groups {
        let (w, v): ([Lanes; 6], [Lanes; 3]) = (group(&inverse_mass, g), group(&velocity, g));
        let p: [Lanes; PARAMETERS] = if ONE_LAW { shared } else { group(&parameters, g) };
        let (mut impulses, mut velocities) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        let mut works = [[0.0; LANES]; DETAILS];
        let (mut mode, mut refer) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            let problem = Space { w: row(&w, i), v: row(&v, i) };
            let answer = K::space(&problem, &row(&p, i));
            let parts = v[0][i] > 0.0;
            let mut pushed = answer.impulse;
            for k in 0..3 {
                pushed[k] = if parts { 0.0 } else { pushed[k] };
                impulses[k][i] = pushed[k];
            }
            let moved = problem.after(pushed);
            let sticks = answer.sticks & !parts;
            velocities[0][i] = moved[0];
            velocities[1][i] = if sticks { 0.0 } else { moved[1] };
            velocities[2][i] = if sticks { 0.0 } else { moved[2] };
            let sound = pushed[0].abs() + pushed[1].abs() + pushed[2].abs() < HUGE;
            refer[i] = flag(!problem.is_known() | (v[0][i] == 0.0) | (!parts & (answer.refer | !sound)));
            any[i] |= refer[i];
            if DETAILED {
                works[0][i] = answer.compression;
                works[1][i] = answer.works[0];
                works[2][i] = answer.works[1];
                mode[i] = answer.mode;
            }
        }
        for k in 0..3 {
            impulse[k][g] = impulses[k];
            after[k][g] = velocities[k];
        }
        refers[g] = refer;
        if DETAILED {
            for k in 0..DETAILS {
                details[k][g] = works[k];
            }
            modes[g] = mode;
        }
    }
    any != [0; LANES]
}

/// A flag as wide as a number: all bits or none, as vector comparisons give it.
#[inline(always)]
fn flag(condition: bool) -> u64 {
    if condition { u64::MAX } else { 0 }
}

/// Impulses beyond this are left to the law itself.
pub(super) const HUGE: f64 = 1e100;

/// Whether the numbers leave room for their products; not for NaN. A slip that is far below the speed is left to the law itself, which takes
/// it for zero.
#[inline(always)]
fn in_range(trace: f64, speed: f64, slip: f64) -> bool {
    const LEAST: f64 = 1e-40;
    const GREATEST: f64 = 1e40;
    // The product of the pivots in space has degree seven.
    const LEAST_TRACE: f64 = 1e-30;
    const GREATEST_TRACE: f64 = 1e30;
    within(trace, LEAST_TRACE, GREATEST_TRACE)
        & within(speed, LEAST, GREATEST)
        & ((slip == 0.0) | (slip > LEAST * speed))
}

/// Whether a number lies between two positive ones; not for NaN. One comparison: the bits of positive numbers have their order.
#[inline(always)]
fn within(x: f64, least: f64, greatest: f64) -> bool {
    x.to_bits().wrapping_sub(least.to_bits()) < greatest.to_bits() - least.to_bits()
}

impl Plane<f64> {
    /// Whether kernels know the answer: every pivot of W is far above rounding, and all numbers leave room for their products.
    #[inline(always)]
    pub(super) fn is_known(&self) -> bool {
        let trace = self.nn + self.tt;
        let floor = REGULAR * trace;
        let slip = self.v[1].abs();
        let regular = (self.nn > floor) & (self.determinant() > floor * self.nn);
        regular & in_range(trace, self.v[0].abs() + slip, slip)
    }
}

impl Space<f64> {
    /// M u by elimination, with the [inverses](Self::inverses).
    #[inline(always)]
    fn eliminated(&self, [first, second, third]: [f64; 3], u: [f64; 3]) -> [f64; 3] {
        let [nn, n1, n2, ..] = self.w;
        let ([_, pivot, _], coupling) = self.pivots();
        let (y1, y2) = (nn * u[1] - n1 * u[0], nn * u[2] - n2 * u[0]);
        let p2 = (pivot * y2 - coupling * y1) * third;
        let p1 = (y1 - coupling * p2) * second;
        [(u[0] - n1 * p1 - n2 * p2) * first, p1, p2]
    }

    /// The same in space.
    #[inline(always)]
    pub(super) fn is_known(&self) -> bool {
        let [nn, _, _, w11, _, w22] = self.w;
        let trace = nn + w11 + w22;
        let floor = REGULAR * trace;
        let ([first, second, third], _) = self.pivots();
        let slip = self.v[1].abs() + self.v[2].abs();
        let regular = (first > floor) & (second > floor * first) & (third > floor * first * second);
        regular & in_range(trace, self.v[0].abs() + slip, slip)
    }
}
