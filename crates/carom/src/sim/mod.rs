//! Bodies through time and through their impacts.

mod again;
mod body;
mod builder;
mod checkpoint;
mod constrained;
mod convex;
mod event;
mod gap;
mod hull;
mod id;
mod in_time;
mod inertia;
mod joint;
mod load;
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
mod string;
mod touch;

pub use crate::error::{SceneError, SceneItem};
pub use again::EventImpact;
pub use body::SceneBody;
pub use builder::SceneBuilder;
pub use checkpoint::{
    BallPair, Checkpoint, ContactImpulse, EngineState, EventState, FloorImpulse, ImpactSeries, SteppingState,
};
pub use event::{Advance, EventEngine, EventReport, EventSettings};
pub use gap::gap;
pub use hull::Hull;
pub use id::{BodyId, JointId, MaterialId};
pub use joint::{JointFrames, JointKind, MovingJoint, SceneJoint};
pub use load::{Anchor, Load, Signal};
pub use materials::Materials;
pub use matter::Matter;
pub use part::{Core, Part};
pub use passing::Passing;
pub use record::{Event, EventContact, EventKind, Failure, Ledger, Origin};
pub use scene::Scene;
pub use solid::{Extent, Solid};
pub use state::{Pose, State};
pub use stepping::{OVERLAP_BOUND, Overlap, SteppingEngine, SteppingReport, SteppingSettings};
pub use string::SceneString;
