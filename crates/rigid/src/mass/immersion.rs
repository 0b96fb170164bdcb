//! What a solid displaces below a level, how deep it floats, and whether it stays upright.
//!
//! All are integrals over the wetted surface S, the part of the closed surface below the level ℓ,
//! by the divergence theorem with fields along z that vanish on the water plane or are even on it:
//!   V = ∫(z − ℓ) n_z,  ∫x dV = ∫x (z − ℓ) n_z,  ∫z dV = ∫(z² − ℓ²)/2 n_z,
//!   and over the water plane  A = −∫n_z,  ∫x dA = −∫x n_z,  ∫xy dA = −∫xy n_z.
//! Triangles are cut at the level, so that each integrand is a polynomial of degree two, for which
//! the mean over the middles of the edges is exact.
//!
//! A body that floats upright is turned back, when it is tilted a little, if its metacentre is
//! above its centre of mass (Bouguer 1746): GM = I/V − (z_G − z_B) with I the lesser principal
//! moment of the water plane about its own centre.
//!
//! Symbols: z_G, z_B heights of the centres of mass and of the displaced volume \[m\].

use super::error::MassError;
use nalgebra::{Matrix2, Vector2, Vector3};

/// Halvings of an interval: more than a double has digits.
const MAX_HALVINGS: u32 = 120;

/// What a closed surface encloses below a level, and its water plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Immersion {
    /// V \[m³\].
    pub volume: f64,
    /// The centre of the displaced volume \[m\]; of no use where there is none.
    pub center: Vector3<f64>,
    /// Area of the water plane \[m²\].
    pub plane_area: f64,
    /// Second moments of the water plane along x and y about its centre \[m⁴\].
    pub plane_moments: Matrix2<f64>,
}

impl Immersion {
    /// Below a height `level` \[m\].
    ///
    /// # Panics
    /// If a triangle names a corner that is missing.
    pub fn below(vertices: &[Vector3<f64>], triangles: &[[u32; 3]], level: f64) -> Self {
        let mut sums = Sums::default();
        for triangle in triangles {
            let corners = triangle.map(|v| vertices[v as usize] - Vector3::z() * level);
            for wet in wetted(&corners).into_iter().flatten() {
                sums.add(&wet);
            }
        }
        sums.immersion(level)
    }

    /// How far the metacentre is above a centre of mass at this height, for tilts about the axis
    /// that is least stable \[m\]: negative if the body tips over.
    pub fn metacentric_height(&self, center_of_mass: f64) -> f64 {
        let least = self.plane_moments.symmetric_eigenvalues().min();
        least / self.volume - (center_of_mass - self.center.z)
    }

    /// The same for tilts about y alone, as in the plane.
    pub fn metacentric_height_about_y(&self, center_of_mass: f64) -> f64 {
        self.plane_moments[(0, 0)] / self.volume - (center_of_mass - self.center.z)
    }
}

/// The level \[m\] up to which a solid is immersed that floats as it is turned: where it displaces
/// `fraction` of its volume, which is its mean density over that of the liquid.
///
/// # Errors
/// If the surface encloses nothing or faces inwards, or the fraction is not between 0 and 1.
///
/// # Panics
/// If a triangle names a corner that is missing.
pub fn floating_level(
    vertices: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    fraction: f64,
) -> Result<f64, MassError> {
    if !(fraction > 0.0 && fraction < 1.0) {
        let what = "density over that of the liquid, below 1,";
        return Err(MassError::NotPositive { what, value: fraction });
    }
    let heights = || triangles.iter().flatten().map(|&v| vertices[v as usize].z);
    let mut low = heights().fold(f64::INFINITY, f64::min);
    let mut high = heights().fold(f64::NEG_INFINITY, f64::max);
    let all = Immersion::below(vertices, triangles, high).volume;
    let what = "volume";
    if all < 0.0 {
        return Err(MassError::Inward { what, value: all });
    } else if !(all > 0.0 && all.is_finite()) {
        return Err(MassError::Empty { what });
    }
    for _ in 0..MAX_HALVINGS {
        let middle = 0.5 * (low + high);
        if !(low < middle && middle < high) {
            break;
        }
        let is_too_deep = Immersion::below(vertices, triangles, middle).volume > fraction * all;
        *if is_too_deep { &mut high } else { &mut low } = middle;
    }
    Ok(0.5 * (low + high))
}

