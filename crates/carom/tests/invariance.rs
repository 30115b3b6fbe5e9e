//! The world does not care how it is described: every law must give the same bodies the same velocities in every frame,
//! mirrored, with the bodies named the other way round, and for any choice of tangents.
// Helpers of tests say what they expect by unwrapping it, as tests do.
#![allow(clippy::unwrap_used)]

use carom::laws::{BoundLaw, Inapplicable, Kind, Law};
use carom::{Body, Collision, ContactFrame};
use nalgebra::{Matrix3, Rotation3, Vector3};

#[path = "../src/random.rs"]
mod random;
mod support;
use random::Random;
use support::instantaneous;

/// A body from which transformed copies can be made.
#[derive(Clone, Copy, Debug)]
struct Sketch {
    matter: Matter,
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Matter {
    World,
    Planar { mass: f64, inertia: f64 },
    Spatial { mass: f64, inertia: Matrix3<f64> },
}

#[derive(Clone, Copy, Debug)]
struct Scene {
    a: Sketch,
    b: Sketch,
    point: Vector3<f64>,
    normal: Vector3<f64>,
    hint: Option<Vector3<f64>>,
}

/// x → turn·x + shift, v → turn·v + boost; turn may be a reflection, for which axial vectors change sign.
#[derive(Clone, Copy, Debug)]
struct Change {
    turn: Matrix3<f64>,
    shift: Vector3<f64>,
    boost: Vector3<f64>,
}

impl Change {
    const fn none() -> Change {
        let zero = Vector3::new(0.0, 0.0, 0.0);
        Change { turn: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), shift: zero, boost: zero }
    }

    fn axial(&self, v: &Vector3<f64>) -> Vector3<f64> {
        self.turn * v * self.turn.determinant().signum()
    }
}

impl Sketch {
    fn changed(&self, change: &Change) -> Sketch {
        let matter = match self.matter {
            Matter::Spatial { mass, inertia } => {
                let turned = change.turn * inertia * change.turn.transpose();
                Matter::Spatial { mass, inertia: (turned + turned.transpose()) * 0.5 }
            }
            other => other,
        };
        Sketch {
            matter,
            position: change.turn * self.position + change.shift,
            velocity: change.turn * self.velocity + change.boost,
            spin: change.axial(&self.spin),
        }
    }

    fn body(&self) -> Body {
        let body = match self.matter {
            Matter::World => Body::immovable(),
            Matter::Planar { mass, inertia } => Body::planar(mass, inertia).unwrap(),
            Matter::Spatial { mass, inertia } => Body::new(mass, &inertia).unwrap(),
        };
        body.at(self.position).moving(self.velocity, self.spin)
    }
}

impl Scene {
    fn changed(&self, change: &Change) -> Scene {
        Scene {
            a: self.a.changed(change),
            b: self.b.changed(change),
            point: change.turn * self.point + change.shift,
            normal: change.turn * self.normal,
            hint: self.hint.map(|hint| change.turn * hint),
        }
    }

    fn swapped(&self) -> Scene {
        Scene { a: self.b, b: self.a, normal: -self.normal, ..*self }
    }

    fn collision(&self) -> (Collision, ContactFrame) {
        let frame = ContactFrame::spatial(&self.normal, self.hint.as_ref()).unwrap();
        (Collision::between(&self.a.body(), &self.b.body(), &self.point, &frame).unwrap(), frame)
    }

    /// Both bodies after the collision.
    fn resolve(&self, law: &BoundLaw) -> Result<[Body; 2], Inapplicable> {
        let (collision, frame) = self.collision();
        let impulse = frame.to_world(&law.resolve_collision(&collision)?.impulse);
        let (mut a, mut b) = (self.a.body(), self.b.body());
        a.apply_impulse(&self.point, &impulse);
        b.apply_impulse(&self.point, &-impulse);
        Ok([a, b])
    }

