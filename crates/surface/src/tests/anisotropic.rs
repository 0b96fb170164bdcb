//! Anisotropic kernels: against their definition and the dense oracle, on hard inputs, and what
//! they do to sheets and blocks.

use super::*;
use crate::tests::oracle::{Blob, DenseField, assert_matches_oracle};
use hashfall_core::parallel::with_threads;
use hashfall_core::to_f64;
use nalgebra::{Matrix3, Rotation3, Vector3};

/// Keeps the volume of sheets.
const USUAL: f64 = 1.75;

fn anisotropic(anisotropy: f64) -> SurfaceSettings {
    SurfaceSettings { anisotropy, ..SurfaceSettings::raw() }
}

/// M.
pub(crate) fn matrix(ellipsoid: &Ellipsoid) -> Matrix3<f64> {
    let [xx, yy, zz, xy, xz, yz] = ellipsoid.metric.map(f64::from);
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

/// Points of a sheet that is bent like a bowl.
fn bowl(jitter: f64) -> Vec<[f64; 3]> {
    let bend = |[x, y, z]: [f64; 3]| {
        [x, y, z + 0.2 * ((x - 10.0 * SPACING).powi(2) + (y - 9.0 * SPACING).powi(2))]
    };
    lattice([20, 18, 1], jitter).into_iter().map(bend).collect()
}

/// Points of a soup of drops, strands and heaps.
fn soup(seed: u64) -> Vec<[f64; 3]> {
    let mut random = random(seed);
    (0..300).map(|_| [0; 3].map(|_| (random() - 0.4) * 4.0 * SUPPORT)).collect()
}

/// Particles on a point, on a line, in a plane and in few places, which leave variances of zero.
fn hard() -> Vec<Vec<[f64; 3]>> {
    let t = |i: usize| i as f64 * 0.3 * SPACING;
    vec![
        vec![[0.3, 0.1, -0.2]],
        vec![[0.3, 0.1, -0.2]; 40],
        vec![[0.0; 3], [0.4 * SPACING, 0.1 * SPACING, 0.0]],
        (0..40).map(|i| [t(i), 0.0, 0.0]).collect(),
        (0..40).map(|i| [t(i), 2.0 * t(i), -t(i)]).collect(),
        lattice([12, 12, 1], 0.0),
        lattice([12, 12, 1], 0.0).into_iter().map(|[x, y, _]| [x, y, 0.7 * x - 0.2 * y]).collect(),
        lattice([6, 6, 1], 0.0).into_iter().flat_map(|p| [p; 5]).collect(),
    ]
}

/// The kernel of a particle by the definition, in double precision.
fn by_definition(points: &[[f64; 3]], i: usize, most: f64) -> (Vector3<f64>, Matrix3<f64>) {
    let all: Vec<Vector3<f64>> =
        points.iter().map(|p| (Vector3::from(*p) - Vector3::from(points[i])) / SUPPORT).collect();
    let weight = |r: Vector3<f64>| (1.0 - r.norm().powi(3)).max(0.0);
    let sum = all.iter().map(|&r| weight(r)).sum::<f64>();
    let mean = all.iter().map(|&r| r * weight(r)).sum::<Vector3<f64>>() / sum;
    let spread = |r: &Vector3<f64>| (r - mean) * (r - mean).transpose() * weight(*r);
    let covariance = all.iter().map(spread).sum::<Matrix3<f64>>() / sum;
    // A sheet has 4 (1 − ⅛) + 4 (1 − 2^(3/2)/8) around each particle.
    let in_sheet = 8.0 - 0.5 - 2.0_f64.sqrt();
    let number = ((sum - 1.0) / in_sheet * 3.0 - 1.0).clamp(0.0, 1.0);
    let eigen = covariance.symmetric_eigen();
    let variances = eigen.eigenvalues.add_scalar(1e-5);
    let ratios = variances.map(|v| v / variances.max());
    let metric = ratios.map(|q| 1.0 + number * ((1.0 / (2.5 * q)).clamp(1.0, most) - 1.0));
    let drawn = ratios.map(|q| number * (1.0 - 4.0 * q).max(0.0));
    let axes = eigen.eigenvectors;
    let along = |k: Vector3<f64>| axes * Matrix3::from_diagonal(&k) * axes.transpose();
    (along(drawn) * mean, along(metric))
}

#[test]
fn kernels_are_those_of_the_definition() {
    for points in [bowl(0.2), soup(4), lattice([7, 6, 5], 0.2)] {
        let particles = Particles::at(&points);
        let points: Vec<[f64; 3]> = particles.positions.iter().map(to_f64).collect();
        let ellipsoids = particles.ellipsoids(&anisotropic(USUAL));
        for (i, ellipsoid) in ellipsoids.iter().enumerate() {
            let (shift, m) = by_definition(&points, i, USUAL);
            let error = (matrix(ellipsoid) - m).norm();
            assert!(error < 1e-3, "{i}: {} is not {m}", matrix(ellipsoid));
            let error = (Vector3::from(ellipsoid.shift.map(f64::from)) - shift).norm();
            assert!(error < 1e-3, "{i}: {:?} is not {shift}", ellipsoid.shift);
            let determinant = m.determinant() / f64::from(ellipsoid.determinant);
            assert!((determinant - 1.0).abs() < 1e-3, "{i}: {determinant}");
        }
        assert!(ellipsoids.iter().any(|e| matrix(e).determinant() > 1.1));
    }
}

#[test]
fn fluid_at_rest_has_round_kernels_exactly_and_a_sheet_flat_ones() {
    let particles = Particles::at(&lattice([9; 3], 0.1));
    let deep = |x: &Vec3| to_f64(x).iter().all(|x| (2.0..7.0).contains(&(x / SPACING)));
    let ellipsoids = particles.ellipsoids(&anisotropic(4.0));
    let mut all = particles.positions.iter().zip(&ellipsoids);
    assert!(all.any(|(x, ellipsoid)| !deep(x) && ellipsoid.determinant > 1.0));
    for (x, ellipsoid) in all.filter(|(x, _)| deep(x)) {
        assert_eq!(matrix(ellipsoid), Matrix3::identity(), "{x}");
        assert_eq!(ellipsoid.shift, [0.0; 3]);
    }
    let ellipsoids = Particles::at(&lattice([9, 9, 1], 0.0)).ellipsoids(&anisotropic(2.0));
    let flat = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 2.0));
    assert!(ellipsoids.iter().any(|e| (matrix(e) - flat).norm() < 1e-6));
}

