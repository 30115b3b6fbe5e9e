//! Bodies that vibrate while they collide (Chatterjee 1997, chapter 9).

mod bar;
mod beam;
mod by_law;
mod chain;
mod compliant;
mod contact;
mod contact_force;
mod dynamics;
mod flexible;
mod flight;
mod held;
mod log;
mod micro_impacts;
mod mode;
mod outcome;
mod pressing;
mod rigidity;

pub use bar::Bar;
pub use beam::{Beam, End, Kept, Place, Theory};
pub use chain::Chain;
pub use contact::{Contact, Friction};
pub use contact_force::{ContactForce, HertzSpring, NonlinearDashpot, SpringDashpot};
pub use flexible::{FlexibleBody, FlexibleCollision};
pub use mode::Mode;
pub use outcome::{Ending, EnergyBalance, FlexibleOutcome, Touch};
pub use rigidity::Rigidity;
