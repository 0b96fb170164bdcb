//! The boundary of the union of solid meshes and walls, over which the density is integrated.
//!
//! Solids that overlap or touch must not count twice, and what lies between them bears nothing. The
//! union's part of the kernel is an integral over its boundary ([`super::mesh_integral`]), so each
//! triangle is replaced by those of its parts that are on it:
//!
//! - among the shells of meshes that keep their places to each other (all that stand; those of one
//!   moving body) by an arrangement in their own frame ([`arrangement`]), once;
//! - at the walls by clamping to the domain ([`walls`]): once, and in every step for what moves.
//!
//! A triangle that is on the boundary as a whole stays as it is. Meshes that are joined by a cut
//! are one *group*: their fluxes add up to the part of their union, and each bears what its own
//! visible parts add. `Hollow` meshes enclose nothing, and take no part.

mod arrangement;
mod overlay;
mod polygon;
#[cfg(test)]
mod tests;
mod walls;

use super::Solids;
use super::motion::Pose;
use super::piece::exact;
use crate::base::{Real, Vec3, vec3};
use crate::geometry::{Aabb, Point};
use crate::search::{BroadPhase, Bvh};
use arrangement::{Arrangement, Triangles, Visible};
use overlay::Facet;
use polygon::fan;
use walls::{Clamped, Walls};

/// The boundary of the union of the solids, where they are now.
#[derive(Clone, Debug)]
pub struct UnionBoundary {
    walls: Walls,
    frames: Vec<Frame>,
    /// By mesh that has triangles.
    members: Vec<Member>,
    /// By triangle: whether faces stand for it, or nothing.
    is_cut: Vec<bool>,
    standing: Faces,
    moving: Faces,
}

/// What a mesh is to the union.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Member {
    /// Meshes of one frame do not overlap but where that is taken off; `None` for `Hollow` ones.
    pub frame: Option<u32>,
    /// The first mesh of those that it meets.
    first: u32,
    /// Whether a triangle of those is cut.
    is_cut: bool,
}

/// Meshes that keep their places to each other.
#[derive(Clone, Debug)]
struct Frame {
    /// The moving body; `None` if they stand.
    mover: Option<usize>,
    /// Numbers of their triangles, with the mesh of each.
    triangles: Vec<(u32, u32)>,
    /// What of each is visible.
    visible: Vec<Visible>,
}

/// Part of a triangle that is on the boundary, or a cover (see [`walls`]).
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub mesh: u32,
    pub corners: [Point; 3],
    /// The wall that it covers.
    pub covers: Option<u8>,
}

/// Faces that can be asked for.
#[derive(Clone, Debug, Default)]
struct Faces {
    list: Vec<Face>,
    index: Bvh,
    bounds: Option<Aabb>,
}

impl Member {
    /// The group that its flux is part of.
    pub fn group(&self) -> Option<u32> {
        self.is_cut.then_some(self.first)
    }
}

impl UnionBoundary {
    /// Of these solids where they are now.
    pub fn new(solids: &Solids) -> Self {
        let mut boundary = UnionBoundary {
            walls: walls_of(solids),
            frames: Vec::new(),
            members: vec![Member::default(); solids.mesh_ends.len()],
            is_cut: vec![false; solids.triangles.len()],
            standing: Faces::default(),
            moving: Faces::default(),
        };
        boundary.add_frame(solids, None);
        (0..solids.movers.len()).for_each(|mover| boundary.add_frame(solids, Some(mover)));
        boundary.place(solids, false);
        boundary.place(solids, true);
        boundary
    }

    /// Takes the present places of what moves.
    pub fn update(&mut self, solids: &Solids) {
        if solids.has_movers() {
            self.place(solids, true);
        }
    }

    /// Whether faces stand for a triangle, or nothing.
    #[inline]
    pub(super) fn is_cut(&self, triangle: usize) -> bool {
        self.is_cut[triangle]
    }

    /// What a mesh is to the union.
    pub(super) fn member(&self, mesh: usize) -> &Member {
        &self.members[mesh]
    }

