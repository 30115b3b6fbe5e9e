//! Samples of a law, refined until straight lines between them are right.
//!
//! The box of all parameters is divided into boxes. A box is halved, across the parameter along which the impulse is least
//! linear, until the impulses at the middles of its edges and at its centre lie within a tolerance of the mean of its corners.
//! With more parameters than dimensions the faces of the whole box come first, where the special cases of a law are.
//! Where the law jumps this never happens: the boxes along a jump become ever smaller until the number of samples is exhausted, and
//! those that still stretch over the jump are dropped.

use super::Sample;
use nalgebra::Vector3;
use std::collections::{HashMap, VecDeque};

/// Most parameters that vary together.
pub const MOST_AXES: usize = 6;
/// The whole range of a parameter in units of the finest step.
const WHOLE: u32 = 1 << 30;
/// Boxes along each parameter at first, by the number of parameters.
const FIRST_BOXES: [u32; MOST_AXES + 1] = [1, 32, 16, 8, 4, 2, 2];
/// A box in which some parameters have no answer is halved down to this part of the range.
const LEAST_PARTIAL: u32 = WHOLE >> 7;
/// Between its faces the range is refined to this multiple of the tolerance: there its boxes overlap many times over.
const INTERIOR: f64 = 5.0;
/// A box with edges of at most this many tolerances is kept when samples run out.
const SHORT: f64 = 8.0;

/// Parameters as parts of their ranges, in units of the finest step.
type Node = [u32; MOST_AXES];

/// A box of parameters.
#[derive(Clone, Copy)]
struct Cell {
    low: Node,
    size: Node,
}

/// Samples of a law and the boxes between them.
pub struct Refined {
    pub samples: Vec<Sample>,
    /// Simplices of samples that make up the image of all boxes: segments, triangles or tetrahedra.
    pub simplices: Vec<Vec<usize>>,
}

/// How far to refine.
pub struct Accuracy {
    /// Greatest distance of an impulse from the straight line between its neighbours, in the units of `place`.
    pub tolerance: f64,
    /// Greatest number of samples.
    pub samples: usize,
    /// Impulses with a coordinate below 0 or above this one are not needed.
    pub extent: f64,
    /// Dimension of the simplices.
    pub dimension: usize,
}

/// A law to be sampled.
pub struct Sampler<F> {
    axes: usize,
    /// The answer for parameters given as parts of their ranges; `None` if the law has none there.
    answer: F,
    nodes: HashMap<Node, Option<usize>>,
    samples: Vec<Sample>,
}

/// The refinement of a law's samples.
struct Refiner<F, P> {
    sampler: Sampler<F>,
    /// The place of an impulse, in the units of the tolerance.
    place: P,
    /// The places of all samples so far.
    places: Vec<Vector3<f64>>,
    /// The boxes that need no more refinement.
    kept: Vec<Cell>,
}

/// The decision about a box.
enum Verdict {
    Keep,
    Drop,
    /// Halve it across this axis.
    Halve(usize),
}

impl<F: FnMut(&[f64]) -> Option<Sample>> Sampler<F> {
    pub fn new(axes: usize, answer: F) -> Sampler<F> {
        Sampler { axes, answer, nodes: HashMap::new(), samples: Vec::new() }
    }

    /// Samples the corners of the first boxes.
    pub fn begin(&mut self) -> &[Sample] {
        for cell in first_cells(&vec![None; self.axes]) {
            for corner in cell.corners() {
                self.sample(corner);
            }
        }
        &self.samples
    }

