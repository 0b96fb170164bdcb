//! What the solids near each particle add to its density and to the forces on it.
//!
//! Per particle: the kernel's integral λ over the solids and its gradient, the distance to the
//! nearest surface, and the part of each solid. No boundary particles: the cost is that of the
//! particles near a solid. The world is sorted by cells, so one query of the broad phase serves all
//! particles of a cell.
//!
//! A force F on a particle is shared out to the solids near it by their parts g of ∇λ, each as it
//! stands: Fᵦ = c gᵦ + (F − c G) |gᵦ|/Σ|g|, with G = Σ gᵦ and c = F·G/|G|², so that pressure is
//! square to the surface that it comes from. They add up to F. Between opposed solids G is next to
//! nothing, and c ends where |G|² is a small part of (Σ|g|)².

use crate::step::boundary::boundary_share::{BoundaryShare, NoSlipWall};
use crate::step::boundary::cell_reach::{reach_of_cell, rounding};
use crate::step::boundary::confinement::Confinement;
use crate::step::boundary::contact_plane::{ContactPlane, TOUCHING, drop_covered_walls};
use crate::step::boundary::giver::Giver;
use crate::step::boundary::openings::Openings;
use crate::step::boundary::raster_lists::RasterLists;
use crate::step::boundary::sliding::sliding;
use crate::world::World;
use hashfall_core::cell::cell_of;
use hashfall_core::parallel::CHUNK;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::BoxIndex;
use hashfall_solid::{
    NearSolids, PlaneTable, Screens, Slip, SolidFraction, SolidLayers, Solids, SurfaceId,
    UnionBoundary,
};
use rayon::prelude::*;

/// The solids' part for all particles.
#[derive(Debug)]
pub struct BoundaryTerms {
    /// λ: part of the kernel that lies in solids \[–\].
    pub fraction: Vec<Real>,
    /// ∇λ \[1/m\], pointing into the solids.
    pub gradient: Vec<Vec3>,
    /// Distance to the nearest surface \[m\]; infinite beyond the support radius.
    pub distance: Vec<Real>,
    layers: SolidLayers,
    table: PlaneTable,
    union: UnionBoundary,
    /// Whether `union` is cut: it is from when a particle first comes near a mesh.
    is_cut: bool,
    openings: Openings,
    /// Triangles that deform, if they are not looked for by their boxes.
    raster: Option<RasterLists>,
    chunks: Vec<Surroundings>,
}

/// What one chunk of particles has around it.
#[derive(Debug, Default)]
struct Surroundings {
    /// Objects around the cell that was asked for last, ascending, with their boxes at hand.
    of_cell: Vec<(u32, Aabb)>,
    /// Their numbers.
    found: Vec<u32>,
    /// Objects whose box comes within h of each particle, ascending, one list after the other.
    objects: Vec<u32>,
    /// Where each particle's list starts, and the end of the last.
    starts: Vec<usize>,
    near: NearSolids,
    /// Planes that each particle may not cross, one list after the other.
    planes: Vec<ContactPlane>,
    /// Where each particle's list starts, and the end of the last.
    plane_starts: Vec<usize>,
    /// The parts of the solids near each particle, one list after the other.
    shares: Vec<BoundaryShare>,
    /// Where each particle's list starts, and the end of the last.
    share_starts: Vec<usize>,
    /// The two opposed solids that each particle is between, if they are near.
    confinements: Vec<Option<Confinement>>,
}

/// Solids whose surface is farther from a particle's are not met in a step, in its radii.
const CONTACT_REACH: Real = 2.0;

/// The least |G|² that forces are shared out by, over (Σ|g|)².
const MIN_WHOLE: Real = 0.04;

/// Rounds over the planes of a corner.
const MAX_ROUNDS: usize = 4;

/// Drag is that at this distance where a particle is nearer, in its radii.
const MIN_DISTANCE: Real = 0.5;

