//! Which meshes are so thin that particles would see through them.
//!
//! A mesh is, if it is a sheet, or if from the middle of one of its triangles the far side is less
//! than a given depth below. What such a mesh hides from a particle counts as solid
//! ([`crate::integral`]), and particles on both sides do not see each other.

use super::boundary::UnionBoundary;
use crate::integral::PlaneTable;
use crate::line_of_sight::crossing;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use hashfall_core::{Real, Vec3, parallel};
use hashfall_geometry::{Aabb, Interior, Point, RoundSolid, TriangleMesh};

/// Depths at which a place below a triangle is looked at, over the whole.
const DEPTHS: [f64; 3] = [1.0, 0.6, 0.3];

/// How much deeper than it is thick a plate may be looked through: rounding \[–\].
const ROUNDING: f64 = 1e-4;

impl UnionBoundary {
    /// Notes which meshes are less than `depth` \[m\] thick somewhere: what they hide from a
    /// particle is solid to it.
    pub fn find_thin(&mut self, solids: &Solids, depth: Real) {
        let with_triangles =
            solids.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.triangles.is_empty());
        for (number, ((index, mesh), member)) in with_triangles.zip(&mut self.members).enumerate() {
            // Of one that deforms the shape at rest tells, so that nothing depends on when it is
            // asked.
            let mesh =
                if solids.is_deforming_mesh(index) { &solids.shapes.meshes[index] } else { mesh };
            member.is_thin = solids.is_hollow(index)
                || match solids.fine_mesh(number) {
                    Some(fine) => fine.is_thin(depth, || {
                        let placed = &solids.triangles[solids.triangles_of(number)];
                        let own = if fine.own.is_empty() { placed } else { &fine.own };
                        fine.tree.has_outside(own, &|corners| places_below(corners, depth))
                    }),
                    None => is_thin(mesh, depth),
                };
        }
        self.note_opaque();
    }

    /// Whether a mesh hides what is behind it from particles.
    pub fn has_opaque(&self) -> bool {
        self.members.iter().any(|member| member.is_opaque)
    }

    /// Puts what may hide particles closer than `reach` \[m\] from one at `x` in the place of what
    /// is in `screens`: triangles, and solids of revolution that are thin by `table`. `objects` are
    /// all that may be, ascending.
    pub fn screens(
        &self,
        solids: &Solids,
        table: &PlaneTable,
        objects: &[u32],
        x: &Vec3,
        reach: Real,
        screens: &mut Screens,
    ) {
        screens.at = *x;
        screens.triangles.clear();
        screens.rounds.clear();
        let ball = Aabb::of_ball(x, reach);
        let (balls, first) = (solids.spheres.len(), solids.first_triangle());
        let before = objects.partition_point(|&id| (id as usize) < first);
        if table.has_opaque_rounds() {
            let rounds =
                objects[..before].iter().filter_map(|&id| (id as usize).checked_sub(balls));
            let opaque = rounds.filter(|number| table.rounds().of(*number).is_opaque);
            let near = opaque.map(|number| solids.rounds[number]);
            screens.rounds.extend(near.filter(|round| round.aabb().overlaps(&ball)));
        }
        let Screens { triangles, gathered, .. } = screens;
        let mut add = |id: u32, mesh: usize| {
            let corners = &solids.triangles[id as usize - first];
            if self.members[mesh].is_opaque && Aabb::around(corners).overlaps(&ball) {
                triangles.push(Screen::new(corners, x));
            }
        };
        for &id in &objects[before..] {
            let mesh = solids.mesh_ends.partition_point(|(end, _)| *end <= id);
            if self.field(mesh).is_none() {
                add(id, mesh);
            }
        }
        if !self.keeps_fields() {
            return;
        }
        solids.for_each_fine(&ball, |mesh| {
            if self.members[mesh].is_opaque && self.field(mesh).is_some() {
                gathered.clear();
                solids.add_triangles_of(mesh, x, reach, gathered);
                gathered.iter().for_each(|&id| add(id, mesh));
            }
        });
    }
}

/// What may hide other particles from one.
#[derive(Clone, Debug, Default)]
pub struct Screens {
    /// The particle's place \[m\].
    at: Vec3,
    triangles: Vec<Screen>,
    rounds: Vec<RoundSolid>,
    /// Objects of a fine mesh.
    gathered: Vec<u32>,
}

/// A triangle that hides.
#[derive(Clone, Debug)]
struct Screen {
    corners: [Point; 3],
    /// Across it, of any length.
    normal: Point,
    /// The particle's, in lengths of the normal \[m\].
    height: f64,
}

