//! What is reported of a collision between flights.

use super::contact::{Contact, Encounter, Fold};
use super::outline::Symmetry;
use super::setup::Tracked;
use carom::sim::{Pose, State};
use carom::{Body, Collision, ContactFrame};
use nalgebra::{DVector, Vector3};
use std::f64::consts::PI;

/// A quantity of a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Its column.
    pub name: &'static str,
    /// SI units, rad.
    pub value: f64,
    /// Whether whole turns do not matter.
    pub is_angle: bool,
}

/// Names of what each body has: alone, as A, as B.
const SPIN_BEFORE: [&str; 3] = ["omega_before", "omega_before_a", "omega_before_b"];
const SPIN_AFTER: [&str; 3] = ["omega_after", "omega_after_a", "omega_after_b"];
const SPIN_AXES: [[[&str; 3]; 3]; 2] = [
    [
        ["omega_x_before", "omega_x_before_a", "omega_x_before_b"],
        ["omega_y_before", "omega_y_before_a", "omega_y_before_b"],
        ["omega_z_before", "omega_z_before_a", "omega_z_before_b"],
    ],
    [
        ["omega_x_after", "omega_x_after_a", "omega_x_after_b"],
        ["omega_y_after", "omega_y_after_a", "omega_y_after_b"],
        ["omega_z_after", "omega_z_after_a", "omega_z_after_b"],
    ],
];
const VELOCITY: [[[&str; 3]; 3]; 2] = [
    [
        ["v_x_before", "v_x_before_a", "v_x_before_b"],
        ["v_y_before", "v_y_before_a", "v_y_before_b"],
        ["v_z_before", "v_z_before_a", "v_z_before_b"],
    ],
    [
        ["v_x_after", "v_x_after_a", "v_x_after_b"],
        ["v_y_after", "v_y_after_a", "v_y_after_b"],
        ["v_z_after", "v_z_after_a", "v_z_after_b"],
    ],
];
pub(super) const MISS: [[&str; 3]; 2] = [["miss", "miss_a", "miss_b"], ["miss_2", "miss_2_a", "miss_2_b"]];
pub(super) const MISS_ANGLE: [&str; 3] = ["miss_angle", "miss_angle_a", "miss_angle_b"];
pub(super) const DISAGREEMENT: [[&str; 3]; 3] = [
    ["disagreement", "disagreement_a", "disagreement_b"],
    ["disagreement_1", "disagreement_1_a", "disagreement_1_b"],
    ["disagreement_2", "disagreement_2_a", "disagreement_2_b"],
];

/// Quantities as they are added.
#[derive(Default)]
struct List(Vec<Quantity>);

impl List {
    fn add(&mut self, name: &'static str, value: f64) {
        self.0.push(Quantity { name, value, is_angle: false });
    }

    fn add_angle(&mut self, name: &'static str, value: f64) {
        self.0.push(Quantity { name, value, is_angle: true });
    }

    fn add_all(&mut self, names: &[&'static str], values: &Vector3<f64>) {
        for (name, value) in names.iter().zip(values.iter()) {
            self.add(name, *value);
        }
    }
}

/// A collision's velocities and impulse in contact axes.
struct Measured {
    bodies_before: [Body; 2],
    bodies_after: [Body; 2],
    collision: Collision,
    before: Vector3<f64>,
    after: Vector3<f64>,
    /// World axes.
    impulse: Vector3<f64>,
    /// Contact axes.
    push: Vector3<f64>,
    /// The tangential direction of approach, contact axes.
    along: Vector3<f64>,
}

/// Columns of components along n, t or n, t1, t2.
struct Columns {
    w: &'static [&'static str],
    places: &'static [(usize, usize)],
    before: &'static [&'static str],
    after: &'static [&'static str],
    impulse: &'static [&'static str],
    imbalance: &'static [&'static str],
    point: &'static [&'static str],
}

const PLANAR: Columns = Columns {
    w: &["w_nn", "w_nt", "w_tt"],
    places: &[(0, 0), (0, 1), (1, 1)],
    before: &["vn_before", "vt_before"],
    after: &["vn_after", "vt_after"],
    impulse: &["pn", "pt"],
    imbalance: &["imbalance_n", "imbalance_t"],
    point: &["contact_x", "contact_y"],
};
const SPATIAL: Columns = Columns {
    w: &["w_nn", "w_n1", "w_n2", "w_11", "w_12", "w_22"],
    places: &[(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)],
    before: &["vn_before", "v1_before", "v2_before"],
    after: &["vn_after", "v1_after", "v2_after"],
    impulse: &["pn", "p1", "p2"],
    imbalance: &["imbalance_n", "imbalance_1", "imbalance_2"],
    point: &["contact_x", "contact_y", "contact_z"],
};

