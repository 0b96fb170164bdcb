//! `sim check`: the content and the cost of scenes, or all of their errors.

mod command;
mod content;
mod cost;
mod elastic;
mod free_bodies;
mod line;
mod pilot;
mod report;
mod shapes;
mod time;

pub use command::check;
