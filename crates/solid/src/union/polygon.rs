//! Convex polygons in space: cut by planes and by segments that lie in their plane.

use hashfall_geometry::Point;

/// The corners of a convex polygon, counter-clockwise seen from outside.
pub type Polygon = Vec<Point>;

/// A segment by its ends.
pub type Segment = [Point; 2];

/// Splits a convex polygon where `height` changes its sign: the part above and the part below, each
/// empty if no corner is higher or lower than `tolerance`.
pub fn split(
    polygon: &[Point],
    height: impl Fn(&Point) -> f64,
    tolerance: f64,
) -> [Option<Polygon>; 2] {
    let snapped = |h: f64| if h.abs() <= tolerance { 0.0 } else { h };
    let heights: Vec<f64> = polygon.iter().map(|p| snapped(height(p))).collect();
    [1.0, -1.0].map(|side| {
        if !heights.iter().any(|h| side * h > 0.0) {
            return None;
        }
        if heights.iter().all(|h| side * h >= 0.0) {
            return Some(polygon.to_vec());
        }
        let mut part = Polygon::with_capacity(polygon.len() + 1);
        for (k, p) in polygon.iter().enumerate() {
            let next = (k + 1) % polygon.len();
            let [h, next_h] = [heights[k], heights[next]];
            if side * h >= 0.0 {
                part.push(*p);
            }
            if h * next_h < 0.0 {
                part.push(p + (polygon[next] - p) * (h / (h - next_h)));
            }
        }
        Some(part)
    })
}

/// Splits a convex polygon of unit normal `normal` along the line through a segment in its plane;
/// `None` if the line passes it by.
pub fn split_along(
    polygon: &[Point],
    normal: &Point,
    [start, end]: &Segment,
    tolerance: f64,
) -> Option<[Polygon; 2]> {
    let across = normal.cross(&(end - start)).try_normalize(0.0)?;
    match split(polygon, |p| across.dot(&(p - start)), tolerance) {
        [Some(left), Some(right)] => Some([left, right]),
        _ => None,
    }
}

/// Whether a segment in the plane of a convex polygon runs through it for more than `tolerance`.
pub fn runs_through(
    polygon: &[Point],
    normal: &Point,
    [start, end]: &Segment,
    tolerance: f64,
) -> bool {
    let (mut first, mut last) = (0.0, 1.0);
    let along = end - start;
    for (k, p) in polygon.iter().enumerate() {
        let inward = normal.cross(&(polygon[(k + 1) % polygon.len()] - p));
        let (height, rise) = (inward.dot(&(start - p)), inward.dot(&along));
        if rise > 0.0 {
            first = f64::max(first, -height / rise);
        } else if rise < 0.0 {
            last = f64::min(last, -height / rise);
        } else if height < 0.0 {
            return false;
        }
    }
    (last - first) * along.norm() > tolerance
}

/// The triangles of a fan over a convex polygon.
pub fn fan(polygon: &[Point]) -> impl Iterator<Item = [Point; 3]> + '_ {
    let rest = polygon.get(1..).unwrap_or_default();
    rest.windows(2).map(move |pair| [polygon[0], pair[0], pair[1]])
}

/// The centre of mass of a convex polygon; the mean of its corners if it has no area.
pub fn centroid(polygon: &[Point]) -> Point {
    let (mut sum, mut area) = (Point::zeros(), 0.0);
    for [a, b, c] in fan(polygon) {
        let own = (b - a).cross(&(c - a)).norm();
        sum += (a + b + c) * (own / 3.0);
        area += own;
    }
    if area > 0.0 { sum / area } else { polygon.iter().sum::<Point>() / polygon.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    fn area(polygon: &[Point]) -> f64 {
        fan(polygon).map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
    }

    #[test]
    fn cuts_keep_the_area_and_leave_each_part_on_its_side() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let triangle: Polygon = (0..3).map(|_| random.point(-1.0, 1.0)).collect();
            let (normal, offset) = (random.direction(), random.number(-0.5, 0.5));
            let height = |p: &Point| normal.dot(p) - offset;
            let parts = split(&triangle, height, 0.0);
            let areas: f64 = parts.iter().flatten().map(|part| area(part)).sum();
            assert!((areas - area(&triangle)).abs() < 1e-12);
            for (part, side) in parts.iter().zip([1.0, -1.0]) {
                assert!(part.iter().flatten().all(|p| side * height(p) > -1e-12));
            }
        }
    }

    #[test]
    fn a_segment_cuts_only_what_it_runs_through() {
        let at = |x: f64, y: f64| Point::new(x, y, 0.5);
        let square = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        let through = |segment: Segment| {
            let runs = runs_through(&square, &Point::z(), &segment, 1e-9);
            runs && split_along(&square, &Point::z(), &segment, 1e-9).is_some()
        };
        assert!(through([at(0.5, -1.0), at(0.5, 0.1)]));
        assert!(through([at(0.2, 0.2), at(0.3, 0.4)]));
        assert!(!through([at(0.5, -1.0), at(0.5, -0.1)]), "its line does, the segment does not");
        assert!(!through([at(1.0, -1.0), at(1.0, 2.0)]), "along an edge");
        assert!(!through([at(1.5, -1.0), at(1.5, 2.0)]), "beside it");
        assert!(!through([at(0.5, 0.5), at(0.5, 0.5)]), "a point");
    }
}
