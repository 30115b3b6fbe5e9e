//! Stored problems of one contact whose inverse mass is singular or nearly so, each with what once went wrong; `singular.rs` draws others.
#![allow(clippy::unwrap_used)]

use carom::audit::{audit, audit_collision};
use carom::impact::Impact;
use carom::laws::{self, Inapplicable};
use carom::{BoundLaw, Collision, ContactOutcome};
use nalgebra::{DMatrix, DVector, Matrix3, Rotation3, Vector2, Vector3};

fn planar(w: [f64; 3], v: [f64; 2]) -> Collision {
    Collision::planar([[w[0], w[1]], [w[1], w[2]]], v).unwrap()
}

fn resolve(id: &str, values: &[(&str, f64)], collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
    laws::find(id).unwrap().bind(values).unwrap().resolve_collision(collision)
}

#[test]
fn newton_lcp_refuses_where_only_an_endless_impulse_would_do() {
    // Iterations once ran off along the immovable direction: 0.013 J became 3.4e6 J.
    let w = [37.579_002_648_598_205, 48.891_144_936_498_52, 63.608_501_682_544_556];
    let collision = planar(w, [-0.997_824_112_236_794, -1.298_192_071_479_094_2]);
    let answer = resolve("newton-lcp", &[("restitution", 0.962_048_346_144_439_5), ("friction", 1.0)], &collision);
    assert_eq!(answer.unwrap_err(), Inapplicable::UnboundedImpulse);
}

#[test]
fn capped_rebound_of_a_pendulum_creates_no_energy() {
    let w = [0.111_522_205_341_587_54, 0.008_368_066_501_858_65, 0.000_627_897_706_694_795_4];
    let collision = planar(w, [-997_196_707_737.306_9, -74_824_635_508.427_44]);
    let values = [("restitution", 0.639_929_084_836_898_1), ("friction", 7.463_550_760_479_328), ("variant", 1.0)];
    let outcome = resolve("rakshit-chatterjee", &values, &collision).unwrap();
    assert!((outcome.velocity_after + collision.velocity() * values[0].1).norm() < 1e-12 * collision.velocity().norm());
    assert!(collision.energy_change(&outcome.impulse) < 0.0);
}

/// Next to the edge of the cone the energy is flat along the rim; a search for the angle once left errors of 1.6e-5.
#[test]
fn slip_next_to_the_edge_does_not_depend_on_the_axes() {
    // Directions of W, the second immovable; inverse masses and velocities along the others; e, μ, variant.
    let first = Matrix3::from_columns(&[
        Vector3::new(-0.976_962_888_571_356_8, 0.179_052_879_260_193_46, -0.116_118_821_828_957_75),
        Vector3::new(-0.070_716_268_420_718_79, 0.241_758_417_577_532_47, 0.967_756_207_374_076_3),
        Vector3::new(0.201_352_237_968_589_67, 0.953_673_389_562_192_9, -0.223_527_050_501_719_95),
    ]);
    let second = Matrix3::from_columns(&[
        Vector3::new(-0.746_324_460_601_759_5, 0.637_357_169_648_62, -0.191_769_752_059_580_44),
        Vector3::new(0.661_797_009_278_586_5, 0.679_925_995_510_222, -0.315_793_222_123_832_4),
        Vector3::new(-0.070_883_834_669_204_89, -0.362_596_854_546_387_1, -0.929_246_467_064_000_3),
    ]);
    for (axes, w, v, [restitution, friction, variant]) in [
        (
            first,
            Vector3::new(2.849_583_631_400_233_4, 0.0, 0.309_131_349_918_900_7),
            Vector3::new(0.308_336_983_758_879_63, 0.0, 0.425_438_640_425_140_76),
            [0.772_308_126_504_759, 14.105_614_400_257_58, 1.0],
        ),
        (
            second,
            Vector3::new(0.623_895_774_648_938_8, 0.0, 0.024_234_002_035_909_696),
            Vector3::new(461.684_459_306_147, 0.0, -300.623_794_515_111_1),
            [0.495_259_102_078_482_56, 1.132_798_991_343_357_8, 0.0],
        ),
    ] {
        let values = [("restitution", restitution), ("friction", friction), ("variant", variant)];
        let impulse = |turn: &Matrix3<f64>| {
            let axes = turn * axes;
            let matrix = axes * Matrix3::from_diagonal(&w) * axes.transpose();
            let collision = Collision::new(&((matrix + matrix.transpose()) * 0.5), &(axes * v)).unwrap();
            resolve("rakshit-chatterjee", &values, &collision).unwrap().impulse
        };
        let expected = impulse(&Matrix3::identity());
        // Rounding of the immovable direction b beside its distance from the edge.
        let b = axes.column(1) * axes[(0, 1)].signum();
        let (tangential, limit) = (b.y.hypot(b.z), friction * b.x);
        let rounding = 64.0 * f64::EPSILON * w.x / w.z * (tangential + limit) / (tangential - limit);
        assert!(rounding.abs() < 1e-5);
        for turn in 1..30 {
            let turn = Rotation3::from_axis_angle(&Vector3::x_axis(), 0.2 * f64::from(turn));
            let differs = (turn.inverse() * impulse(turn.matrix()) - expected).norm();
            assert!(differs < rounding.abs() * expected.norm(), "{differs:e} of {expected:?}, {rounding:e}");
        }
    }
}

