//! The two laws that follow several contacts with springs: `liu-zhao-brogliato` and `compliant-network`.
#![allow(clippy::unwrap_used)]

use carom::impact::{BoundImpactLaw, Contact, ImpactOutcome, Network};
use carom::laws::find;
use carom::{Body, ContactFrame};
use nalgebra::Vector3;

const LAWS: [&str; 2] = ["liu-zhao-brogliato", "compliant-network"];

/// Balls in a row, each touching the next, and a law at the contacts; the first ball comes with unit speed.
struct Chain {
    masses: Vec<f64>,
    restitution: f64,
    exponent: f64,
    stiffness: Vec<f64>,
    gap: f64,
}

impl Chain {
    fn of(count: usize) -> Chain {
        let stiffness = vec![1.0; count - 1];
        Chain { masses: vec![1.0; count], restitution: 1.0, exponent: 1.0, stiffness, gap: 0.0 }
    }

    fn bodies(&self) -> (Vec<Body>, Vec<Contact>) {
        let ball = |(k, mass): (usize, &f64)| {
            let speed = if k == 0 { 1.0 } else { 0.0 };
            let body = Body::planar(*mass, 0.4 * mass).unwrap();
            body.at(Vector3::x() * (2.0 * k as f64)).moving(Vector3::x() * speed, Vector3::zeros())
        };
        let frame = ContactFrame::planar([1.0, 0.0]).unwrap();
        let touch =
            |k: usize| Contact { a: Some(k + 1), b: Some(k), point: Vector3::x() * (2.0 * k as f64 + 1.0), frame };
        (self.masses.iter().enumerate().map(ball).collect(), (0..self.masses.len() - 1).map(touch).collect())
    }

    fn after(&self, law: &str) -> (Vec<f64>, ImpactOutcome) {
        let (bodies, contacts) = self.bodies();
        let network = Network::new(bodies, contacts.clone(), &[], true).unwrap();
        let lookup = |contact: usize, key: &str| match key {
            "restitution" => Some(self.restitution),
            "friction" => Some(0.0),
            "exponent" => Some(self.exponent),
            "stiffness" => Some(self.stiffness[contact]),
            "gap" if contact > 0 => Some(self.gap),
            _ => None,
        };
        let bound = BoundImpactLaw::new(find(law).unwrap(), contacts.len(), lookup).unwrap();
        let outcome = bound.resolve(&network.impact().unwrap()).unwrap();
        (network.after(&outcome.impulses).0.iter().map(|body| body.velocity.x).collect(), outcome)
    }
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    let far = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(found.len() == expected.len() && far <= tolerance, "{found:?} instead of {expected:?}: {far}");
}

#[test]
fn chains_of_the_literature() {
    for law in LAWS {
        for (count, exponent, expected) in [
            (3, 1.0, &[-0.1303, 0.1502, 0.9800][..]),
            (3, 1.5, &[-0.0709, 0.0764, 0.9946]),
            (5, 1.0, &[-0.1323, -0.0753, -0.0310, 0.2962, 0.9424]),
        ] {
            let (found, outcome) = Chain { exponent, ..Chain::of(count) }.after(law);
            println!("{law} {count} {exponent} {found:?} {:?}", outcome.effort);
            assert_near(&found, expected, 0.5001e-4);
        }
    }
    let (found, _) = Chain { restitution: 0.8, ..Chain::of(3) }.after("liu-zhao-brogliato");
    assert_near(&found, &[-0.0015, 0.1848, 0.8167], 0.5001e-4);
}
