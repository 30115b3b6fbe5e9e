//! Sweeps over contacts until they agree.
//!
//! Sweeps go forth and back, so that impulses travel through a pile in either direction; after each pair of them the last changes
//! carry on ([`Momentum`](super::momentum::Momentum)), or the few contacts that are far from agreeing are swept by themselves
//! ([`Busy`](super::busy::Busy)). The residual of a sweep is the greatest change of velocity at a contact by its own new impulse: the
//! natural map of its problem. What ends is always a sweep, so that every impulse is in its cone.

/// When sweeps end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    /// m/s.
    pub(super) residual: f64,
    pub(super) sweeps: usize,
    /// Whether they also end where only a few contacts are far from the goal.
    pub(super) few: bool,
}

/// Squares of the residuals of a sweep, (m/s)²: the greatest, their sum, and how many are far from the goal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Residuals {
    pub(super) worst: f64,
    pub(super) sum: f64,
    pub(super) far: usize,
}

impl Residuals {
    #[inline]
    pub(super) fn add(&mut self, square: f64, far: bool) {
        self.worst = self.worst.max(square);
        self.sum += square;
        self.far += usize::from(far);
    }

    /// Those of two parts.
    pub(super) fn and(self, other: Residuals) -> Residuals {
        Residuals { worst: self.worst.max(other.worst), sum: self.sum + other.sum, far: self.far + other.far }
    }
}

/// How contacts were left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    /// m/s.
    pub(super) residual: f64,
    /// Sweeps; those over a part count as that part.
    pub(super) sweeps: f64,
    /// Whether the residual is as small as asked for.
    pub(super) converged: bool,
    /// Whether only a few contacts were far from the goal.
    pub(super) few: bool,
}

/// Contacts that can be swept.
pub(super) trait Sweeps {
    /// How many contacts and joints there are.
    fn size(&self) -> usize;

    /// Solves each in turn, and marks those whose squared residual is above a threshold if asked to.
    fn sweep(&mut self, back: bool, threshold: f64, mark: bool) -> Residuals;

    /// Solves what the last sweep marked apart from the rest. Tells the sweeps that this was worth; nothing if there was too much.
    fn solve_marked(&mut self, left: Ending) -> Option<f64>;

    /// Begins to watch changes.
    fn begin(&mut self);

    /// Carries on by this share of the last changes.
    fn carry(&mut self, share: f64);
}

/// Sweeps without momentum, enough for most small islands.
const PLAIN_SWEEPS: f64 = 4.0;
/// Residuals above this fraction of the goal are far from it: many of them still add up.
const FAR: f64 = 0.3;
/// The busy part is solved apart where no more contacts than this share are far from the goal.
const FEW: f64 = 0.1;

/// Sweeps until the residual is small or they are too many.
pub(super) fn settle(contacts: &mut impl Sweeps, ending: Ending) -> Solved {
    let goal = ending.residual * ending.residual;
    let threshold = FAR * FAR * goal;
    let most = ending.sweeps.max(1) as f64;
    let few = (FEW * contacts.size() as f64) as usize;
    let (mut sweeps, mut back, mut far) = (0.0, false, 0);
    // Sum of the squared residuals at the last pair of sweeps, once changes are watched.
    let mut watched: Option<f64> = None;
    loop {
        sweeps += 1.0;
        let pair = back && sweeps >= PLAIN_SWEEPS;
        let mark = pair && far <= few;
        let residuals = contacts.sweep(back, threshold, mark);
        far = residuals.far;
        let converged = residuals.worst <= goal;
        if converged || sweeps + 1.0 > most || ending.few && far <= few {
            return Solved { residual: residuals.worst.sqrt(), sweeps, converged, few: far <= few };
        }
        if pair {
            let left = Ending { sweeps: (most - sweeps) as usize, ..ending };
            if let Some(spent) = mark.then(|| contacts.solve_marked(left)).flatten() {
                sweeps += spent;
                watched = None;
            } else if let Some(before) = watched {
                contacts.carry(if residuals.sum <= before { residuals.sum / before } else { 0.0 });
                watched = Some(residuals.sum);
            } else {
                contacts.begin();
                watched = Some(f64::INFINITY);
            }
        }
        back = !back;
    }
}
