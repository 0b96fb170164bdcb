//! Diffuse particles of a frame, as `.vtp` and as points in a `.ply`.
//!
//! The `.vtp` has all that a computation continues from, in the precision in which it computes.

use super::ply::point_cloud;
use super::vtk_xml::{Cells, DataArray, PolyData};
use crate::disk::content::Content;
use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_foam::Diffuse;

/// Diffuse particles, which are in order of id: position \[m\], `velocity` \[m/s\], `id`, `type`
/// (0 spray, 1 foam, 2 bubble), `age` \[s\] since emission, `lifetime` \[s\] that is left and
/// `radius` \[m\]; and their time \[s\] as `TimeValue`.
pub fn vtp(diffuse: &Diffuse, time: f64) -> Content<'_> {
    let vectors = |name, all: &'_ [Vec3]| {
        let all: Vec<[Real; 3]> = all.iter().map(|v| [v.x, v.y, v.z]).collect();
        DataArray::tuples::<Real, 3>(name, all.into_iter())
    };
    PolyData {
        time: Some(time),
        points: vectors("Points", &diffuse.positions),
        point_data: vec![
            vectors("velocity", &diffuse.velocities),
            DataArray::scalars("id", diffuse.ids.iter().copied()),
            DataArray::scalars("type", diffuse.kinds.iter().map(|kind| *kind as u8)),
            DataArray::scalars("age", diffuse.ages.iter().copied()),
            DataArray::scalars("lifetime", diffuse.lifetimes.iter().copied()),
            DataArray::scalars("radius", diffuse.radii.iter().copied()),
        ],
        cells: Cells::OnePolyVertex,
    }
    .into_content()
}

/// The same for pictures: position \[m\], `vx vy vz` \[m/s\], `id`, `type`, `age` \[s\] and
/// `radius` \[m\].
pub fn ply(diffuse: &Diffuse) -> Content<'_> {
    let kinds: Vec<u32> = diffuse.kinds.iter().map(|kind| *kind as u32).collect();
    let attributes = vec![
        Attribute::vectors("velocity", &diffuse.velocities),
        Attribute::new("id", Values::Labels((&diffuse.ids[..]).into())),
        Attribute::new("type", Values::Labels(kinds.into())),
        Attribute::new("age", Values::Scalars((&diffuse.ages[..]).into())),
        Attribute::new("radius", Values::Scalars((&diffuse.radii[..]).into())),
    ];
    point_cloud(&diffuse.positions, attributes)
}
