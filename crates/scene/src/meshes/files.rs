//! Copies of the files that a scene names, and measurements of its meshes.

/// A file that a run keeps a copy of: a mesh, a file that a mesh names, particles or a recorded
/// motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshFile {
    /// File name in the copy's folder `meshes/`.
    pub name: String,
    /// The file, byte by byte but for names of other copies.
    pub bytes: Vec<u8>,
}

/// What a mesh measures where it is placed.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSummary {
    /// Key path of what it makes, such as `solids[0]`.
    pub key: String,
    /// Its file, as the scene names it.
    pub path: String,
    /// The format of its file.
    pub format: &'static str,
    /// Edges of the box around it \[m\].
    pub extent: [f64; 3],
    /// The volume that it encloses \[m³\]; `None` if it is open.
    pub volume: Option<f64>,
    /// The number of its connected surfaces.
    pub shells: usize,
    /// The number of its triangles.
    pub triangles: usize,
    /// What else it holds, of the mesh of an elastic body.
    pub elements: Option<ElementSummary>,
}

/// What a mesh of elements holds beside triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementSummary {
    /// The number of its nodes.
    pub nodes: usize,
    /// The number of its lines.
    pub segments: usize,
    /// The number of its tetrahedra.
    pub tetrahedra: usize,
    /// The names of its groups of nodes.
    pub groups: Vec<String>,
}

/// The path of a file that another one names relative to itself.
pub fn beside(path: &str, name: &str) -> String {
    match path.rfind(['/', '\\']) {
        Some(end) => format!("{}{name}", &path[..=end]),
        None => name.to_owned(),
    }
}
