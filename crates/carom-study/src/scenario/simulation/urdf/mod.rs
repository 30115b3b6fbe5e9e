//! Robots from URDF files: links become bodies, and joints joints.

mod robot;

pub(in crate::scenario) use robot::{Robot, UrdfFault};

use super::bodies::Bodies;
use super::joints::Joints;
use super::materials::MaterialTable;
use crate::scenario::body::GROUND;
use crate::scenario::fault::{Fault, shown};
use crate::scenario::files::Files;
use crate::scenario::mesh::Mesh;
use crate::scenario::numbers::Numbers;
use crate::scenario::pose::read_pose;
use crate::scenario::table::TableReader;
use carom::Dimension;
use carom::sim::{
    BodyId, Hull, JointId, JointKind, Load, MaterialId, Matter, Part, Passing, Pose, SceneBody, SceneJoint, Solid,
};
use nalgebra::{UnitQuaternion, Vector3};
use robot::{Geometry, Link, UrdfJoint, UrdfKind, fault};
use std::collections::HashSet;
use std::ops::Range;

/// Robots are descriptions of some hundred links.
pub(in crate::scenario) const LARGEST_URDF: u64 = 1 << 24;

/// Results of reading robots besides bodies and joints.
#[derive(Default)]
pub(super) struct Robots {
    /// Of their joints.
    pub damping: Vec<Load>,
    /// Links that pass through each other.
    pub passing: Vec<Passing>,
}

/// Adds the robots of a file to its bodies and joints.
pub(super) fn read_robots(
    file: &TableReader<'_>,
    dimension: Dimension,
    files: &Files,
    materials: &MaterialTable,
    bodies: &mut Bodies,
    joints: &mut Joints,
) -> Result<Robots, Fault> {
    let mut robots = Robots::default();
    for table in file.tables("urdf") {
        let span = table.span_of("file");
        let name = table.text("file").unwrap_or_default();
        if dimension == Dimension::Planar {
            return Err(Fault::at(span, "a robot is spatial, but the rest is planar").label("expected a spatial scene"));
        }
        if !files.are_somewhere() {
            return Err(Fault::at(span, format!("{} cannot be found", shown(name)))
                .label("expected a scenario file whose folder it stands in, not standard input"));
        }
        let unreadable = |reason: String| Fault::at(span.clone(), format!("cannot read {}: {reason}", shown(name)));
        let bytes = files.read(name, LARGEST_URDF).map_err(unreadable)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable("it is not UTF-8 text".to_owned()))?;
        let located = |fault: UrdfFault| {
            let (line, column) = line_and_column(text, fault.span.start);
            Fault::at(span.clone(), format!("{}:{line}:{column}: {}", name, fault.message)).label(fault.label)
        };
        let robot = Robot::parse(text).map_err(located)?;
        let builder = Builder {
            files,
            file: name,
            prefix: table.text("name").map_or_else(String::new, |name| format!("{name}/")),
            base: read_pose(table)?,
            held: table.word("base") == Some(1),
            material: materials.of_surroundings(table)?,
            touches_itself: table.flag("self_collision").unwrap_or(true),
            choices: read_choices(table, &robot)?,
        };
        builder.add(&robot, bodies, joints, &mut robots).map_err(located)?;
        let ignored: Vec<&str> = robot.ignored.iter().map(String::as_str).collect();
        if !ignored.is_empty() {
            bodies.remarks.push(format!("{}: not read: {}", builder.robot(), ignored.join(", ").replace('`', "")));
        }
    }
    let mut known = HashSet::with_capacity(bodies.names.len());
    if let Some(twice) = bodies.names.iter().find(|name| !known.insert(name.as_str()) || *name == GROUND) {
        let span = file.table("urdf").map_or(0..0, |table| table.span.clone());
        return Err(Fault::at(span, format!("a second body is called {}", shown(twice)))
            .label("expected a `name` for this robot, which its links are then called after"));
    }
    Ok(robots)
}

