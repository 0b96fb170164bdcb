//! Triangle meshes.

use super::runs::Runs;
use super::{Aabb, Point};
use hashfall_core::{Real, Vec3, to_f64};
use rayon::prelude::*;

/// Triangles over shared vertices, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Corner positions \[m\].
    pub vertices: Vec<Vec3>,
    /// Three vertex indices per triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Adds another mesh, which shares no vertex with it.
    pub fn append(&mut self, other: &TriangleMesh) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    }

    /// The box around all vertices.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(&self.vertices)
    }

    /// The enclosed volume \[m³\]; negative if the triangles face inwards.
    pub fn signed_volume(&self) -> f64 {
        let Some(&origin) = self.vertices.first() else { return 0.0 };
        self.volume_from(&origin, 0..self.triangles.len())
    }

    /// The same of some triangles that are closed together.
    pub(super) fn volume_of(&self, triangles: impl Iterator<Item = usize> + Clone) -> f64 {
        let Some(first) = triangles.clone().next() else { return 0.0 };
        self.volume_from(&self.corners(first)[0], triangles)
    }

    /// What triangles enclose together with a point \[m³\].
    fn volume_from(&self, origin: &Vec3, triangles: impl Iterator<Item = usize>) -> f64 {
        let origin = Point::from(to_f64(origin));
        let six_fold = |t: usize| {
            let [a, b, c] = self.corners(t).map(|v| Point::from(to_f64(&v)) - origin);
            a.dot(&b.cross(&c))
        };
        triangles.map(six_fold).sum::<f64>() / 6.0
    }

    /// The mesh with every triangle facing the other way.
    pub fn flipped(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    /// The mesh with one vertex for each position, without triangles that have two corners in one
    /// place or that are there already, and without unused vertices.
    ///
    /// Triangles that have no area but three different corners stay: a neighbour may need their
    /// edges.
    pub fn welded(&self) -> Self {
        self.welded_with_sources().0
    }

    /// The same, with the triangle of this mesh that each of its triangles is.
    pub fn welded_with_sources(&self) -> (Self, Vec<u32>) {
        self.weld(false)
    }

    /// Welds; `keeps_repeats` tells whether triangles that are there already stay.
    pub(super) fn weld(&self, keeps_repeats: bool) -> (Self, Vec<u32>) {
        let first = first_at_each_position(&self.vertices);
        let at_first = |t: &[u32; 3]| t.map(|v| first[v as usize]);
        let is_repeat = if keeps_repeats { Vec::new() } else { self.repeats(&first) };
        let mut welded = TriangleMesh::default();
        let mut sources = Vec::new();
        let mut place = vec![u32::MAX; self.vertices.len()];
        for (source, corners) in self.triangles.iter().enumerate() {
            let [a, b, c] = at_first(corners);
            if a == b || b == c || c == a || is_repeat.get(source) == Some(&true) {
                continue;
            }
            sources.push(source as u32);
            welded.triangles.push([a, b, c].map(|v| {
                let slot = &mut place[v as usize];
                if *slot == u32::MAX {
                    *slot = welded.vertices.len() as u32;
                    welded.vertices.push(self.vertices[v as usize]);
                }
                *slot
            }));
        }
        (welded, sources)
    }

    /// By triangle: whether one before it has the same corners, in the same order around it, where
    /// `first` stands for each vertex.
    fn repeats(&self, first: &[u32]) -> Vec<bool> {
        let key = |t: u32| from_least(self.triangles[t as usize].map(|v| first[v as usize]));
        let all = (0..self.triangles.len() as u32).map(|t| (key(t)[0], t));
        let by_least = Runs::new(self.vertices.len(), all);
        let mut is_repeat = vec![false; self.triangles.len()];
        let mut around = Vec::new();
        for vertex in 0..by_least.len() {
            around.clear();
            around.extend(by_least.row(vertex).iter().map(|&t| (key(t), t)));
            around.sort_unstable();
            for pair in around.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                is_repeat[pair[1].1 as usize] = true;
            }
        }
        is_repeat
    }
}

/// By vertex: the first one in its place.
fn first_at_each_position(vertices: &[Vec3]) -> Vec<u32> {
    // Vertices of one place are of one hash; of one hash, the lowest number comes first.
    let hashed = |(v, p): (usize, &Vec3)| u64::from(hash_of(p)) << 32 | v as u64;
    let mut by_hash: Vec<u64> = vertices.iter().enumerate().map(hashed).collect();
    by_hash.par_sort_unstable();
    let mut first = vec![0; vertices.len()];
    let mut places: Vec<u32> = Vec::new();
    for alike in by_hash.chunk_by(|a, b| a >> 32 == b >> 32) {
        places.clear();
        for v in alike.iter().map(|entry| *entry as u32) {
            let here = position_key(&vertices[v as usize]);
            let known = places.iter().find(|&&it| position_key(&vertices[it as usize]) == here);
            first[v as usize] = *known.unwrap_or(&v);
            if known.is_none() {
                places.push(v);
            }
        }
    }
    first
}

/// The same triangle, from its least corner on.
fn from_least(mut triangle: [u32; 3]) -> [u32; 3] {
    let least = (0..3).min_by_key(|&k| triangle[k]).unwrap_or(0);
    triangle.rotate_left(least);
    triangle
}

