//! Several contacts at one instant.

use crate::audits::findings;
use crate::errors::{self, ShapeError};
use crate::impact_result::ImpactResult;
use crate::input::{Numbers, shape_text};
use crate::laws::{Law, argument};
use crate::parameters::{self, Parameter, Values};
use crate::watch;
use carom::audit::audit;
use carom::impact::{BodyMotion, Generalised, Impact};
use carom::laws::find;
use carom::{BoundLaw, ContactFrame, Error, Outcome};
use nalgebra::{DMatrix, DVector, Vector3};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Resolve an impact at several contacts at once.
///
/// The contacts are reduced to one inverse mass W and one velocity V, contact by contact, (n, t) each in the plane and (n, t1, t2) in
/// space: V_after = V + W P.
///
/// Parameters
/// ----------
/// inverse_mass : array_like
///     W, 1/kg, for n contacts of c = 2 or 3 components: (n c, n c) or (n, c, n, c). It may be singular.
/// velocity : array_like
///     V before, m/s: (n, c), or (n c,). V_n < 0 is approach.
/// law : str or Law
///     A law for several contacts; one for a single contact if no contact acts on another.
/// restitution, friction : array_like
///     A number, or one for each contact.
/// planar : bool, optional
///     Whether c is 2, where the shape of the velocity does not say.
/// **parameters : array_like or str
///     Other parameters of the law; see :func:`law`.
///
/// Returns
/// -------
/// ImpactResult
///
/// Raises
/// ------
/// InputError
///     If a number, the law or a parameter is one that no problem can have.
/// ShapeError
///     If shapes do not fit each other.
/// NoAnswerError
///     If the law has no answer.
///
/// Examples
/// --------
/// The first of three equal balls in a row hits the others; each contact has its own speed of approach:
///
/// >>> import carom
/// >>> cradle = carom.impact([[2, 0, -1, 0], [0, 2, 0, -1], [-1, 0, 2, 0], [0, -1, 0, 2]], [[-1, 0], [0, 0]], restitution=1)
/// >>> cradle.impulse[:, 0].round(12).tolist()
/// [1.333333333333, 0.666666666667]
/// >>> cradle.mode
/// ['sticking', 'sticking']
#[pyfunction]
#[pyo3(
    signature = (inverse_mass, velocity, law=None, restitution=None, friction=None, *, planar=None, **parameters),
    text_signature = "(inverse_mass, velocity, law='newton-lcp', restitution=0.8, friction=0.3, *, planar=None, **parameters)"
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn impact<'py>(
    py: Python<'py>,
    inverse_mass: &Bound<'py, PyAny>,
    velocity: &Bound<'py, PyAny>,
    law: Option<&Bound<'py, PyAny>>,
    restitution: Option<&Bound<'py, PyAny>>,
    friction: Option<&Bound<'py, PyAny>>,
    planar: Option<bool>,
    parameters: Option<&Bound<'py, PyDict>>,
) -> PyResult<ImpactResult> {
    let (w, v) = (Numbers::of("inverse_mass", inverse_mass)?, Numbers::of("velocity", velocity)?);
    let components = components(&v, v.shape(), planar)?;
    let rows: usize = v.shape().iter().product();
    let contacts = rows / components;
    if w.shape() != [rows, rows] && w.shape() != [contacts, components, contacts, components] {
        return Err(ShapeError::new_err(format!(
            "inverse_mass has the shape {}, velocity {}; expected an inverse mass of ({rows}, {rows}) beside it",
            shape_text(w.shape()),
            shape_text(v.shape())
        )));
    }
    let w = DMatrix::from_row_slice(rows, rows, &w.to_vec()?);
    let v = DVector::from_vec(v.to_vec()?);
    let bound = bind(law, restitution, friction, parameters, contacts)?;
    let solved = watch::call(|| {
        let solved = py.detach(|| {
            let impact = Impact::new(&w, &v, components == 2).map_err(Refused::Input)?;
            Solved::of(impact, &bound, |_| Ok(None))
        });
        solved.map_err(|refused| refused.exception())
    })?;
    solved.result(py, &bound, None)
}

