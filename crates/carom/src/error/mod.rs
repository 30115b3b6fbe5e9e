//! What can be wrong with the numbers a caller hands in.

mod scene;

pub use scene::{SceneError, SceneItem};

use crate::format::{Digits, Exact};
use std::fmt;

/// Bad input: a quantity that no physical problem can have.
///
/// What the mathematics did with good input is a different channel:
/// [`Inapplicable`](crate::laws::Inapplicable) and the notes of an [`ContactOutcome`](crate::ContactOutcome).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    NotFinite {
        /// The quantity, in words.
        what: &'static str,
    },
    /// A number lies outside its range.
    OutOfRange {
        /// The quantity, in words or as its key.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// A matrix that must be symmetric is not.
    NotSymmetric {
        /// The matrix, in words.
        what: &'static str,
        /// Row and column of the worst pair, counted from 0.
        entry: (usize, usize),
        /// The entry and its mirror image.
        values: (f64, f64),
    },
    /// A matrix has an eigenvalue that is too small.
    NotPositive {
        /// The matrix, in words.
        what: &'static str,
        /// The smallest eigenvalue found.
        eigenvalue: f64,
    },
    /// Principal moments of inertia that no mass distribution has: the largest exceeds the sum of the other two.
    TriangleInequality {
        /// The principal moments, ascending.
        moments: [f64; 3],
    },
    /// A direction has zero length.
    ZeroDirection {
        /// The direction, in words.
        what: &'static str,
    },
    /// The tangent hint is parallel to the normal.
    TangentAlongNormal,
    /// Both bodies of a contact are immovable, or nothing can move along the normal.
    ImmovableAlongNormal,
    /// The inverse mass is singular and the velocity has a part along a direction that can never change.
    IncompatibleVelocity {
        /// The size of that part relative to the whole velocity.
        fraction: f64,
    },
    /// A law without derivatives.
    NoDerivative {
        /// The law.
        law: &'static str,
    },
    /// Matrices or lists whose sizes do not belong together.
    WrongSize {
        /// Which ones.
        what: &'static str,
    },
    /// A shape that encloses nothing.
    NoSolid {
        /// The shape.
        what: &'static str,
        /// What would be right.
        expected: &'static str,
    },
    /// Bodies move against each other where a joint holds them.
    MovingJoint {
        /// Place of the joint in its list, from 0.
        joint: usize,
        /// The velocity, m/s or rad/s.
        velocity: f64,
    },
    /// A scene that cannot be.
    Scene(SceneError),
    /// Something that is not there.
    NoSuch {
        /// The kind of thing.
        what: &'static str,
        /// The place that was asked for, from 0.
        index: usize,
        /// The number of these things.
        count: usize,
    },
    /// Something that cannot be where it is.
    Unsuitable {
        /// The thing.
        what: &'static str,
        /// What would be right.
        expected: &'static str,
    },
    /// Bodies that are inside each other from the start.
    Overlap {
        /// Places of the bodies; `None` is the world.
        bodies: [Option<usize>; 2],
        /// Places of their parts that overlap, in the body's own list or in that of the world.
        parts: [usize; 2],
        /// How deep, m.
        depth: f64,
    },
    /// A string or a limit with a restitution that the law of the scene does not take.
    Rebound {
        /// `string` or `joint`.
        what: &'static str,
        /// Its place in the scene.
        place: usize,
        /// Id of the law.
        law: &'static str,
        /// Its restitution; nothing where neither it nor any material has one.
        restitution: Option<f64>,
    },
    /// A spring or a damper that is unstable in steps of a length.
    UnstableLoad {
        /// Its place in the scene.
        load: usize,
        /// The length of a step, s.
        step: f64,
        /// It is stable in shorter steps than this, s.
        limit: f64,
    },
    /// A body too small beside the scene: its parts cannot be distinguished from gaps.
    Unresolved {
        /// Its place.
        body: usize,
        /// How large its smallest part is, m.
        size: f64,
        /// Parts touch within this distance, m.
        touching: f64,
        /// The reach of the largest body, m.
        largest: f64,
        /// How far from the origin bodies start, m.
        farthest: f64,
    },
    /// No law has this id.
    UnknownLaw {
        /// What was asked for.
        id: String,
    },
    /// A law needs a parameter that was not given.
    MissingParameter {
        /// The law's id.
        law: &'static str,
        /// The parameter's key.
        key: &'static str,
    },
    /// A law has no such parameter.
    UnknownParameter {
        /// The law's id.
        law: &'static str,
        /// What was given.
        key: String,
    },
    /// A parameter of a law is given twice.
    RepeatedParameter {
        /// The law's id.
        law: &'static str,
        /// The parameter's key.
        key: String,
    },
    /// Parameters that are fine one by one contradict each other.
    InconsistentParameters {
        /// The law's id.
        law: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// The entry of a law of one's own is wrong.
    InvalidLaw {
        /// Its id.
        id: String,
        /// The key of the parameter that is wrong; empty for the law as a whole.
        key: String,
        /// What would be right.
        expected: &'static str,
    },
    /// An impact has no such contact.
    NoContact {
        /// The place that was asked for, from 0.
        contact: usize,
        /// The number of contacts.
        contacts: usize,
    },
    /// A contact or a joint names a body that the network has not.
    NoBody {
        /// `contact` or `joint`.
        what: &'static str,
        /// Its place in its list, from 0.
        place: usize,
        /// The place of the body that it names.
        body: usize,
        /// The number of bodies.
        bodies: usize,
    },
    /// A law knows one coefficient of friction, but sticking and slipping friction differ.
    SingleFriction {
        /// The law's id.
        law: &'static str,
        /// Coefficient of friction while sticking.
        static_friction: f64,
        /// Coefficient of friction while slipping.
        kinetic_friction: f64,
        /// Ids of laws of the same kind that take both.
        others: Vec<&'static str>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFinite { what } => write!(f, "{what} must be a finite number"),
            Error::OutOfRange { what, value, expected } => {
                write!(f, "{what} is {}; expected {expected}", Exact(*value))
            }
            Error::NotSymmetric { what, entry: (i, j), values: (a, b) } => write!(
                f,
                "{what} must be symmetric, but entry ({}, {}) is {} and entry ({}, {}) is {}",
                i + 1,
                j + 1,
                Exact(*a),
                j + 1,
                i + 1,
                Exact(*b)
            ),
            Error::NotPositive { what, eigenvalue } => {
                let eigenvalue = Exact(*eigenvalue);
                write!(f, "{what} has the eigenvalue {eigenvalue}; expected positive ones, none of them negligible")
            }
            Error::TriangleInequality { moments: [a, b, c] } => write!(
                f,
                "principal moments {}, {}, {} belong to no mass distribution: the largest may not exceed the sum of the \
                 other two ({})",
                Exact(*a),
                Exact(*b),
                Exact(*c),
                Exact(a + b)
            ),
            Error::ZeroDirection { what } => write!(f, "{what} has zero length; expected a direction"),
            Error::TangentAlongNormal => {
                write!(f, "the tangent is parallel to the normal; expected any other direction")
            }
            Error::ImmovableAlongNormal => {
                write!(f, "nothing can move along the contact normal; at least one body must be movable there")
            }
            Error::IncompatibleVelocity { fraction } => write!(
                f,
                "the inverse mass is singular and {:.3} % of the velocity lies along a direction that no impulse can \
                 change; expected a velocity the constraint allows",
                100.0 * fraction
            ),
            Error::NoDerivative { law } => write!(f, "law `{law}` has no derivatives"),
            Error::WrongSize { what } => write!(f, "the sizes of {what} do not match"),
            Error::NoSolid { what, expected } => write!(f, "{what} encloses nothing; expected {expected}"),
            Error::MovingJoint { joint, velocity } => write!(
                f,
                "joint {} holds its bodies together, but they move against each other there (by {})",
                joint + 1,
                Exact(*velocity)
            ),
            Error::Scene(error) => write!(f, "{error}"),
            Error::NoSuch { what, index, count } => {
                let number = index.saturating_add(1);
                write!(f, "there is no {what} {number}; expected one of the {count} that there are")
            }
            Error::Unsuitable { what, expected } => write!(f, "{what}; expected {expected}"),
            Error::Overlap { bodies, depth, .. } => {
                let [a, b] = bodies.map(body_name);
                write!(f, "{a} starts {} m deep inside {b}; expected bodies that touch at most", Exact(*depth))
            }
            Error::Rebound { what, place, law, restitution } => {
                let given =
                    restitution.map_or_else(|| "no restitution".to_owned(), |e| format!("restitution {}", Exact(e)));
                write!(f, "{what} {} has {given}, which law `{law}` does not take", place + 1)
            }
            Error::UnstableLoad { load, step, limit } => {
                let [step, limit, works] = [*step, *limit, 0.5 * limit].map(Digits);
                let load = load + 1;
                write!(
                    f,
                    "load {load} is unstable in steps of {step} s; expected steps below {limit} s, for example {works} s"
                )
            }
            Error::Unresolved { body, size, touching, largest, farthest } => {
                write_unresolved(f, body + 1, [*size, *touching, *largest, *farthest])
            }
            Error::UnknownLaw { id } => write!(f, "there is no law `{id}`"),
            Error::MissingParameter { law, key } => write!(f, "law `{law}` needs `{key}`"),
            Error::UnknownParameter { law, key } => write!(f, "law `{law}` has no parameter `{key}`"),
            Error::RepeatedParameter { law, key } => {
                write!(f, "law `{law}` is given `{key}` twice; expected one value")
            }
            Error::InconsistentParameters { law, expected } => write!(f, "law `{law}`: expected {expected}"),
            Error::InvalidLaw { id, key, expected } if key.is_empty() => write!(f, "law `{id}`: expected {expected}"),
            Error::InvalidLaw { id, key, expected } => {
                write!(f, "law `{id}`, parameter `{key}`: expected {expected}")
            }
            Error::NoContact { contact, contacts } => {
                write!(f, "there is no contact {}; expected one of the {contacts}", contact + 1)
            }
            Error::NoBody { what, place, body, bodies } => write!(
                f,
                "{what} {} names body {}; expected one of the {bodies} bodies or the world",
                place + 1,
                body + 1
            ),
            Error::SingleFriction { law, static_friction, kinetic_friction, others } => {
                write_single_friction(f, law, [*static_friction, *kinetic_friction], others)
            }
        }
    }
}

