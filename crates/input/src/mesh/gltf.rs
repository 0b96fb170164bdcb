//! glTF 2.0: `.gltf` with its buffers in files beside it or as data URIs, and `.glb`.
//!
//! Source: Khronos Group, *glTF 2.0 Specification*, 2.0.1 (2021). The crate gltf reads the JSON,
//! the numbers of accessors and the tree of nodes. It does not check that accessors lie in their
//! buffers nor that the nodes are a tree; `gltf_numbers` and this file do.
//!
//! All triangles of all meshes of the default scene are read, each placed by its nodes' transforms
//! in double precision; where these mirror a mesh, its triangles are turned (§ 3.7.4). The vertices
//! of a skinned mesh are taken as they are, without its node's transform, which is its shape in the
//! pose of its binding (§ 3.7.3.3); morph targets are left out. Both are told. Compressed meshes
//! are refused, copies by `EXT_mesh_gpu_instancing`, and files that require an extension which is
//! not known to leave meshes as they are.
//!
//! Nodes share meshes, so a small file can have any number of triangles. As placed they have at
//! most [`MAX_NUMBERS`] vertices and corners, unless the file's buffers are larger: a file in which
//! no node repeats a mesh meets no bound. That is nine million triangles, for which a scene would
//! need some 25 GB of memory.

use super::error::{MeshError, MeshProblem};
use super::face::{FaceUnit, Faces};
use super::format::{Beside, FileMesh, Format, UpAxis};
use super::gltf_document::{NAME, Source, fault, open};
use super::gltf_numbers::Numbers;
use super::strips::{fan, strip};
use super::warning::MeshWarning;
use crate::error::Problem;
use gltf::mesh::Mode;
use gltf::scene::Transform;
use gltf::{Document, Node, Primitive};
use hashfall_core::file_kind::FileKind;
use hashfall_geometry::{Point, Polygons};
use std::sync::Arc;

pub(super) const FORMAT: Format =
    Format { name: NAME, kinds: &[FileKind::Gltf, FileKind::Glb], up: Some(UpAxis::Y), read };

/// Vertices and corners of placed meshes at most, where the file's buffers have fewer bytes.
const MAX_NUMBERS: usize = 1 << 25;
/// Copies of a node's mesh at places that an accessor holds.
const INSTANCING: &str = "EXT_mesh_gpu_instancing";

fn read<'a>(bytes: &'a [u8], beside: &mut Beside) -> Result<FileMesh<'a>, MeshError> {
    let Source { document, buffers } = open(bytes, beside)?;
    let limit = MAX_NUMBERS.max(buffers.iter().map(Vec::len).sum());
    let numbers = Numbers { buffers: &buffers };
    let mut scene = Scene::default();
    for (node, placed) in placed_nodes(&document, limit)? {
        scene.add(&node, &placed, &numbers)?;
    }
    let Scene { polygons, parts, warnings } = scene;
    let faces = Faces::Parts { unit: FaceUnit::Triangle, parts };
    let missing = "the file has no triangles in its default scene".to_owned();
    let problem = Problem::Missing(missing);
    let if_empty = MeshProblem::Format { format: NAME, problem };
    Ok(FileMesh { polygons, faces, warnings, if_empty })
}

/// The nodes of the default scene; where there is no scene, those without parents.
fn roots(document: &Document) -> Vec<Node<'_>> {
    match document.default_scene().or_else(|| document.scenes().next()) {
        Some(scene) => scene.nodes().collect(),
        None => {
            let children = document.nodes().flat_map(|node| node.children());
            let children: Vec<usize> = children.map(|child| child.index()).collect();
            document.nodes().filter(|node| !children.contains(&node.index())).collect()
        }
    }
}

