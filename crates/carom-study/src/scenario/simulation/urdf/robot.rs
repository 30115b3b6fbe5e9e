//! A URDF file as it stands: links and joints, with all that is not read named.

use crate::scenario::name::{LONGEST_NAME, unprintable};
use carom::Shape;
use carom::sim::{Matter, Pose};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeSet;
use std::ops::Range;

/// Far above any robot, far below what exhausts memory.
const MOST_NODES: u32 = 500_000;
/// Deeper than URDF nests, and shallow enough for any stack.
const DEEPEST: usize = 64;
const LARGEST: f64 = crate::scenario::numbers::LARGEST;

/// Links and joints of a file.
#[derive(Debug)]
pub(in crate::scenario) struct Robot {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<UrdfJoint>,
    /// What was not read, one sentence each.
    pub ignored: BTreeSet<String>,
}

#[derive(Debug)]
pub(in crate::scenario) struct Link {
    pub name: String,
    /// In the link's axes; `None` without `<inertial>`.
    pub matter: Option<Matter>,
    pub collisions: Vec<(Geometry, Pose)>,
    pub span: Range<usize>,
}

#[derive(Debug)]
pub(in crate::scenario) enum Geometry {
    Simple(Shape),
    Mesh { file: String, scale: Vector3<f64> },
}

#[derive(Debug)]
pub(in crate::scenario) struct UrdfJoint {
    pub name: String,
    pub kind: UrdfKind,
    pub parent: usize,
    pub child: usize,
    /// From the child's axes at zero displacement to the parent's.
    pub origin: Pose,
    /// In the child's axes, of unit length.
    pub axis: Vector3<f64>,
    pub limits: Option<[f64; 2]>,
    pub damping: f64,
    pub span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scenario) enum UrdfKind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
}

/// What is wrong with a file, and where.
#[derive(Debug)]
pub(in crate::scenario) struct UrdfFault {
    pub span: Range<usize>,
    pub message: String,
    pub label: String,
}

pub(super) fn fault(span: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> UrdfFault {
    UrdfFault { span, message: message.into(), label: label.into() }
}

impl Robot {
    pub fn parse(text: &str) -> Result<Robot, UrdfFault> {
        check_depth(text)?;
        let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).map_err(|error| not_xml(&error, text))?;
        let root = document.root_element();
        if root.tag_name().name() != "robot" {
            let message = format!("the file describes no robot but a `{}`", short(root.tag_name().name()));
            return Err(fault(head(&root), message, "expected the element `robot`"));
        }
        let mut reader = Reader { ignored: BTreeSet::new() };
        let links = reader.links(&root)?;
        let joints = reader.joints(&root, &links)?;
        for other in elements(&root).filter(|node| !matches!(node.tag_name().name(), "link" | "joint")) {
            reader.ignored.insert(format!("`{}`", short(other.tag_name().name())));
        }
        let name = if root.has_attribute("name") { name_of(&root)? } else { "robot" }.to_owned();
        Ok(Robot { name, links, joints, ignored: reader.ignored })
    }
}

struct Reader {
    ignored: BTreeSet<String>,
}

impl Reader {
    fn links(&mut self, root: &Node<'_, '_>) -> Result<Vec<Link>, UrdfFault> {
        let mut links: Vec<Link> = Vec::new();
        for node in elements(root).filter(|node| node.has_tag_name("link")) {
            let name = name_of(&node)?;
            if links.iter().any(|link| link.name == name) {
                return Err(fault(
                    head(&node),
                    format!("two links are called `{}`", short(name)),
                    "expected another name",
                ));
            }
            let (mut matter, mut collisions) = (None, Vec::new());
            for part in elements(&node) {
                match part.tag_name().name() {
                    "inertial" => matter = read_inertial(&part)?,
                    "collision" => collisions.extend(self.collision(&part)?),
                    other => self.ignore(&format!("`{}` of links", short(other))),
                }
            }
            links.push(Link { name: name.to_owned(), matter, collisions, span: head(&node) });
        }
        if links.is_empty() {
            return Err(fault(head(root), "the robot has no links", "expected at least one element `link`"));
        }
        Ok(links)
    }

