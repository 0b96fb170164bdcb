//! The fluid between two frames: particles are matched by id, and move along cubics.
//!
//! Frames have positions and velocities, so the path of a particle is the cubic with both at both
//! ends (Hermite), and its velocity the derivative of that. A particle that only one frame has was
//! emitted or removed between: it moves straight, in the half of the interval next to its frame.
//!
//! Symbols: θ part of the interval that is over, Δ its length \[s\].

use crate::frame::{FluidFrame, Periodicity};
use hashfall_core::{Real, Vec3, parallel};

/// Number of a particle that a frame lacks.
const NONE: u32 = u32::MAX;

/// Two frames with their particles matched.
#[derive(Debug)]
pub(crate) struct FramePair<'a> {
    before: &'a FluidFrame,
    after: &'a FluidFrame,
    periodicity: &'a Periodicity,
    /// The numbers of each particle in both, in the order of ids.
    pairs: Vec<[u32; 2]>,
}

/// Position \[m\] and velocity \[m/s\] of a particle.
pub(crate) type Motion = (Vec3, Vec3);

impl<'a> FramePair<'a> {
    /// Matches the particles of two frames by id.
    pub fn new(
        before: &'a FluidFrame,
        after: &'a FluidFrame,
        periodicity: &'a Periodicity,
    ) -> Self {
        let mut pairs = Vec::with_capacity(before.len().max(after.len()));
        let (mut i, mut j) = (0, 0);
        loop {
            let pair = match (before.ids.get(i), after.ids.get(j)) {
                (Some(a), Some(b)) if a == b => [i as u32, j as u32],
                (Some(a), Some(b)) if a < b => [i as u32, NONE],
                (Some(_), None) => [i as u32, NONE],
                (_, Some(_)) => [NONE, j as u32],
                (None, None) => break,
            };
            i += usize::from(pair[0] != NONE);
            j += usize::from(pair[1] != NONE);
            pairs.push(pair);
        }
        FramePair { before, after, periodicity, pairs }
    }

    /// Length of the interval Δ \[s\].
    pub fn duration(&self) -> f64 {
        self.after.time - self.before.time
    }

    /// Every particle of either frame, by its numbers in both.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The id of a particle.
    pub fn id(&self, [before, after]: [u32; 2]) -> u32 {
        match before {
            NONE => self.after.ids[after as usize],
            _ => self.before.ids[before as usize],
        }
    }

    /// The number of a particle in the frame before, and in that after; none if it is not there.
    pub fn numbers(pair: [u32; 2]) -> [Option<usize>; 2] {
        pair.map(|number| (number != NONE).then_some(number as usize))
    }

    /// Where a particle is and how fast after the part θ of the interval; none if it is not there.
    pub fn motion(&self, pair: [u32; 2], part: f64) -> Option<Motion> {
        let duration = self.duration() as Real;
        match FramePair::numbers(pair) {
            [Some(i), Some(j)] => Some(self.cubic(i, j, part)),
            [Some(i), None] if part < 0.5 => {
                let (x, v) = (self.before.positions[i], self.before.velocities[i]);
                Some((self.periodicity.wrapped(x + v * (part as Real * duration)), v))
            }
            [None, Some(j)] if part >= 0.5 => {
                let (x, v) = (self.after.positions[j], self.after.velocities[j]);
                Some((self.periodicity.wrapped(x - v * ((1.0 - part) as Real * duration)), v))
            }
            _ => None,
        }
    }

    /// The cubic between two places.
    fn cubic(&self, i: usize, j: usize, part: f64) -> Motion {
        let (x, v) = (self.before.positions[i], self.before.velocities[i]);
        let (y, w) = (self.after.positions[j], self.after.velocities[j]);
        let way = self.periodicity.nearest_image(&x, y) - x;
        let (t, dt) = (part, self.duration());
        let real = |x: f64| x as Real;
        let place = way * real(t * t * (3.0 - 2.0 * t)) + v * real(dt * t * (1.0 - t) * (1.0 - t))
            - w * real(dt * t * t * (1.0 - t));
        let speed = way * real(6.0 * t * (1.0 - t) / dt) + v * real((1.0 - t) * (1.0 - 3.0 * t))
            - w * real(t * (2.0 - 3.0 * t));
        (self.periodicity.wrapped(x + place), speed)
    }

