//! Rows side by side, as the processor's vectors hold them.

/// Rows of a group.
pub(super) const LANES: usize = 8;
/// No kernel has more parameters.
pub(super) const PARAMETERS: usize = 5;

/// One number of every row of a group.
pub(super) type Lanes = [f64; LANES];

/// What a kernel reads and writes for a few rows.
#[derive(Clone)]
pub(super) struct Group {
    /// In the plane nn, nt, tt; in space nn, n1, n2, 11, 12, 22.
    pub(super) inverse_mass: [Lanes; 6],
    pub(super) velocity: [Lanes; 3],
    pub(super) parameters: [Lanes; PARAMETERS],
    pub(super) impulse: [Lanes; 3],
    pub(super) after: [Lanes; 3],
    pub(super) details: [Lanes; DETAILS],
    /// Not zero for rows that the law itself has to resolve.
    pub(super) refer: [u64; LANES],
}

/// Numbers that restitutions and modes need besides impulse and velocity: normal impulse of compression, works of compression and of
/// restitution, code of the mode.
pub(super) const DETAILS: usize = 4;

impl Group {
    pub(super) const EMPTY: Group = Group {
        inverse_mass: [[0.0; LANES]; 6],
        velocity: [[0.0; LANES]; 3],
        parameters: [[0.0; LANES]; PARAMETERS],
        impulse: [[0.0; LANES]; 3],
        after: [[0.0; LANES]; 3],
        details: [[0.0; LANES]; DETAILS],
        refer: [0; LANES],
    };
}
