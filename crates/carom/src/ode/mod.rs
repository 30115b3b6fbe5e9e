//! One integrator for everything that is followed in time: Dormand and Prince's method of order 8(5,3) with located events.
//!
//! A system gives its derivative and a few event functions, positive while the present mode of motion holds. A step ends
//! where the first of them falls to zero. The search runs over the interpolant of the step at [`LOOKS`] places, and looks
//! deeper wherever a function dips between them, so that a short visit below zero is not missed. The place found is then
//! polished by repeating the step with the shorter length, because the interpolant is one order less accurate than the step.
//!
//! A system whose state has an angle that may turn stiffly is stepped by collocation instead (`collocation.rs`).
//!
//! Nothing here allocates for states of fixed size ([`SVector`]); a [`DVector`] serves systems of any size.

mod collocation;
mod search;
mod tableau;

pub(crate) use collocation::Turning;
use nalgebra::{DVector, SVector};
pub(crate) use search::first_fall;
use tableau::{DENSE_STAGES, ERROR_3, ERROR_5, INTERPOLANT, Row, STAGES};

/// A state: a column of numbers of fixed or free length.
pub(crate) trait State: Clone {
    /// The numbers.
    fn numbers(&self) -> &[f64];
    /// The numbers, to change.
    fn numbers_mut(&mut self) -> &mut [f64];
}

impl<const N: usize> State for SVector<f64, N> {
    #[inline]
    fn numbers(&self) -> &[f64] {
        self.as_slice()
    }
    #[inline]
    fn numbers_mut(&mut self) -> &mut [f64] {
        self.as_mut_slice()
    }
}

impl State for DVector<f64> {
    #[inline]
    fn numbers(&self) -> &[f64] {
        self.as_slice()
    }
    #[inline]
    fn numbers_mut(&mut self) -> &mut [f64] {
        self.as_mut_slice()
    }
}

/// Equations of motion in one mode, and what ends it.
pub(crate) trait System<S, const EVENTS: usize> {
    /// dy/dt.
    fn derivative(&self, t: f64, y: &S) -> S;
    /// Functions that are positive while the mode holds; the first to fall to zero ends the step. One that starts a mode
    /// at or just below zero ends it at once if it falls further.
    fn events(&self, t: f64, y: &S) -> [f64; EVENTS];
    /// The number of the state, if any, that is an angle; [`System::turning`] says how it turns, and its derivative is 0.
    fn angle(&self) -> Option<usize> {
        None
    }
    /// How that angle turns.
    fn turning(&self, _t: f64, _y: &S) -> Turning {
        Turning { inertia: 1.0, drive: 0.0, drive_by_angle: 0.0 }
    }
}

/// The method met its limits: steps too small to be told from rounding, or a state that is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck;

/// A solution under way.
#[derive(Clone, Debug)]
pub(crate) struct Integrator<S> {
    /// Time now.
    pub(crate) t: f64,
    /// State now.
    pub(crate) y: S,
    /// How often the derivative was evaluated so far.
    pub(crate) evaluations: usize,
    /// Sizes that errors are measured by.
    scale: S,
    /// Error of a step, relative to `scale`.
    tolerance: f64,
    /// Length of the next step.
    step: f64,
    /// Where the last step began.
    last: (f64, S),
    /// Coefficients of the last step's interpolant.
    interpolant: [S; 7],
    /// How much of that interpolant the last step covers.
    covered: f64,
    /// Length of the last step, if it was a collocated one that no event ended: its polynomial leads into the next.
    collocated: Option<f64>,
}

/// A step shorter than this fraction of the time it stands at, or of the first step, is lost in rounding.
const SHORTEST: f64 = 1e-13;
/// A collocated step is at most this many times as long as the one before; after a failure it is no longer.
const GROWTH: f64 = 3.0;
/// The polynomial of a collocated step starts the iteration of one that is at most this many times as long.
const FARTHEST: f64 = 2.0;
/// Repetitions of a step that put an event where the method itself sees it.
const POLISH: usize = 4;

