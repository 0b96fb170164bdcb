//! Which solids a sweep looks at.

use crate::convex_feature::ConvexFeature;
use crate::solids::Solids;
use crate::surfaces::SurfaceId;

/// Which solids a sweep looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SweepFilter {
    All,
    /// What has this surface.
    Only(SurfaceId),
    /// Meshes and solids of revolution that stand, and those of bodies that come before the one
    /// with this surface.
    MeshesBefore(SurfaceId),
    /// Solids of revolution of this surface.
    RoundsOf(SurfaceId),
    /// All meshes, and the solids of revolution of other surfaces.
    NeverEntered(SurfaceId),
}

impl SweepFilter {
    pub fn has(self, surface: SurfaceId, feature: &ConvexFeature, solids: &Solids) -> bool {
        match self {
            SweepFilter::All => true,
            SweepFilter::Only(own) => surface == own,
            SweepFilter::MeshesBefore(own) => {
                let is_placed = surface < own || !solids.moves(surface);
                is_placed && feature.is_never_entered()
            }
            SweepFilter::RoundsOf(own) => surface == own && is_round(feature),
            SweepFilter::NeverEntered(own) => {
                feature.is_never_entered() && !(surface == own && is_round(feature))
            }
        }
    }
}

fn is_round(feature: &ConvexFeature) -> bool {
    matches!(feature, ConvexFeature::Round(_))
}
