//! Audits and names as Python sees them.

use carom::audit::Audit;
use carom::batch::AuditFlags;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The restitutions of an outcome, in the order of the library's batches.
pub(crate) const RESTITUTIONS: [&str; 4] = ["newton", "poisson", "stronge", "ivanov"];

/// The conditions of the audit, with their flags in batches.
pub(crate) const FLAGS: [(&str, u8); 4] = [
    ("energy", AuditFlags::ENERGY),
    ("friction", AuditFlags::FRICTION),
    ("penetration", AuditFlags::PENETRATION),
    ("consistency", AuditFlags::CONSISTENCY),
];

/// An audit that found nothing.
pub(crate) fn nothing_found(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let named = PyDict::new(py);
    for (name, _) in FLAGS {
        named.set_item(name, "ok")?;
    }
    Ok(named.into_any().unbind())
}

/// The findings of an audit: `"ok"` or a sentence for each condition.
pub(crate) fn findings(py: Python<'_>, audit: &Audit) -> PyResult<Py<PyAny>> {
    let named = PyDict::new(py);
    for (name, finding) in audit.findings() {
        named.set_item(name, finding.to_string())?;
    }
    Ok(named.into_any().unbind())
}
