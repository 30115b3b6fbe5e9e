//! Scenarios: their contacts by a law, and their scenes through time.

use crate::errors::{self, InputError, NoAnswerError};
use crate::follow::{follow, interval};
use crate::laws::{Law, argument};
use crate::parameters;
use crate::parcel::Parcel;
use crate::prediction::Prediction;
use crate::run::{Checkpoint, Simulation};
use crate::setup::{self, Setup};
use crate::source::{Source, sentence};
use crate::watch;
use carom_study::prediction::{Detail, PATIENCE, Refusal, predict_all, predict_within};
use carom_study::scenario::{
    Engine, Files, OwnLaws, Scenario as Contacts, ScenarioError, SimulationScenario, check_tables, check_tables_with,
};
use carom_study::simulation::{CannotStart, Runner};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Contacts to resolve, a scene to follow through time, or both: a scenario file, read by :func:`load`, or a :class:`Scene`.
///
/// Nothing in it changes: threads may share it. It can be pickled, with the other files that it names.
///
/// Attributes
/// ----------
/// path : pathlib.Path or None
///     Where its file was, if it has one.
/// title : str
///     The title that it gives, or the name of its file.
/// law : Law or None
///     The law that it names, or of its simulation.
#[pyclass(module = "carom", frozen)]
pub(crate) struct Scenario {
    source: Arc<Source>,
    contacts: Result<Arc<Contacts>, ScenarioError>,
    scene: Result<Arc<SimulationScenario>, ScenarioError>,
}

/// What a scenario is restored from: its parcel, its law of one's own, and the others whose parameters it gives.
type Pickled = (Vec<u8>, Option<Law>, Vec<Law>);

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
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Scenario::new(Source { path: Some(path), text, ..Source::default() }, contacts, scene)
}

/// The scenario of a text that a program made.
#[pyfunction(name = "_scenario")]
#[expect(clippy::needless_pass_by_value, reason = "made of an argument of Python's")]
pub(crate) fn scenario(
    py: Python<'_>,
    text: String,
    folder: PathBuf,
    items: Vec<(usize, String)>,
    law: Option<Law>,
) -> PyResult<Scenario> {
    let source = Source { text, items, law, others: Law::in_use(), ..Source::default() };
    let name = source.name().display().to_string();
    let own = source.own_laws();
    let (contacts, scene) = py.detach(|| {
        let (text, files) = (&source.text, || Files::beside(Some(folder.as_path())));
        (Contacts::parse_with(&name, text, files(), &own), SimulationScenario::parse_with(&name, text, files(), &own))
    });
    let others = needed(source.law.as_ref(), &source.others, &contacts, &scene);
    Scenario::new(Source { others, ..source }, contacts, scene)
}

/// The laws of one's own, beside the chosen one, of which a scenario gives parameters that only they know.
fn needed(
    chosen: Option<&Law>,
    others: &[Law],
    contacts: &Result<Contacts, ScenarioError>,
    scene: &Result<SimulationScenario, ScenarioError>,
) -> Vec<Law> {
    let of_contacts = contacts.iter().flat_map(Contacts::parameters).map(|(key, _)| key);
    let of_scene = scene.iter().flat_map(|scene| scene.given_parameters.iter().copied());
    let mut keys: Vec<&str> = of_contacts.chain(of_scene).collect();
    keys.retain(|key| chosen.is_none_or(|law| !OwnLaws::adds(law.law, key)));
    others.iter().filter(|law| keys.iter().any(|key| OwnLaws::adds(law.law, key))).cloned().collect()
}

/// Checks the keys and values of an item of a scene.
#[pyfunction(name = "_check_item")]
#[pyo3(signature = (item, text, law=None))]
pub(crate) fn check_item(item: &str, text: &str, law: Option<&Law>) -> PyResult<()> {
    let others = Law::in_use();
    let own = OwnLaws::new(law.map(|law| law.law), others.iter().map(|law| law.law));
    check_tables_with(item, text, &own).map_err(|error| InputError::new_err(sentence(&error, Some(item))))
}

/// Checks that a text holds nothing that only laws of one's own know.
#[pyfunction(name = "_check_file")]
pub(crate) fn check_file(text: &str) -> PyResult<()> {
    check_tables("file", text).map_err(|error| {
        InputError::new_err(format!("a file holds no parameters of laws of your own: {}", sentence(&error, None)))
    })
}

/// A scenario that was pickled.
#[pyfunction(name = "_restored_scenario")]
#[pyo3(signature = (bytes, law=None, others=Vec::new()))]
pub(crate) fn restored_scenario(
    py: Python<'_>,
    bytes: &[u8],
    law: Option<Law>,
    others: Vec<Law>,
) -> PyResult<Scenario> {
    let mut parcel = Parcel::unpack(Scenario::KIND, bytes)?;
    let about = parcel.about.clone();
    let source = Source { law, others, ..Source::of_pieces(&about, &mut parcel)? };
    let (contacts, scene) = py.detach(|| read(&source));
    Scenario::new(source, contacts, scene)
}