    /// Refines the boxes, with impulses placed by `place`.
    pub fn refine(self, accuracy: &Accuracy, place: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Refined {
        let axes = self.axes;
        let dimension = accuracy.dimension.min(axes);
        let mut refiner = Refiner { sampler: self, place, places: Vec::new(), kept: Vec::new() };
        let whole = first_cells(&vec![None; axes]);
        if axes > dimension {
            let faces = faces_of_the_whole(axes, dimension);
            refiner.refine(faces, accuracy);
            let (tolerance, samples) = (INTERIOR * accuracy.tolerance, accuracy.samples + accuracy.samples / 2);
            refiner.refine(whole, &Accuracy { tolerance, samples, ..*accuracy });
        } else {
            refiner.refine(whole, accuracy);
        }
        refiner.finish(dimension)
    }

    fn sample(&mut self, node: Node) -> Option<usize> {
        if let Some(known) = self.nodes.get(&node) {
            return *known;
        }
        let parts: Vec<f64> = node[..self.axes].iter().map(|step| f64::from(*step) / f64::from(WHOLE)).collect();
        let place = (self.answer)(&parts).map(|sample| {
            self.samples.push(sample);
            self.samples.len() - 1
        });
        self.nodes.insert(node, place);
        place
    }
}

impl<F, P> Refiner<F, P>
where
    F: FnMut(&[f64]) -> Option<Sample>,
    P: Fn(&Vector3<f64>) -> Vector3<f64>,
{
    /// Halves the boxes until each is kept or dropped.
    fn refine(&mut self, cells: Vec<Cell>, accuracy: &Accuracy) {
        let mut waiting: VecDeque<Cell> = cells.into();
        while let Some(cell) = waiting.pop_front() {
            let exhausted = self.sampler.samples.len() >= accuracy.samples;
            let verdict =
                if exhausted { self.verdict_at_the_end(&cell, accuracy) } else { self.verdict(&cell, accuracy) };
            match verdict {
                Verdict::Keep => self.kept.push(cell),
                Verdict::Drop => {}
                Verdict::Halve(axis) => waiting.extend(cell.halves(axis)),
            }
        }
    }

    /// The simplices of the boxes that were kept.
    fn finish(mut self, dimension: usize) -> Refined {
        // Neighbours along a curve follow each other.
        self.kept.sort_by_key(|cell| cell.low);
        let mut simplices = Vec::new();
        for cell in &self.kept {
            let corners: Vec<usize> =
                cell.corners().into_iter().filter_map(|corner| self.sampler.sample(corner)).collect();
            let axes = cell.axes().len();
            if corners.len() == 1 << axes {
                faces(axes, dimension, |face| simplices.push(face.iter().map(|corner| corners[*corner]).collect()));
            }
        }
        Refined { samples: self.sampler.samples, simplices }
    }

    /// The place of the impulse at a node; `None` if the law has no answer there.
    fn placed(&mut self, node: Node) -> Option<Vector3<f64>> {
        let sample = self.sampler.sample(node)?;
        for sample in &self.sampler.samples[self.places.len()..] {
            self.places.push((self.place)(&sample.impulse));
        }
        Some(self.places[sample])
    }

    /// Whether the impulses of a box are close enough to linear.
    fn verdict(&mut self, cell: &Cell, accuracy: &Accuracy) -> Verdict {
        let axes = cell.axes();
        let nodes = cell.corners();
        let corners: Vec<Option<Vector3<f64>>> = nodes.iter().map(|node| self.placed(*node)).collect();
        let widest = axes.iter().copied().max_by_key(|axis| cell.size[*axis]).unwrap_or(0);
        let partial = if cell.size[widest] > LEAST_PARTIAL { Verdict::Halve(widest) } else { Verdict::Drop };
        if corners.iter().all(Option::is_none) {
            return Verdict::Drop;
        }
        let Some(corners) = corners.into_iter().collect::<Option<Vec<_>>>() else { return partial };
        if is_outside(&corners, accuracy.extent) {
            return Verdict::Keep;
        }
        let (mut bent, mut longest) = ((0.0, 0), (0.0, 0));
        for (bit, axis) in axes.iter().copied().enumerate() {
            for corner in (0..corners.len()).filter(|corner| corner >> bit & 1 == 0) {
                let mut middle = nodes[corner];
                middle[axis] += cell.size[axis] / 2;
                let Some(middle) = self.placed(middle) else { return partial };
                let (from, to) = (corners[corner], corners[corner | 1 << bit]);
                let off = ((from + to) * 0.5 - middle).amax();
                let length = (to - from).amax();
                if off > bent.0 {
                    bent = (off, axis);
                }
                if length > longest.0 {
                    longest = (length, axis);
                }
            }
        }
        let mut centre = cell.low;
        for axis in axes {
            centre[axis] += cell.size[axis] / 2;
        }
        let Some(centre) = self.placed(centre) else { return partial };
        let mean = corners.iter().sum::<Vector3<f64>>() / corners.len() as f64;
        let axis = if bent.0 > accuracy.tolerance { bent.1 } else { longest.1 };
        if bent.0 <= accuracy.tolerance && (mean - centre).amax() <= accuracy.tolerance {
            Verdict::Keep
        } else if cell.size[axis] >= 4 {
            Verdict::Halve(axis)
        } else {
            self.verdict_at_the_end(cell, accuracy)
        }
    }

    /// Keeps a box whose impulses are near to each other, or all outside.
    fn verdict_at_the_end(&mut self, cell: &Cell, accuracy: &Accuracy) -> Verdict {
        let corners: Option<Vec<Vector3<f64>>> = cell.corners().into_iter().map(|corner| self.placed(corner)).collect();
        let Some(corners) = corners else { return Verdict::Drop };
        let low = corners.iter().fold(corners[0], |low, corner| low.inf(corner));
        let high = corners.iter().fold(corners[0], |high, corner| high.sup(corner));
        let is_short = (high - low).amax() <= SHORT * accuracy.tolerance;
        if is_short || is_outside(&corners, accuracy.extent) { Verdict::Keep } else { Verdict::Drop }
    }
}

impl Cell {
    /// The axes along which it extends.
    fn axes(&self) -> Vec<usize> {
        (0..MOST_AXES).filter(|axis| self.size[*axis] > 0).collect()
    }

