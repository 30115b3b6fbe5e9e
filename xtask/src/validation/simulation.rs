//! Scenes of the gallery through time beside solutions that share nothing with the engine: closed forms, conserved quantities,
//! integrations in other coordinates, and springs in place of impacts.

use super::Check;
use super::penalty::{Disks, Link, Linkage, Spring, Touch, follow, until_zero};
use crate::shell::root;
use carom::laws::find;
use carom::sim::{
    Event, EventEngine, EventKind, EventSettings, Ledger, Materials, Scene, State, SteppingEngine, SteppingSettings,
};
use carom_study::scenario::SimulationScenario;
use nalgebra::{Matrix3, Vector3};

const G: f64 = 9.81;

/// A scene that was followed.
struct Played {
    events: Vec<Event>,
    states: Vec<State>,
    ledger: Ledger,
}

impl Played {
    fn impacts(&self) -> Vec<&Event> {
        self.events.iter().filter(|event| event.kind == EventKind::Impact).collect()
    }
}

fn scene(name: &str) -> Option<Scene> {
    Some(SimulationScenario::read(root().join(format!("scenarios/{name}.toml"))).ok()?.scene)
}

fn play(scene: Scene, until: f64) -> Option<Played> {
    let mut engine = EventEngine::new(scene, EventSettings::default()).ok()?;
    let mut events = Vec::new();
    while let Some(event) = engine.advance(until).ok()? {
        events.push(event);
    }
    Some(Played { events, states: engine.states(), ledger: engine.ledger() })
}

/// Checks of one scene; a scene that does not run fails all of them.
type Example = (&'static str, fn(&'static str) -> Option<Vec<Check>>);

const EXAMPLES: &[Example] = &[
    ("bouncing-ball", bouncing_ball),
    ("sliding-block", sliding_block),
    ("housner-block", housner_block),
    ("painleve-rod", painleve_rod),
    ("superball-under-table", superball),
    ("corner-flight", corner_flight),
    ("rocking-block-smooth", rocking_block_smooth),
    ("rocking-block", rocking_block),
    ("cradle-three-swing", cradle_three),
    ("cradle-five-swing", cradle_five),
    ("cradle-swing", cradle_swing),
    ("corner-sphere", corner_sphere),
    ("rocking-block-1", rocking_block_in_space),
    ("rocking-block-2", rocking_block_in_space),
    ("rocking-block-3", rocking_block_in_space),
    ("double-pendulum-wall", double_pendulum),
    ("slider-crank", slider_crank),
    ("dominoes", dominoes),
    ("billiard-break", billiard_break),
    ("falling-figure", falling_figure),
    ("tippe-top", tippe_top),
    ("granular-gas", granular_gas),
];

pub fn checks() -> Vec<Check> {
    let of = |(name, example): &Example| {
        example(name).unwrap_or_else(|| vec![Check::simulated(name, "runs", 1.0, f64::NAN, 0.0)])
    };
    EXAMPLES.iter().flat_map(of).collect()
}