    /// Speeds the collision is about: rounding is judged against them.
    fn speed(&self) -> f64 {
        [self.a, self.b].iter().map(|s| s.velocity.norm() + s.spin.norm() * (self.point - s.position).norm()).sum()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    /// Any two bodies in space.
    Spatial,
    /// Planar bodies in the x–y plane.
    Planar,
    /// Balls, whose inverse mass is diagonal.
    Balls,
    /// Bodies in space that are symmetric about a plane and move in it.
    Symmetric,
    /// The same, approaching without slip.
    Symmetric0,
}

const FAMILIES: [Family; 5] = [Family::Spatial, Family::Planar, Family::Balls, Family::Symmetric, Family::Symmetric0];

fn scene(random: &mut Random, family: Family) -> Scene {
    let flat = |v: Vector3<f64>| Vector3::new(v.x, v.y, 0.0);
    let normal = match family {
        Family::Spatial | Family::Balls => random.direction(),
        _ => flat(random.direction()).normalize(),
    };
    let point = flat(random.direction());
    let mut sketch = |side: f64| {
        let mass = random.log_between(0.2, 5.0);
        let size = random.log_between(0.3, 3.0);
        let [velocity, spin, arm] = [(); 3].map(|()| random.direction() * random.log_between(0.1, 2.0));
        let moments = Vector3::from_fn(|_, _| mass * size * size * random.between(0.3, 0.55));
        let (matter, offset, velocity, spin) = match family {
            Family::Spatial => {
                let axes = random.rotation();
                let inertia = axes * Matrix3::from_diagonal(&moments) * axes.transpose();
                (Matter::Spatial { mass, inertia: (inertia + inertia.transpose()) * 0.5 }, arm * size, velocity, spin)
            }
            Family::Planar => {
                let spin = Vector3::z() * spin.z;
                (Matter::Planar { mass, inertia: moments.z }, flat(arm) * size, flat(velocity), spin)
            }
            Family::Balls => {
                let inertia = Matrix3::identity() * (0.4 * mass * size * size);
                (Matter::Spatial { mass, inertia }, normal * (side * size), velocity, spin)
            }
            Family::Symmetric | Family::Symmetric0 => {
                let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), random.between(0.0, 3.0)).into_inner();
                let inertia = turn * Matrix3::from_diagonal(&moments) * turn.transpose();
                let inertia = (inertia + inertia.transpose()) * 0.5;
                let slipless = family == Family::Symmetric0;
                let velocity = if slipless { normal * velocity.x } else { flat(velocity) };
                let spin = if slipless { Vector3::zeros() } else { Vector3::z() * spin.z };
                (Matter::Spatial { mass, inertia }, flat(arm) * size, velocity, spin)
            }
        };
        let world = side < 0.0 && random.unit() < 0.3;
        Sketch {
            matter: if world { Matter::World } else { matter },
            position: point + offset,
            velocity: if world { Vector3::zeros() } else { velocity },
            spin: if world { Vector3::zeros() } else { spin },
        }
    };
    let (a, b) = (sketch(1.0), sketch(-1.0));
    let mut scene = Scene { a, b, point, normal, hint: None };
    // Make them approach, mostly.
    if scene.collision().0.velocity().x > 0.0 && random.unit() < 0.95 {
        for body in [&mut scene.a, &mut scene.b] {
            body.velocity = -body.velocity;
            body.spin = -body.spin;
        }
    }
    scene
}

/// Parameters that turn with the screw sense of the frame: they change sign in a mirror, and when the bodies are named
/// the other way round (which inverts the frame).
const CHIRAL: [&str; 2] = ["azimuth", "lateral_impulse_ratio"];

/// The law with random parameters, and the same with chiral parameters reversed.
fn random_law(random: &mut Random, law: &'static Law) -> (BoundLaw, BoundLaw) {
    loop {
        let values: Vec<(&str, f64)> = law
            .parameters
            .iter()
            .map(|parameter| {
                let value = match parameter.kind {
                    Kind::Number { least, greatest } => match (least.is_finite(), greatest.is_finite()) {
                        (true, true) => random.between(least, greatest),
                        (true, false) => least + random.log_between(0.02, 3.0),
                        _ => random.between(-1.0, 1.0),
                    },
                    Kind::Choice(words) => (random.unit() * words.len() as f64).floor(),
                };
                (parameter.key, value)
            })
            .collect();
        let reversed: Vec<_> =
            values.iter().map(|&(key, value)| (key, if CHIRAL.contains(&key) { -value } else { value })).collect();
        if let (Ok(bound), Ok(reversed)) = (law.bind(&values), law.bind(&reversed)) {
            return (bound, reversed);
        }
    }
}

/// Laws whose parameters are directions relative to the slip, and to the frame where there is none.
const NEEDS_SLIP: [&str; 2] = ["brach", "accessible"];

const CASES: usize = 600;
/// Rounding of the world coordinates, carried through the law; near its switches a law multiplies it.
const SAME: f64 = 1e-8;

