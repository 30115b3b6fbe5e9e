//! Coulomb friction at several contacts: with U = W x + q, at every contact
//!
//! ```text
//! x_n ≥ a,   U_n ≥ 0,   (x_n − a) U_n = 0
//! x_t in the disk of centre c(x_n) and radius r(x_n),   −U_t normal to the disk there
//! ```
//!
//! with a = 0, c = 0 and r = μ x_n for Coulomb's law itself (De Saxcé's form: x in the cone, U + μ|U_t| n in the dual cone, both
//! perpendicular); other disks serve restitution of friction. The conditions are a fixed point of projections (Alart & Curnier
//! 1991), x_n = max(a, x_n − ρ U_n), x_t = Π_disk(x_t − ρ U_t), solved by Newton's method, non-smooth where contacts open, stick or
//! slip. Where that does not settle, sweeps over the contacts, each solved exactly with the others held, lead it on.

use super::dense::{has_weak_directions, root};
use super::least_distance::{Polyhedron, combination};
use super::modes::{self, Search};
use super::one_contact;
use super::polyhedral::polyhedral;
use super::sparse::Sparse;
use super::{ACCEPTED, SOLVED, Status};
use nalgebra::{DMatrix, DVector, Matrix3, Vector2, Vector3};

/// The unknowns of one contact from `start`: the normal impulse and none, one or two tangential ones, and the set they are in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Disk {
    pub(crate) start: usize,
    /// 1, 2 or 3.
    pub(crate) size: usize,
    /// The least normal impulse a.
    pub(crate) least: f64,
    /// Centre of the disk: a fixed part and one that grows with x_n.
    pub(crate) centre: [Vector2<f64>; 2],
    /// Its radius, likewise.
    pub(crate) radius: [f64; 2],
}

/// The problem. Its data should be of order one.
#[derive(Clone, Debug)]
pub(crate) struct Friction {
    pub(crate) w: DMatrix<f64>,
    pub(crate) q: DVector<f64>,
    /// They cover the unknowns without overlap.
    pub(crate) disks: Vec<Disk>,
    /// The scale of residuals.
    pub(crate) measure: Measure,
}

/// The scale of residuals.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measure {
    /// A velocity of the problem, not of its answer.
    Velocity(f64),
    /// The impulses found. Long ones, which only hold each other, then solve as well: for those who look for them as the sign of a jam.
    Impulses,
}

/// The result for a problem whose contacts may wedge.
#[derive(Clone, Debug)]
pub(crate) enum Decision {
    /// A solution.
    Solved(Found),
    /// The impulses of these contacts grow without bound as the contacts stiffen: they hold each other. If `proven`, no finite impulses
    /// are a solution; else none were found.
    Wedged { contacts: Vec<usize>, proven: bool },
    /// Neither was found.
    Open(Found),
}

/// An answer, and how good it is.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) x: DVector<f64>,
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    pub(crate) status: Status,
}

/// Diagonal terms that keep Newton's matrix regular where W is not; the residual is exact, so they do not bias the answer.
/// Nearly dependent contacts need the smaller, or the larger.
const PROXIMITIES: [f64; 4] = [1e-9, 1e-12, 1e-7, 1e-5];
/// A residual from which another diagonal term may lead to the end.
const NEAR: f64 = 1e-4;
/// So many contacts without friction are solved in blocks first. A row of 16 is four times as fast by it; a pile of 16 takes one and a
/// half to three times as long, but half as long when it is 100.
const MANY: usize = 16;
/// Sweeps over the contacts between attempts of Newton's method.
const SWEEPS: [usize; 6] = [3, 10, 30, 100, 300, 1000];
/// Impulses so many times those that each contact needs by itself may only hold each other.
const WEDGED: f64 = 1e3;
/// How contacts give way on the way to rigid ones, relative to the mean of W.
const GIVES: [f64; 8] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
/// Angles between the corners of polygons, rad.
const SPREADS: [f64; 7] = [0.4, 0.3, 0.1, 0.1, 0.03, 0.01, 0.003];
/// After these sweeps polygons in place of the disks are tried.
const POLYHEDRAL_ROUND: usize = 1;
/// Problems of at most this many contacts are decided by their modes where Newton's method finds nothing.
pub(super) const FEW: usize = 10;
/// How contacts give way when those that wedge are looked for: they carry 1/WEDGE_GIVE times the others' impulses.
const WEDGE_GIVE: f64 = 1e-6;
/// Impulses that grow by this factor when contacts become ten times as stiff grow without bound.
const WEDGE_GROWTH: f64 = 5.0;
/// A contact with less than this share of the greatest impulse does not wedge.
const WEDGE_SHARE: f64 = 1e-3;

