//! The `carom` command: rigid-body collisions by every law of the literature.

mod collide;
mod copies;
mod failure;
mod figure;
mod fit;
mod folder;
mod hold;
mod input;
mod laws;
mod output;
mod reduce;
mod region;
mod replay;
mod simulate;
mod sweep;
mod tool;
mod views;
mod watch;

use carom_study::terminal::WIDTH;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Impact mechanics: bodies hit, Carom says what happens.
///
/// Every collision law of the literature behind one interface, each prediction audited against energy, friction and
/// non-penetration, and shown in impulse space.
#[derive(Parser)]
#[command(
    name = "carom",
    version,
    max_term_width = 80,
    after_help = "Example:\n  carom collide scenarios/falling-rod.toml --law all --plot rod.svg"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Collide(collide::Collide),
    Simulate(simulate::Simulate),
    Replay(replay::Replay),
    Laws(laws::Laws),
    Region(region::Region),
    Sweep(sweep::Sweep),
    Fit(fit::Fit),
    Reduce(reduce::Reduce),
    Figure(figure::Figure),
    Tool(tool::Tool),
}

/// Reports arguments that are wrong, or prints the help that they ask for; lines that are too long for a terminal are broken.
fn misused(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if !error.use_stderr() || text.lines().all(|line| line.chars().count() <= WIDTH) {
        error.exit();
    }
    output::notify(&text);
    ExitCode::from(2)
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misused(&error),
    };
    let done = match arguments.command {
        Command::Collide(command) => command.run(),
        Command::Simulate(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Laws(command) => command.run(),
        Command::Region(command) => command.run(),
        Command::Sweep(command) => command.run(),
        Command::Fit(command) => command.run(),
        Command::Reduce(command) => command.run(),
        Command::Figure(command) => command.run(),
        Command::Tool(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
