//! Surfaces of several fluids: against labels by the definition, shared interfaces, volumes.

use super::*;
use crate::input::Phases;
use crate::interface_audit::InterfaceAudit;
use crate::mesh::Surfaces;
use crate::reconstruct::fluids::reconstruct_phases;
use crate::tests::finish::nothing_near;
use crate::tests::oracle::{Blob, DenseField};
use hashfall_core::parallel::with_threads;
use hashfall_core::to_f64;
use hashfall_solid::Solids;
use std::collections::BTreeSet;

/// Particles with a fluid each.
pub(crate) struct Fluids {
    particles: Particles,
    of: Vec<u8>,
    count: usize,
}

impl Fluids {
    pub fn at(points: &[[f64; 3]], count: usize, of: impl Fn(&[f64; 3]) -> u8) -> Self {
        let particles = Particles::at(points);
        let of = particles.positions.iter().map(|x| of(&to_f64(x))).collect();
        Fluids { particles, of, count }
    }

    fn meshes(&self, settings: &SurfaceSettings, solids: &Solids) -> Vec<Surfaces> {
        let phases = Phases { fluid_of: &self.of, count: self.count };
        reconstruct_phases(&self.particles.input(), &phases, solids, settings, vec3([RADIUS; 3]).x)
    }

    /// The meshes, after the checks that all must pass.
    fn sound_meshes(&self, settings: &SurfaceSettings) -> Vec<SurfaceMesh> {
        let meshes: Vec<SurfaceMesh> =
            self.meshes(settings, &nothing_near()).into_iter().map(|s| s.main).collect();
        for (fluid, mesh) in meshes.iter().enumerate() {
            let audit = mesh.audit();
            assert!(audit.is_sound(), "fluid {fluid}: {audit:?}");
            assert_eq!(mesh.normals.len(), mesh.positions.len());
            assert_eq!(mesh.attributes.len(), self.particles.attributes.len());
        }
        assert_shared(&meshes);
        meshes
    }
}

/// A triangle by the bits of its corners, the least first.
type Corners = [[u64; 3]; 3];

fn triangles(mesh: &SurfaceMesh, is_reversed: bool) -> BTreeSet<Corners> {
    let bits = |v: u32| to_f64(&mesh.positions[v as usize]).map(f64::to_bits);
    let turned = |&[a, b, c]: &[u32; 3]| {
        let corners = if is_reversed { [b, a, c] } else { [a, b, c] }.map(bits);
        let least = (0..3).min_by_key(|&k| corners[k]).unwrap();
        [0, 1, 2].map(|k| corners[(least + k) % 3])
    };
    mesh.triangles.iter().map(turned).collect()
}

/// Checks that meshes have no triangle in common but reversed, and no vertex that is not the same
/// where they touch: all triangles of both that are not shared close up to one surface.
fn assert_shared(meshes: &[SurfaceMesh]) {
    let audit = InterfaceAudit::new(&meshes.iter().collect::<Vec<_>>());
    assert!(audit.is_sound(), "{audit:?}");
    let mut open: Vec<Corners> = Vec::new();
    for (a, mesh) in meshes.iter().enumerate() {
        let of_mesh = triangles(mesh, false);
        assert_eq!(of_mesh.len(), mesh.triangles.len());
        let mut rest = of_mesh.clone();
        for (b, other) in meshes.iter().enumerate().filter(|(b, _)| *b != a) {
            assert!(of_mesh.is_disjoint(&triangles(other, false)), "{a} and {b}");
            let shared = triangles(other, true);
            rest.retain(|triangle| !shared.contains(triangle));
        }
        open.extend(rest);
    }
    let side = |k: usize| move |t: &Corners| (t[k], t[(k + 1) % 3]);
    let sides: BTreeSet<_> = (0..3).flat_map(|k| open.iter().map(side(k))).collect();
    assert_eq!(sides.len(), 3 * open.len(), "the outer surface repeats a side");
    for &(a, b) in &sides {
        assert!(sides.contains(&(b, a)), "the outer surface has a gap");
    }
}

fn volume(meshes: &[SurfaceMesh]) -> f64 {
    meshes.iter().map(SurfaceMesh::volume).sum()
}