impl Disk {
    /// Coulomb's law.
    pub(crate) fn coulomb(start: usize, size: usize, friction: f64) -> Disk {
        Disk { start, size, least: 0.0, centre: [Vector2::zeros(); 2], radius: [0.0, friction] }
    }

    pub(crate) fn of(&self, x: &DVector<f64>) -> Vector3<f64> {
        Vector3::from_fn(|i, _| if i < self.size { x[self.start + i] } else { 0.0 })
    }

    pub(crate) fn centre_at(&self, normal: f64) -> Vector2<f64> {
        self.centre[0] + self.centre[1] * normal
    }

    pub(crate) fn radius_at(&self, normal: f64) -> f64 {
        (self.radius[0] + self.radius[1] * normal).max(0.0)
    }
}

impl Friction {
    pub(super) fn step_of(&self, disk: &Disk) -> f64 {
        let curvature: f64 = (0..disk.size).map(|i| self.w[(disk.start + i, disk.start + i)]).sum();
        disk.size as f64 / curvature
    }

    /// How far a point is from solving: the natural map in velocities, relative to the speed of the problem.
    #[cfg(test)]
    fn residual(&self, x: &DVector<f64>) -> f64 {
        self.residual_at(x, &(&self.w * x + &self.q))
    }

    /// The same with U known.
    pub(super) fn residual_at(&self, x: &DVector<f64>, u: &DVector<f64>) -> f64 {
        if !x.iter().all(|number| number.is_finite()) {
            return f64::INFINITY;
        }
        let worst = |most: f64, disk: &Disk| {
            let [normal, tangential] = self.violations(disk, x, u);
            most.max(normal).max(tangential)
        };
        match self.measure {
            Measure::Velocity(speed) => self.disks.iter().fold(0.0, worst) / speed,
            Measure::Impulses => {
                let impulse = |most: f64, disk: &Disk| {
                    let [normal, tangential] = self.violations(disk, x, u);
                    most.max(self.step_of(disk) * normal.max(tangential))
                };
                self.disks.iter().fold(0.0, impulse) / self.reach().max(x.amax()).max(f64::MIN_POSITIVE)
            }
        }
    }

    /// How far a contact is from its conditions along the normal and across it: the natural map, as a velocity.
    pub(super) fn violations(&self, disk: &Disk, x: &DVector<f64>, u: &DVector<f64>) -> [f64; 2] {
        let rho = self.step_of(disk);
        let (p, u) = (disk.of(x), disk.of(u));
        let normal = ((p.x - disk.least) / rho).min(u.x).abs();
        if disk.size == 1 {
            return [normal, 0.0];
        }
        let (centre, radius) = (disk.centre_at(p.x), disk.radius_at(p.x));
        let moved = p.yz() - centre - u.yz() * rho;
        let length = moved.norm();
        let tangential =
            if length > radius { (p.yz() - centre - moved * (radius / length)).norm() / rho } else { u.yz().norm() };
        [normal, tangential]
    }

    /// Solves, from a first guess. Where contacts wedge, impulses that hold each other solve as well, however great: then those that the
    /// contacts find as they stiffen, if these are less.
    pub(crate) fn solve(&self, guess: DVector<f64>) -> Found {
        let found = self.search(guess, &SWEEPS);
        if found.x.amax() <= WEDGED * self.reach() { found } else { self.shortened(found) }
    }

    /// The impulses that the contacts find as they stiffen, if these are less.
    fn shortened(&self, found: Found) -> Found {
        let short = self.stiffened();
        let iterations = found.iterations + short.iterations;
        let better = short.status == Status::Solved && short.x.amax() < found.x.amax();
        Found { iterations, ..if better { short } else { found } }
    }