#[test]
fn smith_does_not_pull_on_a_pendulum() {
    let w = [0.101_907_531_423_319_14, 0.081_637_086_420_833_73, 0.065_398_639_199_669_94];
    let collision = planar(w, [-9.548_856_173_249_084e-5, -7.649_491_512_040_173e-5]);
    let outcome = resolve("smith", &[("restitution", 0.0), ("friction", 50.0)], &collision).unwrap();
    assert!(outcome.impulse.x > 0.0);
    assert!((outcome.impulse.y.abs() - 50.0 * outcome.impulse.x).abs() < 1e-12 * outcome.impulse.norm());
}

#[test]
fn the_bilinear_law_applies_or_not_whatever_the_approach() {
    for approach in [-1.0, -1e-6, -1e-300, 0.0] {
        let collision =
            planar([5.263_157_894_736_842_5, -4.736_842_105_263_157_5, 5.263_157_894_736_842_5], [approach, -1.0]);
        let values = [("restitution", 0.5), ("tangential_restitution", 0.5), ("friction", 1.5)];
        assert!(matches!(resolve("bilinear", &values, &collision), Err(Inapplicable::Coupled { .. })), "{approach}");
        let sphere = planar([1.0, 0.0, 3.5], [approach, -1.0]);
        assert!(resolve("bilinear", &values, &sphere).is_ok(), "{approach}");
    }
}

#[test]
fn a_small_second_pivot_does_not_make_a_singular_mass_regular() {
    // The cheap test for a definite W once took the rounding of its third pivot for a number.
    let axes = Matrix3::new(
        0.400_052_011_621_364_3,
        0.467_024_754_844_110_3,
        0.788_572_296_216_712_7,
        0.759_175_899_266_974_3,
        -0.650_885_425_361_859_3,
        0.000_342_087_258_593_526_4,
        0.513_429_977_669_673,
        0.598_528_229_421_395_2,
        -0.614_941_961_989_754_8,
    );
    let w = axes
        * Matrix3::from_diagonal(&Vector3::new(121.764_756_705_821_94, 0.0, 20.614_532_716_093_283))
        * axes.transpose();
    let v = axes * Vector3::new(-10.0, 0.0, -25.0);
    assert!(Collision::new(&((w + w.transpose()) * 0.5), &v).unwrap().is_singular());
}

/// Laws whose impulse grows without bound where the immovable direction is on the edge of the friction cone.
const GROWING: [&str; 6] =
    ["whittaker", "newton-lcp", "routh-newton", "routh-stronge", "chatterjee-3", "chatterjee-combined"];
/// Laws that have a limit there.
const BOUNDED: [&str; 8] =
    ["newton", "smith", "routh-poisson", "pfeiffer-glocker", "chatterjee-1", "chatterjee-2", "ivanov", "accessible"];