/// Which fluid a point is of.
type Division<'a> = &'a dyn Fn(&[f64; 3]) -> u8;

/// Two layers.
fn layers(p: &[f64; 3]) -> u8 {
    u8::from(p[2] > 6.1 * SPACING)
}

#[test]
fn two_layers_share_their_interface_and_fill_the_whole() {
    for jitter in [0.0, 0.1, 0.3] {
        let points = lattice([16, 15, 12], jitter);
        let whole = sound_mesh(&points).volume();
        let meshes = Fluids::at(&points, 2, layers).sound_meshes(&SurfaceSettings::raw());
        let ratio = volume(&meshes) / whole - 1.0;
        assert!(ratio.abs() < 1e-3, "jitter {jitter}: {ratio}");
        let parts = meshes[0].volume() / meshes[1].volume();
        assert!((parts - 1.0).abs() < 0.05, "jitter {jitter}: {parts}");
    }
}

#[test]
fn a_drop_in_a_pool_and_three_fluids_that_meet_fill_the_whole() {
    let points = lattice([18, 18, 18], 0.1);
    let whole = sound_mesh(&points).volume();
    let from = |p: &[f64; 3], centre: [f64; 3]| {
        (0..3).map(|a| (p[a] / SPACING - centre[a]).powi(2)).sum::<f64>().sqrt()
    };
    let inside = |p: &[f64; 3]| u8::from(from(p, [9.0; 3]) < 5.0);
    let at_the_top = |p: &[f64; 3]| u8::from(from(p, [9.0, 9.0, 17.0]) < 5.0);
    let three = |p: &[f64; 3]| {
        let angle = (p[1] / SPACING - 8.3).atan2(p[0] / SPACING - 9.1) / std::f64::consts::TAU;
        ((angle + 0.5) * 3.0) as u8 % 3
    };
    let all: [(usize, Division); 3] = [(2, &inside), (2, &at_the_top), (3, &three)];
    for (i, (count, of)) in all.into_iter().enumerate() {
        let fluids = Fluids::at(&points, count, of);
        let meshes = fluids.sound_meshes(&SurfaceSettings::raw());
        let ratio = volume(&meshes) / whole - 1.0;
        assert!(ratio.abs() < 1e-3, "{i}: {ratio}");
        for (fluid, mesh) in meshes.iter().enumerate() {
            let count = fluids.of.iter().filter(|&&of| usize::from(of) == fluid).count();
            let filled = mesh.volume() / (count as f64 * SPACING.powi(3));
            assert!((filled - 1.0).abs() < 0.05, "{i}: fluid {fluid} fills {filled}");
        }
    }
}

#[test]
fn random_particles_of_several_fluids_have_sound_meshes() {
    for seed in 0..300 {
        let mut random = random(seed);
        let count = 2 + (random() * 3.0) as usize;
        let side = (0.5 + 3.5 * random()) * SUPPORT;
        let number = 2 + (random() * 120.0) as usize;
        let points: Vec<_> = (0..number).map(|_| [0; 3].map(|_| (random() - 0.5) * side)).collect();
        let settings = SurfaceSettings {
            iso: 0.3 + 0.5 * random(),
            cell: 0.4 + 1.2 * random(),
            ..SurfaceSettings::raw()
        };
        let of = |p: &[f64; 3]| (p[0].to_bits() % 1009 % count as u64) as u8;
        Fluids::at(&points, count, of).sound_meshes(&settings);
    }
}

#[test]
fn anisotropic_kernels_and_fluids_without_particles_are_sound() {
    let points = lattice([10, 10, 8], 0.2);
    let settings = SurfaceSettings { anisotropy: 1.75, ..SurfaceSettings::raw() };
    let meshes = Fluids::at(&points, 4, |p| 2 * layers(p)).sound_meshes(&settings);
    let is_empty = |mesh: &SurfaceMesh| mesh.positions.is_empty();
    assert_eq!(meshes.iter().map(is_empty).collect::<Vec<_>>(), [false, true, false, true]);
}

