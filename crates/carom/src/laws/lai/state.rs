//! Where the contact stands, in the units of the collision.

use nalgebra::Vector2;

/// The contact at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub time: f64,
    /// r, the root of the depth −δ_n: the contact radius up to a factor.
    pub root: f64,
    /// s, the extension of the tangential spring.
    pub extension: f64,
    /// δ_t, the tangential displacement of the bodies.
    pub travel: f64,
    /// V in (n, t).
    pub velocity: Vector2<f64>,
    /// P in (n, t).
    pub impulse: Vector2<f64>,
    /// ∫ V_n dP_n.
    pub normal_work: f64,
}

impl State {
    /// First touch.
    pub fn first_touch(velocity: Vector2<f64>) -> State {
        let zero = Vector2::zeros();
        State { time: 0.0, root: 0.0, extension: 0.0, travel: 0.0, velocity, impulse: zero, normal_work: 0.0 }
    }
}
