//! Axes: columns of keys, and a row of settings for each point.
//!
//! - Range: x_i = a + (b − a) i/(n − 1), or a (b/a)^(i/(n−1)) with logarithmic scale; the ends are
//!   a and b themselves.
//! - Random: x = a + (b − a) u with u uniform in [0, 1), or a (b/a)^u.
//! - Latin hypercube (McKay, Beckman & Conover 1979, §2.3): of each key the n strata
//!   [k/n, (k + 1)/n) in random order (Fisher & Yates), with one u in each.
//!
//! The random numbers of a key depend on the sample's seed and the index of the key, so that adding
//! a key does not change the others.

use super::model::{SampleModel, Scale};
use hashfall_core::rng::RandomStream;
use hashfall_scene::Override;

/// Points that differ in the same keys.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The keys, or a title for the names of cases.
    pub columns: Vec<Column>,
    /// The points: as many cells as columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// Values of a key of the scene.
    Key(String),
    /// Names.
    Name,
}

impl Column {
    /// The key, if it is one.
    pub fn key(&self) -> Option<&str> {
        match self {
            Column::Key(key) => Some(key),
            Column::Name => None,
        }
    }
}

/// The cell of a point in a column.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A setting.
    Set(Override),
    /// No setting: the key is as in the scene.
    Unset,
    /// Its name.
    Name(String),
}

impl Axis {
    /// Of one key with these settings.
    pub fn for_key(key: &str, settings: Vec<Override>) -> Axis {
        let rows = settings.into_iter().map(|set| vec![Cell::Set(set)]).collect();
        Axis { columns: vec![Column::Key(key.to_owned())], rows }
    }

    /// Joins another axis of the same length to the columns of this one.
    pub fn zipped(mut self, other: Axis) -> Axis {
        self.columns.extend(other.columns);
        self.rows.iter_mut().zip(other.rows).for_each(|(row, more)| row.extend(more));
        self
    }
}

/// Numbers from the first to the last.
pub fn range(from: f64, to: f64, count: u32, scale: Scale) -> Vec<f64> {
    let last = count.saturating_sub(1);
    let number = |i: u32| match i {
        0 => from,
        i if i == last => to,
        i => between(from, to, f64::from(i) / f64::from(last), scale),
    };
    (0..count).map(number).collect()
}

/// The numbers of each key of a random sample.
pub fn random(sample: &SampleModel) -> Vec<Vec<f64>> {
    draw(sample, |rng, count| (0..count).map(|_| rng.number()).collect())
}

/// The numbers of each key of a Latin hypercube.
pub fn latin_hypercube(sample: &SampleModel) -> Vec<Vec<f64>> {
    draw(sample, |rng, count| {
        let mut strata: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            strata.swap(i, rng.below(i + 1));
        }
        strata.into_iter().map(|k| (k as f64 + rng.number()) / count as f64).collect()
    })
}

/// For each key its numbers from those in [0, 1) that `uniform` draws.
fn draw(sample: &SampleModel, uniform: fn(&mut RandomStream, usize) -> Vec<f64>) -> Vec<Vec<f64>> {
    let numbers = sample.keys.iter().enumerate().map(|(place, key)| {
        // An odd factor sends streams of near seeds far apart.
        let mut rng = RandomStream::new(sample.seed ^ (place as u64).wrapping_mul(STREAMS));
        let parts = uniform(&mut rng, sample.count as usize);
        parts.into_iter().map(|part| between(key.from, key.to, part, key.scale)).collect()
    });
    numbers.collect()
}

/// 2⁶⁴ over the golden ratio, as in SplitMix64.
const STREAMS: u64 = 0x9e37_79b9_7f4a_7c15;

fn between(from: f64, to: f64, part: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Linear => from + (to - from) * part,
        // Only products and roots of the system's own would differ between machines.
        Scale::Logarithmic => from * libm::pow(to / from, part),
    }
}

/// A number as RON, to 15 digits, so that 0.02 + 0.01 reads as 0.03; whole ones without a point, as
/// whole-number keys take them.
pub fn written(x: f64) -> String {
    let rounded: f64 = format!("{x:.14e}").parse().expect("what was written of a number is one");
    let text = format!("{rounded:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DrawModel;

    fn sample(seed: u64, count: u32) -> SampleModel {
        let key = |key: &str, from, to, scale| DrawModel { key: key.to_owned(), from, to, scale };
        let keys =
            vec![key("a", -1.0, 3.0, Scale::Linear), key("b", 1e-6, 1.0, Scale::Logarithmic)];
        SampleModel { seed, count, keys }
    }

    #[test]
    fn a_range_has_its_ends_and_even_steps_or_ratios() {
        assert_eq!(range(0.0, 1.0, 5, Scale::Linear), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(range(0.1, 0.3, 1, Scale::Linear), [0.1]);
        let decades = range(1e-3, 1e3, 7, Scale::Logarithmic);
        for (x, exact) in decades.iter().zip([1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1e3]) {
            assert!((x / exact - 1.0).abs() < 1e-14, "{decades:?}");
        }
        assert_eq!((decades[0], decades[6]), (1e-3, 1e3));
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_stratum_of_each_key() {
        let count = 37;
        let [a, b] = &latin_hypercube(&sample(7, count))[..] else { panic!("two keys") };
        let strata = |parts: Vec<f64>| {
            let mut strata: Vec<u32> =
                parts.iter().map(|part| (part * f64::from(count)) as u32).collect();
            strata.sort_unstable();
            strata
        };
        let all: Vec<u32> = (0..count).collect();
        assert_eq!(strata(a.iter().map(|x| (x + 1.0) / 4.0).collect()), all);
        assert_eq!(
            strata(b.iter().map(|x| (x.ln() - 1e-6_f64.ln()) / 1e6_f64.ln()).collect()),
            all
        );
        // Neither in order, nor in the order of the other.
        assert!(!a.is_sorted() && a.iter().zip(b).any(|(x, y)| (x > &1.0) != (y > &1e-3)));
    }

    #[test]
    fn chance_repeats_with_its_seed_and_fills_its_range() {
        let [a, b] = &random(&sample(3, 400))[..] else { panic!("two keys") };
        assert_eq!(&random(&sample(3, 400))[0], a);
        assert_ne!(&random(&sample(4, 400))[0], a);
        let mean = a.iter().sum::<f64>() / 400.0;
        assert!((mean - 1.0).abs() < 0.2 && a.iter().all(|x| (-1.0..3.0).contains(x)));
        let below = b.iter().filter(|x| **x < 1e-3).count();
        assert!((150..250).contains(&below), "half are below the middle of the decades: {below}");
    }

    #[test]
    fn numbers_are_written_as_whole_ones_where_they_are() {
        let texts = [3.0, 0.1 + 0.2, 1e-7, -2.0, 1e300].map(written);
        assert_eq!(texts, ["3", "0.3", "1e-7", "-2", "1e300"]);
    }
}