/// Resolves every law on random scenes and on changed copies, and compares the bodies.
fn check(seed: u64, chiral: bool, change: impl Fn(&mut Random, Family, &Scene) -> (Scene, Change, bool)) {
    let mut random = Random(seed);
    let mut failures = Vec::new();
    let mut answers = vec![0; instantaneous().count()];
    for round in 0..CASES * FAMILIES.len() {
        let family = FAMILIES[round % FAMILIES.len()];
        let original = scene(&mut random, family);
        let (copy, map, swapped) = change(&mut random, family, &original);
        for (law, answers) in instantaneous().zip(&mut answers) {
            let (bound, reversed) = random_law(&mut random, law);
            if family == Family::Symmetric0 && NEEDS_SLIP.contains(&law.id) {
                continue;
            }
            let expected = original.resolve(&bound);
            let got = copy.resolve(if chiral { &reversed } else { &bound });
            *answers += usize::from(expected.is_ok());
            let complaint = match (&expected, &got) {
                (Ok(expected), Ok(got)) => {
                    let got = if swapped { [got[1], got[0]] } else { *got };
                    let scale = original.speed() + map.boost.norm();
                    let size = [original.a, original.b].map(|s| (s.position - original.point).norm());
                    let miss = expected.iter().zip(&got).zip(size).map(|((expected, got), size)| {
                        let linear = map.turn * expected.velocity + map.boost - got.velocity;
                        let angular = map.axial(&expected.angular_velocity) - got.angular_velocity;
                        linear.norm() + angular.norm() * size
                    });
                    let miss = miss.sum::<f64>() / scale;
                    (miss.is_nan() || miss > SAME).then(|| format!("differs by {miss:e}"))
                }
                (Err(a), Err(b)) if std::mem::discriminant(a) == std::mem::discriminant(b) => None,
                (a, b) => Some(format!("{:?} became {:?}", a.as_ref().err(), b.as_ref().err())),
            };
            if let Some(complaint) = complaint {
                failures.push(format!("{} on {family:?} {round}: {complaint}; {:?}", law.id, bound.values(0)));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures, first:\n{}",
        failures.len(),
        failures[..failures.len().min(12)].join("\n")
    );
}

fn rotation(random: &mut Random, family: Family) -> Matrix3<f64> {
    match family {
        Family::Planar => Rotation3::from_axis_angle(&Vector3::z_axis(), random.between(-3.0, 3.0)).into_inner(),
        _ => random.rotation(),
    }
}

#[test]
fn rotation_changes_nothing() {
    check(71, false, |random, family, scene| {
        let change = Change { turn: rotation(random, family), ..Change::none() };
        (scene.changed(&change), change, false)
    });
}

#[test]
fn translation_changes_nothing() {
    check(72, false, |random, _, scene| {
        let change = Change { shift: random.direction() * 10.0, ..Change::none() };
        (scene.changed(&change), change, false)
    });
}

#[test]
fn a_common_velocity_changes_nothing() {
    check(73, false, |random, _, scene| {
        let change = Change { boost: random.direction() * 10.0, ..Change::none() };
        (scene.changed(&change), change, false)
    });
}

#[test]
fn a_mirror_changes_nothing() {
    check(74, true, |random, family, scene| {
        let across = match family {
            Family::Planar => Vector3::new(random.between(-1.0, 1.0), 1.0, 0.0).normalize(),
            _ => random.direction(),
        };
        let change = Change { turn: Matrix3::identity() - across * across.transpose() * 2.0, ..Change::none() };
        (scene.changed(&change), change, false)
    });
}

#[test]
fn naming_the_bodies_the_other_way_round_changes_nothing() {
    check(75, true, |_, _, scene| (scene.swapped(), Change::none(), true));
}

#[test]
fn the_choice_of_tangents_changes_nothing() {
    check(76, false, |random, _, scene| (Scene { hint: Some(random.direction()), ..*scene }, Change::none(), false));
}

#[test]
fn momentum_is_conserved_and_energy_changes_as_the_contact_says() {
    let mut random = Random(77);
    for round in 0..CASES * FAMILIES.len() {
        let family = FAMILIES[round % FAMILIES.len()];
        let planar = family == Family::Planar;
        let scene = scene(&mut random, family);
        let (collision, frame) = scene.collision();
        let before = [scene.a.body(), scene.b.body()];
        for law in instantaneous() {
            let (law, _) = random_law(&mut random, law);
            let (Ok(outcome), Ok(after)) = (law.resolve_collision(&collision), scene.resolve(&law)) else { continue };
            let sum = |bodies: &[Body; 2], f: fn(&Body) -> Vector3<f64>| f(&bodies[0]) + f(&bodies[1]);
            let impulse = frame.to_world(&outcome.impulse);
            // A planar body takes no angular momentum out of its plane, so an impulse out of it is not its own.
            let out_of_plane = planar && impulse.z.abs() > 1e-12 * impulse.norm();
            if !out_of_plane && !before[1].is_immovable() {
                let scale = before[0].momentum().norm() + before[1].momentum().norm() + impulse.norm();
                let miss = (sum(&after, Body::momentum) - sum(&before, Body::momentum)).norm();
                assert!(miss <= 1e-13 * scale, "{}: momentum {miss}", law.law().id);
                let arms = 10.0 + before[0].position.norm() + before[1].position.norm();
                let spins = before.iter().chain(&after).map(|b| b.angular_momentum().norm()).sum::<f64>();
                let miss = (sum(&after, Body::angular_momentum) - sum(&before, Body::angular_momentum)).norm();
                assert!(miss <= 1e-12 * (scale * arms + spins), "{}: angular momentum {miss}", law.law().id);
            }
            let energy = |bodies: &[Body; 2]| bodies[0].kinetic_energy() + bodies[1].kinetic_energy();
            let change = energy(&after) - energy(&before);
            let expected = collision.energy_change(&outcome.impulse);
            let scale = energy(&after) + energy(&before);
            assert!((change - expected).abs() <= 1e-12 * scale, "{}: {change} for {expected}", law.law().id);
        }
    }
}
