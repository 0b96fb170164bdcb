//! Where bodies that move against each other, or against what stands, meet at present.
//!
//! Two meshes can meet only in the box that their boxes share. If both have triangles there, these
//! are asked whether they meet; else one may still lie within the other, which one point of each of
//! its shells tells. Only if some do are triangles cut, and of the pairs that meet only those in
//! such boxes: the cost of bodies that keep apart is that of a look at each of their triangles.
//! Driven bodies that just touch ([`super::touching`]) do not meet.

use super::boundary::UnionBoundary;
use super::cutting::{Cutter, bounds, wound_around};
use super::frame::{Crossing, Frame, FrameMotion};
use super::overlay::{Facet, ROUNDING, rounding_of};
use super::polygon::centroid;
use super::touching::Touching;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use hashfall_core::{Real, parallel};
use hashfall_geometry::{Aabb, Interior, Point};
use hashfall_search::{BroadPhase, Bvh};
use std::collections::BTreeSet;

impl UnionBoundary {
    /// What bodies leave of each other where they are now.
    pub(super) fn find_crossing(&mut self, solids: &Solids) -> Crossing {
        if !solids.has_moving_bodies() {
            return Crossing::default();
        }
        let touching = Touching::new(solids, self.support);
        let mut pairs = self.overlapping_boxes(solids);
        let keep = |k: usize| (!touching.is_touching(&pairs[k])).then_some(pairs[k]);
        pairs = parallel::filter_map(pairs.len(), keep);
        if pairs.is_empty() {
            return Crossing::default();
        }
        self.renew_interiors(solids, &both_ways(&pairs));
        let bodies = Bodies::new(self, solids);
        let is_meeting = parallel::map(pairs.len(), |k| self.is_meeting(solids, &pairs[k]));
        let mut is_meeting = is_meeting.into_iter();
        let (meeting, apart): (Vec<_>, Vec<_>) =
            pairs.iter().copied().partition(|_| is_meeting.next() == Some(true));
        if apart.is_empty() || !self.is_one_in_another(&bodies, &both_ways(&apart)) {
            pairs = meeting;
        }
        if pairs.is_empty() {
            return Crossing::default();
        }
        let pairs = both_ways(&pairs);
        let targets = self.targets(solids, &pairs);
        self.cut(&bodies, &pairs, &targets)
    }

    /// Whether triangles of two meshes meet.
    fn is_meeting(&self, solids: &Solids, &[a, b]: &[u32; 2]) -> bool {
        let bounds = |mesh: u32| &solids.mesh_ends[mesh as usize].1;
        let mut facets = Vec::new();
        for [own, other] in [[a, b], [b, a]] {
            let near = solids
                .triangles_of(own as usize)
                .filter(|&t| bounds(other).overlaps(&Aabb::around(&solids.triangles[t])));
            facets.extend(near.map(|t| self.facet(solids, t as u32, own)));
        }
        self.do_meet(&facets)
    }

    /// Takes the inside of meshes that deform, where others may be in it.
    fn renew_interiors(&mut self, solids: &Solids, pairs: &[[u32; 2]]) {
        let UnionBoundary { frames, members, .. } = self;
        for (number, frame) in frames.iter_mut().enumerate() {
            let is_met =
                |[mesh, _]: &[u32; 2]| members[*mesh as usize].frame == Some(number as u32);
            if matches!(frame.motion, FrameMotion::Deforms(_)) && pairs.iter().any(is_met) {
                let corners = |t: u32| solids.triangles[t as usize].map(|c| to_point(&c));
                let now = frame.triangles.iter().map(|(t, _)| corners(*t)).collect();
                frame.interior = Some(Interior::from_points(now));
            }
        }
    }