/// The part of a triangle at z ≤ 0, in up to two triangles of its sense.
fn wetted(corners: &[Vector3<f64>; 3]) -> [Option<[Vector3<f64>; 3]>; 2] {
    let is_wet = corners.map(|p| p.z <= 0.0);
    let wet = is_wet.iter().filter(|it| **it).count();
    // From the corner that is alone on its side.
    let alone = |side: bool| is_wet.iter().position(|it| *it == side).unwrap_or(0);
    let turned = |first: usize| [0, 1, 2].map(|k| corners[(first + k) % 3]);
    // From the lower end, so that both triangles of an edge cut it at one place.
    let cut = |a: &Vector3<f64>, b: &Vector3<f64>| {
        let (low, high) = if a.z <= b.z { (a, b) } else { (b, a) };
        let part = low.z / (low.z - high.z);
        Vector3::new(low.x + part * (high.x - low.x), low.y + part * (high.y - low.y), 0.0)
    };
    match wet {
        0 => [None, None],
        1 => {
            let [a, b, c] = turned(alone(true));
            [Some([a, cut(&a, &b), cut(&a, &c)]), None]
        }
        2 => {
            let [a, b, c] = turned(alone(false));
            let (ab, ac) = (cut(&a, &b), cut(&a, &c));
            [Some([ab, b, c]), Some([ab, c, ac])]
        }
        _ => [Some(*corners), None],
    }
}

/// The integrals, with the level at z = 0.
#[derive(Default)]
struct Sums {
    volume: f64,
    first: Vector3<f64>,
    area: f64,
    plane_first: Vector2<f64>,
    plane_second: Matrix2<f64>,
}

impl Sums {
    /// Adds a triangle that is wetted whole.
    fn add(&mut self, [a, b, c]: &[Vector3<f64>; 3]) {
        // n_z of its area, a third for each middle of an edge.
        let share = 0.5 * ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 3.0;
        for middle in [a + b, b + c, c + a].map(|sum| 0.5 * sum) {
            let (xy, z) = (middle.xy(), middle.z);
            self.volume += share * z;
            self.first += Vector3::new(xy.x * z, xy.y * z, 0.5 * z * z) * share;
            self.area -= share;
            self.plane_first -= xy * share;
            self.plane_second -= xy * xy.transpose() * share;
        }
    }

