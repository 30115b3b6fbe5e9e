//! The equations of motion of bodies that vibrate, with a force at the contact (Chatterjee 1997, eq. 9.4).
//!
//! ```text
//! ȧ₀ = a₁,  a₁ = V_i + W P,  Ṗ = F,  q̈ + 2ζω q̇ + ω² q = g·F
//! r = a₀ + Σ g q,  ṙ = a₁ + Σ g q̇
//! ```
//!
//! with a₀ the displacement of the contact points by rigid motion, a₁ their relative velocity by rigid motion and r the
//! whole displacement since first touch; r_n < 0 presses. In the source each mode is a pair a_k = g g·(…) of complex
//! numbers with λ_k = −ζω ± iω√(1 − ζ²); the real coordinates say the same.

use super::flexible::FlexibleCollision;
use super::mode::Mode;
use nalgebra::{DVector, Matrix3, Vector2, Vector3};

/// Where the parts of the state stand in its column.
const RIGID: usize = 0;
const IMPULSE: usize = 3;
/// Stretch of the contact's tangential spring (t1, t2), m.
const STRETCH: usize = 6;
/// Work of the normal and of the tangential force, and energy that the modes' damping took, J.
const WORKS: usize = 8;
/// Coordinate and velocity of each mode, in turn.
const MODES: usize = 11;

/// A collision under way: the constant part.
#[derive(Debug)]
pub(super) struct Dynamics<'a> {
    pub(super) modes: &'a [Mode],
    /// Rigid inverse mass W.
    pub(super) rigid: Matrix3<f64>,
    /// W + Σ g gᵀ.
    pub(super) instantaneous: Matrix3<f64>,
    /// Relative velocity before the collision.
    pub(super) before: Vector3<f64>,
}

/// The state of a collision: a column for the integrator.
pub(super) type State = DVector<f64>;

