//! Extended spatial hashing: smaller cells, and points with support radii of their own.
//!
//! Onderik & Ďurikovič 2008, §4.1: points are hashed into cells of size h′ = h/(2H + 1) (eq. 15),
//! and the neighbours of a point lie in the cells of the [H-mask](crate::cells::h_mask) around its
//! own (eq. 16, corrected). Larger masks hold the smaller ones, so each point may have a radius hᵢ
//! and with it a mask of its own (footnote 19): [`ExtendedHash::find_with_radii`] lists
//! Nᵢ = { j : |xᵢ − xⱼ| < hᵢ }. Masks are made once for each reach.
//!
//! Deviations:
//! - As in [`UniformHash`](crate::UniformHash) the table is unbounded and compares cells, and cells
//!   count from a fixed origin instead of the least corner.
//! - Where a mask has more cells than hold points, the latter are gone through instead: "naturally
//!   this ratio must be reasonably small", says the paper of hᵢ/h′; here it need not be.
//! - For radii of their own, h is the mean of the radii.
//!
//! `h` support radius, `h′` cell size \[m\].

use crate::cells::h_mask::{Row, SmallCells, count_in_mask, is_in_mask, mask};
use crate::cells::hashed_cells::HashedCells;
use crate::choice::settings::SearchSettings;
use crate::contract::{NeighborSearch, assert_count};
use crate::lists::chunk_lists::ChunkLists;
use crate::lists::neighbor_lists::NeighborLists;
use hashfall_core::cell::Cell;
use hashfall_core::{Real, Vec3, parallel};
use std::collections::BTreeMap;
use std::ops::Range;

/// Points in hashed cells smaller than their radii.
#[derive(Clone, Debug, Default)]
pub struct ExtendedHash {
    subdivision: u32,
    small: SmallCells,
    cells: HashedCells,
    cell_of_point: Vec<Cell>,
    /// The radius of each point \[m\]; empty if all have the same.
    radii: Vec<Real>,
    /// The reach of the largest radius.
    reach: u32,
    /// The masks that are needed, by reach.
    masks: BTreeMap<u32, Vec<Row>>,
}

impl NeighborSearch for ExtendedHash {
    fn configure(&mut self, settings: &SearchSettings) {
        self.subdivision = settings.subdivision;
    }

    fn rebuild(&mut self, points: &[Vec3], support_radius: Real) {
        self.radii.clear();
        self.small = SmallCells::new(support_radius, self.subdivision);
        self.reach = self.small.reach();
        self.index(points);
        self.need_mask(self.reach);
    }

    #[inline]
    fn candidates(&self, at: &Vec3, mut visit: impl FnMut(u32)) {
        let cell = self.small.of(at);
        self.visit_cells_around(cell, self.reach, |points| {
            points.iter().for_each(|&point| visit(point));
        });
    }

    #[inline]
    fn candidate_runs(&self, point: usize, _at: &Vec3, visit: impl FnMut(&[u32])) {
        let reach = self.radii.get(point).map_or(self.reach, |&h| self.small.reach_of(h));
        self.visit_cells_around(self.cell_of_point[point], reach, visit);
    }

    fn list(
        &self,
        points: &[Vec3],
        places: Range<usize>,
        limit: Real,
        _idle: &[bool],
        lists: &mut ChunkLists,
    ) {
        for i in places {
            let limit = self.radii.get(i).map_or(limit, |h| h * h);
            lists.push(self, points, i, limit);
        }
    }

    fn bytes(&self) -> usize {
        let masks = self.masks.values().map(|rows| size_of_val(&rows[..]));
        self.cells.bytes()
            + size_of_val(&self.cell_of_point[..])
            + size_of_val(&self.radii[..])
            + masks.sum::<usize>()
    }

    fn assert_well_formed(&self, points: &[Vec3]) {
        self.cells.assert_well_formed(points.len(), |point| self.small.of(&points[point]));
        assert_eq!(self.cell_of_point.len(), points.len());
        assert!(self.radii.is_empty() || self.radii.len() == points.len());
        self.masks.iter().for_each(|(&reach, rows)| assert_eq!(*rows, mask(reach)));
    }
}

impl ExtendedHash {
    /// Lists for each point i those closer than `radii[i]` \[m\]; j may so be in the list of i and
    /// i not in that of j.
    ///
    /// # Panics
    /// As [`NeighborSearch::rebuild`] for the mean of the radii; and unless there is one radius for
    /// each point, finite and positive.
    pub fn find_with_radii(&mut self, points: &[Vec3], radii: &[Real], lists: &mut NeighborLists) {
        assert_eq!(points.len(), radii.len(), "each point has a radius");
        let is_sound = |h: &Real| h.is_finite() && *h > 0.0;
        assert!(radii.iter().all(is_sound), "a radius is not finite and positive");
        let sum: f64 = radii.iter().map(|&h| f64::from(h)).sum();
        let mean = sum / radii.len().max(1) as f64;
        self.small = SmallCells::for_radii(mean as Real, self.subdivision);
        self.index(points);
        self.radii.clear();
        self.radii.extend_from_slice(radii);
        let largest = radii.iter().copied().fold(0.0, Real::max);
        self.reach = self.small.reach_of(largest);
        for &h in radii {
            self.need_mask(self.small.reach_of(h));
        }
        lists.build(self, points, largest);
    }

