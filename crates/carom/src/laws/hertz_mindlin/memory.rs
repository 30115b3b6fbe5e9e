//! What a continuous bed remembers: where each of its springs stands.
//!
//! The spring at ξ has its foot at z(ξ) on the other body until it slips. Feet put down one after the other while the bodies
//! press on make a smooth curve; slip replaces its outer part by a straight line of slope ±λ. Nowhere is the curve steeper
//! than λ, so that such a line meets it in one place only: the border of the slip.
//!
//! As a function of ξ the smooth parts are nearly singular where the bodies turn round, as functions of the clock they are
//! not. So (ξ, z) is kept as a curve over the clock, quintic between nodes.

use nalgebra::Vector2;

/// Feet of the springs, (ξ, z), from the middle of the contact outwards.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    nodes: [Node; CAPACITY],
    length: usize,
    /// The outermost node, but for the last, at which a straight piece begins or ends; the first one if there is none.
    corner: usize,
}

/// (ξ, z) with its first two derivatives by the clock.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jet {
    pub(super) place: Vector2<f64>,
    pub(super) rate: Vector2<f64>,
    pub(super) bend: Vector2<f64>,
}

/// A node and the piece below it.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    jet: Jet,
    /// What the clock does along the piece.
    span: f64,
    /// Sign of the slip that drew the piece; 0 for springs that were put down and never slipped.
    slipped: f64,
}

/// A hundred oscillations while the bodies press on would need more; then every other node goes.
const CAPACITY: usize = 2048;
/// Newton's method with halving of the interval: more than rounding leaves to do.
const MOST_TURNS: usize = 60;

impl Memory {
    /// The first spring, at ξ = 0, is put down here.
    #[expect(clippy::large_stack_arrays, reason = "laws do not allocate")]
    pub(super) fn new(jet: Jet) -> Memory {
        let mut nodes = [Node::default(); CAPACITY];
        nodes[0].jet = jet;
        Memory { nodes, length: 1, corner: 0 }
    }

    /// Forgets everything for one straight line from here.
    pub(super) fn restart(&mut self, foot: f64) {
        self.nodes[0] = Node::default();
        self.nodes[0].jet.place.y = foot;
        (self.length, self.corner) = (1, 0);
    }

    /// Another spring is put down at the edge, after some time.
    pub(super) fn put(&mut self, span: f64, jet: Jet) {
        let below = self.length - 1;
        self.push(Node { jet, span, slipped: 0.0 });
        if self.nodes[below].slipped != 0.0 {
            self.corner = below;
        }
    }

    /// Slip of this sign has ended: beyond the border the feet lie on a line to the edge, where springs may be put down.
    pub(super) fn draw(&mut self, sign: f64, border: &Border, edge: Jet) {
        self.cut(border);
        self.push(Node { jet: edge, span: 0.0, slipped: sign });
        self.find_corner();
    }

    /// The place of the corner that slip coming in will meet next.
    pub(super) fn corner(&self) -> Vector2<f64> {
        self.nodes[self.corner].jet.place
    }

    /// Slip of this sign has met the corner.
    pub(super) fn forget(&mut self, sign: f64) {
        self.length = self.corner + 1;
        self.swallow(sign);
    }

    /// The edge has come in to the border, and slip of this sign begins there.
    pub(super) fn shorten(&mut self, border: &Border, sign: f64) {
        self.cut(border);
        self.swallow(sign);
    }

    /// Springs that slipped before in the same direction slip on all at once.
    fn swallow(&mut self, sign: f64) {
        while self.length > 1 && self.nodes[self.length - 1].slipped == sign {
            self.length -= 1;
        }
        self.find_corner();
    }

    /// Whether nothing is left to slip but the first spring.
    pub(super) fn is_empty(&self) -> bool {
        self.length == 1
    }

