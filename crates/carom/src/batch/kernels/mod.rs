//! The kernels of the algebraic laws, one file each.

mod bilinear;
mod brach;
mod chatterjee_1;
mod chatterjee_2;
mod chatterjee_3;
mod chatterjee_combined;
mod ivanov;
mod newton;
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
use pfeiffer_glocker::PfeifferGlocker;
use routh::{RouthNewton, RouthPoisson, RouthStronge};
use whittaker::Whittaker;

use super::kernel::{Kernel, Resolve, resolve_plane, resolve_space};
use crate::dimension::Dimension;
use crate::law::Law;
use crate::laws;

/// The kernel of a law of the catalogue, if it has one. Routh's method, Whittaker's and Pfeiffer and Glocker's have no closed form in
/// space.
pub(super) fn of(law: &'static Law, dimension: Dimension) -> Option<Resolve> {
    let listed = laws::ALL.iter().any(|own| std::ptr::eq(own, law));
    if !listed {
        return None;
    }
    if dimension.is_planar() {
        match law.id {
            "routh-poisson" => return Some(resolve_plane::<RouthPoisson>),
            "routh-newton" => return Some(resolve_plane::<RouthNewton>),
            "routh-stronge" => return Some(resolve_plane::<RouthStronge>),
            "whittaker" => return Some(resolve_plane::<Whittaker>),
            "pfeiffer-glocker" => return Some(resolve_plane::<PfeifferGlocker>),
            _ => {}
        }
    }
    match law.id {
        "newton" => Some(either::<Newton>(dimension)),
        "brach" => Some(either::<Brach>(dimension)),
        "bilinear" => Some(either::<Bilinear>(dimension)),
        "chatterjee-1" => Some(either::<Chatterjee1>(dimension)),
        "chatterjee-2" => Some(either::<Chatterjee2>(dimension)),
        "chatterjee-3" => Some(either::<Chatterjee3>(dimension)),
        "chatterjee-combined" => Some(either::<ChatterjeeCombined>(dimension)),
        "ivanov" => Some(either::<Ivanov>(dimension)),
        _ => None,
    }
}

fn either<K: Kernel>(dimension: Dimension) -> Resolve {
    if dimension.is_planar() { resolve_plane::<K> } else { resolve_space::<K> }
}
