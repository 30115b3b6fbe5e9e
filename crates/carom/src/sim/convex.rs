//! The convex hull of points in space: quickhull, then flat neighbours merged into polygons.

use nalgebra::Vector3;
use std::collections::HashMap;

/// How far a point may lie outside a face and still count as on it, as a share of the largest extent: far above the rounding of
/// coordinates, far below what anybody means by a corner.
const FLAT: f64 = 1e-10;

/// Faces of a hull, counter-clockwise seen from outside, as places in the list of points.
pub(super) type Polygons = Vec<Vec<usize>>;

/// A triangle of the hull while it grows.
#[derive(Debug)]
struct Facet {
    corners: [usize; 3],
    /// Outward, of unit length.
    normal: Vector3<f64>,
    offset: f64,
    /// The facet beyond the edge from a corner to the next.
    neighbours: [usize; 3],
    /// Points beyond this facet, each in one list only.
    outside: Vec<usize>,
    alive: bool,
}

impl Facet {
    fn new(points: &[Vector3<f64>], corners: [usize; 3]) -> Option<Facet> {
        let [a, b, c] = corners.map(|k| points[k]);
        let across = (b - a).cross(&(c - a));
        let longest = (b - a).norm().max((c - a).norm()).max((c - b).norm());
        // Thinner than rounding: its normal would mean nothing.
        let normal = across.try_normalize(1e-14 * longest)?;
        let offset = normal.dot(&((a + b + c) / 3.0));
        Some(Facet { corners, normal, offset, neighbours: [usize::MAX; 3], outside: Vec::new(), alive: true })
    }

    fn height(&self, point: &Vector3<f64>) -> f64 {
        self.normal.dot(point) - self.offset
    }

    fn edge(&self, k: usize) -> [usize; 2] {
        [self.corners[k], self.corners[(k + 1) % 3]]
    }
}

/// Polygons of the hull of at least four finite points; `None` if all of them lie in one plane.
pub(super) fn convex_hull(given: &[Vector3<f64>]) -> Option<Polygons> {
    let points = normalised(given)?;
    let mut facets = first_tetrahedron(&points)?;
    let corners: Vec<usize> = facets.iter().flat_map(|facet| facet.corners).collect();
    let rest = (0..points.len()).filter(|k| !corners.contains(k));
    assign(&points, &mut facets, 0..4, rest);
    let mut waiting: Vec<usize> = (0..4).collect();
    while let Some(place) = waiting.pop() {
        if !facets[place].alive {
            continue;
        }
        while let Some(apex) = furthest(&points, &facets[place]) {
            match grow(&points, &mut facets, place, apex) {
                Some(grown) => {
                    waiting.extend(grown);
                    break;
                }
                // Within rounding of the hull: it adds nothing but slivers.
                None => facets[place].outside.retain(|k| *k != apex),
            }
        }
    }
    Some(polygons(&points, &facets))
}

/// The points about the middle of their bounds, with the largest extent 1.
fn normalised(given: &[Vector3<f64>]) -> Option<Vec<Vector3<f64>>> {
    let first = *given.first()?;
    let (low, high) = given.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
    let extent = (high - low).amax();
    let middle = low + (high - low) * 0.5;
    (extent > 0.0 && extent.is_finite()).then(|| given.iter().map(|p| (p - middle) / extent).collect())
}

