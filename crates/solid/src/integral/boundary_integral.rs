//! The part of all solids near a particle: that of each wall and sphere ([`super::layers`]), of
//! each solid of revolution ([`super::round`]) and of each mesh ([`super::mesh_integral`]), once
//! where they overlap.
//!
//! Several solids overlap where they meet, and must not count twice there. The part of a further
//! solid k is reduced by what earlier ones cover of it,
//!
//! - λ = Σₖ λₖ Πₘ₍ₘ﹤ₖ₎ (1 − ωₖₘ λₘ),  ωₖₘ = (1 + nₖ·nₘ)²
//!
//! with the normals n, of meshes −∇λ/|∇λ|. Right angles (ω = 1) take the parts for independent,
//! opposite walls (ω = 0) add up. ω was fitted by quadrature for distances of h/4 and more, where
//! particles are; the tests hold the errors in λ: 0.01 for edges of 60° to 180°, corners and slits,
//! 0.015 for touching spheres and spheres on a wall. ∇λ takes ω for constant, which is exact for
//! planes. Meshes share nothing with each other and with walls: their parts are of the boundary of
//! the union ([`crate::union`]), and add up. `Hollow` meshes are not cut; they and walls whose
//! boxes share no space just add up, too.
//!
//! Symbols: λ part of the kernel's mass in the solid \[–\], h support radius \[m\].

use super::fraction::SolidFraction;
use super::layers::{LayerSums, SolidLayers};
use super::near::{NearMesh, NearRound, NearSolids};
use crate::near_solid::NearSolid;
use crate::surfaces::SurfaceId;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;

impl SolidFraction {
    /// The part of the solids in `near`; `each` is told for each surface what a solid there adds,
    /// and what share of it counts.
    ///
    /// A mesh is told as its faces, each for a part of what the mesh adds.
    pub fn from_near(
        layers: &SolidLayers,
        near: &NearSolids,
        mut each: impl FnMut(&NearSolid, LayerSums, Real),
    ) -> Self {
        let mut parts = Parts { slack: TOUCHING * layers.reach(), ..Parts::NOTHING };
        for solid in near.analytic() {
            let sums = layers.sums(solid.distance, solid.curvature);
            let part =
                SolidFraction { fraction: sums.fraction, gradient: solid.normal * sums.slope };
            let share = parts.add(&solid.normal, part, Space::from_near(solid, &near.at));
            each(solid, near.uncovered(solid, sums), share);
        }
        for (solid, NearRound { part, bounds, is_opaque }) in near.rounds() {
            // What it hides has no end.
            let space = if *is_opaque { Space::Anywhere } else { Space::Within(*bounds, false) };
            let share = parts.add(&solid.normal, *part, space);
            each(solid, round_sums(layers, solid, part), share);
        }
        for meshes in near.meshes.chunk_by(NearMesh::is_grouped_with) {
            let share_of_group = meshes[0].group.map(|_| parts.add_group(meshes));
            for of_surface in meshes.chunk_by(|a, b| a.surface == b.surface) {
                let (mut whole, mut nearest) = (SolidFraction::NONE, Real::INFINITY);
                for mesh in of_surface {
                    let part = mesh.own;
                    let share = share_of_group
                        .unwrap_or_else(|| parts.add(&part.away(), part, Space::from_mesh(mesh)));
                    whole.fraction += part.fraction * share;
                    whole.gradient += part.gradient * share;
                    nearest = nearest.min(mesh.distance);
                }
                distribute_to_faces(
                    layers,
                    near,
                    of_surface[0].surface,
                    &whole,
                    nearest,
                    &mut each,
                );
            }
        }
        let SolidFraction { fraction, gradient } = parts.total;
        SolidFraction { fraction: fraction.min(1.0), gradient }
    }
}

/// What a solid of revolution adds across its nearest face; the moment is that of a plane of this
/// part.
fn round_sums(layers: &SolidLayers, solid: &NearSolid, part: &SolidFraction) -> LayerSums {
    let plane = layers.sums(solid.distance, 0.0);
    let share = if plane.fraction > 0.0 { part.fraction / plane.fraction } else { 0.0 };
    let slope = part.gradient.dot(&solid.normal).min(0.0);
    LayerSums { fraction: part.fraction, slope, moment: plane.moment * share }
}