/// Compares labels and vertices with those of the definition on a dense grid.
fn assert_matches_oracle(points: &[[f64; 3]], count: usize, n: i64) {
    let settings = SurfaceSettings { cell: 4.0 / n as f64, ..SurfaceSettings::raw() };
    let of = |p: &[f64; 3]| (p[1].to_bits() % 1009 % count as u64) as u8;
    let fluids = Fluids::at(points, count, of);
    let meshes = fluids.sound_meshes(&settings);
    let blobs = Blob::all(&fluids.particles, &settings);
    let all = DenseField::evaluate(&blobs, n);
    let each: Vec<DenseField> = (0..count)
        .map(|fluid| {
            let weight = |of: u8| if usize::from(of) == fluid { 1.0 } else { 0.0 };
            let weighted = blobs.iter().zip(&fluids.of);
            let weighted: Vec<Blob> = weighted
                .map(|(blob, &of)| Blob { volume: blob.volume * weight(of), ..*blob })
                .collect();
            DenseField::evaluate(&weighted, n)
        })
        .collect();
    let each: Vec<&[f64]> = each.iter().map(|field| &field.values[..]).collect();
    let expected = all.label_crossings(settings.iso, &each);
    let c = SUPPORT / n as f64;
    let mut places: Vec<[f64; 3]> = meshes.iter().flat_map(|m| &m.positions).map(to_f64).collect();
    let order = |p: &[f64; 3], q: &[f64; 3]| p.partial_cmp(q).unwrap();
    places.sort_by(order);
    places.dedup();
    assert!(places.len() >= expected.len(), "{} of {}", places.len(), expected.len());
    for q in &expected {
        let first = places.partition_point(|p| p[0] < q[0] - 0.01 * c);
        let close = places[first..].iter().take_while(|p| p[0] <= q[0] + 0.01 * c);
        let distance = |p: &[f64; 3]| (0..3).map(|a| (p[a] - q[a]).abs()).fold(0.0, f64::max);
        assert!(close.map(distance).fold(f64::MAX, f64::min) < 0.01 * c, "no vertex near {q:?}");
    }
    // Others are those in faces and cells: off all grid lines.
    let on_lines = |p: &&[f64; 3]| {
        let on_plane = |x: &&f64| ((*x / c).round() - *x / c).abs() < 1e-4;
        p.iter().filter(on_plane).count() >= 2
    };
    let mismatch = places.iter().filter(on_lines).count().abs_diff(expected.len());
    assert!(mismatch * 500 <= expected.len(), "{mismatch} of {}", expected.len());
}

#[test]
fn labels_and_vertices_match_the_definition() {
    assert_matches_oracle(&lattice([9, 8, 7], 0.3), 2, 8);
    assert_matches_oracle(&lattice([7; 3], 0.3), 3, 5);
    for seed in 0..4 {
        let mut random = random(seed);
        let points: Vec<_> =
            (0..250).map(|_| [0; 3].map(|_| (random() - 0.4) * 3.0 * SUPPORT)).collect();
        for n in [4, 8] {
            assert_matches_oracle(&points, 2 + seed as usize % 2, n);
        }
    }
}

#[test]
fn several_fluids_give_the_same_bytes_for_any_number_of_threads() {
    let fluids = Fluids::at(&lattice([12; 3], 0.3), 3, |p| (p[0].to_bits() % 3) as u8);
    let meshes =
        |threads| with_threads(threads, || fluids.meshes(&SurfaceSettings::raw(), &nothing_near()));
    let one = meshes(1);
    assert!(one.iter().all(|surfaces| surfaces.triangles() > 1000));
    assert!(one == meshes(2) && one == meshes(5));
}

#[test]
fn attributes_are_those_of_the_own_fluid() {
    let fluids = Fluids::at(&lattice([8, 8, 12], 0.1), 2, layers);
    for (fluid, mesh) in fluids.sound_meshes(&SurfaceSettings::raw()).iter().enumerate() {
        let Values::Labels(ids) = &mesh.attributes[2].values else { panic!("labels stay labels") };
        assert!(ids.iter().all(|&id| usize::from(fluids.of[id as usize]) == fluid));
    }
}

/// All that can be done to the surfaces of several fluids.
fn usual() -> SurfaceSettings {
    SurfaceSettings { cleanup: true, smoothing: 30, ..SurfaceSettings::raw() }
}