/// Four points far from each other, as facets that look outward.
fn first_tetrahedron(points: &[Vector3<f64>]) -> Option<Vec<Facet>> {
    let most = |measure: &dyn Fn(&Vector3<f64>) -> f64| {
        let best =
            (0..points.len()).max_by(|a, b| measure(&points[*a]).total_cmp(&measure(&points[*b])).then(b.cmp(a)))?;
        (measure(&points[best]) > FLAT).then_some(best)
    };
    // Lexicographic extremes are corners, also among points that tie along x.
    let order = |a: &usize, b: &usize| {
        let (a, b) = (&points[*a], &points[*b]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
    };
    let a = (0..points.len()).min_by(order)?;
    let b = most(&|p| (p - points[a]).norm())?;
    let along = (points[b] - points[a]).normalize();
    let c = most(&|p| (p - points[a]).cross(&along).norm())?;
    let normal = along.cross(&(points[c] - points[a])).normalize();
    let mut d = most(&|p| (p - points[a]).dot(&normal).abs())?;
    // Of all points that tie for the greatest height the one farthest off is a corner.
    let height = |k: usize| (points[k] - points[a]).dot(&normal);
    let top = height(d);
    for k in 0..points.len() {
        let farther = (points[k] - points[a]).norm() > (points[d] - points[a]).norm();
        if (height(k) - top).abs() <= FLAT && farther {
            d = k;
        }
    }
    let [b, c] = if top > 0.0 { [c, b] } else { [b, c] };
    let mut facets = Vec::with_capacity(4);
    for corners in [[a, b, c], [a, c, d], [c, b, d], [b, a, d]] {
        facets.push(Facet::new(points, corners)?);
    }
    for k in 0..4 {
        for edge in 0..3 {
            let [from, to] = facets[k].edge(edge);
            let twin = (0..4).find(|other| (0..3).any(|e| facets[*other].edge(e) == [to, from]))?;
            facets[k].neighbours[edge] = twin;
        }
    }
    Some(facets)
}

/// Gives every point to the first facet that it lies beyond; the others are inside.
fn assign(
    points: &[Vector3<f64>],
    facets: &mut [Facet],
    to: std::ops::Range<usize>,
    loose: impl Iterator<Item = usize>,
) {
    for k in loose {
        if let Some(facet) = facets[to.clone()].iter_mut().find(|facet| facet.height(&points[k]) > FLAT) {
            facet.outside.push(k);
        }
    }
}

/// The point farthest beyond a facet. Of those that tie, the one farthest from the facet: it is a corner of the hull, where another
/// could lie in the middle of an edge.
fn furthest(points: &[Vector3<f64>], facet: &Facet) -> Option<usize> {
    let top = facet.outside.iter().map(|k| facet.height(&points[*k])).fold(f64::NEG_INFINITY, f64::max);
    let from = points[facet.corners[0]];
    let tied = facet.outside.iter().copied().filter(|k| facet.height(&points[*k]) >= top - FLAT);
    tied.max_by(|a, b| (points[*a] - from).norm().total_cmp(&(points[*b] - from).norm()).then(b.cmp(a)))
}

/// Replaces all facets that a point sees by a fan from it; returns the places of the fan. `None`, and nothing changed, if rounding
/// leaves no clean fan.
fn grow(points: &[Vector3<f64>], facets: &mut Vec<Facet>, start: usize, apex: usize) -> Option<std::ops::Range<usize>> {
    let point = points[apex];
    let mut seen = vec![start];
    let mut horizon = Vec::new();
    let mut next = 0;
    while let Some(&place) = seen.get(next) {
        next += 1;
        for edge in 0..3 {
            let beyond = facets[place].neighbours[edge];
            if seen.contains(&beyond) {
                continue;
            }
            if facets[beyond].height(&point) > FLAT {
                seen.push(beyond);
            } else {
                horizon.push((facets[place].edge(edge), beyond));
            }
        }
    }
    // A facet may have been passed as unseen before its turn came: none is, since visibility does not depend on the way.
    let first = facets.len();
    let starts: HashMap<usize, usize> =
        horizon.iter().enumerate().map(|(k, ([from, _], _))| (*from, first + k)).collect();
    let ends: HashMap<usize, usize> = horizon.iter().enumerate().map(|(k, ([_, to], _))| (*to, first + k)).collect();
    if starts.len() != horizon.len() || ends.len() != horizon.len() {
        return None;
    }
    let mut fan = Vec::with_capacity(horizon.len());
    for ([from, to], beyond) in &horizon {
        let mut facet = Facet::new(points, [*from, *to, apex])?;
        facet.neighbours = [*beyond, *starts.get(to)?, *ends.get(from)?];
        fan.push(facet);
    }
    for (k, ([from, to], beyond)) in horizon.iter().enumerate() {
        let twin = (0..3).find(|edge| facets[*beyond].edge(*edge) == [*to, *from])?;
        facets[*beyond].neighbours[twin] = first + k;
    }
    facets.extend(fan);
    let mut loose = Vec::new();
    for place in seen {
        facets[place].alive = false;
        loose.append(&mut facets[place].outside);
    }
    loose.retain(|k| *k != apex);
    let fan = first..facets.len();
    assign(points, facets, fan.clone(), loose.into_iter());
    Some(fan)
}

/// The living facets, those in one plane merged.
fn polygons(points: &[Vector3<f64>], facets: &[Facet]) -> Polygons {
    let alive: Vec<usize> = (0..facets.len()).filter(|k| facets[*k].alive).collect();
    let groups = flat_groups(points, facets, &alive);
    let loops: Option<Polygons> = groups.iter().map(|group| outline(facets, group)).collect();
    let mut polygons = loops.unwrap_or_else(|| alive.iter().map(|k| facets[*k].corners.to_vec()).collect());
    // A point where only two faces meet lies on an edge.
    let mut meeting: HashMap<usize, usize> = HashMap::new();
    for corner in polygons.iter().flatten() {
        *meeting.entry(*corner).or_default() += 1;
    }
    for polygon in &mut polygons {
        polygon.retain(|corner| meeting[corner] > 2);
    }
    polygons
}

/// Neighbouring facets that lie in the plane of the largest of them.
fn flat_groups(points: &[Vector3<f64>], facets: &[Facet], alive: &[usize]) -> Vec<Vec<usize>> {
    let area = |k: usize| {
        let [a, b, c] = facets[k].corners.map(|corner| points[corner]);
        (b - a).cross(&(c - a)).norm()
    };
    let mut order = alive.to_vec();
    order.sort_by(|a, b| area(*b).total_cmp(&area(*a)).then(a.cmp(b)));
    let mut taken = vec![false; facets.len()];
    let mut groups = Vec::new();
    for seed in order {
        if taken[seed] {
            continue;
        }
        taken[seed] = true;
        let mut group = vec![seed];
        let mut next = 0;
        while let Some(&place) = group.get(next) {
            next += 1;
            for beyond in facets[place].neighbours {
                let flat = |k: &usize| facets[seed].height(&points[*k]).abs() <= 2.0 * FLAT;
                let facing = facets[beyond].normal.dot(&facets[seed].normal) > 0.0;
                if !taken[beyond] && facing && facets[beyond].corners.iter().all(flat) {
                    taken[beyond] = true;
                    group.push(beyond);
                }
            }
        }
        groups.push(group);
    }
    groups
}

/// The edge of a group of facets, as one closed way; `None` if it is not one.
fn outline(facets: &[Facet], group: &[usize]) -> Option<Vec<usize>> {
    let mut next: HashMap<usize, usize> = HashMap::new();
    let (mut count, mut start) = (0, usize::MAX);
    for place in group {
        for edge in 0..3 {
            if !group.contains(&facets[*place].neighbours[edge]) {
                let [from, to] = facets[*place].edge(edge);
                next.insert(from, to);
                count += 1;
                start = start.min(from);
            }
        }
    }
    let mut way = vec![start];
    loop {
        let to = *next.get(way.last()?)?;
        if to == start {
            break;
        }
        way.push(to);
        if way.len() > count {
            return None;
        }
    }
    (way.len() == count).then_some(way)
}