    /// Solves or finds that no finite impulses do. Problems of few contacts are decided by their modes.
    pub(crate) fn decide(&self, guess: DVector<f64>) -> Decision {
        let few = self.disks.len() <= FEW;
        let found = self.search(guess, if few { &SWEEPS[..=POLYHEDRAL_ROUND] } else { &SWEEPS });
        if found.residual <= ACCEPTED {
            let short = found.x.amax() <= WEDGED * self.reach();
            return Decision::Solved(if short { found } else { self.shortened(found) });
        }
        if few && self.disks.iter().all(|disk| disk.size == 1) {
            return self.decide_smooth(found);
        }
        match if few { modes::search(self) } else { Search::Undecided } {
            Search::Found(shortest) => Decision::Solved(shortest),
            Search::Empty => {
                let proven = !has_weak_directions(&self.w);
                Decision::Wedged { contacts: self.holding(&self.softened(WEDGE_GIVE).x), proven }
            }
            Search::Undecided => {
                let found = if few { self.search(found.x, &SWEEPS[POLYHEDRAL_ROUND + 1..]) } else { found };
                if found.residual <= ACCEPTED { Decision::Solved(found) } else { self.unsolved(found) }
            }
        }
    }

    /// The same without friction. With W = L Lᵀ the velocities L z + q of a solution belong to the shortest z with L z + q ≥ 0, and the
    /// impulses are its multipliers, z = Lᵀ x, x ≥ 0. L shows angles between contacts, W only their squares.
    fn decide_smooth(&self, found: Found) -> Decision {
        let least = DVector::from_iterator(self.q.len(), self.disks.iter().map(|disk| disk.least));
        let q = &self.w * &least + &self.q;
        let l = root(&self.w, f64::EPSILON * self.q.len() as f64);
        let rows: Vec<Vec<f64>> = l.row_iter().map(|row| row.iter().copied().collect()).collect();
        let shortest = |slack: f64| {
            let mut set = Polyhedron::new(l.ncols());
            for (row, q) in rows.iter().zip(q.iter()) {
                set.at_least(row, -q - slack * self.speed());
            }
            set.shortest()
        };
        let Some(z) = shortest(0.0) else {
            // Where contacts hold a body in every direction, rest is the only solution, and rounding can exclude it: W knows squares of
            // angles, so L gives velocities to the root of ε.
            let proven = shortest((f64::EPSILON * self.q.len() as f64).sqrt()).is_none();
            return Decision::Wedged { contacts: self.holding(&self.softened(WEDGE_GIVE).x), proven };
        };
        let Some(multipliers) = combination(&rows, &z) else { return Decision::Open(found) };
        let x = least + DVector::from_vec(multipliers);
        let residual = self.residual_at(&x, &(&self.w * &x + &self.q));
        let exact = Found { iterations: found.iterations, ..Found::new(x, residual, 0) };
        let refined = self.refined_or(&exact.x.clone(), exact);
        if refined.residual <= ACCEPTED { Decision::Solved(refined) } else { Decision::Open(refined) }
    }

    /// The result where no solution was found: whether impulses grow as the contacts stiffen.
    fn unsolved(&self, found: Found) -> Decision {
        let [soft, firm] = [10.0 * WEDGE_GIVE, WEDGE_GIVE].map(|give| self.softened(give));
        let followed = soft.status == Status::Solved && firm.status == Status::Solved;
        if followed && firm.x.amax() > WEDGE_GROWTH * soft.x.amax() {
            return Decision::Wedged { contacts: self.holding(&firm.x), proven: false };
        }
        Decision::Open(found)
    }

    /// The contacts that carry nearly all of some impulses.
    fn holding(&self, x: &DVector<f64>) -> Vec<usize> {
        let normal = |disk: &Disk| x[disk.start];
        let most = self.disks.iter().map(normal).fold(0.0, f64::max);
        (0..self.disks.len()).filter(|k| normal(&self.disks[*k]) > WEDGE_SHARE * most).collect()
    }

    /// The velocity of the problem.
    pub(super) fn speed(&self) -> f64 {
        match self.measure {
            Measure::Velocity(speed) => speed,
            Measure::Impulses => self.q.amax(),
        }
    }

    /// The impulses that each contact would need by itself, at most.
    fn reach(&self) -> f64 {
        self.disks.iter().map(|disk| self.step_of(disk) * disk.of(&self.q).norm()).fold(0.0, f64::max)
    }

    fn search(&self, guess: DVector<f64>, rounds: &[usize]) -> Found {
        let frictionless = self.disks.len() >= MANY && self.disks.iter().all(|disk| disk.size == 1);
        let (guess, spent) = if frictionless { self.without_friction() } else { (guess, 0) };
        let mut found = self.attempts(guess.clone());
        let (mut x, mut iterations) = (guess, spent + found.iterations);
        for sweeps in rounds {
            if found.status == Status::Solved {
                break;
            }
            for _ in 0..*sweeps {
                self.sweep(&mut x);
            }
            let mut again = self.attempts(x.clone());
            again.iterations += sweeps;
            if *sweeps == SWEEPS[POLYHEDRAL_ROUND] && again.status != Status::Solved {
                let spent = again.iterations;
                again = self.stiffened();
                again.iterations += spent;
            }
            iterations += again.iterations;
            if again.residual < found.residual {
                found = again;
            }
        }
        Found { iterations, ..found }
    }

