//! The common case, made fast: a ball in flight that meets another or a wall, far from everything else.

use super::flight::Flight;
use super::impact::{Rule, parameter};
use super::{AT_REST, EventEngine};
use crate::collision::Collision;
use crate::laws::BoundLaw;
use crate::outcome::ContactOutcome;
use crate::sim::id::BodyId;
use crate::sim::record::{Event, EventContact, EventKind, Origin};
use crate::sim::state::State;
use nalgebra::Vector3;

/// A ball that turns evenly, or the world, at its contact.
struct Ball {
    state: State,
    inverse_mass: f64,
    /// About the world's axes.
    inverse_inertia: Vector3<f64>,
    /// From the centre to the contact.
    arm: Vector3<f64>,
}

impl Ball {
    fn point_velocity(&self) -> Vector3<f64> {
        self.state.velocity + self.state.angular_velocity.cross(&self.arm)
    }

    /// Along normal and tangents: what turns it about the second tangent answers to the first, and the reverse. In the plane the
    /// second one is the axis out of it, and nothing turns about the others.
    fn inverse_mass(&self) -> Vector3<f64> {
        let turning = self.inverse_inertia * self.arm.norm_squared();
        Vector3::new(0.0, turning.z, turning.x).add_scalar(self.inverse_mass)
    }

    /// The size of what makes up its velocity at the contact.
    fn speeds(&self) -> f64 {
        self.state.velocity.norm() + self.state.angular_velocity.norm() * self.arm.norm()
    }

    fn push(&mut self, impulse: &Vector3<f64>) {
        self.state.velocity += impulse * self.inverse_mass;
        self.state.angular_velocity += self.inverse_inertia.component_mul(&self.arm.cross(impulse));
    }
}

impl EventEngine {
    /// Whether nothing but free flight goes on, so that the next contact can be taken by itself.
    pub(super) fn only_flights(&self) -> bool {
        let nothing_persists = self.held.is_empty() && self.quiet.is_empty();
        self.flow.is_none() && nothing_persists && self.scene.joints.is_empty() && self.scene.strings.is_empty()
    }

    /// The impact of a pair in flight that touches now, if it is as simple as that.
    pub(super) fn lone_impact(&mut self, pair: usize) -> Option<Event> {
        let time = self.time;
        let (round, radii) = self.pairs.balls(&self.scene, pair)?;
        let bodies = self.pairs.bodies(pair);
        if self.pairs.next_but(pair) - time <= self.reach / self.speed {
            return None;
        }
        let state = |body: Option<usize>| body.map_or_else(State::world, |body| self.flights[body].at(time));
        let before = [state(bodies[0]), state(bodies[1])];
        let frame = round.axes(&self.scene, before.each_ref().map(|state| &state.pose.position))?;
        let normal = frame.normal();
        let ball = |side: usize| {
            let (state, arm) = (before[side], normal * [-radii[0], radii[1]][side]);
            let Some(body) = bodies[side] else {
                return Some(Ball { state, inverse_mass: 0.0, inverse_inertia: Vector3::zeros(), arm });
            };
            let inertia = &self.inertias[body];
            Some(Ball { state, inverse_mass: inertia.mass.recip(), inverse_inertia: inertia.even_inverse()?, arm })
        };
        let (mut a, mut b) = (ball(0)?, ball(1)?);
        let velocity_before = frame.to_contact(&(a.point_velocity() - b.point_velocity()));
        if -velocity_before.x <= self.slowest_impact(bodies.iter().flatten()) {
            return None;
        }
        let inverse_mass = a.inverse_mass() + b.inverse_mass();
        let collision = Collision::of_balls(&inverse_mass, &velocity_before, a.speeds() + b.speeds()).ok()?;
        // What the law refuses may be slow enough to be completed otherwise.
        let Ok(ContactOutcome { impulse, .. }) = self.lone_law(pair)?.resolve_collision(&collision) else {
            return None;
        };
        let push = frame.to_world(&impulse);
        a.push(&push);
        b.push(&-push);
        let velocity_after = frame.to_contact(&(a.point_velocity() - b.point_velocity()));
        if velocity_after.x <= AT_REST * self.rest_speed() || !velocity_after.iter().all(|v| v.is_finite()) {
            return None;
        }
        let point = a.state.pose.position + a.arm;
        let mut lost = 0.0;
        let mut changed = Vec::with_capacity(2);
        for ((body, before), Ball { state, .. }) in bodies.into_iter().zip(before).zip([a, b]) {
            let Some(body) = body else { continue };
            let inertia = &self.inertias[body];
            lost += inertia.kinetic(&before) - inertia.kinetic(&state);
            self.flights[body] = Flight { since: time, state, acceleration: self.scene.gravity };
            self.count_impact(body);
            changed.push((BodyId::new(body), [before, state]));
        }
        self.impacts += lost;
        let care = self.care();
        for (body, _) in &changed {
            self.pairs.renew_body(&self.scene, &self.flights, body.index(), time, care);
        }
        let (parts, materials) = self.pairs.origin(&self.scene, pair);
        let contact = EventContact {
            bodies: BodyId::pair(bodies),
            origin: Origin::Parts { parts, materials },
            point,
            lever: Vector3::zeros(),
            frame,
            impulse,
            velocity_before,
            velocity_after,
            closing_speed: 0.0,
        };
        // In flight nothing else changes the energy.
        let total = self.start + self.supplied - self.friction - self.impacts;
        Some(Event {
            time,
            kind: EventKind::Impact,
            contacts: vec![contact],
            energy: [total + lost, total],
            bodies: changed,
            joints: Vec::new(),
            restitution_factor: None,
        })
    }

    /// The law for a pair, bound once for each two materials.
    fn lone_law(&mut self, pair: usize) -> Option<&BoundLaw> {
        let (_, key) = self.pairs.origin(&self.scene, pair);
        let known = self.bound_laws.iter().position(|(known, _)| *known == key);
        let place = if let Some(place) = known {
            place
        } else {
            let spot = self.pairs.somewhere(&self.scene, pair);
            let value = |name: &str| parameter(&self.scene, self.law, &spot, Rule::Law(1.0), name);
            let law = self.law.bind_from(value).ok()?;
            self.bound_laws.push((key, law));
            self.bound_laws.len() - 1
        };
        Some(&self.bound_laws[place].1)
    }
}
