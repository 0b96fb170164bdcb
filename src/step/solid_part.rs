//! What the solids near each particle add to its density and its pressure force.
//!
//! Per particle: the kernel's integral λ over the solids and its gradient, and the distance to the
//! nearest surface. No boundary particles: the cost is that of the particles near a solid. The
//! world is sorted by cells, so one query of the broad phase serves all particles of a cell.

use crate::base::cell::{Cell, cell_of};
use crate::base::parallel::CHUNK;
use crate::base::{Real, Vec3};
use crate::geometry::Aabb;
use crate::search::{BroadPhase, for_each_overlap};
use crate::solid::{NearSolid, SolidFraction, SolidLayers};
use crate::world::World;
use rayon::prelude::*;

/// The solids' part for all particles.
#[derive(Debug)]
pub struct SolidPart {
    /// λ: part of the kernel that lies in solids \[–\].
    pub fraction: Vec<Real>,
    /// ∇λ \[1/m\], pointing into the solids.
    pub gradient: Vec<Vec3>,
    /// Σ n (g·n) ∫ ζ² W′/r over solids of normal n: what pressure that goes on into them as it
    /// grows at rest adds to its gradient, over ρ₀ \[m/s²\].
    pub lift: Vec<Vec3>,
    /// Distance to the nearest surface \[m\]; infinite beyond the support radius.
    pub distance: Vec<Real>,
    layers: SolidLayers,
    chunks: Vec<Surroundings>,
}

/// What one chunk of particles has around it.
#[derive(Debug, Default)]
struct Surroundings {
    /// Objects around the cell that was asked for last, ascending, with their boxes at hand.
    of_cell: Vec<(u32, Aabb)>,
    /// Objects whose box comes within h of each particle, ascending, one list after the other.
    objects: Vec<u32>,
    /// Where each particle's list starts, and the end of the last.
    starts: Vec<usize>,
    near: Vec<NearSolid>,
    /// Planes that each particle may not cross, one list after the other.
    planes: Vec<ContactPlane>,
    /// Where each particle's list starts, and the end of the last.
    plane_starts: Vec<usize>,
}

/// Solids whose surface is farther from a particle's are not met in a step, in its radii.
const CONTACT_REACH: Real = 2.0;

/// Rounds over the planes of a corner.
const MAX_ROUNDS: usize = 4;

/// A plane that a particle's centre may not cross: the tangent of a solid, offset by its radius.
#[derive(Clone, Copy, Debug)]
struct ContactPlane {
    /// Away from the solid.
    normal: Vec3,
    /// How far the centre is in front of the plane \[m\]; 0 behind it.
    gap: Real,
}

impl Surroundings {
    fn clear(&mut self) {
        self.objects.clear();
        self.starts.clear();
        self.starts.push(0);
        self.planes.clear();
        self.plane_starts.clear();
        self.plane_starts.push(0);
    }

    /// Notes the planes of the solids found last that a step can come to.
    fn note_planes(&mut self, radius: Real) {
        let planes = self.near.iter().map(|solid| ContactPlane {
            normal: solid.normal,
            gap: (solid.distance - radius).max(0.0),
        });
        self.planes.extend(planes.filter(|plane| plane.gap < CONTACT_REACH * radius));
        self.plane_starts.push(self.planes.len());
    }

    /// Asks the broad phase for the objects around a cell.
    fn query<B: BroadPhase>(&mut self, broad_phase: &B, boxes: &[Aabb], reach: &Aabb) {
        self.of_cell.clear();
        for_each_overlap(broad_phase, boxes, reach, |object| {
            self.of_cell.push((object, boxes[object as usize]));
        });
        self.of_cell.sort_unstable_by_key(|(object, _)| *object);
    }

    /// Adds the list of the next particle, and finds the solids within `h` of it.
    fn look(&mut self, world: &World, x: &Vec3, h: Real) {
        let first = self.objects.len();
        let ball = Aabb::of_ball(x, h + rounding(x, h));
        for (object, its_box) in &self.of_cell {
            if its_box.overlaps(&ball) {
                self.objects.push(*object);
            }
        }
        self.starts.push(self.objects.len());
        self.near.clear();
        world.solids.near(&self.objects[first..], x, h, &mut self.near);
    }
}

impl SolidPart {
    /// No particle yet; solids count as these layers.
    pub fn new(layers: SolidLayers) -> Self {
        SolidPart {
            fraction: Vec::new(),
            gradient: Vec::new(),
            lift: Vec::new(),
            distance: Vec::new(),
            layers,
            chunks: Vec::new(),
        }
    }

