//! The particles at the start: those of all shapes, displaced if asked for, clear of solids and of
//! each other.
//!
//! - Particles that start inside a solid, or closer than r to one, are left out and counted. One
//!   that is there only by its displacement stays in its place on the lattice instead.
//! - They are numbered by height, then y, then x, whichever shape they come from.
//! - Particles of two shapes start at least half a spacing apart. Those of boxes that do not
//!   overlap do: they lie a spacing apart and are displaced by at most a quarter along each axis.

use super::blocks::{Blocks, with_blocks};
use crate::layout::hydrostatic::{Column, Layer, Load};
use crate::layout::lattice;
use crate::layout::piece::Piece;
use crate::layout::real::real;
use crate::layout::rounded_box_tree::{Body, BodyTree};
use crate::model::limits::SLACK;
use crate::model::{FluidShape, Model, StartPressure};
use crate::problem::Problem;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Dimension, Real, Vec3, to_f64, vec3};
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells};
use hashfall_solid::Solids;
use hashfall_sph::world::{Particles, Solver};
use std::collections::BTreeMap;

/// A particle before it has a number.
struct Seed {
    /// Where it starts.
    position: Vec3,
    /// Its place without displacement.
    home: Vec3,
    /// What stands over it.
    layer: Layer,
    /// Number of its shape.
    piece: u32,
}

/// The particles that start clear of solids, and the number of those that do not.
///
/// # Errors
/// Two shapes that overlap.
pub fn particles(
    model: &Model,
    solver: &Solver,
    solids: &Solids,
    pieces: &[Piece],
) -> Result<(Particles, usize), Vec<Problem>> {
    let seeds = seeds(model, solver, pieces);
    let all = seeds.len();
    let r = real(model.particle_radius);
    let seeds = with_blocks(model, solids, |blocks| clear_of_solids(seeds, r, blocks));
    let overlaps = overlaps(model, &seeds, pieces);
    if !overlaps.is_empty() {
        return Err(overlaps);
    }
    let mut particles = Particles::default();
    for Seed { position, piece, layer, .. } in &seeds {
        let piece = &pieces[*piece as usize];
        let velocity = piece.velocity(&to_f64(position), -model.gravity[2]);
        let rest_density = model.fluids[piece.phase as usize].rest_density;
        let density = real(rest_density * layer.compression);
        particles.push(*position, vec3(velocity), piece.phase, density);
        if let Some(pressure) = particles.pressure.last_mut() {
            *pressure = real(rest_density * layer.potential);
        }
    }
    let removed = all - particles.len();
    Ok((particles, removed))
}

/// Particles of every shape.
fn seeds(model: &Model, solver: &Solver, pieces: &[Piece]) -> Vec<Seed> {
    let d = 2.0 * model.particle_radius;
    let mut seeds = Vec::new();
    let boxes: Vec<Body> =
        pieces.iter().map(|piece| Body::cuboid(piece.bounds[0], piece.bounds[1])).collect();
    let tree = BodyTree::new(&boxes);
    let column = |piece| column(piece, pieces, &tree, model, solver);
    let columns: Vec<Option<Column>> = pieces.iter().map(column).collect();
    let rest_density = |piece: &Piece| model.fluids[piece.phase as usize].rest_density;
    for (number, piece) in pieces.iter().enumerate() {
        let mut displaced = displaced(piece, model);
        seeds.extend(piece.points.iter().enumerate().map(|(k, &[x, y, z])| {
            // What was taken over stays where it was, under the same pressure.
            let source = piece.sources.get(k).map_or(number, |source| *source as usize);
            let floor = pieces[source].bounds[0][2];
            // A centre is half a spacing into its layer, so the cast finds its number.
            let layer = |column: &Column| column.layer(((z - floor) / d) as usize);
            let carried = columns[source].as_ref().map(layer);
            let home = [x, y, carried.map_or(z, |layer| floor + layer.height)];
            let layer = carried.map_or(Layer::AT_REST, |layer| Layer {
                potential: layer.potential * rest_density(&pieces[source]) / rest_density(piece),
                ..layer
            });
            let position = vec3(displaced(home));
            Seed { position, home: vec3(home), layer, piece: number as u32 }
        }));
    }
    seeds
}

/// The layers of a shape that carries its weight, if that is asked for.
fn column(
    piece: &Piece,
    pieces: &[Piece],
    tree: &BodyTree,
    model: &Model,
    solver: &Solver,
) -> Option<Column> {
    let FluidShape::Box { min, max, pressure: StartPressure::Hydrostatic, .. } = piece.shape else {
        return None;
    };
    let d = 2.0 * model.particle_radius;
    let layers = lattice::counts(model.dimensions, min, max, d)[2];
    // The model is checked: gravity is straight down.
    let g = -model.gravity[2];
    let densest = model.fluids.iter().map(|fluid| fluid.rest_density).fold(0.0, f64::max);
    let rest_density = model.fluids[piece.phase as usize].rest_density;
    let load = Load {
        above: g * mass_above(piece, pieces, tree, model) / rest_density,
        lightness: densest / rest_density,
    };
    Some(Column::new(solver, d, g, layers as usize, load))
}

