//! The particles of a file.

use hashfall_core::{Attribute, Vec3};

/// An attribute that the filter includes, but that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableAttribute {
    /// Its name in the file.
    pub name: String,
    /// Why it cannot be read, as a clause: `it belongs to cells, not to points`.
    pub reason: String,
}

/// The particles of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// Centres \[m\]; finite.
    pub positions: Vec<Vec3>,
    /// Attributes with a value for each particle; these may be infinite or NaN.
    pub attributes: Vec<Attribute<'static>>,
    /// Names of attributes in the file that the filter excludes.
    pub skipped: Vec<String>,
    /// Attributes that the filter includes, but that cannot be read.
    pub unreadable: Vec<UnreadableAttribute>,
    /// The time of the particles \[s\], if the file has it.
    pub time: Option<f64>,
    /// Doubts about the file, for the user.
    pub warnings: Vec<String>,
}
