//! Collisions of one contact, one or many at a time.

use crate::audits::{RESTITUTIONS, findings, nothing_found};
use crate::errors::{self, InputError, NoAnswerError, ShapeError};
use crate::input::{Numbers, Rows, broadcast, shape_text};
use crate::laws::{self as catalogue, argument};
use crate::outputs::{Make, numbers};
use crate::own::Own;
use crate::parameters::{self, ValueRows, Values, bind_one};
use crate::result::{CollideResult, DEFAULTS, DERIVATIVES, OUTPUTS, Problem};
use crate::watch;
use carom::audit::{Audit, audit_collision};
use carom::batch::{Batch, BoundBatch, Column, MODES, Outputs, Status, Unresolved};
use carom::laws;
use carom::{Collision, Mode};
use nalgebra::{Matrix3, Vector3};
use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Batches up to this size are resolved by one thread, without asking for the number of cores.
const FEW: usize = 256;

/// Resolve collisions of one contact by a law: one problem, or a batch of any shape.
///
/// A contact is reduced to its inverse mass W and the relative velocity V in the contact frame, (n, t) in the plane and
/// (n, t1, t2) in space. The law gives the impulse P, and V + W P is the velocity after.
///
/// Parameters
/// ----------
/// inverse_mass : array_like
///     W, 1/kg: matrices (..., 2, 2) or (..., 3, 3), or their upper triangles by rows, (..., 3) or (..., 6).
/// velocity : array_like
///     V before, m/s: (..., 2) or (..., 3). V_n < 0 is approach.
/// law : str or Law
///     Any law of the catalogue, see :func:`laws`, or one of your own by :func:`law`.
/// restitution, friction : array_like
///     Parameters of most laws. The defaults hold for laws that take them.
/// threads : int
///     How many threads share the rows; 0 for as many as there are cores. Results do not depend on it.
/// outputs : iterable of str, optional
///     Which of ``"impulse"``, ``"velocity_after"``, ``"energy_change"``, ``"mode"``, ``"restitution"`` and ``"audit"`` to work
///     out; all of them by default, or those of `out`. The status is always there.
/// jacobian : bool
///     Whether to work out the derivatives of impulse and velocity after by V, W and parameters as well. Laws that take no time have
///     them.
/// out : CollideResult, optional
///     The result of a former batch of the same shape, whose arrays are overwritten. This saves the time that new memory takes, which
///     for millions of rows is more than that of the law.
/// **parameters : array_like or str
///     Other parameters of the law; see :func:`law`.
///
/// All arguments broadcast as NumPy's do. Contiguous arrays of float64 and regular views of them are read where they lie.
///
/// Returns
/// -------
/// CollideResult
///     Numbers and names for one problem, arrays for a batch.
///
/// Raises
/// ------
/// InputError
///     If a number, the law or a parameter is one that no problem can have. A bad row of a batch has the status ``"invalid"``
///     instead, or ``"singular"`` if the velocity is one that a singular W does not allow.
/// ShapeError
///     If shapes do not fit each other.
/// KeyboardInterrupt
///     If Python is interrupted (Ctrl-C); arrays of `out` are then written in part.
/// NoAnswerError
///     If the law has no answer for the one problem. A row of a batch has the status ``"refused"`` or ``"singular"`` instead.
///
/// Examples
/// --------
/// A rod that falls on its end:
///
/// >>> import carom
/// >>> rod = carom.collide([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6], restitution=0.9, friction=0.8)
/// >>> rod.impulse.round(12).tolist(), rod.mode
/// ([0.76, 0.216], 'c-sticking')
///
/// The same rod at three speeds:
///
/// >>> rods = carom.collide([[2.5, -1.5], [-1.5, 2.5]], [[-1.0, 0.6], [-2.0, 0.6], [1.0, 0.6]])
/// >>> rods.impulse.shape, rods.status_names().tolist()
/// ((3, 2), ['resolved', 'resolved', 'separating'])
#[pyfunction]
#[pyo3(
    signature = (
        inverse_mass, velocity, law=None, restitution=None, friction=None, *, threads=0, outputs=None, jacobian=false, out=None,
        **parameters
    ),
    text_signature = "(inverse_mass, velocity, law='routh-poisson', restitution=0.8, friction=0.3, *, threads=0, outputs=None, jacobian=False, out=None, **parameters)"
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn collide<'py>(
    py: Python<'py>,
    inverse_mass: &Bound<'py, PyAny>,
    velocity: &Bound<'py, PyAny>,
    law: Option<&Bound<'py, PyAny>>,
    restitution: Option<&Bound<'py, PyAny>>,
    friction: Option<&Bound<'py, PyAny>>,
    threads: i64,
    outputs: Option<&Bound<'py, PyAny>>,
    jacobian: bool,
    out: Option<&Bound<'py, CollideResult>>,
    parameters: Option<&Bound<'py, PyDict>>,
) -> PyResult<CollideResult> {
    let law = law.map_or_else(|| laws::find("routh-poisson").map_err(|error| errors::input(&error)), argument)?;
    let threads = parameters::threads(threads)?;
    let out = out.map(Bound::get);
    let mut wanted = wanted(outputs, out)?;
    wanted[DEFAULTS..].fill(jacobian);
    let others = parameters::others(parameters)?;
    let mut parameters = parameters::read(law, restitution, friction, &others)?;
    for key in ["restitution", "friction"] {
        if law.takes(key) && parameters.iter().all(|(given, _)| *given != key) {
            parameters.extend(parameters::default(key).map(|value| (key, Values::One(value))));
        }
    }
    let velocity = Numbers::of("velocity", velocity)?;
    let components = components(&velocity)?;
    let inverse_mass = Numbers::of("inverse_mass", inverse_mass)?;
    let axes = matrix_axes(&inverse_mass, &velocity, components)?;
    let mut operands = vec![(&inverse_mass, axes), (&velocity, 1)];
    operands.extend(parameters.iter().filter_map(|(_, values)| match values {
        Values::One(_) => None,
        Values::Several(numbers) => Some((numbers, 0)),
    }));
    let shape = broadcast(&operands)?;
    let rows = shape.iter().try_fold(1, |rows: usize, n| rows.checked_mul(*n));
    let rows = rows.ok_or_else(|| ShapeError::new_err(format!("{} rows are too many", shape_text(&shape))))?;
    let inverse_mass = Matrices { rows: inverse_mass.in_rows(axes, &shape)?, packed: axes == 1 };
    let velocity = velocity.in_rows(1, &shape)?;
    let parameters = parameters.into_iter().map(|(key, values)| Ok((key, values.in_rows(&shape)?)));
    let parameters = parameters.collect::<PyResult<Vec<_>>>()?;
    let columns = parameters.iter().map(|(key, values)| Ok((*key, values.column()?))).collect::<PyResult<Vec<_>>>()?;
    let batch =
        if components == 2 { inverse_mass.planar(&velocity, rows) } else { inverse_mass.spatial(&velocity, rows) }?;
    let bound = batch.bind(law, &columns).map_err(|error| errors::input(&error))?;
    if shape.is_empty() {
        if out.is_some() {
            return Err(InputError::new_err("out is for batches; this is one problem"));
        }
        let problem = problem(&parameters, &inverse_mass, &velocity, components)?;
        let audit = || audit(&bound, &parameters, &inverse_mass, &velocity, components);
        return watch::call(|| one(py, &bound, wanted, problem, audit));
    }
    // A function in Python runs in one thread, that of the call.
    let threads = if rows <= FEW || Own::of(law).is_some() { 1 } else { threads };
    watch::call(|| many(py, &bound, wanted, shape, threads, out))
}