#[test]
fn kernels_turn_with_the_particles() {
    let points = bowl(0.1);
    let rotation = Rotation3::from_euler_angles(0.4, -1.1, 2.3);
    let turned: Vec<[f64; 3]> =
        points.iter().map(|&p| (rotation * Vector3::from(p)).into()).collect();
    for (i, turned_point) in turned.iter().enumerate() {
        let find = |points: &[[f64; 3]], p: [f64; 3]| {
            let particles = Particles::at(points);
            let i = particles.positions.iter().position(|x| *x == vec3(p)).unwrap();
            particles.ellipsoids(&anisotropic(USUAL))[i]
        };
        if i % 37 != 0 {
            continue;
        }
        let (before, after) = (find(&points, points[i]), find(&turned, *turned_point));
        let expected = rotation * matrix(&before) * rotation.inverse();
        assert!((matrix(&after) - expected).norm() < 1e-3, "{i}");
    }
}

#[test]
fn kernels_keep_their_integrals() {
    let particles = Particles::at(&bowl(0.2));
    let n = 24;
    let blobs = Blob::all(&particles, &anisotropic(USUAL));
    let field = DenseField::evaluate(&blobs, n);
    let integral = field.values.iter().sum::<f64>() * (SUPPORT / n as f64).powi(3);
    let volume = particles.volumes.iter().map(|&v| f64::from(v)).sum::<f64>();
    assert!((integral / volume - 1.0).abs() < 1e-3, "{}", integral / volume);
    assert!(blobs.iter().any(|blob| blob.metric.determinant() > 1.5));
}

#[test]
fn meshes_match_the_oracle() {
    assert_matches_oracle(&lattice([14, 13, 12], 0.1), 8, USUAL);
    assert_matches_oracle(&lattice([9; 3], 0.25), 5, 4.0);
    assert_matches_oracle(&lattice([7, 6, 6], 0.1), 16, 2.0);
    assert_matches_oracle(&lattice([10; 3], 0.0), 3, USUAL);
    for (seed, most) in [1.2, USUAL, 4.0].into_iter().enumerate() {
        for n in [8, 4, 11] {
            assert_matches_oracle(&soup(seed as u64), n, most);
            assert_matches_oracle(&bowl(0.2), n, most);
        }
    }
}