    /// A face by its number.
    #[inline]
    pub(super) fn face(&self, number: u32) -> &Face {
        let number = number as usize;
        let moving = number.checked_sub(self.standing.list.len());
        moving.map_or_else(|| &self.standing.list[number], |moving| &self.moving.list[moving])
    }

    /// Puts the numbers of the faces whose boxes come within `reach` \[m\] of `x` in place of
    /// `found`, mesh by mesh.
    #[inline]
    pub(super) fn near(&self, x: &Vec3, reach: Real, found: &mut Vec<u32>) {
        found.clear();
        let ball = Aabb::of_ball(x, reach);
        self.standing.near(&ball, 0, found);
        self.moving.near(&ball, self.standing.list.len() as u32, found);
        if !found.is_empty() {
            found.sort_unstable_by_key(|&number| (self.face(number).mesh, number));
        }
    }

    fn add_frame(&mut self, solids: &Solids, mover: Option<usize>) {
        let mut triangles = Triangles::default();
        let mut numbers = Vec::new();
        for NumberedMesh { number, first, index } in meshes_of(solids, mover) {
            let rest = solids.rest_vertices(index);
            let own = &solids.meshes[index].triangles;
            let place = |v: u32| exact(&rest[v as usize]);
            let facet = |t: &[u32; 3]| Facet::new(t.map(place), number);
            triangles.add_mesh(rest.len(), own, facet);
            numbers.extend((first..).zip(own).map(|(t, _)| (t, number)));
            self.members[number as usize] =
                Member { frame: Some(self.frames.len() as u32), first: number, is_cut: false };
        }
        let Arrangement { visible, meeting } = Arrangement::new(&triangles);
        self.join(&meeting);
        self.frames.push(Frame { mover, triangles: numbers, visible });
    }

    /// Meshes that meet have one first mesh.
    fn join(&mut self, pairs: &[[u32; 2]]) {
        for pair in pairs {
            let [a, b] = pair.map(|mesh| self.members[mesh as usize].first);
            let (low, high) = (a.min(b), a.max(b));
            self.members.iter_mut().filter(|m| m.first == high).for_each(|m| m.first = low);
        }
    }

    /// Puts faces in place of triangles where the solids are now, of those that move or stand.
    fn place(&mut self, solids: &Solids, moves: bool) {
        let mut list = Vec::new();
        let groups = self.bounds_of_groups(solids);
        for frame in self.frames.iter().filter(|frame| frame.mover.is_some() == moves) {
            let pose = frame.mover.map(|mover| solids.pose_of(mover));
            for (&(t, mesh), visible) in frame.triangles.iter().zip(&frame.visible) {
                let group = &groups[self.members[mesh as usize].first as usize];
                let own = solids.triangles[t as usize].map(|c| exact(&c));
                let faces = if self.walls.exclude(group) {
                    Some(vec![])
                } else {
                    self.faces_of(own, mesh, visible, pose)
                };
                self.is_cut[t as usize] = faces.is_some();
                list.extend(faces.into_iter().flatten());
            }
        }
        self.mark_groups(moves);
        let faces = if moves { &mut self.moving } else { &mut self.standing };
        faces.set(list);
    }

    /// The box around the meshes of each group, by its first.
    fn bounds_of_groups(&self, solids: &Solids) -> Vec<Aabb> {
        let mut bounds = vec![Aabb::EMPTY; self.members.len()];
        for (member, (_, own)) in self.members.iter().zip(&solids.mesh_ends) {
            let first = member.first as usize;
            bounds[first] = bounds[first].union(own);
        }
        bounds
    }

