//! Particles: arrays of one length, finite numbers, and fluids and emitters that are there.

use super::ranges::{all_finite, not_negative, out_of_range, positive};
use crate::world::{Particles, World, WorldError};
use hashfall_core::{Dimension, Real, Vec3};

/// How far a particle may be off the plane, and with what part of a spacing per second it may leave
/// it, in spacings: rounding of contacts.
const OFF_PLANE: Real = 1e-3;

impl World {
    pub(super) fn validate_particles(&self) -> Result<(), WorldError> {
        let p = &self.particles;
        validate_lengths(p)?;
        let (fluids, emitters) = (self.fluids.len(), self.open_boundaries.emitters.len());
        for (i, &particle) in p.id.iter().enumerate() {
            if !is_finite(p, i) {
                return Err(flaw(p, i));
            }
            let phase = p.phase[i];
            if usize::from(phase) >= fluids {
                return Err(WorldError::Phase { particle, phase, fluids });
            }
            if usize::from(p.in_nozzle[i]) > emitters {
                let emitter = usize::from(p.in_nozzle[i]) - 1;
                return Err(WorldError::Nozzle { particle, emitter, emitters });
            }
        }
        self.validate_plane()?;
        if p.has_each_id_once() { Ok(()) } else { Err(WorldError::ParticleIds) }
    }

    /// In the plane, particles have y = 0.
    fn validate_plane(&self) -> Result<(), WorldError> {
        if self.dimension == Dimension::Three {
            return Ok(());
        }
        let limit = OFF_PLANE * self.spacing();
        let p = &self.particles;
        for (name, vectors) in [("position", &p.position), ("velocity", &p.velocity)] {
            if let Some(i) = vectors.iter().position(|v| v.y.abs() > limit) {
                let name = format!("particles.{name} of particle {}, along y,", p.id[i]);
                return Err(out_of_range(&name, f64::from(vectors[i].y), "0 in the plane"));
            }
        }
        Ok(())
    }
}

/// Each particle has an entry in each array.
fn validate_lengths(p: &Particles) -> Result<(), WorldError> {
    let count = p.len();
    for (array, length) in [
        ("velocity", p.velocity.len()),
        ("acceleration", p.acceleration.len()),
        ("density", p.density.len()),
        ("fluid_fraction", p.fluid_fraction.len()),
        ("pressure", p.pressure.len()),
        ("id", p.id.len()),
        ("phase", p.phase.len()),
        ("birth", p.birth.len()),
        ("in_nozzle", p.in_nozzle.len()),
    ] {
        if length != count {
            return Err(WorldError::ArrayLength { array, length, count });
        }
    }
    Ok(())
}

/// Whether all numbers of a particle are finite, its density positive and its fraction not
/// negative.
fn is_finite(p: &Particles, i: usize) -> bool {
    let vectors = [&p.position[i], &p.velocity[i], &p.acceleration[i]];
    let reals = [p.density[i], p.fluid_fraction[i], p.pressure[i], p.birth[i]];
    vectors.iter().all(|v| v.iter().all(|x| x.is_finite()))
        && reals.iter().all(|x| x.is_finite())
        && p.density[i] > 0.0
        && p.fluid_fraction[i] >= 0.0
}

/// What is wrong with a particle's numbers.
fn flaw(p: &Particles, i: usize) -> WorldError {
    let particle = p.id[i];
    let is_endless = |v: &Vec3| !v.iter().all(|x| x.is_finite());
    let vectors = [
        (&p.position[i], "position"),
        (&p.velocity[i], "velocity"),
        (&p.acceleration[i], "acceleration"),
    ];
    if let Some((_, quantity)) = vectors.into_iter().find(|(v, _)| is_endless(v)) {
        return WorldError::NotFinite { particle, quantity };
    }
    let name = |field: &str| format!("particles.{field} of particle {particle}");
    positive(&name("density"), f64::from(p.density[i]))
        .and_then(|()| not_negative(&name("fluid_fraction"), f64::from(p.fluid_fraction[i])))
        .and_then(|()| all_finite(&name("pressure"), &[f64::from(p.pressure[i])]))
        .and_then(|()| all_finite(&name("birth"), &[f64::from(p.birth[i])]))
        .err()
        .unwrap_or(WorldError::NotFinite { particle, quantity: "state" })
}