    fn immersion(&self, level: f64) -> Immersion {
        let mean = self.plane_first / self.area;
        let has_plane = self.area != 0.0;
        let moments = self.plane_second - mean * mean.transpose() * self.area;
        Immersion {
            volume: self.volume,
            center: self.first / self.volume + Vector3::z() * level,
            plane_area: self.area,
            plane_moments: if has_plane { moments } else { Matrix2::zeros() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::{Vec3, geometry::Aabb, to_f64};
    use hashfall_geometry::shape::{box_mesh, unit_sphere};
    use nalgebra::UnitQuaternion;

    /// A box of these extents around a place, turned.
    fn cuboid(
        extents: [f64; 3],
        turn: &UnitQuaternion<f64>,
        place: Vector3<f64>,
    ) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
        let half = Vec3::new(0.5, 0.5, 0.5);
        let mesh = box_mesh(&Aabb::new(-half, half));
        let moved = |v: &Vec3| {
            turn * Vector3::from(to_f64(v)).component_mul(&Vector3::from(extents)) + place
        };
        (mesh.vertices.iter().map(moved).collect(), mesh.triangles)
    }

    #[test]
    fn an_upright_box_floats_as_the_closed_form_says() {
        let [a, b, c] = [2.0, 1.5, 1.0];
        let place = Vector3::new(30.0, -20.0, 7.0);
        let (vertices, triangles) = cuboid([a, b, c], &UnitQuaternion::identity(), place);
        for s in [0.02, 0.15, 0.5, 0.98] {
            let level = floating_level(&vertices, &triangles, s).unwrap();
            assert!((level - (7.0 - 0.5 * c + s * c)).abs() < 1e-13, "{s}: {level}");
            let found = Immersion::below(&vertices, &triangles, level);
            assert!(
                (found.volume - s * a * b * c).abs() < 1e-13
                    && (found.plane_area - a * b).abs() < 1e-12
            );
            let center = Vector3::new(30.0, -20.0, 6.5 + 0.5 * s * c);
            assert!((found.center - center).norm() < 1e-11 / s, "{s}");
            let least = b * b / (12.0 * s * c) - 0.5 * c * (1.0 - s);
            assert!((found.metacentric_height(7.0) - least).abs() < 1e-9 / s, "{s}");
            let about_y = a * a / (12.0 * s * c) - 0.5 * c * (1.0 - s);
            assert!((found.metacentric_height_about_y(7.0) - about_y).abs() < 1e-9 / s, "{s}");
        }
    }

    #[test]
    fn a_cube_stays_upright_only_where_it_is_light_or_heavy() {
        let (vertices, triangles) = cuboid([1.0; 3], &UnitQuaternion::identity(), Vector3::zeros());
        let height = |s: f64| {
            let level = floating_level(&vertices, &triangles, s).unwrap();
            Immersion::below(&vertices, &triangles, level).metacentric_height(0.0)
        };
        // GM = 0 at s = (3 ± √3)/6.
        let limits = [-1.0, 1.0].map(|sign: f64| (3.0 + sign * 3.0_f64.sqrt()) / 6.0);
        assert!(limits.iter().all(|&s| height(s).abs() < 1e-13));
        assert!(height(0.2) > 0.0 && height(0.22) < 0.0 && height(0.78) < 0.0 && height(0.8) > 0.0);
    }

    #[test]
    fn a_ball_is_stable_neither_more_nor_less() {
        let (vertices, triangles) = unit_sphere(5);
        let volume = Immersion::below(&vertices, &triangles, 2.0).volume;
        for level in [-0.7, -0.1, 0.0, 0.45] {
            let found = Immersion::below(&vertices, &triangles, level);
            let h = 1.0 + level;
            let cap = std::f64::consts::PI * h * h * (3.0 - h) / 3.0;
            assert!((found.volume / cap - 1.0).abs() < 2e-2, "{level}: {}", found.volume / cap);
            assert!(found.metacentric_height(0.0).abs() < 2e-2, "{level}");
            let again = floating_level(&vertices, &triangles, found.volume / volume).unwrap();
            assert!((again - level).abs() < 1e-12, "{level}: {again}");
        }
    }

    #[test]
    fn half_a_turned_box_is_below_its_middle() {
        let turn = UnitQuaternion::from_euler_angles(0.4, 1.1, -0.6);
        let (vertices, triangles) = cuboid([3.0, 2.0, 1.0], &turn, Vector3::z());
        let level = floating_level(&vertices, &triangles, 0.5).unwrap();
        assert!((level - 1.0).abs() < 1e-14);
        // Any tilt about the middle leaves half of it below.
        let found = Immersion::below(&vertices, &triangles, level);
        assert!((found.volume - 3.0).abs() < 1e-13);
        let rest = Immersion::below(&vertices, &triangles, 9.0);
        assert!((rest.volume - 6.0).abs() < 1e-13 && rest.plane_area.abs() < 1e-13);
        assert!((rest.center - Vector3::z()).norm() < 1e-13);
    }

    #[test]
    fn what_does_not_float_is_refused() {
        let (vertices, triangles) = cuboid([1.0; 3], &UnitQuaternion::identity(), Vector3::zeros());
        for fraction in [0.0, 1.0, 2.7, f64::NAN] {
            assert!(floating_level(&vertices, &triangles, fraction).is_err(), "{fraction}");
        }
        let inward: Vec<_> = triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        let error = floating_level(&vertices, &inward, 0.5);
        assert!(matches!(error, Err(MassError::Inward { .. })));
        assert_eq!(floating_level(&vertices, &[], 0.5), Err(MassError::Empty { what: "volume" }));
    }
}
