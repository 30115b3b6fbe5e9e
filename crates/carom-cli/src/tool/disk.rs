//! `carom tool disk`: a thin disk on its edge.

use super::numbers::{self, Elastic};
use super::{Picture, Show, bad_input, draw};
use crate::failure::Failure;
use carom::elastic::ThinDisk;
use carom::format::Digits;
use carom_study::tool::{disk_facts, disk_sheet};
use clap::Args;

/// Press a thin disk edge-on against a rigid plate (Chatterjee 1997, 11.3.2 and fig. 11.42)
#[derive(Args)]
#[command(
    override_usage = "carom tool disk [OPTIONS] --radius <R> --edge-radius <R>\n                       --thickness <T> --load <F>",
    after_help = "Example:
  carom tool disk --radius 0.0495 --edge-radius 0.005 --thickness 0.0064 \\
      --modulus 2.967e9 --load 300 --plot disk.svg"
)]
pub struct Disk {
    /// Radius of the disk, m
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = numbers::positive)]
    radius: f64,
    /// Radius of its rounded edge, m
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = numbers::positive)]
    edge_radius: f64,
    /// Thickness, m
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = numbers::positive)]
    thickness: f64,
    #[command(flatten)]
    elastic: Elastic,
    /// Load, N
    #[arg(long, value_name = "F", allow_negative_numbers = true, value_parser = numbers::positive)]
    load: f64,
    #[command(flatten)]
    picture: Picture,
    #[command(flatten)]
    show: Show,
}

impl Disk {
    pub fn run(&self) -> Result<(), Failure> {
        let file = self.picture.file()?;
        let modulus = self.elastic.moduli(0.0)?.youngs_modulus;
        let disk =
            ThinDisk::new(self.radius, self.edge_radius, self.thickness, modulus).map_err(|error| bad_input(&error))?;
        if self.load > disk.greatest_load() {
            return Err(Failure::NoAnswer(format!(
                "a load of {} N flattens the disk beyond the formula, which holds below {} N",
                Digits(self.load),
                Digits(disk.greatest_load())
            )));
        }
        let subtitle = format!(
            "radius {} m, edge {} m, thickness {} m, E* {} Pa",
            Digits(self.radius),
            Digits(self.edge_radius),
            Digits(self.thickness),
            Digits(modulus)
        );
        draw(file.as_ref(), || disk_sheet(&disk, self.load, subtitle).map_err(|error| bad_input(&error)))?;
        let facts = disk_facts(&disk, self.load).map_err(|error| bad_input(&error))?;
        self.show.facts("Thin disk pressed edge-on against a rigid plate", &facts)
    }
}
