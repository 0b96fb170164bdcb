//! The solids around diffuse particles: which objects are near, by cells of the support radius.
//!
//! Objects that stand are indexed once, those that move in each substep. Diffuse particles come in
//! the order of their cells, so the broad phase is asked once for all in a cell; each particle
//! then takes those whose boxes its own way can reach. Triangles of fine meshes are found by the
//! solids themselves.

use crate::body_path::{self, FrameBodies};
use hashfall_core::cell::{Cell, cell_of};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::{BoxIndex, BroadPhaseKind};
use hashfall_solid::{DriveError, NearSolid, Solids};

/// How far around its cell a particle's objects are looked up for all in it, in edges of the cell.
const CELL_REACH: Real = 2.0;
/// By which factor boxes are larger, for rounding.
const ROUNDED: Real = 1.01;

/// Solids where they are now, with their objects in a broad phase.
#[derive(Debug)]
pub struct Surroundings {
    /// The solids.
    pub solids: Solids,
    standing: Indexed,
    moving: Indexed,
    /// Edge of the cells \[m\].
    h: Real,
}

/// Objects in a broad phase, by number, ascending.
#[derive(Debug)]
struct Indexed {
    objects: Vec<u32>,
    index: Box<dyn BoxIndex>,
}

impl Indexed {
    fn new(objects: Vec<u32>, solids: &Solids, smallest: Real) -> Self {
        let boxes = objects.iter().map(|&object| solids.object_box(object)).collect();
        Indexed { index: BroadPhaseKind::default().index(boxes, smallest), objects }
    }

    fn add_overlapping(&self, query: &Aabb, found: &mut Vec<u32>) {
        let first = found.len();
        self.index.add_overlapping(query, found);
        found[first..].iter_mut().for_each(|k| *k = self.objects[*k as usize]);
    }
}

impl Surroundings {
    /// Of solids, for cells of the support radius `h` \[m\].
    pub fn new(solids: Solids, h: Real) -> Self {
        solids.make_trees();
        let moving: Vec<u32> = solids.moving_objects().collect();
        let stands = |object: &u32| moving.binary_search(object).is_err();
        let standing = solids.indexed_objects().into_iter().filter(stands).collect();
        Surroundings {
            standing: Indexed::new(standing, &solids, h),
            moving: Indexed::new(moving, &solids, h),
            solids,
            h,
        }
    }

    /// Puts all bodies where they are at a time \[s\]: those that have no law into these states.
    ///
    /// # Errors
    /// If one of these is not driven or does not deform, or its state is none.
    pub fn place(&mut self, time: f64, bodies: &FrameBodies) -> Result<(), DriveError> {
        self.solids.move_to(time);
        body_path::place(&mut self.solids, bodies)?;
        self.renew();
        Ok(())
    }

    /// Takes the places of the objects that have moved.
    pub fn renew(&mut self) {
        if !self.moving.objects.is_empty() {
            self.moving.index.renew(&mut self.solids.moving_boxes());
        }
    }

    /// Whether a wall is within `reach` \[m\] of a place.
    pub(crate) fn is_wall_within(&self, x: &Vec3, reach: Real) -> bool {
        let Solids { domain, open, .. } = &self.solids;
        let is_near = |axis: usize| {
            !open[axis] && (x[axis] - domain.min[axis]).min(domain.max[axis] - x[axis]) <= reach
        };
        (0..3).any(is_near)
    }

    /// The objects that may be within `reach` \[m\] of a place, ascending.
    pub(crate) fn objects(&self, x: &Vec3, reach: Real, near: &mut NearObjects) {
        near.objects.clear();
        let ball = Aabb::of_ball(x, reach);
        if reach > CELL_REACH * self.h {
            self.add_overlapping(&ball, &mut near.objects);
        } else {
            self.update(x, near);
            let is_near = |(_, bounds): &&(u32, Aabb)| bounds.overlaps(&ball);
            near.objects.extend(near.of_cell.iter().filter(is_near).map(|(object, _)| *object));
        }
        self.solids.add_fine_triangles(x, reach, &mut near.objects);
    }

    /// Looks the objects around the cell of a place up, unless they are those of the cell before.
    fn update(&self, x: &Vec3, near: &mut NearObjects) {
        let cell = cell_of(x, self.h);
        if near.cell == Some(cell) {
            return;
        }
        near.cell = Some(cell);
        let centre = Vec3::from(cell.map(|c| (c as Real + 0.5) * self.h));
        near.found.clear();
        let query = Aabb::of_ball(&centre, (0.5 + CELL_REACH) * ROUNDED * self.h);
        self.add_overlapping(&query, &mut near.found);
        let boxes = near.found.iter().map(|&object| (object, self.solids.object_box(object)));
        near.of_cell.clear();
        near.of_cell.extend(boxes);
    }

    /// The numbers of the objects whose boxes overlap `query`, ascending.
    fn add_overlapping(&self, query: &Aabb, found: &mut Vec<u32>) {
        self.standing.add_overlapping(query, found);
        self.moving.add_overlapping(query, found);
        found.sort_unstable();
    }

    /// Visits the surfaces closer than the support radius to a place, of each solid one at the
    /// most: the nearest.
    pub(crate) fn for_each_nearest(
        &self,
        x: &Vec3,
        near: &mut NearObjects,
        mut visit: impl FnMut(NearSolid),
    ) {
        self.objects(x, self.h, near);
        let NearObjects { objects, nearest, .. } = near;
        nearest.clear();
        self.solids.for_each_near(objects, x, self.h, |solid| {
            match nearest.iter_mut().find(|other| other.surface == solid.surface) {
                Some(other) if other.distance <= solid.distance => {}
                Some(other) => *other = solid,
                None => nearest.push(solid),
            }
        });
        nearest.drain(..).for_each(&mut visit);
    }
}

/// What a search for objects needs, kept from one place to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearObjects {
    /// The cell that was looked up last.
    cell: Option<Cell>,
    found: Vec<u32>,
    /// Objects near that cell, ascending, with their boxes.
    of_cell: Vec<(u32, Aabb)>,
    /// Objects near a place, ascending.
    pub objects: Vec<u32>,
    nearest: Vec<NearSolid>,
}
