//! From particles of one fluid to its surface.

use crate::field::blocks::Chunk;
use crate::field::cells::Cells;
use crate::field::grid::Grid;
use crate::field::volume_fraction::Field;
use crate::field::{anisotropy, neighbors};
use crate::input::SurfaceInput;
use crate::interpolate;
use crate::marching::{crossings, vertices};
use crate::mesh::{SurfaceMesh, Surfaces};
use crate::postprocess::single::{WeightsAt, postprocess, smooth_normals};
use crate::postprocess::smoothing::weights::{plateaus, smoothing_weights};
use crate::settings::SurfaceSettings;
use crate::sorted;
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3};

/// The surface of a fluid, closed, consistently oriented and 2-manifold, and that of its spray if
/// the settings ask for it. No particles give empty meshes.
///
/// It is extracted, then post-processed among the solids; normals and attributes are those at the
/// final places of the vertices. The edge of a marching-cubes cell is `settings.cell` ·
/// `particle_radius`, from h/32 to h; `settings.iso` must be positive.
///
/// # Panics
/// If the mesh would have more than 2³² vertices.
pub fn reconstruct(
    input: &SurfaceInput,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Surfaces {
    let field = Reconstruction::new(input, settings, particle_radius);
    // The cells that there are, not those that were asked for.
    let cell = field.0.grid.spacing / f64::from(particle_radius);
    let settings = &SurfaceSettings { cell, ..settings.effective() };
    let mesh = field.mesh();
    let mut surfaces = if settings.is_postprocessed() {
        let weights = |places: &[Vec3]| field.smoothing_weights(places, particle_radius);
        let weights = settings.smoothing_weights.then_some(&weights as &WeightsAt);
        postprocess(mesh, weights, solids, settings, particle_radius)
    } else {
        mesh.into()
    };
    for mesh in [&mut surfaces.main].into_iter().chain(&mut surfaces.spray) {
        field.interpolate(mesh, !settings.has_moved_vertices());
        if !settings.has_moved_vertices() {
            // The normals of the field are better than those of triangles, but new.
            smooth_normals(mesh, settings);
        }
    }
    surfaces
}

/// As [`reconstruct`], but the mesh is that of marching cubes, with the normals of the field.
///
/// # Panics
/// As [`reconstruct`].
pub fn extract(
    input: &SurfaceInput,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> SurfaceMesh {
    let field = Reconstruction::new(input, settings, particle_radius);
    let mut mesh = field.mesh();
    field.interpolate(&mut mesh, true);
    mesh
}

/// The field of some particles, from which meshes are made.
pub struct Reconstruction<'a>(pub(crate) Field<'a>);

impl<'a> Reconstruction<'a> {
    /// As [`reconstruct`].
    pub fn new(
        input: &SurfaceInput<'a>,
        settings: &SurfaceSettings,
        particle_radius: Real,
    ) -> Self {
        debug_assert!(input.positions.iter().flatten().all(|x| x.is_finite()));
        debug_assert!(settings.iso > 0.0 && input.support_radius > 0.0);
        let grid = Grid::new(input.support_radius, settings, particle_radius);
        let volumes = input.volumes;
        let round = Cells::scan(input.positions, input.support_radius, |i| volumes[i]);
        let isa = Isa::current();
        let (most, input_attributes) = (settings.anisotropy, input.attributes);
        if most <= 1.0 || most.is_nan() {
            return Reconstruction(Field {
                grid,
                input_attributes,
                sorted_attributes: None,
                cells: round,
                isa,
            });
        }
        let distances = input.support_radius / (2.0 * particle_radius);
        let ellipsoids = anisotropy::ellipsoids(isa, &round, most, distances);
        let (cells, order) = round.reshaped(&ellipsoids);
        let sorted_attributes = Some(sorted::in_order(input_attributes, &order, ellipsoids.len()));
        Reconstruction(Field { grid, input_attributes, sorted_attributes, cells, isa })
    }

    /// The surface without normals and attributes.
    ///
    /// # Panics
    /// As [`reconstruct`].
    pub fn mesh(&self) -> SurfaceMesh {
        let Reconstruction(field) = self;
        let mut blocks = field.evaluate();
        let patches = crossings::find_crossings(field.isa, &field.grid, &blocks, None);
        let positions = vertices::place(field, &blocks, &patches, None);
        blocks.chunks.iter_mut().for_each(Chunk::drop_values);
        let triangles = crossings::triangles(field.isa, &field.grid, &blocks, &patches);
        SurfaceMesh { positions, triangles, ..SurfaceMesh::default() }
    }

    /// Interpolates the attributes of the particles, and on request the normals of the field, to
    /// the vertices of a mesh near the surface.
    pub fn interpolate(&self, mesh: &mut SurfaceMesh, with_normals: bool) {
        interpolate::interpolate_mesh(&self.0, mesh, with_normals);
    }

    /// The smoothing weights at places near the surface, from 0 on spray to 1 where fluid lies
    /// behind it; 0 where there are no particles around.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn smoothing_weights(&self, places: &[Vec3], particle_radius: Real) -> Vec<Real> {
        let Reconstruction(field) = self;
        let counts = neighbors::weighted_counts(field.isa, &field.cells);
        let inside = neighbors::inside(field.grid.h as Real / (2.0 * particle_radius));
        let counts = interpolate::scalars_at(field, places, &counts, plateaus(inside));
        smoothing_weights(&counts, inside)
    }
}

/// The edge of the marching-cubes cells that [`extract`] uses \[m\].
pub fn grid_spacing(
    support_radius: Real,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> f64 {
    Grid::new(support_radius, settings, particle_radius).spacing
}