/// Which of the [`OUTPUTS`] to work out.
fn wanted(given: Option<&Bound<PyAny>>, out: Option<&CollideResult>) -> PyResult<[bool; OUTPUTS.len()]> {
    let mut wanted = [false; OUTPUTS.len()];
    let Some(given) = given else {
        wanted[..DEFAULTS].fill(true);
        return Ok(out.map_or(wanted, |out| out.outputs.each_ref().map(Option::is_some)));
    };
    let choices = &OUTPUTS[..DEFAULTS];
    let expected = || format!("expected some of {}", choices.join(", "));
    if given.is_instance_of::<PyString>() {
        return Err(InputError::new_err(format!("outputs is one word; {}, in a list", expected())));
    }
    for name in given.try_iter()? {
        let name: String = name?.extract()?;
        match choices.iter().position(|known| *known == name) {
            Some(place) => wanted[place] = true,
            // It is always there.
            None if name == "status" => {}
            None => return Err(InputError::new_err(format!("there is no output \"{name}\"; {}", expected()))),
        }
    }
    Ok(wanted)
}

/// The components of a velocity.
pub(crate) fn components(velocity: &Numbers) -> PyResult<usize> {
    match velocity.shape() {
        [.., n @ (2 | 3)] => Ok(*n),
        shape => Err(ShapeError::new_err(format!(
            "velocity has the shape {}; expected (..., 2) in the plane or (..., 3) in space",
            shape_text(shape)
        ))),
    }
}

