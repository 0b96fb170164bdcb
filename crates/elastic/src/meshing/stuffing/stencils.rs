//! What of each tetrahedron lies inside.
//!
//! Corners are a, b, c, d, of positive volume; ab and cd are the long edges. *Lifting* a corner x
//! to its cut point X on the edge to d takes away the tetrahedron of the other corners, x and X.
//! Corners lifted one after the other cut a prism abc–ABC into three; a corner on the surface is
//! not lifted. Of two neighbours the one lifted first, y before x, gives the diagonal xY.

use super::Side;
use super::cuts::Cuts;
use super::lattice::Lattice;
use crate::mesh::ElasticMesh;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// A node of the mesh: one of the lattice, or after these a cut point.
type Corner = u32;

/// Even permutations that keep long edges together: each brings another corner to the end.
const TURNS: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];

/// The mesh of all that lies inside.
pub(super) fn trim(lattice: &Lattice, cuts: &Cuts) -> ElasticMesh {
    let trimmer = Trimmer { lattice, cuts };
    let odd = lattice.odd_nodes();
    let pieces = parallel::map_pieces(odd.len().div_ceil(parallel::CHUNK), &|chunk| {
        let first = odd.start + chunk * parallel::CHUNK;
        let nodes = first..odd.end.min(first + parallel::CHUNK);
        let mut out = Vec::new();
        for tetrahedron in nodes.flat_map(|node| lattice.tetrahedra(node)) {
            trimmer.trim(tetrahedron, &mut out);
        }
        out
    });
    compact(lattice, cuts, pieces.concat())
}

/// The nodes in use, and the tetrahedra by their numbers.
fn compact(lattice: &Lattice, cuts: &Cuts, mut tetrahedra: Vec<[Corner; 4]>) -> ElasticMesh {
    let count = lattice.position.len();
    let mut number = vec![u32::MAX; count + cuts.all().len()];
    tetrahedra.iter().flatten().for_each(|corner| number[*corner as usize] = 0);
    let mut nodes = Vec::new();
    for (corner, number) in number.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
        *number = nodes.len() as u32;
        let cut = || cuts.all()[corner - count].point;
        nodes.push(lattice.position.get(corner).copied().unwrap_or_else(cut));
    }
    tetrahedra.iter_mut().flatten().for_each(|corner| *corner = number[*corner as usize]);
    ElasticMesh { nodes, tetrahedra, ..ElasticMesh::default() }
}

struct Trimmer<'a> {
    lattice: &'a Lattice,
    cuts: &'a Cuts,
}

