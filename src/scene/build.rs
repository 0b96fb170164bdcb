//! From [`Model`] to [`World`]: particles on their lattices, solids, and what was left to default.
//!
//! - Particles that start inside a solid, or closer than r to one, are left out and counted.
//! - They are numbered by height, then y, then x, whichever box they come from.
//! - The default speed of sound is 10 v_max (Becker & Teschner 2007, §3), which keeps the density
//!   within about 1 % in smooth flow (impacts exceed it): `v_max² = v₀² + 2 |g| H`, with v₀ the
//!   largest speed at the start and H the height of the highest fluid above the lowest point of the
//!   domain, along gravity g.

use super::check::Problem;
use super::hydrostatic::Column;
use super::lattice;
use super::model::{
    Domain, FluidShape, Model, SolidModel, SolverModel, SphereField, StartPressure,
};
use super::sphere_field::{self, Ball, Full};
use crate::base::{Dimension, Real, Vec3, vec3};
use crate::geometry::{Aabb, TriangleMesh};
use crate::search::BroadPhaseKind;
use crate::solid::{Solids, Sphere};
use crate::world::{Dfsph, Fluid, Particles, Solver, Surface, Wcsph, World};

/// What came of a model.
pub struct Built {
    /// The world at the start.
    pub world: World,
    /// Particles left out because of solids.
    pub removed_in_solids: usize,
    /// Particles of each fluid.
    pub particles_per_fluid: Vec<usize>,
    /// What does not stop the scene from running.
    pub warnings: Vec<Problem>,
}

/// Builds the world of a checked model, with its meshes in place.
///
/// # Errors
/// What only building can tell: spheres that do not fit, no particle left, no speed to go by.
pub fn build(model: &Model, meshes: Vec<TriangleMesh>) -> Result<Built, Vec<Problem>> {
    let mut problems = Vec::new();
    let solver = solver(model).map_err(|problem| problems.push(problem)).ok();
    let mut warnings = Vec::new();
    let spheres = spheres(model, &mut problems, &mut warnings);
    let (Some(solver), true) = (solver, problems.is_empty()) else {
        return Err(problems);
    };
    let Domain::Box { min, max, periodic } = model.domain;
    let in_the_plane = [false, model.dimensions == Dimension::Two, false];
    let open = std::array::from_fn(|a| periodic[a] || in_the_plane[a]);
    let solids = Solids::new(Aabb::new(vec3(min), vec3(max)), spheres, meshes).with_open_axes(open);
    let (particles, removed_in_solids) = particles(model, &solver, &solids);
    if particles.is_empty() {
        let message = format!("no particle is left: all {removed_in_solids} start inside solids");
        let help = "move the fluid or the solids";
        return Err(vec![Problem::error("fluids", message, help).and("solids")]);
    }
    let particles_per_fluid = census(&particles, model.fluids.len());
    warnings.extend(more_warnings(model, &solids, &particles_per_fluid));
    let world = World {
        dimension: model.dimensions,
        kernel: model.kernel,
        particles,
        fluids: model
            .fluids
            .iter()
            .map(|f| Fluid {
                name: f.name.clone(),
                rest_density: real(f.rest_density),
                viscosity: real(f.viscosity),
            })
            .collect(),
        solids,
        periodic,
        gravity: vec3(model.gravity),
        particle_radius: real(model.particle_radius),
        support_radius: real(support_radius(model)),
        solver,
        time: 0.0,
        steps: 0,
    };
    Ok(Built { world, removed_in_solids, particles_per_fluid, warnings })
}

/// The model with its defaults resolved as in `world`, and its meshes at `mesh_paths`.
pub fn resolved(model: &Model, world: &World, mesh_paths: &[String]) -> Model {
    let mut resolved = model.clone();
    resolved.support_radius = Some(support_radius(model));
    resolved.surface = surface(model);
    if let (SolverModel::Wcsph(model), Solver::Wcsph(run)) = (&mut resolved.solver, world.solver) {
        model.sound_speed = Some(run.sound_speed);
    }
    let meshes = resolved.solids.iter_mut().filter_map(|solid| match solid {
        SolidModel::Mesh(mesh) => Some(mesh),
        SolidModel::SphereField(_) => None,
    });
    for (mesh, path) in meshes.zip(mesh_paths) {
        mesh.path.clone_from(path);
    }
    resolved
}

/// How the surface is extracted; a plane has none.
pub fn surface(model: &Model) -> Option<Surface> {
    model.surface.filter(|_| model.dimensions == Dimension::Three)
}

/// Rounds to the state's precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn real(x: f64) -> Real {
    x as Real
}

/// Support radius h \[m\]: as given, else 4r.
fn support_radius(model: &Model) -> f64 {
    model.support_radius.unwrap_or(4.0 * model.particle_radius)
}

