//! The marching-cubes grid: each hash cell of size h is a block of n³ cells.
//!
//! The edge of a marching-cubes cell is h/n with n = round(h/(cell · r)), so that cells divide the
//! hash cell exactly: at the usual h = 4r and cell 0.5, n = 8. A block owns the n³ grid points at
//! the low corners of its cells, and the grid edges that start there; the points on its upper
//! faces belong to its neighbours. All coordinates are relative to the block's lowest corner, so
//! that a scene far from the origin loses nothing but the rounding of the final positions.
//!
//! Symbols: h support radius and block edge \[m\], r particle radius \[m\], c = h/n spacing \[m\].

use crate::base::cell::cell_of_key;
use crate::base::{Dimension, Real, Vec3, to_f64, vec3};
use crate::kernel::CubicSpline;
use crate::world;

/// Numbers that are computed side by side: vertices of a batch, and the unit of rows of values.
pub(super) const LANES: usize = 8;

/// The finest division: a row of points and the first of the next block fit one word of bits.
const MAX_DIVISION: usize = 32;

/// Size and division of the blocks, and where the surface lies in the field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Block edge and support radius h \[m\].
    pub h: Real,
    /// Marching-cubes cells along a block's edge.
    pub n: usize,
    /// Distance of grid points c = h/n \[m\].
    pub spacing: Real,
    /// Points with a larger field value are inside.
    pub iso: Real,
    /// The splatted kernel.
    pub kernel: CubicSpline,
}

impl Grid {
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(h: Real, settings: &world::Surface, particle_radius: Real) -> Self {
        let wanted = f64::from(h) / (settings.cell * f64::from(particle_radius));
        // A float that is not a number or negative becomes 0 here.
        let n = (wanted.round() as usize).clamp(1, MAX_DIVISION);
        Grid {
            h,
            n,
            spacing: h / n as Real,
            iso: settings.iso as Real,
            kernel: CubicSpline::new(Dimension::Three, h),
        }
    }

    /// The lowest corner of a block \[m\].
    pub fn origin(&self, block: u64) -> [f64; 3] {
        cell_of_key(block).map(|i| f64::from(i) * f64::from(self.h))
    }

    /// Length of a row of values: n, padded to whole lanes.
    pub fn stride(&self) -> usize {
        self.n.next_multiple_of(LANES)
    }

    /// Where the value of a block's own grid point lies.
    #[inline(always)]
    pub fn value_index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.n + y) * self.stride() + x
    }

    /// A grid point relative to the block's lowest corner \[m\].
    #[inline(always)]
    pub fn local(&self, at: [usize; 3]) -> Vec3 {
        Vec3::from(at.map(|i| i as Real)) * self.spacing
    }
}

/// A point relative to an origin.
#[inline(always)]
pub(super) fn relative(point: &Vec3, origin: &[f64; 3]) -> Vec3 {
    let p = to_f64(point);
    vec3([p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]])
}

/// The point at an offset from an origin.
#[inline(always)]
pub(super) fn absolute(local: &Vec3, origin: &[f64; 3]) -> Vec3 {
    let p = to_f64(local);
    vec3([p[0] + origin[0], p[1] + origin[1], p[2] + origin[2]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell::cell_key;

    #[test]
    fn cells_divide_the_block_and_odd_settings_are_clamped() {
        let division = |cell: f64| Grid::new(0.4, &world::Surface { cell, iso: 0.6 }, 0.1).n;
        assert_eq!(division(0.5), 8);
        assert_eq!(division(0.75), 5);
        assert_eq!(division(1.0), 4);
        assert_eq!(division(100.0), 1);
        assert_eq!([division(1e-9), division(0.0)], [32, 32]);
        assert_eq!([division(-1.0), division(f64::NAN)], [1, 1]);
    }

    #[test]
    fn local_coordinates_keep_their_precision_far_from_the_origin() {
        let grid = Grid::new(0.25, &world::Surface::default(), 0.0625);
        let origin = grid.origin(cell_key([4000, -4000, 7]));
        assert_eq!(origin, [1000.0, -1000.0, 1.75]);
        let local = Vec3::new(0.125, 0.0625, 0.25);
        assert_eq!(relative(&absolute(&local, &origin), &origin), local);
    }
}
