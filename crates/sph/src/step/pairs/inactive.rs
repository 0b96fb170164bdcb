//! Particles that keep the forces they have, where steps are the particles' own.

/// Whether particle `i` is inactive: keeps the forces it has. `inactive` is empty where nobody is.
#[inline(always)]
pub fn is_inactive(inactive: &[bool], i: usize) -> bool {
    inactive.get(i).is_some_and(|inactive| *inactive)
}
