//! B: how the twists of free bodies enter the divergence of the fluid, and its adjoint.
//!
//! Solids are mirrors ([`crate::step::boundary::mirror`]): a solid k that moves with u adds u·bₖ,
//! bₖ = 2 Lᵢ gₖ, to the divergence at a particle i, and the pressure pᵢ pushes the particle by
//! −pᵢ Σₖ bₖ. With u = v + ω × (xᵢ − c) of a free body,
//!
//! - (B T)ᵢ = bₖ·v + ((xᵢ − c) × bₖ)·ω = Jᵢ·T, T = (v, ω) its twist,
//! - (Bᵀ p) = V Σᵢ pᵢ Jᵢ = the wrench of the forces V pᵢ bₖ, acting at the particles.
//!
//! So the wrench of the pressures is the adjoint of what the twist does to the divergence, to the
//! last coefficient, and what a body is given is what the particles give. That u is taken where the
//! particle is, not at the foot point on the surface, changes nothing across the surface; so
//! torques are those that particles feel.
//!
//! Symbols: p \[Pa\], V \[m³\], b \[1/m\], c centre of mass \[m\], L gradient correction \[–\].

use crate::step::bodies::mobility::Mobility;
use crate::step::bodies::motions::BodyMotions;
use crate::step::body_sums::{BodySums, WrenchSource};
use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::world::World;
use hashfall_bodies::{Twist, Wrench};
use hashfall_core::Real;
use hashfall_core::parallel::{self, CHUNK};
use nalgebra::Vector6;

/// The rows of all particles near free bodies; keeps its buffers between steps.
#[derive(Debug, Default)]
pub struct BodyRows {
    /// V.
    volume: f64,
    /// Of each chunk of particles.
    chunks: Vec<ChunkRows>,
    sums: BodySums,
    /// What films add to the rows of solids.
    differences: Vec<FilmRow>,
    /// Of the last argument, by body.
    wrenches: Vec<Wrench>,
    /// What these do.
    twists: Vec<Twist>,
}

/// Those of a chunk of particles.
#[derive(Debug, Default)]
struct ChunkRows {
    rows: Vec<BodyRow>,
    /// Bodies near the particles, in the order in which they came.
    bodies: Vec<u32>,
}

/// The wrenches pᵢ Jᵢ.
struct PressedRows<'a> {
    chunks: &'a [ChunkRows],
    /// p.
    pressures: &'a [Real],
}

impl WrenchSource for PressedRows<'_> {
    fn chunks(&self) -> usize {
        self.chunks.len()
    }

    fn bodies(&self, chunk: usize) -> &[u32] {
        &self.chunks[chunk].bodies
    }

    fn for_each(&self, chunk: usize, mut give: impl FnMut(usize, &[f64; 6])) {
        for BodyRow { particle, slot, row, .. } in &self.chunks[chunk].rows {
            let pressure = f64::from(self.pressures[*particle as usize]);
            give(*slot as usize, &row.map(|x| f64::from(x) * pressure).into());
        }
    }
}

/// What films do to the rows.
#[derive(Clone, Debug, Default)]
pub struct FilmRows {
    /// What they add to the rows of particles at their rims.
    pub rim: Vec<FilmRow>,
    /// Particles in films, each with the body.
    pub inside: Vec<[u32; 2]>,
}

/// What the [film](super::film) beneath a body adds to its row at a particle.
#[derive(Clone, Copy, Debug)]
pub struct FilmRow {
    /// At the rim of the film.
    pub particle: u32,
    /// The number of the body.
    pub body: u32,
    /// A part of J.
    pub row: Wrench,
}

/// How one body enters the divergence at one particle.
#[derive(Clone, Copy, Debug)]
struct BodyRow {
    particle: u32,
    /// Of the body in the chunk's.
    slot: u32,
    /// J.
    row: Vector6<Real>,
    /// What the body adds by the velocity that the solids have \[1/s\].
    flux: Real,
}

impl BodyRows {
    /// Takes the surroundings of all particles; `motions` tells where the bodies are.
    pub fn update(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        moments: &[Moment],
        motions: &BodyMotions,
    ) {
        let n = world.particles.len();
        self.volume = f64::from(neighborhood.volume);
        self.chunks.resize_with(n.div_ceil(CHUNK), ChunkRows::default);
        let positions = &world.particles.position;
        parallel::fill_pieces(&mut self.chunks, &|chunk, rows| {
            rows.clear();
            for i in chunk * CHUNK..n.min((chunk + 1) * CHUNK) {
                let correction = &moments[i].correction;
                neighborhood.boundary.mirror_parts(i, correction, |surface, velocity, part| {
                    if let Some(body) = motions.body(surface) {
                        let row = motions.wrench(body, &positions[i], &part);
                        rows.add(i, body, row, velocity.dot(&part));
                    }
                });
            }
        });
        let bodies = motions.centres.len();
        self.wrenches.resize(bodies, Wrench::default());
        self.twists.resize(bodies, Twist::default());
    }

    /// Adds what films do, in place of what the particles in them do.
    pub fn add_films(&mut self, FilmRows { rim, inside }: &FilmRows) {
        self.differences.clear();
        for &[particle, body] in inside {
            let chunk = &mut self.chunks[particle as usize / CHUNK];
            let taken = chunk.take_row(particle, body);
            self.differences.extend(taken.map(|row| FilmRow { particle, body, row: -row }));
        }
        for film in rim {
            self.chunks[film.particle as usize / CHUNK].add_to_row(film);
        }
        self.differences.extend_from_slice(rim);
    }

