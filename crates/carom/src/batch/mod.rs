//! Millions of collisions of one contact at a time.
//!
//! A [`Batch`] holds W and V as columns, a [`BoundBatch`] the law and a column for each of its parameters, and
//! [`BoundBatch::resolve`] writes the outputs that are asked for. Algebraic laws have a kernel: their formulas without branches, which
//! the compiler turns into vector instructions. Rows that a kernel cannot answer with certainty (W that is nearly singular, V_n = 0,
//! friction beyond 10⁶, impulses that grow without bound) and all rows of other laws are resolved by the law itself, as
//! [`BoundLaw::resolve_collision`](crate::BoundLaw::resolve_collision) does.
//!
//! A row has the same bits in any batch, at any place and for any number of threads. A row without an answer has a [`Status`] that says
//! so, no impulse, and for the velocity after that before, with zero for numbers that are not finite.
//!
//! ```
//! use carom::batch::{Batch, Column, Outputs, Status};
//! // Three rods with one inverse mass and one friction each.
//! let (w, e) = ([2.5, -1.5, 2.5], 0.9);
//! let friction = [0.8, 0.2, -1.0];
//! let (v_n, v_t) = ([-1.0, -1.0, -1.0], 0.6);
//! let [nn, nt, tt] = w.each_ref().map(Column::same);
//! let batch = Batch::planar(3, [[nn, nt], [nt, tt]], [Column::contiguous(&v_n), Column::same(&v_t)]).unwrap();
//! let law = carom::laws::find("routh-poisson").unwrap();
//! let parameters = [("restitution", Column::same(&e)), ("friction", Column::contiguous(&friction))];
//! let (mut impulse, mut status) = ([0.0; 6], [0; 3]);
//! let mut outputs = Outputs { impulse: Some(&mut impulse), status: Some(&mut status), ..Outputs::default() };
//! batch.bind(law, &parameters).unwrap().resolve(&mut outputs, 1).unwrap();
//! assert!((impulse[0] - 0.76).abs() < 1e-12);
//! assert_eq!(status, [Status::Resolved as u8, Status::Resolved as u8, Status::Invalid as u8]);
//! ```

#![allow(
    clippy::inline_always,
    clippy::needless_bitwise_bool,
    clippy::needless_range_loop,
    reason = "loops over rows become vector instructions if all they call is inlined, no condition jumps and no iterator is in the way"
)]

mod column;
mod derivative;
mod describe;
mod differentiate;
mod dual_kernels;
mod kernel;
mod kernels;
mod lanes;
mod outputs;
mod real;
mod resolve;
mod row;
mod scratch;
mod slopes;

pub use column::Column;
pub use derivative::Derivative;
pub use outputs::{AuditFlags, MODES, NO_MODE, Outputs, Status};
pub use row::Unresolved;

use crate::dimension::Dimension;
use crate::error::Error;
use crate::law::{BoundLaw, Fallback, Kind, Law, Parameter, check_friction};
use kernel::Resolve;

