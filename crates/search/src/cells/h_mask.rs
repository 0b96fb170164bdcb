//! The H-mask: which cells smaller than the support radius lie around a cell.
//!
//! Onderik & Ďurikovič 2008, §4.1: cells of size h′ = h/(2H + 1) fit the ball of the neighbours
//! closer than 27 cells of size h do, at the price of more cells to look into.
//!
//! Deviation: as printed, eq. 16 takes the cells (s, t, u) with |h′(s, t, u)| < h and s, t, u from
//! −H to H, a cube of edge h around the point, and finds about a quarter of the neighbours (a test
//! counts them). Here the mask of *reach* R holds every cell whose box comes within R h′ of the box
//! of the centre cell: Σ max(|sₐ| − 1, 0)² < R² over the axes. R is 2H + 1 for all points of one
//! radius, and ⌊hᵢ/h′⌋ + 1 (footnote 19) for a point with a radius hᵢ of its own. The cells of a
//! mask come in *rows* along x, which have consecutive keys.
//!
//! # Rounding
//!
//! For H = 0 cells are those of [`cell_of`], and what `search` says of 27 cells
//! holds. For H > 0 a point must not be missed in a cell that the mask leaves out. Quotients x/h′
//! are made in double precision and are below 2²⁰, so they err by 2⁻³³ at most, and points whose
//! cells are s apart on an axis are really at least (|s| − 1)(1 − 2⁻³²)h′ apart there. Hence points
//! that the mask leaves out are really R h′(1 − 2⁻³²) apart. Their squared distance as computed
//! may be too small by six roundings, 6·2⁻²⁴ of it, and is still no less than h² as rounded: h′ is
//! too large by [`SPARE`], twice 2⁻²⁰. A radius whose square has few bits or none counts as a
//! larger one, for which this is true.
//!
//! `h` support radius, `h′` cell size \[m\].

use hashfall_core::cell::{Cell, NO_KEY, cell_key, cell_of, is_within_limit};
use hashfall_core::{Real, Vec3, parallel};

/// By how much of itself h′ is larger than need be, twice.
const SPARE: f64 = 1.0 / (1 << 20) as f64;

/// Squares below this may not have all their bits.
const MIN_SQUARE: Real = Real::MIN_POSITIVE * (1 << 20) as Real;

/// More cells than a mask can reach: there are no more.
const MAX_REACH: f64 = (1 << 22) as f64;

/// Cells of size h/(2H + 1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallCells {
    support_radius: Real,
    /// H.
    subdivision: u32,
    /// h′ \[m\]; none where cells are those of the support radius.
    size: Option<f64>,
}

impl Default for SmallCells {
    fn default() -> Self {
        SmallCells::new(0.0, 0)
    }
}

/// A radius as large at least as one whose square has all its bits.
fn with_square(radius: Real) -> f64 {
    radius.max(MIN_SQUARE.sqrt()).into()
}

impl SmallCells {
    /// The cells for a support radius \[m\] and H.
    pub fn new(support_radius: Real, subdivision: u32) -> Self {
        let small = SmallCells::for_radii(support_radius, subdivision);
        SmallCells { size: small.size.filter(|_| subdivision > 0), ..small }
    }

    /// The cells for points with a radius each, of about `support_radius` \[m\].
    pub fn for_radii(support_radius: Real, subdivision: u32) -> Self {
        let size = with_square(support_radius) / f64::from(2 * subdivision + 1);
        SmallCells { support_radius, subdivision, size: Some(size * (1.0 + 2.0 * SPARE)) }
    }

    /// The reach of the mask for the support radius, in cells.
    pub fn reach(&self) -> u32 {
        2 * self.subdivision + 1
    }

    /// The reach of the mask for a point with a radius of its own \[m\] (footnote 19).
    #[inline(always)]
    pub fn reach_of(&self, radius: Real) -> u32 {
        (with_square(radius) * (1.0 + SPARE) / self.size()).min(MAX_REACH) as u32 + 1
    }

    fn size(&self) -> f64 {
        self.size.unwrap_or(self.support_radius.into())
    }

    /// The cell of a point.
    #[inline(always)]
    pub fn of(&self, point: &Vec3) -> Cell {
        let Some(size) = self.size else {
            return cell_of(point, self.support_radius);
        };
        let index = |axis: usize| (f64::from(point[axis]) / size).floor() as i32;
        [index(0), index(1), index(2)]
    }

    /// The key of the cell of a point; [`NO_KEY`] if it is not finite or too far away.
    #[inline(always)]
    pub fn key_of(&self, point: &Vec3) -> u64 {
        let cell = self.of(point);
        let is_number = point.x.is_finite() & point.y.is_finite() & point.z.is_finite();
        if is_number && is_within_limit(cell) { cell_key(cell) } else { NO_KEY }
    }

    /// Panics if a point has no cell.
    pub fn assert_hold(&self, points: &[Vec3]) {
        let is_unfit = |i: usize| self.key_of(&points[i]) == NO_KEY;
        if let Some(at) = parallel::find_first(points.len(), is_unfit) {
            crate::contract::refuse_point(points, at, self.size());
        }
    }
}

