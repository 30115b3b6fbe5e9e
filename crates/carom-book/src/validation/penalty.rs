//! Brute force: contacts as stiff springs, followed by small steps of the classical Runge–Kutta method. It shares nothing with the
//! library, on purpose.
#![allow(clippy::needless_range_loop, reason = "matrices and vectors of small size")]

/// The greatest number of coordinates of a [`Linkage`].
const MOST: usize = 8;

/// A system with springs where something touches.
pub trait Springy {
    /// Accelerations at coordinates and velocities.
    fn acceleration(&self, q: &[f64], v: &[f64]) -> Vec<f64>;
    /// The least distance of what may touch; springs are pressed where it is negative.
    fn least_gap(&self, q: &[f64]) -> f64;
}

/// The spring and the friction of a contact.
#[derive(Clone, Copy)]
pub struct Spring {
    /// N/m.
    pub stiffness: f64,
    /// Its square is the share of the work that the spring gives back.
    pub restitution: f64,
    pub friction: f64,
    /// Coulomb's law is rounded off below this slip, m/s.
    pub creep: f64,
}

impl Spring {
    /// Normal and tangential force.
    pub fn force(&self, gap: f64, opening: f64, slip: f64) -> [f64; 2] {
        if gap >= 0.0 {
            return [0.0; 2];
        }
        let share = if opening < 0.0 { 1.0 } else { self.restitution * self.restitution };
        let normal = -self.stiffness * share * gap;
        [normal, -self.friction * normal * (slip / self.creep).clamp(-1.0, 1.0)]
    }
}

/// One step of the classical Runge–Kutta method.
fn step<const N: usize>(f: &impl Fn(&[f64; N]) -> [f64; N], y: &[f64; N], h: f64) -> [f64; N] {
    let plus = |k: &[f64; N], share: f64| std::array::from_fn(|i| y[i] + share * h * k[i]);
    let a = f(y);
    let b = f(&plus(&a, 0.5));
    let c = f(&plus(&b, 0.5));
    let d = f(&plus(&c, 1.0));
    std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
}

/// Goes on by steps until `g` changes its sign, which is located within the last step. Time is added to `t`.
pub fn until_zero<const N: usize>(
    f: &impl Fn(&[f64; N]) -> [f64; N],
    g: &impl Fn(&[f64; N]) -> f64,
    mut y: [f64; N],
    h: f64,
    t: &mut f64,
) -> [f64; N] {
    let mut side = g(&y) > 0.0;
    for k in 0..10_000_000 {
        let next = step(f, &y, h);
        if k == 0 {
            // It may start on the border.
            side = g(&next) > 0.0;
        } else if (g(&next) > 0.0) != side {
            let (mut least, mut most) = (0.0, h);
            for _ in 0..60 {
                let middle = 0.5 * (least + most);
                if (g(&step(f, &y, middle)) > 0.0) == side { least = middle } else { most = middle }
            }
            *t += most;
            return step(f, &y, most);
        }
        *t += h;
        y = next;
    }
    [f64::NAN; N]
}

/// Follows a system over a time: steps of `coarse` where nothing touches, ever smaller ones down to `fine` where something does.
pub fn follow(system: &impl Springy, q: &mut Vec<f64>, v: &mut Vec<f64>, time: f64, [coarse, fine]: [f64; 2]) {
    let mut left = time;
    while left > 0.0 {
        let pressed = system.least_gap(q) < 0.0;
        let mut h = if pressed { fine } else { coarse }.min(left);
        let next = loop {
            let (next, looks) = move_on(system, q, v, h);
            if h <= fine || looks.iter().chain([&next.0]).all(|q| system.least_gap(q) >= 0.0) {
                break next;
            }
            h = (0.5 * h).max(fine);
        };
        (*q, *v) = next;
        left -= h;
    }
}

/// Coordinates and velocities.
type Moving = (Vec<f64>, Vec<f64>);

