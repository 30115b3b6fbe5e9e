//! Chatterjee 1997, 2.3 and chapter 10: local mass matrices of simple bodies, their realisation, nearly spherical bodies.

use super::Check;
use carom::laws::Chatterjee2;
use carom::tools::{linearise_about_sphere, realise};
use carom::{Amount, Body, Collision, ContactFrame, Error, Shape};
use nalgebra::{Matrix2, Matrix3, Vector3};

/// M of a collision at the origin, normal along x: (n, t) are then (x, −y).
fn mass(a: &Body, b: &Body) -> Result<Matrix3<f64>, Error> {
    let frame = ContactFrame::planar([1.0, 0.0])?;
    let collision = Collision::between(a, b, &Vector3::zeros(), &frame)?;
    collision.mass().ok_or(Error::ImmovableAlongNormal)
}

fn planar_part(m: &Matrix3<f64>) -> Matrix2<f64> {
    m.fixed_view::<2, 2>(0, 0).into_owned()
}

/// Smaller over larger eigenvalue.
fn ratio(m: &Matrix2<f64>) -> f64 {
    let eigenvalues = m.symmetric_eigenvalues();
    eigenvalues.min() / eigenvalues.max()
}

/// A rod of mass 1 and length 2 whose end touches an immovable body, at an angle to the normal.
fn rod(angle: f64) -> Result<Matrix2<f64>, Error> {
    let body = Body::planar(1.0, 1.0 / 3.0)?.at(Vector3::new(angle.cos(), -angle.sin(), 0.0));
    Ok(planar_part(&mass(&body, &Body::immovable())?))
}

/// The rod with a point mass at `offset` from the contact along it.
fn loaded_rod(load: f64, offset: f64) -> Result<f64, Error> {
    let total = 1.0 + load;
    let centre = (1.0 + load * offset) / total;
    let inertia = 1.0 / 3.0 + (1.0 - centre).powi(2) + load * (offset - centre).powi(2);
    let body = Body::planar(total, inertia)?.at(Vector3::new(centre, 0.0, 0.0));
    Ok(ratio(&planar_part(&mass(&body, &Body::immovable())?)))
}

fn worst<T>(cases: impl IntoIterator<Item = T>, difference: impl Fn(T) -> Result<f64, Error>) -> f64 {
    cases.into_iter().fold(0.0, |most, case| difference(case).map_or(f64::INFINITY, |d| f64::max(most, d)))
}

pub fn checks() -> Vec<Check> {
    let mut checks = vec![
        Check::formula(
            "2.3.1",
            "two uniform spheres",
            "M ∝ diag(7, 2, 2)",
            "four pairs of radii and masses",
            spheres(),
        ),
        Check::formula(
            "2.3.1",
            "uniform thin rod on an infinite body: ratio of the eigenvalues",
            "1/4",
            "five angles",
            worst([0.0, 0.3, 0.7, 1.1, 1.5], |angle| Ok((ratio(&rod(angle)?) - 0.25).abs())),
        ),
        Check::formula(
            "2.3.1",
            "one body infinite: eigenvector towards the centre of mass, eigenvalue",
            "m",
            "five directions",
            infinite_body(),
        ),
        Check::formula(
            "2.3.1",
            "two mirror-image bodies at a right angle",
            "M = m I/(2 I + m r²) Id",
            "three inertias",
            mirror(),
        ),
        Check::formula(
            "2.3.1",
            "rod with a mass at the contact: ratio",
            "1 − ¾ m/(m + M)",
            "M/m = 1, 10, 100, 1000",
            worst([1.0, 10.0, 100.0, 1000.0], |load| Ok((loaded_rod(load, 0.0)? - (1.0 - 0.75 / (1.0 + load))).abs())),
        ),
    ];
    let printed_rods = [(30.0_f64, [".8125", ".324760", ".4375"]), (45.0, [".625", ".375", ".625"])];
    for (degrees, printed) in printed_rods {
        let m = rod(degrees.to_radians()).unwrap_or_else(|_| Matrix2::zeros());
        for ((name, printed), ours) in
            ["M_nn", "M_nt", "M_tt"].iter().zip(printed).zip([m[(0, 0)], m[(0, 1)], m[(1, 1)]])
        {
            let what = format!("rod of length 2 at {degrees}°, {name}");
            checks.push(Check::six_decimals("second program", what, printed, ours));
        }
    }
    for (load, printed) in [(1.0, ".15625"), (10.0, ".030059"), (100.0, ".0032976"), (1000.0, ".00033297")] {
        let ours = loaded_rod(load, 2.0).unwrap_or(f64::NAN);
        checks.push(Check::number(
            "2.3.1",
            format!("rod with a mass {load} m at the far end: ratio → 0"),
            printed,
            ours,
        ));
    }
    for (load, printed) in [(1.0, ".595"), (10.0, ".868"), (100.0, ".834"), (1000.0, ".428")] {
        // d = 0.02 L, L = 2.
        let ours = loaded_rod(load, 0.04).unwrap_or(f64::NAN);
        checks.push(Check::number(
            "second program",
            format!("rod with a mass {load} m near the contact: ratio"),
            printed,
            ours,
        ));
    }
    checks.push(
        Check::number(
            "2.3.1",
            "rod with a heavy mass near, not at, the contact: ratio → 1",
            "1.0",
            loaded_rod(1e6, 0.04).unwrap_or(f64::NAN),
        )
        .contradicts("→ 0", "the limit is 1 only if the distance vanishes before the mass grows"),
    );
    checks.push(Check::formula(
        "10.4",
        "any mass matrix realised by two free bodies, isotropic ones too",
        "exists",
        "six matrices, checked by computing back",
        realisations(),
    ));
    checks.extend(near_spheres());
    checks
}

