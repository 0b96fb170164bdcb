//! KinematicLaw that contacts allow: projection on the cone {u : u·nᵢ ≥ 0}.
//!
//! Source: Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988), §3:
//! an inelastic, frictionless contact projects the velocity on the cone of directions that do not
//! enter an obstacle. In three dimensions the projection lies in the cone's inside, on a face, on
//! a crease of two faces, or at the tip, so all of them are tried and the longest allowed result
//! is the nearest.

use hashfall_geometry::Point;

/// Share of a motion that may point into an obstacle: far above rounding, far below a contact.
const ALLOWED: f64 = 1e-10;

/// The allowed motion nearest to `motion`, for contacts with unit normals `normals`.
pub(crate) fn project(motion: &Point, normals: &[Point]) -> Point {
    if is_allowed(motion, normals) {
        return *motion;
    }
    let mut best = Point::zeros();
    let mut consider = |candidate: Point| {
        if candidate.norm_squared() > best.norm_squared() && is_allowed(&candidate, normals) {
            best = candidate;
        }
    };
    for (i, n) in normals.iter().enumerate() {
        // The second time takes off what rounding left of a large normal part.
        let on_face = slid(&slid(motion, n), n);
        consider(on_face);
        for m in &normals[..i] {
            if let Some(crease) = n.cross(m).try_normalize(1e-8) {
                consider(crease * crease.dot(motion));
            }
        }
    }
    // What is left of a dead stop is rounding.
    if best.norm_squared() < 1e-20 * motion.norm_squared() { Point::zeros() } else { best }
}

/// Whether no normal is approached.
pub(crate) fn is_allowed(motion: &Point, normals: &[Point]) -> bool {
    let least = -ALLOWED * motion.norm();
    normals.iter().all(|n| motion.dot(n) >= least)
}

/// `motion` without its part along `normal`.
fn slid(motion: &Point, normal: &Point) -> Point {
    motion - normal * normal.dot(motion)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    #[test]
    fn one_two_and_three_contacts_leave_a_plane_a_crease_and_nothing() {
        let down = Point::new(1.0, 2.0, -3.0);
        let (x, y, z) = (Point::x(), Point::y(), Point::z());
        assert_eq!(project(&down, &[z]), Point::new(1.0, 2.0, 0.0));
        assert_eq!(project(&down, &[z, -y]), Point::new(1.0, 0.0, 0.0));
        assert_eq!(project(&down, &[z, -y, -x]), Point::zeros());
        assert_eq!(project(&down, &[-z, x, y]), down);
    }

    #[test]
    fn opposite_contacts_leave_the_plane_between_them() {
        let n = Point::new(0.6, 0.0, 0.8);
        let free = project(&Point::new(1.0, 5.0, -1.0), &[n, -n]);
        assert!(free.dot(&n).abs() < 1e-12 && free.y == 5.0);
    }

    #[test]
    fn it_is_the_nearest_of_all_allowed_motions() {
        let mut random = Random::new(3);
        for case in 0..2000 {
            let normals: Vec<Point> = (0..1 + case % 5).map(|_| random.direction()).collect();
            let motion = random.direction() * random.number(0.1, 10.0);
            let projected = project(&motion, &normals);
            assert!(normals.iter().all(|n| projected.dot(n) >= -1e-9));
            // A projection on a cone leaves a rest square to the result …
            let rest = motion - projected;
            assert!(rest.dot(&projected).abs() < 1e-8 * motion.norm_squared());
            // … and no allowed direction points along the rest (Moreau's decomposition).
            for _ in 0..50 {
                let other = random.direction();
                if normals.iter().all(|n| other.dot(n) >= 0.0) {
                    assert!(other.dot(&rest) < 1e-8 * motion.norm(), "case {case}");
                }
            }
        }
    }
}
