//! Disks in a box, step by step, in Box2D: the scene of `crates/carom/benches/stepping.rs`.
//!
//! `cargo run --release -- COUNT STEPS` in this folder. The first quarter of the steps falls, the rest is a pile. One thread, four
//! sub-steps, no sleeping; contacts as soft as they come. Prints the version, and for each part the contacts, the deepest overlap in m at its
//! end and body-steps per second. `benches/peers/stepping.py` runs it in turn with Carom.

use boxdd_sys::ffi::*;
use std::time::Instant;

const RADIUS: f32 = 0.05;
const MASS: f32 = 0.5;
const FRICTION: f32 = 0.5;
const RESTITUTION: f32 = 0.2;
const GRAVITY: f32 = 9.81;
const STEP: f32 = 1.0 / 240.0;
const SUB_STEPS: i32 = 4;
/// Box2D's margins are made for bodies of about this size, m; with the metre that it comes with it is slower here.
const UNIT: f32 = 2.0 * RADIUS;
/// Much higher than the disks start.
const WALL: f32 = 100.0;

struct World {
    id: b2WorldId,
    disks: Vec<b2BodyId>,
    wide: f32,
}

impl World {
    fn new(count: usize) -> World {
        let side = (count as f64 / 2.0).sqrt().ceil() as usize;
        let pitch = 2.2 * RADIUS;
        let wide = side as f32 * pitch + 0.5 * RADIUS;
        // SAFETY: Box2D's own functions, called as its manual says, with ids and definitions that it gave.
        unsafe {
            b2SetLengthUnitsPerMeter(UNIT);
            let mut definition = b2DefaultWorldDef();
            definition.gravity = b2Vec2 { x: 0.0, y: -GRAVITY };
            definition.enableSleep = false;
            definition.workerCount = 1;
            // As Carom: twice what gravity gives in a step.
            definition.restitutionThreshold = 2.0 * GRAVITY * STEP;
            let id = b2CreateWorld(&definition);
            let mut shape = b2DefaultShapeDef();
            shape.material.friction = FRICTION;
            shape.material.restitution = RESTITUTION;
            shape.density = MASS / (std::f32::consts::PI * RADIUS * RADIUS);
            let ground = b2CreateBody(id, &b2DefaultBodyDef());
            let corners = [(0.0, WALL), (0.0, 0.0), (wide, 0.0), (wide, WALL)].map(|(x, y)| b2Vec2 { x, y });
            for ends in corners.windows(2) {
                b2CreateSegmentShape(ground, &shape, &b2Segment { point1: ends[0], point2: ends[1] });
            }
            let circle = b2Circle { center: b2Vec2 { x: 0.0, y: 0.0 }, radius: RADIUS };
            let disk = |k: usize| {
                let (column, row) = (k % side, k / side);
                let nudge = if row % 2 == 0 { 0.0 } else { 0.4 * RADIUS };
                let [x, y] = [column, row].map(|place| place as f32 * pitch + 1.1 * RADIUS);
                let mut body = b2DefaultBodyDef();
                body.type_ = b2BodyType_b2_dynamicBody;
                body.position = b2Vec2 { x: x + nudge, y };
                let body = b2CreateBody(id, &body);
                b2CreateCircleShape(body, &shape, &circle);
                body
            };
            World { id, disks: (0..count).map(disk).collect(), wide }
        }
    }

    fn step(&self) {
        // SAFETY: the world is there as long as this is.
        unsafe { b2World_Step(self.id, STEP, SUB_STEPS) }
    }

    fn contacts(&self) -> i32 {
        // SAFETY: as above.
        unsafe { b2World_GetCounters(self.id) }.contactCount
    }

    /// The deepest overlap of disks with each other, the floor and the walls.
    fn overlap(&self) -> f32 {
        // SAFETY: bodies are there as long as their world.
        let places: Vec<b2Vec2> = self.disks.iter().map(|disk| unsafe { b2Body_GetPosition(*disk) }).collect();
        let mut least = f32::INFINITY;
        for (k, p) in places.iter().enumerate() {
            least = least.min(p.x.min(self.wide - p.x).min(p.y) - RADIUS);
            for q in &places[..k] {
                least = least.min((p.x - q.x).hypot(p.y - q.y) - 2.0 * RADIUS);
            }
        }
        (-least).max(0.0)
    }
}

fn main() {
    let number = |place: usize, usual: usize| std::env::args().nth(place).map_or(usual, |text| text.parse().unwrap());
    let (count, steps) = (number(1, 1000), number(2, 1000));
    // SAFETY: it only reads a constant.
    let version = unsafe { b2GetVersion() };
    let width = if cfg!(feature = "avx2") { "AVX2" } else { "SSE2" };
    println!("Box2D {}.{}.{}, f32, {width}, {SUB_STEPS} sub-steps", version.major, version.minor, version.revision);
    let world = World::new(count);
    for share in [steps / 4, steps - steps / 4] {
        let began = Instant::now();
        (0..share).for_each(|_| world.step());
        let rate = (count * share) as f64 / began.elapsed().as_secs_f64();
        println!("{} {:e} {rate}", world.contacts(), world.overlap());
    }
}