/// The solver with all its numbers.
fn solver(model: &Model) -> Result<Solver, Problem> {
    Ok(match model.solver {
        SolverModel::Dfsph(dfsph) => Solver::Dfsph(Dfsph {
            max_density_error: dfsph.max_density_error,
            max_divergence_error: dfsph.max_divergence_error,
            max_iterations: dfsph.max_iterations as u32,
            artificial_viscosity: dfsph.artificial_viscosity,
            courant: dfsph.courant,
        }),
        SolverModel::Wcsph(wcsph) => Solver::Wcsph(Wcsph {
            sound_speed: wcsph.sound_speed.map_or_else(|| sound_speed(model), Ok)?,
            exponent: wcsph.exponent as u32,
            artificial_viscosity: wcsph.artificial_viscosity,
            courant: wcsph.courant,
            density: wcsph.density,
        }),
    })
}

/// Ten times the largest speed to expect \[m/s\].
fn sound_speed(model: &Model) -> Result<f64, Problem> {
    // |g| times height is the potential -g·x, which is extreme at corners.
    let potential = |corners: [[f64; 3]; 8]| {
        corners.map(|x| -(0..3).map(|a| model.gravity[a] * x[a]).sum::<f64>())
    };
    let Domain::Box { min, max, .. } = model.domain;
    let lowest = potential(corners(min, max)).into_iter().fold(f64::INFINITY, f64::min);
    let mut highest = lowest;
    let mut fastest_squared: f64 = 0.0;
    for FluidShape::Box { min, max, velocity, .. } in model.fluids.iter().flat_map(|f| &f.shapes) {
        highest = potential(corners(*min, *max)).into_iter().fold(highest, f64::max);
        fastest_squared = fastest_squared.max(velocity.iter().map(|v| v * v).sum());
    }
    let v_max = (fastest_squared + 2.0 * (highest - lowest)).sqrt();
    if v_max > 0.0 {
        return Ok(10.0 * v_max);
    }
    let message = "no speed of sound can be derived: there is neither gravity nor velocity";
    let help = "give one: solver: Wcsph(sound_speed: 10.0), in m/s";
    Err(Problem::error("solver", message, help).and("gravity"))
}

fn corners(min: [f64; 3], max: [f64; 3]) -> [[f64; 3]; 8] {
    std::array::from_fn(|i| std::array::from_fn(|a| if i >> a & 1 == 0 { min[a] } else { max[a] }))
}

/// All balls of the scene, in the order of its solids.
fn spheres(model: &Model, problems: &mut Vec<Problem>, warnings: &mut Vec<Problem>) -> Vec<Sphere> {
    let mut balls: Vec<Ball> = Vec::new();
    for (i, solid) in model.solids.iter().enumerate() {
        let first = balls.len();
        match solid {
            SolidModel::SphereField(SphereField::Random(field)) => {
                match sphere_field::random(field) {
                    Ok(field) => balls.extend(field),
                    Err(full) => problems.push(does_not_fit(i, field.count, full)),
                }
            }
            SolidModel::SphereField(SphereField::Lattice(field)) => {
                balls.extend(sphere_field::lattice(field));
            }
            SolidModel::SphereField(SphereField::List(list)) => {
                balls.extend(list.iter().map(|s| Ball { centre: s.centre, radius: s.radius }));
            }
            SolidModel::Mesh(_) => {}
        }
        warnings.extend(balls_outside(model, i, &balls[first..]));
    }
    balls.iter().map(|b| Sphere { centre: vec3(b.centre), radius: real(b.radius) }).collect()
}

/// Warnings of balls of a solid that lie wholly outside the domain: one for each ball of a list,
/// where it stands in the text; one for all of a field.
fn balls_outside(model: &Model, solid: usize, balls: &[Ball]) -> Vec<Problem> {
    let Domain::Box { min, max, .. } = &model.domain;
    let outside: Vec<usize> = (0..balls.len()).filter(|&k| balls[k].misses(min, max)).collect();
    let path = format!("solids[{solid}]");
    let help = "check where it lies, or make `domain` larger";
    match &model.solids[solid] {
        _ if outside.is_empty() => Vec::new(),
        SolidModel::SphereField(SphereField::List(_)) => {
            let message = "this ball lies outside the domain: nothing can touch it";
            outside
                .iter()
                .map(|k| Problem::warning(format!("{path}[{k}]"), message, help))
                .collect()
        }
        _ => {
            let count = match (outside.len(), balls.len()) {
                (n, all) if n == all => format!("all {all}"),
                (n, all) => format!("{n} of {all}"),
            };
            let message = format!("{count} balls lie outside the domain: nothing can touch them");
            vec![Problem::warning(path, message, help)]
        }
    }
}

