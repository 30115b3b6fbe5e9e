//! Rodriguez' examples through time.

use super::super::Check;
use super::block::{Block, FLAT};
use super::{G, play, scenario};
use carom::sim::{Event, Scene, State};
use nalgebra::{Matrix3, Vector3};

pub(super) fn corner_flight(name: &'static str) -> Option<Vec<Check>> {
    let played = play(&scenario(name)?, 1.45)?;
    let impacts = played.impacts();
    let [first, second] = [impacts.first()?, impacts.get(1)?];
    let ([before, after], lands) = (first.bodies.first()?.1, second.bodies.first()?.1[0]);
    let fall = f64::sqrt(2.0 / G);
    let rise = 4.893 / G;
    // The table takes the ball to be a millimetre per second faster than the fall makes it.
    Some(vec![
        Check::simulated(name, "ball in the corner, s; free fall", fall, first.time, 1e-12),
        Check::simulated(
            name,
            "q̇₂ there, m/s; free fall (Table 6.1 prints −4.430)",
            -G * fall,
            before.velocity.y,
            1e-12,
        ),
        Check::simulated(name, "q̇₁ after, m/s; Table 6.1", -5.504, after.velocity.x, 2e-3),
        Check::simulated(name, "q̇₂ after, m/s; Table 6.1", 4.893, after.velocity.y, 2e-3),
        Check::simulated(name, "q̇₃ after, rad/s; Table 6.1", -9.786, after.angular_velocity.z, 4e-3),
        Check::simulated(
            name,
            "highest q₂, m; Table 6.1 and free flight",
            0.5 + 0.5 * rise * 4.893,
            0.5 + after.velocity.y.powi(2) / (2.0 * G),
            1e-3,
        ),
        Check::simulated(name, "second ground hit, s; Table 6.1 and free flight", fall + 2.0 * rise, second.time, 1e-3),
        Check::simulated(
            name,
            "q₁ there, m; Table 6.1 and free flight",
            8.0 * fall - 5.504 * 2.0 * rise,
            lands.pose.position.x,
            5e-3,
        ),
    ])
}

pub(super) fn rocking_block_smooth(name: &'static str) -> Option<Vec<Check>> {
    let played = play(&scenario(name)?, 1.0)?;
    let impacts = played.impacts();
    let speed = |k: usize| Some(impacts.get(k)?.contacts.iter().map(|c| -c.velocity_before.x).fold(0.0, f64::max));
    let mut checks = Vec::new();
    for k in [1_i32, 2, 8] {
        let what = format!("speed of the right corner before landing {}, m/s; e^k, as energy is kept between", k + 1);
        checks.push(Check::simulated(name, what, 0.5_f64.powi(k), speed(k as usize)?, 1e-9));
    }
    // Without friction the centre moves up and down only; the corner slides.
    let (time, _) = FLAT.rock([0.5 / FLAT.width * 0.5 * FLAT.height, 0.0, 0.5 / FLAT.width]);
    checks.push(Check::simulated(
        name,
        "second landing, s; integration in one angle",
        time,
        impacts.get(1)?.time,
        1e-9,
    ));
    Some(checks)
}

pub(super) fn rocking_block(name: &'static str) -> Option<Vec<Check>> {
    let block = Block { friction: [0.35; 2], ..FLAT };
    let played = play(&scenario(name)?, 0.1)?;
    let impacts = played.impacts();
    let [first, second] = [impacts.first()?, impacts.get(1)?];
    // Both corners press and slide: V₁ = 0 and V₂ = 0.5 after, P_t = −μ (P₁ + P₂).
    let (mu, m, i) = (0.35, block.mass, block.inertia());
    let [b, h] = [0.5 * block.width, 0.5 * block.height];
    let [own, other, slanted] = [1.0 / m + b * b / i, 1.0 / m - b * b / i, b * h / i];
    let rows =
        nalgebra::Matrix2::new(own + mu * slanted, other + mu * slanted, other - mu * slanted, own - mu * slanted);
    let p = rows.try_inverse()? * nalgebra::Vector2::new(0.0, 1.5);
    let slip = -mu * (p.x + p.y) * (1.0 / m + h * h / i) + slanted * (p.y - p.x);
    let after = first.bodies.first()?.1[1];
    let ours = after.velocity.x + after.angular_velocity.z * h;
    let (time, [slides, _, turning]) = block.rock([slip, 0.0, 0.5 / block.width]);
    let before = second.bodies.first()?.1[0];
    Some(vec![
        Check::simulated(name, "slip after the first landing, m/s; Newton's law at both corners", slip, ours, 1e-9),
        Check::simulated(name, "second landing, s; integration in slip and angle", time, second.time, 1e-8),
        Check::simulated(name, "turning before it, rad/s; the same", turning, before.angular_velocity.z, 1e-6),
        Check::simulated(
            name,
            "slip before it, m/s; the same",
            slides,
            before.velocity.x + before.angular_velocity.z * h,
            1e-8,
        ),
    ])
}

