//! Derivatives of impulse and velocity after by velocity before, W and parameters, by dual numbers.

use super::BoundBatch;
use super::derivative::Derivative;
use super::kernels;
use super::lanes::{Given, LANES};
use super::scratch::{Scratch, Spare};
use super::slopes;
use crate::error::Error;
use std::sync::{Mutex, PoisonError};

/// Derivatives of the rows of a block, row by row, and what is known of them.
pub(super) type Differentiate = fn(&Given, &mut [f64], &mut [u8]);

/// Rows that a thread takes at a time, of a law with a kernel and of another.
const ROWS: usize = 4096;
const SLOW_ROWS: usize = 256;

/// How derivatives are found.
#[derive(Clone, Copy)]
enum Method {
    /// By a kernel, unless the values of parameters are beyond it.
    Kernel(Option<Differentiate>),
    /// At the answers of the law itself.
    Law(slopes::Differentiate),
}

impl BoundBatch<'_> {
    /// The numbers by which derivatives are taken: V, W (in the plane nn, nt, tt; in space nn, n1, n2, 11, 12, 22) and the law's parameters
    /// in its own order. An entry of W beside the diagonal stands for both places.
    pub fn inputs(&self) -> usize {
        let components = self.components();
        components + components * (components + 1) / 2 + self.law.parameters.len()
    }

    /// Derivatives of all rows, for an algebraic law: one matrix after the other, each with a row for every component of P and then
    /// of V', and a column for each of the [inputs](BoundBatch::inputs). `kinds` receives a [`Derivative`] for every row.
    pub fn differentiate(&self, matrices: &mut [f64], kinds: &mut [u8], threads: usize) -> Result<(), Error> {
        self.differentiate_while(matrices, kinds, threads, &|| true)
    }

    /// The same as long as a function says so, which every thread asks between parts of some thousand rows, of slow laws some hundred.
    pub fn differentiate_while(
        &self,
        matrices: &mut [f64],
        kinds: &mut [u8],
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Error> {
        let method = match kernels::derivative_of(self.law, self.batch.dimension) {
            Some(differentiate) => Method::Kernel(self.kernel.and(Some(differentiate))),
            None => {
                Method::Law(slopes::of(self.law, self.batch.dimension).ok_or(Error::NoDerivative { law: self.law.id })?)
            }
        };
        let size = 2 * self.components() * self.inputs();
        if kinds.len() != self.rows() || self.rows().checked_mul(size) != Some(matrices.len()) {
            return Err(Error::WrongSize { what: "matrices of derivatives, kinds and rows" });
        }
        let length = if matches!(method, Method::Kernel(_)) { ROWS } else { SLOW_ROWS };
        let parts = matrices.chunks_mut(length * size).zip(kinds.chunks_mut(length)).enumerate();
        let workers = super::resolve::workers(threads, self.rows().div_ceil(length));
        let parts = Mutex::new(parts);
        let work = || {
            let mut scratch = Scratch::new(self, Spare { impulse: false, after: false, details: false });
            // Not `while let`: the lock would be held in its body.
            while goes_on() {
                let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((part, (matrices, kinds))) = next else { break };
                let from = part * length;
                match method {
                    Method::Kernel(Some(differentiate)) => {
                        self.differentiate_part(from, matrices, kinds, differentiate, &mut scratch);
                    }
                    // A value that all rows share is beyond what kernels take.
                    Method::Kernel(None) => {
                        matrices.fill(0.0);
                        kinds.fill(Derivative::Unknown as u8);
                    }
                    Method::Law(differentiate) => {
                        for (k, (matrix, kind)) in matrices.chunks_mut(size).zip(kinds).enumerate() {
                            *kind = self.differentiate_row(from + k, differentiate, matrix) as u8;
                        }
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(work);
            }
            work();
        });
        Ok(())
    }

    fn differentiate_part(
        &self,
        from: usize,
        matrices: &mut [f64],
        kinds: &mut [u8],
        differentiate: Differentiate,
        scratch: &mut Scratch,
    ) {
        let size = 2 * self.components() * self.inputs();
        // A last group that is not full is a block by itself: contiguous columns have room for one group of copies.
        let whole = kinds.len() - kinds.len() % LANES;
        let (matrices, last_matrices) = matrices.split_at_mut(whole * size);
        let (kinds, last_kinds) = kinds.split_at_mut(whole);
        let rows = scratch.rows();
        let blocks = matrices.chunks_mut(rows * size).zip(kinds.chunks_mut(rows));
        let mut from = from;
        for (matrices, kinds) in blocks.chain([(last_matrices, last_kinds)]).filter(|(_, kinds)| !kinds.is_empty()) {
            let (given, found) = scratch.block(from, kinds.len());
            differentiate(&given, matrices, kinds);
            found.refer.fill([0; LANES]);
            let some = self.refer(&given, found.refer, from, kinds.len());
            from += kinds.len();
            if !some {
                continue;
            }
            let refused = found.refer.as_flattened().iter().zip(kinds.iter_mut().zip(matrices.chunks_exact_mut(size)));
            for (_, (kind, matrix)) in refused.filter(|(refer, _)| **refer != 0) {
                *kind = Derivative::Unknown as u8;
                matrix.fill(0.0);
            }
        }
    }
}
