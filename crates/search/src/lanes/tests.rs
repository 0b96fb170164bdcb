//! Lanes of every instruction set against plain arithmetic.

use super::*;
use hashfall_core::geometry::random::Random;
use hashfall_core::{Real, Vec3};

struct Block<'a>(&'a Positions, u32, Vec3, Real);

impl LaneWork for Block<'_> {
    type Output = (u32, Vec<u32>, Vec<Real>);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let (mut places, mut pushed) = (vec![0; LANES], vec![0.0; LANES]);
        // SAFETY: the places of the test are within the positions; there is room for sixteen.
        unsafe {
            let squares = lanes.squares(self.0.axes().load(lanes, self.1), &self.2);
            let mask = lanes.below(squares, self.3, 0xfff7);
            let numbers = lanes.places_from(1000);
            lanes.push_places(mask, numbers, places.as_mut_ptr());
            lanes.push(mask, squares, pushed.as_mut_ptr());
            places.truncate(mask.count_ones() as usize);
            pushed.truncate(mask.count_ones() as usize);
            (mask, places, pushed)
        }
    }
}

struct FromBox<'a>(&'a Positions, u32, [Vec3; 2], Real, &'a [u32; LANES]);

impl LaneWork for FromBox<'_> {
    type Output = (Vec<Real>, Vec<u32>);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let (mut squares, mut names) = (vec![0.0; LANES], vec![0; LANES]);
        // SAFETY: blocks begin at points of the positions; every list holds sixteen.
        unsafe {
            let points = self.0.axes().load(lanes, self.1);
            let of_box = lanes.squares_from_box(points, &self.2[0], &self.2[1]);
            lanes.push(0xffff, of_box, squares.as_mut_ptr());
            let near = lanes.below(of_box, self.3, 0xffff);
            lanes.push_places(near, lanes.load_places(self.4.as_ptr()), names.as_mut_ptr());
            names.truncate(near.count_ones() as usize);
            (squares, names)
        }
    }
}

fn points_and_positions() -> (Vec<Vec3>, Positions) {
    let mut random = Random::new(7);
    let points: Vec<Vec3> = (0..1000).map(|_| random.vec3(-1.0, 1.0)).collect();
    let mut soa = Positions::default();
    for (k, axis) in soa.resize(points.len()).into_iter().enumerate() {
        axis.iter_mut().zip(&points).for_each(|(x, p)| *x = p[k]);
    }
    (points, soa)
}

#[test]
fn a_box_is_never_farther_than_a_point_within_it_to_the_last_bit() {
    let (points, soa) = points_and_positions();
    let names = std::array::from_fn(|l| 7 * l as u32);
    for isa in Isa::available() {
        for first in 0..points.len() - LANES {
            let some: [Vec3; 3] = std::array::from_fn(|k| points[(first * 7 + 31 * k) % 1000]);
            let low = some[0].inf(&some[1]).inf(&some[2]);
            let high = some[0].sup(&some[1]).sup(&some[2]);
            let limit = 0.3;
            let (of_box, near) = run(isa, FromBox(&soa, first as u32, [low, high], limit, &names));
            let mut wanted = Vec::new();
            for l in 0..LANES {
                let point = points[first + l];
                let apart = (low - point).sup(&(point - high)).sup(&Vec3::zeros());
                assert_eq!(of_box[l], apart.norm_squared(), "{isa:?} at {first}");
                assert!(some.iter().all(|x| of_box[l] <= (x - point).norm_squared()));
                wanted.extend((of_box[l] < limit).then_some(names[l]));
            }
            assert_eq!(near, wanted, "{isa:?} at {first}");
        }
    }
}

#[test]
fn every_instruction_set_gives_the_bits_of_the_plain_test() {
    let (points, soa) = points_and_positions();
    for isa in Isa::available() {
        let mut near = 0;
        for first in 0..points.len() - LANES {
            // Radii that end exactly on a point, so that a last bit would show.
            let at = points[(first * 7) % points.len()];
            let square = |l: u32| (at - points[first + l as usize]).norm_squared();
            let limit = square((first % LANES) as u32);
            let is_wanted = |l: &u32| *l != 3 && square(*l) < limit;
            let wanted: Vec<u32> = (0..LANES as u32).filter(is_wanted).collect();
            let bits: u32 = wanted.iter().map(|l| 1 << l).sum();
            let places: Vec<u32> = wanted.iter().map(|l| 1000 + l).collect();
            let squares: Vec<Real> = wanted.iter().map(|&l| square(l)).collect();
            let found = run(isa, Block(&soa, first as u32, at, limit));
            assert_eq!(found, (bits, places, squares), "{isa:?} at {first}");
            near += wanted.len();
        }
        assert!(near > 1000);
    }
}
