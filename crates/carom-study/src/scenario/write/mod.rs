//! A scene as the text of a scenario file that reads back to the same bits.

mod loads;
mod names;
mod same;
mod shapes;
mod toml;

pub use same::difference;

pub(in crate::scenario) use self::toml::quoted;

use self::toml::{Text, number, numbers, table};
use super::numbers::is_friction;
use super::schema::takes;
use super::simulation::LAW;
use super::{ScenarioError, SimulationScenario};
use carom::laws::{self, Kind, Law};
use carom::sim::{
    BodyId, Core, JointFrames, JointId, JointKind, MaterialId, MovingJoint, Part, Passing, Scene, SceneJoint, State,
};
use nalgebra::{UnitQuaternion, Vector3};
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

    /// The law, and its parameters that belong to no material.
    fn law(&self, text: &mut Text) -> Result<(), Unwritable> {
        let law = self.scenario.law;
        text.header("[law]");
        match (law.id, self.scenario.lowers_restitution) {
            // The law of a file that names none is lowered.
            (LAW, true) => {}
            (id, false) => text.key("id", &quoted(id)),
            (id, true) => {
                return Err(inexpressible(
                    format!("law `{id}` with restitution that is lowered"),
                    "only `newton-lcp` is",
                ));
            }
        }
        let count = self.scene.materials().count().max(1);
        for parameter in keys().filter(|parameter| !takes("[[pair]]", parameter.0)) {
            let (key, kind) = parameter;
            let mut values = pairs(count).map(|[a, b]| self.scene.materials().parameter(a, b, key));
            let first = values.next().flatten();
            if values.any(|value| value != first) {
                return Err(inexpressible(format!("`{key}`"), "it differs between pairs of materials"));
            }
            text.optional(key, first.map(|value| written(kind, value)));
        }
        Ok(())
    }

    fn materials(&self, text: &mut Text) -> Result<(), Unwritable> {
        let materials = self.scene.materials();
        let names = self.material_names();
        let own = |a: MaterialId, b: MaterialId| -> Result<Vec<(&'static str, String)>, Unwritable> {
            let value = |key: &str| materials.parameter(a, b, key);
            let of_pair = keys().filter(|(key, _)| takes("[[pair]]", key) && !is_friction(key));
            let mut parameters: Vec<(&str, String)> =
                of_pair.filter_map(|(key, kind)| Some((key, written(kind, value(key)?)))).collect();
            let [either, sticking, slipping] = ["friction", "static_friction", "kinetic_friction"].map(value);
            if either.is_some() && either == sticking && either == slipping {
                parameters.extend(either.map(|friction| ("friction", number(friction))));
                return Ok(parameters);
            }
            if either.is_some() && asks_for_friction(self.scenario.law) {
                let what = format!("friction between {} and {}", quoted(&names[a.index()]), quoted(&names[b.index()]));
                return Err(inexpressible(
                    what,
                    "the law takes one coefficient, and static or kinetic friction is another",
                ));
            }
            let pair = [("static_friction", sticking), ("kinetic_friction", slipping)];
            parameters.extend(pair.into_iter().filter_map(|(key, value)| Some((key, number(value?)))));
            Ok(parameters)
        };
        // A single material is that of everything, and what it makes of itself; but its stiffness would be halved.
        let first = MaterialId::default();
        let alone = materials.count() == 1 && materials.parameter(first, first, "stiffness").is_none();
        for name in &names {
            text.header("[[material]]");
            text.key("name", &quoted(name));
            if alone {
                own(first, first)?.iter().for_each(|(key, value)| text.key(key, value));
            }
        }
        for [a, b] in pairs(if alone { 0 } else { materials.count() }) {
            let parameters = own(a, b)?;
            if !parameters.is_empty() {
                text.header("[[pair]]");
                text.key("between", &format!("[{}, {}]", quoted(&names[a.index()]), quoted(&names[b.index()])));
                parameters.iter().for_each(|(key, value)| text.key(key, value));
            }
        }
        Ok(())
    }

    /// The parts of the world: walls as long as they are walls, since they are read first; then obstacles.
    fn world(&self, text: &mut Text) -> Result<(), Unwritable> {
        let names = self.world_names()?;
        let mut walls = true;
        let mut place = 0;
        while let Some(part) = self.scene.world().get(place) {
            let count = names.iter().skip(place).take_while(|name| **name == names[place]).count();
            let group = &self.scene.world()[place..place + count];
            let wall = match &part.core {
                Core::HalfSpace { normal, offset } if walls && count == 1 => self.point_of_wall(part, normal, *offset),
                _ => None,
            };
            match wall {
                Some((point, normal)) => {
                    text.header("[[wall]]");
                    text.key("name", &quoted(&names[place]));
                    text.key("point", &self.vector(&point));
                    text.key("normal", &self.vector(&normal));
                }
                None => {
                    walls = false;
                    text.header("[[obstacle]]");
                    text.key("name", &quoted(&names[place]));
                    self.parts(text, group);
                }
            }
            text.key("material", &quoted(&self.material_name(part.material)));
            place += count;
        }
        Ok(())
    }

    /// A point on a wall from which the reader gets this very plane, if there is one next to it.
    fn point_of_wall(&self, part: &Part, normal: &Vector3<f64>, offset: f64) -> Option<(Vector3<f64>, Vector3<f64>)> {
        let axis = normal.iamax();
        let along = offset / normal[axis];
        let near = [along, along.next_up(), along.next_down()].map(|along| Vector3::ith(axis, along));
        let reads = |point: &Vector3<f64>| {
            let read = normal.try_normalize(0.0)?;
            Some(Part::half_space(read, read.dot(point), part.material) == *part)
        };
        std::iter::once(normal * offset)
            .chain(near)
            .find(|point| reads(point) == Some(true))
            .map(|point| (point, *normal))
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

    fn inertia(&self, inertia: &nalgebra::Matrix3<f64>) -> String {
        if self.planar() {
            return number(inertia[(2, 2)]);
        }
        let diagonal = inertia.diagonal();
        if *inertia == nalgebra::Matrix3::from_diagonal(&diagonal) {
            return numbers(diagonal.as_slice());
        }
        let rows: Vec<String> = inertia.row_iter().map(|row| numbers(&[row[0], row[1], row[2]])).collect();
        format!("[{}]", rows.join(", "))
    }

    fn state(&self, body: Option<BodyId>) -> State {
        body.and_then(|body| self.scene.bodies().get(body.index())).map_or_else(State::world, |body| body.state)
    }

    fn joint(&self, text: &mut Text, place: usize, joint: &MovingJoint) {
        let bodies = joint.bodies();
        let states = bodies.map(|body| self.state(body));
        let points =
            [(&states[0], joint.a()), (&states[1], joint.b())].map(|(state, anchor)| state.pose.point(&anchor.point));
        let turns = [0, 1].map(|k| states[k].pose.orientation * joint.axes()[k]);
        let frames = JointFrames { points: [joint.a().point, joint.b().point], axes: *joint.axes() };
        let read = |point: &Vector3<f64>, axis: &Vector3<f64>, frames: Option<JointFrames>| {
            let (limits, restitution, collide) = (joint.limits(), joint.restitution(), joint.collides());
            let description = SceneJoint::new(joint.kind(), bodies, *point, *axis);
            let description = SceneJoint { limits, restitution, collide, frames, ..description };
            MovingJoint::new(&description, &states, self.scene.dimension()).ok()
        };
        // The locks of a slider in the plane have the bits of its axis; points and axes of other joints can be given to the last bit.
        let axes: Vec<Vector3<f64>> = turns.iter().flat_map(|turn| neighbours(&(turn * Vector3::x()))).collect();
        let held = |axis: &&Vector3<f64>| read(&points[0], axis, Some(frames)).as_ref() == Some(joint);
        let axis = axes.iter().find(held).copied().unwrap_or_else(|| turns[0] * Vector3::x());
        let exact = points.iter().find(|point| {
            let read = read(point, &axis, None);
            read.is_some_and(|read| same::joints(&read, joint))
        });
        text.header("[[joint]]");
        text.key("name", &quoted(&self.joint_name(JointId::new(place))));
        text.key("between", &self.between(bodies));
        text.key("kind", &quoted(kind_word(joint.kind())));
        text.key("point", &self.vector(exact.unwrap_or(&points[0])));
        let turns_in_plane = matches!(joint.kind(), JointKind::Revolute | JointKind::Universal) && self.planar();
        if !turns_in_plane && !matches!(joint.kind(), JointKind::Spherical | JointKind::Fixed) {
            text.key("axis", &self.vector(&axis));
        }
        if exact.is_none() {
            text.key("anchors", &format!("[{}, {}]", self.vector(&frames.points[0]), self.vector(&frames.points[1])));
            let [a, b] = &frames.axes;
            text.key("axes", &format!("[{}, {}]", Self::quaternion(a), Self::quaternion(b)));
        }
        text.optional("limits", joint.limits().map(|limits| numbers(&limits)));
        text.optional("restitution", joint.restitution().map(number));
        if joint.collides() {
            text.key("collide", "true");
        }
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

    /// Parts, one by one.
    fn parts(&self, text: &mut Text, parts: &[Part]) {
        let first = parts.first().map_or_else(MaterialId::default, |part| part.material);
        let lines: Vec<String> = parts.iter().map(|part| self.part(part, first)).collect();
        text.list("parts", &lines);
    }

    fn part(&self, part: &Part, common: MaterialId) -> String {
        let mut keys = Vec::new();
        match &part.core {
            Core::HalfSpace { normal, offset } => {
                keys.push(("half_space", table(&[("normal", self.vector(normal)), ("offset", number(*offset))])))
            }
            Core::Ellipsoid { centre, axes, semi_axes } => keys.push((
                "ellipsoid",
                table(&[
                    ("semi_axes", numbers(semi_axes.as_slice())),
                    ("position", self.vector(centre)),
                    ("orientation", self.orientation(axes)),
                ]),
            )),
            Core::Hull(hull) => {
                let corners: Vec<String> = hull.vertices().iter().map(|vertex| self.vector(vertex)).collect();
                keys.push(("vertices", format!("[{}]", corners.join(", "))));
                let face = |(normal, corners): (&Vector3<f64>, &[usize])| {
                    table(&[("normal", self.vector(normal)), ("corners", format!("{corners:?}"))])
                };
                let faces: Vec<String> = hull.faces().map(face).collect();
                if !faces.is_empty() {
                    keys.push(("face", format!("[{}]", faces.join(", "))));
                }
            }
        }
        if part.radius != 0.0 {
            keys.push(("radius", number(part.radius)));
        }
        if part.material != common {
            keys.push(("material", quoted(&self.material_name(part.material))));
        }
        table(&keys)
    }
}

/// A direction and those next to it in the last bits.
fn neighbours(axis: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let near = |x: f64| [x, x.next_up(), x.next_down()];
    let (xs, ys) = (near(axis.x), near(axis.y));
    xs.iter().flat_map(|x| ys.iter().map(|y| Vector3::new(*x, *y, axis.z))).collect()
}

fn kind_word(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Revolute => "revolute",
        JointKind::Spherical => "spherical",
        JointKind::Prismatic => "prismatic",
        JointKind::Fixed => "fixed",
        JointKind::Universal => "universal",
        JointKind::Planar => "planar",
    }
}

/// All keys of parameters of laws, each once.
fn keys() -> impl Iterator<Item = (&'static str, Kind)> {
    let mut known: Vec<&str> = Vec::new();
    laws::every().flat_map(|law| law.parameters).filter_map(move |parameter| {
        let is_new = !known.contains(&parameter.key);
        known.push(parameter.key);
        is_new.then_some((parameter.key, parameter.kind))
    })
}

/// The value of a parameter as it stands in a file.
fn written(kind: Kind, value: f64) -> String {
    match kind {
        Kind::Choice(words) => quoted(words.get(value as usize).copied().unwrap_or_default()),
        Kind::Number { .. } => number(value),
    }
}

fn asks_for_friction(law: &Law) -> bool {
    law.parameters.iter().any(|parameter| parameter.key == "friction")
}

/// Pairs of this many materials, each once.
fn pairs(count: usize) -> impl Iterator<Item = [MaterialId; 2]> {
    (0..count).flat_map(move |a| (a..count).map(move |b| [a, b].map(MaterialId::new)))
}
