//! What inputs are made of: points, boxes, and both a little later.
//!
//! All of it comes from a seed by [`RandomStream`], in double precision and without functions that
//! differ from one machine to the next, and is rounded last.

use crate::lab::Halt;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::rng::RandomStream;
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::Aabb;
use hashfall_scene::{self as scene, Prepared, Source};
use std::io::ErrorKind;

/// Uniform in a cube from 0 to `edge` along each axis; in the plane z = 0 if it is flat.
pub fn point(rng: &mut RandomStream, edge: f64, is_flat: bool) -> [f64; 3] {
    let [x, y] = [(); 2].map(|()| rng.between(0.0, edge));
    [x, y, if is_flat { 0.0 } else { rng.between(0.0, edge) }]
}

/// A vector of uniform direction and a length uniform up to `longest`.
pub fn way(rng: &mut RandomStream, longest: f64, is_flat: bool) -> [f64; 3] {
    loop {
        let z = if is_flat { 0.0 } else { rng.between(-1.0, 1.0) };
        let v = [rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), z];
        let norm = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        if (0.01..1.0).contains(&norm) {
            let length = rng.between(0.0, longest);
            return v.map(|c| c / norm * length);
        }
    }
}

/// The box of a ball.
pub fn ball(centre: [f64; 3], diameter: f64) -> Aabb {
    let corner = |side: f64| vec3(centre.map(|c| c + 0.5 * side * diameter));
    Aabb::new(corner(-1.0), corner(1.0))
}

/// The box that a point sweeps on its way.
pub fn swept(from: [f64; 3], way: [f64; 3]) -> Aabb {
    let to: [f64; 3] = std::array::from_fn(|a| from[a] + way[a]);
    Aabb::around(&[vec3(from), vec3(to)])
}

/// The boxes, and the boxes a little later: each moved by up to `reach` along the axes.
pub fn and_moved(
    boxes: Vec<Aabb>,
    reach: f64,
    is_flat: bool,
    rng: &mut RandomStream,
) -> [Vec<Aabb>; 2] {
    let mut one = |b: &Aabb| {
        let by = displacement(reach, is_flat, rng);
        Aabb::new(b.min + by, b.max + by)
    };
    let later = boxes.iter().map(&mut one).collect();
    [boxes, later]
}

/// `count` points of a cubic lattice of spacing 1, each off by up to `jitter` along the axes.
pub fn jittered_lattice(count: usize, jitter: f64, rng: &mut RandomStream) -> Vec<Vec3> {
    let side = (count as f64).cbrt().ceil() as usize;
    let place = |n: usize| [n % side, n / side % side, n / side / side].map(|i| i as f64 + 0.5);
    (0..count).map(|n| vec3(place(n).map(|c| c + rng.between(-jitter, jitter)))).collect()
}

/// The points, and the points a little later.
pub fn points_and_moved(
    points: Vec<Vec3>,
    reach: f64,
    is_flat: bool,
    rng: &mut RandomStream,
) -> [Vec<Vec3>; 2] {
    let later = points.iter().map(|p| p + displacement(reach, is_flat, rng)).collect();
    [points, later]
}

/// A scene that an experiment has in its code.
///
/// # Errors
/// What is wrong with it.
pub fn scene(name: &str, text: String) -> Result<Prepared, Halt> {
    let source = Source { name: name.to_owned(), text };
    let no_files = &mut |_: &str| Err(ErrorKind::NotFound.into());
    scene::prepare(&source, &[], no_files).map_err(|faults| {
        let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Halt::Wrong(messages.join("; "))
    })
}

fn displacement(reach: f64, is_flat: bool, rng: &mut RandomStream) -> Vec3 {
    let mut along = || rng.between(-reach, reach);
    let [x, y] = [along(), along()];
    vec3([x, y, if is_flat { 0.0 } else { along() }])
}

/// Puts them in any order (Fisher & Yates).
pub fn shuffle<T>(items: &mut [T], rng: &mut RandomStream) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last + 1));
    }
}

/// Puts points in the order of their cells, as a world keeps them.
pub fn sort_by_cell(points: &mut [Vec3], cell: Real) {
    points.sort_by_cached_key(|p| cell_key(cell_of(p, cell)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_and_shuffles_are_what_they_should_be() {
        let mut rng = RandomStream::new(3);
        for is_flat in [false, true] {
            let ways: Vec<[f64; 3]> = (0..500).map(|_| way(&mut rng, 2.0, is_flat)).collect();
            let lengths = ways.iter().map(|v| v.iter().map(|c| c * c).sum::<f64>().sqrt());
            let mean = lengths.clone().sum::<f64>() / 500.0;
            assert!(lengths.fold(0.0, f64::max) <= 2.0 && (0.9..1.1).contains(&mean), "{mean}");
            assert_eq!(ways.iter().all(|v| v[2] == 0.0), is_flat);
        }
        let mut items: Vec<u32> = (0..100).collect();
        shuffle(&mut items, &mut rng);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }

    #[test]
    fn what_moves_moves_a_little() {
        let mut rng = RandomStream::new(4);
        let boxes = vec![ball([1.0, 2.0, 3.0], 0.5), swept([0.0; 3], [1.0, -1.0, 0.0])];
        assert_eq!(boxes[1], Aabb::new(Vec3::new(0.0, -1.0, 0.0), Vec3::new(1.0, 0.0, 0.0)));
        let [before, after] = and_moved(boxes, 0.125, false, &mut rng);
        for (a, b) in before.iter().zip(&after) {
            assert!(a != b && (a.min - b.min).amax() <= 0.125, "{a:?} {b:?}");
            assert!((a.extent() - b.extent()).amax() < 1e-6);
        }
    }
}
