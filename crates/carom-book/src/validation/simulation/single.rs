//! One body: flight, rocking, sliding and rolling.

use super::super::Check;
use super::super::penalty::until_zero;
use super::{G, engine, play, scenario};
use carom::sim::{Event, EventKind, Materials, State};
use nalgebra::Vector3;

pub(super) fn bouncing_ball(name: &'static str) -> Option<Vec<Check>> {
    let (e, radius, height) = (0.8_f64, 0.1, 1.0);
    let played = play(&scenario(name)?, 5.0)?;
    let mut checks = Vec::new();
    for bounces in [1_i32, 2, 10, 40] {
        let state = played.impacts().get(bounces as usize - 1)?.bodies.first()?.1[1];
        let apex = state.pose.position.y - radius + state.velocity.y.powi(2) / (2.0 * G);
        let what = format!("height of the apex after impact {bounces}, m; e^(2k) h");
        checks.push(Check::simulated(name, what, e.powi(2 * bounces) * height, apex, 1e-12));
    }
    let ends = played.events.iter().find_map(|event| match event.kind {
        EventKind::Accumulation { until } => Some(until),
        _ => None,
    })?;
    let fall = f64::sqrt(2.0 * height / G);
    let series = fall * (1.0 + 2.0 * e / (1.0 - e));
    checks.push(Check::simulated(name, "end of its impacts, s; sum of the series", series, ends, 1e-12));
    Some(checks)
}

pub(super) fn sliding_block(name: &'static str) -> Option<Vec<Check>> {
    let scenario = scenario(name)?;
    let ([along, across], mu, start) = ([-scenario.scene.gravity().x, -scenario.scene.gravity().y], 0.25, 3.0);
    let played = play(&scenario, 2.0)?;
    let [slows, returns] = [along + mu * across, along - mu * across];
    let (turns, far) = (start / slows, 0.5 * start * start / slows);
    let stop = played.impacts().first().copied()?;
    let speed = stop.contacts.iter().map(|contact| -contact.velocity_before.x).fold(0.0, f64::max);
    let back = f64::sqrt(2.0 * far / returns);
    Some(vec![
        Check::simulated(name, "it hits the stop, s; uniform acceleration up and down", turns + back, stop.time, 1e-10),
        Check::simulated(name, "speed there, m/s; the same", returns * back, speed, 1e-10),
    ])
}

pub(super) fn housner_block(name: &'static str) -> Option<Vec<Check>> {
    let (width, height, tilt): (f64, f64, f64) = (0.2, 1.0, 0.1);
    let alpha = width.atan2(height);
    let played = play(&scenario(name)?, 5.0)?;
    let expected = 1.0 - 1.5 * alpha.sin().powi(2);
    let ratio = |event: &&Event| {
        Some(event.bodies.first()?.1[1].angular_velocity.z / event.bodies.first()?.1[0].angular_velocity.z)
    };
    let ratios: Vec<f64> = played.impacts().iter().map(ratio).collect::<Option<_>>()?;
    let worst = ratios.iter().copied().max_by(|a, b| (a - expected).abs().total_cmp(&(b - expected).abs()))?;
    let what = format!("turning after over before, worst of {} landings; 1 − 1.5 sin² α", ratios.len());
    let mut checks = vec![Check::simulated(name, what, expected, worst, 1e-9)];
    // θ̈ = p² sin(θ − α) with p² = 3 g/(4 R), from rest until it stands.
    let p = f64::sqrt(1.5 * G / width.hypot(height));
    let mut time = 0.0;
    let turning = |y: &[f64; 2]| [y[1], p * p * (y[0] - alpha).sin()];
    until_zero(&turning, &|y: &[f64; 2]| y[0], [tilt, 0.0], 1e-4, &mut time);
    let first = played.impacts().first()?.time;
    checks.push(Check::simulated(name, "first landing, s; integration of θ̈ = p² sin(θ − α)", time, first, 1e-9));
    let linear = f64::acosh(1.0 / (1.0 - tilt / alpha)) / p;
    checks.push(Check::simulated(name, "the same; Housner, for small angles", linear, first, 5e-4));
    Some(checks)
}