impl<'a> Dynamics<'a> {
    pub(super) fn of(collision: &'a FlexibleCollision) -> Dynamics<'a> {
        Dynamics {
            modes: collision.modes(),
            rigid: *collision.collision().inverse_mass(),
            instantaneous: collision.instantaneous_inverse_mass(),
            before: *collision.collision().velocity(),
        }
    }

    /// First touch: nothing has moved and nothing vibrates.
    pub(super) fn start(&self) -> State {
        DVector::zeros(MODES + 2 * self.modes.len())
    }

    /// Sizes of the state's numbers when displacements are of the size of `length` (m).
    pub(super) fn sizes(&self, length: f64) -> State {
        let speed = self.before.norm();
        // The first impulse and energy are of this size, whatever the modes do.
        let mass = self.rigid[(0, 0)].recip();
        let mut sizes = self.start();
        sizes.fixed_rows_mut::<3>(RIGID).fill(length);
        sizes.fixed_rows_mut::<3>(IMPULSE).fill(mass * speed);
        sizes.fixed_rows_mut::<2>(STRETCH).fill(length);
        sizes.fixed_rows_mut::<3>(WORKS).fill(mass * speed * speed);
        for (k, mode) in self.modes.iter().enumerate() {
            let rate = speed * mass.sqrt();
            sizes[MODES + 2 * k] = rate / mode.frequency;
            sizes[MODES + 2 * k + 1] = rate;
        }
        sizes
    }

    pub(super) fn rigid_displacement(y: &State) -> Vector3<f64> {
        y.fixed_rows::<3>(RIGID).into_owned()
    }

    pub(super) fn impulse(y: &State) -> Vector3<f64> {
        y.fixed_rows::<3>(IMPULSE).into_owned()
    }

    pub(super) fn stretch(y: &State) -> Vector2<f64> {
        y.fixed_rows::<2>(STRETCH).into_owned()
    }

    pub(super) fn set_stretch(y: &mut State, stretch: &Vector2<f64>) {
        y.fixed_rows_mut::<2>(STRETCH).copy_from(stretch);
    }

    /// Work of the normal force, of the tangential force, and energy taken by the modes' damping.
    pub(super) fn works(y: &State) -> [f64; 3] {
        y.fixed_rows::<3>(WORKS).into_owned().into()
    }

    /// Coordinate and velocity of mode k.
    pub(super) fn mode(y: &State, k: usize) -> (f64, f64) {
        (y[MODES + 2 * k], y[MODES + 2 * k + 1])
    }

    /// a₁.
    pub(super) fn rigid_velocity(&self, y: &State) -> Vector3<f64> {
        self.before + self.rigid * Dynamics::impulse(y)
    }

    /// Σ g q̇.
    pub(super) fn vibration_velocity(&self, y: &State) -> Vector3<f64> {
        self.sum(|k, _| Dynamics::mode(y, k).1)
    }

    /// r.
    pub(super) fn displacement(&self, y: &State) -> Vector3<f64> {
        Dynamics::rigid_displacement(y) + self.sum(|k, _| Dynamics::mode(y, k).0)
    }

    /// ṙ.
    pub(super) fn velocity(&self, y: &State) -> Vector3<f64> {
        self.rigid_velocity(y) + self.vibration_velocity(y)
    }

    /// r̈ without contact force.
    pub(super) fn free_acceleration(&self, y: &State) -> Vector3<f64> {
        self.sum(|k, mode| free_mode_acceleration(mode, Dynamics::mode(y, k)))
    }

    fn sum(&self, coordinate: impl Fn(usize, &Mode) -> f64) -> Vector3<f64> {
        self.modes.iter().enumerate().map(|(k, mode)| mode.shape * coordinate(k, mode)).sum()
    }

    /// Energy of the vibration, J.
    pub(super) fn vibration_energy(&self, y: &State) -> f64 {
        let energy = |(k, mode): (usize, &Mode)| {
            let (q, rate) = Dynamics::mode(y, k);
            0.5 * (rate * rate + (mode.frequency * q).powi(2))
        };
        self.modes.iter().enumerate().map(energy).sum()
    }

    /// The derivative of the state under a contact force; `stretch_rate` is that of the tangential spring.
    pub(super) fn derivative(&self, y: &State, force: &Vector3<f64>, stretch_rate: &Vector2<f64>) -> State {
        let mut out = DVector::zeros(y.len());
        let velocity = self.velocity(y);
        out.fixed_rows_mut::<3>(RIGID).copy_from(&self.rigid_velocity(y));
        out.fixed_rows_mut::<3>(IMPULSE).copy_from(force);
        out.fixed_rows_mut::<2>(STRETCH).copy_from(stretch_rate);
        let mut damped = 0.0;
        for (k, mode) in self.modes.iter().enumerate() {
            let (q, rate) = Dynamics::mode(y, k);
            out[MODES + 2 * k] = rate;
            out[MODES + 2 * k + 1] = free_mode_acceleration(mode, (q, rate)) + mode.shape.dot(force);
            damped += 2.0 * mode.decay() * rate * rate;
        }
        let works = [force.x * velocity.x, force.yz().dot(&velocity.yz()), damped];
        out.fixed_rows_mut::<3>(WORKS).copy_from_slice(&works);
        out
    }

    /// The state after an impulse that takes no time.
    pub(super) fn kick(&self, y: &mut State, impulse: &Vector3<f64>) {
        let mean = self.velocity(y) + self.instantaneous * impulse * 0.5;
        y[WORKS] += impulse.x * mean.x;
        y[WORKS + 1] += impulse.yz().dot(&mean.yz());
        for i in 0..3 {
            y[IMPULSE + i] += impulse[i];
        }
        for (k, mode) in self.modes.iter().enumerate() {
            y[MODES + 2 * k + 1] += mode.shape.dot(impulse);
        }
    }

    /// Puts the surfaces where they just touch, which is where they are up to rounding.
    pub(super) fn part(&self, y: &mut State) {
        y[RIGID] -= self.displacement(y).x;
    }

    /// The state after some time without contact, exactly (eq. 9.2).
    pub(super) fn coast(&self, y: &mut State, time: f64) {
        let before = self.vibration_energy(y);
        let moved = self.rigid_velocity(y) * time;
        for i in 0..3 {
            y[RIGID + i] += moved[i];
        }
        for (k, mode) in self.modes.iter().enumerate() {
            let (q, rate) = Dynamics::mode(y, k);
            let (decay, frequency) = (mode.decay(), mode.damped_frequency());
            let (sin, cos) = (frequency * time).sin_cos();
            let fading = (-decay * time).exp();
            let b = (rate + decay * q) / frequency;
            let q_after = fading * (q * cos + b * sin);
            y[MODES + 2 * k] = q_after;
            y[MODES + 2 * k + 1] = fading * frequency * (b * cos - q * sin) - decay * q_after;
        }
        if self.modes.iter().any(|mode| mode.damping_ratio > 0.0) {
            y[WORKS + 2] += before - self.vibration_energy(y);
        }
    }
}

fn free_mode_acceleration(mode: &Mode, (q, rate): (f64, f64)) -> f64 {
    -2.0 * mode.decay() * rate - mode.frequency * mode.frequency * q
}
