//! Bodies that touch, or that joints connect, directly or through others: problems that can be solved apart.

/// A forest over the bodies; the root of a tree is its lowest place, so that the order of unions does not matter.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    parent: Vec<u32>,
}

impl Islands {
    pub(super) fn reset(&mut self, bodies: usize) {
        self.parent.clear();
        self.parent.extend(0..bodies as u32);
    }

    #[inline]
    pub(super) fn root(&mut self, body: usize) -> usize {
        let mut at = body as u32;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at as usize
    }

    #[inline]
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (x, y) = (self.root(a), self.root(b));
        if x != y {
            self.parent[x.max(y)] = x.min(y) as u32;
        }
    }
}
