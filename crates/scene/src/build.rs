//! From [`Model`] to [`World`]: particles on their lattices, solids, and what was left to default.
//!
//! The particles are laid out in [`super::shape`] and made clear of solids in [`super::start`]; the
//! default speed of sound is that of [`super::sound_speed`].

use super::check::Problem;
use super::model::{
    BallsModel, BodyMotion, BoxModel, Domain, FluidModel, FluidShape, Inside, InterfaceModel,
    Model, Opening, SolidModel, SolverModel, SphereField, ViscosityModel,
};
use super::oddities::{self, Bounds};
use super::shape::{self, Piece};
use super::sound_speed::{largest_speed, sound_speed};
use super::sphere_field::{self, Ball, Full};
use super::{body_motion, exchange, start};
use hashfall_core::{Dimension, Real, to_f64, vec3};
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_solid::{Obstacle, Solids, Sphere};
use hashfall_sph::world::{
    Ballistic, Dfsph, Fluid, Interface, Multiphase, Particles, Solver, ViscositySolver, Wcsph,
    World,
};
use hashfall_surface::SurfaceSettings;

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

/// Builds the world of a checked model, with the meshes of its solids, its fluids and its openings
/// in place.
///
/// # Errors
/// What only building can tell: spheres that do not fit, shapes that overlap, no particle left, no
/// speed to go by.
pub fn build(
    model: &Model,
    meshes: Vec<TriangleMesh>,
    fluid_meshes: &[TriangleMesh],
    openings: &[TriangleMesh],
) -> Result<Built, Vec<Problem>> {
    let pieces = shape::pieces(model, fluid_meshes)?;
    let mut problems = Vec::new();
    let mut warnings = Vec::new();
    let balls = balls(model, &mut problems, &mut warnings);
    let solids = solids(model, &balls, meshes);
    let fastest = body_motion::fastest(model, &solids).unwrap_or_else(|too_fast| {
        problems.extend(too_fast);
        0.0
    });
    let solver = solver(model, &pieces, fastest).map_err(|it| problems.insert(0, it)).ok();
    let (Some(solver), true) = (solver, problems.is_empty()) else {
        return Err(problems);
    };
    let Domain::Box { periodic, .. } = model.domain;
    let (particles, removed_in_solids) = start::particles(model, &solver, &solids, &pieces)?;
    if particles.is_empty() && model.emitters.is_empty() {
        let message = format!("no particle is left: all {removed_in_solids} start inside solids");
        let help = "move the fluid or the solids";
        return Err(vec![Problem::error("fluids", message, help).and("solids")]);
    }
    let particles_per_fluid = census(&particles, model.fluids.len());
    let (exchange, odd) = exchange::exchange(model, &solids, openings, particles.len())?;
    warnings.extend(odd);
    warnings.extend(oddities::odd_exchange(model, &solids, &exchange, particles.len()));
    warnings.extend(more_warnings(model, &solids, &particles_per_fluid));
    warnings.extend(movers_outside(model, &solids));
    warnings.extend(oddities::idle_keys(model));
    warnings.extend(oddities::gaps(model, &balls, &bounds(model, &solids)));
    warnings.extend(oddities::too_fast_for_frames(model, &pieces));
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
                surface_tension: real(f.surface_tension),
                stiffness: real(stiffness(model, f)),
            })
            .collect(),
        interfaces: interfaces(model),
        solids,
        periodic,
        gravity: vec3(model.gravity),
        forces: model.forces.clone(),
        particle_radius: real(model.particle_radius),
        support_radius: real(model.support_radius()),
        viscosity: viscosity_solver(model, &solver, largest_speed(model, &pieces, fastest)),
        solver,
        exchange,
        time: 0.0,
        steps: 0,
    };
    Ok(Built { world, removed_in_solids, particles_per_fluid, warnings })
}

