//! The solid's part of a particle's density: the kernel integrated over the solid.
//!
//! Idea: Fujisawa & Miura, An efficient boundary handling with a modified density calculation for
//! SPH (2015); Winchenbach et al., Semi-analytic boundary handling (2020). The shell of radius s
//! around a particle lies inside a sphere of radius R whose surface is at distance d, D = d + R, by
//! the fraction (1 − (s² + D² − R²)/(2sD))/2 for d ≤ s ≤ d + 2R. With the moments
//! Mₙ = ∫ sⁿ W ds from d to min(h, d + 2R), κ = 1/R and q = 1/(1 + dκ):
//!
//! - λ(d)  = 2π [M₂ − ½ d (2 + dκ) q M₁ − ½ κ q M₃]
//! - λ′(d) = −2π [½ (1 + q²) M₁ − ½ κ² q² M₃]
//!
//! The ends add nothing to λ′ because the shell only touches the sphere there. A plane has κ = 0.
//! In two dimensions shells are circles, of which a disc covers the angle 2θ, and what is left is
//! an integral over s that the midpoint rule finds:
//!
//! - λ(d)  = ∫ 2sθ W ds,  cos θ = (κs² + d (2 + dκ)) q/(2s)
//! - λ′(d) = −∫ (1 + q² (1 − κ²s²))/sin θ · W ds
//!
//! Several solids overlap where they meet, and must not count twice there. The part of a further
//! solid k is reduced by what earlier ones cover of it,
//!
//! - λ = Σₖ λₖ Πₘ₍ₘ﹤ₖ₎ (1 − ωₖₘ λₘ),  ωₖₘ = (1 + nₖ·nₘ)²
//!
//! with the normals n. Right angles (ω = 1) take the parts for independent, opposite walls (ω = 0)
//! add up. ω was fitted by quadrature for distances of h/4 and more, where particles are; the
//! tests hold the errors in λ: 0.01 for edges of 60° to 180°, corners and slits, 0.015 for touching
//! spheres and spheres on a wall. ∇λ takes ω for constant, which is exact for planes.
//!
//! A lattice is no continuum: how far the fluid sees a wall beyond its place, so that a lattice
//! flush with it is at rest density, the world's `RestLattice` tells.
//!
//! Symbols: λ part of the kernel's mass in the solid \[–\], h support radius \[m\].

use super::NearSolid;
use crate::base::{Dimension, PI, Real, Vec3};
use crate::kernel::Kernel;

/// λ \[–\] and dλ/dd \[1/m\] of a solid of curvature `curvature` = 1/R \[1/m\] (0: plane) whose
/// surface is at `distance` \[m\]; a negative distance counts as 0.
pub fn solid_fraction(kernel: &Kernel, distance: Real, curvature: Real) -> (Real, Real) {
    let h = kernel.support_radius();
    let d = distance.max(0.0);
    if d >= h {
        return (0.0, 0.0);
    }
    // The far side of the sphere may lie within the support.
    let end = if curvature * (h - d) > 2.0 { d + 2.0 / curvature } else { h };
    let (fraction, slope) = match kernel.dimension {
        Dimension::Two => disc_fraction(kernel, d, end, curvature),
        Dimension::Three => ball_fraction(kernel, d, end, curvature),
    };
    (fraction.max(0.0), slope.min(0.0))
}

/// λ and dλ/dd of a ball, or a half space, between the distances `d` and `end`.
fn ball_fraction(kernel: &Kernel, d: Real, end: Real, curvature: Real) -> (Real, Real) {
    let cut_off = |moments: fn(&Kernel, Real) -> [Real; 3]| {
        let [m1, m2, m3] = moments(kernel, d);
        if end >= kernel.support_radius() {
            return [m1, m2, m3];
        }
        let [f1, f2, f3] = moments(kernel, end);
        [m1 - f1, m2 - f2, m3 - f3]
    };
    let q = 1.0 / (1.0 + d * curvature);
    let kq = curvature * q;
    let [m1, m2, m3] = cut_off(Kernel::moments_from);
    let fraction = 2.0 * PI * (m2 - 0.5 * (d * (2.0 + d * curvature) * q * m1 + kq * m3));
    let [m1, _, m3] = cut_off(Kernel::sloping_moments_from);
    (fraction, -PI * ((1.0 + q * q) * m1 - kq * kq * m3))
}

