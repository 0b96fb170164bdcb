//! Alembic in its own container, Ogawa: meshes, points and poses of all times in one file.

mod murmur3;
mod object;
mod ogawa;
mod property;
mod schema;
#[cfg(test)]
mod tests;
mod time;
mod writer;

pub use writer::Alembic;
