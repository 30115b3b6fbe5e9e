//! Tracks of bodies, frame by frame, from a CSV file or from columns.

use super::ReduceError;
use super::place::Place;
use super::setup::{Setup, Tracked};
use crate::columns::{Cells, ColumnValues, RowOfColumns, count_rows};
use crate::scenario::{nearest, reason, shown};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// Files are read whole; one that is larger is no table of tracks.
const LARGEST_FILE: u64 = 1 << 30;
/// No coordinate of an experiment is larger, m, and no time, s.
const FARTHEST: f64 = 1e9;
/// No body of an experiment is faster, m/s.
const FASTEST: f64 = 1e5;
/// The factor by which distances between marks may differ from the setup. Beyond it the unit of the table must be wrong.
const SCALE_RANGE: f64 = 1.5;

/// What a frame shows of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// A point of the body.
    Point {
        /// From the centre of mass in the axes of the outline, m.
        arm: Vector3<f64>,
        /// Where it is, m.
        at: Vector3<f64>,
    },
    /// The angle of the outline's x axis, rad, up to whole turns.
    Angle(f64),
    /// How the outline's axes are turned.
    Orientation(UnitQuaternion<f64>),
}

/// Something seen at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// Its line or row.
    pub place: Place,
    /// s.
    pub time: f64,
    /// What was seen.
    pub seen: Seen,
}

/// Before or after the collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before.
    Before,
    /// After.
    After,
}

/// A body in a trial, in the order of time.
#[derive(Clone, Debug)]
pub struct Track {
    /// Place among the bodies of the setup.
    pub body: usize,
    /// What was seen.
    pub sightings: Vec<Sighting>,
    /// The phase of each sighting, if the file says it.
    pub phases: Option<Vec<Phase>>,
}

/// The tracks of one collision.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its name in the column `trial`.
    pub name: String,
    /// Its group in the column `group`, else the name of its first body.
    pub group: String,
    /// Its first row.
    pub place: Place,
    /// One for each body, in the order of the setup.
    pub tracks: Vec<Track>,
}

/// Reads the tracks of a file.
pub fn read(path: &Path, setup: &Setup) -> Result<Vec<Trial>, ReduceError> {
    let fault = |fault: String| ReduceError(format!("{}: {fault}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| fault(reason(&error)))?;
    let metadata = file.metadata().map_err(|error| fault(reason(&error)))?;
    if metadata.is_dir() {
        return Err(fault("is a folder; expected a CSV file".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| fault(reason(&error)))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(fault("is larger than 1 GiB; expected a table of tracks".to_owned()));
    }
    let text = String::from_utf8(bytes).map_err(|_| fault("is no text in UTF-8".to_owned()))?;
    parse(&text, setup).map_err(|error| fault(error.0))
}

/// The same from a text.
pub fn parse(text: &str, setup: &Setup) -> Result<Vec<Trial>, ReduceError> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| ReduceError(in_words(&error)))?;
    let header: Vec<String> = header.iter().map(str::to_owned).collect();
    if header.iter().all(String::is_empty) {
        return Err(ReduceError("is empty; expected a table of tracks with a header".to_owned()));
    }
    let layout = Layout::of(&header, setup)?;
    let mut rows = Rows::default();
    for record in reader.records() {
        let record = record.map_err(|error| ReduceError(in_words(&error)))?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        let place = Place { word: "line", number: line };
        layout.add(&mut rows, setup, &Row { place, cells: &record, header: &header })?;
    }
    rows.finish(setup)
}

/// The same from columns with names, as programs hold them. Rows are counted from 0; NaN or an empty word was not seen.
pub fn of_columns(columns: &[(String, ColumnValues)], setup: &Setup) -> Result<Vec<Trial>, ReduceError> {
    let count = count_rows(columns).map_err(ReduceError)?;
    let header: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    let layout = Layout::of(&header, setup)?;
    let mut rows = Rows::default();
    for row in 0..count {
        let place = Place { word: "row", number: row };
        layout.add(&mut rows, setup, &Row { place, cells: &RowOfColumns { columns, row }, header: &header })?;
    }
    rows.finish(setup)
}

/// The trials read so far, and where they are by name.
#[derive(Default)]
struct Rows {
    trials: Vec<Trial>,
    places: HashMap<String, usize>,
}

impl Rows {
    /// The trials, in the order of the table.
    fn finish(mut self, setup: &Setup) -> Result<Vec<Trial>, ReduceError> {
        if self.trials.is_empty() {
            return Err(ReduceError("has no rows; expected tracks below the header".to_owned()));
        }
        for trial in &mut self.trials {
            trial.tracks.sort_by_key(|track| track.body);
            if trial.group.is_empty() {
                trial.group =
                    trial.tracks.first().map_or_else(String::new, |track| setup.bodies[track.body].name.clone());
            }
        }
        check_units(&self.trials, setup)?;
        Ok(self.trials)
    }
}

struct Row<'a> {
    place: Place,
    cells: &'a dyn Cells,
    header: &'a [String],
}

