//! `carom tool hertz`: curvature and Hertz's contact.

use super::numbers::{self, Elastic};
use super::{Show, bad_input};
use crate::failure::Failure;
use carom::elastic::Surface;
use carom_study::scenario::{LARGEST, SMALLEST};
use carom_study::tool::hertz_facts;
use clap::Args;

/// Press two curved surfaces together: gap, contact ellipse, approach, pressure (Hertz; Lai 1999, 4.1)
#[derive(Args)]
#[command(after_help = "Examples:
  carom tool hertz --radii 0.0495,0.005 --modulus 2.97e9 --load 100
  carom tool hertz --radii 0.01,inf --against 0.01,inf --angle 0.7 \\
      --materials steel,brass --load 50")]
pub struct Hertz {
    /// Principal radii of the first surface, m: one for a ball, negative for a seat, inf where it is straight
    #[arg(long, value_name = "R1[,R2]", allow_hyphen_values = true)]
    radii: String,
    /// Principal radii of the second surface; a plane without it
    #[arg(long, value_name = "R1[,R2]", default_value = "inf", allow_hyphen_values = true)]
    against: String,
    /// Angle between the first principal directions of the two, rad
    #[arg(long, value_name = "ANGLE", default_value_t = 0.0, allow_hyphen_values = true)]
    angle: f64,
    #[command(flatten)]
    elastic: Elastic,
    /// Load, N; N/m for surfaces that touch along a line
    #[arg(long, value_name = "F", allow_negative_numbers = true, value_parser = numbers::positive)]
    load: f64,
    #[command(flatten)]
    show: Show,
}

impl Hertz {
    pub fn run(&self) -> Result<(), Failure> {
        // Poisson's ratio has no part in a normal load.
        let modulus = self.elastic.moduli(0.0)?.youngs_modulus;
        let first = surface("--radii", &self.radii, 0.0)?;
        let second = surface("--against", &self.against, self.angle)?;
        let facts = hertz_facts(&[first, second], modulus, self.load).map_err(|error| bad_input(&error))?;
        self.show.facts("Two surfaces under load", &facts)
    }
}

fn surface(option: &str, text: &str, direction: f64) -> Result<Surface, Failure> {
    let radii = numbers::list(option, text, &[1, 2])?;
    if radii.iter().any(|r| *r != 0.0 && r.is_finite() && !(SMALLEST..=LARGEST).contains(&r.abs())) {
        return Err(Failure::Usage(format!(
            "`{option} {text}`: expected radii from {SMALLEST:e} to {LARGEST:e}, or inf for a straight line"
        )));
    }
    let radii = [radii[0], radii.get(1).copied().unwrap_or(radii[0])];
    Surface::new(radii, direction).map_err(|error| Failure::Usage(format!("`{option} {text}`: {error}")))
}
