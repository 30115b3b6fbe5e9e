//! Wild scenes at random: stacks, brick walls, chains, bodies between slanting walls, rams on guides, carts with motors.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses its own part")]

pub mod thrown;

use crate::support::Random;
use crate::trial::Trial;
use carom::sim::{
    Anchor, BodyId, Core, Hull, JointId, JointKind, Load, MaterialId, Part, Pose, SceneBody, SceneJoint, Signal,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rand::RngExt;

const LAWS: [&str; 7] =
    ["newton-lcp", "rakshit-chatterjee", "poisson-lcp", "newton", "routh-poisson", "routh-stronge", "whittaker"];

/// A scene that is being drawn.
struct Draw<'a> {
    random: &'a mut Random,
    scene: Trial,
    up: Vector3<f64>,
    /// About which bodies turn in the plane of the scene.
    side: Vector3<f64>,
}

/// A scene of this kind.
pub fn scene(kind: &str, random: &mut Random) -> Trial {
    let planar = random.random_range(0..3) > 0;
    let (up, side) = if planar { (Vector3::y(), Vector3::z()) } else { (Vector3::z(), -Vector3::y()) };
    let friction = match random.random_range(0..6) {
        0 => 0.0,
        1 => 1.0,
        2 => random.random_range(0.9..1.6),
        _ => random.random_range(0.05..1.0),
    };
    let restitution = if random.random_range(0..4) == 0 { 0.0 } else { random.random_range(0.0..0.9) };
    let mut parameters = vec![("restitution", restitution), ("friction", friction)];
    if random.random_range(0..5) == 0 {
        parameters.extend([("static_friction", friction * 1.2), ("kinetic_friction", friction)]);
    }
    let law = LAWS[random.random_range(0..LAWS.len())];
    let mut scene = Trial::new(planar, law, &parameters);
    scene.gravity = -up * 9.81;
    scene.add_wall(up, 0.0, MaterialId::default());
    let mut draw = Draw { random, scene, up, side };
    match kind {
        "stack" => draw.stack(),
        "wall" => draw.wall(),
        "chain" => draw.chain(),
        "corner" => draw.corner(),
        "groove" => draw.groove(),
        "guide" => draw.guide(),
        "cart" => draw.cart(),
        _ => panic!("no kind of scene is called {kind}"),
    }
    draw.scene
}