impl<S: State> Integrator<S> {
    /// Starts at t = 0. `scale` holds the size of each number of the state, `step` a guess of the first step.
    pub(crate) fn new(y: S, scale: S, tolerance: f64, step: f64) -> Integrator<S> {
        let interpolant = std::array::from_fn(|_| y.clone());
        let last = (0.0, y.clone());
        Integrator {
            t: 0.0,
            y,
            evaluations: 0,
            scale,
            tolerance,
            step,
            last,
            interpolant,
            covered: 1.0,
            collocated: None,
        }
    }

    /// One step, cut short at the first event, whose number it tells.
    pub(crate) fn advance<const EVENTS: usize>(
        &mut self,
        system: &impl System<S, EVENTS>,
    ) -> Result<Option<usize>, Stuck> {
        if let Some(angle) = system.angle() {
            return self.advance_collocated(system, angle);
        }
        self.collocated = None;
        self.last = (self.t, self.y.clone());
        let first = system.derivative(self.t, &self.y);
        self.evaluations += 1;
        let shortest = SHORTEST * self.step.max(self.t.abs());
        let (mut stages, taken) = loop {
            let stages = self.stages(system, &first, self.step);
            let error = self.error(&stages, self.step);
            let taken = self.step;
            if error.is_finite() {
                let factor = if error > 0.0 { 0.9 * error.powf(-0.125) } else { 6.0 };
                self.step *= factor.clamp(0.2, 6.0);
                if error <= 1.0 {
                    break (stages, taken);
                }
            } else {
                self.step *= 0.1;
            }
            if self.step < shortest {
                return Err(Stuck);
            }
        };
        self.y = combine(&self.last.1, taken, END, &stages);
        self.prepare_interpolant(system, &mut stages, taken);
        Ok(self.find_event(system, taken, |integrator, length| {
            let stages = integrator.stages(system, &first, length);
            Some(combine(&integrator.last.1, length, END, &stages))
        }))
    }

    /// One step by collocation, cut short at the first event.
    fn advance_collocated<const EVENTS: usize>(
        &mut self,
        system: &impl System<S, EVENTS>,
        angle: usize,
    ) -> Result<Option<usize>, Stuck> {
        let before = std::mem::replace(&mut self.last, (self.t, self.y.clone())).1;
        let first = system.derivative(self.t, &self.y);
        self.evaluations += 1;
        let shortest = SHORTEST * self.step.max(self.t.abs());
        let mut most = GROWTH;
        let (states, taken) = loop {
            let h = self.step;
            let guess = |place: f64| match self.collocated {
                Some(length) if h <= FARTHEST * length => {
                    polynomial(&before, &self.interpolant, 1.0 + place * h / length)
                }
                _ => {
                    let mut y = self.y.clone();
                    for (number, rate) in y.numbers_mut().iter_mut().zip(first.numbers()) {
                        *number += place * h * rate;
                    }
                    y
                }
            };
            let mut evaluations = 0;
            let measure = collocation::Measure { scale: &self.scale, tolerance: self.tolerance };
            let solved = collocation::solve(system, (self.t, &self.y), angle, h, guess, &measure, &mut evaluations);
            self.evaluations += evaluations;
            match solved {
                Some(solved) if solved.error.is_finite() => {
                    let factor = if solved.error > 0.0 { 0.9 * solved.error.powf(-1.0 / 7.0) } else { most };
                    self.step *= factor.clamp(0.2, most);
                    if solved.error <= 1.0 {
                        break (solved.states, h);
                    }
                }
                _ => self.step *= 0.3,
            }
            most = 1.0;
            if self.step < shortest {
                return Err(Stuck);
            }
        };
        collocation::coefficients(&self.last.1, &states, &mut self.interpolant);
        self.y = states[collocation::NODES - 1].clone();
        let event = self.find_event(system, taken, |integrator, length| {
            let mut evaluations = 0;
            let measure = collocation::Measure { scale: &integrator.scale, tolerance: integrator.tolerance };
            let guess = |place: f64| integrator.within(place * length / taken);
            let (start, from) = &integrator.last;
            let solved = collocation::solve(system, (*start, from), angle, length, guess, &measure, &mut evaluations);
            integrator.evaluations += evaluations;
            solved.map(|step| step.states[collocation::NODES - 1].clone())
        });
        self.collocated = if event.is_none() { Some(taken) } else { None };
        Ok(event)
    }

