//! Interpolation on a grid of two coordinates, with a gradient that is the value's derivative.
//!
//! Cubic splines in both directions: their slopes at the knots make a bicubic of each cell
//! (Hermite), which continues smoothly from one cell to the next.

/// Values of one coordinate at which a grid has entries, ascending.
pub type Knots = Vec<f64>;

/// What a grid tells of a place: the value, and its derivatives in both coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub value: f64,
    pub by_u: f64,
    pub by_t: f64,
}

/// A function of u and t by its values at the knots.
#[derive(Clone, Debug)]
pub struct Grid {
    u: Knots,
    t: Knots,
    /// By u, then t: the value, its slopes in u and in t, and that in both.
    entries: Vec<[f64; 4]>,
}

/// Slopes in u at the first and last u for each t, and in t at the first t for each u; at the last
/// t all slopes in t are 0.
pub struct EndSlopes {
    pub in_u: [Vec<f64>; 2],
    pub in_t: Vec<f64>,
}

impl Grid {
    /// A grid of these values, by u, then t.
    pub fn new(u: Knots, t: Knots, values: &[f64], ends: &EndSlopes) -> Self {
        let (rows, columns) = (u.len(), t.len());
        let mut entries: Vec<[f64; 4]> =
            values.iter().map(|value| [*value, 0.0, 0.0, 0.0]).collect();
        for k in 0..columns {
            let along: Vec<f64> = (0..rows).map(|i| entries[i * columns + k][0]).collect();
            let found = slopes(&u, &along, [ends.in_u[0][k], ends.in_u[1][k]]);
            found
                .into_iter()
                .enumerate()
                .for_each(|(i, slope)| entries[i * columns + k][1] = slope);
        }
        for i in 0..rows {
            let row = i * columns..(i + 1) * columns;
            let [along, turned] = [0, 1]
                .map(|which| entries[row.clone()].iter().map(|e| e[which]).collect::<Vec<_>>());
            let of_value = slopes(&t, &along, [ends.in_t[i], 0.0]);
            let of_slope = slopes(&t, &turned, [first_slope(&t, &turned), 0.0]);
            for ((entry, a), b) in entries[row].iter_mut().zip(of_value).zip(of_slope) {
                (entry[2], entry[3]) = (a, b);
            }
        }
        Grid { u, t, entries }
    }

    /// The value at a place, which lies between the first and last knots.
    pub fn at(&self, u: f64, t: f64) -> Value {
        let (i, x, du) = cell(&self.u, u);
        let (k, y, dt) = cell(&self.t, t);
        let columns = self.t.len();
        let (along, across) = (hermite(x, du), hermite(y, dt));
        let mut found = Value { value: 0.0, by_u: 0.0, by_t: 0.0 };
        for (a, along) in along.iter().enumerate() {
            for (b, across) in across.iter().enumerate() {
                let [value, in_u, in_t, in_both] = self.entries[(i + a) * columns + k + b];
                let of = |p: [f64; 2], q: [f64; 2]| {
                    p[0] * (q[0] * value + q[1] * in_t) + p[1] * (q[0] * in_u + q[1] * in_both)
                };
                found.value += of(along[0], across[0]);
                found.by_u += of(along[1], across[0]);
                found.by_t += of(along[0], across[1]);
            }
        }
        found
    }
}

/// The interval of a place, the part of it before the place, and its length.
fn cell(knots: &[f64], x: f64) -> (usize, f64, f64) {
    let last = knots.len() - 2;
    let k = knots.partition_point(|knot| *knot <= x).saturating_sub(1).min(last);
    let length = knots[k + 1] - knots[k];
    (k, (x - knots[k]) / length, length)
}

/// For each end of an interval the weights of its value and its slope, and their derivatives.
fn hermite(x: f64, length: f64) -> [[[f64; 2]; 2]; 2] {
    let y = 1.0 - x;
    let first = [
        [y * y * (1.0 + 2.0 * x), x * y * y * length],
        [-6.0 * x * y / length, y * (1.0 - 3.0 * x)],
    ];
    let last = [
        [x * x * (3.0 - 2.0 * x), -x * x * y * length],
        [6.0 * x * y / length, x * (3.0 * x - 2.0)],
    ];
    [first, last]
}

/// The slope at the first knot of the parabola through three.
fn first_slope(knots: &[f64], values: &[f64]) -> f64 {
    let [Some(first), Some(second)] = [1, 2].map(|k| {
        let rise = values.get(k)? - values[0];
        Some((knots[k] - knots[0], rise / (knots[k] - knots[0])))
    }) else {
        return 0.0;
    };
    (first.1 * second.0 - second.1 * first.0) / (second.0 - first.0)
}

/// The slopes at the knots of the cubic spline through `values` that starts and ends with `ends`.
fn slopes(knots: &[f64], values: &[f64], ends: [f64; 2]) -> Vec<f64> {
    let last = knots.len() - 1;
    let mut found = vec![0.0; last + 1];
    (found[0], found[last]) = (ends[0], ends[1]);
    // Thomas' algorithm on λ m₋ + 2 m + μ m₊ = 3 (λ s₋ + μ s₊), s the slopes of the chords.
    let chord = |k: usize| (values[k + 1] - values[k]) / (knots[k + 1] - knots[k]);
    let mut upper = vec![0.0; last + 1];
    for k in 1..last {
        let (before, after) = (knots[k] - knots[k - 1], knots[k + 1] - knots[k]);
        let share = after / (before + after);
        let right = 3.0 * (share * chord(k - 1) + (1.0 - share) * chord(k));
        let pivot = 2.0 - share * upper[k - 1];
        upper[k] = (1.0 - share) / pivot;
        found[k] = (right - share * found[k - 1]) / pivot;
    }
    for k in (1..last).rev() {
        found[k] -= upper[k] * found[k + 1];
    }
    found
}