fn write_unresolved(f: &mut fmt::Formatter<'_>, body: usize, lengths: [f64; 4]) -> fmt::Result {
    let [size, touching, largest, farthest] = lengths.map(Digits);
    write!(
        f,
        "body {body} has a part of {size} m, but parts touch within {touching} m here: bodies reach {largest} m and start up to {farthest} m \
         from the origin"
    )
}

fn write_single_friction(
    f: &mut fmt::Formatter<'_>,
    law: &str,
    frictions: [f64; 2],
    others: &[&'static str],
) -> fmt::Result {
    let [static_friction, kinetic_friction] = frictions.map(Exact);
    write!(
        f,
        "law `{law}` takes one coefficient of friction, but static friction is {static_friction} and kinetic friction \
         is {kinetic_friction}; expected `friction` in place of both, or a law that takes both:"
    )?;
    for (place, id) in others.iter().enumerate() {
        write!(f, "{} `{id}`", if place == 0 { "" } else { "," })?;
    }
    Ok(())
}

fn body_name(body: Option<usize>) -> String {
    body.map_or_else(|| "the world".to_owned(), |k| format!("body {}", k + 1))
}

impl std::error::Error for Error {}

pub(crate) fn finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    if values.iter().all(|v| v.is_finite()) { Ok(()) } else { Err(Error::NotFinite { what }) }
}

