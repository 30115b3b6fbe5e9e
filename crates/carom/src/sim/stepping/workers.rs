//! Threads that share the work of a step.

use rayon::prelude::*;
use std::sync::Arc;

/// A pool of threads; none where one is enough or no more are to be had. What is done does not depend on how many there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Workers(Option<Arc<rayon::ThreadPool>>);

impl Workers {
    pub(super) fn new(threads: usize) -> Workers {
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        Workers(if threads > 1 { pool().map(Arc::new) } else { None })
    }

    /// Runs work that may call [`each`](Workers::each) many times: the threads stay awake in between.
    pub(super) fn together<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Does something with each item, in any order and at the same time.
    pub(super) fn each<T: Send>(&self, items: &mut [T], act: impl Fn(&mut T) + Send + Sync) {
        if self.0.is_some() {
            items.par_iter_mut().with_max_len(1).for_each(act);
        } else {
            items.iter_mut().for_each(act);
        }
    }
}
