//! The fluid near free bodies, by cells: what is in front of a place on a surface.
//!
//! Symbols: W kernel \[1/m³\].

use crate::step::bodies::motions::FreeIndex;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::world::World;
use hashfall_core::cell::{Cell, cell_key, cell_of, key_of_point};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Real, Vec3};
use std::ops::Range;

/// The particles near free bodies.
#[derive(Clone, Debug, Default)]
pub struct NearFluid {
    /// With the keys of their cells, ascending.
    keyed: Vec<(u64, u32)>,
    /// Their positions, beside each other \[m\].
    places: Vec<Vec3>,
}

/// What is near a cell, in the list of particles; places that follow each other share it.
#[derive(Clone, Debug, Default)]
pub struct CellRows {
    cell: Option<Cell>,
    ranges: [Range<usize>; 9],
}

/// A particle in front of a surface.
#[derive(Clone, Copy, Debug)]
pub struct Nearby {
    /// The particle.
    pub particle: usize,
    /// From it to the place on the surface \[m\].
    pub way: Vec3,
    /// W.
    pub weight: Real,
}

impl NearFluid {
    /// That of a world whose particles have these surroundings.
    pub fn new(world: &World, near: &Neighborhood, index: &FreeIndex) -> Self {
        let h = world.support_radius;
        let positions = &world.particles.position;
        let n = positions.len();
        let parts = parallel::map_pieces(n.div_ceil(CHUNK), &|chunk| {
            let particles = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
            let is_near = |i: &usize| near.boundary.surfaces(*i).any(|it| index.get(it).is_some());
            let keyed = |i: usize| (key_of_point(&positions[i], h), i as u32);
            particles.filter(is_near).map(keyed).collect::<Vec<_>>()
        });
        let mut keyed = parts.concat();
        keyed.sort_unstable();
        let places = keyed.iter().map(|(_, particle)| positions[*particle as usize]).collect();
        NearFluid { keyed, places }
    }

    /// Calls `visit` for each particle that is within the support of a place and not behind the
    /// plane of this normal there; `rows` are those of the place before.
    pub fn for_each_before(
        &self,
        world: &World,
        (place, normal): (&Vec3, &Vec3),
        rows: &mut CellRows,
        mut visit: impl FnMut(Nearby),
    ) {
        let (h, kernel) = (world.support_radius, world.kernel());
        let cell = cell_of(place, h);
        if rows.cell != Some(cell) {
            *rows = self.rows(cell);
        }
        for row in &rows.ranges {
            for (x, (_, particle)) in self.places[row.clone()].iter().zip(&self.keyed[row.clone()])
            {
                let way = place - x;
                let square = way.norm_squared();
                if square < h * h && way.dot(normal) <= 0.0 {
                    let (particle, weight) = (*particle as usize, kernel.value(square.sqrt()));
                    visit(Nearby { particle, way, weight });
                }
            }
        }
    }

    /// The particles in the cells around one: three cells along x are one range.
    fn rows(&self, cell: Cell) -> CellRows {
        let [i, j, k] = cell;
        let first = |cell: Cell| self.keyed.partition_point(|it| it.0 < cell_key(cell));
        let ranges = std::array::from_fn(|n| {
            let [j, k] = [j + n as i32 % 3 - 1, k + n as i32 / 3 - 1];
            first([i - 1, j, k])..first([i + 2, j, k])
        });
        CellRows { cell: Some(cell), ranges }
    }
}
