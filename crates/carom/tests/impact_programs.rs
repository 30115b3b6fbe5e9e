//! `rakshit-chatterjee` against the exhaustive search over the active sets of its program: planar bodies with two or three contacts, held
//! in slots that open a little, in grooves, between pins and clamped. Answers must have the least energy, and a refusal must be
//! an empty program.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "numbers of a campaign are printed")]

mod support;

use carom::Outcome;
use carom::impact::{Contact, Impact, Network};
use carom::laws::{Inapplicable, find};
use carom::{Body, ContactFrame};
use nalgebra::{DMatrix, DVector, Vector3};
use rand::RngExt;
use std::collections::BTreeMap;

/// Rounding of the rows, relative to the impulses.
const ROUNDING: f64 = 2e-15;
/// What the square of an impulse counts beside the energy, s⁻¹ kg⁻¹.
const SHORT: f64 = 1e-15;
/// How well the rows must hold, relative to the velocities before.
const PRECISION: f64 = 1e-9;
/// The same for an answer, and for its energy relative to that at stake or that gained.
const AGREES: f64 = 1e-7;
/// Longer impulses, in units of those that stop one contact, are lost in the rounding of W.
const LONGEST: f64 = 1e5;
/// Still longer ones are no point at all.
const LOST: f64 = 1e9;

const KINDS: [&str; 5] = ["slot", "groove", "pins", "clamped", "random"];

struct Case {
    impact: Impact,
    restitution: Vec<f64>,
    friction: f64,
    /// By how much normals are turned, rad.
    open: f64,
    /// N, with W = N Nᵀ and V = N y: two rows for each contact, y = M^½ (v, ω). Energies ½ |y|² are never negative, and N is
    /// known to more digits than its square.
    factor: DMatrix<f64>,
    before: DVector<f64>,
}

fn unit(angle: f64) -> [f64; 2] {
    [angle.cos(), angle.sin()]
}

