//! Solids as mirrors: what the fluid's first moments and divergence take from the solids.
//!
//! Fluid goes on behind a solid as in a mirror: a particle's pressure stays, and its velocity
//! relative to the solid, across its surface, turns round. With the part gₖ = ∇λₖ of each solid k
//! in the gradient of the kernel's integral, its normal nₖ, and the distance ζₖ of its surface,
//!
//! - the mirrored fluid stands, in the mean, where the particle's own image does, 2ζₖ behind it:
//!   Σₖ 2 ζₖ |gₖ| nₖ nₖᵀ is its part of the first moment;
//! - it adds 2 (uₖ − vᵢ)·L gₖ to the divergence of v, with uₖ the velocity of the solid.
//!
//! Symbols: λ \[–\], g \[1/m\], ζ \[m\], u, v \[m/s\], L gradient correction \[–\].

use crate::step::boundary::acting_surface::ActingSurface;
use crate::step::boundary::boundary_share::BoundaryShare;
use crate::step::boundary::boundary_terms::BoundaryTerms;
use crate::step::boundary::sliding::{WallFriction, friction};
use crate::step::pairs::tensor::Tensor;
use hashfall_core::{Real, Vec3};
use hashfall_solid::{Solids, SurfaceId};

impl BoundaryTerms {
    /// Σₖ 2 ζₖ |gₖ| nₖ nₖᵀ of particle `i` \[–\].
    pub fn mirror_moment(&self, i: usize) -> Tensor {
        let mut sum = Tensor::default();
        for share in self.shares(i) {
            let weight = -2.0 * share.distance.max(0.0) * share.slope;
            sum += Tensor::outer(&share.normal) * weight;
        }
        sum
    }

    /// Σₖ f(2ζₖ) 2ζₖ nₖ of particle `i`: what its own images add to a sum of f(|xᵢⱼ|) xᵢⱼ over
    /// pairs.
    pub fn image_sum(&self, i: usize, f: impl Fn(Real) -> Real) -> Vec3 {
        let image = |share: &BoundaryShare| {
            let apart = 2.0 * share.distance.max(0.0);
            share.normal * (f(apart) * apart)
        };
        self.shares(i).iter().map(image).sum()
    }

    /// Σₖ 2 uₖ·L gₖ of particle `i` \[1/s\]: what moving solids add to the divergence. What
    /// overlaps take from ∇λ moves with the mean of the solids.
    pub fn mirror_flux(&self, i: usize, correction: &Tensor) -> Real {
        let (mut flux, mut rest) = (0.0, self.gradient[i]);
        let (mut weighed, mut weight) = (Vec3::zeros(), 0.0);
        for share in self.shares(i) {
            let g = share.normal * share.slope;
            flux += (*correction * g).dot(&share.velocity);
            rest -= g;
            weighed += share.velocity * share.slope;
            weight += share.slope;
        }
        if weight < 0.0 {
            flux += (*correction * rest).dot(&weighed) / weight;
        }
        2.0 * flux
    }

    /// The bₖ of [`Self::mirror_flux`], Σₖ uₖ·bₖ, by solid, with the velocity uₖ that it has
    /// \[1/m, m/s\].
    pub fn mirror_parts(
        &self,
        i: usize,
        correction: &Tensor,
        mut each: impl FnMut(SurfaceId, Vec3, Vec3),
    ) {
        let shares = self.shares(i);
        let g = |share: &BoundaryShare| share.normal * share.slope;
        let rest = self.gradient[i] - shares.iter().map(g).sum::<Vec3>();
        let weight: Real = shares.iter().map(|share| share.slope).sum();
        for share in shares {
            let of_rest = if weight < 0.0 { share.slope / weight } else { 0.0 };
            let part = *correction * (g(share) + rest * of_rest) * 2.0;
            each(share.surface, share.velocity, part);
        }
    }

    /// Calls `each` for each solid's part of the force −p Σₖ bₖ on particle `i` \[N/m³\].
    pub fn for_each_mirror_force(
        &self,
        i: usize,
        correction: &Tensor,
        p: Real,
        mut each: impl FnMut(ActingSurface, Vec3),
    ) {
        let surfaces = self.shares(i).iter().map(BoundaryShare::acting);
        let mut surfaces = surfaces.collect::<Vec<_>>().into_iter();
        self.mirror_parts(i, correction, |_, _, part| {
            if let Some(acting) = surfaces.next() {
                each(acting, part * -p);
            }
        });
    }

    /// Whether any solid can push particle `i`.
    pub fn can_push(&self, i: usize) -> bool {
        self.shares(i).iter().any(|share| share.slope < 0.0)
    }

    /// What friction adds to the velocity `v` \[m/s\] of particle `i` where solids push it by
    /// `push` \[m/s\] in all. `velocity` tells that of a solid, if not what is noted; `each` gets
    /// the part of each.
    pub fn friction_change(
        &self,
        i: usize,
        v: Vec3,
        push: Vec3,
        solids: &Solids,
        velocity: impl Fn(SurfaceId) -> Option<Vec3>,
        mut each: impl FnMut(&WallFriction),
    ) -> Vec3 {
        let mut total = Vec3::zeros();
        self.distribute_force(i, push, |acting, part| {
            let surface = acting.surface;
            let law = solids.contact_law(surface);
            let share = self.shares(i).iter().find(|share| share.surface == surface);
            let Some(share) = share.filter(|_| law.friction > 0.0) else { return };
            let (normal, normal_push) = (share.normal, part.dot(&share.normal).max(0.0));
            let of_solid = velocity(surface).unwrap_or(share.velocity);
            let change = friction(v - of_solid, normal, normal_push, law);
            each(&WallFriction {
                acting: acting.with_friction(normal, solids),
                change,
                normal,
                push: normal_push,
            });
            total += change;
        });
        total
    }

    /// Σₖ 2 gₖ (xₖ − xᵢ)·b of particle `i` \[b\], with xₖ the foot point of the particle on solid
    /// k: what a field that grows by `b` per metre across the surfaces adds to its own gradient.
    pub fn mirror_rise(&self, i: usize, b: &Vec3) -> Vec3 {
        let rise = |normal: &Vec3, slope: Real, distance: Real| {
            normal * (-2.0 * slope * distance.max(0.0) * normal.dot(b))
        };
        self.shares(i).iter().map(|s| rise(&s.normal, s.slope, s.distance)).sum()
    }
}
