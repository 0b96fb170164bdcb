//! The commands but `preview`, which runs use as well, and `export`.

pub mod audit;
pub mod bench;
pub mod check;
pub mod convert;
pub mod foam;
pub mod list;
pub mod manual;
pub mod new;
pub mod report;
pub mod resume;
pub mod schema;
pub mod simulate;
pub mod surface;
pub mod sweep;
pub mod validate;