#[test]
fn finished_surfaces_stay_shared_and_keep_their_volumes() {
    let points = lattice([16, 15, 14], 0.1);
    let from = |p: &[f64; 3], centre: [f64; 3]| {
        (0..3).map(|a| (p[a] / SPACING - centre[a]).powi(2)).sum::<f64>().sqrt()
    };
    let inside = |p: &[f64; 3]| u8::from(from(p, [8.0, 8.0, 7.0]) < 4.0);
    let three = |p: &[f64; 3]| if p[0] > 7.9 * SPACING { 2 } else { layers(p) };
    let all: [(usize, Division); 3] = [(2, &layers), (2, &inside), (3, &three)];
    for (count, of) in &all {
        let fluids = Fluids::at(&points, *count, of);
        let raw = fluids.sound_meshes(&SurfaceSettings { cleanup: false, smoothing: 0, ..usual() });
        for settings in [
            SurfaceSettings { cleanup: false, ..usual() },
            SurfaceSettings { smoothing: 0, ..usual() },
            usual(),
            SurfaceSettings { smoothing_weights: false, ..usual() },
            SurfaceSettings { decimation: 0.05, ..usual() },
        ] {
            let meshes = fluids.sound_meshes(&settings);
            for (mesh, raw) in meshes.iter().zip(&raw) {
                let change = mesh.volume() / raw.volume() - 1.0;
                // A body may sink where it stands out too far, by 1 %.
                assert!((-0.0115..0.0015).contains(&change), "{settings:?}: {change}");
                assert_eq!(
                    mesh.audit().euler_characteristic,
                    raw.audit().euler_characteristic,
                    "{settings:?}"
                );
            }
            if settings.cleanup {
                let triangles =
                    |m: &[SurfaceMesh]| m.iter().map(|m| m.triangles.len()).sum::<usize>();
                assert!(triangles(&meshes) * 10 < triangles(&raw) * 9);
            }
        }
    }
}

#[test]
fn random_fluids_stay_sound_when_all_is_done_to_them() {
    for seed in 0..60 {
        let mut random = random(seed);
        let count = 2 + (random() * 3.0) as usize;
        let side = (1.0 + 3.0 * random()) * SUPPORT;
        let number = 2 + (random() * 250.0) as usize;
        let points: Vec<_> = (0..number).map(|_| [0; 3].map(|_| (random() - 0.5) * side)).collect();
        let of = |p: &[f64; 3]| (p[0].to_bits() % 1009 % count as u64) as u8;
        let decimation = if seed % 2 == 0 { 0.1 } else { 0.0 };
        Fluids::at(&points, count, of).sound_meshes(&SurfaceSettings { decimation, ..usual() });
    }
}

#[test]
fn layers_stand_flat_on_walls_with_their_interface() {
    let size = [12.0 * SPACING, 11.0 * SPACING, 20.0 * SPACING];
    let walls =
        Solids::new(hashfall_geometry::Aabb::new(vec3([0.0; 3]), vec3(size)), vec![], vec![]);
    let fluids = Fluids::at(&lattice([12, 11, 12], 0.1), 2, layers);
    for settings in [
        SurfaceSettings { clip: crate::settings::Clip::Flat, ..SurfaceSettings::raw() },
        SurfaceSettings { clip: crate::settings::Clip::Flat, ..usual() },
    ] {
        let meshes: Vec<SurfaceMesh> =
            fluids.meshes(&settings, &walls).into_iter().map(|s| s.main).collect();
        for mesh in &meshes {
            let audit = mesh.audit();
            assert!(audit.is_sound(), "{audit:?}");
            let on_wall = mesh.positions.iter().filter(|p| p.x == 0.0).count();
            assert!(on_wall > 100, "{on_wall}");
            let low = mesh.positions.iter().map(|p| p.x).fold(Real::MAX, Real::min);
            assert!(low >= 0.0, "{low}");
        }
        assert_shared(&meshes);
        let whole = 12.0 * 11.0 * 12.0 * SPACING.powi(3);
        let ratio = volume(&meshes) / whole - 1.0;
        assert!(ratio.abs() < 0.01, "{ratio}");
    }
}

