//! Triangles that smoothing folded or flattened: their vertices move back to their old places.
//!
//! A triangle is folded if it faces away from the mean normal of one of its corners: where vertices
//! slide around the edge of a thin solid, those of others may turn with it. Moving back can
//! fold a neighbour in turn, so the check is repeated around the vertices that moved; as vertices
//! only ever move back, it terminates, at the latest with the old mesh.
//!
//! A triangle that is degenerate in the old mesh too, because clean-up found no edge of it to
//! collapse, is widened: each of its corners moves towards the mean of its neighbours as far as
//! that improves the worst triangle around it. Where corners coincide on a solid, this does not
//! help; they are separated by a step along an axis.
//!
//! The two curves along a thin sheet may coincide once they are put on a wall, and so may the
//! middles of a lens between a wall and another fluid. No triangle is degenerate, but meshes of
//! fluids would have the same triangle twice. So vertices at curves that coincide are separated,
//! too.
//!
//! A vertex on a junction curve has no side: only the other corners of a triangle decide which way
//! it faces. The vertex moves back if it must, is separated from others, and does not move
//! otherwise.

use crate::postprocess::rings::Rings;
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use crate::postprocess::triangle::{TriangleShape, filtered};
use hashfall_core::{Real, Vec3, to_f64};

/// A triangle of lower quality counts as degenerate.
const FLAT: Real = 0.1;

/// A triangle of lower quality has no area within rounding.
const NO_AREA: Real = 1e-3;

/// Trial steps towards the mean of the neighbours, as shares of the way.
const SHARES: [Real; 3] = [0.25, 0.5, 1.0];

/// Rounds of widening.
const ROUNDS: usize = 8;

/// A mesh whose vertices were moved from their old places.
pub(crate) struct MovedMesh<'a> {
    pub positions: &'a mut [Vec3],
    pub old: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    pub rings: &'a Rings,
    /// The junction curves, if there are several fluids.
    pub curves: Option<&'a JunctionCurves>,
}

