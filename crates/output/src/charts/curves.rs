//! Curves: what was measured over time, and how it compares with a reference.

/// Points (x, y) in ascending order of x, with a straight line between neighbours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    points: Vec<[f64; 2]>,
}

/// Shifts that are tried in the first round; the best of them is refined.
const SHIFTS: usize = 400;
/// Rounds of refinement, each of a tenth of the step before.
const ROUNDS: usize = 4;

impl Curve {
    /// A curve through points in ascending order of x.
    pub fn new(points: Vec<[f64; 2]>) -> Self {
        debug_assert!(points.is_sorted_by(|a, b| a[0] <= b[0]));
        Curve { points }
    }

    /// Two columns of comma-separated values, named by their header; lines that begin with `#` are
    /// passed over, and so are rows without two numbers.
    pub fn from_csv(text: &str, x: &str, y: &str) -> Self {
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let header = reader.headers().cloned().unwrap_or_default();
        let column = |name: &str| header.iter().position(|column| column == name);
        let (Some(x), Some(y)) = (column(x), column(y)) else { return Curve::default() };
        let number = |row: &csv::StringRecord, i: usize| row.get(i)?.trim().parse::<f64>().ok();
        let point = |row: csv::StringRecord| Some([number(&row, x)?, number(&row, y)?]);
        Curve::new(reader.records().filter_map(|row| point(row.ok()?)).collect())
    }

    /// The points.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The part from `from` to `to`, ends included.
    pub fn part(&self, from: f64, to: f64) -> Curve {
        let within = |p: &&[f64; 2]| (from..=to).contains(&p[0]);
        Curve { points: self.points.iter().filter(within).copied().collect() }
    }

    /// The curve with a function of each point in its place, which keeps the order of x.
    pub fn map(&self, change: impl Fn([f64; 2]) -> [f64; 2]) -> Curve {
        Curve::new(self.points.iter().map(|&p| change(p)).collect())
    }