/// Reads a text with copies of the files that it names.
fn read(source: &Source) -> (Result<Contacts, ScenarioError>, Result<SimulationScenario, ScenarioError>) {
    let (name, files) = (source.name().display().to_string(), Files::copies(source.files.clone()));
    (Contacts::parse_with(&name, &source.text, files, &source.own_laws()), setup::read(source))
}

/// A prediction that was pickled: the law answers again.
#[pyfunction(name = "_restored_prediction")]
#[pyo3(signature = (scenario, law))]
pub(crate) fn restored_prediction(
    scenario: &Bound<'_, Scenario>,
    law: Option<&Bound<'_, PyAny>>,
) -> PyResult<Prediction> {
    if law.is_some() { Scenario::collide(scenario, law) } else { Scenario::compare(scenario) }
}

#[pymethods]
impl Scenario {
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.source.path.clone()
    }

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

    /// The scenario as the text of a file that the command ``carom`` reads to the same numbers, bit for bit.
    ///
    /// Returns
    /// -------
    /// str
    ///     The very text that was read, if it names no other files. Otherwise robots and meshes stand in it as bodies and parts; it then
    ///     holds the scene, and not its contacts.
    fn to_toml(&self) -> PyResult<String> {
        if let Some(law) = self.source.needs() {
            return Err(InputError::new_err(format!(
                "the law `{}` is a function of Python, which a file does not hold, and its parameters are no keys of a file; expected \
                 a law of the catalogue",
                law.law.id
            )));
        }
        if self.source.files.is_empty() && !self.source.is_robot() {
            return Ok(self.source.text.clone());
        }
        self.scene()?.to_toml().map_err(|error| InputError::new_err(error.to_string()))
    }

    /// Resolve the contacts by a law.
    ///
    /// Parameters
    /// ----------
    /// law : str or Law, optional
    ///     The law that the scenario names by default.
    ///
    /// Returns
    /// -------
    /// Prediction
    #[pyo3(signature = (law=None))]
    fn collide(slf: &Bound<'_, Scenario>, law: Option<&Bound<'_, PyAny>>) -> PyResult<Prediction> {
        let contacts = slf.get().contacts()?;
        let law = match law {
            Some(law) => argument(law)?,
            None => contacts
                .law
                .ok_or_else(|| InputError::new_err("the scenario names no law; expected one as the argument"))?,
        };
        let py = slf.py();
        let answer = watch::call(|| Ok(py.detach(|| predict_within(contacts, law, Detail::Course, PATIENCE))))?;
        match answer {
            Ok(prediction) => Ok(Prediction {
                of: slf.clone().into_any().unbind(),
                scenario: contacts.clone(),
                answers: vec![(law, Ok(prediction))],
                kept: Some(Law::of(law)),
            }),
            Err(Refusal::Parameters(error)) => Err(errors::input(&error)),
            Err(refusal) => Err(NoAnswerError::new_err(refusal.to_string())),
        }
    }

    /// Resolve the contacts by every law: those for one contact, or those for several, and a law of your own that the scene chose.
    ///
    /// Returns
    /// -------
    /// Prediction
    ///     A list of one for each law; laws without an answer give the reason under ``"not_applicable"``.
    fn compare(slf: &Bound<'_, Scenario>) -> PyResult<Prediction> {
        let contacts = slf.get().contacts()?;
        let py = slf.py();
        let own = contacts.law.filter(|_| slf.get().source.law.is_some());
        let laws = contacts.laws().iter().chain(own);
        let answers = watch::call(|| Ok(py.detach(|| predict_all(contacts, laws, Detail::Outcome))))?;
        Ok(Prediction { of: slf.clone().into_any().unbind(), scenario: contacts.clone(), answers, kept: None })
    }

    /// Follow the scene through time. Other threads of Python run meanwhile, and an interrupt (Ctrl-C) stops it.
    ///
    /// Parameters
    /// ----------
    /// duration : float, optional
    ///     How long, s, instead of the scenario's own.
    /// engine : {'event', 'stepping'}, optional
    ///     The engine, instead of the scenario's own.
    /// law : str or Law, optional
    ///     The law of impacts, as published, instead of the scenario's own.
    /// threads : int
    ///     Threads that share the steps of large piles; 0 for as many as there are cores. The motion does not depend on it.
    /// progress : bool
    ///     Whether to show a bar on a terminal or in a notebook.
    /// checkpoint_every : float, optional
    ///     Simulated time between checkpoints, s. The last bits of a run event by event depend on where they are.
    /// on_checkpoint : callable, optional
    ///     It is called with each :class:`Checkpoint` on the way, for instance to store it.
    ///
    /// Returns
    /// -------
    /// Simulation
    ///     Up to its failure, if it failed; its status says so.
    #[pyo3(signature = (
        duration=None, engine=None, law=None, *, threads=0, progress=false, checkpoint_every=None, on_checkpoint=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
    fn simulate(
        &self,
        py: Python<'_>,
        duration: Option<f64>,
        engine: Option<&str>,
        law: Option<&Bound<'_, PyAny>>,
        threads: i64,
        progress: bool,
        checkpoint_every: Option<f64>,
        on_checkpoint: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Simulation> {
        let scene = SimulationScenario::clone(self.scene()?);
        let mut setup = Setup { source: self.source.clone(), law: Law::of(scene.law), scene };
        setup.last(duration)?;
        if let Some(engine) = engine {
            setup.scene.settings.engine = Engine::of_word(engine)
                .ok_or_else(|| InputError::new_err(format!("engine is \"{engine}\"; expected event or stepping")))?;
        }
        if let Some(law) = law {
            // As published, even if it creates energy.
            (setup.scene.law, setup.scene.lowers_restitution) = (argument(law)?, false);
            setup.law = Law::of(setup.scene.law);
        }
        setup.scene.settings.threads = parameters::cores(threads)?;
        let every = interval(checkpoint_every)?;
        if on_checkpoint.is_some() && every.is_none() {
            return Err(InputError::new_err("on_checkpoint is given without checkpoint_every; expected both"));
        }
        let setup = Arc::new(setup);
        let runner = py.detach(|| Runner::new(&setup.scene, every)).map_err(|error| self.cannot_start(&error))?;
        let followed = watch::call(|| {
            follow(py, &setup, runner, progress, |file, run| match on_checkpoint {
                Some(told) => told.call1((Checkpoint::on_the_way(setup.clone(), file, run),)).map(|_| ()),
                None => Ok(()),
            })
        })?;
        Ok(Simulation::new(setup, followed))
    }

    fn __repr__(&self) -> String {
        format!("<carom.Scenario '{}'>", self.title())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let (about, pieces) = self.source.pieces();
        let bytes = Parcel { about, pieces }.pack(Scenario::KIND);
        let others = self.importable(py)?;
        Ok((py.import("carom._carom")?.getattr("_restored_scenario")?, (bytes, self.source.law.clone(), others)))
    }
}

