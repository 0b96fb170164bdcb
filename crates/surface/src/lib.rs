//! The fluid's surface: a volume-fraction field on the hash cells, cut by marching cubes.
//!
//! The grid is made of blocks, about as large as a hash cell of size h (the support radius), and
//! these of tiles of 4³ points. Tiles that the surface cannot cross are not evaluated, by proved
//! bounds; each grid point is decided once; the triangle table keeps the mesh closed whatever the
//! values (`cases`). The work runs over blocks in parallel and its result is the same bytes for any
//! number of threads.
//!
//! | file | step |
//! |---|---|
//! | `sorted` | plain particles sorted by cells, with volumes |
//! | `neighbors` | sums over the particles around each particle |
//! | `grid` | points, tiles and blocks |
//! | `cells` | which blocks particles reach; the particles around a block |
//! | `profile` | the kernel on eight numbers |
//! | `anisotropy` | the shapes of anisotropic kernels |
//! | `stretch` | how round and stretched kernels measure distance |
//! | `separable`, `smear`, `window`, `inside` | tiles that are proved inside |
//! | `tile` | tiles that are proved outside, or evaluated |
//! | `field` | what is known of all blocks |
//! | `cases` | the triangles of each sign pattern, by rule |
//! | `marching` | crossing edges → vertex numbers; triangles |
//! | `vertices` | positions |
//! | `carry` | normals of the field, and attributes |
//! | `phases` | several fluids: a mesh for each, with shared interfaces |
//! | `finish` | clean-up, smoothing, flat contact with solids, normals, decimation |
//! | `audit` | is the mesh closed and 2-manifold; its volume |
//!
//! Sources: Lorensen & Cline 1987 (marching cubes); splashsurf (Löschner et al. 2023) for the field
//! and its usual parameters. Deviations are named in each file.

mod anisotropy;
mod audit;
mod carry;
mod cases;
mod cells;
mod field;
mod finish;
mod grid;
mod inside;
mod marching;
mod neighbors;
mod phases;
mod profile;
mod separable;
mod settings;
mod smear;
mod sorted;
mod stretch;
#[cfg(test)]
mod tests;
mod tile;
mod vertices;
mod window;

pub use audit::MeshAudit;
pub use finish::finish;
pub use phases::{InterfaceAudit, Phases};
pub use settings::{ANISOTROPY, Clip, SurfaceSettings};
pub use sorted::SortedParticles;

use cells::Cells;
use field::{Chunk, Field};
use grid::Grid;
use hashfall_core::geometry::ContactGeometry;
use hashfall_core::isa::Isa;
use hashfall_core::{Attribute, Real, Values, Vec3};
use phases::{FluidFields, Label};

/// A closed triangle mesh with what Blender and ParaView need at each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Vertex positions \[m\].
    pub positions: Vec<Vec3>,
    /// Unit normals, pointing out of the fluid.
    pub normals: Vec<Vec3>,
    /// What the fluid carries there: the attributes of the splats, in their order.
    pub attributes: Vec<Attribute<'static>>,
    /// Vertex indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The surfaces of a fluid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces {
    /// All bodies, or those that are large enough.
    pub main: SurfaceMesh,
    /// The smaller ones, if they are wanted apart.
    pub spray: Option<SurfaceMesh>,
}

impl Surfaces {
    /// The surfaces that there are, the main one first.
    pub fn iter(&self) -> impl Iterator<Item = &SurfaceMesh> {
        [&self.main].into_iter().chain(&self.spray)
    }

    /// Triangles of all.
    pub fn triangles(&self) -> usize {
        self.iter().map(|mesh| mesh.triangles.len()).sum()
    }

    /// Volume that all enclose \[m³\].
    pub fn volume(&self) -> f64 {
        self.iter().map(SurfaceMesh::volume).sum()
    }
}

impl From<SurfaceMesh> for Surfaces {
    fn from(main: SurfaceMesh) -> Self {
        Surfaces { main, spray: None }
    }
}

/// The particles that a surface is made of.
#[derive(Clone, Copy, Debug)]
pub struct Splats<'a> {
    /// Centres \[m\], finite, sorted by cells of the support radius.
    pub positions: &'a [Vec3],
    /// What the particles carry to the vertices, such as velocities.
    pub attributes: &'a [Attribute<'a>],
    /// Volumes m/ρ \[m³\], with the fluid-only density ρ.
    pub volumes: &'a [Real],
    /// Support radius h of the kernel \[m\].
    pub support_radius: Real,
}