    /// Without friction, contacts exchanged in blocks, and the steps it took: Newton's method would close a row of them one by one.
    fn without_friction(&self) -> (DVector<f64>, usize) {
        let least = DVector::from_iterator(self.q.len(), self.disks.iter().map(|disk| disk.least));
        let q = &self.w * &least + &self.q;
        let normals = Sparse::of(&self.w).solve(q.as_slice(), self.speed());
        (least + DVector::from_vec(normals.p), normals.iterations)
    }

    /// A solution close to one that is nearly so; what comes nearest to solving.
    pub(crate) fn refined(&self, x: &DVector<f64>) -> Found {
        self.attempts(x.clone())
    }

    /// A solution close to another one that is nearly so, if it is found; else that given. One that solves already is kept as it is:
    /// Newton's steps would move it along impulses that change no velocity.
    pub(crate) fn refined_or(&self, x: &DVector<f64>, given: Found) -> Found {
        let residual = self.residual_at(x, &(&self.w * x + &self.q));
        if residual <= SOLVED {
            return Found { iterations: given.iterations, ..Found::new(x.clone(), residual, 0) };
        }
        let refined = self.refined(x);
        if refined.residual <= ACCEPTED.min(given.residual.max(SOLVED)) { refined } else { given }
    }

    /// Newton's method with one diagonal term after another, as long as the last is not solved but came close.
    fn attempts(&self, guess: DVector<f64>) -> Found {
        let mut best = self.newton(guess, PROXIMITIES[0]);
        for proximity in &PROXIMITIES[1..] {
            if best.status == Status::Solved || best.residual > NEAR {
                break;
            }
            let mut next = self.newton(best.x.clone(), *proximity);
            next.iterations += best.iterations;
            if next.residual < best.residual { best = next } else { best.iterations = next.iterations }
        }
        best
    }

    /// The problem of contacts that give way a little, relative to the mean of W.
    fn soft(&self, give: f64) -> Friction {
        let mut soft = self.clone();
        let added = give * self.w.trace() / self.q.len() as f64;
        for i in 0..soft.q.len() {
            soft.w[(i, i)] += added;
        }
        soft
    }

    /// The impulses of contacts that give way less and less, down to a last one.
    fn softened(&self, last: f64) -> Found {
        let mut found = Found::new(DVector::zeros(self.q.len()), f64::INFINITY, 0);
        for give in GIVES.into_iter().filter(|give| *give >= last) {
            let soft = self.soft(give);
            let next = soft.attempts(found.x.clone());
            let next = if next.status == Status::Solved { next } else { soft.edged() };
            if next.status == Status::Solved || found.residual.is_infinite() {
                found = next;
            }
        }
        found
    }

    /// From polygons in place of the disks, and from contacts that give way a little, less and less.
    fn stiffened(&self) -> Found {
        let mut iterations = 0;
        let mut start = DVector::zeros(self.q.len());
        let mut found = Found::new(start.clone(), f64::INFINITY, 0);
        for (k, give) in GIVES.into_iter().enumerate() {
            let soft = self.soft(give);
            let mut next = soft.attempts(start.clone());
            if next.status != Status::Solved {
                iterations += next.iterations;
                next = soft.edged();
            }
            iterations += next.iterations;
            if k == 0 || next.status == Status::Solved {
                start = next.x;
            }
            let firm = self.attempts(start.clone());
            iterations += firm.iterations;
            if firm.residual < found.residual {
                found = firm;
            }
            if found.status == Status::Solved {
                break;
            }
        }
        Found { iterations, ..found }
    }

    /// From polygons in place of the disks, ever closer around the impulse.
    fn edged(&self) -> Found {
        let mut aims = -&self.q;
        let mut found = Found::new(aims.clone(), f64::INFINITY, 0);
        let mut iterations = 0;
        for spread in SPREADS {
            let Some((edge, pivots)) = polyhedral(self, &aims, spread) else { break };
            let next = self.attempts(edge.clone());
            iterations += pivots + next.iterations;
            if next.residual < found.residual {
                found = next;
            }
            if found.status == Status::Solved {
                break;
            }
            aims = edge;
        }
        Found { iterations, ..found }
    }

