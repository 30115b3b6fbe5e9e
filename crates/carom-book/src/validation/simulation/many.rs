//! Mechanisms and many bodies.

use super::super::Check;
use super::super::penalty::{Disks, Link, Linkage, Spring, Touch, follow, until_zero};
use super::{G, engine, play, scenario};
use carom::laws::find;
use carom::sim::{Ledger, Scene, State, SteppingEngine, SteppingSettings};
use nalgebra::Vector3;

pub(super) fn double_pendulum(name: &'static str) -> Option<Vec<Check>> {
    let mut scenario = scenario(name)?;
    // Of all laws this one is the limit of stiff springs with Coulomb friction that give back e² of the work.
    scenario.law = find("routh-stronge").ok()?;
    let [upper, lower] = [scenario.scene.bodies().first()?, scenario.scene.bodies().get(1)?];
    let link = |mass: f64, inertia: f64, arms: &[(usize, [f64; 2])]| Link { mass, inertia, arms: arms.to_vec() };
    let touch = |body: usize, x: f64| Touch { body, point: [x, 0.0], radius: 0.02, normal: [1.0, 0.0], offset: -0.2 };
    let springs = Linkage {
        floats: false,
        links: vec![
            link(upper.mass, upper.inertia[(2, 2)], &[(0, [0.25, 0.0])]),
            link(lower.mass, lower.inertia[(2, 2)], &[(0, [0.5, 0.0]), (1, [0.2, 0.0])]),
        ],
        gravity: G,
        touches: vec![touch(0, -0.23), touch(0, 0.23), touch(1, -0.18), touch(1, 0.18)],
        spring: Spring { stiffness: 1e14, restitution: 0.6, friction: 0.2, creep: 2e-4 },
    };
    let (mut q, mut v) = (vec![0.0; 2], vec![0.0; 2]);
    let mut checks = Vec::new();
    let mut engine = engine(&scenario)?;
    let mut time = 0.0;
    // Beyond the first impact the springs are less exact than the engine: halving their creep halves the difference.
    for (until, tolerance) in [(0.4, 1e-9), (1.0, 1e-3), (2.0, 2e-3)] {
        follow(&springs, &mut q, &mut v, until - time, [1e-4, 5e-12]);
        while engine.advance(until).ok()?.is_some() {}
        time = until;
        let states = engine.states();
        for (k, body) in ["upper", "lower"].iter().enumerate() {
            let what = format!("turning of the {body} rod at {until} s, rad/s; springs");
            checks.push(Check::simulated(name, what, v[k], states.get(k)?.angular_velocity.z, tolerance));
        }
    }
    Some(checks)
}

pub(super) fn slider_crank(name: &'static str) -> Option<Vec<Check>> {
    let scenario = scenario(name)?;
    let link = |mass: f64, inertia: f64, arms: &[(usize, [f64; 2])]| Link { mass, inertia, arms: arms.to_vec() };
    let mut touches = Vec::new();
    for x in [-0.05, 0.05] {
        for side in [-1.0, 1.0] {
            touches.push(Touch {
                body: 2,
                point: [x, 0.025 * side],
                radius: 0.0,
                normal: [0.0, -side],
                offset: -0.026,
            });
        }
    }
    let springs = Linkage {
        floats: false,
        links: vec![
            link(0.038, 7.4e-5, &[(0, [0.0765, 0.0])]),
            link(0.038, 5.9e-4, &[(0, [0.153, 0.0]), (1, [0.153, 0.0])]),
            link(0.076, 2.7e-6, &[(0, [0.153, 0.0]), (1, [0.306, 0.0])]),
        ],
        gravity: G,
        touches,
        spring: Spring { stiffness: 1e12, restitution: 0.4, friction: 0.0, creep: 1.0 },
    };
    let (mut q, mut v) = (vec![0.0; 3], vec![150.0, -75.0, 0.0]);
    let mut engine = engine(&scenario)?;
    let (mut checks, mut time) = (Vec::new(), 0.0);
    for until in [0.0025, 0.004, 0.0065, 0.008] {
        follow(&springs, &mut q, &mut v, until - time, [1e-6, 1e-9]);
        while engine.advance(until).ok()?.is_some() {}
        time = until;
        let states = engine.states();
        let what = format!("height of the slider at {until} s, mm; springs");
        let height = 0.153 * q[0].sin() + 0.306 * q[1].sin();
        checks.push(Check::simulated(name, what, 1e3 * height, 1e3 * states.get(2)?.pose.position.y, 1e-3));
    }
    let what = "turning of the crank at 0.008 s, rad/s; springs";
    checks.push(Check::simulated(name, what, v[0], engine.states().first()?.angular_velocity.z, 1e-3));
    Some(checks)
}

