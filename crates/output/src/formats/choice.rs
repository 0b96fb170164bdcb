//! Which writer writes a format: a line for each.

use super::particle_arrays::ParticleFrame;
use super::{bgeo, ply, vtk, vtp};
use crate::disk::content::Content;
use hashfall_scene::{ParticleFormat, SurfaceFormat};
use hashfall_surface::SurfaceMesh;

/// The particles of a frame in a format.
pub(crate) fn particles<'a>(format: ParticleFormat, frame: &ParticleFrame<'a>) -> Content<'a> {
    match format {
        ParticleFormat::Vtp => vtp::particles(frame),
        ParticleFormat::Ply => ply::particles(frame),
        ParticleFormat::Vtk => vtk::particles(frame).into(),
        ParticleFormat::Bgeo => bgeo::particles(frame.particles, frame.radius).into(),
    }
}

/// A surface of a frame at a time \[s\] in a format.
pub(crate) fn surface(format: SurfaceFormat, mesh: &SurfaceMesh, time: f64) -> Content<'_> {
    match format {
        SurfaceFormat::Ply => ply::surface(mesh),
        SurfaceFormat::Vtp => vtp::surface(mesh, Some(time)),
        SurfaceFormat::Vtk => vtk::surface(mesh, Some(time)).into(),
    }
}
