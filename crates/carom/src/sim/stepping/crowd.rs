//! All bodies on their way: places, turns and velocities, laid out for speed.

use super::body::Body;
use super::islands::Islands;
use crate::sim::body::SceneBody;
use crate::sim::in_time::SceneInTime;
use crate::sim::inertia::Inertia;
use crate::sim::loads::{self, Wrench};
use crate::sim::part::Core;
use crate::sim::state::{Pose, State};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// The bodies of a scene; the world comes last in what the solver sees.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub(super) inertias: Vec<Inertia>,
    /// Centre of mass, and radius of the ball about it that holds the body.
    pub(super) places: Vec<[f64; 4]>,
    pub(super) turns: Vec<UnitQuaternion<f64>>,
    pub(super) bodies: Vec<Body>,
    /// As they were before the step.
    pub(super) before: Vec<Body>,
    /// Inverse inertia in world axes.
    pub(super) inverses: Vec<Matrix3<f64>>,
    /// Whether a body is one ball about its centre of mass that turns evenly.
    pub(super) round: Vec<bool>,
    /// Impulses of loads in the step, none without loads.
    wrenches: Vec<Wrench>,
}

impl Crowd {
    pub(super) fn new(scene: &SceneInTime, states: &[State]) -> Crowd {
        let inertias = Inertia::of(scene);
        let mut bodies: Vec<Body> = states
            .iter()
            .zip(&inertias)
            .map(|(state, inertia)| {
                let inverse = inertia.in_world(state)[1];
                let (v, w) = (&state.velocity, &state.angular_velocity);
                Body { v: [v.x, v.y, v.z, inertia.mass.recip()], w: [w.x, w.y, w.z, inverse[(2, 2)]] }
            })
            .collect();
        bodies.push(Body::WORLD);
        let mut inverses: Vec<Matrix3<f64>> = states.iter().zip(&inertias).map(|(s, i)| i.in_world(s)[1]).collect();
        inverses.push(Matrix3::zeros());
        let place = |(state, body): (&State, &SceneBody)| {
            let at = state.pose.position;
            [at.x, at.y, at.z, body.reach()]
        };
        Crowd {
            places: states.iter().zip(&scene.bodies).map(place).collect(),
            turns: states.iter().map(|state| state.pose.orientation).collect(),
            before: bodies.clone(),
            bodies,
            inverses,
            round: scene.bodies.iter().zip(&inertias).map(|(body, inertia)| is_round(body, inertia)).collect(),
            wrenches: if scene.loads.is_empty() { Vec::new() } else { vec![Default::default(); inertias.len()] },
            inertias,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.inertias.len()
    }

    pub(super) fn pose(&self, body: usize) -> Pose {
        let [x, y, z, _] = self.places[body];
        Pose { position: Vector3::new(x, y, z), orientation: self.turns[body] }
    }

    pub(super) fn state(&self, body: usize) -> State {
        let of = &self.bodies[body];
        State { pose: self.pose(body), velocity: of.velocity(), angular_velocity: of.turning() }
    }

    pub(super) fn states(&self) -> Vec<State> {
        (0..self.len()).map(|body| self.state(body)).collect()
    }

    /// The state of a body at the middle of the step if nothing stopped it; the world's for none.
    pub(super) fn halfway(&self, body: Option<usize>, step: f64) -> State {
        body.map_or_else(State::world, |body| {
            let mut state = self.state(body);
            state.pose.position += state.velocity * (0.5 * step);
            state.pose.orientation = turned(&state.pose.orientation, &(state.angular_velocity * (0.5 * step)));
            state
        })
    }

    /// Whether all places and velocities are numbers.
    pub(super) fn is_finite(&self) -> bool {
        // Zero times a number is zero, times anything else NaN: the sums are without branches.
        let mut sums = [0.0; 4];
        let mut add = |numbers: &[f64; 4]| {
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum += 0.0 * number;
            }
        };
        for body in &self.bodies {
            add(&body.v);
            add(&body.w);
        }
        self.places.iter().for_each(add);
        sums.iter().all(|sum| *sum == 0.0)
    }

    /// Kinetic energy in these states, J.
    pub(super) fn kinetic(&self, states: &[State]) -> f64 {
        self.inertias.iter().zip(states).map(|(inertia, state)| inertia.kinetic(state)).sum()
    }

    /// The greatest speed of a centre of mass.
    pub(super) fn fastest(&self) -> f64 {
        let square = |body: &Body| body.v[0] * body.v[0] + body.v[1] * body.v[1] + body.v[2] * body.v[2];
        self.bodies.iter().map(square).fold(0.0, f64::max).sqrt()
    }

    /// The greatest speed that a point of each body can have with these velocities; balls count without their spin, which moves no surface.
    pub(super) fn point_speeds<'a>(&'a self, bodies: &'a [Body]) -> impl Iterator<Item = f64> + 'a {
        bodies[..self.len()].iter().enumerate().map(|(k, body)| {
            let swing = if self.round[k] { 0.0 } else { body.turning().norm() * self.places[k][3] };
            body.velocity().norm() + swing
        })
    }

    /// The greatest of these.
    pub(super) fn fastest_point(&self, bodies: &[Body]) -> f64 {
        self.point_speeds(bodies).fold(0.0, f64::max)
    }

    /// The greatest speed of a centre of mass in every island, by root.
    pub(super) fn fastest_in(&self, islands: &mut Islands, speeds: &mut Vec<f64>) {
        speeds.clear();
        speeds.resize(self.len(), 0.0);
        for body in 0..self.len() {
            let speed = &mut speeds[islands.root(body)];
            *speed = speed.max(self.before[body].velocity().norm());
        }
    }

