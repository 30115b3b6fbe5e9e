//! Bodies that vibrate: the numbers of Chatterjee's chapter 9, St Venant's bars, and second methods in physical coordinates.

#![allow(clippy::unwrap_used, reason = "tests say what they expect by unwrapping it")]
#[path = "../src/random.rs"]
mod random;

use carom::laws;
use carom::vibration::{
    Bar, Beam, Chain, Contact, ContactForce, Ending, FlexibleBody, FlexibleCollision, FlexibleOutcome, Friction,
    HertzSpring, Kept, Mode, NonlinearDashpot, Place, SpringDashpot,
};
use carom::{Clock, Collision, Motion};
use nalgebra::{Complex, DMatrix, DVector, Matrix3, SymmetricEigen, Vector2, Vector3};
use random::Random;

fn chain(speed: f64, spring: f64, damping: f64) -> FlexibleCollision {
    let body = Chain::uniform(5, 0.2, spring).unwrap().body(damping).unwrap();
    body.against_wall(&Vector3::new(-speed, 0.0, 0.0)).unwrap()
}

fn law(id: &str, values: &[(&str, f64)]) -> laws::BoundLaw {
    laws::find(id).unwrap().bind(values).unwrap()
}

fn restitution(result: &FlexibleOutcome, speed: f64) -> f64 {
    assert_eq!(result.ending, Ending::Apart);
    result.outcome.velocity_after.x / speed
}

/// Everything that leaves one account of the energy enters another.
fn assert_balanced(result: &FlexibleOutcome, tolerance: f64) {
    let e = &result.energy;
    let gap = e.rigid_change + e.vibration + e.damped - e.normal_work - e.tangential_work;
    assert!(gap.abs() < tolerance, "{gap:e} in {e:?}");
}

#[test]
fn five_masses_and_a_unilateral_spring() {
    // theory note, test vector 9.5; the restitution does not depend on the speed.
    for (stiffness, expected, touches) in [(1.0, 0.998_997_86, 1), (50.0, 0.929_300_37, 1), (5000.0, 0.795_169_47, 4)] {
        let spring = SpringDashpot::new(stiffness, 0.0).unwrap();
        for speed in [1.0, 1e-3, 40.0] {
            let result = chain(speed, 30.0, 0.0).through(&Contact::smooth(&spring), false).unwrap();
            assert!((restitution(&result, speed) - expected).abs() < 1e-8);
            assert_eq!(result.touches.len(), touches);
            assert_balanced(&result, 1e-10 * speed * speed);
            // A spring takes nothing: all that is missing is left in vibration.
            assert!(result.energy.normal_work.abs() < 1e-10 * speed * speed);
        }
    }
}

#[test]
fn density_changes_the_pace_and_not_the_outcome() {
    // Theory note to 9.3.4: with a linear contact and no damping t → t√s maps one collision to the other.
    let spring = SpringDashpot::new(5000.0, 0.0).unwrap();
    let duration = |scale: f64| {
        let body = Chain::uniform(5, 0.2 * scale, 30.0).unwrap().body(0.0).unwrap();
        let collision = body.against_wall(&-Vector3::x()).unwrap();
        let result = collision.through(&Contact::smooth(&spring), false).unwrap();
        assert!((restitution(&result, 1.0) - 0.795_169_47).abs() < 1e-8);
        assert_eq!(result.touches.len(), 4);
        result.outcome.course.unwrap().duration.unwrap()
    };
    for scale in [2.0_f64, 5.0] {
        assert!((duration(scale) / duration(1.0) - scale.sqrt()).abs() < 1e-10);
    }
}

#[test]
fn a_stiff_well_damped_contact_on_a_soft_body_acts_as_a_dead_one() {
    // Theory note to 9.3.3, item 2. The dead contact itself is the limit, near by at these speeds.
    for (speed, expected) in [(0.3, 0.779_69), (1.0, 0.779_70), (3.0, 0.779_74), (10.0, 0.779_62)] {
        let element = NonlinearDashpot::new(3e4, 3e6, 1.0).unwrap();
        let result = chain(speed, 30.0, 0.0).through(&Contact::smooth(&element), false).unwrap();
        assert!((restitution(&result, speed) - expected).abs() < 6e-6);
    }
    let dead = chain(1.0, 30.0, 0.0).micro_impacts(&law("newton", &[("restitution", 0.0)]), false).unwrap();
    assert!((restitution(&dead, 1.0) - 0.7797).abs() < 1e-3, "{}", restitution(&dead, 1.0));
}

