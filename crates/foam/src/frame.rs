//! A written frame of the fluid, and domains that repeat themselves.

use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;

/// The fluid of a frame: particles in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FluidFrame {
    /// Simulated time \[s\].
    pub time: f64,
    /// Ids, ascending.
    pub ids: Vec<u32>,
    /// Positions \[m\].
    pub positions: Vec<Vec3>,
    /// Velocities \[m/s\].
    pub velocities: Vec<Vec3>,
}

impl FluidFrame {
    /// Of particles in any order; `None` if the arrays do not have the same length, an id comes
    /// twice, or a number is not finite.
    pub fn new(
        time: f64,
        ids: Vec<u32>,
        positions: Vec<Vec3>,
        velocities: Vec<Vec3>,
    ) -> Option<Self> {
        let has_same_length = ids.len() == positions.len() && ids.len() == velocities.len();
        let is_finite = |x: &Vec3| x.iter().all(|c| c.is_finite());
        let are_finite = positions.iter().chain(&velocities).all(is_finite) && time.is_finite();
        if !has_same_length || !are_finite {
            return None;
        }
        let mut frame = FluidFrame { time, ids, positions, velocities };
        if !frame.ids.is_sorted() {
            frame.sort();
        }
        frame.ids.windows(2).all(|pair| pair[0] < pair[1]).then_some(frame)
    }

    /// The number of particles.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.ids.len() as u32).collect();
        order.sort_unstable_by_key(|&i| self.ids[i as usize]);
        let sorted = |all: &[Vec3]| order.iter().map(|&i| all[i as usize]).collect();
        (self.positions, self.velocities) = (sorted(&self.positions), sorted(&self.velocities));
        self.ids = order.iter().map(|&i| self.ids[i as usize]).collect();
    }
}

/// Axes along which a domain repeats itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periodicity {
    domain: Aabb,
    axes: [bool; 3],
}

impl Periodicity {
    /// Of a domain that repeats itself along these axes.
    pub fn new(domain: Aabb, axes: [bool; 3]) -> Self {
        Periodicity { domain, axes }
    }

    /// The image of a place in the domain.
    pub(crate) fn wrapped(&self, mut x: Vec3) -> Vec3 {
        for axis in self.repeated() {
            let (low, high) = (self.domain.min[axis], self.domain.max[axis]);
            if x[axis] < low {
                // Rounding may lead to the upper side, which is the lower one.
                x[axis] += high - low;
                x[axis] = if x[axis] >= high { low } else { x[axis] };
            } else if x[axis] >= high {
                x[axis] = (x[axis] - (high - low)).max(low);
            }
        }
        x
    }

    /// The image of `y` that is nearest to `x`.
    pub(crate) fn nearest_image(&self, x: &Vec3, mut y: Vec3) -> Vec3 {
        for axis in self.repeated() {
            let length = self.domain.max[axis] - self.domain.min[axis];
            let apart = y[axis] - x[axis];
            if apart > 0.5 * length {
                y[axis] -= length;
            } else if apart < -0.5 * length {
                y[axis] += length;
            }
        }
        y
    }

    /// Appends the images of particles that are within `h` \[m\] of the domain, and returns of
    /// which particle each is.
    pub(crate) fn add_images(
        &self,
        positions: &mut Vec<Vec3>,
        velocities: &mut Vec<Vec3>,
        h: Real,
    ) -> Vec<u32> {
        let mut sources: Vec<u32> = Vec::new();
        let n = positions.len();
        for axis in self.repeated() {
            let (low, high) = (self.domain.min[axis], self.domain.max[axis]);
            // Images along one axis have images along the next.
            for i in 0..positions.len() {
                let (x, v) = (positions[i], velocities[i]);
                let source = if i < n { i as u32 } else { sources[i - n] };
                for (is_near, shift) in
                    [(x[axis] < low + h, high - low), (x[axis] >= high - h, low - high)]
                {
                    if is_near {
                        let mut image = x;
                        image[axis] += shift;
                        positions.push(image);
                        velocities.push(v);
                        sources.push(source);
                    }
                }
            }
        }
        sources
    }

    fn repeated(&self) -> impl Iterator<Item = usize> + use<> {
        let axes = self.axes;
        (0..3).filter(move |axis| axes[*axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_sorted_by_id_and_refused_if_an_id_comes_twice() {
        let x = [0.0, 1.0, 2.0].map(Vec3::repeat).to_vec();
        let frame = FluidFrame::new(0.1, vec![7, 3, 5], x.clone(), x.clone()).unwrap();
        assert_eq!(frame.ids, [3, 5, 7]);
        assert_eq!(frame.positions, [1.0, 2.0, 0.0].map(Vec3::repeat));
        assert_eq!(FluidFrame::new(0.1, vec![7, 3, 7], x.clone(), x.clone()), None);
        assert_eq!(FluidFrame::new(0.1, vec![7, 3], x.clone(), x.clone()), None);
        let wrong = vec![Vec3::repeat(Real::NAN); 3];
        assert_eq!(FluidFrame::new(0.1, vec![7, 3, 5], x, wrong), None);
    }

    #[test]
    fn images_surround_a_domain_that_repeats_itself() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let periodicity = Periodicity::new(domain, [true, true, false]);
        let mut x = vec![Vec3::new(0.05, 0.95, 0.05), Vec3::repeat(0.5)];
        let mut v = vec![Vec3::x(), Vec3::y()];
        let sources = periodicity.add_images(&mut x, &mut v, 0.1);
        assert_eq!(sources, [0, 0, 0]);
        let expected = [[1.05, 0.95], [0.05, -0.05], [1.05, -0.05]];
        for (image, [ex, ey]) in x[2..].iter().zip(expected) {
            assert!((image - Vec3::new(ex, ey, 0.05)).norm() < 1e-6, "{image}");
        }
        assert_eq!(v[2..], [Vec3::x(); 3]);
        let y = periodicity.nearest_image(&Vec3::new(0.9, 0.5, 0.5), Vec3::new(0.1, 0.4, 0.0));
        assert!((y - Vec3::new(1.1, 0.4, 0.0)).norm() < 1e-6);
        let wrapped = periodicity.wrapped(Vec3::new(-0.1, 1.2, -0.1));
        assert!((wrapped - Vec3::new(0.9, 0.2, -0.1)).norm() < 1e-6);
        assert_eq!(periodicity.wrapped(Vec3::x() * -1e-12).x, 0.0);
    }
}