    /// Each contact in turn, with the others held.
    fn sweep(&self, x: &mut DVector<f64>) {
        for disk in &self.disks {
            let (own, size) = (disk.of(x), disk.size);
            let block =
                Matrix3::from_fn(
                    |i, j| if i < size && j < size { self.w[(disk.start + i, disk.start + j)] } else { 0.0 },
                );
            let velocity = Vector3::from_fn(|i, _| {
                if i < size { self.w.row(disk.start + i).transpose().dot(x) + self.q[disk.start + i] } else { 0.0 }
            });
            let answer = one_contact::solve(&block, &(velocity - block * own), disk);
            for i in 0..size {
                x[disk.start + i] = answer[i];
            }
        }
    }
}

impl Found {
    pub(super) fn new(x: DVector<f64>, residual: f64, iterations: usize) -> Found {
        let status = if residual <= SOLVED { Status::Solved } else { Status::Stalled };
        Found { x, residual, iterations, status }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Coulomb friction without restitution, on bodies with fewer freedoms than contacts have components or with more.
    fn random_problem(random: &mut Random, contacts: usize, size: usize) -> Friction {
        let n = contacts * size;
        let freedoms = 1 + (random.unit() * (n + 3) as f64) as usize;
        let root = DMatrix::from_fn(n, freedoms, |_, _| random.between(-1.0, 1.0));
        let velocity = DVector::from_fn(freedoms, |_, _| random.between(-1.0, 1.0));
        let disks = (0..contacts).map(|k| Disk::coulomb(k * size, size, random.log_between(1e-2, 3.0))).collect();
        let q = root.clone() * velocity;
        Friction { w: &root * root.transpose(), measure: Measure::Velocity(q.amax()), q, disks }
    }

    /// De Saxcé's form, written out: x in the cone, û = U + μ|U_t| n in the dual cone, x·û = 0.
    fn de_saxce(problem: &Friction, x: &DVector<f64>) -> f64 {
        let u = &problem.w * x + &problem.q;
        let mut worst = 0.0_f64;
        for disk in &problem.disks {
            let (p, u, mu) = (disk.of(x), disk.of(&u), disk.radius[1]);
            let slip = u.yz().norm();
            let work = p.dot(&u) + mu * slip * p.x;
            worst = worst.max(p.yz().norm() - mu * p.x).max(-u.x).max(work.abs());
        }
        worst / (1.0 + x.amax())
    }

    #[test]
    fn friction_problems_are_solved_in_the_sense_of_de_saxce() {
        let mut random = Random(10);
        for case in 0..2000 {
            let (contacts, size) = (1 + case % 6, 2 + case % 2);
            let problem = random_problem(&mut random, contacts, size);
            let found = problem.solve(DVector::zeros(problem.q.len()));
            assert!(found.status == Status::Solved, "{case}: {:e}", found.residual);
            assert!(problem.residual(&found.x) <= SOLVED);
            assert!(de_saxce(&problem, &found.x) < 1e-8, "{case}: {:e}", de_saxce(&problem, &found.x));
        }
    }

    /// In the plane polygons are the disks: Lemke's method and Newton's find the same velocities where W and small friction leave
    /// but one solution.
    #[test]
    fn planar_problems_agree_with_lemkes_method() {
        let mut random = Random(11);
        for case in 0..500 {
            let mut problem = random_problem(&mut random, 1 + case % 5, 2);
            for (i, disk) in problem.disks.iter_mut().enumerate() {
                disk.radius[1] *= 0.03;
                problem.w[(2 * i, 2 * i)] += 0.1;
                problem.w[(2 * i + 1, 2 * i + 1)] += 0.1;
            }
            let found = problem.solve(DVector::zeros(problem.q.len()));
            let (x, _) = polyhedral(&problem, &problem.q, 0.0).unwrap();
            assert!(problem.residual(&x) < 1e-9, "{case}: {:e}", problem.residual(&x));
            let difference = (&problem.w * (&found.x - x)).amax();
            assert!(difference < 1e-8, "{case}: {difference:e}");
        }
    }

    /// Every step of a sweep solves its contact.
    #[test]
    fn a_sweep_solves_a_single_contact() {
        let mut random = Random(14);
        for case in 0..2000 {
            let problem = random_problem(&mut random, 1, 1 + case % 3);
            let mut x = DVector::zeros(problem.q.len());
            problem.sweep(&mut x);
            assert!(problem.residual(&x) < 1e-7, "{case}: {:e}", problem.residual(&x));
        }
    }
}
