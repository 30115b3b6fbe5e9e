//! Bodies through time and through their impacts.

mod again;
mod constrained;
mod convex;
mod event;
mod gap;
mod hull;
mod inertia;
mod joint;
mod loads;
mod materials;
mod matter;
mod part;
mod passing;
mod record;
mod row;
mod scene;
mod solid;
mod spot;
mod state;
mod stepping;
mod touch;

pub use event::{Advance, EventEngine, EventReport, EventSettings};
pub use gap::gap;
pub use hull::Hull;
pub use joint::{JointKind, MovingJoint};
pub use materials::Materials;
pub use matter::Matter;
pub use part::{Core, Part};
pub use passing::Passing;
pub use record::{Checkpoint, Event, EventContact, EventKind, Failure, Ledger, Origin};
pub use scene::{Anchor, Cord, Load, Mover, Scene, Signal};
pub use solid::{Extent, Solid};
pub use state::{Pose, State};
pub use stepping::{OVERLAP_BOUND, Overlap, SteppingEngine, SteppingReport, SteppingSettings};
