//! Motions from a table of measured positions, with continuous velocity.
//!
//! Each of four numbers, the shift along x, y and z \[m\] and the degrees \[°\], is a cubic on each
//! interval between two times, with the measured values at its ends and slopes sᵢ there, so that
//! the velocity is continuous (cubic Hermite interpolation). The slopes are those of the cubic
//! spline, whose acceleration is continuous too (de Boor 1978, A practical guide to splines, §IV):
//!
//! sᵢ₋₁/hᵢ₋₁ + 2 (1/hᵢ₋₁ + 1/hᵢ) sᵢ + sᵢ₊₁/hᵢ = 3 (Δᵢ₋₁/hᵢ₋₁ + Δᵢ/hᵢ).
//!
//! A smooth motion is met to fourth order in h. Deviations, where a spline would swing around the
//! record:
//!
//! - Where two successive values are equal the body rests between them: both slopes are 0. But not
//!   at a turning point that lies in the middle of two: where it comes slower and slower, and goes
//!   back faster and faster.
//! - Before the first time and after the last the body rests at the first and the last value, and
//!   the slopes there are 0. Only a record that begins at or before t = 0 may begin in motion: its
//!   first slope is that of the parabola through the first three values.
//!
//! Symbols: hᵢ length of interval i \[s\], Δᵢ its mean rate, sᵢ slope at its start.

use hashfall_geometry::Point;

/// The numbers of a row: shift along x, y and z \[m\], degrees \[°\].
pub const CHANNELS: usize = 4;

/// Before a turning point rates fall by more than this from one interval to the next: by 2 on a
/// parabola, and not at all where a body comes at a constant speed and stops.
const SLOWS: f64 = 1.25;

/// A recorded motion, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Ascending \[s\].
    times: Vec<f64>,
    rows: Vec<[f64; CHANNELS]>,
    slopes: Vec<[f64; CHANNELS]>,
}

impl Recording {
    /// The motion through rows at ascending times \[s\]; none of fewer than two rows, or of times
    /// that do not ascend.
    pub fn new(times: Vec<f64>, rows: Vec<[f64; CHANNELS]>) -> Option<Self> {
        let ascends = times.is_sorted_by(|a, b| a < b);
        if times.len() < 2 || times.len() != rows.len() || !ascends {
            return None;
        }
        let mut slopes = vec![[0.0; CHANNELS]; rows.len()];
        for channel in 0..CHANNELS {
            let values: Vec<f64> = rows.iter().map(|row| row[channel]).collect();
            let of_channel = spline_slopes(&times, &values);
            slopes.iter_mut().zip(of_channel).for_each(|(row, slope)| row[channel] = slope);
        }
        Some(Recording { times, rows, slopes })
    }

    /// The times of the record \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Whether the body leaves its place along y.
    pub fn has_y(&self) -> bool {
        self.rows.iter().any(|row| row[1] != 0.0)
    }

    /// Whether the body turns.
    pub fn has_turn(&self) -> bool {
        self.rows.iter().any(|row| row[3] != 0.0)
    }

    /// Whether its angle ever changes.
    pub(super) fn turns(&self) -> bool {
        self.rows.iter().any(|row| row[3] != self.rows[0][3])
    }

    /// Value and rate of each number at a time \[s\].
    pub(super) fn at(&self, time: f64) -> [(f64, f64); CHANNELS] {
        let next = self.times.partition_point(|&t| t <= time);
        let last = self.times.len() - 1;
        if next == 0 {
            return self.rows[0].map(|value| (value, 0.0));
        }
        if next > last {
            return self.rows[last].map(|value| (value, 0.0));
        }
        let (before, h) = (next - 1, self.times[next] - self.times[next - 1]);
        let part = (time - self.times[before]) / h;
        std::array::from_fn(|channel| {
            let [a, b] = [before, next].map(|row| self.rows[row][channel]);
            let [s, t] = [before, next].map(|row| h * self.slopes[row][channel]);
            // a + s u + (3c − 2s − t) u² + (s + t − 2c) u³ with c = b − a.
            let (square, cube) = (3.0 * (b - a) - 2.0 * s - t, s + t - 2.0 * (b - a));
            let value = a + part * (s + part * (square + part * cube));
            let rate = (s + part * (2.0 * square + 3.0 * part * cube)) / h;
            (value, rate)
        })
    }

    /// The shift along each axis, of value and rate.
    pub(super) fn shift(at: &[(f64, f64); CHANNELS]) -> (Point, Point) {
        let [x, y, z, _] = at;
        (Point::new(x.0, y.0, z.0), Point::new(x.1, y.1, z.1))
    }
}

/// The slopes of one number at its times.
fn spline_slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let last = times.len() - 1;
    let h = |i: usize| times[i + 1] - times[i];
    let mean = |i: usize| (values[i + 1] - values[i]) / h(i);
    let rests = |i: usize| values[i + 1] == values[i] && !turns_between(i, last, mean);
    let is_given = |i: usize| i == 0 || i == last || rests(i - 1) || rests(i);
    let begins_in_motion = times[0] <= 0.0 && !rests(0);
    let mut slopes = vec![0.0; times.len()];
    if begins_in_motion {
        slopes[0] = match last {
            1 => mean(0),
            _ => mean(0) + (mean(0) - mean(1)) * h(0) / (h(0) + h(1)),
        };
    }
    let mut start = 0;
    while start < last {
        let end = (start + 1..=last).find(|&i| is_given(i)).unwrap_or(last);
        // Gaussian elimination of the rows between two given slopes.
        let mut upper = vec![0.0; end - start];
        for i in start + 1..end {
            let (a, c) = (1.0 / h(i - 1), 1.0 / h(i));
            let right = 3.0 * (mean(i - 1) * a + mean(i) * c);
            let pivot = 2.0 * (a + c) - a * upper[i - 1 - start];
            upper[i - start] = c / pivot;
            slopes[i] = (right - a * slopes[i - 1]) / pivot;
        }
        for i in (start + 1..end).rev() {
            slopes[i] -= upper[i - start] * slopes[i + 1];
        }
        start = end;
    }
    slopes
}

