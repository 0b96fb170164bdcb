//! Which nozzle a particle is in.

/// The emitter in whose nozzle a particle is.
pub fn emitter_of(held: u8) -> Option<usize> {
    usize::from(held).checked_sub(1)
}
