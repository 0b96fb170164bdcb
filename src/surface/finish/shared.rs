//! The same steps for the surfaces of several fluids, which are finished as one and so stay shared.

use super::lines::Lines;
use super::normals;
use crate::base::{Attribute, Real, Values, Vec3};
use crate::solid::Solids;
use crate::surface::phases::{AIR, Complex, Label, On, Sides, part};
use crate::surface::{SurfaceMesh, Surfaces};
use crate::world::Surface;

/// Finished surfaces of several fluids.
pub struct Finished {
    main: Shared,
    spray: Option<Shared>,
}

/// Surfaces with shared vertices.
struct Shared {
    mesh: SurfaceMesh,
    on: Vec<On>,
}

/// Finishes the surfaces of several fluids. `weights` are the smoothing weights of their vertices.
pub fn finish_shared(
    complex: Complex,
    weights: Option<Vec<Real>>,
    solids: &Solids,
    settings: &Surface,
    particle_radius: Real,
) -> Finished {
    let on = complex.on();
    let Complex { positions, triangles, .. } = complex;
    let mesh = SurfaceMesh { positions, triangles, ..SurfaceMesh::default() };
    Finished { main: Shared { mesh, on }, spray: None }
}

impl Finished {
    /// The surfaces of a fluid.
    pub fn of(&self, label: Label) -> Surfaces {
        let of = |shared: &Shared| {
            let Shared { mesh: SurfaceMesh { positions, triangles, .. }, on } = shared;
            let mut mesh = part(positions, triangles, on, label).mesh;
            normals::begin(&mut mesh);
            mesh
        };
        Surfaces { main: of(&self.main), spray: self.spray.as_ref().map(of) }
    }
}
