//! A small world without physics: a ball that flies past two spheres and a prism.

use hashfall_bodies::Wrench;
use hashfall_core::kernel::KernelKind;
use hashfall_core::timer::{Stage, StageTimes};
use hashfall_core::{Attribute, Dimension, Real, Values, Vec3};
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_output::{EnergyAccount, FrameContent, FrameRow, RunInfo, obstacles};
use hashfall_scene::{Frames, Output, SurfaceFormat};
use hashfall_solid::{Solids, Sphere};
use hashfall_sph::world::{Density, Fluid, OpenBoundaries, Particles, Solver, Wcsph, World};
use hashfall_surface::{SurfaceMesh, Surfaces};
use std::sync::LazyLock;
use std::time::Duration;

pub const RATE: f64 = 30.0;
pub const VELOCITY: Vec3 = Vec3::new(1.5, 0.0, -0.5);
const RADIUS: Real = 0.25;

/// The world at a frame: a ball of particles on a lattice, in no order of id.
pub fn world(frame: u32) -> World {
    let spacing = 0.05;
    let mut particles = Particles::default();
    let steps = -5..=5;
    for (x, y, z) in steps.clone().flat_map(|x| {
        steps.clone().flat_map(move |y| (-5..=5).map(move |z| (x as Real, y as Real, z as Real)))
    }) {
        let offset = spacing * Vec3::new(x, y, z);
        if offset.norm() <= RADIUS {
            particles.push(centre(frame) + offset, VELOCITY, 0, 1000.0);
        }
    }
    let count = particles.len();
    particles.pressure.iter_mut().enumerate().for_each(|(i, p)| *p = i as Real);
    particles.position.reverse();
    particles.pressure.reverse();
    particles.id = (0..count as u32).rev().collect();
    World {
        dimension: Dimension::Three,
        kernel: KernelKind::CubicSpline,
        elastic: None,
        free_bodies: Vec::new(),
        rigid: None,
        periodic: [false; 3],
        particles,
        fluids: vec![Fluid {
            name: "water".into(),
            rest_density: 1000.0,
            viscosity: 1e-6,
            surface_tension: 0.0,
            stiffness: 0.0,
        }],
        solids: solids(),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        frame: None,
        forces: vec![],
        particle_radius: spacing / 2.0,
        support_radius: 2.0 * spacing,
        solver: Solver::Wcsph(Wcsph {
            sound_speed: Some(10.0),
            exponent: 7.0,
            artificial_viscosity: Some(0.05),
            courant: Some(0.4),
            density: Some(Density::Summation),
            shifting: 0.0,
            background_pressure: 0.0,
            interface_sharpening: 0.0,
            individual_steps: 0.0,
        }),
        interfaces: vec![],
        open_boundaries: OpenBoundaries::default(),
        viscosity: Default::default(),
        time: f64::from(frame) / RATE,
        steps: u64::from(frame) * 10,
    }
}

/// The ball's surface; finer in later frames, so that the topology changes.
pub fn surface(frame: u32) -> SurfaceMesh {
    let ball = Sphere { centre: centre(frame), radius: RADIUS };
    // Many spheres are drawn coarser than few: the first of them is the ball.
    let spheres = vec![ball; if frame.is_multiple_of(2) { 1 } else { 1000 }];
    let solids = Solids::new(Aabb::EMPTY, spheres, vec![]);
    let drawing = obstacles::all(&solids)[0].drawing();
    let vertices = if frame.is_multiple_of(2) { 642 } else { 162 };
    let is_first = |t: &[u32; 3]| t.iter().all(|&v| v < vertices);
    SurfaceMesh {
        positions: (0..vertices as usize).map(|k| drawing.vertex(k)).collect(),
        normals: (0..vertices as usize).map(|k| drawing.normal(k)).collect(),
        attributes: vec![Attribute::new(
            "velocity",
            Values::Vectors(vec![VELOCITY; vertices as usize].into()),
        )],
        triangles: (0..drawing.triangles()).map(|k| drawing.triangle(k)).filter(is_first).collect(),
    }
}