impl Case {
    /// Contacts of one body with the world. Half of the normals are turned by angles of 1e-12 to 1e-2.
    fn new(kind: &str, number: u64) -> Option<Case> {
        let seed = KINDS.iter().position(|other| *other == kind).unwrap() as u64;
        let random = &mut support::random(300 + seed, number);
        let radius = 0.1;
        let turn = random.random_range(0.0..std::f64::consts::TAU);
        let round = |angles: &[f64]| -> Vec<(f64, [f64; 2])> {
            angles.iter().map(|angle| (*angle, unit(*angle).map(|part| -radius * part))).collect()
        };
        let (mut contacts, inertia) = match kind {
            "slot" => (round(&[turn, turn + std::f64::consts::PI]), 0.005),
            "groove" => {
                let half = random.random_range(0.02..1.5);
                (round(&[turn + half, turn - half]), 0.005)
            }
            "pins" => (round(&[0.0, 1.0, 2.0].map(|k| turn + k * std::f64::consts::TAU / 3.0)), 0.005),
            "clamped" => {
                let along = [-0.1, 0.0, 0.1, random.random_range(-0.1..0.1)];
                let sides = (0..random.random_range(2..=3)).map(|k| {
                    let side = if k % 2 == 0 { 1.0 } else { -1.0 };
                    let x = along[random.random_range(0..along.len())];
                    (side * std::f64::consts::FRAC_PI_2, [x, -0.05 * side])
                });
                (sides.collect(), random.random_range(0.002..0.02))
            }
            _ => {
                let any = (0..random.random_range(2..=3)).map(|_| {
                    let point = [random.random_range(-0.1..0.1), random.random_range(-0.1..0.1)];
                    (random.random_range(0.0..std::f64::consts::TAU), point)
                });
                (any.collect(), random.random_range(0.002..0.02))
            }
        };
        let open = if random.random() { support::log_uniform(random, -12.0, -2.0) } else { 0.0 };
        if open > 0.0 {
            for (angle, _) in &mut contacts {
                *angle += open * random.random_range(-1.0..1.0);
            }
        }
        let velocity = Vector3::new(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0), 0.0);
        let spin = if random.random() { random.random_range(-10.0..10.0) } else { 0.0 };
        let body = Body::planar(1.0, inertia).unwrap().moving(velocity, Vector3::z() * spin);
        let before = DVector::from_vec(vec![velocity.x, velocity.y, inertia.sqrt() * spin]);
        let factor = DMatrix::from_fn(2 * contacts.len(), 3, |i, j| {
            let (angle, [x, y]) = contacts[i / 2];
            let [a, b] = unit(angle);
            let [a, b] = if i % 2 == 0 { [a, b] } else { [b, -a] };
            [a, b, (x * b - y * a) / inertia.sqrt()][j]
        });
        let contacts = contacts.iter().map(|(angle, [x, y])| {
            let frame = ContactFrame::planar(unit(*angle)).unwrap();
            Contact { a: Some(0), b: None, point: Vector3::new(*x, *y, 0.0), frame }
        });
        let contacts: Vec<Contact> = contacts.collect();
        let impact = Network::new([body], contacts, &[], true).unwrap().impact().unwrap();
        let friction = [0.0, 0.1, 0.3, 0.5, 1.0, 2.0, 5.0][random.random_range(0..7)];
        let restitution = vec![[0.0, 0.5, 0.9, 1.0][random.random_range(0..4)]; impact.contacts()];
        impact.is_approaching().then_some(Case { impact, restitution, friction, open, factor, before })
    }

    fn resolve(&self) -> Result<Outcome, Inapplicable> {
        let lookup = |contact: usize, key: &str| match key {
            "restitution" => Some(self.restitution[contact]),
            "friction" => Some(self.friction),
            _ => None,
        };
        let law = find("rakshit-chatterjee").unwrap();
        law.bind_contacts(self.impact.contacts(), lookup).unwrap().resolve(&self.impact)
    }

    /// The program of some contacts, with more asked of every velocity than the law does, m/s.
    fn program(&self, kept: &[usize], more: f64) -> Program {
        let each = if self.friction > 0.0 { 2 } else { 1 };
        let n = each * kept.len();
        let factor = DMatrix::from_fn(n, 3, |i, j| self.factor[(2 * kept[i / each] + i % each, j)]);
        let mut rows: Vec<Row> = Vec::new();
        let (mut sum, mut asked, mut share) = (Vector3::zeros(), 0.0, 0.0);
        for (k, contact) in kept.iter().enumerate() {
            let normal: Vector3<f64> = factor.fixed_view::<1, 3>(each * k, 0).transpose();
            let (speed, weight) = (self.impact.velocity()[*contact].x, normal.norm_squared().recip());
            rows.push(Row { impulses: DVector::zeros(n), motion: normal, bound: more });
            if speed <= 0.0 {
                sum += normal * weight;
                asked -= self.restitution[*contact] * speed * weight;
                share += weight;
            }
            let sides: &[f64] = if each == 1 { &[0.0] } else { &[1.0, -1.0] };
            for side in sides {
                let mut impulses = DVector::zeros(n);
                impulses[each * k] = if each == 1 { 1.0 } else { self.friction };
                if each == 2 {
                    impulses[2 * k + 1] = *side;
                }
                rows.push(Row { impulses: impulses.normalize(), motion: Vector3::zeros(), bound: 0.0 });
            }
        }
        rows.push(Row { impulses: DVector::zeros(n), motion: sum / share, bound: asked / share + more });
        Program { factor, before: self.before.clone(), rows }
    }

    fn speed(&self) -> f64 {
        self.impact.velocity().iter().map(Vector3::amax).fold(0.0, f64::max)
    }

    /// How far impulses are from the cones and the rows of those contacts that carry some, as a velocity relative to those before.
    fn miss(&self, impulses: &[Vector3<f64>]) -> f64 {
        let (w, before, after) =
            (self.impact.inverse_mass(), self.impact.velocity(), self.impact.velocity_after(impulses).unwrap());
        let (mut worst, mut sum, mut weights): (f64, f64, f64) = (0.0, 0.0, 0.0);
        for (k, p) in impulses.iter().enumerate() {
            let give = w.block(k, k)[(0, 0)];
            let outside = (p.yz().norm() - self.friction * p.x).max(-p.x) * give / (1.0 + self.friction);
            worst = worst.max(outside).max(-after[k].x);
            if before[k].x <= 0.0 {
                sum += (after[k].x + self.restitution[k] * before[k].x) / give;
                weights += 1.0 / give;
            }
        }
        worst.max(-sum / weights) / self.speed()
    }

    /// The longest of some impulses in units of those that stop one contact.
    fn length(&self, impulses: &[Vector3<f64>]) -> f64 {
        let of = |(k, p): (usize, &Vector3<f64>)| p.amax() * self.impact.inverse_mass().block(k, k)[(0, 0)];
        impulses.iter().enumerate().map(of).fold(0.0, f64::max) / self.speed()
    }

    /// The energy that the contact which approaches fastest could take away.
    fn at_stake(&self) -> f64 {
        let of =
            |k: usize| 0.5 * self.impact.velocity()[k].norm_squared() / self.impact.inverse_mass().block(k, k)[(0, 0)];
        (0..self.impact.contacts()).map(of).fold(0.0, f64::max)
    }

    /// The impulses of least energy with more asked of every velocity; nothing if the program is empty. Contacts that separate before take
    /// part once the others close them.
    fn least(&self, more: f64) -> Option<Least> {
        let n = self.impact.contacts();
        let mut takes_part: Vec<bool> = self.impact.velocity().iter().map(|v| v.x <= 0.0).collect();
        loop {
            let kept: Vec<usize> = (0..n).filter(|k| takes_part[*k]).collect();
            let program = self.program(&kept, more);
            let (x, energy) = program.least()?;
            let each = x.len() / kept.len();
            let mut impulses = vec![Vector3::zeros(); n];
            for (k, contact) in kept.iter().enumerate() {
                for i in 0..each {
                    impulses[*contact][i] = x[each * k + i];
                }
            }
            let motion = &self.before + program.factor.tr_mul(&x);
            let after = &self.factor * motion;
            let closed = |k: &usize| !takes_part[*k] && after[2 * k] < -1e-12 * self.speed();
            let closed: Vec<usize> = (0..n).filter(closed).collect();
            if closed.is_empty() {
                return Some(Least { energy, length: self.length(&impulses) });
            }
            for k in closed {
                takes_part[k] = true;
            }
        }
    }
}

