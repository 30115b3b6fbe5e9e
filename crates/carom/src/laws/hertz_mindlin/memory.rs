//! What a continuous bed remembers: where each of its springs was last put down.
//!
//! The spring at ξ holds its foot at z(ξ) on the other body until it slips. Feet put down one after the other while the
//! bodies press on make a smooth curve; slip replaces its outer part by a straight line of slope ±λ. Never steeper than λ
//! anywhere, the curve is met by such a line in one place only, which is the border of the slip.

/// Feet of the springs from ξ = 0 outwards: cubic between nodes.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    nodes: [Node; CAPACITY],
    length: usize,
    /// The outermost node but the last that a straight piece begins or ends at.
    corner: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// ξ.
    at: f64,
    /// z.
    foot: f64,
    /// dz/dξ below and above.
    slopes: [f64; 2],
    /// Sign of the slip that drew the piece below; 0 for springs that were put down and never slipped.
    slipped: f64,
}

/// Thousands of oscillations while the bodies press on would need more; then every other node goes.
const CAPACITY: usize = 1024;
/// Newton's method with halving of the interval: more than rounding leaves to do.
const MOST_TURNS: usize = 60;

impl Memory {
    /// Nothing is known yet but the first foot.
    pub(super) fn new() -> Memory {
        Memory { nodes: [Node::default(); CAPACITY], length: 1, corner: 0 }
    }

    /// The first foot, at ξ = 0, and the slope of what follows.
    pub(super) fn start(&mut self, foot: f64, slope: f64) {
        self.nodes[0] = Node { at: 0.0, foot, slopes: [slope; 2], slipped: 0.0 };
        (self.length, self.corner) = (1, 0);
    }

    /// A spring is put down at the edge.
    pub(super) fn put(&mut self, at: f64, foot: f64, slope: f64) {
        let below = self.length - 1;
        self.push(Node { at, foot, slopes: [slope; 2], slipped: 0.0 });
        if self.nodes[below].slipped != 0.0 {
            self.corner = below;
        }
    }

    /// Slip of this sign ends: beyond `from` the feet lie on a line of slope ±λ that ends at the edge.
    pub(super) fn draw(&mut self, sign: f64, limit: f64, from: f64, edge: (f64, f64)) {
        let slope = sign * limit;
        self.cut(from);
        self.nodes[self.length - 1].slopes[1] = slope;
        self.push(Node { at: edge.0, foot: edge.1, slopes: [slope; 2], slipped: sign });
        self.find_corner();
    }

    /// The corner that slip coming in will meet next.
    pub(super) fn corner(&self) -> (f64, f64) {
        let node = &self.nodes[self.corner];
        (node.at, node.foot)
    }

    /// Slip of this sign has met the corner. Springs that slipped before in the same direction slip on all at once.
    pub(super) fn forget(&mut self, sign: f64) {
        self.length = self.corner + 1;
        self.swallow(sign);
    }

    /// The edge has come in to `edge`, where slip of this sign begins.
    pub(super) fn shorten(&mut self, edge: f64, sign: f64) {
        self.cut(edge);
        self.swallow(sign);
    }

    fn swallow(&mut self, sign: f64) {
        while self.length > 1 && self.nodes[self.length - 1].slipped == sign {
            self.length -= 1;
        }
        self.find_corner();
    }

    /// Whether nothing but the first foot is left.
    pub(super) fn is_empty(&self) -> bool {
        self.length == 1
    }

