//! The names that most programs use: `use carom::prelude::*`.

pub use crate::audit::{Audit, Finding, audit, audit_collision};
pub use crate::body::Body;
pub use crate::collision::Collision;
pub use crate::contact::ContactFrame;
pub use crate::course::{Clock, History};
pub use crate::error::Error;
pub use crate::impact::{Contact, Impact, Joint, Network};
pub use crate::laws::{self, BoundLaw, Inapplicable, Law, OneContact, Parameter, SeveralContacts};
pub use crate::outcome::{ContactOutcome, Mode, Outcome};
pub use crate::properties::Properties;
pub use crate::shape::{Amount, Shape};
