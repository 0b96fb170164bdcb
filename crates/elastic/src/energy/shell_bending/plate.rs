//! The bending energy of a shell by the angles at its edges, in which the rotations of the middles
//! of edges are eliminated.
//!
//! The plate element of Morley (1971), in the angles of Grinspun, Gingold, Reisman & Zorin 2006,
//! *Computing Discrete Shape Operators on General Meshes*: a triangle's curvature is constant,
//! κ = Σᵢ aᵢ (lᵢ/A) nᵢnᵢᵀ over its edges, where aᵢ is by how much the surface turns from the
//! triangle to the middle of edge i. Its energy is (D A/2) ((1 − ν) |κ|² + ν (tr κ)²) = aᵀ K a/2,
//! with K_ij = (D lᵢlⱼ/A) ((1 − ν)(nᵢ·nⱼ)² + ν). An edge at which the surface bends by θ turns by
//! θ/2 + δ on one side, and by θ/2 − δ on the other. The δ have no mass: they make the energy
//! minimal, min over δ of Σ aᵀ K a/2 = θᵀ H θ/2. At a free edge there is δ alone, so that no moment
//! acts across it; beside a triangle that is held, which does not bend, all of θ is on the other
//! side: the edge is clamped.
//!
//! Why: with δ = 0 (the rotation of an edge is the mean of its two sides) plates are too stiff, by
//! an amount that no refinement takes away: frequencies by 45 % on a mesh of crossed diagonals, 23
//! % on an irregular one. A fit of a quadratic to a triangle and its neighbours is exact for
//! constant curvature, and too soft. With δ eliminated errors fall with the square of the edges, on
//! any mesh. `docs/elastic.md` has the figures.
//!
//! The minimum is approached by [`STEPS`] steps of Chebyshev's iteration, δ = −S b(θ), always the
//! same polynomial S of the matrix of δ (which does not depend on the size of the mesh), and H is
//! that of the energy with this δ: symmetric and positive, so that forces are the slope of one
//! energy, to rounding.
//!
//! Symbols: D = E t³/(12 (1 − ν²)) flexural rigidity \[N·m\], t thickness \[m\], A area \[m²\], lᵢ
//! length \[m\] and nᵢ normal of an edge within its triangle, θ, δ, a angles, H, K \[N·m\].

use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Steps of the iteration: the error of δ is below 3 %, and that of the energy below 0.1 %.
const STEPS: usize = 8;

/// The largest eigenvalue over the smallest that the iteration aims at.
const SPREAD: f64 = 15.0;

/// An edge of a triangle, at which a = weight · θ + share · δ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// Its edge.
    pub edge: u32,
    pub weight: f64,
    pub share: f64,
}

/// What couples an edge to itself and to the four other edges of its triangles.
#[derive(Clone, Copy, Debug)]
struct Row {
    edges: [u32; 5],
    /// Of θ with θ, at δ = 0.
    theta: [f64; 5],
    /// Of δ with θ, and of θ with δ.
    mixed: [f64; 5],
    transposed: [f64; 5],
    /// Of δ with δ.
    delta: [f64; 5],
    /// 1 over the first of `delta`; 0 where there is no δ.
    inverse: f64,
}

/// H.
#[derive(Clone, Debug)]
pub struct Plate {
    rows: Vec<Row>,
    /// At least the largest eigenvalue of the matrix of δ, scaled to ones on its diagonal.
    largest: f64,
}

/// Vectors over the edges.
#[derive(Clone, Debug, Default)]
pub struct PlateMemory {
    b: Vec<f64>,
    delta: Vec<f64>,
    residual: Vec<f64>,
    correction: Vec<f64>,
    step: Vec<f64>,
    next: Vec<f64>,
}

/// K of a triangle, edge i facing corner i.
pub fn triangle_stiffness(x: &[Point; 3], rigidity: f64, poisson_ratio: f64) -> Matrix3<f64> {
    let edges: [Point; 3] = std::array::from_fn(|i| x[(i + 2) % 3] - x[(i + 1) % 3]);
    let area = 0.5 * edges[0].cross(&edges[1]).norm();
    Matrix3::from_fn(|i, j| {
        let lengths = edges[i].norm() * edges[j].norm();
        let cosine = edges[i].dot(&edges[j]) / lengths;
        let shape = (1.0 - poisson_ratio) * cosine * cosine + poisson_ratio;
        rigidity * lengths / area * shape
    })
}

