//! Closed meshes full of water, while gravity turns: nothing gets out.
//!
//! Each vessel is tilted, so that no face lies along an axis, and holds about a thousand particles.
//! Gravity keeps its strength and turns about two axes at once, so that each face is the floor at
//! some time. What is outside the winding number tells, which knows nothing of contact. A full run
//! takes 100 000 steps of each vessel:
//!
//! ```sh
//! cargo test --release --test physics vessels -- --ignored --nocapture
//! ```

use super::shapes::{divided_box, obj, revolved, star};
use super::winding::{is_inside, winding_number};
use hashfall_core::{Vec3, to_f64};
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{Point, TriangleMesh};
use hashfall_scene::{Source, prepare};
use hashfall_search::Structures;
use hashfall_sph::step::Stepper;
use hashfall_sph::world::World;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

const STEPS: u64 = 100_000;
const QUICK_STEPS: u64 = 300;
/// Steps from one look at all particles to the next.
const LOOK: u64 = 100;
/// Gravity turns this often \[1/s\] about one axis, and less about the other.
const TURNS: [f64; 2] = [0.7, 0.23];
/// Gravity is told this often \[1/s\].
const TOLD: f64 = 10.0;
/// It turns for so long \[s\]: longer than any run.
const LONGEST: f64 = 1500.0;
/// Solutions that are good enough here, where it is contact that is tried: its steps are some thirty
/// times those of `Wcsph()`.
const QUICK_DFSPH: &str = "Dfsph(max_density_error: 1e-3, max_divergence_error: 1e-3)";
/// The most compression of a particle: of an impact, not of water that is squeezed \[–\].
const MAX_COMPRESSED: f64 = 0.3;

/// A mesh with what fills it.
struct Vessel {
    name: &'static str,
    mesh: TriangleMesh,
    solver: &'static str,
    /// A wall inside, across which nothing may go: of its plane a point is the origin, before the
    /// vessel is tilted.
    wall: Option<Point>,
}

fn vessels() -> [Vessel; 4] {
    let hourglass = [(0.28, -0.3), (0.28, -0.18), (0.07, 0.0), (0.28, 0.18), (0.28, 0.3)];
    [
        Vessel {
            name: "ball",
            mesh: sphere_mesh(&Vec3::zeros(), 0.27, 2),
            solver: QUICK_DFSPH,
            wall: None,
        },
        Vessel {
            name: "divided box",
            mesh: divided_box([0.26, 0.22, 0.22]),
            solver: "Wcsph()",
            wall: Some(Point::x()),
        },
        Vessel { name: "star", mesh: star(5, 0.47, 0.18, 0.2), solver: "Wcsph()", wall: None },
        Vessel {
            name: "hourglass",
            mesh: revolved(-0.3, &hourglass, 0.3, 16),
            solver: QUICK_DFSPH,
            wall: None,
        },
    ]
}

