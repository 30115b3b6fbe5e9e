//! A law as a function of plain numbers without branches, and the loop over rows that compilers turn into vector code.

use super::lanes::{DETAILS, Found, Given, LANES, Lanes, PARAMETERS, group, row};
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

    /// M u.
    #[inline(always)]
    pub(super) fn mass_times(&self, u: [T; 2]) -> [T; 2] {
        let inverse = T::constant(1.0) / self.determinant();
        [(self.tt * u[0] - self.nt * u[1]) * inverse, (self.nn * u[1] - self.nt * u[0]) * inverse]
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
        let sign = T::select(still, one, sign).with_kink(still);
        (Plane { nt: self.nt * sign, v: [self.v[0], self.v[1] * sign], ..*self }, sign)
    }
}

impl<T: Real> Space<T> {
    /// M u, by elimination.
    #[inline(always)]
    pub(super) fn mass_times(&self, u: [T; 3]) -> [T; 3] {
        let [nn, n1, n2, w11, w12, w22] = self.w;
        let inverse = T::constant(1.0) / nn;
        let (l1, l2) = (n1 * inverse, n2 * inverse);
        let (d1, coupling) = (w11 - l1 * n1, w12 - l2 * n1);
        let l3 = coupling / d1;
        let d2 = w22 - l2 * n2 - l3 * coupling;
        let (y1, y2) = (u[1] - l1 * u[0], u[2] - l2 * u[0]);
        let p2 = (y2 - l3 * y1) / d2;
        let p1 = y1 / d1 - l3 * p2;
        [(u[0] - n1 * p1 - n2 * p2) * inverse, p1, p2]
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
    /// without slip the tangents stay.
    #[inline(always)]
    pub(super) fn opposing_slip(&self) -> (Space<T>, [T; 2]) {
        let [nn, n1, n2, w11, w12, w22] = self.w;
        let (zero, one) = (T::constant(0.0), T::constant(1.0));
        let speed = length([self.v[1], self.v[2]]);
        let slips = speed.value() > 0.0;
        let (c, s) = (T::select(slips, -self.v[1] / speed, one), T::select(slips, -self.v[2] / speed, zero));
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

/// Resolves a block of rows; the flag asks for works and modes besides impulses and velocities.
pub(super) type Resolve = fn(&Given, &mut Found, bool);

/// Resolves a block of rows in the plane; `details` asks for works and modes besides impulses and velocities.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn resolve_plane<K: Kernel>(given: &Given, found: &mut Found, details: bool) {
    if details { plane::<K, true>(given, found) } else { plane::<K, false>(given, found) }
}

/// The same in space.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn resolve_space<K: Kernel>(given: &Given, found: &mut Found, details: bool) {
    if details { space::<K, true>(given, found) } else { space::<K, false>(given, found) }
}

#[inline(always)]
fn plane<K: Kernel, const DETAILED: bool>(given: &Given, found: &mut Found) {
    let groups = found.refer.len();
    let Given { inverse_mass: [nns, nts, tts, ..], velocity: [normals, slips, _], parameters } = given.first(groups);
    for g in 0..groups {
        // Local arrays stay in registers.
        let (nn, nt, tt, v_n, v_t) = (nns[g], nts[g], tts[g], normals[g], slips[g]);
        let p: [Lanes; PARAMETERS] = group(&parameters, g);
        let (mut impulses, mut after) = ([[0.0; LANES]; 2], [[0.0; LANES]; 2]);
        let mut details = [[0.0; LANES]; DETAILS];
        let (mut modes, mut refer) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            let problem = Plane { nn: nn[i], nt: nt[i], tt: tt[i], v: [v_n[i], v_t[i]] };
            let answer = K::plane(&problem, &row(&p, i));
            let parts = v_n[i] > 0.0;
            let impulse = answer.impulse.map(|x| if parts { 0.0 } else { x });
            let moved = problem.after(impulse);
            for k in 0..2 {
                impulses[k][i] = impulse[k];
            }
            after[0][i] = moved[0];
            after[1][i] = if answer.sticks & !parts { 0.0 } else { moved[1] };
            let known = problem.is_known();
            let sound = (impulse[0].abs() < HUGE) & (impulse[1].abs() < HUGE);
            refer[i] = u64::from(!known | (v_n[i] == 0.0) | (!parts & (answer.refer | !sound)));
            if DETAILED {
                details[0][i] = answer.compression;
                details[1][i] = answer.works[0];
                details[2][i] = answer.works[1];
                modes[i] = answer.mode;
            }
        }
        for k in 0..2 {
            found.impulse[k][g] = impulses[k];
            found.after[k][g] = after[k];
        }
        found.refer[g] = refer;
        if DETAILED {
            for (column, lanes) in found.details.iter_mut().zip(details) {
                column[g] = lanes;
            }
            found.mode[g] = modes;
        }
    }
}

