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

use crate::step::boundary::acting_surface::ActingSurface;
use crate::step::boundary::boundary_share::{BoundaryShare, NoSlipWall, WallMotion};
use crate::step::boundary::cell_reach::reach_of_cell;
use crate::step::boundary::confinement::Confinement;
use crate::step::boundary::contact_plane::ContactPlane;
use crate::step::boundary::openings::Openings;
use crate::step::boundary::raster_lists::RasterLists;
use crate::step::boundary::sliding::sliding;
use crate::step::boundary::surroundings::Surroundings;
use crate::world::World;
use hashfall_core::cell::cell_of;
use hashfall_core::parallel::{CHUNK, chunks, chunks_mut, for_parts, items_mut};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::BoxIndex;
use hashfall_solid::{PlaneTable, Screens, SolidLayers, Solids, SurfaceId, UnionBoundary};

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

/// The least |G|² that forces are shared out by, over (Σ|g|)².
const MIN_WHOLE: Real = 0.04;

/// Rounds over the planes of a corner.
const MAX_ROUNDS: usize = 4;

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

    /// Whether triangles that deform look for particles.
    pub fn rasterises(&self) -> bool {
        self.raster.is_some()
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
        // What is neither an object of the broad phase nor a wall.
        let is_plain = raster.is_none() && !self.is_cut;
        for_parts(
            (
                items_mut(&mut self.chunks),
                chunks(&world.particles.position, CHUNK),
                chunks_mut(&mut self.fraction, CHUNK),
                chunks_mut(&mut self.gradient, CHUNK),
                chunks_mut(&mut self.distance, CHUNK),
            ),
            |chunk, (around, positions, fractions, gradients, far)| {
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
                        around.query(index, &world.solids, &reach_of_cell(cell, h));
                    }
                    if around.has_no_object() && is_plain && world.solids.is_far_from_walls(x, h) {
                        around.pass();
                        (gradients[k], fractions[k]) = (Vec3::zeros(), 0.0);
                        far[k] = Real::INFINITY;
                        continue;
                    }
                    let by_raster = raster.as_ref().map(|it| it.of(chunk * CHUNK + k));
                    around.collect(world, x, by_raster, index.boxes());
                    around.find_near_solids(world, union, table, x);
                    around.note_planes(world.contact_radius(), &world.solids);
                    let surfaces = around.near_solids.surfaces();
                    far[k] = surfaces.iter().fold(Real::INFINITY, |d, s| d.min(s.distance));
                    let part = around.integrate(&layers, world);
                    let left = if part.fraction > 0.0 { openings.solid_share(x) } else { 1.0 };
                    let surfaces = around.near_solids.surfaces();
                    let confinement = Confinement::find(surfaces, &world.solids, world.spacing());
                    let left = left * around.confine(confinement, &layers);
                    if left < 1.0 {
                        around.scale_shares(left);
                    }
                    fractions[k] = part.fraction * left;
                    gradients[k] = part.gradient * left;
                }
            },
        );
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
            self.union.keep_fields(&world.solids, world.support_radius);
            self.is_cut = true;
        }
    }

    /// Takes the present velocities of the solids, where some move.
    pub fn take_velocities(&mut self, world: &World) {
        let solids = &world.solids;
        if !solids.has_moving_bodies() {
            return;
        }
        let positions = chunks(&world.particles.position, CHUNK);
        for_parts((items_mut(&mut self.chunks), positions), |_, (around, positions)| {
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
        each: impl FnMut(&ContactPlane, Real),
    ) -> Vec3 {
        self.project_on_moving_planes(i, v, dt, |plane| plane.speed, each)
    }

    /// As [`Self::project_on_planes`], with planes that come towards the particle with `speed`
    /// \[m/s\].
    #[inline]
    pub fn project_on_moving_planes(
        &self,
        i: usize,
        v: Vec3,
        dt: Real,
        speed: impl Fn(&ContactPlane) -> Real,
        mut each: impl FnMut(&ContactPlane, Real),
    ) -> Vec3 {
        let planes = self.planes(i);
        let mut velocity = v;
        // One plane needs one round; in corners each round makes good what the others spoilt.
        for _ in 0..planes.len().min(MAX_ROUNDS) {
            for plane in planes {
                let crossing = (velocity.dot(&plane.normal) - speed(plane)) * dt + plane.gap;
                if crossing < 0.0 {
                    velocity -= plane.normal * (crossing / dt);
                    each(plane, -crossing / dt);
                }
            }
        }
        velocity
    }

    /// The planes that particle `i` may not cross.
    pub fn planes(&self, i: usize) -> &[ContactPlane] {
        let around = &self.chunks[i / CHUNK];
        &around.planes[around.plane_starts[i % CHUNK]..around.plane_starts[i % CHUNK + 1]]
    }

    /// Shares a force on particle `i` out to the solids near it.
    pub fn distribute_force(
        &self,
        i: usize,
        force: Vec3,
        mut each: impl FnMut(ActingSurface, Vec3),
    ) {
        let shares = self.shares(i);
        if let [part] = shares {
            return each(part.acting(), force);
        }
        let whole: Vec3 = shares.iter().map(|part| part.normal * part.slope).sum();
        let slopes: Real = shares.iter().map(|part| part.slope).sum();
        let square = whole.norm_squared().max(MIN_WHOLE * slopes * slopes);
        let scale = if square > 0.0 { force.dot(&whole) / square } else { 0.0 };
        let rest = force - whole * scale;
        for part in shares {
            let along_normal = part.normal * (scale * part.slope);
            each(part.acting(), along_normal + rest * (part.slope / slopes));
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
    ) -> impl Iterator<Item = (ActingSurface, Vec3)> + 'a {
        let sticking = self.shares(i).iter().filter(|part| part.drag > 0.0);
        sticking.map(move |part| {
            let sliding = sliding(v - part.velocity, part.normal, solids.contact_law(part.surface));
            (part.acting_by_friction(solids), sliding * -part.drag)
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

    /// The same of a particle at `x` \[m\], with walls that move as
    /// `motion` says, free bodies included.
    #[inline]
    pub fn no_slip_walls_with<'a>(
        &'a self,
        i: usize,
        x: Vec3,
        v: Vec3,
        solids: &'a Solids,
        motion: WallMotion<'a>,
    ) -> impl Iterator<Item = NoSlipWall> + 'a {
        let WallMotion { is_still, bodies } = motion;
        let sticking = self.shares(i).iter().filter(|part| part.drag > 0.0);
        sticking.map(move |part| {
            let mut wall = NoSlipWall::new(part, v, solids);
            if is_still {
                let slip = wall.along(v);
                (wall.slip_at_foot, wall.slip_at_particle) = (slip, slip);
            }
            let velocity = |x: Vec3| bodies.and_then(|it| it.velocity(part.surface, &x));
            let foot = x - wall.normal * wall.distance;
            if let (Some(at_foot), Some(at_particle)) = (velocity(foot), velocity(x)) {
                let of_surface =
                    if is_still { Vec3::zeros() } else { part.surface_velocity(solids) };
                wall.slip_at_foot = wall.along(v - at_foot - of_surface);
                wall.slip_at_particle = wall.along(v - at_particle - of_surface);
            }
            wall
        })
    }

    /// The surface whose part changes the most where particle `i` is, and the direction away from
    /// it; `None` far from all.
    pub fn steepest(&self, i: usize) -> Option<(SurfaceId, Vec3)> {
        self.steepest_share(i).map(|part| (part.surface, part.normal))
    }

    /// Whether particle `i` is near two solids that stand at an angle to each other.
    pub fn is_in_corner(&self, i: usize) -> bool {
        let shares = self.shares(i);
        let stands = |a: &BoundaryShare, b: &BoundaryShare| a.normal.dot(&b.normal).abs() < 0.9;
        shares.iter().any(|a| shares.iter().any(|b| stands(a, b)))
    }

    /// How particle `i` of velocity `v` \[m/s\] slides along that surface; `None` far from all.
    pub fn slides(&self, i: usize, v: Vec3, solids: &Solids) -> Option<(ActingSurface, Vec3)> {
        let part = self.steepest_share(i)?;
        let law = solids.contact_law(part.surface);
        Some((part.acting_by_friction(solids), sliding(v - part.velocity, part.normal, law)))
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

    /// The surfaces near particle `i`.
    pub fn surfaces(&self, i: usize) -> impl Iterator<Item = SurfaceId> {
        self.shares(i).iter().map(|share| share.surface)
    }

    pub(super) fn shares(&self, i: usize) -> &[BoundaryShare] {
        let around = &self.chunks[i / CHUNK];
        &around.shares[around.share_starts[i % CHUNK]..around.share_starts[i % CHUNK + 1]]
    }

    /// What is kept of fine meshes takes of memory \[bytes\].
    #[cfg(test)]
    pub fn bytes_of_fields(&self) -> usize {
        self.union.bytes_of_fields()
    }

    /// Whether solids may hide particles from each other.
    pub fn has_opaque(&self) -> bool {
        self.union.has_opaque() || self.table.has_opaque_rounds()
    }

    /// Finds what may hide particles from particle `i`.
    pub fn screens(&self, i: usize, world: &World, screens: &mut Screens) {
        let (objects, x) = (self.objects_near(i), &world.particles.position[i]);
        let (solids, reach) = (&world.solids, world.support_radius);
        self.union.screens(solids, &self.table, objects, x, reach, screens);
    }

    /// The objects whose box came within the support radius of particle `i` at the last update,
    /// ascending.
    pub fn objects_near(&self, i: usize) -> &[u32] {
        let around = &self.chunks[i / CHUNK];
        &around.objects[around.starts[i % CHUNK]..around.starts[i % CHUNK + 1]]
    }
}