impl Encounter<'_> {
    /// The quantities, from the flights' parameters: before and after, body by body. The same ones in the same order for all parameters.
    pub fn quantities(&self, parameters: &[DVector<f64>]) -> Result<Vec<Quantity>, String> {
        let contact = self.contact(parameters)?;
        let measured = self.measured(&contact)?;
        let planar = self.setup.dimension.is_planar();
        let columns = if planar { &PLANAR } else { &SPATIAL };
        let mut list = List(Vec::with_capacity(64));
        for (name, place) in columns.w.iter().zip(columns.places) {
            list.add(name, measured.collision.inverse_mass()[*place]);
        }
        list.add_all(columns.before, &measured.before);
        list.add_all(columns.after, &measured.after);
        list.add_all(columns.impulse, &measured.push);
        if !self.is_normal_inferred() {
            self.add_moments(&mut list, &contact, &measured);
        }
        if self.passages.len() == 2 {
            let changes = self.passages.iter().zip(contact.before.iter().zip(&contact.after));
            let sum: Vector3<f64> = changes
                .map(|(passage, (before, after))| (after.velocity - before.velocity) * self.tracked(passage).mass)
                .sum();
            list.add_all(columns.imbalance, &contact.frame.to_contact(&sum));
        }
        list.add("restitution", -measured.after.x / measured.before.x);
        list.add("impulse_ratio", -measured.push.dot(&measured.along) / measured.push.x);
        let energy = |pair: &[Body; 2]| pair.iter().map(Body::kinetic_energy).sum::<f64>();
        let (energy_before, energy_after) = (energy(&measured.bodies_before), energy(&measured.bodies_after));
        list.add("energy_before", energy_before);
        list.add("energy_after", energy_after);
        list.add("energy_lost", 1.0 - energy_after / energy_before);
        self.add_motions(&mut list, &contact)?;
        list.add("time", contact.time);
        list.add_all(columns.point, &contact.point);
        if let Some(point) = self.setup.wall.as_ref().and_then(|wall| wall.point).filter(|_| self.passages.len() == 1) {
            list.add("gap", contact.normal.dot(&(contact.point - point)));
        }
        self.add_angles(&mut list, &contact, &measured);
        // The spin does not determine the tangential impulse if its line of action passes through the centre of mass.
        if list.0.iter().any(|quantity| !quantity.value.is_finite() && quantity.name != "pt_angular") {
            return Err("the flights give no finite impulse".to_owned());
        }
        Ok(list.0)
    }

    fn measured(&self, contact: &Contact) -> Result<Measured, String> {
        let bodies = |states: &[State]| -> Result<[Body; 2], String> {
            let mut pair = [Body::immovable(), Body::immovable()];
            let known = self.passages.iter().zip(states.iter().zip(&contact.poses));
            for (slot, (passage, (state, pose))) in pair.iter_mut().zip(known) {
                *slot = body_of(self.tracked(passage), self.setup.dimension.is_planar(), state, pose)?;
            }
            Ok(pair)
        };
        let (bodies_before, bodies_after) = (bodies(&contact.before)?, bodies(&contact.after)?);
        let collide = |[a, b]: &[Body; 2]| {
            Collision::between(a, b, &contact.point, &contact.frame).map_err(|error| error.to_string())
        };
        let collision = collide(&bodies_before)?;
        let (before, after) = (*collision.velocity(), *collide(&bodies_after)?.velocity());
        let impulse = self.impulse(contact);
        let push = contact.frame.to_contact(&impulse);
        let along = self.approach(&before);
        Ok(Measured { bodies_before, bodies_after, collision, before, after, impulse, push, along })
    }

    /// How the change of angular momentum fits the impulse, as an impulse at the contact.
    fn add_moments(&self, list: &mut List, contact: &Contact, measured: &Measured) {
        let planar = self.setup.dimension.is_planar();
        let p = &measured.push;
        for (place, passage) in self.passages.iter().enumerate() {
            let spin = contact.after[place].angular_velocity - contact.before[place].angular_velocity;
            let change = self.tracked(passage).inertia * spin;
            let arm = contact.point - contact.poses[place].position;
            let names = self.name_of(place);
            let on_body = if place == 0 { measured.impulse } else { -measured.impulse };
            let difference = (change - arm.cross(&on_body)) / arm.norm();
            if !planar {
                let parts = contact.frame.to_contact(&difference);
                list.add_all(&DISAGREEMENT.map(|names_of| names_of[names]), &parts);
                continue;
            }
            if self.passages.len() == 1 {
                // r_t P_n − r_n P_t is the moment about z, as t is n turned clockwise.
                let arm = contact.frame.to_contact(&arm);
                list.add("pt_angular", (arm.y * p.x - change.z) / arm.x);
            }
            list.add(DISAGREEMENT[0][names], difference.z);
        }
    }

    /// Velocities and spins of the bodies, and how their flights before and after miss each other.
    fn add_motions(&self, list: &mut List, contact: &Contact) -> Result<(), String> {
        let planar = self.setup.dimension.is_planar();
        for place in 0..self.passages.len() {
            let names = self.name_of(place);
            for (side, states) in [&contact.before, &contact.after].into_iter().enumerate() {
                let (velocity, spin) = (states[place].velocity, states[place].angular_velocity);
                let axes = if planar { 2 } else { 3 };
                list.add_all(&VELOCITY[side].map(|axis| axis[names])[..axes], &velocity);
                if planar {
                    list.add([SPIN_BEFORE, SPIN_AFTER][side][names], spin.z);
                } else {
                    list.add_all(&SPIN_AXES[side].map(|axis| axis[names]), &spin);
                }
            }
            let gap = contact.after[place].pose.position - contact.before[place].pose.position;
            let change = contact.after[place].velocity - contact.before[place].velocity;
            if planar {
                list.add(MISS[0][names], change.normalize().cross(&gap).z);
            } else {
                let frame = ContactFrame::spatial(&change, None).map_err(|error| error.to_string())?;
                let across = frame.to_contact(&gap);
                list.add(MISS[0][names], across.y);
                list.add(MISS[1][names], across.z);
            }
        }
        Ok(())
    }

    fn add_angles(&self, list: &mut List, contact: &Contact, measured: &Measured) {
        let planar = self.setup.dimension.is_planar();
        let (before, after) = (&measured.before, &measured.after);
        let sign = if self.fold.mirrored { -1.0 } else { 1.0 };
        if planar && (self.is_normal_inferred() || self.passages.len() == 2) {
            list.add_angle("normal_angle", contact.normal.y.atan2(contact.normal.x));
        }
        if planar {
            list.add_angle("incidence", sign * before.y.atan2(-before.x));
            list.add_angle("rebound", sign * after.y.atan2(after.x));
        } else {
            list.add_angle("incidence", before.yz().norm().atan2(-before.x));
            list.add_angle("rebound", after.dot(&measured.along).atan2(after.x));
        }
        for place in 0..self.passages.len() {
            let turn = contact.before[place].pose.orientation.inverse() * contact.after[place].pose.orientation;
            let turned = turn.scaled_axis();
            list.add_angle(MISS_ANGLE[self.name_of(place)], if planar { turned.z } else { turned.norm() });
        }
        let tracked = self.tracked(&self.passages[0]);
        if planar && tracked.outline.symmetry(&tracked.centre) != Symmetry::Round {
            let pose = &contact.poses[0];
            let at = pose.orientation.inverse_transform_vector(&(contact.point - pose.position)) + tracked.centre;
            let at = if self.fold.turned { -at } else { at };
            let polar = at.y.atan2(at.x);
            list.add_angle("alpha", if self.fold.mirrored { PI - polar } else { polar });
            let to_centre = pose.position - contact.point;
            let moment = to_centre.cross(&measured.impulse).z;
            list.add_angle("psi", sign * moment.atan2(to_centre.dot(&measured.impulse)));
        }
    }

    /// The folding that a measured collision asks for.
    pub fn with_fold(mut self, parameters: &[DVector<f64>]) -> Result<Self, String> {
        self.fold = Fold::default();
        let quantities = self.quantities(parameters)?;
        let value =
            |name: &str| quantities.iter().find(|quantity| quantity.name == name).map(|quantity| quantity.value);
        let backward = value("vt_before").is_some_and(|v| v < 0.0);
        let tracked = self.tracked(&self.passages[0]);
        // Beside another body a reflection would have to be a symmetry of both.
        let symmetry =
            if self.passages.len() == 1 { tracked.outline.symmetry(&tracked.centre) } else { Symmetry::None };
        let mirrored = backward && symmetry != Symmetry::None;
        let turned = symmetry == Symmetry::TwoMirrors && value("alpha").is_some_and(|alpha| alpha < 0.0);
        self.fold = Fold { mirrored, turned, backward };
        Ok(self)
    }

    /// The tangential direction of approach, in contact axes.
    fn approach(&self, v: &Vector3<f64>) -> Vector3<f64> {
        if self.setup.dimension.is_planar() {
            return Vector3::y() * if self.fold.backward { -1.0 } else { 1.0 };
        }
        Vector3::new(0.0, v.y, v.z).try_normalize(0.0).unwrap_or_else(Vector3::y)
    }
}

/// The body with its inertia, at a pose and moving as a state.
fn body_of(tracked: &Tracked, planar: bool, state: &State, pose: &Pose) -> Result<Body, String> {
    let body = if planar {
        Body::planar(tracked.mass, tracked.inertia[(2, 2)])
    } else {
        Body::new(tracked.mass, &tracked.inertia)
    };
    let body = body.map_err(|error| error.to_string())?;
    Ok(body.at(pose.position).moving(state.velocity, state.angular_velocity))
}
