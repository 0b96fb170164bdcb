//! Why meshes can not be hashed.

use thiserror::Error;

/// Why contact by hashed vertices can not begin.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SpatialHashError {
    /// A body that nothing keeps a distance from.
    #[error(
        "elastic body `{body}` has no thickness: contact keeps half of it between vertices and \
         triangles; give it one above 0"
    )]
    NoThickness {
        /// Its name.
        body: String,
    },
    /// A setting of no use.
    #[error("`{name}` is {value}, but must be from {} to {}", range[0], range[1])]
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The least and the greatest that would do.
        range: [f64; 2],
    },
}