/// The last axes of an inverse mass that belong to one contact: 2 of matrices, 1 of their upper triangles.
pub(crate) fn matrix_axes(inverse_mass: &Numbers, velocity: &Numbers, components: usize) -> PyResult<usize> {
    let entries = components * (components + 1) / 2;
    match inverse_mass.shape() {
        [.., i, j] if (*i, *j) == (components, components) => Ok(2),
        [.., n] if *n == entries => Ok(1),
        shape => Err(ShapeError::new_err(format!(
            "inverse_mass has the shape {}, velocity {}; expected an inverse mass of (..., {components}, {components}) or \
             (..., {entries}) beside it",
            shape_text(shape),
            shape_text(velocity.shape())
        ))),
    }
}

/// Inverse masses row by row.
struct Matrices<'a, 'py> {
    rows: Rows<'a, 'py>,
    packed: bool,
}

impl Matrices<'_, '_> {
    /// One entry of every row.
    fn entry(&self, i: usize, j: usize, components: usize) -> PyResult<Column<'_>> {
        if self.packed { self.rows.column(&[packed(i, j, components)]) } else { self.rows.column(&[i, j]) }
    }

    /// The same of the first row.
    fn first(&self, i: usize, j: usize, components: usize) -> PyResult<f64> {
        if self.packed { self.rows.first(&[packed(i, j, components)]) } else { self.rows.first(&[i, j]) }
    }

    fn planar<'b>(&'b self, velocity: &'b Rows, rows: usize) -> PyResult<Batch<'b>> {
        let w = |i, j| self.entry(i, j, 2);
        let v = [velocity.column(&[0])?, velocity.column(&[1])?];
        let inverse_mass = [[w(0, 0)?, w(0, 1)?], [w(1, 0)?, w(1, 1)?]];
        Batch::planar(rows, inverse_mass, v).map_err(|error| errors::input(&error))
    }

    fn spatial<'b>(&'b self, velocity: &'b Rows, rows: usize) -> PyResult<Batch<'b>> {
        let w = |i, j| self.entry(i, j, 3);
        let v = [velocity.column(&[0])?, velocity.column(&[1])?, velocity.column(&[2])?];
        let row = |i| -> PyResult<_> { Ok([w(i, 0)?, w(i, 1)?, w(i, 2)?]) };
        Batch::spatial(rows, [row(0)?, row(1)?, row(2)?], v).map_err(|error| errors::input(&error))
    }
}

/// The place of an entry in the upper triangle by rows, each of which has one entry less than the one before.
fn packed(i: usize, j: usize, components: usize) -> usize {
    let (i, j) = (i.min(j), i.max(j));
    i * components - i * i.saturating_sub(1) / 2 + j - i
}

/// A batch, with its outputs in arrays.
fn many(
    py: Python<'_>,
    bound: &BoundBatch,
    wanted: [bool; OUTPUTS.len()],
    shape: Vec<usize>,
    threads: usize,
    out: Option<&CollideResult>,
) -> PyResult<CollideResult> {
    let make = Make { py, shape: &shape, out };
    let [impulse, velocity_after, energy_change, mode, restitution, audit, jacobian, _] = wanted;
    let components = bound.components();
    let impulse = make.output::<f64>("impulse", impulse, Some(components))?;
    let velocity_after = make.output::<f64>("velocity_after", velocity_after, Some(components))?;
    let energy_change = make.output::<f64>("energy_change", energy_change, None)?;
    let mode = make.output::<u8>("mode", mode, None)?;
    let status = make.output::<u8>("status", true, None)?;
    let restitution = make.output::<f64>("restitution", restitution, Some(RESTITUTIONS.len()))?;
    let audit = make.output::<u8>("audit", audit, None)?;
    {
        let (mut impulse, mut velocity_after) = (impulse.lock()?, velocity_after.lock()?);
        let (mut energy_change, mut mode, mut status) = (energy_change.lock()?, mode.lock()?, status.lock()?);
        let (mut restitution, mut audit) = (restitution.lock()?, audit.lock()?);
        let mut outputs = Outputs {
            impulse: numbers(&mut impulse)?,
            velocity_after: numbers(&mut velocity_after)?,
            energy_change: numbers(&mut energy_change)?,
            mode: numbers(&mut mode)?,
            status: numbers(&mut status)?,
            restitution: numbers(&mut restitution)?,
            audit: numbers(&mut audit)?,
        };
        interruptible(py, |goes_on| bound.resolve_while(&mut outputs, threads, goes_on))?;
    }
    let derivatives = jacobian.then(|| derivatives(py, bound, &shape, threads)).transpose()?;
    let (jacobian, derivative) = derivatives.unzip();
    let outputs = [
        impulse.finish()?,
        velocity_after.finish()?,
        energy_change.finish()?,
        mode.finish()?,
        restitution.finish()?,
        audit.finish()?,
        jacobian,
        derivative,
    ];
    Ok(CollideResult {
        law: catalogue::Law::of(bound.law()),
        shape,
        status: status.finish()?.into_py_any(py)?,
        outputs,
        problem: None,
    })
}