/// Whether a motion of mean rates `mean` turns back in the middle of interval `i`.
fn turns_between(i: usize, last: usize, mean: impl Fn(usize) -> f64) -> bool {
    if i < 2 || i + 3 > last {
        return false;
    }
    let slows = |near: usize, far: usize| mean(far) / mean(near) > SLOWS;
    mean(i - 1) * mean(i + 1) < 0.0 && slows(i - 1, i - 2) && slows(i + 1, i + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_x(times: &[f64], x: impl Fn(f64) -> f64) -> Recording {
        let rows = times.iter().map(|&t| [x(t), 0.0, 0.0, 0.0]).collect();
        Recording::new(times.to_vec(), rows).unwrap()
    }

    fn times(from: f64, count: u32, h: f64) -> Vec<f64> {
        (0..=count).map(|k| from + h * f64::from(k)).collect()
    }

    #[test]
    fn a_smooth_motion_is_met_to_fourth_order() {
        // At rest at both ends, so that no end limits the order.
        let x = |t: f64| (1.0 - (2.0 * std::f64::consts::PI * t).cos()).powi(2);
        let error = |count: u32| {
            let h = 2.0 / f64::from(count);
            let motion = of_x(&times(0.0, count, h), x);
            let errors = (0..1000).map(|k| {
                let t = 0.002 * f64::from(k);
                (motion.at(t)[0].0 - x(t)).abs()
            });
            errors.fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(80), error(160));
        assert!((coarse / fine).log2() > 3.7, "{coarse} {fine}");
    }

    #[test]
    fn velocity_is_continuous_and_belongs_to_the_positions() {
        let uneven = [0.5, 0.6, 0.75, 0.8, 1.2, 1.3, 1.5];
        let motion = of_x(&uneven, |t| if t < 0.7 { 0.0 } else { (9.0 * t).sin() });
        for k in 0..2000 {
            let t = 0.001 * f64::from(k);
            let e = 1e-7;
            let [(low, _), ..] = motion.at(t - e);
            let [(high, _), ..] = motion.at(t + e);
            let rate = motion.at(t)[0].1;
            assert!(((high - low) / (2.0 * e) - rate).abs() < 1e-4, "{t}: {rate}");
            assert!((motion.at(t + e)[0].1 - motion.at(t - e)[0].1).abs() < 1e-3, "{t}");
        }
        assert_eq!(motion.at(0.55)[0], (0.0, 0.0), "it rests between equal values");
        assert_eq!([motion.at(0.0)[0].1, motion.at(1.5)[0].1, motion.at(9.0)[0].1], [0.0; 3]);
    }

    #[test]
    fn a_turning_point_between_two_equal_values_is_passed_and_a_stop_is_kept() {
        let row = |x: f64| [x, 0.0, 0.0, 0.0];
        // The middle of intervals 7 and 22 is at a crest and a trough, π/2 and 3π/2.
        let h = std::f64::consts::PI / 15.0;
        let at = |k: i32| f64::from(k) * h;
        let (mut times, mut rows) = (vec![], vec![]);
        for k in 0..=30 {
            times.push(at(k));
            // Equal to the last bit, as a table of few digits has them.
            rows.push(row((at(k).sin() * 1e6).round() * 1e-6));
        }
        assert!(rows.windows(2).any(|pair| pair[0] == pair[1]));
        let motion = Recording::new(times, rows).unwrap();
        for k in 700..2300 {
            let t = at(30) * f64::from(k) / 3000.0;
            let (value, rate) = motion.at(t)[0];
            assert!((value - t.sin()).abs() < 2e-4 && (rate - t.cos()).abs() < 2e-3, "{t}");
        }
        let stop = [0.0, 1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 0.0];
        let rows = stop.map(row).to_vec();
        let motion = Recording::new((0..8).map(f64::from).collect(), rows).unwrap();
        assert_eq!(motion.at(3.5)[0], (3.0, 0.0));
    }

    #[test]
    fn a_record_from_the_start_on_may_begin_in_motion() {
        let motion = of_x(&times(0.0, 10, 0.1), |t| t * t + t);
        assert!((motion.at(0.0)[0].1 - 1.0).abs() < 1e-12);
        assert!((motion.at(0.05)[0].0 - 0.0525).abs() < 1e-4);
        let later = of_x(&times(0.1, 10, 0.1), |t| t * t + t);
        assert_eq!(later.at(0.1)[0].1, 0.0);
    }

    #[test]
    fn odd_records_are_refused() {
        assert!(Recording::new(vec![0.0], vec![[0.0; 4]]).is_none());
        assert!(Recording::new(vec![0.0, 0.0], vec![[0.0; 4]; 2]).is_none());
        assert!(Recording::new(vec![0.0, f64::NAN], vec![[0.0; 4]; 2]).is_none());
    }
}