/// Resolve the contacts of a system that is given by its mass matrix.
///
/// ``mass_matrix`` M, ``jacobian`` J and ``velocity`` q̇ are in the coordinates of any program: M (q̇_after − q̇) = Jᵀ P, and the
/// relative velocities at the contacts are V = J q̇. A constraint that is no coordinate, for instance of a closed loop, is not
/// seen.
///
/// Parameters
/// ----------
/// mass_matrix : array_like
///     M, (nv, nv), symmetric and positive definite.
/// jacobian : array_like
///     J of n contacts, (n, 3, nv) with rows (n, t1, t2), or (n, 2, nv) with rows (n, t) in the plane, or (n c, nv). The normal points
///     from the second body into the first, and J q̇ is the velocity of the first relative to the second.
/// velocity : array_like
///     q̇ before, (nv,).
/// law : str or Law
///     A law for several contacts; one for a single contact if no contact acts on another.
/// restitution, friction : array_like
///     A number, or one for each contact.
/// planar : bool, optional
///     Whether there are 2 rows for each contact, where the shape of the Jacobian does not say.
/// **parameters : array_like or str
///     Other parameters of the law; see :func:`law`.
///
/// Returns
/// -------
/// ImpactResult
///     With the generalised velocities after.
///
/// Raises
/// ------
/// InputError
///     If the mass matrix is singular, indefinite or not symmetric, or a number, the law or a parameter is one that no problem can
///     have.
/// ShapeError
///     If shapes do not fit each other.
/// NoAnswerError
///     If the law has no answer.
///
/// Examples
/// --------
/// A puck of 2 kg, in coordinates (x, y, angle), hits the ground with its lowest point:
///
/// >>> import carom
/// >>> M = [[2, 0, 0], [0, 2, 0], [0, 0, 0.5]]
/// >>> J = [[[0, 1, 0], [1, 0, 0.5]]]
/// >>> puck = carom.impact_of(M, J, [1, -3, 0], restitution=0.5, friction=0.1)
/// >>> puck.velocity_after.round(12).tolist()
/// [[1.5, 0.1]]
/// >>> puck.generalised_velocity_after.round(12).tolist()
/// [0.55, 1.5, -0.9]
#[pyfunction]
#[pyo3(
    signature = (mass_matrix, jacobian, velocity, law=None, restitution=None, friction=None, *, planar=None, **parameters),
    text_signature = "(mass_matrix, jacobian, velocity, law='newton-lcp', restitution=0.8, friction=0.3, *, planar=None, **parameters)"
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn impact_of<'py>(
    py: Python<'py>,
    mass_matrix: &Bound<'py, PyAny>,
    jacobian: &Bound<'py, PyAny>,
    velocity: &Bound<'py, PyAny>,
    law: Option<&Bound<'py, PyAny>>,
    restitution: Option<&Bound<'py, PyAny>>,
    friction: Option<&Bound<'py, PyAny>>,
    planar: Option<bool>,
    parameters: Option<&Bound<'py, PyDict>>,
) -> PyResult<ImpactResult> {
    let mass = Numbers::of("mass_matrix", mass_matrix)?;
    let (jacobian, velocity) = (Numbers::of("jacobian", jacobian)?, Numbers::of("velocity", velocity)?);
    let [coordinates] = *velocity.shape() else {
        let shape = shape_text(velocity.shape());
        return Err(ShapeError::new_err(format!("velocity has the shape {shape}; expected (nv,)")));
    };
    if mass.shape() != [coordinates, coordinates] {
        return Err(ShapeError::new_err(format!(
            "mass_matrix has the shape {}, velocity ({coordinates},); expected a mass matrix of ({coordinates}, {coordinates})",
            shape_text(mass.shape())
        )));
    }
    let [of_rows @ .., last] = jacobian.shape() else { return Err(no_jacobian(&jacobian, coordinates)) };
    if *last != coordinates || of_rows.is_empty() {
        return Err(no_jacobian(&jacobian, coordinates));
    }
    let components = components(&jacobian, of_rows, planar)?;
    let rows: usize = of_rows.iter().product();
    let mass = DMatrix::from_row_slice(coordinates, coordinates, &mass.to_vec()?);
    let jacobian = DMatrix::from_row_slice(rows, coordinates, &jacobian.to_vec()?);
    let velocity = DVector::from_vec(velocity.to_vec()?);
    let bound = bind(law, restitution, friction, parameters, rows / components)?;
    let solve = || {
        let system = Generalised::new(&mass, &jacobian, &velocity, components == 2).map_err(Refused::Input)?;
        let impact = system.impact().map_err(Refused::Input)?;
        let mut after = None;
        let solved = Solved::of(impact, &bound, |outcome| {
            let velocity = system.velocity_after(&outcome.impulses())?;
            let motion = system.motion(&velocity)?;
            after = Some(velocity);
            Ok(Some(motion))
        })?;
        Ok((solved, after))
    };
    let (solved, after) = watch::call(|| py.detach(solve).map_err(|refused: Refused| refused.exception()))?;
    let after = after.map(|after| PyArray1::from_slice(py, after.as_slice()).into_any().unbind());
    solved.result(py, &bound, after)
}

