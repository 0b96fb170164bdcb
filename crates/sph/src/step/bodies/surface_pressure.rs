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
//! surface, where p would continue below zero, it is zero. What particles near the body give and
//! take beside that is left to solids that stand; where none is touched, nothing is left, and the
//! body feels what particles give.
//!
//! A face that lies on a floor or a wall, or on another body, has no particle in front of it: there
//! the pressure is that of a [film](super::film).
//!
//! Symbols: p \[Pa\], g \[Pa/m\], n normal \[–\], W kernel \[1/m³\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::bodies::films::{Films, PlacedSurface};
use crate::step::bodies::rows::FilmRows;
use crate::step::bodies::surface_samples::{by_sample, to_real};
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::schemes::known_pressure::KnownForce;
use crate::world::World;
use hashfall_bodies::Wrench;
use hashfall_core::{Real, parallel};
use hashfall_geometry::Point;
use hashfall_search::CellRows;

/// The pressure of the fluid at the surfaces of bodies.
pub struct SurfacePressure<'a> {
    /// The world.
    pub world: &'a World,
    /// What its pressures do.
    pub known: &'a [KnownForce],
    /// Where bodies are, what is near them, and beneath.
    pub films: &'a Films,
}

impl SurfacePressure<'_> {
    /// The force on a free body by its number among these \[N\], and its torque about the origin
    /// \[N m\].
    pub fn wrench(&self, number: usize) -> Wrench {
        let PlacedSurface { places, areas, film, .. } = &self.films.surfaces[number];
        let mut pressures =
            by_sample(places.len(), &|k, rows| self.at(&places[k], &areas[k], rows));
        if let Some(film) = film {
            let mut rows = CellRows::default();
            let at_rim: Vec<f64> = (film.rim.iter())
                .map(|link| self.at(&link.foot, &areas[link.sample], &mut rows))
                .collect();
            for (sample, pressure) in film.pressures(at_rim) {
                pressures[sample] = pressure;
            }
        }
        let mut total = Wrench::default();
        for ((x, area), pressure) in places.iter().zip(areas).zip(&pressures) {
            total += Wrench::from_force_at(area * -pressure, x);
        }
        total
    }

    /// p at a place on a surface with this normal \[Pa\]; `rows` are those of the place before.
    fn at(&self, x: &Point, normal: &Point, rows: &mut CellRows) -> f64 {
        let (place, normal) = (to_real(x), to_real(normal));
        let (mut sum, mut mean, mut weight) = (0.0_f64, 0.0_f64, 0.0_f64);
        self.films.fluid.for_each_before(self.world, &place, &normal, rows, |facing| {
            let rise = self.known[facing.particle].gradient.dot(&facing.way);
            let [w, p, rise] =
                [facing.weight, self.world.particles.pressure[facing.particle], rise]
                    .map(f64::from);
            sum += w * (p + rise);
            mean += w * p;
            weight += w;
        });
        if weight <= 0.0 {
            return 0.0;
        }
        let (p, mean) = (sum / weight, mean / weight);
        if mean >= 0.0 { p.max(0.0) } else { p }
    }
}

impl BodyCoupling {
    /// Finds the films beneath bodies at the places to which all have come; `has_rows` for a scheme
    /// that looks for pressures.
    pub fn find_films(&mut self, world: &World, neighborhood: &Neighborhood, has_rows: bool) {
        if world.free_bodies.is_empty() {
            return;
        }
        let spacing = f64::from(world.spacing());
        let covers = self.contact.as_mut().and_then(|contact| contact.covers(spacing));
        let (index, surfaces, covers) = (&self.index, &self.surfaces, covers.as_ref());
        self.films = Films::new(world, neighborhood, index, surfaces, covers, has_rows);
    }

    /// Puts the integrals of the known pressures over the surfaces of bodies in place of what they
    /// give to particles, where a solid that stands takes the difference.
    pub fn integrate_known(&mut self, world: &World, known: &[KnownForce]) {
        let size = |given: &Wrench| given.force.norm_squared();
        let standing =
            self.known.acting().iter().enumerate().filter(|(body, _)| !self.index.is_free(*body));
        let larger = |most: (usize, f64), it: (usize, f64)| if it.1 > most.1 { it } else { most };
        let (receiver, force) =
            standing.map(|(body, given)| (body, size(given))).fold((0, 0.0), larger);
        self.receiver = (force > 0.0).then_some(receiver);
        if self.receiver.is_none() {
            return;
        }
        let pressure = SurfacePressure { world, known, films: &self.films };
        let wrenches = parallel::map_pieces(self.surfaces.len(), &|number| pressure.wrench(number));
        for (free, wrench) in world.free_bodies.iter().zip(wrenches) {
            self.known.pass_on(free.body, -wrench, receiver);
        }
    }

    /// Takes films into the rows of a projection whose known pressures have been integrated.
    pub fn add_films(&mut self) {
        let none = FilmRows::default();
        self.rows.add_films(if self.receiver.is_some() { &self.films.rows } else { &none });
    }

    /// What films give to bodies by changes of pressure, beyond what particles give, as forces for
    /// `duration` \[s\]: each with its body and the one that takes the counterforce.
    pub fn film_reactions<'a>(
        &'a self,
        world: &'a World,
        changes: &[Real],
        duration: f64,
    ) -> impl Iterator<Item = (usize, Wrench, usize)> + 'a {
        let wrenches = self.rows.film_wrenches(changes).into_iter();
        wrenches.filter_map(move |(number, wrench)| {
            let body = world.free_bodies[number].body;
            let center = world.solids.body_state(body)?.position;
            Some((body, (wrench * duration).about(&-center), self.receiver?))
        })
    }
}
