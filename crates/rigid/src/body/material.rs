//! What two surfaces do where they touch: Coulomb friction and Newton restitution.
//!
//! A pair of materials has one coefficient of each. The smoother of two surfaces rules friction, so
//! that a frictionless body slides on everything, and one that is infinitely rough takes the
//! friction of what touches it; the larger of the two rules restitution, as the one that gives back
//! more rules where stiff meets soft.

/// Friction and restitution of a body's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// The coefficient of Coulomb friction μ ≥ 0 \[–\].
    pub friction: f64,
    /// Newton's coefficient of restitution e, from 0 to 1 \[–\].
    pub restitution: f64,
}

impl Default for Material {
    /// Dry friction of 0.5, no rebound.
    fn default() -> Self {
        Material { friction: 0.5, restitution: 0.0 }
    }
}

impl Material {
    /// Takes the friction and the restitution of what touches it.
    pub const AS_THE_OTHER: Material = Material { friction: f64::INFINITY, restitution: 0.0 };

    /// What holds between two materials.
    pub fn mix(a: &Material, b: &Material) -> Material {
        Material {
            friction: a.friction.min(b.friction),
            restitution: a.restitution.max(b.restitution),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_symmetric_and_keeps_equals_and_frictionless() {
        let a = Material { friction: 0.25, restitution: 0.1 };
        let b = Material { friction: 1.0, restitution: 0.7 };
        assert_eq!(Material::mix(&a, &b), Material { friction: 0.25, restitution: 0.7 });
        assert_eq!(Material::mix(&a, &b), Material::mix(&b, &a));
        assert_eq!(Material::mix(&a, &Material::AS_THE_OTHER), a);
        assert_eq!(Material::mix(&a, &a), a);
        let smooth = Material { friction: 0.0, ..a };
        assert_eq!(Material::mix(&smooth, &b).friction, 0.0);
    }
}
