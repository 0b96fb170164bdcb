//! The kernel over the inside of a closed mesh, exactly, as a sum over the edges of its triangles.
//!
//! Idea: Winchenbach, Akhunov & Kolb, Semi-analytic boundary handling below particle resolution for
//! smoothed particle hydrodynamics (2020), integrate the kernel over what triangles bound. Here
//! Gauss' theorem is used twice, and all that is needed of the kernel is the part L(ζ) of a half
//! space at distance ζ. A half space is the integral of f(r) = L″(r)/(2πr) around the particle, and
//! so is any solid, with no overlap to take off at edges and corners:
//!
//! - λ = ∫ f dV = ∮ F (−n·r̂)/r² dA, with F(r) = ∫ᵣʰ f s² ds = (L − r L′)/(2π)
//! - ∇λ = −∮ f n dA
//!
//! over the surface, its normal n outwards. On the plane of a triangle at height ζ both are
//! functions of the distance ρ from the particle's foot, r² = ζ² + ρ², so that they are sums over
//! the edges, seen from the foot under the angle θ:
//!
//! - λ = Σ ± 1/2π ∫ (L(ζ) − ζ L(r)/r) dθ
//! - ∇λ = Σ n/2π ∫ (L′(ζ) − L′(r)) dθ
//!
//! with + where the particle is in front. A face all around the foot has θ = 2π: the first terms
//! are the plane, the second what its edges take away. Beyond h, where L = 0, the angle is enough;
//! within, dθ = e dt/ρ² along an edge at distance e from the foot, and as the bracket grows as ρ²,
//! nothing is singular there. Gauss' rule is applied in v = t/(s + r), s² = ζ² + e², with which
//! r = s (1 + v²)/(1 − v²) needs no root. Triangles that are small for their distance need no
//! edges: a rule of a few points on their area does.
//!
//! Inside a shell the signs turn: λ is what is solid all around, and the sum comes out negative.
//!
//! Symbols: λ part of the kernel in the solid \[–\], t place along an edge, h support radius \[m\].

use super::plane_table::PlaneTable;
use crate::precision::to_vec3;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use std::f64::consts::TAU;

/// What triangles add to λ and to ∇λ \[1/m\], in front of them positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flux {
    pub fraction: f64,
    pub gradient: Point,
}

/// Nodes on (0, 1) and weights of Gauss' rule on (−1, 1), for half of them.
pub(super) type Rule = &'static [(f64, f64)];