    /// Ends the last step, whose interpolant is known and whose end is `y`, at the first event in it. `repeat` takes the
    /// step once more with another length.
    fn find_event<const EVENTS: usize>(
        &mut self,
        system: &impl System<S, EVENTS>,
        taken: f64,
        repeat: impl Fn(&mut Self, f64) -> Option<S>,
    ) -> Option<usize> {
        match first_fall(|part| system.events(self.last.0 + part * taken, &self.within(part))) {
            None => {
                self.t = self.last.0 + taken;
                self.covered = 1.0;
                None
            }
            Some((event, part)) => {
                let length = self.polish(system, event, part, taken, repeat);
                self.t = self.last.0 + length;
                self.covered = (length / taken).min(1.0);
                // The mode after the event has its own pace.
                self.step = self.step.min(taken);
                Some(event)
            }
        }
    }

    /// The length it will try next.
    pub(crate) fn next_step(&self) -> f64 {
        self.step
    }

    /// Makes the next step no longer than this.
    pub(crate) fn limit_step(&mut self, longest: f64) {
        self.step = self.step.min(longest);
    }

    /// Measures errors by the greatest size each number has had, where that is more than was expected of it.
    pub(crate) fn raise_scale(&mut self) {
        for (size, number) in self.scale.numbers_mut().iter_mut().zip(self.y.numbers()) {
            *size = size.max(number.abs());
        }
    }

    /// The last step as a curve: this many instants, evenly spaced, the end included.
    pub(crate) fn trace(&self, points: usize) -> impl Iterator<Item = (f64, S)> + '_ {
        let length = self.t - self.last.0;
        (1..=points).map(move |k| {
            if k == points {
                return (self.t, self.y.clone());
            }
            let part = k as f64 / points as f64;
            (self.last.0 + part * length, self.along(part))
        })
    }

    /// The state after this part of the last step, 0 at its start and 1 at its end.
    pub(crate) fn along(&self, part: f64) -> S {
        self.within(part * self.covered)
    }

    /// Cuts the last step short at a time inside it.
    pub(crate) fn cut<const EVENTS: usize>(&mut self, system: &impl System<S, EVENTS>, t: f64) {
        let (start, from) = (self.last.0, self.last.1.clone());
        let (whole, length) = (self.t - start, t - start);
        if length >= whole {
            return;
        }
        let first = system.derivative(start, &from);
        self.y = combine(&from, length, END, &self.stages(system, &first, length));
        self.covered *= length / whole;
        self.t = t;
        self.step = self.step.min(whole);
    }

    /// Puts the state where the event function is zero for the method itself; returns the length of the step to there.
    fn polish<const EVENTS: usize>(
        &mut self,
        system: &impl System<S, EVENTS>,
        event: usize,
        part: f64,
        taken: f64,
        repeat: impl Fn(&mut Self, f64) -> Option<S>,
    ) -> f64 {
        const NEAR: f64 = 1e-4;
        let start = self.last.0;
        let value = |length: f64, y: &S| system.events(start + length, y)[event];
        let (a, b) = ((part - NEAR).max(0.0), (part + NEAR).min(1.0));
        let slope = (value(b * taken, &self.within(b)) - value(a * taken, &self.within(a))) / ((b - a) * taken);
        let mut length = part * taken;
        self.y = repeat(self, length).unwrap_or_else(|| self.within(part));
        for _ in 0..POLISH {
            let correction = -value(length, &self.y) / slope;
            // A grazing event has no slope to follow.
            if !(length + correction >= 0.0 && correction.abs() <= NEAR * taken) {
                break;
            }
            let Some(y) = repeat(self, length + correction) else { break };
            // A function that only changes its sign is met as well as can be.
            if value(length + correction, &y).abs() >= value(length, &self.y).abs() {
                break;
            }
            length += correction;
            self.y = y;
            // The slope is good to NEAR at worst, and so is what a further correction would be to this one.
            if correction.abs() * NEAR <= f64::EPSILON * taken {
                break;
            }
        }
        length
    }

    /// The stages of a step of length h from where the last step began; the last three are left for the interpolant.
    fn stages<const EVENTS: usize>(&mut self, system: &impl System<S, EVENTS>, first: &S, h: f64) -> [S; 16] {
        let (start, from) = &self.last;
        let mut stages: [S; 16] = std::array::from_fn(|_| first.clone());
        for (k, (place, row)) in STAGES.iter().enumerate() {
            stages[k + 1] = system.derivative(start + place * h, &combine(from, h, row, &stages));
        }
        self.evaluations += STAGES.len();
        stages
    }

    /// The error of a step relative to what is allowed (Hairer, Nørsett & Wanner, II.10).
    fn error(&self, stages: &[S; 16], h: f64) -> f64 {
        let (by_5, by_3) = (weighted(ERROR_5, stages), weighted(ERROR_3, stages));
        let (mut fifth, mut third) = (0.0, 0.0);
        for ((by_5, by_3), size) in by_5.numbers().iter().zip(by_3.numbers()).zip(self.scale.numbers()) {
            let allowed = size * self.tolerance;
            fifth += (by_5 / allowed).powi(2);
            third += (by_3 / allowed).powi(2);
        }
        let mixed = fifth + 0.01 * third;
        if mixed == 0.0 { 0.0 } else { h * fifth / (mixed * self.scale.numbers().len() as f64).sqrt() }
    }

    fn prepare_interpolant<const EVENTS: usize>(
        &mut self,
        system: &impl System<S, EVENTS>,
        stages: &mut [S; 16],
        h: f64,
    ) {
        let (start, from) = &self.last;
        for (k, (place, row)) in DENSE_STAGES.iter().enumerate() {
            stages[13 + k] = system.derivative(start + place * h, &combine(from, h, row, stages));
        }
        self.evaluations += DENSE_STAGES.len();
        for i in 0..from.numbers().len() {
            let moved = self.y.numbers()[i] - from.numbers()[i];
            let (first, end) = (h * stages[0].numbers()[i], h * stages[12].numbers()[i]);
            self.interpolant[0].numbers_mut()[i] = moved;
            self.interpolant[1].numbers_mut()[i] = first - moved;
            self.interpolant[2].numbers_mut()[i] = 2.0 * moved - (end + first);
        }
        for (coefficients, row) in self.interpolant[3..].iter_mut().zip(INTERPOLANT) {
            *coefficients = weighted(row, stages);
            for number in coefficients.numbers_mut() {
                *number *= h;
            }
        }
    }

    /// The state after this part of the last step's interpolant, 0 to 1.
    fn within(&self, part: f64) -> S {
        polynomial(&self.last.1, &self.interpolant, part)
    }
}