/// Refuses a robot that cannot be built, whatever meshes it has.
pub(in crate::scenario) fn check(robot: &Robot) -> Result<(), UrdfFault> {
    let builder = Builder {
        files: &Files::default(),
        file: "",
        prefix: String::new(),
        base: Pose::identity(),
        held: false,
        material: MaterialId::default(),
        touches_itself: true,
        choices: vec![Choice::default(); robot.joints.len()],
    };
    builder.add(robot, &mut Bodies::default(), &mut Joints::default(), &mut Robots::default())
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The scenario's settings of a joint of the robot.
#[derive(Clone, Copy, Default)]
struct Choice {
    displacement: Option<f64>,
    restitution: Option<f64>,
    collide: bool,
}

/// The scenario's settings of the joints.
fn read_choices(table: &TableReader<'_>, robot: &Robot) -> Result<Vec<Choice>, Fault> {
    let names: Vec<String> = robot.joints.iter().map(|joint| joint.name.clone()).collect();
    let mut choices = vec![Choice::default(); robot.joints.len()];
    for given in table.tables("joint") {
        let place = super::place_of(given, "name", &names, "joint")?;
        let joint = &robot.joints[place];
        let [displacement, restitution] =
            ["displacement", "restitution"].map(|key| given.numbers(key).map(Numbers::first));
        let collide = given.flag("collide").unwrap_or(false);
        choices[place] = Choice { displacement, restitution, collide };
        if restitution.is_some_and(|restitution| restitution > 0.0) && joint.limits.is_none() {
            return Err(Fault::at(given.span_of("restitution"), "this joint has no limits to be thrown back from")
                .label("expected none, or a `limit` in the robot's file"));
        }
        if collide && table.flag("self_collision") == Some(false) {
            return Err(Fault::at(given.span_of("collide"), "the links of this robot do not touch each other")
                .label("expected `self_collision` to be true")
                .context(table.span_of("self_collision"), "here"));
        }
        let Some(value) = displacement else { continue };
        if !matches!(joint.kind, UrdfKind::Revolute | UrdfKind::Continuous | UrdfKind::Prismatic) {
            return Err(Fault::at(given.span_of("name"), "this joint has no displacement")
                .label("expected one that is revolute, continuous or prismatic"));
        }
        if let Some([low, high]) = joint.limits
            && !(low <= value && value <= high)
        {
            return Err(Fault::at(given.span_of("displacement"), format!("`displacement` is {value}"))
                .label(format!("expected from {low} to {high}, the limits of the joint")));
        }
    }
    Ok(choices)
}

struct Builder<'a> {
    /// Where its meshes are.
    files: &'a Files,
    /// The name of its own.
    file: &'a str,
    /// Of the names of bodies and joints.
    prefix: String,
    /// Where the root link is.
    base: Pose,
    /// Whether the root link is part of the world.
    held: bool,
    material: MaterialId,
    /// Whether links that no joint connects touch each other.
    touches_itself: bool,
    /// For every joint.
    choices: Vec<Choice>,
}

/// Links that fixed joints hold together.
struct Cluster {
    /// The link nearest to the root.
    head: usize,
    members: Vec<usize>,
}

