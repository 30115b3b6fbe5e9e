//! Scenario files: an impact and its law as TOML.

mod body;
mod change;
mod contact;
mod document;
mod elastic;
mod error;
mod fault;
mod file;
mod files;
mod frame;
mod impact;
mod joint;
mod kept;
mod law;
mod mesh;
mod misfit;
mod name;
mod numbers;
mod own;
mod place;
mod pose;
mod scene;
mod schema;
mod shape;
mod simulation;
mod suggest;
mod table;
mod vibration;
mod write;

pub use change::{Changeable, Setting};
pub(crate) use change::{Filled, Filling, Gap, Template};
pub(crate) use document::parse as parse_toml;
pub(crate) use error::Clash;
pub use error::ScenarioError;
pub(crate) use fault::{Fault, listed, shown};
pub use file::{LARGEST_FILE, reason};
pub(crate) use file::{read_text, read_text_of};
pub use files::{Files, NamedFile};
pub(crate) use kept::Kept;
pub(crate) use numbers::{Limits, Numbers, are_sensible, described};
pub use own::OwnLaws;
pub(crate) use place::{Room, Target};
pub use scene::{NamedContact, NamedJoint, Scene};
pub(crate) use schema::takes;
pub(crate) use schema::{
    Bounds, Form, Kind, Layout, NOT_NEGATIVE, Need, POSITIVE, SHAPE, Table, VECTOR, field, form, numbers,
};
pub use schema::{MATERIAL_KEYS, json_schema, reference_markdown};
pub(crate) use shape::{read_matter, read_shape};
pub use simulation::{Engine, SimulationScenario, SimulationSettings};
pub use suggest::nearest;
pub(crate) use table::TableReader;
pub use write::{Unwritable, difference};

pub use numbers::{LARGEST, SMALLEST};
pub use place::Place;

use crate::unused::unused_parameter;
use carom::impact::Impact;
use carom::laws::{self, Fallback, Law};
use carom::vibration::FlexibleCollision;
use carom::{BoundLaw, Collision, Dimension, Error};
use law::Parameters;
use schema::TOP;
use std::path::Path;

/// Checks some tables of a scenario by themselves: their keys, and the form and bounds of their values. `name` is what errors call the
/// text.
///
/// ```
/// use carom_study::scenario::check_tables;
///
/// assert!(check_tables("ball", "[[body]]\nname = 'ball'\nmass = 1.0").is_ok());
/// let error = check_tables("ball", "[[body]]\nname = 'ball'\nmass = -1.0").unwrap_err();
/// assert_eq!((error.message(), error.label()), ("`mass` is -1", "expected a number above 0"));
/// ```
pub fn check_tables(name: &str, text: &str) -> Result<(), ScenarioError> {
    check_tables_with(name, text, &OwnLaws::default())
}

/// The same with laws of a program's own.
pub fn check_tables_with(name: &str, text: &str, own: &OwnLaws) -> Result<(), ScenarioError> {
    let checked = document::parse(text, document::EXPECTED)
        .and_then(|document| TableReader::read_with(&TOP, 0..0, document.get_ref(), own).map(|_| ()));
    checked.map_err(|fault| ScenarioError::new(name, text, fault))
}

/// An impact of one contact or several, the materials, and the law if the file chooses one.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it shows; the file's name, without its ending, if the file does not say.
    pub title: String,
    /// Where it comes from and what to look at.
    pub description: Option<String>,
    /// Bodies, contacts and joints, unless the contacts are given in their frames.
    pub scene: Option<Scene>,
    /// The impact at the contacts.
    pub impact: Impact,
    /// The collision of bodies that vibrate, if the file says how they do; only with one contact.
    pub vibration: Option<FlexibleCollision>,
    /// The law the file names.
    pub law: Option<&'static Law>,
    collision: Option<Collision>,
    dimension: Dimension,
    /// Parameters in `[law]`, then those of each contact.
    shared: Parameters,
    contacts: Vec<Parameters>,
    given_parameters: Vec<&'static str>,
    names: Vec<String>,
    /// The other files it names, in the order in which they were read.
    pub files: Vec<NamedFile>,
}

