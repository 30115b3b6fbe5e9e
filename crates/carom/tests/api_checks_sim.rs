//! Every public entry of the simulation with sizes, places and numbers that are wrong: a typed error that names the thing, and no panic.
#![allow(clippy::unwrap_used)]

mod trial;

use carom::laws::find;
use carom::sim::{
    Anchor, BodyId, Checkpoint, EventEngine, EventSettings, Failure, Hull, JointId, JointKind, Load, MaterialId,
    Materials, Part, Passing, Pose, Scene, SceneBody, SceneBuilder, SceneItem, SceneJoint, SceneString, Signal, Solid,
    SteppingEngine, SteppingSettings,
};
use carom::{Amount, Dimension, Error, Shape};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

const MATERIAL: MaterialId = MaterialId::new(0);
/// Numbers that no quantity is.
const NO_NUMBERS: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Two disks and a floor: body 0 hangs on a hinge (joint 0), body 1 on a slide (joint 1).
fn sound() -> SceneBuilder {
    let mut scene = SceneBuilder::new(Dimension::Planar);
    scene.gravity = Vector3::y() * -9.81;
    let material = scene.add_material(&[("restitution", 0.5), ("friction", 0.3)]);
    scene.add_wall(Vector3::y(), 0.0, material);
    for (k, x) in [0.0, 1.0].into_iter().enumerate() {
        let disk = SceneBody::new(1.0, Matrix3::identity() * 0.005).with_parts(vec![Part::ball(0.1, material)]);
        let body = scene.add_body(disk.at_position(Vector3::new(x, 0.5, 0.0)));
        let kind = [JointKind::Revolute, JointKind::Prismatic][k];
        scene.add_joint(SceneJoint::new(kind, [Some(body), None], Vector3::new(x, 1.0, 0.0), Vector3::y()));
    }
    scene.add_load(Load::Motor { joint: JointId::new(0), effort: Signal::constant(0.1) });
    let [a, b] = [Anchor::on(BodyId::new(0), Vector3::zeros()), Anchor::world(Vector3::new(0.0, 1.0, 0.0))];
    scene.add_string(SceneString { a, b, length: 0.6, restitution: None });
    scene
}

/// The same in space, without joints.
fn spatial() -> SceneBuilder {
    let mut scene = sound();
    scene.dimension = Dimension::Spatial;
    (scene.joints, scene.loads) = (Vec::new(), Vec::new());
    scene
}

/// The thing that is refused, and why.
#[track_caller]
fn refused(scene: SceneBuilder) -> (SceneItem, Error) {
    match scene.build() {
        Err(Error::Scene(error)) => (error.item, *error.error),
        other => panic!("{other:?}"),
    }
}

/// Checks that a change of a sound scene is refused at a thing.
#[track_caller]
fn assert_refused(item: SceneItem, change: impl FnOnce(&mut SceneBuilder)) -> String {
    let mut scene = sound();
    change(&mut scene);
    let (found, error) = refused(scene);
    assert_eq!(found, item, "{error}");
    error.to_string()
}

fn scene() -> Scene {
    sound().build().unwrap()
}

fn events(settings: EventSettings) -> Result<EventEngine, Error> {
    EventEngine::new(&scene(), find("newton-lcp").unwrap(), settings)
}

#[test]
fn a_sound_scene_runs_by_both_engines() {
    let mut engine = events(EventSettings::default()).unwrap();
    while engine.advance(0.3).unwrap().is_some() {}
    let mut engine = SteppingEngine::new(&scene(), SteppingSettings::default()).unwrap();
    while engine.advance(0.3).unwrap().is_some() {}
    assert!(spatial().build().is_ok() && SceneBuilder::new(Dimension::Spatial).build().is_ok());
}

