//! The shortest solution of a small friction problem by a search over the modes of its contacts, or the proof that there is none.
//!
//! A contact is open (x_n = a) or closed (U_n = 0), and sticks (U_t = 0) or slips in some direction d (U_t = σ d, x_t = c − r d). With the
//! modes of some contacts given and only x_n ≥ a, U_n ≥ 0 and x_t in its disk asked of the others, the impulses form a polyhedron in
//! the plane. In space disks are replaced by tangents around them, and directions of slip by sectors:
//!
//! ```text
//! U_t in the sector,   c − x_t in the sector,   (c − x_t)·m ≥ r cos h,   (c − x_t)·d ≤ r
//! ```
//!
//! m in the middle of the sector, h half its angle, d its sides and middle. Every solution in these modes is in the polyhedron. An empty one
//! rules out all modes that begin like it; else the contact whose conditions the shortest point violates most is given a mode, or its
//! sector is halved. The modes whose shortest point is least come first, so that the first solution found is the shortest of all.

use super::ACCEPTED;
use super::friction::{Disk, Found, Friction};
use super::least_distance::Polyhedron;
use nalgebra::{DVector, Vector2};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::{FRAC_PI_2, TAU};

/// How the search ended.
pub(super) enum Search {
    /// With the shortest solution.
    Found(Found),
    /// No mode has a solution.
    Empty,
    /// Modes are left that could be neither solved nor ruled out.
    Undecided,
}

