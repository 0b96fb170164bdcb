//! The copies of mesh files that a run keeps, so that its resolved scene runs alone.

use super::load::Meshes;
use crate::meshes::MeshFile;
use hashfall_input::mesh;

impl Meshes {
    /// Keeps a mesh file and the files that it names; the number of its copy. Files beside it get
    /// names of their own among all copies, which the copy of the mesh then has.
    pub(super) fn keep(
        &mut self,
        path: &str,
        mut bytes: Vec<u8>,
        files_beside: Vec<(String, Vec<u8>)>,
    ) -> usize {
        let name = self.unique_names.give(path);
        let mut names = Vec::new();
        for (named, bytes) in files_beside {
            if names.iter().any(|(other, _)| *other == named) {
                continue;
            }
            let name = self.unique_names.give(&named);
            self.files.push(MeshFile { name: name.clone(), bytes });
            names.push((named, name));
        }
        if names.iter().any(|(named, name)| named != name) {
            let rename = |named: &str| {
                names.iter().find(|(other, _)| other == named).map(|(_, name)| name.clone())
            };
            // What was read is JSON.
            bytes = mesh::with_renamed_files(&bytes, &rename).unwrap_or(bytes);
        }
        self.files.push(MeshFile { name, bytes });
        self.files.len() - 1
    }
}