/// Time between two looks for an interrupt.
const LOOK: Duration = Duration::from_millis(50);

/// Works on a batch without Python, but looks for an interrupt (Ctrl-C) now and then, after which the work does not go on.
fn interruptible(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> Result<(), carom::Error> + Send,
) -> PyResult<()> {
    // Python delivers signals to the calling thread only, and that thread works too.
    let caller = std::thread::current().id();
    let state = Mutex::new((Instant::now(), None));
    let stopped = AtomicBool::new(false);
    let goes_on = || {
        if std::thread::current().id() == caller
            && let Ok(mut state) = state.lock()
            && state.0.elapsed() >= LOOK
        {
            #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is not one for all lifetimes")]
            let signals = Python::attach(|py| py.check_signals());
            state.0 = Instant::now();
            if let Err(interrupt) = signals {
                state.1 = Some(interrupt);
                stopped.store(true, Ordering::Relaxed);
            }
        }
        !stopped.load(Ordering::Relaxed)
    };
    py.detach(|| work(&goes_on)).map_err(|error| errors::input(&error))?;
    match state.into_inner() {
        Ok((_, Some(interrupt))) => Err(interrupt),
        _ => Ok(()),
    }
}

/// Matrices of derivatives, and what is known of them, for a batch of a shape.
fn derivatives(
    py: Python<'_>,
    bound: &BoundBatch,
    shape: &[usize],
    threads: usize,
) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
    let make = Make { py, shape: &[shape, &[2 * bound.components(), bound.inputs()]].concat(), out: None };
    let matrices = make.output::<f64>("jacobian", true, None)?;
    let kinds = Make { py, shape, out: None }.output::<u8>("derivative", true, None)?;
    {
        let (mut matrices, mut kinds) = (matrices.lock()?, kinds.lock()?);
        let (matrices, kinds) = (numbers(&mut matrices)?.unwrap_or_default(), numbers(&mut kinds)?.unwrap_or_default());
        interruptible(py, |goes_on| bound.differentiate_while(matrices, kinds, threads, goes_on))?;
    }
    Ok((matrices.finish()?.into_py_any(py)?, kinds.finish()?.into_py_any(py)?))
}

/// One problem, with its outputs as numbers and names.
fn one(
    py: Python<'_>,
    bound: &BoundBatch,
    wanted: [bool; OUTPUTS.len()],
    problem: Problem,
    audited: impl FnOnce() -> PyResult<Audit>,
) -> PyResult<CollideResult> {
    let components = bound.components();
    let (mut impulse, mut velocity_after, mut energy_change) = ([0.0; 3], [0.0; 3], [0.0]);
    let (mut mode, mut status, mut restitution, mut audit) = ([0], [0], [0.0; 4], [0]);
    let mut outputs = Outputs {
        impulse: Some(&mut impulse[..components]),
        velocity_after: Some(&mut velocity_after[..components]),
        energy_change: Some(&mut energy_change),
        mode: Some(&mut mode),
        status: Some(&mut status),
        restitution: Some(&mut restitution),
        audit: Some(&mut audit),
    };
    bound.resolve(&mut outputs, 1).map_err(|error| errors::input(&error))?;
    if ![Status::Resolved as u8, Status::Separating as u8].contains(&status[0]) {
        return Err(match bound.outcome(0) {
            Some(Err(Unresolved::Law(why))) if Own::of(bound.law()).is_some() => {
                NoAnswerError::new_err(format!("law `{}`: {why}", bound.law().id))
            }
            Some(Err(why)) => errors::unresolved(&why),
            _ => InputError::new_err("the law has no answer"),
        });
    }
    let vector = |numbers: &[f64; 3]| PyArray1::from_slice(py, &numbers[..components]).into_any().unbind();
    let name = |names: &[&str], place: u8| names.get(usize::from(place)).copied().unwrap_or_default().into_py_any(py);
    let (jacobian, derivative) = if wanted[DEFAULTS] {
        let (matrix, kind) = derivatives(py, bound, &[1], 1)?;
        let kind: u8 = kind.bind(py).get_item(0)?.extract()?;
        let known = DERIVATIVES.into_iter().find(|(_, derivative)| *derivative as u8 == kind);
        (matrix.bind(py).get_item(0)?.unbind(), known.map(|(name, _)| name).into_py_any(py)?)
    } else {
        (py.None(), py.None())
    };
    let audit = if audit[0] == 0 { nothing_found(py)? } else { findings(py, &audited()?)? };
    let all = [
        vector(&impulse),
        vector(&velocity_after),
        energy_change[0].into_py_any(py)?,
        name(&MODES.map(Mode::name), mode[0])?,
        restitutions(py, &restitution)?,
        audit,
        jacobian,
        derivative,
    ];
    let mut wanted = wanted.into_iter();
    let outputs = all.map(|output| wanted.next().unwrap_or_default().then_some(output));
    let status = name(&Status::ALL.map(Status::name), status[0])?;
    Ok(CollideResult {
        law: catalogue::Law::of(bound.law()),
        shape: Vec::new(),
        status,
        outputs,
        problem: Some(problem),
    })
}