    /// Where the line of slope ±λ through the edge meets the curve, and the foot there. `lead` is how far the line leads the
    /// corner, as an indentation: (±(foot of the corner − foot of the edge))/λ + (ξ of the edge − ξ of the corner). Beyond
    /// the corner the curve is continued, so that it has no kink.
    pub(super) fn border(&self, sign: f64, limit: f64, lead: f64) -> (f64, f64) {
        let (corner, mut k) = (&self.nodes[self.corner], self.length - 1);
        // Falls outwards, through zero at the border.
        let excess = |at: f64, foot: f64| lead + sign * (foot - corner.foot) / limit - (at - corner.at);
        while k > self.corner + 1 && excess(self.nodes[k - 1].at, self.nodes[k - 1].foot) < 0.0 {
            k -= 1;
        }
        if k == 0 {
            return (corner.at, corner.foot);
        }
        let piece = Piece { below: &self.nodes[k - 1], above: &self.nodes[k] };
        let (inner, outer) = (excess(piece.below.at, piece.below.foot), excess(piece.above.at, piece.above.foot));
        if outer >= 0.0 {
            return (piece.above.at, piece.above.foot);
        }
        let (mut least, mut greatest) = (if k == self.corner + 1 { 0.0 } else { piece.below.at }, piece.above.at);
        let mut at = piece.below.at + (piece.above.at - piece.below.at) * inner / (inner - outer);
        for _ in 0..MOST_TURNS {
            if !(at > least && at < greatest) {
                at = 0.5 * (least + greatest);
            }
            let (foot, slope) = piece.foot(at);
            let value = excess(at, foot);
            if value < 0.0 {
                greatest = at;
            } else {
                least = at;
            }
            let next = at - value / (sign * slope / limit - 1.0);
            if (next - at).abs() <= f64::EPSILON * piece.above.at || greatest - least <= f64::EPSILON * greatest {
                break;
            }
            at = next;
        }
        let at = at.clamp(least, greatest);
        (at, piece.foot(at).0)
    }

    pub(super) fn dump(&self, sign: f64, limit: f64, lead: f64) -> String {
        let from = self.length.saturating_sub(4);
        format!("border {:?} len {} corner {} top {:?}", self.border(sign, limit, lead), self.length, self.corner, &self.nodes[from..self.length])
    }

    /// Forgets nodes that the slip has passed.
    pub(super) fn pass(&mut self, border: f64) {
        while self.length > self.corner + 2 && self.nodes[self.length - 2].at > border {
            self.length -= 1;
        }
    }

    /// Ends the curve here.
    fn cut(&mut self, at: f64) {
        while self.length > 1 && self.nodes[self.length - 2].at >= at {
            self.length -= 1;
        }
        if self.length == 1 {
            return;
        }
        let top = self.length - 1;
        let piece = Piece { below: &self.nodes[top - 1], above: &self.nodes[top] };
        let (foot, slope) = piece.foot(at);
        self.nodes[top] = Node { at, foot, slopes: [slope; 2], slipped: self.nodes[top].slipped };
    }

    fn push(&mut self, node: Node) {
        if node.at <= self.nodes[self.length - 1].at {
            return;
        }
        if self.length == CAPACITY {
            self.thin();
        }
        self.nodes[self.length] = node;
        self.length += 1;
    }

    /// Every other node goes, except the ends of straight pieces.
    fn thin(&mut self) {
        let mut kept = 1;
        for k in 1..self.length {
            let smooth = k + 1 < self.length && self.nodes[k].slipped == 0.0 && self.nodes[k + 1].slipped == 0.0;
            if !smooth || k % 2 == 0 {
                self.nodes[kept] = self.nodes[k];
                kept += 1;
            }
        }
        self.length = kept.min(CAPACITY - 1);
        self.find_corner();
    }

    fn find_corner(&mut self) {
        let straight = |k: usize| self.nodes[k].slipped != 0.0;
        self.corner = (1..self.length - 1).rev().find(|k| straight(*k) || straight(k + 1)).unwrap_or(0);
    }
}

/// A stretch between two nodes.
struct Piece<'a> {
    below: &'a Node,
    above: &'a Node,
}

impl Piece<'_> {
    /// z and dz/dξ by Hermite's cubic.
    fn foot(&self, at: f64) -> (f64, f64) {
        let width = self.above.at - self.below.at;
        let part = (at - self.below.at) / width;
        let rise = self.above.foot - self.below.foot;
        let [first, last] = [self.below.slopes[1] * width, self.above.slopes[0] * width];
        let (quadratic, cubic) = (3.0 * rise - 2.0 * first - last, first + last - 2.0 * rise);
        (
            self.below.foot + part * (first + part * (quadratic + part * cubic)),
            (first + part * (2.0 * quadratic + 3.0 * part * cubic)) / width,
        )
    }
}