/// The least energy of a program.
#[derive(Clone, Copy, Debug)]
struct Least {
    energy: f64,
    /// Of the impulses, in units of those that stop one contact.
    length: f64,
}

/// a·x + c·y ≥ b.
struct Row {
    impulses: DVector<f64>,
    motion: Vector3<f64>,
    bound: f64,
}

/// Minimise ½ |y|², y = y₀ + Nᵀ x, with some rows.
struct Program {
    factor: DMatrix<f64>,
    before: DVector<f64>,
    rows: Vec<Row>,
}

impl Program {
    /// The best of the points that the rows of some active set determine, and its change of energy. The optimum is one of them: it is either
    /// the only point of its active set, or there is one at a corner, and the set has corners as the cones are pointed.
    fn least(&self) -> Option<(DVector<f64>, f64)> {
        let mut best: Option<(DVector<f64>, f64, f64)> = None;
        for choice in 0..1_u32 << self.rows.len() {
            let active: Vec<&Row> =
                (0..self.rows.len()).filter(|k| choice >> k & 1 == 1).map(|k| &self.rows[k]).collect();
            let Some(x) = (active.len() <= self.factor.nrows()).then(|| self.point(&active)).flatten() else {
                continue;
            };
            let motion = &self.before + self.factor.tr_mul(&x);
            let slack = |row: &Row| row.impulses.dot(&x) + row.motion.dot(&motion) - row.bound;
            if x.amax() > LOST || self.rows.iter().any(|row| slack(row) < -ROUNDING * (1.0 + x.amax())) {
                continue;
            }
            let change = self.factor.tr_mul(&x);
            let energy = change.dot(&(&change * 0.5 + &self.before));
            // Of equal energies the shorter impulses.
            let value = energy + SHORT * x.norm_squared();
            if best.as_ref().is_none_or(|(.., least)| value < *least) {
                best = Some((x, energy, value));
            }
        }
        best.map(|(x, energy, _)| (x, energy))
    }

