//! What one chunk of particles has around it: the solids near each of them, found by the broad
//! phase or by rasterisation, with their planes, their parts and their velocities.

use crate::step::boundary::boundary_share::BoundaryShare;
use crate::step::boundary::cell_reach::rounding;
use crate::step::boundary::confinement::Confinement;
use crate::step::boundary::contact_plane::{ContactPlane, TOUCHING, drop_covered_walls};
use crate::world::World;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::BoxIndex;
use hashfall_solid::{
    NearSolids, PlaneTable, Slip, SolidFraction, SolidLayers, Solids, UnionBoundary,
};

/// Solids whose surface is farther from a particle's are not met in a step, in its radii.
const CONTACT_REACH: Real = 2.0;

/// Drag is that at this distance where a particle is nearer, in its radii.
const MIN_DISTANCE: Real = 0.5;

/// What one chunk of particles has around it.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Objects around the cell that was asked for last, ascending, with their boxes at hand.
    of_cell: Vec<(u32, Aabb)>,
    /// Their numbers.
    found: Vec<u32>,
    /// Objects whose box comes within h of each particle, ascending, one list after the other.
    pub objects: Vec<u32>,
    /// Where each particle's list starts, and the end of the last.
    pub starts: Vec<usize>,
    /// Those around the particle that was asked for last.
    pub near_solids: NearSolids,
    /// Planes that each particle may not cross, one list after the other.
    pub planes: Vec<ContactPlane>,
    /// Where each particle's list starts, and the end of the last.
    pub plane_starts: Vec<usize>,
    /// The parts of the solids near each particle, one list after the other.
    pub shares: Vec<BoundaryShare>,
    /// Where each particle's list starts, and the end of the last.
    pub share_starts: Vec<usize>,
    /// The two opposed solids that each particle is between, if they are near.
    pub confinements: Vec<Option<Confinement>>,
}

impl Surroundings {
    pub fn clear(&mut self) {
        self.objects.clear();
        self.starts.clear();
        self.starts.push(0);
        self.planes.clear();
        self.plane_starts.clear();
        self.plane_starts.push(0);
        self.shares.clear();
        self.share_starts.clear();
        self.share_starts.push(0);
        self.confinements.clear();
    }

    /// Notes nothing for the next particle: far from all solids, or in a nozzle, where it feels
    /// none.
    pub fn pass(&mut self) {
        self.starts.push(self.objects.len());
        self.plane_starts.push(self.planes.len());
        self.share_starts.push(self.shares.len());
        self.confinements.push(None);
    }

    /// Notes the planes of the solids found last that a step can come to. Those of a surface that
    /// gives back count once they are touched: who still comes bounces in the drift. A face that
    /// lies in a wall stands for it.
    pub fn note_planes(&mut self, radius: Real, solids: &Solids) {
        let first = self.planes.len();
        let planes = self.near_solids.surfaces().iter().map(|solid| ContactPlane {
            surface: solid.surface,
            normal: solid.normal,
            velocity: Vec3::zeros(),
            gap: (solid.distance - radius).max(0.0),
            distance: solid.distance,
            speed: 0.0,
        });
        let stops = |plane: &ContactPlane| {
            let bounces = solids.contact_law(plane.surface).restitution > 0.0;
            plane.gap < if bounces { TOUCHING } else { CONTACT_REACH } * radius
        };
        self.planes.extend(planes.filter(stops));
        drop_covered_walls(&mut self.planes, first, TOUCHING * radius);
        self.plane_starts.push(self.planes.len());
    }

    /// Integrates the kernel over the solids found last, and notes the part of each. Returns their
    /// part of the density.
    pub fn integrate(&mut self, layers: &SolidLayers, world: &World) -> SolidFraction {
        let (least, shares) = (MIN_DISTANCE * world.particle_radius, &mut self.shares);
        // A mesh that is drawn out along y has normals across the plane, by rounding.
        let in_plane = |v: Vec3| match world.dimension {
            Dimension::Two => Vec3::new(v.x, 0.0, v.z),
            Dimension::Three => v,
        };
        let SolidFraction { fraction, gradient } =
            SolidFraction::from_near(layers, &self.near_solids, |solid, sums, share| {
                let (normal, slope) = (in_plane(solid.normal), sums.slope * share);
                if slope < 0.0 {
                    let sticks = world.solids.contact_law(solid.surface).slip == Slip::No;
                    let drag = if sticks { -slope / solid.distance.max(least) } else { 0.0 };
                    let (surface, distance) = (solid.surface, solid.distance);
                    let share = BoundaryShare::new(surface, normal, slope, drag, distance);
                    shares.push(BoundaryShare { deforms: world.solids.deforms(surface), ..share });
                }
            });
        self.share_starts.push(self.shares.len());
        SolidFraction { fraction, gradient: in_plane(gradient) }
    }