impl Vessel {
    /// The vessel, full.
    fn world(&self) -> World {
        let rows: String = (0..(LONGEST * TOLD) as u32).map(row_of_gravity).collect();
        let tilt = "rotate: (axis: (1.0, 0.3, 0.2), degrees: 25.0)";
        let solver = self.solver;
        let text = format!(
            "Scene(
                frames: (count: 1, rate: 1.0),
                gravity: (0, 0, 0),
                forces: [Table([{rows}])],
                domain: Box(min: (-1, -1, -1), max: (1, 1, 1)),
                particle_radius: 0.02,
                fluids: [(
                    name: \"water\", rest_density: 1000.0, viscosity: 1e-6,
                    shapes: [Mesh(path: \"vessel.obj\", {tilt})],
                )],
                solids: [Mesh(path: \"vessel.obj\", inside: Hollow, {tilt})],
                solver: {solver},
            )"
        );
        let source = Source { name: self.name.to_owned(), text };
        let scene = prepare(&source, &[], &mut |_| Ok(obj(&self.mesh).into()));
        scene.unwrap_or_else(|faults| panic!("{}: {faults:?}", self.name)).world
    }

    /// On which side of the wall inside each particle lies, by its number; all on one if there is
    /// no wall.
    fn sides(&self, world: &World) -> BTreeMap<u32, bool> {
        let particles = &world.particles;
        let side = |x: &Vec3| {
            let wall = self.wall.map(|wall| turned(&wall));
            wall.is_some_and(|normal| normal.dot(&Point::from(to_f64(x))) > 0.0)
        };
        particles.id.iter().copied().zip(particles.position.iter().map(side)).collect()
    }

    /// Runs for so many steps; a line of what came of it, or what went wrong.
    fn run(&self, steps: u64) -> Result<String, String> {
        let mut world = self.world();
        let mesh = world.solids.meshes()[0].clone();
        let sides = self.sides(&world);
        let mut stepper = Stepper::new(&Structures::default(), &mut world)
            .map_err(|blow_up| format!("{}: {blow_up}", self.name))?;
        let (mut deepest, mut compressed, mut fastest) = (0.0, 0.0, 0.0);
        while world.steps < steps {
            let step = stepper.step(&mut world, f64::INFINITY);
            let step = step.map_err(|blow_up| format!("{}: {blow_up}", self.name))?;
            deepest = f64::max(deepest, step.deepest_penetration);
            compressed = f64::max(compressed, step.density_error_max);
            if world.steps.is_multiple_of(LOOK) || world.steps == steps {
                let outside = outside(&world, &mesh);
                let now = self.sides(&world);
                let crossed = now.iter().filter(|(id, side)| sides[id] != **side).count();
                let line = format!(
                    "{}: {} particles, {} steps, {:.2} s, {outside} outside, {crossed} through the \
                     wall, {deepest:.1e} d deep, compressed by {compressed:.3}",
                    self.name,
                    world.particles.len(),
                    world.steps,
                    world.time,
                );
                let speed = world.particles.velocity.iter().map(|v| f64::from(v.norm()));
                fastest = speed.fold(fastest, f64::max);
                if outside + crossed > 0 || compressed > MAX_COMPRESSED {
                    return Err(line);
                }
                if world.steps.is_multiple_of(STEPS / 10) {
                    println!("{line}");
                }
            }
        }
        assert!(world.time < LONGEST, "gravity turned to the end");
        Ok(format!(
            "{}: {} particles, {steps} steps, {:.2} s, none outside, {deepest:.1e} d deep, \
             compressed by {compressed:.3}, up to {fastest:.2} m/s",
            self.name,
            world.particles.len(),
            world.time
        ))
    }
}

/// A row of the table of gravity, as text.
fn row_of_gravity(k: u32) -> String {
    let time = f64::from(k) / TOLD;
    let [a, b] = TURNS.map(|turns| TAU * turns * time);
    let [x, y, z] = [a.sin() * b.cos(), a.sin() * b.sin(), -a.cos()].map(|c| 9.81 * c);
    format!("({time:?}, ({x:?}, {y:?}, {z:?})), ")
}

/// A direction, tilted as the vessels are.
fn turned(direction: &Point) -> Point {
    let axis = nalgebra::Unit::new_normalize(Point::new(1.0, 0.3, 0.2));
    nalgebra::Rotation3::from_axis_angle(&axis, 25_f64.to_radians()) * direction
}

/// Particles that the surface does not go around.
fn outside(world: &World, mesh: &TriangleMesh) -> usize {
    world.particles.position.iter().filter(|x| !is_inside(mesh, x)).count()
}

/// Runs all vessels and tells every one that fails.
fn run_all(steps: u64) {
    let failures: Vec<String> = vessels()
        .par_iter()
        .filter_map(|vessel| match vessel.run(steps) {
            Ok(line) => {
                println!("{line}");
                None
            }
            Err(failure) => Some(failure),
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn closed_vessels_hold_water_while_gravity_turns() {
    run_all(QUICK_STEPS);
}

#[test]
#[ignore = "takes half an hour with --release"]
fn closed_vessels_hold_water_for_a_hundred_thousand_steps() {
    run_all(STEPS);
}

#[test]
fn a_particle_outside_or_through_the_wall_is_seen() {
    for vessel in vessels() {
        let mut world = vessel.world();
        // Vessels are filled to their volume.
        assert!((800..1600).contains(&world.particles.len()), "{}", world.particles.len());
        let mesh = world.solids.meshes()[0].clone();
        assert_eq!(outside(&world, &mesh), 0);
        let x = world.particles.position[7];
        assert!((winding_number(&mesh, &x) - 1.0).abs() < 1e-6);
        world.particles.position[7] = Vec3::repeat(0.9);
        assert_eq!(outside(&world, &mesh), 1);
        let sides = vessel.sides(&world);
        let number = world.particles.id[7];
        world.particles.position[7] = -x;
        assert_eq!(vessel.sides(&world)[&number] != sides[&number], vessel.wall.is_some());
    }
}
