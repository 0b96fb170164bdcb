//! λ around solids of revolution, from a table for each of their shapes.
//!
//! Each patch outside ([`super::meridian`]) has a grid of its own ([`super::grid`]), whose entries
//! [`super::build`] finds. Solids of equal measures share a table, wherever they stand.
//!
//! Nearer than the first entries, and inside, λ continues as it does at a plane.
//!
//! Symbols: λ part of the kernel in the solid \[–\], u, t place in a patch \[m\].

use super::grid::Grid;
use super::meridian::{Part, Place, find};
use crate::integral::fraction::SolidFraction;
use crate::integral::layers::SolidLayers;
use crate::precision::to_vec3;
use hashfall_core::Real;
use hashfall_geometry::{Meridian, Point, RoundSolid};

/// The tables of all solids of revolution.
#[derive(Clone, Debug, Default)]
pub struct RoundTables {
    pub(super) tables: Vec<RoundTable>,
    /// By solid.
    pub(super) table_of: Vec<u32>,
}

/// λ around the solids of one shape.
#[derive(Clone, Debug)]
pub struct RoundTable {
    pub(super) meridian: Meridian,
    pub(super) parts: Vec<Part>,
    /// By part.
    pub(super) grids: Vec<Grid>,
    /// The least distance with an entry \[m\].
    pub(super) nearest: f64,
    /// Whether what it hides counts as solid: particles would see through it.
    pub is_opaque: bool,
    pub(super) layers: SolidLayers,
}

impl RoundTables {
    /// The table of a solid, by its number.
    pub fn of(&self, number: usize) -> &RoundTable {
        &self.tables[self.table_of[number] as usize]
    }

    /// Whether one hides what is behind it.
    pub fn has_opaque(&self) -> bool {
        self.tables.iter().any(|table| table.is_opaque)
    }
}

impl RoundTable {
    /// The part of a solid of this shape in the kernel of a particle at `x` \[m\].
    pub fn part(&self, solid: &RoundSolid, x: &Point) -> SolidFraction {
        let (along, aside, radial) = solid.coordinates(x);
        let (number, Place { u, t }) = find(&self.parts, [along, aside]);
        let part = &self.parts[number];
        let inner = t.max(self.nearest);
        if inner >= self.reach() {
            return SolidFraction::NONE;
        }
        let mut found = self.grids[number].at(u, inner);
        if t < inner {
            let [here, there] = [t, inner].map(|t| self.layers.sums(t as Real, 0.0));
            found.value += f64::from(here.fraction - there.fraction);
            found.by_t += f64::from(here.slope - there.slope);
        }
        let (tangent, normal) = part.frame(u);
        let slope = found.by_u / part.metric(inner);
        let [by_z, by_rho] = [0, 1].map(|k| tangent[k] * slope + normal[k] * found.by_t);
        let gradient = solid.direction() * by_z + radial * by_rho;
        SolidFraction { fraction: found.value.max(0.0) as Real, gradient: to_vec3(&gradient) }
    }

    fn reach(&self) -> f64 {
        f64::from(self.layers.reach())
    }
}
