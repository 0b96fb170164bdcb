//! Shapes whose surface is known, and the promises of [`extract`].

use super::*;
use hashfall_core::Dimension;
use hashfall_core::parallel::with_threads;

fn bounds(mesh: &SurfaceMesh) -> (Vec3, Vec3) {
    let start = (mesh.positions[0], mesh.positions[0]);
    mesh.positions.iter().fold(start, |(low, high), p| (low.inf(p), high.sup(p)))
}

#[test]
fn no_particles_give_no_mesh() {
    let mesh = sound_mesh(&[]);
    assert!(mesh.positions.is_empty() && mesh.triangles.is_empty());
}

#[test]
fn one_particle_gives_a_small_ball() {
    // φ = 1 at the particle; W falls to 0.6 W(0) at 0.3081 h.
    let radius = 0.3081 * SUPPORT;
    for at in [[0.0; 3], [0.3, -0.7, 0.11], [SUPPORT * 0.5; 3], [-0.01, 5.0, -80.0]] {
        let mesh = sound_mesh(&[at]);
        assert_eq!(mesh.audit().euler_characteristic, 2);
        let errors =
            mesh.positions.iter().map(|p| (p - vec3(at)).norm() / vec3([radius; 3]).x - 1.0);
        assert!(errors.fold(0.0, |worst: Real, e| worst.max(e.abs())) < 0.02, "at {at:?}");
        assert_eq!(agreement(&mesh), 1.0);
    }
}

#[test]
fn two_particles_merge_when_close_and_part_when_apart() {
    let bodies = |gap: f64| {
        let mesh = sound_mesh(&[[0.01, 0.02, 0.03], [0.01 + gap, 0.02, 0.03]]);
        mesh.audit().euler_characteristic / 2
    };
    assert_eq!(bodies(0.5 * SPACING), 1);
    assert_eq!(bodies(3.0 * SPACING), 2);
    // The same place twice: one body, no different from one particle.
    assert_eq!(bodies(0.0), 1);
}

#[test]
fn particles_on_grid_points_and_blocks_corners_are_closed() {
    let c = SUPPORT / 8.0;
    for gap in 0..20 {
        sound_mesh(&[[0.0; 3], [f64::from(gap) * c, 0.0, 0.0]]);
        sound_mesh(&[[0.0; 3], [f64::from(gap) * c, f64::from(gap) * c, 0.0], [c, -c, c]]);
    }
}

#[test]
fn grid_points_where_the_field_is_iso_to_the_bit_make_no_flat_triangles() {
    // Six grid points and more lie at the same distance from a particle on a grid point.
    let particles = Particles::at(&[[0.0; 3]]);
    for distance in [1.0, 2.0, (3.0 as Real).sqrt()] {
        let r = distance * particles.input().support_radius / 8.0;
        let phi = particles.volumes[0]
            * CubicSpline::new(Dimension::Three, particles.input().support_radius).value(r);
        let mesh = sound_mesh_at(
            &[[0.0; 3]],
            &SurfaceSettings { iso: f64::from(phi), ..SurfaceSettings::raw() },
        );
        assert_eq!(mesh.audit().euler_characteristic, 2);
    }
}

#[test]
fn a_sphere_has_its_volume_and_radius() {
    let radius = 12.0 * SPACING;
    let inside = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>() <= radius * radius;
    let cube = lattice([26; 3], 0.0);
    let points: Vec<_> =
        cube.into_iter().map(|p| p.map(|x| x - 13.0 * SPACING)).filter(inside).collect();
    let mesh = sound_mesh(&points);
    let analytic = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let volume = mesh.volume();
    assert!((volume / analytic - 1.0).abs() < 0.01, "volume {volume}, analytic {analytic}");
    let mean = mesh.positions.iter().map(|p| f64::from(p.norm())).sum::<f64>()
        / mesh.positions.len() as f64;
    assert!((mean / radius - 1.0).abs() < 0.01, "mean radius {mean}, analytic {radius}");
    let worst = mesh.positions.iter().map(|p| (f64::from(p.norm()) - radius).abs());
    assert!(worst.fold(0.0, f64::max) < 1.2 * RADIUS);
    assert_eq!(mesh.audit().euler_characteristic, 2);
    assert!(agreement(&mesh) > 0.99, "{}", agreement(&mesh));
}

