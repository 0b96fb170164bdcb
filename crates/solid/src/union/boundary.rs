//! The boundary of the union: which faces stand for triangles, and how meshes are grouped.

use super::arrangement::{Arrangement, Triangles};
use super::cutting::Visible;
use super::faces::{Face, Faces};
use super::fine_fields::shared_fields;
use super::frame::{Crossing, Frame, FrameMotion, Member};
use super::isolated::{IsolatedMesh, NumberedMesh};
use super::overlay::Facet;
use super::walls::Walls;
use crate::integral::MeshField;
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, DisjointSets, Interior, Point};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The boundary of the union of the solids, where they are now.
#[derive(Clone, Debug)]
pub struct UnionBoundary {
    pub(crate) walls: Walls,
    pub(crate) frames: Vec<Frame>,
    /// By mesh that has triangles.
    pub(crate) members: Vec<Member>,
    /// What bodies that move against each other leave of triangles; none where they do not meet.
    pub(super) crossing: Crossing,
    /// By triangle: whether faces stand for it, or nothing.
    pub(super) is_cut: Vec<bool>,
    /// [Limits](Facet::limit) of what counts as rounding \[m\]: of the triangles from one number
    /// up to that of the next.
    limits: Vec<(u32, f64)>,
    /// Meshes that meet nothing: all of their triangles are on the boundary.
    pub(super) isolated: Vec<IsolatedMesh>,
    pub(super) standing: Faces,
    pub(super) moving: Faces,
    /// Of particles \[m\], if fields are kept; else 0.
    pub(super) support: Real,
    /// By mesh that has triangles: what a fine one adds where particles have been.
    fields: Vec<Option<FineField>>,
}

/// What a fine mesh adds to the kernel's integral.
#[derive(Clone, Debug)]
pub(crate) struct FineField {
    /// Of the mesh as a whole.
    pub field: Arc<MeshField>,
    /// By node of its hierarchy: whether a triangle there is cut. None are if this is empty.
    pub cut_nodes: Vec<bool>,
}

impl UnionBoundary {
    /// Of these solids where they are now.
    pub fn new(solids: &Solids) -> Self {
        let mut boundary = UnionBoundary::uncut(solids);
        let mut meeting = Vec::new();
        for (motion, mut meshes) in meshes_by_frame(solids) {
            if motion.stands() && !solids.has_moving_bodies() {
                boundary.take_isolated(solids, &mut meshes);
            }
            if !meshes.is_empty() {
                meeting.extend(boundary.add_frame(solids, motion, &meshes));
            }
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
            limits: Vec::new(),
            isolated: Vec::new(),
            standing: Faces::default(),
            moving: Faces::default(),
            support: 0.0,
            fields: Vec::new(),
        }
    }

    /// From now on fine meshes are told by their hierarchies, and need not be among the objects
    /// that [`Solids::near`] is given; what they add is kept where particles of this support radius
    /// \[m\] come. The hierarchies [are made](Solids::make_trees).
    pub fn keep_fields(&mut self, solids: &Solids, support: Real) {
        let fields = shared_fields(solids, self.members.len(), support);
        let fine = |field| FineField { field, cut_nodes: Vec::new() };
        self.fields = fields.into_iter().map(|field| field.map(fine)).collect();
        if self.fields.iter().all(Option::is_none) {
            self.fields.clear();
        }
        self.support = support;
        // Bodies that touch are apart from now on.
        self.update(solids);
        self.note_cut_nodes(solids, true);
    }

    /// What a mesh adds, if it is fine and that is kept.
    pub(crate) fn field(&self, mesh: usize) -> Option<&FineField> {
        self.fields.get(mesh).and_then(Option::as_ref)
    }

    /// Whether there are fine meshes that are told by their hierarchies.
    pub(crate) fn keeps_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    /// What the fields take of memory \[bytes\].
    pub fn bytes_of_fields(&self) -> usize {
        let mut seen = HashSet::new();
        let fields = self.fields.iter().flatten().map(|it| &it.field);
        let kept = fields.filter(|field| seen.insert(Arc::as_ptr(field)));
        kept.map(|field| field.bytes()).sum()
    }

    /// Notes where the triangles of fine meshes are cut, of those that move or of all.
    fn note_cut_nodes(&mut self, solids: &Solids, with_standing: bool) {
        for (mesh, fine) in self.fields.iter_mut().enumerate() {
            let (Some(fine), Some(tree)) = (fine, solids.tree(mesh)) else { continue };
            if !with_standing && solids.driven_mesh(mesh).is_none() {
                continue;
            }
            fine.cut_nodes = if self.members[mesh].is_cut {
                let is_cut = &self.is_cut[solids.triangles_of(mesh)];
                tree.mark(|t| is_cut[t as usize])
            } else {
                Vec::new()
            };
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

    /// Takes those of the meshes that stand which meet nothing.
    fn take_isolated(&mut self, solids: &Solids, meshes: &mut Vec<NumberedMesh>) {
        let found: Vec<_> =
            meshes.iter().map(|mesh| IsolatedMesh::find(solids, mesh, meshes)).collect();
        let frame = self.frames.len() as u32;
        for (mesh, isolated) in meshes.iter().zip(&found) {
            if let Some(isolated) = isolated {
                self.members[mesh.number as usize].frame = Some(frame);
                self.limits.push((mesh.first, isolated.limit));
            }
        }
        let mut is_isolated = found.iter().map(Option::is_some);
        meshes.retain(|_| is_isolated.next() != Some(true));
        self.isolated.extend(found.into_iter().flatten());
        if !self.isolated.is_empty() {
            self.frames.push(Frame {
                motion: FrameMotion::Stands,
                triangles: vec![],
                shells: vec![],
                visible: vec![],
                is_uncut: true,
                interior: None,
            });
        }
    }

    /// The most that may count as rounding of a triangle \[m\].
    pub(super) fn limit(&self, triangle: u32) -> f64 {
        let at = self.limits.partition_point(|(first, _)| *first <= triangle);
        at.checked_sub(1).map_or(f64::INFINITY, |run| self.limits[run].1)
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
        let mut before = None;
        for ((t, _), facet) in numbers.iter().zip(&triangles.facets) {
            if before != t.checked_sub(1).map(|last| (last, facet.limit)) || before.is_none() {
                self.limits.push((*t, facet.limit));
            }
            before = Some((*t, facet.limit));
        }
        self.limits.sort_unstable_by_key(|(first, _)| *first);
        // A mesh that deforms meets itself nowhere, and where it was cut at first it is no more.
        let Arrangement { visible, meeting } = match motion {
            FrameMotion::Deforms(_) => Arrangement::whole(triangles.facets.len()),
            FrameMotion::Stands | FrameMotion::Moves(_) => Arrangement::new(&triangles),
        };
        let Triangles { facets, shells } = triangles;
        let interior = solids
            .has_moving_bodies()
            .then(|| Interior::from_points(facets.iter().map(|facet| facet.corners).collect()));
        let is_uncut = visible.iter().all(|visible| *visible == Visible::All);
        let triangles = numbers;
        self.frames.push(Frame { motion, triangles, shells, visible, is_uncut, interior });
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
        self.note_cut_nodes(solids, with_standing);
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
