//! The prediction of a law.

use crate::collision::Collision;
use crate::course::Course;
use crate::digits::Digits;
use crate::error::Error;
use crate::impact::{Impact, ImpactEvent, Solution};
use crate::validity::Doubt;
use nalgebra::Vector3;
use std::fmt;

/// The prediction of a law for an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Contact by contact.
    pub contacts: Vec<ContactOutcome>,
    /// Remarks on the impact as a whole; those on one contact stand there.
    pub notes: Vec<Note>,
    /// The work it took, and how well the law's conditions hold.
    pub effort: Effort,
    /// The events one after the other, for laws that have them.
    pub events: Vec<ImpactEvent>,
}

impl Outcome {
    /// The outcome of contacts that do not act on each other, each by itself.
    pub fn of_contacts(contacts: Vec<ContactOutcome>) -> Outcome {
        Outcome { contacts, notes: Vec::new(), effort: Effort::default(), events: Vec::new() }
    }

    /// The outcome of impulses (n, t1, t2) that no law gave, for instance measured ones; `friction` holds the coefficient of
    /// every contact.
    pub fn jump(impact: &Impact, impulses: &[Vector3<f64>], friction: &[f64]) -> Result<Outcome, Error> {
        let n = impact.contacts();
        if impulses.len() != n || friction.len() != n {
            return Err(Error::WrongSize { what: "impulses, coefficients of friction and contacts" });
        }
        let solution = Solution::of(impact, impulses.to_vec(), Effort::default());
        Ok(solution.outcome(impact, |contact| friction[contact], true))
    }

    /// The impulse on A at every contact (n, t1, t2), kg m/s.
    pub fn impulses(&self) -> Vec<Vector3<f64>> {
        self.contacts.iter().map(|contact| contact.impulse).collect()
    }

    /// The relative velocity after at every contact (n, t1, t2), m/s.
    pub fn velocities_after(&self) -> Vec<Vector3<f64>> {
        self.contacts.iter().map(|contact| contact.velocity_after).collect()
    }
}

/// The prediction of a law for one contact. Plain data without allocation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOutcome {
    /// Impulse on A in the contact frame (n, t1, t2), kg m/s.
    pub impulse: Vector3<f64>,
    /// Relative velocity after the collision in the contact frame, m/s.
    pub velocity_after: Vector3<f64>,
    /// What the contact did.
    pub mode: Mode,
    /// The state at greatest compression, for laws that follow the impulse through the collision.
    pub compression: Option<Compression>,
    /// The path of the accumulated impulse, for laws that have one.
    pub path: Path,
    /// How the collision went, for laws that follow it.
    pub course: Option<Course>,
    /// What the caller should know about this prediction.
    pub notes: Notes,
}

impl ContactOutcome {
    /// The outcome of an impulse (n, t1, t2) that no path leads to, for instance a measured one; the mode is read off the outcome
    /// itself.
    pub fn jump(collision: &Collision, impulse: Vector3<f64>, friction: f64) -> ContactOutcome {
        ContactOutcome::of_impulse(collision, impulse, friction, true)
    }

    /// The outcome of an impulse by a law that can give back tangential velocity or cannot.
    pub(crate) fn of_impulse(
        collision: &Collision,
        impulse: Vector3<f64>,
        friction: f64,
        restores_slip: bool,
    ) -> ContactOutcome {
        let (before, after) = (*collision.velocity(), collision.velocity_after(&impulse));
        let speed = length(before.as_slice()).max(length(after.as_slice()));
        ContactOutcome::of_change(&ContactChange { before, impulse, after, friction, speed, restores_slip })
    }

    /// The outcome of a contact of which no more than the change is known.
    pub(crate) fn of_change(change: &ContactChange) -> ContactOutcome {
        ContactOutcome {
            impulse: change.impulse,
            velocity_after: change.after,
            mode: Mode::of_contact(change),
            compression: None,
            path: Path::default(),
            course: None,
            notes: Notes::default(),
        }
    }

