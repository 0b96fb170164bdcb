//! Surfaces of plain points: checked input, usual parameters, no solids needed.
//!
//! The support radius is h = 4r unless it is given (r particle radius, particles about 2r apart):
//! the choice of splashsurf and of this crate's default settings.

use crate::error::{SurfaceError, within};
use crate::input::SurfaceInput;
use crate::mesh::{SurfaceMesh, Surfaces};
use crate::reconstruct::single::reconstruct;
use crate::settings::SurfaceSettings;
use crate::sorted::SortedParticles;
use hashfall_core::geometry::{ContactGeometry, NoSolids};
use hashfall_core::{Attribute, Real, Vec3, to_real, vec3};
use nalgebra::Vector3;
use std::ops::RangeInclusive;

/// Support radii of the kernel per particle radius, if not given otherwise.
const SUPPORT_RATIO: f64 = 4.0;
/// Ratios that are accepted: beyond, a point has a hundred thousand neighbours, or none.
const SUPPORT_RATIOS: RangeInclusive<f64> = 1.0..=64.0;
/// The most cells along a support radius.
const CELLS: f64 = 32.0;

/// A point in space, in single or double precision.
pub trait Position: Copy {
    /// Its coordinates \[m\].
    fn coordinates(self) -> [f64; 3];
}

impl Position for [f32; 3] {
    fn coordinates(self) -> [f64; 3] {
        self.map(f64::from)
    }
}

impl Position for [f64; 3] {
    fn coordinates(self) -> [f64; 3] {
        self
    }
}

impl Position for Vector3<f32> {
    fn coordinates(self) -> [f64; 3] {
        [self.x, self.y, self.z].map(f64::from)
    }
}

impl Position for Vector3<f64> {
    fn coordinates(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

/// The closed surface around particles of radius `particle_radius` \[m\] at `points` \[m\], with
/// the default settings. No points give an empty mesh.
///
/// # Errors
/// A coordinate that is not finite or too far from the origin, or a radius that is not positive.
///
/// ```
/// let points: Vec<[f32; 3]> = (0..1000)
///     .map(|i: u16| [i % 10, i / 10 % 10, i / 100].map(|k| 0.1 * f32::from(k)))
///     .collect();
/// let mesh = hashfall_surface::mesh_points(&points, 0.05)?;
/// assert!(mesh.audit().is_sound(), "closed and 2-manifold");
/// # Ok::<(), hashfall_surface::SurfaceError>(())
/// ```
pub fn mesh_points<P: Position>(
    points: &[P],
    particle_radius: f64,
) -> Result<SurfaceMesh, SurfaceError> {
    Ok(SurfaceBuilder::new(particle_radius).mesh(points)?.main)
}

/// Parameters of a surface of plain points; [`SurfaceBuilder::mesh`] makes it.
///
/// ```
/// use hashfall_surface::{SurfaceBuilder, SurfaceSettings};
///
/// let settings = SurfaceSettings { cleanup: true, smoothing: 10, ..Default::default() };
/// let points = [[0.0_f64, 0.0, 0.0], [0.05, 0.0, 0.0], [0.0, 0.05, 0.0]];
/// let surfaces = SurfaceBuilder::new(0.025).settings(settings).mesh(&points)?;
/// assert!(surfaces.main.audit().is_sound());
/// # Ok::<(), hashfall_surface::SurfaceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SurfaceBuilder<'a> {
    particle_radius: Real,
    support_radius: Real,
    settings: SurfaceSettings,
    attributes: &'a [Attribute<'a>],
}

impl<'a> SurfaceBuilder<'a> {
    /// The default settings for particles of this radius \[m\].
    pub fn new(particle_radius: f64) -> Self {
        SurfaceBuilder {
            particle_radius: to_real(particle_radius),
            support_radius: to_real(SUPPORT_RATIO * particle_radius),
            settings: SurfaceSettings::default(),
            attributes: &[],
        }
    }

    /// Sets the support radius h of the kernel \[m\].
    pub fn support_radius(self, support_radius: f64) -> Self {
        SurfaceBuilder { support_radius: to_real(support_radius), ..self }
    }

    /// Sets how the mesh is extracted and post-processed.
    pub fn settings(self, settings: SurfaceSettings) -> Self {
        SurfaceBuilder { settings, ..self }
    }

