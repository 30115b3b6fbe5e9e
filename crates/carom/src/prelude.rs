//! The names that most programs use: `use carom::prelude::*`.

pub use crate::audit::{Audit, Finding, audit, audit_collision};
pub use crate::impact::{Contact, Impact, Joint, Network};
pub use crate::laws::{self, BoundLaw, Inapplicable, Law, OneContact, Parameter, SeveralContacts};
pub use crate::properties::Properties;
#[doc(no_inline)]
pub use crate::{Amount, Body, Clock, Collision, ContactFrame, ContactOutcome, Error, History, Mode, Outcome, Shape};
