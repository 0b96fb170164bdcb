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
        // So much is rounding; a needle like this has no area to speak of.
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
mod tests {
    use super::*;
    use hashfall_core::to_f64;
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};
    use hashfall_geometry::triangle::offset_to_triangle;
    use hashfall_geometry::{Aabb, Interior, TriangleMesh};

    const H: f64 = 0.04;

    fn table() -> PlaneTable {
        PlaneTable::with_cubic_spline(H as Real)
    }

    /// The triangles of a mesh, seen from a point.
    fn seen(mesh: &TriangleMesh, x: &Point) -> Vec<[Point; 3]> {
        let corners = |t| mesh.corners(t).map(|c| Point::from(to_f64(&c)) - x);
        (0..mesh.triangles.len()).map(corners).collect()
    }

    fn distance(corners: &[Point; 3]) -> f64 {
        offset_to_triangle(&Point::zeros(), corners).norm()
    }

    fn flux(table: &PlaneTable, triangles: &[[Point; 3]]) -> Flux {
        let mut flux = Flux::NONE;
        triangles.iter().for_each(|corners| flux.add(table, corners, distance(corners)));
        flux
    }

    /// λ by brute force: along rays, from where each enters the solid to where it leaves.
    fn by_rays(table: &PlaneTable, triangles: &[[Point; 3]], rays: usize) -> f64 {
        let along = |ray: &Point| {
            let hits = triangles.iter().filter_map(|[a, b, c]| {
                let inverse =
                    nalgebra::Matrix3::from_columns(&[*ray, a - b, a - c]).try_inverse()?;
                let hit = inverse * a;
                let is_hit = hit.min() > 0.0 && hit[1] + hit[2] < 1.0;
                let enters = (b - a).cross(&(c - a)).dot(ray) < 0.0;
                is_hit.then_some((hit[0], if enters { 1.0 } else { -1.0 }))
            });
            hits.map(|(r, sign)| {
                let [value, slope] = table.at(r);
                sign * (value - r * slope) / TAU
            })
            .sum::<f64>()
        };
        // Spread evenly: equal areas, turned by the golden angle from one to the next.
        let direction = |k: usize| {
            let height = 1.0 - (2 * k + 1) as f64 / rays as f64;
            let (sin, cos) = (k as f64 * TAU * 0.381_966_011_250_105).sin_cos();
            let flat = (1.0 - height * height).sqrt();
            Point::new(flat * cos, flat * sin, height)
        };
        let sum: f64 = (0..rays).map(|k| along(&direction(k))).sum();
        sum * 2.0 * TAU / rays as f64
    }

    fn cuboid(half: [f64; 3]) -> TriangleMesh {
        let corner = hashfall_core::vec3(half);
        box_mesh(&Aabb::new(-corner, corner))
    }

    /// A needle of four triangles, its tip at the origin.
    fn spike(width: f64) -> TriangleMesh {
        let at = |x: f64, y: f64, z: f64| hashfall_core::vec3([x, y, z]);
        let [low, high] = [-width, width];
        let vertices =
            vec![at(0.0, 0.0, 0.0), at(low, low, -H), at(high, low, -H), at(0.0, high, -H)];
        let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        TriangleMesh { vertices, triangles }
    }

    fn outside(random: &mut Random, mesh: &TriangleMesh, interior: &Interior) -> Point {
        loop {
            let x = random.point(-1.6 * H, 1.6 * H);
            let least = seen(mesh, &x).iter().map(distance).fold(f64::INFINITY, f64::min);
            if !interior.contains(&to_vec3(&x)) && (0.15 * H..0.7 * H).contains(&least) {
                return x;
            }
        }
    }

    fn solids() -> [TriangleMesh; 6] {
        [
            cuboid([H, H, H]),
            cuboid([H, H, 0.05 * H]),
            cuboid([0.1 * H, 0.01 * H, H]),
            spike(0.2 * H),
            sphere_mesh(&Vec3::zeros(), (0.15 * H) as Real, 2),
            sphere_mesh(&Vec3::zeros(), H as Real, 3),
        ]
    }

    #[test]
    fn it_is_what_rays_find_in_corners_plates_needles_and_balls() {
        let table = table();
        for (number, mesh) in solids().iter().enumerate() {
            let (interior, mut random) = (Interior::new(mesh), Random::new(5));
            for _ in 0..3 {
                let x = outside(&mut random, mesh, &interior);
                let triangles = seen(mesh, &x);
                let found = flux(&table, &triangles).fraction;
                let near: Vec<_> = triangles.into_iter().filter(|t| distance(t) < H).collect();
                let expected = by_rays(&table, &near, 20_000);
                // What 20 000 rays leave out.
                assert!((found - expected).abs() < 5e-4, "{number} {x}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_gradient_is_the_derivative() {
        let (table, step) = (table(), 1e-4 * H);
        for (number, mesh) in solids().iter().enumerate() {
            let (interior, mut random) = (Interior::new(mesh), Random::new(6));
            for _ in 0..20 {
                let x = outside(&mut random, mesh, &interior);
                let gradient = flux(&table, &seen(mesh, &x)).gradient;
                let at = |axis: usize, step: f64| {
                    let mut x = x;
                    x[axis] += step;
                    flux(&table, &seen(mesh, &x)).fraction
                };
                for axis in 0..3 {
                    let difference = (at(axis, step) - at(axis, -step)) / (2.0 * step);
                    let error = (difference - gradient[axis]) * H;
                    assert!(error.abs() < 3e-3, "{number} {x}, axis {axis}: {error}");
                }
            }
        }
    }

    /// Both rules, and needles beside blunt triangles.
    #[test]
    fn it_does_not_matter_how_a_face_is_cut() {
        let (table, mut random) = (table(), Random::new(7));
        for _ in 0..300 {
            let [a, b, c] = std::array::from_fn(|_| random.point(-H, H));
            let triangle = [a, b, c];
            if distance(&triangle) < 0.15 * H {
                continue;
            }
            let whole = flux(&table, &[triangle]);
            // Through a point that comes near an edge.
            let p = a + (b - a) * 0.4 + (c - a) * 0.6 * random.number(0.0, 1.0).powi(12);
            let mut parts = vec![[a, b, p], [b, c, p], [c, a, p]];
            for _ in 0..5 {
                let cut = flux(&table, &parts);
                let error = (cut.fraction - whole.fraction).abs();
                let turned = (cut.gradient - whole.gradient).norm() * H;
                assert!(error < 1e-4 && turned < 1e-3, "{triangle:?}: {error} {turned}");
                let quarter = |[a, b, c]: [Point; 3]| {
                    let [d, e, f] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
                    [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
                };
                parts = parts.into_iter().flat_map(quarter).collect();
            }
        }
    }

    #[test]
    fn a_wide_triangle_is_a_plane_and_a_sheet_is_one_from_both_sides() {
        let table = table();
        for height in [0.01, 0.2, 0.45, 0.7].map(|part| part * H) {
            for height in [height, -height] {
                let at = |x: f64, y: f64| Point::new(x * H, y * H, -height);
                let sheet = [at(-40.0, -30.0), at(50.0, -20.0), at(0.0, 60.0)];
                let (fraction, gradient) = flux(&table, &[sheet]).part();
                let [value, slope] = table.at(height.abs());
                assert!((f64::from(fraction) - value).abs() < 1e-6);
                let error = f64::from(gradient.z) - slope * height.signum();
                assert!(error.abs() * H < 1e-5 && gradient.xy().norm() * (H as Real) < 1e-5);
            }
        }
    }

    #[test]
    fn turned_inside_out_and_from_inside_it_is_the_same() {
        let (table, mesh) = (table(), cuboid([H; 3]));
        let x = Point::new(0.7 * H, 0.2 * H, 0.6 * H);
        let [a, b] =
            [mesh.clone(), mesh.flipped()].map(|mesh| flux(&table, &seen(&mesh, &x)).part());
        assert!(a == b && a.0 > 0.1, "{a:?} {b:?}");
        assert!(a.1.x > 0.0 && a.1.z > 0.0, "the walls are at high x and z: {a:?}");
    }

    #[test]
    fn nothing_is_too_hard() {
        let (table, o) = (table(), Point::zeros());
        let [x, y, z] = [Point::x(), Point::y(), Point::z()].map(|axis| axis * (0.3 * H));
        let hard = [
            [o, x, y],
            [x, -x, y],
            [x, -x, -y],
            [x - y, x + y, -x],
            [x, x, y],
            [x, x, x],
            [o, o, o],
            [x, 2.0 * x, 3.0 * x],
            [z, z + x, z + x * (1.0 + 1e-12)],
            [z - x, z + x, z + y * 1e-9],
            [x, 2.0 * x, x + y],
            [x * 1e-12, y * 1e-12, z * 1e-12],
            [x * 1e12, y * 1e12, z * 1e12],
        ];
        for corners in hard {
            let (fraction, gradient) = flux(&table, &[corners]).part();
            assert!((0.0..=1.0).contains(&fraction), "{corners:?}: {fraction}");
            assert!(gradient.iter().all(|c| c.is_finite()), "{corners:?}: {gradient}");
        }
    }
}