/// Each restitution by its name; `None` where the outcome does not define it.
fn restitutions(py: Python<'_>, values: &[f64; 4]) -> PyResult<Py<PyAny>> {
    let named = PyDict::new(py);
    for (name, value) in RESTITUTIONS.iter().zip(values) {
        named.set_item(*name, (!value.is_nan()).then_some(*value))?;
    }
    Ok(named.into_any().unbind())
}

/// The audit of one problem, with the amounts, by the law itself.
fn audit(
    bound: &BoundBatch,
    values: &[(&str, ValueRows)],
    matrices: &Matrices,
    velocity: &Rows,
    components: usize,
) -> PyResult<Audit> {
    let friction = bind_one(bound.law(), values)?.friction(0);
    let collision = collision(matrices, velocity, components)?;
    match bound.outcome(0) {
        Some(Ok(outcome)) => Ok(audit_collision(&collision, &outcome, friction)),
        Some(Err(why)) => Err(errors::unresolved(&why)),
        None => Err(InputError::new_err("the law has no answer")),
    }
}

/// The numbers of the one problem.
fn problem(values: &[(&str, ValueRows)], matrices: &Matrices, velocity: &Rows, components: usize) -> PyResult<Problem> {
    let value = |wanted: &str| {
        values.iter().find_map(|(key, values)| match values {
            ValueRows::One(value) if *key == wanted => Some(*value),
            _ => None,
        })
    };
    let (friction, restitution) = (value("friction"), value("restitution"));
    let mut problem = Problem { inverse_mass: [0.0; 9], velocity: [0.0; 3], components, friction, restitution };
    for i in 0..components {
        problem.velocity[i] = velocity.first(&[i])?;
        for j in 0..components {
            problem.inverse_mass[3 * i + j] = matrices.first(i, j, components)?;
        }
    }
    Ok(problem)
}

/// The collision of the first row.
fn collision(matrices: &Matrices, velocity: &Rows, components: usize) -> PyResult<Collision> {
    let w = |i: usize, j: usize| matrices.first(i, j, components);
    let v = |i: usize| velocity.first(&[i]);
    let collision = if components == 2 {
        Collision::planar([[w(0, 0)?, w(0, 1)?], [w(1, 0)?, w(1, 1)?]], [v(0)?, v(1)?])
    } else {
        let rows = [w(0, 0)?, w(0, 1)?, w(0, 2)?, w(1, 0)?, w(1, 1)?, w(1, 2)?, w(2, 0)?, w(2, 1)?, w(2, 2)?];
        Collision::new(&Matrix3::from_row_slice(&rows), &Vector3::new(v(0)?, v(1)?, v(2)?))
    };
    collision.map_err(|error| errors::input(&error))
}

/// The collision of one problem, whose inverse mass has this number of axes.
pub(crate) fn one_collision(
    inverse_mass: Numbers,
    axes: usize,
    velocity: Numbers,
    components: usize,
) -> PyResult<Collision> {
    let matrices = Matrices { rows: inverse_mass.in_rows(axes, &[])?, packed: axes == 1 };
    collision(&matrices, &velocity.in_rows(1, &[])?, components)
}