#[test]
fn masses_and_inertias_that_no_body_has_are_refused() {
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let said = assert_refused(SceneItem::Body(1), |scene| scene.bodies[1].mass = mass);
        assert!(said.contains("mass"), "{said}");
    }
    for moment in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_refused(SceneItem::Body(0), |scene| scene.bodies[0].inertia[(2, 2)] = moment);
    }
    let diagonal = |x: f64, y: f64, z: f64| Matrix3::from_diagonal(&Vector3::new(x, y, z));
    let skew = Matrix3::identity() + Matrix3::new(0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for inertia in
        [diagonal(1.0, 1.0, 3.0), diagonal(-1.0, -1.0, 1.0), diagonal(-1.0, 1.0, 1.0), Matrix3::zeros(), skew]
    {
        let mut scene = spatial();
        scene.bodies[0].inertia = inertia;
        assert_eq!(refused(scene).0, SceneItem::Body(0), "{inertia}");
    }
    // A thin rod has no moment about its axis.
    let mut scene = spatial();
    scene.bodies[0].inertia = diagonal(0.0, 1.0, 1.0);
    assert!(scene.build().is_ok());
}

#[test]
fn states_that_no_body_has_are_refused() {
    for wrong in NO_NUMBERS {
        assert_refused(SceneItem::Body(0), |scene| scene.bodies[0].state.pose.position.y = wrong);
        assert_refused(SceneItem::Body(0), |scene| scene.bodies[0].state.velocity.x = wrong);
        assert_refused(SceneItem::Body(0), |scene| scene.bodies[0].state.angular_velocity.z = wrong);
        assert_refused(SceneItem::Body(0), |scene| {
            scene.bodies[0].state.pose.orientation =
                UnitQuaternion::new_unchecked(Quaternion::new(wrong, 0.0, 0.0, 0.0));
        });
    }
    assert_refused(SceneItem::Body(0), |scene| {
        scene.bodies[0].state.pose.orientation = UnitQuaternion::new_unchecked(Quaternion::new(2.0, 0.0, 0.0, 0.0));
    });
    // Out of the plane.
    assert_refused(SceneItem::Body(0), |scene| scene.bodies[0].state.velocity.z = 1.0);
    assert_refused(SceneItem::Body(0), |scene| scene.bodies[0].state.angular_velocity.x = 1.0);
}

#[test]
fn parts_that_enclose_nothing_are_refused() {
    let part = SceneItem::BodyPart { body: 0, part: 0 };
    for radius in [-1.0, f64::NAN, f64::INFINITY] {
        assert_refused(part, |scene| scene.bodies[0].parts[0] = Part::ball(radius, MATERIAL));
    }
    for size in [[0.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [f64::NAN, 1.0], [1.0, f64::INFINITY]] {
        assert_refused(part, |scene| scene.bodies[0].parts[0] = Part::sharp(Hull::rectangle(size), MATERIAL));
    }
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let rod = Part::sharp(Hull::segment(length, Dimension::Planar), MATERIAL);
        assert_refused(part, |scene| scene.bodies[0].parts[0] = rod);
    }
    for semi_axes in [[0.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, f64::NAN]] {
        assert_refused(part, |scene| scene.bodies[0].parts[0] = Part::ellipsoid(semi_axes, MATERIAL));
    }
    for hull in [Hull::block([1.0, -1.0, 1.0]), Hull::block([0.0, 1.0, 1.0]), Hull::prism(-1.0, 1.0, 8)] {
        let mut scene = spatial();
        scene.bodies[0].parts = vec![Part::sharp(hull, MATERIAL)];
        assert_eq!(refused(scene).0, part);
    }
    assert_refused(part, |scene| scene.bodies[0].parts[0] = Part::half_space(Vector3::y(), 0.0, MATERIAL));
    assert!(Hull::polygon(&[[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]]).is_err());
    assert!(Hull::polyhedron(&[[0.0; 3]; 5]).is_err());
}

#[test]
fn half_spaces_have_a_unit_normal() {
    for normal in [Vector3::y() * 2.0, Vector3::zeros(), Vector3::y() * f64::NAN, Vector3::z()] {
        assert_refused(SceneItem::WorldPart(1), |scene| scene.add_wall(normal, 0.0, MATERIAL));
    }
    for offset in NO_NUMBERS {
        assert_refused(SceneItem::WorldPart(1), |scene| scene.add_wall(Vector3::y(), offset, MATERIAL));
    }
}