impl Scenario {
    /// The kind of its parcels.
    const KIND: &str = "scenario";

    /// A text that was read, with the files that it names.
    fn new(
        source: Source,
        contacts: Result<Contacts, ScenarioError>,
        scene: Result<SimulationScenario, ScenarioError>,
    ) -> PyResult<Scenario> {
        let files = match (&contacts, &scene) {
            (Err(of_contacts), Err(of_scene)) => {
                let moves = || source.text.lines().any(|line| line.trim_start().starts_with("[simulation"));
                return Err(source.refused(if source.is_robot() || moves() { of_scene } else { of_contacts }));
            }
            // A scene names all that its contacts do.
            (_, Ok(scene)) => scene.files.clone(),
            (Ok(contacts), _) => contacts.files.clone(),
        };
        let source = Arc::new(Source { files, ..source });
        Ok(Scenario { source, contacts: contacts.map(Arc::new), scene: scene.map(Arc::new) })
    }

    /// The other laws that can be pickled. One that cannot only has to be there if the text cannot be read without it: it may share its keys
    /// with laws that can.
    fn importable(&self, py: Python<'_>) -> PyResult<Vec<Law>> {
        let (mut kept, mut refused) = (Vec::new(), None);
        for law in &self.source.others {
            match Bound::new(py, law.clone())?.call_method0("__reduce__") {
                Ok(_) => kept.push(law.clone()),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        let Some(error) = refused else { return Ok(kept) };
        let Source { path, text, files, items, law, .. } = &*self.source;
        let (path, text, files) = (path.clone(), text.clone(), files.clone());
        let without = Source { path, text, files, items: items.clone(), law: law.clone(), others: kept };
        let (contacts, scene) = read(&without);
        if contacts.is_ok() == self.contacts.is_ok() && scene.is_ok() == self.scene.is_ok() {
            Ok(without.others)
        } else {
            Err(error)
        }
    }

    fn contacts(&self) -> PyResult<&Arc<Contacts>> {
        self.contacts.as_ref().map_err(|error| self.source.refused(error))
    }

    fn scene(&self) -> PyResult<&Arc<SimulationScenario>> {
        self.scene.as_ref().map_err(|error| self.source.refused(error))
    }

    /// Why a scene cannot start, at its place where the error has one.
    fn cannot_start(&self, error: &CannotStart) -> PyErr {
        let name = self.source.name().display().to_string();
        match error.in_file(&name, &self.source.text).filter(|_| self.source.path.is_some()) {
            Some(error) => self.source.refused(&error),
            None => InputError::new_err(setup::in_python(&error.to_string())),
        }
    }
}
