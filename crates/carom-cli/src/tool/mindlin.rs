//! `carom tool mindlin`: static tangential loading.

use super::numbers::{self, Elastic};
use super::{Picture, Show, bad_input, draw};
use crate::failure::Failure;
use carom::elastic::TangentialLoading;
use carom::format::Digits;
use carom_study::tool::{mindlin_facts, mindlin_sheet};
use clap::Args;

/// Push a pressed ball sideways: displacement, and how much of the contact sticks (Mindlin; Lai 1999, 4.6 and fig. 4.9)
#[derive(Args)]
#[command(
    override_usage = "carom tool mindlin [OPTIONS] --radius <R> --friction <MU>\n                          --load <P> --force <Q>",
    after_help = "Example:
  carom tool mindlin --radius 0.05 --materials steel,steel --friction 0.2 \\
      --load 100 --force 12 --plot mindlin.svg"
)]
pub struct Mindlin {
    /// Radius of relative curvature, 1/R = 1/R₁ + 1/R₂, m
    #[arg(long, value_name = "R", allow_negative_numbers = true, value_parser = numbers::positive)]
    radius: f64,
    #[command(flatten)]
    elastic: Elastic,
    /// Poisson's ratio of the pair, with --modulus
    #[arg(long, value_name = "NU", allow_negative_numbers = true, conflicts_with = "materials")]
    poisson_ratio: Option<f64>,
    /// Coefficient of friction; `inf` for a contact that never slips
    #[arg(long, value_name = "MU", allow_negative_numbers = true, value_parser = numbers::friction)]
    friction: f64,
    /// Normal load, N
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = numbers::positive)]
    load: f64,
    /// Tangential force, N
    #[arg(long, value_name = "Q", allow_negative_numbers = true, value_parser = numbers::not_negative)]
    force: f64,
    #[command(flatten)]
    picture: Picture,
    #[command(flatten)]
    show: Show,
}

impl Mindlin {
    pub fn run(&self) -> Result<(), Failure> {
        let file = self.picture.file()?;
        let moduli = self.elastic.moduli(self.poisson_ratio.unwrap_or(f64::NAN))?;
        if !(-1.0..=0.5).contains(&moduli.poisson_ratio) {
            return Err(Failure::Usage("expected --poisson-ratio from -1 to 0.5 together with --modulus".to_owned()));
        }
        let contact = TangentialLoading::new(self.radius, &moduli, self.friction, self.load)
            .map_err(|error| bad_input(&error))?;
        let subtitle = format!(
            "R {} m, P {} N, μ {}, a {} m",
            Digits(self.radius),
            Digits(self.load),
            Digits(self.friction),
            Digits(contact.contact_radius())
        );
        draw(file.as_ref(), || {
            mindlin_sheet(&contact, self.force, subtitle)
                .map_err(|error| bad_input(&error))?
                .ok_or_else(|| Failure::Usage("--plot needs a friction above 0 that is finite".to_owned()))
        })?;
        let facts = mindlin_facts(&contact, self.force).map_err(|error| bad_input(&error))?;
        self.show.facts("Ball under a constant normal and a growing tangential load", &facts)
    }
}
