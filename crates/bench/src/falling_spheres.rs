//! Poirrier's test simulation (§4.2, §6): equal spheres fall onto a floor and pack.
//!
//! N spheres start at places uniform in a cube, with d = N·V_sphere/V = 0.1; a constant
//! acceleration pulls them down, and a floor keeps them from falling for ever. After each step the
//! pairs that overlap are put right one after the other, once each, which may make others overlap:
//! "this scheme is not realistic", the paper says, but makes distributions that are correlated and
//! have some coherence in time.
//!
//! The paper leaves open, and here is chosen:
//! - Diameter 1, acceleration 1, so a time step of 0.1 lets a sphere at rest fall by a hundredth of
//!   its diameter in the first and by half of it in the fiftieth. Start at rest.
//! - Two spheres that overlap are pushed apart along the line of their centres by half the overlap
//!   each, and take the mean of their speeds along it if they approach (a fully inelastic impact of
//!   equal masses). Two centres in one place are pushed apart along x.
//! - Pairs come in ascending order, so that a run is the same whichever structure found them.
//! - The floor takes the speed towards it. There are no side walls: a heap may spread, as the
//!   paper's figure 10 shows.
//!
//! Symbols: lengths in diameters, times in √(diameter/acceleration).

use super::inputs;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::Aabb;
use std::f64::consts::PI;

/// The part of the space that spheres fill at the start \[–\].
pub const FILLED: f64 = 0.1;
/// Time step.
const STEP: Real = 0.1;

/// The spheres of a run.
#[derive(Clone, Debug)]
pub struct FallingSpheres {
    centres: Vec<Vec3>,
    velocities: Vec<Vec3>,
    boxes: Vec<Aabb>,
}

impl FallingSpheres {
    /// `count` spheres at the start.
    pub fn new(count: usize, filled: f64, rng: &mut RandomStream) -> Self {
        let edge = (count as f64 * PI / 6.0 / filled).cbrt();
        let place = |_| vec3(inputs::point(rng, edge, false)).add_scalar(0.5);
        let centres: Vec<Vec3> = (0..count).map(place).collect();
        let mut spheres =
            FallingSpheres { velocities: vec![Vec3::zeros(); count], boxes: Vec::new(), centres };
        spheres.enclose();
        spheres
    }

    /// Their boxes.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// Whether two spheres overlap: the narrow phase.
    #[inline(always)]
    pub fn overlap(&self, a: u32, b: u32) -> bool {
        (self.centres[a as usize] - self.centres[b as usize]).norm_squared() < 1.0
    }

    /// Puts right the pairs that overlapped, in ascending order, and takes a step.
    pub fn step(&mut self, pairs: &[[u32; 2]]) {
        pairs.iter().for_each(|&pair| self.part(pair));
        for (x, v) in self.centres.iter_mut().zip(&mut self.velocities) {
            v.z -= STEP;
            *x += *v * STEP;
            if x.z < 0.5 {
                (x.z, v.z) = (0.5, v.z.max(0.0));
            }
        }
        self.enclose();
    }

    /// Pushes two spheres apart that overlap, and makes them approach no more.
    fn part(&mut self, [a, b]: [u32; 2]) {
        let (a, b) = (a as usize, b as usize);
        let apart = self.centres[b] - self.centres[a];
        let distance = apart.norm();
        if distance >= 1.0 {
            return;
        }
        let normal = if distance > 0.0 { apart / distance } else { Vec3::x() };
        let push = normal * (0.5 * (1.0 - distance));
        self.centres[a] -= push;
        self.centres[b] += push;
        let approach = (self.velocities[a] - self.velocities[b]).dot(&normal).max(0.0);
        self.velocities[a] -= normal * (0.5 * approach);
        self.velocities[b] += normal * (0.5 * approach);
    }

    fn enclose(&mut self) {
        self.boxes.clear();
        self.boxes.extend(self.centres.iter().map(|centre| Aabb::of_ball(centre, 0.5)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_pairs(spheres: &FallingSpheres) -> Vec<[u32; 2]> {
        let count = spheres.boxes().len() as u32;
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        pairs.filter(|&[a, b]| spheres.overlap(a, b)).collect()
    }

    #[test]
    fn two_that_meet_part_and_keep_their_momentum() {
        let mut spheres = FallingSpheres::new(2, FILLED, &mut RandomStream::new(1));
        spheres.centres = vec![Vec3::new(0.0, 0.0, 9.0), Vec3::new(0.0, 0.6, 9.0)];
        spheres.velocities = vec![Vec3::new(0.0, 2.0, 0.0), Vec3::new(3.0, -1.0, 0.0)];
        assert!(spheres.overlap(0, 1));
        spheres.part([0, 1]);
        assert!((spheres.centres[1].y - spheres.centres[0].y - 1.0).abs() < 1e-6);
        let [a, b] = [spheres.velocities[0], spheres.velocities[1]];
        assert!((a.y - 0.5).abs() < 1e-6 && (b.y - 0.5).abs() < 1e-6 && b.x == 3.0);
    }

    #[test]
    fn they_fall_pack_and_stay_above_the_floor() {
        let mut spheres = FallingSpheres::new(300, FILLED, &mut RandomStream::new(2));
        let height = |s: &FallingSpheres| s.centres.iter().map(|x| x.z).sum::<Real>() / 300.0;
        let (start, at_first) = (height(&spheres), all_pairs(&spheres).len());
        for _ in 0..60 {
            let pairs = all_pairs(&spheres);
            spheres.step(&pairs);
        }
        assert!(height(&spheres) < 0.5 * start, "{} of {start}", height(&spheres));
        assert!(all_pairs(&spheres).len() > at_first, "they pack");
        assert!(spheres.centres.iter().all(|x| x.z >= 0.5));
    }
}
