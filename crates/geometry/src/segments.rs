//! Segments in the plane of x and z, as sections of meshes and outlines of polygons have them: the
//! inside is on their left as x points right and z up.

use hashfall_core::Real;

/// A segment in the plane: from and to, each (x, z) \[m\].
pub type Segment = [[Real; 2]; 2];

/// The segments of a polygon with these corners (x, z) \[m\], in either sense.
pub fn polygon_segments(corners: &[[Real; 2]]) -> Vec<Segment> {
    let next = corners.iter().cycle().skip(1);
    let segments = || corners.iter().zip(next.clone()).map(|(a, b)| [*a, *b]);
    if area(segments()) >= 0.0 {
        segments().collect()
    } else {
        segments().map(|[a, b]| [b, a]).collect()
    }
}

/// The area that segments enclose, negative if the inside is on their right \[m²\].
pub fn area(segments: impl IntoIterator<Item = Segment>) -> f64 {
    let mut segments = segments.into_iter().peekable();
    let Some(&[origin, _]) = segments.peek() else { return 0.0 };
    let arm = |p: [Real; 2]| [0, 1].map(|a| f64::from(p[a]) - f64::from(origin[a]));
    let doubled = |[a, b]: Segment| {
        let ([ax, az], [bx, bz]) = (arm(a), arm(b));
        ax * bz - az * bx
    };
    0.5 * segments.map(doubled).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_enclose_the_same_area_in_either_sense_of_their_corners() {
        let mut corners = [[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 3.0]];
        let first = polygon_segments(&corners);
        corners.reverse();
        let second = polygon_segments(&corners);
        assert_eq!([&first, &second].map(|it| area(it.iter().copied())), [3.0; 2]);
        assert_eq!(area(first.iter().map(|[a, b]| [*b, *a])), -3.0);
        assert_eq!(area([]), 0.0);
    }
}
