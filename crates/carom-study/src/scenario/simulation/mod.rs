//! A file as a scene that moves through time.

mod bodies;
mod joints;
mod kept;
mod loads;
mod materials;
mod parts;
mod passing;
mod settings;
mod urdf;

pub(super) use kept::KeptScene;
pub use settings::{Engine, SimulationSettings};

use super::ScenarioError;
use super::contact::agreed_dimension;
use super::document;
use super::fault::Fault;
use super::file::{self, stem};
use super::files::{Files, NamedFile};
use super::law::{check_plane, keys_of, read_law, read_parameters};
use super::own::OwnLaws;
use super::schema::TOP;
use super::table::TableReader;
use super::write::quoted;
use carom::Dimension;
use carom::laws::{self, Law};
use carom::sim::{Scene, SceneBuilder};
use std::ops::Range;
use std::path::Path;

/// The law of a file that names none. Its restitution is lowered where an impact would create energy.
pub(super) const LAW: &str = "newton-lcp";

/// A scene that moves through time, with the names of all that is in it.
#[derive(Clone, Debug)]
pub struct SimulationScenario {
    /// What it shows; the file's name, without its ending, if the file does not say.
    pub title: String,
    /// Where it comes from and what to look at.
    pub description: Option<String>,
    /// Bodies, surroundings, joints, loads and materials.
    pub scene: Scene,
    /// The law of impacts.
    pub law: &'static Law,
    /// Whether restitution is lowered where an impact would create energy: where the file names no law.
    pub lowers_restitution: bool,
    /// Names of the scene's bodies, in their order.
    pub body_names: Vec<String>,
    /// Names of the parts of the scene's world, in their order; the parts of one obstacle share its name.
    pub world_names: Vec<String>,
    /// Bytes of the file at which the tables of bodies begin and end; those of robots, which follow them, have none.
    pub body_spans: Vec<Range<usize>>,
    /// The same of the parts of the world.
    pub world_spans: Vec<Range<usize>>,
    /// Names of the scene's joints, in their order.
    pub joint_names: Vec<String>,
    /// Names of the scene's strings, in their order.
    pub string_names: Vec<String>,
    /// Names of the scene's materials, in their order. Without `[[material]]` they are those of the bodies.
    pub material_names: Vec<String>,
    /// How long, by which engine and how accurately.
    pub settings: SimulationSettings,
    /// Keys of the parameters of laws that the file gives, each once.
    pub given_parameters: Vec<&'static str>,
    /// What was simplified or left out, one sentence each.
    pub remarks: Vec<String>,
    /// The other files it names, in the order in which they were read.
    pub files: Vec<NamedFile>,
}

impl SimulationScenario {
    /// Reads a scenario file; or a URDF file, whose robot then falls freely for a second. The [remarks](Self::remarks) say what was
    /// assumed.
    pub fn read(path: impl AsRef<Path>) -> Result<SimulationScenario, ScenarioError> {
        let path = path.as_ref();
        SimulationScenario::read_with(path, Files::beside(path.parent()))
    }

    /// Reads the copy of a scenario together with copies of the [files](Self::files) that it names.
    pub fn read_copy(path: impl AsRef<Path>, files: Vec<NamedFile>) -> Result<SimulationScenario, ScenarioError> {
        SimulationScenario::read_with(path.as_ref(), Files::copies(files))
    }

    /// Reads the text of a file, of which `path` is only the name, together with copies of the [files](Self::files) that it names.
    pub fn parse_copy(
        path: impl AsRef<Path>,
        text: &str,
        files: Vec<NamedFile>,
    ) -> Result<SimulationScenario, ScenarioError> {
        SimulationScenario::parse_with(path, text, Files::copies(files), &OwnLaws::default())
    }

    fn read_with(path: &Path, files: Files) -> Result<SimulationScenario, ScenarioError> {
        let refused = |fault| ScenarioError::new(&path.display().to_string(), "", fault);
        let text = if is_urdf(path) { read_robot(path) } else { file::read_text(path) };
        SimulationScenario::parse_with(path, &text.map_err(refused)?, files, &OwnLaws::default())
    }

