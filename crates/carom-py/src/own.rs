//! Laws of one's own: a function in Python as the method of a law.

use crate::errors::{self, ShapeError};
use crate::input::{Numbers, shape_text};
use crate::watch;
use carom::laws::{Fallback, Kind, Law, OneContact, Parameter, Posed};
use carom::{Collision, ContactHistory, ContactOutcome, Dimension, Inapplicable, Section};
use nalgebra::Vector3;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Rows of a batch that one call of a function resolves.
const ROWS: usize = 16_384;

/// A law that is in use. Laws live as long as the program, so a law whose last user has gone gives its function back and waits for
/// another of the same id and parameters.
pub(crate) struct Own {
    pub(crate) law: &'static Law,
    slot: &'static Slot,
}

/// What a law of one's own is called, takes and gets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signature {
    pub(crate) id: String,
    pub(crate) summary: String,
    /// Key, bounds and default of each parameter.
    pub(crate) parameters: Vec<(String, f64, f64, Option<f64>)>,
    /// Whether the function takes many collisions at once.
    pub(crate) vectorised: bool,
    /// Whether the function takes planar collisions only.
    pub(crate) planar: bool,
}

/// The method of a law of one's own.
struct Slot {
    signature: Signature,
    /// The place of the coefficient of friction among the parameters.
    friction: Option<usize>,
    function: Mutex<Option<Py<PyAny>>>,
}

/// The laws that were made: those in use by their address, and those that wait.
#[derive(Default)]
struct Made {
    in_use: HashMap<usize, Weak<Own>>,
    waiting: Vec<(&'static Law, &'static Slot)>,
}

static MADE: Mutex<Option<Made>> = Mutex::new(None);

fn made<T>(change: impl FnOnce(&mut Made) -> T) -> T {
    change(lock(&MADE).get_or_insert_default())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn address(law: &'static Law) -> usize {
    std::ptr::from_ref(law).addr()
}

impl Own {
    /// A law whose method is this function.
    pub(crate) fn new(signature: Signature, function: Py<PyAny>) -> PyResult<Arc<Own>> {
        let waiting = made(|made| {
            let place = made.waiting.iter().position(|(_, slot)| slot.signature == signature)?;
            Some(made.waiting.swap_remove(place))
        });
        let (law, slot) = match waiting {
            Some(found) => found,
            None => leaked(signature)?,
        };
        *lock(&slot.function) = Some(function);
        let own = Arc::new(Own { law, slot });
        made(|made| made.in_use.insert(address(law), Arc::downgrade(&own)));
        Ok(own)
    }

    /// The law in use at this place; `None` for those of the catalogue.
    pub(crate) fn of(law: &'static Law) -> Option<Arc<Own>> {
        made(|made| made.in_use.get(&address(law))?.upgrade())
    }

    /// The laws in use, by their ids.
    pub(crate) fn in_use() -> Vec<Arc<Own>> {
        // Not dropped under the lock, which their last reference takes.
        let mut laws: Vec<Arc<Own>> = made(|made| made.in_use.values().filter_map(Weak::upgrade).collect());
        laws.sort_by_key(|own| (own.law.id, address(own.law)));
        laws
    }

    /// The function.
    pub(crate) fn function(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        lock(&self.slot.function).as_ref().map(|function| function.clone_ref(py))
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // The function may run code of its own when it goes: not under the lock.
        let function = lock(&self.slot.function).take();
        made(|made| {
            made.in_use.remove(&address(self.law));
            made.waiting.push((self.law, self.slot));
        });
        drop(function);
    }
}

/// A law that lives as long as the program.
fn leaked(signature: Signature) -> PyResult<(&'static Law, &'static Slot)> {
    let parameters: Vec<Parameter> = signature
        .parameters
        .iter()
        .map(|(key, least, greatest, default)| Parameter {
            key: key.clone().leak(),
            symbol: "",
            meaning: "",
            kind: Kind::Number { least: *least, greatest: *greatest },
            fallback: default.map_or(Fallback::Required, Fallback::Value),
            leaves_plane: false,
        })
        .collect();
    let place = |key: &str| parameters.iter().position(|parameter| parameter.key == key);
    let friction = place("static_friction").or(place("friction"));
    let (id, summary) = (signature.id.clone(), signature.summary.clone());
    let slot: &'static Slot = Box::leak(Box::new(Slot { signature, friction, function: Mutex::new(None) }));
    let law = Law::of_one_contact(id, parameters, slot).summary(summary).into_static();
    Ok((law.map_err(|error| errors::input(&error))?, slot))
}

/// A collision as the function sees it.
struct Question<'a> {
    collision: &'a Collision,
    values: &'a [f64],
    /// The plane, for a function of planar collisions.
    section: Option<Section>,
}

