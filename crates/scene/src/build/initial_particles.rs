//! The initial particles of all shapes: jittered if the scene says so, clear of solids and of each
//! other.
//!
//! - Particles inside a solid, or closer than r to one, are removed and counted. A particle that is
//!   there only because of its jitter stays at its lattice site instead.
//! - Particles are numbered by height, then y, then x, regardless of their shape.
//! - Particles of two shapes must be at least half a spacing apart. Boxes that do not overlap
//!   satisfy this: their particles are a spacing apart and jitter is at most a quarter along each
//!   axis.

use super::blocked::Blocked;
use super::initial_velocities::velocity_problem;
use crate::check::overlap_help;
use crate::layout::filled_shape::FilledShape;
use crate::layout::hydrostatic::{Column, Layer, Load};
use crate::model::limits::SLACK;
use crate::model::{BoxShape, FillShape, FluidShape, Model, StartPressure, VelocityField};
use crate::problem::Problem;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Dimension, Real, Vec3, to_f64, to_real, vec3};
use hashfall_fill::lattice;
use hashfall_fill::rounded_box_tree::{RoundedBox, RoundedBoxTree};
use hashfall_fill::uneven::SolidSpace;
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells};
use hashfall_sph::world::{Particles, Solver};
use std::collections::BTreeMap;

/// A given particle is in a solid if its centre is deeper than this, in radii.
const BURIED: Real = 1e-3;

/// A particle before it has a number.
struct Candidate {
    /// Where it starts.
    position: Vec3,
    /// Its place without displacement.
    lattice_position: Vec3,
    /// What stands over it.
    layer: Layer,
    /// Number of its shape.
    filled_shape: u32,
    /// Its number among the places of that.
    place: u32,
}

/// The particles that start clear of solids, and of each shape the number of those that do not.
///
/// # Errors
/// Two shapes that overlap, and velocities that no particle can start with.
pub fn particles(
    model: &Model,
    solver: &Solver,
    space: &dyn SolidSpace,
    filled_shapes: &[FilledShape],
) -> Result<(Particles, Vec<usize>), Vec<Problem>> {
    let candidates = candidates(model, solver, filled_shapes);
    let r = to_real(model.particle_radius());
    let blocks: &Blocked = &|points, r| space.blocks(points, r);
    let buried = buried(&candidates, filled_shapes, r, blocks);
    if !buried.is_empty() {
        return Err(buried);
    }
    let candidates = clear_of_solids(candidates, filled_shapes, r, blocks);
    let overlaps = overlaps(model, &candidates, filled_shapes);
    if !overlaps.is_empty() {
        return Err(overlaps);
    }
    let displaced = displaced_velocities(model, &candidates, filled_shapes);
    if !displaced.is_empty() {
        return Err(displaced);
    }
    let mut particles = Particles::default();
    for Candidate { position, filled_shape, layer, place, .. } in &candidates {
        let (filled_shape, place) = (&filled_shapes[*filled_shape as usize], *place as usize);
        let velocity = filled_shape.velocity(place, &to_f64(position), -model.gravity[2]);
        let rest_density = model.fluids[filled_shape.phase as usize].rest_density;
        let density = filled_shape.given(place, |given| &given.densities).copied();
        let density = to_real(density.unwrap_or(rest_density * layer.compression));
        particles.push(*position, vec3(velocity), filled_shape.phase, density);
        if let Some(last) = particles.pressure.last_mut() {
            let pressure = filled_shape.given(place, |given| &given.pressures).copied();
            *last = to_real(pressure.unwrap_or(rest_density * layer.potential));
        }
    }
    let mut removed: Vec<usize> = filled_shapes.iter().map(|shape| shape.points.len()).collect();
    candidates.iter().for_each(|kept| removed[kept.filled_shape as usize] -= 1);
    Ok((particles, removed))
}

/// Particles of every shape.
fn candidates(model: &Model, solver: &Solver, filled_shapes: &[FilledShape]) -> Vec<Candidate> {
    let d = 2.0 * model.particle_radius();
    let mut candidates = Vec::new();
    let boxes: Vec<RoundedBox> = filled_shapes
        .iter()
        .map(|filled_shape| RoundedBox::cuboid(filled_shape.bounds[0], filled_shape.bounds[1]))
        .collect();
    let tree = RoundedBoxTree::new(&boxes);
    let column = |filled_shape| column(filled_shape, filled_shapes, &tree, model, solver);
    let columns: Vec<Option<Column>> = filled_shapes.iter().map(column).collect();
    let rest_density =
        |filled_shape: &FilledShape| model.fluids[filled_shape.phase as usize].rest_density;
    for (number, filled_shape) in filled_shapes.iter().enumerate() {
        let mut jittered = jittered(filled_shape, model);
        candidates.extend(filled_shape.points.iter().enumerate().map(|(k, &[x, y, z])| {
            // What was taken over stays where it was, under the same pressure.
            let source = filled_shape.sources.get(k).map_or(number, |source| *source as usize);
            let floor = filled_shapes[source].bounds[0][2];
            let layer = |column: &Column| match filled_shapes[source].filling.is_packed {
                true => column.at(z - floor, d),
                // A centre is half a spacing into its layer, so the cast finds its number.
                false => column.layer(((z - floor) / d) as usize),
            };
            let carried = columns[source].as_ref().map(layer);
            let rises = |layer: Layer| match filled_shapes[source].filling.is_packed {
                true => z + (layer.height - (z - floor)),
                false => floor + layer.height,
            };
            let lattice_position = [x, y, carried.map_or(z, rises)];
            let layer = carried.map_or(Layer::AT_REST, |layer| Layer {
                potential: layer.potential * rest_density(&filled_shapes[source])
                    / rest_density(filled_shape),
                ..layer
            });
            let position = vec3(jittered(lattice_position));
            Candidate {
                position,
                lattice_position: vec3(lattice_position),
                layer,
                filled_shape: number as u32,
                place: k as u32,
            }
        }));
    }
    candidates
}

