//! Surfaces in Gmsh's `.msh` files, of the versions that are read as [elements](super::elements).
//!
//! A file of triangles and quadrilaterals is their surface. One of tetrahedra is their volume, and
//! its surface the sides that only one of them has, outwards; triangles that name parts of a
//! boundary are such sides.

use super::elements::{ElementMesh, GMSH, read_gmsh};
use super::error::{MeshError, MeshProblem};
use super::face::{FaceUnit, Faces};
use super::format::{Beside, FileMesh, Format};
use crate::error::Problem;
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::Polygons;
use std::collections::BTreeMap;

pub(super) const FORMAT: Format = Format { name: GMSH, kinds: &[FileKind::Gmsh], up: None, read };

/// The sides of a tetrahedron, outwards, by its corners.
const SIDES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn read<'a>(bytes: &'a [u8], _: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let ElementMesh { nodes, triangles, tetrahedra, .. } = read_gmsh(bytes)?;
    let mut polygons = Polygons { vertices: nodes, ..Polygons::default() };
    let all = outer_sides(&tetrahedra).into_iter().chain(triangles);
    all.for_each(|corners| polygons.push(corners));
    let missing = "the file has no triangles, quadrilaterals or tetrahedra".to_owned();
    let if_empty = MeshProblem::Format { format: GMSH, problem: Problem::Missing(missing) };
    let faces = Faces::Numbered { unit: FaceUnit::Triangle, numbers: Vec::new() };
    Ok(FileMesh { polygons, faces, warnings: Vec::new(), if_empty })
}

/// The sides that only one of some tetrahedra has, in their order.
fn outer_sides(tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let sides = || tetrahedra.iter().flat_map(|corners| SIDES.map(|side| side.map(|k| corners[k])));
    let key = |mut side: [u32; 3]| {
        side.sort_unstable();
        side
    };
    let mut uses: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    sides().for_each(|side| *uses.entry(key(side)).or_default() += 1);
    sides().filter(|side| uses[&key(*side)] == 1).collect()
}
