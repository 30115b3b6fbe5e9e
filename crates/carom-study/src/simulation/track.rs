//! Bodies one by one through a run: where a picture has corners only its own events make them.

use super::run::Run;
use carom::sim::State;

/// The states of one body in the order of time: at every frame, and right before and right after each of its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track(pub Vec<(f64, State)>);

impl Track {
    /// The state at a time, on the straight way between the two that are known around it. Of the two sides of an event it is the later.
    pub fn at(&self, time: f64) -> Option<State> {
        let after = self.0.partition_point(|(known, _)| *known <= time);
        match (after.checked_sub(1).map(|k| &self.0[k]), self.0.get(after)) {
            (Some((from, a)), Some((to, b))) => Some(between(a, b, (time - from) / (to - from))),
            (Some((_, only)), None) | (None, Some((_, only))) => Some(*only),
            (None, None) => None,
        }
    }
}

impl Run {
    /// The tracks of these bodies, in their order.
    pub fn tracks(&self, bodies: &[usize]) -> Vec<Track> {
        let count = self.frames.first().map_or(0, |frame| frame.states.len());
        let mut place = vec![None; count];
        for (k, body) in bodies.iter().enumerate() {
            place[*body] = Some(k);
        }
        let mut tracks = vec![Track::default(); bodies.len()];
        let mut events = self.events.iter().peekable();
        for (k, frame) in self.frames.iter().enumerate() {
            for (track, body) in tracks.iter_mut().zip(bodies) {
                track.0.push((frame.time, frame.states[*body]));
            }
            let next = self.frames.get(k + 1);
            while let Some(event) = events.next_if(|event| next.is_none_or(|next| event.time <= next.time)) {
                for (body, sides) in &event.bodies {
                    if let Some(k) = place[body.index()] {
                        tracks[k].0.extend(sides.map(|side| (event.time, side)));
                    }
                }
            }
        }
        tracks
    }

    /// The states of all bodies at every frame and, for the bodies that took part, right before and right after every event, in the
    /// order of time: pictures that join them have their corners where impacts are.
    pub fn instants(&self) -> Vec<(f64, Vec<State>)> {
        let count = self.frames.first().map_or(0, |frame| frame.states.len());
        let tracks = self.tracks(&(0..count).collect::<Vec<usize>>());
        let mut instants = Vec::with_capacity(self.frames.len() + 2 * self.events.len());
        let mut events = self.events.iter().peekable();
        for (k, frame) in self.frames.iter().enumerate() {
            instants.push((frame.time, frame.states.clone()));
            let next = self.frames.get(k + 1);
            while let Some(event) = events.next_if(|event| next.is_none_or(|next| event.time <= next.time)) {
                if event.bodies.is_empty() {
                    continue;
                }
                let mut states: Vec<State> = tracks.iter().filter_map(|track| track.at(event.time)).collect();
                for side in 0..2 {
                    for (body, sides) in &event.bodies {
                        states[body.index()] = sides[side];
                    }
                    instants.push((event.time, states.clone()));
                }
            }
        }
        instants
    }
}

/// A share of the way from one state to another.
fn between(a: &State, b: &State, share: f64) -> State {
    let mut state = *a;
    state.pose.position = a.pose.position.lerp(&b.pose.position, share);
    state.pose.orientation = a.pose.orientation.nlerp(&b.pose.orientation, share);
    state.velocity = a.velocity.lerp(&b.velocity, share);
    state.angular_velocity = a.angular_velocity.lerp(&b.angular_velocity, share);
    state
}