impl Row<'_> {
    fn text(&self, column: usize) -> Cow<'_, str> {
        if self.cells.is_empty(column) { Cow::Borrowed("") } else { self.cells.word(column) }
    }

    /// A number; nothing where the field is empty.
    fn number(&self, column: usize) -> Result<Option<f64>, ReduceError> {
        if self.cells.is_empty(column) {
            return Ok(None);
        }
        match self.cells.number(column) {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => {
                let name = &self.header[column];
                let expected = "expected a finite number, or nothing where it was not seen";
                Err(self.fault(&format!("`{name}` is {}; {expected}", shown(&self.cells.word(column)))))
            }
        }
    }

    /// The numbers of some columns; nothing where all are empty.
    fn numbers(&self, columns: &[usize]) -> Result<Option<Vec<f64>>, ReduceError> {
        let values = columns.iter().map(|column| self.number(*column)).collect::<Result<Vec<_>, _>>()?;
        if values.iter().all(Option::is_none) {
            return Ok(None);
        }
        if let Some(place) = values.iter().position(Option::is_none) {
            let name = &self.header[columns[place]];
            return Err(self.fault(&format!("`{name}` is empty; expected a number beside the other coordinates")));
        }
        Ok(Some(values.into_iter().flatten().collect()))
    }

    fn fault(&self, fault: &str) -> ReduceError {
        ReduceError(format!("{}: {fault}", self.place))
    }
}

fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: has {len} fields; expected {expected_len}, as the header has")
        }
        _ => format!("cannot be read: {error}"),
    }
}

/// Where the columns stand.
struct Layout {
    trial: Option<usize>,
    group: Option<usize>,
    body: Option<usize>,
    phase: Option<usize>,
    time: Time,
    centre: Option<Vec<usize>>,
    marks: Vec<Option<Vec<usize>>>,
    /// Its column, and radians for each of its units.
    angle: Option<(usize, f64)>,
    orientation: Option<Vec<usize>>,
}

enum Time {
    Seconds(usize),
    /// Frames of this length, s.
    Frames(usize, f64),
}

