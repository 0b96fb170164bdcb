//! The meridian of a cylinder or a cone: half of a trapezoid.
//!
//! The solid is convex, so a place's nearest point lies in its own half of the plane through the
//! axis. Outside it is the nearest one of the three sides; inside it is the foot on the nearest of
//! their lines, as it is in any convex polygon.
//!
//! Symbols: z place along the axis, ρ distance from it \[m\].

/// Radii at the start and the end of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frustum {
    pub length: f64,
    pub radius: f64,
    pub tip_radius: f64,
}

/// The nearest point of a meridian, relative to the place, and whether the place is inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestOnMeridian {
    /// Unit normal outwards (z, ρ).
    pub normal: [f64; 2],
    /// Distance, negative inside \[m\].
    pub distance: f64,
}

impl Frustum {
    /// The unit normal of the side (z, ρ).
    pub fn side_normal(&self) -> [f64; 2] {
        let slant = self.slant();
        [(self.radius - self.tip_radius) / slant, self.length / slant]
    }

    /// The length of the side \[m\].
    pub fn slant(&self) -> f64 {
        let fall = self.radius - self.tip_radius;
        (fall * fall + self.length * self.length).sqrt()
    }

    /// The nearest point to (z, ρ).
    #[inline]
    pub fn nearest(&self, z: f64, rho: f64) -> NearestOnMeridian {
        let &Frustum { length, radius, tip_radius } = self;
        let [nz, nr] = self.side_normal();
        let to_side = (rho - radius) * nr + z * nz;
        let heights = [-z, z - length, to_side];
        let normals = [[-1.0, 0.0], [1.0, 0.0], [nz, nr]];
        let highest = if heights[0] >= heights[1] { 0 } else { 1 };
        let highest = if heights[2] >= heights[highest] { 2 } else { highest };
        if heights[highest] <= 0.0 {
            return NearestOnMeridian { normal: normals[highest], distance: heights[highest] };
        }
        // Along the side from the rim at the start.
        let slant = self.slant();
        let s = (z * nr - (rho - radius) * nz).clamp(0.0, slant);
        let on_side = [s * nr, radius - s * nz];
        let candidates =
            [[0.0, rho.min(radius)], [length, rho.min(tip_radius)], on_side].map(|p| {
                let away = [z - p[0], rho - p[1]];
                (away, away[0] * away[0] + away[1] * away[1])
            });
        let mut best = 2;
        for k in [0, 1] {
            if candidates[k].1 < candidates[best].1 {
                best = k;
            }
        }
        let (away, square) = candidates[best];
        // Over a side the height is more exact than the difference of two places.
        let is_over_side = best == 2 && s > 0.0 && s < slant;
        let is_over_end = best < 2 && rho <= [radius, tip_radius][best];
        if is_over_side || is_over_end {
            return NearestOnMeridian { normal: normals[best], distance: heights[best] };
        }
        let distance = square.sqrt();
        if distance <= 1e-14 * (length + radius + tip_radius) {
            return NearestOnMeridian { normal: normals[highest], distance };
        }
        NearestOnMeridian { normal: away.map(|c| c / distance), distance }
    }

    /// Its volume turned about the axis \[m³\].
    pub fn volume(&self) -> f64 {
        let (a, b) = (self.radius, self.tip_radius);
        std::f64::consts::PI / 3.0 * self.length * (a * a + a * b + b * b)
    }
}