impl Surroundings {
    fn clear(&mut self) {
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

    /// Notes nothing for the next particle: in a nozzle it feels no solid.
    fn pass(&mut self) {
        self.starts.push(self.objects.len());
        self.plane_starts.push(self.planes.len());
        self.share_starts.push(self.shares.len());
        self.confinements.push(None);
    }

    /// Notes the planes of the solids found last that a step can come to. Those of a surface that
    /// gives back count once they are touched: who still comes bounces in the drift. A face that
    /// lies in a wall stands for it.
    fn note_planes(&mut self, radius: Real, solids: &Solids) {
        let first = self.planes.len();
        let planes = self.near.surfaces().iter().map(|solid| ContactPlane {
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
    fn integrate(&mut self, layers: &SolidLayers, world: &World) -> SolidFraction {
        let (least, shares) = (MIN_DISTANCE * world.particle_radius, &mut self.shares);
        // A mesh that is drawn out along y has normals across the plane, by rounding.
        let in_plane = |v: Vec3| match world.dimension {
            Dimension::Two => Vec3::new(v.x, 0.0, v.z),
            Dimension::Three => v,
        };
        let SolidFraction { fraction, gradient } =
            SolidFraction::from_near(layers, &self.near, |solid, sums, share| {
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
    fn confine(&mut self, confinement: Option<Confinement>, layers: &SolidLayers) -> Real {
        self.confinements.push(confinement);
        let Some(confinement) = confinement.filter(Confinement::is_tight) else { return 1.0 };
        let [.., start, end] = self.share_starts[..] else { return 1.0 };
        confinement.widen(&mut self.shares[start..end]);
        confinement.solid_share(layers)
    }

    /// Leaves this part of what the solids found last are.
    fn scale_shares(&mut self, left: Real) {
        let [.., start, end] = self.share_starts[..] else { return };
        for part in &mut self.shares[start..end] {
            (part.slope, part.drag) = (part.slope * left, part.drag * left);
        }
    }

    /// Takes the velocities of the solids near the `k`-th particle, which is at `x` \[m\].
    fn take_velocities(&mut self, k: usize, solids: &Solids, x: &Vec3) {
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

    /// Asks the broad phase for the objects around a cell.
    fn query(&mut self, index: &dyn BoxIndex, reach: &Aabb) {
        index.overlapping(reach, &mut self.found);
        self.of_cell.clear();
        let boxes = index.boxes();
        self.of_cell.extend(self.found.iter().map(|&object| (object, boxes[object as usize])));
    }

    /// Adds the list of the next particle. Triangles that deform, whose boxes may be wide, are only
    /// in it if they are near themselves; they are `by_raster`, if they are looked for so.
    fn collect(&mut self, world: &World, x: &Vec3, by_raster: Option<&[u32]>, boxes: &[Aabb]) {
        let (h, solids, first) = (world.support_radius, &world.solids, self.objects.len());
        let reach = h + rounding(x, h);
        let ball = Aabb::of_ball(x, reach);
        let deforms = solids.has_deforming();
        for (object, its_box) in &self.of_cell {
            let is_near = its_box.overlaps(&ball);
            if is_near && !(deforms && self.is_dropped(solids, *object, x, reach, by_raster)) {
                self.objects.push(*object);
            }
        }
        let rastered = by_raster.into_iter().flatten().filter(|object| {
            let is_near = boxes[**object as usize].overlaps(&ball);
            is_near && !solids.is_deforming_beyond(**object, x, reach)
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
    fn find_near(&mut self, world: &World, union: &UnionBoundary, table: &PlaneTable, x: &Vec3) {
        let [.., start, end] = self.starts[..] else { return };
        let (own, h) = (&self.objects[start..end], world.support_radius);
        world.solids.near(own, x, h, union, table, &mut self.near);
    }
}

impl BoundaryTerms {
    /// No particle yet, of a world whose solids count as these layers.
    pub fn new(layers: SolidLayers, world: &World) -> Self {
        BoundaryTerms {
            fraction: Vec::new(),
            gradient: Vec::new(),
            distance: Vec::new(),
            table: PlaneTable::new(&layers).with_rounds(&layers, &world.solids),
            union: UnionBoundary::uncut(&world.solids),
            is_cut: false,
            layers,
            openings: Openings::new(world),
            raster: None,
            chunks: Vec::new(),
        }
    }

    /// Whether triangles that deform look for particles from now on, in place of particles that
    /// look for boxes.
    pub fn rasterise(&mut self, is_on: bool) {
        self.raster = is_on.then(RasterLists::default);
    }

    /// Finds the solids near each particle, and their velocities.
    pub fn update(&mut self, index: &dyn BoxIndex, world: &World) {
        self.update_shares(index, world);
        self.take_velocities(world);
    }

    /// Finds the solids near each particle and integrates the kernel over them.
    pub fn update_shares(&mut self, index: &dyn BoxIndex, world: &World) {
        let n = world.particles.len();
        self.follow_solids(world);
        if let Some(raster) = &mut self.raster {
            raster.update(world);
        }
        self.fraction.resize(n, 0.0);
        self.gradient.resize(n, Vec3::zeros());
        self.distance.resize(n, 0.0);
        self.chunks.resize_with(n.div_ceil(CHUNK), Surroundings::default);
        let (h, layers) = (world.support_radius, self.layers);
        let (union, table, raster) = (&self.union, &self.table, &self.raster);
        let (in_nozzle, openings) = (&world.particles.in_nozzle, &self.openings);
        self.chunks
            .par_iter_mut()
            .enumerate()
            .zip(world.particles.position.par_chunks(CHUNK))
            .zip(self.fraction.par_chunks_mut(CHUNK))
            .zip(self.gradient.par_chunks_mut(CHUNK))
            .zip(self.distance.par_chunks_mut(CHUNK))
            .for_each(|(((((chunk, around), positions), fractions), gradients), far)| {
                around.clear();
                let mut queried = None;
                for (k, x) in positions.iter().enumerate() {
                    if in_nozzle[chunk * CHUNK + k] > 0 {
                        around.pass();
                        (gradients[k], fractions[k]) = (Vec3::zeros(), 0.0);
                        far[k] = Real::INFINITY;
                        continue;
                    }
                    let cell = cell_of(x, h);
                    if queried != Some(cell) {
                        queried = Some(cell);
                        around.query(index, &reach_of_cell(cell, h));
                    }
                    let by_raster = raster.as_ref().map(|it| it.of(chunk * CHUNK + k));
                    around.collect(world, x, by_raster, index.boxes());
                    around.find_near(world, union, table, x);
                    around.note_planes(world.contact_radius(), &world.solids);
                    let near = around.near.surfaces();
                    far[k] = near.iter().fold(Real::INFINITY, |d, s| d.min(s.distance));
                    let part = around.integrate(&layers, world);
                    let left = if part.fraction > 0.0 { openings.solid_share(x) } else { 1.0 };
                    let near = around.near.surfaces();
                    let confinement = Confinement::find(near, &world.solids, world.spacing());
                    let left = left * around.confine(confinement, &layers);
                    if left < 1.0 {
                        around.scale_shares(left);
                    }
                    fractions[k] = part.fraction * left;
                    gradients[k] = part.gradient * left;
                }
            });
    }

    /// Takes the boundary of the solids where they are now. What no particle is near is not cut:
    /// many solids that overlap may take long.
    fn follow_solids(&mut self, world: &World) {
        if self.is_cut {
            self.union.update(&world.solids);
            return;
        }
        let particles = &world.particles;
        let moving = particles
            .position
            .iter()
            .zip(&particles.in_nozzle)
            .filter(|(_, in_nozzle)| **in_nozzle == 0);
        let reach = Aabb::around(moving.map(|(x, _)| x)).grown(2.0 * world.support_radius);
        if world.solids.has_mesh_in(&reach) {
            self.union = UnionBoundary::new(&world.solids);
            self.union.find_thin(&world.solids, self.layers.reach());
            self.is_cut = true;
        }
    }

    /// Takes the present velocities of the solids, where some move.
    pub fn take_velocities(&mut self, world: &World) {
        let solids = &world.solids;
        if !solids.has_moving_bodies() {
            return;
        }
        let positions = world.particles.position.par_chunks(CHUNK);
        self.chunks.par_iter_mut().zip(positions).for_each(|(around, positions)| {
            for (k, x) in positions.iter().enumerate() {
                around.take_velocities(k, solids, x);
            }
        });
    }

    /// What contact leaves of the velocity `v` \[m/s\] of particle `i`, if none of the planes near
    /// it may be crossed within `dt` \[s\].
    #[inline]
    pub fn projected_velocity(&self, i: usize, v: Vec3, dt: Real) -> Vec3 {
        self.project_on_planes(i, v, dt, |_, _| ())
    }

    /// As [`Self::projected_velocity`]; `each` receives what a plane adds to the speed away from
    /// it.
    #[inline]
    pub fn project_on_planes(
        &self,
        i: usize,
        v: Vec3,
        dt: Real,
        mut each: impl FnMut(&ContactPlane, Real),
    ) -> Vec3 {
        let around = &self.chunks[i / CHUNK];
        let planes =
            &around.planes[around.plane_starts[i % CHUNK]..around.plane_starts[i % CHUNK + 1]];
        let mut velocity = v;
        // One plane needs one round; in corners each round makes good what the others spoilt.
        for _ in 0..planes.len().min(MAX_ROUNDS) {
            for plane in planes {
                let crossing = (velocity.dot(&plane.normal) - plane.speed) * dt + plane.gap;
                if crossing < 0.0 {
                    velocity -= plane.normal * (crossing / dt);
                    each(plane, -crossing / dt);
                }
            }
        }
        velocity
    }

    /// Shares a force on particle `i` out to the solids near it.
    pub fn distribute_force(&self, i: usize, force: Vec3, mut each: impl FnMut(Giver, Vec3)) {
        let shares = self.shares(i);
        if let [part] = shares {
            return each(part.giver(), force);
        }
        let whole: Vec3 = shares.iter().map(|part| part.normal * part.slope).sum();
        let slopes: Real = shares.iter().map(|part| part.slope).sum();
        let square = whole.norm_squared().max(MIN_WHOLE * slopes * slopes);
        let scale = if square > 0.0 { force.dot(&whole) / square } else { 0.0 };
        let rest = force - whole * scale;
        for part in shares {
            let own = part.normal * (scale * part.slope);
            each(part.giver(), own + rest * (part.slope / slopes));
        }
    }

    /// What each solid that fluid sticks to adds to the Laplacian of the velocity `v` \[m/s\] of
    /// particle `i`, halved \[1/(m s)\].
    #[inline]
    pub fn no_slip_forces<'a>(
        &'a self,
        i: usize,
        v: Vec3,
        solids: &'a Solids,
    ) -> impl Iterator<Item = (Giver, Vec3)> + 'a {
        let sticking = self.shares(i).iter().filter(|part| part.drag > 0.0);
        sticking.map(move |part| {
            let sliding = sliding(v - part.velocity, part.normal, solids.contact_law(part.surface));
            (part.giver(), sliding * -part.drag)
        })
    }

    /// The solids near particle `i` that fluid sticks to, which it passes with the velocity `v`
    /// \[m/s\].
    #[inline]
    pub fn no_slip_walls<'a>(
        &'a self,
        i: usize,
        v: Vec3,
        solids: &'a Solids,
    ) -> impl Iterator<Item = NoSlipWall> + 'a {
        let sticking = self.shares(i).iter().filter(|part| part.drag > 0.0);
        sticking.map(move |part| NoSlipWall::new(part, v, solids))
    }

    /// The surface whose part changes the most where particle `i` is, and the direction away from
    /// it; `None` far from all.
    pub fn steepest(&self, i: usize) -> Option<(SurfaceId, Vec3)> {
        self.steepest_share(i).map(|part| (part.surface, part.normal))
    }

    /// How particle `i` of velocity `v` \[m/s\] slides along that surface; `None` far from all.
    pub fn slides(&self, i: usize, v: Vec3, solids: &Solids) -> Option<(Giver, Vec3)> {
        let part = self.steepest_share(i)?;
        let law = solids.contact_law(part.surface);
        Some((part.giver(), sliding(v - part.velocity, part.normal, law)))
    }

    /// The room between the two opposed solids that particle `i` is between \[m\]; infinite where
    /// it is more than two spacings, or nothing moves.
    pub fn room(&self, i: usize) -> Real {
        let confinement = &self.chunks[i / CHUNK].confinements[i % CHUNK];
        confinement.map_or(Real::INFINITY, |it| it.room())
    }

    fn steepest_share(&self, i: usize) -> Option<&BoundaryShare> {
        let steepest = self.shares(i).iter().min_by(|a, b| a.slope.total_cmp(&b.slope));
        steepest.filter(|part| part.slope < 0.0)
    }

    pub(super) fn shares(&self, i: usize) -> &[BoundaryShare] {
        let around = &self.chunks[i / CHUNK];
        &around.shares[around.share_starts[i % CHUNK]..around.share_starts[i % CHUNK + 1]]
    }

    /// Whether solids may hide particles from each other.
    pub fn has_opaque(&self) -> bool {
        self.union.has_opaque() || self.table.has_opaque_rounds()
    }

    /// Finds what may hide particles from particle `i`.
    pub fn screens(&self, i: usize, world: &World, screens: &mut Screens) {
        let at = (self.objects_near(i), &world.particles.position[i]);
        self.union.screens(&world.solids, &self.table, at, world.support_radius, screens);
    }

    /// The objects whose box came within the support radius of particle `i` at the last update,
    /// ascending.
    pub fn objects_near(&self, i: usize) -> &[u32] {
        let around = &self.chunks[i / CHUNK];
        &around.objects[around.starts[i % CHUNK]..around.starts[i % CHUNK + 1]]
    }
}
