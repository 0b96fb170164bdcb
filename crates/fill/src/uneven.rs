//! Packs shapes of which a lattice gives another volume than was asked for.
//!
//! A shape stays on its lattice if the volume of its particles, those too near to solids left out,
//! is within half a layer of the volume that solids leave of it: ½ d A, with the section A where it
//! is the widest. Else as many particles as that volume asks for are packed
//! ([`crate::packing`]).

use crate::packing::{Cells, Grid, Lattice, Packing, SignedDistance, pack};
use crate::region::{Region, particle_volume};
use hashfall_core::{Dimension, Real, Vec3, to_real, vec3};

/// A box counts as flush with what a lattice leaves of it, in spacings.
const FLUSH: f64 = 1e-3;

/// What solids leave of space.
pub trait SolidSpace: Sync {
    /// Whether particles of a radius \[m\] at these places would lie in solids, or nearer to one.
    fn blocks(&self, points: &[Vec3], r: Real) -> Vec<bool>;

    /// The distance of a place to the nearest solid or wall, up to `reach`; negative inside \[m\].
    fn signed_distance(&self, x: &[f64; 3], reach: f64) -> f64;
}

/// How the particles of a shape are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Filling {
    /// The volume of the shape without what is cut off \[m³, in the plane m²\].
    pub volume: f64,
    /// What lies in solids or outside the domain \[m³, in the plane m²\].
    pub cut: f64,
    /// How far the volume of its particles may be from that, half a layer \[m³, in the plane m²\].
    pub tolerance: f64,
    /// Particles of its lattice that solids leave no room for.
    pub blocked: usize,
    /// Whether it is packed, instead of on its lattice.
    pub is_packed: bool,
}

/// A region on a lattice.
pub struct Layout<'a> {
    /// In how many dimensions.
    pub dimension: Dimension,
    /// What is filled.
    pub region: &'a dyn Region,
    /// Whether it ends at a level.
    pub is_level: bool,
    /// Particle spacing \[m\].
    pub d: f64,
}

impl Layout<'_> {
    /// Packs the region anew if its points on the lattice fill it badly between solids.
    pub fn pack_if_uneven(&self, space: &dyn SolidSpace, points: &mut Vec<[f64; 3]>) -> Filling {
        let Layout { dimension, region, is_level, d } = *self;
        let particle = particle_volume(dimension, d);
        let places: Vec<Vec3> = points.iter().map(|x| vec3(*x)).collect();
        let blocked = space.blocks(&places, to_real(0.5 * d));
        let blocked = blocked.into_iter().filter(|is_blocked| *is_blocked).count();
        let distance = |x: &[f64; 3], reach: f64| {
            let in_shape = region.signed_distance(x);
            if in_shape >= reach {
                in_shape
            } else {
                in_shape.max(-space.signed_distance(x, reach))
            }
        };
        let distance: &SignedDistance = &distance;
        let sample = || Cells::new(Grid::new(dimension, region.bounds(), d), distance);
        let (cells, cut) = if blocked > 0 {
            let cells = sample();
            let cut = self.cut(&cells);
            (Some(cells), cut)
        } else {
            (None, 0.0)
        };
        let volume = (region.volume() - cut).max(0.0);
        let bounds = match &cells {
            Some(cells) => cells.bounds(),
            None => region.bounds(),
        };
        let given = (points.len() - blocked) as f64 * particle;
        let count = (volume / particle).round();
        // The mean section is not as wide as the widest, and at hand.
        let mut tolerance = half_layer(volume, bounds, d);
        let is_even = (given - volume).abs() <= tolerance;
        let cells = if is_even { cells } else { Some(cells.unwrap_or_else(sample)) };
        if let (false, Some(cells)) = (is_even, &cells) {
            tolerance = 0.5 * d * cells.widest_section();
        }
        let is_packed = (given - volume).abs() > tolerance && count >= 1.0;
        let mut filling = Filling { volume, cut, tolerance, blocked, is_packed };
        if let (true, Some(cells)) = (is_packed, cells) {
            let lattice = lattice(dimension, bounds, d, is_level);
            *points = pack(&Packing { cells: &cells, distance, lattice, count: count as usize });
            filling.blocked = 0;
        }
        filling
    }

    /// The volume that solids take of it, by cells of what they leave \[m³, in the plane m²\]. Sums
    /// over cells err by as much of the shape with solids as of the shape alone.
    fn cut(&self, cells: &Cells) -> f64 {
        let grid = Grid::new(self.dimension, self.region.bounds(), self.d);
        let alone = Cells::new(grid, &|x, _| self.region.signed_distance(x)).volume();
        (alone - cells.volume()).max(0.0)
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