#[test]
fn a_stiff_body_on_a_soft_contact_acts_as_a_rigid_one() {
    // Theory note to 9.3.3, item 3, and 9.3.2: the rigid values are those of eq. 8.3.
    let rigid = [0.937_475_58, 0.748_434_93, 0.593_624_26, 0.410_719_69];
    let expected = [0.938, 0.751, 0.597, 0.414];
    let element = NonlinearDashpot::new(200.0, 200.0, 1.0).unwrap();
    for ((speed, expected), rigid) in [0.1, 0.5, 1.0, 2.0].into_iter().zip(expected).zip(rigid) {
        let result = chain(speed, 3e4, 0.05).through(&Contact::smooth(&element), false).unwrap();
        let e = restitution(&result, speed);
        assert!((e - expected).abs() < 5e-4);
        assert!((e / rigid - 1.0).abs() < 0.01);
        assert!(result.rigidity.is_rigid(), "{}", result.rigidity);
        assert_balanced(&result, 1e-10 * speed * speed);
    }
    let soft = chain(1.0, 30.0, 0.0).through(&Contact::smooth(&element), false).unwrap();
    assert!(!soft.rigidity.is_rigid(), "{}", soft.rigidity);
}

#[test]
fn without_modes_the_contact_elements_are_those_of_rigid_bodies() {
    // Theory note, test vectors 9.2 and 9.3.
    let ball = |speed: f64| FlexibleBody::rigid(Matrix3::identity()).against_wall(&(Vector3::x() * -speed)).unwrap();
    for (a, e) in [(0.1, 0.937_475_58), (1.0, 0.593_624_26), (5.0, 0.196_980_25), (10.0, 0.099_981_62)] {
        let element = NonlinearDashpot::new(1.0, 1.0, 1.0).unwrap();
        let result = ball(a).through(&Contact::smooth(&element), false).unwrap();
        assert!((restitution(&result, a) - e).abs() < 1e-8);
        assert!(result.rigidity.is_rigid());
    }
    for (zeta, e) in [(0.05, 0.858_758_10), (0.4, 0.363_526_86), (1.0, 0.135_335_28), (5.0, 0.009_284_52)] {
        let element = SpringDashpot::new(1.0, 2.0 * zeta).unwrap();
        let result = ball(1.0).through(&Contact::smooth(&element), false).unwrap();
        assert!((restitution(&result, 1.0) - e).abs() < 1e-8);
        assert_eq!(result.touches.len(), 1);
    }
    // Hertz: duration 2.94328 δ/v with δ = (5/4 m v²/k)^(2/5).
    let element = HertzSpring::new(7.0, 0.0).unwrap();
    let result = ball(2.0).through(&Contact::smooth(&element), false).unwrap();
    let deepest = (1.25_f64 * 4.0 / 7.0).powf(0.4);
    assert!((restitution(&result, 2.0) - 1.0).abs() < 1e-9);
    let course = result.outcome.course.unwrap();
    assert!((course.duration.unwrap() / (2.943_275 * deepest / 2.0) - 1.0).abs() < 1e-6);
    assert!((course.peak_force.unwrap() / (7.0 * deepest.powf(1.5)) - 1.0).abs() < 1e-6);
    assert!((course.peak_indentation.unwrap() / deepest - 1.0).abs() < 1e-3);
    assert_eq!(course.clock, Clock::Time);
}

