//! The file as a whole.

use super::Scenario;
use super::contact::read_scene;
use super::elastic::read_elastic;
use super::fault::Fault;
use super::file::stem;
use super::files::Files;
use super::frame::read_collision;
use super::impact::read_impact;
use super::joint::held_fault;
use super::law::{Parameters, check_binding, check_friction, check_plane, keys_of, read_law, read_parameters};
use super::misfit::misfit;
use super::numbers::{LARGEST, SMALLEST, are_sensible};
use super::own::OwnLaws;
use super::scene::Scene;
use super::schema::TOP;
use super::table::TableReader;
use super::vibration::read_vibration;
use carom::Dimension;
use carom::impact::Impact;
use carom::{Collision, Error};
use std::slice::from_ref;
use toml::Spanned;
use toml::de::DeTable;

/// What a file holds when it holds a problem.
pub(super) const EXPECTED: &str = "expected `[[body]]` and `[[contact]]`, or `[collision]`, or `[impact]`";

/// Reads a scenario from text.
pub(super) fn read(name: &str, text: &str, files: &Files, own: &OwnLaws) -> Result<Scenario, Fault> {
    let document = parse(text, EXPECTED)?;
    read_tables(name, &TableReader::read_with(&TOP, 0..0, document.get_ref(), own)?, files, own)
}

/// The TOML of a file, of which so much is expected.
pub(crate) fn parse<'a>(text: &'a str, expected: &str) -> Result<Spanned<DeTable<'a>>, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::of_the_file("the file is empty").help(expected));
    }
    DeTable::parse(text).map_err(|error| syntax_fault(&error, text))
}

/// The contacts of a file, in whichever form it gives them.
struct Contacts<'r, 'a> {
    scene: Option<Scene>,
    impact: Impact,
    /// The collision, if there is one contact.
    collision: Option<Collision>,
    dimension: Dimension,
    /// The tables that hold the materials, and the parameters that they give each contact.
    materials: &'r [TableReader<'a>],
    parameters: Vec<Parameters>,
}

/// Reads a scenario from its tables.
pub(super) fn read_tables(name: &str, file: &TableReader<'_>, files: &Files, own: &OwnLaws) -> Result<Scenario, Fault> {
    check_form(file)?;
    let contacts = read_contacts(file, files)?;
    check_magnitude(&contacts)?;
    for material in contacts.materials {
        check_friction(material)?;
    }
    let vibration = match (file.table("vibration"), &contacts.collision) {
        (Some(table), Some(collision)) => Some(read_vibration(table, collision, contacts.dimension)?),
        (Some(table), None) => {
            return Err(Fault::at(table.span.clone(), "`[vibration]` is for one contact")
                .label("expected it without a second contact"));
        }
        (None, _) => None,
    };
    let law_table = file.table("law");
    if let (Some(table), Dimension::Planar) = (law_table, contacts.dimension) {
        check_plane(table)?;
    }
    let mut shared = Parameters::new();
    if let Some(table) = law_table {
        shared.extend(read_elastic(table)?);
        shared.extend(read_parameters(table));
    }
    let of_law = law_table.into_iter().flat_map(read_parameters);
    let given_parameters = keys_of(contacts.parameters.iter().flatten().copied().chain(of_law));
    let scenario = Scenario {
        title: file.text("title").map_or_else(|| stem(name), str::to_owned),
        description: file.text("description").map(str::to_owned),
        names: contacts.scene.as_ref().map_or_else(Vec::new, Scene::contact_names),
        scene: contacts.scene,
        impact: contacts.impact,
        vibration,
        law: own.law().or_else(|| law_table.and_then(read_law)),
        collision: contacts.collision,
        dimension: contacts.dimension,
        shared,
        contacts: contacts.parameters,
        given_parameters,
        files: Vec::new(),
    };
    if let (Some(law), Some(table)) = (scenario.law, law_table) {
        check_binding(&scenario, law, contacts.materials, table)?;
    }
    Ok(scenario)
}

