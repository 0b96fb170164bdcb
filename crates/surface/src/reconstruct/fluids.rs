//! From particles of several fluids to a surface for each.

use crate::input::{Phases, SurfaceInput};
use crate::mesh::Surfaces;
use crate::phases::label::Label;
use crate::postprocess::shared::postprocess_shared;
use crate::postprocess::single::WeightsAt;
use crate::reconstruct::fluid_fields::{FluidFields, labelled};
use crate::settings::SurfaceSettings;
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::{Real, Vec3};

/// As [`reconstruct`](crate::reconstruct()), with surfaces for each of several fluids. Where two
/// touch, their meshes have the same vertices there and the same triangles, reversed.
///
/// Attributes are those of the fluid's own particles; normals are those of the mesh. The volume of
/// a component counts all fluids in it.
///
/// # Panics
/// As [`reconstruct`](crate::reconstruct()).
pub fn reconstruct_phases(
    input: &SurfaceInput,
    phases: &Phases,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Vec<Surfaces> {
    let attributes = labelled(input.attributes, phases);
    let input = SurfaceInput { attributes: &attributes, ..*input };
    let fields = FluidFields::new(&input, phases.count, settings, particle_radius);
    let (complex, fields) = fields.complex();
    let cell = fields.all.0.grid.spacing / f64::from(particle_radius);
    let settings = &SurfaceSettings { cell, ..settings.effective() };
    let weights = |places: &[Vec3]| fields.all.smoothing_weights(places, particle_radius);
    let weights =
        (settings.smoothing > 0 && settings.smoothing_weights).then_some(&weights as &WeightsAt);
    let finished = postprocess_shared(complex, weights, solids, settings, particle_radius);
    let fluids = 0..phases.count;
    let meshes = fluids.map(|fluid| {
        let mut surfaces = finished.surfaces(fluid as Label + 1);
        for mesh in [&mut surfaces.main].into_iter().chain(&mut surfaces.spray) {
            fields.interpolate(fluid, mesh);
        }
        surfaces
    });
    meshes.collect()
}
