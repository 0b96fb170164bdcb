//! The force of a known pressure on free bodies, as the integral of the pressure over their
//! surfaces.
//!
//! What solids give to particles is exact in sum, over all solids, but not for each: forces act at
//! particles half a spacing away from a curved surface, and what the consistent gradient gives
//! beyond pairs comes from wherever the fluid's order is disturbed. A ball of ten spacings felt
//! 0.93–0.98 of its displaced weight, by where it stood in the lattice. The pressure itself is
//! within 0.3 % there, so its integral is taken:
//!
//! - F = −∮ p n dA, p(x) = Σᵢ W(x − xᵢ) (pᵢ + gᵢ·(x − xᵢ))/Σᵢ W(x − xᵢ)
//!
//! over the particles in front of the surface, with g their pressure gradient; beyond a free
//! surface, where p would go on below zero, it is zero. What particles near the body give and take
//! beside that is left to solids that stand; where none is touched, nothing is left, and the body
//! feels what particles give.
//!
//! A face that lies on a floor or a wall, or on another body, has no particle in front of it: there
//! the pressure is that of a [film](super::film).
//!
//! Symbols: p \[Pa\], g \[Pa/m\], n normal \[–\], W kernel \[1/m³\].

use crate::step::bodies::body_film::BodyFilm;
use crate::step::bodies::covers::Covers;
use crate::step::bodies::film::Surface;
use crate::step::bodies::motions::FreeIndex;
use crate::step::bodies::rows::FilmRows;
use crate::step::bodies::surface_samples::{BodySurface, SurfaceSample, to_real};
use crate::step::boundary::reactions::Wrench;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::pressure_operator::KnownForce;
use crate::world::World;
use hashfall_core::cell::{Cell, cell_key, cell_of, key_of_point};
use hashfall_core::kernel::Kernel;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use std::ops::Range;

/// The fluid near bodies.
pub struct SurfacePressure<'a> {
    pub(super) world: &'a World,
    known: &'a [KnownForce],
    kernel: Kernel,
    /// Particles near bodies with the keys of their cells, ascending.
    keyed: Vec<(u64, u32)>,
}

/// What is near a cell, in the list of particles; samples that follow each other share it.
#[derive(Default)]
pub(super) struct Rows {
    cell: Option<Cell>,
    ranges: [Range<usize>; 9],
}

/// What the fluid does to a body.
#[derive(Clone, Debug, Default)]
pub struct BodyAction {
    /// The force \[N\], and its torque about the origin \[N m\].
    pub wrench: Wrench,
    /// How films beneath the body enter the divergence.
    pub films: FilmRows,
}

/// Something of each of so many samples, in pieces, of which each has its own rows.
fn by_sample<T: Send + Clone>(
    count: usize,
    of: &(impl Fn(usize, &mut Rows) -> T + Sync),
) -> Vec<T> {
    let pieces = parallel::map_pieces(count.div_ceil(CHUNK), &|chunk| {
        let mut rows = Rows::default();
        let samples = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
        samples.map(|k| of(k, &mut rows)).collect::<Vec<_>>()
    });
    pieces.concat()
}

impl<'a> SurfacePressure<'a> {
    /// That of a world whose particles have these surroundings.
    pub fn new(
        world: &'a World,
        known: &'a [KnownForce],
        (near, index): (&Neighborhood, &FreeIndex),
    ) -> Self {
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
        SurfacePressure { world, known, kernel: world.kernel(), keyed }
    }

    /// What the fluid does to a free body by its number among these, whose surface this is.
    pub fn action(
        &self,
        number: usize,
        BodySurface { samples, graph }: &BodySurface,
        covers: Option<&Covers>,
    ) -> BodyAction {
        let body = self.world.free_bodies[number].body;
        let Some(state) = self.world.solids.body_state(body) else { return BodyAction::default() };
        let place = |it: &SurfaceSample| state.position + state.orientation * it.place;
        let places: Vec<Point> = samples.iter().map(place).collect();
        let areas: Vec<Point> = samples.iter().map(|it| state.orientation * it.area).collect();
        let mut pressures =
            by_sample(samples.len(), &|k, rows| self.pressure(&places[k], &areas[k], rows));
        let mut films = FilmRows::default();
        if let Some(covers) = covers.filter(|covers| covers.has_any(number)) {
            let normals: Vec<Point> = areas.iter().map(Point::normalize).collect();
            let covered = by_sample(samples.len(), &|k, _| {
                covers.is_covered(number, &places[k], &normals[k])
            });
            let surface = Surface { graph, places: &places, normals: &normals };
            let film = surface.film(|sample| pressures[sample].is_some(), |sample| covered[sample]);
            if let Some(film) = film {
                let film = BodyFilm { film, surface, areas: &areas, number, gap: covers.gap() };
                self.add_film(&film, &state.position, (&mut pressures, &mut films));
            }
        }
        let mut wrench = Wrench::default();
        for ((x, area), pressure) in places.iter().zip(&areas).zip(&pressures) {
            let force = area * -pressure.unwrap_or(0.0);
            let torque = x.cross(&force);
            let six = force.iter().chain(&torque);
            wrench.iter_mut().zip(six).for_each(|(sum, part)| *sum += part);
        }
        BodyAction { wrench, films }
    }

    /// p at a place on a surface with this normal \[Pa\], if anything is in front of it; `rows` are
    /// those of the place before.
    pub(super) fn pressure(&self, x: &Point, normal: &Point, rows: &mut Rows) -> Option<f64> {
        let (place, normal) = (to_real(x), to_real(normal));
        let (mut sum, mut mean, mut weight) = (0.0_f64, 0.0_f64, 0.0_f64);
        self.for_each_near(&place, rows, |particle| {
            let [w, p, rise] = self.part(particle, &place, &normal);
            sum += w * (p + rise);
            mean += w * p;
            weight += w;
        });
        if weight <= 0.0 {
            return None;
        }
        let (p, mean) = (sum / weight, mean / weight);
        Some(if mean >= 0.0 { p.max(0.0) } else { p })
    }

    /// Calls `visit` for each particle in the cells around a place; `rows` are those of the place
    /// before.
    pub(super) fn for_each_near(
        &self,
        place: &Vec3,
        rows: &mut Rows,
        mut visit: impl FnMut(usize),
    ) {
        let cell = cell_of(place, self.world.support_radius);
        if rows.cell != Some(cell) {
            *rows = self.rows(cell);
        }
        for row in &rows.ranges {
            self.keyed[row.clone()].iter().for_each(|(_, particle)| visit(*particle as usize));
        }
    }

    /// The particles in the cells around one: three cells along x are one range.
    fn rows(&self, cell: Cell) -> Rows {
        let [i, j, k] = cell;
        let first = |cell: Cell| self.keyed.partition_point(|it| it.0 < cell_key(cell));
        let ranges = std::array::from_fn(|n| {
            let [j, k] = [j + n as i32 % 3 - 1, k + n as i32 / 3 - 1];
            first([i - 1, j, k])..first([i + 2, j, k])
        });
        Rows { cell: Some(cell), ranges }
    }

    /// W, p and the rise of p from a particle to a place.
    pub(super) fn part(&self, i: usize, place: &Vec3, normal: &Vec3) -> [f64; 3] {
        let way = place - self.world.particles.position[i];
        let h = self.world.support_radius;
        if way.norm_squared() >= h * h || way.dot(normal) > 0.0 {
            return [0.0; 3];
        }
        let weight: Real = self.kernel.value(way.norm());
        let rise = self.known[i].gradient.dot(&way);
        [weight, self.world.particles.pressure[i], rise].map(f64::from)
    }
}