/// Polyhedra in all. Planar problems need hundreds, of 4096 modes that six contacts have; clamped bodies in space, with eight contacts,
/// up to some ten thousand.
const MOST_NODES: usize = 30_000;
/// Tangents around a disk whose direction is not known.
const TANGENTS: usize = 8;
/// Conditions that hold up to this are worth a refinement, in velocities relative to those before.
const NEARLY: f64 = 1e-7;
/// And if every contact has a mode, so that only sectors are left to be halved, up to this.
const CLOSE: f64 = 1e-2;
/// Sectors are not halved beyond this angle, rad.
const NARROWEST: f64 = 1e-7;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Normal {
    Any,
    Open,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Tangential {
    Any,
    Stick,
    /// The direction of U_t, as an angle between these.
    Slip([f64; 2]),
}

/// The mode of a contact, as far as it is given.
type Mode = (Normal, Tangential);
/// The modes of all contacts, and further tangents of their disks.
type Case = (Vec<Mode>, Vec<(usize, f64)>);

#[derive(Clone, Debug)]
struct Node {
    modes: Vec<Mode>,
    /// Further tangents of disks, as angles.
    cuts: Vec<(usize, f64)>,
    /// The shortest impulses in these modes.
    x: DVector<f64>,
    length: f64,
}

/// The condition of a contact that is violated, and by how much.
#[derive(Clone, Copy, Debug)]
struct Violation {
    contact: usize,
    normal: bool,
    size: f64,
}

/// The shortest solution.
pub(super) fn search(problem: &Friction) -> Search {
    let whole = vec![(Normal::Any, Tangential::Any); problem.disks.len()];
    let mut queue: BinaryHeap<Node> = BinaryHeap::new();
    let add = |queue: &mut BinaryHeap<Node>, (modes, cuts): Case| {
        if let Some(x) = polyhedron(problem, &modes, &cuts).shortest() {
            let x = DVector::from_vec(x);
            let length = x.norm();
            queue.push(Node { modes, cuts, x, length });
        }
    };
    add(&mut queue, (whole, Vec::new()));
    let mut nodes = 1;
    let mut undecided = false;
    while let Some(node) = queue.pop() {
        if nodes > MOST_NODES {
            return Search::Undecided;
        }
        let u = &problem.w * &node.x + &problem.q;
        let Some(worst) = node.worst(problem, &u) else { continue };
        let close = if node.is_given(problem) { CLOSE } else { NEARLY };
        if worst.size <= close * problem.speed() {
            let mut found = problem.refined(&node.x);
            found.iterations += nodes;
            if found.residual <= ACCEPTED {
                return Search::Found(found);
            }
        }
        let children = node.children(problem, worst);
        undecided |= children.is_empty();
        nodes += children.len();
        for case in children {
            add(&mut queue, case);
        }
    }
    if undecided { Search::Undecided } else { Search::Empty }
}

/// The impulses in some modes, and within further tangents of disks.
fn polyhedron(problem: &Friction, modes: &[Mode], cuts: &[(usize, f64)]) -> Polyhedron {
    let size = problem.q.len();
    let mut set = Polyhedron::new(size);
    let velocity = |i: usize, weight: f64| -> Vec<f64> { problem.w.column(i).iter().map(|w| w * weight).collect() };
    let mut unit = vec![0.0; size];
    for (k, (disk, (normal, tangential))) in problem.disks.iter().zip(modes).enumerate() {
        let n = disk.start;
        unit[n] = 1.0;
        match normal {
            Normal::Open => set.equal(&unit, disk.least),
            Normal::Any | Normal::Closed => set.at_least(&unit, disk.least),
        }
        unit[n] = 0.0;
        match normal {
            Normal::Closed => set.equal(&velocity(n, 1.0), -problem.q[n]),
            Normal::Any | Normal::Open => set.at_least(&velocity(n, 1.0), -problem.q[n]),
        }
        if disk.size == 1 {
            continue;
        }
        // (c − x_t)·d ≤ reach · r, as a row and its bound.
        let within = |d: &Vector2<f64>, reach: f64| {
            let mut row = vec![0.0; size];
            row[n] = reach * disk.radius[1] - disk.centre[1].dot(d);
            for i in 1..disk.size {
                row[n + i] = d[i - 1];
            }
            (row, disk.centre[0].dot(d) - reach * disk.radius[0])
        };
        let along = |d: &Vector2<f64>| -> Vec<f64> {
            (0..size).map(|i| (1..disk.size).map(|k| problem.w[(i, n + k)] * d[k - 1]).sum()).collect()
        };
        let given = |d: &Vector2<f64>| (1..disk.size).map(|k| problem.q[n + k] * d[k - 1]).sum::<f64>();
        if *normal == Normal::Open && disk.radius_at(disk.least) == 0.0 {
            for i in 1..disk.size {
                unit[n + i] = 1.0;
                set.equal(&unit, disk.centre_at(disk.least)[i - 1]);
                unit[n + i] = 0.0;
            }
            continue;
        }
        if *tangential == Tangential::Stick {
            for i in 1..disk.size {
                set.equal(&velocity(n + i, 1.0), -problem.q[n + i]);
            }
        }
        match tangential {
            Tangential::Any | Tangential::Stick => {
                for d in tangents(disk) {
                    let (row, bound) = within(&d, 1.0);
                    set.at_least(&row, bound);
                }
            }
            Tangential::Slip([from, _]) if disk.size == 2 => {
                let d = direction(*from);
                let (row, bound) = within(&d, 1.0);
                set.equal(&row, bound);
                set.at_least(&along(&d), -given(&d));
            }
            Tangential::Slip([from, to]) => {
                let middle = 0.5 * (from + to);
                for d in [*from, middle, *to].map(direction) {
                    let (row, bound) = within(&d, 1.0);
                    set.at_least(&row, bound);
                }
                let (row, bound) = within(&direction(middle), (0.5 * (to - from)).cos());
                set.at_least(&row.iter().map(|entry| -entry).collect::<Vec<_>>(), -bound);
                for d in [from + FRAC_PI_2, to - FRAC_PI_2].map(direction) {
                    set.at_least(&along(&d), -given(&d));
                    let (row, bound) = within(&d, 0.0);
                    set.at_least(&row.iter().map(|entry| -entry).collect::<Vec<_>>(), -bound);
                }
            }
        }
        for (_, angle) in cuts.iter().filter(|(contact, _)| *contact == k) {
            let (row, bound) = within(&direction(*angle), 1.0);
            set.at_least(&row, bound);
        }
    }
    set
}

impl Node {
    /// Whether every contact has a mode.
    fn is_given(&self, problem: &Friction) -> bool {
        let mut modes = self.modes.iter().zip(&problem.disks);
        modes.all(|((normal, tangential), disk)| {
            let turns = disk.size > 1 && !(*normal == Normal::Open && disk.radius_at(disk.least) == 0.0);
            *normal != Normal::Any && !(turns && *tangential == Tangential::Any)
        })
    }

    /// The condition that is violated most.
    fn worst(&self, problem: &Friction, u: &DVector<f64>) -> Option<Violation> {
        let violations = problem.disks.iter().enumerate().flat_map(|(contact, disk)| {
            let [normal, tangential] = problem.violations(disk, &self.x, u);
            [(true, normal), (false, tangential)].map(|(normal, size)| Violation { contact, normal, size })
        });
        violations.max_by(|a, b| a.size.total_cmp(&b.size))
    }

    /// The cases of the contact that violates its conditions most, or of the next one that has cases left.
    fn children(&self, problem: &Friction, worst: Violation) -> Vec<Case> {
        let order = std::iter::once(worst.contact).chain((0..self.modes.len()).filter(|k| *k != worst.contact));
        for k in order {
            let (disk, (normal, tangential)) = (&problem.disks[k], self.modes[k]);
            let with = |mode: Mode| {
                let mut modes = self.modes.clone();
                modes[k] = mode;
                (modes, self.cuts.clone())
            };
            let stays = normal == Normal::Open && disk.radius_at(disk.least) == 0.0;
            if normal == Normal::Any && (worst.normal || k != worst.contact || tangential != Tangential::Any) {
                return vec![with((Normal::Open, tangential)), with((Normal::Closed, tangential))];
            }
            if disk.size == 1 || stays {
                continue;
            }
            match tangential {
                Tangential::Any if disk.size == 2 => {
                    let slips = [0.0, 0.5 * TAU].map(|angle| Tangential::Slip([angle; 2]));
                    let cases = [Tangential::Stick].into_iter().chain(slips);
                    return cases.map(|tangential| with((normal, tangential))).collect();
                }
                Tangential::Any => {
                    let slips = (0..4).map(|i| FRAC_PI_2 * f64::from(i)).map(|from| [from, from + FRAC_PI_2]);
                    let cases = [Tangential::Stick].into_iter().chain(slips.map(Tangential::Slip));
                    return cases.map(|tangential| with((normal, tangential))).collect();
                }
                Tangential::Slip([from, to]) if disk.size == 3 && to - from > NARROWEST => {
                    let middle = 0.5 * (from + to);
                    return [[from, middle], [middle, to]]
                        .map(|sector| with((normal, Tangential::Slip(sector))))
                        .into();
                }
                Tangential::Stick if disk.size == 3 => {
                    let out = disk.centre_at(self.x[disk.start]) - disk.of(&self.x).yz();
                    if out.norm() > disk.radius_at(self.x[disk.start]) {
                        let (modes, mut cuts) = with((normal, tangential));
                        cuts.push((k, out.y.atan2(out.x)));
                        return vec![(modes, cuts)];
                    }
                }
                _ => {}
            }
        }
        Vec::new()
    }
}

fn direction(angle: f64) -> Vector2<f64> {
    Vector2::new(angle.cos(), angle.sin())
}

/// Directions all around a disk; the two sides of one in the plane.
fn tangents(disk: &Disk) -> Vec<Vector2<f64>> {
    if disk.size == 2 {
        return vec![Vector2::x(), -Vector2::x()];
    }
    (0..TANGENTS).map(|i| direction(TAU * i as f64 / TANGENTS as f64)).collect()
}

/// The shortest first.
impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        other.length.total_cmp(&self.length)
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Node {}