    /// Puts the points into cells.
    fn index(&mut self, points: &[Vec3]) {
        assert_count(points.len());
        self.small.assert_hold(points);
        self.cell_of_point.resize(points.len(), Cell::default());
        let small = self.small;
        parallel::fill(&mut self.cell_of_point, |i, cell| *cell = small.of(&points[i]));
        self.cells.rebuild(&self.cell_of_point);
    }

    /// Makes the mask of a reach unless there is one, or it is larger than all cells.
    fn need_mask(&mut self, reach: u32) {
        if count_in_mask(reach) <= self.cells.len() as u64 {
            self.masks.entry(reach).or_insert_with(|| mask(reach));
        }
    }

    /// Visits the points of each cell in the mask around a cell.
    #[inline(always)]
    fn visit_cells_around(&self, [x, y, z]: Cell, reach: u32, mut visit: impl FnMut(&[u32])) {
        let Some(rows) = self.masks.get(&reach) else {
            return self.visit_all_cells_around([x, y, z], reach, visit);
        };
        for row in rows {
            let [y, z] = [y.saturating_add(row.dy), z.saturating_add(row.dz)];
            for x in x.saturating_sub(row.half)..=x.saturating_add(row.half) {
                visit(self.cells.of([x, y, z]));
            }
        }
    }

    /// The same by going through all cells that hold points.
    fn visit_all_cells_around(&self, cell: Cell, reach: u32, mut visit: impl FnMut(&[u32])) {
        for (other, points) in self.cells.iter() {
            if is_in_mask(reach, cell, other) {
                visit(points);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::parallel::with_threads;

    fn check(points: &[Vec3], radii: &[Real], what: &str) {
        for (subdivision, threads) in [(0, 1), (1, 2), (2, 5), (3, 1)] {
            let settings = SearchSettings { subdivision, ..SearchSettings::default() };
            let mut hash = ExtendedHash::default();
            hash.configure(&settings);
            let mut lists = NeighborLists::default();
            // What is left of other points must not show.
            hash.rebuild(&[Vec3::zeros(); 5], 0.1);
            with_threads(threads, || hash.find_with_radii(points, radii, &mut lists));
            hash.assert_well_formed(points);
            for (i, (at, h)) in points.iter().zip(radii).enumerate() {
                let near = |j: &usize| (at - points[*j]).norm_squared() < h * h && *j != i;
                let wanted: Vec<u32> = (0..points.len()).filter(near).map(|j| j as u32).collect();
                assert_eq!(lists.of(i), wanted, "{what}, H = {subdivision}, point {i}");
            }
        }
    }

    #[test]
    fn points_with_radii_of_their_own_have_the_lists_of_brute_force() {
        let mut random = Random::new(12);
        let mut some = |count: usize, low: Real, high: Real| -> Vec<Vec3> {
            (0..count).map(|_| random.vec3(low, high)).collect()
        };
        let sets = [
            ("none", vec![]),
            ("one", some(1, 0.0, 1.0)),
            ("random", some(600, -0.3, 0.3)),
            ("sparse", some(400, -9.0, 9.0)),
            ("far away", some(400, 300.0, 300.3)),
            ("coincident", vec![Vec3::new(0.04, 0.0, -0.04); 60]),
            (
                "lattice",
                (0..512)
                    .map(|n| 0.04 * Vec3::from([n % 8, n / 8 % 8, n / 64].map(|c| c as Real)))
                    .collect(),
            ),
        ];
        let mut random = Random::new(13);
        for (name, points) in sets {
            let mut radii = |ratio: Real| -> Vec<Real> {
                points.iter().map(|_| 0.02 * random.real(1.0, ratio)).collect()
            };
            for ratio in [1.0, 1.5, 4.0, 20.0] {
                check(&points, &radii(ratio), &format!("{name}, ratio {ratio}"));
            }
            let two = |n: usize| if n.is_multiple_of(7) { 0.4 } else { 0.02 };
            let radii: Vec<Real> = (0..points.len()).map(two).collect();
            check(&points, &radii, &format!("{name}, two radii"));
        }
    }

    #[test]
    #[should_panic(expected = "finite and positive")]
    fn a_radius_of_zero_is_refused() {
        ExtendedHash::default().find_with_radii(
            &[Vec3::zeros()],
            &[0.0],
            &mut NeighborLists::default(),
        );
    }
}
