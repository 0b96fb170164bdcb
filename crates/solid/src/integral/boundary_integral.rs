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
    let of_planes = || {
        let own = faces.iter().filter(of_surface);
        own.map(|face| (face, layers.sums(face.distance, 0.0)))
    };
    let planes: Real = of_planes().map(|(_, sums)| sums.fraction).sum();
    if planes > 0.0 && whole.fraction > 0.0 {
        let share = whole.fraction / planes;
        of_planes().for_each(|(face, sums)| each(face, sums, share));
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
mod tests;