/// The surfaces of a frame, without spray.
pub fn surfaces(frame: u32) -> Surfaces {
    surface(frame).into()
}

pub fn row(frame: u32, world: &World, surfaces: &Surfaces) -> FrameRow {
    let mut stages = StageTimes::default();
    stages.time(Stage::Search, || std::thread::sleep(Duration::from_millis(1)));
    FrameRow {
        frame,
        time: world.time,
        steps: 10,
        total_steps: world.steps,
        dt_mean: 0.1 / 3.0,
        dt_min: 1e-3,
        limited_by: "sound",
        rejected: 3,
        density_error_max: 0.01,
        iterations: [3.5, 1.0],
        capped: [2, 0],
        viscosity: None,
        contact: None,
        density_error_mean: 0.001,
        mass: world.particles.len() as f64 * world.particle_mass(0),
        energy: EnergyAccount::from_world(world),
        exchanged: None,
        momentum: [1.0, -0.0, 2.5e-17],
        kinetic_energy: 3.0,
        potential_energy: 4.0,
        max_speed: 5.0,
        deepest_penetration: 0.0,
        outside: 0,
        surface_triangles: surfaces.triangles(),
        surface_volume: surfaces.volume(),
        digest: world.digest(),
        body_digest: world.body_digest(),
        elastic: None,
        forces: vec![Wrench::from([0.0, 1.5, -2.0, 1e-9, 0.0, 4.0]); world.solids.body_count()],
        stages,
    }
}

/// Each surface as `.ply` and as `.vtp`.
pub static BOTH: LazyLock<Output> = LazyLock::new(|| Output {
    surface: vec![SurfaceFormat::Ply, SurfaceFormat::Vtp],
    elastic: Vec::new(),
    ..Output::default()
});

/// Particles alone.
pub static PARTICLES: LazyLock<Output> =
    LazyLock::new(|| Output { surface: Vec::new(), elastic: Vec::new(), ..Output::default() });

/// No files of frames.
pub static NOTHING: Output =
    Output { particles: Vec::new(), particles_every: 1, surface: Vec::new(), elastic: Vec::new() };

/// What a frame of such a world shows.
pub fn content(world: &World, surfaces: &[Surfaces]) -> FrameContent {
    let (particles, surfaces) = (world.particles.clone(), surfaces.to_vec());
    FrameContent { particles, surfaces, ..FrameContent::default() }
}

/// A run of these frames in both formats.
pub fn info<'a>(frames: u32, meshes: &'a [(&'a str, &'a [u8])]) -> RunInfo<'a> {
    RunInfo {
        name: "blob",
        scene: "Scene(frames: (count: 3, rate: 30.0))",
        meshes,
        command: &[],
        threads: 2,
        frames: Frames { count: frames, rate: RATE },
        output: &BOTH,
        probes: &[],
        body_names: &[],
        has_callbacks: false,
    }
}

fn centre(frame: u32) -> Vec3 {
    Vec3::new(0.4, 0.5, 0.6) + VELOCITY * (frame as f64 / RATE) as Real
}

fn solids() -> Solids {
    let prism = [(0.0, 0.0), (0.4, 0.0), (0.2, 0.3)];
    let vertices = [0.0, 0.5].iter().flat_map(|&z| prism.map(|(x, y)| Vec3::new(1.0 + x, y, z)));
    Solids::new(
        Aabb::new(Vec3::zeros(), Vec3::new(2.0, 1.0, 1.2)),
        vec![
            Sphere { centre: Vec3::new(0.3, 0.3, 0.15), radius: 0.15 },
            Sphere { centre: Vec3::new(1.7, 0.7, 0.2), radius: 0.2 },
        ],
        vec![TriangleMesh {
            vertices: vertices.collect(),
            triangles: vec![
                [0, 2, 1],
                [3, 4, 5],
                [0, 1, 4],
                [0, 4, 3],
                [1, 2, 5],
                [1, 5, 4],
                [2, 0, 3],
                [2, 3, 5],
            ],
        }],
    )
}
