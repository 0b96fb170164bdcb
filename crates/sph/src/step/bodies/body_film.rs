//! What the film beneath a body does to it and to the fluid at its rim.
//!
//! Symbols: p \[Pa\], V volume of a particle \[m³\], J as in [`super::rows`].

use crate::step::bodies::film::{Film, Surface};
use crate::step::bodies::mobility::BodyWrench;
use crate::step::bodies::rows::{FilmRow, FilmRows};
use crate::step::bodies::surface_pressure::{Rows, SurfacePressure};
use crate::step::bodies::surface_samples::to_real;
use hashfall_core::Real;
use hashfall_geometry::Point;

/// The film of a body, where the body is.
pub(super) struct BodyFilm<'a> {
    pub film: Film,
    pub surface: Surface<'a>,
    /// Of samples, the normals times the areas \[m²\].
    pub areas: &'a [Point],
    /// The number of the body among free ones.
    pub number: usize,
    /// How high the film is at most \[m\].
    pub gap: f64,
}

impl SurfacePressure<'_> {
    /// Finds the pressures of the covered samples, and adds what the film does to the rows of a
    /// body about this centre.
    pub(super) fn add_film(
        &self,
        body: &BodyFilm,
        center: &Point,
        (pressures, films): (&mut [Option<f64>], &mut FilmRows),
    ) {
        let mut near = Rows::default();
        let at_rim: Vec<f64> = (body.film.rim.iter())
            .map(|link| self.pressure(&link.foot, &body.areas[link.sample], &mut near))
            .map(|pressure| pressure.unwrap_or(0.0))
            .collect();
        for (sample, pressure) in body.film.pressures(at_rim) {
            pressures[sample] = Some(pressure);
        }
        self.add_inside(body, films);
        self.add_rim(body, center, films);
    }

    /// Adds the particles in the film: what is in front of a covered sample, in the gap.
    fn add_inside(&self, body: &BodyFilm, films: &mut FilmRows) {
        let Surface { graph, places, normals } = &body.surface;
        let [gap, reach] = [body.gap, graph.reach()].map(|x| x as Real);
        let mut near = Rows::default();
        let first = films.inside.len();
        for sample in body.film.samples() {
            let [place, normal] = [to_real(&places[sample]), to_real(&normals[sample])];
            self.for_each_near(&place, &mut near, |particle| {
                let way = self.world.particles.position[particle] - place;
                let height = way.dot(&normal);
                if (0.0..gap).contains(&height) && (way - normal * height).norm() <= reach {
                    films.inside.push([particle as u32, body.number as u32]);
                }
            });
        }
        films.inside[first..].sort_unstable();
        films.inside.dedup();
    }

    /// Adds the rows of particles at the rim: the pressure at a link is the mean of those of the
    /// particles before it by the kernel, so that the wrench of the film is V Σ pᵢ Jᵢ.
    fn add_rim(&self, body: &BodyFilm, center: &Point, films: &mut FilmRows) {
        let BodyFilm { film, surface, areas, number, .. } = body;
        let columns: [Vec<f64>; 6] = std::array::from_fn(|k| {
            film.adjoint(|sample| match k {
                0..3 => -areas[sample][k],
                _ => -(surface.places[sample] - center).cross(&areas[sample])[k - 3],
            })
        });
        let volume = f64::from(self.world.particle_volume());
        let (mut near, mut shares) = (Rows::default(), Vec::new());
        for (k, link) in film.rim.iter().enumerate() {
            let wrench = BodyWrench::from_fn(|axis, _| columns[axis][k] / volume);
            let [place, normal] = [to_real(&link.foot), to_real(&areas[link.sample])];
            shares.clear();
            self.for_each_near(&place, &mut near, |particle| {
                let [weight, ..] = self.part(particle, &place, &normal);
                if weight > 0.0 {
                    shares.push((particle as u32, weight));
                }
            });
            let sum: f64 = shares.iter().map(|(_, weight)| weight).sum();
            films.rim.extend(shares.iter().map(|(particle, weight)| FilmRow {
                particle: *particle,
                body: *number as u32,
                row: wrench * (weight / sum),
            }));
        }
    }
}