    /// What the films of the last [`Self::add_films`] add to the wrenches of pressures, each with
    /// its body.
    pub fn film_wrenches(&self, pressures: &[Real]) -> Vec<(usize, Wrench)> {
        let mut wrenches = Vec::<(usize, Wrench)>::new();
        for FilmRow { particle, body, row } in &self.differences {
            let wrench = *row * (self.volume * f64::from(pressures[*particle as usize]));
            match wrenches.iter_mut().find(|it| it.0 == *body as usize) {
                Some((_, sum)) => *sum += wrench,
                None => wrenches.push((*body as usize, wrench)),
            }
        }
        wrenches
    }

    /// W Bᵀ p.
    pub fn respond(&mut self, pressures: &[Real], mobility: &dyn Mobility) {
        self.wrenches.fill(Wrench::default());
        self.sums.add_to(&mut self.wrenches, &PressedRows { chunks: &self.chunks, pressures });
        self.wrenches.iter_mut().for_each(|wrench| *wrench = *wrench * self.volume);
        mobility.apply(&self.wrenches, &mut self.twists);
    }

    /// V Σ pᵢ Jᵢ of the last argument, by body.
    pub fn wrenches(&self) -> &[Wrench] {
        &self.wrenches
    }

    /// W times that.
    pub fn twists(&self) -> &[Twist] {
        &self.twists
    }

    /// Adds B times any twists to numbers of all particles.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn add_products(&self, twists: &[Twist], numbers: &mut [Real]) {
        for (chunk, numbers) in self.chunks.iter().zip(numbers.chunks_mut(CHUNK)) {
            for BodyRow { particle, slot, row, .. } in &chunk.rows {
                let twist = &twists[chunk.bodies[*slot as usize] as usize];
                numbers[*particle as usize % CHUNK] += product(row, twist) as Real;
            }
        }
    }

    /// Adds B times the twists found last to the numbers of a chunk of particles.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn add_fluxes(&self, chunk: usize, numbers: &mut [Real]) {
        let rows = &self.chunks[chunk];
        for BodyRow { particle, slot, row, .. } in &rows.rows {
            let twist = &self.twists[rows.bodies[*slot as usize] as usize];
            numbers[*particle as usize - chunk * CHUNK] += product(row, twist) as Real;
        }
    }

    /// Puts B times `twists` in place of what bodies add to `fluxes` by the velocities that the
    /// solids have \[1/s\].
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn replace_fluxes(&self, twists: &[Twist], fluxes: &mut [Real]) {
        for (chunk, numbers) in self.chunks.iter().zip(fluxes.chunks_mut(CHUNK)) {
            for BodyRow { particle, slot, row, flux } in &chunk.rows {
                let twist = &twists[chunk.bodies[*slot as usize] as usize];
                numbers[*particle as usize % CHUNK] += product(row, twist) as Real - flux;
            }
        }
    }

    /// Adds the diagonal of B W Bᵀ, V J·W J of each body by itself.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn add_diagonal(&self, mobility: &dyn Mobility, diagonal: &mut [Real]) {
        for (chunk, numbers) in self.chunks.iter().zip(diagonal.chunks_mut(CHUNK)) {
            for BodyRow { particle, slot, row, .. } in &chunk.rows {
                let block = mobility.block(chunk.bodies[*slot as usize] as usize);
                let row = row.map(f64::from);
                numbers[*particle as usize % CHUNK] +=
                    (self.volume * row.dot(&(block * row))) as Real;
            }
        }
    }
}

/// J·T.
#[inline]
fn product(row: &Vector6<Real>, twist: &Twist) -> f64 {
    row.iter().zip(twist.to_array()).map(|(x, twist)| f64::from(*x) * twist).sum()
}

impl ChunkRows {
    fn clear(&mut self) {
        self.rows.clear();
        self.bodies.clear();
    }

    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn add(&mut self, i: usize, body: usize, row: Wrench, flux: Real) {
        let row = row.to_vector().map(|x| x as Real);
        let slot = self.slot(body as u32);
        self.rows.push(BodyRow { particle: i as u32, slot, row, flux });
    }

    /// The place of a body in the chunk's, new if it came not before.
    fn slot(&mut self, body: u32) -> u32 {
        let known = self.bodies.iter().position(|known| *known == body);
        let slot = known.unwrap_or_else(|| {
            self.bodies.push(body);
            self.bodies.len() - 1
        });
        slot as u32
    }

    /// Adds to what a body does to a particle. Rows are in the order of particles.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn add_to_row(&mut self, FilmRow { particle, body, row }: &FilmRow) {
        let row = row.to_vector().map(|x| x as Real);
        if let Some(place) = self.find(*particle, *body) {
            self.rows[place].row += row;
            return;
        }
        let slot = self.slot(*body);
        let at = self.rows.partition_point(|it| it.particle <= *particle);
        self.rows.insert(at, BodyRow { particle: *particle, slot, row, flux: 0.0 });
    }

    /// Takes away what a body does to a particle: the body stands still for it.
    fn take_row(&mut self, particle: u32, body: u32) -> Option<Wrench> {
        let place = self.find(particle, body)?;
        let row = std::mem::replace(&mut self.rows[place].row, Vector6::zeros());
        Some(Wrench::from_vector(&row.map(f64::from)))
    }

    /// The place of a row.
    fn find(&self, particle: u32, body: u32) -> Option<usize> {
        let first = self.rows.partition_point(|row| row.particle < particle);
        let of_particle = self.rows[first..].iter().take_while(|row| row.particle == particle);
        let found = of_particle.map(|row| self.bodies[row.slot as usize]).position(|it| it == body);
        found.map(|k| first + k)
    }
}