    /// Nothing happens: the bodies do not approach.
    pub(crate) fn none(collision: &Collision) -> ContactOutcome {
        ContactOutcome::jump(collision, Vector3::zeros(), 0.0)
    }

    pub(crate) fn with_note(mut self, note: ContactNote) -> ContactOutcome {
        self.notes.push(note);
        self
    }

    /// Notes a kinematic restitution that is not the parameter.
    pub(crate) fn noting_restitution(self, collision: &Collision, parameter: f64) -> ContactOutcome {
        match self.restitution(collision).newton {
            Some(outcome) if (outcome - parameter).abs() > NOTEWORTHY => {
                self.with_note(ContactNote::RestitutionDiffers { parameter, outcome })
            }
            _ => self,
        }
    }

    /// The restitution coefficients this outcome has.
    pub fn restitution(&self, collision: &Collision) -> Restitution {
        let before = collision.velocity();
        let ratio = |numerator: f64, denominator: f64| (denominator != 0.0).then(|| numerator / denominator);
        Restitution {
            newton: if before.x < 0.0 { ratio(-self.velocity_after.x, before.x) } else { None },
            poisson: self.compression.and_then(|c| ratio(self.impulse.x - c.impulse.x, c.impulse.x)),
            stronge: self
                .compression
                .and_then(|c| c.works)
                .and_then(|works| ratio(works.restitution, -works.compression).map(|squared| squared.max(0.0).sqrt())),
            ivanov: ratio(-self.impulse.dot(&self.velocity_after), self.impulse.dot(before)),
        }
    }
}

/// A restitution that differs from its parameter by more is no rounding.
const NOTEWORTHY: f64 = 1e-9;

/// The four coefficients of restitution of the literature; one that an outcome does not define is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// Kinematic: −V_n after / V_n before.
    pub newton: Option<f64>,
    /// Kinetic: normal impulse of restitution / of compression.
    pub poisson: Option<f64>,
    /// Energetic: √(−normal work of restitution / of compression).
    pub stronge: Option<f64>,
    /// Ivanov's η, kinematic restitution along the impulse: −(P·V after)/(P·V before).
    pub ivanov: Option<f64>,
}

/// The state at the end of compression, V_n = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compression {
    /// Impulse accumulated so far, contact frame, kg m/s.
    pub impulse: Vector3<f64>,
    /// The works of the contact force, for laws that follow it.
    pub works: Option<Works>,
}

/// Work of the contact force, in J; the three sum to the change of kinetic energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Works {
    /// Of the normal force while the bodies approach, ∫V_n dP_n; never positive.
    pub compression: f64,
    /// Of the normal force while they part; never negative.
    pub restitution: f64,
    /// Of the tangential force, ∫V_t·dP_t.
    pub tangential: f64,
}

impl Works {
    /// The works of an impulse whose normal part did this much.
    pub(crate) fn of(collision: &Collision, impulse: &Vector3<f64>, compression: f64, restitution: f64) -> Works {
        Works { compression, restitution, tangential: collision.energy_change(impulse) - compression - restitution }
    }
}

/// What the contact did during the collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The contact points move apart and no impulse acts.
    Separating,
    /// The contact points neither approach nor part, and no impulse acts.
    Touching,
    /// No friction acted.
    Frictionless,
    /// Friction at its limit throughout, slip in one direction (or from rest).
    Sliding,
    /// The slip stopped.
    Sticking,
    /// Friction stayed below its limit though the contact slips afterwards, as tangential restitution makes it.
    InsideCone,
    /// Friction at its limit, slip direction reversed.
    ReversedSliding,
    /// Slip stopped during compression and stayed stopped.
    CSticking,
    /// Slip stopped during restitution and stayed stopped.
    RSticking,
    /// Slip stopped during compression and went on in another direction.
    CReversedSliding,
    /// Slip stopped during restitution and went on in another direction.
    RReversedSliding,
}

