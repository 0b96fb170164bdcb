//! Particles that keep the forces they have, where steps are the particles' own.

/// Whether particle `i` is idle: keeps the forces it has. `idle` is empty where nobody is.
#[inline(always)]
pub fn is_inactive(inactive: &[bool], i: usize) -> bool {
    inactive.get(i).is_some_and(|inactive| *inactive)
}
