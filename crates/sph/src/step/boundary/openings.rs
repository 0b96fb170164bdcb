//! Openings: where nozzles lead through walls and solids.
//!
//! A nozzle in a solid is a tunnel, and its fluid stands in place of the solid: counted twice, it
//! would drive the particles above the opening apart. So of what the solids are to a particle x the
//! part 1 − q is left,
//!
//! - q = T/(T + R), T = Σ W(|x − t|), R = Σ W(|x − u|)
//!
//! over the places t of the tunnel, as a lattice that ends flush with the opening would have them,
//! and the places u of the same lattice that lie in solids around it. Far in a wide opening q is 1,
//! and no rounding of a sum over solids is left to disturb the jet; beside it q is 0. Contact stays
//! whole: what falls onto an opening from outside lies on it as on the wall around.
//!
//! Symbols: W kernel \[1/m³\].

use crate::world::World;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::kernel::{Shape, SmoothingKernel};
use hashfall_core::{Length, Real, Vec3};
use hashfall_geometry::Aabb;

/// The places of all tunnels and around them.
#[derive(Debug)]
pub struct Openings {
    kernel: Shape,
    h: Real,
    /// Around all particles that are near a tunnel.
    bounds: Aabb,
    /// By cells of size h; whether it is of a tunnel.
    places: Vec<(u64, Vec3, bool)>,
}

impl Openings {
    /// Those of a world.
    pub fn new(world: &World) -> Self {
        let h = world.support_radius;
        let (mut bounds, mut places) = (Aabb::EMPTY, Vec::new());
        for emitter in &world.open_boundaries.emitters {
            let tunnel = emitter.tunnel.iter().map(|x| (x, true));
            for (x, is_tunnel) in tunnel.chain(emitter.rim.iter().map(|x| (x, false))) {
                places.push((cell_key(cell_of(x, h)), *x, is_tunnel));
                if is_tunnel {
                    let around = Aabb::of_ball(x, h);
                    bounds = Aabb::new(bounds.min.inf(&around.min), bounds.max.sup(&around.max));
                }
            }
        }
        places.sort_by_key(|(cell, ..)| *cell);
        Openings { kernel: world.kernel().shape, h, bounds, places }
    }

    /// 1 − q: what part of the solids is left to a particle at `x` \[–\].
    pub fn solid_share(&self, x: &Vec3) -> Real {
        if self.places.is_empty() || !self.bounds.contains(x) {
            return 1.0;
        }
        match &self.kernel {
            Shape::CubicSpline(kernel) => self.solid_share_by(kernel, x),
            Shape::WendlandC2(kernel) => self.solid_share_by(kernel, x),
            Shape::Mueller(kernel) => self.solid_share_by(kernel, x),
        }
    }

    fn solid_share_by<K: SmoothingKernel>(&self, kernel: &K, x: &Vec3) -> Real {
        let [i, j, k] = cell_of(x, self.h);
        let (mut tunnel, mut rim): (Real, Real) = (0.0, 0.0);
        for n in 0..27 {
            let cell = cell_key([i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1]);
            let start = self.places.partition_point(|(other, ..)| *other < cell);
            let of_cell = self.places[start..].iter().take_while(|(other, ..)| *other == cell);
            for (_, place, is_tunnel) in of_cell {
                let r = (x - place).length();
                if r < self.h {
                    *(if *is_tunnel { &mut tunnel } else { &mut rim }) += kernel.value(r);
                }
            }
        }
        if tunnel > 0.0 { rim / (tunnel + rim) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::box_of_one;
    use crate::world::{Emitter, OpenBoundaries};

    const D: Real = 0.025;

    /// An opening of 4 by 4 particles in a floor, of 12 by 12 places in all.
    fn openings() -> Openings {
        let mut world = box_of_one(Vec3::repeat(0.5));
        let place = |i: usize, j: usize, k: usize| {
            Vec3::new(i as Real - 5.5, j as Real - 5.5, -0.5 - k as Real) * D
        };
        let all = (0..288).map(|n| (n % 12, n / 12 % 12, n / 144));
        let is_in = |(i, j, _): &(usize, usize, usize)| (4..8).contains(i) && (4..8).contains(j);
        let (tunnel, rim): (Vec<_>, Vec<_>) = all.partition(is_in);
        let places = |all: Vec<(usize, usize, usize)>| {
            all.into_iter().map(|(i, j, k)| place(i, j, k)).collect::<Vec<_>>()
        };
        let emitter = Emitter {
            phase: 0,
            places: vec![Vec3::zeros()],
            normal: [0.0, 0.0, 1.0],
            velocity: [0.0, 0.0, 1.0],
            start: 0.0,
            end: 1.0,
            depth: 2,
            tunnel: places(tunnel),
            rim: places(rim),
        };
        world.open_boundaries = OpenBoundaries::new(vec![emitter], vec![], None, 1);
        Openings::new(&world)
    }

    #[test]
    fn nothing_is_left_in_the_middle_of_an_opening_half_at_its_edge_and_all_beside_it() {
        let openings = openings();
        let left = |x: Real| openings.solid_share(&Vec3::new(x * D, 0.0, 0.5 * D));
        assert_eq!(left(0.0), 0.0);
        assert!((left(2.0) - 0.5).abs() < 1e-5, "{}", left(2.0));
        assert_eq!([left(4.5), left(30.0)], [1.0; 2]);
        assert_eq!(openings.solid_share(&Vec3::new(0.0, 0.0, 2.5 * D)), 1.0, "too high to see it");
        let falling: Vec<Real> = (0..40).map(|k| left(0.1 * k as Real)).collect();
        assert!(falling.is_sorted(), "{falling:?}");
    }
}
