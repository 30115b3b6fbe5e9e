//! Scenario files: their contacts by a law, and their scenes through time.

use crate::errors::{self, InputError, NoAnswerError};
use crate::input::parsed;
use crate::laws::{Law, argument};
use crate::parameters;
use crate::run::{Simulation, simulate};
use crate::watch;
use carom_study::plot::overview;
use carom_study::prediction::{Answer, Detail, PATIENCE, Refusal, predict_all, predict_within};
use carom_study::report;
use carom_study::scenario::{Engine, Scenario as Contacts, ScenarioError, SimulationScenario};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A scenario file, read by :func:`load`.
///
/// Attributes
/// ----------
/// path : pathlib.Path
///     Where it was.
/// title : str
///     The title that the file gives, or its name.
/// law : Law or None
///     The law that it names, or of its simulation.
#[pyclass(module = "carom", frozen)]
pub(crate) struct Scenario {
    #[pyo3(get)]
    path: PathBuf,
    contacts: Result<Arc<Contacts>, ScenarioError>,
    scene: Result<Arc<SimulationScenario>, ScenarioError>,
}

/// Read a scenario file, as the command ``carom`` does; or a robot in URDF.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     A file in TOML, or in URDF with the ending ``.urdf``.
///
/// Returns
/// -------
/// Scenario
///
/// Raises
/// ------
/// OSError
///     If the file cannot be read.
/// InputError
///     If something in it is wrong, with the line and the expectation.
///
/// Examples
/// --------
/// >>> import carom
/// >>> rod = carom.load("scenarios/falling-rod.toml")
/// >>> rod.collide("routh-poisson")["contacts"][0]["mode"]
/// 'c-sticking'
/// >>> ball = carom.load("scenarios/bouncing-ball.toml").simulate(duration=0.5)
/// >>> ball.status
/// 'finished'
#[pyfunction]
pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<Scenario> {
    // Python's own error names the file.
    let bytes: Vec<u8> =
        py.import("pathlib")?.getattr("Path")?.call1((&path,))?.call_method0("read_bytes")?.extract()?;
    let (contacts, scene) = py.detach(|| (Contacts::read(&path), SimulationScenario::read(&path)));
    if let (Err(of_contacts), Err(of_scene)) = (&contacts, &scene) {
        let robot = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("urdf"));
        let moves =
            robot || String::from_utf8_lossy(&bytes).lines().any(|line| line.trim_start().starts_with("[simulation"));
        return Err(unreadable(if moves { of_scene } else { of_contacts }));
    }
    Ok(Scenario { path, contacts: contacts.map(Arc::new), scene: scene.map(Arc::new) })
}

fn unreadable(error: &ScenarioError) -> PyErr {
    InputError::new_err(error.to_string())
}

#[pymethods]
impl Scenario {
    #[getter]
    fn title(&self) -> String {
        match (&self.contacts, &self.scene) {
            (Ok(contacts), _) => contacts.title.clone(),
            (_, Ok(scene)) => scene.title.clone(),
            (Err(_), Err(_)) => String::new(),
        }
    }

    #[getter]
    fn law(&self) -> Option<Law> {
        let named = self.contacts.as_ref().ok().and_then(|contacts| contacts.law);
        named.or_else(|| self.scene.as_ref().ok().map(|scene| scene.law)).map(Law::of)
    }

    /// Resolve the contacts by a law.
    ///
    /// Parameters
    /// ----------
    /// law : str or Law, optional
    ///     The law that the file names by default.
    ///
    /// Returns
    /// -------
    /// Prediction
    #[pyo3(signature = (law=None))]
    fn collide(&self, py: Python<'_>, law: Option<&Bound<'_, PyAny>>) -> PyResult<Prediction> {
        let contacts = self.contacts.as_ref().map_err(unreadable)?;
        let law = match law {
            Some(law) => argument(law)?,
            None => contacts
                .law
                .ok_or_else(|| InputError::new_err("the file names no law; expected one as the argument"))?,
        };
        let answer = watch::call(|| Ok(py.detach(|| predict_within(contacts, law, Detail::Course, PATIENCE))))?;
        match answer {
            Ok(prediction) => Ok(Prediction {
                scenario: contacts.clone(),
                answers: vec![(law, Ok(prediction))],
                kept: Some(Law::of(law)),
            }),
            Err(Refusal::Parameters(error)) => Err(errors::input(&error)),
            Err(refusal) => Err(NoAnswerError::new_err(refusal.to_string())),
        }
    }

