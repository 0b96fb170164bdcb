//! Warnings about emitters and sinks without effect: inflow that never starts, is blocked, overlaps
//! other inflow, or is removed at once.

use crate::layout::nozzle::{PENETRATION_TOLERANCE, nozzle};
use crate::model::{Domain, Inside, Model, SinkModel, SolidModel};
use crate::problem::Problem;
use hashfall_core::{Dimension, Vec3, format_significant, to_real};
use hashfall_geometry::Aabb;
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells};
use hashfall_solid::{Occlusion, Solids};
use hashfall_sph::world::{Emitter, OpenBoundaries};
use std::collections::BTreeMap;

/// Places of two nozzles are nearer than this where these share space, in spacings, whatever their
/// lattices: no place is farther from the nearest of a cubic lattice.
const SHARED: f64 = 0.87;

/// Warnings of emitters and sinks, as built, with this number of particles at the start.
pub fn emitter_lints(
    model: &Model,
    solids: &Solids,
    exchange: &OpenBoundaries,
    at_start: usize,
) -> Vec<Problem> {
    let mut warnings = times(model, exchange);
    warnings.extend(no_room(model, exchange, at_start));
    warnings.extend(nozzles_overlap(model, exchange));
    warnings.extend(nozzles_in_moving_solids(model, solids, exchange));
    warnings.extend(sinks_at_openings(model, exchange));
    warnings.extend(sinks_outside(model));
    warnings
}

/// Emitters that give nothing, as they start too late or end too early.
fn times(model: &Model, exchange: &OpenBoundaries) -> Vec<Problem> {
    let (run_ends, d) = (model.frames.time(model.frames.count), 2.0 * model.particle_radius());
    let warning = |(i, emitter): (usize, &Emitter)| {
        let Emitter { start, end, .. } = *emitter;
        if start >= run_ends {
            let message = format!(
                "this emitter starts at {} s, after the end of the run at {} s",
                format_significant(start, 6),
                format_significant(run_ends, 6)
            );
            let help = "an earlier `start`, or more frames";
            let path = format!("emitters[{i}].start");
            return Some(Problem::warning(path, message, help).also_at("frames"));
        }
        let gives_none =
            end.is_finite() && emitter.layers_due(end, emitter.travel(0.0, end), d) == 0;
        gives_none.then(|| {
            let message = "this emitter ends before it has emitted a layer";
            let layer = d / emitter.speed_across();
            let help = format!("an `end` from {} s on", format_significant(start + layer, 6));
            let path = format!("emitters[{i}].end");
            Problem::warning(path, message, &help).also_at(format!("emitters[{i}].start"))
        })
    };
    exchange.emitters.iter().enumerate().filter_map(warning).collect()
}

/// Emitters whose nozzle never has room, as nothing takes particles away.
fn no_room(model: &Model, exchange: &OpenBoundaries, at_start: usize) -> Vec<Problem> {
    let Some(most) = exchange.most_particles.filter(|_| exchange.sinks.is_empty()) else {
        return Vec::new();
    };
    let d = 2.0 * model.particle_radius();
    let warning = |(i, emitter): (usize, &Emitter)| {
        let layers = emitter.layers_due(emitter.start, 0.0, d);
        let nozzle = (layers as usize).saturating_mul(emitter.places.len());
        (nozzle > 0 && at_start + nozzle > most).then(|| {
            let message = format!(
                "`emitters[{i}]` never emits: its nozzle needs {nozzle} particles, the scene \
                 starts with {at_start}, and there are no sinks"
            );
            let help = format!("{} or more, or `sinks`", at_start + nozzle);
            Problem::warning("max_particles", message, &help).also_at(format!("emitters[{i}]"))
        })
    };
    exchange.emitters.iter().enumerate().filter_map(warning).collect()
}

/// Two emitters that give fluid in the same place at the same time.
fn nozzles_overlap(model: &Model, exchange: &OpenBoundaries) -> Vec<Problem> {
    let emitters = &exchange.emitters;
    if emitters.len() < 2 {
        return Vec::new();
    }
    let d = 2.0 * model.particle_radius();
    let mut owners = Vec::new();
    let mut points: Vec<Vec3> = Vec::new();
    for (e, emitter) in emitters.iter().enumerate() {
        points.extend(nozzle(emitter, &emitter.places, d));
        owners.resize(points.len(), e);
    }
    let reach = to_real(SHARED * d);
    let (mut search, mut neighbors) = (SortedCells::default(), NeighborLists::default());
    search.rebuild(&points, reach);
    neighbors.build(&search, &points, reach);
    let mut first_meetings = BTreeMap::new();
    for (i, x) in points.iter().enumerate() {
        for &j in neighbors.of(i) {
            let (a, b) = (owners[i], owners[j as usize]);
            let at_once = |a: &Emitter, b: &Emitter| a.start < b.end && b.start < a.end;
            if a < b && at_once(&emitters[a], &emitters[b]) {
                first_meetings.entry((a, b)).or_insert(*x);
            }
        }
    }
    let problem = |((a, b), at): ((usize, usize), Vec3)| {
        let message = format!(
            "the nozzles of `emitters[{a}]` and `emitters[{b}]` overlap at ({:.4}, {:.4}, {:.4}): \
             the second emits nothing there",
            at.x, at.y, at.z
        );
        let help = "move one of the openings, or let one `start` when the other has come to its \
                    `end`; a nozzle is as deep as the support radius";
        Problem::warning(format!("emitters[{b}].from"), message, help)
            .also_at(format!("emitters[{a}].from"))
    };
    first_meetings.into_iter().map(problem).collect()
}

