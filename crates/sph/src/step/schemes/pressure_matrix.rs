//! The matrix of the [projection](crate::step::schemes::projection), −D ρ₀⁻¹ G + ε S, for many
//! products at the same places.
//!
//! While pressures are sought, coefficients do not change. They are written once, in the order of
//! the lists, a row of four numbers of 16 bits for each pair and operator:
//!
//! - of G: wᵢⱼ = sᵢⱼ Lⱼ xᵢⱼ, by which (G p)ᵢ = V Σⱼ wᵢⱼ pⱼ + oᵢ pᵢ, oᵢ = Lᵢ (cᵢ + 2 ∇λᵢ);
//! - of D and S: dᵢⱼ = sᵢⱼ Lᵢ xᵢⱼ and kᵢⱼ = sᵢⱼ 2/(ρ₀ᵢ + ρ₀ⱼ), by which
//!   (D a)ᵢ = V Σⱼ dᵢⱼ·(aⱼ − aᵢ) − 2 Lᵢ ∇λᵢ·aᵢ and (S p)ᵢ = V Σⱼ kᵢⱼ (pⱼ − pᵢ).
//!
//! So a product streams through rows and gathers one number of each neighbour for G, and one row,
//! (a, p), for D and S, where it would gather twelve and eight. No coefficient is off by more than
//! 3·10⁻⁵ of the largest that there may be. As dⱼᵢ = −wᵢⱼ to the last bit, and cᵢ is the sum of
//! what is written, the matrix stays symmetric, and pressures give no momentum.
//!
//! How a *known* pressure acts is found by the same rows, from differences of pressures: by those
//! of deep water, what is lost is 3·10⁻⁵ of the weight of a layer.
//!
//! Pair k of a list is added to the sums k mod 8; these are added as
//! ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)): one order for every instruction set.
//!
//! Symbols: λ \[–\], V \[m³\], p \[Pa\], s \[1/m⁵\], ρ₀ \[kg/m³\], a \[m/s²\].

use crate::step::bodies::coupling::BodyOperator;
use crate::step::pairs::moment::Moment;
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::schemes::bounded_cg::Operator;
use crate::step::schemes::pressure_operator::{STABILISATION, correction_rows};
use crate::step::schemes::pressure_rows::{ChunkRows, Coefficients, FindRows, SelfTerm, Units};
use crate::world::World;
use hashfall_core::Real;
use hashfall_core::parallel::{self, CHUNK, chunks_mut, for_parts, items_mut};
use hashfall_core::simd::{F32x8, Isa, Simd, WithSimd};
use hashfall_search::ChunkLists;

/// Pairs that are added together.
const AT_ONCE: usize = 8;

/// Coefficients and results; keeps its buffers between solutions.
#[derive(Debug)]
pub struct PressureMatrix {
    isa: Isa,
    /// Whether the coefficients are those of the present places.
    is_found: bool,
    units: Units,
    rows: Vec<ChunkRows>,
    self_terms: Vec<SelfTerm>,
    /// p of particles and ghosts \[Pa\].
    argument: Vec<Real>,
    /// −ρ₀⁻¹ G p \[m/s²\] and p \[Pa\], of ghosts, too.
    pushes: Vec<Block>,
}

/// The matrix at the present places.
pub struct Matrix<'a> {
    /// Its coefficients.
    pub coefficients: &'a mut PressureMatrix,
    /// The fluids.
    pub world: &'a World,
    /// The surroundings of the particles.
    pub neighborhood: &'a Neighborhood,
    /// Points.
    pub pairs: &'a mut PairData,
    /// L.
    pub moments: &'a [Moment],
    /// What the fluid yields \[1/(Pa s²)\].
    pub yielding: Real,
    /// What bodies add that the fluid moves.
    pub bodies: Option<BodyOperator<'a>>,
}

impl PressureMatrix {
    /// No coefficients yet, with this instruction set.
    pub fn new(isa: Isa) -> Self {
        PressureMatrix {
            isa,
            is_found: false,
            units: Units::default(),
            rows: Vec::new(),
            self_terms: Vec::new(),
            argument: Vec::new(),
            pushes: Vec::new(),
        }
    }

    /// Tells that particles have moved: coefficients are found again when they are needed.
    pub fn forget(&mut self) {
        self.is_found = false;
    }