fn spheres() -> f64 {
    worst(
        [(0.1, 1.0, 0.3, 2.0), (1.0, 1.0, 1.0, 1.0), (0.02, 0.5, 4.0, 9.0), (2.0, 7.0, 0.5, 0.1)],
        |(r1, m1, r2, m2)| {
            let ball = |radius: f64, mass: f64, side: f64| {
                let shape = Shape::Ball { radius };
                let body = shape.spatial_body(Amount::Mass(mass), &nalgebra::UnitQuaternion::identity())?;
                Ok(body.at(Vector3::new(side * radius, 0.0, 0.0)))
            };
            let m = mass(&ball(r1, m1, 1.0)?, &ball(r2, m2, -1.0)?)?;
            let reduced = m1 * m2 / (m1 + m2);
            let expected = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0 / 7.0, 2.0 / 7.0)) * reduced;
            Ok((m - expected).norm() / reduced)
        },
    )
}

fn infinite_body() -> f64 {
    worst([0.0_f64, 0.4, 1.0, 2.0, 3.0], |angle| {
        let arm = Vector3::new(angle.cos(), angle.sin(), 0.0) * 0.7;
        let m = mass(&Body::planar(3.0, 0.2)?.at(arm), &Body::immovable())?;
        // (n, t) components of the arm: t = −y.
        let along = Vector3::new(arm.x, -arm.y, 0.0);
        Ok((m * along - along * 3.0).norm())
    })
}

fn mirror() -> f64 {
    worst([0.1, 1.0, 5.0], |inertia| {
        let (m, r) = (2.0, 0.8);
        let half = r * std::f64::consts::FRAC_1_SQRT_2;
        let a = Body::planar(m, inertia)?.at(Vector3::new(half, half, 0.0));
        let b = Body::planar(m, inertia)?.at(Vector3::new(-half, half, 0.0));
        let expected = Matrix2::identity() * (m * inertia / (2.0 * inertia + m * r * r));
        Ok((planar_part(&mass(&a, &b)?) - expected).norm())
    })
}

fn realisations() -> f64 {
    let targets = [
        Matrix3::identity(),
        Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0)),
        Matrix3::from_diagonal(&Vector3::new(2.0, 2.0, 1.0)),
        Matrix3::new(1.0, -0.3, 0.2, -0.3, 0.8, 0.1, 0.2, 0.1, 0.6),
        Matrix3::new(1.0, -0.9, 0.0, -0.9, 1.0, 0.0, 0.0, 0.0, 0.5),
        Matrix3::new(1.0, 0.4, -0.6, 0.4, 1.0, -0.3, -0.6, -0.3, 1.0),
    ];
    let frame = ContactFrame::spatial(&Vector3::x(), Some(&Vector3::y()));
    worst(targets, |target| {
        let bodies = realise(&target)?;
        let collision =
            Collision::between(&bodies.a, &bodies.b, &Vector3::zeros(), frame.as_ref().map_err(Error::clone)?)?;
        let found = collision.mass().ok_or(Error::ImmovableAlongNormal)?;
        Ok((found - target).norm() / target.norm())
    })
}

/// The sliding regime of nearly spherical bodies: e = 0.9, μ = 0.2, θ = 1.2, M = diag(7, 2, 2).
fn near_spheres() -> Vec<Check> {
    let law = Chatterjee2 { restitution: 0.9, tangential_restitution: 0.0, friction: 0.2 };
    let found = linearise_about_sphere(|collision| law.resolve(collision), 1.2);
    let (j21, j24, defect) = found.map_or((f64::NAN, f64::NAN, f64::NAN), |linearisation| {
        let five = linearisation.five_functions();
        (five.j21, five.j24, linearisation.defect())
    });
    let five_digits = |what: &str, printed: &str, ours: f64| Check::number("second program", what, printed, ours);
    vec![
        five_digits("nearly spherical bodies, sliding, J₂₁", "0.06885", j21),
        five_digits("nearly spherical bodies, sliding, J₂₄", "-0.29605", j24),
        Check::number("10.2", "law II: entries of J outside the five functions", "0.000000", defect),
    ]
}
