//! `sim surface`: makes surfaces of particle files, several at a time where memory allows.

mod command;
mod error;
mod files;
mod frame;
mod patterns;
mod series;
mod spacing;

pub use command::surface;
