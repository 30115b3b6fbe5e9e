//! Newton's method on the natural map of a cone program, non-smooth where the active set changes.
//!
//! ```text
//! x_j = Π_j(x_j − ρ_j u_j),   u = H x + g − Aᵀλ,        λ_i = max(0, λ_i − σ_i y_i),   y = A x − b
//! ```
//!
//! The derivative of a projection has shares d in 0..1 along orthonormal axes. Where d = 0 the step of x is known; elsewhere
//! the rows divided by d are symmetric: H + (1 − d)/(d ρ) on the axes left. With the active rows they are the system of a saddle
//! point. Small diagonal terms keep it definite where H is not, or where rows repeat each other; as the residual is exact they
//! do not bias the answer.

use super::SOLVED;
use super::cone::{Cone, Point, dot};
use super::cone_qp::{Answer, ConeQp, State, Steps};
use super::dense::{inner, take_off};
use super::saddle::Saddle;
use nalgebra::{DMatrix, DVector};

/// Diagonal terms, relative to the curvature of each unknown: small beside any stiffness that matters, large beside rounding.
/// Nearly dependent unknowns need the smaller, or the larger.
pub(super) const PROXIMITIES: [f64; 4] = [1e-9, 1e-12, 1e-7, 1e-5];
/// More steps than any solvable case was seen to take.
const MOST_STEPS: usize = 40;
/// Steps without halving the least residual after which they are shortened: whole ones may lead round in a cycle for ever.
const WHOLE: usize = 4;
/// The share of a shortened step.
const SHORT: f64 = 0.8;
/// Steps without halving the least residual that leave no hope.
const PATIENCE: usize = 12;
/// The residual that rounding leaves; better is not asked for.
const ROUNDING: f64 = 1e-14;

/// The method, with room for its steps.
struct Newton<'a> {
    program: &'a ConeQp<'a>,
    steps: &'a Steps,
    proximity: f64,
    /// The mean of H's diagonal.
    mean: f64,
    /// Where the free directions of each cone begin among those of all.
    firsts: Vec<usize>,
    unknowns: usize,
    active: Vec<usize>,
    dx: DVector<f64>,
    dl: DVector<f64>,
    /// A change of slope.
    image: Vec<f64>,
    system: Saddle,
}

pub(super) fn newton(program: &ConeQp, steps: &Steps, mut state: State, proximity: f64) -> Answer {
    state.evaluate(program, steps);
    let mut best = (state.residual, state.x.clone(), state.multipliers.clone());
    let mut method = Newton::new(program, steps, proximity);
    let (mut since, mut iterations) = (0, 0);
    while iterations < MOST_STEPS && best.0 > ROUNDING {
        if method.step(&state).is_none() {
            break;
        }
        iterations += 1;
        let share = if since < WHOLE { 1.0 } else { SHORT };
        state.x.axpy(share, &method.dx, 1.0);
        state.multipliers.axpy(share, &method.dl, 1.0);
        state.evaluate(program, steps);
        if !state.residual.is_finite() {
            break;
        }
        since = if state.residual <= 0.5 * best.0 { 0 } else { since + 1 };
        if state.residual < best.0 {
            best.0 = state.residual;
            best.1.copy_from(&state.x);
            best.2.copy_from(&state.multipliers);
        }
        // Once solved, steps go on only while they help.
        if since > PATIENCE || (since > 0 && best.0 <= SOLVED * 1e-2) {
            break;
        }
    }
    Answer::new(best.1, best.2, best.0, iterations)
}

