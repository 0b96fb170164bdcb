//! The curvature of a surface between particles.
//!
//! With n the gradient of a colour that changes across the surface (1 on the side that it points
//! to), and n̂ its direction where it is steep enough to have one:
//!
//! - κᵢ = (D − 1) bᵢ/(1 + bᵢ s̄ᵢ),  bᵢ = Σⱼ wⱼ sᵢⱼ (n̂ⱼ − n̂ᵢ)·xᵢⱼ / Σⱼ wⱼ sᵢⱼ tᵢⱼ²
//!
//! with tᵢⱼ² = xᵢⱼ² − (½(n̂ᵢ + n̂ⱼ)·xᵢⱼ)² what of xᵢⱼ lies along the surface. Both sums are over
//! the neighbours with a normal, as in Morris 2000, eq. 20; but what normalises the divergence
//! there, Σ V W, depends on how thick the layer of those neighbours is. Here each pair on a sphere,
//! a and b from its centre, gives 2/(a + b) exactly. That is the curvature where the two are. The
//! surface lies deeper or higher: s̄ᵢ is the mean depth of the pairs below it, weighed by tᵢⱼ², by
//! which the radius is longer.
//!
//! Then κ is smoothed along the sheet, as the noise of single particles would drive currents
//! (*spurious currents*): by means S over a particle and its neighbours, and then sharpened, as
//! long waves lose by them and by the kernel, too:
//!
//! - κ ← (1 + γ) Sᵖκ − γ Sᵖ⁺ᑫκ
//!
//! ([`Smoothing`]; van Cittert 1931).
//!
//! Symbols: κ positive where what n points to is convex \[1/m\], D dimensions, w weight of a
//! normal \[–\], s = W′(r)/r \[1/m⁵\], x place \[m\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::pair_sum::{self, PairSum, displacement, dot};
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Length, Real, Vec3, parallel};
use hashfall_solid::SolidLayers;

/// |n| from which on a particle takes a curvature from its neighbours, over the same \[–\].
const FAINTEST: Real = 0.01;

/// No surface is bent more than this, in 1/d for each direction along it.
const MAX_CURVATURE: Real = 2.0;

/// How a curvature is smoothed.
#[derive(Clone, Copy, Debug)]
pub struct Smoothing {
    /// p: passes, each a mean over neighbours.
    pub passes: u32,
    /// q: further passes that it is sharpened against.
    pub coarse_passes: u32,
    /// γ \[–\].
    pub sharpening: Real,
}

impl Smoothing {
    /// So many passes alone.
    pub const fn by_passes(passes: u32) -> Self {
        Smoothing { passes, coarse_passes: 0, sharpening: 0.0 }
    }
}

/// A surface as the particles near it see it.
pub trait Sheet: Sync {
    /// |n| up to which a normal has no direction, and from which on it counts in full, over that in
    /// the first layer of a flat surface \[–\]. A threshold that is much lower lets deeper layers
    /// take part with what is mere noise in them, one that is higher leaves out parts of the first.
    fn faint(&self) -> [Real; 2] {
        [0.25, 0.5]
    }

    /// n: the gradient of the colour at particle `i` \[1/m\].
    fn gradient(&self, i: usize) -> Vec3;

    /// n̂ for the curvature at particle `i`, of the direction of the gradient there.
    fn direction(&self, _i: usize, along: Vec3) -> Vec3 {
        along
    }

    /// How deep below the surface particle `i` lies, on the side that n points to \[m\].
    fn depth(&self, _i: usize) -> Real {
        0.0
    }
}

/// Finds curvatures; keeps its buffers between steps.
#[derive(Debug)]
pub struct Curvature {
    isa: Isa,
    /// |n| in the first layer of a flat surface \[1/m\].
    steepest: Real,
    /// n̂ and w.
    normals: Vec<Block>,
    found: Vec<Real>,
    /// κ before it is smoothed once more.
    before: Vec<Real>,
}

impl Curvature {
    /// Found with this instruction set, of surfaces whose other side adds as these layers do.
    pub fn new(isa: Isa, layers: &SolidLayers, d: Real) -> Self {
        let steepest = -layers.sums(0.5 * d, 0.0).slope;
        Curvature { isa, steepest, normals: Vec::new(), found: Vec::new(), before: Vec::new() }
    }

    /// Finds the curvature of a sheet at all particles, and smooths it.
    pub fn find(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        sheet: &impl Sheet,
        smoothing: Smoothing,
    ) {
        let n = world.particles.len();
        self.found.resize(n, 0.0);
        self.note_normals(world, pairs, sheet);
        let sum = Bend { pairs };
        pair_sum::for_all(self.isa, &neighborhood.lists, pairs, &sum, &mut self.found);
        let directions = Real::from(world.dimension.count() - 1);
        let most = MAX_CURVATURE / world.spacing();
        parallel::fill(&mut self.found, |_, found| {
            *found = directions * found.clamp(-most, most);
        });
        self.smooth(world, neighborhood, pairs, sheet, smoothing.passes);
        if smoothing.coarse_passes > 0 {
            self.before.clone_from(&self.found);
            self.smooth(world, neighborhood, pairs, sheet, smoothing.coarse_passes);
            let before = &self.before;
            parallel::fill(&mut self.found, |i, found| {
                *found = before[i] + smoothing.sharpening * (before[i] - *found);
            });
        }
    }

