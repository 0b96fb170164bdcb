//! The narrow phase against exact arithmetic.

mod cases;
mod crossing;
mod distances;
mod exact;
mod impact;
mod polynomial;
mod rough;
mod swept;
