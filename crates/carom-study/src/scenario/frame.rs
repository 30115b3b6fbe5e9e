//! `[collision]`: the problem given in the contact frame.

use super::contact::agreed_dimension;
use super::fault::Fault;
use super::misfit::misfit;
use super::table::TableReader;
use carom::Dimension;
use carom::{Collision, Error};

/// The collision of a table `[collision]`.
pub(super) fn read_collision(table: &TableReader<'_>) -> Result<(Collision, Dimension), Fault> {
    let dimension = agreed_dimension([table].into_iter())?;
    let inverse_mass = table.require("inverse_mass")?;
    let velocity = table.require("velocity")?;
    let collision = match dimension {
        Dimension::Planar => {
            let [nn, nt, tn, tt] = inverse_mass.array();
            Collision::planar([[nn, nt], [tn, tt]], velocity.array())
        }
        Dimension::Spatial => Collision::new(&inverse_mass.matrix(), &velocity.vector()),
    };
    collision.map(|collision| (collision, dimension)).map_err(|error| {
        let key = if matches!(error, Error::IncompatibleVelocity { .. }) { "velocity" } else { "inverse_mass" };
        misfit(table, key, &error)
    })
}
