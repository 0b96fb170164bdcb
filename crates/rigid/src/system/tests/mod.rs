//! Systems of bodies against closed forms, conservation laws and themselves.

mod coupling;
mod impacts;
mod invariance;
mod scenes;
mod statics;
