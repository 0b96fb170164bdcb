//! Strips and fans of triangles.

/// The triangles of a strip: each corner from the third on makes one with the two before it, every
/// other one turned around, so that all face the same way.
pub(super) fn strip(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    corners.windows(3).enumerate().map(|(k, corners)| match (k % 2, corners) {
        (0, &[a, b, c]) => [a, b, c],
        (_, corners) => [corners[1], corners[0], corners[2]],
    })
}

/// The triangles of a fan around its first corner.
pub(super) fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let first = corners.first().copied().unwrap_or(0);
    let rest = corners.get(1..).unwrap_or_default();
    rest.windows(2).map(move |pair| [first, pair[0], pair[1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_triangles_of_a_strip_and_of_a_fan_face_the_same_way() {
        let triangles: Vec<_> = strip(&[0, 1, 2, 3, 4]).collect();
        assert_eq!(triangles, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
        let triangles: Vec<_> = fan(&[7, 1, 2, 3]).collect();
        assert_eq!(triangles, [[7, 1, 2], [7, 2, 3]]);
        assert_eq!((strip(&[0, 1]).count(), fan(&[]).count()), (0, 0));
    }
}
