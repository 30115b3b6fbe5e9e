//! `[[material]]` and `[[pair]]`, or the parameters of contacts.

use super::{find, place_of, read_names};
use crate::scenario::body::GROUND;
use crate::scenario::contact::read_pair;
use crate::scenario::elastic::read_elastic;
use crate::scenario::fault::{Fault, shown};
use crate::scenario::law::{check_friction, read_parameters};
use crate::scenario::schema::takes;
use crate::scenario::table::TableReader;
use carom::Error;
use carom::laws::Law;
use carom::sim::{MaterialId, Materials, Part, SceneBody};
use std::collections::HashMap;

type Parameters = Vec<(&'static str, f64)>;

/// More materials than this are a table of pairs that nobody wrote.
const MOST: usize = 1000;

/// The materials of a file, and how they meet.
pub(super) struct MaterialTable {
    names: Vec<String>,
    /// What each is, or, without `[[material]]`, nothing.
    own: Vec<Parameters>,
    /// Pairs that are given, the lower place first.
    pairs: HashMap<(usize, usize), Parameters>,
    /// What holds for all other pairs of materials that no `[[material]]` describes.
    rest: Option<Parameters>,
    /// Without `[[material]]`, the material of each body that a contact names.
    of_bodies: HashMap<usize, usize>,
    described: bool,
}

impl MaterialTable {
    pub fn read(file: &TableReader<'_>) -> Result<MaterialTable, Fault> {
        let tables = file.tables("material");
        if tables.is_empty() {
            if let Some(pair) = file.table("pair") {
                return Err(Fault::at(pair.span.clone(), "there is a pair but no material")
                    .label("expected a `[[material]]` for each of the two names"));
            }
            return MaterialTable::of_contacts(file);
        }
        if let Some(table) = tables.get(MOST) {
            return Err(Fault::at(table.span.clone(), format!("there are more than {MOST} materials")));
        }
        let names = read_names(tables)?;
        for table in tables.iter().chain(file.tables("pair")) {
            check_friction(table)?;
        }
        let mut pairs = HashMap::new();
        for table in file.tables("pair") {
            let Some([(a, at_a), (b, at_b)]) = table.pair("between") else { continue };
            let (a, b) = (find(a, at_a, &names, "material")?, find(b, at_b, &names, "material")?);
            if pairs.insert((a.min(b), a.max(b)), read_parameters(table)).is_some() {
                return Err(Fault::at(table.span_of("between"), "there is another `[[pair]]` of these materials")
                    .label("expected one"));
            }
        }
        let own = tables.iter().map(read_parameters).collect();
        Ok(MaterialTable { names, own, pairs, rest: None, of_bodies: HashMap::new(), described: true })
    }

    /// Every body that a contact names is a material of its own; all others share the ground's, which is the first.
    fn of_contacts(file: &TableReader<'_>) -> Result<MaterialTable, Fault> {
        let names: Vec<String> =
            file.tables("body").iter().map(|body| body.text("name").unwrap_or_default().to_owned()).collect();
        let mut table = MaterialTable {
            names: vec![GROUND.to_owned()],
            own: vec![Vec::new()],
            pairs: HashMap::new(),
            rest: None,
            of_bodies: HashMap::new(),
            described: false,
        };
        let contacts = file.tables("contact");
        let given: Vec<Parameters> = contacts.iter().map(read_parameters).collect();
        if given.iter().all(|parameters| *parameters == given[0]) {
            // One material does for all.
            table.rest = given.into_iter().next();
            return Ok(table);
        }
        let mut first: HashMap<(usize, usize), &TableReader<'_>> = HashMap::new();
        for (contact, parameters) in contacts.iter().zip(given) {
            check_friction(contact)?;
            let (_, places) = read_pair(contact, &names)?;
            let [a, b] = places.map(|place| place.map_or(0, |place| table.of_named(place, &names)));
            if table.names.len() > MOST {
                return Err(Fault::at(contact.span.clone(), format!("there are more than {MOST} materials"))
                    .label("expected `[[material]]`s"));
            }
            let pair = (a.min(b), a.max(b));
            if let Some(other) = first.get(&pair)
                && table.pairs.get(&pair) != Some(&parameters)
            {
                return Err(Fault::at(contact.span.clone(), "two contacts of these bodies have different parameters")
                    .label("in a simulation bodies touch anywhere: expected the same, or `[[material]]`s")
                    .context(other.span.clone(), "the other one"));
            }
            first.insert(pair, contact);
            table.pairs.insert(pair, parameters);
        }
        Ok(table)
    }

    fn of_named(&mut self, body: usize, names: &[String]) -> usize {
        *self.of_bodies.entry(body).or_insert_with(|| {
            self.names.push(names[body].clone());
            self.own.push(Vec::new());
            self.names.len() - 1
        })
    }

    /// The material of the body at a place.
    pub fn of_body(&self, table: &TableReader<'_>, place: usize) -> Result<MaterialId, Fault> {
        if self.described {
            return self.of_surroundings(table);
        }
        Ok(self.of_bodies.get(&place).copied().map_or_else(MaterialId::default, MaterialId::new))
    }

    /// The material that a part names, if it does.
    pub fn of_part(&self, part: &TableReader<'_>) -> Result<Option<MaterialId>, Fault> {
        part.entry("material").map(|_| self.of_surroundings(part)).transpose()
    }

    /// The material that a table names.
    pub fn of_surroundings(&self, table: &TableReader<'_>) -> Result<MaterialId, Fault> {
        let first = MaterialId::default();
        match (table.entry("material"), self.names.len()) {
            (Some(_), _) => {
                let known = if self.described { &self.names[..] } else { &[] };
                place_of(table, "material", known, "material").map(MaterialId::new)
            }
            (None, 1) => Ok(first),
            (None, _)
                if !self.described || ["shape", "parts", "normal"].iter().all(|key| table.entry(key).is_none()) =>
            {
                Ok(first)
            }
            (None, _) => Err(Fault::at(table.span.clone(), format!("{} has no `material`", table.title()))
                .label("expected the name of one, since there are several")),
        }
    }

    /// The parameters of every pair, checked against the law where bodies and their surroundings can meet; and the names of the
    /// materials.
    pub fn of_pairs(
        self,
        file: &TableReader<'_>,
        law: &'static Law,
        bodies: &[SceneBody],
        world: &[Part],
    ) -> Result<(Materials, Vec<String>), Fault> {
        let law_table = file.table("law");
        let mut shared = Vec::new();
        if let Some(table) = law_table {
            shared.extend(read_elastic(table)?);
            shared.extend(read_parameters(table));
        }
        let count = self.names.len();
        let materials = Materials::new(count, shared, |a, b| self.of_pair(a.index(), b.index()));
        let meetings = Meetings::new(count, bodies, world);
        for a in 0..count {
            for b in a..count {
                // Bodies that no contact brings together may never meet; if they do, the engine says so.
                let has_parameters = self.rest.is_some() || self.pairs.contains_key(&(a, b)) || self.pairs.is_empty();
                if meetings.happen(a, b) && (self.described || has_parameters) {
                    bind(law, &materials, [a, b].map(MaterialId::new))
                        .map_err(|error| self.unfit(file, law, [a, b], &error))?;
                }
            }
        }
        Ok((materials, self.names))
    }

    fn of_pair(&self, a: usize, b: usize) -> Parameters {
        let given = self.pairs.get(&(a, b)).or(self.rest.as_ref()).cloned().unwrap_or_default();
        if !self.described {
            return given;
        }
        let friction = |key: &str| key.contains("friction");
        let by_pair = given.iter().any(|(key, _)| friction(key));
        let mut parameters = given.clone();
        for (key, value) in combined(&self.own[a], &self.own[b]) {
            let is_given = given.iter().any(|(known, _)| *known == key) || (by_pair && friction(key));
            if !is_given {
                parameters.push((key, value));
            }
        }
        parameters
    }

    fn unfit(&self, file: &TableReader<'_>, law: &Law, pair: [usize; 2], error: &Error) -> Fault {
        let [a, b] = pair.map(|place| shown(&self.names[place]));
        let table = |place: usize| file.tables("material").get(place);
        let place = match (file.table("law"), table(pair[1])) {
            (Some(table), _) if table.entry("id").is_some() => table.span_of("id"),
            (_, Some(table)) => table.span.clone(),
            _ => file.table("contact").or_else(|| file.table("simulation")).map_or(0..0, |table| table.span.clone()),
        };
        match error {
            Error::MissingParameter { key, .. } if !takes("[[material]]", key) => {
                Fault::at(place, format!("law `{}` needs `{key}`", law.id))
                    .label(format!("expected `{key}` in `[law]`"))
            }
            Error::MissingParameter { key, .. } if self.described => {
                let or_law = if takes("[law]", key) { ", or in `[law]`" } else { "" };
                Fault::at(place, format!("law `{}` needs `{key}` between {a} and {b}", law.id))
                    .label(format!("expected `{key}` in both materials, or in their `[[pair]]`{or_law}"))
            }
            Error::MissingParameter { key, .. } if self.rest.is_none() && self.pairs.is_empty() => {
                Fault::at(place, format!("law `{}` needs `{key}` where bodies touch", law.id))
                    .label(format!("expected a `[[material]]` with `{key}`"))
            }
            Error::MissingParameter { key, .. } => {
                Fault::at(place, format!("law `{}` needs `{key}` between {a} and {b}", law.id))
                    .label(format!("expected `{key}` in every `[[contact]]`, or `[[material]]`s"))
            }
            Error::OutOfRange { what, value, expected } => {
                Fault::at(place, format!("`{what}` is {value} between {a} and {b}"))
                    .label(format!("law `{}`: expected {expected}", law.id))
            }
            other => Fault::at(place, format!("{other} (between {a} and {b})")),
        }
    }
}

/// Where each material is.
struct Meetings {
    /// The first and the last body that has it.
    bodies: Vec<Option<[usize; 2]>>,
    /// Whether the surroundings have it.
    world: Vec<bool>,
}

impl Meetings {
    fn new(count: usize, bodies: &[SceneBody], world: &[Part]) -> Meetings {
        let mut meetings = Meetings { bodies: vec![None; count], world: vec![false; count] };
        for (k, body) in bodies.iter().enumerate() {
            for part in &body.parts {
                let of = &mut meetings.bodies[part.material.index()];
                *of = Some([of.map_or(k, |[first, _]| first), k]);
            }
        }
        for part in world {
            meetings.world[part.material.index()] = true;
        }
        meetings
    }

    /// Whether two bodies, or a body and its surroundings, are of these two.
    fn happen(&self, a: usize, b: usize) -> bool {
        let surrounded = |a: usize, b: usize| self.bodies[a].is_some() && self.world[b];
        let two_bodies = match (self.bodies[a], self.bodies[b]) {
            (Some([first, last]), Some(other)) => first != last || other != [first, last],
            _ => false,
        };
        two_bodies || surrounded(a, b) || surrounded(b, a)
    }
}

/// Whether a law can do with the parameters of a pair.
fn bind(law: &'static Law, materials: &Materials, [a, b]: [MaterialId; 2]) -> Result<(), Error> {
    let [static_friction, kinetic_friction] = materials.friction(a, b);
    law.check_frictions(static_friction, kinetic_friction)?;
    law.bind_contacts(1, |_, key| materials.parameter(a, b, key)).map(|_| ())
}

/// What two materials make of each other: friction by the geometric mean, stiffness in a row, the smaller of the rest.
fn combined(a: &Parameters, b: &Parameters) -> Parameters {
    let value = |of: &Parameters, key: &str| of.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
    let friction = |of: &Parameters| {
        let both = value(of, "friction");
        Some([value(of, "static_friction").or(both)?, value(of, "kinetic_friction").or(both)?])
    };
    let mut parameters = Vec::new();
    if let (Some([stick_a, slip_a]), Some([stick_b, slip_b])) = (friction(a), friction(b)) {
        // The mean of equals is they themselves, to the last bit.
        let mean = |a: f64, b: f64| if a == b { a } else { (a * b).sqrt() };
        let (stick, slip) = (mean(stick_a, stick_b), mean(slip_a, slip_b));
        if stick == slip {
            parameters.push(("friction", stick));
        } else {
            parameters.extend([("static_friction", stick), ("kinetic_friction", slip)]);
        }
    }
    for (key, of_a) in a {
        let Some(of_b) = value(b, key) else { continue };
        match *key {
            "friction" | "static_friction" | "kinetic_friction" => {}
            "stiffness" => parameters.push((key, 1.0 / (1.0 / of_a + 1.0 / of_b))),
            _ => parameters.push((key, of_a.min(of_b))),
        }
    }
    parameters
}