/// Checks that the contacts are given in one form, and completely.
fn check_form(file: &TableReader<'_>) -> Result<(), Fault> {
    let (bodies, contacts) = (file.tables("body"), file.tables("contact"));
    let (collision, impact) = (file.table("collision"), file.table("impact"));
    let frames = collision.or(impact);
    if let (Some(joint), Some(table)) = (file.table("joint"), frames.or(file.table("vibration"))) {
        return Err(Fault::at(table.span.clone(), "this is for bodies that no joint holds")
            .label("expected no `[[joint]]` beside it")
            .context(joint.span.clone(), "the first joint"));
    }
    if let (Some(table), Some(other)) = (collision, impact) {
        return Err(Fault::at(table.span.clone(), "`[collision]` is for one contact")
            .label("expected it without `[impact]`")
            .context(other.span.clone(), "describes the contacts already"));
    }
    match (frames, bodies.first().or(contacts.first())) {
        (Some(_), None) => return Ok(()),
        (Some(frames), Some(other)) => {
            let header = frames.title();
            return Err(Fault::at(frames.span.clone(), format!("the file has bodies and {header}"))
                .label("expected one or the other")
                .context(other.span.clone(), format!("the bodies describe the {} already", frames.noun()))
                .help(format!("keep `[[body]]` and `[[contact]]`, or {header}")));
        }
        (None, _) => {}
    }
    match (bodies.first(), contacts.first()) {
        (Some(_), Some(_)) => Ok(()),
        (Some(body), None) => {
            let fault = Fault::at(body.span.clone(), "there are bodies but no contact")
                .label("expected a `[[contact]]` that names this body");
            Err(if file.table("simulation").is_some() {
                fault.help("`carom simulate` lets bodies move until they meet")
            } else {
                fault
            })
        }
        (None, Some(contact)) => Err(Fault::at(contact.span.clone(), "there is a contact but no bodies")
            .label("expected a `[[body]]` for it")
            .help("only \"ground\" needs no `[[body]]`")),
        (None, None) => Err(Fault::of_the_file("the file describes no collision").help(EXPECTED)),
    }
}

fn read_contacts<'r, 'a>(file: &'r TableReader<'a>, files: &Files) -> Result<Contacts<'r, 'a>, Fault> {
    if let Some(table) = file.table("collision") {
        let (collision, dimension) = read_collision(table)?;
        return Ok(Contacts {
            scene: None,
            impact: Impact::of_collision(&collision),
            collision: Some(collision),
            dimension,
            materials: from_ref(table),
            parameters: vec![read_parameters(table)],
        });
    }
    if let Some(table) = file.table("impact") {
        let (impact, parameters) = read_impact(table)?;
        let dimension = if impact.is_planar() { Dimension::Planar } else { Dimension::Spatial };
        let alone = (impact.contacts() == 1).then(|| impact.collision(0)).transpose();
        let collision = alone.map_err(|error| misfit(table, "velocity", &error))?;
        return Ok(Contacts {
            scene: None,
            impact: collision.as_ref().map_or(impact, Impact::of_collision),
            collision,
            dimension,
            materials: from_ref(table),
            parameters,
        });
    }
    let (contacts, joints) = (file.tables("contact"), file.tables("joint"));
    let scene = read_scene(file.tables("body"), contacts, joints, files)?;
    let (impact, collision) = match (&scene.contacts[..], joints) {
        ([alone], []) => {
            let collision = scene.collision(&alone.contact).map_err(|error| unequal(&error, &contacts[0]))?;
            (Impact::of_collision(&collision), Some(collision))
        }
        _ => scene.impact().map_err(|error| held_fault(error, joints, contacts.first()))?,
    };
    Ok(Contacts {
        impact,
        collision,
        dimension: scene.dimension,
        scene: Some(scene),
        materials: contacts,
        parameters: contacts.iter().map(read_parameters).collect(),
    })
}

/// The fault of bodies that give no collision.
fn unequal(error: &Error, contact: &TableReader<'_>) -> Fault {
    match error {
        Error::ImmovableAlongNormal => misfit(contact, "between", error),
        // Sound bodies give a sound collision unless rounding leaves nothing of the smaller terms.
        _ => {
            Fault::at(contact.span.clone(), "the masses, inertias and lever arms at this contact are absurdly unequal")
                .label("double precision holds no collision here")
        }
    }
}

/// Refuses numbers that are sound one by one but whose products leave the range of floating point.
fn check_magnitude(contacts: &Contacts<'_, '_>) -> Result<(), Fault> {
    let (Some(collision), Some(material)) = (&contacts.collision, contacts.materials.first()) else { return Ok(()) };
    let mass = collision.inverse_mass().amax();
    let speed = collision.velocity().amax();
    if are_sensible(mass, speed) {
        return Ok(());
    }
    Err(Fault::at(material.span.clone(), "masses, distances or velocities at this contact are absurd")
        .label(format!("the inverse mass is {mass:e} 1/kg, the velocity {speed:e} m/s"))
        .help(format!("expected both from {SMALLEST:e} to {LARGEST:e}")))
}

fn syntax_fault(error: &toml::de::Error, text: &str) -> Fault {
    let span = error.span().unwrap_or(text.len()..text.len());
    // The parser takes what is missing after `=` for an empty unquoted string.
    let message = if span.is_empty() && error.message().starts_with("string values must be quoted") {
        "a value is missing"
    } else {
        error.message()
    };
    Fault::at(span, format!("this is not TOML: {message}"))
}
