//! A step of the world, what came of it, and why it may fail.

use crate::contact::{ContactCounts, ContactError};
use crate::error::show;
use hashfall_bodies::RigidMotion;
use hashfall_core::format_significant;
use hashfall_geometry::Point;
use std::fmt;
use thiserror::Error;

/// The acceleration \[m/s²\] of a node beside its elastic forces.
#[derive(Clone, Copy)]
pub enum Acceleration<'a> {
    /// The same everywhere, always.
    Uniform(Point),
    /// By place \[m\] and time \[s\].
    Field(&'a (dyn Fn(&Point, f64) -> Point + Sync)),
    /// By place \[m\], velocity \[m/s\] and time \[s\]: symplectic schemes of order 4 and 6 lose
    /// their order with it.
    VelocityDependent(&'a (dyn Fn(&Point, &Point, f64) -> Point + Sync)),
}

impl Acceleration<'_> {
    /// That of a node at `x` \[m\] with velocity `v` \[m/s\], at a time \[s\].
    pub fn evaluate(&self, x: &Point, v: &Point, time: f64) -> Point {
        match self {
            Acceleration::Uniform(acceleration) => *acceleration,
            Acceleration::Field(field) => field(x, time),
            Acceleration::VelocityDependent(field) => field(x, v, time),
        }
    }

    /// Whether it is by velocity, too.
    pub fn is_velocity_dependent(&self) -> bool {
        matches!(self, Acceleration::VelocityDependent(_))
    }
}

impl fmt::Debug for Acceleration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Acceleration::Uniform(acceleration) => {
                f.debug_tuple("Uniform").field(acceleration).finish()
            }
            Acceleration::Field(_) => f.write_str("Field"),
            Acceleration::VelocityDependent(_) => f.write_str("VelocityDependent"),
        }
    }
}

/// A step of the world.
#[derive(Clone, Copy, Debug)]
pub struct ElasticStep<'a> {
    /// When it begins \[s\].
    pub time: f64,
    /// How long it is \[s\].
    pub dt: f64,
    /// Of gravity and other forces by mass.
    pub acceleration: Acceleration<'a>,
    /// Of the solids that move, by their numbers.
    pub motions: &'a [RigidMotion],
}

/// What came of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Substeps.
    pub substeps: u64,
    /// Those of high order, in which nothing could touch.
    pub high_order_substeps: u64,
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
        "elastic body `{body}`: node {node} is at {} m with {} m/s after the step to t = {} s: use \
         shorter substeps, or softer or heavier bodies",
        show(place), show(velocity), format_significant(*time, 6)
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
    /// A scheme of high order, whose stages go back in time, with what it does not support.
    #[error(
        "symplectic integrators of order 4 and 6 do not support {unsupported}: use the automatic \
         order or order 2, or leave it out"
    )]
    HighOrder {
        /// What it does not support.
        unsupported: &'static str,
    },
    /// The energy of an element is not defined.
    #[error(
        "elastic body `{body}`: {element} {index} is crushed to nothing at {} m, t = {} s: use a \
         stiffer body, or more damping",
        show(place), format_significant(*time, 6)
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
        "elastic body `{body}`: node {node} at {} m allows substeps of {substep:.3e} s, so that \
         the step of {dt:.3e} s at t = {} s needs more than {limit}: make the body softer or \
         heavier, its damping less, its elements larger, or steps shorter by more frames a second",
        show(place), format_significant(*time, 6)
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
        "the implicit substep of {dt:.3e} s at t = {} s is not solved after {max_newton} steps of \
         Newton's method (the last changed the motion by {change:.1e} of it): use more `substeps`, \
         raise `max_newton`, or soften contact and materials",
        format_significant(*time, 6)
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
    /// Contact cuts each substep so short that time does not advance.
    #[error(
        "contact lets no substep go on at t = {} s, cut {cuts} times in a row",
        format_significant(*time, 6)
    )]
    Stuck {
        /// \[s\]
        time: f64,
        /// Substeps that got nowhere.
        cuts: u32,
    },
}
