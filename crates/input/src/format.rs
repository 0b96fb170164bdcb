//! Formats of particle files.

/// A format of particle files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// VTK's legacy format, `.vtk`.
    VtkLegacy,
    /// VTK's XML formats for points, `.vtp` and `.vtu`.
    VtkXml,
    /// Polygon files, `.ply`.
    Ply,
    /// Houdini's classic geometry, `.bgeo`.
    Bgeo,
    /// Tables whose first line names the columns, `.csv` and `.tsv`.
    Csv,
    /// Coordinates only, as text or raw numbers: `.xyz`.
    Xyz,
}

impl Format {
    /// The file extensions of all formats.
    pub const EXTENSIONS: [&str; 8] = ["vtk", "vtp", "vtu", "ply", "bgeo", "csv", "tsv", "xyz"];

    /// The format of files with this extension, in lower or upper case.
    pub fn from_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "vtk" => Some(Format::VtkLegacy),
            "vtp" | "vtu" => Some(Format::VtkXml),
            "ply" => Some(Format::Ply),
            "bgeo" => Some(Format::Bgeo),
            "csv" | "tsv" => Some(Format::Csv),
            "xyz" => Some(Format::Xyz),
            _ => None,
        }
    }

    /// The extensions as a list for messages: `.vtk, .vtp … and .xyz`.
    pub fn list_extensions() -> String {
        let dotted = Format::EXTENSIONS.map(|extension| format!(".{extension}"));
        let [first @ .., last] = &dotted;
        format!("{} and {last}", first.join(", "))
    }
}
