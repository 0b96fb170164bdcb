//! The meshes of a frame: surfaces must be closed and of the size in the log, elastic bodies keep
//! their vertices.

use super::{Auditor, Row, read_points};
use hashfall_input::{self as input, Cloud, InputError};
use hashfall_output::layout::SurfacePart;
use hashfall_output::{elastic_names, layout};
use hashfall_scene::SurfaceFormat;
use hashfall_surface::{InterfaceAudit, SurfaceMesh};

/// Relative tolerance of a volume whose mesh was rounded to single precision.
const ROUNDED_MESH: f64 = 1e-4;

impl Auditor<'_> {
    /// Checks the surfaces of a frame.
    pub(super) fn surfaces(&mut self, row: &Row) {
        let Some(surface) = self.plan.surface else { return };
        let names = layout::file_names(self.world.fluids.iter().map(|fluid| fluid.name.as_str()));
        let is_one = names.len() == 1 || surface.merge_fluids;
        let fluids = if is_one { vec![None] } else { names.into_iter().map(Some).collect() };
        let spray = surface.spray.then_some(SurfacePart::Spray);
        let formats = &self.plan.output.surface;
        // One format is checked as a mesh, of the others how many points they have.
        let whole = formats.iter().copied().find(|&format| mesh_reader(format).is_some());
        let extension = whole.unwrap_or(SurfaceFormat::Ply).extension();
        let file = SurfacePart::Surface.mesh(fluids[0].as_deref(), row.frame, extension);
        let (mut triangles, mut volume) = (0, 0.0);
        for part in [SurfacePart::Surface].into_iter().chain(spray) {
            let mut meshes = Vec::new();
            for fluid in &fluids {
                let name = |format: SurfaceFormat| {
                    part.mesh(fluid.as_deref(), row.frame, format.extension())
                };
                let mesh = whole.and_then(|format| self.mesh(&name(format), format));
                let points = mesh.as_ref().map(|mesh| (mesh.positions.len(), "another format"));
                for &format in formats.iter().filter(|&&format| Some(format) != whole) {
                    self.points(&name(format), points);
                }
                meshes.extend(mesh);
            }
            triangles += meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>();
            volume += meshes.iter().map(SurfaceMesh::volume).fold(0.0, |sum, v| sum + v);
            let interface = InterfaceAudit::new(&meshes.iter().collect::<Vec<_>>());
            let first = part.mesh(fluids[0].as_deref(), row.frame, extension);
            self.expect(is_one || interface.is_sound(), &first, || {
                format!("the meshes of the fluids do not match: {interface:?}")
            });
        }
        if whole.is_some() {
            let off = (volume - row.surface_volume).abs();
            let agrees = triangles == row.surface_triangles
                && off <= ROUNDED_MESH * row.surface_volume.abs();
            self.expect(agrees, &file, || {
                let (logged, logged_volume) = (row.surface_triangles, row.surface_volume);
                format!(
                    "it has {triangles} triangles and {volume} m³, but the log has {logged} and \
                     {logged_volume} m³"
                )
            });
        }
    }

    /// Reads a surface and checks that it is closed; `None` if it is incomplete.
    fn mesh(&mut self, file: &str, format: SurfaceFormat) -> Option<SurfaceMesh> {
        let bytes = self.read(file)?;
        let read = mesh_reader(format)?(&bytes);
        let (cloud, triangles) = read.map_err(|error| self.fault(file, error)).ok()?;
        let mesh = SurfaceMesh { positions: cloud.positions, triangles, ..SurfaceMesh::default() };
        self.found.meshes += 1;
        let audit = mesh.audit();
        let is_closed = audit.unpaired_sides == 0 && audit.pinched_vertices == 0;
        self.expect(is_closed, file, || {
            let (sides, corners) = (audit.unpaired_sides, audit.pinched_vertices);
            format!("the mesh is not closed: {sides} unpaired sides, {corners} pinched corners")
        });
        Some(mesh)
    }

    /// Checks the meshes of the elastic bodies of a frame, whose vertices are always as many.
    pub(super) fn elastic_bodies(&mut self, row: &Row) {
        let names = elastic_names(&self.plan.world);
        for (name, count) in names.iter().zip(self.elastic_vertices.clone()) {
            for format in &self.plan.output.elastic {
                let file = SurfacePart::Elastic.mesh(Some(name), row.frame, format.extension());
                self.points(&file, Some((count, "the body")));
            }
        }
    }

    /// Checks that a file has as many points as something else, which is named.
    pub(super) fn points(&mut self, file: &str, expected: Option<(usize, &str)>) {
        let Some(bytes) = self.read(file) else { return };
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        match read_points(&bytes, extension) {
            Ok(cloud) => {
                let count = cloud.positions.len();
                let is_expected = expected.is_none_or(|(expected, _)| expected == count);
                self.expect(is_expected, file, || {
                    let (expected, other) = expected.unwrap_or_default();
                    format!("it has {count} points, but {other} has {expected}")
                });
            }
            Err(error) => self.fault(file, error),
        }
    }
}

/// Reads vertices and triangles of a mesh.
type MeshReader = fn(&[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError>;

/// The reader of meshes in a format, if there is one.
fn mesh_reader(format: SurfaceFormat) -> Option<MeshReader> {
    match format {
        SurfaceFormat::Ply => Some(input::read_ply_mesh),
        SurfaceFormat::Vtp => Some(input::read_vtk_mesh),
        SurfaceFormat::Vtk => None,
    }
}
