//! A scene as the text of a scenario file that reads back to the same bits.

mod joints;
mod loads;
mod materials;
mod names;
mod parts;
mod same;
mod shapes;
mod toml;

pub use same::difference;

pub(in crate::scenario) use self::toml::{number, quoted};

use self::toml::{Text, numbers};
use super::{ScenarioError, SimulationScenario};
use carom::sim::{BodyId, Core, Part, Passing, Scene, State};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::fmt;

/// Why a scene cannot be written as a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub enum Unwritable {
    /// No key of a scenario file says it.
    Inexpressible {
        /// What: a body, a joint, a pair of materials, by name.
        what: String,
        /// What is wrong with it, and what would be right.
        reason: &'static str,
    },
    /// The reader refuses it.
    Refused(Box<ScenarioError>),
    /// It reads back to something else.
    Changed {
        /// What differs.
        what: String,
    },
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::Inexpressible { what, reason } => write!(f, "no scenario file can hold {what}: {reason}"),
            Unwritable::Refused(error) => write!(f, "no scenario file can hold this scene: {}", error.message()),
            Unwritable::Changed { what } => write!(f, "no scenario file holds every bit of {what}"),
        }
    }
}

impl std::error::Error for Unwritable {}

fn inexpressible(what: impl Into<String>, reason: &'static str) -> Unwritable {
    Unwritable::Inexpressible { what: what.into(), reason }
}

impl SimulationScenario {
    /// The text of a scenario file that [`parse`](SimulationScenario::parse) reads back to the same scene and settings, to the last bit.
    /// Robots and meshes stand in it as bodies and parts; it names no other files. The number of threads is no key of a file.
    ///
    /// ```
    /// use carom_study::scenario::{SimulationScenario, difference};
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
    ///     normal = [0.6, 0.8]
    ///     [[material]]
    ///     name = 'rubber'
    ///     restitution = 0.8
    ///     friction = 0.5
    /// ").unwrap();
    /// let again = SimulationScenario::parse("again.toml", &ball.to_toml().unwrap()).unwrap();
    /// assert_eq!(difference(&again, &ball), None);
    /// ```
    pub fn to_toml(&self) -> Result<String, Unwritable> {
        let text = Writer { scenario: self, scene: &self.scene }.write()?;
        let again =
            SimulationScenario::parse(&self.title, &text).map_err(|error| Unwritable::Refused(Box::new(error)))?;
        match difference(self, &again) {
            Some(what) => Err(Unwritable::Changed { what }),
            None if again.settings != (super::SimulationSettings { threads: 1, ..self.settings }) => {
                Err(Unwritable::Changed { what: "the settings".to_owned() })
            }
            None => Ok(text),
        }
    }
}

struct Writer<'a> {
    scenario: &'a SimulationScenario,
    scene: &'a Scene,
}

/// What a table is called that names itself.
const GROUND: &str = super::body::GROUND;