    /// Takes so many smoothing passes of κ along the sheet.
    fn smooth(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        sheet: &impl Sheet,
        passes: u32,
    ) {
        let faintest = FAINTEST * self.steepest;
        let self_slope = world.kernel().slope_over_r(0.0);
        for _ in 0..passes {
            let (normals, found) = (&self.normals, &self.found);
            pairs.set_vectors(|i| {
                let [x, y, z, _] = normals[i];
                [x, y, z, found[i]]
            });
            let is_far = |i: usize| sheet.gradient(i).norm_squared() < faintest * faintest;
            let sum = Smooth { pairs, self_slope, is_far };
            pair_sum::for_all(self.isa, &neighborhood.lists, pairs, &sum, &mut self.found);
        }
    }

    /// κ of the last sheet at a particle \[1/m\]; 0 far from it.
    #[inline]
    pub fn bent(&self, i: usize) -> Real {
        self.found[i]
    }

    /// Adds to κ, by particle and the weight of its normal \[1/m\].
    pub fn add(&mut self, more: impl Fn(usize, Real) -> Real + Sync) {
        let normals = &self.normals;
        parallel::fill(&mut self.found, |i, found| *found += more(i, normals[i][3]));
    }

    /// Scales κ where it is below 0, by particle.
    pub fn scale_concave(&mut self, scale: impl Fn(usize) -> Real + Sync) {
        parallel::fill(&mut self.found, |i, found| {
            if *found < 0.0 {
                *found *= scale(i);
            }
        });
    }

    /// n̂ at a particle; zero where it has none.
    #[inline]
    pub fn normal(&self, i: usize) -> Vec3 {
        let [x, y, z, _] = self.normals[i];
        Vec3::new(x, y, z)
    }

    /// The gradient at a particle, turned to the direction that the last sheet gave it there.
    #[inline]
    pub fn turned(&self, i: usize, gradient: Vec3) -> Vec3 {
        let [x, y, z, weight] = self.normals[i];
        if weight > 0.0 { Vec3::new(x, y, z) * gradient.length() } else { gradient }
    }

    /// How much the normal of a particle counted at the last sheet \[–\].
    #[inline]
    pub fn weight(&self, i: usize) -> Real {
        self.normals[i][3]
    }

    fn note_normals(&mut self, world: &World, pairs: &mut PairData, sheet: &impl Sheet) {
        let p = &world.particles;
        let [none, full] = sheet.faint().map(|faint| faint * self.steepest);
        self.normals.resize(p.len(), Block::default());
        parallel::fill(&mut self.normals, |i, block| {
            let gradient = sheet.gradient(i);
            let size = gradient.length();
            let weight = ((size - none) / (full - none)).clamp(0.0, 1.0);
            let normal =
                if weight > 0.0 { sheet.direction(i, gradient / size) } else { Vec3::zeros() };
            *block = [normal.x, normal.y, normal.z, weight];
        });
        let normals = &self.normals;
        pairs.set_scalars(|i| normals[i][3]);
        pairs.set_vectors(|i| {
            let [x, y, z, _] = normals[i];
            [x, y, z, sheet.depth(i)]
        });
    }
}

/// How much the surface is bent, on average over the directions along it.
struct Bend<'a> {
    pairs: &'a PairData,
}

/// Σ w s of (n̂ⱼ − n̂ᵢ)·x, t² and t² (sᵢ + sⱼ), with s the depths.
impl PairSum<8, 3> for Bend<'_> {
    type Out = Real;

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        self.pairs.point(i)[3] == 0.0
    }

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], particle: &[V; 8], other: &[V; 8], slope: V) {
        let x = displacement(particle, other);
        let turn = [other[4] - particle[4], other[5] - particle[5], other[6] - particle[6]];
        let both = [other[4] + particle[4], other[5] + particle[5], other[6] + particle[6]];
        let across = dot(both, x) * 0.5;
        let along = dot(x, x) - across * across;
        let weight = slope * other[3];
        sums[0] += weight * dot(turn, x);
        sums[1] += weight * along;
        sums[2] += weight * along * (particle[7] + other[7]);
    }

    #[inline(always)]
    fn finish(&self, _: usize, [turn, along, depths]: [Real; 3], out: &mut Real) {
        // Slopes, and so the sums of squares, are negative.
        if along >= 0.0 {
            *out = 0.0;
            return;
        }
        let (bent, depth) = (turn / along, 0.5 * depths / along);
        // Bent inwards more than its depth tells it is noise.
        *out = bent / (1.0 + bent * depth).max(0.5);
    }
}

/// The mean of κ, weighed by −w s, over a particle and its neighbours.
struct Smooth<'a, F> {
    pairs: &'a PairData,
    /// s of a particle with itself.
    self_slope: Real,
    /// Whether a particle sees nothing of the sheet.
    is_far: F,
}

impl<F: Fn(usize) -> bool + Sync> PairSum<8, 2> for Smooth<'_, F> {
    type Out = Real;

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        (self.is_far)(i)
    }

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 2], _: &[V; 8], other: &[V; 8], slope: V) {
        let weight = slope * other[3];
        sums[0] += weight * other[7];
        sums[1] += weight;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [sum, weights]: [Real; 2], out: &mut Real) {
        let ([.., weight], [.., bent]) = (self.pairs.point(i), self.pairs.vector(i));
        let self_weight = self.self_slope * weight;
        let weights = weights + self_weight;
        *out = if weights < 0.0 && !self.is_inactive(i) {
            (sum + self_weight * bent) / weights
        } else {
            0.0
        };
    }
}