    /// Where a line of slope ±λ meets the curve that leads the corner by an indentation `lead`:
    /// ±(z_corner − z)/λ + (ξ − ξ_corner) for any point (ξ, z) of the line.
    pub(super) fn border(&self, sign: f64, limit: f64, lead: f64) -> Border {
        let corner = self.corner();
        // Falls outwards along the curve, through zero at the border.
        let excess = |place: &Vector2<f64>| lead + sign * (place.y - corner.y) / limit - (place.x - corner.x);
        let mut piece = self.length - 1;
        while piece > self.corner + 1 && excess(&self.nodes[piece - 1].jet.place) < 0.0 {
            piece -= 1;
        }
        if piece == 0 {
            return Border { place: corner, jet: self.nodes[0].jet, piece: 0, part: 1.0 };
        }
        let (below, above) = (&self.nodes[piece - 1], &self.nodes[piece]);
        let (inner, outer) = (excess(&below.jet.place), excess(&above.jet.place));
        if outer >= 0.0 {
            return Border { place: above.jet.place, jet: above.jet, piece, part: 1.0 };
        }
        let mut part = inner.max(0.0) / (inner.max(0.0) - outer);
        if above.slipped != 0.0 {
            let place = below.jet.place.lerp(&above.jet.place, part);
            return Border { place, jet: Jet { place, ..Jet::default() }, piece, part };
        }
        let curve = Quintic::between(&below.jet, &above.jet, above.span);
        let (mut least, mut greatest) = (0.0, 1.0);
        let mut jet = curve.at(part);
        for _ in 0..MOST_TURNS {
            let value = excess(&jet.place);
            if value < 0.0 {
                greatest = part;
            } else {
                least = part;
            }
            let slope = (sign * jet.rate.y / limit - jet.rate.x) * above.span;
            let mut next = part - value / slope;
            if !(next > least && next < greatest) {
                next = 0.5 * (least + greatest);
            }
            let moved = (next - part).abs();
            part = next;
            jet = curve.at(part);
            if moved <= f64::EPSILON {
                break;
            }
        }
        Border { place: jet.place, jet, piece, part }
    }

    /// Forgets nodes that the border has passed.
    pub(super) fn pass(&mut self, border: &Border) {
        self.length = self.length.min(border.piece + 1);
    }

    /// Ends the curve at the border.
    fn cut(&mut self, border: &Border) {
        self.length = border.piece + 1;
        if border.piece > 0 {
            let node = &mut self.nodes[border.piece];
            node.jet = border.jet;
            node.span *= border.part;
        }
    }

    fn push(&mut self, node: Node) {
        if self.length == CAPACITY {
            self.thin();
        }
        self.nodes[self.length] = node;
        self.length += 1;
    }

    /// Every other node goes, except the ends of straight pieces.
    fn thin(&mut self) {
        let mut kept = 1;
        let mut dropped = 0.0;
        for k in 1..self.length {
            let mut node = self.nodes[k];
            let smooth = k + 1 < self.length && node.slipped == 0.0 && self.nodes[k + 1].slipped == 0.0;
            if smooth && k % 2 == 1 {
                dropped = node.span;
                continue;
            }
            node.span += dropped;
            dropped = 0.0;
            self.nodes[kept] = node;
            kept += 1;
        }
        self.length = kept.min(CAPACITY - 1);
        self.find_corner();
    }

    fn find_corner(&mut self) {
        let straight = |k: usize| self.nodes[k].slipped != 0.0;
        self.corner = (1..self.length - 1).rev().find(|k| straight(*k) || straight(k + 1)).unwrap_or(0);
    }
}

/// The innermost spring that slips.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    /// Its ξ and z.
    pub(super) place: Vector2<f64>,
    jet: Jet,
    /// The piece of the curve it lies in, and how far along.
    piece: usize,
    part: f64,
}

/// A curve of fifth degree over the clock.
struct Quintic {
    span: f64,
    coefficients: [Vector2<f64>; 6],
}

impl Quintic {
    fn between(from: &Jet, to: &Jet, span: f64) -> Quintic {
        let [first, second] = [from.rate * span, from.bend * (0.5 * span * span)];
        let rise = to.place - from.place - first - second;
        let rate = to.rate * span - first - second * 2.0;
        let bend = to.bend * (span * span) - second * 2.0;
        Quintic {
            span,
            coefficients: [
                from.place,
                first,
                second,
                rise * 10.0 - rate * 4.0 + bend * 0.5,
                rise * -15.0 + rate * 7.0 - bend,
                rise * 6.0 - rate * 3.0 + bend * 0.5,
            ],
        }
    }

    /// After this part of it, 0 to 1.
    fn at(&self, part: f64) -> Jet {
        let (mut place, mut rate, mut bend) = (Vector2::zeros(), Vector2::zeros(), Vector2::zeros());
        for coefficient in self.coefficients.iter().rev() {
            bend = bend * part + rate;
            rate = rate * part + place;
            place = place * part + coefficient;
        }
        Jet { place, rate: rate / self.span, bend: bend * (2.0 / (self.span * self.span)) }
    }
}