/// The interpolant of a step from `start` at a part of it.
fn polynomial<S: State>(start: &S, interpolant: &[S; 7], part: f64) -> S {
    let mut sum = interpolant[6].clone();
    for number in sum.numbers_mut() {
        *number *= part;
    }
    for (k, coefficients) in interpolant.iter().enumerate().rev().skip(1) {
        let factor = if k % 2 == 0 { part } else { 1.0 - part };
        for (number, coefficient) in sum.numbers_mut().iter_mut().zip(coefficients.numbers()) {
            *number = (*number + coefficient) * factor;
        }
    }
    for (number, start) in sum.numbers_mut().iter_mut().zip(start.numbers()) {
        *number += start;
    }
    sum
}

/// The combination that ends a step.
const END: Row = STAGES[11].1;

/// y + h Σ c_k stage_k.
fn combine<S: State>(y: &S, h: f64, row: Row, stages: &[S; 16]) -> S {
    let mut sum = weighted(row, stages);
    for (number, start) in sum.numbers_mut().iter_mut().zip(y.numbers()) {
        *number = start + h * *number;
    }
    sum
}

/// Σ c_k stage_k.
fn weighted<S: State>(row: Row, stages: &[S; 16]) -> S {
    let mut sum = stages[0].clone();
    sum.numbers_mut().fill(0.0);
    for (stage, coefficient) in row {
        for (number, rate) in sum.numbers_mut().iter_mut().zip(stages[*stage].numbers()) {
            *number += coefficient * rate;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use nalgebra::Vector2;

    /// x'' = −x, to be stopped where a function of (x, x') falls to zero.
    struct Oscillator<F>(F);

    impl<F: Fn(f64, &Vector2<f64>) -> f64> System<Vector2<f64>, 1> for Oscillator<F> {
        fn derivative(&self, _: f64, y: &Vector2<f64>) -> Vector2<f64> {
            Vector2::new(y.y, -y.x)
        }
        fn events(&self, t: f64, y: &Vector2<f64>) -> [f64; 1] {
            [(self.0)(t, y)]
        }
    }

    fn start() -> Integrator<Vector2<f64>> {
        Integrator::new(Vector2::new(0.0, 1.0), Vector2::new(1.0, 1.0), 1e-13, 0.1)
    }

    fn run(event: impl Fn(f64, &Vector2<f64>) -> f64, until: f64) -> (Integrator<Vector2<f64>>, bool) {
        let (mut integrator, system) = (start(), Oscillator(event));
        while integrator.t < until {
            if integrator.advance(&system).unwrap().is_some() {
                return (integrator, true);
            }
        }
        (integrator, false)
    }

    #[test]
    fn an_event_is_located_to_the_accuracy_of_the_method() {
        let (at, found) = run(|_, y| y.x, 10.0);
        assert!(found);
        assert!((at.t - std::f64::consts::PI).abs() < 1e-13, "{}", at.t - std::f64::consts::PI);
        assert!(at.y.x.abs() < 1e-15);
        assert!((at.y.y + 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_short_visit_below_zero_between_two_looks_is_found() {
        // sin t exceeds 1 − 1e-9 for 9e-5 only, in steps of about 0.5.
        let (at, found) = run(|_, y| (1.0 - 1e-9) - y.x, 3.0);
        assert!(found);
        let exact = (1.0_f64 - 1e-9).asin();
        assert!((at.t - exact).abs() < 1e-8, "{} {exact}", at.t);
        let (_, found) = run(|_, y| (1.0 + 1e-9) - y.x, 3.0);
        assert!(!found);
    }

    #[test]
    fn a_short_visit_below_zero_is_found_wherever_in_a_step_it_is() {
        // sin t exceeds 1 − 1e-7 for 9e-4, and looks are up to 0.01 apart.
        let system = Oscillator(|_: f64, y: &Vector2<f64>| (1.0 - 1e-7) - y.x);
        for turn in 0..300 {
            let (mut integrator, step) = (start(), 0.05 + 1e-4 * f64::from(turn));
            let found = std::iter::from_fn(|| {
                integrator.step = step;
                (integrator.t < 3.0).then(|| integrator.advance(&system).unwrap())
            });
            assert!(found.flatten().next().is_some(), "{step}");
        }
    }

    #[test]
    fn a_mode_that_cannot_start_ends_where_it_starts() {
        let (at, found) = run(|_, y| -y.x, 10.0);
        assert!(found);
        assert!(at.t < 1e-14, "{}", at.t);
    }

    #[test]
    fn steps_are_few_and_their_interpolant_is_accurate() {
        let (mut integrator, system) = (start(), Oscillator(|_: f64, _: &Vector2<f64>| 1.0));
        while integrator.t < 10.0 {
            integrator.advance(&system).unwrap();
            for (t, y) in integrator.trace(8) {
                assert!((y.x - t.sin()).abs() < 2e-11, "{}", y.x - t.sin());
            }
        }
        assert!((integrator.y.x - integrator.t.sin()).abs() < 1e-12);
        assert!(integrator.evaluations < 1200, "{}", integrator.evaluations);
    }

    #[test]
    fn a_solution_that_runs_away_is_an_error_and_no_endless_loop() {
        struct Blowup;
        impl System<SVector<f64, 1>, 1> for Blowup {
            fn derivative(&self, _: f64, y: &SVector<f64, 1>) -> SVector<f64, 1> {
                y.component_mul(y)
            }
            fn events(&self, _: f64, _: &SVector<f64, 1>) -> [f64; 1] {
                [1.0]
            }
        }
        let one = SVector::<f64, 1>::new(1.0);
        let mut integrator = Integrator::new(one, one, 1e-10, 0.1);
        let stuck = (0..10_000).any(|_| integrator.advance(&Blowup).is_err());
        assert!(stuck && integrator.t < 1.0 + 1e-9);
    }
}
