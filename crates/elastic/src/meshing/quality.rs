//! How good the elements of a mesh are.

use crate::mesh::ElasticMesh;
use hashfall_geometry::Point;

/// Extremes over the elements of a mesh. Bad angles make a mesh stiff or its steps short.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshQuality {
    /// The shortest and the longest edge of any element \[m\].
    pub edges: Option<[f64; 2]>,
    /// The smallest and the largest angle of shell triangles \[degrees\].
    pub angles: Option<[f64; 2]>,
    /// The smallest and the largest area of these \[m²\].
    pub areas: Option<[f64; 2]>,
    /// The smallest and the largest angle between faces of a tetrahedron \[degrees\].
    pub dihedral_angles: Option<[f64; 2]>,
    /// The smallest and the largest volume of these \[m³\]; negative if inverted.
    pub volumes: Option<[f64; 2]>,
    /// The volume of all \[m³\].
    pub volume: f64,
}

impl MeshQuality {
    /// Looks at every element.
    pub fn new(mesh: &ElasticMesh) -> Self {
        let mut quality = MeshQuality::default();
        let at = |node: u32| mesh.nodes[node as usize];
        mesh.segments.iter().for_each(|s| quality.add_edges(&s.map(at)));
        mesh.triangles.iter().for_each(|t| quality.add_triangle(&t.map(at)));
        mesh.tetrahedra.iter().for_each(|t| quality.add_tetrahedron(&t.map(at)));
        quality
    }

    fn add_edges(&mut self, corners: &[Point]) {
        for (k, a) in corners.iter().enumerate() {
            corners[..k].iter().for_each(|b| widen(&mut self.edges, (b - a).norm()));
        }
    }

    fn add_triangle(&mut self, corners: &[Point; 3]) {
        self.add_edges(corners);
        for k in 0..3 {
            let [a, b, c] = [0, 1, 2].map(|i| corners[(k + i) % 3]);
            widen(&mut self.angles, angle(&(b - a), &(c - a)));
        }
        let [a, b, c] = corners;
        widen(&mut self.areas, 0.5 * (b - a).cross(&(c - a)).norm());
    }

    fn add_tetrahedron(&mut self, corners: &[Point; 4]) {
        self.add_edges(corners);
        for [a, b, c, d] in
            [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]]
        {
            // Between the faces at the edge from a to b.
            let edge = corners[b] - corners[a];
            let [c, d] = [c, d].map(|k: usize| edge.cross(&(corners[k] - corners[a])));
            widen(&mut self.dihedral_angles, angle(&c, &d));
        }
        let [a, b, c, d] = corners;
        let volume = (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0;
        widen(&mut self.volumes, volume);
        self.volume += volume;
    }
}

/// The angle between two vectors \[degrees\].
fn angle(a: &Point, b: &Point) -> f64 {
    libm::atan2(a.cross(b).norm(), a.dot(b)).to_degrees()
}

fn widen(range: &mut Option<[f64; 2]>, value: f64) {
    let [low, high] = range.unwrap_or([value; 2]);
    *range = Some([low.min(value), high.max(value)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::{BoxPattern, box_tetrahedra, sheet};

    fn is_near(found: Option<[f64; 2]>, [low, high]: [f64; 2]) -> bool {
        found.is_some_and(|[a, b]| (a - low).abs() < 1e-6 && (b - high).abs() < 1e-6)
    }

    #[test]
    fn known_angles_are_found() {
        let edges = [Point::x(), Point::y(), Point::z()].map(|edge| edge * 2.0);
        let boxes = |pattern| {
            MeshQuality::new(&box_tetrahedra(Point::zeros(), edges, [2; 3], pattern).unwrap())
        };
        let five = boxes(BoxPattern::Five);
        let corner = libm::acos(1.0 / 3.0_f64.sqrt()).to_degrees();
        assert!(is_near(five.dihedral_angles, [corner, 90.0]), "{five:?}");
        assert!(is_near(five.volumes, [1.0 / 6.0, 1.0 / 3.0]));
        assert!(is_near(five.edges, [1.0, 2.0_f64.sqrt()]));
        assert!((five.volume - 8.0).abs() < 1e-12);
        assert!(is_near(boxes(BoxPattern::BodyCentred).dihedral_angles, [45.0, 120.0]));
        let mesh = sheet(Point::zeros(), Point::x(), Point::y() * 3.0_f64.sqrt(), [1, 1]).unwrap();
        let sheet = MeshQuality::new(&mesh);
        assert!(is_near(sheet.angles, [30.0, 90.0]));
        assert!(is_near(sheet.areas, [0.75_f64.sqrt(); 2]));
        assert_eq!((sheet.dihedral_angles, sheet.volume), (None, 0.0));
    }
}