impl Draw<'_> {
    fn between(&mut self, least: f64, most: f64) -> f64 {
        self.random.random_range(least..most)
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.random.random_range(0..count) == 0
    }

    fn place(&self, along: f64, height: f64) -> Vector3<f64> {
        Vector3::x() * along + self.up * height
    }

    fn turned(&self, position: Vector3<f64>, angle: f64) -> Pose {
        Pose { position, orientation: UnitQuaternion::from_scaled_axis(self.side * angle) }
    }

    fn add(&mut self, mover: SceneBody, pose: Pose, velocity: Vector3<f64>, spin: f64) -> usize {
        self.scene.bodies.push(mover.at(pose, velocity, self.side * spin));
        self.scene.bodies.len() - 1
    }

    /// Width along x, height, depth.
    fn block(&self, [width, height, depth]: [f64; 3], mass: f64) -> SceneBody {
        let planar = self.scene.dimension.is_planar();
        let edges = if planar { [width, height, depth] } else { [width, depth, height] };
        let square = edges.map(|edge| edge * edge / 12.0 * mass);
        let moments = Vector3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
        let hull = if planar { Hull::rectangle([edges[0], edges[1]]) } else { Hull::block(edges) };
        SceneBody::new(mass, Matrix3::from_diagonal(&moments))
            .with_parts(vec![Part::sharp(hull, MaterialId::default())])
    }

    fn ball(radius: f64, mass: f64) -> SceneBody {
        let inertia = Matrix3::identity() * (0.4 * mass * radius * radius);
        SceneBody::new(mass, inertia).with_parts(vec![Part::ball(radius, MaterialId::default())])
    }

    fn rod(&self, length: f64, radius: f64) -> SceneBody {
        let moment = length * length / 12.0;
        let inertia = Matrix3::from_diagonal(&Vector3::new(0.1 * moment, moment, moment));
        let core = Core::Hull(Hull::segment(length, self.scene.dimension));
        let rod = SceneBody::new(1.0, inertia);
        rod.with_parts(vec![Part { core, radius, material: MaterialId::default() }])
    }

    fn joint(&mut self, kind: JointKind, [a, b]: [Option<usize>; 2], point: Vector3<f64>, axis: Vector3<f64>) -> usize {
        let joint = SceneJoint::new(kind, [a, b].map(|body| body.map(BodyId::new)), point, axis);
        self.scene.joints.push(joint);
        self.scene.joints.len() - 1
    }

    fn signal(&mut self, most: f64) -> Signal {
        let (offset, amplitude) = (self.between(-most, most), self.between(0.0, 2.0 * most));
        Signal { offset, amplitude, rate: self.between(1.0, 20.0), phase: 0.0 }
    }

    /// Something that flies at what stands there.
    fn shot(&mut self, height: f64) {
        let ball = Draw::ball(0.05, 1.0);
        let (place, speed) = (self.place(-0.7, height), self.between(1.0, 8.0));
        let pose = self.turned(place, 0.0);
        self.add(ball, pose, Vector3::x() * speed, 0.0);
    }

    fn stack(&mut self) {
        let gap = [0.0, 1e-3, 0.02][self.random.random_range(0..3)];
        let mut height = 0.0;
        for _ in 0..self.random.random_range(2..6) {
            let edges = [0.3, 0.2, 0.25].map(|edge| edge * self.between(0.6, 1.3));
            let mass = self.between(0.3, 3.0);
            let aside = self.between(-0.04, 0.04);
            let place = self.place(aside, height + gap + 0.5 * edges[1]);
            height += gap + edges[1];
            let speed = if self.one_in(3) { self.between(-1.0, 1.0) } else { 0.0 };
            self.add(self.block(edges, mass), self.turned(place, 0.0), Vector3::x() * speed, 0.0);
        }
        if self.one_in(2) {
            let target = self.between(0.1, height.max(0.2));
            self.shot(target);
        }
    }

    fn wall(&mut self) {
        let (width, height) = (0.3, 0.1);
        for row in 0..self.random.random_range(2..4) {
            let count = 2 + row % 2;
            for k in 0..count {
                let spread = if self.one_in(2) { 1.0 } else { 1.0001 };
                let along = (f64::from(k) - 0.5 * f64::from(count - 1)) * width * spread;
                let place = self.place(along, height * (f64::from(row) + 0.5));
                self.add(
                    self.block([0.999 * width, height, height], 1.0),
                    self.turned(place, 0.0),
                    Vector3::zeros(),
                    0.0,
                );
            }
        }
        let target = self.between(0.08, 0.3);
        self.shot(target);
    }

    fn chain(&mut self) {
        let (count, length) = (self.random.random_range(2..5), 0.3);
        let tilt = self.between(-0.6, 0.6);
        let along = Vector3::x() * f64::cos(tilt) + self.up * f64::sin(tilt);
        let low = (f64::sin(tilt) * length * f64::from(count)).min(0.0);
        let start = self.up * (self.between(0.1, 0.9) - low);
        let anchored = self.one_in(2);
        let mut last = None;
        for k in 0..count {
            let rod = self.rod(0.8 * length, 0.02);
            let pose = self.turned(start + along * (length * (f64::from(k) + 0.5)), tilt);
            let body = self.add(rod, pose, Vector3::zeros(), 0.0);
            if last.is_some() || anchored {
                let ball = !self.scene.dimension.is_planar() && self.one_in(2);
                let kind = if ball { JointKind::Spherical } else { JointKind::Revolute };
                let joint = self.joint(kind, [Some(body), last], start + along * (length * f64::from(k)), self.side);
                if !ball && self.one_in(3) {
                    self.scene.joints[joint].limits = Some([-1.0, 1.0]);
                }
                if !ball && self.one_in(3) {
                    let effort = self.signal(2.0);
                    self.scene.loads.push(Load::Motor { joint: JointId::new(joint), effort });
                }
            }
            last = Some(body);
        }
    }

    /// Bodies that fall between walls.
    fn fall(&mut self, along: f64) {
        for k in 0..self.random.random_range(1..4) {
            let size = self.between(0.1, 0.25);
            let body = match self.random.random_range(0..3) {
                0 => self.block([size, 1.4 * size, size], 1.0),
                1 => self.rod(0.3, 0.01),
                _ => Draw::ball(0.5 * size, 1.0),
            };
            let (angle, spin) = (self.between(-3.0, 3.0), self.between(-5.0, 5.0));
            let (across, fall, aside) = (self.between(-2.0, 4.0), self.between(-3.0, 0.0), self.between(-0.1, 0.1));
            let pose = self.turned(self.place(along + aside, 0.7 + 0.5 * f64::from(k)), angle);
            self.add(body, pose, self.place(across, fall), spin);
        }
    }

    /// The floor and a wall, upright or overhanging.
    fn corner(&mut self) {
        let tilt = if self.one_in(3) { std::f64::consts::FRAC_PI_2 } else { self.between(0.2, 1.57) };
        let normal = self.place(-tilt.sin(), tilt.cos());
        self.scene.world.push(Part::half_space(normal, -0.5, MaterialId::default()));
        self.fall(-0.3);
    }

    fn groove(&mut self) {
        let tilt = self.between(0.3, 1.2);
        let wall = |side: f64| Part::half_space(self.place(side * tilt.sin(), tilt.cos()), 0.0, MaterialId::default());
        self.scene.world = vec![wall(1.0), wall(-1.0)];
        self.fall(0.0);
    }

    /// A ram that slides along a guide over the floor, or hangs on a carriage that does.
    fn guide(&mut self) {
        let tilt = if self.one_in(3) { 0.0 } else { self.between(-1.5, 1.5) };
        let along = self.place(f64::cos(tilt), f64::sin(tilt));
        let velocity = along * self.between(-4.0, 4.0);
        let angle = if self.one_in(2) { 0.0 } else { self.between(-0.5, 0.5) };
        let height = if self.one_in(3) { 0.0 } else { self.between(0.0, 0.3) };
        let lowest = 0.1 * f64::sin(f64::abs(angle)) + 0.05 * f64::cos(angle);
        let place = self.place(0.0, height + lowest);
        let ram = self.add(self.block([0.2, 0.1, 0.1], 1.0), self.turned(place, angle), velocity, 0.0);
        if self.one_in(2) {
            let (mass, aside) = (self.between(0.3, 3.0), self.between(-0.3, 0.3));
            let carriage = SceneBody::new(mass, Matrix3::identity() * 0.01);
            let above = place + self.place(aside, 0.4);
            let carriage = self.add(carriage, self.turned(above, 0.0), velocity, 0.0);
            self.joint(JointKind::Prismatic, [Some(carriage), None], above, along);
            self.joint(JointKind::Revolute, [Some(ram), Some(carriage)], above, self.side);
        } else {
            self.joint(JointKind::Prismatic, [Some(ram), None], place, along);
        }
        if self.one_in(2) {
            let point = Vector3::x() * self.between(-0.1, 0.1);
            let (across, lift, signal) = (self.between(-30.0, 30.0), self.between(-30.0, 30.0), self.signal(1.0));
            let (at, force) = (Anchor::on(BodyId::new(ram), point), self.place(across, lift));
            self.scene.loads.push(Load::Force { at, force, signal });
        }
        if self.one_in(3) {
            let pose = self.turned(self.place(0.6, 0.05), 0.0);
            self.add(self.block([0.1; 3], 0.5), pose, Vector3::zeros(), 0.0);
        }
    }

    /// On two wheels, against a wall, perhaps with a block before it.
    fn cart(&mut self) {
        let height = self.between(0.15, 0.35);
        let velocity = Vector3::x() * self.between(-3.0, 3.0);
        let chassis =
            self.add(self.block([0.6, 0.05, 0.05], 2.0), self.turned(self.place(0.0, height), 0.0), velocity, 0.0);
        for along in [-0.4, 0.4] {
            let (place, spin) = (self.place(along, height), self.between(-10.0, 10.0));
            let wheel = self.add(Draw::ball(0.08, 0.3), self.turned(place, 0.0), velocity, spin);
            let joint = self.joint(JointKind::Revolute, [Some(wheel), Some(chassis)], place, self.side);
            if self.one_in(2) {
                let effort = self.signal(0.5);
                self.scene.loads.push(Load::Motor { joint: JointId::new(joint), effort });
            }
        }
        self.scene.world.push(Part::half_space(-Vector3::x(), -1.0, MaterialId::default()));
        if self.one_in(2) {
            let pose = self.turned(self.place(0.8, 0.05), 0.0);
            self.add(self.block([0.1; 3], 0.5), pose, Vector3::zeros(), 0.0);
        }
    }
}
