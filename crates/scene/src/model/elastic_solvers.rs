//! What advances elastic bodies, and how their contact is found.

use hashfall_elastic::{
    CellSize, ImplicitSettings, Insertion, Rasterization, SpatialHashSettings, SymplecticOrder,
    SymplecticSettings,
};
use hashfall_sph::world::{ContactMode, ElasticSolver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Time integration of elastic bodies, in substeps of each step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "ElasticSolver")]
pub enum ElasticSolverModel {
    /// Explicit and symplectic: without damping no energy is lost. Substeps are as short as the
    /// stiffest element asks for.
    Symplectic(SymplecticModel),
    /// TR-BDF2, and implicit Euler where contact acts: however stiff the elements are, substeps may
    /// be long; vibrations that are much faster than a substep die out, and so does bouncing.
    Implicit(ImplicitModel),
}

/// Parameters of symplectic substeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Symplectic", default, deny_unknown_fields)]
pub struct SymplecticModel {
    /// Courant number: part of the longest stable substep that is taken; with the order `Auto`
    /// that of `Second` \[–\].
    #[schemars(range(min = 1e-3, max = 0.95))]
    pub courant: f64,
    /// Order of the errors in the substep.
    pub order: OrderModel,
}

/// Order of a symplectic integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Order")]
pub enum OrderModel {
    /// Sixth while nothing can touch, without damping; second otherwise.
    #[default]
    Auto,
    /// Velocity Verlet: one evaluation of the forces in a substep.
    Second,
    /// Six evaluations of the forces in a substep, which may be 1.58 times as long. Without damping
    /// and contact.
    Fourth,
    /// Eleven evaluations of the forces in a substep, which may be 4.53 times as long. Without
    /// damping and contact.
    Sixth,
}

impl Default for SymplecticModel {
    fn default() -> Self {
        let usual = SymplecticSettings::default();
        SymplecticModel { courant: usual.substep_ratio, order: OrderModel::default() }
    }
}

/// Parameters of implicit substeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Implicit", default, deny_unknown_fields)]
pub struct ImplicitModel {
    /// Substeps in each step; without fluid a step is as long as a frame at the most.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub substeps: u32,
    /// Tolerance of Newton's method: its last change over the way of the nodes in a substep, in
    /// rounds with contact 1e-4 at the least \[–\].
    #[schemars(range(min = 1e-12, max = 0.1))]
    pub tolerance: f64,
    /// Maximum number of steps of Newton's method, after which the run fails.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_newton: u32,
    /// Maximum number of iterations of conjugate gradients in each of them.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_conjugate_gradients: u32,
    /// Maximum number of rounds of elasticity and contact in a substep.
    #[schemars(range(min = 1, max = 10_000))]
    pub contact_rounds: u32,
}

impl Default for ImplicitModel {
    fn default() -> Self {
        let usual = ImplicitSettings::default();
        ImplicitModel {
            substeps: usual.substeps,
            tolerance: usual.tolerance,
            max_newton: usual.max_newton,
            max_conjugate_gradients: usual.max_conjugate_gradients,
            contact_rounds: usual.contact_rounds,
        }
    }
}

impl ElasticSolverModel {
    /// What the world has of it.
    pub fn solver(&self) -> ElasticSolver {
        match *self {
            ElasticSolverModel::Symplectic(SymplecticModel { courant, order }) => {
                let order = match order {
                    OrderModel::Auto => SymplecticOrder::Automatic,
                    OrderModel::Second => SymplecticOrder::Second,
                    OrderModel::Fourth => SymplecticOrder::Fourth,
                    OrderModel::Sixth => SymplecticOrder::Sixth,
                };
                let usual = SymplecticSettings::default();
                let settings = SymplecticSettings { order, substep_ratio: courant, ..usual };
                ElasticSolver::Symplectic(settings)
            }
            ElasticSolverModel::Implicit(it) => ElasticSolver::Implicit(ImplicitSettings {
                substeps: it.substeps,
                tolerance: it.tolerance,
                max_newton: it.max_newton,
                max_conjugate_gradients: it.max_conjugate_gradients,
                contact_rounds: it.contact_rounds,
            }),
        }
    }
}

/// How contact of elastic bodies is found and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "ContactMode")]
pub enum ContactModeModel {
    /// Nothing passes through anything: all pairs of vertices, edges and triangles that a substep
    /// could bring together are swept; the `broad_phase` finds them.
    #[default]
    Full,
    /// Vertices in a hash table, triangles rasterised into its cells, tested where they come to in
    /// each substep (Ahmad): what is fast passes, and so do edges; vertices that do are counted.
    SpatialHash(SpatialHashModel),
}

/// Parameters of contact by a hash table of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "SpatialHash", default, deny_unknown_fields)]
pub struct SpatialHashModel {
    /// When vertices are inserted; results are the same.
    pub insertion: InsertionModel,
    /// When the mean edge is found, on which the size of a cell depends.
    pub cell_size: CellSizeModel,
    /// Edge length of a cell, in mean edges \[–\].
    #[schemars(range(min = 0.01, max = 100.0))]
    pub cell_ratio: f64,
    /// Slots of the table, in vertices and triangles \[–\].
    #[schemars(range(min = 1e-3, max = 1e3))]
    pub table_ratio: f64,
    /// How a triangle finds its cells.
    pub rasterization: RasterizationModel,
    /// How far behind a triangle a vertex is found that has passed it, in cells \[–\].
    #[schemars(range(min = 0.0, max = 10.0))]
    pub depth: f64,
}

impl Default for SpatialHashModel {
    fn default() -> Self {
        let usual = SpatialHashSettings::default();
        SpatialHashModel {
            insertion: InsertionModel::default(),
            cell_size: CellSizeModel::default(),
            cell_ratio: usual.cell_ratio,
            table_ratio: usual.table_ratio,
            rasterization: RasterizationModel::default(),
            depth: usual.depth,
        }
    }
}

/// When vertices are inserted into the hash table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Insertion")]
pub enum InsertionModel {
    /// While they move.
    #[default]
    DuringMove,
    /// In a pass of its own, after all have moved.
    AfterMove,
}

/// When the mean edge is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "CellSize")]
pub enum CellSizeModel {
    /// At rest.
    #[default]
    Once,
    /// In every substep, as edges change their length.
    Recomputed,
}

/// How a triangle finds its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Rasterization")]
pub enum RasterizationModel {
    /// All cells within reach of its surface.
    #[default]
    Surface,
    /// The scanline of the article, which misses cells.
    Scanline,
}

impl ContactModeModel {
    /// What the world has of it.
    pub fn mode(&self) -> ContactMode {
        let ContactModeModel::SpatialHash(it) = self else { return ContactMode::Full };
        ContactMode::SpatialHash(SpatialHashSettings {
            insertion: match it.insertion {
                InsertionModel::DuringMove => Insertion::DuringMove,
                InsertionModel::AfterMove => Insertion::AfterMove,
            },
            cell_size: match it.cell_size {
                CellSizeModel::Once => CellSize::Once,
                CellSizeModel::Recomputed => CellSize::Recomputed,
            },
            cell_ratio: it.cell_ratio,
            table_ratio: it.table_ratio,
            rasterization: match it.rasterization {
                RasterizationModel::Surface => Rasterization::Surface,
                RasterizationModel::Scanline => Rasterization::Scanline,
            },
            depth: it.depth,
            counts_passages: true,
        })
    }
}
