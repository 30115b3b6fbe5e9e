//! Loads and strings.

use super::toml::{Text, number, quoted, table};
use super::{Unwritable, Writer, inexpressible};
use carom::sim::{Anchor, Load, Signal};
use nalgebra::Vector3;

impl Writer<'_> {
    /// Loads, in their order.
    pub(super) fn loads(&self, text: &mut Text) -> Result<(), Unwritable> {
        for load in self.scene.loads() {
            match load {
                Load::Spring { a, b, stiffness, damping, rest_length } => {
                    text.header("[[spring]]");
                    self.ends(text, [a, b]);
                    text.key("stiffness", &number(*stiffness));
                    text.key("damping", &number(*damping));
                    text.key("rest_length", &number(*rest_length));
                }
                Load::TorsionSpring { joint, stiffness, damping, rest_angle } => {
                    text.header("[[torsion_spring]]");
                    text.key("joint", &quoted(&self.joint_name(*joint)));
                    text.key("stiffness", &number(*stiffness));
                    text.key("damping", &number(*damping));
                    text.key("rest_angle", &number(*rest_angle));
                }
                Load::Motor { joint, effort } => {
                    text.header("[[motor]]");
                    text.key("joint", &quoted(&self.joint_name(*joint)));
                    if *effort == Signal::constant(effort.offset) {
                        text.key("effort", &number(effort.offset));
                    } else {
                        text.key("effort", "1.0");
                        signal(text, effort);
                    }
                }
                Load::Force { at, force, signal: factor } => {
                    let Some(body) = at.body else {
                        return Err(inexpressible("a force on the ground", "expected a force on a body"));
                    };
                    text.header("[[force]]");
                    text.key("body", &quoted(&self.body_name(body)));
                    if at.point != Vector3::zeros() {
                        text.key("anchor", &self.vector(&at.point));
                    }
                    text.key("force", &self.vector(force));
                    signal(text, factor);
                }
                Load::Torque { body, torque, signal: factor } => {
                    text.header("[[torque]]");
                    text.key("body", &quoted(&self.body_name(*body)));
                    text.key("torque", &self.spin(torque));
                    signal(text, factor);
                }
            }
        }
        Ok(())
    }

    pub(super) fn strings(&self, text: &mut Text) {
        for (place, string) in self.scene.strings().iter().enumerate() {
            text.header("[[string]]");
            text.key("name", &quoted(&self.string_name(place)));
            self.ends(text, [&string.a, &string.b]);
            text.key("length", &number(string.length));
            text.optional("restitution", string.restitution.map(number));
        }
    }

    /// The ends of a spring or string: in the world where that gives the same bits, else on the bodies as well.
    fn ends(&self, text: &mut Text, ends: [&Anchor; 2]) {
        text.key("between", &self.between(ends.map(|end| end.body)));
        let places = ends.map(|end| self.state(end.body).pose.point(&end.point));
        let mut exact = true;
        for ((key, end), place) in [("from", ends[0]), ("to", ends[1])].into_iter().zip(&places) {
            if end.body.is_some() && end.point == Vector3::zeros() {
                continue;
            }
            text.key(key, &self.vector(place));
            let pose = self.state(end.body).pose;
            exact &= pose.orientation.inverse_transform_vector(&(place - pose.position)) == end.point;
        }
        if !exact {
            text.key("anchors", &format!("[{}, {}]", self.vector(&ends[0].point), self.vector(&ends[1].point)));
        }
    }
}

/// A factor, unless it is 1.
fn signal(text: &mut Text, signal: &Signal) {
    if *signal != Signal::constant(1.0) {
        let Signal { offset, amplitude, rate, phase } = signal;
        let keys = [("frequency", rate), ("amplitude", amplitude), ("phase", phase), ("offset", offset)];
        text.key("signal", &table(&keys.map(|(key, value)| (key, number(*value)))));
    }
}