/// Emitters whose nozzle is a tunnel through what goes away.
fn nozzles_in_moving_solids(
    model: &Model,
    solids: &Solids,
    exchange: &OpenBoundaries,
) -> Vec<Problem> {
    let r = to_real(PENETRATION_TOLERANCE * model.particle_radius());
    let nozzles: Vec<Vec<Vec3>> = exchange.emitters.iter().map(|it| full(it, model)).collect();
    let bounds: Vec<Aabb> = nozzles.iter().map(Aabb::around).collect();
    let mut warnings = Vec::new();
    for (k, body) in solids.moving_bodies() {
        let boxes = body.object_boxes();
        let around = boxes.iter().fold(Aabb::EMPTY, |all, it| all.union(it)).grown(r);
        let is_near = |i: &usize| bounds[*i].overlaps(&around);
        let candidates: Vec<usize> = (0..nozzles.len()).filter(is_near).collect();
        if candidates.is_empty() {
            continue;
        }
        let is_shell =
            matches!(&model.solids[k], SolidModel::Mesh(mesh) if mesh.inside == Inside::Hollow);
        let is_hollow = vec![is_shell; body.meshes().len()];
        let in_body: Vec<usize> = hashfall_search::with_broad_phase!(model.broad_phase, Broad => {
            let occlusion = Occlusion::<Broad>::new(&body, r, &is_hollow);
            let lies_in = |i: &usize| occlusion.occludes(&nozzles[*i], r).contains(&true);
            candidates.into_iter().filter(lies_in).collect()
        });
        for i in in_body {
            let message = format!(
                "the nozzle behind the opening lies in `solids[{k}]`, which moves: the nozzle does \
                 not move with it"
            );
            let help = "an opening in what stands; a nozzle is as deep as the support radius";
            let warning = Problem::warning(format!("emitters[{i}].from"), message, help);
            warnings.push(warning.also_at(format!("solids[{k}].motion")));
        }
    }
    warnings
}

/// Where the particles of a full nozzle stand.
fn full(emitter: &Emitter, model: &Model) -> Vec<Vec3> {
    nozzle(emitter, &emitter.places, 2.0 * model.particle_radius()).collect()
}

/// Sinks that take out what has just come out.
fn sinks_at_openings(model: &Model, exchange: &OpenBoundaries) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for (k, sink) in exchange.sinks.iter().enumerate() {
        for (i, emitter) in exchange.emitters.iter().enumerate() {
            // Where particles come free.
            let out = |place: &&Vec3| sink.takes(&emitter.at(place, model.particle_radius()));
            let (all, taken) = (emitter.places.len(), emitter.places.iter().filter(out).count());
            if taken > 0 {
                let message = format!(
                    "this sink covers the opening of `emitters[{i}]`: {taken} of {all} particles \
                     per layer are removed at once"
                );
                let help = "a sink away from openings";
                let warning = Problem::warning(format!("sinks[{k}]"), message, help);
                warnings.push(warning.also_at(format!("emitters[{i}].from")));
            }
        }
    }
    warnings
}

/// Sinks that no particle can come to.
fn sinks_outside(model: &Model) -> Vec<Problem> {
    let Domain::Box { min, max, .. } = &model.domain;
    let axes: &[usize] = if model.dimensions == Dimension::Two { &[0, 2] } else { &[0, 1, 2] };
    let is_outside = |sink: &SinkModel| match sink {
        SinkModel::Box { min: low, max: high } => {
            axes.iter().any(|&a| low[a] >= max[a] || high[a] <= min[a])
        }
        SinkModel::Ball { centre, radius } => {
            let apart = axes.iter().map(|&a| centre[a] - centre[a].clamp(min[a], max[a]));
            apart.map(|x| x * x).sum::<f64>() >= radius * radius
        }
    };
    let outside = (0..model.sinks.len()).filter(|&k| is_outside(&model.sinks[k]));
    let warning = |k: usize| {
        let message = "this sink lies outside the domain: no fluid reaches it";
        let help = "check where it lies, or make `domain` larger";
        Problem::warning(format!("sinks[{k}]"), message, help).also_at("domain")
    };
    outside.map(warning).collect()
}
