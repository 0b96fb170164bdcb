//! USD as text (`.usda`).

mod layers;
mod prim;
mod text;
mod writer;

pub use writer::Usd;
