//! The boundary of the union: which faces stand for triangles, and how meshes are grouped.

use super::arrangement::{Arrangement, Triangles};
use super::faces::{Face, Faces, faces_of};
use super::frame::{Crossing, Frame, FrameMotion, Member};
use super::overlay::Facet;
use super::walls::Walls;
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, DisjointSets, Interior, Point};
use std::collections::BTreeMap;

/// The boundary of the union of the solids, where they are now.
#[derive(Clone, Debug)]
pub struct UnionBoundary {
    pub(crate) walls: Walls,
    pub(crate) frames: Vec<Frame>,
    /// By mesh that has triangles.
    pub(crate) members: Vec<Member>,
    /// What bodies that move against each other leave of triangles; none where they do not meet.
    crossing: Crossing,
    /// By triangle: whether faces stand for it, or nothing.
    pub(super) is_cut: Vec<bool>,
    /// By triangle: [limits](Facet::limit) of what counts as rounding \[m\].
    pub(crate) limits: Vec<f64>,
    pub(super) standing: Faces,
    moving: Faces,
}

impl UnionBoundary {
    /// Of these solids where they are now.
    pub fn new(solids: &Solids) -> Self {
        let mut boundary = UnionBoundary::uncut(solids);
        let mut meeting = Vec::new();
        for (motion, meshes) in meshes_by_frame(solids) {
            meeting.extend(boundary.add_frame(solids, motion, &meshes));
        }
        boundary.join(&meeting);
        boundary.members.iter_mut().for_each(|member| member.home = member.first);
        boundary.crossing = boundary.find_crossing(solids);
        boundary.place_all(solids, true);
        boundary
    }

    /// Of these solids as if each were alone: enough where no particle is near one.
    pub fn uncut(solids: &Solids) -> Self {
        let member = |mesh: usize| {
            let mesh = mesh as u32;
            Member {
                frame: None,
                home: mesh,
                first: mesh,
                is_cut: false,
                is_grouped: false,
                is_thin: false,
                is_opaque: false,
            }
        };
        UnionBoundary {
            walls: walls_of(solids),
            frames: Vec::new(),
            members: (0..solids.mesh_ends.len()).map(member).collect(),
            crossing: Crossing::default(),
            is_cut: vec![false; solids.triangles.len()],
            limits: vec![f64::INFINITY; solids.triangles.len()],
            standing: Faces::default(),
            moving: Faces::default(),
        }
    }

    /// Takes the present places of what moves.
    pub fn update(&mut self, solids: &Solids) {
        if solids.has_moving_bodies() {
            let now = self.find_crossing(solids);
            let before = std::mem::replace(&mut self.crossing, now);
            let with_standing = !before.is_empty() || !self.crossing.is_empty();
            self.place_all(solids, with_standing);
        }
    }

    /// Whether faces stand for a triangle, or nothing.
    #[inline]
    pub(crate) fn is_cut(&self, triangle: usize) -> bool {
        self.is_cut[triangle]
    }

    /// What a mesh is to the union.
    pub(crate) fn member(&self, mesh: usize) -> &Member {
        &self.members[mesh]
    }

    /// A face by its number.
    #[inline]
    pub(crate) fn face(&self, number: u32) -> &Face {
        let number = number as usize;
        let moving = number.checked_sub(self.standing.list.len());
        moving.map_or_else(|| &self.standing.list[number], |moving| &self.moving.list[moving])
    }

    /// Puts the numbers of the faces whose boxes come within `reach` \[m\] of `x` in place of
    /// `found`, mesh by mesh.
    #[inline]
    pub(crate) fn near(&self, x: &Vec3, reach: Real, found: &mut Vec<u32>) {
        found.clear();
        let ball = Aabb::of_ball(x, reach);
        self.standing.near(&ball, 0, found);
        self.moving.near(&ball, self.standing.list.len() as u32, found);
        if !found.is_empty() {
            found.sort_unstable_by_key(|&number| (self.face(number).mesh, number));
        }
    }

    /// Adds meshes that keep their places to each other; tells which of them meet.
    fn add_frame(
        &mut self,
        solids: &Solids,
        motion: FrameMotion,
        meshes: &[NumberedMesh],
    ) -> Vec<[u32; 2]> {
        let mut triangles = Triangles::default();
        let mut numbers = Vec::new();
        for &NumberedMesh { number, first, index } in meshes {
            let rest = solids.rest_vertices(index);
            let own = &solids.meshes[index].triangles;
            let place = |v: u32| to_point(&rest[v as usize]);
            let facet = |t: &[u32; 3]| Facet::new(t.map(place), number);
            triangles.add_mesh(rest.len(), own, facet);
            numbers.extend((first..).zip(own).map(|(t, _)| (t, number)));
            self.members[number as usize].frame = Some(self.frames.len() as u32);
        }
        triangles.limit_rounding();
        for (&(t, _), facet) in numbers.iter().zip(&triangles.facets) {
            self.limits[t as usize] = facet.limit;
        }
        // A mesh that deforms meets itself nowhere, and where it was cut at first it is no more.
        let Arrangement { visible, meeting } = match motion {
            FrameMotion::Deforms(_) => Arrangement::whole(triangles.facets.len()),
            FrameMotion::Stands | FrameMotion::Moves(_) => Arrangement::new(&triangles),
        };
        let Triangles { facets, shells } = triangles;
        let interior = solids
            .has_moving_bodies()
            .then(|| Interior::from_points(facets.iter().map(|facet| facet.corners).collect()));
        self.frames.push(Frame { motion, triangles: numbers, shells, visible, interior });
        meeting
    }