    /// Finds the solids near each particle and integrates the kernel over them.
    pub fn update<B: BroadPhase>(&mut self, broad_phase: &B, boxes: &[Aabb], world: &World) {
        let n = world.particles.len();
        self.fraction.resize(n, 0.0);
        self.gradient.resize(n, Vec3::zeros());
        self.lift.resize(n, Vec3::zeros());
        self.distance.resize(n, 0.0);
        self.chunks.resize_with(n.div_ceil(CHUNK), Surroundings::default);
        let (h, layers, body) = (world.support_radius, self.layers, world.body_field());
        self.chunks
            .par_iter_mut()
            .zip(world.particles.position.par_chunks(CHUNK))
            .zip(self.fraction.par_chunks_mut(CHUNK))
            .zip(self.gradient.par_chunks_mut(CHUNK))
            .zip(self.lift.par_chunks_mut(CHUNK))
            .zip(self.distance.par_chunks_mut(CHUNK))
            .for_each(|(((((around, positions), fractions), gradients), lifts), distances)| {
                around.clear();
                let mut queried = None;
                for (k, x) in positions.iter().enumerate() {
                    let cell = cell_of(x, h);
                    if queried != Some(cell) {
                        queried = Some(cell);
                        around.query(broad_phase, boxes, &reach_of_cell(cell, h));
                    }
                    around.look(world, x, h);
                    around.note_planes(world.particle_radius);
                    let near = &around.near;
                    distances[k] = near.iter().fold(Real::INFINITY, |d, s| d.min(s.distance));
                    let (mut lift, gravity) = (Vec3::zeros(), body.at(x));
                    let part = SolidFraction::of(&layers, near, |solid, sums, share| {
                        let n = solid.normal;
                        lift += n * (n.dot(&gravity) * sums.moment * share);
                    });
                    lifts[k] = lift;
                    fractions[k] = part.fraction;
                    gradients[k] = part.gradient;
                }
            });
    }

    /// What contact leaves of the velocity `v` \[m/s\] of particle `i`, if none of the planes near
    /// it may be crossed within `dt` \[s\].
    #[inline]
    pub fn stopped(&self, i: usize, v: Vec3, dt: Real) -> Vec3 {
        let around = &self.chunks[i / CHUNK];
        let planes =
            &around.planes[around.plane_starts[i % CHUNK]..around.plane_starts[i % CHUNK + 1]];
        let mut stopped = v;
        // One plane needs one round; in corners each round makes good what the others spoilt.
        for _ in 0..planes.len().min(MAX_ROUNDS) {
            for plane in planes {
                let crossing = stopped.dot(&plane.normal) * dt + plane.gap;
                if crossing < 0.0 {
                    stopped -= plane.normal * (crossing / dt);
                }
            }
        }
        stopped
    }

    /// The objects whose box came within the support radius of particle `i` at the last update,
    /// ascending.
    pub fn objects_near(&self, i: usize) -> &[u32] {
        let around = &self.chunks[i / CHUNK];
        &around.objects[around.starts[i % CHUNK]..around.starts[i % CHUNK + 1]]
    }
}

/// The box of all points within `h` of a cell of size `h`, and no less for being rounded.
fn reach_of_cell(cell: Cell, h: Real) -> Aabb {
    let corner = Vec3::from(cell.map(|c| c as Real)) * h;
    Aabb::new(corner, corner.add_scalar(h)).grown(h + 2.0 * rounding(&corner, h))
}

/// More than rounding can take from a place and a reach of `h` around it \[m\].
fn rounding(x: &Vec3, h: Real) -> Real {
    4.0 * Real::EPSILON * (x.amax() + 2.0 * h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cell::CELL_LIMIT;

    #[test]
    fn the_reach_of_a_cell_holds_all_that_its_points_reach_however_far_away() {
        let h: Real = 0.03;
        for c in [0, 1, -1, 777, -16411, 40_000, CELL_LIMIT - 2, 1 - CELL_LIMIT] {
            let reach = reach_of_cell([c, 0, 0], h);
            let edge = (f64::from(c) * f64::from(h)) as Real;
            let mut x = edge - 0.01 * h;
            while x < edge + 1.01 * h {
                let place = Vec3::new(x, 0.0, 0.0);
                if cell_of(&place, h)[0] == c {
                    let ball = Aabb::of_ball(&place, h + rounding(&place, h));
                    let exact = [f64::from(x) - f64::from(h), f64::from(x) + f64::from(h)];
                    for holder in [&ball, &reach] {
                        assert!(f64::from(holder.min.x) <= exact[0], "{c}: {x}");
                        assert!(f64::from(holder.max.x) >= exact[1], "{c}: {x}");
                    }
                }
                x = x.next_up().max(x + 1e-4 * h);
            }
        }
    }
}
