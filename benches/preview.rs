//! Previews: frames a second of 100 000 particles, in all and by parts, and of clear water with a
//! surface of about a million triangles, without and with 100 000 points of foam; pictures of
//! 960 × 540.
//!
//! The particles are a block that has begun to fall apart; the surface is a block with waves, as
//! fine below as above.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hashfall_core::{Vec3, vec3};
use hashfall_geometry::Aabb;
use hashfall_input::Format;
use hashfall_output::{ParticleFrame, vtp};
use hashfall_preview::frame::{self, Colouring, Quantity};
use hashfall_preview::{Ball, Camera, FoamPoint, RenderMesh, Scene, ViewDirection, render};
use hashfall_sph::world::Particles;
use hashfall_surface::SurfaceMesh;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::time::Duration;

const RADIUS: f32 = 0.01;
const SIZE: [u32; 2] = [960, 540];
const COLOURING: Colouring = Colouring::new(Quantity::Speed, [0.0, 2.0]);

fn bounds() -> Aabb {
    Aabb::new(vec3([0.0; 3]), vec3([1.6, 1.2, 1.4]))
}

/// A file of 100 000 particles.
fn particles() -> Vec<u8> {
    let mut generator = Pcg64Mcg::seed_from_u64(12345);
    let mut random = || (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut particles = Particles::default();
    for k in 0..100_000 {
        let at = [k % 40, k / 40 % 50, k / 2000].map(|n| 0.02 * f64::from(n) + 0.01);
        // The upper ones have flown off.
        let far = (at[2] - 0.5).max(0.0);
        let off = [0; 3].map(|_| 0.004 * random() + far * (random() - 0.4));
        let place = vec3([at[0] + off[0], at[1] + off[1], at[2] + off[2]]);
        particles.push(place, vec3([0.0, 0.0, 2.0 * off[0]]), 0, 1000.0);
    }
    vtp::particles(&ParticleFrame { particles: &particles, radius: 0.01, time: 0.0 }).into_bytes()
}

/// A file of a surface of about a million triangles.
fn surface() -> Vec<u8> {
    const SIDE: u32 = 500;
    let mut mesh = SurfaceMesh::default();
    for is_bottom in [false, true] {
        let first = mesh.positions.len() as u32;
        for k in 0..SIDE * SIDE {
            let [x, y] = [k % SIDE, k / SIDE].map(|n| f64::from(n) / f64::from(SIDE - 1));
            let (z, normal) = if is_bottom { (0.01, vec3([0.0, 0.0, -1.0])) } else { wave(x, y) };
            mesh.positions.push(vec3([1.6 * x, 1.2 * y, z]));
            mesh.normals.push(normal);
            if k % SIDE < SIDE - 1 && k / SIDE < SIDE - 1 {
                let corners = [k, k + 1, k + SIDE + 1, k + SIDE].map(|corner| first + corner);
                let [a, b, c, d] = corners;
                let upper = [[a, b, c], [a, c, d]];
                let turned = upper.map(|[a, b, c]| [a, c, b]);
                mesh.triangles.extend(if is_bottom { turned } else { upper });
            }
        }
    }
    vtp::surface(&mesh, None).into_bytes()
}

/// Height and normal of the waves.
fn wave(x: f64, y: f64) -> (f64, Vec3) {
    let slope =
        [2.0 * (20.0 * x).cos() * (17.0 * y).cos(), -1.7 * (20.0 * x).sin() * (17.0 * y).sin()];
    let z = 0.5 + 0.1 * (20.0 * x).sin() * (17.0 * y).cos();
    (z, vec3([-slope[0] / 1.6, -slope[1] / 1.2, 1.0]).normalize())
}

/// Foam on the waves, in stripes.
fn foam() -> Vec<FoamPoint> {
    let mut generator = Pcg64Mcg::seed_from_u64(54321);
    let mut random = || (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let point = |_| {
        let (x, y) = (0.2 + 0.2 * random(), random());
        let at = [1.6 * x, 1.2 * y, wave(x, y).0];
        FoamPoint { position: at.map(|x| x as f32).into(), radius: 0.002 }
    };
    (0..100_000).map(point).collect()
}

fn obstacles() -> Vec<Ball> {
    let place = |k: u32| vec3([0.2 + 0.12 * f64::from(k % 10), 0.3 + 0.1 * f64::from(k / 10), 0.1]);
    (0..50).map(|k| frame::solid_ball(place(k), 0.05)).collect()
}

fn bench(criterion: &mut Criterion) {
    let camera = Camera::fit(&bounds(), ViewDirection::default(), SIZE, 1.0);
    let obstacles = obstacles();
    let foam = foam();
    let draw = |balls: &[Ball], mesh: Option<&RenderMesh>, foam: &[FoamPoint]| {
        let scene = Scene {
            bounds: bounds(),
            has_floor: true,
            balls: vec![balls, &obstacles],
            meshes: mesh.into_iter().collect(),
            foam: vec![foam],
        };
        render(&scene, &camera)
    };
    let (particle_file, surface_file) = (particles(), surface());
    let read = || {
        let fluid = frame::particles(&particle_file, Format::VtkXml, Quantity::Speed)
            .expect("it was written here");
        fluid.balls(&COLOURING, RADIUS)
    };
    let read_surface = || {
        let fluid =
            frame::surface(&surface_file, Quantity::Speed, Some(0)).expect("it was written here");
        fluid.mesh(&Colouring { is_water: true, ..COLOURING }).expect("it has triangles")
    };
    let (balls, mesh) = (read(), read_surface());
    let picture = draw(&balls, None, &[]);
    println!("{} particles, {} triangles", balls.len(), mesh.triangles.len());
    let mut group = criterion.benchmark_group("preview");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::Elements(1));
    group.bench_function("particles/read", |b| b.iter(|| black_box(read())));
    group.bench_function("particles/draw", |b| b.iter(|| black_box(draw(&balls, None, &[]))));
    group.bench_function("particles/encode", |b| b.iter(|| black_box(picture.png())));
    group.bench_function("particles", |b| b.iter(|| black_box(draw(&read(), None, &[]).png())));
    group.bench_function("surface/read", |b| b.iter(|| black_box(read_surface())));
    group.bench_function("surface/draw", |b| b.iter(|| black_box(draw(&[], Some(&mesh), &[]))));
    group.bench_function("surface/foam", |b| b.iter(|| black_box(draw(&[], Some(&mesh), &foam))));
    group.bench_function("surface", |b| {
        b.iter(|| black_box(draw(&[], Some(&read_surface()), &[]).png()))
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