fn does_not_fit(solid: usize, count: u32, Full { placed, diameter }: Full) -> Problem {
    let message = format!(
        "only {placed} of {count} spheres fit without overlap; no room for one of {diameter:.3} m"
    );
    let help = "fewer or smaller spheres, a larger `region`, or overlap: true";
    let causes = ["diameter", "region", "region.max", "region.min", "overlap"];
    Problem::error(format!("solids[{solid}].count"), message, help)
        .and_all(causes.map(|key| format!("solids[{solid}].{key}")))
}

/// A particle before it has a number.
struct Seed {
    position: Vec3,
    velocity: Vec3,
    density: Real,
    pressure: Real,
    phase: u8,
}

/// The particles that start clear of solids, and the number of those that do not.
fn particles(model: &Model, solver: &Solver, solids: &Solids) -> (Particles, usize) {
    let mut seeds = seeds(model, solver);
    let order = |s: &Seed| [s.position.z, s.position.y, s.position.x];
    seeds.sort_by(|a, b| {
        let axes = order(a).into_iter().zip(order(b));
        axes.map(|(a, b)| a.total_cmp(&b)).find(|o| o.is_ne()).unwrap_or(a.phase.cmp(&b.phase))
    });
    let points: Vec<Vec3> = seeds.iter().map(|seed| seed.position).collect();
    let blocked = blocked(model.broad_phase, solids, &points, real(model.particle_radius));
    let mut particles = Particles::default();
    for (seed, _) in seeds.iter().zip(&blocked).filter(|(_, blocked)| !**blocked) {
        particles.push(seed.position, seed.velocity, seed.phase, seed.density);
        if let Some(pressure) = particles.pressure.last_mut() {
            *pressure = seed.pressure;
        }
    }
    let removed = seeds.len() - particles.len();
    (particles, removed)
}

/// Particles of every box of fluid.
fn seeds(model: &Model, solver: &Solver) -> Vec<Seed> {
    let d = 2.0 * model.particle_radius;
    let mut seeds = Vec::new();
    for (phase, fluid) in model.fluids.iter().enumerate() {
        for FluidShape::Box { min, max, velocity, pressure } in &fluid.shapes {
            // The model is checked: gravity is straight down where it counts.
            let gravity = match pressure {
                StartPressure::Zero => 0.0,
                StartPressure::Hydrostatic => -model.gravity[2],
            };
            let layers = lattice::counts(model.dimensions, min, max, d)[2];
            let column = Column::new(solver, d, gravity, layers as usize);
            seeds.extend(lattice::centres(model.dimensions, *min, *max, d).map(|[x, y, z]| {
                // A centre is half a spacing into its layer, so the cast finds its number.
                let layer = column.layer(((z - min[2]) / d) as usize);
                Seed {
                    position: vec3([x, y, min[2] + layer.height]),
                    velocity: vec3(*velocity),
                    density: real(fluid.rest_density * layer.compression),
                    pressure: real(fluid.rest_density * layer.potential),
                    phase: phase as u8,
                }
            }));
        }
    }
    seeds
}

/// Whether each point is inside a solid or closer than `r` to one.
fn blocked(kind: BroadPhaseKind, solids: &Solids, points: &[Vec3], r: Real) -> Vec<bool> {
    crate::with_broad_phase!(kind, Broad => solids.blocked::<Broad>(points, r))
}

fn census(particles: &Particles, fluids: usize) -> Vec<usize> {
    let mut count = vec![0; fluids];
    particles.phase.iter().for_each(|&phase| count[phase as usize] += 1);
    count
}

/// What will run, though perhaps not as meant: fluids without particles and meshes out of reach.
fn more_warnings(model: &Model, solids: &Solids, particles_per_fluid: &[usize]) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for (i, _) in particles_per_fluid.iter().enumerate().filter(|&(_, &count)| count == 0) {
        let message =
            format!("no particle of \"{}\" is left: all start in solids", model.fluids[i].name);
        warnings.push(Problem::warning(format!("fluids[{i}]"), message, "move it"));
    }
    let is_mesh = |solid: &&(usize, &SolidModel)| matches!(solid.1, SolidModel::Mesh(_));
    let numbered: Vec<_> = model.solids.iter().enumerate().collect();
    for ((i, _), mesh) in numbered.iter().filter(is_mesh).zip(&solids.meshes) {
        if !mesh.bounds().overlaps(&solids.domain) {
            let message = "this mesh lies outside the domain: nothing can touch it";
            let help = "check `scale` and `translate`, and the mesh's own units";
            warnings.push(Problem::warning(format!("solids[{i}]"), message, help));
        }
    }
    warnings
}
