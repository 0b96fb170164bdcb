//! What of a particle a column can be chosen for.

/// What of a particle a column can be chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// A coordinate along x \[m\].
    X,
    /// A coordinate along y \[m\].
    Y,
    /// A coordinate along z \[m\].
    Z,
    /// The velocity along x \[m/s\].
    U,
    /// The velocity along y \[m/s\].
    V,
    /// The velocity along z \[m/s\].
    W,
    /// The density \[kg/m³\].
    Density,
    /// The pressure \[Pa\].
    Pressure,
    /// The number of its fluid.
    Phase,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Quantity; 9] = {
        use Quantity::{Density, Phase, Pressure, U, V, W, X, Y, Z};
        [X, Y, Z, U, V, W, Density, Pressure, Phase]
    };
    /// Those that are a position.
    pub(super) const POSITION: [Quantity; 3] = [Quantity::X, Quantity::Y, Quantity::Z];
    /// Those that are a velocity.
    pub(super) const VELOCITY: [Quantity; 3] = [Quantity::U, Quantity::V, Quantity::W];
    /// Those that are attributes of one number.
    pub(super) const SCALARS: [Quantity; 3] =
        [Quantity::Density, Quantity::Pressure, Quantity::Phase];

    /// The name by which a column is chosen for it: `x` … `phase`.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::X => "x",
            Quantity::Y => "y",
            Quantity::Z => "z",
            Quantity::U => "u",
            Quantity::V => "v",
            Quantity::W => "w",
            Quantity::Density => "density",
            Quantity::Pressure => "pressure",
            Quantity::Phase => "phase",
        }
    }

    /// The quantity of this name.
    pub fn from_name(name: &str) -> Option<Quantity> {
        Quantity::ALL.into_iter().find(|quantity| quantity.name() == name)
    }

    /// The attribute that it is, or a part of; none of a coordinate.
    pub fn attribute(self) -> Option<&'static str> {
        match self {
            Quantity::X | Quantity::Y | Quantity::Z => None,
            Quantity::U | Quantity::V | Quantity::W => Some("velocity"),
            scalar => Some(scalar.name()),
        }
    }
}
