//! A law: its entry in the catalogue, its parameters, its method, and how it is bound and checked.

pub(crate) mod bound;
pub(crate) mod check;
mod entry;
mod inapplicable;
mod method;
pub(crate) mod parameter;
mod wedge;

pub use bound::BoundLaw;
pub use check::Answered;
pub use entry::{Guarantees, Law, Promise, Promised};
pub use inapplicable::Inapplicable;
pub use method::{OneContact, Posed, SeveralContacts};
pub use parameter::{Fallback, Kind, Parameter};
pub use wedge::Wedge;

pub(crate) use bound::check_friction;
pub(crate) use entry::Consistency;
pub(crate) use method::Method;