/// Friction this close to its limit, relative to μ P_n, is at its limit.
const AT_THE_LIMIT: f64 = 1e-12;
/// A slip below this fraction of the speeds of the impact has stopped.
const STOPPED: f64 = 1e-9;

/// The change at one contact, from which its mode is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange {
    /// Relative velocity before, contact frame, m/s.
    pub before: Vector3<f64>,
    /// Impulse, contact frame, kg m/s.
    pub impulse: Vector3<f64>,
    /// Relative velocity after, contact frame, m/s.
    pub after: Vector3<f64>,
    /// The greatest coefficient of friction at the contact.
    pub friction: f64,
    /// The greatest relative velocity of the impact, at all its contacts, m/s.
    pub speed: f64,
    /// Whether the law can give back tangential velocity. Without that, friction opposes the slip at every instant: a contact
    /// that slips afterwards slid, even where its friction cancels in part because the slip turned or reversed.
    pub restores_slip: bool,
}

impl Mode {
    /// The mode of a contact, the same for every law and command that knows no more than the change.
    pub fn of_contact(change: &ContactChange) -> Mode {
        let ContactChange { before, impulse, after, friction, speed, restores_slip } = change;
        let (normal, tangential) = (impulse.x, length(&impulse.as_slice()[1..]));
        if *impulse == Vector3::zeros() {
            if before.x > 0.0 { Mode::Separating } else { Mode::Touching }
        } else if *friction == 0.0 && tangential == 0.0 {
            Mode::Frictionless
        } else if length(&after.as_slice()[1..]) <= STOPPED * speed {
            Mode::Sticking
        } else if *restores_slip && tangential < friction * normal * (1.0 - AT_THE_LIMIT) {
            Mode::InsideCone
        } else if after.yz().dot(&before.yz()) < 0.0 {
            Mode::ReversedSliding
        } else {
            Mode::Sliding
        }
    }

    /// The name used in every output, for instance `c-sticking`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Separating => "separating",
            Mode::Touching => "touching",
            Mode::Frictionless => "frictionless",
            Mode::Sliding => "sliding",
            Mode::Sticking => "sticking",
            Mode::InsideCone => "inside-cone",
            Mode::ReversedSliding => "reversed-sliding",
            Mode::CSticking => "c-sticking",
            Mode::RSticking => "r-sticking",
            Mode::CReversedSliding => "c-reversed-sliding",
            Mode::RReversedSliding => "r-reversed-sliding",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Points of the path of the impulse, from the origin to the end: its corners, or points along a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Path {
    corners: [Vector3<f64>; Path::CAPACITY],
    length: usize,
}

impl Path {
    /// Enough for a smooth-looking curve.
    const CAPACITY: usize = 24;

    pub(crate) fn push(&mut self, corner: Vector3<f64>) {
        if self.length == Path::CAPACITY {
            // Every other point of a long curve tells its shape too.
            for k in 1..Path::CAPACITY / 2 {
                self.corners[k] = self.corners[2 * k];
            }
            self.length = Path::CAPACITY / 2;
        }
        self.corners[self.length] = corner;
        self.length += 1;
    }

    /// Adds a point of a curve unless it is close to the last one.
    pub(crate) fn thread(&mut self, point: Vector3<f64>) {
        let last = if self.length == 0 { Vector3::zeros() } else { self.corners[self.length - 1] };
        if (point - last).norm() > CLOSE * point.norm() {
            self.push(point);
        }
    }

    /// Ends the path here, where a curve's last point may be already.
    pub(crate) fn finish(&mut self, end: Vector3<f64>) {
        if self.length > 1 && (self.corners[self.length - 1] - end).norm() <= CLOSE * end.norm() {
            self.length -= 1;
        }
        self.push(end);
    }