/// Two fluids mixed at random in a cube of this many spacings, some of whose particles are missing;
/// and its walls.
fn mixed_in_a_cube(spacings: usize, filled: f64, seed: u64) -> (Fluids, Solids) {
    let side = spacings as f64 * SPACING;
    let walls = hashfall_geometry::Aabb::new(vec3([0.0; 3]), vec3([side; 3]));
    let mut random = random(seed);
    let mut points = lattice([spacings; 3], 0.0);
    points.retain(|_| random() < filled);
    let mut moved = |x: f64| x + 0.6 * (2.0 * random() - 1.0) * SPACING;
    let within = |x: f64| x.clamp(RADIUS, side - RADIUS);
    let points: Vec<_> = points.iter().map(|p| p.map(&mut moved).map(within)).collect();
    let of = |p: &[f64; 3]| (p[0].to_bits() % 1009 % 2) as u8;
    (Fluids::at(&points, 2, of), Solids::new(walls, vec![], vec![]))
}

#[test]
fn no_interface_is_beyond_a_wall() {
    let side = 9.0 * SPACING;
    for seed in 0..10 {
        let (fluids, walls) = mixed_in_a_cube(9, 0.6, seed);
        let settings = SurfaceSettings { clip: crate::settings::Clip::Flat, ..usual() };
        let meshes = fluids.meshes(&settings, &walls);
        let meshes: Vec<SurfaceMesh> = meshes.into_iter().map(|s| s.main).collect();
        for mesh in &meshes {
            let audit = mesh.audit();
            assert!(audit.is_sound(), "{audit:?}");
            let beyond =
                |p: &Vec3| to_f64(p).map(|x| (-x).max(x - side)).into_iter().fold(0.0, f64::max);
            let far = mesh.positions.iter().map(beyond).fold(0.0, f64::max) / RADIUS;
            assert!(far < 1e-4, "{far} r beyond a wall, seed {seed}");
        }
        assert_shared(&meshes);
    }
}

#[test]
fn the_two_sides_of_a_thin_sheet_along_a_wall_stay_apart() {
    // In the last of these two junction curves meet on a wall.
    for seed in 59..63 {
        let (fluids, walls) = mixed_in_a_cube(5, 0.7, seed);
        for smoothing in [0, 30] {
            let clip = crate::settings::Clip::Flat;
            let meshes = fluids.meshes(&SurfaceSettings { clip, smoothing, ..usual() }, &walls);
            let meshes: Vec<SurfaceMesh> = meshes.into_iter().map(|s| s.main).collect();
            for audit in meshes.iter().map(SurfaceMesh::audit) {
                assert!(audit.is_sound(), "seed {seed}, {smoothing} iterations: {audit:?}");
            }
            assert_shared(&meshes);
        }
    }
}

#[test]
fn small_bodies_go_with_all_fluids_in_them() {
    let mut points = lattice([10, 10, 8], 0.0);
    let drop = |at: f64| {
        (0..8).map(move |i| {
            [at + f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4)]
                .map(|x| (x + 20.0) * SPACING)
        })
    };
    points.extend(drop(0.0));
    let of = |p: &[f64; 3]| u8::from(p[2] > 4.1 * SPACING && p[2] < 20.5 * SPACING);
    let fluids = Fluids::at(&points, 2, of);
    let settings =
        SurfaceSettings { min_component_volume: 20.0, spray: true, ..SurfaceSettings::raw() };
    let surfaces = fluids.meshes(&settings, &nothing_near());
    let all = fluids.sound_meshes(&SurfaceSettings::raw());
    for (fluid, all) in surfaces.iter().zip(&all) {
        let spray = fluid.spray.as_ref().unwrap();
        assert!(spray.audit().is_sound() && !spray.triangles.is_empty());
        assert_eq!(fluid.main.triangles.len() + spray.triangles.len(), all.triangles.len());
        assert!((fluid.volume() / all.volume() - 1.0).abs() < 1e-9);
    }
    let sprays: Vec<_> = surfaces.into_iter().filter_map(|fluid| fluid.spray).collect();
    assert_shared(&sprays);
}
