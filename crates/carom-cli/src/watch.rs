//! A run that takes long says what it is doing.

use crate::output::{self, Line};
use carom::sim::BodyId;
use carom_study::scenario::{Engine, SimulationScenario};
use carom_study::simulation::{Runner, applied_law, contact_name};
use std::time::{Duration, Instant};

/// How often the line on a terminal changes, and after how long it appears by itself.
const SHOWN: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(2);
/// The rate of a run is that over this time.
const WINDOW: Duration = Duration::from_millis(1500);
/// The first report on a slow run, wherever its output goes. Each of the next ones comes after twice the time, up to the longest.
const FIRST_REPORT: Duration = Duration::from_secs(3);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// A run that ends within this time at its present rate is not slow.
const SOON: f64 = 10.0;
/// The stepping engine is tried for this many steps, or for this long.
const TRIAL_STEPS: u32 = 20;
const TRIAL_TIME: Duration = Duration::from_millis(300);
/// Contacts that a report names.
const NAMED: usize = 3;

/// Rates of the last windows from which the time to go is estimated.
const RATES: usize = 4;
/// Rates that differ by more than this factor give no estimate of the time left.
const ERRATIC: f64 = 20.0;
/// Estimates whose ends differ by less than this factor are one number.
const CLOSE: f64 = 1.5;

/// Watches a run by the clock.
pub struct Watch {
    line: Line,
    from_the_start: bool,
    start: Instant,
    shown: Instant,
    /// Where the window began.
    mark: Mark,
    /// Simulated seconds per second in the last windows, the newest last.
    rates: Vec<f64>,
    reported: Instant,
    pause: Duration,
    reports: usize,
}

/// How far a run was at an instant.
struct Mark {
    at: Instant,
    time: f64,
    events: usize,
}

impl Watch {
    /// Begins now. On a terminal a line of progress appears `from_the_start`, or once the run takes long.
    pub fn new(runner: &Runner, from_the_start: bool) -> Watch {
        Watch::starting(runner, from_the_start, Instant::now())
    }

    fn starting(runner: &Runner, from_the_start: bool, start: Instant) -> Watch {
        let (mark, line, pause) = (Mark::new(runner, start), Line::new(), FIRST_REPORT);
        let (shown, reported, rates) = (start, start, Vec::new());
        Watch { line, from_the_start, start, shown, mark, rates, reported, pause, reports: 0 }
    }

    /// Shows what there is to show now.
    pub fn look(&mut self, scenario: &SimulationScenario, runner: &Runner) {
        let now = Instant::now();
        if now - self.shown >= SHOWN && (self.from_the_start || now - self.start >= LONG) {
            self.shown = now;
            let (time, residual) = (runner.time(), runner.ledger().residual());
            let events = runner.run.events.len();
            let progress = format!("{time:.4} of {} s, {events} events, residual {residual:.1e} J", runner.duration);
            self.line.show(&progress);
        }
        for line in self.slow_lines(scenario, runner, now) {
            self.line.wipe();
            output::notify(&line);
        }
    }

    /// Leaves nothing of the line behind.
    pub fn end(mut self) {
        self.line.wipe();
    }

    /// The lines of a report on a run that is slow at this instant; nothing if none is due.
    fn slow_lines(&mut self, scenario: &SimulationScenario, runner: &Runner, at: Instant) -> Vec<String> {
        if at - self.mark.at < WINDOW {
            return Vec::new();
        }
        let now = Mark::new(runner, at);
        let wall = (at - self.mark.at).as_secs_f64();
        // Steps may have been taken back.
        let rate = (now.time - self.mark.time).max(0.0) / wall;
        let happened = (now.events - self.mark.events) as f64 / wall;
        self.rates.push(rate);
        if self.rates.len() > RATES {
            self.rates.remove(0);
        }
        let left = runner.duration - now.time;
        let due = at - self.reported >= self.pause && left > SOON * rate;
        let mut lines = Vec::new();
        if due {
            (self.reported, self.pause) = (at, (2 * self.pause).min(LONGEST_PAUSE));
            self.reports += 1;
            let spent = duration_words((at - self.start).as_secs_f64());
            let to_go = to_go(left, &self.rates);
            lines.push(format!(
                "slow: {:.6} of {} s simulated after {spent}; {rate:.1e} s and {happened:.0} events per second{to_go}",
                now.time, runner.duration
            ));
            lines.push(format!("  at work on: {}", at_work(scenario, runner)));
            if self.reports == 1 {
                lines.extend(stepping_advice(scenario, runner).map(|advice| format!("  {advice}")));
            }
        }
        // The trial of the other engine took time as well.
        self.mark = Mark { at: at + if due { at.elapsed() } else { Duration::ZERO }, ..now };
        lines
    }
}

/// How long the rest takes at the rates of the last windows, in words; nothing where these differ too much to say.
fn to_go(left: f64, rates: &[f64]) -> String {
    let slowest = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let fastest = rates.iter().copied().fold(0.0, f64::max);
    if fastest == 0.0 {
        return ", no end in sight".to_owned();
    }
    if rates.len() < 2 || fastest > ERRATIC * slowest {
        return String::new();
    }
    let [least, most] = [left / fastest, left / slowest];
    if most < CLOSE * least {
        format!(", about {} to go", duration_words(one_digit(0.5 * (least + most))))
    } else {
        format!(", {} to {} to go", duration_words(one_digit(least)), duration_words(one_digit(most)))
    }
}

