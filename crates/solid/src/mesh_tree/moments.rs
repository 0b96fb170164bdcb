//! What the triangles of a node are as a whole: the moments of their directed areas, of which a
//! field far from them is the sum of a few terms, and the cone in which their normals lie.
//!
//! Idea: Barill, Dickson, Schmidt, Levin & Jacobson, Fast winding numbers for soups and clouds
//! (2018), §3: a Taylor series of second order about the middle of a node. Deviations: the field
//! is that of any kernel ([`super::flux`]); moments are [sums](super::moment_sums) over the node's
//! own triangles, from leaf to root, of lengths in units of the node's radius, so that no length is
//! too small.
//!
//! With the normals n, and places δ from the middle of the node's box in units of its radius s:
//!
//! - M⁰ᵢ = ∫ nᵢ dA, M¹ᵢⱼ = ∫ nᵢ δⱼ dA, M²ᵢⱼₖ = ∫ nᵢ δⱼ δₖ dA \[m²\]

use hashfall_geometry::Point;

/// Of the directed areas of a node's triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    /// M⁰ \[m²\].
    pub area: [f32; 3],
    /// M¹, i by i \[m²\].
    pub first: [[f32; 3]; 3],
    /// M², i by i: of jk the places xx, yy, zz, xy, yz, zx \[m²\].
    pub second: [[f32; 6]; 3],
    /// No normal is turned farther from M⁰ \[rad\]; infinite if one has no direction.
    pub cone: f32,
}

impl Moments {
    /// The direction of M⁰, if it has one.
    pub fn axis(&self) -> Option<Point> {
        point(&self.area).try_normalize(0.0)
    }

    /// The axis of the cone of normals, and its half angle \[rad\]; `None` if there is none.
    pub fn cone(&self) -> Option<(Point, f32)> {
        let axis = self.axis()?;
        (self.cone < std::f32::consts::FRAC_PI_2).then_some((axis, self.cone))
    }
}

pub(super) fn point([x, y, z]: &[f32; 3]) -> Point {
    Point::new(f64::from(*x), f64::from(*y), f64::from(*z))
}