impl Trimmer<'_> {
    fn side(&self, node: u32) -> Side {
        self.lattice.side[node as usize]
    }

    /// The cut point on the edge between a node inside and one outside.
    fn cut(&self, a: u32, b: u32) -> Corner {
        (self.lattice.position.len() + self.cuts.number(a, b)) as u32
    }

    fn point(&self, corner: Corner) -> Point {
        let count = self.lattice.position.len();
        let cut = || self.cuts.all()[corner as usize - count].point;
        self.lattice.position.get(corner as usize).copied().unwrap_or_else(cut)
    }

    /// Adds what of a tetrahedron lies inside.
    fn trim(&self, corners: [u32; 4], out: &mut Vec<[Corner; 4]>) {
        let sides = corners.map(|node| self.side(node));
        let count = |side: Side| sides.iter().filter(|it| **it == side).count();
        match (count(Side::Inside), count(Side::Outside)) {
            (0, _) => {}
            (_, 0) => out.push(corners),
            (1, _) => out.extend(self.about_one(corners, &sides)),
            (_, 1) => self.below_one(turned(corners, |t| self.side(t[3]) == Side::Outside), out),
            _ if sides[0] == sides[1] => {
                let is_first = |t: [u32; 4]| self.side(t[0]) == Side::Inside;
                let up = |t: [u32; 4]| is_first(t) && self.is_lifted_first(t[1], t[0]);
                out.extend(self.about_long_edge(turned(corners, up)));
            }
            _ => {
                let up = |t: [u32; 4]| [t[0], t[2]].iter().all(|n| self.side(*n) == Side::Inside);
                match TURNS.iter().any(|turn| up(turn.map(|k| corners[k]))) {
                    true => out.extend(self.about_short_edge(turned(corners, up))),
                    // The inner edge is ad, not ac: seen in a mirror.
                    false => {
                        let [a, b, c, d] = corners;
                        let mirrored = self.about_short_edge(turned([a, b, d, c], up));
                        out.extend(mirrored.map(|[p, q, r, s]| [p, q, s, r]));
                    }
                }
            }
        }
    }

    /// Whether of two neighbours along a long edge the first is lifted first.
    fn is_lifted_first(&self, a: u32, _b: u32) -> bool {
        self.lattice.is_even(a)
    }

    /// One corner inside: the others, if outside, come near along their edges.
    fn about_one(&self, corners: [u32; 4], sides: &[Side; 4]) -> Option<[Corner; 4]> {
        let inside = sides.iter().position(|side| *side == Side::Inside)?;
        let near = |k: usize| match sides[k] {
            Side::Outside => self.cut(corners[inside], corners[k]),
            _ => corners[k],
        };
        Some([near(0), near(1), near(2), near(3)])
    }

    /// d outside, and two or three others inside: c, at the other end of d's long edge, is lifted
    /// first, then a and b by their parity.
    fn below_one(&self, corners: [u32; 4], out: &mut Vec<[Corner; 4]>) {
        let [a, b, _, d] = corners;
        let order = if self.is_lifted_first(a, b) { [2, 0, 1] } else { [2, 1, 0] };
        let mut rest = corners;
        for k in order.into_iter().filter(|k| self.side(corners[*k]) == Side::Inside) {
            let lifted = self.cut(corners[k], d);
            out.push([rest[0], rest[1], rest[2], lifted]);
            rest[k] = lifted;
        }
    }

    /// a and b inside, c and d outside; b is lifted first.
    fn about_long_edge(&self, [a, b, c, d]: [u32; 4]) -> [[Corner; 4]; 3] {
        let [ac, ad, bc, bd] = [(a, c), (a, d), (b, c), (b, d)].map(|(p, q)| self.cut(p, q));
        let first = [a, b, bc, bd];
        let ways =
            [[first, [a, bc, ac, ad], [a, bd, bc, ad]], [first, [a, bd, ac, ad], [a, bc, ac, bd]]];
        let [one, other] = ways.map(|way| self.flatness(&way));
        ways[usize::from(other < one)]
    }

    /// How flat the flattest of some tetrahedra is: the largest |cos| of its dihedral angles.
    fn flatness(&self, tetrahedra: &[[Corner; 4]]) -> f64 {
        let of_one = |corners: &[Corner; 4]| {
            let [a, b, c, d] = corners.map(|corner| self.point(corner));
            let normal = |p: Point, q: Point, r: Point| (q - p).cross(&(r - p)).normalize();
            let normals = [normal(a, c, b), normal(a, b, d), normal(b, c, d), normal(c, a, d)];
            let pairs = (0..4).flat_map(|k| (0..k).map(move |l| (k, l)));
            pairs.map(|(k, l)| normals[k].dot(&normals[l]).abs()).fold(0.0, f64::max)
        };
        tetrahedra.iter().map(of_one).fold(0.0, f64::max)
    }

    /// a and c inside, b and d outside: diagonals meet the cut points of both long edges.
    fn about_short_edge(&self, [a, b, c, d]: [u32; 4]) -> [[Corner; 4]; 3] {
        let [ab, ad, cb, cd] = [(a, b), (a, d), (c, b), (c, d)].map(|(p, q)| self.cut(p, q));
        [[a, ab, c, cd], [a, ab, cd, ad], [c, cd, ab, cb]]
    }
}

/// The first turn of the corners that is as it should be.
fn turned(corners: [u32; 4], is_right: impl Fn([u32; 4]) -> bool) -> [u32; 4] {
    let turns = TURNS.map(|turn| turn.map(|k| corners[k]));
    turns.into_iter().find(|turn| is_right(*turn)).unwrap_or(corners)
}
