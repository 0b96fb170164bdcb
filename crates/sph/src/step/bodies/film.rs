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
use std::collections::BTreeSet;

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
            let near = order[k + 1..].iter().take_while(|j| along(**j) - along(i) <= reach);
            for &j in near {
                let is_near = (places[j as usize] - x).norm_squared() <= reach * reach;
                if is_near && normals[j as usize].dot(&n) > -0.5 {
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
        let (mut rows, mut rim) = (Vec::with_capacity(covered.len()), Vec::new());
        let mut edge = BTreeSet::new();
        let closest = CLOSEST * self.graph.reach;
        for (number, &sample) in covered.iter().enumerate() {
            let (x, normal) = (&self.places[sample], &self.normals[sample]);
            let mut row = Row { sample, diagonal: 0.0, links: Vec::new() };
            for other in self.graph.neighbors(sample) {
                let way = self.places[other] - x;
                let square = way.norm_squared().max(closest * closest);
                let weight = self.sizes[sample] * self.sizes[other] / square;
                row.diagonal += weight;
                if let Ok(slot) = covered.binary_search(&other) {
                    row.links.push((slot as u32, weight));
                    continue;
                }
                edge.insert(other);
                if is_wet(other) {
                    let foot = self.places[other] - normal * way.dot(normal);
                    rim.push(RimLink { row: number, weight, sample: other, foot });
                }
            }
            rows.push(row);
        }
        (!rim.is_empty()).then_some(Film { rows, rim, edge: edge.len() })
    }

    /// The covered samples to which a way over covered ones leads from water, sorted.
    fn reached(
        &self,
        is_wet: &impl Fn(usize) -> bool,
        is_covered: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let count = self.places.len();
        let mut is_known: Vec<bool> = (0..count).map(is_wet).collect();
        let mut reached: Vec<usize> = (0..count).filter(|it| is_known[*it]).collect();
        let wet = reached.len();
        let mut next = 0;
        while let Some(&sample) = reached.get(next) {
            next += 1;
            for other in self.graph.neighbors(sample) {
                if !std::mem::replace(&mut is_known[other], true) && is_covered(other) {
                    reached.push(other);
                }
            }
        }
        let mut covered = reached.split_off(wet);
        covered.sort_unstable();
        covered
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
        let mut rhs = vec![0.0; self.rows.len()];
        for (link, pressure) in self.rim.iter().zip(at_rim) {
            rhs[link.row] += link.weight * pressure;
        }
        let samples = self.rows.iter().map(|row| row.sample);
        samples.zip(self.solved(rhs)).collect()
    }

    /// How a sum Σ a p over the covered samples changes with the pressure at each link of the rim,
    /// by the factors a of samples.
    pub fn adjoint(&self, factor: impl Fn(usize) -> f64) -> Vec<f64> {
        let solved = self.solved(self.rows.iter().map(|row| factor(row.sample)).collect());
        self.rim.iter().map(|link| link.weight * solved[link.row]).collect()
    }

    /// The solution of the rows with a right-hand side, by conjugate gradients scaled by the
    /// diagonal. Parts of the film without a rim get nothing.
    fn solved(&self, mut residual: Vec<f64>) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scaled = |residual: &[f64]| -> Vec<f64> {
            residual.iter().zip(&self.rows).map(|(r, row)| r / row.diagonal).collect()
        };
        let mut solution = vec![0.0; self.rows.len()];
        let mut direction = scaled(&residual);
        let mut size = dot(&residual, &direction);
        let enough = TOLERANCE * TOLERANCE * size;
        for _ in 0..self.rows.len() {
            if size <= enough {
                break;
            }
            let products = self.rows.iter().zip(&direction).map(|(row, own)| {
                let linked = row.links.iter().map(|(j, w)| w * direction[*j as usize]);
                row.diagonal * own - linked.sum::<f64>()
            });
            let product: Vec<f64> = products.collect();
            let step = size / dot(&direction, &product);
            solution.iter_mut().zip(&direction).for_each(|(p, x)| *p += step * x);
            residual.iter_mut().zip(&product).for_each(|(r, x)| *r -= step * x);
            let next = scaled(&residual);
            let [last, now] = [size, dot(&residual, &next)];
            size = now;
            direction.iter_mut().zip(&next).for_each(|(x, next)| *x = next + now / last * *x);
        }
        solution
    }
}