/// A quarter of the period of a pendulum from rest at an angle, by the arithmetic–geometric mean.
pub(super) fn quarter_period(angle: f64, reduced: f64) -> f64 {
    let (mut a, mut b) = (1.0, f64::cos(0.5 * angle));
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    0.5 * std::f64::consts::PI * f64::sqrt(reduced / G) / a
}

/// The swing of the first ball of a cradle: time and speed at the bottom, from where the scene lets it go.
pub(super) fn lifted(scene: &Scene) -> Option<[f64; 2]> {
    let body = scene.bodies().first()?;
    let (length, place) = (body.state.pose.position.norm(), body.state.pose.position);
    let reduced = length + body.inertia[(2, 2)] / (body.mass * length);
    let angle = f64::atan2(-place.x, -place.y);
    let speed = length * f64::sqrt(2.0 * G / reduced * (1.0 - angle.cos()));
    Some([quarter_period(angle, reduced), speed])
}

pub(super) fn cradle(name: &'static str, source: &str, ratios: &[f64], tolerance: f64) -> Option<Vec<Check>> {
    let scenario = scenario(name)?;
    let [time, speed] = lifted(&scenario.scene)?;
    let ball = scenario.scene.bodies().first()?.clone();
    let played = play(&scenario, 0.8)?;
    let first = *played.impacts().first()?;
    let mut checks = vec![Check::simulated(name, "first impact, s; elliptic integral", time, first.time, 1e-10)];
    let mut left = 0.0;
    for (k, ratio) in ratios.iter().enumerate() {
        let after = first.bodies.iter().find(|(body, _)| body.index() == k)?.1[1].velocity.x;
        left += ratio * ratio;
        let what = format!("v{} after it, m/s; {source}", ["₁", "₂", "₃", "₄", "₅"][k]);
        checks.push(Check::simulated(name, what, ratio * speed, after, tolerance));
    }
    let length = ball.state.pose.position.norm();
    let heavy = ball.mass + ball.inertia[(2, 2)] / (length * length);
    let lost = 0.5 * heavy * speed * speed * (1.0 - left);
    checks.push(Check::simulated(
        name,
        "energy lost in impacts, J; of these speeds",
        lost,
        played.ledger.impacts,
        tolerance,
    ));
    checks.push(Check::simulated(name, "energy not accounted for at the end, J", 0.0, played.ledger.residual(), 1e-10));
    Some(checks)
}

pub(super) fn cradle_three(name: &'static str) -> Option<Vec<Check>> {
    cradle(name, "Table 6.4, e* = 0.85", &[0.006, 0.069, 0.925], 1e-3)
}

pub(super) fn cradle_five(name: &'static str) -> Option<Vec<Check>> {
    let (a, b) = (0.1, 0.9);
    let ratios = [a * a * a * a, b * a * a * a, b * a * a, b * a, b];
    cradle(name, "(1 + e)/2 ((1 − e)/2)^(5−k) of 1.304, e* = 0.8", &ratios, 1e-9)
}

