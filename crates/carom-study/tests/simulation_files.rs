//! Scenes that move through time, read from files.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::Dimension;
use carom::sim::{Core, JointId, JointKind, Load, MaterialId, MovingJoint};
use carom_study::scenario::{Engine, Scenario, SimulationScenario};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::path::Path;

/// The material at a place.
fn material(index: usize) -> MaterialId {
    MaterialId::new(index)
}

fn read(text: &str) -> SimulationScenario {
    SimulationScenario::parse("scene.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    SimulationScenario::parse("scene.toml", text).unwrap_err().to_string()
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1e-3), "{a} is not {b}");
}

#[track_caller]
fn same(a: &Matrix3<f64>, b: &Matrix3<f64>) {
    assert!((a - b).amax() <= 1e-12 * b.amax(), "{a} is not {b}");
}

const SPACE: &str = "[simulation]\nduration = 1.0\n";

fn body(shape: &str) -> String {
    format!("{SPACE}[[body]]\nname = 'part'\nposition = [0.0, 0.0, 0.0]\n{shape}\n")
}

#[test]
fn one_file_serves_a_collision_and_a_simulation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/rocking-block.toml");
    assert_eq!(Scenario::read(&path).unwrap().impact.contacts(), 2);
    let block = SimulationScenario::read(&path).unwrap();
    assert_eq!(block.dimension(), Dimension::Planar);
    assert_eq!((block.settings.engine, block.settings.duration), (Engine::Event, 1.0));
    assert_eq!(block.law.id, "newton-lcp");
    assert_eq!((block.scene.bodies().len(), block.scene.world().len()), (1, 1));
    let materials = (block.scene.bodies()[0].parts[0].material, block.scene.world()[0].material);
    assert_eq!(block.scene.materials().parameter(materials.0, materials.1, "restitution"), Some(0.5));
    assert_eq!(block.scene.materials().friction(materials.0, materials.1), [0.35; 2]);
    close(block.scene.bodies()[0].inertia[(2, 2)], 2.5 * (0.1087_f64.powi(2) + 0.0645_f64.powi(2)) / 12.0);
}

#[test]
fn every_table_is_read_together_with_all_others() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
    let plane = SimulationScenario::read(scenes.join("everything-planar.toml")).unwrap();
    assert_eq!((plane.scene.bodies().len(), plane.scene.world().len(), plane.scene.loads().len()), (4, 2, 5));
    let space = SimulationScenario::read(scenes.join("everything-spatial.toml")).unwrap();
    assert_eq!((space.scene.bodies().len(), space.scene.joints().len()), (4, 2));
    assert_eq!(space.world_names, ["wall 1", "obstacle 1"]);
}

#[test]
fn the_book_s_examples_are_scenes() {
    let page = include_str!("../../../docs/src/howto/describe-a-scene.md");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(read(blocks[0]).scene.bodies().len(), 2);
    let driven = read(&[blocks[0], blocks[1]].concat());
    assert_eq!((driven.scene.joints().len(), driven.scene.loads().len(), driven.scene.strings().len()), (1, 1, 1));
}

#[test]
fn two_materials_make_a_pair_unless_a_pair_is_given() {
    let text = |pair: &str| {
        format!(
            "{SPACE}
            [[body]]
            name = 'ball'
            mass = 1.0
            shape = {{ ball = {{ radius = 0.1 }} }}
            position = [0.0, 1.0]
            material = 'rubber'
            [[wall]]
            point = [0.0, 0.0]
            normal = [0.0, 2.0]
            material = 'ice'
            [[material]]
            name = 'rubber'
            static_friction = 0.9
            kinetic_friction = 0.4
            restitution = 0.8
            [[material]]
            name = 'ice'
            friction = 0.1
            restitution = 0.3
            [law]
            id = 'whittaker'
            {pair}"
        )
    };
    assert!(
        refused(&text("").replace("whittaker", "newton-lcp")).contains("a law that takes both: `rodriguez-bowling`")
    );
    let made = read(&text(""));
    assert_eq!(made.material_names, ["rubber", "ice"]);
    let [stick, slip] = made.scene.materials().friction(material(0), material(1));
    close(stick, 0.3);
    close(slip, 0.2);
    assert_eq!(made.scene.materials().parameter(material(0), material(1), "restitution"), Some(0.3));
    assert_eq!(made.scene.materials().friction(material(0), material(0)), [0.9, 0.4]);
    let given = read(&text("[[pair]]\nbetween = ['ice', 'rubber']\nfriction = 0.05"));
    assert_eq!(given.scene.materials().friction(material(0), material(1)), [0.05; 2]);
    assert_eq!(given.scene.materials().parameter(material(1), material(0), "restitution"), Some(0.3));
    assert_eq!(given.scene.world()[0].core, Core::HalfSpace { normal: Vector3::y(), offset: 0.0 });
}