/// The axes (n, t1, t2) of a contact with a normal in world axes, one after the other.
#[pyfunction(name = "_contact_axes")]
pub(crate) fn contact_axes(x: f64, y: f64, z: f64) -> PyResult<Vec<f64>> {
    let frame = ContactFrame::spatial(&Vector3::new(x, y, z), None).map_err(|error| errors::input(&error))?;
    Ok((0..3).flat_map(|axis| frame.to_world(&Vector3::ith(axis, 1.0)).as_slice().to_vec()).collect())
}

fn no_jacobian(jacobian: &Numbers, coordinates: usize) -> PyErr {
    ShapeError::new_err(format!(
        "jacobian has the shape {}, velocity ({coordinates},); expected a Jacobian of (n, 3, {coordinates}) or, in the plane, \
         (n, 2, {coordinates})",
        shape_text(jacobian.shape())
    ))
}

/// The components of each contact, by the axes of rows, or as said.
fn components(numbers: &Numbers, rows: &[usize], planar: Option<bool>) -> PyResult<usize> {
    let said = planar.map(|planar| if planar { 2 } else { 3 });
    let found = match (rows, said) {
        ([_, n @ (2 | 3)], None) => Some(*n),
        ([_, n], Some(said)) => (*n == said).then_some(said),
        ([n], Some(said)) => n.is_multiple_of(said).then_some(said),
        ([n], None) => match (n.is_multiple_of(2), n.is_multiple_of(3)) {
            (true, true) => {
                return Err(ShapeError::new_err(format!(
                    "{} has the shape {}, of planar or of spatial contacts; expected `planar` to say which",
                    numbers.name,
                    shape_text(numbers.shape())
                )));
            }
            (true, false) => Some(2),
            (false, true) => Some(3),
            (false, false) => None,
        },
        _ => None,
    };
    found.filter(|_| !rows.contains(&0)).ok_or_else(|| {
        let expected = said.map_or_else(|| "2 or 3".to_owned(), |said| said.to_string());
        ShapeError::new_err(format!(
            "{} has the shape {}; expected n contacts of {expected} components each",
            numbers.name,
            shape_text(numbers.shape())
        ))
    })
}