#[test]
fn gravity_is_finite_and_in_the_plane() {
    for gravity in [Vector3::z(), Vector3::y() * f64::NAN, Vector3::x() * f64::INFINITY] {
        assert_refused(SceneItem::Gravity, |scene| scene.gravity = gravity);
    }
}

#[test]
fn materials_that_are_not_there_are_refused() {
    for index in [1, 5, usize::MAX] {
        let ball = Part::ball(0.1, MaterialId::new(index));
        let said =
            assert_refused(SceneItem::BodyPart { body: 1, part: 0 }, |scene| scene.bodies[1].parts[0] = ball.clone());
        assert!(said.contains("there is no material"), "{said}");
        assert_refused(SceneItem::WorldPart(0), |scene| scene.world[0].material = MaterialId::new(index));
    }
    assert_refused(SceneItem::BodyPart { body: 0, part: 0 }, |scene| scene.materials = Materials::default());
    // The place of one pair is not that of another.
    let mut materials = Materials::default();
    let [a, b] = [0.1, 0.9].map(|friction| materials.add(&[("friction", friction)]));
    assert_eq!(materials.parameter(MaterialId::new(3), a, "friction"), None);
    assert_eq!(materials.parameter(a, b, "friction"), None);
    assert!(materials.set_pair(a, MaterialId::new(2), &[]).is_err());
    assert!(scene().with_materials(materials).is_err());
}

#[test]
fn coefficients_that_no_material_has_are_refused() {
    for (key, value) in [("friction", -0.1), ("friction", f64::NAN), ("restitution", -1.0), ("stiffness", f64::NAN)] {
        assert_refused(SceneItem::Materials, |scene| scene.materials = Materials::uniform(&[(key, value)]));
        assert!(scene().with_materials(Materials::uniform(&[(key, value)])).is_err());
    }
    // Their bounds are the law's: each law says what it takes.
    let mut scene = sound();
    scene.materials = Materials::uniform(&[("restitution", 7.0), ("friction", 0.3)]);
    let scene = scene.build().unwrap();
    for law in ["newton", "newton-lcp", "routh-poisson"] {
        let error = EventEngine::new(&scene, find(law).unwrap(), EventSettings::default()).unwrap_err();
        assert!(matches!(error, Error::OutOfRange { what: "restitution", .. }), "{law}: {error}");
    }
    let nothing = scene.with_materials(Materials::uniform(&[])).unwrap();
    let error = EventEngine::new(&nothing, find("newton").unwrap(), EventSettings::default()).unwrap_err();
    assert!(matches!(error, Error::MissingParameter { .. }), "{error}");
}

#[test]
fn joints_hold_two_bodies_that_are_there() {
    let joint = |sides: [Option<usize>; 2]| {
        let sides = sides.map(|body| body.map(BodyId::new));
        SceneJoint::new(JointKind::Revolute, sides, Vector3::zeros(), Vector3::z())
    };
    for sides in [[Some(9), None], [None, Some(usize::MAX)], [None, None], [Some(0), Some(0)]] {
        assert_refused(SceneItem::Joint(2), |scene| scene.joints.push(joint(sides)));
    }
    for wrong in NO_NUMBERS {
        assert_refused(SceneItem::Joint(0), |scene| scene.joints[0].point.x = wrong);
        assert_refused(SceneItem::Joint(1), |scene| scene.joints[1].axis.x = wrong);
    }
    assert_refused(SceneItem::Joint(1), |scene| scene.joints[1].axis = Vector3::zeros());
    assert_refused(SceneItem::Joint(1), |scene| scene.joints[1].axis = Vector3::z());
    // Bodies that move against each other where it holds them.
    assert_refused(SceneItem::Joint(0), |scene| scene.bodies[0].state.velocity.y = 1.0);
}

