//! The motion as data, for programs that draw it themselves.

use super::body_look::body_look;
use super::outline::{Outline, View};
use super::strobe::{flashes, view};
use crate::scenario::SimulationScenario;
use crate::simulation::{Frame, Run, Track};
use carom::sim::{Core, EventKind, Part, Pose};
use nalgebra::Vector2;

/// The contents of a strobe of a run: in the plane itself, in space on the sheet of a viewer far away. Lengths are in m.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMotion {
    /// The colours of the bodies, `#rrggbb`.
    pub colours: Vec<String>,
    /// The ways of the centres of mass.
    pub paths: Vec<Vec<Vector2<f64>>>,
    /// Instants at equal intervals.
    pub flashes: Vec<Flash>,
    /// Walls of the plane: a point, and the direction out of the solid.
    pub walls: Vec<[Vector2<f64>; 2]>,
    /// Outlines of obstacles.
    pub obstacles: Vec<Vec<Vector2<f64>>>,
    /// Where impacts were.
    pub impacts: Vec<Vector2<f64>>,
}

/// Bodies at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Flash {
    /// s.
    pub time: f64,
    /// The closed outlines of each body; of a body without parts none.
    pub outlines: Vec<Vec<Vec<Vector2<f64>>>>,
}

/// Corners of a circle.
const ROUND: usize = 64;

impl ShownMotion {
    /// The motion of a run.
    pub fn of(scenario: &SimulationScenario, run: &Run) -> ShownMotion {
        let scene = &scenario.scene;
        let (view, count) = (view(scene), scene.bodies().len());
        let bodies: Vec<usize> = (0..count).collect();
        let path = |Track(states): &Track| states.iter().map(|(_, s)| view.place(&s.pose.position)).collect();
        let walls = scene.world().iter().filter_map(|part| match &part.core {
            Core::HalfSpace { normal, offset } if scene.is_planar() => Some([(normal * *offset).xy(), normal.xy()]),
            _ => None,
        });
        let impacts = run
            .events
            .iter()
            .filter(|event| matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam));
        ShownMotion {
            colours: bodies.iter().map(|body| body_look(*body, count).colour).collect(),
            paths: run.tracks(&bodies).iter().map(path).collect(),
            flashes: flashes(run, count).into_iter().map(|frame| flash(scenario, &view, frame)).collect(),
            walls: walls.collect(),
            obstacles: scene.world().iter().filter_map(|part| outline(&view, part, &Pose::identity())).collect(),
            impacts: impacts.flat_map(|event| &event.contacts).map(|contact| view.place(&contact.point)).collect(),
        }
    }
}

fn flash(scenario: &SimulationScenario, view: &View, frame: &Frame) -> Flash {
    let bodies = scenario.scene.bodies().iter().zip(&frame.states);
    let outlines = bodies
        .map(|(body, state)| body.parts.iter().filter_map(|part| outline(view, part, &state.pose)).collect())
        .collect();
    Flash { time: frame.time, outlines }
}

/// The closed outline of a part; nothing of a half-space.
fn outline(view: &View, part: &Part, pose: &Pose) -> Option<Vec<Vector2<f64>>> {
    match view.outline(part, pose)? {
        Outline::Polygon(rim, _) => Some(rim),
        Outline::Circle(centre, radius, _) => {
            let turn = |k: usize| std::f64::consts::TAU * k as f64 / ROUND as f64;
            Some((0..ROUND).map(|k| centre + Vector2::new(turn(k).cos(), turn(k).sin()) * radius).collect())
        }
    }
}