    /// The corners; empty for a law without a path.
    pub fn corners(&self) -> &[Vector3<f64>] {
        &self.corners[..self.length]
    }
}

/// Points of a path nearer to each other than this share of the impulse look like one.
const CLOSE: f64 = 0.02;

/// Something the caller should know about a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactNote {
    /// The law's conditions have another solution, which its selection rule did not take.
    OtherSolution {
        /// The impulse of that solution, contact frame.
        impulse: Vector3<f64>,
        /// Its change of kinetic energy, J.
        energy_change: f64,
        /// Whether it sticks.
        sticks: bool,
    },
    /// The kinematic restitution of the outcome differs from the parameter.
    RestitutionDiffers {
        /// The parameter.
        parameter: f64,
        /// What came out.
        outcome: f64,
    },
    /// The impulse ratios that energy and friction allow along the ratio's direction.
    RatioBounds {
        /// Least admissible ratio.
        least: f64,
        /// Greatest admissible ratio.
        greatest: f64,
    },
    /// A contact that only slides (V_n = 0) jams and collides: friction is above the Painlevé threshold.
    TangentialImpact {
        /// The least coefficient of friction for which this happens.
        threshold: f64,
    },
    /// The theory of elastic contact may not hold here.
    Doubtful(Doubt),
    /// The springs of the law stick whatever the direction of incidence.
    AlwaysSticks {
        /// The coefficient of friction above which they do.
        threshold: f64,
    },
    /// A contact that only slides (V_n = 0) does not collide: friction is below the Painlevé threshold.
    NoTangentialImpact {
        /// The least coefficient of friction that would make it collide; infinite when none does.
        threshold: f64,
    },
    /// Friction and the coupling of the contact's dashpots allow several motions at one instant; the outcome is one of
    /// them.
    AmbiguousContact {
        /// μ |C_nt| over the least eigenvalue of C_tt; below 1 the motion would be unique.
        ratio: f64,
        /// The most ways to go on that were met at one instant.
        ways: usize,
    },
    /// Below the first ratio of slip to approach the contact sticks at first; above the second it slips throughout.
    Regimes {
        /// |V_t|/|V_n| up to which it sticks at first.
        sticks_below: f64,
        /// |V_t|/|V_n| from which it slips throughout.
        slips_above: f64,
    },
}

impl fmt::Display for ContactNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContactNote::OtherSolution { impulse: p, energy_change, sticks } => write!(
                f,
                "the law's conditions have another solution ({}): impulse ({}, {}, {}), energy change {} J",
                if *sticks { "sticking" } else { "slipping" },
                Digits(p.x),
                Digits(p.y),
                Digits(p.z),
                Digits(*energy_change)
            ),
            ContactNote::RestitutionDiffers { parameter, outcome } => {
                let (parameter, outcome_digits) = (Digits(*parameter), Digits(*outcome));
                write!(
                    f,
                    "the kinematic restitution came out as {outcome_digits}; the parameter asks for {parameter}"
                )?;
                if *outcome > 1.0 { write!(f, " (above 1, without gain of energy)") } else { Ok(()) }
            }
            ContactNote::RatioBounds { least, greatest } if least > greatest => {
                write!(f, "energy and friction allow no impulse ratio with this restitution")
            }
            ContactNote::RatioBounds { least, greatest } => {
                write!(f, "energy and friction allow impulse ratios from {} to {}", Digits(*least), Digits(*greatest))
            }
            ContactNote::TangentialImpact { threshold } => {
                write!(f, "tangential impact: the sliding contact jams because friction exceeds {}", Digits(*threshold))
            }
            ContactNote::Doubtful(doubt) => write!(f, "{doubt}"),
            ContactNote::AlwaysSticks { threshold } => write!(
                f,
                "friction above {} never lets the springs slip: outside the law's validity, and the force grows without \
                 bound where contact ends",
                Digits(*threshold)
            ),
            ContactNote::NoTangentialImpact { threshold } if threshold.is_finite() => {
                write!(
                    f,
                    "the contact only slides; a tangential impact would need friction above {}",
                    Digits(*threshold)
                )
            }
            ContactNote::AmbiguousContact { ratio, ways: 1 } => {
                let ratio = Digits(*ratio);
                write!(
                    f,
                    "the contact's motion need not be unique: μ |C_nt| is {ratio} times the least C_tt, not below it"
                )
            }
            ContactNote::AmbiguousContact { ratio, ways } => write!(
                f,
                "at some instant the contact could go on in {ways} ways (μ |C_nt| is {} times the least C_tt, not below \
                 it); this outcome rests where it can, else slips as slowly as it can",
                Digits(*ratio)
            ),
            ContactNote::Regimes { sticks_below, slips_above } => write!(
                f,
                "sticks at first for slip/approach below {}, slips throughout above {}",
                Digits(*sticks_below),
                Digits(*slips_above)
            ),
            ContactNote::NoTangentialImpact { .. } => {
                write!(f, "the contact only slides; no friction makes it collide in this direction of slip")
            }
        }
    }
}

