//! Elastic meshes: ropes, shells and solids of nodes in double precision, and their contact with
//! obstacles, with each other and with themselves.
//!
//! An [`ElasticMesh`] is the rest shape of a body: nodes, and segments, triangles or tetrahedra
//! between them. An [`ElasticState`] is where the nodes of all bodies are and how fast they move: a
//! value that is copied, saved and digested. [`Collisions`] changes the velocities of a substep so
//! that the straight motions of all nodes meet nothing.

mod contact;
mod mesh;
mod state;

pub use contact::{Collisions, ContactCounts, ContactError, Drift, NoCollisions, NodeMotion};
pub use mesh::ElasticMesh;
pub use state::ElasticState;
