//! The friction cone of a contact point, and the projection on it.
//!
//! The impulse p of a point stands in the world's axes: no tangents need be chosen, so nothing
//! depends on them. With the unit normal n it lies in K = {p: |p − n (n·p)| ≤ μ n·p}. The nearest
//! point of K to any p is that of Tasora & Anitescu 2011, *A matrix-free cone complementarity
//! approach for solving large-scale, nonsmooth, rigid body dynamics*, eq. 27–29: p itself in the
//! cone, 0 in the polar cone, else a point of the mantle.

use nalgebra::Vector3;

/// The nearest point to `p` in the cone about `normal` with the coefficient of friction `friction`.
#[inline]
pub(crate) fn project(p: &Vector3<f64>, normal: &Vector3<f64>, friction: f64) -> Vector3<f64> {
    let along = normal.dot(p);
    if friction == 0.0 {
        return normal * along.max(0.0);
    }
    let across = p - normal * along;
    let square = across.norm_squared();
    let limit = friction * along;
    if along >= 0.0 && square <= limit * limit {
        return *p;
    }
    let length = square.sqrt();
    // Where p shows, along the mantle in the plane of p and n.
    let onto = (along + friction * length) / (1.0 + friction * friction);
    if onto <= 0.0 {
        return Vector3::zeros();
    }
    normal * onto + across * (friction * onto / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn the_projection_is_the_nearest_point_of_the_cone() {
        let mut random = Random::new(11);
        for case in 0..2000 {
            let friction = [0.0, 0.1, 0.7, 2.0][case % 4];
            let (normal, p) = (random.direction(), random.point(-1.0, 1.0));
            let q = project(&p, &normal, friction);
            let along = normal.dot(&q);
            let across = (q - normal * along).norm();
            assert!(along >= 0.0 && across <= friction * along + 1e-15, "it is in the cone");
            // A convex cone: p − q is orthogonal to q and at no acute angle to any other point.
            assert!((p - q).dot(&q).abs() < 1e-15);
            for _ in 0..20 {
                let tangent = normal.cross(&random.direction());
                let other = (normal + tangent * friction) * random.number(0.0, 2.0);
                assert!((p - q).dot(&other) < 1e-15);
            }
        }
    }
}