/// The mass of other hydrostatic boxes over the middle of one, per area \[kg/m²\]; the tree is that
/// of the boxes around all pieces.
fn mass_above(piece: &Piece, pieces: &[Piece], tree: &BodyTree, model: &Model) -> f64 {
    let [low, high] = piece.bounds;
    let slack = SLACK * 2.0 * model.particle_radius;
    let [x, y] = [0, 1].map(|a| 0.5 * (low[a] + high[a]));
    let line = Body::cuboid([x, y, high[2] - slack], [x, y, f64::INFINITY]);
    let mut over = tree.touching(&line);
    // Sums are the same to the bit in the same order.
    over.sort_unstable();
    let masses = over.into_iter().map(|number| &pieces[number]).filter_map(|other| {
        let FluidShape::Box { min, max, pressure: StartPressure::Hydrostatic, .. } = other.shape
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
fn displaced(piece: &Piece, model: &Model) -> impl FnMut([f64; 3]) -> [f64; 3] {
    let (d, is_plane) = (2.0 * model.particle_radius, model.dimensions == Dimension::Two);
    let mut rng = piece.jitter().map(|jitter| (RandomStream::new(jitter.seed), jitter.amount * d));
    move |place| match &mut rng {
        None => place,
        Some((rng, reach)) => {
            let [x, y, z] = place.map(|x| x + *reach * (2.0 * rng.number() - 1.0));
            [x, if is_plane { place[1] } else { y }, z]
        }
    }
}

/// Those that lie clear of solids, in the order of their numbers.
fn clear_of_solids(mut seeds: Vec<Seed>, r: Real, blocks: &Blocks) -> Vec<Seed> {
    let places: Vec<Vec3> = seeds.iter().map(|seed| seed.position).collect();
    let mut is_blocked = blocks(&places, r);
    let was_displaced = |&i: &usize| is_blocked[i] && seeds[i].position != seeds[i].home;
    let back: Vec<usize> = (0..seeds.len()).filter(was_displaced).collect();
    if !back.is_empty() {
        let homes: Vec<Vec3> = back.iter().map(|&i| seeds[i].home).collect();
        for (&i, is_home_blocked) in back.iter().zip(blocks(&homes, r)) {
            seeds[i].position = seeds[i].home;
            is_blocked[i] = is_home_blocked;
        }
    }
    let mut is_blocked = is_blocked.into_iter();
    seeds.retain(|_| is_blocked.next() == Some(false));
    let order = |s: &Seed| [s.position.z, s.position.y, s.position.x];
    seeds.sort_by(|a, b| {
        let axes = order(a).into_iter().zip(order(b));
        axes.map(|(a, b)| a.total_cmp(&b)).find(|o| o.is_ne()).unwrap_or(a.piece.cmp(&b.piece))
    });
    seeds
}

/// A problem for each two shapes with particles closer than half a spacing to each other.
fn overlaps(model: &Model, seeds: &[Seed], pieces: &[Piece]) -> Vec<Problem> {
    let is_box = |piece: &Piece| matches!(piece.shape, FluidShape::Box { .. });
    if pieces.len() < 2 || pieces.iter().all(is_box) {
        return Vec::new();
    }
    let reach = real(model.particle_radius * (1.0 - SLACK));
    let points: Vec<Vec3> = seeds.iter().map(|seed| seed.position).collect();
    let (mut search, mut near) = (SortedCells::default(), NeighborLists::default());
    search.rebuild(&points, reach);
    near.build(&search, &points, reach);
    let mut first_meetings = BTreeMap::new();
    for (i, seed) in seeds.iter().enumerate() {
        for &j in near.of(i) {
            let (a, b) = (seed.piece, seeds[j as usize].piece);
            if a < b {
                first_meetings.entry((a, b)).or_insert(seed.position);
            }
        }
    }
    let problem = |(&(a, b), at): (&(u32, u32), &Vec3)| {
        let [a, b] = [a, b].map(|number| &pieces[number as usize].path);
        let message = format!(
            "{a} and {b} overlap: particles less than half a spacing apart at \
             ({:.4}, {:.4}, {:.4})",
            at.x, at.y, at.z
        );
        let help = "shapes of fluid may touch but not share space";
        Problem::error(b, message, help).and(a)
    };
    first_meetings.iter().map(problem).collect()
}
