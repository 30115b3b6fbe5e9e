//! The common case, made fast: one contact between bodies in flight, far from everything else.

use super::flight::Flight;
use super::impact::{Rule, parameter};
use super::{AT_REST, EventEngine};
use crate::body::Body;
use crate::collision::Collision;
use crate::laws::BoundLaw;
use crate::sim::record::{Event, EventContact, EventKind};
use crate::sim::spot::Spot;
use crate::sim::state::State;

impl EventEngine {
    /// Whether nothing but free flight goes on, so that the next contact can be taken by itself.
    pub(super) fn only_flights(&self) -> bool {
        let nothing_persists = self.held.is_empty() && self.quiet.is_empty();
        self.flow.is_none() && nothing_persists && self.scene.joints.is_empty() && self.scene.strings.is_empty()
    }

    /// The impact of a pair in flight that touches now, if it is as simple as that.
    pub(super) fn lone_impact(&mut self, pair: usize) -> Option<Event> {
        let time = self.time;
        let spot = self.pairs.ball_spot(&self.scene, pair)?;
        let after_this = self.pairs.time_after(pair);
        if after_this - time <= self.reach / self.speed {
            return None;
        }
        let before = spot.bodies.map(|body| body.map_or_else(State::world, |body| self.flights[body].at(time)));
        let now = spot.between(&before[0], &before[1])?;
        let frame = Spot::frame(&self.scene, &now.normal)?;
        let velocity_before =
            frame.to_contact(&(before[0].point_velocity(&now.point) - before[1].point_velocity(&now.point)));
        if -velocity_before.x <= self.slowest_impact(spot.bodies.iter().flatten()) {
            return None;
        }
        let mut bodies = [0, 1].map(|side| match spot.bodies[side] {
            Some(body) => self.inertias[body].body(&before[side]),
            None => Body::immovable(),
        });
        let collision = Collision::between(&bodies[0], &bodies[1], &now.point, &frame).ok()?;
        // What the law refuses may be slow enough to be completed otherwise.
        let impulse = self.lone_law(&spot)?.resolve(&collision).ok()?.impulse;
        let push = frame.to_world(&impulse);
        let kinetic = bodies.each_ref().map(Body::kinetic_energy);
        bodies[0].apply_impulse(&now.point, &push);
        bodies[1].apply_impulse(&now.point, &-push);
        let velocity_after =
            frame.to_contact(&(bodies[0].point_velocity(&now.point) - bodies[1].point_velocity(&now.point)));
        if velocity_after.x <= AT_REST * self.rest_speed() || !velocity_after.iter().all(|v| v.is_finite()) {
            return None;
        }
        let lost: f64 = (0..2).map(|side| kinetic[side] - bodies[side].kinetic_energy()).sum();
        self.pairs.pop();
        self.impacts += lost;
        let mut changed = Vec::with_capacity(2);
        for side in 0..2 {
            if let Some(body) = spot.bodies[side] {
                let (velocity, angular_velocity) = (bodies[side].velocity, bodies[side].angular_velocity);
                let state = State { velocity, angular_velocity, ..before[side] };
                self.flights[body] = Flight { since: time, state, acceleration: self.scene.gravity };
                changed.push((body, [before[side], state]));
            }
        }
        for body in spot.bodies.iter().flatten() {
            self.count_impact(*body);
        }
        let care = self.care();
        for (body, _) in &changed {
            self.pairs.renew_body(&self.scene, &self.flights, *body, time, care);
        }
        let contact = EventContact {
            bodies: spot.bodies,
            origin: spot.origin(),
            point: now.point,
            frame,
            impulse,
            velocity_before,
            velocity_after,
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
        })
    }

    /// The law for a contact, bound once for each pair of materials.
    fn lone_law(&mut self, spot: &Spot) -> Option<&BoundLaw> {
        let key = spot.materials;
        let known = self.bound_laws.iter().position(|(known, _)| *known == key);
        let place = if let Some(place) = known {
            place
        } else {
            let law = self.scene.law.bind_from(|name| parameter(&self.scene, spot, Rule::Law, name)).ok()?;
            self.bound_laws.push((key, law));
            self.bound_laws.len() - 1
        };
        Some(&self.bound_laws[place].1)
    }
}
