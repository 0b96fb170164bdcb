//! Pictures against what they should be: closed forms, and each sample by brute force.

mod elastic;
mod films;
mod foam;
mod page_scripts;

use super::balls::BallRenderer;
use super::camera::{Camera, Eye, ViewDirection, single};
use super::frame::{self, Colouring, FluidFrame, Quantity};
use super::samples::{Bins, PackedNormal, TILE, Tile};
use super::triangles::Triangles;
use super::{Ball, Material, Paint, Picture, RenderMesh, Scene, SolidShapes, film, page, render};
use hashfall_core::parallel::with_threads;
use hashfall_core::{Real, Vec3, to_f64, vec3};
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, TriangleMesh};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

fn unit_box() -> Aabb {
    Aabb::new(vec3([0.0; 3]), vec3([1.0; 3]))
}

fn random() -> impl FnMut() -> f64 {
    let mut generator = Pcg64Mcg::seed_from_u64(7);
    move || (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The depth and the paint of each sample of a picture, row by row.
fn drawn(camera: &Camera, balls: &[Ball], meshes: &[&RenderMesh]) -> Vec<(f32, Paint)> {
    let (balls, triangles) = (BallRenderer::new(camera, &[balls]), Triangles::new(camera, meshes));
    let [width, height] = camera.size.map(|side| side as usize);
    let mut all = vec![(f32::INFINITY, Paint::NONE); width * height];
    let bins = Bins::new(camera);
    for number in 0..bins.tiles() {
        let mut tile = Tile::empty(bins.corner(number));
        triangles.draw(number, &mut tile);
        balls.draw(camera, number, &mut tile);
        for at in 0..TILE * TILE {
            let (x, y) = (tile.corner[0] + at % TILE, tile.corner[1] + at / TILE);
            if x < width && y < height {
                all[y * width + x] = (tile.depth[at], tile.paint[at]);
            }
        }
    }
    all
}

fn ball(centre: [f64; 3], radius: f64, number: u32) -> Ball {
    let [r, g, b, _] = number.to_le_bytes();
    let paint = Paint::new(Material::Particles, [r, g, b]);
    Ball { centre: vec3(centre), radius: radius as f32, paint }
}

#[test]
fn a_ball_covers_its_disc_and_is_nearest_in_its_middle() {
    let view = ViewDirection { azimuth: 40.0, elevation: 15.0 };
    for camera in
        [Camera::parallel(&unit_box(), view, 400), Camera::fit(&unit_box(), view, [400, 300], 1.0)]
    {
        // In the middle of a sample beside the middle of the picture.
        let ([ox, kx], [oy, ky]) = (camera.ray(0.5), camera.ray(0.5));
        let z = camera.eye(&vec3([0.5; 3])).z;
        let eye = Eye::new(ox + kx * z, oy + ky * z, z);
        let centre = camera.place(&eye).map(f64::from);
        let all = drawn(&camera, &[ball([centre.x, centre.y, centre.z], 0.2, 9)], &[]);
        let covered = all.iter().filter(|(depth, _)| depth.is_finite()).count() as f64;
        // Seen from near, a ball hides more than its widest circle.
        let factor = if camera.is_parallel() { 1.0 } else { (1.0 - (0.2 / z).powi(2)).sqrt() };
        let radius = f64::from(0.2 * camera.scale_at(z) / factor);
        let disc = std::f64::consts::PI * radius * radius;
        assert!((covered / disc - 1.0).abs() < 0.01, "{covered} samples of {disc}");
        let [width, height] = camera.size.map(|side| side as usize);
        let (depth, _) = all[(height / 2 - 1) * width + width / 2];
        let expected = if camera.is_parallel() { z - 0.2 } else { z * (1.0 - 0.2 / eye.norm()) };
        assert!((depth - expected).abs() < 1e-5, "{depth} in place of {expected}");
        assert!(all.iter().all(|(other, _)| *other >= depth - 1e-6));
    }
}

#[test]
fn of_many_balls_each_sample_shows_the_nearest() {
    let mut random = random();
    let mut balls: Vec<Ball> = (0..700)
        .map(|k| {
            let centre = [0; 3].map(|_| random() * 1.2 - 0.1);
            ball(centre, 0.005 + 0.08 * random() * random(), k)
        })
        .collect();
    let (nan, infinite) = (f64::NAN, f64::INFINITY);
    for centre in [[nan; 3], [0.5, infinite, 0.5], [-infinite, nan, 0.0], [1e30, 0.0, 0.0]] {
        balls.push(ball(centre, 0.1, 1 << 20));
    }
    balls.extend([ball([0.5; 3], nan, 1 << 20), ball([0.5; 3], -1.0, 1 << 20)]);
    let view = ViewDirection::default();
    for camera in
        [Camera::fit(&unit_box(), view, [210, 150], 1.0), Camera::parallel(&unit_box(), view, 150)]
    {
        let [width, height] = camera.size.map(|side| side as usize);
        let all = drawn(&camera, &balls, &[]);
        let eyes: Vec<_> =
            balls.iter().map(|ball| camera.eye(&ball.centre).map(f64::from)).collect();
        let (mut shown, mut wrong) = (0, 0);
        for (at, (depth, paint)) in all.iter().enumerate() {
            let [mx, my] = camera.middle();
            let ([ox, kx], [oy, ky]) = (
                camera.ray((at % width) as f32 + 0.5 - mx),
                camera.ray(my - (at / width) as f32 - 0.5),
            );
            // The textbook's way, in double precision.
            let o = nalgebra::Vector3::new(f64::from(ox), f64::from(oy), 0.0);
            let k = nalgebra::Vector3::new(f64::from(kx), f64::from(ky), 1.0);
            let mut nearest = (f64::INFINITY, Paint::NONE);
            for (ball, eye) in balls.iter().zip(&eyes) {
                let to = eye - o;
                let (kk, kc) = (k.dot(&k), k.dot(&to));
                let r = f64::from(ball.radius);
                let root = (kc * kc - kk * (to.dot(&to) - r * r)).sqrt();
                let z = (kc - root) / kk;
                if z < nearest.0 && r > 0.0 && eye.iter().all(|x| x.is_finite()) {
                    nearest = (z, ball.paint);
                }
            }
            shown += usize::from(nearest.0.is_finite());
            let agrees = match nearest.0.is_finite() {
                true => *paint == nearest.1 && (f64::from(*depth) - nearest.0).abs() < 1e-4,
                false => *depth == f32::INFINITY,
            };
            wrong += usize::from(!agrees);
        }
        assert!(shown > width * height / 4, "{shown} samples show something");
        // Rims and meetings of two balls that pass within a rounding of a sample's middle.
        assert!(wrong < shown / 1000, "{wrong} of {shown} samples are wrong");
    }
}

#[test]
fn triangles_that_share_edges_cover_each_sample_once() {
    let mut random = random();
    let view = ViewDirection { azimuth: 0.0, elevation: 90.0 };
    let camera = Camera::parallel(&unit_box(), view, 200);
    const SIDE: usize = 9;
    let mut positions = Vec::new();
    for k in 0..SIDE * SIDE {
        let (i, j) = (k % SIDE, k / SIDE);
        let is_inner = |n: usize| n > 0 && n < SIDE - 1;
        let mut jitter = |n: usize| if is_inner(n) { 0.09 * (random() - 0.5) } else { 0.0 };
        let at = [i, j].map(|n| n as f64 / (SIDE - 1) as f64 + jitter(n));
        positions.push(vec3([at[0], at[1], 0.5]));
    }
    let mut triangles = Vec::new();
    for k in 0..(SIDE - 1) * SIDE {
        if k % SIDE < SIDE - 1 {
            let corner = |n: usize| (k + n) as u32;
            triangles.push([corner(0), corner(1), corner(SIDE + 1)]);
            triangles.push([corner(0), corner(SIDE + 1), corner(SIDE)]);
        }
    }
    let count = positions.len();
    let mesh = |triangles: Vec<[u32; 3]>| RenderMesh {
        positions: positions.clone(),
        normals: vec![Eye::z(); count],
        colours: vec![[9; 3]; count],
        triangles,
        material: Material::Surface,
    };
    let mut times = vec![0; 200 * 200];
    for t in &triangles {
        let all = drawn(&camera, &[], &[&mesh(vec![*t])]);
        all.iter().zip(&mut times).for_each(|((d, _), times)| *times += i32::from(d.is_finite()));
        let turned = drawn(&camera, &[], &[&mesh(vec![[t[1], t[0], t[2]]])]);
        assert!(turned.iter().all(|(depth, _)| depth.is_infinite()), "it faces away");
    }
    let together = drawn(&camera, &[], &[&mesh(triangles)]);
    let covered = times.iter().filter(|&&n| n == 1).count();
    assert!(times.iter().all(|&n| n <= 1), "a sample is covered twice");
    let is_same = |(n, (depth, _)): (&i32, &(f32, Paint))| (*n == 1) == depth.is_finite();
    assert!(times.iter().zip(&together).all(is_same));
    let side = camera.scale_at(1.0);
    assert!((covered as f32 / (side * side) - 1.0).abs() < 0.01, "{covered}: there are no holes");
}

#[test]
fn a_triangle_has_depth_and_colour_as_in_space() {
    let camera = Camera::fit(&unit_box(), ViewDirection::default(), [300, 300], 1.0);
    let mesh = TriangleMesh {
        vertices: vec![vec3([0.0, 0.0, 0.0]), vec3([1.0, 0.0, 0.2]), vec3([0.1, 1.0, 0.9])],
        triangles: vec![[0, 1, 2]],
    };
    let mut mesh = frame::solid_mesh(&mesh);
    mesh.colours = vec![[0, 0, 0], [200, 0, 0], [0, 200, 0]];
    let eyes: Vec<Eye> = mesh.positions.iter().map(|p| camera.eye(p)).collect();
    let normal = (eyes[1] - eyes[0]).cross(&(eyes[2] - eyes[0]));
    let all = drawn(&camera, &[], &[&mesh]);
    let mut seen = 0;
    for (at, (depth, paint)) in all.iter().enumerate().filter(|(_, (d, _))| d.is_finite()) {
        let [mx, my] = camera.middle();
        let ray = Eye::new(
            camera.ray((at % 300) as f32 + 0.5 - mx)[1],
            camera.ray(my - (at / 300) as f32 - 0.5)[1],
            1.0,
        );
        let expected = normal.dot(&eyes[0]) / normal.dot(&ray);
        assert!((depth / expected - 1.0).abs() < 1e-3, "{depth} in place of {expected}");
        let place = ray * expected;
        let part = |a: usize, b: usize| {
            (eyes[a] - place).cross(&(eyes[b] - place)).dot(&normal) / normal.norm_squared()
        };
        let [red, green, _] = paint.colour().map(f32::from);
        let (of_red, of_green) = (200.0 * part(2, 0), 200.0 * part(0, 1));
        assert!((red - of_red).abs() < 3.0 && (green - of_green).abs() < 3.0, "{paint:?}");
        seen += 1;
    }
    assert!(seen > 1000);
}

/// Some of everything.
fn still_life() -> (Vec<Ball>, Vec<RenderMesh>) {
    let mut random = random();
    let mut balls: Vec<Ball> =
        (0..3000).map(|k| ball([0; 3].map(|_| 0.6 * random()), 0.012, k)).collect();
    balls.push(ball([f64::NAN, 0.0, 0.0], 0.1, 0));
    balls.push(frame::solid_ball(vec3([0.8, 0.8, 0.2]), 0.2));
    let mesh = sphere_mesh(&vec3([0.7, 0.2, 0.6]), 0.15, 3);
    let mut water = frame::solid_mesh(&mesh);
    water.material = Material::Surface;
    water.positions[5] = Vec3::repeat(Real::NAN);
    let block = box_mesh(&Aabb::new(vec3([0.1, 0.6, 0.0]), vec3([0.4, 0.9, 0.5])));
    (balls, vec![water, frame::solid_mesh(&block)])
}

fn photo(size: [u32; 2]) -> Picture {
    let (balls, meshes) = still_life();
    let bounds = unit_box();
    let scene = Scene {
        bounds,
        has_floor: true,
        balls: vec![&balls],
        meshes: meshes.iter().collect(),
        foam: vec![],
    };
    render(&scene, &Camera::fit(&bounds, ViewDirection::default(), size, 1.0))
}

#[test]
fn pictures_are_the_same_on_any_number_of_threads() {
    let one = with_threads(1, || photo([203, 117]));
    assert_eq!(one, with_threads(2, || photo([203, 117])));
    assert_eq!(one, with_threads(5, || photo([203, 117])));
    let colours: std::collections::BTreeSet<&[u8]> = one.rgb.chunks(3).collect();
    assert!(colours.len() > 1000, "{} colours", colours.len());
}

#[test]
fn a_ball_throws_its_shadow_on_the_floor() {
    let bounds = unit_box();
    let camera =
        Camera::fit(&bounds, ViewDirection { azimuth: 0.0, elevation: 60.0 }, [200, 200], 1.0);
    let picture = |balls: &[Ball]| {
        let scene =
            Scene { bounds, has_floor: true, balls: vec![balls], meshes: vec![], foam: vec![] };
        render(&scene, &camera)
    };
    let (bare, full) = (picture(&[]), picture(&[ball([0.5, 0.5, 0.3], 0.25, 0x20_8040)]));
    let light = |picture: &Picture, p: [f64; 3]| {
        let [x, y] = camera.pixel(&camera.eye(&vec3(p))).map(|x| x as usize);
        picture.rgb[3 * (200 * y + x)]
    };
    // The light comes from the left of the eye, from above: the shadow falls to the right.
    let (dark, bright) = ([0.75, 0.62, 0.0], [0.05, 0.3, 0.0]);
    let [before, after] = [&bare, &full].map(|picture| light(picture, dark));
    assert!(after < before - 30, "{after} after {before}");
    assert!(light(&full, bright).abs_diff(light(&bare, bright)) < 6);
    assert_eq!(full.rgb[..3], bare.rgb[..3], "the background is as it was");
}

#[test]
fn a_png_holds_its_picture() {
    for size in [[203, 117], [1, 1], [16, 40]] {
        let picture = photo(size);
        assert_eq!(Picture::from_png(&picture.png()).unwrap(), picture);
    }
    assert!(Picture::from_png(b"GIF89a").is_err());
}

#[test]
fn smaller_pictures_are_means() {
    let picture = photo([90, 60]);
    assert_eq!(picture.downscaled([90, 60]), picture);
    let half = picture.downscaled([45, 30]);
    for (k, value) in half.rgb.iter().enumerate() {
        let (x, y, channel) = (k / 3 % 45, k / 135, k % 3);
        let of = |dx: usize, dy: usize| {
            u32::from(picture.rgb[3 * ((2 * y + dy) * 90 + 2 * x + dx) + channel])
        };
        let mean = (of(0, 0) + of(1, 0) + of(0, 1) + of(1, 1)) as f32 / 4.0;
        assert!((f32::from(*value) - mean).abs() <= 0.51, "{value} in place of {mean}");
    }
    let mean = |picture: &Picture| {
        picture.rgb.iter().map(|&v| f64::from(v)).sum::<f64>() / picture.rgb.len() as f64
    };
    assert!((mean(&picture.downscaled([37, 23])) - mean(&picture)).abs() < 0.5);
}

#[test]
fn edges_of_a_box_stay_sharp_and_a_ball_is_smooth() {
    let block = frame::solid_mesh(&box_mesh(&unit_box()));
    for n in &block.normals {
        assert!(n.iter().filter(|x| x.abs() > 0.999).count() == 1, "{n}");
    }
    let centre = vec3([0.3, 0.2, 0.1]);
    let ball = frame::solid_mesh(&sphere_mesh(&centre, 1.0, 3));
    for (p, n) in ball.positions.iter().zip(&ball.normals) {
        let outward = single(&(p - centre).normalize());
        assert!((outward - n).norm() < 0.03, "{n}");
    }
    assert!(PackedNormal::new(&ball.normals[0]).vector().norm() > 0.99);
}
