//! The list of formats: each is a file or some files of this crate with a `FORMAT`, and a line
//! here.

use super::format::FileFormat;
use super::{bgeo, legacy, ply, table, vtk_xml};

/// Declares [`Format`] and how each is read.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident: $format:path,)*) => {
        /// A format of particle files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $($(#[$doc])* $name,)*
        }

        impl Format {
            /// All formats.
            const ALL: &[Format] = &[$(Format::$name),*];

            /// How files of the format are read.
            pub(super) fn file_format(self) -> &'static FileFormat {
                match self {
                    $(Format::$name => &const { $format },)*
                }
            }
        }
    };
}

formats! {
    /// VTK's legacy format, `.vtk`.
    VtkLegacy: legacy::FORMAT,
    /// VTK's XML formats for points, `.vtp` and `.vtu`.
    VtkXml: vtk_xml::FORMAT,
    /// Polygon files, `.ply`.
    Ply: ply::FORMAT,
    /// Houdini's classic geometry, `.bgeo`.
    Bgeo: bgeo::FORMAT,
    /// Tables whose first line names the columns, `.csv` and `.tsv`.
    Csv: table::csv::FORMAT,
    /// Tables with or without a head, also Tecplot's, `.dat`.
    Dat: table::dat::FORMAT,
    /// Points of laser scanners, `.pts`.
    Pts: table::pts::FORMAT,
    /// Coordinates first, as text or raw numbers: `.xyz`.
    Xyz: table::xyz::FORMAT,
}

impl Format {
    /// The file extensions of all formats.
    pub fn extensions() -> impl Iterator<Item = &'static str> {
        Format::ALL.iter().flat_map(|format| format.file_format().extensions).copied()
    }

    /// The format of files with this extension, in lower or upper case.
    pub fn from_extension(extension: &str) -> Option<Format> {
        let extension = extension.to_ascii_lowercase();
        let has_it = |format: &Format| format.file_format().extensions.contains(&&*extension);
        Format::ALL.iter().copied().find(has_it)
    }

    /// The extensions as a list for messages: `.vtk, .vtp … and .xyz`.
    pub fn list_extensions() -> String {
        let dotted: Vec<String> = Format::extensions().map(|it| format!(".{it}")).collect();
        match dotted.split_last() {
            Some((last, first)) => format!("{} and {last}", first.join(", ")),
            None => String::new(),
        }
    }
}
