//! Boxes of edges and triangles, in pieces where these have grown past the largest class.
//!
//! Pouchol et al. 2009, §2.2: an object is entered in the class above its size, and one that is
//! larger than the largest class is subdivided. The largest class here is the power of two above
//! the longest box at the start; an edge or triangle of an elastic body that has grown past it is
//! cut at the middles of its edges until each piece fits, or [`MAX_CUTS`] times. The pieces' boxes
//! together are also much smaller than the one around all.

use super::boxes::Bounds;
use hashfall_geometry::{Aabb, Point};

/// The most times that a triangle is cut, into four each time.
const MAX_CUTS: u32 = 4;

/// The least power of two that is not below a length \[m\].
pub(super) fn class_above(length: f64) -> f64 {
    let power = f64::from_bits(length.to_bits() & !((1 << 52) - 1));
    if power < length { 2.0 * power } else { power }
}

/// How often a primitive of these corners is cut.
fn cuts(corners: &[Point], largest: f64) -> u32 {
    let bounds = around(corners);
    let mut extent = (bounds.max - bounds.min).max();
    let mut cuts = 0;
    while extent > largest && cuts < MAX_CUTS {
        extent *= 0.5;
        cuts += 1;
    }
    cuts
}

/// Adds the boxes of the pieces of an edge or a triangle, grown by `reach` \[m\].
pub(super) fn add_pieces(corners: &[Point], largest: f64, reach: f64, out: &mut Vec<Aabb>) {
    cut(corners, cuts(corners, largest), reach, out);
}

fn cut(corners: &[Point], cuts: u32, reach: f64, out: &mut Vec<Aabb>) {
    if cuts == 0 {
        let Bounds { min, max } = around(corners);
        let grown = Bounds { min: min.add_scalar(-reach), max: max.add_scalar(reach) };
        out.push(grown.outwards());
        return;
    }
    let middle = |a: usize, b: usize| (corners[a] + corners[b]) * 0.5;
    if let &[a, b] = corners {
        let m = middle(0, 1);
        [[a, m], [m, b]].iter().for_each(|half| cut(half, cuts - 1, reach, out));
    } else if let &[a, b, c] = corners {
        let (ab, bc, ca) = (middle(0, 1), middle(1, 2), middle(2, 0));
        let quarters = [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]];
        quarters.iter().for_each(|quarter| cut(quarter, cuts - 1, reach, out));
    }
}

/// The box around some points.
fn around(points: &[Point]) -> Bounds {
    let of_point = |x: &Point| Bounds { min: *x, max: *x };
    points[1..].iter().fold(of_point(&points[0]), |b, x| b.union(&of_point(x)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::vec3;

    #[test]
    fn classes_are_powers_of_two_above() {
        for (length, class) in [(1.0, 1.0), (1.1, 2.0), (0.3, 0.5), (5.0, 8.0), (0.0, 0.0)] {
            assert_eq!(class_above(length), class);
        }
    }

    #[test]
    fn pieces_cover_the_whole_and_fit_the_class() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let corners: [Point; 3] = std::array::from_fn(|_| random.point(-1.0, 1.0));
            let (largest, reach) = (random.number(0.15, 2.0), 0.01);
            for corners in [&corners[..2], &corners[..]] {
                let mut boxes = Vec::new();
                add_pieces(corners, largest, reach, &mut boxes);
                let limit = largest + 2.0 * reach + 1e-6;
                assert!(boxes.iter().all(|b| f64::from(b.extent().max()) <= limit));
                for _ in 0..20 {
                    let (u, v) = (random.number(0.0, 1.0), random.number(0.0, 1.0));
                    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                    let third = corners.get(2).unwrap_or(&corners[0]);
                    let x = corners[0] * (1.0 - u - v) + corners[1] * u + third * v;
                    assert!(boxes.iter().any(|b| b.contains(&vec3(x.into()))));
                }
            }
        }
    }
}