#[test]
fn limits_enclose_the_start() {
    for limits in [[0.1, 1.0], [-1.0, -0.1], [0.0, 0.0], [1.0, -1.0], [f64::NAN, 1.0], [-1.0, f64::INFINITY]] {
        assert_refused(SceneItem::Joint(0), |scene| scene.joints[0].limits = Some(limits));
    }
    for restitution in [-0.1, 1.1, f64::NAN] {
        assert_refused(SceneItem::Joint(0), |scene| scene.joints[0].restitution = Some(restitution));
    }
    assert_refused(SceneItem::Joint(0), |scene| {
        (scene.joints[0].kind, scene.joints[0].limits) = (JointKind::Spherical, Some([-1.0, 1.0]));
        scene.loads.clear();
    });
}

#[test]
fn loads_act_on_what_is_there() {
    let on = |body: usize| Anchor::on(BodyId::new(body), Vector3::zeros());
    let world = Anchor::world(Vector3::zeros());
    let signal = Signal::constant(1.0);
    let spring = |a: Anchor, b: Anchor| Load::Spring { a, b, stiffness: 1.0, damping: 0.0, rest_length: 1.0 };
    let torsion = |joint: usize, stiffness: f64| Load::TorsionSpring {
        joint: JointId::new(joint),
        stiffness,
        damping: 0.0,
        rest_angle: 0.0,
    };
    let wrong = [
        spring(on(9), world),
        spring(world, world),
        Load::Spring { a: on(0), b: world, stiffness: -1.0, damping: 0.0, rest_length: 1.0 },
        Load::Spring { a: on(0), b: world, stiffness: 1.0, damping: f64::NAN, rest_length: 1.0 },
        Load::Spring { a: on(0), b: world, stiffness: 1.0, damping: 0.0, rest_length: f64::INFINITY },
        torsion(3, 1.0),
        // A prismatic joint does not turn.
        torsion(1, 1.0),
        torsion(0, f64::NAN),
        Load::Motor { joint: JointId::new(3), effort: signal },
        Load::Motor { joint: JointId::new(0), effort: Signal { rate: f64::NAN, ..signal } },
        Load::Force { at: on(9), force: Vector3::x(), signal },
        Load::Force { at: world, force: Vector3::x(), signal },
        Load::Force { at: on(0), force: Vector3::z(), signal },
        Load::Force { at: on(0), force: Vector3::x() * f64::NAN, signal },
        Load::Torque { body: BodyId::new(9), torque: Vector3::z(), signal },
        Load::Torque { body: BodyId::new(0), torque: Vector3::x(), signal },
    ];
    for load in wrong {
        assert_refused(SceneItem::Load(1), |scene| scene.add_load(load.clone()));
    }
    // Nothing drives a fixed joint.
    assert_refused(SceneItem::Load(0), |scene| scene.joints[0].kind = JointKind::Fixed);
}

#[test]
fn strings_reach_from_one_end_to_the_other() {
    let item = SceneItem::String(0);
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY, 0.1] {
        assert_refused(item, |scene| scene.strings[0].length = length);
    }
    assert_refused(item, |scene| scene.strings[0].a = Anchor::world(Vector3::zeros()));
    assert_refused(item, |scene| scene.strings[0].a.body = Some(BodyId::new(9)));
    assert_refused(item, |scene| scene.strings[0].a.point.x = f64::NAN);
    assert_refused(item, |scene| scene.strings[0].restitution = Some(2.0));
}

#[test]
fn passing_pairs_are_there() {
    let [there, missing] = [0, 9].map(BodyId::new);
    for passing in [
        Passing::Bodies([there, missing]),
        Passing::Part { body: missing, part: 0 },
        Passing::Part { body: there, part: 1 },
    ] {
        assert_refused(SceneItem::Passing(0), |scene| scene.passing.push(passing));
    }
}

