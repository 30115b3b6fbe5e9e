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
use super::dense::take_off;
use super::saddle::Saddle;
use nalgebra::DVector;

/// Diagonal terms, relative to the curvature of each unknown: small beside any stiffness that matters, large beside rounding.
/// Nearly dependent unknowns need the smaller, or the larger.
pub(super) const PROXIMITIES: [f64; 4] = [1e-9, 1e-12, 1e-7, 1e-5];
/// More steps than any solvable case was seen to take.
const MOST_STEPS: usize = 40;
/// Steps without halving the least residual that show a cycle.
const PATIENCE: usize = 8;
/// The residual that rounding leaves; better is not asked for.
const ROUNDING: f64 = 1e-14;

/// A direction in which a cone's unknowns are free.
struct Axis {
    cone: Cone,
    direction: Point,
    /// Of the cone, (1 − d)/(d ρ).
    curvature: f64,
    /// The step that the natural map alone asks for, as a slope.
    wanted: f64,
}

/// The method, with room for its steps.
struct Newton<'a> {
    program: &'a ConeQp,
    steps: &'a Steps,
    proximity: f64,
    axes: Vec<Axis>,
    active: Vec<usize>,
    dx: DVector<f64>,
    dl: DVector<f64>,
    /// A change of slope; longer than the unknowns by what the last cone lacks to three.
    image: Vec<f64>,
    system: Saddle,
}

pub(super) fn newton(
    program: &ConeQp,
    steps: &Steps,
    x: DVector<f64>,
    multipliers: DVector<f64>,
    proximity: f64,
) -> Answer {
    let mut state = State::new(program, steps, x, multipliers);
    let mut best = (state.residual, state.x.clone(), state.multipliers.clone());
    let mut method = Newton::new(program, steps, proximity);
    let (mut since, mut iterations) = (0, 0);
    while iterations < MOST_STEPS && best.0 > ROUNDING {
        if method.step(&state).is_none() {
            break;
        }
        iterations += 1;
        state.x += &method.dx;
        state.multipliers += &method.dl;
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
    fn new(program: &'a ConeQp, steps: &'a Steps, proximity: f64) -> Newton<'a> {
        let (size, rows) = (program.g.len(), program.bounds.len());
        Newton {
            program,
            steps,
            proximity,
            axes: Vec::with_capacity(size),
            active: Vec::with_capacity(rows),
            dx: DVector::zeros(size),
            dl: DVector::zeros(rows),
            image: vec![0.0; size + 2],
            system: Saddle::default(),
        }
    }

    /// Finds `dx` and `dl`.
    fn step(&mut self, state: &State) -> Option<()> {
        self.split(state);
        if self.axes.is_empty() {
            return Some(());
        }
        self.assemble(state);
        let solution = self.system.solve(self.proximity)?;
        let (along, multipliers) = solution.split_at(self.axes.len());
        for (Axis { cone, direction, .. }, along) in self.axes.iter().zip(along) {
            for (i, part) in direction.iter().enumerate().take(cone.size) {
                self.dx[cone.start + i] += along * part;
            }
        }
        for (i, value) in self.active.iter().zip(multipliers) {
            self.dl[*i] = *value;
        }
        Some(())
    }

    /// The parts of the step that are known, the axes along which it is free and the active rows.
    fn split(&mut self, state: &State) {
        let State { x, multipliers, slack, projections, .. } = state;
        let (program, steps) = (self.program, self.steps);
        self.dx.fill(0.0);
        self.axes.clear();
        for (cone, projection) in program.cones.iter().zip(projections) {
            let rho = steps.unknowns[cone.start];
            let point = cone.of(x.as_slice());
            let miss: Point = std::array::from_fn(|i| point[i] - projection.point[i]);
            for (direction, share) in projection.axes.iter().zip(projection.shares).take(cone.size) {
                let along = dot(direction, &miss);
                if share > 0.0 {
                    let (curvature, wanted) = ((1.0 - share) / (share * rho), -along / (share * rho));
                    self.axes.push(Axis { cone: *cone, direction: *direction, curvature, wanted });
                } else {
                    for (i, part) in direction.iter().enumerate().take(cone.size) {
                        self.dx[cone.start + i] -= along * part;
                    }
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

    /// H on the axes with the curvature of the cones, and the active rows.
    fn assemble(&mut self, state: &State) {
        let Newton { program, steps, proximity, axes, active, dx, dl, image, system } = self;
        let (size, free, last) = (dx.len(), axes.len(), axes.len() + active.len());
        let mean = program.h.trace() / size as f64;
        system.reset(free, active.len());
        // What the known parts do to the slope.
        image.fill(0.0);
        take_off(&mut image[..size], program.h.as_slice(), size, 0, |k| -dx[k]);
        take_off(&mut image[..size], steps.across.as_slice(), size, 0, |k| dl[k]);
        for (l, Axis { cone, direction, wanted, .. }) in axes.iter().enumerate() {
            system.column_mut(l)[last] = wanted - dot(direction, &cone.of(image));
        }
        let h = program.h.as_slice();
        for (l, Axis { cone, direction, curvature, .. }) in axes.iter().enumerate() {
            let below = &mut image[cone.start..size];
            // Of components that a cone lacks any column will do: their direction is zero.
            let [a, b, c] = std::array::from_fn(|j| {
                let column = cone.start + j.min(cone.size - 1);
                &h[column * size + cone.start..][..below.len()]
            });
            for i in 0..below.len() {
                below[i] = direction[0] * a[i] + direction[1] * b[i] + direction[2] * c[i];
            }
            let column = system.column_mut(l);
            for (entry, Axis { cone, direction, .. }) in column[l..].iter_mut().zip(&axes[l..]) {
                let image = &image[cone.start..cone.start + 3];
                *entry = direction[0] * image[0] + direction[1] * image[1] + direction[2] * image[2];
            }
            let own = column[l];
            column[l] = own + *proximity * own.max(1e-3 * mean) + curvature;
            for (entry, i) in column[free..last].iter_mut().zip(active.iter()) {
                *entry = dot(direction, &cone.of(steps.across.column(*i).as_slice()));
            }
        }
        for (k, i) in active.iter().enumerate() {
            system.column_mut(free + k)[last] = -state.slack[*i] - steps.across.column(*i).dot(dx);
        }
    }
}