impl Scenario {
    /// Reads a scenario file.
    pub fn read(path: impl AsRef<Path>) -> Result<Scenario, ScenarioError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = read_text(path).map_err(|fault| ScenarioError::new(&name, "", fault))?;
        Scenario::parse_with(&name, &text, Files::beside(path.parent()), &OwnLaws::default())
    }

    /// Reads a scenario from text; `name` is what errors call it.
    ///
    /// ```
    /// use carom_study::scenario::Scenario;
    ///
    /// let text = "
    ///     [collision]
    ///     inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
    ///     velocity = [-1.0, 0.6]
    ///     friction = 0.8
    ///     restitution = 0.9
    /// ";
    /// let rod = Scenario::parse("rod.toml", text).unwrap();
    /// let law = rod.bind(carom::laws::find("routh-poisson").unwrap()).unwrap();
    /// let outcome = law.resolve(&rod.impact).unwrap();
    /// assert!((outcome.contacts[0].impulse.x - 0.76).abs() < 1e-12);
    ///
    /// let error = Scenario::parse("rod.toml", &text.replace("0.9", "-1.9")).unwrap_err();
    /// assert_eq!(error.message(), "`restitution` is -1.9");
    /// assert_eq!(error.line_and_column(), Some((6, 19)));
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Scenario, ScenarioError> {
        Scenario::parse_with(name, text, Files::default(), &OwnLaws::default())
    }

    /// Reads a scenario from text whose other files stand in `folder`.
    pub fn parse_in(name: &str, text: &str, folder: Option<&Path>) -> Result<Scenario, ScenarioError> {
        Scenario::parse_with(name, text, Files::beside(folder), &OwnLaws::default())
    }

    /// Reads a scenario from text together with copies of the [files](Self::files) that it names.
    pub fn parse_copy(name: &str, text: &str, files: Vec<NamedFile>) -> Result<Scenario, ScenarioError> {
        Scenario::parse_with(name, text, Files::copies(files), &OwnLaws::default())
    }

    /// Reads a scenario from text, with these other files and with laws of a program's own.
    pub fn parse_with(name: &str, text: &str, files: Files, own: &OwnLaws) -> Result<Scenario, ScenarioError> {
        let scenario =
            document::read(name, text, &files, own).map_err(|fault| ScenarioError::new(name, text, fault))?;
        Ok(Scenario { files: files.into_read(), ..scenario })
    }

    /// A scenario of bodies, with the parameters of each contact.
    pub fn of_scene(
        title: String,
        scene: Scene,
        contacts: Vec<Parameters>,
        law: Option<&'static Law>,
    ) -> Result<Scenario, Error> {
        let (impact, collision) = scene.impact()?;
        Ok(Scenario {
            title,
            description: None,
            names: scene.contact_names(),
            dimension: scene.dimension,
            scene: Some(scene),
            impact,
            vibration: None,
            law,
            collision,
            shared: Parameters::new(),
            contacts,
            given_parameters: Vec::new(),
            files: Vec::new(),
        })
    }

    /// Whether the impact is planar or spatial.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The collision, if there is one contact.
    pub fn collision(&self) -> Option<&Collision> {
        self.collision.as_ref()
    }

    /// The most energy that impulses at the contacts can take away, J. With several contacts it costs a decomposition of W.
    pub fn energy_at_stake(&self) -> f64 {
        self.collision.as_ref().map_or_else(|| self.impact.local_energy(), Collision::local_energy)
    }

    /// How messages and tables call a contact, from 0.
    pub fn contact_name(&self, contact: usize) -> String {
        self.names.get(contact).cloned().unwrap_or_else(|| format!("contact {}", contact + 1))
    }

    /// The laws that a comparison shows: those for one contact, or those for several.
    pub fn laws(&self) -> &'static [Law] {
        if self.impact.contacts() == 1 { laws::ALL } else { laws::SEVERAL }
    }

    /// The parameters the file gives: those of `[law]`, then those of the contacts.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.shared.iter().chain(self.contacts.iter().flatten()).copied()
    }

    /// A parameter of a law at a contact: the contact's own, else that of `[law]`. `friction` stands for static and kinetic
    /// friction alike, and they for it when they are equal. A choice is the place of its word in the law's list.
    pub fn parameter(&self, contact: usize, key: &str) -> Option<f64> {
        let given = |key: &str| {
            let own = self.contacts.get(contact).into_iter().flatten();
            own.chain(&self.shared).find(|(k, _)| *k == key).map(|(_, value)| *value)
        };
        given(key).or_else(|| match key {
            "static_friction" | "kinetic_friction" => given("friction"),
            "friction" => given("static_friction").filter(|sticking| given("kinetic_friction") == Some(*sticking)),
            _ => None,
        })
    }

    /// A parameter that the file gives at a contact itself, not in `[law]`.
    pub(crate) fn own_parameter(&self, contact: usize, key: &str) -> Option<f64> {
        let stands_for = if matches!(key, "static_friction" | "kinetic_friction") { "friction" } else { key };
        let own = self.contacts.get(contact)?;
        own.iter().find(|(known, _)| *known == key || *known == stands_for).map(|(_, value)| *value)
    }

    /// The larger of static and kinetic friction at a contact: no impulse leaves the cone it spans.
    pub fn friction(&self, contact: usize) -> Option<f64> {
        let given = ["static_friction", "kinetic_friction"].into_iter().filter_map(|key| self.parameter(contact, key));
        given.reduce(f64::max)
    }

    /// The larger of static and kinetic friction at every contact; 0 where none is given.
    pub fn frictions(&self) -> Vec<f64> {
        (0..self.impact.contacts()).map(|contact| self.friction(contact).unwrap_or(0.0)).collect()
    }

    /// Notes on parameters that the file gives and a law does not use; `sequential` uses those of its law for one contact.
    pub fn unused_parameters(&self, law: &'static Law) -> Vec<String> {
        let single = law.parameters.iter().find(|parameter| parameter.key == "single_law").and_then(|parameter| {
            let place = self.parameter(0, parameter.key).or(match parameter.fallback {
                Fallback::Value(place) => Some(place),
                _ => None,
            })?;
            laws::ALL.get(place as usize)
        });
        let unused = |key: &&&'static str| single.is_none_or(|single| unused_parameter(single, key).is_some());
        self.given_parameters.iter().filter(unused).filter_map(|key| unused_parameter(law, key)).collect()
    }

    /// A law with this scenario's parameters.
    pub fn bind(&self, law: &'static Law) -> Result<BoundLaw, Error> {
        self.bind_with(law, |_, _| None)
    }

    /// A law with these parameters by contact and key, and this scenario's for the rest.
    pub fn bind_with(&self, law: &'static Law, given: impl Fn(usize, &str) -> Option<f64>) -> Result<BoundLaw, Error> {
        for contact in 0..self.impact.contacts() {
            let one = given(contact, "friction").is_some();
            let pair = ["static_friction", "kinetic_friction"].map(|key| self.parameter(contact, key));
            if let (false, [Some(static_friction), Some(kinetic_friction)]) = (one, pair) {
                law.check_frictions(static_friction, kinetic_friction)?;
            }
        }
        law.bind_contacts(self.impact.contacts(), |contact, key| {
            given(contact, key).or_else(|| self.parameter(contact, key))
        })
    }
}