/// So long is a stretch in v for which each rule does: it is within 1e-5 of λ.
pub(super) const RULES: [(f64, Rule); 4] = [
    (0.15, &[(0.577_350_269_189_625_7, 1.0)]),
    (
        0.5,
        &[
            (0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
            (0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
        ],
    ),
    (
        1.0,
        &[
            (0.238_619_186_083_196_9, 0.467_913_934_572_691),
            (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
            (0.932_469_514_203_152, 0.171_324_492_379_170_3),
        ],
    ),
    (
        f64::INFINITY,
        &[
            (0.183_434_642_495_649_8, 0.362_683_783_378_361_9),
            (0.525_532_409_916_329, 0.313_706_645_877_887_1),
            (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
            (0.960_289_856_497_536_3, 0.101_228_536_290_376_2),
        ],
    ),
];

/// For each corner of a triangle a point with this weight, of which the part is this, and the
/// others' half of what is left.
pub(super) type AreaRule = &'static [(f64, f64)];

/// Up to this ratio of its longest edge to its distance a triangle is small enough for each rule,
/// of degree 2 and 4 (Dunavant 1985): within 2e-5 of λ.
pub(super) const AREA_RULES: [(f64, AreaRule); 2] = [
    (0.3, &[(1.0 / 3.0, 2.0 / 3.0)]),
    (
        1.0,
        &[
            (0.223_381_589_678_011, 0.108_103_018_168_070),
            (0.109_951_743_655_322, 0.816_847_572_980_459),
        ],
    ),
];

/// A triangle whose doubled area is this part of its longest edge squared has none but by rounding.
pub(super) const NO_AREA: f64 = 1e-12;

/// No part of an edge is taken to be nearer to the particle or its foot than this, in h.
pub(super) const MIN_DISTANCE: f64 = 1e-6;

impl Flux {
    pub const NONE: Flux = Flux { fraction: 0.0, gradient: Point::new(0.0, 0.0, 0.0) };

    /// Adds a triangle, whose corners are relative to the particle, at its distance \[m\].
    pub fn add(&mut self, table: &PlaneTable, corners: &[Point; 3], distance: f64) {
        let ([a, b, c], h) = (corners, table.reach());
        if distance >= h {
            return;
        }
        let normal = (b - a).cross(&(c - a));
        let edges = [(b - a).norm_squared(), (c - b).norm_squared(), (a - c).norm_squared()];
        let longest_square = edges.into_iter().fold(0.0, f64::max);
        let doubled_area = normal.norm();
        // This is rounding; a needle like this has no area to speak of.
        if doubled_area <= NO_AREA * longest_square {
            return;
        }
        let is_small =
            |(most, _): &&(f64, AreaRule)| longest_square < most * most * distance * distance;
        if let Some((_, rule)) = AREA_RULES.iter().find(is_small) {
            return self.add_small(table, corners, &normal, rule);
        }
        let normal = normal / doubled_area;
        let behind = normal.dot(a);
        let height = behind.abs();
        if height >= h {
            return;
        }
        let sums = Plane::new(table, height).over(&[*b, *c, *a], &normal);
        let side = if behind < 0.0 { 1.0 } else { -1.0 };
        self.fraction += side * sums[0] / TAU;
        self.gradient += normal * (sums[1] / TAU);
    }

    /// Adds a triangle that is small for its distance. `normal` is twice its area long.
    fn add_small(
        &mut self,
        table: &PlaneTable,
        corners: &[Point; 3],
        normal: &Point,
        rule: AreaRule,
    ) {
        let behind = normal.dot(&corners[0]);
        let whole = corners[0] + corners[1] + corners[2];
        let mut sums = [0.0; 2];
        for &(weight, part) in rule {
            let others = 0.5 * (1.0 - part);
            for corner in corners {
                let at = corner * (part - others) + whole * others;
                let square = at.norm_squared();
                let r = square.sqrt();
                let ([value, slope], curved) = table.with_curvature(r);
                sums[0] += weight * (value - r * slope) / (square * r);
                sums[1] += weight * curved / r;
            }
        }
        let share = 0.5 / TAU;
        self.fraction -= share * behind * sums[0];
        self.gradient -= normal * (share * sums[1]);
    }

    /// The solid's part, whichever side of the surface is solid.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn part(&self) -> (Real, Vec3) {
        let side = if self.fraction < 0.0 { -1.0 } else { 1.0 };
        ((side * self.fraction) as Real, to_vec3(&(self.gradient * side)))
    }
}

/// The plane of a triangle, seen from a particle.
pub(super) struct Plane<'a> {
    table: &'a PlaneTable,
    /// ζ \[m\].
    height: f64,
    /// ζ² \[m²\].
    square: f64,
    /// L(ζ) and L′(ζ).
    at_foot: [f64; 2],
}

impl<'a> Plane<'a> {
    /// The plane at this height \[m\].
    pub(super) fn new(table: &'a PlaneTable, height: f64) -> Self {
        Plane { table, height, square: height * height, at_foot: table.at(height) }
    }

    /// What a polygon of this unit normal on it adds to both sums, all angles seen from its front.
    pub(super) fn over(&self, corners: &[Point], normal: &Point) -> [f64; 2] {
        let foot = normal * normal.dot(&corners[0]);
        let mut sums = [0.0; 2];
        let mut start = &corners[corners.len() - 1];
        for end in corners {
            let (from, along) = (start - foot, end - start);
            let length = along.norm();
            if length > 0.0 {
                let along = along / length;
                let aside = normal.dot(&from.cross(&along));
                let first = from.dot(&along);
                let of_edge = self.edge(aside, first, first + length);
                sums = [sums[0] + of_edge[0], sums[1] + of_edge[1]];
            }
            start = end;
        }
        sums
    }

    /// ∫ (L(ζ) − ζ L(r)/r) dθ and ∫ (L′(ζ) − L′(r)) dθ over the edge from `first` to `last` along a
    /// line that passes the foot at distance `aside`, on its right if negative \[m\].
    fn edge(&self, aside: f64, first: f64, last: f64) -> [f64; 2] {
        let h = self.table.reach();
        let aside_square = aside * aside;
        let nearest_square = self.square + aside_square;
        let angle = |from: f64, to: f64| libm::atan2(aside * (to - from), aside_square + from * to);
        let half_chord = (h * h - nearest_square).max(0.0).sqrt();
        let (low, high) = (first.max(-half_chord), last.min(half_chord));
        if low >= high {
            return self.at_foot.map(|value| value * angle(first, last));
        }
        let mut beyond = 0.0;
        if first < low {
            beyond += angle(first, low);
        }
        if high < last {
            beyond += angle(high, last);
        }
        let within = self.within(aside, nearest_square.sqrt().max(MIN_DISTANCE * h), low, high);
        [0, 1].map(|k| self.at_foot[k] * beyond + within[k])
    }

    /// The same over a stretch within h, on a line that is at distance `nearest` at its nearest.
    fn within(&self, aside: f64, nearest: f64, low: f64, high: f64) -> [f64; 2] {
        let to_v = |t: f64| t / (nearest + (nearest * nearest + t * t).sqrt());
        let (from, to) = (to_v(low), to_v(high));
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let rule = RULES.iter().find(|(longest, _)| to - from <= *longest);
        let least_square = MIN_DISTANCE * MIN_DISTANCE * self.table.reach() * self.table.reach();
        let mut sums = [0.0; 2];
        for (node, weight) in rule.map_or(&[][..], |(_, rule)| rule) {
            for v in [middle - half * node, middle + half * node] {
                let rest = 1.0 / (1.0 - v * v);
                let r = nearest * (1.0 + v * v) * rest;
                // dt = 2 s (1 + v²)/(1 − v²)² dv = 2 r/(1 − v²) dv.
                let turn = weight * 2.0 * r * rest / (r * r - self.square).max(least_square);
                let [part, slope] = self.table.at(r);
                sums[0] += turn * (self.at_foot[0] - self.height * part / r);
                sums[1] += turn * (self.at_foot[1] - slope);
            }
        }
        sums.map(|sum| sum * half * aside)
    }
}

#[cfg(test)]
mod tests;