impl Row {
    fn of_edge(edge: usize) -> Self {
        let none = [0.0; 5];
        Row {
            edges: [edge as u32; 5],
            theta: none,
            mixed: none,
            transposed: none,
            delta: none,
            inverse: 0.0,
        }
    }

    fn product(&self, of: &[f64; 5], vector: &[f64]) -> f64 {
        let terms = of.iter().zip(&self.edges);
        terms.map(|(value, edge)| value * vector[*edge as usize]).sum()
    }
}

impl Plate {
    /// Of triangles with these matrices and sides.
    pub fn new(stiffness: &[Matrix3<f64>], sides: &[[Side; 3]], edge_count: usize) -> Self {
        let mut rows: Vec<Row> = (0..edge_count).map(Row::of_edge).collect();
        let mut used = vec![1; edge_count];
        for (k, sides) in stiffness.iter().zip(sides) {
            for (i, own) in sides.iter().enumerate() {
                let (row, used) = (&mut rows[own.edge as usize], &mut used[own.edge as usize]);
                for (j, other) in sides.iter().enumerate() {
                    let at = if i == j { 0 } else { *used };
                    *used += usize::from(i != j);
                    row.edges[at] = other.edge;
                    row.theta[at] += own.weight * k[(i, j)] * other.weight;
                    row.mixed[at] += own.share * k[(i, j)] * other.weight;
                    row.transposed[at] += own.weight * k[(i, j)] * other.share;
                    row.delta[at] += own.share * k[(i, j)] * other.share;
                }
            }
        }
        let mut largest: f64 = 1.0;
        for row in &mut rows {
            let diagonal = row.delta[0];
            if diagonal > 0.0 {
                row.inverse = 1.0 / diagonal;
                let sum: f64 = row.delta.iter().map(|x| x.abs()).sum();
                largest = largest.max(sum / diagonal);
            }
        }
        Plate { rows, largest }
    }

    /// The moments H θ \[N·m\].
    pub fn moments(&self, theta: &[f64], memory: &mut PlateMemory, out: &mut [f64]) {
        let PlateMemory { b, delta, residual, correction, step, next } = memory;
        for vector in [&mut *b, delta, residual, correction, step, next] {
            vector.resize(self.rows.len(), 0.0);
        }
        let rows = &self.rows;
        parallel::fill(b, |edge, b| *b = -rows[edge].product(&rows[edge].mixed, theta));
        self.solve(b, delta, step, next);
        // The energy's slope at this δ is not yet zero; δ changes with θ.
        parallel::fill(residual, |edge, r| {
            *r = rows[edge].product(&rows[edge].delta, delta) - b[edge];
        });
        self.solve(residual, correction, step, next);
        parallel::fill(delta, |edge, delta| *delta -= correction[edge]);
        parallel::fill(out, |edge, moment| {
            let row = &rows[edge];
            *moment = row.product(&row.theta, theta) + row.product(&row.transposed, delta);
        });
    }

    /// x = S r: Chebyshev's iteration from zero for the matrix of δ.
    fn solve(&self, r: &[f64], x: &mut Vec<f64>, step: &mut [f64], next: &mut Vec<f64>) {
        let (middle, half) =
            (0.5 * self.largest * (1.0 + 1.0 / SPREAD), 0.5 * self.largest * (1.0 - 1.0 / SPREAD));
        let sigma = middle / half;
        let mut rho = 1.0 / sigma;
        parallel::fill_both(step, x, |edge, step, x| {
            *step = r[edge] * self.rows[edge].inverse / middle;
            *x = *step;
        });
        for _ in 1..STEPS {
            let rho_next = 1.0 / (2.0 * sigma - rho);
            let (old, new) = (rho_next * rho, 2.0 * rho_next / half);
            let now = &*x;
            parallel::fill_both(step, next, |edge, step, next| {
                let row = &self.rows[edge];
                let error = r[edge] - row.product(&row.delta, now);
                *step = old * *step + new * row.inverse * error;
                *next = now[edge] + *step;
            });
            std::mem::swap(x, next);
            rho = rho_next;
        }
    }
}