/// The model with its defaults resolved as in `world`, and its meshes at `mesh_paths`.
pub fn resolved(model: &Model, world: &World, mesh_paths: &[String]) -> Model {
    let mut resolved = model.clone();
    resolved.support_radius = Some(model.support_radius());
    resolved.surface = surface(model);
    resolved.viscosity_solver = match world.viscosity {
        ViscositySolver::Explicit => ViscosityModel::Explicit,
        ViscositySolver::Implicit => ViscosityModel::Implicit,
    };
    for emitter in &mut resolved.emitters {
        let fluid = exchange::fluid_of(model, emitter).map(|i| model.fluids[i].name.clone());
        emitter.fluid = fluid;
    }
    if let (SolverModel::Wcsph(model), Solver::Wcsph(run)) = (&mut resolved.solver, world.solver) {
        model.sound_speed = Some(run.sound_speed);
    }
    let solids = resolved.solids.iter_mut().filter_map(|solid| match solid {
        SolidModel::Mesh(mesh) => Some(&mut mesh.path),
        SolidModel::SphereField(_) | SolidModel::Box(_) => None,
    });
    let shapes = resolved.fluids.iter_mut().flat_map(|fluid| &mut fluid.shapes);
    let fluids = shapes.filter_map(|shape| match shape {
        FluidShape::Mesh { path, .. } => Some(path),
        FluidShape::Box { .. } | FluidShape::Ball { .. } | FluidShape::Random { .. } => None,
    });
    let openings = resolved.emitters.iter_mut().filter_map(|emitter| match &mut emitter.from {
        Opening::Mesh { path, .. } => Some(path),
        Opening::Disc { .. } | Opening::Rectangle { .. } => None,
    });
    for (path, copy) in solids.chain(fluids).chain(openings).zip(mesh_paths) {
        path.clone_from(copy);
    }
    resolved
}

/// How the surface is extracted; a plane has none.
pub fn surface(model: &Model) -> Option<SurfaceSettings> {
    model.surface.filter(|_| model.dimensions == Dimension::Three)
}

/// Rounds to the state's precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn real(x: f64) -> Real {
    x as Real
}

/// The solver with all its numbers, among bodies of this speed \[m/s\].
fn solver(model: &Model, pieces: &[Piece], fastest: f64) -> Result<Solver, Problem> {
    Ok(match model.solver {
        SolverModel::Dfsph(dfsph) => Solver::Dfsph(Dfsph {
            max_density_error: dfsph.max_density_error,
            max_divergence_error: dfsph.max_divergence_error,
            max_iterations: dfsph.max_iterations as u32,
            artificial_viscosity: dfsph.artificial_viscosity,
            courant: dfsph.courant,
        }),
        SolverModel::Wcsph(wcsph) => Solver::Wcsph(Wcsph {
            sound_speed: wcsph
                .sound_speed
                .map_or_else(|| sound_speed(model, pieces, fastest), Ok)?,
            exponent: wcsph.exponent as u32,
            artificial_viscosity: wcsph.artificial_viscosity,
            courant: wcsph.courant,
            density: wcsph.density,
            shifting: wcsph.shifting,
            background_pressure: wcsph.background_pressure,
            interface_repulsion: wcsph.interface_repulsion,
            individual_steps: wcsph.individual_steps as u32,
        }),
        SolverModel::Multiphase(multiphase) => Solver::Multiphase(Multiphase {
            exponent: multiphase.exponent as u32,
            wet_friction: multiphase.wet_friction,
            courant: multiphase.courant,
            time_step: multiphase.time_step,
            individual_steps: multiphase.individual_steps as u32,
        }),
        SolverModel::Ballistic(ballistic) => {
            Solver::Ballistic(Ballistic { courant: ballistic.courant })
        }
    })
}

/// The stiffness of a fluid \[m²/s²\]; 0 where the solver asks for none.
fn stiffness(model: &Model, fluid: &FluidModel) -> f64 {
    match model.solver {
        SolverModel::Multiphase(solver) => fluid.stiffness.unwrap_or(solver.stiffness),
        SolverModel::Dfsph(_) | SolverModel::Wcsph(_) | SolverModel::Ballistic(_) => 0.0,
    }
}

/// Tensions between fluids, whose names are known.
fn interfaces(model: &Model) -> Vec<Interface> {
    let number = |name: &str| model.fluids.iter().position(|f| f.name == name).unwrap_or(0) as u8;
    let interface = |said: &InterfaceModel| Interface {
        fluids: [number(&said.between.0), number(&said.between.1)],
        tension: real(said.tension),
    };
    model.interfaces.iter().map(interface).collect()
}

