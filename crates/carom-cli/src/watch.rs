//! A run that takes long says what it is doing.

use crate::output::{self, Line};
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

/// Watches a run by the clock.
pub struct Watch {
    line: Line,
    from_the_start: bool,
    start: Instant,
    shown: Instant,
    /// Where the window began.
    mark: Mark,
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
        let start = Instant::now();
        let (mark, line, pause) = (Mark::new(runner, start), Line::new(), FIRST_REPORT);
        Watch { line, from_the_start, start, shown: start, mark, reported: start, pause, reports: 0 }
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
        if now - self.mark.at >= WINDOW {
            let next = Mark::new(runner, now);
            if now - self.reported >= self.pause {
                self.report(scenario, runner, &next);
            }
            self.mark = Mark { at: Instant::now(), ..next };
        }
    }

    /// Leaves nothing of the line behind.
    pub fn end(mut self) {
        self.line.wipe();
    }

    /// Reports on a run that is slow now.
    fn report(&mut self, scenario: &SimulationScenario, runner: &Runner, now: &Mark) {
        let wall = (now.at - self.mark.at).as_secs_f64();
        // Steps may have been taken back.
        let rate = (now.time - self.mark.time).max(0.0) / wall;
        let happened = (now.events - self.mark.events) as f64 / wall;
        let left = (runner.duration - now.time) / rate;
        if left <= SOON {
            return;
        }
        (self.reported, self.pause) = (now.at, (2 * self.pause).min(LONGEST_PAUSE));
        self.reports += 1;
        self.line.wipe();
        let spent = duration_words((now.at - self.start).as_secs_f64());
        let to_go =
            if left.is_finite() { format!("{} to go", duration_words(left)) } else { "no end in sight".to_owned() };
        output::notify(&format!(
            "slow: {:.6} of {} s simulated after {spent}; {rate:.1e} s and {happened:.0} events per second, {to_go}",
            now.time, runner.duration
        ));
        output::notify(&format!("  at work on: {}", at_work(scenario, runner)));
        if self.reports == 1
            && let Some(advice) = stepping_advice(scenario, runner)
        {
            output::notify(&format!("  {advice}"));
        }
    }
}

impl Mark {
    fn new(runner: &Runner, at: Instant) -> Mark {
        Mark { at, time: runner.reached(), events: runner.run.events.len() }
    }
}

/// The contacts of the last event, or those that persist.
fn at_work(scenario: &SimulationScenario, runner: &Runner) -> String {
    let name = |body: Option<usize>| body.map_or("ground", |body| scenario.body_names[body].as_str());
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