    /// The corners: bit k of a corner's number is its end along the k-th axis of the box.
    fn corners(&self) -> Vec<Node> {
        let axes = self.axes();
        let corner = |number: usize| {
            let mut node = self.low;
            for (bit, axis) in axes.iter().enumerate() {
                node[*axis] += self.size[*axis] * u32::from(number >> bit & 1 == 1);
            }
            node
        };
        (0..1 << axes.len()).map(corner).collect()
    }

    fn halves(&self, axis: usize) -> [Cell; 2] {
        let (mut lower, mut upper) = (*self, *self);
        lower.size[axis] /= 2;
        upper.size[axis] /= 2;
        upper.low[axis] += upper.size[axis];
        [lower, upper]
    }
}

/// The first boxes of all parameters but those that are fixed at an end of their range.
fn first_cells(fixed: &[Option<u32>]) -> Vec<Cell> {
    let free: Vec<usize> = (0..fixed.len()).filter(|axis| fixed[*axis].is_none()).collect();
    let boxes = FIRST_BOXES[free.len()];
    let count = boxes.pow(free.len() as u32);
    (0..count)
        .map(|number| {
            let (mut low, mut size) = ([0; MOST_AXES], [0; MOST_AXES]);
            for (axis, end) in fixed.iter().enumerate() {
                low[axis] = end.unwrap_or(0);
            }
            for (place, axis) in free.iter().enumerate() {
                size[*axis] = WHOLE / boxes;
                low[*axis] = number / boxes.pow(place as u32) % boxes * size[*axis];
            }
            Cell { low, size }
        })
        .collect()
}

/// The first boxes of all faces of the whole range that have this dimension.
fn faces_of_the_whole(axes: usize, dimension: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    for free in (0..1_usize << axes).filter(|free| free.count_ones() as usize == dimension) {
        for ends in (0..1_usize << axes).filter(|ends| ends & free == 0) {
            let end = |axis: usize| if ends >> axis & 1 == 1 { WHOLE } else { 0 };
            let fixed: Vec<_> = (0..axes).map(|axis| (free >> axis & 1 == 0).then(|| end(axis))).collect();
            cells.extend(first_cells(&fixed));
        }
    }
    cells
}

/// Whether all corners lie on the same side beyond the window from 0 to `extent`.
fn is_outside(corners: &[Vector3<f64>], extent: f64) -> bool {
    (0..3).any(|axis| {
        corners.iter().all(|corner| corner[axis] < 0.0) || corners.iter().all(|corner| corner[axis] > extent)
    })
}

/// The simplices of all faces of a box that have this dimension (Kuhn's division: one along each order of the face's axes), by
/// the numbers of the box's corners.
fn faces(axes: usize, dimension: usize, mut use_simplex: impl FnMut(&[usize])) {
    for chosen in (0..1_usize << axes).filter(|chosen| chosen.count_ones() as usize == dimension) {
        let within: Vec<usize> = (0..axes).filter(|axis| chosen >> axis & 1 == 1).collect();
        for corner in (0..1_usize << axes).filter(|corner| corner & chosen == 0) {
            along_orders(&within, &mut vec![corner], &mut use_simplex);
        }
    }
}

fn along_orders(axes: &[usize], path: &mut Vec<usize>, use_simplex: &mut impl FnMut(&[usize])) {
    if axes.is_empty() {
        use_simplex(path);
        return;
    }
    for axis in axes {
        let rest: Vec<usize> = axes.iter().copied().filter(|other| other != axis).collect();
        let last = path.last().copied().unwrap_or(0);
        path.push(last | 1 << axis);
        along_orders(&rest, path, use_simplex);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::faces;

    #[test]
    fn boxes_have_as_many_simplices_as_faces_and_orders() {
        let count = |axes: usize, dimension: usize| {
            let mut count = 0;
            faces(axes, dimension, |_| count += 1);
            count
        };
        assert_eq!(
            [count(1, 1), count(2, 2), count(3, 2), count(3, 3), count(4, 2), count(4, 3)],
            [1, 2, 12, 6, 48, 48]
        );
    }
}