/// Points of the midpoint rule: the error of λ stays below 1e-5.
const SHELLS: usize = 32;

/// λ and dλ/dd of a disc, or a half plane, between the distances `d` and `end`.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn disc_fraction(kernel: &Kernel, d: Real, end: Real, curvature: Real) -> (Real, Real) {
    let (d, width, curvature) = (f64::from(d), f64::from(end - d), f64::from(curvature));
    let q = 1.0 / (1.0 + d * curvature);
    let (mut fraction, mut slope) = (0.0, 0.0);
    for k in 0..SHELLS {
        // s = d + width · u² (3 − 2u): steps vanish at both ends, as sin θ does.
        let u = (k as f64 + 0.5) / SHELLS as f64;
        let s = d + width * u * u * (3.0 - 2.0 * u);
        let ds = width * 6.0 * u * (1.0 - u) / SHELLS as f64;
        let ks = curvature * s;
        let cosine = (q * (ks * s + d * (2.0 + d * curvature)) / (2.0 * s)).clamp(-1.0, 1.0);
        let sine = (1.0 - cosine * cosine).sqrt();
        let weight = |w: Real| f64::from(w) * ds;
        fraction += 2.0 * s * libm::acos(cosine) * weight(kernel.value(s as Real));
        if sine > 0.0 {
            let turn = (1.0 + q * q * (1.0 - ks * ks)) / sine;
            slope -= turn * weight(kernel.sloping_value(s as Real));
        }
    }
    (fraction as Real, slope as Real)
}

/// The part of all near solids together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidFraction {
    /// λ in 0 ..= 1 \[–\].
    pub fraction: Real,
    /// ∇λ with respect to the particle's position \[1/m\]; points into the solids.
    pub gradient: Vec3,
}

impl SolidFraction {
    /// Far from all solids.
    pub const NONE: SolidFraction =
        SolidFraction { fraction: 0.0, gradient: Vec3::new(0.0, 0.0, 0.0) };

    /// The part of the solids in `near`.
    pub fn of(kernel: &Kernel, near: &[NearSolid]) -> Self {
        let mut parts = Parts::NOTHING;
        near.iter().for_each(|solid| parts.add(kernel, solid));
        let SolidFraction { fraction, gradient } = parts.total;
        SolidFraction { fraction: fraction.min(1.0), gradient }
    }
}

/// Solids whose overlaps with further ones are taken off.
const MAX_PARTS: usize = 8;

/// Solids on the way to their sum.
struct Parts {
    normals: [Vec3; MAX_PARTS],
    parts: [SolidFraction; MAX_PARTS],
    count: usize,
    total: SolidFraction,
}

impl Parts {
    const NOTHING: Parts = Parts {
        normals: [Vec3::new(0.0, 0.0, 0.0); MAX_PARTS],
        parts: [SolidFraction::NONE; MAX_PARTS],
        count: 0,
        total: SolidFraction::NONE,
    };