#[test]
fn hard_inputs_are_closed_and_match_the_oracle() {
    assert!(sound_mesh_at(&[], &anisotropic(USUAL)).triangles.is_empty());
    for points in hard() {
        for most in [USUAL, 4.0] {
            sound_mesh_at(&points, &anisotropic(most));
            assert_matches_oracle(&points, 8, most);
        }
    }
}

#[test]
fn soups_are_closed() {
    for seed in 0..200 {
        let mut random = random(seed);
        let count = 1 + (random() * 90.0) as usize;
        let side = (0.5 + 4.0 * random()) * SUPPORT;
        let points: Vec<_> = (0..count).map(|_| [0; 3].map(|_| (random() - 0.5) * side)).collect();
        let (iso, cell) = (0.3 + 0.5 * random(), 0.4 + 1.2 * random());
        sound_mesh_at(&points, &SurfaceSettings { iso, cell, ..anisotropic(1.0 + 3.0 * random()) });
    }
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let particles = Particles::at(&[lattice([12; 3], 0.3), bowl(0.2)].concat());
    let mesh = |threads| with_threads(threads, || particles.mesh(&anisotropic(USUAL)));
    let one = mesh(1);
    assert!(one.triangles.len() > 10_000);
    assert!(one == mesh(2) && one == mesh(5));
}

#[test]
fn attributes_stay_with_their_particles() {
    // Centres that move into other cells change the order.
    let mesh = Particles::at(&lattice([12, 12, 2], 0.3)).mesh(&anisotropic(2.0));
    let Values::Vectors(flow) = &mesh.attributes[0].values else { panic!("a velocity") };
    let error = |(p, v): (&Vec3, &Vec3)| (v - (vec3([1.0, 2.0, 3.0]) + p * 0.5)).norm();
    let worst = mesh.positions.iter().zip(flow.iter()).map(error).fold(0.0, Real::max);
    assert!(worst < 0.5 * vec3([SUPPORT; 3]).x, "{worst}");
}

#[test]
fn a_scene_far_from_the_origin_gives_the_same_mesh() {
    let site = |x: f64| (x * 1024.0).round() / 1024.0;
    let near: Vec<_> = bowl(0.2).into_iter().map(|p| p.map(site)).collect();
    let far: Vec<_> = near.iter().map(|p| p.map(|x| x - 1000.0)).collect();
    let (near, far) = [near, far].map(|p| sound_mesh_at(&p, &anisotropic(USUAL))).into();
    assert_eq!(near.triangles, far.triangles);
}

/// The root mean square height about the mean of what faces up, off the rim, in r.
fn roughness(mesh: &SurfaceMesh, rim: f64, wide: f64) -> f64 {
    let is_off_rim = |x: Real| (rim..wide - rim).contains(&(f64::from(x) / SPACING));
    let vertices = mesh.positions.iter().zip(&mesh.normals);
    let facing = vertices.filter(|(p, n)| n.z > 0.5 && is_off_rim(p.x) && is_off_rim(p.y));
    let heights: Vec<f64> = facing.map(|(p, _)| f64::from(p.z) / RADIUS).collect();
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    (heights.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / heights.len() as f64).sqrt()
}

#[test]
fn sheets_become_flatter_and_all_keep_their_volume() {
    for (counts, flatter) in [([24, 24, 1], 0.75), ([18; 3], 1.1)] {
        let points = lattice(counts, 0.1);
        let [round, flat] = [1.0, USUAL].map(|most| sound_mesh_at(&points, &anisotropic(most)));
        let [before, after] = [&round, &flat].map(|mesh| roughness(mesh, 3.0, counts[0] as f64));
        assert!(after < flatter * before, "{counts:?}: {after} after {before}");
        let part = flat.volume() / (points.len() as f64 * SPACING.powi(3));
        assert!((part - 1.0).abs() < 0.05, "{counts:?}: {part} of the volume");
    }
}

#[test]
fn there_are_no_voids_under_a_rough_surface() {
    let audit = sound_mesh_at(&lattice([14; 3], 0.2), &anisotropic(USUAL)).audit();
    assert_eq!(audit.euler_characteristic, 2, "{audit:?}");
}
