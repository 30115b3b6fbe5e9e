//! Any bytes as a scenario file: reading ends in a scenario or in an error that can be shown, and every law that
//! accepts the scenario answers with finite numbers.
//!
//! `cargo +nightly fuzz run scenario fuzz/corpus/scenario scenarios`
#![no_main]

use carom_study::prediction::{Detail, predict_all};
use carom_study::scenario::Scenario;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    match Scenario::parse("fuzz.toml", &text) {
        Err(error) => {
            assert!(!error.render(false).is_empty() && !error.render(true).is_empty());
            error.line_and_column();
        }
        Ok(scenario) => {
            for (law, answer) in predict_all(&scenario, scenario.laws(), Detail::Outcome) {
                if let Ok(prediction) = answer {
                    let impulses = prediction.outcome.impulses();
                    assert!(impulses.iter().flatten().all(|part| part.is_finite()), "{}", law.id);
                }
            }
        }
    }
});
