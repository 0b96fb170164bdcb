//! Which nozzle a particle is in.

/// The emitter in whose nozzle a particle is.
pub fn emitter_of(in_nozzle: u8) -> Option<usize> {
    usize::from(in_nozzle).checked_sub(1)
}
