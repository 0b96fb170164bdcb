//! Pictures against what they should be: closed forms, and each sample by brute force.

mod elastic;
mod films;
mod foam;

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

/// What the script of a frame holds, unpacked.
fn unpacked(script: &str) -> Vec<u8> {
    use base64::Engine as _;
    use std::io::Read as _;
    let text = script.split('"').nth(1).unwrap();
    let packed = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn the_data_of_a_page_are_places_values_and_triangles() {
    let mut random = random();
    let n = 500;
    let mut positions: Vec<Vec3> = (0..n).map(|_| vec3([0; 3].map(|_| random()))).collect();
    positions[3] = Vec3::repeat(Real::NAN);
    positions[4] = Vec3::repeat(1e9);
    let values: Vec<f32> = (0..n).map(|k| k as f32 / 100.0).collect();
    let triangles: Vec<[u32; 3]> =
        (0..900).map(|_| [0; 3].map(|_| (random() * n as f64) as u32)).collect();
    let normals: Vec<Eye> =
        (0..n).map(|_| Eye::from([0; 3].map(|_| random() as f32 - 0.5)).normalize()).collect();
    let faces = Some(frame::Faces { normals: normals.clone(), triangles: triangles.clone() });
    let fluid = FluidFrame { positions: positions.clone(), values: values.clone(), faces };
    let colouring = Colouring::new(Quantity::Speed, [0.0, 5.0]);
    let bounds = page::quantised(&unit_box());
    let script = page::frame(12, &[fluid.clone(), fluid], None, &colouring, &bounds);
    assert!(script.starts_with("hashfallFrame(12,\"") && script.ends_with("\");\n"));
    let bytes = unpacked(&script);
    let head = |k: usize| u32::from_le_bytes(bytes[4 * k..][..4].try_into().unwrap()) as usize;
    assert_eq!((head(0), head(1)), (2 * n, 2 * triangles.len()));
    let mut rest = &bytes[8..];
    let mut plane = |count: usize| {
        let (plane, after) = rest.split_at(count);
        rest = after;
        plane
    };
    for axis in 0..3 {
        let (lower, upper) = (plane(2 * n), plane(2 * n));
        let mut now = 0_u16;
        let (low, extent) = (to_f64(&bounds.min)[axis], to_f64(&bounds.extent())[axis]);
        for k in 0..2 * n {
            now = now.wrapping_add(u16::from_le_bytes([lower[k], upper[k]]));
            let place = low + f64::from(now) / 65535.0 * extent;
            let given = to_f64(&positions[k % n])[axis];
            match k % n {
                3 => assert_eq!(now, 0, "what is no place is at a corner"),
                4 => assert_eq!(now, u16::MAX, "what is far off is at the edge"),
                _ => assert!((place - given).abs() <= 0.51 * extent / 65535.0, "{place} {given}"),
            }
        }
    }
    let mut now = 0_u8;
    for (k, step) in plane(2 * n).iter().enumerate() {
        now = now.wrapping_add(*step);
        assert!((f32::from(now) / 255.0 - values[k % n] / 5.0).abs() < 0.003);
    }
    let (u, v) = (plane(2 * n), plane(2 * n));
    let (mut at_u, mut at_v) = (0_u8, 0_u8);
    for k in 0..2 * n {
        (at_u, at_v) = (at_u.wrapping_add(u[k]), at_v.wrapping_add(v[k]));
        let [x, y] = [at_u, at_v].map(|at| f32::from(at) / 127.5 - 1.0);
        let z = 1.0 - x.abs() - y.abs();
        let sign = |x: f32| if x < 0.0 { -1.0 } else { 1.0 };
        let folded = Eye::new((1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y), z);
        let normal = if z < 0.0 { folded } else { Eye::new(x, y, z) }.normalize();
        assert!((normal - normals[k % n]).norm() < 0.03);
    }
    let corners: Vec<&[u8]> = (0..4).map(|_| plane(6 * triangles.len())).collect();
    let mut now = 0_i64;
    let numbers = (0..6 * triangles.len()).map(|k| [0, 1, 2, 3].map(|byte| corners[byte][k]));
    for (k, bytes) in numbers.enumerate() {
        let folded = u32::from_le_bytes(bytes);
        now += if folded & 1 == 1 { -i64::from(folded >> 1) - 1 } else { i64::from(folded >> 1) };
        let first = if k < 3 * triangles.len() { 0 } else { n as i64 };
        let given = i64::from(triangles.as_flattened()[k % (3 * triangles.len())]);
        assert_eq!(now, first + given);
    }
    assert!(plane(0).is_empty() && rest.is_empty(), "nothing more");
}

#[test]
fn particles_that_are_nowhere_are_not_on_the_page() {
    let places = [[0.2, 0.5, 0.5], [Real::NAN; 3], [1e9, 0.5, 0.5], [0.7, 0.5, 0.5]];
    let positions: Vec<Vec3> = places.map(|[x, y, z]| Vec3::new(x, y, z)).to_vec();
    let fluid = FluidFrame { positions, values: vec![0.0, 1.0, 2.0, 4.0], faces: None };
    let colouring = Colouring::new(Quantity::Speed, [0.0, 4.0]);
    let bounds = page::quantised(&unit_box());
    let bytes = unpacked(&page::frame(0, &[fluid], None, &colouring, &bounds));
    assert_eq!(bytes[..8], [2, 0, 0, 0, 0, 0, 0, 0], "two places, no triangles");
    assert_eq!(bytes.len(), 8 + 2 * 7);
    assert_eq!(bytes[20..], [0, 255], "the values of the first and the last");
    let step = u16::from_le_bytes([bytes[9], bytes[11]]);
    assert!((f64::from(step) / 65535.0 * to_f64(&bounds.extent())[0] - 0.5).abs() < 1e-4);
}

#[test]
fn a_page_holds_what_it_is_told_and_no_script_of_others() {
    let colouring = Colouring::new(Quantity::Phase, [0.0, 1.0]);
    let names = ["water".to_owned(), "</script><b>oil".to_owned()];
    let run = page::Run {
        name: "</script><script>alert(1)".to_owned(),
        frames: vec![(0, 0.0), (5, 0.1)],
        rate: 50.0,
        domain: page::Run::corners(&unit_box()),
        floor: true,
        quantised: page::Run::corners(&page::quantised(&unit_box())),
        radius: 0.01,
        view: page::Run::view(ViewDirection::default()),
        scale: page::Scale::new(&colouring, &names),
    };
    let html = run.page();
    assert_eq!(html.matches("</script>").count(), 2, "those of the page itself");
    assert!(html.contains(r#""frames":[[0,0.0],[5,0.1]]"#));
    assert!(!html.contains("http://") && !html.contains("https://"));
    let (balls, meshes) = still_life();
    let standing = SolidShapes { balls: balls[3001..].to_vec(), meshes: meshes[1..].to_vec() };
    let solids = unpacked(&page::solids(&standing));
    let number = |k: usize| f32::from_le_bytes(solids[4 * k..][..4].try_into().unwrap());
    assert_eq!(u32::from_le_bytes(solids[..4].try_into().unwrap()), 1);
    assert_eq!(u32::from_le_bytes(solids[4..8].try_into().unwrap()), 36, "corners of a box");
    assert_eq!([2, 3, 4, 5].map(number), [0.8, 0.8, 0.2, 0.2]);
    assert_eq!(solids.len(), 8 + 16 + 36 * 24);
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