/// Up to four notes, in place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Notes([Option<ContactNote>; Notes::CAPACITY]);

impl Notes {
    /// A planar quartic has four roots, so no law has more to say.
    const CAPACITY: usize = 4;

    pub(crate) fn push(&mut self, note: ContactNote) {
        if let Some(free) = self.0.iter_mut().find(|slot| slot.is_none()) {
            *free = Some(note);
        }
    }

    /// The notes in the order they were made.
    pub fn iter(&self) -> impl Iterator<Item = &ContactNote> {
        self.0.iter().flatten()
    }
}
/// The length of a vector, also where its square overflows.
fn length(components: &[f64]) -> f64 {
    let length = components.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length.is_finite() { length } else { components.iter().fold(0.0, |sum, x| x.hypot(sum)) }
}

/// What a solution took, and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Pivots, Newton steps, single impacts or evaluations, whatever the law's method counts.
    pub iterations: usize,
    /// How far the law's conditions are from holding, relative to the velocities and impulses of the impact.
    pub residual: f64,
}

/// Something a law has to say about its answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// Other impulses lead to the same velocities; those given are the shortest.
    Indeterminate {
        /// In how many directions they can be changed.
        freedom: usize,
    },
    /// The collision went on in several impact events.
    Events {
        /// How many.
        count: usize,
    },
    /// The law resolved the contacts one after the other.
    Sequence {
        /// The contacts in the order of their impacts, from 0; only the first few of a long sequence.
        order: Vec<usize>,
        /// How many impacts there were.
        count: usize,
    },
    /// The least energy within the cones already rebounds by more than the coefficients ask.
    ReboundExceeds {
        /// By how much, relative to what was asked.
        excess: f64,
    },
    /// The bodies came to rest pressed together: the forces do not end, and the impulses are those until then.
    Wedged,
    /// Something else that should be known.
    Doubtful(&'static str),
}

impl Note {
    /// The note of an island as one about the whole impact.
    pub(crate) fn about(self, island: &[usize]) -> Note {
        match self {
            Note::Sequence { order, count } => {
                Note::Sequence { order: order.into_iter().map(|contact| island[contact]).collect(), count }
            }
            other => other,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Indeterminate { freedom: 1 } => {
                write!(f, "other impulses give the same motion (one direction is free); these are the shortest")
            }
            Note::Indeterminate { freedom } => {
                write!(f, "other impulses give the same motion ({freedom} directions are free); these are the shortest")
            }
            Note::Events { count } => write!(f, "{count} impact events"),
            Note::Sequence { order, count } => {
                write!(f, "{count} impact{} in the order of contacts", if *count == 1 { "" } else { "s" })?;
                for contact in order {
                    write!(f, " {}", contact + 1)?;
                }
                if *count > order.len() { write!(f, " …") } else { Ok(()) }
            }
            Note::ReboundExceeds { excess } => write!(
                f,
                "the least energy already rebounds by {} % more than the coefficients of restitution ask",
                Digits(100.0 * excess)
            ),
            Note::Wedged => {
                write!(f, "the bodies come to rest wedged: forces stay, and the impulses are those until then")
            }
            Note::Doubtful(doubt) => write!(f, "{doubt}"),
        }
    }
}