/// Shares the part of a mesh out to its faces, as planes would share it: friction and viscosity
/// act along each. A mesh whose faces pass for those of another is one face.
fn distribute_to_faces(
    layers: &SolidLayers,
    near: &NearSolids,
    surface: SurfaceId,
    whole: &SolidFraction,
    distance: Real,
    each: &mut impl FnMut(&NearSolid, LayerSums, Real),
) {
    let lone = [NearSolid { normal: whole.away(), distance, curvature: 0.0, surface }];
    let of_surface = |face: &&NearSolid| face.surface == surface;
    // Where its nearest face passed for another's, those left are too far to stand for it.
    let is_nearest = |face: &NearSolid| of_surface(&face) && face.distance <= distance;
    let faces = if near.faces().iter().any(is_nearest) { near.faces() } else { &lone };
    let told = || {
        let own = faces.iter().filter(of_surface);
        own.map(|face| (face, layers.sums(face.distance, 0.0)))
    };
    let planes: Real = told().map(|(_, sums)| sums.fraction).sum();
    if planes > 0.0 && whole.fraction > 0.0 {
        let share = whole.fraction / planes;
        told().for_each(|(face, sums)| each(face, sums, share));
    }
}

/// Where a solid may be.
#[derive(Clone, Copy, Debug)]
enum Space {
    /// Nothing is known of a ball, nor of what a thin solid of revolution hides.
    Anywhere,
    /// Behind a thin mesh, without end, and cut at walls.
    Hidden,
    /// Behind a wall.
    Beyond(Aabb),
    /// In the box around a mesh; and whether it is cut at walls and at others of which that is so.
    Within(Aabb, bool),
}

impl Space {
    /// Of a wall or ball, seen from a particle at `at`.
    fn from_near(solid: &NearSolid, at: &Vec3) -> Self {
        if solid.curvature != 0.0 {
            return Space::Anywhere;
        }
        let mut space = Aabb::new(Vec3::repeat(-Real::INFINITY), Vec3::repeat(Real::INFINITY));
        let surface = at - solid.normal * solid.distance;
        for axis in 0..3 {
            if solid.normal[axis] > 0.5 {
                space.max[axis] = surface[axis];
            } else if solid.normal[axis] < -0.5 {
                space.min[axis] = surface[axis];
            }
        }
        Space::Beyond(space)
    }

    fn from_mesh(mesh: &NearMesh) -> Self {
        if mesh.is_opaque { Space::Hidden } else { Space::Within(mesh.bounds, mesh.is_solid) }
    }

    /// Whether solids there may overlap, which have more in common than `slack` \[m\].
    fn may_overlap(&self, other: &Space, slack: Real) -> bool {
        match (self, other) {
            (Space::Hidden, Space::Beyond(_)) | (Space::Beyond(_), Space::Hidden) => false,
            (Space::Anywhere | Space::Hidden, _) | (_, Space::Anywhere | Space::Hidden) => true,
            (Space::Beyond(_) | Space::Within(_, true), Space::Within(_, true))
            | (Space::Within(_, true), Space::Beyond(_)) => false,
            (Space::Beyond(a) | Space::Within(a, _), Space::Beyond(b) | Space::Within(b, _)) => {
                share_space(a, b, slack)
            }
        }
    }
}

impl NearMesh {
    /// Whether two meshes are of one group, or of one surface and no group.
    fn is_grouped_with(&self, next: &NearMesh) -> bool {
        self.group == next.group && (self.group.is_some() || self.surface == next.surface)
    }
}

/// Boxes that have less than this in common touch, in support radii: more than rounding of a box
/// that was turned or moved.
const TOUCHING: Real = 1e-3;

/// Solids whose overlaps with further ones are taken off.
const MAX_PARTS: usize = 8;

/// Solids on the way to their sum.
struct Parts {
    known: [Known; MAX_PARTS],
    count: usize,
    total: SolidFraction,
    /// What boxes may have in common that just touch \[m\].
    slack: Real,
}

/// A solid that has been added.
#[derive(Clone, Copy)]
struct Known {
    normal: Vec3,
    part: SolidFraction,
    space: Space,
}

impl Parts {
    const NOTHING: Self = Parts {
        known: [Known {
            normal: Vec3::new(0.0, 0.0, 0.0),
            part: SolidFraction::NONE,
            space: Space::Anywhere,
        }; MAX_PARTS],
        count: 0,
        total: SolidFraction::NONE,
        slack: 0.0,
    };