impl MovedMesh<'_> {
    /// Moves vertices of folded triangles back; returns the area vectors of all vertices.
    pub fn undo_folds(&mut self) -> Vec<Vec3> {
        let mut areas = self.rings.area_vectors(self.positions);
        let mut spoilt = self.spoilt(self.triangles, &areas);
        while !spoilt.is_empty() {
            let moved = self.restore_old(&spoilt);
            let affected = self.update_areas(&moved, &mut areas);
            // Nothing else sees other places or area vectors than before.
            let suspects = affected.iter().flat_map(|&v| self.rings.triangles(v as usize));
            spoilt = self.spoilt(&suspects.collect::<Vec<_>>(), &areas);
        }
        areas
    }

    /// Widens degenerate triangles; `project` moves a place to where the vertex may be.
    pub fn widen(&mut self, areas: &mut [Vec3], project: impl Fn(usize, &mut Vec3)) {
        let is_flat = |positions: &[Vec3], t: &[u32; 3]| {
            TriangleShape::new(t.map(|v| positions[v as usize])).quality < FLAT
        };
        let mut flat = filtered(self.triangles, |t| is_flat(self.positions, t));
        for _ in 0..ROUNDS {
            for v in off_curves(self.curves, &flat) {
                let old = self.positions[v];
                let around = self.rings.neighbors(v);
                let sum = around.iter().fold(Vec3::zeros(), |s, &u| s + self.positions[u as usize]);
                let way = sum / around.len() as Real - old;
                let mut best = (self.worst_around(v, &old, areas), old);
                for share in SHARES {
                    let mut place = old + way * share;
                    project(v, &mut place);
                    let worst = self.worst_around(v, &place, areas);
                    if worst > best.0 {
                        best = (worst, place);
                    }
                }
                self.positions[v] = best.1;
                self.update_areas(&[v as u32], areas);
            }
            flat.retain(|t| is_flat(self.positions, t));
        }
    }

    /// Separates corners that still coincide or lie in a row: they move by `far` along an axis, and
    /// `project` moves them to where they may be. Off a solid is better than without area.
    pub fn separate(&mut self, areas: &mut [Vec3], far: Real, project: impl Fn(&mut Vec3)) {
        let mut flat = filtered(self.triangles, |t| self.is_without_area(t));
        for _ in 0..ROUNDS {
            for v in flat.iter().flatten().map(|&v| v as usize) {
                let old = self.positions[v];
                let mut best = (self.count_without_area(v), old);
                for step in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().flat_map(|x| [x, -x]) {
                    self.positions[v] = old + step * far;
                    project(&mut self.positions[v]);
                    let count = self.count_without_area(v);
                    if count < best.0 {
                        best = (count, self.positions[v]);
                    }
                }
                self.positions[v] = best.1;
                self.update_areas(&[v as u32], areas);
            }
            flat.retain(|t| self.is_without_area(t));
        }
    }

    /// Separates vertices on junction curves or next to them that coincide: one moves by `far`
    /// along an axis, to where its triangles are best, and `project` moves a place to where the
    /// vertex may be.
    pub fn separate_at_curves(
        &mut self,
        areas: &mut [Vec3],
        far: Real,
        project: impl Fn(usize, &mut Vec3),
    ) {
        let on_curve = |v: &u32| self.is_on_curve(*v as usize);
        let at_curve =
            |&v: &u32| on_curve(&v) || self.rings.neighbors(v as usize).iter().any(on_curve);
        let at_curves: Vec<u32> = (0..self.positions.len() as u32).filter(at_curve).collect();
        for _ in 0..ROUNDS {
            let coincident = self.coincident(&at_curves);
            if coincident.is_empty() {
                return;
            }
            for v in coincident {
                let old = self.positions[v];
                let allowed = self.count_without_area(v);
                let mut best = (Real::NEG_INFINITY, old);
                for step in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().flat_map(|x| [x, -x]) {
                    let mut place = old + step * far;
                    project(v, &mut place);
                    self.positions[v] = place;
                    let worst = self.worst_around(v, &place, areas);
                    let is_apart = place != old && self.count_without_area(v) <= allowed;
                    if is_apart && worst > best.0 {
                        best = (worst, place);
                    }
                }
                self.positions[v] = best.1;
                self.update_areas(&[v as u32], areas);
            }
        }
    }

    /// Of vertices at the same place, all but the first.
    fn coincident(&self, vertices: &[u32]) -> Vec<usize> {
        let with_place = |&v: &u32| (to_f64(&self.positions[v as usize]).map(f64::to_bits), v);
        let mut places: Vec<([u64; 3], u32)> = vertices.iter().map(with_place).collect();
        places.sort_unstable();
        let again = places.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        again.map(|pair| pair[1].1 as usize).collect()
    }

    #[inline(always)]
    fn is_on_curve(&self, v: usize) -> bool {
        self.curves.is_some_and(|curves| curves.has(v))
    }

    fn is_without_area(&self, triangle: &[u32; 3]) -> bool {
        TriangleShape::new(triangle.map(|v| self.positions[v as usize])).quality < NO_AREA
    }

    /// How many triangles around a vertex have no area.
    fn count_without_area(&self, v: usize) -> usize {
        self.rings.triangles(v).filter(|t| self.is_without_area(t)).count()
    }

    /// The quality of the worst triangle around a vertex at a place; −1 if one faces away from its
    /// corners' normals.
    fn worst_around(&self, v: usize, place: &Vec3, areas: &[Vec3]) -> Real {
        let quality = |[_, a, b]: [u32; 3]| {
            let (a, b) = (a as usize, b as usize);
            let shape = TriangleShape::new([*place, self.positions[a], self.positions[b]]);
            let outwards = [v, a, b].into_iter().filter(|&v| !self.is_on_curve(v));
            let outwards = outwards.fold(Vec3::zeros(), |sum, v| sum + areas[v]);
            let faces_out = outwards.dot(&shape.normal) > 0.0;
            if faces_out { shape.quality } else { -1.0 }
        };
        self.rings.triangles(v).map(quality).fold(1.0, Real::min)
    }

    /// Updates area vectors around vertices that have moved; returns the vertices updated.
    fn update_areas(&self, moved: &[u32], areas: &mut [Vec3]) -> Vec<u32> {
        let around = |&v: &u32| self.rings.triangles(v as usize).flatten();
        let mut affected: Vec<u32> = moved.iter().flat_map(around).collect();
        affected.sort_unstable();
        affected.dedup();
        for &v in &affected {
            areas[v as usize] = self.rings.area_vector(self.positions, v as usize);
        }
        affected
    }

    /// Those of some triangles that are folded or degenerate, and have a vertex that moved.
    fn spoilt(&self, triangles: &[[u32; 3]], areas: &[Vec3]) -> Vec<[u32; 3]> {
        filtered(triangles, |t| self.is_spoilt(t, areas))
    }

    fn is_spoilt(&self, triangle: &[u32; 3], areas: &[Vec3]) -> bool {
        let shape = TriangleShape::new(triangle.map(|v| self.positions[v as usize]));
        let faces_away = |v: &u32| areas[*v as usize].dot(&shape.normal) <= 0.0;
        let is_flat = shape.quality.is_nan() || shape.quality < FLAT;
        let mut with_side = triangle.iter().filter(|&&v| !self.is_on_curve(v as usize));
        (is_flat || with_side.any(faces_away)) && triangle.iter().any(|&v| self.has_moved(v))
    }

    fn has_moved(&self, v: u32) -> bool {
        self.positions[v as usize] != self.old[v as usize]
    }

    /// Moves the corners of triangles back; returns those that had moved.
    fn restore_old(&mut self, triangles: &[[u32; 3]]) -> Vec<u32> {
        let mut moved = Vec::new();
        for &v in triangles.iter().flatten() {
            if self.has_moved(v) {
                moved.push(v);
                self.positions[v as usize] = self.old[v as usize];
            }
        }
        moved
    }
}