/// The nodes of the default scene that have a mesh, and where they are; they have at most `limit`
/// vertices and corners.
fn placed_nodes(document: &Document, limit: usize) -> Result<Vec<(Node<'_>, Affine)>, MeshError> {
    let mut seen = vec![false; document.nodes().len()];
    let mut open: Vec<(Node, Affine)> = Vec::new();
    open.extend(roots(document).into_iter().rev().map(|node| (node, Affine::IDENTITY)));
    let (mut all, mut size) = (Vec::new(), 0_usize);
    while let Some((node, parent)) = open.pop() {
        let index = node.index();
        if std::mem::replace(&mut seen[index], true) {
            return Err(fault(format!("`nodes[{index}]` has two parents, or is its own")));
        }
        let placed = parent.then_of(&Affine::new(node.transform()));
        let children: Vec<Node> = node.children().collect();
        open.extend(children.into_iter().rev().map(|child| (child, placed)));
        let Some(mesh) = node.mesh() else { continue };
        if node.extension_value(INSTANCING).is_some() {
            return Err(instanced(index));
        }
        let of_mesh = mesh.primitives().filter(is_of_triangles).map(|it| count_numbers(&it));
        size = of_mesh.fold(size, usize::saturating_add);
        if size > limit {
            return Err(fault(format!(
                "`nodes[{index}]` places `meshes[{}]` once too often: with it the placed meshes \
                 have over {limit} vertices and corners",
                mesh.index()
            )));
        }
        all.push((node, placed));
    }
    Ok(all)
}

/// Why a node whose mesh is copied to many places is not read.
fn instanced(node: usize) -> MeshError {
    let feature = format!("`{INSTANCING}`, by which `nodes[{node}]` copies its mesh,");
    let instead = "export each copy as an object of its own (in Blender, Make Instances Real)";
    let problem = Problem::Unsupported { feature, instead };
    MeshProblem::Format { format: NAME, problem }.into()
}

fn is_of_triangles(primitive: &Primitive) -> bool {
    matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)
}

/// Vertices and corners, as the accessors say.
fn count_numbers(primitive: &Primitive) -> usize {
    let vertices = primitive.get(&gltf::Semantic::Positions).map_or(0, |it| it.count());
    vertices.saturating_add(primitive.indices().map_or(vertices, |it| it.count()))
}

/// What has been read.
#[derive(Default)]
struct Scene {
    polygons: Polygons,
    parts: Vec<(usize, Arc<str>)>,
    warnings: Vec<MeshWarning>,
}

impl Scene {
    /// Adds the mesh of a node.
    fn add(&mut self, node: &Node, placed: &Affine, numbers: &Numbers) -> Result<(), MeshError> {
        let Some(mesh) = node.mesh() else { return Ok(()) };
        let index = mesh.index();
        let called = mesh.name().or(node.name()).map(|name| format!("mesh `{name}`"));
        let called = called.unwrap_or_else(|| format!("mesh {index}"));
        let is_skinned = node.skin().is_some();
        if is_skinned {
            let what = format!("the skin of {called} is not read: it stands as it was bound");
            self.ignore(what, "export it with its armature applied");
        }
        if mesh.primitives().any(|primitive| primitive.morph_targets().len() > 0) {
            let what = format!("the morph targets of {called} are not read: its base shape is");
            self.ignore(what, "export it with its shape keys applied");
        }
        let placed = if is_skinned { &Affine::IDENTITY } else { placed };
        self.parts.push((self.polygons.arities.len(), Arc::from(called)));
        for primitive in mesh.primitives().filter(is_of_triangles) {
            self.add_primitive(&primitive, index, placed, numbers)?;
        }
        Ok(())
    }

