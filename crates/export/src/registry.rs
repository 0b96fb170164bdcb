//! The list of formats: each is a file or a folder of this crate with a [`Format`], and a line
//! here.

use super::format::Format;

/// All formats.
pub const FORMATS: [&dyn Format; 5] = [
    &super::usd::Usd,
    &super::vtkhdf::VtkHdf,
    &super::vdb::Vdb,
    &super::gltf::Gltf,
    &super::alembic::Alembic,
];