#[test]
fn settings_that_no_engine_can_work_with_are_refused() {
    let default = EventSettings::default();
    for wrong in [0.0, -1.0, 1.0, f64::NAN, f64::INFINITY] {
        assert!(events(EventSettings { tolerance: wrong, ..default }).is_err(), "{wrong}");
        assert!(events(EventSettings { touch: wrong, ..default }).is_err(), "{wrong}");
        assert!(events(EventSettings { rest: wrong, ..default }).is_err(), "{wrong}");
    }
    let default = SteppingSettings::default();
    let steps = |settings: SteppingSettings| SteppingEngine::new(&scene(), settings);
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(steps(SteppingSettings { step: wrong, ..default }).is_err(), "{wrong}");
        assert!(steps(SteppingSettings { tolerance: wrong, ..default }).is_err(), "{wrong}");
    }
    for wrong in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(steps(SteppingSettings { rest: wrong, ..default }).is_err(), "{wrong}");
    }
    assert!(steps(SteppingSettings { most_sweeps: 0, ..default }).is_err());
    for threads in [0, 2000] {
        assert!(steps(SteppingSettings { threads, ..default }).is_err(), "{threads}");
    }
}

/// A box of 0.5 kg above a floor, held by dampers and springs: (damping, stiffness) each, to the point 2 m above.
fn hung(loads: &[(f64, f64)]) -> SceneBuilder {
    let mut scene = SceneBuilder::new(Dimension::Spatial);
    scene.gravity = Vector3::z() * -9.81;
    let material = scene.add_material(&[("restitution", 0.5), ("friction", 0.3)]);
    scene.add_wall(Vector3::z(), 0.0, material);
    let block = Solid::Shape(Shape::Box { size: [0.3, 0.2, 0.25] });
    let block = SceneBody::of_solid(&block, Amount::Mass(0.5), material, Dimension::Spatial).unwrap();
    let pose = Pose { position: Vector3::z(), ..Pose::identity() };
    let body = scene.add_body(block.at(pose, Vector3::new(0.3, 0.2, 0.1), Vector3::new(0.3, 0.5, 0.1)));
    for (damping, stiffness) in loads {
        let [a, b] = [Anchor::on(body, Vector3::zeros()), Anchor::world(Vector3::z() * 3.0)];
        scene.add_load(Load::Spring { a, b, stiffness: *stiffness, damping: *damping, rest_length: 1.0 });
    }
    scene
}

fn steps_of(scene: SceneBuilder, step: f64) -> Result<SteppingEngine, Error> {
    SteppingEngine::new(&scene.build().unwrap(), SteppingSettings { step, ..SteppingSettings::default() })
}

