//! Packs shapes of which a lattice gives another volume than was asked for.
//!
//! A shape stays on its lattice if the volume of its particles, those too near to solids left out,
//! is within half a layer of the volume that solids leave of it: ½ d A, with the section A where it
//! is the widest. Else as many particles as that volume asks for are packed
//! ([`hashfall_fill::packing`]). What is taken over from other shapes, and random positions, stay
//! as they are.

use super::blocked::SolidSpace;
use crate::layout::filled_shape::{FilledShape, Filling};
use crate::model::{FluidShape, Model};
use hashfall_core::{Dimension, Vec3, to_real, vec3};
use hashfall_fill::packing::{Cells, Grid, Lattice, Packing, SignedDistance, pack};
use hashfall_fill::region::particle_volume;

/// A box counts as flush with what a lattice leaves of it, in spacings.
const FLUSH: f64 = 1e-3;

/// Packs a shape that its lattice fills badly between these solids.
pub fn pack_if_uneven(model: &Model, space: &dyn SolidSpace, shape: &mut FilledShape) {
    let Some(region) = &shape.region else { return };
    let (d, dimension) = (2.0 * model.particle_radius(), model.dimensions);
    let particle = particle_volume(dimension, d);
    let places: Vec<Vec3> = shape.points.iter().map(|x| vec3(*x)).collect();
    let blocked = space.blocks(&places, to_real(model.particle_radius()));
    let blocked = blocked.into_iter().filter(|is_blocked| *is_blocked).count();
    let distance = |x: &[f64; 3], reach: f64| {
        let in_shape = region.signed_distance(x);
        if in_shape >= reach { in_shape } else { in_shape.max(-space.signed_distance(x, reach)) }
    };
    let distance: &SignedDistance = &distance;
    let whole = region.volume();
    let sample = || Cells::new(Grid::new(dimension, region.bounds(), d), distance);
    // Sums over cells err by as much of the shape with solids as of the shape alone.
    let (cells, cut) = if blocked > 0 {
        let grid = Grid::new(dimension, region.bounds(), d);
        let alone = Cells::new(grid, &|x, _| region.signed_distance(x)).volume();
        let cells = sample();
        let cut = (alone - cells.volume()).max(0.0);
        (Some(cells), cut)
    } else {
        (None, 0.0)
    };
    let volume = (whole - cut).max(0.0);
    let [low, high] = match &cells {
        Some(cells) => cells.bounds(),
        None => region.bounds(),
    };
    let given = (shape.points.len() - blocked) as f64 * particle;
    let count = (volume / particle).round();
    // The mean section is not as wide as the widest, and at hand.
    let mut tolerance = half_layer(volume, [low, high], d);
    let is_even = (given - volume).abs() <= tolerance;
    let cells = if is_even { cells } else { Some(cells.unwrap_or_else(sample)) };
    if let (false, Some(cells)) = (is_even, &cells) {
        tolerance = 0.5 * d * cells.widest_section();
    }
    let is_packed = (given - volume).abs() > tolerance && count >= 1.0;
    shape.filling = Filling { volume, cut, tolerance, blocked, is_packed };
    if let (true, Some(cells)) = (is_packed, cells) {
        let is_level = matches!(shape.shape, FluidShape::Box(_) | FluidShape::Fill(_));
        let lattice = lattice(dimension, [low, high], d, is_level);
        let packing = Packing { cells: &cells, distance, lattice, count: count as usize };
        shape.points = pack(&packing);
        shape.laid = shape.points.len();
        shape.filling.blocked = 0;
    }
}

/// The volume of half a layer of particles in the mean section of a shape \[m³, in the plane m²\].
pub fn half_layer(volume: f64, [low, high]: [[f64; 3]; 2], d: f64) -> f64 {
    0.5 * d * volume / (high[2] - low[2]).max(d)
}

/// The lattice from which the packing of a region between two corners begins: stretched a little
/// across, so that it fits there, and as much shorter upwards; if the region ends at a level, or is
/// not a whole number of layers high, with its topmost layer half a spacing below, else about the
/// middle.
pub fn lattice(
    dimension: Dimension,
    [low, high]: [[f64; 3]; 2],
    d: f64,
    is_level: bool,
) -> Lattice {
    let (mut site, mut spacing) = (low, [d; 3]);
    let across: &[usize] = if dimension == Dimension::Two { &[0] } else { &[0, 1] };
    for &a in across {
        let length = high[a] - low[a];
        let layers = (length / d + FLUSH).floor().max(1.0);
        spacing[a] = (length / layers).max(d * (1.0 - FLUSH));
        site[a] = low[a] + 0.5 * spacing[a];
        spacing[2] *= d / spacing[a];
    }
    if dimension == Dimension::Two {
        site[1] = 0.0;
    }
    let layers = ((high[2] - low[2]) / spacing[2] + FLUSH).floor().max(1.0);
    let rest = (high[2] - low[2]) / spacing[2] - layers;
    // Half a layer or more, left at one side, holds points; divided between both it holds none.
    let shift = if is_level || rest > 0.5 { 0.5 } else { 0.5 * (rest + 1.0) };
    site[2] = high[2] - shift * spacing[2].max(d);
    Lattice { site, spacing }
}