/// Cells of a mask in a row along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub dy: i32,
    pub dz: i32,
    /// Cells on either side of the middle one.
    pub half: i32,
}

/// Whether the mask of a reach around a cell holds another.
#[inline(always)]
pub(crate) fn is_in_mask(reach: u32, centre: Cell, other: Cell) -> bool {
    let gap = |axis: usize| {
        let steps = i64::from(other[axis]) - i64::from(centre[axis]);
        (steps.abs() - 1).max(0)
    };
    gap(0).pow(2) + gap(1).pow(2) + gap(2).pow(2) < i64::from(reach).pow(2)
}

/// About how many cells the mask of a reach holds; no less.
pub(crate) fn count_in_mask(reach: u32) -> u64 {
    (2 * u64::from(reach) + 1).saturating_pow(3)
}

/// The rows of the mask of a reach, from 1 on, by z, then y.
pub(crate) fn mask(reach: u32) -> Vec<Row> {
    let most = reach as i32;
    let places = (-most..=most).flat_map(|dz| (-most..=most).map(move |dy| (dy, dz)));
    let rows = places.filter_map(|(dy, dz)| {
        let is_in = |&x: &i32| is_in_mask(reach, Cell::default(), [x, dy, dz]);
        let half = (0..=most).take_while(is_in).last()?;
        Some(Row { dy, dz, half })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn reach_one_is_the_27_cells_and_larger_masks_lose_their_corners() {
        let rows = mask(1);
        assert_eq!((rows.len(), rows[0]), (9, Row { dy: -1, dz: -1, half: 1 }));
        let cells = |reach| mask(reach).iter().map(|row| 2 * row.half + 1).sum::<i32>();
        assert_eq!([1, 3, 5, 7].map(cells), [27, 311, 1015, 2399]);
        // Rows of a cell follow each other in the order of keys.
        assert!(mask(7).is_sorted_by_key(|row| (row.dz, row.dy)));
    }

    /// What eq. 16 as printed finds of the neighbours of a random point, and what the mask does.
    #[test]
    fn equation_16_as_printed_finds_about_a_quarter_of_the_neighbours() {
        let mut random = Random::new(5);
        let points: Vec<Vec3> = (0..2000).map(|_| random.vec3(-1.5, 1.5)).collect();
        for subdivision in 1..=3 {
            let cells = SmallCells::new(1.0, subdivision);
            let most = subdivision as i32;
            let (mut all, mut printed) = (0, 0);
            for a in &points {
                for b in points.iter().filter(|b| (a - *b).norm_squared() < 1.0) {
                    let (from, to) = (cells.of(a), cells.of(b));
                    let steps = [0, 1, 2].map(|axis| to[axis] - from[axis]);
                    let length = steps.iter().map(|s| s.pow(2)).sum::<i32>();
                    let is_near = length < (2 * most + 1).pow(2);
                    all += 1;
                    printed += u32::from(is_near && steps.iter().all(|s| s.abs() <= most));
                    assert!(is_in_mask(cells.reach(), from, to));
                }
            }
            let part = f64::from(printed) / f64::from(all);
            assert!((0.2..0.3).contains(&part), "H = {subdivision}: {part}");
        }
    }

    #[test]
    fn pairs_that_the_mask_leaves_out_are_no_neighbours_wherever_they_lie() {
        let mut random = Random::new(6);
        for subdivision in 1..=3 {
            for radius in [0.04, 0.3, 0.25, 1e-18] {
                let cells = SmallCells::new(radius, subdivision);
                for n in 0..40_000 {
                    let far = radius * (1 << (n % 17)) as Real;
                    let a = random.vec3(-far, far);
                    // About h apart, mostly along the diagonals of cells.
                    let step = radius * random.real(0.999_99, 1.0) / cells.reach() as Real;
                    let edges = cells.reach() as Real;
                    let away = Vec3::from_fn(|_, _| random.real(-edges, edges).round() * step);
                    let b = a + away;
                    if (a - b).norm_squared() < radius * radius {
                        let is_in = is_in_mask(cells.reach(), cells.of(&a), cells.of(&b));
                        assert!(is_in, "{a} and {b}, H = {subdivision}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_radius_of_its_own_has_the_reach_of_the_footnote() {
        let cells = SmallCells::new(0.04, 2);
        assert_eq!((cells.reach(), cells.reach_of(0.04), cells.reach_of(0.004)), (5, 5, 1));
        assert_eq!(cells.reach_of(0.4), 50);
    }

    #[test]
    fn radii_without_a_square_have_large_cells() {
        let cells = SmallCells::new(Real::MIN_POSITIVE, 3);
        assert!(cells.size() > 1e9 * f64::from(Real::MIN_POSITIVE));
        assert_eq!(cells.reach_of(Real::MIN_POSITIVE), 7);
    }
}