#[test]
fn without_modes_a_micro_impact_is_the_law_itself() {
    let mut random = Random(4);
    for _ in 0..50 {
        let velocity = Vector3::new(-1.0, random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let collision = Collision::new(&random.definite(0.1), &velocity).unwrap();
        let flexible = FlexibleCollision::new(collision, Vec::new()).unwrap();
        for e in [0.0, 0.6] {
            let law = law("routh-poisson", &[("restitution", e), ("friction", 0.3)]);
            let result = flexible.micro_impacts(&law, false).unwrap();
            assert_eq!(result.outcome.impulse, law.resolve_collision(&collision).unwrap().impulse);
            assert_eq!((result.touches.len(), result.ending), (1, Ending::Apart));
            assert_balanced(&result, 1e-12);
        }
    }
}

#[test]
fn two_masses_with_a_dead_contact_are_the_split_mass() {
    // Chatterjee 1997, 8.1: e = m/(m + m_front), whatever the spring.
    let split = |front: f64| {
        let body = Chain::new(vec![front, 1.0 - front], vec![17.0]).unwrap().body(0.0).unwrap();
        body.against_wall(&-Vector3::x()).unwrap()
    };
    for e in [0.2, 0.5, 0.7, 0.95] {
        let result = split(1.0 - e).micro_impacts(&law("newton", &[("restitution", 0.0)]), false).unwrap();
        assert!((restitution(&result, 1.0) - e).abs() < 1e-10);
        assert_eq!(result.touches.len(), 1);
        assert_balanced(&result, 1e-11);
    }
    // Nearly dead: 0.6998 for 0.7 in the theory note.
    let element = NonlinearDashpot::new(3e5, 3e7, 1.0).unwrap();
    let result = split(0.3).through(&Contact::smooth(&element), false).unwrap();
    assert!((restitution(&result, 1.0) - 0.7).abs() < 3e-4, "{}", restitution(&result, 1.0));
}

/// A free structure of four masses in space, joined by springs of any direction; the first touches.
struct Structure {
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
}

impl Structure {
    fn random(random: &mut Random) -> Structure {
        let mut stiffness = DMatrix::zeros(12, 12);
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let spring = random.definite(0.05) * random.log_between(20.0, 500.0);
            for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                let mut block = stiffness.view_mut((3 * i, 3 * j), (3, 3));
                block += spring * sign;
            }
        }
        let roots = DMatrix::from_fn(12, 12, |_, _| random.between(-0.1, 0.1));
        let mass = &roots * roots.transpose() + DMatrix::identity(12, 12) * random.between(0.1, 0.4);
        Structure { mass, stiffness }
    }

    /// Rigid inverse mass and modes at the first mass.
    fn body(&self, damping_ratio: f64) -> FlexibleBody {
        let lower = self.mass.clone().cholesky().unwrap().unpack();
        let half = lower.solve_lower_triangular(&self.stiffness).unwrap();
        let eigen = SymmetricEigen::new(lower.solve_lower_triangular(&half.transpose()).unwrap());
        let shapes = lower.tr_solve_lower_triangular(&eigen.eigenvectors).unwrap();
        let mut body = FlexibleBody::default();
        for k in 0..12 {
            let shape: Vector3<f64> = shapes.fixed_view::<3, 1>(0, k).into_owned();
            if eigen.eigenvalues[k] < 1e-8 * eigen.eigenvalues.max() {
                body.inverse_mass += shape * shape.transpose();
            } else {
                body.modes.push(Mode { frequency: eigen.eigenvalues[k].sqrt(), damping_ratio, shape });
            }
        }
        body.inverse_mass = (body.inverse_mass + body.inverse_mass.transpose()) * 0.5;
        body
    }
}

#[test]
fn three_identities_of_the_modes() {
    // Theory note to 9.2: with λ = −ζω ± iω_d and A = ± g gᵀ/(2iω_d), ΣA = 0, W + ΣλA = BᵀM⁻¹B, −ΣA/λ = Σ g gᵀ/ω².
    let mut random = Random(9);
    for _ in 0..20 {
        let structure = Structure::random(&mut random);
        let body = structure.body(random.between(0.0, 0.4));
        let rigid = body.inverse_mass;
        let flexible = body.against_wall(&-Vector3::x()).unwrap();
        assert_eq!(flexible.modes().len(), 9);
        let (mut sum, mut speed, mut flexibility) = (Matrix3::zeros(), Matrix3::zeros(), Matrix3::zeros());
        for mode in flexible.modes() {
            let lambda = Complex::new(-mode.decay(), mode.damped_frequency());
            let factor = Complex::new(0.0, 2.0 * mode.damped_frequency()).inv();
            for (lambda, factor) in [(lambda, factor), (lambda.conj(), factor.conj())] {
                sum += mode.inverse_mass() * factor.re;
                speed += mode.inverse_mass() * (lambda * factor).re;
                flexibility -= mode.inverse_mass() * (factor / lambda).re;
            }
        }
        assert!(sum.amax() < 1e-14);
        let whole: Matrix3<f64> = structure.mass.clone().try_inverse().unwrap().fixed_view::<3, 3>(0, 0).into_owned();
        assert!((rigid + speed - whole).amax() < 1e-11 * whole.amax());
        assert!((flexible.instantaneous_inverse_mass() - whole).amax() < 1e-11 * whole.amax());
        assert!((flexibility - flexible.flexibility()).amax() < 1e-12 * flexibility.amax());
        // Statics: forces in balance, the unit force against the inertia of the rigid motion.
        let held = inertia_relief(&structure);
        assert!((flexibility - held).amax() < 1e-9 * held.amax());
    }
}

