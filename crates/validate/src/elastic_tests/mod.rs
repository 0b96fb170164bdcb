//! Elastic bodies alone, without a scene, beside closed forms.

mod ball;
mod cantilever;
mod chain;
mod crossings;
mod damped;
mod free_flight;
mod hanging;
mod rope_cantilever;
