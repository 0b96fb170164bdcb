//! The crate as a whole: shapes with known surfaces, random soups, anisotropic kernels, and a dense
//! oracle.

mod anisotropic;
mod cleanup;
mod decimation;
mod finish;
mod oracle;
mod phases;
mod shapes;
mod smoothing_weights;
mod smoothness;

use crate::field::anisotropy;
use crate::field::cells::Cells;
use crate::field::ellipsoid::Ellipsoid;
use crate::input::SurfaceInput;
use crate::mesh::SurfaceMesh;
use crate::reconstruct::single::extract;
use crate::settings::SurfaceSettings;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
use hashfall_core::simd::Isa;
use hashfall_core::{Attribute, Dimension, Real, Values, Vec3, vec3};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Particle radius of all tests, a power of two so that lattices are exact \[m\].
const RADIUS: f64 = 1.0 / 16.0;
const SPACING: f64 = 2.0 * RADIUS;
const SUPPORT: f64 = 4.0 * RADIUS;

/// Particles with the volumes that their own density gives them.
struct Particles {
    positions: Vec<Vec3>,
    attributes: [Attribute<'static>; 3],
    volumes: Vec<Real>,
}

impl Particles {
    fn at(points: &[[f64; 3]]) -> Self {
        let h = vec3([SUPPORT; 3]).x;
        let mut positions: Vec<Vec3> = points.iter().map(|&p| vec3(p)).collect();
        positions.sort_by_key(|p| cell_key(cell_of(p, h)));
        let (kernel, d) = (CubicSpline::new(Dimension::Three, h), vec3([SPACING; 3]).x);
        let volume_of = |x: &Vec3| {
            let term = |y: &Vec3| kernel.value((x - y).norm());
            1.0 / positions.iter().map(term).sum::<Real>().max(d * Real::MIN_POSITIVE)
        };
        let volumes = positions.iter().map(volume_of).collect();
        let flow: Vec<Vec3> = positions.iter().map(|p| vec3([1.0, 2.0, 3.0]) + p * 0.5).collect();
        let attributes = [
            Attribute::new("velocity", Values::Vectors(flow.clone().into())),
            Attribute::new("depth", Values::Scalars(flow.iter().map(|v| v.z).collect())),
            Attribute::new("id", Values::Labels((0..positions.len() as u32).collect())),
        ];
        Particles { positions, attributes, volumes }
    }

    fn input(&self) -> SurfaceInput<'_> {
        SurfaceInput {
            positions: &self.positions,
            attributes: &self.attributes,
            volumes: &self.volumes,
            support_radius: vec3([SUPPORT; 3]).x,
        }
    }

    /// The anisotropic kernels of the particles.
    fn ellipsoids(&self, settings: &SurfaceSettings) -> Vec<Ellipsoid> {
        let input = self.input();
        let cells = Cells::scan(input.positions, input.support_radius, |_| 1.0);
        anisotropy::ellipsoids(Isa::current(), &cells, settings.anisotropy, 2.0)
    }

    fn mesh(&self, settings: &SurfaceSettings) -> SurfaceMesh {
        extract(&self.input(), settings, vec3([RADIUS; 3]).x)
    }
}

/// The mesh at the usual settings, after the checks that every mesh must pass.
fn sound_mesh(points: &[[f64; 3]]) -> SurfaceMesh {
    sound_mesh_at(points, &SurfaceSettings::raw())
}

fn sound_mesh_at(points: &[[f64; 3]], settings: &SurfaceSettings) -> SurfaceMesh {
    let mesh = Particles::at(points).mesh(settings);
    let audit = mesh.audit();
    assert!(audit.is_sound(), "{audit:?}");
    assert_eq!(audit.euler_characteristic % 2, 0, "{audit:?}");
    assert!(mesh.triangles.is_empty() || audit.volume > 0.0, "{audit:?}");
    assert_eq!(mesh.normals.len(), mesh.positions.len());
    for attribute in &mesh.attributes {
        assert_eq!(attribute.values.len(), mesh.positions.len());
    }
    assert!(mesh.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-5));
    mesh
}

/// The part of triangles whose normal agrees with those of their corners.
fn agreement(mesh: &SurfaceMesh) -> f64 {
    let agrees = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
        let face = (b - a).cross(&(c - a));
        t.iter().all(|&v| mesh.normals[v as usize].dot(&face) > 0.0)
    };
    mesh.triangles.iter().filter(agrees).count() as f64 / mesh.triangles.len() as f64
}

pub(crate) fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    move || (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Lattice points i·d + d/2 for i below the counts, moved by up to `jitter` spacings.
fn lattice(counts: [usize; 3], jitter: f64) -> Vec<[f64; 3]> {
    let mut random = random(1);
    let [nx, ny, nz] = counts;
    (0..nx * ny * nz)
        .map(|i| {
            let at = [i % nx, i / nx % ny, i / nx / ny];
            at.map(|k| (k as f64 + 0.5 + jitter * (2.0 * random() - 1.0)) * SPACING)
        })
        .collect()
}
