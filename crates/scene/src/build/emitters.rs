//! Builds emitters and sinks from the model.
//!
//! A site of an opening is omitted if its particles would emerge in a solid, closer than 0.9 r to
//! one, or outside the domain. The solids that contain or surround the nozzle are determined once,
//! here.

use super::blocked::Blocked;
use super::blocked::with_blocked;
use crate::layout::nozzle::{PENETRATION_TOLERANCE, nozzle};
use crate::layout::opening::to_opening;
use crate::model::limits::MAX_PARTICLES;
use crate::model::{Domain, EmitterModel, Model, SinkModel};
use crate::problem::Problem;
use hashfall_core::{Vec3, format_significant, to_f64, to_real, vec3};
use hashfall_fill::opening::{self, Layer};
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_solid::Solids;
use hashfall_sph::world::{Emitter, OpenBoundaries, Sink};
use std::fmt::Display;

/// How near a particle may come free to a solid, in radii.
const CLEARANCE: f64 = 0.9;

/// Emitters and sinks of a checked model, with warnings; `meshes` are those of the openings,
/// placed, in order.
///
/// # Errors
/// Openings that let nothing out, and more particles than a scene may hold.
pub fn open_boundaries(
    model: &Model,
    solids: &Solids,
    meshes: &[TriangleMesh],
    at_start: usize,
) -> Result<(OpenBoundaries, Vec<Problem>), Vec<Problem>> {
    let (emitters, warnings) = if model.emitters.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        with_blocked(model, solids, |blocks| {
            emitters(model, Space { domain: &solids.domain, blocks }, meshes)
        })?
    };
    let sinks = model.sinks.iter().map(|sink| match *sink {
        SinkModel::Box { min, max } => Sink::Box { min, max },
        SinkModel::Ball { centre, radius } => Sink::Ball { centre, radius },
    });
    let most = model.max_particles.map(|most| most as usize);
    let open_boundaries = OpenBoundaries::new(emitters, sinks.collect(), most, model.fluids.len());
    match too_many(model, &open_boundaries, at_start) {
        Some(problem) => Err(vec![problem]),
        None => Ok((open_boundaries, warnings)),
    }
}

/// Where emitters are.
#[derive(Clone, Copy)]
struct Space<'a> {
    domain: &'a Aabb,
    /// What solids take of it.
    blocks: &'a Blocked<'a>,
}

