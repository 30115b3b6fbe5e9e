//! A file as a scene that moves through time.

mod bodies;
mod joints;
mod loads;
mod materials;
mod settings;

pub use settings::{Engine, SimulationSettings};

use super::ScenarioError;
use super::contact::agreed_dimension;
use super::dimension::Dimension;
use super::document;
use super::fault::Fault;
use super::file;
use super::law::{check_plane, read_law};
use super::schema::TOP;
use super::table::TableReader;
use carom::laws;
use carom::sim::Scene;
use std::path::Path;

/// The law of a file that names none.
const LAW: &str = "newton-lcp";

/// A scene that moves through time, with the names of all that is in it.
#[derive(Clone, Debug)]
pub struct SimulationScenario {
    /// What it shows; the file's name if the file does not say.
    pub title: String,
    /// Where it comes from and what to look at.
    pub description: Option<String>,
    /// Bodies, surroundings, joints, loads, materials and the law.
    pub scene: Scene,
    /// Names of the scene's bodies, in their order.
    pub body_names: Vec<String>,
    /// Names of the parts of the scene's world, in their order; the parts of one obstacle share its name.
    pub world_names: Vec<String>,
    /// Names of the scene's joints, in their order.
    pub joint_names: Vec<String>,
    /// Names of the scene's materials, in their order. Without `[[material]]` they are those of the bodies.
    pub material_names: Vec<String>,
    /// How long, by which engine and how accurately.
    pub settings: SimulationSettings,
    /// What was simplified or left out, one sentence each.
    pub remarks: Vec<String>,
}

impl SimulationScenario {
    /// Reads a scenario file.
    pub fn read(path: impl AsRef<Path>) -> Result<SimulationScenario, ScenarioError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = file::read_text(path).map_err(|fault| ScenarioError::new(&name, "", fault))?;
        SimulationScenario::parse_in(&name, &text, path.parent())
    }

    /// Reads a scenario from text; `name` is what errors call it. It can name no other files.
    ///
    /// ```
    /// use carom_study::scenario::SimulationScenario;
    ///
    /// let ball = SimulationScenario::parse("ball.toml", "
    ///     [simulation]
    ///     duration = 2.0
    ///     gravity = [0.0, -9.81]
    ///     [[body]]
    ///     name = 'ball'
    ///     mass = 1.0
    ///     shape = { ball = { radius = 0.1 } }
    ///     position = [0.0, 1.0]
    ///     [[wall]]
    ///     point = [0.0, 0.0]
    ///     normal = [0.0, 1.0]
    ///     [[material]]
    ///     name = 'rubber'
    ///     restitution = 0.8
    ///     friction = 0.5
    /// ").unwrap();
    /// assert_eq!(ball.scene.bodies[0].reach(), 0.1);
    /// assert_eq!(ball.scene.materials.parameter(0, 0, "restitution"), Some(0.8));
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<SimulationScenario, ScenarioError> {
        SimulationScenario::parse_in(name, text, None)
    }

    /// Reads a scenario from text whose other files stand in `folder`.
    pub fn parse_in(name: &str, text: &str, folder: Option<&Path>) -> Result<SimulationScenario, ScenarioError> {
        read(name, text, folder).map_err(|fault| ScenarioError::new(name, text, fault))
    }

    /// Whether the scene is planar or spatial.
    pub fn dimension(&self) -> Dimension {
        if self.scene.planar { Dimension::Planar } else { Dimension::Spatial }
    }
}

/// Tables that tell whether the scene is planar.
const TELLING: [&str; 10] =
    ["simulation", "body", "contact", "joint", "wall", "obstacle", "spring", "string", "force", "torque"];

fn read(name: &str, text: &str, folder: Option<&Path>) -> Result<SimulationScenario, Fault> {
    let document = document::parse(text)?;
    let file = TableReader::read(&TOP, 0..0, document.get_ref())?;
    let settings = settings::read_settings(&file)?;
    if let Some(other) = file.table("collision").or_else(|| file.table("impact")) {
        return Err(Fault::at(other.span.clone(), "a collision without bodies has no motion")
            .label("expected `[[body]]` instead"));
    }
    if file.tables("body").is_empty() {
        return Err(Fault::of_the_file("the file has no bodies").help("expected at least one `[[body]]`"));
    }
    let dimension = agreed_dimension(TELLING.iter().flat_map(|key| file.tables(key)))?;
    let law_table = file.table("law");
    let law = match law_table.and_then(read_law) {
        Some(law) => law,
        None => laws::find(LAW).map_err(|error| Fault::of_the_file(error.to_string()))?,
    };
    if let (Some(table), Dimension::Planar) = (law_table, dimension) {
        check_plane(table)?;
    }
    let table = materials::MaterialTable::read(&file)?;
    let bodies = bodies::read_bodies(&file, dimension, folder, &table)?;
    let joints = joints::read_joints(&file, dimension, &bodies)?;
    let (loads, strings) = loads::read_loads(&file, &bodies, &joints)?;
    let touching = bodies.movers.iter().any(|mover| !mover.parts.is_empty())
        && (bodies.movers.len() > 1 || !bodies.world.is_empty());
    let (materials, material_names) = table.of_pairs(&file, law, touching)?;
    let scene = Scene {
        planar: dimension == Dimension::Planar,
        gravity: settings::read_gravity(&file),
        bodies: bodies.movers,
        world: bodies.world,
        joints: joints.joints,
        loads,
        strings,
        materials,
        law,
    };
    Ok(SimulationScenario {
        title: file.text("title").unwrap_or(name).to_owned(),
        description: file.text("description").map(str::to_owned),
        scene,
        body_names: bodies.names,
        world_names: bodies.world_names,
        joint_names: joints.names,
        material_names,
        settings,
        remarks: bodies.remarks,
    })
}

/// Names of tables that need none: their own, or their number. No two are the same.
fn read_names(tables: &[TableReader<'_>]) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = Vec::with_capacity(tables.len());
    let mut places = std::collections::HashMap::new();
    for (place, table) in tables.iter().enumerate() {
        let Some(name) = table.text("name") else {
            names.push(format!("{} {}", table.noun(), place + 1));
            continue;
        };
        let span = table.span_of("name");
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Err(Fault::at(span, format!("the `name` of this {} cannot be shown", table.noun()))
                .label("expected characters that can be printed on one line"));
        }
        if let Some(first) = places.insert(name, place) {
            let first: &TableReader<'_> = &tables[first];
            return Err(Fault::at(span, format!("this `name` is given to another {}, too", table.noun()))
                .label("expected another name")
                .context(first.span_of("name"), "first used here"));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// The place of a name in a list.
fn place_of(table: &TableReader<'_>, key: &str, names: &[String], noun: &str) -> Result<usize, Fault> {
    let name = table.text(key).unwrap_or_default();
    find(name, &table.span_of(key), names, noun)
}

fn find(name: &str, span: &std::ops::Range<usize>, names: &[String], noun: &str) -> Result<usize, Fault> {
    use super::fault::{listed, shown};
    names.iter().position(|known| known == name).ok_or_else(|| {
        let known = || names.iter().map(String::as_str);
        let label = match super::suggest::nearest(name, known()) {
            Some(near) => format!("did you mean {}?", shown(near)),
            None => format!("expected the name of a {noun}"),
        };
        let fault = Fault::at(span.clone(), format!("there is no {noun} {}", shown(name))).label(label);
        if names.is_empty() {
            return fault.help(format!("the file has no `[[{noun}]]`"));
        }
        fault.help(format!("the file has: {}", listed(known().take(10))))
    })
}
