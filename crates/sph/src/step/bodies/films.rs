//! The films beneath all free bodies where they are: what they take part in.
//!
//! - Of a body they carry the covered part of the surface ([`super::surface_pressure`]).
//! - They are rows of B: a change of the pressure at the rim, the mean of those of the particles
//!   before it by the kernel, gives the body the wrench V Σ pᵢ Jᵢ of the film; so water flows in at
//!   the rim as the body rises, and it has the inertia of that. But it does not leave the rim: of
//!   faces wider than ten spacings more of it would be heaped up there than can spread, and rows
//!   are smaller.
//! - For particles in a film the body stands still, as the film has them.
//!
//! A solid that stands takes the counterforce; where none is touched, films do nothing. Weakly
//! compressible schemes have no rows: there films act by the pressures of the half kick before.
//!
//! Symbols: p \[Pa\], V volume of a particle \[m³\], J as in [`super::rows`].

use crate::step::bodies::covers::Covers;
use crate::step::bodies::film::{Film, Surface};
use crate::step::bodies::motions::FreeIndex;
use crate::step::bodies::near_fluid::NearFluid;
use crate::step::bodies::rows::{FilmRow, FilmRows};
use crate::step::bodies::surface_samples::{BodySurface, by_sample, to_real};
use crate::step::pairs::neighborhood::Neighborhood;
use crate::world::World;
use hashfall_bodies::Wrench;
use hashfall_core::{Dimension, Real, parallel};
use hashfall_geometry::Point;
use hashfall_search::CellRows;
use std::collections::BTreeMap;

/// Samples at the rim over those covered, of a square face of ten spacings in space, and half of it
/// in the plane: wider ones have rows in the ratio of theirs to it \[–\].
const RIM_SHARE: f64 = 0.3;

/// The surfaces of all free bodies where they are, and their films.
#[derive(Debug, Default)]
pub struct Films {
    /// The fluid near bodies.
    pub fluid: NearFluid,
    /// Of each free body.
    pub surfaces: Vec<PlacedSurface>,
    /// What all films do to the rows.
    pub rows: FilmRows,
}

/// The surface of a body where the body is, by samples.
#[derive(Debug, Default)]
pub struct PlacedSurface {
    /// \[m\]
    pub places: Vec<Point>,
    /// The normals times the areas \[m²\].
    pub areas: Vec<Point>,
    /// What is beneath the body, if anything.
    pub film: Option<Film>,
    rows: FilmRows,
}

impl Films {
    /// Those of the free bodies of a world with these surfaces; no film without `covers`, and rows
    /// only for a scheme that looks for pressures.
    pub fn new(
        world: &World,
        neighborhood: &Neighborhood,
        index: &FreeIndex,
        surfaces: &[BodySurface],
        covers: Option<&Covers>,
        has_rows: bool,
    ) -> Self {
        let fluid = NearFluid::new(world, neighborhood, index);
        let place = |number: usize| {
            let mut placed = PlacedSurface::new(world, number, &surfaces[number]);
            if let Some(covers) = covers.filter(|covers| covers.has_any(number)) {
                let beneath = Beneath { world, fluid: &fluid, covers, number };
                beneath.find(&mut placed, &surfaces[number], has_rows);
            }
            placed
        };
        let mut surfaces = parallel::map_pieces(surfaces.len(), &place);
        let mut rows = FilmRows::default();
        for surface in &mut surfaces {
            rows.rim.append(&mut surface.rows.rim);
            rows.inside.append(&mut surface.rows.inside);
        }
        Films { fluid, surfaces, rows }
    }
}

impl PlacedSurface {
    fn new(world: &World, number: usize, surface: &BodySurface) -> Self {
        let body = world.free_bodies[number].body;
        let Some(state) = world.solids.body_state(body) else { return Self::default() };
        let turn = state.orientation.matrix();
        let samples = surface.samples.iter();
        PlacedSurface {
            places: samples.clone().map(|it| state.position + turn * it.place).collect(),
            areas: samples.map(|it| turn * it.area).collect(),
            ..Self::default()
        }
    }
}