    /// Adds what the solids before leave of one; returns that share.
    fn add(&mut self, normal: &Vec3, own: SolidFraction, space: Space) -> Real {
        let (mut left, mut left_gradient) = (1.0, Vec3::zeros());
        for Known { normal: other, part, space: others } in &self.known[..self.count] {
            if !space.may_overlap(others, self.slack) {
                continue;
            }
            let overlap = 1.0 + normal.dot(other);
            let weight = overlap * overlap;
            let uncovered = 1.0 - weight * part.fraction;
            if uncovered <= 0.0 {
                return 0.0;
            }
            left_gradient = left_gradient * uncovered - part.gradient * (weight * left);
            left *= uncovered;
        }
        self.total.fraction += own.fraction * left;
        self.total.gradient += own.gradient * left + left_gradient * own.fraction;
        if self.count < MAX_PARTS {
            self.known[self.count] = Known { normal: *normal, part: own, space };
            self.count += 1;
        }
        left
    }

    /// Adds the meshes of a group as one solid; returns the share that counts.
    fn add_group(&mut self, meshes: &[NearMesh]) -> Real {
        let (mut whole, mut bounds) = (SolidFraction::NONE, Aabb::EMPTY);
        for mesh in meshes {
            whole.fraction += mesh.whole.fraction;
            whole.gradient += mesh.whole.gradient;
            bounds = bounds.union(&mesh.bounds);
        }
        let is_opaque = meshes.iter().any(|mesh| mesh.is_opaque);
        let space = if is_opaque { Space::Hidden } else { Space::Within(bounds, true) };
        self.add(&whole.away(), whole, space)
    }
}