/// All emitters, and what is odd about them.
fn emitters(
    model: &Model,
    space: Space,
    meshes: &[TriangleMesh],
) -> Result<(Vec<Emitter>, Vec<Problem>), Vec<Problem>> {
    let (mut problems, mut warnings, mut emitters) = (Vec::new(), Vec::new(), Vec::new());
    let mut meshes = meshes.iter();
    for (i, emitter) in model.emitters.iter().enumerate() {
        let mesh = if emitter.from.is_mesh() { meshes.next() } else { None };
        match self::emitter(model, space, i, emitter, mesh) {
            Ok((emitter, warning)) => {
                warnings.extend(warning);
                emitters.push(emitter);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok((emitters, warnings)) } else { Err(problems) }
}

/// An emitter, and what is odd about it.
fn emitter(
    model: &Model,
    space: Space,
    i: usize,
    said: &EmitterModel,
    mesh: Option<&TriangleMesh>,
) -> Result<(Emitter, Option<Problem>), Problem> {
    let (path, d) = (format!("emitters[{i}]"), 2.0 * model.particle_radius());
    let from = format!("{path}.from");
    let depth = (model.support_radius() / d - SLACK).ceil().max(1.0);
    let not_opening = |what: &dyn Display| {
        let help = "an opening is a flat piece of mesh; give each its own emitter";
        let message = format!("this mesh is not an opening: {what}");
        Problem::error(format!("{from}.path"), message, help)
    };
    let (dimension, around) = (model.dimensions, depth as u64);
    let opening = to_opening(&said.from, mesh).ok_or_else(|| not_opening(&"it is missing"))?;
    let count = opening::places(dimension, &opening, d, around);
    if count > MAX_PARTICLES {
        let message =
            format!("the opening has {} particles per layer", format_significant(count, 3));
        let help = "at most 20 million: a larger `particle_radius` or a smaller opening";
        return Err(Problem::error(from, message, help).also_at("particle_radius"));
    }
    let Layer { places, rim, normal } =
        opening::layer(dimension, &opening, d, around).map_err(|what| not_opening(&what))?;
    if places.is_empty() {
        let message = "the opening is too small for a particle";
        let help = "a larger opening or a smaller `particle_radius`";
        return Err(Problem::error(from, message, help).also_at("particle_radius"));
    }
    let direction = unit(said.direction.unwrap_or(normal));
    let mut emitter = Emitter {
        phase: model.fluid_of(said).unwrap_or(0) as u8,
        places: places.into_iter().map(vec3).collect(),
        normal,
        velocity: direction.map(|c| c * said.speed),
        start: said.start,
        end: said.end.unwrap_or(f64::INFINITY),
        depth: depth as u32,
        tunnel: Vec::new(),
        rim: rim.into_iter().map(vec3).collect(),
    };
    if emitter.speed_across() < MIN_COSINE * said.speed {
        let message = "`direction` is more than 60 degrees off the normal of the opening";
        let help = "the normal points in the direction of flow";
        return Err(Problem::error(format!("{path}.direction"), message, help).also_at(from));
    }
    let warning = clear_places(model, space, &mut emitter, &from)?;
    if let Some(problem) = across_periodic_side(model, &emitter, &from) {
        return Err(problem);
    }
    emitter.tunnel = in_solids(model, space, &emitter, &emitter.places);
    emitter.rim = in_solids(model, space, &emitter, &emitter.rim);
    Ok((emitter, warning))
}

/// The least part of the velocity across the opening: 60°.
const MIN_COSINE: f64 = 0.499;
/// Part of a spacing that rounding may take.
const SLACK: f64 = 1e-6;

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

/// Leaves out the places that are blocked; some of them are told.
fn clear_places(
    model: &Model,
    space: Space,
    emitter: &mut Emitter,
    from: &str,
) -> Result<Option<Problem>, Problem> {
    let r = model.particle_radius();
    let free: Vec<Vec3> = emitter.places.iter().map(|place| emitter.at(place, r)).collect();
    let mut blocked = (space.blocks)(&free, to_real(CLEARANCE * r));
    for (blocked, x) in blocked.iter_mut().zip(&free) {
        *blocked |= !space.domain.contains(x);
    }
    let (all, left_out) = (free.len(), blocked.iter().filter(|blocked| **blocked).count());
    let places = std::mem::take(&mut emitter.places);
    for (place, is_blocked) in places.into_iter().zip(blocked) {
        if is_blocked { &mut emitter.rim } else { &mut emitter.places }.push(place);
    }
    if emitter.places.is_empty() {
        let message = "the opening is blocked: all its particles would start in a solid or outside \
                       the domain";
        let help = "half a spacing in front of the opening must be free; its normal points into \
                    the domain";
        return Err(Problem::error(from, message, help).also_at("domain").also_at("solids"));
    }
    Ok((left_out > 0).then(|| {
        let message = format!(
            "{left_out} of {all} particles per layer are omitted: they would start in a solid or \
             outside the domain"
        );
        Problem::warning(from, message, "move the opening, or what is in front of it")
    }))
}

/// Where the layers of the nozzle have particles in solids, of those at `places` of the opening.
fn in_solids(model: &Model, space: Space, emitter: &Emitter, places: &[Vec3]) -> Vec<Vec3> {
    let mut all: Vec<Vec3> = nozzle(emitter, places, 2.0 * model.particle_radius()).collect();
    let in_solid = (space.blocks)(&all, to_real(PENETRATION_TOLERANCE * model.particle_radius()));
    let mut is_in = in_solid.iter();
    all.retain(|_| is_in.next() == Some(&true));
    all
}

/// Nozzles that reach across a periodic side would be on both.
fn across_periodic_side(model: &Model, emitter: &Emitter, from: &str) -> Option<Problem> {
    let Domain::Box { min, max, periodic, .. } = &model.domain;
    let back = -f64::from(emitter.depth) * 2.0 * model.particle_radius();
    let ends = [back, model.particle_radius()];
    let places =
        emitter.places.iter().flat_map(|place| ends.map(|s| to_f64(&emitter.at(place, s))));
    let mut outside =
        places.filter_map(|x| (0..3).find(|&a| periodic[a] && !(min[a]..max[a]).contains(&x[a])));
    let axis = ["x", "y", "z"][outside.next()?];
    let message =
        format!("the nozzle behind the opening crosses the periodic boundary along {axis}");
    let help = format!(
        "the nozzle is {} m deep: the support radius in whole layers",
        format_significant(-back, 3)
    );
    Some(Problem::error(from, message, &help).also_at("domain.periodic"))
}

/// More particles, by the last frame, than a scene may hold.
fn too_many(model: &Model, open_boundaries: &OpenBoundaries, at_start: usize) -> Option<Problem> {
    let d = 2.0 * model.particle_radius();
    let end = model.frames.time(model.frames.count);
    let emitted: f64 = open_boundaries.emitters.iter().map(|it| it.particles_due(end, d)).sum();
    let held = open_boundaries.most_at(end, at_start, d);
    let paths = (0..open_boundaries.emitters.len()).map(|i| format!("emitters[{i}].speed"));
    if held > MAX_PARTICLES {
        let message = format!(
            "{} particles by the last frame: a scene holds at most 20 million",
            format_significant(held, 3)
        );
        let help = "a larger `particle_radius`, smaller openings, or `max_particles` with sinks";
        let problem = Problem::error("max_particles", message, help).also_at("emitters");
        return Some(problem.also_at_all(paths));
    }
    (at_start as f64 + emitted > f64::from(u32::MAX)).then(|| {
        let message = format!(
            "{} particles in total by the last frame exceed the range of their ids",
            format_significant(emitted, 3)
        );
        let help = "at most 4e9: fewer frames, or a larger `particle_radius`";
        Problem::error("emitters", message, help).also_at_all(paths)
    })
}
