//! Where bodies are in a frame, as points for ParaView: their meshes are written once, about their
//! centres.

use super::vtk_xml::{Cells, DataArray, PolyData};
use crate::disk::content::Content;
use crate::records::bodies::BodyRow;
use hashfall_geometry::Point;

/// A point at the centre of mass of each body \[m\], with its number `body` among the scene's
/// solids, `orientation` (a unit quaternion, its scalar first), `velocity` \[m/s\], `spin` \[1/s\],
/// `force` \[N\] and `torque` \[N m\] of the fluid, `contact_force` and `contact_torque`; at a time
/// \[s\].
pub fn vtp(rows: &[BodyRow], time: f64) -> Content<'_> {
    let vectors = |name, of: fn(&BodyRow) -> Point| {
        DataArray::tuples::<f64, 3>(name, rows.iter().map(move |row| of(row).into()))
    };
    PolyData {
        time: Some(time),
        points: vectors("Points", |row| row.state.position),
        point_data: vec![
            DataArray::scalars("body", rows.iter().map(|row| row.solid as u32)),
            DataArray::tuples::<f64, 4>("orientation", rows.iter().map(|it| it.state.quaternion())),
            vectors("velocity", |row| row.state.velocity),
            vectors("spin", |row| row.state.angular_velocity),
            vectors("force", |row| row.fluid.force),
            vectors("torque", |row| row.fluid.torque),
            vectors("contact_force", |row| row.contact.force),
            vectors("contact_torque", |row| row.contact.torque),
        ],
        cells: Cells::OnePolyVertex,
    }
    .into_content()
}
