//! The kernels of the algebraic laws, one file each.

mod bilinear;
mod brach;
mod chatterjee_1;
mod chatterjee_2;
mod chatterjee_3;
mod chatterjee_combined;
mod ivanov;
mod newton;
mod onto_cone;
mod pfeiffer_glocker;
mod routh;
mod whittaker;

use bilinear::Bilinear;
use brach::Brach;
use chatterjee_1::Chatterjee1;
use chatterjee_2::Chatterjee2;
use chatterjee_3::Chatterjee3;
use chatterjee_combined::ChatterjeeCombined;
use ivanov::Ivanov;
use newton::Newton;
pub(super) use pfeiffer_glocker::PfeifferGlocker;
use routh::{RouthNewton, RouthPoisson, RouthStronge};
use whittaker::Whittaker;

use super::differentiate::Differentiate;
use super::dual_kernels;
use super::kernel::{Resolve, resolve_plane, resolve_space};
use crate::dimension::Dimension;
use crate::law::Law;
use crate::laws;

/// The functions of a law's kernel, in one dimension.
struct Functions {
    resolve: Resolve,
    differentiate: Differentiate,
}

struct Entry {
    law: &'static str,
    plane: Functions,
    space: Option<Functions>,
}

macro_rules! entry {
    ($law:literal, $kernel:ty, $parameters:literal, planar) => {
        Entry {
            law: $law,
            plane: Functions {
                resolve: resolve_plane::<$kernel>,
                differentiate: dual_kernels::plane::<$kernel, $parameters, { 5 + $parameters }>,
            },
            space: None,
        }
    };
    ($law:literal, $kernel:ty, $parameters:literal) => {
        Entry {
            space: Some(Functions {
                resolve: resolve_space::<$kernel>,
                differentiate: dual_kernels::space::<$kernel, $parameters, { 9 + $parameters }>,
            }),
            ..entry!($law, $kernel, $parameters, planar)
        }
    };
}

/// The kernels by law, with the number of its parameters: derivatives are by V, W and these. Routh's method, Whittaker's and Pfeiffer and Glocker's have no closed form in
/// space.
static KERNELS: [Entry; 13] = [
    entry!("newton", Newton, 1),
    entry!("brach", Brach, 4),
    entry!("bilinear", Bilinear, 3),
    entry!("whittaker", Whittaker, 3, planar),
    entry!("pfeiffer-glocker", PfeifferGlocker, 4, planar),
    entry!("routh-poisson", RouthPoisson, 2, planar),
    entry!("routh-newton", RouthNewton, 2, planar),
    entry!("routh-stronge", RouthStronge, 2, planar),
    entry!("chatterjee-1", Chatterjee1, 3),
    entry!("chatterjee-2", Chatterjee2, 3),
    entry!("chatterjee-3", Chatterjee3, 3),
    entry!("chatterjee-combined", ChatterjeeCombined, 5),
    entry!("ivanov", Ivanov, 3),
];

/// The kernel of a law of the catalogue, if it has one.
fn entry(law: &'static Law, dimension: Dimension) -> Option<&'static Functions> {
    // A law of one's own may have the id of one of the catalogue.
    let listed = laws::ALL.iter().any(|own| std::ptr::eq(own, law));
    let entry = KERNELS.iter().find(|entry| listed && entry.law == law.id)?;
    if dimension.is_planar() { Some(&entry.plane) } else { entry.space.as_ref() }
}

/// The function that resolves rows.
pub(super) fn of(law: &'static Law, dimension: Dimension) -> Option<Resolve> {
    entry(law, dimension).map(|functions| functions.resolve)
}

/// The function that differentiates rows.
pub(super) fn derivative_of(law: &'static Law, dimension: Dimension) -> Option<Differentiate> {
    entry(law, dimension).map(|functions| functions.differentiate)
}
