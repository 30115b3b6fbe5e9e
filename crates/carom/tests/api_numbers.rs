//! Functions from numbers to numbers: numbers that make no sense give a typed error, and what is returned is finite.

#![allow(clippy::unwrap_used)]

use carom::audit::audit_collision;
use carom::impact::Impact;
use carom::impulse_space::{AccessibleRegion, EnergyEllipsoid};
use carom::problem::{Class, ImpactProcess, Span};
use carom::{Collision, ContactOutcome, Error, Outcome, design, elastic, vibration};
use nalgebra::{DMatrix, DVector, Matrix2, Matrix3, Vector3};
use std::fmt::Debug;

/// Never a sound number.
const NONSENSE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
/// Sound for some quantities, too small or too large for others.
const EXTREME: [f64; 8] = [-1e300, -1.0, 0.0, 5e-324, 1e-300, 1e150, 1e300, f64::MAX];

/// All numbers of an answer, by way of its debug output: no NaN and no infinity, however deep they are.
fn is_finite(answer: &impl Debug) -> bool {
    let text = format!("{answer:?}");
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.all(|word| word != "NaN" && word != "inf")
}

/// A function of one number that has no use for NaN and infinities, and answers others with finite numbers or an error.
fn checked<T: Debug>(what: &str, f: impl Fn(f64) -> Result<T, Error>) {
    for bad in NONSENSE {
        assert!(f(bad).is_err(), "{what} of {bad}: {:?}", f(bad));
    }
    finite_or_error(what, f);
}

