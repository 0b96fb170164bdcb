//! The switches of the article.

/// How collisions by hashed vertices and rasterised triangles are looked for. The defaults are the
/// article's choices, but for the walk, which it has wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialHashSettings {
    /// When the edge of a cell is computed.
    pub cell_size: CellSize,
    /// The edge of a cell, in mean edges of the meshes \[–\].
    pub cell_ratio: f64,
    /// The slots of the table, in primitives: vertices and triangles \[–\].
    pub table_ratio: f64,
    /// When vertices are entered.
    pub insertion: Insertion,
    /// How a triangle finds its cells.
    pub rasterization: Rasterization,
    /// How far behind a triangle a vertex is found that passed it, in cells \[–\]: the nearby cells
    /// that the article advises to check.
    pub depth: f64,
    /// Whether vertices are counted that passed a triangle: an exact test of all that could.
    pub counts_passages: bool,
}

/// When the edge of a cell is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellSize {
    /// From the meshes at rest: "just one preprocessing and it works well".
    #[default]
    Once,
    /// From the lengths in every substep: "you are free to recompute".
    Recomputed,
}

/// When vertices are entered: the bits are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Insertion {
    /// As each is moved.
    #[default]
    DuringMove,
    /// In a pass of its own, when all have been moved.
    AfterMove,
}

/// How a triangle finds its cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rasterization {
    /// All cells within reach of its surface.
    #[default]
    Surface,
    /// The article's scanline as printed, which misses cells and those nearby.
    Scanline,
}

impl Default for SpatialHashSettings {
    fn default() -> Self {
        SpatialHashSettings {
            cell_size: CellSize::Once,
            cell_ratio: 1.0,
            table_ratio: 1.0,
            insertion: Insertion::DuringMove,
            rasterization: Rasterization::Surface,
            depth: 0.5,
            counts_passages: true,
        }
    }
}
