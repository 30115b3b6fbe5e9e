//! `carom tool near-sphere`: laws for slightly aspherical bodies.

use super::{Show, bad_input, numbers};
use crate::failure::Failure;
use crate::input::law;
use crate::laws::setting;
use carom_study::tool::near_sphere_facts;
use carom_study::typical;
use clap::Args;
use std::f64::consts::FRAC_PI_2;

/// Linearise a law about the sphere: how its outcome changes with the mass matrix (Chatterjee 1997, 10.2)
#[derive(Args)]
#[command(after_help = "Example:
  carom tool near-sphere chatterjee-2 --incidence 1.2 \\
      --set restitution=0.9 --set friction=0.2")]
pub struct NearSphere {
    /// A law's id
    law: String,
    /// Angle of incidence from the normal, 0 to π/2, rad
    #[arg(long, value_name = "ANGLE", allow_negative_numbers = true, value_parser = numbers::not_negative)]
    incidence: f64,
    /// A parameter of the law instead of a typical one; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    show: Show,
}

impl NearSphere {
    pub fn run(&self) -> Result<(), Failure> {
        if self.incidence >= FRAC_PI_2 {
            return Err(Failure::Usage(format!("`--incidence {}`: expected an angle below π/2", self.incidence)));
        }
        let law = law(&self.law)?;
        let given = self.set.iter().map(|text| setting(law, text)).collect::<Result<Vec<_>, _>>()?;
        let bound = typical::bind(law, &given).map_err(|error| bad_input(&error))?;
        let facts =
            near_sphere_facts(&bound, self.incidence).map_err(|why| Failure::NoAnswer(format!("{}: {why}", law.id)))?;
        self.show.facts("Velocity after of |V| = 1, for M near diag(7, 2, 2)", &facts)
    }
}