impl Layout {
    fn of(header: &[String], setup: &Setup) -> Result<Layout, ReduceError> {
        if let Some((place, name)) =
            header.iter().enumerate().find(|(place, name)| !name.is_empty() && header[..*place].contains(name))
        {
            return Err(ReduceError(format!("the column {} comes twice, as column {}", shown(name), place + 1)));
        }
        let axes: &[&str] = if setup.dimension.is_planar() { &["x", "y"] } else { &["x", "y", "z"] };
        let most = setup.bodies.iter().map(|body| body.marks.len()).max().unwrap_or(0);
        let mut known: Vec<String> = ["trial", "group", "body", "phase", "time", "frame"].map(str::to_owned).to_vec();
        let turns: &[&str] =
            if setup.dimension.is_planar() { &["angle", "angle_deg"] } else { &["qw", "qx", "qy", "qz"] };
        known.extend(axes.iter().chain(turns).map(|name| (*name).to_owned()));
        known.extend((1..=most).flat_map(|k| axes.iter().map(move |axis| format!("{axis}{k}"))));
        let find = |name: &str| header.iter().position(|given| given == name);
        for name in header.iter().filter(|name| !known.contains(name)) {
            if let Some(mark) = mark_number(name, axes) {
                let fault = format!("the column {} is of mark {mark}, but the setup has {most} `marks`", shown(name));
                return Err(ReduceError(fault));
            }
            let absent = known.iter().filter(|known| find(known).is_none()).map(String::as_str);
            if let Some(near) = nearest(name, absent) {
                return Err(ReduceError(format!("the column {} is unknown; did you mean `{near}`?", shown(name))));
            }
        }
        let all = |names: Vec<String>| -> Result<Option<Vec<usize>>, ReduceError> {
            let places: Vec<Option<usize>> = names.iter().map(|name| find(name)).collect();
            match (places.iter().flatten().next(), places.iter().position(Option::is_none)) {
                (None, _) => Ok(None),
                (Some(_), None) => Ok(Some(places.into_iter().flatten().collect())),
                (Some(given), Some(absent)) => Err(ReduceError(format!(
                    "there is no column `{}`; expected it beside `{}`",
                    names[absent], header[*given]
                ))),
            }
        };
        let centre = all(axes.iter().map(|axis| (*axis).to_owned()).collect())?;
        let marks = (1..=most).map(|k| all(axes.iter().map(|axis| format!("{axis}{k}")).collect()));
        let marks = marks.collect::<Result<Vec<_>, _>>()?;
        let orientation =
            if setup.dimension.is_planar() { None } else { all(["qw", "qx", "qy", "qz"].map(str::to_owned).to_vec())? };
        let angle = find("angle").map(|column| (column, 1.0));
        let angle = angle.or_else(|| find("angle_deg").map(|column| (column, 1.0_f64.to_radians())));
        let angle = angle.filter(|_| setup.dimension.is_planar());
        let turned = angle.is_some() || orientation.is_some();
        if centre.is_none() && marks.iter().flatten().next().is_none() {
            let with = if most == 0 { " (which need `marks` in the setup)" } else { "" };
            return Err(ReduceError(format!(
                "there are no positions; expected columns {}1, {}1, … of marks{with}, or {} of the centre of mass",
                axes[0],
                axes[1],
                axes.join(", ")
            )));
        }
        let points =
            |body: &Tracked| marks.iter().take(body.marks.len()).flatten().count() + usize::from(centre.is_some());
        let round = setup.bodies.iter().find(|body| points(body) < 2);
        if let (false, Some(body)) = (turned, round) {
            let turn = if setup.dimension.is_planar() { "`angle`" } else { "`qw`, `qx`, `qy`, `qz`" };
            return Err(ReduceError(format!(
                "how {} is turned cannot be seen; expected {turn}, or more of its marks in the table and the setup",
                shown(&body.name)
            )));
        }
        let body = find("body");
        if body.is_none() && setup.bodies.len() > 1 {
            return Err(ReduceError("there is no column `body`; expected it as the setup has two bodies".to_owned()));
        }
        let time = match (find("time"), find("frame"), setup.camera.rate) {
            (Some(column), _, _) => Time::Seconds(column),
            (None, Some(column), Some(rate)) => Time::Frames(column, rate.recip()),
            (None, Some(_), None) => {
                return Err(ReduceError(
                    "there is a column `frame` and no `time`; expected `rate` in `[camera]` of the setup".to_owned(),
                ));
            }
            (None, None, _) => {
                return Err(ReduceError("there is no column `time`; expected it, in seconds, or `frame`".to_owned()));
            }
        };
        Ok(Layout {
            trial: find("trial"),
            group: find("group"),
            body,
            phase: find("phase"),
            time,
            centre,
            marks,
            angle,
            orientation,
        })
    }