#[test]
fn only_materials_that_can_meet_need_parameters() {
    let named = |name: &str, parameters: &str| format!("[[material]]\nname = '{name}'\n{parameters}\n");
    let ball = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = '{name}'\nmass = 1.0\nmaterial = 'wood'\nposition = [{x:.1}, 5.0]\nshape.ball.radius = 0.1\n"
        )
    };
    let floor = "[[wall]]\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]\nmaterial = 'ice'\n";
    let pair = "[[pair]]\nbetween = ['wood', 'ice']\nrestitution = 0.5\nfriction = 0.1\n";
    let surroundings = format!("{SPACE}{}{}{floor}{pair}", named("wood", ""), named("ice", ""));
    let one = read(&format!("{surroundings}{}", ball("a", 0.0)));
    assert_eq!(one.scene.materials().parameter(material(0), material(1), "friction"), Some(0.1));
    let two = refused(&format!("{surroundings}{}{}", ball("a", 0.0), ball("b", 1.0)));
    assert!(two.contains("needs `restitution` between `wood` and `wood`"), "{two}");
}

#[test]
fn contacts_give_parameters_to_the_bodies_they_name() {
    let scene = |second: &str| {
        format!(
            "{SPACE}
            [[body]]
            name = 'a'
            mass = 1.0
            shape = {{ ball = {{ radius = 0.1 }} }}
            position = [0.0, 0.0]
            [[body]]
            name = 'b'
            mass = 1.0
            shape = {{ ball = {{ radius = 0.1 }} }}
            position = [0.2, 0.0]
            [[contact]]
            between = ['a', 'b']
            point = [0.1, 0.0]
            normal = [-1.0, 0.0]
            friction = 0.2
            restitution = 0.7
            [[contact]]
            between = ['ground', 'b']
            point = [0.3, 0.0]
            normal = [1.0, 0.0]
            friction = 0.2
            restitution = {second}"
        )
    };
    let differ = read(&scene("0.1"));
    let [a, b] = [0, 1].map(|k| differ.scene.bodies()[k].parts[0].material);
    let between = |a, b| differ.scene.materials().parameter(a, b, "restitution");
    assert_eq!((between(a, b), between(material(0), b), between(material(0), a)), (Some(0.7), Some(0.1), None));
    let alike = read(&scene("0.7"));
    assert_eq!(alike.material_names.len(), 1);
    assert_eq!(alike.scene.materials().parameter(material(0), material(0), "restitution"), Some(0.7));
}

#[test]
fn a_polygon_lies_about_its_centre_of_mass() {
    let wedge = read(&format!(
        "{SPACE}[[body]]\nname = 'wedge'\ndensity = 2.0\nposition = [5.0, 0.0]\norientation = 0.5\n\
         shape = {{ polygon = {{ vertices = [[1, 1], [4, 1], [1, 4], [2, 2]] }} }}"
    ));
    let mover = &wedge.scene.bodies()[0];
    close(mover.mass, 9.0);
    // A right isosceles triangle of leg a: I about the centroid is m a²/9.
    close(mover.inertia[(2, 2)], 9.0);
    let Core::Hull(hull) = &mover.parts[0].core else { panic!() };
    assert_eq!(hull.vertices().len(), 3);
    assert!(hull.vertices().iter().sum::<Vector3<f64>>().norm() < 1e-14);
    assert_eq!(mover.state.pose.orientation, UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.5));
}

#[test]
fn a_polyhedron_weighs_what_a_box_does() {
    let corners = "[0,0,0],[1,0,0],[0,2,0],[1,2,0],[0,0,3],[1,0,3],[0,2,3],[1,2,3],[0.5,0.5,0.5]";
    let of_corners = read(&body(&format!("density = 2.0\nshape = {{ polyhedron = {{ vertices = [{corners}] }} }}")));
    let of_box = read(&body("density = 2.0\nshape = { box = { size = [1, 2, 3] } }"));
    let (a, b) = (&of_corners.scene.bodies()[0], &of_box.scene.bodies()[0]);
    close(a.mass, 12.0);
    same(&a.inertia, &b.inertia);
    close(a.reach(), b.reach());
}

