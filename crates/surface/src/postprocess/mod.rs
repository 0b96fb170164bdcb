//! What is done to the surface after marching cubes: from a bumpy mesh with slivers to one to look
//! at, closed and 2-manifold all the way.
//!
//! | file | step |
//! |---|---|
//! | `components` | the connected parts; those that are too small go |
//! | `flat` | vertices near a wall or solid are drawn to it, and dents there are filled |
//! | `cleanup` | short edges and slivers are collapsed |
//! | `weights` | how much each vertex is smoothed |
//! | `smooth` | weighted Laplacian smoothing, along solids where it lies on them |
//! | `volume` | what smoothing took off a component, or added to it, is brought back |
//! | `mend` | triangles that were folded go back, flat ones are widened |
//! | `normals` | normals of the mesh as it is now |
//! | `shared`, `flat_shared`, `lines`, `pressure` | the same for shared surfaces |
//! | `decimate` | triangles go where fewer will do; normals stay what they were there |
//!
//! Beside them, `rings` tells what is around a vertex, `triangle` how good a triangle is,
//! `collapse` merges vertices, in `parts` side by side, `merged` numbers anew what is left,
//! `placement` tells where a collapsed edge goes and `deviation` how far that takes the surface.
//!
//! The result is the same bytes for any number of threads.

pub(crate) mod components;
pub(crate) mod contact;
pub(crate) mod normals;
pub(crate) mod rings;
pub(crate) mod shared;
pub(crate) mod simplify;
pub(crate) mod single;
pub(crate) mod smoothing;
pub(crate) mod split;
pub(crate) mod triangle;
