//! A mode of motion begins: which contacts persist, and how.

use super::flight::Flight;
use super::flow::MOST_SLOW_STEPS;
use super::forces::{JAMMED, Paradox, Question};
use super::happen::ROUNDING;
use super::impact::Meet;
use super::mode::{Held, Hold};
use super::{AT_REST, EventEngine};
use crate::sim::constrained::Unheld;
use crate::sim::loads::Wrench;
use crate::sim::record::{Event, EventKind, Failure};
use crate::sim::spot::Spot;
use crate::sim::state::State;
use crate::sim::touch::detect::SUNK;
use nalgebra::Vector3;

/// An acceleration below this fraction of that without contacts is none.
const STILL: f64 = 1e-10;
/// A block that rocks lower than places can be told goes on for ever: one whose impacts chatter rests at so many times the speed of
/// the last rebounds.
const ROCKING: f64 = 10.0;

impl EventEngine {
    /// Begins a mode: which contacts persist, and which bodies are integrated.
    pub(super) fn begin(&mut self) -> Result<Option<Event>, Failure> {
        self.land();
        self.stale = false;
        let mut states = self.states();
        let rest = self.rest_speed();
        let reach = self.reach;
        let candidates = std::mem::take(&mut self.candidates);
        let touching = |spot: &Spot, states: &[State]| {
            let meet = Meet::new(&self.scene, states, spot);
            meet.filter(|meet| (-SUNK * reach..=reach).contains(&meet.now.gap)).map(|meet| meet.velocity(states).x)
        };
        let resting = |spot: &Spot, states: &[State]| {
            let chatters = spot.bodies.iter().flatten().any(|body| self.series[*body].chatters());
            let slow = rest * if chatters { ROCKING } else { AT_REST };
            // What closes so slowly that its impact would be completed at once is.
            touching(spot, states).is_some_and(|speed| speed <= slow && speed >= -rest.max(slow))
        };
        let (mut spots, mut others): (Vec<Spot>, Vec<Spot>) =
            candidates.into_iter().partition(|spot| resting(spot, &states));
        spots.dedup();
        // At the start bodies may touch and approach already.
        let approaches = |spot: &&Spot| touching(spot, &states).is_some_and(|speed| speed < -rest);
        let trigger: Vec<usize> = others.iter().filter(approaches).flat_map(|spot| spot.bodies).flatten().collect();
        if !trigger.is_empty() {
            self.candidates = spots;
            return self.collide(&trigger);
        }
        let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
        let was: Vec<Held> = [std::mem::take(&mut self.held), std::mem::take(&mut self.quiet)].concat();
        let energy = self.energy(&states);
        let (mut bodies, mut firm): (Vec<usize>, Vec<Held>);
        loop {
            let flowing = self.flowing(&states, &spots);
            bodies = (0..flowing.len()).filter(|body| flowing[*body]).collect();
            firm = spots.iter().map(Held::firm).collect();
            self.settling(&bodies, &joints, &firm).settle(&mut states);
            self.keep_out((&bodies, &joints), &firm, &others, &mut states);
            // What only rose because others sank now rests as well.
            let (late, rising): (Vec<Spot>, Vec<Spot>) = others.into_iter().partition(|spot| resting(spot, &states));
            others = rising;
            if late.is_empty() {
                break;
            }
            spots.extend(late);
        }
        let eager = std::mem::take(&mut self.slips_now);
        let stopped = self.stopped.take();
        // From nothing, so that a run that is resumed here finds the same.
        self.guess.take();
        let question = Question { eager, stopped, ..self.question(&bodies, &joints, self.time, &states) };
        let answer = match question.answer(&spots) {
            Ok(answer) => answer,
            Err(paradox) => return self.jam((paradox, energy - self.energy(&states)), &states, &spots),
        };
        let changes = changes(&was, &spots, &answer.holds);
        let lingers = self.slow_steps > MOST_SLOW_STEPS;
        if lingers {
            self.slow_steps = 0;
        }
        // What sticks must not press anew on what carries nothing or lets go; what stopped and slips anew begins from nothing.
        let stops = |(firm, hold): (&Held, &Option<Hold>)| match hold {
            Some(Hold::Stick) => Held { hold: Hold::Stick, ..*firm },
            Some(Hold::Slip(_)) if stopped == Some(firm.spot) => Held { hold: Hold::Stick, ..*firm },
            _ => *firm,
        };
        let settled: Vec<Held> = firm.iter().zip(&answer.holds).map(stops).collect();
        self.settling(&bodies, &joints, &settled).settle(&mut states);
        self.keep_out((&bodies, &joints), &firm, &others, &mut states);
        let slides = |spot: &Spot| {
            stopped != Some(*spot)
                && Meet::new(&self.scene, &states, spot)
                    .is_some_and(|meet| meet.velocity(&states).yz().norm() > self.slip_noise())
        };
        let held: Vec<Held> = spots
            .iter()
            .zip(&answer.holds)
            .filter_map(|(spot, hold)| {
                let held = Held { spot: *spot, hold: (*hold)?, starting: !slides(spot) };
                Some(Held { starting: held.starting || lingers && self.slips_slowly(&held, &states), ..held })
            })
            .collect();
        // Contacts that close from within the touching distance are the end of their impacts.
        let taken = energy - self.energy(&states);
        for &body in &bodies {
            self.launch(body, states[body]);
        }
        self.held = held;
        let mut flowing = self.flowing(&states, &self.persisting());
        self.lay_to_rest(&mut flowing, &states);
        self.slack = self.links().filter(|spot| !self.held.iter().any(|held| held.spot == *spot)).collect();
        let changed: Vec<bool> =
            flowing.iter().zip(&self.flights).map(|(flows, f)| *flows || f.since == self.time).collect();
        self.pairs.renew(&self.scene, &self.flights, &changed, &flowing, self.time, self.care());
        let bodies: Vec<usize> = (0..flowing.len()).filter(|body| flowing[*body]).collect();
        if !bodies.is_empty() {
            let flow = self.start_flow(bodies, &states);
            if flow.left != 0.0 && flow.left.abs() <= JAMMED {
                return self.jam((Paradox::Endless, taken), &states, &spots);
            }
            self.flow = Some(flow);
        }
        self.impacts += taken;
        self.told = changes.iter().map(|(kind, changed)| self.transition(*kind, changed, &states)).collect();
        Ok(self.told.pop_front())
    }

