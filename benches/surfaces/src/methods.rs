//! The methods that are measured, each from positions in memory to a mesh in memory.

use clap::ValueEnum;
use hashfall_surface::{Reconstruction, SortedParticles, SurfaceInput, SurfaceMesh, SurfaceSettings};
use splashsurf_lib::Parameters;
use splashsurf_lib::nalgebra::Vector3;
use std::fmt;
use std::path::Path;

const RADIUS: f32 = 0.01;
const SUPPORT: f32 = 4.0 * RADIUS;
/// Edge of a marching-cubes cell \[m\].
pub const CELL: f32 = 0.5 * RADIUS;
const THRESHOLD: f32 = 0.6;

/// Who makes the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Ours, from unsorted positions: sorting, densities, mesh.
    Hashfall,
    /// Ours with sorted positions and volumes at hand, as in a run.
    HashfallAtHand,
    /// `splashsurf_lib`.
    Splashsurf,
}

impl Method {
    /// All of them, in the order of the table's rows.
    pub const ALL: [Method; 3] = [Method::Hashfall, Method::HashfallAtHand, Method::Splashsurf];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.to_possible_value().expect("no method is skipped").get_name())
    }
}

/// A mesh, as far as both have it.
pub struct Mesh {
    /// Positions \[m\].
    pub vertices: Vec<[f32; 3]>,
    /// How many triangles there are.
    pub triangles: usize,
}

/// Reads raw triplets.
pub fn read_points(path: &Path) -> Result<Vec<[f32; 3]>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if bytes.len() % 12 != 0 {
        return Err(format!("{}: not a whole number of points", path.display()));
    }
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}

/// Makes a mesh of the points, and calls `timed` with what is to be timed.
///
/// # Panics
/// If `timed` does not call it, or the peer fails.
pub fn run(
    method: Method,
    points: &[[f32; 3]],
    timed: impl FnOnce(&mut dyn FnMut()) -> Option<()>,
) -> Mesh {
    match method {
        Method::Hashfall => {
            let points: Vec<_> = points.iter().map(|&p| p.into()).collect();
            let mut mesh = None;
            let _ = timed(&mut || {
                let particles = SortedParticles::new(&points, &[], SUPPORT);
                mesh = Some(extract(&particles.input()));
            });
            ours(mesh)
        }
        Method::HashfallAtHand => {
            let points: Vec<_> = points.iter().map(|&p| p.into()).collect();
            let particles = SortedParticles::new(&points, &[], SUPPORT);
            let mut mesh = None;
            let _ = timed(&mut || mesh = Some(extract(&particles.input())));
            ours(mesh)
        }
        Method::Splashsurf => {
            let points: Vec<Vector3<f32>> = points.iter().map(|&p| p.into()).collect();
            let parameters = Parameters::new(RADIUS, SUPPORT, CELL);
            let mut made = None;
            let _ = timed(&mut || {
                made = splashsurf_lib::reconstruct_surface::<i64, f32>(&points, &parameters).ok();
            });
            let mesh = made.expect("the peer makes a mesh").mesh;
            let vertices = mesh.vertices.iter().map(|&v| v.into()).collect();
            Mesh { vertices, triangles: mesh.triangles.len() }
        }
    }
}

fn extract(input: &SurfaceInput) -> SurfaceMesh {
    let settings = SurfaceSettings {
        cell: (CELL / RADIUS).into(),
        iso: THRESHOLD.into(),
        ..SurfaceSettings::raw()
    };
    Reconstruction::new(input, &settings, RADIUS).mesh()
}

fn ours(mesh: Option<SurfaceMesh>) -> Mesh {
    let mesh = mesh.expect("the timer runs what it is given");
    let vertices = mesh.positions.iter().map(|&v| v.into()).collect();
    Mesh { vertices, triangles: mesh.triangles.len() }
}
