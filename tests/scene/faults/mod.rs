//! Broken scenes, overrides and meshes: each is refused with its one clear error, at its place.

mod brackets;
mod broken_meshes;
mod contacts;
mod docs;
mod elastic;
mod exchange;
mod free_bodies;
mod habits;
mod json;
mod motions;
mod multiphase;
mod mutations;
mod odd_exchange;
mod oddities;
mod overrides;
mod renamed_keys;
mod schema;
mod several_faults;
mod space;
mod starts;
mod support;
mod tension;
mod texts;

mod typos;
mod values;