    fn ignore(&mut self, what: String, help: &'static str) {
        let warning = MeshWarning::Ignored { what, help };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        mesh: usize,
        placed: &Affine,
        numbers: &Numbers,
    ) -> Result<(), MeshError> {
        let name = format!("meshes[{mesh}].primitives[{}]", primitive.index());
        let first = self.polygons.vertices.len() as u32;
        let count = self.add_vertices(primitive, &name, placed, numbers)?;
        let mut corners = corners(primitive, &name, count, numbers)?;
        corners.iter_mut().for_each(|corner| *corner += first);
        let triangles: Vec<[u32; 3]> = match primitive.mode() {
            Mode::TriangleStrip => strip(&corners).collect(),
            Mode::TriangleFan => fan(&corners).collect(),
            _ => corners.as_chunks::<3>().0.to_vec(),
        };
        let is_mirrored = placed.determinant() < 0.0;
        for [a, b, c] in triangles {
            self.polygons.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }

    /// Adds the vertices of a primitive, and counts them.
    fn add_vertices(
        &mut self,
        primitive: &Primitive,
        name: &str,
        placed: &Affine,
        numbers: &Numbers,
    ) -> Result<u32, MeshError> {
        let Some(positions) = primitive.get(&gltf::Semantic::Positions) else {
            return Err(fault(format!("`{name}` has no `POSITION`")));
        };
        let positions = numbers.positions(positions)?;
        let count = positions.len() as u32;
        if u32::try_from(self.polygons.vertices.len() + positions.len()).is_err() {
            return Err(fault("the file has more than 4 294 967 295 vertices".to_owned()));
        }
        for (vertex, position) in positions.into_iter().enumerate() {
            let position = placed.apply(&Point::from(position));
            let invalid = (0..3).find(|&a| !(position[a] as f32).is_finite());
            if let Some(axis) = invalid {
                let of = format!("vertex {vertex} (counted from 0) of `{name}`");
                return Err(MeshProblem::NotFiniteIn { axis: ['x', 'y', 'z'][axis], of }.into());
            }
            self.polygons.vertices.push(position);
        }
        Ok(count)
    }
}

/// The corners of a primitive by the numbers of its `count` vertices.
fn corners(
    primitive: &Primitive,
    name: &str,
    count: u32,
    numbers: &Numbers,
) -> Result<Vec<u32>, MeshError> {
    let corners = match primitive.indices() {
        Some(accessor) => numbers.indices(accessor)?,
        None => (0..count).collect(),
    };
    if let Some(&corner) = corners.iter().find(|&&corner| corner >= count) {
        let (index, vertices) = (i64::from(corner), count as usize);
        let problem = MeshProblem::NoSuchVertex { index, vertices, first: 0 };
        return Err(fault(format!("`{name}`: {problem}")));
    }
    if primitive.mode() == Mode::Triangles && !corners.len().is_multiple_of(3) {
        let length = corners.len();
        return Err(fault(format!("the {length} corners of `{name}` are no whole triangles")));
    }
    Ok(corners)
}

/// An affine map, by the images of the axes and of the origin.
#[derive(Clone, Copy)]
struct Affine {
    columns: [Point; 4],
}

impl Affine {
    const IDENTITY: Affine = Affine {
        columns: [
            Point::new(1.0, 0.0, 0.0),
            Point::new(0.0, 1.0, 0.0),
            Point::new(0.0, 0.0, 1.0),
            Point::new(0.0, 0.0, 0.0),
        ],
    };

    /// A node's own transform: a matrix, or scale, then rotation by a quaternion, then translation.
    fn new(transform: Transform) -> Affine {
        let wide = |v: [f32; 3]| Point::from(v.map(f64::from));
        match transform {
            Transform::Matrix { matrix } => {
                Affine { columns: matrix.map(|[x, y, z, _]| wide([x, y, z])) }
            }
            Transform::Decomposed { translation, rotation, scale } => {
                let [x, y, z, w] = rotation.map(f64::from);
                let length = (x * x + y * y + z * z + w * w).sqrt();
                let [x, y, z, w] = match length > 0.0 {
                    true => [x, y, z, w].map(|part| part / length),
                    false => [0.0, 0.0, 0.0, 1.0],
                };
                let scale = wide(scale);
                let axes = [
                    [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
                    [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
                    [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
                ];
                let [a, b, c] = axes.map(Point::from);
                let columns = [a * scale.x, b * scale.y, c * scale.z, wide(translation)];
                Affine { columns }
            }
        }
    }

    fn linear(&self, v: &Point) -> Point {
        let [a, b, c, _] = &self.columns;
        a * v.x + b * v.y + c * v.z
    }

    fn apply(&self, p: &Point) -> Point {
        self.linear(p) + self.columns[3]
    }

    /// This map after another one.
    fn then_of(&self, first: &Affine) -> Affine {
        let [a, b, c, d] = &first.columns;
        Affine { columns: [self.linear(a), self.linear(b), self.linear(c), self.apply(d)] }
    }

    fn determinant(&self) -> f64 {
        let [a, b, c, _] = &self.columns;
        a.dot(&b.cross(c))
    }
}
