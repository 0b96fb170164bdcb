//! The files of a frame: which formats of particles and of surfaces.

use schemars::JsonSchema;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// File formats of particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ParticleFormat {
    /// VTK PolyData with all arrays, for ParaView.
    Vtp,
    /// Binary PLY of points with `vx vy vz` and `radius`, for Blender.
    Ply,
    /// VTK's legacy format, binary, with all arrays.
    Vtk,
    /// Houdini's classic geometry with `v` and `pscale`, for Houdini and splashsurf.
    Bgeo,
}

impl ParticleFormat {
    /// All formats.
    pub const ALL: [ParticleFormat; 4] =
        [ParticleFormat::Vtp, ParticleFormat::Ply, ParticleFormat::Vtk, ParticleFormat::Bgeo];

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            ParticleFormat::Vtp => "vtp",
            ParticleFormat::Ply => "ply",
            ParticleFormat::Vtk => "vtk",
            ParticleFormat::Bgeo => "bgeo",
        }
    }
}

/// File formats of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SurfaceFormat {
    /// Binary PLY with normals and `vx vy vz`, for Blender and ParaView.
    Ply,
    /// VTK PolyData, with the velocity as an array that ParaView sees.
    Vtp,
    /// VTK's legacy format, binary.
    Vtk,
}

impl SurfaceFormat {
    /// All formats.
    pub const ALL: [SurfaceFormat; 3] =
        [SurfaceFormat::Ply, SurfaceFormat::Vtp, SurfaceFormat::Vtk];

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            SurfaceFormat::Ply => "ply",
            SurfaceFormat::Vtp => "vtp",
            SurfaceFormat::Vtk => "vtk",
        }
    }
}

/// Files written at each frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    // Older scenes have `true` and `false`.
    /// File formats of the particles.
    #[serde(deserialize_with = "formats_or_switch")]
    pub particles: Vec<ParticleFormat>,
    /// Number of frames from one with particles to the next, from the start on; those between have
    /// everything else.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub particles_every: u32,
    /// File formats of the surface.
    pub surface: Vec<SurfaceFormat>,
    /// File formats of the elastic bodies, each a mesh with its velocity and stress.
    pub elastic: Vec<SurfaceFormat>,
}

impl Default for Output {
    fn default() -> Self {
        let meshes = vec![SurfaceFormat::Ply];
        let particles = vec![ParticleFormat::Vtp];
        Output { particles, particles_every: 1, surface: meshes.clone(), elastic: meshes }
    }
}

impl Output {
    /// Whether a frame has files of particles.
    pub fn has_particles(&self, frame: u32) -> bool {
        !self.particles.is_empty() && frame.is_multiple_of(self.particles_every)
    }
}

/// Reads a list of formats, or `true` or `false`.
fn formats_or_switch<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ParticleFormat>, D::Error> {
    deserializer.deserialize_any(FormatsOrSwitch)
}

struct FormatsOrSwitch;

impl<'de> Visitor<'de> for FormatsOrSwitch {
    type Value = Vec<ParticleFormat>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of formats such as [Vtp], or true or false")
    }

    fn visit_bool<E>(self, is_written: bool) -> Result<Self::Value, E> {
        Ok(if is_written { Output::default().particles } else { Vec::new() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut formats: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(format) = formats.next_element()? {
            all.push(format);
        }
        Ok(all)
    }
}