    /// What stands for a triangle that is at `own`; `None` if it is on the boundary as a whole.
    fn faces_of(
        &self,
        own: [Point; 3],
        mesh: u32,
        visible: &Visible,
        pose: Option<&Pose>,
    ) -> Option<Vec<Face>> {
        let clamped = |corners: [Point; 3]| {
            let facet = Facet::new(corners, mesh);
            self.walls.clamp(&corners, &facet.normal, facet.tolerance(&facet))
        };
        let faces = |part: Clamped| {
            let face = |corners| Face { mesh, corners, covers: part.covers };
            fan(&part.polygon).map(face).collect::<Vec<_>>()
        };
        match visible {
            Visible::All if self.walls.hold(&own, Facet::new(own, mesh).rounding * 2.0) => None,
            Visible::All => {
                let parts = clamped(own);
                let is_whole = |part: &Clamped| part.covers.is_none() && part.polygon == own;
                let whole = parts.len() == 1 && is_whole(&parts[0]);
                (!whole).then(|| parts.into_iter().flat_map(faces).collect())
            }
            Visible::Parts(parts) => {
                let placed =
                    |part: &[Point; 3]| part.map(|p| pose.map_or(p, |pose| pose.apply(&p)));
                Some(parts.iter().map(placed).flat_map(clamped).flat_map(faces).collect())
            }
        }
    }

    /// Notes which meshes have a triangle cut, or meet one that has.
    fn mark_groups(&mut self, moves: bool) {
        let mut cut = vec![false; self.members.len()];
        let frames = || self.frames.iter().filter(|frame| frame.mover.is_some() == moves);
        for (t, mesh) in frames().flat_map(|frame| &frame.triangles) {
            cut[self.members[*mesh as usize].first as usize] |= self.is_cut[*t as usize];
        }
        for member in &mut self.members {
            let is_own = member
                .frame
                .is_some_and(|frame| self.frames[frame as usize].mover.is_some() == moves);
            if is_own {
                member.is_cut = cut[member.first as usize];
            }
        }
    }
}

impl Faces {
    fn set(&mut self, mut list: Vec<Face>) {
        if list.is_empty() && self.list.is_empty() {
            return;
        }
        list.sort_by_key(|face| face.mesh);
        let corners = |face: &Face| face.corners.map(|c| vec3(c.into()));
        // More than rounding takes.
        let around = |c: [Vec3; 3]| Aabb::around(&c).grown(4.0 * Real::EPSILON * c[0].amax());
        let boxes: Vec<Aabb> = list.iter().map(|face| around(corners(face))).collect();
        self.index.rebuild(&boxes, 0.0);
        self.bounds = boxes.into_iter().reduce(|all, b| all.union(&b));
        self.list = list;
    }

    /// Adds the numbers of the faces whose boxes overlap `query`, counted from `first`.
    #[inline]
    fn near(&self, query: &Aabb, first: u32, found: &mut Vec<u32>) {
        if self.bounds.is_some_and(|bounds| bounds.overlaps(query)) {
            self.index.candidates(query, |number| found.push(first + number));
        }
    }
}

/// A mesh that has triangles and encloses a volume.
struct NumberedMesh {
    /// Its number among those that have triangles.
    number: u32,
    /// Its number among all.
    index: usize,
    /// Its first triangle among all.
    first: u32,
}

/// The meshes that have triangles and enclose a volume, of a moving body or standing.
fn meshes_of(solids: &Solids, mover: Option<usize>) -> Vec<NumberedMesh> {
    let (mut number, mut first) = (0, 0);
    let mut meshes = Vec::new();
    for (index, mesh) in solids.meshes.iter().enumerate() {
        let triangles = mesh.triangles.len() as u32;
        if triangles > 0 {
            if solids.mover_of_mesh(index) == mover && !solids.is_hollow(index) {
                meshes.push(NumberedMesh { number, index, first });
            }
            (number, first) = (number + 1, first + triangles);
        }
    }
    meshes
}

fn walls_of(solids: &Solids) -> Walls {
    let bound = |corner: &Vec3, beyond: f64| {
        Point::from_fn(|a, _| if solids.open[a] { beyond } else { exact(corner)[a] })
    };
    let Aabb { min, max } = &solids.domain;
    Walls { bounds: [bound(min, f64::NEG_INFINITY), bound(max, f64::INFINITY)] }
}