    /// What touches and rises does not sink in because others were put in their places: it would be too deep to be found again.
    fn keep_out(&self, (bodies, joints): (&[usize], &[usize]), firm: &[Held], others: &[Spot], states: &mut [State]) {
        let mut all = firm.to_vec();
        loop {
            let sunk = |spot: &&Spot| {
                let deep = spot.at(&self.scene, states).is_some_and(|now| now.gap < -ROUNDING * self.size);
                deep && !all.iter().any(|held| held.spot == **spot)
            };
            let deep: Vec<Held> = others.iter().filter(sunk).map(Held::firm).collect();
            if deep.is_empty() {
                return;
            }
            all.extend(deep);
            self.settling(bodies, joints, &all).separate(states);
        }
    }

    /// Which bodies do not fly in closed form, if contacts persist at these places.
    fn flowing(&self, states: &[State], spots: &[Spot]) -> Vec<bool> {
        let mut flowing = self.bound.clone();
        for (body, inertia) in self.inertias.iter().enumerate() {
            flowing[body] |= !inertia.even && states[body].angular_velocity != Vector3::zeros();
        }
        for body in spots.iter().flat_map(|spot| spot.bodies).flatten() {
            flowing[body] = true;
        }
        flowing
    }

    /// Bodies that neither move nor begin to, and touch nothing that does, need no integration until something hits them.
    fn lay_to_rest(&mut self, flowing: &mut [bool], states: &[State]) {
        let bodies: Vec<usize> = (0..flowing.len()).filter(|body| flowing[*body]).collect();
        if self.held.is_empty() {
            return;
        }
        let Some(accelerations) = self.accelerations(bodies.clone(), states) else { return };
        let speed = AT_REST * self.rest_speed();
        let driven = Unheld::new(&self.scene, &self.inertias, &bodies, self.time, states).acceleration;
        let pace = |(a, alpha): &Wrench| a.norm() + alpha.norm() * self.size;
        // What presses on a body may come from others that are driven, or from nothing but rounding.
        let hardest = driven.iter().map(pace).fold(0.0, f64::max);
        let hardest = if hardest > 0.0 { hardest } else { self.speed * self.speed / self.size };
        let mut still: Vec<bool> = (0..flowing.len())
            .map(|body| {
                let state = &states[body];
                let own = pace(&driven[body]);
                let rate = STILL * if own > 0.0 { own } else { hardest };
                flowing[body]
                    && !self.bound[body]
                    && state.velocity.norm() + state.angular_velocity.norm() * self.size <= speed
                    && pace(&accelerations[body]) <= rate
            })
            .collect();
        let moves = |body: Option<usize>, still: &[bool]| body.is_some_and(|body| !still[body]);
        while let Some(touched) = self.held.iter().map(|held| held.spot.bodies).find(|bodies| {
            bodies.iter().any(|body| moves(*body, &still)) && bodies.iter().flatten().any(|body| still[*body])
        }) {
            touched.into_iter().flatten().for_each(|body| still[body] = false);
        }
        for body in (0..still.len()).filter(|body| still[*body]) {
            flowing[body] = false;
            let none = Vector3::zeros();
            let state = State { velocity: none, angular_velocity: none, ..states[body] };
            self.flights[body] = Flight { since: self.time, state, acceleration: none };
        }
        (self.quiet, self.held) =
            self.held.iter().partition(|held| held.spot.bodies.iter().flatten().all(|body| still[*body]));
    }

    pub(super) fn question<'a>(
        &'a self,
        bodies: &'a [usize],
        joints: &'a [usize],
        time: f64,
        states: &'a [State],
    ) -> Question<'a> {
        let slip = self.slip_noise();
        let (scene, inertias, size) = (&self.scene, &self.inertias, self.size);
        Question {
            scene,
            inertias,
            bodies,
            joints,
            time,
            states,
            slip,
            size,
            eager: false,
            stopped: None,
            guess: &self.guess,
        }
    }
}

/// What contacts no longer do as they did.
fn changes(was: &[Held], spots: &[Spot], holds: &[Option<Hold>]) -> Vec<(EventKind, Vec<Spot>)> {
    let mut changes: Vec<(EventKind, Vec<Spot>)> = Vec::new();
    for (spot, hold) in spots.iter().zip(holds) {
        let before = was.iter().find(|held| held.spot == *spot).map(|held| held.hold);
        let kind = match (before, hold) {
            (Some(Hold::Slip(_)), Some(Hold::Stick)) => EventKind::StickStart,
            (Some(Hold::Stick), Some(Hold::Slip(_))) => EventKind::SlipStart,
            (Some(Hold::Stick | Hold::Slip(_)), None) => EventKind::LiftOff,
            _ => continue,
        };
        match changes.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, changed)) => changed.push(*spot),
            None => changes.push((kind, vec![*spot])),
        }
    }
    changes
}