/// A step later, and the coordinates where it looked on the way.
fn move_on(system: &impl Springy, q: &[f64], v: &[f64], h: f64) -> (Moving, [Vec<f64>; 3]) {
    let plus =
        |a: &[f64], b: &[f64], share: f64| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a + share * h * b).collect() };
    let a = system.acceleration(q, v);
    let (q_b, v_b) = (plus(q, v, 0.5), plus(v, &a, 0.5));
    let b = system.acceleration(&q_b, &v_b);
    let (q_c, v_c) = (plus(q, &v_b, 0.5), plus(v, &b, 0.5));
    let c = system.acceleration(&q_c, &v_c);
    let (q_d, v_d) = (plus(q, &v_c, 1.0), plus(v, &c, 1.0));
    let d = system.acceleration(&q_d, &v_d);
    let all = |now: &[f64], rates: [&[f64]; 4]| -> Vec<f64> {
        (0..now.len())
            .map(|i| now[i] + h / 6.0 * (rates[0][i] + 2.0 * (rates[1][i] + rates[2][i]) + rates[3][i]))
            .collect()
    };
    ((all(q, [v, &v_b, &v_c, &v_d]), all(v, [&a, &b, &c, &d])), [q_b, q_c, q_d])
}

/// Bodies in a plane whose centres are sums of vectors that turn with them. Coordinates: the base, if it floats, and all angles.
pub struct Linkage {
    pub floats: bool,
    pub links: Vec<Link>,
    /// m/s² along −y.
    pub gravity: f64,
    pub touches: Vec<Touch>,
    pub spring: Spring,
}

pub struct Link {
    pub mass: f64,
    pub inertia: f64,
    /// From the base to the centre: a body, and a vector in its axes.
    pub arms: Vec<(usize, [f64; 2])>,
}

/// A round corner of a body that may touch a plane.
pub struct Touch {
    pub body: usize,
    /// From the centre, in body axes.
    pub point: [f64; 2],
    pub radius: f64,
    pub normal: [f64; 2],
    pub offset: f64,
}

impl Linkage {
    fn base(&self) -> usize {
        if self.floats { 2 } else { 0 }
    }

    /// Place of a point, its rates with all coordinates, its velocity and its acceleration without that of the coordinates.
    fn point(&self, arms: &[(usize, [f64; 2])], q: &[f64], v: &[f64]) -> Point {
        let mut point = Point::default();
        let base = self.base();
        if self.floats {
            point.place = [q[0], q[1]];
            point.velocity = [v[0], v[1]];
            point.rates[0][0] = 1.0;
            point.rates[1][1] = 1.0;
        }
        for (body, arm) in arms {
            let (sine, cosine) = q[base + body].sin_cos();
            let turned = [cosine * arm[0] - sine * arm[1], sine * arm[0] + cosine * arm[1]];
            let across = [-turned[1], turned[0]];
            let spin = v[base + body];
            for axis in 0..2 {
                point.place[axis] += turned[axis];
                point.rates[axis][base + body] += across[axis];
                point.velocity[axis] += across[axis] * spin;
                point.bias[axis] -= turned[axis] * spin * spin;
            }
        }
        point
    }

    fn touch(&self, touch: &Touch, q: &[f64], v: &[f64]) -> (f64, Point) {
        let arms: Vec<_> = self.links[touch.body].arms.iter().copied().chain([(touch.body, touch.point)]).collect();
        let mut point = self.point(&arms, q, v);
        let gap = point.place[0] * touch.normal[0] + point.place[1] * touch.normal[1] - touch.offset - touch.radius;
        // The surface is below the centre of the round corner.
        let below = touch.normal.map(|n| -touch.radius * n);
        let (at, across) = (self.base() + touch.body, [-below[1], below[0]]);
        for axis in 0..2 {
            point.rates[axis][at] += across[axis];
            point.velocity[axis] += across[axis] * v[at];
        }
        (gap, point)
    }
}

#[derive(Default)]
struct Point {
    place: [f64; 2],
    velocity: [f64; 2],
    bias: [f64; 2],
    rates: [[f64; MOST]; 2],
}

