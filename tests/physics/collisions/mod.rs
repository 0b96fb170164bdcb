//! Collisions that hold: swept motions against exact arithmetic, closed meshes full of water under
//! turning gravity, and meshes that nobody should have made.

mod deforming;
mod draw;
mod number;
mod odd_meshes;
mod oracle;
mod queries;
mod shapes;
mod swept;
mod vessels;
mod winding;
