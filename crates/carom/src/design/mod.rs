//! Contact elements in one dimension: which stiffness and damping give what is wanted, and what given ones do.
//!
//! Everything here is head-on: one mass m against one element. For two bodies m is the effective mass along the normal,
//! 1/W_nn. Each element has a restitution and, as wanted, either a duration or a greatest force at a given speed; from
//! these come its coefficients, and [`Impact`] tells the other quantities.
//!
//! ```
//! use carom::design::LinearDashpot;
//! let element = LinearDashpot::for_duration(0.8, 0.067, 0.5e-3)?;
//! let impact = element.impact(0.067, 0.5)?;
//! assert!((impact.restitution - 0.8).abs() < 1e-12 && (impact.duration - 0.5e-3).abs() < 1e-15);
//! # Ok::<(), carom::Error>(())
//! ```

mod bilinear_spring;
mod growing_dashpot;
mod hertz_spring;
mod impact;
mod linear_dashpot;
mod split_mass;

pub use bilinear_spring::{BilinearSpring, Unloading};
pub use growing_dashpot::GrowingDashpot;
pub use hertz_spring::HertzSpring;
pub use impact::Impact;
pub use linear_dashpot::LinearDashpot;
pub(crate) use linear_dashpot::damping_ratio;
pub use split_mass::SplitMass;
