//! Whether two sets of particles are the same, to the bit.

use crate::world::Particles;
use hashfall_core::{Real, Vec3, parallel};
use std::ops::Range;

/// Whether particles are the same, to the bit.
pub fn has_same_bits(a: &Particles, b: &Particles) -> bool {
    if !has_same_lengths(a, b) {
        return false;
    }
    let vectors = [
        (&a.position, &b.position),
        (&a.velocity, &b.velocity),
        (&a.acceleration, &b.acceleration),
    ];
    let reals = [
        (&a.density, &b.density),
        (&a.fluid_fraction, &b.fluid_fraction),
        (&a.pressure, &b.pressure),
        (&a.birth, &b.birth),
    ];
    let is_same = |chunk: Range<usize>| {
        let (from, to) = (chunk.start, chunk.end);
        vectors.iter().all(|(a, b)| is_same_vectors(&a[from..to], &b[from..to]))
            && reals.iter().all(|(a, b)| is_same_reals(&a[from..to], &b[from..to]))
            && a.id[from..to] == b.id[from..to]
            && a.phase[from..to] == b.phase[from..to]
            && a.in_nozzle[from..to] == b.in_nozzle[from..to]
    };
    parallel::fold(a.len(), is_same, |a, b| a & b).unwrap_or(true)
}

fn has_same_lengths(a: &Particles, b: &Particles) -> bool {
    let lengths = |p: &Particles| {
        let of_vectors = [p.position.len(), p.velocity.len(), p.acceleration.len()];
        let of_reals = [p.density.len(), p.fluid_fraction.len(), p.pressure.len(), p.birth.len()];
        (of_vectors, of_reals, [p.id.len(), p.phase.len(), p.in_nozzle.len()], p.next_id)
    };
    lengths(a) == lengths(b)
}

/// Without a branch for each number: nearly all chunks are the same.
fn is_same_vectors(a: &[Vec3], b: &[Vec3]) -> bool {
    let differ = |a: Real, b: Real| a.to_bits() ^ b.to_bits();
    let bits = a.iter().zip(b).map(|(a, b)| differ(a.x, b.x) | differ(a.y, b.y) | differ(a.z, b.z));
    bits.fold(0, |all, bits| all | bits) == 0
}

fn is_same_reals(a: &[Real], b: &[Real]) -> bool {
    let bits = a.iter().zip(b).map(|(a, b)| a.to_bits() ^ b.to_bits());
    bits.fold(0, |all, bits| all | bits) == 0
}