#[test]
fn compounds_add_up_about_their_common_centre() {
    let dumbbell = read(&body(
        "shape = { compound = [
            { shape = { ball = { radius = 0.1 } }, position = [0, 0, 0], mass = 1.0 },
            { shape = { ball = { radius = 0.1 } }, position = [0, 0, 3], mass = 2.0 },
        ] }",
    ));
    let mover = &dumbbell.scene.bodies()[0];
    let across = 3.0 * 0.4 * 0.01 + 4.0 + 2.0;
    close(mover.mass, 3.0);
    same(&mover.inertia, &Matrix3::from_diagonal(&Vector3::new(across, across, 0.012)));
    close(mover.reach(), 2.1);
    // Two halves are the whole, whatever way they are turned.
    let halves = read(&body(
        "density = 3.0
         shape = { compound = [
            { shape = { box = { size = [1, 2, 3] } }, position = [-0.5, 0, 0] },
            { shape = { box = { size = [2, 1, 3] } }, position = [0.5, 0, 0], orientation = [1, 0, 0, 1] },
         ] }",
    ));
    let whole = read(&body("density = 3.0\nshape = { box = { size = [2, 2, 3] } }"));
    close(halves.scene.bodies()[0].mass, whole.scene.bodies()[0].mass);
    same(&halves.scene.bodies()[0].inertia, &whole.scene.bodies()[0].inertia);
    assert_eq!(halves.scene.bodies()[0].parts.len(), 2);
}

#[test]
fn given_inertia_leaves_the_shape_to_touch_with() {
    let top = read(&body(
        "mass = 1.0\ninertia = [0.2, 0.2, 0.1]\ncentre_of_mass = [0, 0, 0.1]\nshape = { ball = { radius = 0.5 } }",
    ));
    let mover = &top.scene.bodies()[0];
    assert_eq!(mover.inertia[(2, 2)], 0.1);
    let Core::Hull(hull) = &mover.parts[0].core else { panic!() };
    assert_eq!(hull.vertices(), [Vector3::new(0.0, 0.0, -0.1)]);
}

#[test]
fn joints_loads_and_strings_arrive_in_the_scene() {
    let arm = read(
        "[simulation]
        duration = 1.0
        gravity = [0.0, -9.81]
        engine = 'stepping'
        step = 0.001
        tolerance = 1e-9
        interval = 0.01
        [law]
        id = 'poisson-lcp'
        [[body]]
        name = 'arm'
        mass = 1.0
        shape = { rod = { length = 1.0 } }
        position = [0.5, 0.0]
        [[body]]
        name = 'bob'
        mass = 1.0
        shape = { ball = { radius = 0.1 } }
        position = [2.0, 0.0]
        [[joint]]
        name = 'hinge'
        between = ['arm', 'ground']
        kind = 'revolute'
        point = [0.0, 0.0]
        limits = [-1.0, 2.0]
        restitution = 0.25
        [[joint]]
        between = ['bob', 'ground']
        kind = 'prismatic'
        point = [2.0, 0.0]
        axis = [1.0, 0.0]
        [[motor]]
        joint = 'hinge'
        effort = 3.0
        signal = { frequency = 6.0, amplitude = 2.0, offset = 1.0 }
        [[torsion_spring]]
        joint = 'hinge'
        stiffness = 4.0
        [[spring]]
        between = ['arm', 'bob']
        from = [1.0, 0.0]
        stiffness = 10.0
        damping = 0.1
        [[string]]
        between = ['ground', 'bob']
        from = [2.0, 2.0]
        restitution = 0.5
        [[force]]
        body = 'bob'
        point = [2.0, 0.1]
        force = [1.0, 0.0]
        [[torque]]
        body = 'arm'
        torque = 0.5
        [[material]]
        name = 'steel'
        friction = 0.1
        restitution = 0.2",
    );
    let scene = &arm.scene;
    assert_eq!(arm.joint_names, ["hinge", "joint 2"]);
    assert_eq!((scene.joints()[0].limits(), scene.joints()[1].kind()), (Some([-1.0, 2.0]), JointKind::Prismatic));
    assert_eq!(scene.joints().iter().map(MovingJoint::restitution).collect::<Vec<_>>(), [Some(0.25), None]);
    assert_eq!(arm.settings.engine.word(), "stepping");
    assert_eq!(
        (arm.settings.step, arm.settings.tolerance, arm.settings.interval),
        (Some(0.001), Some(1e-9), Some(0.01))
    );
    assert_eq!((arm.law.id, scene.gravity().y), ("poisson-lcp", -9.81));
    let effort = scene.loads().iter().find_map(|load| match load {
        Load::Motor { effort, joint } if *joint == JointId::new(0) => Some(*effort),
        _ => None,
    });
    close(effort.unwrap().at(std::f64::consts::PI / 12.0), 9.0);
    assert!(scene.loads().iter().any(|load| matches!(
        load,
        Load::Spring { a, b, rest_length: 1.0, .. } if a.point == Vector3::x() * 0.5 && b.point == Vector3::zeros()
    )));
    assert!(scene.loads().iter().any(|load| matches!(load, Load::Force { at, .. } if at.point == Vector3::y() * 0.1)));
    assert!(scene.loads().iter().any(|load| matches!(load, Load::Torque { torque, .. } if torque.z == 0.5)));
    assert!(scene.loads().iter().any(|load| matches!(load, Load::TorsionSpring { rest_angle: 0.0, .. })));
    assert_eq!((scene.strings()[0].length, scene.strings()[0].a.body), (2.0, None));
}