impl Springy for Linkage {
    fn acceleration(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let (n, base) = (q.len(), self.base());
        let mut matrix = [[0.0; MOST]; MOST];
        let mut force = [0.0; MOST];
        for (k, link) in self.links.iter().enumerate() {
            let point = self.point(&link.arms, q, v);
            matrix[base + k][base + k] += link.inertia;
            for axis in 0..2 {
                let weight = if axis == 1 { -self.gravity } else { 0.0 };
                for i in 0..n {
                    let rate = link.mass * point.rates[axis][i];
                    force[i] += rate * (weight - point.bias[axis]);
                    for j in 0..n {
                        matrix[i][j] += rate * point.rates[axis][j];
                    }
                }
            }
        }
        for touch in &self.touches {
            let (gap, point) = self.touch(touch, q, v);
            let [nx, ny] = touch.normal;
            let opening = point.velocity[0] * nx + point.velocity[1] * ny;
            let slip = point.velocity[0] * ny - point.velocity[1] * nx;
            let [normal, tangential] = self.spring.force(gap, opening, slip);
            let pushed = [normal * nx + tangential * ny, normal * ny - tangential * nx];
            for i in 0..n {
                force[i] += point.rates[0][i] * pushed[0] + point.rates[1][i] * pushed[1];
            }
        }
        eliminate(&mut matrix, &mut force, n);
        force[..n].to_vec()
    }

    fn least_gap(&self, q: &[f64]) -> f64 {
        let still = [0.0; MOST];
        self.touches.iter().map(|touch| self.touch(touch, q, &still).0).fold(f64::INFINITY, f64::min)
    }
}

/// Gaussian elimination; a mass matrix needs no pivots.
fn eliminate(matrix: &mut [[f64; MOST]; MOST], force: &mut [f64; MOST], n: usize) {
    for k in 0..n {
        for i in k + 1..n {
            let share = matrix[i][k] / matrix[k][k];
            for j in k..n {
                matrix[i][j] -= share * matrix[k][j];
            }
            force[i] -= share * force[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            force[k] -= matrix[k][j] * force[j];
        }
        force[k] /= matrix[k][k];
    }
}

/// Equal disks in a plane without gravity. Coordinates: x, y and angle of one after the other.
pub struct Disks {
    pub mass: f64,
    pub inertia: f64,
    pub radius: f64,
    pub spring: Spring,
}

impl Springy for Disks {
    fn acceleration(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut a = vec![0.0; q.len()];
        for i in (0..q.len()).step_by(3) {
            for j in (0..i).step_by(3) {
                let [dx, dy] = [q[i] - q[j], q[i + 1] - q[j + 1]];
                if dx * dx + dy * dy >= 4.0 * self.radius * self.radius {
                    continue;
                }
                let distance = dx.hypot(dy);
                let [nx, ny] = [dx / distance, dy / distance];
                let [ux, uy] = [v[i] - v[j], v[i + 1] - v[j + 1]];
                // Of the surface of i over that of j along (n_y, −n_x).
                let slip = ux * ny - uy * nx + self.radius * (v[i + 2] + v[j + 2]);
                let [normal, tangential] = self.spring.force(distance - 2.0 * self.radius, ux * nx + uy * ny, slip);
                let pushed = [normal * nx + tangential * ny, normal * ny - tangential * nx];
                for axis in 0..2 {
                    a[i + axis] += pushed[axis] / self.mass;
                    a[j + axis] -= pushed[axis] / self.mass;
                }
                let turning = self.radius * tangential / self.inertia;
                a[i + 2] += turning;
                a[j + 2] += turning;
            }
        }
        a
    }

    fn least_gap(&self, q: &[f64]) -> f64 {
        let mut least = f64::INFINITY;
        for i in (0..q.len()).step_by(3) {
            for j in (0..i).step_by(3) {
                least = least.min((q[i] - q[j]).hypot(q[i + 1] - q[j + 1]) - 2.0 * self.radius);
            }
        }
        least
    }
}
