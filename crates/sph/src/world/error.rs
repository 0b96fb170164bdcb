//! Why a world cannot be stepped.

use hashfall_core::Real;
use hashfall_core::kernel::KernelKind;
use hashfall_elastic::SpatialHashError;
use thiserror::Error;

/// Why a [`World`](super::World) cannot be stepped.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// There is no fluid, and no elastic body.
    #[error("the world has no fluid, and no elastic body")]
    NoFluid,
    /// A body cannot be moved by the fluid.
    #[error("body {body} cannot be free: {problem}")]
    FreeBody {
        /// Its number among all bodies.
        body: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// Contact is not between the free bodies of the world.
    #[error("contact is for {found} free bodies, and the world has {bodies}")]
    ContactShapes {
        /// Shapes given.
        found: usize,
        /// Free bodies of the world.
        bodies: usize,
    },
    /// A body cannot touch others.
    #[error("body {body} cannot touch others: {problem}")]
    BodyContact {
        /// Its number among all bodies; 0 are the walls.
        body: usize,
        /// What is wrong.
        problem: String,
    },
    /// An array of the particles has another length than their positions.
    #[error(
        "`particles.{array}` has {length} entries; it must have {count}, one for each position"
    )]
    ArrayLength {
        /// The field of [`Particles`](super::Particles).
        array: &'static str,
        /// Its length.
        length: usize,
        /// The number of positions.
        count: usize,
    },
    /// Two particles have one id, or one has an id that is still to be given.
    #[error("duplicate particle id, or an id above `next_id`")]
    ParticleIds,
    /// A particle is of a fluid that is not there.
    #[error("particle {particle} is of fluid {phase}, and there are {fluids}")]
    Phase {
        /// The particle's id.
        particle: u32,
        /// Its phase.
        phase: u8,
        /// The number of fluids.
        fluids: usize,
    },
    /// A particle is in the nozzle of an emitter that is not there.
    #[error("particle {particle} is in the nozzle of emitter {emitter}, and there are {emitters}")]
    Nozzle {
        /// The particle's id.
        particle: u32,
        /// The emitter, counted from 0.
        emitter: usize,
        /// The number of emitters.
        emitters: usize,
    },
    /// A number of a particle is not finite.
    #[error("`particles.{quantity}` of particle {particle} is not finite")]
    NotFinite {
        /// The particle's id.
        particle: u32,
        /// The quantity.
        quantity: &'static str,
    },
    /// The support radius is shorter than the spacing, so that no particle sees another.
    #[error("`support_radius` is {support_radius} m; it must be at least the spacing, {spacing} m")]
    SupportRadius {
        /// h \[m\].
        support_radius: Real,
        /// d \[m\].
        spacing: Real,
    },
    /// The scheme has no equations for this kernel.
    #[error("`{scheme}` does not take the kernel `{kernel:?}`")]
    Kernel {
        /// The scheme.
        scheme: &'static str,
        /// The kernel.
        kernel: KernelKind,
    },
    /// The scheme has no equations for what it would meet.
    #[error("`{scheme}` does not support {what}")]
    Unsupported {
        /// The scheme, with the setting that asks for more than it has.
        scheme: &'static str,
        /// What it does not support.
        what: &'static str,
    },
    /// There are more fluids or emitters than their numbers can tell apart.
    #[error("the world has {count} {things}; at most 255 are supported")]
    TooMany {
        /// Fluids or emitters.
        things: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A number is out of its range.
    #[error("`{name}` is {value}; it must be {range}")]
    Value {
        /// Its place, such as `fluids[0].rest_density`.
        name: String,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// The domain is empty or not finite along an axis.
    #[error("the domain is empty or not finite along axis {axis}")]
    Domain {
        /// 0 to 2.
        axis: usize,
    },
    /// The domain is so short along a periodic axis that a particle would see itself.
    #[error("the domain is {length} m long along periodic axis {axis}; it must be longer than h")]
    PeriodicAxis {
        /// 0 to 2.
        axis: usize,
        /// Its length \[m\].
        length: Real,
    },
    /// An interface is not between two fluids of the world.
    #[error("`interfaces[{interface}]` is not between two fluids of the world")]
    Interface {
        /// Its number.
        interface: usize,
    },
    /// Elastic bodies that cannot be stepped.
    #[error("elastic bodies {problem}")]
    Elastic {
        /// What is wrong with them.
        problem: &'static str,
    },
    /// Elastic bodies whose vertices cannot be hashed.
    #[error(transparent)]
    SpatialHash(#[from] SpatialHashError),
    /// An emitter that can give no fluid.
    #[error("`emitters[{emitter}]` has {problem}")]
    Emitter {
        /// Its number.
        emitter: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The account of emitters and fluids has another length than they.
    #[error("the account of what came and went is not one of these emitters and fluids")]
    Account,
}

impl WorldError {
    /// Says why a body cannot touch others.
    pub(super) fn body_contact(body: usize, problem: String) -> Self {
        WorldError::BodyContact { body, problem }
    }
}
