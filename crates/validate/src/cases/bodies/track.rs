//! Where a body of a run was and how it moved.

use hashfall_output::curves::Curve;
use hashfall_solid::BodyState;
use hashfall_sph::world::World;

/// The states of a body at the times of the samples.
pub(super) struct Track {
    /// Its number among all bodies: solid k is k + 1.
    body: usize,
    states: Vec<(f64, BodyState)>,
}

impl Track {
    /// Nothing yet of a body.
    pub(super) fn new(body: usize) -> Self {
        Track { body, states: Vec::new() }
    }

    /// Adds where it is now.
    pub(super) fn push(&mut self, world: &World) {
        if let Some(state) = world.solids.body_state(self.body) {
            self.states.push((world.time, *state));
        }
    }

    /// A quantity of its state over time \[s\].
    pub(super) fn curve(&self, quantity: impl Fn(&BodyState) -> f64) -> Curve {
        Curve::new(self.states.iter().map(|(time, state)| [*time, quantity(state)]).collect())
    }

    /// Its height \[m\] over time \[s\].
    pub(super) fn height(&self) -> Curve {
        self.curve(|state| state.position.z)
    }
}

/// The points at which a curve turns, in their order: of three samples that turn the one in the
/// middle, moved to the top of the parabola through them.
pub(super) fn extremes(curve: &Curve) -> Vec<[f64; 2]> {
    let turns = |w: &[[f64; 2]]| {
        let [[t0, y0], [t1, y1], [t2, y2]] = [w[0], w[1], w[2]];
        let [before, after] = [(y1 - y0) / (t1 - t0), (y2 - y1) / (t2 - t1)];
        if !(before * after < 0.0 || (after == 0.0 && before != 0.0)) {
            return None;
        }
        let curvature = (after - before) / (0.5 * (t2 - t0));
        let middle = 0.5 * (t0 + t1);
        let at = middle - before / curvature;
        let slope = before + curvature * (t1 - middle);
        Some([at, y1 - 0.5 * slope * slope / curvature])
    };
    curve.points().windows(3).filter_map(turns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_turns_at_its_extremes() {
        let point = |k: i32| f64::from(k) * 0.01;
        let wave = Curve::new((0..700).map(|k| [point(k), (point(k) + 0.2).cos()]).collect());
        let pi = std::f64::consts::PI;
        let found = extremes(&wave);
        assert_eq!(found.len(), 2, "{found:?}");
        for (at, known) in found.iter().zip([[pi - 0.2, -1.0], [2.0 * pi - 0.2, 1.0]]) {
            assert!((at[0] - known[0]).abs() < 1e-4 && (at[1] - known[1]).abs() < 1e-6, "{at:?}");
        }
        assert!(extremes(&wave.part(0.0, 2.0)).is_empty());
    }
}
