//! The kernel over all that a face hides from a particle: the cone behind it, without end.
//!
//! A plate thinner than the kernel leaves a part of it free on its far side. What is there, air or
//! fluid of another pressure, has no business with the particle: to it the plate is as thick as it
//! likes. So of a mesh with such plates ([`crate::union`]) those faces count that the particle sees
//! from the front, each with its cone, the straight lines from the particle through it from there
//! on. With f, L of [`super::mesh_integral`], over the face A and the sides of its cone:
//!
//! - λ = ∮ F (−n·r̂)/r² dA, to which the sides add nothing, as n ⊥ r̂ there
//! - ∇λ = −∮ f n dA: over A as there, and for each edge, with the normal m of the side behind it,
//!   m/2π ∫ L′(r) dφ over the angle φ under which the particle sees it
//!
//! Sides of faces that share an edge cancel, so that a surface cut into triangles has the cone of
//! the whole.
//!
//! What a wall of the domain hides is its half space, and counts already: faces are cut at it, and
//! of each cone the part beyond the wall is taken off, which is the cone of what the face covers of
//! the wall's plane.
//!
//! Symbols: λ part of the kernel in the solid \[–\], r distance \[m\], h support radius \[m\].

use super::mesh_integral::{AREA_RULES, AreaRule, Flux, MIN_DISTANCE, NO_AREA, Plane, RULES};
use super::plane_table::PlaneTable;
use crate::near_solid::NearSolid;
use crate::precision::to_point;
use crate::union::polygon::{Polygon, split};
use hashfall_geometry::Point;
use std::f64::consts::TAU;

/// A wall of the domain, seen from a particle.
#[derive(Clone, Copy, Debug)]
struct Wall {
    number: usize,
    /// Into the domain.
    normal: Point,
    /// Of the particle \[m\].
    distance: f64,
}

/// What a particle has around it where meshes hide what is behind them.
pub(super) struct View<'a> {
    table: &'a PlaneTable,
    walls: Vec<Wall>,
}

impl<'a> View<'a> {
    /// Of a particle with these walls and spheres near it.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(table: &'a PlaneTable, near: &[NearSolid]) -> Self {
        let wall = |solid: &NearSolid| {
            let distance = f64::from(solid.distance).max(MIN_DISTANCE * table.reach());
            let number = solid.surface.wall().filter(|_| distance < table.reach())?;
            Some(Wall { number, normal: to_point(&solid.normal), distance })
        };
        View { table, walls: near.iter().filter_map(wall).collect() }
    }

    /// Adds what a triangle hides, whose corners are relative to the particle and whose front is
    /// on both sides if it is of a sheet, and takes off each wall's cover what the wall hides too.
    pub fn add(
        &self,
        flux: &mut Flux,
        covers: &mut [Flux; 6],
        corners: &[Point; 3],
        is_sheet: bool,
    ) {
        let [a, b, c] = corners;
        let from_behind = (b - a).cross(&(c - a)).dot(a) >= 0.0;
        let mut face: Polygon = match (from_behind, is_sheet) {
            (false, _) => vec![*a, *b, *c],
            (true, true) => vec![*a, *c, *b],
            (true, false) => return,
        };
        for wall in &self.walls {
            match split(&face, |x| wall.height(x), 0.0) {
                [Some(in_front), _] => face = in_front,
                _ => return,
            }
        }
        flux.add_cone(self.table, &face, 1.0);
        for wall in &self.walls {
            if let Some(covered) = wall.covered_by(&face, self.table.reach()) {
                covers[wall.number].add_cone(self.table, &covered, -1.0);
            }
        }
    }
}

impl Wall {
    /// Over the wall \[m\].
    fn height(&self, x: &Point) -> f64 {
        self.normal.dot(x) + self.distance
    }

    /// What a face in front covers of the wall's plane within `reach` \[m\] of the particle, as the
    /// particle sees it.
    fn covered_by(&self, face: &[Point], reach: f64) -> Option<Polygon> {
        // What is seen at a smaller slope lies on the wall farther away than that.
        let least = self.distance / reach;
        let nearest = face.iter().map(|x| x.norm()).fold(f64::INFINITY, f64::min);
        let sloping = |x: &Point| -self.normal.dot(x) - 0.5 * least * nearest.min(reach);
        let [down, _] = split(face, sloping, 0.0);
        let onto = |x: Point| x * (self.distance / -self.normal.dot(&x));
        down.map(|part| part.into_iter().map(onto).collect())
    }
}