/// Dominoes that lean: of each, the angle and its rate with the angle of the foremost.
pub(super) fn leaning(front: usize, angle: f64, [pitch, thick, tall]: [f64; 3]) -> Vec<[f64; 2]> {
    let mut row = vec![[angle, 1.0]];
    for _ in 0..front {
        let [next, rate] = row[row.len() - 1];
        // The corner of one rests on the face of the next: sin(θ − θ') = (p cos θ' − d)/h.
        let sine = (pitch * next.cos() - thick) / tall;
        let behind = next + sine.asin();
        let slope = 1.0 - pitch * next.sin() / tall / f64::sqrt(1.0 - sine * sine);
        row.push([behind, slope * rate]);
    }
    row
}

pub(super) fn dominoes(name: &'static str) -> Option<Vec<Check>> {
    let size @ [pitch, thick, tall] = [0.028, 0.008, 0.048];
    let start = 0.1745;
    let played = play(&scenario(name)?, 0.51)?;
    let inertia = (thick * thick + tall * tall) / 3.0;
    let height = |angle: f64| 0.5 * (tall * angle.cos() + thick * angle.sin());
    // By energy: potential and moved inertia of all that lean, seen from the foremost, per unit of mass.
    let potential =
        |front: usize, angle: f64| -> f64 { leaning(front, angle, size).iter().map(|[a, _]| G * height(*a)).sum() };
    let moved =
        |front: usize, angle: f64| -> f64 { leaning(front, angle, size).iter().map(|[_, r]| inertia * r * r).sum() };
    let reaches = f64::asin((pitch - thick) / tall);
    let mut time = 0.0;
    let falls = |y: &[f64; 2]| [y[1], G * 0.5 * (tall * y[0].sin() - thick * y[0].cos()) / inertia];
    let mut turning = until_zero(&falls, &|y: &[f64; 2]| y[0] - reaches, [start, 0.0], 1e-5, &mut time)[1];
    let mut checks = Vec::new();
    let impacts = played.impacts();
    for front in 0..7 {
        if [0, 1, 2, 6].contains(&front) {
            let what = format!("domino {} is hit, s; energy and plastic impacts of leaning rods", front + 2);
            checks.push(Check::simulated(name, what, time, impacts.get(front)?.time, 1e-8));
        }
        // The foremost of those that leaned takes the next along.
        let slope = leaning(1, 0.0, size)[1][1];
        let before = moved(front, reaches);
        turning *= before / (before + inertia / (slope * slope)) / slope;
        let energy = 0.5 * moved(front + 1, 0.0) * turning * turning + potential(front + 1, 0.0);
        let speed = |angle: f64| f64::sqrt(2.0 * (energy - potential(front + 1, angle)) / moved(front + 1, angle));
        // Simpson's rule over the angle.
        let count = 2000;
        let h = reaches / f64::from(count);
        for k in 0..count {
            let at = |share: f64| 1.0 / speed((f64::from(k) + share) * h);
            time += h / 6.0 * (at(0.0) + 4.0 * at(0.5) + at(1.0));
        }
        turning = speed(reaches);
    }
    Some(checks)
}

pub(super) fn billiard_break(name: &'static str) -> Option<Vec<Check>> {
    let scenario = scenario(name)?;
    let ball = scenario.scene.bodies().first()?;
    let disks = Disks {
        mass: ball.mass,
        inertia: ball.inertia[(2, 2)],
        radius: 0.028_575,
        spring: Spring { stiffness: 1e13, restitution: 0.95, friction: 0.06, creep: 0.03 },
    };
    let states = |f: fn(&State) -> [f64; 3]| {
        scenario.scene.bodies().iter().flat_map(|body| f(&body.state)).collect::<Vec<f64>>()
    };
    let mut q = states(|state| [state.pose.position.x, state.pose.position.y, 0.0]);
    let mut v = states(|state| [state.velocity.x, state.velocity.y, 0.0]);
    let (momentum, energy) = (ball.mass * 8.0, 0.5 * ball.mass * 64.0);
    let end = 0.139;
    follow(&disks, &mut q, &mut v, end, [1e-3, 1e-10]);
    let played = play(&scenario, end)?;
    let mut checks = Vec::new();
    for (k, state) in played.states.iter().enumerate() {
        let ours = state.velocity.xy().norm();
        let spring = v[3 * k].hypot(v[3 * k + 1]);
        if spring > 0.1 {
            let ball = if k == 0 { "the cue ball".to_owned() } else { format!("ball {k}") };
            checks.push(Check::simulated(
                name,
                format!("speed of {ball} at {end} s, m/s; springs"),
                spring,
                ours,
                1e-3,
            ));
        }
    }
    let sum: f64 = played.states.iter().map(|state| 0.17 * state.velocity.x).sum();
    checks.push(Check::simulated(
        name,
        "momentum along the table then, N s; that of the cue ball",
        momentum,
        sum,
        1e-12,
    ));
    let kept = played.ledger.total() + played.ledger.impacts;
    checks.push(Check::simulated(name, "energy left and lost then, J; that of the cue ball", energy, kept, 1e-12));
    Some(checks)
}