    /// Finds the coefficients, if they are not yet those of the present places. Takes vectors and
    /// extras of `pairs`.
    pub fn find(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        moments: &[Moment],
    ) {
        if std::mem::replace(&mut self.is_found, true) {
            return;
        }
        let (n, particles) = (moments.len(), &world.particles);
        let rest_density = |i: usize| world.fluids[usize::from(particles.phase[i])].rest_density;
        pairs.set_both(|i| correction_rows(&moments[i], rest_density(i)));
        self.units = Units::new(world);
        self.rows.resize_with(n.div_ceil(CHUNK), ChunkRows::default);
        self.self_terms.resize(n, SelfTerm::default());
        let (isa, units, blocks) = (self.isa, self.units, pairs.blocks());
        let parts = (chunks_mut(&mut self.self_terms, CHUNK), items_mut(&mut self.rows));
        for_parts(parts, |chunk, (self_terms, rows)| {
            let (first, lists) = (chunk * CHUNK, neighborhood.lists.chunk(chunk));
            rows.resize(lists.range(self_terms.len() - 1).end);
            for (i, self_term) in (first..).zip(&mut *self_terms) {
                // Nothing pushes what is in a nozzle.
                let is_free = particles.in_nozzle[i] == 0;
                self_term.gradient[3] = if is_free { -1.0 / rest_density(i) } else { 0.0 };
            }
            isa.run(FindRows {
                first,
                lists,
                blocks,
                units,
                neighborhood,
                moments,
                rows,
                self_terms,
            });
        });
    }

    /// The coefficients of the pairs of each chunk, and their units.
    pub fn rows(&self) -> (&[ChunkRows], Units) {
        (&self.rows, self.units)
    }

    /// What particles have by themselves; nothing if coefficients are not those of the present
    /// places.
    pub fn known_self_terms(&self) -> &[SelfTerm] {
        if self.is_found { &self.self_terms } else { &[] }
    }

    /// What particles have by themselves.
    pub fn self_terms(&self) -> &[SelfTerm] {
        &self.self_terms
    }

    /// −ρ₀⁻¹ G p \[m/s²\] and p \[Pa\] of each particle, of the last argument.
    pub fn pushes(&self) -> &[Block] {
        &self.pushes
    }

    /// What no pressure does.
    pub fn push_nothing(&mut self, n: usize) {
        self.pushes.clear();
        self.pushes.resize(n, Block::default());
    }
}

impl Matrix<'_> {
    /// Finds −ρ₀⁻¹ G p of the argument.
    pub fn push(&mut self) {
        let Matrix { coefficients, neighborhood, pairs, .. } = self;
        let PressureMatrix { isa, units, rows, self_terms, argument, pushes, .. } =
            &mut **coefficients;
        let (n, unit) = (self_terms.len(), neighborhood.volume * units.gradient);
        pushes.resize(pairs.row_count(), Block::default());
        parallel::fill_chunks(&mut pushes[..n], &|chunk, out| {
            let (first, lists) = (chunk * CHUNK, neighborhood.lists.chunk(chunk));
            let rows = &rows[chunk].gradient;
            isa.run(Push { first, lists, rows, self_terms, argument, unit, out });
        });
        pairs.copy_to_ghosts(pushes);
    }
}

impl Operator for Matrix<'_> {
    fn set_argument<T: Send>(
        &mut self,
        items: &mut [T],
        entries: impl Fn(usize, &mut [T], &mut [Real]) + Sync,
    ) {
        let Matrix { coefficients, world, neighborhood, pairs, moments, .. } = self;
        coefficients.find(world, neighborhood, pairs, moments);
        coefficients.argument.resize(pairs.row_count(), 0.0);
        let (argument, images) = coefficients.argument.split_at_mut(items.len());
        let parts = (chunks_mut(items, CHUNK), chunks_mut(argument, CHUNK));
        for_parts(parts, |chunk, (items, argument)| entries(chunk * CHUNK, items, argument));
        let offsets = pairs.ghosts().offsets();
        parallel::fill(images, |k, x| *x = argument[offsets[k].0 as usize]);
    }

    fn multiply<F: Send>(
        &mut self,
        out: &mut [Real],
        folds: &mut [F],
        take: impl Fn(usize, &mut [Real]) -> F + Sync,
    ) {
        self.push();
        self.diverge(out, folds, take);
    }
}

impl Matrix<'_> {
    /// Finds D of what was pushed last, S of its pressures, and what yields to them.
    pub fn diverge<F: Send>(
        &mut self,
        out: &mut [Real],
        folds: &mut [F],
        take: impl Fn(usize, &mut [Real]) -> F + Sync,
    ) {
        let Matrix { coefficients, neighborhood, yielding, bodies, .. } = self;
        let PressureMatrix { isa, units, rows, self_terms, argument, pushes, .. } = &**coefficients;
        if let Some(bodies) = bodies {
            bodies.respond(argument);
        }
        let bodies = bodies.as_ref();
        let volume = neighborhood.volume;
        let units = [volume * units.gradient, STABILISATION * volume * units.jump];
        parallel::fill_chunks_with(out, folds, &|chunk, out, fold| {
            let (first, lists) = (chunk * CHUNK, neighborhood.lists.chunk(chunk));
            let (rows, yielding) = (&rows[chunk].divergence, *yielding);
            isa.run(Diverge { first, lists, rows, self_terms, pushes, units, yielding, out });
            if let Some(bodies) = bodies {
                bodies.add(chunk, out);
            }
            *fold = take(first, out);
        });
    }
}

