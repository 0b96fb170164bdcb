//! What the particles of a fluid look like to sums: how many are within the support radius, and
//! how far a flat surface leans a sum.
//!
//! A full neighbourhood has 4/3 π (h/d)³ particles, in the plane π (h/d)².
//!
//! Symbols: h support radius \[m\], d spacing of the particles \[m\].

use hashfall_core::{Dimension, PI, Real, Vec3};

/// Terms of the series of a circular segment: those left out are below 1e-9.
const SEGMENT_TERMS: u32 = 18;

/// How fine a fluid is resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Space or plane.
    pub dimension: Dimension,
    /// Spacing d of the particles \[m\].
    pub spacing: Real,
    /// Support radius h of their kernel \[m\].
    pub support_radius: Real,
}

impl Resolution {
    /// Particles within the support radius of a place in the fluid.
    pub fn full_count(&self) -> Real {
        let ratio = self.support_radius / self.spacing;
        match self.dimension {
            Dimension::Two => PI * ratio * ratio,
            Dimension::Three => 4.0 / 3.0 * PI * ratio * ratio * ratio,
        }
    }

    /// The sum of `weight(r/h)` over the neighbours on a cubic lattice.
    pub(crate) fn lattice_sum(&self, weight: impl Fn(Real) -> Real) -> Real {
        self.neighbours().map(|x| weight(x.norm())).sum()
    }

    /// How far the sum Σ (x/h) (1 − r²/h²)² leans at the flat surface of a cubic lattice.
    pub(crate) fn lean_of_plane(&self) -> Real {
        let below = self.neighbours().filter(|x| x.z < 0.0);
        below.map(|x| -x.z * square(1.0 - x.norm_squared())).sum()
    }

    /// The offsets of the neighbours of a particle of a cubic lattice, in h.
    fn neighbours(&self) -> impl Iterator<Item = Vec3> {
        let (step, is_plane) =
            (self.spacing / self.support_radius, self.dimension == Dimension::Two);
        let reach = (1.0 / step).ceil() as i32;
        let along = move || -reach..=reach;
        let all = along().flat_map(move |i| {
            along().flat_map(move |j| along().map(move |k| [i, j, k].map(|c| c as Real)))
        });
        let in_space = all.filter(move |c| !is_plane || c[1] == 0.0);
        let offsets = in_space.map(move |c| Vec3::from(c) * step);
        offsets.filter(|x| x.norm_squared() < 1.0 && *x != Vec3::zeros())
    }
}

/// The share of a ball of radius h, in the plane of a disc, that lies beyond a flat wall at
/// `distance` \[in h\] from its centre.
///
/// Of a ball it is (1 − s)² (2 + s) / 4, of a disc (acos s − s √(1 − s²)) / π: with w = 1 − s that
/// is 4/π w^(3/2) ∫₀¹ u² √(2 − w u²) du, whose binomial series is the same on any platform.
pub(crate) fn cap_share(dimension: Dimension, distance: Real) -> Real {
    let s = distance.clamp(0.0, 1.0);
    let w = 1.0 - s;
    if dimension == Dimension::Three {
        return square(w) * (2.0 + s) / 4.0;
    }
    let (mut power, mut sum) = (1.0, 0.0);
    for k in 0..SEGMENT_TERMS {
        let k = k as Real;
        sum += power / (2.0 * k + 3.0);
        power *= (k - 0.5) / (k + 1.0) * (0.5 * w);
    }
    4.0 * (2.0 * w).sqrt() / PI * w * sum
}

/// x².
pub(crate) fn square(x: Real) -> Real {
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_neighbourhood_has_the_count_of_the_paper_at_two_spacings() {
        let resolution =
            Resolution { dimension: Dimension::Three, spacing: 0.5, support_radius: 1.0 };
        let full = resolution.full_count();
        assert!((full - 33.5).abs() < 0.1);
        assert_eq!(resolution.lattice_sum(|_| 1.0), 26.0, "the ball is open");
        let plane = Resolution { dimension: Dimension::Two, ..resolution };
        assert_eq!(plane.lattice_sum(|_| 1.0), 8.0);
        assert!(plane.lean_of_plane() > 0.0);
    }

    #[test]
    fn a_cap_is_half_a_ball_at_its_centre_and_nothing_at_its_end() {
        let ball = |s: Real| cap_share(Dimension::Three, s);
        assert_eq!([0.0, -1.0, 1.0, 2.0].map(ball), [0.5, 0.5, 0.0, 0.0]);
        // By Cavalieri: ∫ π (1 − z²) dz over 4/3 π.
        let slices = 10_000;
        let area = |k: i32| 1.0 - square(0.3 + 0.7 * (k as Real + 0.5) / slices as Real);
        let sum: Real = (0..slices).map(area).sum::<Real>() * 0.7 / slices as Real;
        assert!((ball(0.3) - sum * 0.75).abs() < 1e-4);
    }

    #[test]
    fn in_the_plane_a_cap_is_the_segment_of_a_disc() {
        for k in 0..=100 {
            let s = f64::from(k) / 100.0;
            let exact = (s.acos() - s * (1.0 - s * s).sqrt()) / std::f64::consts::PI;
            let found = f64::from(cap_share(Dimension::Two, s as Real));
            assert!((found - exact).abs() < 1e-6, "{s}: {found} is not {exact}");
        }
        assert_eq!([1.0, 2.0].map(|s| cap_share(Dimension::Two, s)), [0.0; 2]);
    }
}