pub(super) fn painleve_rod(name: &'static str) -> Option<Vec<Check>> {
    let rod = scenario(name)?;
    let played = play(&rod, 0.02)?;
    let jam = played.events.first().filter(|event| event.kind == EventKind::Jam)?;
    let (contact, body) = (jam.contacts.first()?, jam.bodies.first()?.1[1]);
    // W = (2.5, −1.5; −1.5, 2.5). Sliding stops at P_n = s/3.5; then P_t grows by 0.6 P_n and V_n by 1.6 P_n, until 1 + e times
    // the impulse of compression.
    let (slip, e) = (0.2, 0.5);
    let stops = slip / 3.5;
    let compression = stops + 0.5 * stops / 1.6;
    let normal = (1.0 + e) * compression;
    let tangential = 2.0 * stops + 0.6 * (normal - stops);
    let rises = 1.6 * (normal - compression);
    let mut checks = vec![
        Check::simulated(name, "P_n of the jam, N s; Wang & Mason case 4, e = 0.5", normal, contact.impulse.x, 1e-9),
        Check::simulated(name, "P_t of the jam, N s; the same", tangential, contact.impulse.y.abs(), 1e-9),
        Check::simulated(name, "V_n after it, m/s; the same", rises, contact.velocity_after.x, 1e-9),
    ];
    // Then the rod flies until the tip is down again.
    let arm = 0.5 * std::f64::consts::FRAC_1_SQRT_2;
    let (v, spin) = (normal, 12.0 * arm * (tangential - normal));
    let tip = |t: f64| arm + v * t - 0.5 * G * t * t - 0.5 * (std::f64::consts::FRAC_PI_4 + spin * t).sin();
    let (mut least, mut most) = (1e-3, 0.05);
    for _ in 0..60 {
        let middle = 0.5 * (least + most);
        if tip(middle) > 0.0 { least = middle } else { most = middle }
    }
    let lands = played.impacts().first()?.time;
    checks.push(Check::simulated(name, "tip down again, s; free flight", least, lands, 1e-9));
    checks.push(Check::simulated(
        name,
        "turning after the jam, rad/s; P_t and P_n at their arms",
        spin,
        body.angular_velocity.z,
        1e-8,
    ));
    let jams = |friction: f64| {
        let mut rod = rod.clone();
        let materials = Materials::uniform(&[("restitution", 0.5), ("friction", friction)]);
        rod.scene = rod.scene.with_materials(materials).ok()?;
        let events = play(&rod, 1e-4)?.events;
        Some(events.first().is_some_and(|event| event.kind == EventKind::Jam))
    };
    let (mut slides, mut stuck) = (1.0, 2.0);
    for _ in 0..15 {
        let middle = 0.5 * (slides + stuck);
        if jams(middle)? { stuck = middle } else { slides = middle }
    }
    checks.push(Check::simulated(name, "least friction that jams, by bisection; 5/3", 5.0 / 3.0, stuck, 1e-4));
    Some(checks)
}

/// The rod slides at speed v, turned up by θ, with w = (1 + 3 cos², −3 sin cos, 1 + 3 sin²) at its tip. The force −b/p goes without
/// bound as p → 0; followed in z = −ln(θ* − θ) the way there is smooth.
pub(super) fn painleve_slide(name: &'static str) -> Option<Vec<Check>> {
    let played = play(&scenario(name)?, 0.05)?;
    let jam = played.events.first().filter(|event| event.kind == EventKind::Jam)?;
    let body = jam.bodies.first()?.1[1];
    let mu = 2.0;
    let jams = f64::atan(0.5 * (3.0 * mu - f64::sqrt(9.0 * mu * mu - 16.0)));
    let slows = |theta: f64| mu * (1.0 + 3.0 * theta.sin().powi(2)) - 3.0 * theta.sin() * theta.cos();
    let turns = |theta: f64| 6.0 * (mu * theta.sin() - theta.cos());
    let sliding = |y: &[f64; 4]| {
        let [z, turning, _, _] = *y;
        let before = (-z).exp();
        let theta = jams - before;
        let (sin, cos) = theta.sin_cos();
        // p(θ) − p(θ*), without cancellation.
        let p = 3.0 * before.sin() * ((theta + jams).sin() + mu * (theta + jams).cos());
        let force = (G - 0.5 * turning * turning * sin) / p;
        let way = before / turning;
        [1.0, turns(theta) * force * way, -(slows(theta) * force + 0.5 * turning * turning * cos) * way, way]
    };
    let start = [-(jams - std::f64::consts::FRAC_PI_6).ln(), 3.0, 5.0, 0.0];
    let [_, turning, speed, time] = until_zero(&sliding, &|y: &[f64; 4]| 100.0 - y[0], start, 0.005, &mut 0.0);
    let impulse = speed / slows(jams);
    let after = turning + turns(jams) * impulse;
    Some(vec![
        Check::simulated(name, "it jams, s; slide in the logarithm of the angle left", time, jam.time, 1e-7),
        Check::simulated(
            name,
            "turning after the jam, rad/s; the same, slip stopped",
            after,
            body.angular_velocity.z,
            1e-5,
        ),
        Check::simulated(name, "v_x after it, m/s; no slip", -0.5 * after * jams.sin(), body.velocity.x, 1e-5),
        Check::simulated(name, "v_y after it, m/s; no slip", 0.5 * after * jams.cos(), body.velocity.y, 1e-5),
    ])
}