    /// Reads the text of a file, of which `path` is only the name, with these other files and with laws of a program's own.
    pub fn parse_with(
        path: impl AsRef<Path>,
        text: &str,
        files: Files,
        own: &OwnLaws,
    ) -> Result<SimulationScenario, ScenarioError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        if is_urdf(path) {
            return parse_urdf(path, &name, text, files);
        }
        read(&name, text, files, own).map_err(|fault| ScenarioError::new(&name, text, fault))
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
    /// let rubber = carom::sim::MaterialId::new(0);
    /// assert_eq!(ball.scene.bodies()[0].reach(), 0.1);
    /// assert_eq!(ball.scene.materials().parameter(rubber, rubber, "restitution"), Some(0.8));
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<SimulationScenario, ScenarioError> {
        SimulationScenario::parse_in(name, text, None)
    }

    /// Reads a scenario from text whose other files stand in `folder`.
    pub fn parse_in(name: &str, text: &str, folder: Option<&Path>) -> Result<SimulationScenario, ScenarioError> {
        read(name, text, Files::beside(folder), &OwnLaws::default())
            .map_err(|fault| ScenarioError::new(name, text, fault))
    }

    /// A scene that a program has made, with numbers for names; [`to_toml`](Self::to_toml) writes it as a file.
    pub fn of_scene(title: &str, scene: Scene, law: &'static Law, settings: SimulationSettings) -> SimulationScenario {
        let numbered = |noun: &str, count: usize| (1..=count).map(|number| format!("{noun} {number}")).collect();
        SimulationScenario {
            title: title.to_owned(),
            description: None,
            body_names: numbered("body", scene.bodies().len()),
            world_names: numbered("obstacle", scene.world().len()),
            body_spans: Vec::new(),
            world_spans: Vec::new(),
            joint_names: numbered("joint", scene.joints().len()),
            string_names: numbered("string", scene.strings().len()),
            material_names: numbered("material", scene.materials().count()),
            scene,
            law,
            lowers_restitution: false,
            settings,
            given_parameters: Vec::new(),
            remarks: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Whether the scene is planar or spatial.
    pub fn dimension(&self) -> Dimension {
        self.scene.dimension()
    }
}

/// What a file holds when it holds a scene that moves.
const EXPECTED: &str = "expected `[simulation]` with `duration`, and `[[body]]` or `[[urdf]]`";

/// Tables that decide whether the scene is planar.
const TELLING: [&str; 11] =
    ["simulation", "body", "contact", "joint", "wall", "obstacle", "spring", "string", "force", "torque", "urdf"];

/// The scenario of a robot alone.
const ROBOT: &str = "[simulation]
duration = 1.0
gravity = [0.0, 0.0, -9.81]

[[material]]
name = \"robot\"
friction = 0.5
restitution = 0.0
";

/// Whether a file is a robot's rather than a scenario's.
fn is_urdf(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("urdf"))
}

fn read_robot(path: &Path) -> Result<String, Fault> {
    file::read_limited(path, urdf::LARGEST_URDF)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()))
        .map_err(|reason| Fault::of_the_file(format!("cannot read the robot: {reason}")))
}

fn parse_urdf(path: &Path, name: &str, text: &str, files: Files) -> Result<SimulationScenario, ScenarioError> {
    let refused = |text: &str, fault| ScenarioError::new(name, text, fault);
    // What is wrong with the robot itself is shown in its own file.
    let robot = urdf::Robot::parse(text)
        .and_then(|robot| urdf::check(&robot).map(|()| robot))
        .map_err(|fault| refused(text, Fault::at(fault.span, fault.message).label(fault.label)))?;
    let file = path.file_name().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    let scenario = format!("{ROBOT}\n[[urdf]]\nfile = {}\n", quoted(&file));
    files.give(&file, text.as_bytes());
    let mut read = read(name, &scenario, files, &OwnLaws::default()).map_err(|fault| refused(&scenario, fault))?;
    // The robot is the scenario, not a file that it names.
    read.files.retain(|named| named.robot.is_some());
    read.title = robot.name;
    let assumed = "no scenario is given: 1 s, gravity 9.81 m/s² along −z, friction 0.5, restitution 0, no floor";
    read.remarks.insert(0, assumed.to_owned());
    Ok(read)
}

fn read(name: &str, text: &str, files: Files, own: &OwnLaws) -> Result<SimulationScenario, Fault> {
    let document = document::parse(text, EXPECTED)?;
    read_tables(name, &TableReader::read_with(&TOP, 0..0, document.get_ref(), own)?, files, own)
}