impl Flux {
    /// Adds `sign` times the cone behind a convex polygon, which is counter-clockwise seen from the
    /// particle at the origin.
    fn add_cone(&mut self, table: &PlaneTable, corners: &[Point], sign: f64) {
        let (mut normal, mut longest_square) = (Point::zeros(), 0.0_f64);
        for (k, x) in corners.iter().enumerate() {
            let next = &corners[(k + 1) % corners.len()];
            normal += (x - corners[0]).cross(&(next - corners[0]));
            longest_square = longest_square.max((next - x).norm_squared());
        }
        let doubled_area = normal.norm();
        if doubled_area <= NO_AREA * longest_square {
            return;
        }
        let nearest = corners.iter().map(|x| x.norm_squared()).fold(f64::INFINITY, f64::min);
        let distance = (nearest.sqrt() - longest_square.sqrt()).max(0.0);
        let is_small =
            |(most, _): &&(f64, AreaRule)| longest_square < most * most * distance * distance;
        if let (&[a, b, c], Some((_, rule))) = (corners, AREA_RULES.iter().find(is_small)) {
            return self.add_small_cone(table, &[a, b, c], &(normal * sign), rule);
        }
        let normal = normal / doubled_area;
        let height = normal.dot(&corners[0]).abs();
        if height >= table.reach() {
            return;
        }
        let [fraction, slope] = Plane::new(table, height).over(corners, &normal);
        let mut gradient = normal * slope;
        for (k, x) in corners.iter().enumerate() {
            gradient += side(table, x, &corners[(k + 1) % corners.len()]);
        }
        self.fraction += sign * fraction / TAU;
        self.gradient += gradient * (sign / TAU);
    }

    /// Adds the cone behind a triangle that is small for its distance, by its solid angle dΩ:
    /// ∇λ = ∫ r̂ (r L″ − 2 L′)/2π dΩ. `normal` is twice its area long, turned round to take off.
    fn add_small_cone(
        &mut self,
        table: &PlaneTable,
        corners: &[Point; 3],
        normal: &Point,
        rule: AreaRule,
    ) {
        let behind = normal.dot(&corners[0]);
        let whole = corners[0] + corners[1] + corners[2];
        let (mut fraction, mut gradient) = (0.0, Point::zeros());
        for &(weight, part) in rule {
            let others = 0.5 * (1.0 - part);
            for corner in corners {
                let at = corner * (part - others) + whole * others;
                let square = at.norm_squared();
                let r = square.sqrt();
                let ([value, slope], curved) = table.with_curvature(r);
                fraction += weight * (value - r * slope) / (square * r);
                gradient += at * (weight * (r * curved - 2.0 * slope) / (square * square));
            }
        }
        let share = 0.5 / TAU * -behind;
        self.fraction += share * fraction;
        self.gradient += gradient * share;
    }
}

