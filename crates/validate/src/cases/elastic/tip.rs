//! The free end of a cantilever along x.

use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// Its mean height over where it started, by time.
#[derive(Clone, Debug, Default)]
pub struct Tip {
    points: Vec<[f64; 2]>,
}

impl Tip {
    /// Takes note of where it is, in the first body.
    pub fn add(&mut self, world: &World) {
        let Some(elastic) = &world.elastic else { return };
        let (x, rest) = (&elastic.state.position, &elastic.system.start().position);
        let end = rest.iter().map(|x| x.x).fold(f64::NEG_INFINITY, f64::max);
        let is_tip = |node: &usize| rest[*node].x > end * (1.0 - 1e-9);
        let nodes: Vec<usize> = (0..rest.len()).filter(is_tip).collect();
        let sum: f64 = nodes.iter().map(|&node| x[node].z - rest[node].z).sum();
        self.points.push([world.time, sum / nodes.len() as f64]);
    }

    /// Its height by time.
    pub fn curve(&self) -> Curve {
        Curve::new(self.points.clone())
    }

    /// Where it comes to rest: the mean of the heights in the last fifth \[m\].
    pub fn final_height(&self) -> f64 {
        let last = &self.points[self.points.len() * 4 / 5..];
        last.iter().map(|[_, z]| z).sum::<f64>() / last.len() as f64
    }

    /// The time from the first passage downwards to the second \[s\]; NaN if there are not two.
    pub fn period(&self) -> f64 {
        let falls = |pair: &[[f64; 2]]| pair[0][1] > 0.0 && pair[1][1] <= 0.0;
        let at = |pair: &[[f64; 2]]| {
            let [[t0, z0], [t1, z1]] = [pair[0], pair[1]];
            t0 + (t1 - t0) * z0 / (z0 - z1)
        };
        let mut times = self.points.windows(2).filter(|pair| falls(pair)).map(at);
        match (times.next(), times.next()) {
            (Some(first), Some(second)) => second - first,
            _ => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_of_a_sine_is_found_between_samples() {
        let point = |k: u32| {
            let t = f64::from(k) / 394.0;
            [t, (24.5 * t).sin()]
        };
        let tip = Tip { points: (0..160).map(point).collect() };
        let exact = std::f64::consts::TAU / 24.5;
        assert!((tip.period() / exact - 1.0).abs() < 1e-5, "{}", tip.period());
        assert!(Tip { points: vec![[0.0, 0.0], [1.0, 1.0]] }.period().is_nan());
    }
}