    fn add(&self, rows: &mut Rows, setup: &Setup, row: &Row) -> Result<(), ReduceError> {
        let name = self.trial.map_or(Cow::Borrowed("1"), |column| row.text(column));
        let body = self.body_of(setup, row)?;
        let (column, unit) = match self.time {
            Time::Seconds(column) => (column, 1.0),
            Time::Frames(column, length) => (column, length),
        };
        let time = row.number(column)?.map(|time| time * unit);
        let time = time.ok_or_else(|| row.fault(&format!("`{}` is empty; expected a number", row.header[column])))?;
        if time.abs() > FARTHEST {
            let fault = format!("`{}` gives {time:e} s; expected seconds, at most {FARTHEST:e}", row.header[column]);
            return Err(row.fault(&fault));
        }
        let phase = self.phase.map(|column| row.text(column));
        let phase = match phase.as_deref() {
            None => None,
            Some("before") => Some(Phase::Before),
            Some("after") => Some(Phase::After),
            Some(other) => {
                return Err(row.fault(&format!("`phase` is {}; expected `before` or `after`", shown(other))));
            }
        };
        let place = *rows.places.entry(name.into_owned()).or_insert_with_key(|name| {
            rows.trials.push(Trial { name: name.clone(), group: String::new(), place: row.place, tracks: Vec::new() });
            rows.trials.len() - 1
        });
        let trial = &mut rows.trials[place];
        if let Some(group) = self.group.map(|column| row.text(column)) {
            if !trial.group.is_empty() && trial.group != group {
                let fault = format!("`group` is {}; expected {}", shown(&group), shown(&trial.group));
                return Err(row.fault(&format!("{fault}, as before in this trial")));
            }
            trial.group = group.into_owned();
        }
        let known = trial.tracks.iter().position(|track| track.body == body);
        let known = known.unwrap_or_else(|| {
            trial.tracks.push(Track { body, sightings: Vec::new(), phases: phase.map(|_| Vec::new()) });
            trial.tracks.len() - 1
        });
        let track = &mut trial.tracks[known];
        if let Some(last) = track.sightings.last().filter(|last| last.time >= time) {
            let what = format!("the time is {time} s after {} s in {}", last.time, last.place);
            return Err(row.fault(&format!("{what}; expected times that increase within a trial and body")));
        }
        if let (Some(Phase::Before), Some(Phase::After)) = (phase, track.phases.as_ref().and_then(|all| all.last())) {
            return Err(row.fault("`phase` is `before`, later than `after`; expected one collision in each trial"));
        }
        for seen in self.seen(&setup.bodies[body], setup, row)? {
            track.sightings.push(Sighting { place: row.place, time, seen });
            if let (Some(phases), Some(phase)) = (&mut track.phases, phase) {
                phases.push(phase);
            }
        }
        Ok(())
    }

    fn body_of(&self, setup: &Setup, row: &Row) -> Result<usize, ReduceError> {
        let Some(name) = self.body.map(|column| row.text(column)) else { return Ok(0) };
        setup.bodies.iter().position(|body| body.name == name).ok_or_else(|| {
            let near = nearest(&name, setup.bodies.iter().map(|body| body.name.as_str()));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            row.fault(&format!("the setup has no body {}{near}", shown(&name)))
        })
    }

