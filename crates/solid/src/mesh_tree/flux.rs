//! What a mesh adds to the kernel's integral over solids, by its hierarchy.
//!
//! λ = −∮ n·G dA and ∇λ = −∮ f n dA, G = F r/r³ ([`crate::integral`]'s `mesh_integral`), over a
//! node's triangles by the Taylor series of G and f to second order about the middle of its box,
//! where that is farther from the particle than [`OPENING`] of its radius; else over its children,
//! in the end over single triangles. So the work grows with the logarithm of the support radius
//! over the distance, not with the number of triangles. Against the sum over all triangles λ is
//! within 1e-4, h∇λ within 5e-4 (a test tells).
//!
//! Symbols: y from the particle to the middle \[m\], r its length, n outward normal, F, f as there.

use super::bounds::ball_around;
use super::moments::Moments;
use super::tree::MeshTree;
use crate::integral::{Flux, PlaneTable, Radial};
use crate::precision::to_point;
use hashfall_core::Vec3;
use hashfall_geometry::Point;
use hashfall_geometry::triangle::offset_to_triangle;

/// The radii of a node between its middle and a particle to which it is a series.
const OPENING: f64 = 4.0;

/// A node that is a series is no larger: the kernel has knots \[support radii\].
const MAX_RADIUS: f64 = 0.15;

impl MeshTree {
    /// What all triangles add at `x`.
    pub fn flux(&self, triangles: &[[Vec3; 3]], table: &PlaneTable, x: &Point) -> Flux {
        let mut flux = Flux::NONE;
        self.add_flux(0, triangles, table, x, &mut flux);
        flux
    }

    fn add_flux(
        &self,
        node: usize,
        triangles: &[[Vec3; 3]],
        table: &PlaneTable,
        x: &Point,
        flux: &mut Flux,
    ) {
        let (centre, radius) = ball_around(&self.boxes[node]);
        let y = centre - x;
        let r = y.norm();
        if r - radius >= table.reach() {
            return;
        }
        if r > OPENING * radius && radius < MAX_RADIUS * table.reach() {
            let middle = table.radial(r);
            self.moments[node].add_to(flux, &y, r, &middle, radius);
        } else if self.is_leaf(node) {
            for &t in self.leaf(node) {
                let seen = triangles[t as usize].map(|c| to_point(&c) - x);
                let distance = offset_to_triangle(&Point::zeros(), &seen).norm();
                flux.add(table, &seen, distance);
            }
        } else {
            self.add_flux(2 * node + 1, triangles, table, x, flux);
            self.add_flux(2 * node + 2, triangles, table, x, flux);
        }
    }
}

impl Moments {
    /// Adds the series of what the triangles of a node add, whose middle is at `y`, `r` away.
    fn add_to(&self, flux: &mut Flux, y: &Point, r: f64, radial: &Radial, radius: f64) {
        let &Radial { outer, inner } = radial;
        let scale = 1.0 / r;
        let unit = y * scale;
        // r f, r² f′, r³ f″.
        let [f, f1, f2] = inner;
        let part = radius * scale;
        // G = g y with g = F/r³: r g, r² g′, r³ g″, by F′ = −r² f.
        let g = outer * scale * scale;
        let g1 = -f - 3.0 * g;
        let g2 = -f1 + 4.0 * f + 12.0 * g;
        let (mut fraction, mut gradient) = (0.0, Point::zeros());
        let (mut trace, mut trace_row) = (0.0, 0.0);
        let rise = g2 - g1;
        let bend = f2 - f1;
        for i in 0..3 {
            let area = f64::from(self.area[i]);
            let first = self.first[i].map(f64::from);
            let [xx, yy, zz, xy, yz, zx] = self.second[i].map(f64::from);
            let along = first[0] * unit.x + first[1] * unit.y + first[2] * unit.z;
            let row = Point::new(
                xx * unit.x + xy * unit.y + zx * unit.z,
                xy * unit.x + yy * unit.y + yz * unit.z,
                zx * unit.x + yz * unit.y + zz * unit.z,
            );
            let (twice, whole) = (row.dot(&unit), xx + yy + zz);
            trace += first[i];
            trace_row += row[i];
            let series =
                g * area + part * g1 * along + part * part * 0.5 * (g1 * whole + rise * twice);
            fraction += unit[i] * series;
            gradient[i] =
                f * area + part * f1 * along + part * part * 0.5 * (f1 * whole + bend * twice);
        }
        fraction += part * g * trace + part * part * g1 * trace_row;
        flux.fraction -= fraction;
        flux.gradient -= gradient * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::{Real, vec3};
    use hashfall_geometry::TriangleMesh;
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::sphere_mesh;

    const H: f64 = 0.04;

    /// A ball with bumps of about h.
    fn bumpy(subdivisions: u32) -> TriangleMesh {
        let mut mesh = sphere_mesh(&Vec3::zeros(), 1.0, subdivisions);
        for v in &mut mesh.vertices {
            let p = to_point(v);
            let wave = (3.0 * p.x).sin() * (4.0 * p.y).sin() * (3.0 * p.z).cos();
            *v = vec3((p * (3.0 * H * (1.0 + 0.2 * wave))).into());
        }
        mesh
    }

    #[test]
    fn it_is_the_sum_over_the_triangles() {
        let table = PlaneTable::with_cubic_spline(H as Real);
        for (subdivisions, places) in [(3, 200), (5, 100), (6, 40)] {
            let mesh = bumpy(subdivisions);
            let triangles: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
            let tree = MeshTree::new(&triangles);
            let mut random = Random::new(4);
            let (mut worst, mut worst_gradient, mut queries) = (0.0_f64, 0.0_f64, 0);
            while queries < places {
                let x = random.point(-4.2 * H, 4.2 * H);
                let mut exact = Flux::NONE;
                let mut least = f64::INFINITY;
                for corners in &triangles {
                    let seen = corners.map(|c| to_point(&c) - x);
                    let distance = offset_to_triangle(&Point::zeros(), &seen).norm();
                    least = least.min(distance);
                    exact.add(&table, &seen, distance);
                }
                if !(0.05 * H..H).contains(&least) {
                    continue;
                }
                queries += 1;
                let found = tree.flux(&triangles, &table, &x);
                worst = worst.max((found.fraction - exact.fraction).abs());
                worst_gradient = worst_gradient.max((found.gradient - exact.gradient).norm() * H);
            }
            println!("{} triangles: {worst:.2e}, {worst_gradient:.2e}", triangles.len());
            assert!(worst < 1e-4 && worst_gradient < 5e-4, "{worst} {worst_gradient}");
        }
    }
}
