//! The command as people meet it: every `console` block of the README, the book and `tests/cmd` is run and compared.
//! `TRYCMD=overwrite cargo test --package carom-cli --test cli` rewrites what they show.
#![allow(missing_docs, clippy::unwrap_used)]

#[test]
fn commands_print_what_the_documents_show() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    trycmd::TestCases::new()
        .register_bin("carom", std::path::Path::new(env!("CARGO_BIN_EXE_carom")))
        .case("README.md")
        .case("docs/src/**/*.md")
        .case("crates/carom-cli/tests/cmd/*.md");
}