fn bouncing_ball(name: &'static str) -> Option<Vec<Check>> {
    let (e, radius, height) = (0.8_f64, 0.1, 1.0);
    let played = play(scene(name)?, 5.0)?;
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

fn sliding_block(name: &'static str) -> Option<Vec<Check>> {
    let scene = scene(name)?;
    let ([along, across], mu, start) = ([-scene.gravity.x, -scene.gravity.y], 0.25, 3.0);
    let played = play(scene, 2.0)?;
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

fn housner_block(name: &'static str) -> Option<Vec<Check>> {
    let (width, height, tilt): (f64, f64, f64) = (0.2, 1.0, 0.1);
    let alpha = width.atan2(height);
    let played = play(scene(name)?, 5.0)?;
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

fn painleve_rod(name: &'static str) -> Option<Vec<Check>> {
    let rod = scene(name)?;
    let played = play(rod.clone(), 0.02)?;
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
        rod.materials = Materials::uniform(&[("restitution", 0.5), ("friction", friction)]);
        let events = play(rod, 1e-4)?.events;
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

fn superball(name: &'static str) -> Option<Vec<Check>> {
    let (radius, ceiling) = (0.0225, 0.7);
    let played = play(scene(name)?, 1.0)?;
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

fn corner_flight(name: &'static str) -> Option<Vec<Check>> {
    let played = play(scene(name)?, 1.45)?;
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

/// A block on its left lower corner, tilted by θ, in a plane.
#[derive(Clone, Copy)]
struct Block {
    mass: f64,
    width: f64,
    height: f64,
    /// Static and kinetic.
    friction: [f64; 2],
}

impl Block {
    fn inertia(&self) -> f64 {
        self.mass * (self.width * self.width + self.height * self.height) / 12.0
    }

    /// From the corner to the centre.
    fn arm(&self, tilt: f64) -> [f64; 2] {
        let (sine, cosine) = tilt.sin_cos();
        [0.5 * (cosine * self.width - sine * self.height), 0.5 * (sine * self.width + cosine * self.height)]
    }

    /// Rates of (slip, tilt, turning) while the corner slides towards `side`, or sticks (0), and what friction would need beyond what
    /// it has.
    fn rates(&self, side: f64, [_, tilt, turning]: [f64; 3]) -> ([f64; 3], f64) {
        let (m, [x, y]) = (self.mass, self.arm(tilt));
        let spin = turning * turning;
        if side == 0.0 {
            let rate = -m * G * x / (self.inertia() + m * (x * x + y * y));
            let [across, normal] = [m * (-y * rate - spin * x), m * (x * rate - spin * y + G)];
            return ([0.0, turning, rate], across.abs() - self.friction[0] * normal);
        }
        let lever = x + self.friction[1] * side * y;
        let rate = -m * (G - spin * y) * lever / (self.inertia() + m * x * lever);
        let normal = m * (G + rate * x - spin * y);
        let slides = -self.friction[1] * side * normal / m + rate * y + spin * x;
        ([slides, turning, rate], 0.0)
    }

    /// Rocks from a slip, tilt and turning until it is level again: the time, and slip and turning there.
    fn rock(&self, start: [f64; 3]) -> (f64, [f64; 3]) {
        let (mut y, mut time) = (start, 0.0);
        for _ in 0..10 {
            let mut side = if y[0] == 0.0 { 0.0 } else { y[0].signum() };
            if side == 0.0 && self.rates(0.0, y).1 > 0.0 {
                // It cannot stick: of the two ways to slide it takes the one that it then follows.
                side = if self.rates(1.0, y).0[0] > 0.0 { 1.0 } else { -1.0 };
            }
            let block = *self;
            let next = |y: &[f64; 3]| block.rates(side, *y).0;
            let changes = |y: &[f64; 3]| {
                let level = y[1];
                if side == 0.0 { level.min(-block.rates(0.0, *y).1) } else { level.min(y[0] * side) }
            };
            y = until_zero(&next, &changes, y, 1e-5, &mut time);
            if y[1].abs() < 1e-9 {
                break;
            }
            if side != 0.0 {
                y[0] = 0.0;
            }
        }
        (time, y)
    }
}

const FLAT: Block = Block { mass: 2.5, width: 0.1087, height: 0.0645, friction: [0.0; 2] };

fn rocking_block_smooth(name: &'static str) -> Option<Vec<Check>> {
    let played = play(scene(name)?, 1.0)?;
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

fn rocking_block(name: &'static str) -> Option<Vec<Check>> {
    let block = Block { friction: [0.35; 2], ..FLAT };
    let played = play(scene(name)?, 0.1)?;
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
fn quarter_period(angle: f64, reduced: f64) -> f64 {
    let (mut a, mut b) = (1.0, f64::cos(0.5 * angle));
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    0.5 * std::f64::consts::PI * f64::sqrt(reduced / G) / a
}

/// The swing of the first ball of a cradle: time and speed at the bottom, from where the scene lets it go.
fn lifted(scene: &Scene) -> Option<[f64; 2]> {
    let body = scene.bodies.first()?;
    let (length, place) = (body.state.pose.position.norm(), body.state.pose.position);
    let reduced = length + body.inertia[(2, 2)] / (body.mass * length);
    let angle = f64::atan2(-place.x, -place.y);
    let speed = length * f64::sqrt(2.0 * G / reduced * (1.0 - angle.cos()));
    Some([quarter_period(angle, reduced), speed])
}

fn cradle(name: &'static str, source: &str, ratios: &[f64], tolerance: f64) -> Option<Vec<Check>> {
    let scene = scene(name)?;
    let [time, speed] = lifted(&scene)?;
    let ball = scene.bodies.first()?.clone();
    let played = play(scene, 0.8)?;
    let first = *played.impacts().first()?;
    let mut checks = vec![Check::simulated(name, "first impact, s; elliptic integral", time, first.time, 1e-10)];
    let mut left = 0.0;
    for (k, ratio) in ratios.iter().enumerate() {
        let after = first.bodies.iter().find(|(body, _)| *body == k)?.1[1].velocity.x;
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

fn cradle_three(name: &'static str) -> Option<Vec<Check>> {
    cradle(name, "Table 6.4, e* = 0.85", &[0.006, 0.069, 0.925], 1e-3)
}

fn cradle_five(name: &'static str) -> Option<Vec<Check>> {
    let (a, b) = (0.1, 0.9);
    let ratios = [a * a * a * a, b * a * a * a, b * a * a, b * a, b];
    cradle(name, "(1 + e)/2 ((1 − e)/2)^(5−k) of 1.304, e* = 0.8", &ratios, 1e-9)
}

fn cradle_swing(name: &'static str) -> Option<Vec<Check>> {
    let scene = scene(name)?;
    let [time, speed] = lifted(&scene)?;
    let played = play(scene, 3.0)?;
    let strong: Vec<&Event> = played
        .impacts()
        .into_iter()
        .filter(|event| event.contacts.iter().any(|c| c.velocity_before.x < -1e-3))
        .collect();
    let mut checks =
        vec![Check::simulated(name, "first impact, s; a quarter of the period", time, strong.first()?.time, 1e-10)];
    let after = |event: &Event, ball: usize| Some(event.bodies.iter().find(|(body, _)| *body == ball)?.1[1].velocity.x);
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

fn corner_sphere(name: &'static str) -> Option<Vec<Check>> {
    let played = play(scene(name)?, 0.3)?;
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

fn rocking_block_in_space(name: &'static str) -> Option<Vec<Check>> {
    let block = Block { friction: [0.6, 0.35], ..FLAT };
    let played = play(scene(name)?, 0.07)?;
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

fn double_pendulum(name: &'static str) -> Option<Vec<Check>> {
    let mut scene = scene(name)?;
    // Of all laws this one is the limit of stiff springs with Coulomb friction that give back e² of the work.
    scene.law = find("routh-stronge").ok()?;
    let [upper, lower] = [scene.bodies.first()?, scene.bodies.get(1)?];
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
    let mut engine = EventEngine::new(scene, EventSettings::default()).ok()?;
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

fn slider_crank(name: &'static str) -> Option<Vec<Check>> {
    let scene = scene(name)?;
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
    let mut engine = EventEngine::new(scene, EventSettings::default()).ok()?;
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
fn leaning(front: usize, angle: f64, [pitch, thick, tall]: [f64; 3]) -> Vec<[f64; 2]> {
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

fn dominoes(name: &'static str) -> Option<Vec<Check>> {
    let size @ [pitch, thick, tall] = [0.028, 0.008, 0.048];
    let start = 0.1745;
    let played = play(scene(name)?, 0.51)?;
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

fn billiard_break(name: &'static str) -> Option<Vec<Check>> {
    let scene = scene(name)?;
    let ball = scene.bodies.first()?;
    let disks = Disks {
        mass: ball.mass,
        inertia: ball.inertia[(2, 2)],
        radius: 0.028_575,
        spring: Spring { stiffness: 1e13, restitution: 0.95, friction: 0.06, creep: 0.03 },
    };
    let states = |f: fn(&State) -> [f64; 3]| scene.bodies.iter().flat_map(|body| f(&body.state)).collect::<Vec<f64>>();
    let mut q = states(|state| [state.pose.position.x, state.pose.position.y, 0.0]);
    let mut v = states(|state| [state.velocity.x, state.velocity.y, 0.0]);
    let (momentum, energy) = (ball.mass * 8.0, 0.5 * ball.mass * 64.0);
    let end = 0.139;
    follow(&disks, &mut q, &mut v, end, [1e-3, 1e-10]);
    let played = play(scene, end)?;
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

fn falling_figure(name: &'static str) -> Option<Vec<Check>> {
    let mut scene = scene(name)?;
    let whole = |states: &[State], scene: &Scene| {
        let mass: f64 = scene.bodies.iter().map(|body| body.mass).sum();
        let mut sums = [Vector3::zeros(); 2];
        for (body, state) in scene.bodies.iter().zip(states) {
            sums[0] += state.pose.position * body.mass / mass;
            sums[1] += state.velocity * body.mass / mass;
        }
        let [centre, velocity] = sums;
        let spin: f64 = scene
            .bodies
            .iter()
            .zip(states)
            .map(|(body, state)| {
                let apart = (state.pose.position - centre).cross(&(state.velocity - velocity));
                body.mass * apart.z + body.inertia[(2, 2)] * state.angular_velocity.z
            })
            .sum();
        (centre, velocity, spin)
    };
    let start: Vec<State> = scene.bodies.iter().map(|body| body.state).collect();
    let (centre, velocity, spin) = whole(&start, &scene);
    let flown = play(scene.clone(), 0.25)?;
    let (there, _, turns) = whole(&flown.states, &scene);
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
    scene.law = find("routh-stronge").ok()?;
    // The trunk carries the coordinates: bodies are trunk, upper arm, forearm, thigh, shank; limbs run along their x axes.
    let half = [0.3, 0.16, 0.15, 0.21, 0.225];
    let chains: [&[usize]; 5] = [&[], &[1], &[1, 2], &[3], &[3, 4]];
    let links = scene.bodies.iter().enumerate().map(|(k, body)| {
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
    let landed = play(scene, end)?;
    for (k, limb) in ["trunk", "upper arm", "forearm", "thigh", "shank"].iter().enumerate() {
        let what = format!("turning of the {limb} at {end} s, after the foot landed, rad/s; springs");
        checks.push(Check::simulated(name, what, v[2 + k], landed.states.get(k)?.angular_velocity.z, 3e-3));
    }
    Some(checks)
}

fn tippe_top(name: &'static str) -> Option<Vec<Check>> {
    let scene = scene(name)?;
    let (radius, offset) = (0.02, 0.004);
    let body = scene.bodies.first()?.clone();
    let lean = |state: &State| (state.pose.orientation * Vector3::z()).z;
    let jellett = |state: &State| {
        let turn = state.pose.orientation.to_rotation_matrix();
        let angular = turn * (body.inertia * (turn.inverse() * state.angular_velocity));
        // From the centre of mass to the point that touches.
        let arm = turn * Vector3::z() * offset - Vector3::z() * radius;
        angular.dot(&arm)
    };
    let (start, before) = (jellett(&body.state), lean(&body.state));
    let mut engine = EventEngine::new(scene, EventSettings::default()).ok()?;
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

fn granular_gas(name: &'static str) -> Option<Vec<Check>> {
    let scene = scene(name)?;
    let settings = SteppingSettings { step: 1e-3, ..SteppingSettings::default() };
    let mut stepping = SteppingEngine::new(scene.clone(), settings).ok()?;
    let mut events = EventEngine::new(scene, EventSettings::default()).ok()?;
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
