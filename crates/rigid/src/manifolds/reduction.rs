//! Fewer contact points with the same forces.
//!
//! A wrench that points of one plane can bear with one normal, its corners can bear too: the other
//! points lie in their convex hull, and so do the forces' lines of action. A block on a floor of
//! many triangles touches it in dozens of points, and the four of its corners say the same. A group
//! of points is reduced only where it is flat: the same normal, and heights and gaps that are
//! affine over the plane, so that no corner can move in before the group's hull does.

use crate::contact_point::ContactPoint;
use nalgebra::{Vector2, Vector3};

/// What sets apart normals that rounding alone makes differ: 1 minus their cosine \[–\].
const SAME_NORMAL: f64 = 1e-14;
/// Heights, gaps and distances are the same within this share of the shapes' size \[–\].
const FLAT: f64 = 1e-8;

/// Leaves out what says nothing new, and keeps the order.
pub(super) fn reduce<K>(points: &mut Vec<(K, ContactPoint)>, size: f64) {
    let mut is_kept = vec![true; points.len()];
    let mut is_grouped = vec![false; points.len()];
    for first in 0..points.len() {
        if is_grouped[first] {
            continue;
        }
        let normal = points[first].1.normal;
        let is_same = |p: &ContactPoint| 1.0 - normal.dot(&p.normal) <= SAME_NORMAL;
        let group: Vec<usize> =
            (first..points.len()).filter(|&i| !is_grouped[i] && is_same(&points[i].1)).collect();
        group.iter().for_each(|&i| is_grouped[i] = true);
        let members: Vec<&ContactPoint> = group.iter().map(|&i| &points[i].1).collect();
        for (&i, keep) in group.iter().zip(corners(&members, FLAT * size)) {
            is_kept[i] = keep;
        }
    }
    let mut kept = is_kept.into_iter();
    points.retain(|_| kept.next().unwrap_or(true));
}

/// By point of a group with one normal: whether it is needed.
fn corners(points: &[&ContactPoint], tolerance: f64) -> Vec<bool> {
    if points.len() < 2 {
        return vec![true; points.len()];
    }
    let normal = points[0].normal;
    let [u, v] = across(&normal);
    let origin = points[0].position;
    let flat = |p: &&ContactPoint| {
        let arm = p.position - origin;
        (Vector2::new(arm.dot(&u), arm.dot(&v)), arm.dot(&normal), p.gap)
    };
    let flat: Vec<_> = points.iter().map(flat).collect();
    let places: Vec<Vector2<f64>> = flat.iter().map(|(place, ..)| *place).collect();
    let is_repeat = |i: usize| {
        let differs = |k: usize| (flat[i].1 - flat[k].1).abs().max((flat[i].2 - flat[k].2).abs());
        (0..i).any(|k| (places[i] - places[k]).norm() <= tolerance && differs(k) <= tolerance)
    };
    let single: Vec<usize> = (0..places.len()).filter(|&i| !is_repeat(i)).collect();
    let hull = hull_of(&places, &single, tolerance);
    let is_affine = |value: &dyn Fn(usize) -> f64| is_affine(&places, &hull, value, tolerance);
    if !is_affine(&|i| flat[i].1) || !is_affine(&|i| flat[i].2) {
        return (0..points.len()).map(|i| single.contains(&i)).collect();
    }
    (0..points.len()).map(|i| hull.contains(&i)).collect()
}

/// Two unit vectors across a unit vector and each other.
fn across(normal: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let axis = Vector3::ith(normal.iamin(), 1.0);
    let u = normal.cross(&axis).normalize();
    [u, normal.cross(&u)]
}

/// The corners of the convex hull of some places, counter-clockwise (Andrew 1979), without those
/// within `tolerance` of the line between their neighbours.
fn hull_of(places: &[Vector2<f64>], some: &[usize], tolerance: f64) -> Vec<usize> {
    let mut order = some.to_vec();
    order.sort_by(|&a, &b| {
        let (p, q) = (places[a], places[b]);
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(a.cmp(&b))
    });
    let mut lower = chain(places, order.iter().copied(), tolerance);
    let mut upper = chain(places, order.iter().rev().copied(), tolerance);
    lower.pop();
    upper.pop();
    if lower.is_empty() {
        // All in one place.
        return vec![order[0]];
    }
    lower.extend(upper);
    lower
}

