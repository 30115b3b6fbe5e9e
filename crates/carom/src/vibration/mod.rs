//! Bodies that vibrate while they collide (Chatterjee 1997, chapter 9).

mod bar;
mod beam;
mod chain;
mod flexible;
mod mode;

pub use bar::Bar;
pub use beam::{Beam, End, Kept, Place, Theory};
pub use chain::Chain;
pub use flexible::{FlexibleBody, FlexibleCollision};
pub use mode::Mode;