/// The same for a function that has a use for an infinity.
fn finite_or_error<T: Debug>(what: &str, f: impl Fn(f64) -> Result<T, Error>) {
    assert!(f(f64::NAN).is_err(), "{what} of NaN: {:?}", f(f64::NAN));
    for number in NONSENSE.into_iter().chain(EXTREME) {
        match f(number) {
            Ok(answer) => assert!(is_finite(&answer), "{what} of {number}: {answer:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A function of a size, which must be above 0.
fn size<T: Debug>(what: &str, f: impl Fn(f64) -> Result<T, Error>) {
    for bad in [-1e300, -1.0, 0.0] {
        assert!(f(bad).is_err(), "{what} of {bad}: {:?}", f(bad));
    }
    checked(what, f);
}

fn rod() -> Collision {
    Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap()
}

/// A pendulum against a wall: W is singular.
fn pendulum() -> Collision {
    Collision::planar([[1.0, 1.0], [1.0, 1.0]], [-1.0, -1.0]).unwrap()
}

/// Impulses with a number in one place.
fn impulses(x: f64) -> [Vector3<f64>; 3] {
    [Vector3::new(x, 0.1, 0.0), Vector3::new(0.3, x, 0.0), Vector3::new(0.3, 0.0, x)]
}

#[test]
fn accessible_region() {
    for collision in [rod(), pendulum()] {
        for bad in [f64::NAN, f64::NEG_INFINITY, -1.0, -1e300] {
            assert!(AccessibleRegion::new(&collision, bad).is_err(), "{bad}");
        }
        for friction in [0.0, 5e-324, 0.5, 1e300, f64::INFINITY] {
            let region = AccessibleRegion::new(&collision, friction).unwrap();
            assert!(is_finite(&(region.extent(), region.interior_point(), region.surface(1))), "{friction}");
            for place in 0..3 {
                let at = |x: f64| impulses(x)[place];
                checked("distance", |x| region.distance(&at(x)));
                checked("nearest", |x| region.nearest(&at(x)));
                checked("exit from", |x| region.exit_point(&at(x), &Vector3::x()));
                checked("exit along", |x| region.exit_point(&Vector3::zeros(), &at(x)));
                for x in NONSENSE {
                    assert!(!region.contains(&at(x)), "{x}");
                    assert_eq!(region.parameters_of(&at(x)), None);
                }
                assert!(EXTREME.iter().all(|x| is_finite(&region.parameters_of(&at(*x)))));
                assert!(!region.contains(&at(1e300)));
            }
            assert!(region.exit_point(&Vector3::zeros(), &Vector3::zeros()).is_err());
        }
    }
}

#[test]
fn energy_ellipsoid() {
    for collision in [rod(), pendulum()] {
        let ellipsoid = EnergyEllipsoid::new(&collision);
        for place in 0..3 {
            let at = |x: f64| impulses(x)[place];
            checked("value", |x| ellipsoid.value(&at(x)));
            checked("level", |x| ellipsoid.level(&at(x)));
            checked("outward normal", |x| ellipsoid.outward_normal(&at(x)));
            checked("nearest on surface", |x| ellipsoid.nearest_on_surface(&at(x)));
            checked("nearest", |x| ellipsoid.nearest(&at(x)));
            checked("point", |x| ellipsoid.point(1.0, &at(x)));
            assert!(NONSENSE.iter().all(|x| !ellipsoid.contains(&at(*x))));
        }
        checked("point of a level", |x| ellipsoid.point(x, &Vector3::x()));
        assert!(ellipsoid.point(-1.0, &Vector3::x()).is_err() && ellipsoid.principal_axes(-1.0).is_err());
        assert!(NONSENSE.iter().all(|level| ellipsoid.principal_axes(*level).is_err()));
    }
    checked("principal axes", |x| EnergyEllipsoid::new(&rod()).principal_axes(x));
}

#[test]
fn impact_process() {
    let (rod, section) = (rod(), rod().planar_section().unwrap());
    let process = ImpactProcess::of(&section);
    checked("P_d", |x| process.p_d(x));
    checked("P_q", |x| process.p_q(x));
    checked("critical friction", |x| process.critical_friction(x));
    checked("mode by friction", |x| process.mode(x, 0.5));
    checked("mode by restitution", |x| process.mode(0.5, x));
    for place in 0..3 {
        let at = |x: f64| impulses(x)[place];
        checked("span of the velocity before", |x| Span::of(&at(x), &Vector3::x(), &Vector3::x()));
        checked("span of the velocity after", |x| Span::of(&Vector3::x(), &at(x), &Vector3::x()));
        checked("span of the impulse", |x| Span::of(&Vector3::x(), &Vector3::y(), &at(x)));
        checked("class by velocity", |x| Class::of(rod.inverse_mass(), &at(x)));
    }
    checked("class by inverse mass", |x| Class::of(&(Matrix3::identity() * x), rod.velocity()));
}

#[test]
fn impulses_of_an_impact() {
    for planar in [true, false] {
        let rows = if planar { 4 } else { 6 };
        let impact = Impact::new(&DMatrix::identity(rows, rows), &DVector::from_element(rows, -1.0), planar).unwrap();
        for place in 0..3 {
            let both = |x: f64| [impulses(x)[place], Vector3::x()];
            checked("velocity after", |x| impact.velocity_after(&both(x)));
            checked("energy change", |x| impact.energy_change(&both(x)));
            checked("outcome", |x| Outcome::jump(&impact, &both(x), &[0.1, 0.2]).map(|outcome| outcome.impulses()));
        }
        for bad in [f64::NAN, f64::NEG_INFINITY, -1.0] {
            assert!(Outcome::jump(&impact, &[Vector3::x(); 2], &[0.1, bad]).is_err(), "{bad}");
        }
    }
    // An outcome is plain data: one that is not finite passes no audit.
    for bad in NONSENSE {
        let outcome = ContactOutcome::jump(&rod(), Vector3::x() * bad, 0.3);
        assert!(!audit_collision(&rod(), &outcome, 0.3).is_ok());
    }
}

#[test]
fn contact_design() {
    use design::{BilinearSpring, GrowingDashpot, HertzSpring, LinearDashpot, SplitMass, Unloading};
    checked("ζ of e", LinearDashpot::damping_ratio);
    checked("e of ζ", LinearDashpot::restitution);
    checked("a of e", GrowingDashpot::speed_ratio);
    checked("e of a", GrowingDashpot::restitution);
    for wrong in [-1.0, 0.0, 1.5] {
        assert!(LinearDashpot::damping_ratio(wrong).is_err() && GrowingDashpot::speed_ratio(wrong).is_err());
    }
    assert!(LinearDashpot::restitution(-1.0).is_err() && GrowingDashpot::restitution(-1.0).is_err());
    checked("e", |e| LinearDashpot::for_duration(e, 1.0, 1e-3));
    size("mass", |m| LinearDashpot::for_duration(0.5, m, 1e-3));
    size("duration", |t| LinearDashpot::for_duration(0.5, 1.0, t));
    size("speed", |v| LinearDashpot::for_peak_force(0.5, 1.0, v, 10.0));
    size("force", |f| LinearDashpot::for_peak_force(0.5, 1.0, 1.0, f));
    checked("e", |e| GrowingDashpot::for_duration(e, 1.0, 1.0, 1e-3));
    size("mass", |m| GrowingDashpot::for_duration(0.5, m, 1.0, 1e-3));
    size("speed", |v| GrowingDashpot::for_duration(0.5, 1.0, v, 1e-3));
    size("force", |f| GrowingDashpot::for_peak_force(0.5, 1.0, 1.0, f));
    size("mass", |m| HertzSpring::for_duration(m, 1.0, 1e-3));
    size("speed", |v| HertzSpring::for_duration(1.0, v, 1e-3));
    size("duration", |t| HertzSpring::for_duration(1.0, 1.0, t));
    size("force", |f| HertzSpring::for_peak_force(1.0, 1.0, f));
    checked("e", |e| SplitMass::for_duration(e, 1.0, 1e-3));
    size("mass", |m| SplitMass::for_peak_force(0.5, m, 1.0, 1.0));
    size("force", |f| SplitMass::for_peak_force(0.5, 1.0, 1.0, f));
    for unloading in [Unloading::Steep, Unloading::Shallow] {
        checked("e", |e| BilinearSpring::for_duration(unloading, e, 1.0, 1e-3));
        size("mass", |m| BilinearSpring::for_duration(unloading, 0.5, m, 1e-3));
        size("force", |f| BilinearSpring::for_peak_force(unloading, 0.5, 1.0, 1.0, f));
        checked("e", |restitution| BilinearSpring { unloading, restitution, stiffness: 1.0 }.impact(1.0, 1.0));
        size("k", |stiffness| BilinearSpring { unloading, restitution: 0.5, stiffness }.impact(1.0, 1.0));
    }
    size("k", |stiffness| LinearDashpot { stiffness, damping: 1.0 }.impact(1.0, 1.0));
    checked("c", |damping| LinearDashpot { stiffness: 1.0, damping }.impact(1.0, 1.0));
    size("m", |mass| LinearDashpot { stiffness: 1.0, damping: 0.1 }.impact(mass, 1.0));
    size("v", |speed| LinearDashpot { stiffness: 1.0, damping: 0.1 }.impact(1.0, speed));
    size("k", |stiffness| GrowingDashpot { stiffness, damping: 1.0 }.impact(1.0, 1.0));
    checked("c", |damping| GrowingDashpot { stiffness: 1.0, damping }.impact(1.0, 1.0));
    size("v", |speed| GrowingDashpot { stiffness: 1.0, damping: 0.1 }.impact(1.0, speed));
    size("k", |stiffness| HertzSpring { stiffness }.impact(1.0, 1.0));
    size("v", |speed| HertzSpring { stiffness: 1.0 }.impact(1.0, speed));
    size("k", |stiffness| SplitMass { restitution: 0.5, stiffness }.impact(1.0, 1.0));
    checked("e", |restitution| SplitMass { restitution, stiffness: 1.0 }.impact(1.0, 1.0));
}

#[test]
fn shapes_and_moduli() {
    use elastic::{Elasticity, Gap, Material, ReducedModuli, Strength, Surface, WaveCriteria};
    // A straight line has an infinite radius.
    finite_or_error("radius", |r| Surface::new([r, 1.0], 0.0));
    finite_or_error("radius of a sphere", Surface::sphere);
    checked("direction", |angle| Surface::new([1.0, 1.0], angle));
    checked("axis", |angle| Surface::cylinder(1.0, angle));
    finite_or_error("gap", |r| Gap::of_radii([r, 1.0]));
    finite_or_error("gap of two", |r| Gap::between(&Surface::sphere(r)?, &Surface::sphere(1.0)?));
    assert!(Surface::sphere(0.0).is_err() && Gap::of_radii([0.0, 1.0]).is_err());
    size("E", |e| Elasticity::new(e, 0.3));
    checked("ν", |nu| Elasticity::new(1e9, nu));
    for modulus in [1e300, f64::MAX] {
        for ratio in [-1.0 + f64::EPSILON, 0.5] {
            let Ok(body) = Elasticity::new(modulus, ratio) else { continue };
            let soft = Elasticity::new(1e-300, 0.3).unwrap();
            assert!(is_finite(&(body.shear_modulus(), ReducedModuli::against_rigid(&body))));
            assert!(is_finite(&[ReducedModuli::between(&body, &soft), ReducedModuli::between(&body, &body)]));
        }
    }
    let steel = Material::named("steel").unwrap();
    size("E of a material", |youngs_modulus| Material { youngs_modulus, ..*steel }.elasticity());
    size("E for waves", |youngs_modulus| Material { youngs_modulus, ..*steel }.wave_speed());
    size("ρ for waves", |density| Material { density, ..*steel }.wave_speed());
    size("yield stress", |stress| Strength::Yield(stress).first_yield());
    size("hardness", |hardness| Strength::Hardness(hardness).first_yield());
    size("normal speed", |speed| WaveCriteria::new(speed, 5000.0));
    size("wave speed", |speed| WaveCriteria::new(1.0, speed));
}

#[test]
fn elastic_contact() {
    use elastic::{Gap, HertzImpact, LineContact, PointContact, ReducedModuli, TangentialLoading, ThinDisk};
    size("R", |r| PointContact::circular(r, 1e9).map(|contact| contact.effective_radius()));
    size("E*", |modulus| PointContact::circular(0.1, modulus));
    finite_or_error("ellipse", |r| PointContact::new(&Gap::of_radii([r, 1.0])?, 1e9));
    for contact in [PointContact::circular(0.1, 1e9).unwrap(), PointContact::circular(1e-300, 1e-300).unwrap()] {
        checked("load", |load| contact.under(load));
        checked("approach", |approach| contact.at(approach));
    }
    size("R of a line", |r| LineContact::new(r, 1e9));
    size("E* of a line", |modulus| LineContact::new(0.1, modulus));
    let line = LineContact::new(0.1, 1e9).unwrap();
    checked("half-width", |load| line.half_width(load));
    checked("peak pressure", |load| line.peak_pressure(load));
    size("R of a disk", |r| ThinDisk::new(r, 0.01, 0.01, 1e9).map(|disk| disk.greatest_load()));
    size("thickness", |t| ThinDisk::new(0.1, 0.01, t, 1e9).map(|disk| disk.greatest_load()));
    size("E* of a disk", |modulus| ThinDisk::new(0.1, 0.01, 0.01, modulus).map(|disk| disk.greatest_load()));
    let disk = ThinDisk::new(0.1, 0.01, 0.01, 1e9).unwrap();
    checked("disk under", |load| disk.under(load));
    checked("disk at", |approach| disk.at(approach));
    checked("bulk approach", |load| disk.bulk_approach(load));

    let ends = |impact: HertzImpact| [impact.greatest_approach(), impact.peak_force(), impact.duration()];
    size("mass", |m| HertzImpact::new(m, 1.0, 1e9, 0.1).map(ends));
    size("speed", |v| HertzImpact::new(1.0, v, 1e9, 0.1).map(ends));
    size("E*", |modulus| HertzImpact::new(1.0, 1.0, modulus, 0.1).map(ends));
    size("R", |r| HertzImpact::new(1.0, 1.0, 1e9, r).map(ends));
    let impact = HertzImpact::new(1.0, 10.0, 1e9, 0.1).unwrap();
    checked("phase", |phase| impact.at_phase(phase));
    checked("time", |time| impact.at_time(time));
    assert!(impact.at_phase(-1.0).is_err() && impact.at_phase(4.0).is_err());

    let moduli = ReducedModuli { youngs_modulus: 1e9, poisson_ratio: 0.3 };
    let pair = |youngs_modulus: f64, poisson_ratio: f64| ReducedModuli { youngs_modulus, poisson_ratio };
    let numbers = |contact: TangentialLoading| {
        let radius = [contact.contact_radius(), contact.initial_stiffness()];
        (radius, contact.greatest_force(), contact.greatest_displacement())
    };
    size("R", |r| TangentialLoading::new(r, &moduli, 0.3, 1.0).map(numbers));
    size("E*", |modulus| TangentialLoading::new(0.1, &pair(modulus, 0.3), 0.3, 1.0).map(numbers));
    checked("ν", |ratio| TangentialLoading::new(0.1, &pair(1e9, ratio), 0.3, 1.0).map(numbers));
    size("load", |load| TangentialLoading::new(0.1, &moduli, 0.3, load).map(numbers));
    finite_or_error("μ", |friction| TangentialLoading::new(0.1, &moduli, friction, 1.0).map(numbers));
    assert!(TangentialLoading::new(0.1, &moduli, -1.0, 1.0).is_err());
    for friction in [0.0, 0.3, f64::INFINITY] {
        let contact = TangentialLoading::new(0.1, &moduli, friction, 1.0).unwrap();
        checked("displacement", |force| contact.displacement(force));
        checked("without slip", |force| contact.displacement_without_slip(force));
        checked("stick radius", |force| contact.stick_radius(force));
        assert!(contact.displacement(-1.0).is_err() && contact.stick_radius(-1.0).is_err());
    }
}

#[test]
fn oblique_impact() {
    use elastic::{Oblique, Regimes, Round, gyration_ratio, nondimensional_angle};
    checked("ψ by ν", |nu| nondimensional_angle(nu, 0.3, 1.0));
    finite_or_error("ψ by μ", |friction| nondimensional_angle(0.3, friction, 1.0));
    assert!([-1.0, 0.0].iter().all(|friction| nondimensional_angle(0.3, *friction, 1.0).is_err()));
    checked("ψ by V_t/V_n", |ratio| nondimensional_angle(0.3, 0.3, ratio));
    checked("χ by ν", |nu| gyration_ratio(nu, &Matrix2::identity()));
    size("χ by W_nn", |w| gyration_ratio(0.3, &Matrix2::new(w, 0.0, 0.0, 1.0)));
    checked("χ by W_tt", |w| gyration_ratio(0.3, &Matrix2::new(1.0, 0.0, 0.0, w)));
    checked("Maw's regimes", Regimes::maw);
    checked("Lai's regimes by ν", |nu| Regimes::lai(nu, 0.3, 1.0));
    size("Lai's regimes by μ", |friction| Regimes::lai(0.3, friction, 1.0));
    checked("Lai's regimes by χ", |chi| Regimes::lai(0.3, 0.3, chi));
    assert!(Regimes::maw(-1.0).is_err() && Regimes::lai(0.3, 0.3, -1.0).is_err());
    checked("ν", |nu| Oblique::new(Round::Sphere, nu, 0.3));
    size("μ", |friction| Oblique::new(Round::Sphere, 0.3, friction));
    size("χ", |chi| Oblique::of_chi(chi, 0.3, 0.3).map(|oblique| oblique.gyration_ratio()));
    let sphere = Oblique::new(Round::Sphere, 0.3, 0.5).unwrap();
    checked("collision", |psi| sphere.collision(psi));
    for place in 0..3 {
        checked("ψ₂", |x| sphere.nondimensional_angle(&impulses(x)[place]));
    }
    let curve = sphere.curve(NONSENSE.into_iter().chain(EXTREME), |collision| {
        carom::laws::Newton { restitution: 0.5 }.resolve(collision)
    });
    assert!(is_finite(&curve));
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