    /// Resolve the contacts by every law: those for one contact, or those for several.
    ///
    /// Returns
    /// -------
    /// Prediction
    ///     A list of one for each law; laws without an answer give the reason under ``"not_applicable"``.
    fn compare(&self, py: Python<'_>) -> PyResult<Prediction> {
        let contacts = self.contacts.as_ref().map_err(unreadable)?;
        let answers = py.detach(|| predict_all(contacts, contacts.laws(), Detail::Outcome));
        Ok(Prediction { scenario: contacts.clone(), answers, kept: None })
    }

    /// Follow the scene through time.
    ///
    /// Parameters
    /// ----------
    /// duration : float, optional
    ///     How long, s, instead of the file's.
    /// engine : {'event', 'stepping'}, optional
    ///     The engine, instead of the file's.
    /// law : str or Law, optional
    ///     The law of impacts, as published, instead of the file's.
    /// threads : int
    ///     Threads that share the steps of large piles; 0 for as many as there are cores. The motion does not depend on it.
    ///
    /// Returns
    /// -------
    /// Simulation
    ///     Up to its failure, if it failed; its status says so.
    #[pyo3(signature = (duration=None, engine=None, law=None, *, threads=0))]
    fn simulate(
        &self,
        py: Python<'_>,
        duration: Option<f64>,
        engine: Option<&str>,
        law: Option<&Bound<'_, PyAny>>,
        threads: i64,
    ) -> PyResult<Simulation> {
        let mut scene = SimulationScenario::clone(self.scene.as_ref().map_err(unreadable)?);
        if let Some(duration) = duration {
            if !(duration.is_finite() && duration > 0.0) {
                return Err(InputError::new_err(format!(
                    "duration is {duration}; expected a number of seconds above 0"
                )));
            }
            scene.settings.duration = duration;
        }
        match engine {
            None => {}
            Some("event") => scene.settings.engine = Engine::Event,
            Some("stepping") => scene.settings.engine = Engine::Stepping,
            Some(other) => {
                return Err(InputError::new_err(format!("engine is \"{other}\"; expected event or stepping")));
            }
        }
        if let Some(law) = law {
            // As published, even if it creates energy.
            (scene.law, scene.lowers_restitution) = (argument(law)?, false);
        }
        scene.settings.threads = match parameters::threads(threads)? {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        };
        watch::call(|| simulate(py, scene, &self.path))
    }

    fn __repr__(&self) -> String {
        format!("<carom.Scenario '{}'>", self.title())
    }
}

/// The prediction of a law, or of every law, for the contacts of a scenario.
///
/// It is the JSON that the command ``carom collide`` prints: of one law a dict, of all a list of such. ``str()`` gives the table of the
/// command, and notebooks show the picture.
///
/// Attributes
/// ----------
/// data : dict or list of dict
///     Everything.
#[pyclass(module = "carom", frozen)]
pub(crate) struct Prediction {
    scenario: Arc<Contacts>,
    answers: Vec<Answer>,
    /// The law, if it is that of one.
    kept: Option<Law>,
}

#[pymethods]
impl Prediction {
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = match (&self.answers[..], &self.kept) {
            ([(_, Ok(prediction))], Some(_)) => report::json(&self.scenario, prediction),
            _ => report::json_all(&self.scenario, &self.answers),
        };
        parsed(py, &value.to_string())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.data(py)?.get_item(key)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.data(py)?.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.data(py)?.try_iter()?.into_bound_py_any(py)
    }

    fn __str__(&self) -> String {
        match (&self.answers[..], &self.kept) {
            ([(_, Ok(prediction))], Some(_)) => report::single(&self.scenario, prediction),
            _ => report::comparison(&self.scenario, &self.answers),
        }
    }

    fn __repr__(&self) -> String {
        let laws: Vec<&str> = self.answers.iter().map(|(law, _)| law.id).collect();
        format!("<carom.Prediction '{}' by {}>", self.scenario.title, laws.join(", "))
    }

    /// The impulse-space diagram, and the course of a law that follows the contact, as SVG.
    ///
    /// Returns
    /// -------
    /// str
    fn svg(&self) -> String {
        let chosen = self.answers.first().filter(|_| self.kept.is_some()).and_then(|(_, answer)| answer.as_ref().ok());
        overview(&self.scenario, &self.answers, chosen)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }
}
