//! Robots from URDF files.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::sim::{BodyId, JointId, JointKind, Load};
use carom_study::scenario::SimulationScenario;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A folder of its own with these files in it, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("carom-urdf-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        Folder(folder)
    }

    fn read(&self, name: &str) -> Result<SimulationScenario, String> {
        SimulationScenario::read(self.0.join(name)).map_err(|error| error.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn inertial(mass: f64, z: f64) -> String {
    format!(
        "<inertial><origin xyz=\"0 0 {z}\"/><mass value=\"{mass}\"/>\
         <inertia ixx=\"0.2\" ixy=\"0\" ixz=\"0\" iyy=\"0.2\" iyz=\"0\" izz=\"0.1\"/></inertial>"
    )
}

/// Two links that hang from the world, with a weight fixed to the second.
fn arm() -> String {
    format!(
        "<?xml version=\"1.0\"?>
<robot name=\"arm\">
  <material name=\"grey\"/>
  <link name=\"world\"/>
  <link name=\"upper\">{}<visual><geometry><sphere radius=\"1\"/></geometry></visual>
    <collision><origin xyz=\"0 0 -0.5\"/><geometry><box size=\"0.1 0.1 1\"/></geometry></collision></link>
  <link name=\"lower\">{}
    <collision><geometry><cylinder radius=\"0.1\" length=\"0.5\"/></geometry></collision></link>
  <link name=\"weight\">{}</link>
  <joint name=\"shoulder\" type=\"revolute\"><parent link=\"world\"/><child link=\"upper\"/>
    <origin xyz=\"0 0 3\" rpy=\"0 0 1.5707963267948966\"/><axis xyz=\"0 2 0\"/>
    <limit lower=\"-1\" upper=\"2\" effort=\"10\" velocity=\"3\"/><dynamics damping=\"0.5\" friction=\"0.1\"/></joint>
  <joint name=\"elbow\" type=\"continuous\"><parent link=\"upper\"/><child link=\"lower\"/>
    <origin xyz=\"0 0 -1\"/><axis xyz=\"0 1 0\"/></joint>
  <joint name=\"glue\" type=\"fixed\"><parent link=\"lower\"/><child link=\"weight\"/><origin xyz=\"0 0 -1\"/></joint>
  <transmission name=\"t\"/>
</robot>",
        inertial(2.0, -0.5),
        inertial(1.0, -0.5),
        inertial(3.0, 0.0)
    )
}

const SHOULDER: JointId = JointId::new(0);

#[test]
fn links_become_bodies_and_joints_hold_them() {
    let folder = Folder::with(&[("arm.urdf", &arm())]);
    let robot = folder.read("arm.urdf").unwrap();
    assert_eq!((robot.title.as_str(), robot.body_names.join(" ")), ("arm", "upper lower".to_owned()));
    assert_eq!(robot.joint_names, ["shoulder", "elbow"]);
    let [upper, lower] = [&robot.scene.bodies()[0], &robot.scene.bodies()[1]];
    assert!((upper.state.pose.position - Vector3::new(0.0, 0.0, 2.5)).norm() < 1e-12);
    // The lower link and its weight: 1 kg at −0.5 and 3 kg at −1 below the elbow at z = 2.
    assert_eq!(lower.mass, 4.0);
    assert!((lower.state.pose.position.z - (2.0 - 3.5 / 4.0)).abs() < 1e-12);
    let spread = 1.0 * 0.375_f64.powi(2) + 3.0 * 0.125_f64.powi(2);
    let expected = Matrix3::from_diagonal(&Vector3::new(0.4 + spread, 0.4 + spread, 0.2));
    assert!((lower.inertia - expected).amax() < 1e-12);
    let shoulder = &robot.scene.joints()[0];
    assert_eq!((shoulder.kind(), shoulder.limits(), shoulder.b().body), (JointKind::Revolute, Some([-1.0, 2.0]), None));
    assert_eq!(robot.scene.joints()[1].bodies(), [Some(BodyId::new(1)), Some(BodyId::new(0))]);
    assert!(matches!(robot.scene.loads()[..], [Load::TorsionSpring { joint: SHOULDER, damping: 0.5, .. }]));
    assert_eq!((upper.parts.len(), lower.parts.len()), (1, 1));
    let said = robot.remarks.join("\n");
    for word in
        ["no scenario is given", "visual", "transmission", "material", "friction", "effort", "velocity", "32 sides"]
    {
        assert!(said.contains(word), "{word} is not in\n{said}");
    }
}

#[test]
fn a_scenario_places_a_robot_and_displaces_its_joints() {
    let scene = "
        [simulation]
        duration = 1.0
        [[material]]
        name = 'steel'
        friction = 0.1
        restitution = 0.5
        [[urdf]]
        file = 'arm.urdf'
        name = 'left'
        position = [1.0, 0.0, 0.0]
        joint = [{ name = 'shoulder', displacement = 0.5 }]
        [[motor]]
        joint = 'left/elbow'
        effort = 2.0
        [[spring]]
        between = ['left/lower', 'ground']
        to = [0.0, 0.0, 0.0]
        stiffness = 1.0
        [[wall]]
        point = [0.0, 0.0, 0.0]
        normal = [0.0, 0.0, 1.0]";
    let folder = Folder::with(&[("arm.urdf", &arm()), ("scene.toml", scene)]);
    let robot = folder.read("scene.toml").unwrap();
    assert_eq!(robot.body_names, ["left/upper", "left/lower"]);
    let upper = &robot.scene.bodies()[0];
    // Turned by a quarter about z, the shoulder's axis y points along −x.
    let hang = UnitQuaternion::from_axis_angle(&-Vector3::x_axis(), 0.5) * Vector3::new(0.0, 0.0, -0.5);
    assert!((upper.state.pose.position - (Vector3::new(1.0, 0.0, 3.0) + hang)).norm() < 1e-12);
    assert_eq!(robot.scene.joints()[0].limits(), Some([-1.5, 1.5]));
    let far = scene.replace("displacement = 0.5", "displacement = 2.5");
    let folder = Folder::with(&[("arm.urdf", &arm()), ("scene.toml", &far)]);
    assert!(folder.read("scene.toml").unwrap_err().contains("expected from -1 to 2"));
    let twice = format!("{scene}\n[[urdf]]\nfile = 'arm.urdf'\nname = 'left'\n");
    let folder = Folder::with(&[("arm.urdf", &arm()), ("scene.toml", &twice)]);
    assert!(folder.read("scene.toml").unwrap_err().contains("a second body is called"));
}

#[test]
fn a_root_with_mass_is_free_or_held() {
    let cart = format!(
        "<robot name='cart'><link name='base'>{0}<collision><geometry><sphere radius='0.2'/></geometry></collision></link>
         <link name='slider'>{0}</link>
         <joint name='rail' type='prismatic'><parent link='base'/><child link='slider'/><axis xyz='1 0 0'/>
         <limit lower='0.1' upper='0.4'/></joint></robot>",
        inertial(1.0, 0.0)
    );
    let scene = |base: &str| {
        format!(
            "[simulation]\nduration = 1.0\n[[urdf]]\nfile = 'cart.urdf'\nbase = '{base}'\n[[material]]\nname = 'm'\nfriction = 0\nrestitution = 0\n"
        )
    };
    let folder = Folder::with(&[("cart.urdf", &cart), ("free.toml", &scene("free")), ("fixed.toml", &scene("fixed"))]);
    let free = folder.read("free.toml").unwrap();
    assert_eq!((free.scene.bodies().len(), free.scene.world().len()), (2, 0));
    let held = folder.read("fixed.toml").unwrap();
    assert_eq!((held.scene.bodies().len(), held.world_names.join(" ")), (1, "base".to_owned()));
    let limits = held.scene.joints()[0].limits().unwrap();
    assert!(limits[0] == 0.0 && (limits[1] - 0.3).abs() < 1e-15);
    assert!(
        held.remarks.iter().any(|remark| remark.contains("0 is outside its limits; it starts at 0.1")),
        "{:?}",
        held.remarks
    );
}

#[test]
fn meshes_are_found_in_packages_and_others_are_left_out() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let robot = format!(
        "<robot name='r'><link name='a'>{}
         <collision><geometry><mesh filename='package://some_robot/part.obj' scale='2 2 2'/></geometry></collision>
         <collision><geometry><mesh filename='part.obj'/></geometry></collision>
         <collision><geometry><mesh filename='part.dae'/></geometry></collision>
         <collision><geometry><capsule radius='0.1' length='1'/></geometry></collision>
         <collision><geometry><torus/></geometry></collision></link></robot>",
        inertial(1.0, 0.0)
    );
    let folder = Folder::with(&[("r.urdf", &robot), ("part.obj", obj)]);
    let read = folder.read("r.urdf").unwrap();
    let parts = &read.scene.bodies()[0].parts;
    assert_eq!(parts.len(), 3);
    assert_eq!(parts[0].reach(), 2.0);
    // A capsule stands along z.
    let up = parts[2].support(&carom::sim::Pose::identity(), &Vector3::z());
    assert!((up - 0.6).abs() < 1e-12);
    let said = read.remarks.join("\n");
    assert!(said.contains("part.dae is left out") && said.contains("torus") && said.contains("convex hull"), "{said}");
}

#[test]
fn malformed_robots_are_refused_with_their_line() {
    let link = |name: &str| format!("<link name='{name}'>{}</link>", inertial(1.0, 0.0));
    let two = format!("{}\n{}", link("a"), link("b"));
    let joint = |inside: &str, kind: &str| {
        format!("<robot name='r'>\n{two}\n<joint name='j' type='{kind}'>{inside}</joint></robot>")
    };
    let ends = "<parent link='a'/><child link='b'/>";
    let deep = format!("<robot name='r'>{}", "<a>".repeat(100_000));
    let cases: Vec<(String, &str)> = vec![
        (String::new(), "this is not XML"),
        ("<robot".to_owned(), "this is not XML"),
        ("<sdf/>".to_owned(), "describes no robot but a `sdf`"),
        ("<robot name='r'/>".to_owned(), "the robot has no links"),
        (deep, "nested too deeply"),
        (format!("<robot name='r'>{two}</robot>"), "nothing joins link `b` to link `a`"),
        (format!("<robot name='r'>{}{}</robot>", link("a"), link("a")), "two links are called `a`"),
        (joint(ends, "hinge"), "there is no type of joint `hinge`"),
        (joint("<parent link='a'/>", "fixed"), "joint `j` has no `child`"),
        (joint("<parent link='a'/><child link='bb'/>", "fixed"), "there is no link `bb`"),
        (joint("<parent link='a'/><child link='a'/>", "fixed"), "joints lead round in a circle"),
        (joint(&format!("{ends}<axis xyz='0 0 0'/>"), "revolute"), "an axis of no length"),
        (joint(&format!("{ends}<axis xyz='0 0'/>"), "revolute"), "`xyz` is `0 0`"),
        (joint(&format!("{ends}<limit lower='1' upper='-1'/>"), "revolute"), "the limits of joint `j` are [1, -1]"),
        (joint(&format!("{ends}<limit lower='low'/>"), "revolute"), "`lower` is `low`"),
        (joint(&format!("{ends}<dynamics damping='-1'/>"), "revolute"), "a negative `damping`"),
        ("<robot name='r'><link/></robot>".to_owned(), "`link` has no `name`"),
        ("<robot name='r'><link name='a'><inertial/></link></robot>".to_owned(), "`inertial` has no `mass`"),
        (format!("<robot name='r'>{}</robot>", link("a").replace("0.1", "9")), "this is no inertia"),
        (format!("<robot name='r'>{}</robot>", link("a").replace("\"1\"", "\"nan\"")), "`value` is `nan`"),
        (
            format!("<robot name='r'>{}</robot>", link("a").replace("</link>", "<collision/></link>")),
            "a collision has no geometry",
        ),
        (
            "<robot name='r'><link name='w'/><link name='a'/><joint name='j' type='continuous'><parent link='w'/>\
             <child link='a'/></joint></robot>"
                .to_owned(),
            "link `a` moves but has no mass",
        ),
    ];
    for (text, expected) in cases {
        let folder = Folder::with(&[("r.urdf", &text)]);
        let error = folder.read("r.urdf").unwrap_err();
        assert!(error.contains(expected) && error.contains("r.urdf"), "{expected}:\n{error}");
        assert!(!error.contains("[[urdf]]") && !error.contains("file ="), "{error}");
    }
    // From a scenario, the line of the robot's file is told.
    let robot = format!("<robot name='r'>\n\n{}\n<link/></robot>", link("a"));
    let scene = "[simulation]\nduration = 1.0\n[[urdf]]\nfile = 'r.urdf'\n";
    let folder = Folder::with(&[("r.urdf", &robot), ("scene.toml", scene)]);
    let error = folder.read("scene.toml").unwrap_err();
    assert!(error.contains("r.urdf:4:1: `link` has no `name`") && error.contains("scene.toml:4:"), "{error}");
    let folder = Folder::with(&[("scene.toml", scene)]);
    assert!(folder.read("scene.toml").unwrap_err().contains("there is no such file"));
}

#[test]
fn what_a_robot_leaves_open_is_said_with_its_name() {
    let link = |name: &str| format!("<link name='{name}'>{}</link>", inertial(1.0, 0.0));
    let joint = |name: &str, kind: &str, parent: &str, child: &str| {
        format!("<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/></joint>")
    };
    let robot = format!(
        "<robot name='r'>{}{}{}{}{}</robot>",
        link("a"),
        link("b"),
        link("c"),
        joint("elbow", "revolute", "a", "b"),
        joint("bolt", "fixed", "b", "c")
    );
    let scene = "[simulation]\nduration = 1.0\n[[urdf]]\nfile = 'r.urdf'\nname = 'left'\n[[urdf]]\nfile = 'r.urdf'\nname = 'right'\n";
    let folder = Folder::with(&[("r.urdf", &robot), ("scene.toml", scene)]);
    let said = folder.read("scene.toml").unwrap().remarks.join("\n");
    for name in ["left", "right"] {
        assert!(said.contains(&format!("{name}: joint elbow has no limit")), "{said}");
        assert!(said.contains(&format!("{name}: fixed joints make one body, b, of it and c")), "{said}");
    }
}

#[test]
fn a_robot_that_is_cut_off_is_told_at_its_end() {
    let cut = format!("<robot name='r'>\n<link name='a'>\n{}\n  <coll", inertial(1.0, 0.0));
    for text in [cut.as_str(), "<robot name='r'>\n\n\n", &cut[..cut.len() - 8]] {
        let scene = "[simulation]\nduration = 1.0\n[[urdf]]\nfile = 'r.urdf'\n";
        let folder = Folder::with(&[("r.urdf", text), ("scene.toml", scene)]);
        let error = folder.read("scene.toml").unwrap_err();
        let line = text.trim_end().matches('\n').count() + 1;
        assert!(error.contains(&format!("r.urdf:{line}:")) && error.contains("ends before its elements"), "{error}");
    }
}