    /// Notes whether solids confine the next particle; returns the part of them that counts.
    pub fn confine(&mut self, confinement: Option<Confinement>, layers: &SolidLayers) -> Real {
        self.confinements.push(confinement);
        let Some(confinement) = confinement.filter(Confinement::is_tight) else { return 1.0 };
        let [.., start, end] = self.share_starts[..] else { return 1.0 };
        confinement.widen(&mut self.shares[start..end]);
        confinement.solid_share(layers)
    }

    /// Leaves this part of what the solids found last are.
    pub fn scale_shares(&mut self, left: Real) {
        let [.., start, end] = self.share_starts[..] else { return };
        for part in &mut self.shares[start..end] {
            (part.slope, part.drag) = (part.slope * left, part.drag * left);
        }
    }

    /// Takes the velocities of the solids near the `k`-th particle, which is at `x` \[m\].
    pub fn take_velocities(&mut self, k: usize, solids: &Solids, x: &Vec3) {
        let objects = &self.objects[self.starts[k]..self.starts[k + 1]];
        for plane in &mut self.planes[self.plane_starts[k]..self.plane_starts[k + 1]] {
            let at = x - plane.normal * plane.distance;
            plane.velocity = solids.surface_velocity_at(objects, plane.surface, &at);
            plane.speed = plane.velocity.dot(&plane.normal);
        }
        let shares = &mut self.shares[self.share_starts[k]..self.share_starts[k + 1]];
        for part in &mut *shares {
            let at = x - part.normal * part.distance;
            part.velocity = solids.surface_velocity_at(objects, part.surface, &at);
            if part.drag > 0.0 {
                part.rigid_velocity = match part.deforms {
                    true => part.velocity,
                    false => solids.velocity_at(part.surface, x),
                };
            }
        }
        if let Some(confinement) = self.confinements[k].filter(Confinement::is_tight) {
            confinement.close_no_more(shares);
        }
    }

    /// Asks the broad phase for the objects around a cell, and solids for their fine meshes.
    pub fn query(&mut self, index: &dyn BoxIndex, solids: &Solids, reach: &Aabb) {
        self.near_solids.note_fine(solids, reach);
        index.overlapping(reach, &mut self.found);
        self.of_cell.clear();
        let boxes = index.boxes();
        self.of_cell.extend(self.found.iter().map(|&object| (object, boxes[object as usize])));
    }

    /// Whether the broad phase found nothing around the cell.
    pub fn has_no_object(&self) -> bool {
        self.of_cell.is_empty()
    }

    /// Adds the list of the next particle. Triangles that deform, whose boxes may be wide, are only
    /// in it if they are near themselves; they are `by_raster`, if they are looked for so.
    pub fn collect(&mut self, world: &World, x: &Vec3, by_raster: Option<&[u32]>, boxes: &[Aabb]) {
        let (h, solids, first) = (world.support_radius, &world.solids, self.objects.len());
        let reach = h + rounding(x, h);
        let ball = Aabb::of_ball(x, reach);
        let deforms = solids.has_deforming();
        for (object, its_box) in &self.of_cell {
            let is_within_reach = its_box.overlaps(&ball);
            if is_within_reach
                && !(deforms && self.is_dropped(solids, *object, x, reach, by_raster))
            {
                self.objects.push(*object);
            }
        }
        let rastered = by_raster.into_iter().flatten().filter(|object| {
            let is_within_reach = boxes[**object as usize].overlaps(&ball);
            is_within_reach && !solids.is_deforming_beyond(**object, x, reach)
        });
        self.objects.extend(rastered);
        if by_raster.is_some() {
            self.objects[first..].sort_unstable();
        }
        self.starts.push(self.objects.len());
    }

    /// Whether a triangle that deforms, found by its box, is too far, or looked for by raster.
    fn is_dropped(
        &self,
        solids: &Solids,
        object: u32,
        x: &Vec3,
        reach: Real,
        by_raster: Option<&[u32]>,
    ) -> bool {
        match by_raster {
            Some(_) => solids.is_deforming_object(object),
            None => solids.is_deforming_beyond(object, x, reach),
        }
    }

    /// Finds the solids within h of the particle whose list was added last.
    pub fn find_near_solids(
        &mut self,
        world: &World,
        union: &UnionBoundary,
        table: &PlaneTable,
        x: &Vec3,
    ) {
        let [.., start, end] = self.starts[..] else { return };
        let (objects, h) = (&self.objects[start..end], world.support_radius);
        world.solids.near(objects, x, h, union, table, &mut self.near_solids);
    }
}