impl Writer<'_> {
    fn write(&self) -> Result<String, Unwritable> {
        let mut text = Text::default();
        text.key("title", &quoted(&self.scenario.title));
        if let Some(description) = &self.scenario.description {
            text.key("description", &toml::prose(description));
        }
        self.settings(&mut text);
        self.law(&mut text)?;
        self.materials(&mut text)?;
        self.world(&mut text)?;
        for place in 0..self.scene.bodies().len() {
            self.body(&mut text, place);
        }
        for (place, joint) in self.scene.joints().iter().enumerate() {
            self.joint(&mut text, place, joint);
        }
        self.passing(&mut text)?;
        self.loads(&mut text)?;
        self.strings(&mut text);
        Ok(text.finish())
    }

    fn planar(&self) -> bool {
        self.scene.is_planar()
    }

    fn vector(&self, v: &Vector3<f64>) -> String {
        if self.planar() && v.z == 0.0 { numbers(&[v.x, v.y]) } else { numbers(v.as_slice()) }
    }

    /// A vector of turning.
    fn spin(&self, v: &Vector3<f64>) -> String {
        if self.planar() && v.x == 0.0 && v.y == 0.0 { number(v.z) } else { numbers(v.as_slice()) }
    }

    fn orientation(&self, turn: &UnitQuaternion<f64>) -> String {
        let [x, y, z, w] = turn.coords.into();
        if !(self.planar() && x == 0.0 && y == 0.0) {
            return numbers(&[w, x, y, z]);
        }
        let angle = 2.0 * z.atan2(w);
        let read = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
        // Of the angles next to it one may have this cosine and this sine.
        let next =
            [angle, angle.next_up(), angle.next_down(), angle.next_up().next_up(), angle.next_down().next_down()];
        let same = |angle: &&f64| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), **angle).coords == turn.coords;
        match next.iter().find(same) {
            _ if read.coords == turn.coords => number(angle),
            Some(angle) => number(*angle),
            None => numbers(&[w, z]),
        }
    }

    fn quaternion(turn: &UnitQuaternion<f64>) -> String {
        let [x, y, z, w] = turn.coords.into();
        numbers(&[w, x, y, z])
    }

    fn settings(&self, text: &mut Text) {
        let settings = &self.scenario.settings;
        text.header("[simulation]");
        text.key("duration", &number(settings.duration));
        text.key("gravity", &self.vector(&self.scene.gravity()));
        text.key("engine", &quoted(settings.engine.word()));
        for (key, value) in
            [("interval", settings.interval), ("tolerance", settings.tolerance), ("step", settings.step)]
        {
            text.optional(key, value.map(number));
        }
    }

    /// The parts of the world: walls as long as they are walls, since they are read first; then obstacles.
    fn world(&self, text: &mut Text) -> Result<(), Unwritable> {
        let names = self.world_names()?;
        let mut walls = true;
        let mut place = 0;
        while let Some(part) = self.scene.world().get(place) {
            let count = names.iter().skip(place).take_while(|name| **name == names[place]).count();
            let group = &self.scene.world()[place..place + count];
            let plane = match &part.core {
                Core::HalfSpace { normal, offset } if walls && count == 1 => {
                    point_of_wall(part, normal, *offset).map(|point| (point, normal))
                }
                _ => None,
            };
            if let Some((point, normal)) = plane {
                text.header("[[wall]]");
                text.key("name", &quoted(&names[place]));
                text.key("point", &self.vector(&point));
                text.key("normal", &self.vector(normal));
            } else {
                walls = false;
                text.header("[[obstacle]]");
                text.key("name", &quoted(&names[place]));
                self.parts(text, group);
            }
            text.key("material", &quoted(&self.material_name(part.material)));
            place += count;
        }
        Ok(())
    }

    fn body(&self, text: &mut Text, place: usize) {
        let body = &self.scene.bodies()[place];
        text.header("[[body]]");
        text.key("name", &quoted(&self.body_name(BodyId::new(place))));
        text.key("mass", &number(body.mass));
        let shape = shapes::of_body(body, self.scene.dimension());
        if !shape.as_ref().is_some_and(|shape| shape.gives_inertia) {
            text.key("inertia", &self.inertia(&body.inertia));
        }
        match shape {
            Some(shape) => {
                text.key("shape", &shape.text);
                if shape.is_cornered && !shape.gives_inertia {
                    text.key("centre_of_mass", &self.vector(&Vector3::zeros()));
                }
            }
            None if body.parts.is_empty() => {}
            None => self.parts(text, &body.parts),
        }
        if let Some(part) = body.parts.first() {
            text.key("material", &quoted(&self.material_name(part.material)));
        }
        let state = &body.state;
        text.key("position", &self.vector(&state.pose.position));
        if state.pose.orientation.coords != UnitQuaternion::<f64>::identity().coords {
            text.key("orientation", &self.orientation(&state.pose.orientation));
        }
        text.key("velocity", &self.vector(&state.velocity));
        text.key("angular_velocity", &self.spin(&state.angular_velocity));
    }

    fn inertia(&self, inertia: &Matrix3<f64>) -> String {
        if self.planar() {
            return number(inertia[(2, 2)]);
        }
        let diagonal = inertia.diagonal();
        if *inertia == Matrix3::from_diagonal(&diagonal) {
            return numbers(diagonal.as_slice());
        }
        let rows: Vec<String> = inertia.row_iter().map(|row| numbers(&[row[0], row[1], row[2]])).collect();
        format!("[{}]", rows.join(", "))
    }

    fn state(&self, body: Option<BodyId>) -> State {
        body.and_then(|body| self.scene.bodies().get(body.index())).map_or_else(State::world, |body| body.state)
    }

    fn passing(&self, text: &mut Text) -> Result<(), Unwritable> {
        let names = self.world_names()?;
        let mut written: Option<(BodyId, usize)> = None;
        for passing in self.scene.passing() {
            let other = match *passing {
                Passing::Bodies([_, b]) => self.body_name(b),
                Passing::Part { part, .. } => names.get(part).cloned().unwrap_or_default(),
            };
            let body = match *passing {
                Passing::Bodies([a, _]) => a,
                // The parts of one obstacle are one line, at its first part.
                Passing::Part { body, part } => {
                    let follows = written.is_some_and(|last| last == (body, part.wrapping_sub(1)))
                        && part > 0
                        && names.get(part - 1) == names.get(part);
                    written = Some((body, part));
                    if follows {
                        continue;
                    }
                    body
                }
            };
            text.header("[[passing]]");
            text.key("between", &format!("[{}, {}]", quoted(&self.body_name(body)), quoted(&other)));
        }
        Ok(())
    }
}

/// A point on a wall from which the reader gets this very plane, if there is one next to it.
fn point_of_wall(part: &Part, normal: &Vector3<f64>, offset: f64) -> Option<Vector3<f64>> {
    let axis = normal.iamax();
    let along = offset / normal[axis];
    let near = [along, along.next_up(), along.next_down()].map(|along| Vector3::ith(axis, along));
    let reads = |point: &Vector3<f64>| {
        let read = normal.try_normalize(0.0)?;
        Some(Part::half_space(read, read.dot(point), part.material) == *part)
    };
    std::iter::once(normal * offset).chain(near).find(|point| reads(point) == Some(true))
}
