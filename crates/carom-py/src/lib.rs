//! The Python package `carom`: the library with NumPy arrays in and out. Python sources are in `python/carom`.
#![allow(clippy::doc_link_with_quotes, reason = "docstrings follow the style of NumPy")]

mod audits;
mod collide;
mod columns;
mod design;
mod elastic;
mod errors;
mod fit;
mod follow;
mod impact;
mod impact_result;
mod impulse_space;
mod input;
mod laws;
mod near_sphere;
mod outputs;
mod own;
mod parameters;
mod parcel;
mod prediction;
mod properties;
mod realise;
mod reduce;
mod region;
mod result;
mod run;
mod scenario;
mod setup;
mod shown;
mod source;
mod sweep;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _carom {
    use super::result::DERIVATIVES;
    use super::{Bound, PyModule, PyResult, audits};
    use carom::Mode;
    use carom::batch::{MODES, Status};
    use pyo3::prelude::*;
    use pyo3::types::{PyDict, PyTuple};

    #[pymodule_export]
    use super::collide::collide;
    #[pymodule_export]
    use super::design::{
        bilinear_spring, bilinear_spring_impact, growing_dashpot, growing_dashpot_impact, hertz_spring,
        hertz_spring_impact, linear_dashpot, linear_dashpot_impact, split_mass, split_mass_impact,
    };
    #[pymodule_export]
    use super::elastic::{hertz, hertz_impact, reduced_moduli, relative_radii, thin_disk};
    #[pymodule_export]
    use super::errors::{CaromError, InputError, NoAnswerError, ShapeError};
    #[pymodule_export]
    use super::fit::{fit_law, fit_laws};
    #[pymodule_export]
    use super::impact::{contact_axes, impact, impact_of};
    #[pymodule_export]
    use super::impact_result::{ImpactResult, restored_impact};
    #[pymodule_export]
    use super::impulse_space::{ImpulseSpace, impulse_space};
    #[pymodule_export]
    use super::laws::{Law, Parameter, define, law, laws};
    #[pymodule_export]
    use super::near_sphere::linearise_about_sphere;
    #[pymodule_export]
    use super::prediction::Prediction;
    #[pymodule_export]
    use super::realise::bodies_for;
    #[pymodule_export]
    use super::reduce::reduce_tracks;
    #[pymodule_export]
    use super::region::{Region, region};
    #[pymodule_export]
    use super::result::{CollideResult, restored};
    #[pymodule_export]
    use super::run::{Checkpoint, Simulation, Table, restored_simulation};
    #[pymodule_export]
    use super::scenario::{Scenario, check_file, check_item, load, restored_prediction, restored_scenario, scenario};
    #[pymodule_export]
    use super::sweep::{Plan, restored_plan};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MODES", PyTuple::new(py, MODES.map(Mode::name))?)?;
        module.add("STATUSES", PyTuple::new(py, Status::ALL.map(Status::name))?)?;
        module.add("DERIVATIVES", PyTuple::new(py, DERIVATIVES.map(|(name, _)| name))?)?;
        module.add("RESTITUTIONS", PyTuple::new(py, audits::RESTITUTIONS)?)?;
        let flags = PyDict::new(py);
        for (name, flag) in audits::FLAGS {
            flags.set_item(name, flag)?;
        }
        module.add("AUDIT_FLAGS", flags)?;
        // The package itself lists its public names.
        module.delattr("__all__")
    }
}
