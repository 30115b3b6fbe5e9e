//! Functions from numbers to numbers: a number that makes no sense gives an error, nothing, or NaN, but neither a panic nor a
//! search without end.

#![allow(clippy::unwrap_used)]

use carom::impulse_space::{AccessibleRegion, EnergyEllipsoid, Plane, PlaneDiagram, Window};
use carom::problem::ImpactProcess;
use carom::{Collision, ContactOutcome, design, elastic, vibration};
use nalgebra::{Matrix2, Vector2, Vector3};

const BAD: [f64; 6] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300];

fn rod() -> Collision {
    Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap()
}

#[test]
fn impulse_space() {
    let rod = rod();
    let section = rod.planar_section().unwrap();
    for bad in BAD {
        let point = Vector3::new(bad, 0.1, 0.0);
        for region in [AccessibleRegion::new(&rod, bad), AccessibleRegion::new(&rod, 0.5)] {
            let _ = (region.contains(&point), region.extent(), region.interior_point(), region.parameters_of(&point));
            let _ = (region.distance(&point), region.nearest(&point), region.exit_point(&point, &Vector3::x()));
        }
        let ellipsoid = EnergyEllipsoid::new(&rod);
        let _ = (ellipsoid.level(&point), ellipsoid.nearest(&point), ellipsoid.point(bad, &Vector3::x()));
        let _ = Plane::constant_restitution(&rod, bad).distance(&point);
        let diagram = PlaneDiagram::new(&section, bad);
        let window = Window::around([Vector2::new(-1.0, -1.0), Vector2::new(1.0, bad.min(2.0))]);
        let _ = (diagram.corners(), diagram.region(&window, 8), diagram.level_set(bad, &window, 8));
        let process = ImpactProcess::of(&section);
        let _ = (process.p_d(bad), process.p_q(bad), process.critical_friction(bad), process.mode(bad, bad));
        let _ = ContactOutcome::jump(&rod, point, bad).restitution(&rod);
    }
}

#[test]
fn contact_design() {
    for bad in BAD {
        let _ = (design::damping_ratio(bad), design::restitution_of_damping_ratio(bad));
        let _ = (design::speed_ratio(bad), design::restitution_of_speed_ratio(bad));
        if bad != 1e300 {
            assert!(design::LinearDashpot::for_duration(0.5, bad, 1e-3).is_err(), "{bad}");
            assert!(design::GrowingDashpot::for_duration(0.5, 1.0, bad, 1e-3).is_err(), "{bad}");
            assert!(design::HertzSpring::for_duration(1.0, 1.0, bad).is_err(), "{bad}");
            assert!(design::SplitMass::for_peak_force(0.5, bad, 1.0, 1.0).is_err(), "{bad}");
        }
    }
}

#[test]
fn elastic_contact() {
    for bad in BAD {
        let _ = (elastic::nondimensional_angle(bad, bad, bad), elastic::gross_slip(bad, bad, &Matrix2::identity()));
        let _ = (elastic::gyration_ratio(bad, &Matrix2::identity()), elastic::Regimes::lai(bad, bad, bad));
        if bad != 1e300 {
            assert!(elastic::HertzImpact::new(bad, 1.0, 1e9, 0.1).is_err(), "{bad}");
            assert!(elastic::PointContact::circular(bad, 1e9).is_err(), "{bad}");
            assert!(elastic::LineContact::new(0.1, bad).is_err(), "{bad}");
            assert!(elastic::Elasticity::new(bad, 0.3).is_err(), "{bad}");
            assert!(elastic::ThinDisk::new(bad, 0.01, 0.01, 1e9).is_err(), "{bad}");
        }
        let contact = elastic::PointContact::circular(0.1, 1e9).unwrap();
        let _ = (contact.under(bad), contact.at(bad));
    }
}

#[test]
fn vibrating_bodies() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0] {
        assert!(vibration::Chain::uniform(3, bad, 1e4).is_err(), "{bad}");
        assert!(vibration::Chain::uniform(3, 1.0, bad).is_err(), "{bad}");
        assert!(vibration::SpringDashpot::new(bad, 0.0).is_err(), "{bad}");
    }
    assert!(vibration::Chain::new(vec![1.0; 3], vec![1e4; 5]).is_err());
    assert!(vibration::Chain::new(Vec::new(), Vec::new()).is_err());
}