/// The surface of a fluid: closed, consistently oriented, 2-manifold, and beside it that of its
/// spray, if wanted. No particles give empty meshes.
///
/// It is extracted, then finished among the solids as `settings` say; normals and attributes are
/// those of its final places. The edge of a marching-cubes cell is `settings.cell` ·
/// `particle_radius`, from h/32 to h; `settings.iso` must be positive.
///
/// # Panics
/// If the mesh would have more than 2³² vertices.
pub fn reconstruct(
    splats: &Splats,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Surfaces {
    let field = Reconstruction::new(splats, settings, particle_radius);
    // The cells that there are, not those that were asked for.
    let cell = field.0.grid.spacing / f64::from(particle_radius);
    let settings = &SurfaceSettings { cell, ..*settings };
    let mesh = field.mesh();
    let mut surfaces = if settings.is_finished() {
        let weights = (settings.smoothing > 0 && settings.smoothing_weights)
            .then(|| field.smoothing_weights(&mesh, particle_radius));
        finish(mesh, weights, solids, settings, particle_radius)
    } else {
        mesh.into()
    };
    for mesh in [&mut surfaces.main].into_iter().chain(&mut surfaces.spray) {
        field.carry(mesh, !settings.is_moved());
        if !settings.is_moved() {
            // The normals of the field are better than those of triangles, but new.
            finish::smooth_normals(mesh, settings.normals_iterations());
        }
    }
    surfaces
}

/// As [`reconstruct`], with surfaces for each of several fluids. Where two touch, their meshes have
/// the same vertices there and the same triangles, reversed.
///
/// Attributes are those of the fluid's own particles; normals are those of the mesh. Bodies are
/// measured as wholes, with all fluids in them.
///
/// # Panics
/// As [`reconstruct`].
pub fn reconstruct_phases(
    splats: &Splats,
    phases: &Phases,
    solids: &dyn ContactGeometry,
    settings: &SurfaceSettings,
    particle_radius: Real,
) -> Vec<Surfaces> {
    let attributes = phases::labelled(splats.attributes, phases);
    let splats = Splats { attributes: &attributes, ..*splats };
    let fields = FluidFields::new(&splats, phases.count, settings, particle_radius);
    let (complex, fields) = fields.complex();
    let cell = fields.all.0.grid.spacing / f64::from(particle_radius);
    let settings = &SurfaceSettings { cell, ..*settings };
    let weights = (settings.smoothing > 0 && settings.smoothing_weights)
        .then(|| fields.all.smoothing_weights_at(&complex.positions, particle_radius));
    let finished = finish::finish_shared(complex, weights, solids, settings, particle_radius);
    let fluids = 0..phases.count;
    let meshes = fluids.map(|fluid| {
        let mut surfaces = finished.of(fluid as Label + 1);
        for mesh in [&mut surfaces.main].into_iter().chain(&mut surfaces.spray) {
            fields.carry(fluid, mesh);
        }
        surfaces
    });
    meshes.collect()
}

/// As [`reconstruct`], but the mesh is that of marching cubes, with the normals of the field.
///
/// # Panics
/// As [`reconstruct`].
pub fn extract(splats: &Splats, settings: &SurfaceSettings, particle_radius: Real) -> SurfaceMesh {
    let field = Reconstruction::new(splats, settings, particle_radius);
    let mut mesh = field.mesh();
    field.carry(&mut mesh, true);
    mesh
}

/// The field of some particles, from which meshes are made.
pub struct Reconstruction<'a>(Field<'a>);

impl<'a> Reconstruction<'a> {
    /// As [`reconstruct`].
    pub fn new(splats: &Splats<'a>, settings: &SurfaceSettings, particle_radius: Real) -> Self {
        debug_assert!(splats.positions.iter().flatten().all(|x| x.is_finite()));
        debug_assert!(settings.iso > 0.0 && splats.support_radius > 0.0);
        let grid = Grid::new(splats.support_radius, settings, particle_radius);
        let volumes = splats.volumes;
        let round = Cells::scan(splats.positions, splats.support_radius, |i| volumes[i]);
        let isa = Isa::of_this_cpu();
        let (most, given) = (settings.anisotropy, splats.attributes);
        if most <= 1.0 || most.is_nan() {
            return Reconstruction(Field { grid, given, sorted: None, cells: round, isa });
        }
        let distances = splats.support_radius / (2.0 * particle_radius);
        let ellipsoids = anisotropy::ellipsoids(isa, &round, most, distances);
        let (cells, order) = round.reshaped(&ellipsoids);
        let sorted = Some(sorted::in_order(given, &order, ellipsoids.len()));
        Reconstruction(Field { grid, given, sorted, cells, isa })
    }

    /// The surface without normals and attributes.
    ///
    /// # Panics
    /// As [`reconstruct`].
    pub fn mesh(&self) -> SurfaceMesh {
        let Reconstruction(field) = self;
        let mut blocks = field.decide();
        let patches = marching::find_crossings(field.isa, &field.grid, &blocks, None);
        let positions = vertices::place(field, &blocks, &patches, None);
        blocks.chunks.iter_mut().for_each(Chunk::drop_values);
        let triangles = marching::triangles(field.isa, &field.grid, &blocks, &patches);
        SurfaceMesh { positions, triangles, ..SurfaceMesh::default() }
    }

    /// Gives a mesh near the surface the attributes of the splats, and the normals of the field if
    /// wanted.
    pub fn carry(&self, mesh: &mut SurfaceMesh, with_normals: bool) {
        carry::carry(&self.0, mesh, with_normals);
    }

    /// How much each vertex may be smoothed, from 0 on spray to 1 where fluid stands behind it.
    pub fn smoothing_weights(&self, mesh: &SurfaceMesh, particle_radius: Real) -> Vec<Real> {
        self.smoothing_weights_at(&mesh.positions, particle_radius)
    }

    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn smoothing_weights_at(&self, positions: &[Vec3], particle_radius: Real) -> Vec<Real> {
        let Reconstruction(field) = self;
        let counts = neighbors::weighted_counts(field.isa, &field.cells);
        let counts = [Attribute::scalars("neighbors", &counts)];
        let at_vertices = carry::attributes(field, positions, &counts).pop();
        let Some(Values::Scalars(counts)) = at_vertices.map(|attribute| attribute.values) else {
            unreachable!("scalars stay scalars");
        };
        let inside = neighbors::inside(field.grid.h as Real / (2.0 * particle_radius));
        finish::smoothing_weights(&counts, inside)
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
