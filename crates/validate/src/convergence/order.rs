//! The order of convergence, and the spread of values.
//!
//! An error e = C dᵖ of spacing d \[m\] is a straight line of slope p in ln |e| over ln d. The
//! order p is the slope of the line of least squares through all spacings. It says something only
//! of errors that fall from each spacing to the next finer one and keep their sign: a value that
//! crosses its reference has a small error there by chance.

/// Fewest spacings that show whether an error falls steadily.
const MIN_SPACINGS: usize = 3;

/// The order of convergence \[–\] of points (spacing \[m\], signed error); `None` if they are fewer
/// than three, or if errors change sign, vanish or do not fall with each finer spacing.
pub fn order(points: &[[f64; 2]]) -> Option<f64> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let has_one_sign = points.iter().all(|p| p[1] > 0.0) || points.iter().all(|p| p[1] < 0.0);
    let falls = points.windows(2).all(|pair| pair[0][1].abs() < pair[1][1].abs());
    if points.len() < MIN_SPACINGS || !has_one_sign || !falls {
        return None;
    }
    let logs: Vec<[f64; 2]> = points.iter().map(|p| [p[0].ln(), p[1].abs().ln()]).collect();
    let slope = slope(&logs);
    slope.is_finite().then_some(slope)
}

/// The slope of the line of least squares.
fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|p| p[axis]).sum::<f64>() / count;
    let middle = [mean(0), mean(1)];
    let moment = |axis: usize| {
        points.iter().map(|p| (p[0] - middle[0]) * (p[axis] - middle[axis])).sum::<f64>()
    };
    moment(1) / moment(0)
}

/// The largest value less the least, over the size of their mean \[–\]; `None` if fewer than two
/// are finite, or if their mean is 0. Values that are not finite are left out.
pub fn spread(values: &[f64]) -> Option<f64> {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let count = finite().count();
    let mean = finite().sum::<f64>() / count as f64;
    let width = finite().fold(f64::NEG_INFINITY, f64::max) - finite().fold(f64::INFINITY, f64::min);
    (count >= 2 && mean != 0.0).then(|| width / mean.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACINGS: [f64; 4] = [0.1, 0.0714, 0.05, 0.025];

    fn errors(error: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
        SPACINGS.iter().map(|&d| [d, error(d)]).collect()
    }

    #[test]
    fn a_power_law_has_its_order_in_any_sequence_and_of_either_sign() {
        for p in [0.3, 1.0, 2.0, 3.5] {
            for sign in [1.0, -1.0] {
                let mut points = errors(|d| sign * 7.0 * d.powf(p));
                let found = order(&points).unwrap();
                assert!((found - p).abs() < 1e-12, "{found} for {p}");
                points.reverse();
                assert_eq!(order(&points), Some(found));
            }
        }
    }

    #[test]
    fn scatter_moves_the_order_by_as_much_as_least_squares_say() {
        // ln e = 2 ln d ± 0.1 at the ends of three even steps: the slope changes by 0.2 over two.
        let points = [[1.0, (-0.1_f64).exp()], [2.0, 4.0], [4.0, 16.0 * 0.1_f64.exp()]];
        let expected = 2.0 + 0.1 / 2.0_f64.ln();
        assert!((order(&points).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn errors_without_an_order_have_none() {
        assert_eq!(order(&errors(|_| 0.3)), None, "it does not fall");
        assert_eq!(order(&errors(|d| 1.0 / d)), None, "it grows");
        assert_eq!(order(&errors(|d| d - 0.06)), None, "it changes sign");
        assert_eq!(order(&errors(|_| 0.0)), None, "there is none");
        assert_eq!(order(&errors(|d| if d < 0.03 { f64::NAN } else { d })), None);
        let rough = [[0.1, 0.4], [0.0714, 0.1], [0.05, 0.2], [0.025, 0.05]];
        assert_eq!(order(&rough), None, "it rises on the way");
        assert_eq!(order(&errors(|d| d)[..2]), None, "two spacings");
        assert_eq!(order(&[]), None);
    }

    #[test]
    fn the_spread_is_the_range_over_the_size_of_the_mean() {
        assert_eq!(spread(&[1.0, 2.0, 3.0]), Some(1.0));
        assert_eq!(spread(&[-3.0, -1.0]), Some(1.0));
        assert_eq!(spread(&[0.25, f64::NAN, 0.25]), Some(0.0));
        assert_eq!([spread(&[]), spread(&[4.0]), spread(&[f64::NAN, 4.0])], [None; 3]);
        assert_eq!(spread(&[-1.0, 1.0]), None, "the mean is 0");
    }
}
