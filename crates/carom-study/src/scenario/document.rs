//! The file as a whole.

use super::contact::read_scene;
use super::elastic::read_elastic;
use super::fault::Fault;
use super::file::stem;
use super::files::Files;
use super::frame::read_collision;
use super::impact::{held_fault, read_impact};
use super::law::{check_binding, check_friction, check_plane, keys_of, read_law, read_parameters};
use super::misfit::misfit;
use super::numbers::{LARGEST, SMALLEST};
use super::scene::Problem;
use super::schema::TOP;
use super::table::TableReader;
use super::vibration::read_vibration;
use super::{AnyScenario, Scenario};
use carom::Dimension;
use carom::{Collision, Error};
use toml::Spanned;
use toml::de::DeTable;

/// What a file holds when it holds a problem.
pub(super) const EXPECTED: &str = "expected `[[body]]` and `[[contact]]`, or `[collision]`, or `[impact]`";

/// Reads a scenario of one contact from text.
pub(super) fn read(name: &str, text: &str, files: &Files) -> Result<Scenario, Fault> {
    let document = parse(text, EXPECTED)?;
    read_one(name, &TableReader::read(&TOP, 0..0, document.get_ref())?, files)
}

/// Reads a scenario of one contact or several from text.
pub(super) fn read_any(name: &str, text: &str, files: &Files) -> Result<AnyScenario, Fault> {
    let document = parse(text, EXPECTED)?;
    let file = TableReader::read(&TOP, 0..0, document.get_ref())?;
    let several = file.tables("contact").len() > 1 || file.table("impact").is_some();
    if several {
        return read_impact(name, &file, files).map(|scenario| AnyScenario::Several(Box::new(scenario)));
    }
    read_one(name, &file, files).map(|scenario| AnyScenario::One(Box::new(scenario)))
}

/// The TOML of a file, of which so much is expected.
pub(super) fn parse<'a>(text: &'a str, expected: &str) -> Result<Spanned<DeTable<'a>>, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::of_the_file("the file is empty").help(expected));
    }
    DeTable::parse(text).map_err(|error| syntax_fault(&error, text))
}

fn read_one(name: &str, file: &TableReader<'_>, files: &Files) -> Result<Scenario, Fault> {
    let (material, header) = choose_problem(file)?;
    let (problem, collision, dimension) = match file.table("collision") {
        Some(table) => {
            let (collision, dimension) = read_collision(table)?;
            (Problem::ContactFrame, collision, dimension)
        }
        None => read_bodies(file, material, files)?,
    };
    check_magnitude(&collision, material)?;
    check_friction(material)?;
    let vibration = file.table("vibration").map(|table| read_vibration(table, &collision, dimension)).transpose()?;
    let law_table = file.table("law");
    if let (Some(table), Dimension::Planar) = (law_table, dimension) {
        check_plane(table)?;
    }
    let mut parameters = Vec::new();
    if let Some(table) = law_table {
        parameters.extend(read_elastic(table)?);
        parameters.extend(read_parameters(table));
    }
    parameters.extend(read_parameters(material));
    let given_parameters = keys_of(law_table.into_iter().chain([material]).flat_map(read_parameters));
    let scenario = Scenario {
        title: file.text("title").map_or_else(|| stem(name), str::to_owned),
        description: file.text("description").map(str::to_owned),
        problem,
        collision,
        vibration,
        law: law_table.and_then(read_law),
        dimension,
        parameters,
        given_parameters,
    };
    if let (Some(law), Some(table)) = (scenario.law, law_table) {
        check_binding(&scenario, law, material, table, header)?;
    }
    Ok(scenario)
}

/// The table that holds the material, and its header: the one contact, or `[collision]`.
fn choose_problem<'r, 'a>(file: &'r TableReader<'a>) -> Result<(&'r TableReader<'a>, &'static str), Fault> {
    let (bodies, contacts) = (file.tables("body"), file.tables("contact"));
    if let [_, second, ..] = contacts {
        return Err(Fault::at(second.span.clone(), "there are several contacts, and this needs one")
            .label("expected one `[[contact]]`")
            .context(contacts[0].span.clone(), "the first"));
    }
    if let Some(table) = file.table("impact") {
        return Err(Fault::at(table.span.clone(), "there may be several contacts, and this needs one")
            .label("expected `[[contact]]` or `[collision]` alone"));
    }
    if let (Some(joint), Some(table)) = (file.table("joint"), file.table("collision").or(file.table("vibration"))) {
        return Err(Fault::at(table.span.clone(), "this is for bodies that no joint holds")
            .label("expected no `[[joint]]` beside it")
            .context(joint.span.clone(), "the first joint"));
    }
    match (file.table("collision"), bodies.first(), contacts.first()) {
        (Some(collision), None, None) => Ok((collision, "[collision]")),
        (None, Some(_), Some(contact)) => Ok((contact, "[[contact]]")),
        (Some(collision), Some(other), _) | (Some(collision), None, Some(other)) => {
            Err(Fault::at(collision.span.clone(), "the file has bodies and `[collision]`")
                .label("expected one or the other")
                .context(other.span.clone(), "the bodies describe the collision already")
                .help("keep `[[body]]` and `[[contact]]`, or `[collision]`"))
        }
        (None, Some(body), None) => {
            let fault = Fault::at(body.span.clone(), "there are bodies but no contact")
                .label("expected a `[[contact]]` that names this body");
            Err(if file.table("simulation").is_some() {
                fault.help("`carom simulate` lets bodies move until they meet")
            } else {
                fault
            })
        }
        (None, None, Some(contact)) => Err(Fault::at(contact.span.clone(), "there is a contact but no bodies")
            .label("expected a `[[body]]` for it")
            .help("only \"ground\" needs no `[[body]]`")),
        (None, None, None) => Err(Fault::of_the_file("the file describes no collision").help(EXPECTED)),
    }
}

fn read_bodies(
    file: &TableReader<'_>,
    contact: &TableReader<'_>,
    files: &Files,
) -> Result<(Problem, Collision, Dimension), Fault> {
    let joints = file.tables("joint");
    let (scene, dimension) = read_scene(file.tables("body"), contact, joints, files)?;
    let collision = scene.collision().map_err(|error| match error {
        _ if !joints.is_empty() => held_fault(error, joints, Some(contact)),
        Error::ImmovableAlongNormal => misfit(contact, "between", &error),
        // Sound bodies give a sound collision unless rounding leaves nothing of the smaller terms.
        _ => {
            Fault::at(contact.span.clone(), "the masses, inertias and lever arms at this contact are absurdly unequal")
                .label("double precision holds no collision here")
        }
    })?;
    Ok((Problem::Bodies(Box::new(scene)), collision, dimension))
}

/// Refuses numbers that are sound one by one but whose products leave the range of floating point.
fn check_magnitude(collision: &Collision, material: &TableReader<'_>) -> Result<(), Fault> {
    let mass = collision.inverse_mass().amax();
    let speed = collision.velocity().amax();
    if (SMALLEST..=LARGEST).contains(&mass) && (speed == 0.0 || (SMALLEST..=LARGEST).contains(&speed)) {
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
