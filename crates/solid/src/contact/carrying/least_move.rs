//! The shortest move that takes a point in front of several planes.
//!
//! The least of all δ with nₖ·δ ≥ gₖ is square to a plane, to the crease of two or to none: it is
//! the least with equality for one, two or three of the planes. So all such are tried, and of those
//! that satisfy the others the shortest is the answer.
//!
//! Symbols: δ move \[m\], n unit normal, g how far a plane is behind which the point is \[m\].

use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Normals with a smaller sine or triple product give no crease and no corner.
const FLAT: f64 = 1e-6;
/// A move may miss a plane by this share of itself and of the largest g.
const MISSED: f64 = 1e-9;

/// The least δ with n·δ ≥ g for all of these (n, g); `None` if there is none.
pub(super) fn least_move(planes: &[(Point, f64)]) -> Option<Point> {
    let most = planes.iter().map(|(_, g)| *g).fold(0.0, f64::max);
    let is_enough = |move_by: &Point| {
        let missed = MISSED * (most + move_by.norm());
        planes.iter().all(|(n, g)| n.dot(move_by) >= g - missed)
    };
    let mut best: Option<Point> = None;
    let mut consider = |candidate: Point| {
        let is_shorter = best.is_none_or(|known| candidate.norm_squared() < known.norm_squared());
        if is_shorter && is_enough(&candidate) {
            best = Some(candidate);
        }
    };
    consider(Point::zeros());
    for (i, (n, g)) in planes.iter().enumerate() {
        consider(n * *g);
        for (j, (m, f)) in planes[..i].iter().enumerate() {
            let crease = n.cross(m);
            let square = crease.norm_squared();
            if square < FLAT * FLAT {
                continue;
            }
            // In the plane of both normals: δ·n = g, δ·m = f.
            consider((m.cross(&crease) * *g + crease.cross(n) * *f) / square);
            for (l, e) in &planes[..j] {
                let all = Matrix3::from_rows(&[n.transpose(), m.transpose(), l.transpose()]);
                if crease.dot(l).abs() > FLAT
                    && let Some(inverse) = all.try_inverse()
                {
                    consider(inverse * Point::new(*g, *f, *e));
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    #[test]
    fn it_is_in_front_of_all_and_no_shorter_one_is() {
        let mut random = Random::new(5);
        let (mut found, mut none) = (0, 0);
        for case in 0..1000 {
            let plane = |random: &mut Random| (random.direction(), random.number(-0.5, 1.0));
            let planes: Vec<_> = (0..1 + case % 6).map(|_| plane(&mut random)).collect();
            let is_in_front = |x: &Point, by: f64| planes.iter().all(|(n, g)| n.dot(x) >= g - by);
            let Some(least) = least_move(&planes) else {
                none += 1;
                let tried = (0..500).map(|_| random.direction() * random.number(0.0, 6.0));
                let mut tried = tried.collect::<Vec<_>>().into_iter();
                assert!(!tried.any(|x| is_in_front(&x, 0.0)), "case {case}");
                continue;
            };
            found += 1;
            assert!(is_in_front(&least, 1e-7 * (1.0 + least.norm())), "case {case}");
            for _ in 0..if least.norm() > 0.0 { 300 } else { 0 } {
                let shorter = random.direction() * (least.norm() * random.number(0.0, 0.999));
                assert!(!is_in_front(&shorter, -1e-9), "case {case}");
            }
        }
        assert!(found > 700 && none > 20, "{found} {none}");
    }

    #[test]
    fn between_opposed_planes_there_is_a_gap_or_none() {
        let slab = |gap: f64| least_move(&[(Point::z(), 0.25), (-Point::z(), -0.25 - gap)]);
        assert_eq!(slab(0.0), Some(Point::z() * 0.25));
        assert_eq!(slab(-0.01), None);
    }
}
