//! The kernel's integral over a solid by brute force: along rays in many directions.
//!
//! A half space at distance ζ has λ = L(ζ), by layers or by the integral of a kernel. Both are
//! the integral over the solid of one radial function f, because the half space fixes it:
//! f(r) = L″(r)/(2π r). So a solid of any shape has
//!
//! - λ = ∫ f dV = ∫ dω Σ ± F(r), F(r) = ∫ᵣʰ f s² ds = (L − r L′)/(2π)
//! - ∇λ = −∫ f′ r̂ dV = ∫ dω r̂ Σ ± G(r), G(r) = r² f + 2 ∫ᵣʰ f s ds = (r L″ − 2 L′)/(2π)
//!
//! summed over where a ray enters (+) and leaves (−) the solid. Rays go in the directions of a
//! Fibonacci lattice on the sphere.

use super::shapes::{Case, H};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use hashfall_solid::SolidLayers;
use std::f64::consts::{PI, TAU};

/// λ and ∇λ \[1/m\].
pub type Integral = (f64, Point);

/// F and G at even distances.
pub struct Profile(Vec<[f64; 2]>);

const STEPS: usize = 2000;

impl Profile {
    /// Of what half spaces are by these layers.
    pub fn new(layers: &SolidLayers) -> Self {
        let at = |r: f64| layers.sums(r.min(H) as Real, 0.0);
        let slope = |r: f64| f64::from(at(r).slope);
        let entry = |k: usize| {
            let r = H * k as f64 / STEPS as f64;
            let step = 0.004 * H;
            let curved = (slope(r + step) - slope((r - step).max(0.0))) / (step + step.min(r));
            let [f, g] = [f64::from(at(r).fraction) - r * slope(r), r * curved - 2.0 * slope(r)];
            [f / TAU, g / TAU]
        };
        Profile((0..=STEPS + 1).map(entry).collect())
    }

    /// F and G at a distance.
    fn at(&self, r: f64) -> [f64; 2] {
        let place = r / H * STEPS as f64;
        let (k, part) = (place as usize, place.fract());
        if k >= STEPS {
            return [0.0; 2];
        }
        [0, 1].map(|i| self.0[k][i] * (1.0 - part) + self.0[k + 1][i] * part)
    }
}

/// The integral over the solid of a case, by so many rays.
pub fn integral(profile: &Profile, case: &Case, x: &Vec3, rays: usize) -> Integral {
    let at = x.map(f64::from);
    let near: Vec<[Point; 3]> = (0..case.mesh.triangles.len())
        .map(|t| case.mesh.corners(t).map(|c| c.map(f64::from) - at))
        .filter(|corners| {
            let to = hashfall_geometry::triangle::offset_to_triangle(&Point::zeros(), corners);
            to.norm() < H
        })
        .collect();
    let (mut fraction, mut gradient) = (0.0, Point::zeros());
    for k in 0..rays {
        let ray = lattice_direction(k, rays);
        for corners in &near {
            if let Some((r, enters)) = hit(&ray, corners) {
                let sign = if enters != case.is_cavity { 1.0 } else { -1.0 };
                let [f, g] = profile.at(r);
                fraction += sign * f;
                gradient += ray * (sign * g);
            }
        }
    }
    let share = 4.0 * PI / rays as f64;
    (fraction * share, gradient * share)
}

/// Directions of even density, each for the same part of the sphere.
fn lattice_direction(k: usize, count: usize) -> Point {
    let z = 1.0 - (2 * k + 1) as f64 / count as f64;
    let turn = TAU * (k as f64 * 0.618_033_988_749_894_8).fract();
    let (sin, cos) = turn.sin_cos();
    let across = (1.0 - z * z).sqrt();
    Point::new(across * cos, across * sin, z)
}

/// The distance at which a ray from the origin meets a triangle, and whether it enters there
/// (Möller & Trumbore 1997).
fn hit(ray: &Point, [a, b, c]: &[Point; 3]) -> Option<(f64, bool)> {
    let (ab, ac) = (b - a, c - a);
    let p = ray.cross(&ac);
    let determinant = ab.dot(&p);
    let u = -a.dot(&p) / determinant;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let q = -a.cross(&ab);
    let v = ray.dot(&q) / determinant;
    if v < 0.0 || u + v > 1.0 {
        return None;
    }
    let r = ac.dot(&q) / determinant;
    (r > 0.0).then_some((r, determinant > 0.0))
}