    fn seen(&self, body: &Tracked, setup: &Setup, row: &Row) -> Result<Vec<Seen>, ReduceError> {
        let mut all = Vec::new();
        let columns = std::iter::once((&self.centre, Some(Vector3::zeros())));
        let marks = self.marks.iter().enumerate().map(|(k, columns)| (columns, body.marks.get(k).copied()));
        for (columns, arm) in columns.chain(marks) {
            let Some(columns) = columns else { continue };
            let Some(values) = row.numbers(columns)? else { continue };
            let Some(arm) = arm else {
                let (mark, has) = (&row.header[columns[0]], body.marks.len());
                let name = shown(&body.name);
                return Err(row.fault(&format!("`{mark}` has a number, but {name} has {has} `marks` in the setup")));
            };
            let mut at = Vector3::from_iterator(values.into_iter().chain([0.0]).take(3)) / setup.camera.scale;
            if setup.camera.is_y_down {
                at.y = -at.y;
            }
            if at.amax() > FARTHEST {
                let name = &row.header[columns[at.iamax()]];
                let fault = format!("`{name}` gives {:e} m; expected at most {FARTHEST:e}", at.amax());
                return Err(row.fault(&fault));
            }
            all.push(Seen::Point { arm, at });
        }
        if let Some((column, unit)) = self.angle
            && let Some(angle) = row.number(column)?
        {
            if angle.abs() > FARTHEST {
                return Err(row.fault(&format!("`{}` is {angle:e}; expected an angle", row.header[column])));
            }
            all.push(Seen::Angle(angle * if setup.camera.is_y_down { -unit } else { unit }));
        }
        if let Some(columns) = &self.orientation
            && let Some(values) = row.numbers(columns)?
        {
            let quaternion = Quaternion::new(values[0], values[1], values[2], values[3]);
            // Written with few digits it is still near 1.
            if (quaternion.norm() - 1.0).abs() > 0.01 {
                let fault = format!("the quaternion has the length {}; expected 1", quaternion.norm());
                return Err(row.fault(&fault));
            }
            all.push(Seen::Orientation(UnitQuaternion::from_quaternion(quaternion)));
        }
        Ok(all)
    }
}

/// The number of a mark whose coordinate a column could be: `x3`.
fn mark_number(name: &str, axes: &[&str]) -> Option<u32> {
    let (axis, number) = name.split_at_checked(1)?;
    axes.contains(&axis).then(|| number.parse().ok()).flatten()
}

/// Refuses tracks in a unit that cannot be meant: marks much closer or farther apart than in the setup, or speeds of no experiment.
fn check_units(trials: &[Trial], setup: &Setup) -> Result<(), ReduceError> {
    let mut ratios = Vec::new();
    for track in trials.iter().flat_map(|trial| &trial.tracks) {
        for pair in track.sightings.windows(2) {
            let [Seen::Point { arm: r, at: a }, Seen::Point { arm: s, at: b }] = [&pair[0].seen, &pair[1].seen] else {
                continue;
            };
            if pair[0].time == pair[1].time && r != s {
                ratios.push(((b - a).norm() / (s - r).norm(), pair[0].place));
            }
        }
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((ratio, place)) = ratios.get(ratios.len() / 2)
        && !(SCALE_RANGE.recip()..=SCALE_RANGE).contains(ratio)
    {
        let scale = ratio * setup.camera.scale;
        return Err(ReduceError(format!(
            "{place}: the marks are {ratio:.4} times as far apart as in the setup, as in half of the table; expected coordinates \
             in {}, or `scale` = {scale:.4} in `[camera]`",
            if setup.camera.scale == 1.0 { "metres".to_owned() } else { format!("1/{} m", setup.camera.scale) }
        )));
    }
    for track in trials.iter().flat_map(|trial| &trial.tracks) {
        let points = track.sightings.iter().filter_map(|sighting| match &sighting.seen {
            Seen::Point { arm, at } => Some((sighting, arm, at)),
            _ => None,
        });
        let mut last: Option<(&Sighting, &Vector3<f64>, &Vector3<f64>)> = None;
        for (sighting, arm, at) in points {
            if let Some((before, known, was)) = last
                && known == arm
                && (at - was).norm() > FASTEST * (sighting.time - before.time)
            {
                let speed = (at - was).norm() / (sighting.time - before.time);
                let fault = format!("{}: the body has {speed:.3e} m/s; expected at most {FASTEST:e}", sighting.place);
                return Err(ReduceError(format!("{fault}: the unit of time or length must be another")));
            }
            if last.is_none_or(|(_, known, _)| known == arm) {
                last = Some((sighting, arm, at));
            }
        }
    }
    Ok(())
}
