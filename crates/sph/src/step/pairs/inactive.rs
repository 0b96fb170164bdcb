//! Particles that keep the forces they have, where steps are the particles' own.

/// Whether particle `i` is idle: keeps the forces it has. `idle` is empty where nobody is.
#[inline(always)]
pub fn is_idle(idle: &[bool], i: usize) -> bool {
    idle.get(i).is_some_and(|idle| *idle)
}