/// Implicit, unless told otherwise, where as a force viscosity would bind the time step more than
/// the largest speed to expect, or sound, does.
fn viscosity_solver(model: &Model, solver: &Solver, speed: f64) -> ViscositySolver {
    let signal = match solver {
        Solver::Multiphase(_) | Solver::Ballistic(_) => return ViscositySolver::Explicit,
        Solver::Dfsph(dfsph) => speed / dfsph.courant,
        Solver::Wcsph(wcsph) => wcsph.sound_speed / wcsph.courant,
    };
    let most = model.fluids.iter().map(|fluid| fluid.viscosity).fold(0.0, f64::max);
    match model.viscosity_solver {
        ViscosityModel::Explicit => ViscositySolver::Explicit,
        ViscosityModel::Implicit => ViscositySolver::Implicit,
        // ⅛ d²/ν, the longest step with the force, against C d/v.
        ViscosityModel::Auto if 8.0 * most > 2.0 * model.particle_radius * signal => {
            ViscositySolver::Implicit
        }
        ViscosityModel::Auto => ViscositySolver::Explicit,
    }
}

/// All solids, with the balls of each entry and the meshes that came from files.
fn solids(model: &Model, balls: &[Vec<Ball>], from_files: Vec<TriangleMesh>) -> Solids {
    let Domain::Box { min, max, periodic, contact, sides } = model.domain;
    let in_the_plane = [false, model.dimensions == Dimension::Two, false];
    let open = std::array::from_fn(|a| periodic[a] || in_the_plane[a]);
    let mut from_files = from_files.into_iter();
    let (mut meshes, mut obstacles, mut hollow) = (Vec::new(), Vec::new(), Vec::new());
    for (solid, balls) in model.solids.iter().zip(balls) {
        let first = meshes.len();
        meshes.extend(match solid {
            SolidModel::SphereField(_) => None,
            SolidModel::Box(solid) => Some(box_mesh(&space_of(solid, model))),
            SolidModel::Mesh(_) => from_files.next(),
        });
        let is_hollow = matches!(solid, SolidModel::Mesh(mesh) if mesh.inside == Inside::Hollow);
        hollow.resize(meshes.len(), is_hollow);
        let (spheres, meshes) = (balls.len(), meshes.len() - first);
        obstacles.push(Obstacle { spheres, meshes, contact: solid.contact() });
    }
    let sphere = |b: &Ball| Sphere { centre: vec3(b.centre), radius: real(b.radius) };
    let spheres = balls.iter().flatten().map(sphere).collect();
    Solids::new(Aabb::new(vec3(min), vec3(max)), spheres, meshes)
        .with_open_axes(open)
        .with_walls(sides.all().map(|(_, side)| side.unwrap_or(contact)))
        .with_obstacles(&obstacles)
        .with_hollow(hollow)
        .with_motions(model.solids.iter().map(|solid| body_motion::of(solid.motion())).collect())
}

/// The boxes around the solids that are meshes.
fn bounds(model: &Model, solids: &Solids) -> Vec<Option<Bounds>> {
    let mut meshes = solids.meshes.iter();
    let mut bounds = |solid: &SolidModel| match solid {
        SolidModel::SphereField(_) => None,
        SolidModel::Box(_) | SolidModel::Mesh(_) => {
            meshes.next().map(|mesh| (to_f64(&mesh.bounds().min), to_f64(&mesh.bounds().max)))
        }
    };
    model.solids.iter().map(&mut bounds).collect()
}

/// Beyond the plane on either side a box reaches this many support radii, so that none of its
/// edges but those across the plane comes near a particle.
const BEYOND_PLANE: f64 = 4.0;

/// Where a solid box is.
fn space_of(solid: &BoxModel, model: &Model) -> Aabb {
    let is_plane = model.dimensions == Dimension::Two;
    let beyond = if is_plane { BEYOND_PLANE * model.support_radius() } else { 0.0 };
    let ([x, y, z], [u, v, w]) = (solid.min, solid.max);
    Aabb::new(vec3([x, y - beyond, z]), vec3([u, v + beyond, w]))
}

