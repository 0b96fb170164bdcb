//! Systems of bodies against closed forms, conservation laws and themselves.

mod scenes;
mod statics;
