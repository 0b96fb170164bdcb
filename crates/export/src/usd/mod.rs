//! USD as text (`.usda`).

mod layers;
mod material;
mod prim;
mod text;
mod writer;

pub use writer::Usd;
