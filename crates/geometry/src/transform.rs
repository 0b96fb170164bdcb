//! Where a mesh stands in the world: its up axis turned to z, scaled, then turned, then moved.
//!
//! Sine and cosine are those of [`hashfall_bodies::sin_cos`], so that a placed mesh has the same
//! bits on every machine; whole quarter turns are exact.

use super::{Point, TriangleMesh};
use hashfall_bodies::AxisRotation;
use hashfall_core::{to_f64, vec3};

/// A similarity of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Whether y points up in the mesh; a quarter turn about x takes it to z, before all else.
    pub is_y_up: bool,
    /// Factor on all lengths, positive \[–\].
    pub scale: f64,
    /// Axis of the turn through the origin, of any length; zero means no turn.
    pub axis: [f64; 3],
    /// Angle of the turn, counter-clockwise seen from the axis' tip \[°\].
    pub degrees: f64,
    /// Shift, after the turn \[m\].
    pub translate: [f64; 3],
}

impl Placement {
    /// Leaves everything where it is.
    pub const IDENTITY: Placement = Placement {
        is_y_up: false,
        scale: 1.0,
        axis: [0.0, 0.0, 1.0],
        degrees: 0.0,
        translate: [0.0; 3],
    };

    /// The placed point \[m\].
    pub fn point(&self, point: [f64; 3]) -> [f64; 3] {
        self.map()(Point::from(point)).into()
    }

    /// What it does to a point.
    fn map(&self) -> impl Fn(Point) -> Point {
        let axis = Point::from(self.axis).try_normalize(0.0);
        let turn = axis.map(|axis| AxisRotation::from_degrees(&axis, self.degrees));
        let turned = move |p: Point| turn.map_or(p, |turn| turn.apply(&p));
        let (scale, translate, is_y_up) = (self.scale, Point::from(self.translate), self.is_y_up);
        let upright = move |p: Point| if is_y_up { Point::new(p.x, -p.z, p.y) } else { p };
        move |p: Point| turned(upright(p) * scale) + translate
    }

    /// The placed mesh; computed in double precision, rounded once.
    pub fn apply(&self, mesh: &TriangleMesh) -> TriangleMesh {
        self.apply_from(&[0.0; 3], mesh)
    }

    /// The same for a mesh whose coordinates are relative to an origin, which is as exact however
    /// far away that is.
    pub fn apply_from(&self, origin: &[f64; 3], mesh: &TriangleMesh) -> TriangleMesh {
        let origin = Point::from(*origin);
        let place = self.map();
        TriangleMesh {
            vertices: mesh
                .vertices
                .iter()
                .map(|v| vec3(place(origin + Point::from(to_f64(v))).into()))
                .collect(),
            triangles: mesh.triangles.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Vec3;

    fn moved(placement: Placement, p: [f64; 3]) -> Vec3 {
        let mesh = TriangleMesh { vertices: vec![vec3(p)], triangles: vec![] };
        placement.apply(&mesh).vertices[0]
    }

    #[test]
    fn it_scales_then_turns_then_moves() {
        let placement = Placement {
            scale: 2.0,
            axis: [0.0, 0.0, 3.0],
            degrees: 90.0,
            translate: [10.0, 20.0, 30.0],
            ..Placement::IDENTITY
        };
        assert_eq!(moved(placement, [1.0, 0.0, 1.0]), Vec3::new(10.0, 22.0, 32.0));
        assert_eq!(moved(Placement::IDENTITY, [1.5, -2.0, 3.0]), Vec3::new(1.5, -2.0, 3.0));
        let no_axis = Placement { axis: [0.0; 3], degrees: 45.0, ..Placement::IDENTITY };
        assert_eq!(moved(no_axis, [1.0, 2.0, 3.0]), Vec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn what_points_up_does_so_before_all_else() {
        let placement = Placement { is_y_up: true, ..Placement::IDENTITY };
        assert_eq!(moved(placement, [1.0, 2.0, 3.0]), Vec3::new(1.0, -3.0, 2.0));
        let turned = Placement { degrees: 90.0, translate: [0.0, 0.0, 5.0], ..placement };
        assert_eq!(moved(turned, [1.0, 2.0, 3.0]), Vec3::new(3.0, 1.0, 7.0));
        let quarter = Placement { axis: [1.0, 0.0, 0.0], degrees: 90.0, ..Placement::IDENTITY };
        assert_eq!(moved(quarter, [1.0, 2.0, 3.0]), moved(placement, [1.0, 2.0, 3.0]));
    }

    #[test]
    fn what_is_far_away_is_placed_as_exactly_as_what_is_near() {
        let mesh = TriangleMesh { vertices: vec![vec3([0.02, 0.4, 0.9])], triangles: vec![] };
        let origin = [345_678.9, 412_345.6, 120.5];
        let placement = Placement { translate: origin.map(|x| -x), ..Placement::IDENTITY };
        let placed = placement.apply_from(&origin, &mesh).vertices[0];
        assert!((placed - mesh.vertices[0]).norm() < 1e-7, "{placed}");
        let turned =
            Placement { degrees: 90.0, translate: [412_345.6, -345_678.9, -120.5], ..placement };
        let placed = turned.apply_from(&origin, &mesh).vertices[0];
        assert!((placed - Vec3::new(-0.4, 0.02, 0.9)).norm() < 1e-6, "{placed}");
    }

    #[test]
    fn a_third_of_a_turn_about_the_diagonal_swaps_the_axes() {
        let placement = Placement { axis: [1.0, 1.0, 1.0], degrees: 120.0, ..Placement::IDENTITY };
        assert!((moved(placement, [1.0, 2.0, 3.0]) - Vec3::new(3.0, 1.0, 2.0)).norm() < 1e-6);
    }
}
