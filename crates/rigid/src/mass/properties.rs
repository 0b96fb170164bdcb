//! Mass, centre and inertia of a body.

use super::error::{MassError, check_positive};
use hashfall_bodies::SymmetricEigen;
use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};

/// How much mass there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Mass of a volume \[kg/m³\]; of a section, of an area and a metre of depth.
    Density(f64),
    /// All the mass \[kg\]; of a section, of a metre of depth.
    Mass(f64),
}

/// Mass, centre and inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass \[kg\]; of a section, of a metre of depth.
    pub mass: f64,
    /// Centre of mass \[m\].
    pub center: Vector3<f64>,
    /// Inertia about the centre, along the axes of the frame \[kg m²\].
    pub inertia: Matrix3<f64>,
}

impl Amount {
    /// The density over a volume, or an area.
    pub(super) fn density(self, volume: f64) -> Result<f64, MassError> {
        match self {
            Amount::Density(density) => {
                check_positive(&[("density", density)])?;
                Ok(density)
            }
            Amount::Mass(mass) => {
                check_positive(&[("mass", mass)])?;
                Ok(mass / volume)
            }
        }
    }
}

impl MassProperties {
    /// Of a volume with an even density, from its second moments ∫xxᵀ about the centre.
    pub(super) fn from_moments(
        volume: f64,
        center: Vector3<f64>,
        moments: &Matrix3<f64>,
        amount: Amount,
    ) -> Result<Self, MassError> {
        let density = amount.density(volume)?;
        let inertia = (Matrix3::from_diagonal_element(moments.trace()) - moments) * density;
        let mass = match amount {
            Amount::Density(density) => density * volume,
            Amount::Mass(mass) => mass,
        };
        Ok(MassProperties { mass, center, inertia })
    }

    /// The same body with its frame moved by a pose.
    pub fn placed(&self, pose: &Isometry3<f64>) -> Self {
        let turn = pose.rotation.to_rotation_matrix();
        MassProperties {
            mass: self.mass,
            center: pose.rotation * self.center + pose.translation.vector,
            inertia: turn * self.inertia * turn.transpose(),
        }
    }

    /// The inertia about a point of the frame \[kg m²\] (Steiner's theorem).
    pub fn inertia_about(&self, point: &Vector3<f64>) -> Matrix3<f64> {
        let arm = self.center - point;
        let outer = arm * arm.transpose();
        self.inertia + (Matrix3::from_diagonal_element(arm.norm_squared()) - outer) * self.mass
    }

    /// Bodies joined to one; none of no bodies.
    pub fn joined(parts: &[MassProperties]) -> Option<Self> {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        if parts.is_empty() {
            return None;
        }
        let first = parts[0].center;
        let arm = |part: &MassProperties| (part.center - first) * (part.mass / mass);
        let center = first + parts.iter().map(arm).sum::<Vector3<f64>>();
        let inertia = parts.iter().map(|part| part.inertia_about(&center)).sum();
        Some(MassProperties { mass, center, inertia })
    }

    /// The principal moments, ascending \[kg m²\], and the turn from the frame of their axes to the
    /// body's frame.
    pub fn principal(&self) -> (Vector3<f64>, UnitQuaternion<f64>) {
        let (moments, axes) = SymmetricEigen::new(&self.inertia).ascending();
        let turn = Rotation3::from_matrix_unchecked(axes);
        (moments, UnitQuaternion::from_rotation_matrix(&turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mass::{cuboid_mass, cylinder_mass};

    #[test]
    fn a_box_of_eight_boxes_is_one_box() {
        let half = Vector3::new(0.3, 0.2, 0.5);
        let whole = cuboid_mass(half, Amount::Density(700.0)).unwrap();
        let eighth = cuboid_mass(0.5 * half, Amount::Density(700.0)).unwrap();
        let shift = Vector3::new(3.0, -2.0, 1.0);
        let part = |k: usize| {
            let sign = |axis: usize| if k >> axis & 1 == 0 { -0.5 } else { 0.5 };
            let arm = Vector3::from_fn(|axis, _| sign(axis) * half[axis]) + shift;
            eighth.placed(&Isometry3::translation(arm.x, arm.y, arm.z))
        };
        let joined = MassProperties::joined(&(0..8).map(part).collect::<Vec<_>>()).unwrap();
        assert!((joined.mass - whole.mass).abs() < 1e-12 * whole.mass);
        assert!((joined.center - shift).norm() < 1e-14);
        assert!((joined.inertia - whole.inertia).norm() < 1e-13 * whole.inertia.norm());
        assert_eq!(MassProperties::joined(&[]), None);
    }

    #[test]
    fn steiners_theorem_holds_for_a_rod() {
        // A thin rod about its end: m L²/3.
        let rod = cylinder_mass(1.0, 1e-4, Amount::Mass(3.0)).unwrap();
        let end = rod.inertia_about(&Vector3::new(0.0, 0.0, -1.0));
        assert!((end[(0, 0)] - 3.0 * 4.0 / 3.0).abs() < 1e-7);
        assert!((end[(2, 2)] - rod.inertia[(2, 2)]).abs() < 1e-20);
    }

    #[test]
    fn the_principal_frame_of_a_turned_box_is_found() {
        let half = Vector3::new(0.3, 0.2, 0.5);
        let whole = cuboid_mass(half, Amount::Mass(2.0)).unwrap();
        let turn = UnitQuaternion::from_euler_angles(0.3, -0.8, 2.0);
        let turned = whole.placed(&Isometry3::from_parts(Vector3::zeros().into(), turn));
        let (moments, axes) = turned.principal();
        let expected = Vector3::new(0.13, 0.29, 0.34) * (2.0 / 3.0);
        assert!((moments - expected).norm() < 1e-15);
        let matrix = axes.to_rotation_matrix();
        let again = matrix * Matrix3::from_diagonal(&moments) * matrix.transpose();
        assert!((again - turned.inertia).norm() < 1e-14);
    }
}