#[inline(always)]
fn space<K: Kernel, const DETAILED: bool>(given: &Given, found: &mut Found) {
    let groups = found.refer.len();
    let Given { inverse_mass, velocity, parameters } = given.first(groups);
    for g in 0..groups {
        let (w, v): ([Lanes; 6], [Lanes; 3]) = (group(&inverse_mass, g), group(&velocity, g));
        let p: [Lanes; PARAMETERS] = group(&parameters, g);
        let (mut impulses, mut after) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        let mut details = [[0.0; LANES]; DETAILS];
        let (mut modes, mut refer) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            let problem = Space { w: row(&w, i), v: row(&v, i) };
            let answer = K::space(&problem, &row(&p, i));
            let parts = v[0][i] > 0.0;
            let impulse = answer.impulse.map(|x| if parts { 0.0 } else { x });
            let moved = problem.after(impulse);
            let sticks = answer.sticks & !parts;
            for k in 0..3 {
                impulses[k][i] = impulse[k];
            }
            after[0][i] = moved[0];
            after[1][i] = if sticks { 0.0 } else { moved[1] };
            after[2][i] = if sticks { 0.0 } else { moved[2] };
            let known = problem.is_known();
            let sound = (impulse[0].abs() < HUGE) & (impulse[1].abs() < HUGE) & (impulse[2].abs() < HUGE);
            refer[i] = u64::from(!known | (v[0][i] == 0.0) | (!parts & (answer.refer | !sound)));
            if DETAILED {
                details[0][i] = answer.compression;
                details[1][i] = answer.works[0];
                details[2][i] = answer.works[1];
                modes[i] = answer.mode;
            }
        }
        for k in 0..3 {
            found.impulse[k][g] = impulses[k];
            found.after[k][g] = after[k];
        }
        found.refer[g] = refer;
        if DETAILED {
            for (column, lanes) in found.details.iter_mut().zip(details) {
                column[g] = lanes;
            }
            found.mode[g] = modes;
        }
    }
}

/// Impulses beyond this are left to the law itself.
pub(super) const HUGE: f64 = 1e100;

/// Whether the numbers leave room for their products; not for NaN. A slip that is far below the speed is left to the law itself, which takes
/// it for zero.
#[inline(always)]
fn in_range(trace: f64, speed: f64, slip: f64) -> bool {
    const LEAST: f64 = 1e-40;
    const GREATEST: f64 = 1e40;
    (trace > LEAST)
        & (trace < GREATEST)
        & (speed > LEAST)
        & (speed < GREATEST)
        & ((slip == 0.0) | (slip > LEAST * speed))
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
    /// The same in space.
    #[inline(always)]
    pub(super) fn is_known(&self) -> bool {
        let [nn, n1, n2, w11, w12, w22] = self.w;
        let trace = nn + w11 + w22;
        let floor = REGULAR * trace;
        let (l1, l2) = (n1 / nn, n2 / nn);
        let (d1, coupling) = (w11 - l1 * n1, w12 - l2 * n1);
        let d2 = w22 - l2 * n2 - coupling * coupling / d1;
        let slip = self.v[1].abs() + self.v[2].abs();
        let regular = (nn > floor) & (d1 > floor) & (d2 > floor);
        regular & in_range(trace, self.v[0].abs() + slip, slip)
    }
}