/// The layers of a shape that carries its weight, if that is asked for.
fn column(
    filled_shape: &FilledShape,
    filled_shapes: &[FilledShape],
    tree: &RoundedBoxTree,
    model: &Model,
    solver: &Solver,
) -> Option<Column> {
    let (FluidShape::Box(BoxShape { pressure: StartPressure::Hydrostatic, .. })
    | FluidShape::Fill(FillShape { pressure: StartPressure::Hydrostatic, .. })) =
        filled_shape.shape
    else {
        return None;
    };
    let d = 2.0 * model.particle_radius();
    let [min, max] = &filled_shape.bounds;
    let layers = lattice::counts(model.dimensions, min, max, d)[2].max(1);
    // The model is checked: gravity is straight down.
    let g = -model.gravity[2];
    let densest = model.fluids.iter().map(|fluid| fluid.rest_density).fold(0.0, f64::max);
    let rest_density = model.fluids[filled_shape.phase as usize].rest_density;
    // Packed fluid reaches up to its level, a lattice up to its last layer.
    let rest = match filled_shape.filling.is_packed {
        true => max[2] - min[2] - layers as f64 * d,
        false => 0.0,
    };
    let load = Load {
        above: g * mass_above(filled_shape, filled_shapes, tree, model) / rest_density + g * rest,
        lightness: densest / rest_density,
    };
    Some(Column::new(solver.settings(), d, g, layers as usize, load))
}

/// The mass of other hydrostatic boxes over the middle of one, per area \[kg/m²\]; the tree is that
/// of the boxes around all pieces.
fn mass_above(
    filled_shape: &FilledShape,
    filled_shapes: &[FilledShape],
    tree: &RoundedBoxTree,
    model: &Model,
) -> f64 {
    let [low, high] = filled_shape.bounds;
    let slack = SLACK * 2.0 * model.particle_radius();
    let [x, y] = [0, 1].map(|a| 0.5 * (low[a] + high[a]));
    let line = RoundedBox::cuboid([x, y, high[2] - slack], [x, y, f64::INFINITY]);
    let mut over = tree.touching(&line);
    // Sums are the same to the bit in the same order.
    over.sort_unstable();
    let masses = over.into_iter().map(|number| &filled_shapes[number]).filter_map(|other| {
        let FluidShape::Box(BoxShape { min, max, pressure: StartPressure::Hydrostatic, .. }) =
            other.shape
        else {
            return None;
        };
        let covers = |a: usize| (min[a]..=max[a]).contains(&(0.5 * (low[a] + high[a])));
        let is_above = min[2] >= high[2] - slack && covers(0) && covers(1);
        let rest_density = model.fluids[other.phase as usize].rest_density;
        is_above.then(|| rest_density * (max[2] - min[2]))
    });
    masses.sum()
}

/// Displaces one place after the other, if that is asked for.
fn jittered(filled_shape: &FilledShape, model: &Model) -> impl FnMut([f64; 3]) -> [f64; 3] {
    let (d, is_plane) = (2.0 * model.particle_radius(), model.dimensions == Dimension::Two);
    let mut rng =
        filled_shape.jitter().map(|jitter| (RandomStream::new(jitter.seed), jitter.amount * d));
    move |place| match &mut rng {
        None => place,
        Some((rng, reach)) => {
            let [x, y, z] = place.map(|x| x + *reach * (2.0 * rng.number() - 1.0));
            [x, if is_plane { place[1] } else { y }, z]
        }
    }
}