#[test]
fn numbers_without_room_for_arithmetic_are_refused() {
    let refused_at = |item: SceneItem, word: &str, change: &dyn Fn(&mut SceneBuilder)| {
        let said = assert_refused(item, change);
        assert!(said.contains(word) && said.contains("1e60"), "{said}");
    };
    for wrong in [5e-309, 1e-61, 1e61, 1e300] {
        refused_at(SceneItem::Body(1), "mass", &|scene| scene.bodies[1].mass = wrong);
        refused_at(SceneItem::Body(1), "inertia", &|scene| scene.bodies[1].inertia = Matrix3::identity() * wrong);
        let part = SceneItem::BodyPart { body: 1, part: 0 };
        refused_at(part, "radius", &|scene| scene.bodies[1].parts[0].radius = wrong);
        refused_at(part, "semi-axis", &|scene| scene.bodies[1].parts[0] = Part::ellipsoid([wrong, 1.0, 1.0], MATERIAL));
        refused_at(part, "vert", &|scene| {
            scene.bodies[1].parts[0] = Part::sharp(Hull::rectangle([wrong; 2]), MATERIAL);
        });
        for key in ["stiffness", "damping", "rest_length"] {
            let of = |name: &str| if name == key { wrong } else { 1.0 };
            let [a, b] = [Anchor::on(BodyId::new(0), Vector3::zeros()), Anchor::world(Vector3::zeros())];
            let (stiffness, damping, rest_length) = (of("stiffness"), of("damping"), of("rest_length"));
            let spring = Load::Spring { a, b, stiffness, damping, rest_length };
            refused_at(SceneItem::Load(1), key, &|scene| scene.add_load(spring.clone()));
        }
    }
    for wrong in [1e61, -1e61, 1e300, -1e300] {
        refused_at(SceneItem::Gravity, "gravity", &|scene| scene.gravity.y = wrong);
        refused_at(SceneItem::Body(0), "position", &|scene| scene.bodies[0].state.pose.position.x = wrong);
        refused_at(SceneItem::Body(0), "velocity", &|scene| scene.bodies[0].state.velocity.x = wrong);
        refused_at(SceneItem::Body(0), "angular velocity", &|scene| scene.bodies[0].state.angular_velocity.z = wrong);
        refused_at(SceneItem::WorldPart(0), "offset", &|scene| {
            scene.world[0] = Part::half_space(Vector3::y(), wrong, MATERIAL);
        });
        refused_at(SceneItem::Joint(0), "point", &|scene| scene.joints[0].point.x = wrong);
        refused_at(SceneItem::String(0), "point", &|scene| scene.strings[0].b.point.x = wrong);
        let force = Load::Force {
            at: Anchor::on(BodyId::new(0), Vector3::zeros()),
            force: Vector3::x() * wrong,
            signal: Signal::constant(1.0),
        };
        refused_at(SceneItem::Load(1), "force", &|scene| scene.add_load(force.clone()));
    }
    refused_at(SceneItem::String(0), "length", &|scene| scene.strings[0].length = 1e61);
}

#[test]
fn strings_and_passing_pairs_are_of_two_bodies() {
    let body = BodyId::new(0);
    let said = assert_refused(SceneItem::String(0), |scene| scene.strings[0].b = Anchor::on(body, Vector3::x() * 0.1));
    assert!(said.contains("one body"), "{said}");
    let said = assert_refused(SceneItem::Passing(0), |scene| scene.passing.push(Passing::Bodies([body; 2])));
    assert!(said.contains("two bodies"), "{said}");
}

#[test]
fn steps_in_which_a_load_is_unstable_are_refused() {
    let step: f64 = 2e-3;
    // h c/m = 2, h² k/m = 4, and both together: h² k/m + 2 h c/m = 4.
    let mass = 0.5;
    let limits = [(2.0 * mass / step, 0.0), (0.0, 4.0 * mass / step.powi(2)), (mass / step, 2.0 * mass / step.powi(2))];
    for (damping, stiffness) in limits {
        let above = hung(&[(0.1, 1.0), (1.001 * damping, 1.001 * stiffness)]);
        let error = steps_of(above.clone(), step).unwrap_err();
        let Error::UnstableLoad { load: 1, limit, .. } = error else { panic!("{error}") };
        assert!(limit < step && limit > 0.998 * step, "{error}");
        let mut engine = steps_of(above, 0.5 * limit).unwrap();
        engine.advance(1.0).unwrap();
        let mut engine = steps_of(hung(&[(0.999 * damping, 0.999 * stiffness)]), step).unwrap();
        engine.advance(1.0).unwrap();
    }
    // Joints make a body harder to move: a light link on a heavy body is as heavy as that.
    let mut scene = hung(&[(1.5 * mass / step, 0.0)]);
    let link = scene.add_body(SceneBody::new(1e-6, Matrix3::identity() * 1e-9).at(
        Pose { position: Vector3::z(), ..Pose::identity() },
        scene.bodies[0].state.velocity,
        scene.bodies[0].state.angular_velocity,
    ));
    let at = scene.bodies[0].state.pose.position;
    scene.add_joint(SceneJoint::new(JointKind::Fixed, [Some(link), Some(BodyId::new(0))], at, Vector3::x()));
    let Load::Spring { a, .. } = &mut scene.loads[0] else { panic!() };
    a.body = Some(link);
    steps_of(scene.clone(), step).unwrap().advance(0.5).unwrap();
    scene.joints.clear();
    assert!(matches!(steps_of(scene, step), Err(Error::UnstableLoad { load: 0, .. })));
}

