//! The fluid near free bodies, by cells: what is in front of a place on a surface.
//!
//! Symbols: W kernel \[1/m³\].

use crate::step::bodies::motions::FreeIndex;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::world::World;
use hashfall_core::cell::{cell_of, key_of_point};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Real, Vec3};
use hashfall_search::{CellRows, OccupiedCells};

/// The particles near free bodies.
#[derive(Clone, Debug, Default)]
pub struct NearFluid {
    cells: OccupiedCells,
    /// The particles in the order of their cells.
    particles: Vec<u32>,
    /// Their positions, beside each other \[m\].
    places: Vec<Vec3>,
}

/// A particle in front of a surface.
#[derive(Clone, Copy, Debug)]
pub struct FacingParticle {
    /// The particle.
    pub particle: usize,
    /// From it to the place on the surface \[m\].
    pub way: Vec3,
    /// W.
    pub weight: Real,
}

impl NearFluid {
    /// That of a world whose particles have these surroundings.
    pub fn new(world: &World, neighborhood: &Neighborhood, index: &FreeIndex) -> Self {
        let h = world.support_radius;
        let positions = &world.particles.position;
        let n = positions.len();
        let parts = parallel::map_pieces(n.div_ceil(CHUNK), &|chunk| {
            let particles = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
            let is_near_body =
                |i: &usize| neighborhood.boundary.surfaces(*i).any(|it| index.get(it).is_some());
            let keyed = |i: usize| (key_of_point(&positions[i], h), i as u32);
            particles.filter(is_near_body).map(keyed).collect::<Vec<_>>()
        });
        let mut keyed = parts.concat();
        keyed.sort_unstable();
        let (keys, particles): (Vec<u64>, Vec<u32>) = keyed.into_iter().unzip();
        let mut cells = OccupiedCells::default();
        cells.rebuild(&keys);
        let places = particles.iter().map(|&particle| positions[particle as usize]).collect();
        NearFluid { cells, particles, places }
    }

    /// Calls `visit` for each particle that is within the support of a place and not behind the
    /// plane of this normal there; `rows` are those of the place before.
    pub fn for_each_before(
        &self,
        world: &World,
        place: &Vec3,
        normal: &Vec3,
        rows: &mut CellRows,
        mut visit: impl FnMut(FacingParticle),
    ) {
        let (h, kernel) = (world.support_radius, world.kernel());
        rows.update(&self.cells, cell_of(place, h));
        for row in rows.runs() {
            let particles = &self.particles[row.clone()];
            for (x, particle) in self.places[row.clone()].iter().zip(particles) {
                let way = place - x;
                let square = way.norm_squared();
                if square < h * h && way.dot(normal) <= 0.0 {
                    let (particle, weight) = (*particle as usize, kernel.value(square.sqrt()));
                    visit(FacingParticle { particle, way, weight });
                }
            }
        }
    }
}
