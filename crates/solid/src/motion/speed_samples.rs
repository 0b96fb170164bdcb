//! Samples of the speed of a motion from time 0 to an end time, one of which is the fastest.
//!
//! - Between keyframes the maximum is known: the constant speed, or one and a half times the mean
//!   speed half-way if the body accelerates and brakes.
//! - A spin has a constant speed.
//! - A record is sampled at its times and three times between each two of them.
//! - Formulas are sampled densely. The number of intervals is a prime: if the run is a whole number
//!   of periods, the samples fall on all parts of the period.

use super::kinematic_law::{KinematicLaw, Path};
use super::segments::{PathSegment, RADIANS};

/// Samples of a formula in a run, less one.
const SAMPLES: u32 = 4001;

/// How fast a body is at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedSample {
    /// \[s\]
    pub time: f64,
    /// Of the point that the body turns about \[m/s\].
    pub speed: f64,
    /// How fast it turns \[1/s\].
    pub spin: f64,
    /// The number of the key that it goes to, if it goes by keys.
    pub key: Option<usize>,
}

impl SpeedSample {
    /// The speed of the fastest point \[m/s\], of those with such a
    /// [reach](KinematicLaw::reach) \[m\].
    pub fn fastest(&self, reach: f64) -> f64 {
        self.speed + self.spin * reach
    }
}

/// Times from 0 to `end` \[s\] at which what is told by formulas is looked at.
pub fn sample_times(end: f64) -> impl Iterator<Item = f64> {
    (0..=SAMPLES).map(move |k| end * f64::from(k) / f64::from(SAMPLES))
}

impl KinematicLaw {
    /// Its paces from 0 to `end` \[s\] of which one is the fastest.
    pub fn speed_samples(&self, end: f64) -> Vec<SpeedSample> {
        let at = |time: f64| {
            let state = self.state(time);
            SpeedSample { time, speed: state.rate.norm(), spin: state.spin.norm(), key: None }
        };
        match &self.path {
            Path::Spin { .. } => vec![at(0.0)],
            Path::Driven => Vec::new(),
            Path::Recorded { recording, .. } => {
                // The rate of each number is a parabola of the time on each interval.
                let pairs = recording.times().windows(2);
                let parts = |pair: &[f64]| {
                    [0.0, 0.25, 0.5, 0.75, 1.0].map(|u| pair[0] + u * (pair[1] - pair[0]))
                };
                let inside = pairs.flat_map(parts).filter(|t| (0.0..=end).contains(t));
                inside.chain([0.0, end]).map(at).collect()
            }
            Path::Formulas { .. } => sample_times(end).map(at).collect(),
            Path::Keys { segments, is_smooth, repeats } => {
                let [Some(first), Some(last)] = [segments.first(), segments.last()] else {
                    return Vec::new();
                };
                let period = if *repeats { last.end - first.start } else { f64::INFINITY };
                let numbered = segments.iter().enumerate();
                numbered
                    .flat_map(|(i, segment)| segment.speed_samples(i, *is_smooth, period, end))
                    .collect()
            }
        }
    }
}

impl PathSegment {
    /// The fastest sample on segment `i` each time that the body is on it from 0 to `end` \[s\]; no
    /// more of them than two, of which the second has begun after 0, as all the others have.
    fn speed_samples(&self, i: usize, is_smooth: bool, period: f64, end: f64) -> Vec<SpeedSample> {
        let length = self.end - self.start;
        let pace = |start: f64| {
            let part = |time: f64| (time - start) / length;
            let part = 0.5_f64.clamp(part(0.0).max(0.0), part(end).min(1.0));
            let rate = if is_smooth { 6.0 * part * (1.0 - part) } else { 1.0 } / length;
            SpeedSample {
                time: start + part * length,
                speed: self.way.norm() * rate,
                spin: self.degrees.abs() * RADIANS * rate,
                key: Some(i + 1),
            }
        };
        // The first round of which this segment is not over at 0.
        let first = if self.end > 0.0 { 0.0 } else { (-self.end / period).floor() + 1.0 };
        let rounds = [first, first + 1.0].into_iter();
        let starts = rounds.map(|n| if n > 0.0 { self.start + n * period } else { self.start });
        starts.filter(|start| *start < end && start + length > 0.0).map(pace).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AxisAngle, Keyframe};
    use super::*;
    use hashfall_formula::Formula;

