//! Sweeps beside what they cannot do without: writing the same columns, and the event engine alone.
//! `cargo bench --package carom-study --bench sweep [-- ROWS] [collisions|simulations]`; prints a table.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use carom::sim::{EventEngine, EventSettings};
use carom_study::scenario::SimulationScenario;
use carom_study::sweep::{Part, Plan, Sweep};
use parquet::basic::{Compression, Encoding, Type as PhysicalType, ZstdLevel};
use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Five axes and five outputs of `chatterjee-2`.
const COLLISIONS: &str = r#"
title = "five axes"
scenario = """
[collision]
inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
velocity = [-1.0, 0.6]
friction = 0.3
restitution = 0.5
tangential_restitution = 0.2
[law]
id = "chatterjee-2"
"""
outputs = ["impulse[0]", "impulse[1]", "velocity_after[0]", "velocity_after[1]", "energy.change"]
[axes]
"collision.friction" = { linspace = [0.01, 1, COUNT] }
"collision.restitution" = { linspace = [0, 1, 25] }
"collision.tangential_restitution" = { linspace = [-1, 1, 20] }
"collision.velocity[1]" = { linspace = [-1, 1, 50] }
"collision.inverse_mass[0][1]" = { linspace = [-2, 2, 10] }
"#;
/// Rows for one value of the first axis.
const ROWS: u64 = 25 * 20 * 50 * 10;

const BALL: &str = "
[simulation]
duration = 3.0
gravity = [0.0, -9.81]
[[body]]
name = 'ball'
mass = 1.0
shape = { disk = { radius = 0.1 } }
position = [0.0, 1.0]
velocity = [1.0, 0.0]
[[wall]]
name = 'floor'
point = [0.0, 0.0]
normal = [0.0, 1.0]
[[material]]
name = 'rubber'
restitution = 0.8
friction = 0.3
";

fn main() {
    // Cargo says `--bench` itself.
    let asked: Option<u64> = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let count = asked.unwrap_or(10_000_000).div_ceil(ROWS).max(2);
    let folder = std::env::temp_dir().join(format!("carom-bench-sweep-{}", std::process::id()));
    println!("| what | rows | seconds | rows/s | × |");
    println!("|---|---|---|---|---|");
    let wanted = |what: &str| !std::env::args().any(|argument| argument == other(what));
    if wanted("collisions") {
        collisions(&folder, count);
    }
    if wanted("simulations") {
        simulations(&folder, (count * ROWS / 100).clamp(1000, 100_000));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

fn other(what: &str) -> &'static str {
    if what == "collisions" { "simulations" } else { "collisions" }
}

fn row(what: &str, rows: u64, seconds: f64, ratio: &str) {
    println!("| {what} | {rows} | {seconds:.2} | {:.2e} | {ratio} |", rows as f64 / seconds);
}

fn computed(plan: &Plan, folder: &Path, threads: usize) -> f64 {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).unwrap();
    let start = Instant::now();
    Sweep::new(plan).unwrap().run(folder, Part::WHOLE, threads, &mut |_| true).unwrap();
    start.elapsed().as_secs_f64()
}

fn collisions(folder: &Path, count: u64) {
    let text = COLLISIONS.replace("COUNT", &count.to_string());
    let plan = Plan::parse("plan.toml", &text, None).unwrap();
    let rows = plan.rows();
    // In turns, the least of five rounds.
    let (mut one, mut two, mut write) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        one = one.min(computed(&plan, folder, 1));
        write = write.min(written(folder));
        two = two.min(computed(&plan, folder, 2));
    }
    row("five axes of chatterjee-2, one thread", rows, one, &format!("{:.2} of writing", one / write));
    row("writing the same numbers, one thread", rows, write, "");
    row("the sweep by two threads", rows, two, &format!("{:.2} faster than one", one / two));
}

/// The time in which the numbers of all shards are written again, from memory.
fn written(folder: &Path) -> f64 {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut seconds = 0.0;
    for file in files {
        let reader = SerializedFileReader::new(File::open(&file).unwrap()).unwrap();
        let rows = reader.metadata().file_metadata().num_rows() as usize;
        let group = reader.get_row_group(0).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr();
        let (mut columns, mut fields) = (Vec::new(), Vec::new());
        for k in (0..schema.num_columns()).filter(|k| schema.column(*k).physical_type() == PhysicalType::DOUBLE) {
            let mut values = Vec::with_capacity(rows);
            let mut levels = Vec::with_capacity(rows);
            let reader = group.get_column_reader(k).unwrap();
            let mut reader = parquet::column::reader::get_typed_column_reader::<DoubleType>(reader);
            reader.read_records(rows, Some(&mut levels), None, &mut values).unwrap();
            columns.push((values, levels));
            fields.push(Arc::new(schema.column(k).self_type().clone()));
        }
        let copy = folder.join("copy");
        let start = Instant::now();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::BYTE_STREAM_SPLIT)
            .build();
        let schema = Type::group_type_builder("table").with_fields(fields).build().unwrap();
        let to = File::create(&copy).unwrap();
        let mut writer = SerializedFileWriter::new(&to, Arc::new(schema), Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        for (values, levels) in &columns {
            let mut column = group.next_column().unwrap().unwrap();
            let levels = (!levels.is_empty()).then_some(&levels[..]);
            column.typed::<DoubleType>().write_batch(values, levels, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
        writer.close().unwrap();
        to.sync_all().unwrap();
        seconds += start.elapsed().as_secs_f64();
        std::fs::remove_file(copy).unwrap();
    }
    seconds
}

fn simulations(folder: &Path, rows: u64) {
    let text = format!(
        "scenario = \"\"\"{BALL}\"\"\"\ncommand = \"simulate\"\noutputs = [\"energy.kinetic\", \"events.impact\"]\n\
         [axes]\n\"body.ball.velocity[0]\" = {{ linspace = [0.1, 2.0, {rows}] }}\n"
    );
    let plan = Plan::parse("balls.toml", &text, None).unwrap();
    let scene = SimulationScenario::parse("ball.toml", BALL).unwrap();
    let (mut swept, mut engine) = (f64::INFINITY, f64::INFINITY);
    // In turns, the least of five rounds.
    for _ in 0..5 {
        swept = swept.min(computed(&plan, folder, 1));
        let start = Instant::now();
        let mut events = 0_u64;
        for _ in 0..rows {
            let mut engine = EventEngine::new(&scene.scene, scene.law, EventSettings::default()).unwrap();
            while let Ok(Some(_)) = engine.advance(scene.settings.duration) {
                events += 1;
            }
        }
        engine = engine.min(start.elapsed().as_secs_f64());
        assert!(events > 0);
    }
    row("bouncing balls, one thread", rows, swept, &format!("{:.2} of the engine", swept / engine));
    row("the event engine alone", rows, engine, "");
}
