//! The full mode of contact: nothing passes through anything, at the end of any substep.
//!
//! # A substep
//!
//! 1. [`candidates`]: pairs of primitives ([`primitives`], with those of [`obstacles`]) that may
//!    meet soon. A broad phase over swept boxes ([`arc`], [`pieces`]) tells which [`clusters`] of
//!    primitives are near each other, and a [`group`] lists the pairs of two of them; both are
//!    kept over many substeps, by bounds of relative motion ([`cluster_motion`]).
//! 2. [`contacts`]: those that come to their distance in this substep become constraints on
//!    velocities.
//! 3. [`solver`]: the velocities nearest to those before that keep them, with friction, without
//!    restitution. Kinetic energy never grows, converged or not, and momentum stays.
//! 4. [`correction`]: small displacements keep what is in contact at its distance.
//! 5. [`guard`]: continuous detection over all pairs. What would still come through becomes a
//!    constraint with its normal at the impact, and then part of a rigid zone ([`zones`]); if
//!    nothing helps, the substep is cut where it is free.
//!
//! Substeps of high order, which contact cannot act in, ask before whether nothing can touch in
//! them ([`clearance`]).
//!
//! The order of all of these is fixed, and the result depends on positions and velocities alone.
//!
//! # Sources and deviations
//!
//! Speculative contacts as constraints of a convex program: Mazhar et al. 2015, Catto 2013;
//! continuous detection with a minimum distance: Li et al. 2021; zones: Provot 1997, Harmon et al.
//! 2008; classes and moving objects of the broad phase: Pouchol et al. 2009, §2.2, §3.2. Barriers
//! (Li et al. 2020) keep distances by forces of an energy, which needs an implicit solver; bounds
//! on velocities fit substeps of any integrator, but do not follow normals within a substep, which
//! 4 and 5 make up for.
//!
//! # Limits
//!
//! - Restitution is 0: what touches stops. Elastic bodies bounce by their elasticity.
//! - Friction acts at both nearest points, a distance apart: see [`solver`] on angular momentum.
//! - Angular momentum stays but for friction, for contacts at an impact, whose normal is not the
//!   one where the substep starts, and for corrections, all of the second order of a substep.
//! - Points of solids go straight within a substep, which ends on their arc; a substep that is cut
//!   ends on the chord, and the next starts on the arc: off by at most ρθ²/8 for a turn of θ at a
//!   distance ρ from the axis, which has to be below a tenth of a thickness.
//! - Masses are lumped in nodes, and so is what contacts feel: a light node on a heavy mesh takes
//!   impulses of its own mass, and elastic forces pass them on in the next substep.
//! - A body without thickness is kept from surfaces without radius by rounding alone, and substeps
//!   are cut near them: give it a thickness.
//! - A solid's law of contact gives its friction alone; its restitution and belt do not act.

mod arc;
mod box_set;
pub(in crate::contact) mod boxes;
mod candidates;
mod clearance;
mod cluster_motion;
mod clusters;
mod constraint;
mod contact_pair;
mod contacts;
mod correction;
mod features;
mod finder;
mod full_contact;
mod group;
mod guard;
mod hit;
pub(super) mod obstacles;
mod pair;
mod pair_list;
mod pieces;
mod points;
pub(super) mod primitives;
mod solver;
#[cfg(test)]
mod tests;
mod zones;

pub use contact_pair::ContactPair;
pub use full_contact::FullContact;