impl Builder<'_> {
    fn add(
        &self,
        robot: &Robot,
        bodies: &mut Bodies,
        joints: &mut Joints,
        robots: &mut Robots,
    ) -> Result<(), UrdfFault> {
        let starts = self.starts(robot, bodies);
        let order = from_the_root(robot)?;
        let poses = self.poses(robot, &order, &starts);
        let clusters = clusters(robot, &order);
        self.remark_structure(robot, &clusters, bodies);
        let mut places: Vec<Option<BodyId>> = vec![None; robot.links.len()];
        let (first, world) = (bodies.movers.len(), bodies.world.len());
        for (k, cluster) in clusters.iter().enumerate() {
            let mut parts = Vec::new();
            let mut matter = Vec::new();
            for member in &cluster.members {
                let link = &robot.links[*member];
                matter.extend(link.matter.map(|matter| matter.moved(&poses[*member])));
                for part in self.parts(link, bodies)? {
                    parts.push(part.moved(&poses[*member]));
                }
            }
            let link = &robot.links[cluster.head];
            let name = format!("{}{}", self.prefix, link.name);
            let matter = Matter::sum(&matter);
            if k == 0 && (self.held || matter.is_none()) {
                bodies.world_names.extend(parts.iter().map(|_| name.clone()));
                bodies.world.extend(parts);
                continue;
            }
            let Some(matter) = matter else {
                let message = format!("link `{}` moves but has no mass", link.name);
                return Err(fault(link.span.clone(), message, "expected `inertial` with a mass above 0"));
            };
            // World axes at the start are the body's own but for its centre of mass and the turn of its link.
            let turn = poses[cluster.head].orientation;
            let to_body =
                Pose { position: turn.inverse_transform_vector(&-matter.centre), orientation: turn.inverse() };
            let own = matter.moved(&to_body);
            let mover = SceneBody::new(own.mass, own.inertia)
                .with_parts(parts.into_iter().map(|part| part.moved(&to_body)).collect())
                .at(Pose { position: matter.centre, orientation: turn }, Vector3::zeros(), Vector3::zeros());
            mover
                .check(Dimension::Spatial)
                .map_err(|error| fault(link.span.clone(), format!("link `{}`: {error}", link.name), ""))?;
            for member in &cluster.members {
                places[*member] = Some(BodyId::new(bodies.movers.len()));
            }
            bodies.names.push(name);
            bodies.movers.push(mover);
        }
        robots.damping.extend(self.hold(robot, &starts, &poses, &places, joints));
        let base = world..bodies.world.len();
        robots.passing.extend(self.passing(robot, &places, first..bodies.movers.len(), base));
        Ok(())
    }

    /// Links that pass through each other, besides those that a joint of the scene connects: the base that is part of the world and
    /// the links at its joints; all of them where the robot does not touch itself.
    fn passing(
        &self,
        robot: &Robot,
        places: &[Option<BodyId>],
        links: Range<usize>,
        base: Range<usize>,
    ) -> Vec<Passing> {
        let through_base = |body: usize| base.clone().map(move |part| Passing::Part { body: BodyId::new(body), part });
        if !self.touches_itself {
            let pairs =
                links.clone().flat_map(|a| (links.start..a).map(move |b| Passing::Bodies([a, b].map(BodyId::new))));
            return pairs.chain(links.clone().flat_map(through_base)).collect();
        }
        let joints = robot.joints.iter().zip(&self.choices).filter(|(_, choice)| !choice.collide);
        let at_base = joints.filter_map(|(joint, _)| match (places[joint.parent], places[joint.child]) {
            (None, Some(body)) => Some(body.index()),
            _ => None,
        });
        at_base.flat_map(through_base).collect()
    }

    /// What remarks call the robot: its name in the scenario, or its file.
    fn robot(&self) -> &str {
        if self.prefix.is_empty() { self.file } else { self.prefix.trim_end_matches('/') }
    }

    fn remark(&self, bodies: &mut Bodies, words: &str) {
        let words = format!("{}: {words}", self.robot());
        if !bodies.remarks.contains(&words) {
            bodies.remarks.push(words);
        }
    }

    /// Says what the file leaves open, and which links lose their names.
    fn remark_structure(&self, robot: &Robot, clusters: &[Cluster], bodies: &mut Bodies) {
        for joint in robot.joints.iter().filter(|joint| joint.limits.is_none()) {
            if matches!(joint.kind, UrdfKind::Revolute | UrdfKind::Prismatic) {
                let words = format!("joint {} has no limit, though its type needs one: it moves freely", joint.name);
                self.remark(bodies, &words);
            }
        }
        for cluster in clusters {
            let merged: Vec<&str> = cluster.members[1..].iter().map(|link| robot.links[*link].name.as_str()).collect();
            if !merged.is_empty() {
                let head = &robot.links[cluster.head].name;
                self.remark(bodies, &format!("fixed joints make one body, {head}, of it and {}", merged.join(", ")));
            }
        }
    }

    /// Displacements at the start: those given, else 0, or the limit next to it.
    fn starts(&self, robot: &Robot, bodies: &mut Bodies) -> Vec<f64> {
        let start = |(joint, choice): (&UrdfJoint, &Choice)| {
            let [low, high] = joint.limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let start = choice.displacement.unwrap_or(0.0).clamp(low, high);
            if choice.displacement.is_none() && start != 0.0 {
                let words = format!("joint {}: 0 is outside its limits; it starts at {start}", joint.name);
                self.remark(bodies, &words);
            }
            start
        };
        robot.joints.iter().zip(&self.choices).map(start).collect()
    }

    /// Where every link is in the world.
    fn poses(&self, robot: &Robot, order: &[usize], starts: &[f64]) -> Vec<Pose> {
        let mut poses = vec![self.base; robot.links.len()];
        for link in order {
            let Some(k) = robot.joints.iter().position(|joint| joint.child == *link) else { continue };
            let joint = &robot.joints[k];
            let own = displaced(joint, starts[k]);
            poses[*link] = then(&poses[joint.parent], &then(&joint.origin, &own));
        }
        poses
    }

    /// What a link touches with, in its axes.
    fn parts(&self, link: &Link, bodies: &mut Bodies) -> Result<Vec<Part>, UrdfFault> {
        let mut parts = Vec::new();
        for (geometry, pose) in &link.collisions {
            let solid = match geometry {
                Geometry::Simple(shape) => {
                    if matches!(shape, carom::Shape::Cylinder { .. }) {
                        let sides = Solid::CYLINDER_SIDES;
                        let words = format!("link {}: a cylinder touches as a prism of {sides} sides", link.name);
                        self.remark(bodies, &words);
                    }
                    Solid::Shape(*shape)
                }
                Geometry::Mesh { file, scale } => match self.mesh(file, scale) {
                    Ok((hull, convex)) => {
                        if !convex {
                            let words = format!("link {}: the mesh {file} is replaced by its convex hull", link.name);
                            self.remark(bodies, &words);
                        }
                        Solid::Polyhedron(hull)
                    }
                    Err(reason) => {
                        self.remark(bodies, &format!("link {}: the mesh {file} is left out: {reason}", link.name));
                        continue;
                    }
                },
            };
            let own = solid.parts(Dimension::Spatial, self.material);
            let own = own.map_err(|error| fault(link.span.clone(), format!("link `{}`: {error}", link.name), ""))?;
            parts.extend(own.into_iter().map(|part| part.moved(pose)));
        }
        Ok(parts)
    }

    /// The hull of a mesh, and whether the mesh is that hull.
    fn mesh(&self, file: &str, scale: &Vector3<f64>) -> Result<(Hull, bool), String> {
        let mesh = Mesh::read(file, |most| self.files.read_for(self.file, file, most))?;
        mesh.hull(scale).map_err(|error| error.to_string())
    }

    /// The joints between clusters.
    fn hold(
        &self,
        robot: &Robot,
        starts: &[f64],
        poses: &[Pose],
        places: &[Option<BodyId>],
        joints: &mut Joints,
    ) -> Vec<Load> {
        let mut loads = Vec::new();
        for ((joint, start), choice) in robot.joints.iter().zip(starts).zip(&self.choices) {
            let kind = match joint.kind {
                _ if is_fixed(joint) => continue,
                UrdfKind::Revolute | UrdfKind::Continuous => JointKind::Revolute,
                UrdfKind::Prismatic => JointKind::Prismatic,
                UrdfKind::Planar => JointKind::Planar,
                UrdfKind::Fixed | UrdfKind::Floating => continue,
            };
            let pose = &poses[joint.child];
            let ends = [places[joint.child], places[joint.parent]];
            // The point of a slider is that of its parent, from which it is drawn out.
            let mut held = SceneJoint::new(kind, ends, pose.position, pose.direction(&joint.axis));
            held.limits = joint.limits.map(|limits| limits.map(|limit| limit - start));
            (held.restitution, held.collide) = (choice.restitution, choice.collide);
            if joint.damping > 0.0 && kind == JointKind::Revolute {
                let place = JointId::new(joints.joints.len());
                let damping = joint.damping;
                loads.push(Load::TorsionSpring { joint: place, stiffness: 0.0, damping, rest_angle: 0.0 });
            }
            joints.names.push(format!("{}{}", self.prefix, joint.name));
            joints.joints.push(held);
        }
        loads
    }
}

