//! Names of bodies, joints and materials of a scene.

/// A body of a scene: its place in the order in which bodies were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(usize);

/// A joint of a scene: its place in the order in which joints were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(usize);

/// A material: its place in [`Materials`](super::Materials).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MaterialId(usize);

impl BodyId {
    /// The body at this place, from 0.
    pub const fn new(index: usize) -> BodyId {
        BodyId(index)
    }

    /// Its place, from 0.
    pub const fn index(self) -> usize {
        self.0
    }

    /// Bodies A and B by their places among this many; the world stands behind them.
    pub(crate) fn among(places: [usize; 2], count: usize) -> [Option<BodyId>; 2] {
        places.map(|place| (place < count).then_some(BodyId(place)))
    }

    /// Bodies A and B by their places; `None` is the world.
    pub(crate) fn pair(places: [Option<usize>; 2]) -> [Option<BodyId>; 2] {
        places.map(|place| place.map(BodyId))
    }
}

impl JointId {
    /// The joint at this place, from 0.
    pub const fn new(index: usize) -> JointId {
        JointId(index)
    }

    /// Its place, from 0.
    pub const fn index(self) -> usize {
        self.0
    }
}

impl MaterialId {
    /// The material at this place, from 0.
    pub const fn new(index: usize) -> MaterialId {
        MaterialId(index)
    }

    /// Its place, from 0.
    pub const fn index(self) -> usize {
        self.0
    }
}
