//! A scenario whose text is read once, and whose numbers are then set again and again: the rows of a sweep.

use super::change::Filled;
use super::document;
use super::fault::Fault;
use super::files::Files;
use super::own::OwnLaws;
use super::schema::TOP;
use super::simulation::KeptScene;
use super::table::{Entry, TableReader};
use super::{Scenario, SimulationScenario};
use std::collections::HashMap;
use std::path::Path;
use toml::Spanned;
use toml::de::DeTable;

/// The tables of a file, and where the numbers are that change.
#[derive(Debug)]
pub(crate) struct Kept<'a> {
    name: &'a str,
    folder: Option<&'a Path>,
    file: TableReader<'a>,
    slots: Vec<Slot>,
    scene: KeptScene,
}

/// A number of the file that changes.
#[derive(Debug)]
struct Slot {
    /// Which of the values it is.
    value: usize,
    /// The entries and tables that lead to it, by their places.
    path: Vec<Step>,
    entry: usize,
    /// Its place among the numbers of the entry, row by row.
    place: usize,
    /// What of a scene follows from it.
    part: ScenePart,
}

/// On the way to a number: an entry of a table, and one of the tables below it.
#[derive(Clone, Copy, Debug)]
struct Step {
    entry: usize,
    table: usize,
}

/// What of a scene that moves follows from a number, beside nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScenePart {
    /// Duration and accuracy.
    Settings,
    Gravity,
    /// Where a body starts and how it moves.
    State(usize),
    /// Parameters of laws.
    Materials,
    /// Anything.
    Whole,
}

/// Tables whose contents follow from where bodies are.
const PLACED: [&str; 8] = ["joint", "string", "spring", "torsion_spring", "motor", "force", "torque", "urdf"];

impl<'a> Kept<'a> {
    /// The tables of a text; nothing if they have a fault, or where a number that changes cannot be told.
    pub(crate) fn read(
        name: &'a str,
        folder: Option<&'a Path>,
        filled: &Filled,
        document: &'a Spanned<DeTable<'a>>,
    ) -> Option<Kept<'a>> {
        let file = TableReader::read(&TOP, 0..0, document.get_ref()).ok()?;
        let starts: HashMap<usize, usize> = filled.numbers.iter().map(|number| (number.start, number.value)).collect();
        let mut slots = Vec::with_capacity(starts.len());
        collect(&file, &mut Vec::new(), &starts, &mut slots);
        if slots.len() != starts.len() {
            return None;
        }
        for slot in &mut slots {
            slot.part = part(&file, slot);
        }
        Some(Kept { name, folder, file, slots, scene: KeptScene::default() })
    }

    /// The scenario with these values.
    pub(crate) fn scenario(&mut self, values: &[f64]) -> Result<Scenario, Fault> {
        self.set(values, &mut |_| {})?;
        let files = Files::beside(self.folder);
        let scenario = document::read_tables(self.name, &self.file, &files, &OwnLaws::default())?;
        Ok(Scenario { files: files.into_read(), ..scenario })
    }

    /// The scene with these values. It may be changed; what a row changes stays for those that follow.
    pub(crate) fn scene(&mut self, values: &[f64]) -> Result<&mut SimulationScenario, Fault> {
        let mut scene = std::mem::take(&mut self.scene);
        self.set(values, &mut |part| scene.outdate(part))?;
        scene.renew(self.name, &self.file, self.folder)?;
        self.scene = scene;
        self.scene.current().ok_or_else(|| Fault::of_the_file("the scene was not read"))
    }

    /// Puts the values into their places. `changed` is told what of a scene follows from each that differs.
    fn set(&mut self, values: &[f64], changed: &mut impl FnMut(ScenePart)) -> Result<(), Fault> {
        for slot in &self.slots {
            let mut table = &mut self.file;
            for step in &slot.path {
                table = &mut table.entries_mut()[step.entry].tables_mut()[step.table];
            }
            let entry = &mut table.entries_mut()[slot.entry];
            let field = entry.field;
            if let Some(numbers) = entry.numbers_mut()
                && numbers.set(field, slot.place, values[slot.value])?
            {
                changed(slot.part);
            }
        }
        Ok(())
    }
}

/// Finds the numbers that stand at these bytes of the text.
fn collect(table: &TableReader<'_>, path: &mut Vec<Step>, starts: &HashMap<usize, usize>, slots: &mut Vec<Slot>) {
    for (k, entry) in table.entries().iter().enumerate() {
        for (place, span) in entry.numbers().map_or(&[][..], |numbers| numbers.spans()).iter().enumerate() {
            if let Some(value) = starts.get(&span.start) {
                slots.push(Slot { value: *value, path: path.clone(), entry: k, place, part: ScenePart::Whole });
            }
        }
        for (j, below) in entry.tables().iter().enumerate() {
            path.push(Step { entry: k, table: j });
            collect(below, path, starts, slots);
            path.pop();
        }
    }
}

/// What of a scene follows from a number.
fn part(file: &TableReader<'_>, slot: &Slot) -> ScenePart {
    let [step] = slot.path[..] else { return ScenePart::Whole };
    let top: &Entry<'_> = &file.entries()[step.entry];
    let entry = &top.tables()[step.table].entries()[slot.entry];
    match (top.field.key, entry.field.key) {
        ("simulation", "gravity") => ScenePart::Gravity,
        ("simulation", _) => ScenePart::Settings,
        // The orientation also turns the inertia that is checked.
        ("body", "position" | "velocity" | "angular_velocity")
            if PLACED.iter().all(|placed| file.entry(placed).is_none()) =>
        {
            ScenePart::State(step.table)
        }
        ("material" | "pair" | "contact" | "law", _) if entry.is_parameter => ScenePart::Materials,
        _ => ScenePart::Whole,
    }
}