/// The corners of triangles that are on no junction curve.
fn off_curves(
    curves: Option<&JunctionCurves>,
    triangles: &[[u32; 3]],
) -> impl Iterator<Item = usize> {
    let corners = triangles.iter().flatten().map(|&v| v as usize);
    corners.filter(move |&v| !curves.is_some_and(|curves| curves.has(v)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phases::label::{AIR, Sides};
    use hashfall_core::geometry::random::Random;
    use hashfall_core::vec3;
    use hashfall_geometry::shape::sphere_mesh;
    use std::collections::BTreeSet;

    #[test]
    fn what_coincides_at_curves_comes_apart() {
        // A lens on a floor: a ring on a junction curve, two of whose vertices coincide, and the
        // middles of the two sides, which coincide as well.
        let ring = [[1., 0., 0.], [0., 1., 0.], [-1., 0., 0.], [0., -1., 0.], [0.7, -0.7, 0.]];
        let middles = [[0.; 3]; 2];
        let twin = [[0., 1., 0.], [-0.7, 0.7, 0.]];
        let mut positions: Vec<Vec3> =
            ring.into_iter().chain(middles).chain(twin).map(vec3).collect();
        let fan = |m: u32| [[m, 0, 1], [m, 1, 8], [m, 8, 2], [m, 2, 3], [m, 3, 4], [m, 4, 0]];
        let lower = fan(5).map(|[a, b, c]| [b, a, c]);
        let other = [[7, 2, 6], [7, 6, 2]];
        let triangles = [lower.as_slice(), &fan(6), &other].concat();
        let side = |lesser| Some(Sides { greater: 2, lesser });
        let sides = [None, None, None, None, None, side(AIR), side(1), None, None];
        let rings = Rings::new(&triangles, positions.len());
        let curves = JunctionCurves::new(&triangles, &sides);
        let old = positions.clone();
        let mut areas = rings.area_vectors(&positions);
        let mut moved = MovedMesh {
            positions: &mut positions,
            old: &old,
            triangles: &triangles,
            rings: &rings,
            curves: Some(&curves),
        };
        moved.separate_at_curves(&mut areas, 0.05, |_, place| place.z = place.z.max(0.0));
        let flat = triangles.iter().filter(|t| moved.is_without_area(t)).count();
        assert_eq!(flat, 0, "triangles without area");
        let places: BTreeSet<_> = positions.iter().map(|x| to_f64(x).map(f64::to_bits)).collect();
        assert_eq!(places.len(), positions.len(), "{positions:?}");
        let far = positions.iter().zip(&old).filter(|(new, old)| (*new - *old).norm() > 0.051);
        assert_eq!(far.count(), 0, "{positions:?}");
    }

    #[test]
    fn no_triangle_faces_away_from_one_of_its_corners() {
        let ball = sphere_mesh(&Vec3::zeros(), 1.0, 4);
        let rings = Rings::new(&ball.triangles, ball.vertices.len());
        let (old, mut random) = (ball.vertices, Random::new(7));
        // As far as triangles are wide.
        let mut positions: Vec<Vec3> = old.iter().map(|x| x + random.vec3(-0.07, 0.07)).collect();
        let mut moved = MovedMesh {
            positions: &mut positions,
            old: &old,
            triangles: &ball.triangles,
            rings: &rings,
            curves: None,
        };
        let areas = moved.undo_folds();
        for triangle in &ball.triangles {
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            let normal = (b - a).cross(&(c - a));
            let faces_out = triangle.iter().all(|&v| areas[v as usize].dot(&normal) > 0.0);
            assert!(faces_out, "{triangle:?}");
        }
        assert!(positions.iter().zip(&old).any(|(new, old)| new != old), "some stay moved");
    }
}
