//! λ and ∇λ of one mesh that keeps its shape, on a sparse field of cells where particles come.
//!
//! What a mesh adds at a place does not change, so it is found once: at the corners of cubic cells,
//! with the gradient, and interpolated between ([`super::hermite`]). Cells are an eighth of the
//! support radius h wide, and are filled when a particle first comes into one, so that a mesh costs
//! what is wet of it. What a corner has is found from the mesh's hierarchy
//! ([`crate::mesh_tree`]).
//!
//! Away from the surface λ is smooth at edges and in corners, too, as it is an integral over all
//! within h. Across the surface it is not. So a cell is interpolated only if
//!
//! - the surface is nowhere in it: its middle is farther from every triangle than its corners; then
//!   all of it lies on one side of each wall, however thin that is;
//! - at a place off its middle, where both errors are large, λ is within [`TOLERANCE`] of the
//!   integral there, and h∇λ within twenty times that.
//!
//! In all others cells of half the width are tried, of a mesh that moves, and then the integral is
//! taken for each particle. As a particle's centre keeps a radius,
//! h/4 as a rule, from the surface, these are few.
//!
//! Where λ fades, its error may turn its sign, which tells the sides of the surface apart. A cell
//! is on one of them, so the sign is turned back: that leaves λ no more wrong, and ∇λ as it is.
//!
//! A cell's values depend on the mesh, on h and on where the cell is; on nothing before. So runs on
//! any number of threads, and resumed ones, see the same bits.
//!
//! Symbols: λ part of the kernel in the solid \[–\], h support radius \[m\].

use super::brick::{Brick, CellState, EDGE};
use super::bricks::{BrickRef, Bricks, brick_of};
use super::hermite::{Corner, interpolate};
use crate::integral::{Flux, PlaneTable};
use crate::mesh_tree::MeshTree;
use crate::precision::to_point;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;

/// Cells along a support radius.
const CELLS: f64 = 8.0;

/// Errors of λ with which a cell is interpolated, where it is probed \[–\].
pub(crate) const TOLERANCE: f64 = 1e-4;

/// The memory that a cell takes, with its list of triangles and halved ones \[bytes\].
const BYTES_PER_CELL: f64 = 48.0;

/// The number of halved cells around a mesh whose bricks are in a table \[–\].
const NEAR: f64 = 8.0;

/// Where a cell is probed, in its edges: along each axis where a cubic's error has its largest
/// slope or is largest itself.
const PROBE: [f64; 3] = [0.21, 0.5, 0.79];

/// Numbers of cells that are kept are no larger: the next fits in 32 bits, too.
const MAX_CELL: f64 = (1 << 30) as f64;

/// More than rounding takes from a distance \[–\].
const SLACK: f64 = 1e-3;

/// The triangles that a field is of, and what integrates over them.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub tree: &'a MeshTree,
    pub triangles: &'a [[Vec3; 3]],
    pub table: &'a PlaneTable,
}

/// What a mesh adds where particles have been.
#[derive(Debug)]
pub(crate) struct MeshField {
    /// h \[m\].
    support: f64,
    /// Of a cell \[m\].
    edge: f64,
    /// Where cells are counted from \[m\].
    origin: Point,
    pub(super) bricks: Bricks,
    /// Whether anything is kept.
    is_kept: bool,
    /// Of cells half as wide, where these do not do.
    finer: Option<Box<MeshField>>,
}

/// A place in a cell.
pub(super) struct CellPlace {
    pub cell: [i32; 3],
    /// Of the cell in its brick.
    pub number: usize,
    /// From its lowest corner, in its edges.
    pub inside: Point,
}

impl MeshField {
    /// Of which nothing is known yet, for particles of this support radius \[m\].
    #[allow(clippy::useless_conversion, reason = "a conversion only where Real is f32")]
    pub fn new(tree: &MeshTree, support: Real) -> Self {
        let support = f64::from(support);
        let bounds = tree.bounds();
        let extent = to_point(&bounds.max) - to_point(&bounds.min);
        let cells = [0, 1, 2].map(|a| -CELLS - 1.0..extent[a] * CELLS / support + CELLS + 1.0);
        MeshField {
            support,
            edge: support / CELLS,
            origin: to_point(&bounds.min),
            bricks: Bricks::new(cells),
            is_kept: true,
            finer: None,
        }
    }

    /// The same of a mesh that moves: cells near the surface are halved once, as particles of all
    /// bodies that share it come there.
    pub fn refined(tree: &MeshTree, support: Real) -> Self {
        let mut field = MeshField::new(tree, support);
        let edge = 0.5 * field.edge;
        let [low, high] = [&tree.bounds().min, &tree.bounds().max].map(to_point);
        let cells = [0, 1, 2].map(|a| -NEAR..(high[a] - low[a]) / edge + NEAR);
        let bricks = Bricks::new(cells);
        field.finer = Some(Box::new(MeshField { edge, bricks, ..MeshField::new(tree, support) }));
        field
    }

    /// The same if it `is_kept`; else all is found anew at each place.
    pub fn kept_if(self, is_kept: bool) -> Self {
        MeshField { is_kept, ..self }
    }

    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// About what a field comes to take of memory of a mesh with this surface \[m²\], for
    /// particles all around it of this support radius \[m\] \[bytes\].
    pub fn expected_bytes(area: f64, support: Real) -> f64 {
        // Cells within h of a surface of one to a few h.
        let layers = area / f64::from(support).powi(2);
        2.4 * layers * CELLS.powi(3) * BYTES_PER_CELL
    }