/// Whether nothing moves at a joint: it is fixed, or its limits leave no room.
fn is_fixed(joint: &UrdfJoint) -> bool {
    joint.kind == UrdfKind::Fixed || joint.limits.is_some_and(|[low, high]| low == high)
}

/// From the child's axes to those at zero displacement.
fn displaced(joint: &UrdfJoint, by: f64) -> Pose {
    match joint.kind {
        UrdfKind::Prismatic => Pose { position: joint.axis * by, ..Pose::identity() },
        UrdfKind::Revolute | UrdfKind::Continuous => {
            Pose { orientation: UnitQuaternion::from_scaled_axis(joint.axis * by), ..Pose::identity() }
        }
        _ => Pose::identity(),
    }
}

/// First the inner pose, then the outer.
fn then(outer: &Pose, inner: &Pose) -> Pose {
    Pose { position: outer.point(&inner.position), orientation: outer.orientation * inner.orientation }
}

/// All links, each after its parent.
fn from_the_root(robot: &Robot) -> Result<Vec<usize>, UrdfFault> {
    let is_child = |link: usize| robot.joints.iter().any(|joint| joint.child == link);
    let roots: Vec<usize> = (0..robot.links.len()).filter(|link| !is_child(*link)).collect();
    match roots[..] {
        [root] => {
            let mut order = vec![root];
            let mut next = 0;
            while let Some(link) = order.get(next).copied() {
                next += 1;
                order.extend(robot.joints.iter().filter(|joint| joint.parent == link).map(|joint| joint.child));
            }
            if order.len() == robot.links.len() {
                return Ok(order);
            }
            let lost =
                robot.links.iter().enumerate().find(|(k, _)| !order.contains(k)).map_or(0..0, |(_, l)| l.span.clone());
            Err(fault(lost, "joints lead round in a circle", "expected a tree"))
        }
        [_, second, ..] => {
            let link = &robot.links[second];
            let message = format!("nothing joins link `{}` to link `{}`", link.name, robot.links[roots[0]].name);
            Err(fault(link.span.clone(), message, "expected one tree"))
        }
        [] => Err(fault(robot.links[0].span.clone(), "joints lead round in a circle", "expected a tree")),
    }
}

/// Links held together, the root's first.
fn clusters(robot: &Robot, order: &[usize]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for link in order {
        let fixed = robot.joints.iter().find(|joint| joint.child == *link).filter(|joint| is_fixed(joint));
        let home = fixed.and_then(|joint| clusters.iter_mut().find(|cluster| cluster.members.contains(&joint.parent)));
        match home {
            Some(cluster) => cluster.members.push(*link),
            None => clusters.push(Cluster { head: *link, members: vec![*link] }),
        }
    }
    clusters
}