/// A key that is equal for equal positions; adding zero makes −0 a 0.
fn position_key(p: &Vec3) -> [u64; 3] {
    let bits = |c: Real| u64::from((c + 0.0).to_bits());
    [bits(p.x), bits(p.y), bits(p.z)]
}

/// A number that is the same for equal positions, and seldom for others: each coordinate in turn is
/// mixed in by the finaliser of MurmurHash3 (Appleby 2011).
fn hash_of(p: &Vec3) -> u32 {
    let mixed = position_key(p).into_iter().fold(0, |hash: u64, key| {
        let mut bits = (hash ^ key).wrapping_add(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ bits >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        bits = (bits ^ bits >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        bits ^ bits >> 33
    });
    (mixed >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EdgeFlaw;
    use hashfall_core::parallel::with_threads;
    use std::collections::HashSet;

    fn tetrahedron() -> TriangleMesh {
        TriangleMesh {
            vertices: [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
                .map(Vec3::from)
                .to_vec(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        }
    }

    /// The same surface with three vertices of its own for each triangle, zeros of both signs.
    fn as_loose_triangles(mesh: &TriangleMesh) -> TriangleMesh {
        let sign = |t: usize, v: Vec3| {
            if t.is_multiple_of(2) { v } else { v.map(|c| if c == 0.0 { -c } else { c }) }
        };
        let vertices =
            (0..mesh.triangles.len()).flat_map(|t| mesh.corners(t).map(|v| sign(t, v))).collect();
        let triangles = (0..mesh.triangles.len() as u32).map(|t| [0, 1, 2].map(|k| 3 * t + k));
        TriangleMesh { vertices, triangles: triangles.collect() }
    }

    #[test]
    fn volume_has_the_sign_of_the_orientation() {
        let mesh = tetrahedron();
        assert!((mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-12);
        assert!((mesh.flipped().signed_volume() + 1.0 / 6.0).abs() < 1e-12);
        assert_eq!(TriangleMesh::default().signed_volume(), 0.0);
    }

    #[test]
    fn welding_joins_loose_triangles_and_drops_collapsed_ones() {
        let mut loose = as_loose_triangles(&tetrahedron());
        loose.triangles.push([0, 0, 5]);
        assert_eq!(loose.check_closed(), Ok(()));
        let welded = loose.welded();
        assert_eq!((welded.vertices.len(), welded.triangles.len()), (4, 4));
        assert_eq!(welded.signed_volume(), tetrahedron().signed_volume());
    }

    /// Of 250 000 places some have the hash of another.
    #[test]
    fn places_of_one_hash_stay_apart_and_the_first_vertex_of_a_place_stands_for_it() {
        let once: Vec<Vec3> =
            (0..250_000).map(|k| Vec3::new((k % 500) as Real, (k / 500) as Real, 0.25)).collect();
        let hashes: HashSet<u32> = once.iter().map(hash_of).collect();
        assert!(hashes.len() < once.len());
        let twice: Vec<Vec3> = once.iter().chain(once.iter().rev()).copied().collect();
        let count = once.len() as u32;
        let expected: Vec<u32> = (0..count).chain((0..count).rev()).collect();
        for threads in [1, 3] {
            let found = with_threads(threads, || first_at_each_position(&twice));
            assert!(found == expected, "{threads} threads");
        }
    }

    #[test]
    fn holes_and_turned_triangles_are_found() {
        let mut hole = tetrahedron();
        hole.triangles.pop();
        let open = hole.check_closed().unwrap_err();
        assert_eq!((open.edges, open.flaw), (3, EdgeFlaw::Hole));
        assert!(open.to_string().contains("3 edges lack"), "{open}");
        let mut turned = tetrahedron();
        turned.triangles[2].swap(0, 1);
        let open = turned.check_closed().unwrap_err();
        assert_eq!((open.edges, open.flaw), (3, EdgeFlaw::Turned));
        let mut fin = tetrahedron();
        fin.vertices.push(Vec3::new(2.0, 2.0, 2.0));
        fin.triangles.push([1, 2, 4]);
        let open = fin.check_closed().unwrap_err();
        assert_eq!((open.edges, open.flaw), (3, EdgeFlaw::Crowded));
    }

    #[test]
    fn triangles_that_are_there_twice_count_once() {
        let once = tetrahedron();
        let mut twice = tetrahedron();
        twice.triangles.extend(once.triangles.iter().map(|&[a, b, c]| [b, c, a]));
        assert_eq!(twice.welded(), once.welded());
        assert_eq!(twice.check_closed(), Ok(()));
        let turned = TriangleMesh { triangles: vec![[0, 1, 2], [2, 1, 0]], ..tetrahedron() };
        assert_eq!(turned.welded().triangles.len(), 2, "a doubled sheet stays");
    }

    #[test]
    fn boxes_that_share_an_edge_and_doubled_sheets_are_closed() {
        let mut pair = tetrahedron();
        let mirrored = tetrahedron();
        // Mirrored at x = 0 and y = 0, which keeps the orientation: both share the edge on z.
        pair.vertices.extend(mirrored.vertices.iter().map(|v| Vec3::new(-v.x, -v.y, v.z)));
        pair.triangles.extend(mirrored.triangles.iter().map(|t| t.map(|v| v + 4)));
        assert_eq!(pair.check_closed(), Ok(()));
        let sheet = TriangleMesh { triangles: vec![[0, 1, 2], [2, 1, 0]], ..tetrahedron() };
        assert_eq!(sheet.check_closed(), Ok(()));
    }
}