#[test]
fn a_block_of_fluid_has_the_volume_of_its_particles() {
    for jitter in [0.0, 0.1] {
        let points = lattice([18, 20, 22], jitter);
        let mesh = sound_mesh(&points);
        let particles = points.len() as f64 * SPACING.powi(3);
        let ratio = mesh.volume() / particles;
        assert!((ratio - 1.0).abs() < 0.02, "jitter {jitter}: volume {ratio} of the particles'");
        assert_eq!(mesh.audit().euler_characteristic, 2);
        assert!(agreement(&mesh) > 0.99, "{}", agreement(&mesh));
        let (low, high) = bounds(&mesh);
        let size = vec3([18.0 * SPACING, 20.0 * SPACING, 22.0 * SPACING]);
        let reach = vec3([RADIUS; 3]).x;
        assert!((low.norm()) < 2.0 * reach && (high - size).norm() < 2.0 * reach);
    }
}

#[test]
fn a_thin_sheet_is_one_closed_body() {
    let mesh = sound_mesh(&lattice([30, 30, 1], 0.0));
    assert_eq!(mesh.audit().euler_characteristic, 2);
    let ratio = mesh.volume() / (900.0 * SPACING.powi(3));
    assert!((0.7..1.3).contains(&ratio), "{ratio}");
}

#[test]
fn random_soups_are_closed_at_every_density() {
    for seed in 0..1000 {
        let mut random = random(seed);
        let count = 1 + (random() * 90.0) as usize;
        let side = (0.5 + 4.0 * random()) * SUPPORT;
        let points: Vec<_> = (0..count).map(|_| [0; 3].map(|_| (random() - 0.5) * side)).collect();
        let settings = SurfaceSettings {
            iso: 0.3 + 0.5 * random(),
            cell: 0.4 + 1.2 * random(),
            ..SurfaceSettings::raw()
        };
        sound_mesh_at(&points, &settings);
    }
}

#[test]
fn lattices_that_make_ties_and_ambiguous_faces_are_closed() {
    // Points on every other lattice site leave the field alike at many grid points.
    for seed in 0..40 {
        let mut random = random(seed);
        let points: Vec<_> = lattice([7; 3], 0.0).into_iter().filter(|_| random() < 0.4).collect();
        for cell in [0.5, 1.0, 2.0] {
            sound_mesh_at(&points, &SurfaceSettings { cell, ..SurfaceSettings::raw() });
        }
    }
}

#[test]
fn attributes_follow_the_particles() {
    let particles = Particles::at(&lattice([10; 3], 0.1));
    let mesh = particles.mesh(&SurfaceSettings::raw());
    let [Values::Vectors(flow), Values::Scalars(depth), Values::Labels(id)] =
        [0, 1, 2].map(|i| &mesh.attributes[i].values)
    else {
        panic!("attributes keep their kinds and order");
    };
    let expected = |p: &Vec3| vec3([1.0, 2.0, 3.0]) + p * 0.5;
    let error = |(p, v): (&Vec3, &Vec3)| (v - expected(p)).norm();
    let worst = mesh.positions.iter().zip(flow.iter()).map(error).fold(0.0, Real::max);
    assert!(flow.iter().zip(depth.iter()).all(|(v, z)| (v.z - z).abs() < 1e-5));
    // With like volumes, the label is that of the nearest particle.
    for (p, &id) in mesh.positions.iter().zip(id.iter()).step_by(97) {
        let distance = |q: &Vec3| (q - p).norm();
        let least = particles.positions.iter().map(distance).fold(Real::MAX, Real::min);
        assert!(distance(&particles.positions[id as usize]) < 1.3 * least);
    }
    // The mean lies towards the inside by part of h: the velocities differ by half of that.
    assert!(worst < 0.5 * vec3([SUPPORT; 3]).x, "{worst}");
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let particles = Particles::at(&lattice([14; 3], 0.3));
    let mesh = |threads| with_threads(threads, || particles.mesh(&SurfaceSettings::raw()));
    let one = mesh(1);
    assert!(one.triangles.len() > 10_000);
    assert!(one == mesh(2) && one == mesh(5));
}

#[test]
fn a_scene_far_from_the_origin_gives_the_same_mesh() {
    // Sites of a lattice of 2⁻¹⁰ m: representable near 1000 m too.
    let mut random = random(3);
    let site = |x: f64| (x * 1024.0).round() / 1024.0;
    let points: Vec<_> = (0..600).map(|_| [0; 3].map(|_| site(random() * 1.2))).collect();
    let near = sound_mesh(&points);
    for shift in [[1000.0, 0., 0.], [0., -1000.0, 0.], [0., 0., 1000.0], [1000.0; 3]] {
        let moved: Vec<_> = points.iter().map(|p| [0, 1, 2].map(|a| p[a] + shift[a])).collect();
        let far = sound_mesh(&moved);
        assert_eq!(near.triangles, far.triangles, "{shift:?}");
        let shift = vec3(shift);
        let moved = near.positions.iter().zip(&far.positions).map(|(a, b)| (a + shift - b).norm());
        assert!(moved.fold(0.0, Real::max) < 2e-4);
    }
}
