//! Tracks of collisions that are known, with errors, reduced.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests; rates are printed")]

mod bodies;
mod input;
mod motion;
mod tracks;