/// The law with its parameters at every contact.
fn bind<'py>(
    law: Option<&Bound<'py, PyAny>>,
    restitution: Option<&Bound<'py, PyAny>>,
    friction: Option<&Bound<'py, PyAny>>,
    others: Option<&Bound<'py, PyDict>>,
    contacts: usize,
) -> PyResult<BoundLaw> {
    let law = law.map_or_else(|| find("newton-lcp").map_err(|error| errors::input(&error)), argument)?;
    let others = parameters::others(others)?;
    let given = parameters::read(law, restitution, friction, &others)?;
    let given = given.into_iter().map(|parameter| at_contacts(parameter, contacts)).collect::<PyResult<Vec<_>>>()?;
    let value = |contact: usize, key: &str| match given.iter().find(|(name, _)| *name == key) {
        Some((_, values)) => values.get(if values.len() == 1 { 0 } else { contact }).copied(),
        None => parameters::default(key),
    };
    let bound = law.bind_contacts(contacts, value).map_err(|error| errors::input(&error))?;
    let takes = |law: &carom::Law, key: &str| key == "friction" || law.takes(key);
    for (key, _) in &given {
        if !takes(law, key) && !bound.singles().iter().any(|single| takes(single.law(), key)) {
            return Err(errors::input(&Error::UnknownParameter { law: law.id, key: (*key).to_owned() }));
        }
    }
    Ok(bound)
}

/// A parameter's one value, or those at all contacts.
fn at_contacts<'a>((key, values): Parameter<'a, '_>, contacts: usize) -> PyResult<(&'a str, Vec<f64>)> {
    match values {
        Values::One(value) => Ok((key, vec![value])),
        Values::Several(numbers) if [&[1][..], &[contacts][..]].contains(&numbers.shape()) => {
            Ok((key, numbers.to_vec()?))
        }
        Values::Several(numbers) => Err(ShapeError::new_err(format!(
            "{key} has the shape {}; expected a number, or one for each of {contacts} contacts",
            shape_text(numbers.shape())
        ))),
    }
}

/// Why there is no result.
enum Refused {
    Input(Error),
    Law(carom::Inapplicable),
}

impl Refused {
    fn exception(&self) -> PyErr {
        match self {
            Refused::Input(error) => errors::input(error),
            Refused::Law(why) => errors::no_answer(why),
        }
    }
}

/// An impact with its outcome and audit.
struct Solved {
    impact: Impact,
    outcome: Outcome,
    energy_change: f64,
    audit: carom::audit::Audit,
}

impl Solved {
    fn of(
        impact: Impact,
        bound: &BoundLaw,
        motion: impl FnOnce(&Outcome) -> Result<Option<BodyMotion>, Error>,
    ) -> Result<Solved, Refused> {
        let outcome = bound.resolve(&impact).map_err(Refused::Law)?;
        let energy_change = impact.energy_change(&outcome.impulses()).map_err(Refused::Input)?;
        let motion = motion(&outcome).map_err(Refused::Input)?;
        let friction: Vec<f64> = (0..impact.contacts()).map(|contact| bound.friction(contact)).collect();
        let audit = audit(&impact, &outcome, &friction, impact.local_energy(), motion.as_ref());
        Ok(Solved { impact, outcome, energy_change, audit })
    }

    fn result(&self, py: Python<'_>, bound: &BoundLaw, after: Option<Py<PyAny>>) -> PyResult<ImpactResult> {
        let components = self.impact.components();
        let table = |vectors: Vec<Vector3<f64>>| -> PyResult<Py<PyAny>> {
            let flat: Vec<f64> = vectors.iter().flat_map(|v| v.as_slice()[..components].to_vec()).collect();
            Ok(PyArray1::from_vec(py, flat).reshape([vectors.len(), components])?.into_any().unbind())
        };
        let several = self.outcome.contacts.len() > 1;
        let of_contacts = self.outcome.contacts.iter().enumerate().flat_map(|(k, contact)| {
            let place = if several { format!("contact {}: ", k + 1) } else { String::new() };
            contact.notes.iter().map(move |note| format!("{place}{note}")).collect::<Vec<_>>()
        });
        Ok(ImpactResult {
            law: Law::of(bound.law()),
            impulse: table(self.outcome.impulses())?,
            velocity_after: table(self.outcome.velocities_after())?,
            energy_change: self.energy_change,
            mode: self.outcome.contacts.iter().map(|contact| contact.mode.name().to_owned()).collect(),
            audit: findings(py, &self.audit)?,
            notes: self.outcome.notes.iter().map(ToString::to_string).chain(of_contacts).collect(),
            generalised_velocity_after: after,
        })
    }
}