/// Collisions of one contact, row by row.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    rows: usize,
    dimension: Dimension,
    /// In the plane nn, nt, tt; in space nn, n1, n2, 11, 12, 22.
    inverse_mass: [Column<'a>; 6],
    /// The entries below the diagonal: in the plane tn; in space 1n, 2n, 21.
    below: [Column<'a>; 3],
    velocity: [Column<'a>; 3],
}

impl<'a> Batch<'a> {
    /// Planar collisions: rows of W and components of V, ordered (n, t).
    pub fn planar(
        rows: usize,
        inverse_mass: [[Column<'a>; 2]; 2],
        velocity: [Column<'a>; 2],
    ) -> Result<Batch<'a>, Error> {
        let [[nn, nt], [tn, tt]] = inverse_mass;
        let inverse_mass = [nn, nt, tt, nn, nn, nn];
        let [v_n, v_t] = velocity;
        Batch { rows, dimension: Dimension::Planar, inverse_mass, below: [tn; 3], velocity: [v_n, v_t, v_n] }.checked()
    }

    /// Spatial collisions: rows of W and components of V, ordered (n, t1, t2).
    pub fn spatial(
        rows: usize,
        inverse_mass: [[Column<'a>; 3]; 3],
        velocity: [Column<'a>; 3],
    ) -> Result<Batch<'a>, Error> {
        let [[nn, n1, n2], [m1, w11, w12], [m2, w21, w22]] = inverse_mass;
        let inverse_mass = [nn, n1, n2, w11, w12, w22];
        Batch { rows, dimension: Dimension::Spatial, inverse_mass, below: [m1, m2, w21], velocity }.checked()
    }

    fn checked(self) -> Result<Batch<'a>, Error> {
        for column in self.inverse_mass.iter().chain(&self.below) {
            column.check("columns of the inverse mass and rows", self.rows)?;
        }
        for column in &self.velocity {
            column.check("columns of the velocity and rows", self.rows)?;
        }
        Ok(self)
    }

    /// The number of collisions.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether they are planar or spatial.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The components of an impulse or a velocity: 2 in the plane, 3 in space.
    pub fn components(&self) -> usize {
        if self.dimension.is_planar() { 2 } else { 3 }
    }

    /// Binds a law's parameters, given by key. A value that is the same for all rows is checked here; one of a single row that its
    /// parameter cannot take makes that row [`Status::Invalid`].
    pub fn bind(&self, law: &'static Law, parameters: &[(&'a str, Column<'a>)]) -> Result<BoundBatch<'a>, Error> {
        for (place, (key, column)) in parameters.iter().enumerate() {
            if parameters[..place].iter().any(|(other, _)| other == key) {
                return Err(Error::RepeatedParameter { law: law.id, key: (*key).to_owned() });
            }
            if *key != "friction" && !law.takes(key) {
                return Err(Error::UnknownParameter { law: law.id, key: (*key).to_owned() });
            }
            column.check("columns of a parameter and rows", self.rows)?;
        }
        // Any law may be given a coefficient of friction, which has to be one.
        let friction = parameters.iter().find(|(key, _)| *key == "friction").map(|(_, column)| *column);
        if let Some(column) = friction.filter(Column::is_same) {
            check_friction(column.get(0))?;
        }
        let unused_friction = friction.filter(|column| !(column.is_same() || law.takes("friction")));
        let given = |key: &str| parameters.iter().find(|(k, _)| *k == key).map(|(_, column)| *column);
        let mut values = Vec::with_capacity(law.parameters.len());
        for parameter in law.parameters {
            let column = match (given(parameter.key), parameter.fallback) {
                (None, Fallback::SameAs(other)) => given(other),
                (column, _) => column,
            };
            if column.is_none() && matches!(parameter.fallback, Fallback::Required | Fallback::SameAs(_)) {
                return Err(Error::MissingParameter { law: law.id, key: parameter.key });
            }
            if let Some(column) = column.filter(Column::is_same) {
                self.check_value(parameter, column.get(0))?;
            }
            values.push(column);
        }
        let mut bound = BoundBatch {
            batch: *self,
            law,
            values,
            friction: law.friction_place(),
            unused_friction,
            shared: None,
            kernel: None,
        };
        if !bound.values.iter().chain([&unused_friction]).flatten().any(|column| !column.is_same()) {
            bound.shared = Some(bound.bind_row(0)?);
        }
        let suits = |(parameter, column): (&Parameter, &Option<Column>)| {
            let value = column.filter(Column::is_same).map_or_else(|| fallback(parameter), |column| column.get(0));
            column.is_some_and(|column| !column.is_same()) || Range::of(parameter).holds(value)
        };
        // Where a value that all rows share leads every row to the law itself, the kernel is of no use.
        if law.parameters.iter().zip(&bound.values).all(suits) {
            bound.kernel = kernels::of(law, self.dimension);
        }
        Ok(bound)
    }

    /// Refuses a value of a parameter that it cannot take here.
    fn check_value(&self, parameter: &Parameter, value: f64) -> Result<(), Error> {
        let expected = if !parameter.accepts(value) {
            parameter.expectation()
        } else if parameter.leaves_plane && self.dimension.is_planar() && value != 0.0 {
            "0 in the plane, which it leads out of"
        } else {
            return Ok(());
        };
        Err(Error::OutOfRange { what: parameter.key, value, expected })
    }
}

/// The values with which kernels compute.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: f64,
    greatest: f64,
    whole: bool,
}

impl Range {
    /// Steeper friction cones go to the law itself.
    const STEEPEST: f64 = 1e6;

    fn of(parameter: &Parameter) -> Range {
        match parameter.kind {
            Kind::Number { least, greatest } => Range { least, greatest: greatest.min(Range::STEEPEST), whole: false },
            Kind::Choice(words) => Range { least: 0.0, greatest: words.len() as f64 - 1.0, whole: true },
        }
    }

    /// Whether a kernel takes a value; never NaN.
    fn holds(&self, value: f64) -> bool {
        (value >= self.least) & (value <= self.greatest) & (!self.whole | (value.trunc() == value))
    }
}

/// Collisions of one contact with a law and the columns of its parameters.
#[derive(Clone, Debug)]
pub struct BoundBatch<'a> {
    batch: Batch<'a>,
    law: &'static Law,
    /// One for each of the law's parameters; `None` where the law's fallback holds.
    values: Vec<Option<Column<'a>>>,
    /// The place among them of the coefficient of friction, the larger one.
    friction: Option<usize>,
    /// A coefficient of friction for each row of a law that has none.
    unused_friction: Option<Column<'a>>,
    /// The law with its values, where they are the same for all rows.
    shared: Option<BoundLaw>,
    kernel: Option<Resolve>,
}

impl BoundBatch<'_> {
    /// The number of collisions.
    pub fn rows(&self) -> usize {
        self.batch.rows
    }

    /// The components of an impulse or a velocity: 2 in the plane, 3 in space.
    pub fn components(&self) -> usize {
        self.batch.components()
    }

    /// The law.
    pub fn law(&self) -> &'static Law {
        self.law
    }

    /// Whether the law has a kernel here, so that it resolves most rows in a few nanoseconds each.
    pub fn has_kernel(&self) -> bool {
        self.kernel.is_some()
    }
}

/// The value of a parameter that is not given; NaN for one that the law works out.
fn fallback(parameter: &Parameter) -> f64 {
    match parameter.fallback {
        Fallback::Value(value) => value,
        Fallback::Required | Fallback::SameAs(_) | Fallback::Derived(_) => f64::NAN,
    }
}