    fn collision(&mut self, node: &Node<'_, '_>) -> Result<Option<(Geometry, Pose)>, UrdfFault> {
        let pose = read_origin(node)?;
        let Some(shape) = child(node, "geometry").and_then(|geometry| elements(&geometry).next()) else {
            return Err(fault(head(node), "a collision has no geometry", "expected `geometry` with a shape in it"));
        };
        let positive = |key: &str| read_positive(&shape, key);
        let geometry = match shape.tag_name().name() {
            "box" => {
                let size = read_vector(&shape, "size", None)?;
                if size.min() <= 0.0 {
                    return Err(fault(head(&shape), "a box has no extent", "expected three edges above 0"));
                }
                Geometry::Simple(Shape::Box { size: size.into() })
            }
            "sphere" => Geometry::Simple(Shape::Ball { radius: positive("radius")? }),
            "cylinder" => {
                Geometry::Simple(Shape::Cylinder { radius: positive("radius")?, length: positive("length")? })
            }
            // Not of the standard, but written by many: a capsule along z.
            "capsule" => {
                let shape = Shape::Capsule { radius: positive("radius")?, length: positive("length")? };
                let upright = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -std::f64::consts::FRAC_PI_2);
                let pose = Pose { orientation: pose.orientation * upright, ..pose };
                return Ok(Some((Geometry::Simple(shape), pose)));
            }
            "mesh" => {
                let file = attribute(&shape, "filename")?.to_owned();
                let scale = read_vector(&shape, "scale", Some(Vector3::repeat(1.0)))?;
                Geometry::Mesh { file, scale }
            }
            other => {
                self.ignore(&format!("collision geometry `{}`", short(other)));
                return Ok(None);
            }
        };
        Ok(Some((geometry, pose)))
    }

    fn joints(&mut self, root: &Node<'_, '_>, links: &[Link]) -> Result<Vec<UrdfJoint>, UrdfFault> {
        let mut joints: Vec<UrdfJoint> = Vec::new();
        for node in elements(root).filter(|node| node.has_tag_name("joint")) {
            let joint = self.joint(&node, links)?;
            if joints.iter().any(|other| other.name == joint.name) {
                let message = format!("two joints are called `{}`", short(&joint.name));
                return Err(fault(joint.span, message, "expected another name"));
            }
            if joints.iter().any(|other| other.child == joint.child) {
                let message = format!("link `{}` is the child of two joints", short(&links[joint.child].name));
                return Err(fault(joint.span, message, "expected a tree"));
            }
            joints.push(joint);
        }
        Ok(joints)
    }

    fn joint(&mut self, node: &Node<'_, '_>, links: &[Link]) -> Result<UrdfJoint, UrdfFault> {
        let name = name_of(node)?.to_owned();
        let kind = match attribute(node, "type")? {
            "revolute" => UrdfKind::Revolute,
            "continuous" => UrdfKind::Continuous,
            "prismatic" => UrdfKind::Prismatic,
            "fixed" => UrdfKind::Fixed,
            "floating" => UrdfKind::Floating,
            "planar" => UrdfKind::Planar,
            other => {
                let message = format!("there is no type of joint `{}`", short(other));
                let label = "expected revolute, continuous, prismatic, fixed, floating or planar";
                return Err(fault(head(node), message, label));
            }
        };
        let end = |key: &str| {
            let Some(end) = child(node, key) else {
                let message = format!("joint `{}` has no `{key}`", short(&name));
                return Err(fault(head(node), message, format!("expected `<{key} link=\"…\"/>`")));
            };
            let link = attribute(&end, "link")?;
            links.iter().position(|known| known.name == link).ok_or_else(|| {
                let near = crate::scenario::suggest::nearest(link, links.iter().map(|known| known.name.as_str()));
                let label =
                    near.map_or("expected the name of a link".to_owned(), |near| format!("did you mean `{near}`?"));
                fault(head(&end), format!("there is no link `{}`", short(link)), label)
            })
        };
        let (parent, child_link) = (end("parent")?, end("child")?);
        let axis = match child(node, "axis") {
            Some(axis) => read_vector(&axis, "xyz", Some(Vector3::x()))?,
            None => Vector3::x(),
        };
        let axis = axis.try_normalize(0.0).ok_or_else(|| {
            fault(head(node), format!("joint `{}` has an axis of no length", short(&name)), "expected a direction")
        })?;
        let mut limits = None;
        let mut damping = 0.0;
        for part in elements(node) {
            match part.tag_name().name() {
                "origin" | "parent" | "child" | "axis" => {}
                "limit" => {
                    if matches!(kind, UrdfKind::Revolute | UrdfKind::Prismatic) {
                        limits =
                            Some([read_number(&part, "lower", Some(0.0))?, read_number(&part, "upper", Some(0.0))?]);
                    }
                    for key in ["effort", "velocity"] {
                        if part.attribute(key).is_some() {
                            self.ignore(&format!("the limit of `{key}` of joints"));
                        }
                    }
                }
                "dynamics" => {
                    let friction = read_number(&part, "friction", Some(0.0))?;
                    if friction != 0.0 {
                        self.ignore("`friction` of joints");
                    }
                    damping = read_number(&part, "damping", Some(0.0))?;
                    if damping < 0.0 {
                        return Err(fault(head(&part), "a joint has a negative `damping`", "expected at least 0"));
                    }
                    if damping != 0.0 && !matches!(kind, UrdfKind::Revolute | UrdfKind::Continuous) {
                        self.ignore("`damping` of joints that do not turn");
                    }
                }
                other => self.ignore(&format!("`{}` of joints", short(other))),
            }
        }
        if let Some([low, high]) = limits
            && low > high
        {
            let message = format!("the limits of joint `{}` are [{low}, {high}]", short(&name));
            return Err(fault(head(node), message, "expected `lower` of at most `upper`"));
        }
        let origin = read_origin(node)?;
        Ok(UrdfJoint { name, kind, parent, child: child_link, origin, axis, limits, damping, span: head(node) })
    }

    fn ignore(&mut self, what: &str) {
        self.ignored.insert(what.to_owned());
    }
}

