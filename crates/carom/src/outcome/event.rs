//! The events of an impact, for laws that divide it into several (Rodriguez 2014, chapters 4 to 6).

/// One impact event: a stretch of the impact with its own coefficient of restitution.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactEvent {
    /// Contacts that receive impulse in it.
    pub contacts: Vec<usize>,
    /// Contacts that touch or approach at its start but are left out, because with them the event would not end.
    pub left_out: Vec<usize>,
    /// e* of the event.
    pub restitution: f64,
    /// Normal impulse of all contacts since first touch, at the start and at the end of the event, kg m/s.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// The end of compression; `None` if the normal forces took no energy.
    pub compression: Option<EventState>,
    /// The end of the event.
    pub end: EventState,
    /// Pieces between changes of slip.
    pub pieces: Vec<EventPiece>,
    /// Contacts that were at rest when the event started or whose slip stopped in it.
    pub rests: Vec<EventRest>,
}

/// Impulses and work since the start of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventState {
    /// Normal impulse at each contact of the event, kg m/s.
    pub normal_impulses: Vec<f64>,
    /// Work of the normal forces, J.
    pub work: f64,
}

/// A piece of an event in which no contact changes between slip and stick.
#[derive(Clone, Debug, PartialEq)]
pub struct EventPiece {
    /// Normal impulse of all contacts since first touch, at its start and at its end, kg m/s.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Share of each contact of the event in the normal impulse of the piece; the ratio C of two contacts is that of their shares.
    pub shares: Vec<f64>,
    /// How far the rule for the ratios is from holding at its start, per unit of normal impulse.
    pub departure: f64,
}

/// A contact at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventRest {
    /// The contact.
    pub contact: usize,
    /// Normal impulse of all contacts since first touch, kg m/s.
    pub at: f64,
    /// μ̄, the least coefficient of friction that holds the contact; `None` if it receives no normal impulse.
    pub critical_friction: Option<f64>,
    /// The motion of the contact afterwards.
    pub next: AfterRest,
}

/// The motion of a contact after its slip has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterRest {
    /// It sticks.
    Sticks,
    /// It slips back.
    Reverses,
    /// It slips on, or away from rest.
    Slips,
}

impl AfterRest {
    /// The word used in every output.
    pub fn name(self) -> &'static str {
        match self {
            AfterRest::Sticks => "sticks",
            AfterRest::Reverses => "reverses",
            AfterRest::Slips => "slips",
        }
    }
}

impl ImpactEvent {
    /// The event of an island as one of the whole impact.
    pub(crate) fn about(mut self, island: &[usize]) -> ImpactEvent {
        for contact in self.contacts.iter_mut().chain(&mut self.left_out) {
            *contact = island[*contact];
        }
        for rest in &mut self.rests {
            rest.contact = island[rest.contact];
        }
        self
    }
}
