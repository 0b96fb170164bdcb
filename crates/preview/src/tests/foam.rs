//! Whitewater in pictures.

use super::super::{
    Camera, FoamPoint, Material, Picture, RenderMesh, Scene, ViewDirection, render,
};
use super::super::{foam, read_foam};
use super::elastic::cuboid;
use super::unit_box;
use hashfall_core::parallel::with_threads;
use hashfall_core::vec3;
use hashfall_input::Format;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// From the front, so that y is depth.
fn camera() -> Camera {
    let view = ViewDirection { azimuth: 0.0, elevation: 0.0 };
    Camera::fit(&unit_box(), view, [200, 200], 1.0)
}

fn picture(meshes: &[&RenderMesh], foam: &[FoamPoint]) -> Picture {
    let bounds = unit_box();
    let scene = Scene {
        bounds,
        has_floor: false,
        balls: vec![],
        meshes: meshes.to_vec(),
        foam: vec![foam],
    };
    render(&scene, &camera())
}

/// The colour where a point of space is seen.
fn seen(picture: &Picture, place: [f64; 3]) -> [u8; 3] {
    let camera = camera();
    let [x, y] = camera.pixel(&camera.eye(&vec3(place))).map(|at| at as usize);
    let at = 3 * (200 * y + x);
    [0, 1, 2].map(|k| picture.rgb[at + k])
}

fn patch(place: [f32; 3]) -> FoamPoint {
    FoamPoint { position: place.into(), radius: 0.04 }
}

#[test]
fn foam_is_white_before_a_solid_and_hidden_behind_it() {
    let block = cuboid([0.2, 0.4, 0.2], [0.8, 0.6, 0.8], [90, 40, 20], Material::Solid);
    let bare = picture(&[&block], &[]);
    let (before, behind) = ([0.35, 0.3, 0.5], [0.65, 0.8, 0.5]);
    let foamy = picture(&[&block], &[patch(before), patch(behind)]);
    let [dark, bright] = [&bare, &foamy].map(|it| seen(it, before.map(f64::from)));
    assert!(
        dark.iter().zip(bright).all(|(dark, bright)| bright > dark + 60),
        "{dark:?} {bright:?}"
    );
    assert_eq!(seen(&bare, behind.map(f64::from)), seen(&foamy, behind.map(f64::from)));
    assert_eq!(bare, picture(&[&block], &[patch([0.65, 0.8, 0.5])]), "nothing of it is seen");
    for radius in [f32::NAN, f32::INFINITY, 0.0, -1.0] {
        let broken = FoamPoint { radius, ..patch(before) };
        assert_eq!(bare, picture(&[&block], &[broken]), "a radius of {radius}");
    }
}

#[test]
fn bubbles_in_clear_water_are_tinted_by_the_water_before_them() {
    let water = cuboid([0.1, 0.1, 0.1], [0.9, 0.9, 0.9], [0; 3], Material::Water);
    let bare = picture(&[&water], &[]);
    let (near, far) = ([0.3, 0.15, 0.5], [0.7, 0.6, 0.5]);
    let foamy = picture(&[&water], &[patch(near), patch(far)]);
    let [bare_far, far] = [&bare, &foamy].map(|it| seen(it, far.map(f64::from)));
    let near = seen(&foamy, near.map(f64::from));
    assert!(far[1] > bare_far[1], "a far bubble is seen: {far:?} for {bare_far:?}");
    assert!(near[0] > far[0] + 20, "red is lost on the way: {near:?} for {far:?}");
}

/// What a veil takes of black is the part 1 − exp(−τ) of its light; as much whatever the pixels.
#[test]
fn a_disc_holds_its_optical_depth_at_any_size() {
    let block = cuboid([0.0, 0.9, 0.0], [1.0, 1.0, 1.0], [0; 3], Material::Solid);
    let camera = camera();
    let nearest = vec![f32::INFINITY; 200 * 200];
    let light = |_: &nalgebra::Vector3<f32>| nalgebra::Vector3::repeat(1.0);
    let view = foam::FoamView { camera: &camera, nearest: &nearest, below: None, light: &light };
    let mut sums = Vec::new();
    for radius in [1e-4, 1e-3, 1e-2, 0.1] {
        let point = FoamPoint { position: [0.503, 0.5, 0.497].into(), radius };
        let layers = foam::FoamLayers::new(&[point], &view);
        let pixels = radius * camera.scale_at(camera.eye(&vec3([0.503, 0.5, 0.497])).z);
        let black = nalgebra::Vector3::zeros();
        let depth = |pixel| -(1.0 - layers.over(pixel, black).x / 0.96).ln();
        let sum: f32 = (0..200 * 200).map(depth).sum();
        sums.push(sum / (std::f32::consts::PI * pixels * pixels));
    }
    // The smallest is below the rounding of what comes through.
    for sum in &sums[1..] {
        assert!((sum / 1.5 - 1.0).abs() < 0.1, "{sums:?}");
    }
    assert!(picture(&[&block], &[]) == picture(&[&block], &[patch([2.0, 0.5, 0.5])]), "outside");
}

#[test]
fn foam_is_the_same_on_any_number_of_threads() {
    let water = cuboid([0.1, 0.1, 0.1], [0.9, 0.9, 0.9], [0; 3], Material::Water);
    let mut generator = Pcg64Mcg::seed_from_u64(4);
    let mut random = || (generator.next_u64() >> 40) as f32 / (1_u64 << 24) as f32;
    let points: Vec<FoamPoint> = (0..5000)
        .map(|_| FoamPoint { position: [random(), random(), random()].into(), radius: 0.01 })
        .collect();
    let one = with_threads(1, || picture(&[&water], &points));
    assert_eq!(one, with_threads(2, || picture(&[&water], &points)));
    assert_eq!(one, with_threads(5, || picture(&[&water], &points)));
    assert_ne!(one, picture(&[&water], &[]));
}

#[test]
fn points_come_from_files_with_their_radii() {
    let file = b"ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n\
        property float z\nproperty float radius\nend_header\n0.5 1 2 0.25\n3 4 5 0.5\n";
    let points = read_foam(file, Format::from_extension("ply").unwrap(), 9.0).unwrap();
    let first = FoamPoint { position: [0.5, 1.0, 2.0].into(), radius: 0.25 };
    let second = FoamPoint { position: [3.0, 4.0, 5.0].into(), radius: 0.5 };
    assert_eq!(points, [first, second]);
    let bare = b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
        property float z\nend_header\n0 1 2\n";
    let points = read_foam(bare, Format::from_extension("ply").unwrap(), 9.0).unwrap();
    assert_eq!(points[0].radius, 9.0);
    assert!(read_foam(&file[..60], Format::from_extension("ply").unwrap(), 1.0).is_err());
}

#[test]
fn foam_in_air_behind_a_drop_is_not_tinted_by_the_air() {
    let drop = cuboid([0.3, 0.1, 0.3], [0.7, 0.11, 0.7], [0, 0, 0], Material::Water);
    let foam = [patch([0.5, 0.9, 0.5])];
    let [bare, covered] = [picture(&[], &foam), picture(&[&drop], &foam)];
    let [bare, covered] = [bare, covered].map(|it| seen(&it, [0.5, 0.9, 0.5]));
    let close = bare.iter().zip(covered).all(|(&a, b)| a.abs_diff(b) < 25);
    assert!(close, "{covered:?} through a thin drop, {bare:?} beside it");
}