/// Whether boxes have more in common than a face and `slack` \[m\].
fn share_space(a: &Aabb, b: &Aabb, slack: Real) -> bool {
    (0..3).all(|axis| a.min[axis] + slack < b.max[axis] && b.min[axis] + slack < a.max[axis])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::precision::{to_point, to_vec3};
    use crate::{BodySpec, PlaneTable, Solids, Sphere, SurfaceId, UnionBoundary};
    use hashfall_core::Dimension;
    use hashfall_core::kernel::{Kernel, KernelKind};
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};
    use hashfall_geometry::{Aabb, Point};

    const H: Real = 0.04;

    /// So fine that they are the solid as a whole.
    fn layers() -> SolidLayers {
        SolidLayers::new(cubic(H), 0.01 * H)
    }

    fn cubic(h: Real) -> Kernel {
        Kernel::new(KernelKind::CubicSpline, Dimension::Three, h)
    }

    /// Of walls.
    fn fraction(near: Vec<NearSolid>) -> SolidFraction {
        SolidFraction::from_near(&layers(), &NearSolids::from_analytic(near), |_, _, _| ())
    }

    /// Around a place.
    fn fraction_at(solids: &Solids, x: &Point) -> SolidFraction {
        let (layers, mut near) = (layers(), NearSolids::default());
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        let (union, table) = (UnionBoundary::new(solids), PlaneTable::new(&layers));
        solids.near(&objects, &to_vec3(x), H, &union, &table, &mut near);
        SolidFraction::from_near(&layers, &near, |_, _, _| ())
    }

    /// Points spread evenly in the unit ball (Roberts' R₃ sequence), with their part of the kernel.
    fn samples() -> Vec<(Point, f64)> {
        let kernel = cubic(1.0);
        let n = 500_000;
        let g: f64 = 1.220_744_084_605_759_6;
        let steps = Point::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
        (1..=n)
            .map(|k| (steps * f64::from(k)).map(|c| 2.0 * c.fract() - 1.0))
            .filter(|p| p.norm() < 1.0)
            .map(|p| (p, f64::from(kernel.value(p.norm() as Real)) * 8.0 / f64::from(n)))
            .collect()
    }

    /// The kernel integrated over the offsets from a particle \[m\] that `is_solid`.
    fn quadrature(samples: &[(Point, f64)], is_solid: impl Fn(&Point) -> bool) -> f64 {
        samples.iter().filter(|(p, _)| is_solid(&(p * f64::from(H)))).map(|(_, w)| w).sum()
    }

    fn plane(normal: Point, distance_in_h: f64) -> NearSolid {
        let distance = (distance_in_h * f64::from(H)) as Real;
        NearSolid { normal: to_vec3(&normal), distance, curvature: 0.0, surface: SurfaceId::WALL }
    }

    /// Error of the combined part of half-spaces, given by normals and distances in h.
    fn plane_error(samples: &[(Point, f64)], planes: &[(Point, f64)]) -> f64 {
        let near: Vec<_> = planes.iter().map(|&(n, d)| plane(n, d)).collect();
        let ours = fraction(near).fraction;
        let exact =
            quadrature(samples, |p| planes.iter().any(|(n, d)| n.dot(p) < -d * f64::from(H)));
        f64::from(ours) - exact
    }

    #[test]
    fn edges_corners_and_slits_count_their_overlap_once() {
        let samples = samples();
        let distances = [(0.25, 0.25), (0.25, 0.35), (0.25, 0.5), (0.3, 0.3), (0.4, 0.4)];
        for degrees in [60.0_f64, 75.0, 90.0, 105.0, 120.0, 150.0, 180.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turned = Point::new(sin, 0.0, cos);
            for (a, b) in distances {
                let error = plane_error(&samples, &[(Point::z(), a), (turned, b)]);
                assert!(error.abs() < 0.01, "{degrees}° at {a} h and {b} h: {error}");
            }
        }
        for [a, b, c] in [[0.25; 3], [0.3; 3], [0.25, 0.25, 0.4], [0.4, 0.25, 0.25]] {
            let walls = [(Point::x(), a), (Point::y(), b), (Point::z(), c)];
            let error = plane_error(&samples, &walls);
            assert!(error.abs() < 0.01, "corner {a} {b} {c}: {error}");
            // With the opposite wall of a slit.
            let slit = [walls[0], walls[1], walls[2], (-Point::z(), 0.3)];
            let error = plane_error(&samples, &slit);
            assert!(error.abs() < 0.01, "slit {a} {b} {c}: {error}");
        }
    }

    #[test]
    fn touching_spheres_and_spheres_on_a_wall_add_up() {
        let samples = samples();
        let h = f64::from(H);
        for radius_in_h in [0.5, 1.0, 2.0, 5.0, 20.0] {
            let radius = radius_in_h * h;
            let ball = |x: f64| Sphere {
                centre: to_vec3(&Point::new(x, 0.5, radius)),
                radius: radius as Real,
            };
            let domain = Aabb::new(Vec3::zeros(), Vec3::new(3.0, 3.0, 3.0));
            let balls = vec![ball(0.5 - radius), ball(0.5 + radius)];
            let solids = Solids::new(domain, balls, vec![]);
            let is_solid = |p: &Point| {
                let hit = |s: &Sphere| (p - to_point(&s.centre)).norm() < f64::from(s.radius);
                p.z < 0.0 || solids.spheres.iter().any(hit)
            };
            // In the gap over the two, touching both; and beside one, touching it and the floor.
            let r = 0.25 * h;
            let rise = ((radius + r).powi(2) - radius * radius).sqrt();
            let aside = ((radius + r).powi(2) - (radius - r).powi(2)).sqrt();
            let over = Point::new(0.5, 0.5, radius + rise);
            let beside = Point::new(0.5 + radius + aside, 0.5, r);
            for x in [over, beside] {
                let ours = f64::from(fraction_at(&solids, &x).fraction);
                let expected = quadrature(&samples, |p| is_solid(&(p + x)));
                let error = (ours - expected).abs();
                assert!(error < 0.015, "R {radius_in_h} h at height {}: {ours} {expected}", x.z);
            }
        }
    }

    #[test]
    fn a_round_mesh_counts_once_from_outside_and_from_inside() {
        let samples = samples();
        let (h, centre) = (f64::from(H), Point::new(0.5, 0.5, 0.5));
        let domain = Aabb::new(Vec3::zeros(), Vec3::new(1.0, 1.0, 1.0));
        // The mesh lies a little below the sphere.
        for (radius_in_h, bound) in [(0.3, 0.002), (3.0, 0.003), (8.0, 0.008)] {
            let radius = radius_in_h * h;
            let mesh = sphere_mesh(&to_vec3(&centre), radius as Real, 4);
            let solids = Solids::new(domain, vec![], vec![mesh]);
            let mut random = Random::new(14);
            for k in 0..40 {
                let gap = random.number(0.25, 0.6) * h * if k % 2 == 0 { 1.0 } else { -1.0 };
                let x = centre + random.direction() * (radius + gap);
                let ours = f64::from(fraction_at(&solids, &x).fraction);
                let expected =
                    quadrature(&samples, |p| ((p + x - centre).norm() < radius) == (gap > 0.0));
                let error = (ours - expected).abs();
                assert!(error < bound, "R {radius_in_h} h, gap {gap}: {ours} {expected}");
            }
        }
    }

    #[test]
    fn a_floor_of_boxes_is_whole_across_its_seams() {
        let slab = |x: Real| {
            let end = if x == 0.0 { 0.5_f32.next_up() as Real } else { x + 0.5 };
            box_mesh(&Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(end, 1.0, 0.1)))
        };
        let domain = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
        for meshes in [2, 1] {
            // As two obstacles, and as one of two meshes.
            let obstacle = BodySpec { meshes: 3 - meshes, ..BodySpec::default() };
            let obstacles = vec![obstacle; meshes];
            let solids =
                Solids::new(domain, vec![], vec![slab(0.0), slab(0.5)]).with_bodies(&obstacles);
            for offset in [-0.3, -0.01, 0.0, 0.1, 0.6] {
                let height = 0.3 * H;
                let x = Vec3::new(0.5 + offset * H, 0.5, 0.1 + height);
                let found = fraction_at(&solids, &to_point(&x));
                let plane = layers().sums(height, 0.0);
                assert!((found.fraction - plane.fraction).abs() < 1e-4, "{offset}: {found:?}");
                let error = found.gradient - Vec3::z() * plane.slope;
                assert!(error.norm() * H < 1e-3, "{offset}: {found:?}");
            }
        }
    }

    #[test]
    fn a_box_on_the_floor_adds_what_it_holds() {
        let samples = samples();
        let (h, domain) = (f64::from(H), Aabb::new(Vec3::zeros(), Vec3::repeat(1.0)));
        let block = Aabb::new(Vec3::new(0.4, 0.4, 0.0), Vec3::new(0.6, 0.6, 0.2));
        let solids = Solids::new(domain, vec![], vec![box_mesh(&block)]);
        for (aside, above) in [(0.25, 0.25), (0.25, 0.5), (0.6, 0.25)] {
            let x = Point::new(0.4 - aside * h, 0.5, above * h);
            let ours = fraction_at(&solids, &x);
            let expected = quadrature(&samples, |p| x.z + p.z < 0.0 || x.x + p.x > 0.4);
            let error = f64::from(ours.fraction) - expected;
            assert!(error.abs() < 3e-3, "{aside} h aside, {above} h above: {error}");
        }
    }

    /// Two obstacles side by side, the particle over one of them: the other's nearest face passes
    /// for that of the first, and one that is far must not stand for it.
    #[test]
    fn what_faces_are_told_to_add_is_what_the_solids_add() {
        let domain = Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0));
        let block = |min: [Real; 3], max: [Real; 3]| box_mesh(&Aabb::new(min.into(), max.into()));
        let step =
            [block([0.0, 0.0, 0.0], [0.5, 1.0, 0.1]), block([0.4, 0.0, 0.1], [0.46, 1.0, 0.3])];
        let obstacles = [2, 1].map(|meshes| BodySpec { meshes, ..BodySpec::default() });
        let meshes = [&step[..], &[block([0.5, 0.0, 0.0], [1.0, 1.0, 0.1])]].concat();
        let solids = Solids::new(domain, vec![], meshes).with_bodies(&obstacles);
        let (layers, mut near) = (layers(), NearSolids::default());
        let (union, table) = (UnionBoundary::new(&solids), PlaneTable::new(&layers));
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        for offset in [-0.2, -0.05, 0.01, 0.1, 0.3] {
            let x = Vec3::new(0.5 + offset * H, 0.5, 0.1 + 0.3 * H);
            solids.near(&objects, &x, H, &union, &table, &mut near);
            let mut told = 0.0;
            let whole = SolidFraction::from_near(&layers, &near, |_, sums, share| {
                assert!((0.0..=2.0).contains(&share), "{offset}: {share}");
                told += sums.fraction * share;
            });
            assert!((told - whole.fraction).abs() < 0.01, "{offset}: {told} of {whole:?}");
        }
    }

    #[test]
    fn the_gradient_is_the_derivative_over_planes() {
        let normals = [[0.0, 0.0, 1.0], [0.8, 0.0, -0.6], [0.36, 0.48, 0.8], [-0.6, 0.8, 0.0]];
        let at = |x: &Point| {
            let near = normals.map(|n| plane(Point::from(n), 0.35 + Point::from(n).dot(x)));
            fraction(near.to_vec())
        };
        let step = 0.01;
        for axis in 0..3 {
            let mut e = Point::zeros();
            e[axis] = step;
            let difference = (at(&e).fraction - at(&-e).fraction) / (2.0 * step as Real * H);
            let slope = at(&Point::zeros()).gradient[axis];
            assert!((difference - slope).abs() * H < 2e-3, "{axis}: {difference} {slope}");
        }
    }
}
