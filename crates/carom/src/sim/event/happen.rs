//! What happens at an instant.

use super::flow::Ended;
use super::forces::Paradox;
use super::impact::{Meet, Resolved, Rule};
use super::mode::{Ending, Held};
use super::{AT_REST, EventEngine};
use crate::laws::Inapplicable;
use crate::sim::id::BodyId;
use crate::sim::loads;
use crate::sim::record::{Event, EventContact, EventKind, Failure};
use crate::sim::spot::Spot;
use crate::sim::state::State;

/// Overlap that is rounding, as a fraction of the size of the scene.
pub(super) const ROUNDING: f64 = 1e-14;
/// Below this fraction of the speeds in the scene an impact that a law has no answer to is completed without rebound.
const SLOW: f64 = 1e-4;
/// With these speeds of approach, as multiples of one that does not rebound, a law is asked about slip that jams: the first that it does
/// not take for none.
const APPROACHES: [f64; 3] = [1e-3, 1.0, 1e2];
/// Slip is so much greater than the approach that shows it to a law: what stops it is not the impulse of that approach.
const GREATER: f64 = 100.0;
/// Energy that rises by less than this fraction of all kinetic energy rises by rounding.
const ENERGY_ROUNDING: f64 = 1e-12;
/// After this many halvings the factor on restitution is known to 1e-12, and so is the loss by it as a share of the energy.
const HALVINGS: usize = 40;
/// Events at one instant after which slip that no law stops has no forces.
const MOST_IN_VAIN: usize = 20;

impl EventEngine {
    /// What happens now.
    pub(super) fn happen(&mut self, ended: Option<Ended>) -> Result<Option<Event>, Failure> {
        let flying = self.pairs.next().filter(|(time, _)| *time <= self.time);
        if let (Some((_, pair)), true) = (flying, self.only_flights())
            && let Some(event) = self.lone_impact(pair)
        {
            return Ok(Some(event));
        }
        if flying.is_none()
            && let Some(Ended::Mode(ending)) = ended
        {
            if let Ending::Taut(link) = ending {
                let spot = self.slack[link];
                let states = self.states();
                let rest = AT_REST * self.rest_speed();
                self.candidates = self.persisting();
                self.candidates.push(spot);
                let strikes = Meet::new(&self.scene, &states, &spot).is_some_and(|m| m.velocity(&states).x < -rest);
                if strikes {
                    let trigger: Vec<usize> = spot.bodies.into_iter().flatten().collect();
                    self.land();
                    return self.collide(&trigger);
                }
                self.land();
                return Ok(None);
            }
            match ending {
                Ending::Leaves(contact) => return Ok(Some(self.change_feature(contact))),
                Ending::Jams => return self.jam_now(Paradox::Endless),
                Ending::LetsGo(contact) => return Ok(Some(self.let_go(contact))),
                _ => {}
            }
            self.slips_now = matches!(ending, Ending::Slips(_) | Ending::Changes);
            if let Ending::Turns(contact) = ending {
                let (states, spot) = (self.states(), self.held[contact].spot);
                // With one coefficient of friction what is left of the slip ends by itself.
                let holds = spot.friction[0] > spot.friction[1];
                let rests = |meet: &Meet| holds && meet.velocity(&states).yz().norm() <= 2.0 * self.slip_noise();
                self.stopped = Meet::new(&self.scene, &states, &spot).filter(rests).map(|meet| meet.spot);
            }
            self.candidates = self.persisting();
            self.land();
            return Ok(None);
        }
        if let (None, Some(Ended::Stuck)) = (flying, ended) {
            return self.jam_now(Paradox::Inconsistent);
        }
        let mut trigger: Vec<usize> = Vec::new();
        if let Some((_, pair)) = flying {
            trigger.extend(self.pairs.bodies(pair).into_iter().flatten());
            self.pairs.forget(pair);
        }
        if let (Some(Ended::Touch), Some(flow)) = (ended, &self.flow) {
            trigger.extend(&flow.chart.bodies);
        }
        self.candidates = self.persisting();
        self.collide(&trigger)
    }