fn bound(id: &str, restitution: f64, friction: f64) -> BoundLaw {
    let value = |key: &str| match key {
        "restitution" => Some(restitution),
        "friction" => Some(friction),
        "tangential_restitution" => Some(0.0),
        "fraction" => Some(0.9),
        "polar" => Some(0.3),
        _ => None,
    };
    laws::find(id).unwrap().bind_from(value).unwrap()
}

/// Refused by the laws that grow, answered by the others with an impulse of the size of the momentum.
fn on_the_edge(collision: &Collision, friction: f64, restitution: f64) {
    let size =
        collision.mass_times(collision.velocity()).norm() - collision.velocity().x / collision.inverse_mass()[(0, 0)];
    for id in GROWING {
        let answer = bound(id, restitution, friction).resolve_collision(collision).map(|outcome| outcome.impulse);
        assert_eq!(answer, Err(Inapplicable::UnboundedImpulse), "{id}, μ = {friction:?}, {collision:?}");
    }
    for id in BOUNDED {
        match bound(id, restitution, friction).resolve_collision(collision) {
            Ok(outcome) => assert!(outcome.impulse.norm() < 100.0 * (1.0 + friction) * size, "{id}: {outcome:?}"),
            Err(why) => assert_eq!((id, why), ("pfeiffer-glocker", Inapplicable::NotPlanar)),
        }
    }
}

#[test]
fn the_edge_of_the_cone_has_no_limit_for_laws_that_stick() {
    // Once answered with P = (8.4e5, −1.26e6), all audits "ok", or P = 4.5e7: the division by a difference of 1e-16.
    let off = [0.0, 1e-16, 2.5e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9];
    for (w, v, friction) in [
        ([81.0, 54.0, 36.0], [-3.0, -2.0], 1.5),
        ([1.0, -2.0, 4.0], [-1.0, 2.0], 0.5),
        ([1_306.715_506_735_473_1, -1_306.715_506_735_473_1, 1_306.715_506_735_473_1], [-5.407, 5.407], 1.0),
        ([81.0, 135.0, 225.0], [-3.0, -5.0], 0.6),
        ([9e-12, -3e-6, 1.0], [-3e-6, 1.0], 3e-6),
    ] {
        for off in off.iter().flat_map(|off| [*off, -off]) {
            for restitution in [0.5, 1.0] {
                on_the_edge(&planar(w, v), friction * (1.0 + off), restitution);
            }
        }
    }
    for (t, friction) in [([1.0, 0.0], 1.0), ([3.0, 4.0], 0.5), ([0.0, 2.0], 2.0), ([-5.0, 12.0], 1.0)] {
        let b = Vector3::new(Vector2::from(t).norm() / friction, t[0], t[1]);
        let along = b.cross(&Vector3::new(1.0, 0.3, -0.7)).normalize();
        let across = b.cross(&along).normalize();
        let w = (along * along.transpose() + across * across.transpose() * 0.4) * 7.0;
        for off in off.iter().flat_map(|off| [*off, -off]) {
            let mut v = along + across * 0.6;
            if v.x > 0.0 {
                v = -v;
            }
            on_the_edge(&Collision::new(&((w + w.transpose()) * 0.5), &v).unwrap(), friction * (1.0 + off), 0.5);
        }
    }
}

#[test]
fn near_the_edge_of_the_cone_the_audit_finds_nothing() {
    // P·W P once squared the rounding of an impulse of 7e4 that moves little: "creates 2.8e-5 J of kinetic energy".
    let pendulums = (1..30).map(|k| (0.05 * f64::from(k)).sin_cos());
    for (n, t) in pendulums.chain([(9.0, 15.0)]) {
        let collision = planar([n * n, n * t, t * t], [-n / 3.0, -t / 3.0]);
        for beyond in [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2] {
            let friction = n / t * (1.0 - beyond);
            for id in GROWING.iter().chain(&BOUNDED) {
                for restitution in [0.0, 0.5, 1.0] {
                    let outcome = bound(id, restitution, friction).resolve_collision(&collision).unwrap();
                    let audit = audit_collision(&collision, &outcome, friction);
                    assert!(audit.is_ok(), "{id}, e = {restitution}, {beyond}: {audit:?}\n{outcome:?}");
                }
            }
        }
    }
}

