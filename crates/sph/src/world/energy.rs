//! Mechanical energy of the start: whether anything supplies more, and what the fluid can release.
//!
//! Where nothing supplies energy, kinetic and potential energy can only fall: viscosity, impacts
//! and the pressure solvers dissipate. What is left to chance is the discretization. Its errors
//! are in proportion to these energies, which scale with the units of length, mass and time:
//!
//! - *available*: A = K + Φ − Φₘᵢₙ. Φₘᵢₙ is a lower bound of the potential energy: the domain
//!   filled from its lowest place up, solids left out, the densest fluid first, and free bodies at
//!   the lowest place;
//! - *lift*: L = Σ m |a| d, the work that moves each particle by a spacing against the body forces;
//! - *height*: S = Φ − Σ m φₘᵢₙ, with φₘᵢₙ at the lowest place: what swelling is a part of;
//! - *disorder*: D = 32 Σ m ε² |a| d, what an incompressible fluid gains where particles start too
//!   close together: pressure moves them apart by ε d within half a time step that forces allow,
//!   ¼ √(d/|a|). Measured with random displacements: 5 to 29 Σ m ε² |a| d;
//! - *compression*: U = Σ V p²/(2 ρ₀ₘₐₓ c²), which a weakly compressible fluid gives back when it
//!   expands; an upper bound, as Tait's equation is stiffer than its slope at rest density.
//!
//! Symbols: K, Φ kinetic and potential energy \[J\], φ potential \[J/kg\], m mass \[kg\], a
//! acceleration by body forces \[m/s²\], d spacing \[m\], V volume \[m³\], p pressure \[Pa\], c
//! speed of sound \[m/s\], ε compression ρ/ρ₀ − 1 where positive \[–\].

use super::{Audit, BodyField, World};
use hashfall_core::{Dimension, parallel, to_f64};
use hashfall_geometry::Point;

/// Cells of the domain along each axis that the potential varies along.
const CELLS: usize = 32;

/// Of D.
const DISORDER: f64 = 32.0;

/// Energies of the start that the errors of a discretization are in proportion to \[J\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyScales {
    /// A: what the fluid and the free bodies could release.
    pub available: f64,
    /// L: what moves it by a spacing against the body forces.
    pub lift: f64,
    /// S: its potential energy above that at the lowest place of the domain.
    pub height: f64,
    /// D: what particles gain that start too close together.
    pub disorder: f64,
}

impl World {
    /// Kinetic and potential energy \[J\].
    pub fn mechanical_energy(&self) -> [f64; 2] {
        parallel::sum(self.particles.len(), |i| Audit::energies(self, i))
    }

    /// U \[J\]; none of a fluid whose pressure does not follow from its density.
    pub fn compression_energy(&self) -> f64 {
        let Some(tait) = self.solver.settings().tait() else { return 0.0 };
        let densities = self.fluids.iter().map(|fluid| f64::from(fluid.rest_density));
        let densest = densities.fold(0.0, f64::max);
        let modulus = densest * tait.sound_speed * tait.sound_speed;
        let pressures = &self.particles.pressure;
        let [squares] = parallel::sum(pressures.len(), |i| [f64::from(pressures[i]).powi(2)]);
        f64::from(self.particle_volume()) * squares / (2.0 * modulus)
    }
}

impl EnergyScales {
    /// Those of the present state, whose pressures are known.
    pub fn new(world: &World) -> Self {
        let (p, field) = (&world.particles, world.body_field());
        let d = f64::from(world.spacing());
        let is_incompressible = world.solver.settings().is_incompressible();
        let [kinetic, potential, lift, mass, disorder] = parallel::sum(p.len(), |i| {
            let phase = p.phase[i];
            let m = world.particle_mass(phase);
            let rest_density = world.fluids[usize::from(phase)].rest_density;
            let compression = f64::from((p.density[i] / rest_density - 1.0).max(0.0));
            let [kinetic, _] = Audit::energies(world, i);
            let potential = m * field.potential(&to_f64(&p.position[i]));
            let lift = m * f64::from(field.at(&p.position[i]).norm()) * d;
            [kinetic, potential, lift, m, DISORDER * compression * compression * lift]
        });
        let filling = Filling::new(world, &field);
        let [moving, potential_of_bodies] = world.free_body_energy();
        let mass_of_bodies: f64 = world.free_bodies.iter().map(|free| free.mass).sum();
        let falling = potential_of_bodies - mass_of_bodies * world.lowest_potential();
        let of_fluid = kinetic + (potential - filling.least_energy(world)).max(0.0);
        EnergyScales {
            available: of_fluid + moving + falling.max(0.0),
            lift: lift + mass_of_bodies * Point::from(field.uniform).norm() * d,
            height: (potential - mass * filling.lowest()).max(0.0),
            disorder: if is_incompressible { disorder } else { 0.0 },
        }
    }
}

/// The domain as cells, from the lowest potential up.
struct Filling {
    /// Of each cell \[J/kg\].
    potentials: Vec<f64>,
    /// Of a cell \[m³\], in the plane for a metre of depth.
    volume: f64,
}

impl Filling {
    fn new(world: &World, field: &BodyField) -> Self {
        let (min, max) = (to_f64(&world.solids.domain.min), to_f64(&world.solids.domain.max));
        let is_flat = |a: usize| a == 1 && world.dimension == Dimension::Two;
        let counts = [0, 1, 2].map(|a| {
            let varies = field.stiffness > 0.0 || field.uniform[a] != 0.0;
            if varies && !is_flat(a) { CELLS } else { 1 }
        });
        let edges = [0, 1, 2].map(|a| (max[a] - min[a]) / counts[a] as f64);
        let centre = |n: usize| {
            let place = [n % counts[0], n / counts[0] % counts[1], n / (counts[0] * counts[1])];
            [0, 1, 2].map(|a| min[a] + (place[a] as f64 + 0.5) * edges[a])
        };
        let cells = 0..counts.iter().product();
        let mut potentials: Vec<f64> = cells.map(|n| field.potential(&centre(n))).collect();
        potentials.sort_unstable_by(f64::total_cmp);
        let volume = (0..3).filter(|&a| !is_flat(a)).map(|a| edges[a]).product();
        Filling { potentials, volume }
    }

    /// φₘᵢₙ \[J/kg\].
    fn lowest(&self) -> f64 {
        self.potentials[0]
    }

    /// Φₘᵢₙ: of all fluids, the densest in the lowest cells \[J\]. What the domain has no room for
    /// stays in the highest cell.
    fn least_energy(&self, world: &World) -> f64 {
        let d3 = f64::from(world.particle_volume());
        let mut volumes = vec![0.0; world.fluids.len()];
        world.particles.phase.iter().for_each(|&phase| volumes[usize::from(phase)] += d3);
        let densities = world.fluids.iter().map(|fluid| f64::from(fluid.rest_density));
        let mut fluids: Vec<(f64, f64)> = densities.zip(volumes).collect();
        fluids.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let mut cells = self.potentials.iter();
        let (mut potential, mut room, mut energy) = (self.lowest(), 0.0, 0.0);
        for (density, mut volume) in fluids {
            while volume > 0.0 {
                if room == 0.0 {
                    let next = cells.next();
                    potential = next.copied().unwrap_or(potential);
                    room = next.map_or(f64::INFINITY, |_| self.volume);
                }
                let part = volume.min(room);
                energy += density * part * potential;
                (volume, room) = (volume - part, room - part);
            }
        }
        energy
    }
}
