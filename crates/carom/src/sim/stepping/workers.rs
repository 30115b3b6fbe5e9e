//! Threads that share the work of a step.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many threads there are. What is done does not depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workers(pub(super) usize);

/// Looks at a counter before a thread that waits lets others go on.
const PATIENCE: usize = 5000;

impl Workers {
    /// Does something with each item, in any order and at the same time.
    pub(super) fn each<T: Send>(self, items: &mut [T], act: impl Fn(&mut T) + Sync) {
        let share = items.len().div_ceil(self.0).max(1);
        let (own, others) = items.split_at_mut(share.min(items.len()));
        std::thread::scope(|scope| {
            for group in others.chunks_mut(share) {
                let act = &act;
                scope.spawn(move || group.iter_mut().for_each(act));
            }
            own.iter_mut().for_each(&act);
        });
    }

    /// Calls `lead` with a team of no more than `most` that it can give orders to: each of them then calls `serve` with its place in
    /// the team and the order. Orders come and go within microseconds: who waits keeps looking.
    pub(super) fn team<O: Copy + Send, T>(
        self,
        most: usize,
        serve: impl Fn(usize, O) + Sync,
        lead: impl FnOnce(&Team<'_, O>) -> T,
    ) -> T {
        let team = Team {
            order: Mutex::new(None),
            given: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            size: self.0.min(most),
            serve: &serve,
        };
        std::thread::scope(|scope| {
            for place in 1..team.size {
                let team = &team;
                scope.spawn(move || team.work(place));
            }
            let _end = Dismissal(&team);
            lead(&team)
        })
    }
}

/// Threads that carry out orders, the one that gives them included.
pub(super) struct Team<'a, O> {
    /// `None` dismisses them.
    order: Mutex<Option<O>>,
    /// Orders so far, and how many have carried out the last.
    given: AtomicUsize,
    done: AtomicUsize,
    pub(super) size: usize,
    serve: &'a (dyn Fn(usize, O) + Sync),
}

impl<O: Copy + Send> Team<'_, O> {
    /// Has everybody carry out an order, and waits for them.
    pub(super) fn all(&self, order: O) {
        self.done.store(0, Ordering::Relaxed);
        *lock(&self.order) = Some(order);
        self.given.fetch_add(1, Ordering::Release);
        (self.serve)(0, order);
        wait(|| self.done.load(Ordering::Acquire) + 1 == self.size);
    }

    fn work(&self, place: usize) {
        let mut known = 0;
        loop {
            wait(|| self.given.load(Ordering::Acquire) > known);
            known += 1;
            let Some(order) = *lock(&self.order) else { return };
            let _done = Done(&self.done);
            (self.serve)(place, order);
        }
    }
}

/// Counts an order as carried out however it ended, so that nobody waits for a thread that is no more.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Lets the others go when the one that leads has ended, however it did.
struct Dismissal<'a, 'b, O: Copy + Send>(&'a Team<'b, O>);

impl<O: Copy + Send> Drop for Dismissal<'_, '_, O> {
    fn drop(&mut self) {
        *lock(&self.0.order) = None;
        self.0.given.fetch_add(1, Ordering::Release);
    }
}

fn wait(over: impl Fn() -> bool) {
    let mut looks = 0;
    while !over() {
        looks += 1;
        if looks < PATIENCE {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// What a mutex guards; a thread that panicked while it held it makes no difference, for its panic goes on anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_carries_out_every_order_once() {
        for threads in [1, 2, 5] {
            let sums: Vec<Mutex<u64>> = (0..4).map(|_| Mutex::new(0)).collect();
            let size = Workers(threads).team(
                4,
                |place, order: u64| *lock(&sums[place]) += order,
                |team| {
                    (1..=1000).for_each(|order| team.all(order));
                    team.size
                },
            );
            assert_eq!(size, threads.min(4));
            for (place, sum) in sums.iter().enumerate() {
                assert_eq!(*lock(sum), if place < size { 500_500 } else { 0 });
            }
        }
    }

    #[test]
    fn each_item_is_seen_once() {
        for threads in [1, 2, 7] {
            for count in [0, 1, 5, 100] {
                let mut items: Vec<usize> = (0..count).collect();
                Workers(threads).each(&mut items, |item| *item += 1);
                assert!(items.iter().copied().eq(1..=count));
            }
        }
    }
}