    /// The impact of everything that touches these bodies, directly or through others.
    pub(super) fn collide(&mut self, trigger: &[usize]) -> Result<Option<Event>, Failure> {
        let mut states = self.states();
        let (touched, touching) = self.cluster(trigger, &states);
        // Contacts elsewhere persist as they did.
        self.candidates.retain(|spot| !spot.bodies.iter().flatten().any(|body| touched.contains(body)));
        self.candidates.extend(&touching);
        let meet = |spot: &Spot, states: &[State]| Meet::new(&self.scene, states, spot);
        let closing = |meet: &Meet, states: &[State]| -meet.velocity(states).x;
        let hits = |meet: &Meet| closing(meet, &states) > AT_REST * self.rest_speed();
        let hit: Vec<usize> = touching
            .iter()
            .filter_map(|spot| meet(spot, &states).filter(hits))
            .flat_map(|meet| meet.spot.bodies)
            .flatten()
            .collect();
        // Bodies that nothing hits have velocities of rounding, which no law can make sense of.
        let (members, spots) = if hit.is_empty() { (touched, touching) } else { self.cluster(&hit, &states) };
        let energy = self.energy(&states);
        self.separate(&members, &spots, &mut states);
        let taken = energy - self.energy(&states);
        if hit.is_empty() {
            self.impacts += taken;
            self.land();
            self.refly(&members, &states);
            return Ok(None);
        }
        let meets: Vec<Meet> = spots.iter().filter_map(|spot| meet(spot, &states)).collect();
        let closing = meets.iter().map(|meet| closing(meet, &states)).fold(0.0, f64::max);
        let until = hit.iter().map(|body| self.series[*body].end(self.time)).fold(self.time, f64::max);
        let ends = EventKind::Accumulation { until };
        // Some laws cannot tell so slow an impact from none; and where contacts depend on each other, its velocities are too near to
        // rounding for any friction to fit them.
        let (dead, law) = ((ends, Rule::Dead), (EventKind::Impact, Rule::Law(1.0)));
        let ways = match closing {
            speed if speed <= self.slowest_impact(&hit) => vec![dead, (ends, Rule::DeadAndSmooth)],
            speed if speed <= SLOW * self.speed => vec![law, dead, (ends, Rule::DeadAndSmooth)],
            // Bodies wedge where no finite impulse throws them back: friction stops them.
            _ => vec![law, (EventKind::Jam, Rule::Dead), (EventKind::Jam, Rule::DeadAndSmooth)],
        };
        let mut struck = Err(Failure::Motion { time: self.time });
        for (kind, rule) in ways {
            struck = self.strike((kind, taken), rule, &states, &members, &meets);
            let fast = closing > SLOW * self.speed;
            let wedged = matches!(
                struck,
                Err(Failure::Law {
                    reason: Inapplicable::UnboundedImpulse
                        | Inapplicable::Wedged { .. }
                        | Inapplicable::Infeasible
                        | Inapplicable::EndlessCompression
                        | Inapplicable::FailsEquations { .. },
                    ..
                })
            );
            if !(wedged || !fast && matches!(struck, Err(Failure::Law { .. }))) {
                break;
            }
        }
        let event = struck?;
        for body in hit {
            self.count_impact(body);
        }
        Ok(Some(event))
    }