impl<'a> Newton<'a> {
    fn new(program: &'a ConeQp<'a>, steps: &'a Steps, proximity: f64) -> Newton<'a> {
        let (size, rows) = (program.g.len(), program.bounds.len());
        Newton {
            program,
            steps,
            proximity,
            mean: program.h.trace() / size as f64,
            firsts: Vec::with_capacity(program.cones.len()),
            unknowns: 0,
            active: Vec::with_capacity(rows),
            dx: DVector::zeros(size),
            dl: DVector::zeros(rows),
            image: vec![0.0; size],
            system: Saddle::with_room(size + rows),
        }
    }

    /// Finds `dx` and `dl`.
    fn step(&mut self, state: &State) -> Option<()> {
        self.split(state);
        if self.unknowns == 0 {
            return Some(());
        }
        self.assemble(state);
        let solution = self.system.solve(self.proximity)?;
        let (along, multipliers) = solution.split_at(self.unknowns);
        for ((cone, projection), first) in self.program.cones.iter().zip(&state.projections).zip(&self.firsts) {
            let dx = &mut self.dx.as_mut_slice()[cone.start..][..cone.size];
            for (direction, along) in projection.axes.iter().zip(&along[*first..][..projection.free]) {
                for (dx, part) in dx.iter_mut().zip(direction) {
                    *dx += along * part;
                }
            }
        }
        for (i, value) in self.active.iter().zip(multipliers) {
            self.dl[*i] = *value;
        }
        Some(())
    }

    /// The parts of the step that are known, the directions in which it is free and the active rows.
    fn split(&mut self, state: &State) {
        let State { x, multipliers, slack, projections, .. } = state;
        let (program, steps) = (self.program, self.steps);
        self.dx.fill(0.0);
        self.firsts.clear();
        self.unknowns = 0;
        for (cone, projection) in program.cones.iter().zip(projections) {
            self.firsts.push(self.unknowns);
            self.unknowns += projection.free;
            let miss = projection.miss(&cone.of(x.as_slice()));
            let dx = &mut self.dx.as_mut_slice()[cone.start..][..cone.size];
            for direction in &projection.axes[projection.free..cone.size] {
                let along = dot(direction, &miss);
                for (dx, part) in dx.iter_mut().zip(direction) {
                    *dx -= along * part;
                }
            }
        }
        self.active.clear();
        for i in 0..slack.len() {
            let active = i < program.equalities || multipliers[i] - steps.rows[i] * slack[i] > 0.0;
            self.dl[i] = if active { 0.0 } else { -multipliers[i] };
            if active {
                self.active.push(i);
            }
        }
    }

    /// H in the free directions with the curvature (1 − d)/(d ρ) of the cones, and the active rows.
    fn assemble(&mut self, state: &State) {
        let Newton { program, steps, proximity, mean, firsts, unknowns, active, dx, dl, image, system } = self;
        let (size, last) = (dx.len(), *unknowns + active.len());
        system.reset(*unknowns, active.len());
        // What the known parts do to the slope.
        image.fill(0.0);
        take_off(image, program.h.as_slice(), size, 0, |k| -dx[k]);
        for (row, dl) in program.rows.as_slice().chunks_exact(size).zip(dl.iter()).filter(|(_, dl)| **dl != 0.0) {
            take_off(image, row, size, 0, |_| *dl);
        }
        let all = || program.cones.iter().zip(&state.projections).zip(firsts.iter());
        for (k, ((from, projection), first)) in
            all().enumerate().filter(|(_, ((_, projection), _))| projection.free > 0)
        {
            for ((to, others), place) in all().skip(k).filter(|((_, others), _)| others.free > 0) {
                let block = block(program.h, to, from);
                for (l, direction) in projection.axes[..projection.free].iter().enumerate() {
                    let image: Point = std::array::from_fn(|i| {
                        direction[0] * block[0][i] + direction[1] * block[1][i] + direction[2] * block[2][i]
                    });
                    let column = &mut system.column_mut(first + l)[*place..][..others.free];
                    for (entry, direction) in column.iter_mut().zip(&others.axes) {
                        *entry = dot(direction, &image);
                    }
                }
            }
            let (pushed, miss) = (from.of(image), projection.miss(&from.of(state.x.as_slice())));
            for (l, (direction, share)) in projection.axes[..projection.free].iter().zip(projection.shares).enumerate()
            {
                // The step that the natural map alone asks for, as a slope.
                let stiffness = (share * steps.unknowns[from.start]).recip();
                let wanted = -stiffness * dot(direction, &miss);
                let column = system.column_mut(first + l);
                let own = &mut column[first + l];
                *own += *proximity * own.max(1e-3 * *mean) + (1.0 - share) * stiffness;
                for (entry, i) in column[*unknowns..last].iter_mut().zip(active.iter()) {
                    *entry = dot(direction, &from.of(program.rows.column(*i).as_slice()));
                }
                column[last] = wanted - dot(direction, &pushed);
            }
        }
        for (k, i) in active.iter().enumerate() {
            let moved = inner(program.rows.column(*i).as_slice(), dx.as_slice());
            system.column_mut(*unknowns + k)[last] = -state.slack[*i] - moved;
        }
    }
}

/// The columns of H that take the unknowns of one cone to those of another; zero where a cone has fewer than three.
fn block(h: &DMatrix<f64>, to: &Cone, from: &Cone) -> [Point; 3] {
    let columns = &h.as_slice()[from.start * h.nrows()..(from.start + from.size) * h.nrows()];
    let mut block = [[0.0; 3]; 3];
    for (block, column) in block.iter_mut().zip(columns.chunks_exact(h.nrows())) {
        *block = to.of(column);
    }
    block
}
