//! Several contacts: bodies, contacts and joints, or `[impact]`.

use super::body::{read_body, read_names};
use super::contact::{agreed_dimension, read_contact, read_pair};
use super::document::EXPECTED;
use super::elastic::read_elastic;
use super::fault::Fault;
use super::file::stem;
use super::files::Files;
use super::law::{check_friction, check_plane, keys_of, read_law, read_parameters};
use super::misfit::misfit;
use super::schema::{JOINT_KINDS, Layout};
use super::table::TableReader;
use super::{Problem, Scenario};
use crate::unused::unused_parameter;
use carom::BoundLaw;
use carom::Dimension;
use carom::impact::{Contact, Impact, Joint, Network};
use carom::laws::{self, Fallback, Law};
use carom::{Body, Error};
use nalgebra::{DMatrix, DVector, Vector3};
use std::collections::HashMap;

/// Values of parameters by key.
type Parameters = Vec<(&'static str, f64)>;

/// Several contacts at once, their materials, and the law if the file chooses one.
#[derive(Clone, Debug)]
pub struct ImpactScenario {
    /// What it shows; the file's name, without its ending, if the file does not say.
    pub title: String,
    /// Where it comes from and what to look at.
    pub description: Option<String>,
    /// Bodies, contacts and joints, unless the contacts are given in their frames.
    pub scenery: Option<Scenery>,
    /// The impact at the contacts.
    pub impact: Impact,
    /// The law the file names.
    pub law: Option<&'static Law>,
    /// Parameters of the law, then those of each contact.
    shared: Parameters,
    contacts: Vec<Parameters>,
    given_parameters: Vec<&'static str>,
    names: Vec<String>,
}

/// The names of contacts: their bodies, and a number where two bodies touch at several places.
fn contact_names(between: &[[String; 2]]) -> Vec<String> {
    let mut count: HashMap<&[String; 2], usize> = HashMap::new();
    for pair in between {
        *count.entry(pair).or_default() += 1;
    }
    let mut seen: HashMap<&[String; 2], usize> = HashMap::new();
    let name = |pair| {
        let [a, b]: &[String; 2] = pair;
        let number = seen.entry(pair).or_default();
        *number += 1;
        if count.get(pair).is_some_and(|count| *count > 1) {
            format!("{a}–{b} {number}")
        } else {
            format!("{a}–{b}")
        }
    };
    between.iter().map(name).collect()
}

/// Bodies with their names, where they touch and what holds them together.
#[derive(Clone, Debug)]
pub struct Scenery {
    /// Every body with its name, in the order of the file.
    pub bodies: Vec<(String, Body)>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// The names of A and B at each contact.
    pub between: Vec<[String; 2]>,
    /// The joints.
    pub joints: Vec<NamedJoint>,
    planar: bool,
}

/// A joint with its name and those of its bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedJoint {
    /// What it is called; by its bodies if it has no name.
    pub name: String,
    /// The names of A and B.
    pub between: [String; 2],
    /// The joint.
    pub joint: Joint,
}

impl Scenery {
    /// The bodies alone.
    pub fn bodies(&self) -> Vec<Body> {
        self.bodies.iter().map(|(_, body)| *body).collect()
    }

    /// Bodies, contacts and joints together.
    pub fn network(&self) -> Result<Network, Error> {
        let joints: Vec<Joint> = self.joints.iter().map(|named| named.joint.clone()).collect();
        Network::new(self.bodies(), self.contacts.clone(), &joints, self.planar)
    }
}

impl ImpactScenario {
    /// A scenario of one contact, for the laws of several.
    pub fn of_one(scenario: &Scenario) -> ImpactScenario {
        let scenery = match &scenario.problem {
            Problem::Bodies(scene) => Some(Scenery {
                bodies: scene.bodies.clone(),
                contacts: vec![scene.contact()],
                between: vec![scene.between.clone()],
                joints: scene.joints.clone(),
                planar: scenario.dimension() == Dimension::Planar,
            }),
            Problem::ContactFrame => None,
        };
        let names = scenery.as_ref().map_or_else(Vec::new, |scenery| contact_names(&scenery.between));
        ImpactScenario {
            title: scenario.title.clone(),
            description: scenario.description.clone(),
            scenery,
            impact: Impact::of_collision(&scenario.collision),
            law: scenario.law,
            shared: scenario.parameters.clone(),
            contacts: vec![Vec::new()],
            given_parameters: scenario.given_parameters.clone(),
            names,
        }
    }