/// Flexibility of a free structure at the first mass: the load is balanced by its inertia, the rigid motion is taken out.
fn inertia_relief(structure: &Structure) -> Matrix3<f64> {
    let rigid = DMatrix::from_fn(12, 3, |i, j| if i % 3 == j { 1.0 } else { 0.0 });
    let total = (rigid.transpose() * &structure.mass * &rigid).try_inverse().unwrap();
    let relief = DMatrix::identity(12, 12) - &structure.mass * &rigid * &total * rigid.transpose();
    let inverse = structure.stiffness.clone().pseudo_inverse(1e-9).unwrap();
    (relief.transpose() * inverse * relief).fixed_view::<3, 3>(0, 0).into_owned()
}

/// Direct integration in physical coordinates by Runge and Kutta's method with small steps; friction by return mapping of
/// the tangential spring after every step. Tells velocity after, in the mean, and the number of contacts.
fn directly(
    structure: &Structure,
    velocity: &Vector3<f64>,
    normal: &dyn ContactForce,
    (friction, tangential): (f64, f64),
    (step, until): (f64, f64),
) -> (Vector3<f64>, usize) {
    let inverse = structure.mass.clone().try_inverse().unwrap();
    let pull = -&inverse * &structure.stiffness;
    let rigid = DMatrix::from_fn(12, 3, |i, j| if i % 3 == j { 1.0 } else { 0.0 });
    let (mut x, mut v) = (DVector::zeros(12), &rigid * DVector::from_column_slice(velocity.as_slice()));
    let (mut stretch, mut touches, mut pressed) = (Vector2::zeros(), 0, false);
    for _ in 0..(until / step) as usize {
        // Within a step the spring stretches with the body; the contact point slips between steps.
        let force = |x: &DVector<f64>, v: &DVector<f64>, moved: &Vector2<f64>| {
            let n = if x[0] < 0.0 { normal.force(-x[0], -v[0]).max(0.0) } else { 0.0 };
            let t = (stretch + moved) * -tangential;
            let t = if t.norm() > friction * n { t * (friction * n / t.norm().max(1e-300)) } else { t };
            Vector3::new(n, t.x, t.y)
        };
        let start = Vector2::new(x[1], x[2]);
        let rate = |x: &DVector<f64>, v: &DVector<f64>| {
            let f = force(x, v, &(Vector2::new(x[1], x[2]) - start));
            &pull * x + inverse.columns(0, 3) * f
        };
        let a1 = rate(&x, &v);
        let (x2, v2) = (&x + &v * (0.5 * step), &v + &a1 * (0.5 * step));
        let a2 = rate(&x2, &v2);
        let (x3, v3) = (&x + &v2 * (0.5 * step), &v + &a2 * (0.5 * step));
        let a3 = rate(&x3, &v3);
        let (x4, v4) = (&x + &v3 * step, &v + &a3 * step);
        let a4 = rate(&x4, &v4);
        x += (&v + (v2 + v3) * 2.0 + v4) * (step / 6.0);
        v += (a1 + (a2 + a3) * 2.0 + a4) * (step / 6.0);
        let n = if x[0] < 0.0 { normal.force(-x[0], -v[0]).max(0.0) } else { 0.0 };
        stretch += Vector2::new(x[1], x[2]) - start;
        let limit = friction * n / tangential;
        if stretch.norm() > limit {
            stretch *= limit / stretch.norm();
        }
        touches += usize::from(n > 0.0 && !pressed);
        pressed = n > 0.0;
    }
    let total = rigid.transpose() * &structure.mass * &rigid;
    let mean = total.try_inverse().unwrap() * rigid.transpose() * &structure.mass * v;
    (Vector3::new(mean[0], mean[1], mean[2]), touches)
}

