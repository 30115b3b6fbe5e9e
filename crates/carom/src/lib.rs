#![doc = include_str!("../README.md")]

pub mod audit;
pub mod batch;
mod body;
mod collision;
mod cone_edge;
mod contact;
mod course;
pub mod design;
mod dimension;
mod double_double;
pub mod elastic;
mod error;
pub mod format;
mod held;
pub mod impact;
pub mod impulse_space;
mod law;
pub mod laws;
mod near_sphere;
mod ode;
mod outcome;
mod polynomial;
pub mod prelude;
pub mod problem;
pub mod properties;
mod random;
mod realise;
mod shape;
pub mod sim;
mod solve;
pub mod tools;
mod validity;
pub mod vibration;
#[cfg(feature = "serde")]
mod wire;

pub use body::Body;
pub use collision::{Collision, Mobility, Section};
pub use contact::ContactFrame;
pub use course::{Clock, ContactHistory, ContactSample, Course, History, IslandHistory, IslandSample, Motion, Phase};
pub use dimension::Dimension;
pub use error::Error;
pub use held::Held;
pub use laws::{BoundLaw, Inapplicable, Law};
pub use outcome::{
    AfterRest, Compression, ContactChange, ContactNote, ContactOutcome, Effort, EventPiece, EventRest, EventState,
    ImpactEvent, Mode, Note, Notes, Outcome, Path, Restitution, Solution, Works,
};
pub use shape::{Amount, MassProperties, Shape};

/// The Rust of the README and the book is compiled and run like any other documentation.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/src/getting-started.md")]
    struct GettingStarted;
    #[doc = include_str!("../../../docs/src/howto/add-a-law.md")]
    struct AddALaw;
    #[doc = include_str!("../../../docs/src/howto/choose-stiffness.md")]
    struct ChooseStiffness;
    #[doc = include_str!("../../../docs/src/ideas/batches.md")]
    struct Batches;
    #[doc = include_str!("../../../docs/src/ideas/mechanics.md")]
    struct Mechanics;
    #[doc = include_str!("../../../docs/src/ideas/near-spheres.md")]
    struct NearSpheres;
    #[doc = include_str!("../../../docs/src/ideas/vibrating-bodies.md")]
    struct VibratingBodies;
    #[doc = include_str!("../../../docs/src/reference/library.md")]
    struct Library;
}