    /// Impacts of these bodies that approach no faster are completed without rebound, m/s.
    pub(super) fn slowest_impact<'a>(&self, bodies: impl IntoIterator<Item = &'a usize>) -> f64 {
        let cut_off = |body: &usize| self.series[*body].cut_off();
        bodies.into_iter().map(cut_off).fold(self.settings.rest, f64::max) * self.speed
    }

    /// Contacts that the search found a little late, by the slack at most, do not sink further from one impact to the next; and joints
    /// do not move by what integration left there.
    fn separate(&self, members: &[usize], spots: &[Spot], states: &mut [State]) {
        let deep = |spot: &&Spot| spot.at(&self.scene, states).is_some_and(|now| now.gap < -ROUNDING * self.size);
        let deep: Vec<Held> = spots.iter().filter(deep).map(Held::firm).collect();
        let joints = self.joints_of(members);
        if !(deep.is_empty() && joints.is_empty()) {
            self.settling(members, &joints, &deep).separate(states);
        }
    }

    /// The joints that hold some of these bodies.
    fn joints_of(&self, members: &[usize]) -> Vec<usize> {
        let inside = |joint: &usize| {
            let joint = &self.scene.joints[*joint];
            [joint.a.index(), joint.b.index()].iter().flatten().any(|body| members.contains(body))
        };
        (0..self.scene.joints.len()).filter(inside).collect()
    }

    /// The states with a hair's breadth of approach at every contact, which lets a law see an impact.
    fn nudged(&self, members: &[usize], spots: &[Spot], states: &[State], speed: f64) -> Vec<State> {
        let mut nudged = states.to_vec();
        let (joints, held) = (self.joints_of(members), spots.iter().map(Held::firm).collect::<Vec<Held>>());
        self.settling(members, &joints, &held).close(&mut nudged, speed);
        nudged
    }

    /// One more impact of a body.
    pub(super) fn count_impact(&mut self, body: usize) {
        self.series[body].add(self.time, self.size / self.speed);
    }

    /// Applies an impact and tells about it, and of the energy that was taken at this instant to make the states ready for the law.
    fn strike(
        &mut self,
        (kind, taken): (EventKind, f64),
        rule: Rule,
        states: &[State],
        members: &[usize],
        meets: &[Meet],
    ) -> Result<Event, Failure> {
        let time = self.time;
        let (Resolved { contacts, bodies, joints }, restitution_factor) =
            self.resolve_safely(rule, states, members, meets).map_err(|reason| {
                let between = meets.iter().map(|meet| BodyId::pair(meet.spot.bodies)).collect();
                Failure::Law { time, between, reason }
            })?;
        let before = self.kinetic(states) + taken;
        let mut after = states.to_vec();
        for (body, state) in &bodies {
            after[*body] = *state;
        }
        if after.iter().any(|state| !state.velocity.iter().chain(state.angular_velocity.iter()).all(|v| v.is_finite()))
        {
            return Err(Failure::Motion { time });
        }
        let lost = before - self.kinetic(&after);
        self.land();
        self.impacts += lost;
        let mut changed = Vec::new();
        for (body, state) in bodies {
            changed.push((BodyId::new(body), [states[body], state]));
            self.launch(body, state);
        }
        self.refly(members, &after);
        // Of the energy that an event reports as created nothing is rounding.
        let rounding = lost < 0.0 && -lost <= ENERGY_ROUNDING * before;
        let before = before + loads::potential(&self.scene, states);
        let energy = [before, if rounding { before } else { before - lost }];
        Ok(Event { time, kind, contacts, energy, bodies: changed, joints, restitution_factor })
    }

    /// Resolves an impact. Where the scene asks for it, restitution goes down until the impact creates no energy; the factor on it is
    /// returned beside the outcome.
    ///
    /// With all coefficients of restitution times θ the law `newton-lcp` has Pₙ (Vₙ⁺ + θ e Vₙ⁻) = 0 and P_t·V_t⁺ ≤ 0 at every
    /// contact. At θ = 0 that is P·V⁺ ≤ 0, and the energy changes by P·V⁺ − ½ P·W P ≤ 0. So between 0 and a θ at which the energy
    /// rises there is one up to which it does not; halving the interval finds it from below.
    fn resolve_safely(
        &self,
        rule: Rule,
        states: &[State],
        members: &[usize],
        meets: &[Meet],
    ) -> Result<(Resolved, Option<f64>), Inapplicable> {
        let resolve = |rule: Rule| self.resolve(states, members, meets, rule);
        let full = resolve(rule)?;
        let before: f64 = members.iter().map(|body| self.inertias[*body].kinetic(&states[*body])).sum();
        let gain = |resolved: &Resolved| {
            let after: f64 = resolved.bodies.iter().map(|(body, state)| self.inertias[*body].kinetic(state)).sum();
            after - before
        };
        let creates = |resolved: &Resolved| gain(resolved) > ENERGY_ROUNDING * before;
        let lowered = |factor: f64| rule.lowered(factor).filter(|_| self.settings.lowers_restitution);
        let (true, Some(dead)) = (creates(&full), lowered(0.0)) else { return Ok((full, None)) };
        let mut best = resolve(dead)?;
        if creates(&best) {
            return Err(Inapplicable::NoSolution);
        }
        let [mut low, mut high] = [0.0, 1.0];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            match lowered(middle).map(resolve) {
                Some(Ok(found)) if gain(&found) <= 0.0 => (low, best) = (middle, found),
                _ => high = middle,
            }
        }
        Ok((best, Some(low)))
    }

    /// Predicts anew what these bodies will touch.
    fn refly(&mut self, members: &[usize], states: &[State]) {
        for &body in members {
            self.launch(body, states[body]);
        }
        self.stale = true;
    }

    /// Bodies that touch those of the trigger, directly or through others, by contacts and joints; and where.
    fn cluster(&self, trigger: &[usize], states: &[State]) -> (Vec<usize>, Vec<Spot>) {
        let mut inside = vec![false; states.len()];
        let mut queue: Vec<usize> = trigger.to_vec();
        let mut spots: Vec<Spot> = Vec::new();
        let links: Vec<Spot> = self.links().filter(|spot| self.is_closed(spot, states)).collect();
        while let Some(body) = queue.pop() {
            if std::mem::replace(&mut inside[body], true) {
                continue;
            }
            for joint in &self.scene.joints {
                let ends = [joint.a.index(), joint.b.index()];
                if ends.contains(&Some(body)) {
                    queue.extend(ends.into_iter().flatten());
                }
            }
            let found = self.pairs.touching(&self.scene, states, self.reach, Some(body));
            for spot in found.into_iter().chain(links.iter().copied().filter(|spot| spot.bodies.contains(&Some(body))))
            {
                queue.extend(spot.bodies.into_iter().flatten());
                if !spots.contains(&spot) {
                    spots.push(spot);
                }
            }
        }
        let members = (0..inside.len()).filter(|body| inside[*body]).collect();
        (members, spots)
    }

    /// Friction that allows no finite force stops the slip by an impulse: the limit of ever softer impacts. So much energy was taken
    /// at this instant already.
    pub(super) fn jam(
        &mut self,
        (paradox, taken): (Paradox, f64),
        states: &[State],
        spots: &[Spot],
    ) -> Result<Option<Event>, Failure> {
        let slips = |spot: &&Spot| {
            let meet = Meet::new(&self.scene, states, spot);
            spot.friction[0] > 0.0 && meet.is_some_and(|meet| meet.velocity(states).yz().norm() > self.slip_noise())
        };
        let trigger: Vec<usize> = spots.iter().filter(slips).flat_map(|spot| spot.bodies).flatten().collect();
        let (members, touching) = self.cluster(&trigger, states);
        let meets: Vec<Meet> = touching.iter().filter_map(|spot| Meet::new(&self.scene, states, spot)).collect();
        let law = if paradox == Paradox::Endless { Rule::LawThatJams(1.0) } else { Rule::Law(1.0) };
        if trigger.is_empty() {
            return Err(Failure::Forces { time: self.time });
        }
        // Laws that do not couple friction to the normal stop nothing. Where none does, what the first says may still lead on.
        let ways =
            || [law, Rule::DeadThatJams].into_iter().flat_map(|rule| APPROACHES.map(|approach| (rule, approach)));
        let stops = |(rule, approach): &(Rule, f64), greater: f64| {
            let speed = approach * self.rest_speed();
            self.stops(&self.nudged(&members, &touching, states, speed), &members, &meets, *rule, greater * speed)
        };
        // Slip that is hardly more than none may stop by the approach itself.
        let way = ways().find(|way| stops(way, GREATER)).or_else(|| ways().find(|way| stops(way, 0.0)));
        if way.is_none() && self.events_here > MOST_IN_VAIN {
            return Err(Failure::Forces { time: self.time });
        }
        // Where no impulse stops the slip, a contact that separates by rounding only may have to close before there are forces. An impulse
        // without rebound closes it, of the first approach that the law does not take for none.
        let closes = |(rule, approach): &(Rule, f64)| {
            let nudged = self.nudged(&members, &touching, states, approach * self.rest_speed());
            let resolved = self.resolve(&nudged, &members, &meets, *rule);
            resolved.is_ok_and(|resolved| resolved.contacts.iter().any(|contact| contact.impulse.x > 0.0))
        };
        let dead = || APPROACHES.map(|approach| (Rule::DeadThatJams, approach)).into_iter();
        let (rule, approach) = way.or_else(|| dead().find(closes)).unwrap_or((law, APPROACHES[0]));
        let nudged = self.nudged(&members, &touching, states, approach * self.rest_speed());
        // Contacts elsewhere persist as they did.
        let elsewhere = |spot: &&Spot| !spot.bodies.iter().flatten().any(|body| members.contains(body));
        self.candidates = spots.iter().filter(elsewhere).chain(&touching).copied().collect();
        let taken = taken + self.kinetic(states) - self.kinetic(&nudged);
        self.strike((EventKind::Jam, taken), rule, &nudged, &members, &meets).map(Some)
    }

    /// Whether an impact changes the slip of some contact that is faster than this by more than half.
    fn stops(&self, states: &[State], members: &[usize], meets: &[Meet], rule: Rule, slowest: f64) -> bool {
        let slowest = self.slip_noise().max(slowest);
        let stops = |contact: &EventContact| {
            let [before, after] = [contact.velocity_before, contact.velocity_after].map(|velocity| velocity.yz());
            before.norm() > slowest && (after - before).norm() > 0.5 * before.norm()
        };
        self.resolve(states, members, meets, rule).is_ok_and(|resolved| resolved.contacts.iter().any(stops))
    }

    /// A contact lifts off, whatever it presses with.
    fn let_go(&mut self, contact: usize) -> Event {
        let (states, spot) = (self.states(), self.held[contact].spot);
        self.candidates = self.persisting();
        self.candidates.retain(|other| *other != spot);
        self.land();
        self.transition(EventKind::LiftOff, &[spot], &states)
    }

    /// Slip jams as it is.
    fn jam_now(&mut self, paradox: Paradox) -> Result<Option<Event>, Failure> {
        let (states, spots) = (self.states(), self.persisting());
        self.land();
        self.jam((paradox, 0.0), &states, &spots)
    }

    /// A contact came to the rim of its feature: what touches there is found anew.
    fn change_feature(&mut self, contact: usize) -> Event {
        let states = self.states();
        let spot = self.held[contact].spot;
        let bodies: Vec<usize> = spot.bodies.into_iter().flatten().collect();
        let (members, mut spots) = self.cluster(&bodies, &states);
        spots.retain(|other| *other != spot);
        let mut candidates = self.persisting();
        candidates.retain(|spot| !spot.bodies.iter().flatten().any(|body| members.contains(body)));
        candidates.extend(spots);
        self.candidates = candidates;
        self.land();
        self.transition(EventKind::FeatureChange, &[spot], &states)
    }

    /// An event that leaves all velocities as they are.
    pub(super) fn transition(&self, kind: EventKind, spots: &[Spot], states: &[State]) -> Event {
        let energy = self.kinetic(states) + loads::potential(&self.scene, states);
        let meets = spots.iter().filter_map(|spot| Meet::new(&self.scene, states, spot));
        let contacts = meets.map(|meet| meet.untouched(&self.scene, states));
        Event {
            time: self.time,
            kind,
            contacts: contacts.collect(),
            energy: [energy; 2],
            bodies: Vec::new(),
            joints: Vec::new(),
            restitution_factor: None,
        }
    }
}