/// What the film beneath a body is found with.
struct Beneath<'a> {
    world: &'a World,
    fluid: &'a NearFluid,
    covers: &'a Covers<'a>,
    number: usize,
}

impl Beneath<'_> {
    fn find(
        &self,
        placed: &mut PlacedSurface,
        BodySurface { graph, .. }: &BodySurface,
        has_rows: bool,
    ) {
        let PlacedSurface { places, areas, film, rows } = placed;
        let normals: Vec<Point> = areas.iter().map(Point::normalize).collect();
        let sizes: Vec<f64> = areas.iter().map(Point::norm).collect();
        let is_wet = by_sample(places.len(), &|k, rows| {
            let mut is_wet = false;
            let (place, normal) = (to_real(&places[k]), to_real(&normals[k]));
            self.fluid.for_each_before(self.world, &place, &normal, rows, |_| is_wet = true);
            is_wet
        });
        let is_covered = by_sample(places.len(), &|k, _| {
            self.covers.is_covered(self.number, &places[k], &normals[k])
        });
        let surface = Surface { graph, places, normals: &normals, sizes: &sizes };
        *film = surface.film(|sample| is_wet[sample], |sample| is_covered[sample]);
        if let Some(film) = film.as_ref().filter(|_| has_rows) {
            self.add_inside(film, &surface, rows);
            self.add_rim(film, places, areas, rows);
        }
    }

    /// Adds the particles in the film: what is in front of a covered sample, in the gap.
    fn add_inside(&self, film: &Film, surface: &Surface, FilmRows { inside, .. }: &mut FilmRows) {
        let [gap, reach] = [self.covers.gap(), surface.graph.reach()].map(|x| x as Real);
        let mut rows = CellRows::default();
        for sample in film.samples() {
            let (place, normal) =
                (to_real(&surface.places[sample]), to_real(&surface.normals[sample]));
            self.fluid.for_each_before(self.world, &place, &normal, &mut rows, |facing| {
                let height = -facing.way.dot(&normal);
                if height < gap && (facing.way + normal * height).norm() <= reach {
                    inside.push([facing.particle as u32, self.number as u32]);
                }
            });
        }
        inside.sort_unstable();
        inside.dedup();
    }

    /// Adds the rows of the particles at the rim.
    fn add_rim(
        &self,
        film: &Film,
        places: &[Point],
        areas: &[Point],
        FilmRows { rim, .. }: &mut FilmRows,
    ) {
        let body = self.world.free_bodies[self.number].body;
        let Some(state) = self.world.solids.body_state(body) else { return };
        let wrenches = film.adjoint(|sample| {
            let force = -areas[sample];
            let torque = (places[sample] - state.position).cross(&force);
            [force.x, force.y, force.z, torque.x, torque.y, torque.z]
        });
        let narrow = match self.world.dimension {
            Dimension::Two => 0.5 * RIM_SHARE,
            Dimension::Three => RIM_SHARE,
        };
        let share = (film.rim_share() / narrow).min(1.0);
        let volume = f64::from(self.world.particle_volume()) / share;
        let (mut rows, mut shares) = (CellRows::default(), Vec::new());
        let mut by_particle = BTreeMap::<u32, Wrench>::new();
        for (link, wrench) in film.rim.iter().zip(wrenches) {
            let wrench = Wrench::from(wrench.map(|sum| sum / volume));
            let (foot, normal) = (to_real(&link.foot), to_real(&areas[link.sample]));
            shares.clear();
            self.fluid.for_each_before(self.world, &foot, &normal, &mut rows, |facing| {
                shares.push((facing.particle as u32, f64::from(facing.weight)));
            });
            let sum: f64 = shares.iter().map(|(_, weight)| weight).sum();
            for (particle, weight) in shares.iter().filter(|it| it.1 > 0.0) {
                *by_particle.entry(*particle).or_default() += wrench * (weight / sum);
            }
        }
        let body = self.number as u32;
        rim.extend(by_particle.into_iter().map(|(particle, row)| FilmRow { particle, body, row }));
    }
}
