//! How a surface is extracted and post-processed.

#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Default iterations of smoothing: bumps of particles go, waves of a few particles stay.
const USUAL_SMOOTHING: u32 = 30;
/// Default iterations of smoothing of the normals, if vertices move.
const USUAL_NORMALS_SMOOTHING: u32 = 10;

/// How the surface is extracted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename = "Surface", default, deny_unknown_fields))]
pub struct SurfaceSettings {
    /// Edge of a marching-cubes cell, in particle radii.
    pub cell: f64,
    /// Iso value of the volume fraction field \[–\].
    #[cfg_attr(feature = "serde", schemars(range(min = 0.05, max = 0.95)))]
    pub iso: f64,
    /// Whether the mesh stays as marching cubes leave it: no clean-up, smoothing, decimation and
    /// flat contact, whatever their keys say.
    pub raw: bool,
    /// How many times narrower than h kernels may be across thin sheets; 1 for isotropic ones.
    #[cfg_attr(feature = "serde", schemars(range(min = 1.0, max = 4.0)))]
    pub anisotropy: f64,
    /// Whether short edges and slivers are collapsed.
    pub cleanup: bool,
    /// Iterations of Laplacian smoothing; 0 for none.
    #[cfg_attr(feature = "serde", schemars(range(min = 0, max = 1000)))]
    pub smoothing: u32,
    /// Whether thin sheets are smoothed less than flat surfaces, and spray not at all.
    pub smoothing_weights: bool,
    /// Iterations of smoothing of the normals; `None`: 10 if vertices move, otherwise 0.
    #[cfg_attr(feature = "serde", schemars(range(min = 0, max = 1000)))]
    pub normals_smoothing: Option<u32>,
    /// Largest displacement of the surface by decimation, in particle radii; 0 for no decimation.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 2.0)))]
    pub decimation: f64,
    /// Minimum volume of a connected component, in particle volumes; 0 keeps all.
    #[cfg_attr(feature = "serde", schemars(range(min = 0.0, max = 1e9)))]
    pub min_component_volume: f64,
    /// Whether smaller components form a surface of their own; otherwise they are removed.
    pub spray: bool,
    /// What the surface does at walls and solids.
    pub clip: Clip,
    /// Whether several fluids form one surface instead of one each.
    pub merge_fluids: bool,
}

/// Accepted iterations of [smoothing](SurfaceSettings::smoothing) and of that of
/// [normals](SurfaceSettings::normals_smoothing).
pub const ITERATIONS: RangeInclusive<u32> = 0..=1000;

/// Accepted values of the [decimation](SurfaceSettings::decimation).
pub const DECIMATION: RangeInclusive<f64> = 0.0..=2.0;

/// Accepted [volumes of components](SurfaceSettings::min_component_volume).
pub const COMPONENT_VOLUMES: RangeInclusive<f64> = 0.0..=1e9;

/// Accepted values of the [anisotropy](SurfaceSettings::anisotropy).
pub const ANISOTROPY: RangeInclusive<f64> = 1.0..=4.0;

/// What the surface does at walls and solids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
pub enum Clip {
    /// It lies on them.
    #[default]
    Flat,
    /// It ignores them.
    Free,
}

impl SurfaceSettings {
    /// The surface as marching cubes leave it, a base for settings of one's own.
    pub fn raw() -> Self {
        SurfaceSettings {
            cleanup: false,
            smoothing: 0,
            decimation: 0.0,
            clip: Clip::Free,
            ..SurfaceSettings::default()
        }
    }

    /// The settings with what [`raw`](SurfaceSettings::raw) switches off.
    pub fn effective(&self) -> Self {
        if !self.raw {
            return *self;
        }
        let Self { cleanup, smoothing, decimation, clip, .. } = SurfaceSettings::raw();
        SurfaceSettings { cleanup, smoothing, decimation, clip, ..*self }
    }

    /// Whether the mesh changes after marching cubes.
    pub fn is_postprocessed(&self) -> bool {
        self.has_moved_vertices() || self.effective().cleanup || self.min_component_volume > 0.0
    }

    /// Whether vertices move off the field's iso surface, so that its normals do not fit any more.
    pub fn has_moved_vertices(&self) -> bool {
        let Self { smoothing, decimation, clip, .. } = self.effective();
        smoothing > 0 || decimation > 0.0 || clip == Clip::Flat
    }

    /// Iterations of smoothing of the normals.
    pub fn normals_iterations(&self) -> u32 {
        let usual = if self.has_moved_vertices() { USUAL_NORMALS_SMOOTHING } else { 0 };
        self.normals_smoothing.unwrap_or(usual)
    }
}

impl Default for SurfaceSettings {
    fn default() -> Self {
        SurfaceSettings {
            cell: 0.5,
            iso: 0.6,
            raw: false,
            anisotropy: 1.0,
            cleanup: true,
            smoothing: USUAL_SMOOTHING,
            smoothing_weights: true,
            normals_smoothing: None,
            decimation: 0.0,
            min_component_volume: 0.0,
            spray: false,
            clip: Clip::Flat,
            merge_fluids: false,
        }
    }
}