#[test]
fn every_kind_of_joint_serves_impacts_and_motion() {
    for dimension in [2, 3] {
        for kind in ["revolute", "spherical", "prismatic", "fixed", "universal", "planar"] {
            let zeros = if dimension == 2 { "0.0, 0.0" } else { "0.0, 0.0, 0.0" };
            let axis = if dimension == 2 { "1.0, 0.0" } else { "1.0, 0.0, 0.0" };
            let text = format!(
                "{SPACE}[[body]]\nname = 'a'\nmass = 1.0\nshape = {{ ball = {{ radius = 1.0 }} }}\nposition = [{zeros}]\n\
                 [[body]]\nname = 'b'\nmass = 1.0\nshape = {{ ball = {{ radius = 1.0 }} }}\nposition = [{zeros}]\n\
                 [[joint]]\nbetween = ['a', 'b']\nkind = '{kind}'\npoint = [{zeros}]\naxis = [{axis}]\n\
                 [[contact]]\nbetween = ['a', 'ground']\npoint = [{zeros}]\nnormal = [{axis}]\nfriction = 0.1\nrestitution = 0.5"
            );
            assert_eq!(read(&text).scene.joints().len(), 1, "{kind}");
            Scenario::parse("scene.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn surroundings_are_parts_of_the_world_with_their_names() {
    let text = |shape: &str| {
        format!(
            "{}mass = 1.0\ninertia = [1.0, 1.0, 1.0]\n[[obstacle]]\nname = 'step'\nshape = {shape}\nposition = [0, 0, 2]",
            body("")
        )
    };
    let step = read(&text("{ cylinder = { radius = 1.0, length = 0.5 } }"));
    assert_eq!(step.world_names, ["step"]);
    let Core::Hull(hull) = &step.scene.world()[0].core else { panic!() };
    assert_eq!(hull.vertices().len(), 64);
    assert!(step.remarks[0].contains("obstacle step: a cylinder touches as a prism of 32 sides"), "{:?}", step.remarks);
    assert!(refused(&text("{ hoop = { radius = 1.0 } }")).contains("touches nothing"));
}

#[test]
fn meshes_stand_beside_the_scenario_and_become_their_hull() {
    let folder = std::env::temp_dir().join(format!("carom-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let corners: Vec<[f32; 3]> = (0..8_u8).map(|k| [k & 1, (k >> 1) & 1, k >> 2].map(f32::from)).collect();
    let line = |word: &str, [x, y, z]: [f32; 3]| format!("{word} {x} {y} {z}");
    let obj = corners.iter().map(|corner| line("v", *corner)).collect::<Vec<_>>().join("\n");
    let facets: Vec<[usize; 3]> = vec![[0, 1, 2], [1, 2, 3], [4, 5, 6], [5, 6, 7], [0, 4, 7]];
    let ascii = facets.iter().flatten().map(|k| line("vertex", corners[*k])).collect::<Vec<_>>().join("\n");
    let mut binary = vec![0_u8; 80];
    binary.extend((facets.len() as u32).to_le_bytes());
    for facet in &facets {
        binary.extend([0_u8; 12]);
        binary.extend(facet.iter().flat_map(|k| corners[*k]).flat_map(f32::to_le_bytes));
        binary.extend([0_u8; 2]);
    }
    std::fs::write(folder.join("a.obj"), format!("# cube\n{obj}\nf 1 2 3\n")).unwrap();
    std::fs::write(folder.join("b.stl"), format!("solid cube\n{ascii}\nendsolid\n")).unwrap();
    std::fs::write(folder.join("c.STL"), binary).unwrap();
    for file in ["a.obj", "b.stl", "c.STL"] {
        let text = body(&format!("density = 1000.0\nshape = {{ mesh = {{ file = '{file}', scale = 0.1 }} }}"));
        let cube = SimulationScenario::parse_in("scene.toml", &text, Some(&folder)).unwrap();
        assert!((cube.scene.bodies()[0].mass - 1.0).abs() < 1e-12, "{file}");
        assert!(cube.remarks[0].contains("convex hull"), "{:?}", cube.remarks);
        assert!(refused(&text).contains("cannot be found"));
        std::fs::write(folder.join("scene.toml"), &text).unwrap();
        assert!(SimulationScenario::read(folder.join("scene.toml")).is_ok());
    }
    // A closed cube is its own hull; one with a dent in a face is not.
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n";
    let pit = "v 0.5 0.5 0.5\nf -8/1 9/2 -2\nf 4 9 2\nf 6 9 8\nf 2 9 6\nf 8 9 4\n";
    for (last, remarks) in [("f 2 4 8 6\n", 0), (&pit[..16], 1), (pit, 1)] {
        std::fs::write(folder.join("a.obj"), format!("{obj}\n{faces}{last}")).unwrap();
        let text = body("density = 1000.0\nshape.mesh.file = 'a.obj'");
        let cube = SimulationScenario::parse_in("scene.toml", &text, Some(&folder)).unwrap();
        assert_eq!(cube.remarks.len(), remarks, "{last}: {:?}", cube.remarks);
        assert_eq!((cube.files.len(), cube.files[0].name.as_str()), (1, "a.obj"));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_polygon_with_dents_is_said_to_be_replaced() {
    let polygon = |vertices: &str| {
        read(&format!(
            "{SPACE}[[body]]\nname = 'part'\nposition = [0.0, 0.0]\nmass = 1.0\nshape.polygon.vertices = {vertices}"
        ))
        .remarks
    };
    assert_eq!(polygon("[[0, 0], [1, 0], [1, 1], [0, 1]]"), Vec::<String>::new());
    // A corner on an edge is no dent.
    assert_eq!(polygon("[[0, 0], [0.3, 0], [1, 0], [1, 1], [0, 1]]"), Vec::<String>::new());
    let dented = polygon("[[0, 0], [0.5, 0.4], [1, 0], [1, 1], [0, 1]]");
    assert!(dented.len() == 1 && dented[0].contains("body part: the polygon has dents"), "{dented:?}");
}

#[test]
fn a_missing_parameter_is_asked_for_where_it_is_accepted() {
    let ball = "[[body]]\nname = 'ball'\nmass = 1.0\nshape.ball.radius = 0.1\nposition = [0.0, 1.0]
        [[wall]]\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]\n";
    let material = "[[material]]\nname = 'wood'\nfriction = 0.3\nrestitution = 0.5\n";
    let said = refused(&format!("{SPACE}{ball}{material}[law]\nid = 'brach'\n"));
    assert!(said.contains("expected `impulse_ratio` in `[law]`"), "{said}");
    read(&format!("{SPACE}{ball}{material}[law]\nid = 'brach'\nimpulse_ratio = 0.1\n"));
    let said = refused(&format!("{SPACE}{ball}{}", material.replace("restitution = 0.5", "")));
    assert!(said.contains("expected `restitution` in both materials, or in their `[[pair]]`"), "{said}");
}

#[test]
fn an_empty_file_lacks_a_simulation_and_a_title_is_the_name_of_the_file() {
    assert!(refused(" \n").contains("expected `[simulation]` with `duration`"));
    let text = body("mass = 1.0\ninertia = [1.0, 1.0, 1.0]");
    assert_eq!(SimulationScenario::parse("some/folder/ball.toml", &text).unwrap().title, "ball");
}