fn read_inertial(node: &Node<'_, '_>) -> Result<Option<Matter>, UrdfFault> {
    let Some(mass) = child(node, "mass") else {
        return Err(fault(head(node), "`inertial` has no `mass`", "expected `<mass value=\"…\"/>`"));
    };
    let mass = read_number(&mass, "value", None)?;
    if mass < 0.0 {
        return Err(fault(head(node), format!("a link has the mass {mass}"), "expected at least 0"));
    }
    if mass == 0.0 {
        return Ok(None);
    }
    let Some(inertia) = child(node, "inertia") else {
        return Err(fault(head(node), "`inertial` has no `inertia`", "expected `<inertia ixx=\"…\" …/>`"));
    };
    let number = |key: &str| read_number(&inertia, key, None);
    let other = |key: &str| read_number(&inertia, key, Some(0.0));
    let [xx, yy, zz] = [number("ixx")?, number("iyy")?, number("izz")?];
    let [xy, xz, yz] = [other("ixy")?, other("ixz")?, other("iyz")?];
    let tensor = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    carom::Body::new(mass, &tensor)
        .map_err(|error| fault(head(&inertia), format!("this is no inertia: {error}"), "expected that of a body"))?;
    Ok(Some(Matter { mass, centre: Vector3::zeros(), inertia: tensor }.moved(&read_origin(node)?)))
}

fn read_origin(node: &Node<'_, '_>) -> Result<Pose, UrdfFault> {
    let Some(origin) = child(node, "origin") else { return Ok(Pose::identity()) };
    let zero = Some(Vector3::zeros());
    let turn = read_vector(&origin, "rpy", zero)?;
    let orientation = UnitQuaternion::from_euler_angles(turn.x, turn.y, turn.z);
    Ok(Pose { position: read_vector(&origin, "xyz", zero)?, orientation })
}

