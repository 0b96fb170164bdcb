//! The film of water beneath faces that lie on something.
//!
//! A face that is nearer to a floor, a wall or another body than a spacing has no particle in front
//! of it. In nature water stands in such a gap, be it no deeper than the faces are rough, and
//! presses as the water at its rim does: without it a block lighter than water would be held down
//! for ever by what is above. Water that creeps through a gap of even width is that of a Hele-Shaw
//! cell (Hele-Shaw 1898), whose pressure is harmonic,
//!
//! - ∇²p = 0, and at the rim p is the pressure of the water there, or 0 where it is dry.
//!
//! Here it is so on the samples of the surface: Σⱼ Aᵢ Aⱼ (pⱼ − pᵢ)/|xᵢ − xⱼ|² = 0 over the samples
//! j that are near a covered sample i, with pⱼ at the rim that of the fluid in front of j, taken
//! where j lies above or below the film. So a film holds no pressure beyond those at its rim, and
//! none where the rim is dry. That is linear in the pressures of the fluid, so that their change
//! acts by rows of B ([`super::films`]). A film takes no time to fill where it was dry.
//!
//! Symbols: p \[Pa\], x places of samples \[m\], A their parts of the surface \[m²\].

use hashfall_geometry::Point;

/// Samples of the surface that see each other along it, for each.
#[derive(Clone, Debug, Default)]
pub struct SampleGraph {
    /// Of each sample, where its neighbours begin.
    starts: Vec<u32>,
    neighbors: Vec<u32>,
    reach: f64,
}

/// The surface of a body where it is.
pub struct Surface<'a> {
    /// The samples that are near each other.
    pub graph: &'a SampleGraph,
    /// Places \[m\].
    pub places: &'a [Point],
    /// Unit normals out of the body.
    pub normals: &'a [Point],
    /// Parts of the surface \[m²\].
    pub sizes: &'a [f64],
}

/// The film beneath a body: its covered samples, and how they are linked to the rim.
#[derive(Clone, Debug)]
pub struct Film {
    rows: Vec<Row>,
    /// Where the film ends at water.
    pub rim: Vec<RimLink>,
    /// How many samples around it are not covered, wet or dry.
    edge: usize,
}

/// A covered sample: Σ w (p − pᵢ) = 0.
#[derive(Clone, Debug)]
struct Row {
    sample: usize,
    /// Σ w of all neighbours.
    diagonal: f64,
    /// Those in the film by their rows, with w.
    links: Vec<(u32, f64)>,
}

/// A covered sample beside one that water is in front of.
#[derive(Clone, Debug)]
pub struct RimLink {
    /// The row of the covered one.
    row: usize,
    weight: f64,
    /// The other one.
    pub sample: usize,
    /// Its place, moved into the plane of the film \[m\].
    pub foot: Point,
}

/// Samples count as no nearer to each other than this part of the reach: weights are bounded \[–\].
const CLOSEST: f64 = 0.25;

/// Residuals below this part of the first one are none.
const TOLERANCE: f64 = 1e-6;