    /// Sets attributes with a value for each particle; the mesh has them at its vertices.
    pub fn attributes(self, attributes: &'a [Attribute<'a>]) -> Self {
        SurfaceBuilder { attributes, ..self }
    }

    /// The surface of particles at `points` \[m\], in any order, far from all solids.
    ///
    /// # Errors
    /// As [`SurfaceError`] lists them.
    pub fn mesh<P: Position>(&self, points: &[P]) -> Result<Surfaces, SurfaceError> {
        self.mesh_among(points, &NoSolids)
    }

    /// As [`SurfaceBuilder::mesh`], beside solids: with [`Clip::Flat`](crate::Clip::Flat) the
    /// surface lies on walls and solids that it is near.
    ///
    /// # Errors
    /// As [`SurfaceError`] lists them.
    pub fn mesh_among<P: Position>(
        &self,
        points: &[P],
        solids: &dyn ContactGeometry,
    ) -> Result<Surfaces, SurfaceError> {
        let positions: Vec<Vec3> = points.iter().map(|point| vec3(point.coordinates())).collect();
        let unsorted = SurfaceInput {
            positions: &positions,
            attributes: self.attributes,
            volumes: &vec![1.0; positions.len()],
            support_radius: self.support_radius,
        };
        unsorted.validate(&self.settings, self.particle_radius)?;
        let ratio = f64::from(self.support_radius) / f64::from(self.particle_radius);
        within("support_radius / particle_radius", ratio, SUPPORT_RATIOS)?;
        within("cell", self.settings.cell, ratio / CELLS..=ratio)?;
        let sorted = SortedParticles::new(&positions, self.attributes, self.support_radius);
        Ok(reconstruct(&sorted.input(), solids, &self.settings, self.particle_radius))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Values;

    /// A block of n³ particles in a lattice.
    fn block(n: usize, spacing: f64) -> Vec<Vec3> {
        let at = |i: usize| [i % n, i / n % n, i / (n * n)].map(|k| spacing * k as f64);
        (0..n * n * n).map(|i| vec3(at(i))).collect()
    }

    #[test]
    fn points_give_a_closed_mesh_of_their_volume() {
        let points = block(12, 0.1);
        let mesh = mesh_points(&points, 0.05).unwrap();
        assert!(mesh.audit().is_sound(), "{:?}", mesh.audit());
        let expected = 1.2_f64.powi(3);
        assert!((mesh.volume() / expected - 1.0).abs() < 0.05, "{} of {expected}", mesh.volume());
        assert_eq!(mesh_points::<Vec3>(&[], 0.05).unwrap(), SurfaceMesh::default());
    }

    #[test]
    fn attributes_arrive_at_the_vertices() {
        let points = block(4, 0.1);
        let heat = Attribute::new("heat", Values::Scalars(vec![3.0; points.len()].into()));
        let attributes = [heat];
        let surfaces = SurfaceBuilder::new(0.05).attributes(&attributes).mesh(&points).unwrap();
        let Values::Scalars(heat) = &surfaces.main.attributes[0].values else { panic!("scalars") };
        assert!(heat.len() == surfaces.main.positions.len());
        assert!(heat.iter().all(|x| (x - 3.0).abs() < 1e-5));
    }

    #[test]
    fn invalid_input_is_an_error() {
        let points = block(2, 0.1);
        let error = |points: &[Vec3], builder: SurfaceBuilder| builder.mesh(points).unwrap_err();
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = error(&points, SurfaceBuilder::new(radius));
            assert!(matches!(error, SurfaceError::ParticleRadius(_)), "{error}");
        }
        let usual = || SurfaceBuilder::new(0.05);
        let with = |settings| usual().settings(settings);
        let support = error(&points, usual().support_radius(0.0));
        assert!(matches!(support, SurfaceError::SupportRadius(_)), "{support}");
        for cell in [0.0, -0.5, f64::NAN] {
            let error = error(&points, with(SurfaceSettings { cell, ..Default::default() }));
            assert!(matches!(error, SurfaceError::Cell(_)), "{error}");
        }
        let iso = error(&points, with(SurfaceSettings { iso: 0.0, ..Default::default() }));
        assert!(matches!(iso, SurfaceError::Iso(_)), "{iso}");
        let usual_settings = SurfaceSettings::default();
        for settings in [
            SurfaceSettings { decimation: f64::NAN, ..usual_settings },
            SurfaceSettings { decimation: -1.0, ..usual_settings },
            SurfaceSettings { smoothing: 1 << 31, ..usual_settings },
            SurfaceSettings { normals_smoothing: Some(1001), ..usual_settings },
            SurfaceSettings { min_component_volume: 1e10, ..usual_settings },
            SurfaceSettings { cell: 1e-30, ..usual_settings },
        ] {
            let error = error(&points, with(settings));
            assert!(matches!(error, SurfaceError::Setting { .. }), "{error}");
        }
        let ratio = error(&points, usual().support_radius(1e30));
        assert!(ratio.to_string().starts_with("`support_radius / particle_radius` is "), "{ratio}");
        let mut broken = points.clone();
        broken[3].y = Real::NAN;
        assert_eq!(error(&broken, usual()), SurfaceError::NotFinite { particle: 3 });
        broken[3].y = 1e9;
        assert_eq!(error(&broken, usual()), SurfaceError::TooFar { particle: 3 });
        let short = [Attribute::new("heat", Values::Scalars(vec![1.0; 3].into()))];
        let error = error(&points, usual().attributes(&short));
        let message = "attribute `heat` has 3 values for 8 particles";
        assert_eq!(error.to_string(), message);
    }
}
