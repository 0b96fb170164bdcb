//! The kernel over a solid of revolution, by quadrature over its surface.
//!
//! λ = ∮ F(r) (−n·r̂)/r² dA, with F of [`crate::integral::mesh_integral`], is taken as rings: over
//! the meridian, and for each of its points over the angle φ about the axis. With m the distance of
//! the particle from the ring at its nearest,
//!
//! - r² = m² + 2ρρ′ (1 − cos φ)
//! - −n·(y − x) = ζ − n_ρ ρ (1 − cos φ), with ζ the particle's height over the plane at φ = 0
//!
//! The integrand peaks where the ring is near, within m/√(ρρ′). φ = 2w v/(1 − v²) with that width w
//! takes the peak away, as over edges of triangles, and likewise along the meridian; then Gauss'
//! rules converge fast. What is beyond the support radius is left out exactly.
//!
//! Of a solid that is thinner than particles see, only the surface that the particle sees counts,
//! ζ > n_ρ ρ (1 − cos φ), with all behind it ([`crate::integral::cone`]).
//!
//! Symbols: x particle, y place on the surface, n its normal, ρ, ρ′ their distances from the axis
//! \[m\], h support radius \[m\].

use super::gauss;
use super::meridian::{Part, Shape, normal_at};
use crate::integral::plane_table::PlaneTable;
use std::f64::consts::{PI, TAU};

/// Nodes along the meridian, and about the axis.
const NODES: [usize; 2] = [24, 20];

/// A peak is no narrower than this part of the distance to a part of the meridian.
const MIN_WIDTH: f64 = 0.05;

/// A peak wider than this is none \[–\].
const MAX_WIDTH: f64 = 10.0;

/// Integrates the kernel over a solid of revolution.
pub struct Quadrature<'a> {
    table: &'a PlaneTable,
    parts: &'a [Part],
    /// Whether only what is seen counts, with all behind it.
    is_opaque: bool,
    rules: [Vec<(f64, f64)>; 2],
}

/// A point of the meridian.
struct Ring {
    at: [f64; 2],
    normal: [f64; 2],
}

impl<'a> Quadrature<'a> {
    pub fn new(table: &'a PlaneTable, parts: &'a [Part], is_opaque: bool) -> Self {
        Quadrature { table, parts, is_opaque, rules: NODES.map(gauss::rule) }
    }

    /// λ of a particle outside at (z, ρ) \[–\].
    pub fn fraction(&self, [z, rho]: [f64; 2]) -> f64 {
        let at = [z, rho.abs()];
        let surfaces = self.parts.iter().filter(|part| part.has_surface());
        surfaces.map(|part| self.of_part(part, at)).sum()
    }

    fn of_part(&self, part: &Part, at: [f64; 2]) -> f64 {
        let h = self.table.reach();
        let place = part.place(at);
        if place.t.abs() >= h || (self.is_opaque && place.t <= 0.0) {
            return 0.0;
        }
        match part.shape {
            Shape::Side { origin, along } => {
                let reach = (h * h - place.t * place.t).sqrt();
                let range =
                    [part.range[0].max(place.u - reach), part.range[1].min(place.u + reach)];
                let beside = place.u - place.u.clamp(part.range[0], part.range[1]);
                let distance = (place.t * place.t + beside * beside).sqrt();
                let width = place.t.abs().max(MIN_WIDTH * distance);
                let normal = [-along[1], along[0]];
                self.over(range, place.u, width, |u| {
                    let ring = [0, 1].map(|k| origin[k] + along[k] * u);
                    self.of_ring(&Ring { at: ring, normal }, at)
                })
            }
            Shape::Arc { center, radius } => {
                let far = radius + place.t;
                let square = far * radius;
                let mut part_of_turn = (h * h - place.t * place.t) / (4.0 * square);
                if self.is_opaque {
                    part_of_turn = part_of_turn.min(0.5 * (1.0 - radius / far));
                }
                let reach = angle_of(part_of_turn);
                let range =
                    [part.range[0].max(place.u - reach), part.range[1].min(place.u + reach)];
                let width = (place.t.abs() / square.sqrt()).min(MAX_WIDTH);
                radius
                    * self.over(range, place.u, width, |theta| {
                        let normal = normal_at(theta);
                        let ring = [0, 1].map(|k| center[k] + radius * normal[k]);
                        self.of_ring(&Ring { at: ring, normal }, at)
                    })
            }
        }
    }

    /// Integrates over a range of u in which there is a peak of this width at `peak`.
    fn over(
        &self,
        [first, last]: [f64; 2],
        peak: f64,
        width: f64,
        value: impl Fn(f64) -> f64,
    ) -> f64 {
        if first >= last {
            return 0.0;
        }
        let to_v = |u: f64| to_v((u - peak) / width);
        let (from, to) = (to_v(first), to_v(last));
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let mut sum = 0.0;
        for &(x, weight) in &self.rules[0] {
            // Where what is seen ends, it ends as a root does: steps vanish there.
            let (x, stretch) = match self.is_opaque {
                true => (0.5 * x * (3.0 - x * x), 1.5 * (1.0 - x * x)),
                false => (x, 1.0),
            };
            let v = middle + half * x;
            sum += weight * stretch * rise(v) * value(peak + width * from_v(v));
        }
        sum * half * width
    }

    /// The integral about the axis, for each metre of the meridian.
    fn of_ring(&self, ring: &Ring, [z, rho]: [f64; 2]) -> f64 {
        let (h, [along, aside], n) = (self.table.reach(), ring.at, ring.normal);
        let (dz, dr) = (along - z, aside - rho);
        let (square, product) = (dz * dz + dr * dr, rho * aside);
        let height = -(n[0] * dz + n[1] * dr);
        let falling = n[1] * rho;
        let mut part_of_turn = (h * h - square) / (4.0 * product);
        if self.is_opaque {
            part_of_turn = part_of_turn.min(0.5 * height / falling);
        }
        if square >= h * h || part_of_turn <= 0.0 || (self.is_opaque && height <= 0.0) {
            return 0.0;
        }
        let end = angle_of(part_of_turn);
        let width = (square / product).sqrt().min(MAX_WIDTH);
        let half = 0.5 * to_v(end / width);
        let mut sum = 0.0;
        for (x, weight) in &self.rules[1] {
            let v = half * (1.0 + x);
            let sin = libm::sin(0.5 * width * from_v(v));
            let away = 2.0 * sin * sin;
            let square = square + 2.0 * product * away;
            let r = square.sqrt();
            let [value, slope] = self.table.at(r);
            sum +=
                weight * rise(v) * (value - r * slope) / (square * r) * (height - falling * away);
        }
        // Twice, for both sides of the plane through the particle.
        2.0 * aside * sum * half * width / TAU
    }
}

/// v of 2v/(1 − v²) = `x`.
fn to_v(x: f64) -> f64 {
    x / (1.0 + (1.0 + x * x).sqrt())
}

/// 2v/(1 − v²).
fn from_v(v: f64) -> f64 {
    2.0 * v / (1.0 - v * v)
}

/// Its derivative.
fn rise(v: f64) -> f64 {
    let rest = 1.0 - v * v;
    2.0 * (1.0 + v * v) / (rest * rest)
}

/// The angle whose half has this sine squared; a half turn if it is more than 1.
fn angle_of(part_of_turn: f64) -> f64 {
    if part_of_turn < 1.0 { 2.0 * libm::asin(part_of_turn.max(0.0).sqrt()) } else { PI }
}