/// A number rounded to its first digit.
fn one_digit(value: f64) -> f64 {
    format!("{value:.0e}").parse().unwrap_or(value)
}

impl Mark {
    fn new(runner: &Runner, at: Instant) -> Mark {
        Mark { at, time: runner.reached(), events: runner.run.events.len() }
    }
}

/// The contacts of the last event, or those that persist.
fn at_work(scenario: &SimulationScenario, runner: &Runner) -> String {
    let name = |body: Option<BodyId>| body.map_or("ground", |body| scenario.body_names[body.index()].as_str());
    let mut names: Vec<String> = match runner.run.events.last() {
        Some(event) => event.contacts.iter().map(|contact| contact_name(scenario, contact)).collect(),
        None => Vec::new(),
    };
    let persisting = runner.contacts().into_iter().map(|[a, b]| format!("{}–{}", name(a), name(b)));
    names.extend(persisting);
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    match (names.is_empty(), more) {
        (true, _) => "motion without contacts".to_owned(),
        (false, 0) => format!("contacts {}", names.join(", ")),
        (false, more) => format!("contacts {} and {more} more", names.join(", ")),
    }
}

/// How long the stepping engine would take, where it can do the scene and is faster.
fn stepping_advice(scenario: &SimulationScenario, runner: &Runner) -> Option<String> {
    if scenario.settings.engine == Engine::Stepping {
        return None;
    }
    let mut trial = runner.stepping_trial(scenario)?;
    let start = Instant::now();
    let mut steps = 0;
    while steps < TRIAL_STEPS && start.elapsed() < TRIAL_TIME {
        if !trial.step() {
            return None;
        }
        steps += 1;
    }
    let estimate = duration_words(start.elapsed().as_secs_f64() / f64::from(steps) * trial.steps);
    let law = if applied_law(scenario) == "newton-lcp" { "" } else { " (by law newton-lcp)" };
    let count = trial.steps;
    Some(format!("`--engine stepping`{law} would take about {estimate} for {count} steps, less accurately"))
}

/// A time that a person waits.
fn duration_words(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => "0.1 s".to_owned(),
        s if s < 0.95 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3600.0),
        s if s < 1e10 => format!("{:.0} days", s / 86400.0),
        _ => "centuries".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Two dominoes lean on each other: the event engine takes very many events for them.
    const SCENE: &str = "
        [simulation]
        duration = 2000.0
        gravity = [0.0, -9.81]
        [[material]]
        name = 'wood'
        restitution = 0.5
        friction = 0.2
        [[wall]]
        name = 'floor'
        point = [0.0, 0.0]
        normal = [0.0, 1.0]
        [[body]]
        name = 'left'
        mass = 1.0
        shape = { box = { size = [0.03, 0.2] } }
        position = [0.0, 0.1]
        velocity = [0.4, 0.0]
        angular_velocity = -4.0
        [[body]]
        name = 'right'
        mass = 1.0
        shape = { box = { size = [0.03, 0.2] } }
        position = [0.1, 0.1]
    ";

    #[test]
    fn a_slow_run_says_what_it_does_and_what_would_be_faster() {
        let scenario = SimulationScenario::parse("dominoes.toml", SCENE).unwrap();
        let mut runner = Runner::new(&scenario, None).unwrap();
        let start = Instant::now();
        let mut watch = Watch::starting(&runner, false, start);
        let mut lines = Vec::new();
        // Time is given, not waited for: some steps in each second and a half.
        for window in 1..=8_u32 {
            for _ in 0..5 {
                runner.step();
            }
            let report = watch.slow_lines(&scenario, &runner, start + window * WINDOW);
            assert!(window > 1 || report.is_empty(), "{report:?}");
            lines.push(report);
        }
        let first = lines.iter().find(|lines| !lines.is_empty()).unwrap();
        assert!(first[0].starts_with("slow: ") && first[0].contains(" of 2000 s simulated after 3 s; "), "{first:?}");
        assert!(first[1].starts_with("  at work on: "), "{first:?}");
        assert!(first[2].contains("`--engine stepping` would take about"), "{first:?}");
        // Each report comes after twice the time of the one before, and gives its advice once.
        let reports: Vec<usize> = (0..lines.len()).filter(|k| !lines[*k].is_empty()).collect();
        assert_eq!(reports, [1, 5]);
        assert_eq!(lines[5].len(), 2);
    }

    #[test]
    fn the_time_to_go_is_a_rounded_range_or_left_out() {
        assert_eq!(to_go(10.0, &[0.1, 0.1, 0.11, 0.1]), ", about 100 s to go");
        assert_eq!(to_go(10.0, &[0.1, 0.02, 0.05]), ", 100 s to 8 min to go");
        assert_eq!(to_go(10.0, &[0.1, 0.001]), "");
        assert_eq!(to_go(10.0, &[0.1]), "");
        assert_eq!(to_go(10.0, &[0.0, 0.0]), ", no end in sight");
    }
}