/// Each damper by itself is stable, all together are not.
#[test]
fn a_motion_that_runs_away_in_steps_is_a_failure() {
    let step = 2e-3;
    for (dampers, share, floor) in [(2, 0.6, false), (2, 0.95, false), (6, 0.95, true), (40, 0.99, true)] {
        let damping = share * 2.0 * 0.5 / step;
        let mut scene = hung(&vec![(damping, 1.0); dampers]);
        if !floor {
            scene.world.clear();
        }
        let mut engine = steps_of(scene, step).unwrap();
        let Err(failure) = engine.advance(2.0) else { panic!("{dampers} {share} {:?}", engine.states()[0]) };
        assert!(matches!(failure, Failure::Motion { .. }), "{failure}");
        assert!(engine.states()[0].velocity.norm() < 1e9, "{:?}", engine.states()[0]);
    }
}

#[test]
fn time_never_goes_back() {
    let mut engine = events(EventSettings::default()).unwrap();
    while engine.advance(0.1).unwrap().is_some() {}
    let states = engine.states();
    for until in [0.05, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let failure = engine.advance(until).unwrap_err();
        assert!(matches!(failure, Failure::Time { time: 0.1, .. }), "{failure}");
        assert!(engine.advance_some(until, 1).is_err());
        assert_eq!((engine.time(), engine.states()), (0.1, states.clone()));
    }
    assert!(engine.advance(0.1).unwrap().is_none());
    let mut engine = SteppingEngine::new(&scene(), SteppingSettings::default()).unwrap();
    engine.advance(0.1).unwrap();
    let states = engine.states();
    for until in [0.05, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let failure = engine.advance(until).unwrap_err();
        assert!(matches!(failure, Failure::Time { .. }), "{failure}");
        assert!(engine.step(until).is_err());
        assert_eq!((engine.time(), engine.states()), (0.1, states.clone()));
    }
    assert!(engine.advance(0.1).unwrap().is_none() && !engine.is_before(f64::NAN));
}

#[test]
fn a_checkpoint_of_another_scene_or_engine_is_refused() {
    let (law, settings) = (find("newton-lcp").unwrap(), EventSettings::default());
    let mut engine = events(settings).unwrap();
    engine.advance(0.1).unwrap();
    let event = engine.checkpoint().unwrap();
    let mut engine = SteppingEngine::new(&scene(), SteppingSettings::default()).unwrap();
    engine.advance(0.1).unwrap();
    let stepping = engine.checkpoint();
    let steps = SteppingSettings::default();
    assert!(EventEngine::resume(&scene(), law, settings, &event).is_ok());
    assert!(SteppingEngine::resume(&scene(), steps, &stepping).is_ok());
    assert!(EventEngine::resume(&scene(), law, settings, &stepping).is_err());
    assert!(SteppingEngine::resume(&scene(), steps, &event).is_err());
    let mut other = sound();
    other.bodies.truncate(1);
    other.joints.truncate(1);
    let other = other.build().unwrap();
    assert!(EventEngine::resume(&other, law, settings, &event).is_err());
    assert!(SteppingEngine::resume(&other, steps, &stepping).is_err());
    for wrong in NO_NUMBERS {
        for change in [
            |checkpoint: &mut Checkpoint, wrong: f64| checkpoint.time = wrong,
            |checkpoint: &mut Checkpoint, wrong: f64| checkpoint.energies[1] = wrong,
            |checkpoint: &mut Checkpoint, wrong: f64| checkpoint.states[0].velocity.x = wrong,
        ] {
            let [mut event, mut stepping] = [event.clone(), stepping.clone()];
            change(&mut event, wrong);
            change(&mut stepping, wrong);
            assert!(EventEngine::resume(&scene(), law, settings, &event).is_err());
            assert!(SteppingEngine::resume(&scene(), steps, &stepping).is_err());
        }
    }
}