/// One side of the hull, from the first place to the last.
fn chain(
    places: &[Vector2<f64>],
    order: impl Iterator<Item = usize>,
    tolerance: f64,
) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for next in order {
        if chain.last().is_some_and(|&last| (places[next] - places[last]).norm() <= tolerance) {
            continue;
        }
        while let [.., before, last] = chain[..] {
            let along = places[next] - places[before];
            let turn = (places[last] - places[before]).perp(&along);
            if turn > tolerance * along.norm() {
                break;
            }
            chain.pop();
        }
        chain.push(next);
    }
    chain
}

/// Whether values of places are those of an affine function, within a tolerance.
fn is_affine(
    places: &[Vector2<f64>],
    hull: &[usize],
    value: &dyn Fn(usize) -> f64,
    tolerance: f64,
) -> bool {
    let first = hull[0];
    let arm = |i: usize| places[i] - places[first];
    let rise = |i: usize| value(i) - value(first);
    let by = |measure: &dyn Fn(usize) -> f64| {
        hull.iter().copied().max_by(|&a, &b| measure(a).total_cmp(&measure(b))).unwrap_or(first)
    };
    let far = by(&|i| arm(i).norm_squared());
    let base = arm(far);
    if base.norm() <= tolerance {
        return (0..places.len()).all(|i| rise(i).abs() <= tolerance);
    }
    let aside = by(&|i| base.perp(&arm(i)).abs());
    let wide = base.perp(&arm(aside));
    let slope_of = |i: usize| {
        let q = base.perp(&arm(i));
        // On a line, what is aside of it is rounding.
        let [s, t] = if wide.abs() <= tolerance * base.norm() {
            [arm(i).dot(&base) / base.norm_squared(), 0.0]
        } else {
            [arm(i).perp(&arm(aside)) / wide, q / wide]
        };
        s * rise(far) + t * rise(aside)
    };
    (0..places.len()).all(|i| (rise(i) - slope_of(i)).abs() <= tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    fn point(x: f64, y: f64, gap: f64) -> ((), ContactPoint) {
        let position = Vector3::new(x, y, 0.5 * gap);
        let point = ContactPoint {
            bodies: [0, 1],
            position,
            normal: -Vector3::z(),
            gap,
            friction: 0.5,
            restitution: 0.0,
            feature: 0,
        };
        ((), point)
    }

    #[test]
    fn a_tilted_area_keeps_its_corners() {
        let mut random = Random::new(2);
        let gap = |x: f64, y: f64| 0.01 * x - 0.02 * y + 0.001;
        let mut points = vec![];
        for [x, y] in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0], [0.0, 0.0]] {
            points.push(point(x, y, gap(x, y)));
        }
        for _ in 0..40 {
            let [x, y] = [random.number(0.0, 1.0), random.number(0.0, 1.0)];
            points.push(point(x, y, gap(x, y)));
        }
        reduce(&mut points, 1.0);
        assert_eq!(points.len(), 4);
        assert!(points.iter().all(|(_, p)| p.position.x.fract() == 0.0));
    }

    #[test]
    fn a_point_that_lies_lower_is_kept() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let mut points: Vec<_> = corners.iter().map(|[x, y]| point(*x, *y, 0.01)).collect();
        points.push(point(0.5, 0.5, 0.0));
        reduce(&mut points, 1.0);
        assert_eq!(points.len(), 5);
    }

    #[test]
    fn a_line_keeps_its_ends_and_a_place_one_point() {
        let mut line: Vec<_> = (0..7).map(|i| point(0.1 * f64::from(i), 0.3, 0.0)).collect();
        reduce(&mut line, 1.0);
        let xs: Vec<f64> = line.iter().map(|(_, p)| p.position.x).collect();
        assert_eq!(xs, [0.0, 0.1 * 6.0]);
        let mut place = vec![point(0.2, 0.3, 0.0); 3];
        reduce(&mut place, 1.0);
        assert_eq!(place.len(), 1);
    }
}