fn elements<'a, 'i>(node: &Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

fn child<'a, 'i>(node: &Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    elements(node).find(|child| child.has_tag_name(tag))
}

fn attribute<'a>(node: &Node<'a, '_>, key: &str) -> Result<&'a str, UrdfFault> {
    let missing = || {
        let message = format!("`{}` has no `{key}`", short(node.tag_name().name()));
        fault(head(node), message, format!("expected the attribute `{key}`"))
    };
    node.attribute(key).ok_or_else(missing)
}

fn name_of<'a>(node: &Node<'a, '_>) -> Result<&'a str, UrdfFault> {
    let name = attribute(node, "name")?;
    if name.trim().is_empty() {
        return Err(fault(head(node), "this name is empty", "expected a name"));
    }
    if let Some(code) = unprintable(name) {
        let message = format!("this name has a character that cannot be printed: {code}");
        return Err(fault(head(node), message, "expected one line of visible characters"));
    }
    if name.chars().count() > LONGEST_NAME {
        let expected = format!("expected at most {LONGEST_NAME} characters");
        return Err(fault(head(node), "this name is too long", expected));
    }
    Ok(name)
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.abs() <= LARGEST)
}

fn read_number(node: &Node<'_, '_>, key: &str, otherwise: Option<f64>) -> Result<f64, UrdfFault> {
    if let (None, Some(otherwise)) = (node.attribute(key), otherwise) {
        return Ok(otherwise);
    }
    let given = attribute(node, key)?;
    number(given.trim()).ok_or_else(|| fault(head(node), format!("`{key}` is `{}`", short(given)), "expected a number"))
}

fn read_positive(node: &Node<'_, '_>, key: &str) -> Result<f64, UrdfFault> {
    let value = read_number(node, key, None)?;
    if value > 0.0 {
        Ok(value)
    } else {
        Err(fault(head(node), format!("`{key}` is {value}"), "expected a number above 0"))
    }
}

fn read_vector(node: &Node<'_, '_>, key: &str, otherwise: Option<Vector3<f64>>) -> Result<Vector3<f64>, UrdfFault> {
    if let (None, Some(otherwise)) = (node.attribute(key), otherwise) {
        return Ok(otherwise);
    }
    let given = attribute(node, key)?;
    let numbers: Option<Vec<f64>> = given.split_whitespace().take(4).map(number).collect();
    match numbers.as_deref() {
        Some([x, y, z]) => Ok(Vector3::new(*x, *y, *z)),
        _ => Err(fault(head(node), format!("`{key}` is `{}`", short(given)), "expected three numbers")),
    }
}

/// The opening tag of an element.
fn head(node: &Node<'_, '_>) -> Range<usize> {
    let range = node.range();
    let text = &node.document().input_text()[range.clone()];
    range.start..range.start + text.find('>').map_or(text.len(), |end| end + 1)
}

fn short(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}

/// Refuses nesting that no robot has, before anything walks down it.
fn check_depth(text: &str) -> Result<(), UrdfFault> {
    let mut depth = 0_usize;
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        if rest.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !rest.starts_with(['!', '?']) {
            let end = rest.find('>').unwrap_or(rest.len());
            if !rest[..end].ends_with('/') {
                depth += 1;
            }
        }
        if depth > DEEPEST {
            return Err(fault(
                at..at + 1,
                "elements are nested too deeply",
                format!("expected {DEEPEST} levels at most"),
            ));
        }
    }
    Ok(())
}

fn not_xml(error: &roxmltree::Error, text: &str) -> UrdfFault {
    // The reader gives no place for an unexpected end of the file.
    if matches!(error, roxmltree::Error::UnexpectedEndOfStream | roxmltree::Error::UnclosedRootNode) {
        let end = text.trim_end().len();
        return fault(end..end, "this is not XML: the file ends before its elements do", "expected the rest of it");
    }
    let place = error.pos();
    let line_start: usize = text.split_inclusive('\n').take(place.row.saturating_sub(1) as usize).map(str::len).sum();
    let start = (line_start + place.col.saturating_sub(1) as usize).min(text.len());
    fault(start..start, format!("this is not XML: {error}"), "")
}