impl OneContact for &'static Slot {
    fn resolve(
        &self,
        collision: &Collision,
        values: &[f64],
        _history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let mut outcomes = self.resolve_rows(Dimension::Spatial, &[Posed { collision: *collision, values }]);
        outcomes.pop().unwrap_or(Err(Inapplicable::NoSolution))
    }

    fn rows_at_once(&self) -> usize {
        ROWS
    }

    fn resolve_rows(&self, dimension: Dimension, rows: &[Posed]) -> Vec<Result<ContactOutcome, Inapplicable>> {
        let planar = self.signature.planar || dimension.is_planar();
        let mut outcomes: Vec<_> =
            rows.iter().map(|row| Ok(ContactOutcome::jump(&row.collision, Vector3::zeros(), 0.0))).collect();
        let (mut places, mut questions) = (Vec::new(), Vec::new());
        for (place, row) in rows.iter().enumerate().filter(|(_, row)| row.collision.is_approaching()) {
            let section = row.collision.planar_section().filter(|_| planar && !dimension.is_planar());
            if planar && !dimension.is_planar() && section.is_none() {
                outcomes[place] = Err(Inapplicable::NotPlanar);
                continue;
            }
            places.push(place);
            questions.push(Question { collision: &row.collision, values: row.values, section });
        }
        if questions.is_empty() {
            return outcomes;
        }
        let impulses = watch::guarded(|py| self.answers(py, &questions, if planar { 2 } else { 3 }));
        for (k, (place, question)) in places.into_iter().zip(&questions).enumerate() {
            outcomes[place] = match &impulses {
                None => Err(Inapplicable::InvalidSolution { fault: "an exception" }),
                Some(impulses) if !impulses[k].iter().all(|number| number.is_finite()) => Err(Inapplicable::NotFinite),
                Some(impulses) => {
                    let friction = self.friction.map_or(0.0, |place| question.values[place]);
                    Ok(ContactOutcome::jump(question.collision, impulses[k], friction))
                }
            };
        }
        outcomes
    }
}

impl Question<'_> {
    /// W by rows, then V, in n components.
    fn numbers(&self, n: usize) -> (Vec<f64>, Vec<f64>) {
        let (w, v) = match &self.section {
            Some(section) => {
                let (w, v) = (&section.inverse_mass, &section.velocity);
                return (w.as_slice().to_vec(), v.as_slice().to_vec());
            }
            None => (self.collision.inverse_mass(), self.collision.velocity()),
        };
        ((0..n * n).map(|k| w[(k / n, k % n)]).collect(), v.as_slice()[..n].to_vec())
    }

    /// An impulse of the function's.
    fn impulse(&self, p: &[f64]) -> Vector3<f64> {
        match (&self.section, p) {
            (Some(section), [normal, along]) => section.to_contact(*normal, *along),
            _ => Vector3::from_fn(|k, _| p.get(k).copied().unwrap_or(0.0)),
        }
    }
}

impl Slot {
    /// The impulses by the function.
    fn answers(&self, py: Python<'_>, questions: &[Question], n: usize) -> PyResult<Vec<Vector3<f64>>> {
        let function = lock(&self.function).as_ref().map(|function| function.clone_ref(py));
        let function = function.ok_or_else(|| {
            errors::CaromError::new_err(format!(
                "law `{}` is used after its last reference was dropped",
                self.signature.id
            ))
        })?;
        let function = function.bind(py);
        if self.signature.vectorised {
            let found = self.ask(function, questions, n, &[questions.len()])?;
            return Ok(questions.iter().zip(found.chunks_exact(n)).map(|(question, p)| question.impulse(p)).collect());
        }
        let each = questions.iter().map(|question| {
            let found = self.ask(function, std::slice::from_ref(question), n, &[])?;
            Ok(question.impulse(&found))
        });
        each.collect()
    }

    /// What the function returns for collisions of a shape: n components each.
    fn ask(
        &self,
        function: &Bound<'_, PyAny>,
        questions: &[Question],
        n: usize,
        shape: &[usize],
    ) -> PyResult<Vec<f64>> {
        let py = function.py();
        let (mut matrices, mut velocities) = (Vec::new(), Vec::new());
        for question in questions {
            let (w, v) = question.numbers(n);
            matrices.extend(w);
            velocities.extend(v);
        }
        let expected = [shape, &[n]].concat();
        let matrices = PyArray1::from_vec(py, matrices).reshape([shape, &[n, n]].concat())?;
        let velocities = PyArray1::from_vec(py, velocities).reshape(expected.clone())?;
        let parameters = PyDict::new(py);
        for (place, (key, ..)) in self.signature.parameters.iter().enumerate() {
            if let ([], [question]) = (shape, questions) {
                parameters.set_item(key, question.values[place])?;
            } else {
                let values = questions.iter().map(|question| question.values[place]);
                parameters.set_item(key, PyArray1::from_iter(py, values))?;
            }
        }
        let found = function.call((matrices, velocities), Some(&parameters))?;
        let name = format!("the impulse of law `{}`", self.signature.id);
        let found = Numbers::of(&name, &found)?;
        if found.shape() != expected {
            return Err(ShapeError::new_err(format!(
                "law `{}` returned an impulse of the shape {}; expected {}",
                self.signature.id,
                shape_text(found.shape()),
                shape_text(&expected)
            )));
        }
        found.to_vec()
    }
}
