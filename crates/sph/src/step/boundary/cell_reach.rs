//! Boxes around all points within the support radius h of a cell, safe from rounding: one query of
//! the broad phase then serves every particle of the cell.

use hashfall_core::cell::Cell;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;

/// The box of all points within `h` of a cell of size `h`, and no less for being rounded.
pub fn reach_of_cell(cell: Cell, h: Real) -> Aabb {
    let corner = Vec3::from(cell.map(|c| c as Real)) * h;
    Aabb::new(corner, corner.add_scalar(h)).grown(h + 2.0 * rounding(&corner, h))
}

/// More than rounding can take from a place and a reach of `h` around it \[m\].
pub fn rounding(x: &Vec3, h: Real) -> Real {
    4.0 * Real::EPSILON * (x.amax() + 2.0 * h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::cell::{CELL_LIMIT, cell_of};

    #[test]
    fn the_reach_of_a_cell_holds_all_that_its_points_reach_however_far_away() {
        let h: Real = 0.03;
        for c in [0, 1, -1, 777, -16411, 40_000, CELL_LIMIT - 2, 1 - CELL_LIMIT] {
            let reach = reach_of_cell([c, 0, 0], h);
            let edge = (f64::from(c) * f64::from(h)) as Real;
            let mut x = edge - 0.01 * h;
            while x < edge + 1.01 * h {
                let place = Vec3::new(x, 0.0, 0.0);
                if cell_of(&place, h)[0] == c {
                    let ball = Aabb::of_ball(&place, h + rounding(&place, h));
                    let exact = [f64::from(x) - f64::from(h), f64::from(x) + f64::from(h)];
                    for holder in [&ball, &reach] {
                        assert!(f64::from(holder.min.x) <= exact[0], "{c}: {x}");
                        assert!(f64::from(holder.max.x) >= exact[1], "{c}: {x}");
                    }
                }
                x = x.next_up().max(x + 1e-4 * h);
            }
        }
    }
}