pub(super) fn superball(name: &'static str) -> Option<Vec<Check>> {
    let (radius, ceiling) = (0.0225, 0.7);
    let played = play(&scenario(name)?, 1.0)?;
    let (mut x, mut v, mut spin) = (Vector3::new(-0.6, 0.0, 0.4), Vector3::new(3.0, 0.3, -6.0), Vector3::zeros());
    let (mut time, mut forward) = (0.0, Vec::new());
    for bounce in 0..9 {
        let up = if bounce % 2 == 0 { 1.0 } else { -1.0 };
        let level = if up > 0.0 { radius } else { ceiling - radius };
        // Down to the floor on the falling branch, up to the table on the rising one.
        let root = f64::sqrt(v.z * v.z + 2.0 * G * (x.z - level));
        let flight = (v.z + up * root) / G;
        x += v * flight;
        x.z = level;
        v.z -= G * flight;
        time += flight;
        // The point that touches leaves with its velocity reversed: 2/7 of the mass resists across, all of it along the normal.
        let arm = Vector3::new(0.0, 0.0, -radius * up);
        let slip = v + spin.cross(&arm);
        let push = Vector3::new(-4.0 / 7.0 * slip.x, -4.0 / 7.0 * slip.y, -2.0 * v.z);
        v += push;
        spin += arm.cross(&push) / (0.4 * radius * radius);
        forward.push(v.x);
    }
    let impacts = played.impacts();
    let last = impacts.get(8)?;
    let state = last.bodies.first()?.1[1];
    Some(vec![
        Check::simulated(
            name,
            "v_x after floor, table and floor, m/s; Garwin, −333/343 of 3",
            -3.0 * 333.0 / 343.0,
            impacts.get(2)?.bodies.first()?.1[1].velocity.x,
            1e-12,
        ),
        Check::simulated(name, "bounce 9, s; bounce by bounce", time, last.time, 1e-11),
        Check::simulated(name, "x there, m; the same", x.x, state.pose.position.x, 1e-11),
        Check::simulated(name, "v_x after it, m/s; the same", v.x, state.velocity.x, 1e-11),
        Check::simulated(name, "spin about y after it, rad/s; the same", spin.y, state.angular_velocity.y, 1e-9),
    ])
}

pub(super) fn tippe_top(name: &'static str) -> Option<Vec<Check>> {
    let scenario = scenario(name)?;
    let (radius, offset) = (0.02, 0.004);
    let body = scenario.scene.bodies().first()?.clone();
    let lean = |state: &State| (state.pose.orientation * Vector3::z()).z;
    let jellett = |state: &State| {
        let turn = state.pose.orientation.to_rotation_matrix();
        let angular = turn * (body.inertia * (turn.inverse() * state.angular_velocity));
        // From the centre of mass to the point that touches.
        let arm = turn * Vector3::z() * offset - Vector3::z() * radius;
        angular.dot(&arm)
    };
    let (start, before) = (jellett(&body.state), lean(&body.state));
    let mut engine = engine(&scenario)?;
    let mut worst = start;
    let mut least_gain = f64::NEG_INFINITY;
    let mut energy = engine.ledger().total();
    for k in 1..=80 {
        while engine.advance(0.05 * f64::from(k)).ok()?.is_some() {}
        let now = jellett(engine.states().first()?);
        if (now - start).abs() > (worst - start).abs() {
            worst = now;
        }
        least_gain = least_gain.max(engine.ledger().total() - energy);
        energy = engine.ledger().total();
    }
    let after = lean(engine.states().first()?);
    Some(vec![
        Check::simulated(
            name,
            "Jellett's constant over 4 s, worst of 80 looks, 10⁻⁶ kg m³/s; that of the start",
            1e6 * start,
            1e6 * worst,
            1e-8,
        ),
        Check::simulated(name, "it turns over (1: yes)", 1.0, f64::from(u8::from(before > 0.9 && after < 0.0)), 0.0),
        Check::simulated(name, "energy gained between two looks, J; none", 0.0, least_gain.max(0.0), 1e-12),
    ])
}
