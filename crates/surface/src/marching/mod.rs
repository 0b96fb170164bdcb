//! Marching cubes: cases, crossing edges, vertices and triangles; cells where several fluids meet.
//!
//! | file | content |
//! |---|---|
//! | `cases` | the triangles of each sign pattern |
//! | `crossings` | crossing edges, vertex numbers, triangles |
//! | `vertices` | vertex positions |
//! | `patterns`, `junctions` | cells in which three or more of fluids and air meet |
//! | `complex` | all surfaces as one complex; a mesh for each fluid |

pub(crate) mod cases;
pub(crate) mod complex;
pub(crate) mod crossings;
pub(crate) mod junctions;
pub(crate) mod patterns;
#[cfg(test)]
mod tests;
pub(crate) mod vertices;