    /// Where the energy is stationary with these rows as equations: y − Nᵀx = y₀, N y − Σ λ (a + N c) = 0, a·x + c·y = b.
    fn point(&self, active: &[&Row]) -> Option<DVector<f64>> {
        let (n, m) = (self.factor.nrows(), active.len());
        let mut matrix = DMatrix::zeros(3 + n + m, 3 + n + m);
        let mut right = DVector::zeros(3 + n + m);
        matrix.view_mut((0, 0), (3, 3)).fill_diagonal(1.0);
        matrix.view_mut((0, 3), (3, n)).copy_from(&-self.factor.transpose());
        right.rows_mut(0, 3).copy_from(&self.before);
        matrix.view_mut((3, 0), (n, 3)).copy_from(&self.factor);
        for (k, row) in active.iter().enumerate() {
            let place = 3 + n + k;
            matrix.view_mut((3, place), (n, 1)).copy_from(&-(&row.impulses + &self.factor * row.motion));
            matrix.view_mut((place, 0), (1, 3)).copy_from(&row.motion.transpose());
            matrix.view_mut((place, 3), (1, n)).copy_from(&row.impulses.transpose());
            right[place] = row.bound;
        }
        let factors = matrix.clone().full_piv_lu();
        let mut solution = factors.solve(&right)?;
        solution += factors.solve(&(&right - &matrix * &solution))?;
        solution.iter().all(|number| number.is_finite()).then(|| solution.rows(3, n).into_owned())
    }
}

#[derive(Debug, Default)]
struct Tally {
    answers: u64,
    empty: u64,
    /// Empty or not by less than the precision asked for, or impulses beyond the longest that count.
    open: u64,
    wrong: Vec<String>,
}

#[test]
fn answers_have_the_least_energy_and_refusals_no_solution() {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for kind in KINDS {
        let tally = tallies.entry(kind).or_default();
        for number in 0..support::cases(1000) / KINDS.len() as u64 {
            let Some(case) = Case::new(kind, number) else { continue };
            assert!((&case.factor * &case.before)[0] - case.impact.velocity()[0].x < 1e-9, "the frames agree");
            // The law may ask a little less or more than it says: the least energy is between theirs.
            let [loose, strict] = [-PRECISION, PRECISION].map(|more| case.least(more * case.speed()));
            let far = |least: Option<Least>| least.is_none_or(|least| least.length > LONGEST);
            let near = |least: &Least| least.length <= LONGEST;
            match case.resolve() {
                Ok(outcome) => {
                    let (energy, length) =
                        (case.impact.energy_change(&outcome.impulses()).unwrap(), case.length(&outcome.impulses()));
                    let miss = case.miss(&outcome.impulses());
                    let scale = energy.abs().max(case.at_stake());
                    let above = strict.filter(near).is_none_or(|least| energy <= least.energy + AGREES * scale);
                    let below = far(strict) && loose.is_some()
                        || loose.filter(near).is_some_and(|least| energy >= least.energy - AGREES * scale);
                    if miss < AGREES && above && below {
                        tally.answers += 1;
                    } else if length > LONGEST {
                        tally.open += 1;
                    } else {
                        let line = format!("{kind} {number}: misses by {miss:e}, {energy} of {length:e}");
                        tally.wrong.push(format!("{line}, but {loose:?} {strict:?}"));
                    }
                }
                Err(Inapplicable::Infeasible) if loose.is_none() => tally.empty += 1,
                Err(Inapplicable::Infeasible) if far(strict) => tally.open += 1,
                // Solutions may exist, but for impulses of 1/open or its square.
                Err(Inapplicable::Unsolved { .. }) if far(strict) && case.open > 0.0 && case.open < 1e-3 => {
                    tally.open += 1;
                }
                Err(why) => tally.wrong.push(format!("{kind} {number}: {why:?}, but {loose:?} {strict:?}")),
            }
        }
    }
    for (kind, Tally { answers, empty, open, wrong }) in &tallies {
        println!("{kind}: {answers} answers, {empty} empty programs, {open} open, {} wrong", wrong.len());
        wrong.iter().take(10).for_each(|line| println!("    {line}"));
    }
    assert!(tallies.values().all(|tally| tally.wrong.is_empty()));
    let decided = |tally: &Tally| tally.answers + tally.empty;
    assert!(tallies.values().all(|tally| tally.answers > 0 && decided(tally) > tally.open));
}