pub(super) fn cradle_swing(name: &'static str) -> Option<Vec<Check>> {
    let scenario = scenario(name)?;
    let [time, speed] = lifted(&scenario.scene)?;
    let played = play(&scenario, 3.0)?;
    let strong: Vec<&Event> = played
        .impacts()
        .into_iter()
        .filter(|event| event.contacts.iter().any(|c| c.velocity_before.x < -1e-3))
        .collect();
    let mut checks =
        vec![Check::simulated(name, "first impact, s; a quarter of the period", time, strong.first()?.time, 1e-10)];
    let after =
        |event: &Event, ball: usize| Some(event.bodies.iter().find(|(body, _)| body.index() == ball)?.1[1].velocity.x);
    checks.push(Check::simulated(
        name,
        "v₅ after it, m/s; that of the first ball before",
        speed,
        after(strong.first()?, 4)?,
        1e-9,
    ));
    checks.push(Check::simulated(name, "fourth impact, s; seven quarters", 7.0 * time, strong.get(3)?.time, 1e-8));
    checks.push(Check::simulated(name, "energy lost, J; none", 0.0, played.ledger.impacts, 1e-9));
    Some(checks)
}

pub(super) fn corner_sphere(name: &'static str) -> Option<Vec<Check>> {
    let played = play(&scenario(name)?, 0.3)?;
    let impacts = played.impacts();
    let [first, second] = [impacts.first()?, impacts.get(1)?];
    let [before, after] = first.bodies.first()?.1;
    let place = "second program, (3.11) and (3.13) by magnitudes";
    let mut checks = vec![Check::simulated(name, "arrival, s; as chosen", 0.25, first.time, 1e-12)];
    for ((axis, printed), ours) in ["x", "y", "z"].iter().zip([-2.23, 0.32, 0.17]).zip(after.velocity.iter()) {
        checks.push(Check::simulated(name, format!("v_{axis} after, m/s; {place}"), printed, *ours, 1e-2));
    }
    let energy = |state: &State| 0.5 * state.velocity.norm_squared() + 0.05 * state.angular_velocity.norm_squared();
    checks.push(Check::simulated(name, format!("kinetic energy before, J; {place}"), 19.7, energy(&before), 0.1));
    checks.push(Check::simulated(name, format!("kinetic energy after, J; {place}"), 2.6, energy(&after), 0.1));
    let lands = 0.25 + 2.0 * after.velocity.z / G;
    checks.push(Check::simulated(name, "second ground hit, s; free flight", lands, second.time, 1e-12));
    Some(checks)
}

pub(super) fn rocking_block_in_space(name: &'static str) -> Option<Vec<Check>> {
    let block = Block { friction: [0.6, 0.35], ..FLAT };
    let played = play(&scenario(name)?, 0.07)?;
    let first = *played.impacts().first()?;
    let [before, after] = first.bodies.first()?.1;
    let (time, [slip, _, turning]) = block.rock([0.0, 0.2, 0.0]);
    let slides = before.velocity.y - before.angular_velocity.x * -0.5 * block.height;
    let corner = |x: f64, y: f64| {
        after
            .point_velocity(
                &(after.pose.position
                    + Vector3::new(x * 0.5 * block.width, y * 0.5 * block.width, -0.5 * block.height)),
            )
            .z
    };
    let lifts = [corner(-1.0, -1.0), corner(1.0, -1.0)].into_iter().fold(f64::INFINITY, f64::min);
    let angular = |state: &State| {
        let moments =
            Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 2.0 / (1.0 + (block.height / block.width).powi(2))))
                * block.inertia();
        moments * state.angular_velocity
    };
    // What the contacts gave must be what the block has.
    let mut push = Vector3::zeros();
    let mut moment = Vector3::zeros();
    for contact in &first.contacts {
        let impulse = contact.frame.to_world(&contact.impulse);
        push += impulse;
        moment += (contact.point - before.pose.position).cross(&impulse);
    }
    let linear = ((after.velocity - before.velocity) * block.mass - push).norm();
    let turned = (angular(&after) - angular(&before) - moment).norm();
    Some(vec![
        Check::simulated(name, "landing, s; integration in slip and angle", time, first.time, 1e-8),
        Check::simulated(name, "turning before it, rad/s; the same", turning, before.angular_velocity.x, 1e-6),
        Check::simulated(name, "slip before it, m/s; the same", slip, slides, 1e-8),
        Check::simulated(
            name,
            "A and B leave the ground (1: yes); 8.2, event 1",
            1.0,
            f64::from(u8::from(lifts > 0.0)),
            0.0,
        ),
        Check::simulated(name, "momentum that no impulse gave, N s", 0.0, linear, 1e-12),
        Check::simulated(name, "angular momentum that no impulse gave, N m s", 0.0, turned, 1e-12),
    ])
}