    /// Adds what the solids before leave of `solid`.
    fn add(&mut self, kernel: &Kernel, solid: &NearSolid) {
        let (fraction, slope) = solid_fraction(kernel, solid.distance, solid.curvature);
        let gradient = solid.normal * slope;
        let (mut left, mut left_gradient) = (1.0, Vec3::zeros());
        for (normal, part) in self.normals.iter().zip(&self.parts).take(self.count) {
            let overlap = 1.0 + normal.dot(&solid.normal);
            let weight = overlap * overlap;
            let uncovered = 1.0 - weight * part.fraction;
            if uncovered <= 0.0 {
                return;
            }
            left_gradient = left_gradient * uncovered - part.gradient * (weight * left);
            left *= uncovered;
        }
        self.total.fraction += fraction * left;
        self.total.gradient += gradient * left + left_gradient * fraction;
        if self.count < MAX_PARTS {
            self.normals[self.count] = solid.normal;
            self.parts[self.count] = SolidFraction { fraction, gradient };
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use crate::geometry::shape::sphere_mesh;
    use crate::geometry::{Aabb, Point};
    use crate::kernel::KernelKind;
    use crate::solid::piece::{exact, rounded};
    use crate::solid::{Solids, Sphere};

    const H: Real = 0.04;

    fn cubic(h: Real) -> Kernel {
        Kernel::new(KernelKind::CubicSpline, Dimension::Three, h)
    }

    /// Points spread evenly in the unit ball (Roberts' R₃ sequence), with their part of the kernel.
    fn samples() -> Vec<(Point, f64)> {
        let kernel = cubic(1.0);
        let n = 500_000;
        let g: f64 = 1.220_744_084_605_759_6;
        let steps = Point::new(1.0 / g, 1.0 / (g * g), 1.0 / (g * g * g));
        (1..=n)
            .map(|k| (steps * f64::from(k)).map(|c| 2.0 * c.fract() - 1.0))
            .filter(|p| p.norm() < 1.0)
            .map(|p| (p, f64::from(kernel.value(p.norm() as Real)) * 8.0 / f64::from(n)))
            .collect()
    }

    /// The kernel integrated over the offsets from a particle \[m\] that `is_solid`.
    fn quadrature(samples: &[(Point, f64)], is_solid: impl Fn(&Point) -> bool) -> f64 {
        samples.iter().filter(|(p, _)| is_solid(&(p * f64::from(H)))).map(|(_, w)| w).sum()
    }

    /// Shells summed in double precision: the fraction of a shell inside a ball by its cap height.
    fn by_shells(distance: f64, radius: f64) -> f64 {
        let kernel = cubic(H);
        let end = f64::from(H).min(distance + 2.0 * radius);
        let n = 40_000;
        let step = (end - distance) / f64::from(n);
        let centre = distance + radius;
        (0..n)
            .map(|k| {
                let s = distance + (f64::from(k) + 0.5) * step;
                let cosine = (s * s + centre * centre - radius * radius) / (2.0 * s * centre);
                let shell = 2.0 * std::f64::consts::PI * s * s * (1.0 - cosine);
                shell * f64::from(kernel.value(s as Real)) * step
            })
            .sum()
    }

    #[test]
    fn it_is_the_kernel_integrated_over_a_ball() {
        let kernel = cubic(H);
        for radius_in_h in [0.05, 0.2, 0.5, 1.0, 3.0, 40.0] {
            let radius = radius_in_h * f64::from(H);
            for distance_in_h in [0.0, 0.1, 0.25, 0.4, 0.5, 0.8, 0.99, 1.0, 1.5] {
                let d = distance_in_h * f64::from(H);
                let (fraction, _) = solid_fraction(&kernel, d as Real, 1.0 / radius as Real);
                let expected = if distance_in_h < 1.0 { by_shells(d, radius) } else { 0.0 };
                let error = (f64::from(fraction) - expected).abs();
                assert!(
                    error < 2e-6,
                    "R {radius_in_h} h, d {distance_in_h} h: {fraction} {expected}"
                );
            }
        }
    }

    #[test]
    fn shells_and_quadrature_agree() {
        let (d, radius) = (0.25 * f64::from(H), 0.6 * f64::from(H));
        let centre = Point::new(0.0, 0.0, -(d + radius));
        let inside = quadrature(&samples(), |p| (p - centre).norm() < radius);
        let error = (inside - by_shells(d, radius)).abs();
        assert!(error < 5e-4, "{error}");
    }

    #[test]
    fn a_plane_is_the_limit_of_large_spheres() {
        let kernel = cubic(H);
        assert!((solid_fraction(&kernel, 0.0, 0.0).0 - 0.5).abs() < 1e-6);
        for k in 0..40 {
            let d = k as Real * 0.025 * H;
            let (plane, slope) = solid_fraction(&kernel, d, 0.0);
            let (large, large_slope) = solid_fraction(&kernel, d, 1e-5 / H);
            assert!((plane - large).abs() < 1e-5, "{plane} {large}");
            assert!((slope - large_slope).abs() * H < 1e-4, "{slope} {large_slope}");
        }
    }

    #[test]
    fn the_slope_is_the_derivative() {
        let kernel = cubic(H);
        let step = 0.01 * H;
        for curvature in [0.0, 0.1, 1.0, 3.0, 5.0, 20.0].map(|k: Real| k / H) {
            for k in 2..98 {
                let d = k as Real * 0.01 * H;
                let at = |d| solid_fraction(&kernel, d, curvature).0;
                let difference = (at(d + step) - at(d - step)) / (2.0 * step);
                let slope = solid_fraction(&kernel, d, curvature).1;
                assert!((difference - slope).abs() * H < 3e-3, "{d}: {difference} {slope}");
            }
        }
    }

    /// The kernel of the plane over a disc, or the half plane below, by a fine grid.
    fn over_the_plane(kernel: &Kernel, distance: f64, radius: f64) -> f64 {
        let (h, n) = (f64::from(H), 800);
        let step = 2.0 * h / f64::from(n);
        let at = |k: i32| (f64::from(k) + 0.5) * step - h;
        let is_solid = |x: f64, z: f64| {
            let below = -z - distance;
            if radius.is_finite() { x.hypot(below - radius) < radius } else { below > 0.0 }
        };
        let points = (0..n).flat_map(|i| (0..n).map(move |k| (at(i), at(k))));
        points
            .filter(|&(x, z)| is_solid(x, z))
            .map(|(x, z)| f64::from(kernel.value(x.hypot(z) as Real)) * step * step)
            .sum()
    }

    #[test]
    fn in_the_plane_it_is_the_kernel_over_a_disc_or_half_plane() {
        for kind in KernelKind::ALL {
            let kernel = Kernel::new(kind, Dimension::Two, H);
            assert!((solid_fraction(&kernel, 0.0, 0.0).0 - 0.5).abs() < 1e-5);
            for radius_in_h in [0.2, 0.5, 2.0, f64::INFINITY] {
                let radius = radius_in_h * f64::from(H);
                for distance_in_h in [0.1, 0.3, 0.6, 0.9] {
                    let d = distance_in_h * f64::from(H);
                    let at = |d: f64| solid_fraction(&kernel, d as Real, (1.0 / radius) as Real);
                    let error = f64::from(at(d).0) - over_the_plane(&kernel, d, radius);
                    assert!(error.abs() < 3e-4, "{kind:?} R {radius_in_h} h, d {distance_in_h} h");
                    if kind != KernelKind::Mueller {
                        let step = 0.01 * f64::from(H);
                        let rise = f64::from(at(d + step).0 - at(d - step).0) / (2.0 * step);
                        let error = (rise - f64::from(at(d).1)) * f64::from(H);
                        assert!(error.abs() < 3e-3, "{kind:?} slope {error}");
                    }
                }
            }
        }
    }

    fn plane(normal: Point, distance_in_h: f64) -> NearSolid {
        let distance = (distance_in_h * f64::from(H)) as Real;
        NearSolid { normal: rounded(&normal), distance, curvature: 0.0 }
    }

    /// Error of the combined part of half-spaces, given by normals and distances in h.
    fn plane_error(samples: &[(Point, f64)], planes: &[(Point, f64)]) -> f64 {
        let near: Vec<_> = planes.iter().map(|&(n, d)| plane(n, d)).collect();
        let ours = SolidFraction::of(&cubic(H), &near).fraction;
        let exact =
            quadrature(samples, |p| planes.iter().any(|(n, d)| n.dot(p) < -d * f64::from(H)));
        f64::from(ours) - exact
    }

    #[test]
    fn edges_corners_and_slits_count_their_overlap_once() {
        let samples = samples();
        let distances = [(0.25, 0.25), (0.25, 0.35), (0.25, 0.5), (0.3, 0.3), (0.4, 0.4)];
        for degrees in [60.0_f64, 75.0, 90.0, 105.0, 120.0, 150.0, 180.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turned = Point::new(sin, 0.0, cos);
            for (a, b) in distances {
                let error = plane_error(&samples, &[(Point::z(), a), (turned, b)]);
                assert!(error.abs() < 0.01, "{degrees}° at {a} h and {b} h: {error}");
            }
        }
        for [a, b, c] in [[0.25; 3], [0.3; 3], [0.25, 0.25, 0.4], [0.4, 0.25, 0.25]] {
            let walls = [(Point::x(), a), (Point::y(), b), (Point::z(), c)];
            let error = plane_error(&samples, &walls);
            assert!(error.abs() < 0.01, "corner {a} {b} {c}: {error}");
            // With the opposite wall of a slit.
            let slit = [walls[0], walls[1], walls[2], (-Point::z(), 0.3)];
            let error = plane_error(&samples, &slit);
            assert!(error.abs() < 0.01, "slit {a} {b} {c}: {error}");
        }
    }

    #[test]
    fn touching_spheres_and_spheres_on_a_wall_add_up() {
        let samples = samples();
        let h = f64::from(H);
        for radius_in_h in [0.5, 1.0, 2.0, 5.0, 20.0] {
            let radius = radius_in_h * h;
            let ball = |x: f64| Sphere {
                centre: rounded(&Point::new(x, 0.5, radius)),
                radius: radius as Real,
            };
            let domain = Aabb::new(Vec3::zeros(), Vec3::new(3.0, 3.0, 3.0));
            let balls = vec![ball(0.5 - radius), ball(0.5 + radius)];
            let solids = Solids::new(domain, balls, vec![]);
            let is_solid = |p: &Point| {
                let hit = |s: &Sphere| (p - exact(&s.centre)).norm() < f64::from(s.radius);
                p.z < 0.0 || solids.spheres.iter().any(hit)
            };
            // In the gap over the two, touching both; and beside one, touching it and the floor.
            let r = 0.25 * h;
            let rise = ((radius + r).powi(2) - radius * radius).sqrt();
            let aside = ((radius + r).powi(2) - (radius - r).powi(2)).sqrt();
            let over = Point::new(0.5, 0.5, radius + rise);
            let beside = Point::new(0.5 + radius + aside, 0.5, r);
            for x in [over, beside] {
                let mut near = vec![];
                solids.near(&[0, 1], &rounded(&x), H, &mut near);
                let ours = f64::from(SolidFraction::of(&cubic(H), &near).fraction);
                let expected = quadrature(&samples, |p| is_solid(&(p + x)));
                let error = (ours - expected).abs();
                assert!(error < 0.015, "R {radius_in_h} h at height {}: {ours} {expected}", x.z);
            }
        }
    }

    #[test]
    fn a_round_mesh_counts_once_from_outside_and_from_inside() {
        let samples = samples();
        let (h, centre) = (f64::from(H), Point::new(0.5, 0.5, 0.5));
        let domain = Aabb::new(Vec3::zeros(), Vec3::new(1.0, 1.0, 1.0));
        // Outside, a plane is too much by the curvature; inside a cavity, planes are too little.
        for (radius_in_h, bound) in [(3.0, 0.04), (8.0, 0.02)] {
            let radius = radius_in_h * h;
            let mesh = sphere_mesh(&rounded(&centre), radius as Real, 3);
            let solids = Solids::new(domain, vec![], vec![mesh]);
            let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
            let mut random = Random::new(14);
            for k in 0..40 {
                let gap = random.number(0.25, 0.6) * h * if k % 2 == 0 { 1.0 } else { -1.0 };
                let x = centre + random.direction() * (radius + gap);
                let mut near = vec![];
                solids.near(&objects, &rounded(&x), H, &mut near);
                let ours = f64::from(SolidFraction::of(&cubic(H), &near).fraction);
                let expected =
                    quadrature(&samples, |p| ((p + x - centre).norm() < radius) == (gap > 0.0));
                let error = (ours - expected).abs();
                assert!(error < bound, "R {radius_in_h} h, gap {gap}: {ours} {expected} {near:?}");
            }
        }
    }

    #[test]
    fn the_gradient_is_the_derivative_over_planes() {
        let kernel = cubic(H);
        let normals = [[0.0, 0.0, 1.0], [0.8, 0.0, -0.6], [0.36, 0.48, 0.8], [-0.6, 0.8, 0.0]];
        let at = |x: &Point| {
            let near = normals.map(|n| plane(Point::from(n), 0.35 + Point::from(n).dot(x)));
            SolidFraction::of(&kernel, &near)
        };
        let step = 0.01;
        for axis in 0..3 {
            let mut e = Point::zeros();
            e[axis] = step;
            let difference = (at(&e).fraction - at(&-e).fraction) / (2.0 * step as Real * H);
            let slope = at(&Point::zeros()).gradient[axis];
            assert!((difference - slope).abs() * H < 2e-3, "{axis}: {difference} {slope}");
        }
    }
}