#[test]
fn initial_states_of_another_scene_are_refused() {
    let scene = scene();
    assert!(scene.starting_at(&scene.initial_states()).is_ok());
    assert!(scene.starting_at(&[]).is_err());
    let mut states = scene.initial_states();
    states[1].velocity.x = f64::NAN;
    assert!(matches!(scene.starting_at(&states), Err(Error::Scene(error)) if error.item == SceneItem::Body(1)));
}

#[test]
fn questions_about_bodies_that_are_not_there_have_no_answer() {
    let scene = scene();
    let states = scene.initial_states();
    let body = |index: usize| Some(BodyId::new(index));
    assert!(scene.nearest_parts(&states, [body(0), None]).is_some());
    for pair in [[body(9), None], [None, body(usize::MAX)], [None, None]] {
        assert!(scene.nearest_parts(&states, pair).is_none());
    }
    assert!(scene.nearest_parts(&[], [body(0), None]).is_none());
    let mut falling = trial::Trial::new(true, "newton-lcp", &[("restitution", 0.5), ("friction", 0.3)]);
    falling.gravity = Vector3::y() * -9.81;
    falling.add_wall(Vector3::y(), 0.0, MATERIAL);
    let disk = SceneBody::new(1.0, Matrix3::identity() * 0.005).with_parts(vec![Part::ball(0.1, MATERIAL)]);
    falling.add_body(disk.at_position(Vector3::y()));
    let event = falling.events().advance(1.0).unwrap().unwrap();
    assert!(event.before(&falling.scene.clone().build().unwrap()).is_ok());
    assert!(event.before(&SceneBuilder::new(Dimension::Planar).build().unwrap()).is_err());
}

#[test]
fn solids_of_no_matter_are_refused() {
    let (planar, spatial) = (Dimension::Planar, Dimension::Spatial);
    let ball = |radius: f64| Solid::Shape(Shape::Ball { radius });
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(SceneBody::of_solid(&ball(wrong), Amount::Mass(1.0), MATERIAL, spatial).is_err(), "{wrong}");
        assert!(SceneBody::of_solid(&ball(0.1), Amount::Mass(wrong), MATERIAL, spatial).is_err(), "{wrong}");
        assert!(SceneBody::of_solid(&ball(0.1), Amount::Density(wrong), MATERIAL, planar).is_err(), "{wrong}");
    }
    let disk = Solid::Shape(Shape::Disk { radius: 0.1 });
    assert!(SceneBody::of_solid(&disk, Amount::Mass(1.0), MATERIAL, spatial).is_err());
    assert!(SceneBody::of_solid(&Solid::Compound(Vec::new()), Amount::Mass(1.0), MATERIAL, planar).is_err());
}

/// Gaps of parts that no scene would take: some answer or none, but no panic and no endless search.
#[test]
fn gaps_of_wrong_parts_do_not_panic() {
    let parts = [
        Part::ball(f64::NAN, MATERIAL),
        Part::ball(-1.0, MATERIAL),
        Part::sharp(Hull::block([f64::NAN, 1.0, 1.0]), MATERIAL),
        Part::sharp(Hull::block([0.0; 3]), MATERIAL),
        Part::ellipsoid([f64::NAN, 1.0, 0.0], MATERIAL),
        Part::ellipsoid([0.0; 3], MATERIAL),
        Part::half_space(Vector3::y() * f64::NAN, 0.0, MATERIAL),
        Part::half_space(Vector3::y(), 0.0, MATERIAL),
    ];
    let poses = [0.0, 0.5, f64::NAN, f64::INFINITY].map(|x| Pose { position: Vector3::x() * x, ..Pose::identity() });
    for (a, b) in parts.iter().flat_map(|a| parts.iter().map(move |b| (a, b))) {
        for pose in &poses {
            let _ = a.gap(pose, (b, &Pose::identity()));
            let _ = (a.bounds(pose), a.reach(), a.support(pose, &Vector3::y()));
        }
    }
}