/// The balls of each entry of the scene's solids.
fn balls(
    model: &Model,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<Problem>,
) -> Vec<Vec<Ball>> {
    let mut all = Vec::new();
    for (i, solid) in model.solids.iter().enumerate() {
        let mut balls: Vec<Ball> = Vec::new();
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
            SolidModel::SphereField(SphereField::List(list))
            | SolidModel::SphereField(SphereField::Balls(BallsModel { list, .. })) => {
                balls.extend(list.iter().map(|s| Ball { centre: s.centre, radius: s.radius }));
            }
            SolidModel::Box(_) | SolidModel::Mesh(_) => {}
        }
        if *solid.motion() == BodyMotion::Still {
            warnings.extend(balls_outside(model, i, &balls));
        }
        all.push(balls);
    }
    all
}

/// Warnings of balls of a solid that lie wholly outside the domain: one for each ball of a list,
/// where it stands in the text; one for all of a field.
fn balls_outside(model: &Model, solid: usize, balls: &[Ball]) -> Vec<Problem> {
    let Domain::Box { min, max, .. } = &model.domain;
    let outside: Vec<usize> = (0..balls.len()).filter(|&k| balls[k].misses(min, max)).collect();
    let path = format!("solids[{solid}]");
    let help = "check where it lies, or make `domain` larger";
    let one_by_one = |list: &str| {
        let message = "this ball lies outside the domain: nothing can touch it";
        let warn = |k: &usize| Problem::warning(format!("{path}{list}[{k}]"), message, help);
        outside.iter().map(warn).collect()
    };
    match &model.solids[solid] {
        _ if outside.is_empty() => Vec::new(),
        SolidModel::SphereField(SphereField::List(_)) => one_by_one(""),
        SolidModel::SphereField(SphereField::Balls(_)) => one_by_one(".list"),
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

fn census(particles: &Particles, fluids: usize) -> Vec<usize> {
    let mut count = vec![0; fluids];
    particles.phase.iter().for_each(|&phase| count[phase as usize] += 1);
    count
}

/// Whether a solid is a mesh here: one from a file or that of a box.
fn has_mesh(solid: &SolidModel) -> bool {
    !matches!(solid, SolidModel::SphereField(_))
}

/// What will run, though perhaps not as meant: fluids without particles and meshes out of reach.
fn more_warnings(model: &Model, solids: &Solids, particles_per_fluid: &[usize]) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let has_none =
        |&(i, &count): &(usize, &usize)| count == 0 && !model.fluids[i].shapes.is_empty();
    for (i, _) in particles_per_fluid.iter().enumerate().filter(has_none) {
        let message =
            format!("no particle of \"{}\" is left: all start in solids", model.fluids[i].name);
        warnings.push(Problem::warning(format!("fluids[{i}]"), message, "move it"));
    }
    let meshes = model.solids.iter().enumerate().filter(|(_, solid)| has_mesh(solid));
    for ((i, solid), mesh) in meshes.zip(&solids.meshes) {
        // What moves may come in later.
        let stands = *solid.motion() == BodyMotion::Still;
        let is_box = matches!(solid, SolidModel::Box(_));
        if is_box && stands && !mesh.bounds().overlaps(&solids.domain) {
            let message = "this box lies outside the domain: nothing can touch it";
            let help = "check `min` and `max`, or make `domain` larger";
            warnings.push(Problem::warning(format!("solids[{i}]"), message, help));
        }
    }
    warnings.extend(oddities::odd_meshes(model, solids));
    warnings
}

/// Warnings of solids that move, and never into the domain.
fn movers_outside(model: &Model, solids: &Solids) -> Vec<Problem> {
    let warning = |number: usize| {
        let message = "this solid lies outside the domain all the time, as far as is seen";
        let help = "check where it lies and where `motion` leads, or make `domain` larger";
        Problem::warning(format!("solids[{number}]"), message, help)
            .and(format!("solids[{number}].motion"))
    };
    solids.always_outside(|| body_motion::looks(model)).into_iter().map(warning).collect()
}