impl SampleGraph {
    /// Samples within `reach` \[m\] of each other whose normals are not opposite.
    pub fn new(places: &[Point], normals: &[Point], reach: f64) -> Self {
        let extent = |axis: usize| {
            let along = || places.iter().map(|x| x[axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        let axis = (1..3).fold(0, |most, k| if extent(k) > extent(most) { k } else { most });
        let along = |sample: u32| places[sample as usize][axis];
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_by(|a, b| along(*a).total_cmp(&along(*b)));
        let mut lists = vec![Vec::new(); places.len()];
        for (k, &i) in order.iter().enumerate() {
            let (x, n) = (places[i as usize], normals[i as usize]);
            let ahead = order[k + 1..].iter().take_while(|j| along(**j) - along(i) <= reach);
            for &j in ahead {
                let is_adjacent = (places[j as usize] - x).norm_squared() <= reach * reach;
                if is_adjacent && normals[j as usize].dot(&n) > -0.5 {
                    lists[i as usize].push(j);
                    lists[j as usize].push(i);
                }
            }
        }
        let mut graph = SampleGraph { starts: vec![0], neighbors: Vec::new(), reach };
        for list in &mut lists {
            list.sort_unstable();
            graph.neighbors.extend_from_slice(list);
            graph.starts.push(graph.neighbors.len() as u32);
        }
        graph
    }

    /// How far samples beside each other are apart at most \[m\].
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The samples beside one.
    fn neighbors(&self, sample: usize) -> impl Iterator<Item = usize> {
        let range = self.starts[sample] as usize..self.starts[sample + 1] as usize;
        self.neighbors[range].iter().map(|other| *other as usize)
    }
}

impl Surface<'_> {
    /// The film of a body: the samples that are covered, as far as they hang together with a rim
    /// that is wet. None where nothing does.
    pub fn film(
        &self,
        is_wet: impl Fn(usize) -> bool,
        is_covered: impl Fn(usize) -> bool,
    ) -> Option<Film> {
        let is_wet = |sample: usize| is_wet(sample) && !is_covered(sample);
        let covered = self.reached(&is_wet, &is_covered);
        // The row of each sample, if it has one.
        let mut row_of = vec![None; self.places.len()];
        covered.iter().zip(0..).for_each(|(&sample, row)| row_of[sample] = Some(row));
        let (mut rows, mut rim) = (Vec::with_capacity(covered.len()), Vec::new());
        let mut is_edge = vec![false; self.places.len()];
        let closest = CLOSEST * self.graph.reach;
        for (number, &sample) in covered.iter().enumerate() {
            let (x, normal) = (&self.places[sample], &self.normals[sample]);
            let mut row = Row { sample, diagonal: 0.0, links: Vec::new() };
            for other in self.graph.neighbors(sample) {
                let way = self.places[other] - x;
                let square = way.norm_squared().max(closest * closest);
                let weight = self.sizes[sample] * self.sizes[other] / square;
                row.diagonal += weight;
                if let Some(of_other) = row_of[other] {
                    row.links.push((of_other, weight));
                    continue;
                }
                is_edge[other] = true;
                if is_wet(other) {
                    let foot = self.places[other] - normal * way.dot(normal);
                    rim.push(RimLink { row: number, weight, sample: other, foot });
                }
            }
            rows.push(row);
        }
        let edge = is_edge.into_iter().filter(|is_edge| *is_edge).count();
        (!rim.is_empty()).then_some(Film { rows, rim, edge })
    }

    /// The covered samples to which a way over covered ones leads from water, sorted.
    fn reached(
        &self,
        is_wet: &impl Fn(usize) -> bool,
        is_covered: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let count = self.places.len();
        // Of a body few samples are covered, and many are wet.
        let mut is_open: Vec<bool> = (0..count).map(is_covered).collect();
        let covered = (0..count).filter(|sample| is_open[*sample]);
        let mut reached: Vec<usize> =
            covered.filter(|it| self.graph.neighbors(*it).any(is_wet)).collect();
        reached.iter().for_each(|sample| is_open[*sample] = false);
        let mut next = 0;
        while let Some(&sample) = reached.get(next) {
            next += 1;
            for other in self.graph.neighbors(sample) {
                if std::mem::replace(&mut is_open[other], false) {
                    reached.push(other);
                }
            }
        }
        reached.sort_unstable();
        reached
    }
}

impl Film {
    /// The covered samples.
    pub fn samples(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|row| row.sample)
    }

    /// How many samples are around it, over the covered ones \[–\].
    pub fn rim_share(&self) -> f64 {
        self.edge as f64 / self.rows.len() as f64
    }

    /// The covered samples with their pressures, by those at the links of the rim \[Pa\].
    pub fn pressures(&self, at_rim: impl IntoIterator<Item = f64>) -> Vec<(usize, f64)> {
        let mut rhs = vec![[0.0]; self.rows.len()];
        for (link, pressure) in self.rim.iter().zip(at_rim) {
            rhs[link.row][0] += link.weight * pressure;
        }
        let samples = self.rows.iter().map(|row| row.sample);
        samples.zip(self.solved(rhs)).map(|(sample, [pressure])| (sample, pressure)).collect()
    }

    /// How sums Σ a p over the covered samples change with the pressure at each link of the rim, by
    /// the factors a of samples in each sum.
    pub fn adjoint<const N: usize>(&self, factors: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
        let solved = self.solved(self.rows.iter().map(|row| factors(row.sample)).collect());
        self.rim.iter().map(|link| solved[link.row].map(|sum| link.weight * sum)).collect()
    }

    /// The solutions of the rows with N right-hand sides, each by conjugate gradients scaled by the
    /// diagonal: side by side, as reading the links takes most of the time. Parts of the film
    /// without a rim get nothing.
    fn solved<const N: usize>(&self, mut residual: Vec<[f64; N]>) -> Vec<[f64; N]> {
        let mut solution = vec![[0.0; N]; self.rows.len()];
        let mut direction = self.scaled(&residual);
        let mut size = dots(&residual, &direction);
        let enough = size.map(|size| TOLERANCE * TOLERANCE * size);
        for _ in 0..self.rows.len() {
            let goes_on: [bool; N] = std::array::from_fn(|n| size[n] > enough[n]);
            if goes_on == [false; N] {
                break;
            }
            let product = self.products(&direction);
            let along = dots(&direction, &product);
            let step: [f64; N] =
                std::array::from_fn(|n| if goes_on[n] { size[n] / along[n] } else { 0.0 });
            add(&mut solution, step, &direction);
            add(&mut residual, step.map(|step| -step), &product);
            let next = self.scaled(&residual);
            let now = dots(&residual, &next);
            // What is solved stays so.
            let ratio: [f64; N] =
                std::array::from_fn(|n| if goes_on[n] { now[n] / size[n] } else { 0.0 });
            for (x, next) in direction.iter_mut().zip(&next) {
                *x = std::array::from_fn(|n| next[n] + ratio[n] * x[n]);
            }
            size = now;
        }
        solution
    }

    /// Residuals over the diagonals.
    fn scaled<const N: usize>(&self, residual: &[[f64; N]]) -> Vec<[f64; N]> {
        let rows = residual.iter().zip(&self.rows);
        rows.map(|(r, row)| r.map(|r| r / row.diagonal)).collect()
    }

    /// The rows' products with N columns.
    fn products<const N: usize>(&self, columns: &[[f64; N]]) -> Vec<[f64; N]> {
        let product = |(row, column): (&Row, &[f64; N])| {
            let mut linked = [0.0; N];
            for (j, weight) in &row.links {
                let other = &columns[*j as usize];
                (0..N).for_each(|n| linked[n] += weight * other[n]);
            }
            std::array::from_fn(|n| row.diagonal * column[n] - linked[n])
        };
        self.rows.iter().zip(columns).map(product).collect()
    }
}

/// The dot products of N pairs of columns.
fn dots<const N: usize>(a: &[[f64; N]], b: &[[f64; N]]) -> [f64; N] {
    let mut sums = [0.0; N];
    for (a, b) in a.iter().zip(b) {
        (0..N).for_each(|n| sums[n] += a[n] * b[n]);
    }
    sums
}

/// Adds N columns times a factor each to others.
fn add<const N: usize>(to: &mut [[f64; N]], factors: [f64; N], columns: &[[f64; N]]) {
    for (to, column) in to.iter_mut().zip(columns) {
        (0..N).for_each(|n| to[n] += factors[n] * column[n]);
    }
}