/// Those that lie clear of solids, in the order of their numbers.
///
/// What a file gives stays where it is: contact lets particles come a little closer than r.
fn clear_of_solids(
    mut candidates: Vec<Candidate>,
    filled_shapes: &[FilledShape],
    r: Real,
    blocks: &Blocked,
) -> Vec<Candidate> {
    let places: Vec<Vec3> = candidates.iter().map(|seed| seed.position).collect();
    let mut is_blocked = blocks(&places, r);
    for (is_blocked, seed) in is_blocked.iter_mut().zip(&candidates) {
        *is_blocked &= filled_shapes[seed.filled_shape as usize].given.is_none();
    }
    let was_displaced =
        |&i: &usize| is_blocked[i] && candidates[i].position != candidates[i].lattice_position;
    let back: Vec<usize> = (0..candidates.len()).filter(was_displaced).collect();
    if !back.is_empty() {
        let lattice_positions: Vec<Vec3> =
            back.iter().map(|&i| candidates[i].lattice_position).collect();
        for (&i, is_home_blocked) in back.iter().zip(blocks(&lattice_positions, r)) {
            candidates[i].position = candidates[i].lattice_position;
            is_blocked[i] = is_home_blocked;
        }
    }
    let mut is_blocked = is_blocked.into_iter();
    candidates.retain(|_| is_blocked.next() == Some(false));
    let order = |s: &Candidate| [s.position.z, s.position.y, s.position.x];
    candidates.sort_by(|a, b| {
        let axes = order(a).into_iter().zip(order(b));
        axes.map(|(a, b)| a.total_cmp(&b))
            .find(|o| o.is_ne())
            .unwrap_or(a.filled_shape.cmp(&b.filled_shape))
    });
    candidates
}

/// A problem for each shape of given particles whose centres lie in solids.
fn buried(
    candidates: &[Candidate],
    filled_shapes: &[FilledShape],
    r: Real,
    blocks: &Blocked,
) -> Vec<Problem> {
    let problem = |(number, shape): (usize, &FilledShape)| {
        let given = shape.given?;
        let seeds: Vec<&Candidate> =
            candidates.iter().filter(|seed| seed.filled_shape as usize == number).collect();
        let places: Vec<Vec3> = seeds.iter().map(|seed| seed.position).collect();
        let is_in = blocks(&places, BURIED * r);
        let first = is_in.iter().position(|is_in| *is_in)?;
        let count = is_in.iter().filter(|is_in| **is_in).count();
        let index =
            shape.indices.get(seeds[first].place as usize).map_or(0, |index| *index as usize);
        let at = places[first];
        let message = format!(
            "{count} of {} particles of the file lie inside solids; first: particle {} at \
             ({:.4}, {:.4}, {:.4})",
            places.len(),
            given.numbers.get(index).copied().unwrap_or(index),
            at.x,
            at.y,
            at.z
        );
        let help = "check `scale`, `translate` and `up`, or leave these particles out of the file";
        Some(Problem::error(format!("{}.path", shape.path), message, help).also_at("solids"))
    };
    filled_shapes.iter().enumerate().filter_map(problem).collect()
}

/// Problems of velocity fields where particles come to lie, which jitter and weight move off the
/// places that were laid.
fn displaced_velocities(
    model: &Model,
    candidates: &[Candidate],
    filled_shapes: &[FilledShape],
) -> Vec<Problem> {
    let mut places: BTreeMap<u32, Vec<(usize, [f64; 3])>> = BTreeMap::new();
    for seed in candidates {
        let start = filled_shapes[seed.filled_shape as usize].shape.start();
        if *start.initial_velocity != VelocityField::Still {
            let place = (seed.place as usize, to_f64(&seed.position));
            places.entry(seed.filled_shape).or_default().push(place);
        }
    }
    let problem = |(number, places): (u32, Vec<(usize, [f64; 3])>)| {
        velocity_problem(model, &filled_shapes[number as usize], places.into_iter())
    };
    places.into_iter().filter_map(problem).collect()
}

/// A problem for each two shapes with particles closer than half a spacing to each other.
fn overlaps(
    model: &Model,
    candidates: &[Candidate],
    filled_shapes: &[FilledShape],
) -> Vec<Problem> {
    let is_box = |filled_shape: &FilledShape| matches!(filled_shape.shape, FluidShape::Box(_));
    if filled_shapes.len() < 2 || filled_shapes.iter().all(is_box) {
        return Vec::new();
    }
    let reach = to_real(model.particle_radius() * (1.0 - SLACK));
    let points: Vec<Vec3> = candidates.iter().map(|seed| seed.position).collect();
    let (mut search, mut neighbors) = (SortedCells::default(), NeighborLists::default());
    search.rebuild(&points, reach);
    neighbors.build(&search, &points, reach);
    let mut first_meetings = BTreeMap::new();
    for (i, seed) in candidates.iter().enumerate() {
        for &j in neighbors.of(i) {
            let (a, b) = (seed.filled_shape, candidates[j as usize].filled_shape);
            if a < b {
                first_meetings.entry((a, b)).or_insert(seed.position);
            }
        }
    }
    let problem = |(&(a, b), at): (&(u32, u32), &Vec3)| {
        let [first, second] = [a, b].map(|number| &filled_shapes[number as usize]);
        let (a, b) = (&first.path, &second.path);
        let message = format!(
            "{a} and {b} overlap: particles less than half a spacing apart at \
             ({:.4}, {:.4}, {:.4})",
            at.x, at.y, at.z
        );
        let help = overlap_help([(a, first.shape), (b, second.shape)]);
        Problem::error(b, message, &help).also_at(a)
    };
    first_meetings.iter().map(problem).collect()
}