/// Reads a scenario from its tables.
pub(super) fn read_tables(
    name: &str,
    file: &TableReader<'_>,
    files: Files,
    own: &OwnLaws,
) -> Result<SimulationScenario, Fault> {
    let settings = settings::read_settings(file)?;
    if let Some(other) = file.table("collision").or_else(|| file.table("impact")) {
        return Err(Fault::at(other.span.clone(), "a collision without bodies has no motion")
            .label("expected `[[body]]` instead"));
    }
    if file.tables("body").is_empty() && file.tables("urdf").is_empty() {
        return Err(Fault::of_the_file("the file has no bodies").help("expected at least one `[[body]]` or `[[urdf]]`"));
    }
    let dimension = read_dimension(file)?;
    let law_table = file.table("law");
    let named = own.law().or_else(|| law_table.and_then(read_law));
    let law = match named {
        Some(law) => law,
        None => laws::find(LAW).map_err(|error| Fault::of_the_file(error.to_string()))?,
    };
    if let (Some(table), Dimension::Planar) = (law_table, dimension) {
        check_plane(table)?;
    }
    let table = materials::MaterialTable::read(file)?;
    let mut bodies = bodies::read_bodies(file, dimension, &files, &table)?;
    let mut joints = joints::Joints::default();
    // Robots first: joints and loads of the scenario may name their links and joints.
    let robots = urdf::read_robots(file, dimension, &files, &table, &mut bodies, &mut joints)?;
    joints.read(file, dimension, &bodies)?;
    let (mut loads, strings) = loads::read_loads(file, &bodies, &joints)?;
    loads.extend(robots.damping);
    let (materials, material_names) = table.of_pairs(file, law, &bodies.movers, &bodies.world)?;
    let mut passing = robots.passing;
    passing.extend(passing::read_passing(file, &bodies)?);
    let scene = SceneBuilder {
        dimension,
        gravity: settings::read_gravity(file),
        bodies: bodies.movers,
        world: bodies.world,
        joints: joints.joints,
        loads,
        strings,
        materials,
        passing,
    };
    let scene = scene.build().map_err(|error| Fault::of_the_file(error.to_string()))?;
    let mut remarks = bodies.remarks;
    if file.table("vibration").is_some() {
        remarks.push("`[vibration]` is not used: bodies of a simulation are rigid; `carom collide` uses it".to_owned());
    }
    Ok(SimulationScenario {
        title: file.text("title").map_or_else(|| stem(name), str::to_owned),
        description: file.text("description").map(str::to_owned),
        scene,
        law,
        lowers_restitution: named.is_none(),
        body_names: bodies.names,
        world_names: bodies.world_names,
        body_spans: bodies.spans,
        world_spans: bodies.world_spans,
        joint_names: joints.names,
        string_names: read_names(file.tables("string"))?,
        material_names,
        settings,
        given_parameters: given_parameters(file),
        remarks,
        files: files.into_read(),
    })
}

fn read_dimension(file: &TableReader<'_>) -> Result<Dimension, Fault> {
    let telling = || TELLING.iter().flat_map(|key| file.tables(key));
    Ok(match agreed_dimension(telling())? {
        // Only the robot decides; it is spatial.
        Dimension::Planar if file.table("urdf").is_some() && !telling().any(TableReader::tells_dimension) => {
            Dimension::Spatial
        }
        agreed => agreed,
    })
}

/// Keys of the parameters of laws in the tables that a simulation reads them from.
fn given_parameters(file: &TableReader<'_>) -> Vec<&'static str> {
    // With materials the parameters of contacts are for `carom collide`.
    let contacts = if file.tables("material").is_empty() { "contact" } else { "material" };
    let tables = [contacts, "pair", "law"].into_iter().flat_map(|key| file.tables(key));
    keys_of(tables.flat_map(read_parameters))
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
        if name.trim().is_empty() {
            return Err(
                Fault::at(span, format!("the `name` of this {} is empty", table.noun())).label("expected a name")
            );
        }
        if let Some(first) = places.insert(name, place) {
            let first: &TableReader<'_> = &tables[first];
            return Err(Fault::at(span, format!("another {} has the same `name`", table.noun()))
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

fn find(name: &str, span: &Range<usize>, names: &[String], noun: &str) -> Result<usize, Fault> {
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