pub(super) fn falling_figure(name: &'static str) -> Option<Vec<Check>> {
    let mut scenario = scenario(name)?;
    let whole = |states: &[State], scene: &Scene| {
        let mass: f64 = scene.bodies().iter().map(|body| body.mass).sum();
        let mut sums = [Vector3::zeros(); 2];
        for (body, state) in scene.bodies().iter().zip(states) {
            sums[0] += state.pose.position * body.mass / mass;
            sums[1] += state.velocity * body.mass / mass;
        }
        let [centre, velocity] = sums;
        let spin: f64 = scene
            .bodies()
            .iter()
            .zip(states)
            .map(|(body, state)| {
                let apart = (state.pose.position - centre).cross(&(state.velocity - velocity));
                body.mass * apart.z + body.inertia[(2, 2)] * state.angular_velocity.z
            })
            .sum();
        (centre, velocity, spin)
    };
    let start = scenario.scene.initial_states();
    let (centre, velocity, spin) = whole(&start, &scenario.scene);
    let flown = play(&scenario, 0.25)?;
    let (there, _, turns) = whole(&flown.states, &scenario.scene);
    let t = 0.25;
    let mut checks = vec![
        Check::simulated(
            name,
            "height of the centre of mass at 0.25 s, m; parabola",
            centre.y + velocity.y * t - 0.5 * G * t * t,
            there.y,
            1e-12,
        ),
        Check::simulated(name, "angular momentum about it at 0.25 s, N m s; that of the start", spin, turns, 1e-10),
    ];
    scenario.law = find("routh-stronge").ok()?;
    // The trunk carries the coordinates: bodies are trunk, upper arm, forearm, thigh, shank; limbs run along their x axes.
    let half = [0.3, 0.16, 0.15, 0.21, 0.225];
    let chains: [&[usize]; 5] = [&[], &[1], &[1, 2], &[3], &[3, 4]];
    let links = scenario.scene.bodies().iter().enumerate().map(|(k, body)| {
        let mut arms = Vec::new();
        if k > 0 {
            // The shoulder is behind the trunk's centre, the hip before it.
            arms.push((0, [if k < 3 { -half[0] } else { half[0] }, 0.0]));
            for limb in chains[k] {
                arms.push((*limb, [if *limb == k { half[k] } else { 2.0 * half[*limb] }, 0.0]));
            }
        }
        Link { mass: body.mass, inertia: body.inertia[(2, 2)], arms }
    });
    let foot = |x: f64| Touch { body: 4, point: [x, 0.0], radius: 0.045, normal: [0.0, 1.0], offset: 0.0 };
    let springs = Linkage {
        floats: true,
        links: links.collect(),
        gravity: G,
        touches: vec![foot(0.18), foot(-0.18)],
        spring: Spring { stiffness: 1e14, restitution: 0.1, friction: 0.6, creep: 5e-4 },
    };
    let trunk = start.first()?;
    let mut q = vec![trunk.pose.position.x, trunk.pose.position.y];
    let mut v = vec![trunk.velocity.x, trunk.velocity.y];
    q.extend(start.iter().map(|state| state.pose.orientation.scaled_axis().z));
    v.extend(start.iter().map(|state| state.angular_velocity.z));
    // A spring that gives back a hundredth of the work acts for long; stiffer ones and less creep come closer to ours.
    let end = 0.35;
    follow(&springs, &mut q, &mut v, end, [1e-4, 5e-11]);
    let landed = play(&scenario, end)?;
    for (k, limb) in ["trunk", "upper arm", "forearm", "thigh", "shank"].iter().enumerate() {
        let what = format!("turning of the {limb} at {end} s, after the foot landed, rad/s; springs");
        checks.push(Check::simulated(name, what, v[2 + k], landed.states.get(k)?.angular_velocity.z, 3e-3));
    }
    Some(checks)
}

pub(super) fn granular_gas(name: &'static str) -> Option<Vec<Check>> {
    let scenario = scenario(name)?;
    let settings = SteppingSettings { step: 1e-3, ..SteppingSettings::default() };
    let mut stepping = SteppingEngine::new(&scenario.scene, settings).ok()?;
    let mut events = engine(&scenario)?;
    let mut checks = Vec::new();
    for time in [0.5, 1.0, 2.0] {
        while stepping.advance(time).ok()?.is_some() {}
        while events.advance(time).ok()?.is_some() {}
        let share = |ledger: Ledger| ledger.kinetic / ledger.start;
        let what = format!("energy left at {time} s, of 1; stepping engine, other paths of the same gas");
        checks.push(Check::simulated(name, what, share(stepping.ledger()), share(events.ledger()), 0.03));
    }
    Some(checks)
}
