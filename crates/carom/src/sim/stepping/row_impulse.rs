//! Impulses along rows of velocities: joints, which lock several at once, and strings and limits, which only push.

use super::body::Body;
use crate::sim::row::Row;
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

/// One side of a row: the body, the coefficients of its velocities, and how it answers to a unit impulse along the row.
#[derive(Clone, Copy, Debug)]
struct Side {
    body: usize,
    linear: Vector3<f64>,
    angular: Vector3<f64>,
    answer: [Vector3<f64>; 2],
}

/// A row of velocities, ready for impulses along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    sides: [Side; 2],
}

impl Line {
    /// The world has the last place among the bodies.
    pub(super) fn new(row: &Row, bodies: &[Body], inverses: &[Matrix3<f64>]) -> Line {
        let world = bodies.len() - 1;
        Line {
            sides: row.sides.map(|(body, linear, angular)| {
                let body = body.unwrap_or(world);
                let answer = [linear * bodies[body].inverse_mass(), inverses[body] * angular];
                Side { body, linear, angular, answer }
            }),
        }
    }

    pub(super) fn bodies(&self) -> [usize; 2] {
        self.sides.map(|side| side.body)
    }

    pub(super) fn velocity(&self, bodies: &[Body]) -> f64 {
        let side = |s: &Side| s.linear.dot(&bodies[s.body].velocity()) + s.angular.dot(&bodies[s.body].turning());
        side(&self.sides[0]) + side(&self.sides[1])
    }

    /// The greatest velocity along the row that one side can have with the speeds of its body, in any direction.
    pub(super) fn reach(&self, bodies: &[Body]) -> f64 {
        let side = |s: &Side| {
            let body = &bodies[s.body];
            s.linear.norm() * body.velocity().norm() + s.angular.norm() * body.turning().norm()
        };
        side(&self.sides[0]).max(side(&self.sides[1]))
    }

    /// Velocity along this row per impulse along another one of any bodies.
    pub(super) fn coupling(&self, other: &Line) -> f64 {
        let mut sum = 0.0;
        for own in &self.sides {
            for other in other.sides.iter().filter(|other| other.body == own.body) {
                sum += own.linear.dot(&other.answer[0]) + own.angular.dot(&other.answer[1]);
            }
        }
        sum
    }

    /// Velocity along this row per impulse along another one of the same two bodies.
    pub(super) fn give(&self, other: &Line) -> f64 {
        let pairs = self.sides.iter().zip(&other.sides);
        pairs.map(|(own, other)| own.linear.dot(&other.answer[0]) + own.angular.dot(&other.answer[1])).sum()
    }

    pub(super) fn push(&self, impulse: f64, bodies: &mut [Body]) {
        for side in &self.sides {
            let body = &mut bodies[side.body];
            for k in 0..3 {
                body.v[k] += side.answer[0][k] * impulse;
                body.w[k] += side.answer[1][k] * impulse;
            }
        }
    }

    /// Linear and angular displacement of the bodies by an impulse along the row.
    pub(super) fn displacement(&self, impulse: f64) -> [(usize, Vector3<f64>, Vector3<f64>); 2] {
        self.sides.map(|side| (side.body, side.answer[0] * impulse, side.answer[1] * impulse))
    }
}

/// A string or a limit of a joint: a row whose velocity stays above a bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) line: Line,
    pub(super) place: usize,
    pub(super) bound: f64,
    pub(super) impulse: f64,
    /// A string that was taut before: it works like a joint.
    pub(super) taut: bool,
    pub(super) give: f64,
}

impl Stop {
    pub(super) fn new(line: Line, place: usize, bound: f64, impulse: f64) -> Stop {
        Stop { line, place, bound, impulse, taut: false, give: line.give(&line) }
    }

    pub(super) fn relax(&mut self, bodies: &mut [Body]) -> f64 {
        if self.give <= 0.0 {
            return 0.0;
        }
        let impulse = (self.impulse - (self.line.velocity(bodies) - self.bound) / self.give).max(0.0);
        let change = impulse - self.impulse;
        self.impulse = impulse;
        self.line.push(change, bodies);
        (change * self.give).powi(2)
    }
}

/// A joint: up to six rows, solved together.
///
/// With the rows of the middle of the step, the mean of the velocities before and after is along none of them: so the impulse does
/// no work, and the bodies move along the middle of their arc.
#[derive(Clone, Debug)]
pub(super) struct Lock {
    pub(super) lines: Vec<Line>,
    /// Velocities after the step.
    pub(super) goal: SVector<f64, 6>,
    mass: SMatrix<f64, 6, 6>,
    pub(super) impulse: SVector<f64, 6>,
    /// From the centre of body A to the joint's point where the rows were taken.
    arm: Vector3<f64>,
}

/// Rows that are there twice share their impulse: singular values below this are none.
const REDUNDANT: f64 = 1e-10;

impl Lock {
    pub(super) fn new(lines: Vec<Line>, before: &[Body], impulse: SVector<f64, 6>) -> Lock {
        let mut give = SMatrix::<f64, 6, 6>::zeros();
        for (i, row) in lines.iter().enumerate() {
            for (j, column) in lines.iter().enumerate() {
                give[(i, j)] = row.give(column);
            }
        }
        let least = REDUNDANT * give.diagonal().amax();
        let mass = give.pseudo_inverse(least).unwrap_or_else(|_| SMatrix::zeros());
        let mut goal = SVector::zeros();
        for (k, line) in lines.iter().enumerate() {
            goal[k] = -line.velocity(before);
        }
        Lock { lines, goal, mass, impulse, arm: Vector3::zeros() }
    }

    /// The same with its point so far from the centre of body A.
    pub(super) fn about(self, arm: Vector3<f64>) -> Lock {
        Lock { arm, ..self }
    }

    /// Its bodies.
    pub(super) fn sides(&self) -> [usize; 2] {
        self.lines[0].bodies()
    }

    /// Its impulse on the first body, and the moment about the joint's point.
    pub(super) fn on_first(&self) -> [Vector3<f64>; 2] {
        let mut sum = [Vector3::zeros(); 2];
        for (line, impulse) in self.lines.iter().zip(self.impulse.iter()) {
            let side = &line.sides[0];
            sum[0] += side.linear * *impulse;
            // About the point where the rows were taken: the body has turned on since the start of the step.
            sum[1] += (side.angular - self.arm.cross(&side.linear)) * *impulse;
        }
        sum
    }

    /// Velocities or errors along its rows, brought to impulses that remove them.
    pub(super) fn removing(&self, values: &SVector<f64, 6>) -> SVector<f64, 6> {
        -(self.mass * values)
    }

    pub(super) fn push(&self, impulse: &SVector<f64, 6>, bodies: &mut [Body]) {
        for (line, impulse) in self.lines.iter().zip(impulse.iter()) {
            line.push(*impulse, bodies);
        }
    }

    pub(super) fn relax(&mut self, bodies: &mut [Body]) -> f64 {
        let mut moving = SVector::<f64, 6>::zeros();
        for (k, line) in self.lines.iter().enumerate() {
            moving[k] = line.velocity(bodies) - self.goal[k];
        }
        let change = self.removing(&moving);
        self.impulse += change;
        self.push(&change, bodies);
        moving.norm_squared()
    }
}
