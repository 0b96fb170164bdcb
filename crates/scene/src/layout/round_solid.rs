//! Cylinders, capsules and cones of a scene: where they are in space, and their section in the
//! plane, which is known of those along y: a disc.

use crate::model::{CapsuleModel, ConeModel, CylinderModel, SolidModel};
use hashfall_fill::sphere_field::Ball;
use hashfall_geometry::{Meridian, Point};
use hashfall_solid::RoundSolid;

/// The solid of revolution that an entry is; `None` of the others.
pub fn round_solid(solid: &SolidModel) -> Option<RoundSolid> {
    match solid {
        SolidModel::Cylinder(CylinderModel { from, to, radius, .. }) => {
            Some(RoundSolid::cylinder(Point::from(*from), Point::from(*to), *radius))
        }
        SolidModel::Capsule(CapsuleModel { from, to, radius, .. }) => {
            Some(RoundSolid::capsule(Point::from(*from), Point::from(*to), *radius))
        }
        SolidModel::Cone(ConeModel { from, to, radius, tip_radius, .. }) => {
            Some(RoundSolid::cone(Point::from(*from), Point::from(*to), *radius, *tip_radius))
        }
        SolidModel::SphereField(_) | SolidModel::Ball(_) => None,
        SolidModel::Box(_) | SolidModel::Mesh(_) | SolidModel::Polygon(_) => None,
    }
}

/// Whether its axis runs along y.
pub fn is_along_y(solid: &RoundSolid) -> bool {
    let [from, to] = solid.axis_ends();
    from.x == to.x && from.z == to.z
}

/// The disc in which a solid along y cuts the plane y = 0; `None` if it does not.
pub fn section(solid: &RoundSolid) -> Option<Ball> {
    let [from, to] = solid.axis_ends();
    let part = -from.y / (to.y - from.y);
    let is_between = (0.0..=1.0).contains(&part);
    let radius = match solid.meridian() {
        Meridian::Capsule { radius, .. } => {
            let beyond = from.y.min(to.y).max(0.0).max(-from.y.max(to.y));
            (radius * radius - beyond * beyond).max(0.0).sqrt()
        }
        Meridian::Frustum { radius, tip_radius, .. } if is_between => {
            radius + (tip_radius - radius) * part
        }
        Meridian::Frustum { .. } => 0.0,
    };
    (radius > 0.0).then_some(Ball { centre: [from.x, 0.0, from.z], radius })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radius(solid: &RoundSolid) -> Option<f64> {
        section(solid).map(|disc| (disc.radius * 1e12).round() / 1e12)
    }

    #[test]
    fn solids_along_y_are_discs_in_the_plane() {
        let at = |y: f64| Point::new(0.3, y, 0.7);
        assert_eq!(radius(&RoundSolid::cylinder(at(-1.0), at(2.0), 0.25)), Some(0.25));
        assert_eq!(radius(&RoundSolid::cylinder(at(0.5), at(2.0), 0.25)), None);
        assert_eq!(radius(&RoundSolid::cone(at(1.0), at(-1.0), 0.5, 0.0)), Some(0.25));
        assert_eq!(radius(&RoundSolid::cone(at(-1.0), at(0.0), 0.5, 0.0)), None, "its tip");
        assert_eq!(radius(&RoundSolid::capsule(at(-1.0), at(1.0), 0.5)), Some(0.5));
        assert_eq!(radius(&RoundSolid::capsule(at(0.3), at(1.0), 0.5)), Some(0.4));
        assert_eq!(radius(&RoundSolid::capsule(at(-1.0), at(-0.4), 0.5)), Some(0.3));
        let disc = section(&RoundSolid::cylinder(at(1.0), at(-1.0), 0.2)).expect("it cuts it");
        assert_eq!(disc.centre, [0.3, 0.0, 0.7]);
    }
}