#[test]
fn a_small_entry_of_a_singular_mass_keeps_its_digits() {
    let w = [9.104_995_750_315_513e-12, -9.717_968_979_918_159e-7, 0.103_722_092_447_301_81];
    let v = [-5.438_933_425_497_382e-6, 0.580_509_730_726_584_7];
    let outcome = resolve("newton", &[("restitution", 0.5)], &planar(w, v)).unwrap();
    let expected = 1.5 * 5.438_933_425_497_382e-6 / w[0];
    assert!((outcome.impulse.x - expected).abs() < 1e-12 * expected, "{} {expected}", outcome.impulse.x);
}

/// The impulse that sticks on a nearly immovable direction is so large that V + W P is rounding; by chance it may look right.
#[test]
fn an_impulse_that_doubles_cannot_express_is_refused_whatever_its_rounding() {
    let (s, c) = 0.3_f64.sin_cos();
    for k in 0..400 {
        let softness = 1e-11 * (1.0 + 1e-3 * f64::from(k));
        let coupling = s * c * (1.0 - softness);
        let collision = planar([s * s + softness * c * c, coupling, c * c + softness * s * s], [-s, -c]);
        for id in ["whittaker", "newton-lcp", "routh-newton"] {
            let answer = bound(id, 0.8, 4.0).resolve_collision(&collision);
            assert!(matches!(answer, Err(Inapplicable::FailsEquations { .. })), "{id}, {softness:e}: {answer:?}");
        }
    }
}

/// A contact that hardly leaves its immovable direction carries a large impulse that moves little. Energy and audit see only the
/// part that moves; values by exact rational arithmetic.
#[test]
fn energy_of_a_held_impulse_is_that_of_the_part_that_moves() {
    let friction = [1.799_999_964];
    let one = Impact::new(
        &DMatrix::from_row_slice(2, 2, &[81.0, 45.0, 45.0, 25.0]),
        &DVector::from_column_slice(&[-9.0, -5.0]),
        true,
    );
    let impact = one.unwrap();
    let outcome = bound("newton-lcp", 0.5, friction[0]).resolve(&impact).unwrap();
    assert!(outcome.contacts[0].impulse.norm() > 1e6);
    assert!((impact.energy_change(&outcome.impulses()).unwrap() + 0.375).abs() < 1e-5, "{:?}", outcome.impulses());
    assert!(audit(&impact, &outcome, &friction, impact.local_energy(), None).is_ok());
}

/// The same contact beside another one: one rounding of every entry of W moves the contacts by 2.9e-8 of the fastest, which is more than the
/// audit allows for bodies. The answer is refused.
#[test]
fn a_held_impulse_beside_another_contact_is_refused_for_rounding() {
    let law = laws::find("newton-lcp").unwrap();
    let friction = [1.799_999_964, 0.2];
    let of = |contact: usize, key: &str| Some(if key == "restitution" { 0.5 } else { friction[contact] });
    let w = [81.0, 45.0, 4.5, -9.0, 45.0, 25.0, 2.5, -5.0, 4.5, 2.5, 1.25, 0.5, -9.0, -5.0, 0.5, 2.0];
    let both =
        Impact::new(&DMatrix::from_row_slice(4, 4, &w), &DVector::from_column_slice(&[-9.0, -5.0, 1.5, 3.0]), true);
    let answer = law.bind_contacts(2, of).unwrap().resolve(&both.unwrap());
    assert!(matches!(answer, Err(Inapplicable::FailsEquations { residual }) if residual > 1e-8), "{answer:?}");
}

/// A regular W whose eigenvalues are 1e-11 apart is accepted, as for one contact.
#[test]
fn a_stiff_direction_of_an_impact_can_move() {
    let d = 1e-11;
    let w = DMatrix::from_row_slice(2, 2, &[1.0 + d, 1.0 - d, 1.0 - d, 1.0 + d]);
    assert!(Impact::new(&w, &DVector::from_column_slice(&[-1.0, 0.5]), true).is_ok());
}