    /// Pairs of meshes of different frames whose boxes overlap, the lower number first, ascending.
    fn overlapping_boxes(&self, solids: &Solids) -> Vec<[u32; 2]> {
        let frame = |mesh: usize| self.members[mesh].frame;
        let bounds = |mesh: usize| &solids.mesh_ends[mesh].1;
        let moves = |mesh: usize| {
            frame(mesh).is_some_and(|frame| !self.frames[frame as usize].motion.stands())
        };
        let mut pairs = Vec::new();
        let mut index = Bvh::default();
        let boxes: Vec<Aabb> = solids.mesh_ends.iter().map(|(_, bounds)| *bounds).collect();
        index.rebuild(&boxes, 0.0);
        for a in (0..self.members.len()).filter(|&mesh| moves(mesh)) {
            index.candidates(bounds(a), |other| {
                let b = other as usize;
                let may_meet = frame(b).is_some() && frame(a) != frame(b);
                if may_meet && bounds(a).overlaps(bounds(b)) {
                    pairs.push([other.min(a as u32), other.max(a as u32)]);
                }
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The triangles of meshes that lie in a box which one of them shares with another.
    fn targets(&self, solids: &Solids, pairs: &[[u32; 2]]) -> Vec<(u32, u32)> {
        let bounds = |mesh: u32| &solids.mesh_ends[mesh as usize].1;
        let in_frame = |frame: &Frame| {
            let is_target = |&(t, mesh): &(u32, u32)| {
                let first = pairs.partition_point(|[own, _]| *own < mesh);
                let others = pairs[first..].iter().take_while(|[own, _]| *own == mesh);
                let around = Aabb::around(&solids.triangles[t as usize]);
                others.into_iter().any(|[_, other]| bounds(*other).overlaps(&around))
            };
            frame.triangles.iter().copied().filter(is_target).collect::<Vec<_>>()
        };
        self.frames.iter().flat_map(in_frame).collect()
    }

    /// Whether triangles of different frames meet.
    fn do_meet(&self, facets: &[Facet]) -> bool {
        let frame = |facet: &Facet| self.members[facet.mesh as usize].frame;
        let first = facets.first().map(frame);
        if facets.iter().all(|facet| Some(frame(facet)) == first) {
            return false;
        }
        let cutter = Cutter::new(facets);
        parallel::any(facets.len(), |t| {
            let own = frame(&facets[t]);
            !cutter.meetings(t as u32, |other| frame(other) != own).others.is_empty()
        })
    }

    /// Whether a shell lies within a mesh of another frame, given that no triangles meet.
    fn is_one_in_another(&self, bodies: &Bodies, pairs: &[[u32; 2]]) -> bool {
        let concerned: BTreeSet<u32> = pairs.iter().map(|[own, _]| *own).collect();
        self.frames.iter().any(|frame| {
            let mut seen = BTreeSet::new();
            let shells = frame.triangles.iter().zip(&frame.shells);
            let mut firsts = shells
                .filter(|((_, mesh), shell)| concerned.contains(mesh) && seen.insert(**shell));
            firsts.any(|(&(t, mesh), _)| {
                let at = centroid(&self.facet(bodies.solids, t, mesh).corners);
                let own = self.members[mesh as usize].frame;
                let around = bodies.around(&at).into_iter();
                around.map(|mesh| self.members[mesh as usize].frame).any(|frame| frame != own)
            })
        })
    }

    /// Cuts the targets where they meet others now.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn cut(&self, bodies: &Bodies, pairs: &[[u32; 2]], targets: &[(u32, u32)]) -> Crossing {
        let mut index = Bvh::default();
        let around = |&(t, mesh): &(u32, u32)| bounds(&self.facet(bodies.solids, t, mesh).corners);
        let boxes: Vec<_> = targets.iter().map(around).collect();
        index.rebuild(&boxes, 0.0);
        let is_near = |t: u32| {
            let corners = &bodies.solids.triangles[t as usize];
            let slack = 4.0 * rounding_of(&corners.map(|c| to_point(&c)));
            let mut found = false;
            index.candidates(&Aabb::around(corners).grown(slack as Real), |_| found = true);
            found
        };
        // What is in a frame with one of a pair may be near, too.
        let frame_of = |mesh: u32| self.members[mesh as usize].frame;
        let concerned: BTreeSet<u32> = pairs.iter().filter_map(|[own, _]| frame_of(*own)).collect();
        let all = concerned.iter().flat_map(|&frame| &self.frames[frame as usize].triangles);
        let near: Vec<(u32, Facet)> = all
            .filter(|(t, _)| is_near(*t))
            .map(|&(t, mesh)| (t, self.facet(bodies.solids, t, mesh)))
            .collect();
        let numbers: Vec<u32> = near.iter().map(|(t, _)| *t).collect();
        let facets: Vec<Facet> = near.into_iter().map(|(_, facet)| facet).collect();
        let cutter = Cutter::new(&facets);
        let wanted: BTreeSet<u32> = targets.iter().map(|(t, _)| *t).collect();
        let resolved = parallel::filter_map(facets.len(), |k| {
            wanted.contains(&numbers[k]).then(|| {
                let own = facets[k].mesh;
                let meets = |other: u32| {
                    frame_of(other) == frame_of(own) || pairs.binary_search(&[own, other]).is_ok()
                };
                // What only touches it hides nothing of it: each is whole beside the other.
                let around = |p: &Point| {
                    let mut around = bodies.around(p);
                    around.retain(|mesh| meets(*mesh));
                    around
                };
                let meetings = cutter.meetings(k as u32, |other: &Facet| meets(other.mesh));
                let others = meetings.others.iter().map(|&other| facets[other as usize].mesh);
                let met: Vec<[u32; 2]> =
                    others.map(|other| [own.min(other), own.max(other)]).collect();
                let (visible, hiding) = cutter.resolve(k as u32, &meetings, &around);
                (numbers[k], visible, [met, hiding].concat())
            })
        });
        let mut crossing = Crossing::default();
        for (t, visible, pairs) in resolved {
            crossing.visible.insert(t, visible);
            crossing.meeting.extend(pairs.into_iter().filter(|[low, high]| low < high));
        }
        crossing.meeting.sort_unstable();
        crossing.meeting.dedup();
        crossing
    }

    /// A triangle where it is now.
    pub(super) fn facet(&self, solids: &Solids, t: u32, mesh: u32) -> Facet {
        let corners = solids.triangles[t as usize].map(|c| to_point(&c));
        Facet::new(corners, mesh).limited(self.limit(t))
    }
}

/// Pairs with their first and second number exchanged beside them, ascending.
fn both_ways(pairs: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut all: Vec<_> = pairs.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
    all.sort_unstable();
    all
}

/// Where the frames are now, to ask which meshes are around a point.
struct Bodies<'a> {
    frames: &'a [Frame],
    solids: &'a Solids,
    /// Over the boxes around the frames.
    index: Bvh,
}

impl<'a> Bodies<'a> {
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn new(boundary: &'a UnionBoundary, solids: &'a Solids) -> Self {
        let mut boxes = vec![Aabb::EMPTY; boundary.frames.len()];
        for (member, (_, bounds)) in boundary.members.iter().zip(solids.mesh_ends.iter()) {
            if let Some(frame) = member.frame {
                boxes[frame as usize] = boxes[frame as usize].union(bounds);
            }
        }
        let with_slack = |bounds: &Aabb| {
            let slack = ROUNDING as Real * bounds.min.amax().max(bounds.max.amax());
            bounds.grown(slack)
        };
        let mut index = Bvh::default();
        index.rebuild(&boxes.iter().map(with_slack).collect::<Vec<_>>(), 0.0);
        Bodies { frames: &boundary.frames, solids, index }
    }

    /// The meshes in which a point lies.
    fn around(&self, at: &Point) -> Vec<u32> {
        let x = to_vec3(at);
        let mut near = Vec::new();
        self.index.candidates(&Aabb::new(x, x), |frame| near.push(frame));
        near.sort_unstable();
        let crossings = near.into_iter().flat_map(|frame| {
            let frame = &self.frames[frame as usize];
            let pose = frame.motion.pose(self.solids);
            let local = pose.map_or(*at, |pose| pose.apply_inverse(at));
            let crossed = |interior: &Interior| -> Vec<(u32, i32)> {
                let mesh = |(t, sign): (usize, i32)| (frame.triangles[t].1, sign);
                interior.crossings(&local).map(mesh).collect()
            };
            frame.interior.as_ref().map(crossed).into_iter().flatten()
        });
        wound_around(crossings)
    }
}