    /// The fluid after the part θ of the interval.
    pub fn fluid(&self, part: f64, positions: &mut Vec<Vec3>, velocities: &mut Vec<Vec3>) {
        let n = self.pairs.len();
        positions.resize(n, Vec3::zeros());
        velocities.resize(n, Vec3::zeros());
        let nowhere = Vec3::repeat(Real::MAX);
        parallel::fill_both(positions, velocities, |k, x, v| {
            // Who is not there has no cell and is left out.
            (*x, *v) = self.motion(self.pairs[k], part).unwrap_or((nowhere, Vec3::zeros()));
        });
    }

    /// The largest speed in both frames \[m/s\].
    pub fn max_speed(&self) -> Real {
        let of = |frame: &FluidFrame| {
            parallel::max(frame.len(), 0.0, |i| frame.velocities[i].norm_squared())
        };
        of(self.before).max(of(self.after)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::Aabb;

    fn walled() -> Periodicity {
        Periodicity::new(Aabb::new(Vec3::zeros(), Vec3::repeat(1.0)), [false; 3])
    }

    fn frame(time: f64, ids: &[u32], motions: &[Motion]) -> FluidFrame {
        let (x, v) = motions.iter().copied().unzip();
        FluidFrame::new(time, ids.to_vec(), x, v).unwrap()
    }

    #[test]
    fn a_throw_is_exact_between_frames() {
        let g = Vec3::new(0.0, 0.0, -9.81);
        let at = |t: Real| {
            let (x, v) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.0, 0.0, 2.0));
            (x + v * t + g * (0.5 * t * t), v + g * t)
        };
        let frames = [frame(0.5, &[4], &[at(0.0)]), frame(0.54, &[4], &[at(0.04)])];
        let periodicity = walled();
        let pair = FramePair::new(&frames[0], &frames[1], &periodicity);
        for part in [0.0, 0.25, 0.5, 0.9, 1.0] {
            let (x, v) = pair.motion([0, 0], part).unwrap();
            let (y, w) = at(0.04 * part as Real);
            assert!((x - y).norm() < 1e-6 && (v - w).norm() < 1e-4, "{part}: {x} {v}");
        }
    }

    #[test]
    fn particles_come_and_go_in_the_middle() {
        let here = (Vec3::repeat(0.5), Vec3::x());
        let frames = [frame(0.0, &[1, 2], &[here, here]), frame(0.1, &[2, 3], &[here, here])];
        let periodicity = walled();
        let pair = FramePair::new(&frames[0], &frames[1], &periodicity);
        assert_eq!(pair.pairs(), [[0, NONE], [1, 0], [NONE, 1]]);
        assert_eq!([0, 1, 2].map(|k| pair.id(pair.pairs()[k])), [1, 2, 3]);
        let is_there = |k: usize, part| pair.motion(pair.pairs()[k], part).is_some();
        assert_eq!([0.0, 0.4, 0.6, 1.0].map(|t| is_there(0, t)), [true, true, false, false]);
        assert_eq!([0.0, 0.4, 0.6, 1.0].map(|t| is_there(2, t)), [false, false, true, true]);
        let (x, _) = pair.motion(pair.pairs()[2], 0.6).unwrap();
        assert!((x.x - 0.46).abs() < 1e-6, "straight back: {x}");
        let (mut x, mut v) = (Vec::new(), Vec::new());
        pair.fluid(0.25, &mut x, &mut v);
        assert_eq!((x.len(), x[2].x), (3, Real::MAX));
    }

    #[test]
    fn the_shorter_way_leads_across_a_periodic_side() {
        let periodicity = Periodicity::new(walled_domain(), [true, false, false]);
        let [a, b] = [0.95, 0.05].map(|x| (Vec3::new(x, 0.5, 0.5), Vec3::x()));
        let frames = [frame(0.0, &[7], &[a]), frame(0.1, &[7], &[b])];
        let pair = FramePair::new(&frames[0], &frames[1], &periodicity);
        let (x, v) = pair.motion([0, 0], 0.75).unwrap();
        assert!((x.x - 0.025).abs() < 1e-6 && (v - Vec3::x()).norm() < 1e-4, "{x} {v}");
    }

    fn walled_domain() -> Aabb {
        Aabb::new(Vec3::zeros(), Vec3::repeat(1.0))
    }
}