pub(crate) fn positive(what: &'static str, value: f64) -> Result<(), Error> {
    finite(what, &[value])?;
    if value > 0.0 { Ok(()) } else { Err(Error::OutOfRange { what, value, expected: "a number above 0" }) }
}

pub(crate) fn non_negative(what: &'static str, value: f64) -> Result<(), Error> {
    finite(what, &[value])?;
    if value >= 0.0 { Ok(()) } else { Err(Error::OutOfRange { what, value, expected: "a number of at least 0" }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extreme_numbers_are_short() {
        for value in [f64::from_bits(1), 1e300, -1e-300] {
            let errors = [
                Error::OutOfRange { what: "mass", value, expected: "a number above 0" },
                Error::NotSymmetric { what: "M", entry: (0, 1), values: (value, value) },
                Error::NotPositive { what: "M", eigenvalue: value },
                Error::TriangleInequality { moments: [value; 3] },
                Error::MovingJoint { joint: 0, velocity: value },
                Error::Overlap { bodies: [None, Some(0)], parts: [0, 0], depth: value },
                Error::Rebound { what: "string", place: 0, law: "lai", restitution: Some(value) },
                Error::UnstableLoad { load: 0, step: value, limit: value },
            ];
            for error in errors {
                assert!(error.to_string().len() < 160, "{error}");
            }
        }
    }
}