    /// Meshes that meet have one first mesh.
    fn join(&mut self, pairs: &[[u32; 2]]) {
        if pairs.is_empty() {
            return;
        }
        let mut sets = DisjointSets::new(self.members.len());
        let known = self.members.iter().enumerate();
        known.for_each(|(mesh, member)| sets.union(mesh, member.first as usize));
        pairs.iter().for_each(|&[a, b]| sets.union(a as usize, b as usize));
        for (mesh, member) in self.members.iter_mut().enumerate() {
            member.first = sets.find(mesh) as u32;
        }
    }

    /// Puts faces in place of triangles where the solids are now, and tells the groups.
    fn place_all(&mut self, solids: &Solids, with_standing: bool) {
        self.members.iter_mut().for_each(|member| member.first = member.home);
        let meeting = std::mem::take(&mut self.crossing.meeting);
        self.join(&meeting);
        if with_standing {
            self.place(solids, false);
        }
        self.place(solids, true);
        let mut is_grouped = vec![false; self.members.len()];
        for member in &self.members {
            is_grouped[member.first as usize] |= member.is_cut;
        }
        for member in &mut self.members {
            member.is_grouped = is_grouped[member.first as usize];
        }
        self.note_opaque();
    }

    /// Tells which meshes hide what is behind them.
    pub(super) fn note_opaque(&mut self) {
        let mut has_thin = vec![false; self.members.len()];
        for member in &self.members {
            has_thin[member.first as usize] |= member.is_thin;
        }
        for member in &mut self.members {
            let of_group = member.is_grouped && has_thin[member.first as usize];
            member.is_opaque = member.is_thin || of_group;
        }
    }

    /// Puts faces in place of triangles, of those that move or stand.
    fn place(&mut self, solids: &Solids, moves: bool) {
        let mut list = Vec::new();
        let groups = self.bounds_of_groups(solids);
        for frame in self.frames.iter().filter(|frame| frame.motion.stands() != moves) {
            let pose = frame.motion.pose(solids);
            for (&(t, mesh), visible) in frame.triangles.iter().zip(&frame.visible) {
                let member = &self.members[mesh as usize];
                let own = &self.facet(solids, t, mesh);
                let faces = if self.walls.exclude(&groups[member.first as usize]) {
                    Some(vec![])
                } else if let Some(visible) = self.crossing.visible.get(&t) {
                    faces_of(&self.walls, own, visible, None)
                } else {
                    faces_of(&self.walls, own, visible, pose)
                };
                self.is_cut[t as usize] = faces.is_some();
                list.extend(faces.into_iter().flatten());
            }
        }
        for frame in self.frames.iter().filter(|frame| frame.motion.stands() != moves) {
            for (_, mesh) in &frame.triangles {
                self.members[*mesh as usize].is_cut = false;
            }
            for (t, mesh) in &frame.triangles {
                self.members[*mesh as usize].is_cut |= self.is_cut[*t as usize];
            }
        }
        let faces = if moves { &mut self.moving } else { &mut self.standing };
        faces.set(list);
    }

    /// The box around the meshes of each group, by its first.
    fn bounds_of_groups(&self, solids: &Solids) -> Vec<Aabb> {
        let mut bounds = vec![Aabb::EMPTY; self.members.len()];
        for (member, (_, own)) in self.members.iter().zip(solids.mesh_ends.iter()) {
            let first = member.first as usize;
            bounds[first] = bounds[first].union(own);
        }
        bounds
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

/// The meshes that have triangles and enclose a volume: those that stand, by moving body, and each
/// that deforms.
fn meshes_by_frame(solids: &Solids) -> BTreeMap<FrameMotion, Vec<NumberedMesh>> {
    let (mut number, mut first) = (0, 0);
    let mut frames: BTreeMap<_, Vec<NumberedMesh>> = BTreeMap::new();
    for (index, mesh) in solids.meshes.iter().enumerate() {
        let triangles = mesh.triangles.len() as u32;
        if triangles > 0 {
            if !solids.is_hollow(index) {
                let mesh = NumberedMesh { number, index, first };
                let motion = match solids.moving_body_of_mesh(index) {
                    Some(body) => FrameMotion::Moves(body),
                    None if solids.is_deforming_mesh(index) => FrameMotion::Deforms(index),
                    None => FrameMotion::Stands,
                };
                frames.entry(motion).or_default().push(mesh);
            }
            (number, first) = (number + 1, first + triangles);
        }
    }
    frames
}

fn walls_of(solids: &Solids) -> Walls {
    let bound = |corner: &Vec3, beyond: f64| {
        Point::from_fn(|a, _| if solids.open[a] { beyond } else { to_point(corner)[a] })
    };
    let Aabb { min, max } = &solids.domain;
    Walls { bounds: [bound(min, f64::NEG_INFINITY), bound(max, f64::INFINITY)] }
}
