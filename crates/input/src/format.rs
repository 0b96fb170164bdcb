//! What a format of particle files is.

use super::array::AttributeFilter;
use super::cloud::Cloud;
use super::columns::ColumnChoice;
use super::error::InputError;

/// A format of particle files.
pub(super) struct FileFormat {
    /// Extensions of its files, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// Whether a file may be in gzip, under its own extension.
    pub(super) may_be_gzip: bool,
    /// Reads the particles of a file, from the columns that are chosen, with the attributes that
    /// the filter includes.
    pub(super) read: fn(&[u8], &ColumnChoice, &AttributeFilter) -> Result<Cloud, InputError>,
}