    /// Gives all bodies what gravity, loads and their own turning do in a step, and remembers how they moved before. Loads act as
    /// at the middle of the step. Tells the energy they supply.
    pub(super) fn kick(&mut self, scene: &SceneInTime, time: f64, step: f64) -> f64 {
        let count = self.len();
        for body in 0..count {
            if !self.inertias[body].even {
                self.spin(body, step);
            }
        }
        self.before.copy_from_slice(&self.bodies);
        let pull = scene.gravity * step;
        let mut supplied = 0.0;
        if !self.wrenches.is_empty() {
            let middle: Vec<State> = (0..count).map(|body| self.halfway(Some(body), step)).collect();
            self.wrenches.fill(Default::default());
            supplied = loads::apply(scene, time + 0.5 * step, &middle, &mut self.wrenches) * step;
            for wrench in &mut self.wrenches {
                *wrench = (wrench.0 * step, wrench.1 * step);
            }
        }
        for body in 0..count {
            let moving = &mut self.bodies[body];
            for k in 0..3 {
                moving.v[k] += pull[k];
            }
            if let Some((force, torque)) = self.wrenches.get(body) {
                let turn = self.inverses[body] * torque;
                for k in 0..3 {
                    moving.v[k] += force[k] * moving.v[3];
                    moving.w[k] += turn[k];
                }
            }
        }
        supplied
    }

    /// A body that turns unevenly keeps its angular momentum, and never gains energy by it.
    fn spin(&mut self, body: usize, step: f64) {
        let state = self.state(body);
        let inertia = &self.inertias[body];
        let [tensor, inverse] = inertia.in_world(&state);
        self.inverses[body] = inverse;
        let omega = state.angular_velocity;
        let momentum = tensor * omega;
        let halfway = omega - inverse * omega.cross(&momentum) * (0.5 * step);
        let mut after = state;
        after.pose.orientation = turned(&state.pose.orientation, &(halfway * step));
        let [tensor_after, inverse_after] = inertia.in_world(&after);
        let turned = inverse_after * momentum;
        let [energy, energy_after] = [omega.dot(&momentum), turned.dot(&(tensor_after * turned))];
        // Its energy with the tensor of the start, for which the step is solved.
        let scale = if energy_after > 0.0 { (energy / turned.dot(&(tensor * turned))).sqrt() } else { 1.0 };
        self.bodies[body].turn(&if scale.is_finite() { turned * scale } else { omega });
    }

    /// Impulse of loads on a body in the step, and its moment.
    pub(super) fn load(&self, body: usize) -> Option<&Wrench> {
        self.wrenches.get(body)
    }

    /// Moves a body on by these displacements, keeping its energy where its inertia turns with it.
    pub(super) fn displace(&mut self, body: usize, by: [f64; 3], angle: &Vector3<f64>) {
        let place = &mut self.places[body];
        for k in 0..3 {
            place[k] += by[k];
        }
        let inertia = self.inertias[body];
        if inertia.even {
            self.turns[body] = turned(&self.turns[body], angle);
            return;
        }
        let before = inertia.kinetic(&self.state(body));
        self.turns[body] = turned(&self.turns[body], angle);
        let state = self.state(body);
        let after = inertia.kinetic(&state);
        let moving = 0.5 * inertia.mass * state.velocity.norm_squared();
        let scale = ((before - moving) / (after - moving)).sqrt();
        if scale.is_finite() {
            self.bodies[body].turn(&(state.angular_velocity * scale));
        }
        self.inverses[body] = inertia.in_world(&state)[1];
    }
}

/// Cayley's map: a rotation by 2 atan(|angle|/2), which is |angle| but for its cube, without a sine.
pub(super) fn turned(from: &UnitQuaternion<f64>, angle: &Vector3<f64>) -> UnitQuaternion<f64> {
    if *angle == Vector3::zeros() {
        return *from;
    }
    let half = angle * 0.5;
    UnitQuaternion::new_normalize(Quaternion::from_parts(1.0, half) * from.as_ref())
}

fn is_round(body: &SceneBody, inertia: &Inertia) -> bool {
    let [part] = &body.parts[..] else { return false };
    let Core::Hull(hull) = &part.core else { return false };
    inertia.even && hull.vertices.len() == 1 && hull.vertices[0] == Vector3::zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_that_is_not_finite_is_seen() {
        let mut crowd = Crowd {
            inertias: Vec::new(),
            places: vec![[1.0, -2.0, 1e300, 0.5]; 3],
            turns: Vec::new(),
            bodies: vec![Body { v: [-1e300, 1e-310, 3.0, 1.0], w: [0.0, -0.0, 5.0, 1.0] }; 4],
            before: Vec::new(),
            inverses: Vec::new(),
            round: Vec::new(),
            wrenches: Vec::new(),
        };
        assert!(crowd.is_finite());
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for k in 0..4 {
                let sets: [fn(&mut Crowd) -> &mut [f64; 4]; 3] =
                    [|crowd| &mut crowd.places[2], |crowd| &mut crowd.bodies[1].v, |crowd| &mut crowd.bodies[3].w];
                for set in sets {
                    let right = std::mem::replace(&mut set(&mut crowd)[k], wrong);
                    assert!(!crowd.is_finite(), "{wrong} at {k}");
                    set(&mut crowd)[k] = right;
                }
            }
        }
        assert!(crowd.is_finite());
    }
}
