//! A step of the world, what came of it, and why it may fail.

use crate::contact::{ContactCounts, ContactError};
use crate::rigid_motion::RigidMotion;
use hashfall_geometry::Point;
use std::fmt;
use thiserror::Error;

/// The acceleration \[m/s²\] of a node beside its elastic forces, by its place \[m\], velocity
/// \[m/s\] and the time \[s\].
pub type Acceleration<'a> = dyn Fn(&Point, &Point, f64) -> Point + Sync + 'a;

/// A step of the world.
#[derive(Clone, Copy)]
pub struct ElasticStep<'a> {
    /// When it begins \[s\].
    pub time: f64,
    /// How long it is \[s\].
    pub dt: f64,
    /// Of gravity and other forces by mass.
    pub acceleration: &'a Acceleration<'a>,
    /// Of the solids that move, by their numbers.
    pub motions: &'a [RigidMotion],
}

impl fmt::Debug for ElasticStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ElasticStep");
        let out = out.field("time", &self.time).field("dt", &self.dt);
        out.field("motions", &self.motions).finish_non_exhaustive()
    }
}

/// What came of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Substeps.
    pub substeps: u64,
    /// Those that contact cut short.
    pub cut_substeps: u64,
    /// The shortest substep that was planned \[s\].
    pub shortest: f64,
    /// What contact did.
    pub contact: ContactCounts,
}

/// Why a step failed. The state is then somewhere within it.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StepError {
    /// A node is nowhere.
    #[error(
        "elastic body `{body}`: node {node} is at {place:?} m with {velocity:?} m/s after the step \
         to t = {time:.6e} s: use shorter substeps, or softer or heavier bodies"
    )]
    NotFinite {
        /// Its name.
        body: String,
        /// The node in the body, from 0.
        node: usize,
        /// \[m\]
        place: [f64; 3],
        /// \[m/s\]
        velocity: [f64; 3],
        /// \[s\]
        time: f64,
    },
    /// A scheme of high order that goes back in time between.
    #[error(
        "a symplectic integrator of order 4 or 6 knows no {obstacle}: use order 2, or leave the \
         {obstacle} out"
    )]
    HighOrder {
        /// What it does not know.
        obstacle: &'static str,
    },
    /// The energy of an element is not defined.
    #[error(
        "elastic body `{body}`: {element} {index} is crushed to nothing at {place:?} m, t = \
         {time:.6e} s: use a stiffer body, or more damping"
    )]
    Collapsed {
        /// Its name.
        body: String,
        /// The kind of element.
        element: &'static str,
        /// Its number in the body, from 0.
        index: usize,
        /// Its first corner \[m\].
        place: [f64; 3],
        /// \[s\]
        time: f64,
    },
    /// The stable substep is too short.
    #[error(
        "elastic body `{body}`: node {node} at {place:?} m allows substeps of {substep:.3e} s, so \
         that the step of {dt:.3e} s at t = {time:.6e} s needs more than {limit}: make the body \
         softer or heavier, its elements larger, or raise `max_substeps`"
    )]
    TooManySubsteps {
        /// Its name.
        body: String,
        /// The node in the body, from 0.
        node: usize,
        /// Where it is \[m\].
        place: [f64; 3],
        /// \[s\]
        substep: f64,
        /// \[s\]
        dt: f64,
        /// \[s\]
        time: f64,
        /// The most substeps.
        limit: u32,
    },
    /// The equations of an implicit substep are not solved.
    #[error(
        "the implicit substep of {dt:.3e} s at t = {time:.6e} s is not solved after {max_newton} \
         steps of Newton's method (the last changed the motion by {change:.1e} of it): use more \
         `substeps`, raise `max_newton`, or soften contact and materials"
    )]
    NotConverged {
        /// When the substep began \[s\].
        time: f64,
        /// \[s\]
        dt: f64,
        /// The most steps.
        max_newton: u32,
        /// The last step over the way of the nodes.
        change: f64,
    },
    /// There is no motion without an intersection.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// Contact cuts each substep so short that time does not go on.
    #[error("contact lets no substep go on at t = {time:.6e} s, cut {cuts} times in a row")]
    Stuck {
        /// \[s\]
        time: f64,
        /// Substeps that got nowhere.
        cuts: u32,
    },
}
