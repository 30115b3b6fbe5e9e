//! Contact elements in one dimension: what restitution they have, and which stiffness and damping give what is wanted.

mod growing_dashpot;
mod linear_dashpot;

pub use growing_dashpot::{restitution_of_speed_ratio, speed_ratio};
pub use linear_dashpot::{damping_ratio, restitution_of_damping_ratio};