    fn key(time: f64, x: f64, degrees: f64) -> Keyframe {
        Keyframe { time, shift: [x, 0.0, 0.0], turn: AxisAngle { axis: [0.0, 0.0, 1.0], degrees } }
    }

    fn fastest(motion: &KinematicLaw, end: f64, reach: f64) -> f64 {
        motion.speed_samples(end).iter().map(|pace| pace.fastest(reach)).fold(0.0, f64::max)
    }

    #[test]
    fn the_fastest_pace_is_that_of_very_many_looks() {
        let keys = [
            key(-1.0, 0.0, 0.0),
            key(0.4, 0.7, 0.0),
            key(0.41, 0.75, 30.0),
            key(1.5, 0.1, 720.0),
            key(1.7, 0.0, 720.0),
        ];
        for (is_smooth, repeats) in [(false, false), (true, false), (false, true), (true, true)] {
            let motion = KinematicLaw::through([0.0; 3], &keys, is_smooth, repeats);
            for end in [0.05, 0.3, 0.403, 0.8, 1.6, 9.0] {
                let states = (0..200_000).map(|k| motion.state(end * f64::from(k) / 200_000.0));
                let paces: Vec<[f64; 2]> =
                    states.map(|state| [state.rate.norm(), state.spin.norm()]).collect();
                for reach in [0.0, 0.02, 3.0] {
                    let speeds = paces.iter().map(|[rate, spin]| rate + spin * reach);
                    let looked = speeds.fold(0.0, f64::max);
                    let found = fastest(&motion, end, reach);
                    assert!(found >= looked * (1.0 - 1e-12), "{end} {reach}: {found} {looked}");
                    assert!(found <= looked * 1.001, "{end} {reach}: {found} {looked}");
                }
            }
        }
    }

    #[test]
    fn what_is_over_or_still_to_come_does_not_count() {
        let keys = [key(-2.0, 0.0, 0.0), key(-1.9, 9.0, 0.0), key(3.0, 9.0, 0.0)];
        let motion = |repeats| KinematicLaw::through([0.0; 3], &keys, false, repeats);
        assert_eq!(fastest(&motion(false), 2.0, 1.0), 0.0);
        assert_eq!(fastest(&motion(true), 3.0, 1.0), 0.0);
        assert!((fastest(&motion(true), 3.1, 1.0) - 90.0).abs() < 1e-9);
        let paces = motion(true).speed_samples(3.1);
        let keys: Vec<_> = paces.iter().map(|pace| pace.key).collect();
        assert_eq!(keys, [Some(1), Some(2)]);
        assert!((3.0..3.1).contains(&paces[0].time), "{paces:?}");
    }

    #[test]
    fn formulas_and_spins_are_as_fast_in_a_long_run_as_in_a_short_one() {
        let formula = |text: &str| Formula::parse(text).unwrap();
        let shift = [formula("0.1*sin(2*pi*25*t)"), formula("0"), formula("0")];
        let shaken = KinematicLaw::by_formulas([0.0; 3], shift, [0.0, 0.0, 1.0], formula("0"));
        let speed = 0.1 * std::f64::consts::TAU * 25.0;
        for end in [1.0, 40.0, 1000.0] {
            assert!((fastest(&shaken, end, 0.3) / speed - 1.0).abs() < 1e-3, "{end}");
        }
        let spin = KinematicLaw::spin([0.0; 3], [0.0, 2.0, 0.0], 60.0);
        assert!((fastest(&spin, 7.0, 0.5) - std::f64::consts::PI).abs() < 1e-12);
    }
}