    /// Where a place is among the cells; `None` if it is too far to be counted.
    #[inline]
    pub(super) fn cell_of(&self, x: &Point) -> Option<CellPlace> {
        let seen = (x - self.origin) / self.edge;
        let low = seen.map(f64::floor);
        if low.amax() > MAX_CELL {
            return None;
        }
        let cell = [low.x as i32, low.y as i32, low.z as i32];
        Some(CellPlace { cell, number: within(cell), inside: seen - low })
    }

    /// What the mesh adds at `x` \[m\].
    pub fn flux(&self, source: &Source<'_>, x: &Point) -> Flux {
        let place = self.cell_of(x).filter(|_| self.is_kept);
        let Some(CellPlace { cell, number, inside }) = place else { return source.flux(x) };
        let brick = self.bricks.get(cell);
        let mut state = brick.state(number);
        if state == CellState::Unknown {
            state = self.classify(source, cell);
            brick.set_state(number, state);
        }
        match state {
            CellState::Interpolated => {
                let corners = self.corners(source, cell, &brick);
                let found = interpolate(&corners, &inside, self.edge);
                match is_astray(&corners, found.fraction) {
                    true => Flux { fraction: -found.fraction, ..found },
                    false => found,
                }
            }
            _ => self.finer.as_ref().map_or_else(|| source.flux(x), |it| it.flux(source, x)),
        }
    }

    /// What it takes of memory \[bytes\].
    pub fn bytes(&self) -> usize {
        self.bricks.bytes() + self.finer.as_ref().map_or(0, |finer| finer.bytes())
    }

    /// Tells what to do in a cell.
    fn classify(&self, source: &Source<'_>, cell: [i32; 3]) -> CellState {
        let low = self.place(cell);
        let middle = low.add_scalar(0.5 * self.edge);
        let reach = 0.5 * 3.0_f64.sqrt() * self.edge * (1.0 + SLACK);
        if source.comes_near(&middle, reach) {
            return CellState::Direct;
        }
        let corners = self.corners(source, cell, &self.bricks.get(cell));
        let probe = Point::from(PROBE);
        let found = interpolate(&corners, &probe, self.edge);
        let exact = source.flux(&(low + probe * self.edge));
        let error = (found.fraction - exact.fraction).abs();
        let turned = (found.gradient - exact.gradient).norm() * self.support;
        if error < TOLERANCE && turned < 20.0 * TOLERANCE {
            CellState::Interpolated
        } else {
            CellState::Direct
        }
    }

    /// What the corners of a cell have, found where it is not known.
    fn corners(&self, source: &Source<'_>, cell: [i32; 3], own: &Brick) -> [Corner; 8] {
        let home = brick_of(cell);
        // Each brick around the cell is looked for once; they are told as corners are.
        let mut others: [Option<BrickRef<'_>>; 8] = [const { None }; 8];
        std::array::from_fn(|k| {
            let corner: [i32; 3] = std::array::from_fn(|a| cell[a] + (k >> a & 1) as i32);
            let away = brick_of(corner);
            let other = (0..3).fold(0, |sum, a| sum | usize::from(away[a] != home[a]) << a);
            match other {
                0 => self.corner(source, corner, own),
                _ => {
                    let brick = others[other].get_or_insert_with(|| self.bricks.get(corner));
                    self.corner(source, corner, brick)
                }
            }
        })
    }

    fn corner(&self, source: &Source<'_>, corner: [i32; 3], brick: &Brick) -> Corner {
        let number = within(corner);
        brick.corner(number).unwrap_or_else(|| {
            let Flux { fraction, gradient } = source.flux(&self.place(corner));
            let slopes = gradient * self.edge;
            brick.set_corner(number, [fraction, slopes.x, slopes.y, slopes.z])
        })
    }

    /// The edge of a cell \[m\].
    pub(super) fn edge(&self) -> f64 {
        self.edge
    }

    /// Where a corner is \[m\].
    pub(super) fn place(&self, corner: [i32; 3]) -> Point {
        self.origin + Point::from(corner.map(f64::from)) * self.edge
    }
}

impl Source<'_> {
    fn flux(&self, x: &Point) -> Flux {
        self.tree.flux(self.triangles, self.table, x)
    }

    /// Whether a triangle is within `reach` \[m\] of a place.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn comes_near(&self, x: &Point, reach: f64) -> bool {
        self.tree.nearest(self.triangles, x, reach as Real, SurfaceId::WALL).is_some()
    }
}

/// Whether a value in a cell is on the wrong side of 0 by the error of interpolation. Where λ fades
/// it is smaller than that error, but its sign tells the sides of the surface apart, and all of a
/// cell is on one of them.
fn is_astray(corners: &[Corner; 8], value: f64) -> bool {
    let values = corners.iter().map(|corner| corner[0]);
    let bounds = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
    let [low, high] = values.fold([0.0; 2], bounds);
    if value < 0.0 { high >= -low && low > -TOLERANCE } else { -low > high && high < TOLERANCE }
}

/// The number of a cell in its brick.
fn within(cell: [i32; 3]) -> usize {
    let [x, y, z] = cell.map(|c| c.rem_euclid(EDGE) as usize);
    let edge = EDGE as usize;
    (z * edge + y) * edge + x
}

#[cfg(test)]
mod tests;
