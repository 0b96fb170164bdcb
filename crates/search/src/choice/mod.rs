//! Structures by name, with their parameters, and under watch.

pub(crate) mod find_neighbors;
pub(crate) mod kinds;
pub(crate) mod neighbor_choice;
pub(crate) mod settings;
pub(crate) mod verified;