    /// A scenario of bodies with their names, contacts with the names of A and B and their parameters, and joints.
    pub fn of_parts(
        title: String,
        bodies: Vec<(String, Body)>,
        (contacts, between): (Vec<Contact>, Vec<[String; 2]>),
        joints: Vec<NamedJoint>,
        parameters: Vec<Vec<(&'static str, f64)>>,
        law: Option<&'static Law>,
        planar: bool,
    ) -> Result<ImpactScenario, Error> {
        let names = contact_names(&between);
        let scenery = Scenery { bodies, contacts, between, joints, planar };
        let impact = scenery.network()?.impact()?;
        Ok(ImpactScenario {
            title,
            description: None,
            scenery: Some(scenery),
            impact,
            law,
            shared: Vec::new(),
            contacts: parameters,
            given_parameters: Vec::new(),
            names,
        })
    }

    /// Whether the impact is planar or spatial.
    pub fn dimension(&self) -> Dimension {
        if self.impact.is_planar() { Dimension::Planar } else { Dimension::Spatial }
    }

    /// A parameter of a law at a contact: the contact's own, else that of `[law]`. `friction` stands for static and kinetic
    /// friction alike, and they for it when they are equal.
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

    /// The larger of static and kinetic friction at each contact.
    pub fn friction(&self) -> Vec<f64> {
        let of = |contact: usize| {
            let [sticking, slipping] = ["static_friction", "kinetic_friction"].map(|key| self.parameter(contact, key));
            sticking.unwrap_or(0.0).max(slipping.unwrap_or(0.0))
        };
        (0..self.impact.contacts()).map(of).collect()
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

    /// A law with these parameters, and this scenario's for the rest.
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

    /// How messages and tables call a contact, from 0.
    pub fn contact_name(&self, contact: usize) -> String {
        self.names.get(contact).cloned().unwrap_or_else(|| format!("contact {}", contact + 1))
    }
}

/// The scenario of a file with several contacts.
pub(super) fn read_impact(name: &str, file: &TableReader<'_>, files: &Files) -> Result<ImpactScenario, Fault> {
    let (scenery, impact, contacts) = match (file.table("impact"), file.tables("body"), file.tables("contact")) {
        (Some(table), [], []) => {
            let (impact, contacts) = read_frames(table)?;
            (None, impact, contacts)
        }
        (Some(table), ..) => {
            return Err(Fault::at(table.span.clone(), "the file has bodies and `[impact]`")
                .label("expected one or the other")
                .help("keep `[[body]]` and `[[contact]]`, or `[impact]`"));
        }
        (None, [], [contact, ..]) => {
            return Err(Fault::at(contact.span.clone(), "there is a contact but no bodies")
                .label("expected a `[[body]]` for it")
                .help("only \"ground\" needs no `[[body]]`"));
        }
        (None, [body, ..], []) => {
            return Err(Fault::at(body.span.clone(), "there are bodies but no contact")
                .label("expected a `[[contact]]` that names this body"));
        }
        (None, [], []) => return Err(Fault::of_the_file("the file describes no impact").help(EXPECTED)),
        (None, bodies, contacts) => {
            let (scenery, impact) = read_scenery(file, bodies, contacts, files)?;
            for contact in contacts {
                check_friction(contact)?;
            }
            (Some(scenery), impact, contacts.iter().map(read_parameters).collect())
        }
    };
    for key in ["collision", "vibration"] {
        if let Some(table) = file.table(key) {
            return Err(Fault::at(table.span.clone(), format!("`[{key}]` is for one contact"))
                .label("expected it without `[impact]` and a second `[[contact]]`"));
        }
    }
    let law_table = file.table("law");
    if let (Some(table), true) = (law_table, impact.is_planar()) {
        check_plane(table)?;
    }
    let mut shared = Vec::new();
    if let Some(table) = law_table {
        shared.extend(read_elastic(table)?);
        shared.extend(read_parameters(table));
    }
    let of_law = law_table.into_iter().flat_map(read_parameters);
    let given_parameters = keys_of(contacts.iter().flatten().copied().chain(of_law));
    let names = scenery.as_ref().map_or_else(Vec::new, |scenery| contact_names(&scenery.between));
    let scenario = ImpactScenario {
        title: file.text("title").map_or_else(|| stem(name), str::to_owned),
        description: file.text("description").map(str::to_owned),
        scenery,
        impact,
        law: law_table.and_then(read_law),
        shared,
        contacts,
        given_parameters,
        names,
    };
    if let (Some(law), Some(table)) = (scenario.law, law_table) {
        check_law(&scenario, law, table)?;
    }
    Ok(scenario)
}

/// Checks that the law which the file names is one for several contacts and has its parameters.
fn check_law(scenario: &ImpactScenario, law: &'static Law, table: &TableReader<'_>) -> Result<(), Fault> {
    let place = table.span_of("id");
    if !law.is_simultaneous() && scenario.impact.contacts() > 1 {
        return Err(Fault::at(place, format!("law `{}` is for one contact", law.id))
            .label("expected a law for several contacts")
            .help(format!("`id = \"sequential\"` with `single_law = \"{}\"` resolves one contact at a time", law.id)));
    }
    scenario.bind(law).map(|_| ()).map_err(|error| match error {
        Error::MissingParameter { key, .. } => Fault::at(place, format!("law `{}` needs `{key}`", law.id))
            .label(format!("expected `{key}` at every contact, or in `[law]`")),
        Error::OutOfRange { what, value, expected } => {
            Fault::at(place, format!("`{what}` is {value}")).label(format!("law `{}`: expected {expected}", law.id))
        }
        other => Fault::at(place, other.to_string()),
    })
}

fn read_scenery(
    file: &TableReader<'_>,
    bodies: &[TableReader<'_>],
    contacts: &[TableReader<'_>],
    files: &Files,
) -> Result<(Scenery, Impact), Fault> {
    let names = read_names(bodies)?;
    let joints = file.tables("joint");
    let dimension = agreed_dimension(bodies.iter().chain(contacts).chain(joints))?;
    let read: Vec<Body> = bodies.iter().map(|body| read_body(body, dimension, files)).collect::<Result<_, _>>()?;
    let (between, places): (Vec<_>, Vec<_>) = contacts
        .iter()
        .map(|contact| read_contact(contact, &names, dimension))
        .collect::<Result<Vec<_>, Fault>>()?
        .into_iter()
        .unzip();
    let held: Vec<NamedJoint> =
        joints.iter().map(|joint| read_joint(joint, &names, dimension)).collect::<Result<_, _>>()?;
    for (table, contact) in contacts.iter().zip(&places) {
        check_movable(table, contact, &read)?;
    }
    let scenery = Scenery {
        bodies: names.into_iter().zip(read).collect(),
        contacts: places,
        between,
        joints: held,
        planar: dimension == Dimension::Planar,
    };
    let impact = scenery.network().and_then(|network| network.impact());
    let impact = impact.map_err(|error| held_fault(error, joints, contacts.first()))?;
    Ok((scenery, impact))
}

/// The fault of bodies that joints hold, at its place in the file.
pub(super) fn held_fault(error: Error, joints: &[TableReader<'_>], contact: Option<&TableReader<'_>>) -> Fault {
    match (error, contact) {
        (Error::MovingJoint { joint, velocity }, _) => {
            let span = joints.get(joint).map_or(0..0, |table| table.span.clone());
            Fault::at(span, "the bodies move against each other where this joint holds them")
                .label(format!("by {velocity:.6} m/s (or rad/s); expected velocities that the joint allows"))
        }
        (Error::ImmovableAlongNormal, Some(contact)) => {
            Fault::at(contact.span.clone(), "nothing can move along the normal of a contact")
                .label("expected bodies that the joints leave free there")
        }
        (other, _) => Fault::of_the_file(other.to_string()),
    }
}

/// Refuses a contact that nothing can move, at its place.
fn check_movable(table: &TableReader<'_>, contact: &Contact, bodies: &[Body]) -> Result<(), Fault> {
    let normal = contact.frame.normal();
    let gives = |place: Option<usize>| {
        let body = place.and_then(|place| bodies.get(place));
        body.is_some_and(|body| normal.dot(&(body.inverse_mass_at(&contact.point) * normal)) > 0.0)
    };
    if gives(contact.a) || gives(contact.b) {
        Ok(())
    } else {
        Err(misfit(table, "between", &Error::ImmovableAlongNormal))
    }
}

pub(super) fn read_joint(table: &TableReader<'_>, names: &[String], dimension: Dimension) -> Result<NamedJoint, Fault> {
    let (between, [a, b]) = read_pair(table, names)?;
    let point = table.require("point")?.vector();
    let axis = table.numbers("axis").map(super::numbers::Numbers::vector);
    let kind = table.word("kind").and_then(|place| JOINT_KINDS.get(place).copied()).unwrap_or_default();
    let axis = || match (axis, dimension, kind) {
        (_, Dimension::Planar, "revolute") => Ok(Vector3::z()),
        (Some(axis), ..) => Ok(axis),
        (None, ..) => Err(Fault::at(table.span.clone(), format!("a {kind} joint needs an `axis`"))
            .label("expected `axis`, a direction")),
    };
    let refused = |error: Error| misfit(table, "axis", &error);
    let joint = match kind {
        "spherical" => Joint::spherical(a, b, point),
        "prismatic" => Joint::prismatic(a, b, point, &axis()?).map_err(refused)?,
        "fixed" => Joint::fixed(a, b, point),
        "universal" if dimension == Dimension::Planar => {
            Joint::revolute(a, b, point, &Vector3::z()).map_err(refused)?
        }
        "universal" => Joint::universal(a, b, point, &axis()?).map_err(refused)?,
        "planar" if dimension == Dimension::Planar => Joint::slot(a, b, point, &axis()?).map_err(refused)?,
        "planar" => Joint::planar(a, b, point, &axis()?).map_err(refused)?,
        _ => Joint::revolute(a, b, point, &axis()?).map_err(refused)?,
    };
    let name = table.text("name").map_or_else(|| between.join("–"), str::to_owned);
    Ok(NamedJoint { name, between, joint })
}

/// The impact of a table `[impact]`, and the parameters of each contact.
fn read_frames(table: &TableReader<'_>) -> Result<(Impact, Vec<Parameters>), Fault> {
    let (mass, velocity) = (table.require("inverse_mass")?, table.require("velocity")?);
    let rows = velocity.values().len();
    let size = mass.values().len().isqrt();
    if size != rows {
        return Err(Fault::at(table.span_of("velocity"), format!("`velocity` has {rows} numbers"))
            .label(format!("expected {size}, as many as `inverse_mass` has rows"))
            .context(table.span_of("inverse_mass"), format!("{size} rows")));
    }
    let count = contact_count(table, rows)?;
    let planar = rows == 2 * count;
    let w = DMatrix::from_row_slice(rows, rows, mass.values());
    let impact = Impact::new(&w, &DVector::from_column_slice(velocity.values()), planar).map_err(|error| {
        let key = if matches!(error, Error::IncompatibleVelocity { .. }) { "velocity" } else { "inverse_mass" };
        misfit(table, key, &error)
    })?;
    check_friction(table)?;
    let mut contacts = vec![Vec::new(); count];
    for entry in table.entries().iter().filter(|entry| !FRAME_KEYS.contains(&entry.field.key)) {
        let Some(numbers) = entry.numbers() else { continue };
        let values = numbers.values();
        if numbers.layout != Layout::Number && values.len() != count {
            let plural = if values.len() == 1 { "" } else { "s" };
            let message = format!("`{}` is a list of {} number{plural}", entry.field.key, values.len());
            return Err(Fault::at(entry.span.clone(), message)
                .label(format!("expected a number for all contacts, or a list of {count}")));
        }
        for (contact, value) in contacts.iter_mut().zip(values.iter().cycle()) {
            contact.push((entry.field.key, *value));
        }
    }
    Ok((impact, contacts))
}

/// Keys of `[impact]` that are no parameters of laws.
const FRAME_KEYS: [&str; 3] = ["inverse_mass", "velocity", "contacts"];

/// The number of contacts to which this number of components belongs.
fn contact_count(table: &TableReader<'_>, rows: usize) -> Result<usize, Fault> {
    let listed = || {
        let lists = table.entries().iter().filter(|entry| !FRAME_KEYS.contains(&entry.field.key));
        lists.filter_map(|entry| Some(entry.numbers()?.values().len())).find(|length| *length > 1)
    };
    let said = table.numbers("contacts").map(|numbers| numbers.first().round() as usize).or_else(listed);
    match (said, rows.is_multiple_of(2), rows.is_multiple_of(3)) {
        (Some(count), ..) if rows == 2 * count || rows == 3 * count => Ok(count),
        (Some(count), ..) => Err(Fault::at(table.span_of("velocity"), format!("`velocity` has {rows} numbers"))
            .label(format!("expected {} or {}, for {count} contacts", 2 * count, 3 * count))),
        (None, true, false) => Ok(rows / 2),
        (None, false, true) => Ok(rows / 3),
        (None, true, true) => Err(Fault::at(table.span.clone(), "planar or spatial?").label(format!(
            "expected `contacts = {}` (planar) or `contacts = {}` (spatial)",
            rows / 2,
            rows / 3
        ))),
        (None, false, false) => Err(Fault::at(table.span_of("velocity"), format!("`velocity` has {rows} numbers"))
            .label("expected 2 (planar) or 3 for each contact")),
    }
}
