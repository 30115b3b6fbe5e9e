//! Everything a developer or CI runs: `cargo xtask test`, `cargo xtask bench`, …

mod validation;

fn main() {
    print!("{}", validation::page().0);
}
