//! Faces in the place of triangles that are not on the boundary as a whole, where solids are now.

use super::boundary::UnionBoundary;
use super::cutting::Visible;
use super::faces::{Face, faces_of};
use super::frame::Frame;
use super::overlay::ROUNDING;
use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_geometry::Aabb;

impl UnionBoundary {
    /// Puts faces in place of triangles, of those that move or stand.
    pub(super) fn place(&mut self, solids: &Solids, moves: bool) {
        let mut list = Vec::new();
        let groups = self.bounds_of_groups(solids);
        for frame in self.frames.iter().filter(|frame| frame.motion.stands() != moves) {
            if self.is_whole(frame, solids) {
                frame.triangles.iter().for_each(|&(t, _)| self.is_cut[t as usize] = false);
                continue;
            }
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
        if !moves {
            list.extend(self.place_isolated(solids));
        }
        let faces = if moves { &mut self.moving } else { &mut self.standing };
        faces.set(list);
    }

    /// Whether all triangles of a frame that moves are on the boundary as they are, told without a
    /// look at each: nothing is cut, and walls are farther than what rounds them.
    fn is_whole(&self, frame: &Frame, solids: &Solids) -> bool {
        let (Some((first, mesh)), Some((last, other))) =
            (frame.triangles.first(), frame.triangles.last())
        else {
            return true;
        };
        let Aabb { min, max } = &solids.mesh_ends[*mesh as usize].1;
        let corners = [to_point(min), to_point(max)];
        let rounding = ROUNDING * corners[0].amax().max(corners[1].amax());
        mesh == other
            && frame.is_uncut
            && self.crossing.visible.range(first..=last).next().is_none()
            && self.walls.hold(&corners, 2.0 * rounding)
    }

    /// What walls leave of meshes that meet nothing.
    fn place_isolated(&mut self, solids: &Solids) -> Vec<Face> {
        let mut list = Vec::new();
        for isolated in &self.isolated {
            let (mesh, bounds) =
                (isolated.number as usize, &solids.mesh_ends[isolated.number as usize].1);
            let corners = [to_point(&bounds.min), to_point(&bounds.max)];
            let rounding = ROUNDING * corners[0].amax().max(corners[1].amax());
            self.members[mesh].is_cut = false;
            if self.walls.hold(&corners, 2.0 * rounding) {
                continue;
            }
            let is_out = self.walls.exclude(bounds);
            for t in solids.triangles_of(mesh) {
                let own = self.facet(solids, t as u32, isolated.number);
                let faces = match is_out {
                    true => Some(vec![]),
                    false => faces_of(&self.walls, &own, &Visible::All, None),
                };
                self.is_cut[t] = faces.is_some();
                self.members[mesh].is_cut |= self.is_cut[t];
                list.extend(faces.into_iter().flatten());
            }
        }
        list
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