/// m ∫ L′ dφ over the edge from `a` to `b` \[1/m\].
fn side(table: &PlaneTable, a: &Point, b: &Point) -> Point {
    let (across, along, h) = (a.cross(b), b - a, table.reach());
    let (area, length) = (across.norm(), along.norm());
    let nearest = area / length;
    if !(MIN_DISTANCE * h < nearest && nearest < h) {
        return Point::zeros();
    }
    let half_chord = (h * h - nearest * nearest).sqrt();
    let first = a.dot(&along) / length;
    let (low, high) = (first.max(-half_chord), (first + length).min(half_chord));
    if low >= high {
        return Point::zeros();
    }
    // As over the edges of a face: t = 2 s v/(1 − v²), r = s (1 + v²)/(1 − v²), dφ = s dt/r².
    let to_v = |t: f64| t / (nearest + (nearest * nearest + t * t).sqrt());
    let (from, to) = (to_v(low), to_v(high));
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let rule = RULES.iter().find(|(longest, _)| to - from <= *longest);
    let mut sum = 0.0;
    for (node, weight) in rule.map_or(&[][..], |(_, rule)| rule) {
        for v in [middle - half * node, middle + half * node] {
            let turned = 1.0 + v * v;
            let [_, slope] = table.at(nearest * turned / (1.0 - v * v));
            sum += weight * slope * 2.0 / turned;
        }
    }
    across * (sum * half / area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integral::rays::SeenTriangle;
    use crate::surfaces::SurfaceId;
    use hashfall_core::{Real, Vec3, to_f64};
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::box_mesh;
    use hashfall_geometry::{Aabb, TriangleMesh};

    const H: f64 = 0.04;
    const RAYS: usize = 40_000;

    fn table() -> PlaneTable {
        PlaneTable::with_cubic_spline(H as Real)
    }

    fn seen(mesh: &TriangleMesh, x: &Point) -> Vec<[Point; 3]> {
        let corners = |t| mesh.corners(t).map(|c| Point::from(to_f64(&c)) - x);
        (0..mesh.triangles.len()).map(corners).collect()
    }

    /// λ and h ∇λ by brute force: along rays, from where each first meets a triangle or a wall,
    /// but for what walls alone hide.
    fn by_rays(table: &PlaneTable, triangles: &[[Point; 3]], walls: &[Wall]) -> (f64, Point) {
        let seen: Vec<_> = triangles.iter().map(SeenTriangle::new).collect();
        let mut sums = (0.0, Point::zeros());
        for k in 0..RAYS {
            let height = 1.0 - (2 * k + 1) as f64 / RAYS as f64;
            let (sin, cos) = (k as f64 * TAU * 0.381_966_011_250_105).sin_cos();
            let flat = (1.0 - height * height).sqrt();
            let ray = Point::new(flat * cos, flat * sin, height);
            let hits = seen.iter().filter_map(|it| it.hit(&ray));
            let mesh = hits.map(|(r, _)| r).fold(f64::INFINITY, f64::min);
            let down = |wall: &Wall| -wall.normal.dot(&ray) / wall.distance;
            let wall = 1.0 / walls.iter().map(down).fold(0.0, f64::max);
            // What both hide is the wall's.
            for (from, sign) in [(mesh, 1.0), (mesh.max(wall), -1.0)] {
                if from.is_finite() && mesh < wall {
                    let ([value, slope], curved) = table.with_curvature(from);
                    sums.0 += sign * (value - from * slope) / TAU;
                    sums.1 += ray * (sign * (from * curved - 2.0 * slope) / TAU);
                }
            }
        }
        let share = 2.0 * TAU / RAYS as f64;
        (sums.0 * share, sums.1 * (share * H))
    }

    fn add_all(view: &View<'_>, triangles: &[[Point; 3]]) -> Flux {
        let (mut flux, mut covers) = (Flux::NONE, [Flux::NONE; 6]);
        triangles.iter().for_each(|corners| view.add(&mut flux, &mut covers, corners, false));
        for cover in covers {
            flux.fraction += cover.fraction;
            flux.gradient += cover.gradient;
        }
        flux
    }

    #[test]
    fn what_a_plate_hides_is_what_rays_find_beyond_it() {
        let table = table();
        let mut random = Random::new(3);
        let (mut largest, mut of_gradient) = (0.0_f64, 0.0_f64);
        for _ in 0..60 {
            let size = random.point(0.1 * H, 2.0 * H);
            let half = Vec3::new(size.x as Real, size.y as Real, (0.05 * H) as Real);
            let mesh = box_mesh(&Aabb::new(-half, half));
            let x = random.point(-1.5 * H, 1.5 * H);
            let outside = Point::from(to_f64(&half)).zip_map(&x, |half, x| x.abs() - half).max();
            if outside < 0.15 * H {
                continue;
            }
            let wall = Wall { number: 2, normal: Point::y(), distance: x.y + 1.6 * H };
            let triangles = seen(&mesh, &x);
            for walls in [vec![], vec![wall]] {
                let (fraction, gradient) = by_rays(&table, &triangles, &walls);
                let flux = add_all(&View { table: &table, walls }, &triangles);
                largest = largest.max((flux.fraction - fraction).abs());
                of_gradient = of_gradient.max((flux.gradient * H - gradient).norm());
            }
        }
        assert!(largest < 1e-3 && of_gradient < 1e-2, "{largest} {of_gradient}");
    }

    #[test]
    fn the_cones_of_small_triangles_are_that_of_the_whole() {
        let (table, mut random) = (table(), Random::new(7));
        for _ in 0..200 {
            let face = [0, 1, 2].map(|_| random.point(0.2 * H, 0.9 * H));
            let [a, b, c] = face;
            let face = if (b - a).cross(&(c - a)).dot(&a) < 0.0 { face } else { [a, c, b] };
            let mut parts = vec![face];
            for _ in 0..4 {
                let cut = |[a, b, c]: [Point; 3]| {
                    let [p, q, r] = [(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
                    [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
                };
                parts = parts.into_iter().flat_map(cut).collect();
            }
            let view = View { table: &table, walls: vec![] };
            let (whole, sum) = (add_all(&view, &[face]), add_all(&view, &parts));
            assert!((whole.fraction - sum.fraction).abs() < 1e-5, "{whole:?} {sum:?}");
            assert!((whole.gradient - sum.gradient).norm() * H < 1e-4, "{whole:?} {sum:?}");
        }
    }

    #[test]
    fn to_a_particle_a_thin_wall_is_a_half_space() {
        let table = table();
        let plate = Aabb::new(Vec3::new(-1.0, -1.0, -0.001), Vec3::new(1.0, 1.0, 0.0));
        for distance in [0.2, 0.5, 0.7].map(|part| part * H) {
            let at = Point::new(0.3, -0.2, distance);
            let view = View { table: &table, walls: vec![] };
            let flux = add_all(&view, &seen(&box_mesh(&plate), &at));
            let [value, slope] = table.at(distance);
            assert!((flux.fraction - value).abs() < 1e-6, "{flux:?}");
            assert!((flux.gradient - Point::z() * slope).norm() * H < 1e-5, "{flux:?}");
            let lies_on = NearSolid {
                normal: Vec3::z(),
                distance: (distance + 0.001) as Real,
                curvature: 0.0,
                surface: SurfaceId::from_wall(4),
            };
            // On the floor it hides no more than the floor has, but for its own thickness.
            let flux = add_all(&View::new(&table, &[lies_on]), &seen(&box_mesh(&plate), &at));
            let [floor, _] = table.at(distance + 0.001);
            assert!((flux.fraction - (value - floor)).abs() < 1e-6, "{flux:?}");
        }
    }
}