    /// y at x; `None` beyond the ends.
    pub fn at(&self, x: f64) -> Option<f64> {
        let after = self.points.partition_point(|p| p[0] < x);
        let &[x1, y1] = self.points.get(after)?;
        if x1 == x {
            return Some(y1);
        }
        let &[x0, y0] = self.points.get(after.checked_sub(1)?)?;
        Some(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    }

    /// The first x at which y is above a threshold; NaN if it never is.
    pub fn first_above(&self, threshold: f64) -> f64 {
        self.points.iter().find(|p| p[1] > threshold).map_or(f64::NAN, |p| p[0])
    }

    /// The mean of y over the points; NaN if there are none.
    pub fn mean(&self) -> f64 {
        self.points.iter().map(|p| p[1]).sum::<f64>() / self.points.len() as f64
    }

    /// The slope of the straight line through the points with the least squares; NaN for fewer
    /// than two.
    pub fn slope(&self) -> f64 {
        let count = self.points.len() as f64;
        let mean = |k: usize| self.points.iter().map(|p| p[k]).sum::<f64>() / count;
        let (x, y) = (mean(0), mean(1));
        let product = |k: usize| {
            let terms = self.points.iter().map(|p| (p[0] - x) * (p[k] - [x, y][k]));
            terms.sum::<f64>()
        };
        product(1) / product(0)
    }

    /// The largest y; NaN if there are no points.
    pub fn largest(&self) -> f64 {
        self.points.iter().map(|p| p[1]).fold(f64::NAN, f64::max)
    }

    /// Root of the mean square of its distance from a reference, at the reference's points, when
    /// it is moved by `shift` along x; NaN if it does not reach over all of them.
    pub fn rms(&self, reference: &Curve, shift: f64) -> f64 {
        let square = |p: &[f64; 2]| self.at(p[0] - shift).map(|y| (y - p[1]) * (y - p[1]));
        let squares: Option<f64> = reference.points.iter().map(square).sum();
        squares.map_or(f64::NAN, |sum| (sum / reference.points.len() as f64).sqrt())
    }

    /// The shift along x of at most `most` either way with the least [`Curve::rms`], and that.
    ///
    /// An experiment's gate takes time to open: its clock starts at no certain moment.
    pub fn best_shift(&self, reference: &Curve, most: f64) -> (f64, f64) {
        let mut best = (0.0, self.rms(reference, 0.0));
        let (mut middle, mut step) = (0.0, 2.0 * most / SHIFTS as f64);
        for _ in 0..=ROUNDS {
            for k in 0..=SHIFTS {
                let shift = middle + (k as f64 - SHIFTS as f64 / 2.0) * step;
                let rms = self.rms(reference, shift);
                // Also where the curve unshifted does not reach over the reference.
                if shift.abs() <= most && (rms < best.1 || best.1.is_nan()) {
                    best = (shift, rms);
                }
            }
            (middle, step) = (best.0, 0.1 * step);
        }
        best
    }

    /// The mean distance between upward crossings of a level; NaN for fewer than two.
    pub fn period(&self, level: f64) -> f64 {
        let crossing = |pair: &[[f64; 2]]| {
            let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
            (y0 < level && y1 >= level).then(|| x0 + (x1 - x0) * (level - y0) / (y1 - y0))
        };
        let crossings: Vec<f64> = self.points.windows(2).filter_map(crossing).collect();
        match crossings[..] {
            [first, .., last] => (last - first) / (crossings.len() - 1) as f64,
            _ => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function at the given number of points from 0 to 10.
    fn sampled(n: usize, y: impl Fn(f64) -> f64) -> Curve {
        let point = |k: usize| 10.0 * k as f64 / (n - 1) as f64;
        Curve::new((0..n).map(|k| [point(k), y(point(k))]).collect())
    }

    #[test]
    fn between_points_a_curve_is_straight_and_beyond_them_nothing() {
        let curve = Curve::new(vec![[1.0, 10.0], [2.0, 20.0], [4.0, 0.0]]);
        let found = [0.9, 1.0, 1.5, 2.0, 3.0, 4.0, 4.1].map(|x| curve.at(x));
        let y = [10.0, 15.0, 20.0, 10.0, 0.0].map(Some);
        assert_eq!(found, [None, y[0], y[1], y[2], y[3], y[4], None]);
        assert_eq!(Curve::default().at(0.0), None);
        assert_eq!(curve.part(1.5, 4.0).points(), [[2.0, 20.0], [4.0, 0.0]]);
        assert_eq!(curve.map(|[x, y]| [2.0 * x, y + 1.0]).at(4.0), Some(21.0));
    }

    #[test]
    fn thresholds_means_and_largest_values() {
        let curve = Curve::new(vec![[0.0, 0.0], [1.0, 5.0], [2.0, 7.0], [3.0, 1.0]]);
        assert_eq!((curve.first_above(4.9), curve.first_above(5.0)), (1.0, 2.0));
        assert!(curve.first_above(7.0).is_nan());
        assert_eq!((curve.mean(), curve.largest()), (13.0 / 4.0, 7.0));
        assert!(Curve::default().mean().is_nan() && Curve::default().largest().is_nan());
    }

    #[test]
    fn the_distance_from_a_reference_is_its_root_mean_square() {
        let line = sampled(11, |x| 2.0 * x);
        let reference = Curve::new(vec![[0.5, 1.0 + 3.0], [2.5, 5.0 - 3.0], [7.0, 14.0]]);
        assert!((line.rms(&reference, 0.0) - 6f64.sqrt()).abs() < 1e-12);
        // Moved by 1 to the right, the line is lower by 2.
        assert!((line.rms(&sampled(5, |x| 2.0 * x).part(1.0, 9.0), 1.0) - 2.0).abs() < 1e-12);
        assert!(line.rms(&Curve::new(vec![[10.5, 0.0]]), 0.0).is_nan(), "beyond the end");
        assert!(line.rms(&Curve::default(), 0.0).is_nan(), "nothing to compare with");
    }

    #[test]
    fn a_shift_is_found_and_bounded() {
        let wave = |x: f64| (0.9 * x).sin();
        let curve = sampled(2000, wave);
        let late = sampled(40, |x| wave(x - 0.3217)).part(1.0, 9.0);
        let (shift, rms) = curve.best_shift(&late, 0.5);
        assert!((shift - 0.3217).abs() < 1e-4 && rms < 1e-4, "{shift}, {rms}");
        let (shift, rms) = curve.best_shift(&late, 0.2);
        assert!((shift - 0.2).abs() < 1e-9 && rms > 0.01, "{shift}, {rms}");
        // Without a shift it does not reach over the reference.
        let ahead = sampled(40, wave).map(|[x, y]| [x + 0.25, y]);
        let (shift, rms) = curve.best_shift(&ahead, 0.5);
        assert!((shift - 0.25).abs() < 1e-3 && rms < 1e-3, "{shift}, {rms}");
    }

    #[test]
    fn a_period_is_that_of_the_crossings() {
        let wave = sampled(301, |x| 3.0 + (std::f64::consts::TAU * x / 1.7).cos());
        assert!((wave.period(3.0) - 1.7).abs() < 1e-3, "{}", wave.period(3.0));
        assert!(wave.period(5.0).is_nan(), "no crossing");
        assert!(wave.part(0.0, 2.0).period(3.0).is_nan(), "one crossing");
    }

    #[test]
    fn the_slope_is_that_of_the_straight_line() {
        let curve = Curve::new(vec![[0.0, 1.0], [1.0, 4.0], [3.0, 8.0], [4.0, 11.0]]);
        assert!((curve.slope() - 2.4).abs() < 1e-12, "{}", curve.slope());
        assert!(curve.part(0.0, 0.5).slope().is_nan());
    }

    #[test]
    fn columns_are_read_by_their_names() {
        let text = "# source: nobody, 2026\nt,a,b\n0,1,2\n# between\n0.5,3,none\n1, 5,6\n";
        assert_eq!(Curve::from_csv(text, "t", "a").points(), [[0.0, 1.0], [0.5, 3.0], [1.0, 5.0]]);
        assert_eq!(Curve::from_csv(text, "t", "b").points(), [[0.0, 2.0], [1.0, 6.0]]);
        assert_eq!(Curve::from_csv(text, "t", "c"), Curve::default());
    }
}