#[test]
fn modes_and_physical_coordinates_agree() {
    let mut random = Random(31);
    let (mut several, mut stuck) = (0, 0);
    for trial in 0..6 {
        let structure = Structure::random(&mut random);
        let velocity = Vector3::new(-1.0, random.between(-0.7, 0.7), random.between(-0.7, 0.7));
        let stiffness = random.log_between(30.0, 3000.0);
        let elements: [&dyn ContactForce; 3] = [
            &SpringDashpot::new(stiffness, 0.0).unwrap(),
            &NonlinearDashpot::new(stiffness, stiffness, 1.0).unwrap(),
            &HertzSpring::new(stiffness * 10.0, 0.2).unwrap(),
        ];
        let normal = elements[trial % 3];
        let (mu, tangential) = ([0.0, 0.3, 0.8][trial % 3], stiffness * 0.6);
        let friction = Friction::new(mu, tangential, 0.0).unwrap();
        let collision = structure.body(0.0).against_wall(&velocity).unwrap();
        let result = collision.through(&Contact::rough(normal, friction), true).unwrap();
        let until = result.outcome.course.unwrap().duration.unwrap() + 0.05;
        let [coarse, fine] =
            [2e-5, 1e-5].map(|step| directly(&structure, &velocity, normal, (mu, tangential), (step, until)));
        assert_eq!(fine.1, result.touches.len());
        // Both steps err in the same way, by switches that fall inside a step.
        let difference = (result.outcome.velocity_after - fine.0).norm();
        let own_error = (coarse.0 - fine.0).norm();
        assert!(difference < 3.0 * own_error + 2e-6, "{trial}: {difference:e} {own_error:e}");
        assert!(difference < 2e-4, "{trial}: {difference:e}");
        several += usize::from(result.touches.len() > 1);
        stuck += usize::from(result.history.unwrap().phases().iter().any(|phase| phase.motion == Motion::Sticking));
    }
    assert!(several > 0 && stuck > 0, "{several} {stuck}");
}

