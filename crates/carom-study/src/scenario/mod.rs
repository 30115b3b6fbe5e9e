//! Scenario files: one collision and its law as TOML.

mod body;
mod contact;
mod document;
mod elastic;
mod error;
mod fault;
mod file;
mod files;
mod frame;
mod impact;
mod law;
mod mesh;
mod misfit;
mod name;
mod numbers;
mod pose;
mod scene;
mod schema;
mod shape;
mod simulation;
mod suggest;
mod table;
mod vibration;
mod write;

pub(crate) use error::Clash;
pub use error::ScenarioError;
pub use file::{LARGEST_FILE, reason};
pub use files::NamedFile;
pub use impact::{ImpactScenario, NamedJoint, Scenery};
pub use scene::{Problem, Scene};
pub(crate) use schema::takes;
pub use schema::{MATERIAL_KEYS, json_schema, reference_markdown};
pub use simulation::{Engine, SimulationScenario, SimulationSettings};
pub use suggest::nearest;
pub use write::{Unwritable, difference};

pub use numbers::{LARGEST, SMALLEST};

use crate::unused::unused_parameter;
use carom::laws::{BoundLaw, Law};
use carom::vibration::FlexibleCollision;
use carom::{Collision, Dimension, Error};
use files::Files;
use std::path::Path;

/// A scenario of one contact, or of several.
#[derive(Clone, Debug)]
pub enum AnyScenario {
    /// One contact between bodies, or in its own frame.
    One(Box<Scenario>),
    /// Several contacts.
    Several(Box<ImpactScenario>),
}

impl AnyScenario {
    /// Reads a scenario file.
    pub fn read(path: impl AsRef<Path>) -> Result<AnyScenario, ScenarioError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = file::read_text(path).map_err(|fault| ScenarioError::new(&name, "", fault))?;
        let read = document::read_any(&name, &text, &Files::beside(path.parent()));
        read.map_err(|fault| ScenarioError::new(&name, &text, fault))
    }

    /// Reads a scenario from text; `name` is what errors call it.
    pub fn parse(name: &str, text: &str) -> Result<AnyScenario, ScenarioError> {
        document::read_any(name, text, &Files::default()).map_err(|fault| ScenarioError::new(name, text, fault))
    }
}

/// One collision, its material, and the law if the file chooses one.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it shows; the file's name, without its ending, if the file does not say.
    pub title: String,
    /// Where it comes from and what to look at.
    pub description: Option<String>,
    /// The bodies, if there are any.
    pub problem: Problem,
    /// The collision at the contact.
    pub collision: Collision,
    /// The same for bodies that vibrate, if the file says how they do.
    pub vibration: Option<FlexibleCollision>,
    /// The law the file names.
    pub law: Option<&'static Law>,
    dimension: Dimension,
    parameters: Vec<(&'static str, f64)>,
    given_parameters: Vec<&'static str>,
}

impl Scenario {
    /// Reads a scenario file.
    pub fn read(path: impl AsRef<Path>) -> Result<Scenario, ScenarioError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = file::read_text(path).map_err(|fault| ScenarioError::new(&name, "", fault))?;
        document::read(&name, &text, &Files::beside(path.parent()))
            .map_err(|fault| ScenarioError::new(&name, &text, fault))
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
    /// assert!((law.resolve(&rod.collision).unwrap().impulse.x - 0.76).abs() < 1e-12);
    ///
    /// let error = Scenario::parse("rod.toml", &text.replace("0.9", "-1.9")).unwrap_err();
    /// assert_eq!(error.message(), "`restitution` is -1.9");
    /// assert_eq!(error.line_and_column(), Some((6, 19)));
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Scenario, ScenarioError> {
        document::read(name, text, &Files::default()).map_err(|fault| ScenarioError::new(name, text, fault))
    }

    /// Whether the collision is planar or spatial.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The parameters the file gives: those of `[law]`, then those of the contact.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.parameters.iter().copied()
    }

    /// A parameter of a law, if the file gives it. `friction` stands for static and kinetic friction alike, and they
    /// for it when they are equal. A choice is the place of its word in the law's list.
    pub fn parameter(&self, key: &str) -> Option<f64> {
        let given = |key: &str| self.parameters.iter().find(|(k, _)| *k == key).map(|(_, value)| *value);
        given(key).or_else(|| match key {
            "static_friction" | "kinetic_friction" => given("friction"),
            "friction" => given("static_friction").filter(|sticking| given("kinetic_friction") == Some(*sticking)),
            _ => None,
        })
    }

    /// The larger of static and kinetic friction: no impulse leaves the cone it spans.
    pub fn friction(&self) -> Option<f64> {
        let sticking = self.parameter("static_friction")?;
        Some(self.parameter("kinetic_friction").map_or(sticking, |slipping| sticking.max(slipping)))
    }

    /// Notes on parameters that the file gives and a law does not use.
    pub fn unused_parameters(&self, law: &'static Law) -> Vec<String> {
        self.given_parameters.iter().filter_map(|key| unused_parameter(law, key)).collect()
    }

    /// A law with this scenario's parameters.
    pub fn bind(&self, law: &'static Law) -> Result<BoundLaw, Error> {
        self.bind_with(law, |_| None)
    }

    /// A law with these parameters, and this scenario's for the rest.
    pub fn bind_with(&self, law: &'static Law, given: impl Fn(&str) -> Option<f64>) -> Result<BoundLaw, Error> {
        let pair = (self.parameter("static_friction"), self.parameter("kinetic_friction"));
        if let (Some(static_friction), Some(kinetic_friction)) = pair {
            law.check_frictions(static_friction, kinetic_friction)?;
        }
        law.bind_from(|key| given(key).or_else(|| self.parameter(key)))
    }
}