impl Screen {
    fn new(corners: &[Vec3; 3], x: &Vec3) -> Self {
        let corners = corners.map(|corner| to_point(&corner));
        let [a, b, c] = &corners;
        let mut screen = Screen { corners, normal: (b - a).cross(&(c - a)), height: 0.0 };
        screen.height = screen.height_of(x);
        screen
    }

    fn height_of(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(to_point(x) - self.corners[0]))
    }
}

impl Screens {
    /// Whether one is between the particle and a place; the same seen from there, to the bit.
    pub fn hide(&self, place: &Vec3) -> bool {
        let is_first = self.at.as_slice() <= place.as_slice();
        let (from, to) = if is_first { (&self.at, place) } else { (place, &self.at) };
        let (from, way) = (to_point(from), to_point(to) - to_point(from));
        let is_crossed = |screen: &Screen| {
            screen.height * screen.height_of(place) <= 0.0
                && crossing(&from, &way, &screen.corners).is_some()
        };
        let is_passed = |round: &RoundSolid| {
            round.chord(&from, &way).is_some_and(|(first, last)| first <= 1.0 && last >= 0.0)
        };
        self.triangles.iter().any(is_crossed) || self.rounds.iter().any(is_passed)
    }
}

/// Whether a closed mesh is less than `depth` \[m\] thick below the middle of a triangle.
fn is_thin(mesh: &TriangleMesh, depth: Real) -> bool {
    let interior = Interior::new(mesh);
    parallel::any(mesh.triangles.len(), |t| {
        let places = places_below(&mesh.corners(t), depth);
        places.is_some_and(|all| all.iter().any(|below| !interior.contains(&to_vec3(below))))
    })
}

/// The places that are looked at below a triangle, if it has an area; down to `depth` \[m\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn places_below(corners: &[Vec3; 3], depth: Real) -> Option<[Point; 3]> {
    let [a, b, c] = corners.map(|corner| to_point(&corner));
    let outwards = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    let (middle, depth) = ((a + b + c) / 3.0, f64::from(depth) * (1.0 - ROUNDING));
    Some(DEPTHS.map(|part| middle - outwards * (depth * part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::Sphere;
    use hashfall_geometry::shape::{box_mesh, sphere_mesh};

    fn plate(thickness: Real) -> TriangleMesh {
        box_mesh(&Aabb::new(Vec3::repeat(1.0), Vec3::new(3.0, 3.0, 1.0 + thickness)))
    }

    fn union_of(mesh: TriangleMesh, is_hollow: bool, depth: Real) -> (Solids, UnionBoundary) {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(4.0));
        let ball = Sphere { centre: Vec3::repeat(3.5), radius: 0.1 };
        let solids = Solids::new(domain, vec![ball], vec![mesh]).with_hollow(vec![is_hollow]);
        let mut union = UnionBoundary::new(&solids);
        union.find_thin(&solids, depth);
        (solids, union)
    }

    #[test]
    fn plates_thinner_than_asked_and_sheets_are_thin() {
        for (mesh, is_hollow, expected) in [
            (plate(0.01), false, true),
            (plate(0.19), false, true),
            (plate(0.2), false, false),
            (plate(1.0), false, false),
            (plate(1.0), true, true),
            (sphere_mesh(&Vec3::repeat(2.0), 0.9, 3), false, false),
            (sphere_mesh(&Vec3::repeat(2.0), 0.09, 3), false, true),
        ] {
            let (_, union) = union_of(mesh, is_hollow, 0.2);
            assert_eq!(union.has_opaque(), expected, "{is_hollow}");
        }
    }

    #[test]
    fn a_thin_plate_hides_both_sides_from_each_other_and_a_thick_one_nothing() {
        let [above, below] = [1.3, 0.9].map(|z| Vec3::new(2.0, 2.1, z));
        let beside = Vec3::new(3.2, 2.1, 0.9);
        for (thickness, hidden) in [(0.1, true), (0.5, false)] {
            let (solids, union) = union_of(plate(thickness), false, 0.2);
            let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
            let hides = |a, b| {
                let mut screens = Screens::default();
                let table = PlaneTable::with_cubic_spline(1.0);
                union.screens(&solids, &table, &objects, a, 1.0, &mut screens);
                screens.hide(b)
            };
            assert_eq!((hides(&above, &below), hides(&below, &above)), (hidden, hidden));
            assert!(!hides(&below, &beside) && !hides(&above, &above));
        }
    }
}