#[test]
fn energy_balances_for_any_structure_contact_and_law() {
    let mut random = Random(77);
    for trial in 0..40 {
        let structure = Structure::random(&mut random);
        let velocity = Vector3::new(-1.0, random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let damping = [0.0, 0.02, 0.3][trial % 3];
        let collision = structure.body(damping).against_wall(&velocity).unwrap();
        let stiffness = random.log_between(30.0, 1e4);
        let elements: [&dyn ContactForce; 3] = [
            &SpringDashpot::new(stiffness, 0.02 * stiffness).unwrap(),
            &NonlinearDashpot::new(stiffness, stiffness, 1.0).unwrap(),
            &HertzSpring::new(stiffness * 10.0, 0.2).unwrap(),
        ];
        let friction = Friction::new(random.between(0.0, 1.2), stiffness * 0.6, 0.01 * stiffness).unwrap();
        let compliant = collision.through(&Contact::rough(elements[trial % 3], friction), false).unwrap();
        let (e, mu) = (random.between(0.0, 0.9), random.between(0.0, 1.2));
        let rebounding = law("routh-stronge", &[("restitution", e), ("friction", mu)]);
        let dead = law("routh-poisson", &[("restitution", 0.0), ("friction", mu)]);
        let impacts = collision.micro_impacts(&rebounding, false).unwrap();
        let dead = collision.micro_impacts(&dead, false).unwrap();
        for result in [&compliant, &impacts, &dead] {
            assert_eq!(result.ending, Ending::Apart);
            assert_balanced(result, 1e-8 * collision.collision().local_energy());
            let energy = &result.energy;
            assert!(energy.vibration >= 0.0 && energy.damped >= 0.0);
            assert!(energy.normal_work + energy.tangential_work < 1e-9);
            assert!(energy.rigid_change < 1e-9 && result.outcome.velocity_after.x >= 0.0);
            // No contact before the one before it has ended.
            assert!(result.touches.windows(2).all(|pair| pair[0].to <= pair[1].from));
            let impulse: Vector3<f64> = result.touches.iter().map(|touch| touch.impulse).sum();
            assert!((impulse - result.outcome.impulse).norm() < 1e-12 * impulse.norm());
        }
    }
}

/// A bar of unit length, mass and wave speed.
const BAR: Bar = Bar { length: 1.0, mass: 1.0, wave_speed: 1.0, fixed: [false; 2] };

#[test]
fn a_bar_against_a_wall_comes_back_as_st_venant_says() {
    // The wave needs 2L/c to the free end and back; then the bar leaves with the speed it came with.
    let dead = law("newton", &[("restitution", 0.0)]);
    let errors = [10, 20, 40, 80].map(|modes| {
        let collision = BAR.body(0.0, modes, 0.0).unwrap().against_wall(&-Vector3::x()).unwrap();
        let result = collision.micro_impacts(&dead, false).unwrap();
        assert_eq!(result.touches.len(), 1);
        // The first impulse stops the share 1/(2n + 1) of the mass that n modes leave at the end.
        assert!((result.energy.normal_work + 0.5 / (2 * modes + 1) as f64).abs() < 1e-10);
        [1.0 - restitution(&result, 1.0), 2.0 - result.touches[0].to]
    });
    for pair in errors.windows(2) {
        for (coarse, fine) in pair[0].into_iter().zip(pair[1]) {
            // First order in 1/n.
            assert!((1.9..2.1).contains(&(coarse / fine)), "{coarse} {fine}");
        }
    }
    assert!(errors[3][0] < 0.0065 && errors[3][1] < 0.006);
}

#[test]
fn a_stiff_spring_does_the_same_to_a_bar() {
    // The spring adds √(1/k) to the duration; many contacts of the truncated bar make up the one of the bar.
    let collision = BAR.body(0.0, 60, 0.0).unwrap().against_wall(&-Vector3::x()).unwrap();
    let spring = SpringDashpot::new(100.0, 0.0).unwrap();
    let result = collision.through(&Contact::smooth(&spring), false).unwrap();
    assert!((restitution(&result, 1.0) - 1.0).abs() < 0.02, "{}", restitution(&result, 1.0));
    let duration = result.outcome.course.unwrap().duration.unwrap();
    assert!((duration - 2.0).abs() < 0.1, "{duration}");
}

#[test]
fn a_rigid_mass_strikes_a_free_bar_as_st_venant_says() {
    // Force ρAc V e^(−ρAct/M) until the wave comes back at 2L/c. So M leaves with V e^(−2m/M), and the bar's mean
    // speed follows from momentum.
    let dead = law("newton", &[("restitution", 0.0)]);
    for mass in [0.5_f64, 1.0, 4.0] {
        let exact = mass * (1.0 - (-2.0 / mass).exp()) - (-2.0 / mass).exp();
        let errors = [20, 40, 80].map(|modes| {
            let ball = FlexibleBody::rigid(Matrix3::identity() / mass);
            let bar = BAR.body(0.0, modes, 0.0).unwrap();
            let collision = FlexibleCollision::between(ball, bar, &-Vector3::x()).unwrap();
            let result = collision.micro_impacts(&dead, true).unwrap();
            // The speed of the striking mass on the way, 1 − P/M against e^(−t/M), away from the wave fronts.
            for sample in result.history.as_ref().unwrap().samples.iter().filter(|s| (0.1..1.9).contains(&s.at)) {
                let speed = 1.0 - sample.impulse.x / mass;
                assert!((speed - (-sample.at / mass).exp()).abs() < 0.6 / modes as f64, "{mass} {modes} {}", sample.at);
            }
            let duration = result.outcome.course.unwrap().duration.unwrap();
            [(restitution(&result, 1.0) - exact).abs(), (duration - 2.0).abs()]
        });
        // First order in 1/n, as for the wall.
        for pair in errors.windows(2) {
            assert!(pair[0][0] > 1.6 * pair[1][0] && pair[0][1] > 1.9 * pair[1][1], "{mass}: {errors:?}");
        }
        assert!(errors[2][0] < 0.007 && errors[2][1] < 0.016, "{mass}: {errors:?}");
    }
}

#[test]
fn rebounds_that_come_faster_and_faster_have_an_end() {
    // A slow mode presses a light tip against the wall: it bounces as a ball does on the floor, and comes to rest.
    let body = Chain::new(vec![0.05, 0.95], vec![10.0]).unwrap().body(0.0).unwrap();
    let collision = body.against_wall(&-Vector3::x()).unwrap();
    for e in [0.3, 0.6, 0.9] {
        let result = collision.micro_impacts(&law("newton", &[("restitution", e)]), false).unwrap();
        assert_eq!(result.ending, Ending::Apart);
        assert!(result.touches.len() > 3 && result.touches.len() < 300, "{}", result.touches.len());
        assert!((restitution(&result, 1.0) - 0.95).abs() < 0.06, "{}", restitution(&result, 1.0));
        assert_balanced(&result, 1e-10);
    }
}

#[test]
fn a_law_that_leaves_bodies_approaching_has_no_answer() {
    let structure = Structure::random(&mut Random(3));
    let collision = structure.body(0.0).against_wall(&Vector3::new(-1.0, 2.0, 0.0)).unwrap();
    let outcomes = ["whittaker", "smith", "chatterjee-2", "routh-newton"].map(|id| {
        let given = laws::find(id).unwrap().bind_from(|key| match key {
            "friction" | "static_friction" | "kinetic_friction" => Some(0.9),
            _ => Some(0.4),
        });
        collision.micro_impacts(&given.unwrap(), false)
    });
    // Whatever a law does, there is an answer or a refusal, and never a number that is none.
    for outcome in outcomes.into_iter().flatten() {
        assert!(outcome.outcome.impulse.iter().all(|p| p.is_finite()));
    }
}

#[test]
fn bodies_that_part_do_not_collide() {
    let body = Chain::uniform(3, 1.0, 1.0).unwrap().body(0.0).unwrap();
    let collision = body.against_wall(&Vector3::x()).unwrap();
    let spring = SpringDashpot::new(1.0, 0.0).unwrap();
    let result = collision.through(&Contact::smooth(&spring), true).unwrap();
    assert_eq!((result.touches.len(), result.outcome.impulse), (0, Vector3::zeros()));
    let result = collision.micro_impacts(&law("newton", &[("restitution", 0.5)]), true).unwrap();
    assert_eq!((result.touches.len(), result.outcome.impulse), (0, Vector3::zeros()));
}

#[test]
fn a_ball_on_a_held_beam_bounces_by_the_beam_alone() {
    // A light ball on a heavy clamped beam leaves before the beam has moved; a heavy one feels a spring.
    let beam = Beam { ends: [carom::vibration::End::Clamped; 2], ..Beam::round(0.5, 0.01, 7800.0, 2.0e11) };
    let place = Place { along: 0.25, angle: std::f64::consts::FRAC_PI_2, ..Place::default() };
    let body = beam.body(&place, Kept { bending: 12, axial: 0 }, 0.0).unwrap();
    let element = HertzSpring::of_spheres(0.005, 1.1e11, 0.0).unwrap();
    let strike = |mass: f64| {
        let ball = FlexibleBody::rigid(Matrix3::identity() / mass);
        let collision = FlexibleCollision::between(ball, body.clone(), &(Vector3::x() * -0.1)).unwrap();
        collision.through(&Contact::smooth(&element), false).unwrap()
    };
    let light = strike(1e-5);
    assert_eq!(light.touches.len(), 1);
    assert!(restitution(&light, 0.1) > 0.95, "{}", restitution(&light, 0.1));
    let heavy = strike(50.0);
    let half_period = std::f64::consts::PI * (50.0 / (192.0 * 2.0e11 * beam.second_moment / 0.125)).sqrt();
    assert!((heavy.outcome.course.unwrap().duration.unwrap() / half_period - 1.0).abs() < 0.05);
    assert!(restitution(&heavy, 0.1) > 0.95);
}

#[test]
fn a_law_of_the_registry_is_an_element_or_each_impact() {
    let collision = chain(1.0, 30.0, 0.0);
    let spring = law("spring-dashpot", &[("stiffness", 5000.0), ("friction", 0.0)]);
    assert!(collision.is_element(&spring));
    let result = collision.resolve(&spring, false).unwrap();
    assert!((restitution(&result, 1.0) - 0.795_169_47).abs() < 1e-8);
    let dashpot = law("nonlinear-dashpot", &[("stiffness", 3e4), ("damping_growth", 3e6), ("friction", 0.0)]);
    assert!((restitution(&collision.resolve(&dashpot, false).unwrap(), 1.0) - 0.779_70).abs() < 6e-6);
    let hertz = law("hertz", &[("youngs_modulus", 3e4), ("radius", 0.25)]);
    let spring = HertzSpring::of_spheres(0.25, 3e4, 0.0).unwrap();
    assert_eq!(collision.resolve(&hertz, false), collision.through(&Contact::smooth(&spring), false));
    let newton = law("newton", &[("restitution", 0.5)]);
    assert!(!collision.is_element(&newton));
    assert_eq!(collision.resolve(&newton, false), collision.micro_impacts(&newton, false));
}

#[test]
fn without_modes_a_contact_element_is_its_law() {
    // The same equations in two places: laws of compliant contacts, and bodies that happen not to vibrate.
    let mut random = Random(58);
    for trial in 0..40 {
        let planar = trial % 2 == 0;
        let slip = if planar { 0.0 } else { random.between(-1.0, 1.0) };
        let velocity = Vector3::new(-1.0, random.between(-1.0, 1.0), slip);
        let mut w = random.definite(0.1);
        if planar {
            (w[(0, 2)], w[(2, 0)], w[(1, 2)], w[(2, 1)]) = (0.0, 0.0, 0.0, 0.0);
        }
        let collision = Collision::new(&w, &velocity).unwrap();
        let flexible = FlexibleCollision::new(collision, Vec::new()).unwrap();
        let values =
            [("stiffness", 100.0), ("damping", random.between(0.0, 30.0)), ("friction", random.between(0.0, 1.0))];
        let tangential = ("tangential_damping", if planar { 0.0 } else { 3.0 });
        let spring = law("spring-dashpot", &[values[0], values[1], values[2], tangential]);
        let laws = if planar {
            vec![spring, law("nonlinear-dashpot", &[values[0], ("damping_growth", values[1].1), values[2]])]
        } else {
            vec![spring]
        };
        for law in laws {
            let expected = law.resolve_collision(&collision).unwrap();
            let result = flexible.resolve(&law, false).unwrap();
            let difference = (result.outcome.impulse - expected.impulse).norm() / expected.impulse.norm();
            assert!(difference < 1e-9, "{} {difference:e}", law.law().id);
        }
    }
}

#[test]
fn absurd_numbers_end_in_an_answer_or_a_refusal() {
    let mut random = Random(2024);
    let (mut answered, mut refused) = (0, 0);
    for trial in 0..12 {
        let spread = [1.0, 3.0, 12.0][trial % 3];
        let mut any = |scale: f64| scale * 10_f64.powf(random.between(-spread, spread));
        let modes = (0..=trial % 4).map(|_| Mode {
            frequency: any(100.0),
            damping_ratio: [0.0, 0.3][trial % 2],
            shape: Vector3::new(any(1.0), any(0.1), 0.0),
        });
        let modes = modes.collect();
        let velocity = Vector3::new(-any(1.0), any(1.0), 0.0);
        let (stiffness, damping) = (any(1e4), any(1.0));
        let w = Matrix3::new(2.0, 0.5, 0.0, 0.5, 3.0, 0.0, 0.0, 0.0, 1.0);
        let Ok(collision) = Collision::new(&w, &velocity).and_then(|c| FlexibleCollision::new(c, modes)) else {
            refused += 1;
            continue;
        };
        let friction = Friction::new(0.4, stiffness, 0.0).unwrap();
        let element = SpringDashpot::new(stiffness, damping).unwrap();
        let results = [
            collision.through(&Contact::rough(&element, friction), false),
            collision.micro_impacts(&law("routh-poisson", &[("restitution", 0.5), ("friction", 0.4)]), false),
        ];
        for result in results {
            let Ok(result) = result else {
                refused += 1;
                continue;
            };
            answered += 1;
            let energy = &result.energy;
            let numbers = result.outcome.impulse.iter().chain(result.outcome.velocity_after.iter()).chain([
                &energy.vibration,
                &energy.damped,
                &energy.normal_work,
                &result.rigidity.response,
            ]);
            assert!(numbers.into_iter().all(|x| x.is_finite()), "{trial}: {result:?}");
        }
    }
    assert!(answered > 10, "{answered} {refused}");
}