/// Two rows of numbers of particles, by their places. Closures are not inlined for sure.
trait Rows<I: Simd> {
    fn read(&self, simd: I, places: [usize; 2]) -> I::F32x8;
}

/// Numbers, each four times.
struct Repeated<'a>(&'a [Real]);

impl<I: Simd> Rows<I> for Repeated<'_> {
    #[inline(always)]
    fn read(&self, simd: I, [a, b]: [usize; 2]) -> I::F32x8 {
        simd.splat_rows(self.0[a], self.0[b])
    }
}

/// Blocks less those of a particle.
struct Differences<'a, V>(&'a [Block], V);

impl<I: Simd> Rows<I> for Differences<'_, I::F32x8> {
    #[inline(always)]
    fn read(&self, simd: I, [a, b]: [usize; 2]) -> I::F32x8 {
        simd.rows(&self.0[a], &self.0[b]) - self.1
    }
}

/// Σ of coefficients times the rows of neighbours; an idle one is that of particle `i`.
#[inline(always)]
fn sum_rows<I: Simd>(
    simd: I,
    i: usize,
    neighbors: &[u32],
    coefficients: &[Coefficients],
    rows: &impl Rows<I>,
) -> [Real; 4] {
    let mut sums = [simd.splat(0.0); AT_ONCE / 2];
    let (eights, rest) = neighbors.as_chunks::<AT_ONCE>();
    let (of_eights, of_rest) = coefficients.as_chunks::<AT_ONCE>();
    for (neighbors, coefficients) in eights.iter().zip(of_eights) {
        let twos = neighbors.as_chunks::<2>().0.iter().zip(coefficients.as_chunks::<2>().0);
        for ((&[a, b], coefficients), sum) in twos.zip(&mut sums) {
            *sum += simd.whole_rows(coefficients) * rows.read(simd, [a as usize, b as usize]);
        }
    }
    let twos = rest.chunks(2).zip(of_rest.chunks(2));
    for ((neighbors, coefficients), sum) in twos.zip(&mut sums) {
        let (second, coefficients) = match (neighbors, coefficients) {
            (&[_, second], &[first, other]) => (second as usize, [first, other]),
            (_, coefficients) => (i, [coefficients[0], Coefficients::default()]),
        };
        *sum += simd.whole_rows(&coefficients) * rows.read(simd, [neighbors[0] as usize, second]);
    }
    let [a, b, c, d] = sums;
    ((a + c) + (b + d)).add_rows()
}

/// G of the argument, of a chunk.
struct Push<'a> {
    first: usize,
    lists: &'a ChunkLists,
    rows: &'a [Coefficients],
    self_terms: &'a [SelfTerm],
    argument: &'a [Real],
    /// V times that of the coefficients.
    unit: Real,
    out: &'a mut [Block],
}

impl WithSimd for Push<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let Push { first, lists, rows, self_terms, argument, unit, out } = self;
        for (k, out) in out.iter_mut().enumerate() {
            let (i, (neighbors, _)) = (first + k, lists.pairs(k));
            let rows = &rows[lists.range(k)];
            let [x, y, z, _] = sum_rows(simd, i, neighbors, rows, &Repeated(argument));
            let (p, [u, v, w, minus_inverse]) = (argument[i], self_terms[i].gradient);
            let a = [x * unit + u * p, y * unit + v * p, z * unit + w * p];
            *out = [a[0] * minus_inverse, a[1] * minus_inverse, a[2] * minus_inverse, p];
        }
    }
}

/// D of what was pushed, S of the pressures, and what yields, of a chunk.
struct Diverge<'a> {
    first: usize,
    lists: &'a ChunkLists,
    rows: &'a [Coefficients],
    self_terms: &'a [SelfTerm],
    pushes: &'a [Block],
    /// V times that of d, and ε V times that of k.
    units: [Real; 2],
    yielding: Real,
    out: &'a mut [Real],
}

impl WithSimd for Diverge<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, simd: I) {
        let Diverge { first, lists, rows, self_terms, pushes, units, yielding, out } = self;
        for (k, out) in out.iter_mut().enumerate() {
            let (i, (neighbors, _)) = (first + k, lists.pairs(k));
            let rows = &rows[lists.range(k)];
            let differences = Differences(pushes, simd.rows(&pushes[i], &pushes[i]));
            let [x, y, z, jumps] = sum_rows(simd, i, neighbors, rows, &differences);
            let ([u, v, w, p], walls) = (pushes[i], &self_terms[i].walls);
            let by_walls = walls.x * u + walls.y * v + walls.z * w;
            *out = (x + y + z) * units[0] - by_walls + jumps * units[1] + yielding * p;
        }
    }
}

#[cfg(test)]
mod tests;
