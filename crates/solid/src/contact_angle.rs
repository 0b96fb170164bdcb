//! The angle at which a free surface with tension meets a solid.
//!
//! On a solid that is rough or stained a line stays where it is while its angle θ is between that
//! at which it goes on over the dry solid and that at which it draws back. The line is then held
//! as by dry friction: the solid pulls it by σ cos θ along itself, whatever that is within both,
//!
//! - cos θ_Y = (cos θ_r + cos θ_a)/2, the pull but for friction,
//! - |friction| ≤ σ (cos θ_r − cos θ_a)/2.
//!
//! Furmidge (1962) has from that what drops an inclined plate holds.
//!
//! Symbols: θ_a advancing, θ_r receding angle \[°\], θ_Y Young's, σ tension \[N/m\].

use hashfall_core::Real;
#[cfg(feature = "serde")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
#[cfg(feature = "serde")]
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor},
};
#[cfg(feature = "serde")]
use std::{borrow::Cow, fmt};

/// A contact angle, with its hysteresis; in scenes a number, or the advancing and the receding one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactAngle {
    /// θ_a: at which the fluid goes on over the solid \[°\].
    pub advancing: f64,
    /// θ_r, at most as large: at which it draws back \[°\].
    pub receding: f64,
}

impl ContactAngle {
    /// The same angle \[°\] both ways.
    pub const fn new(angle: f64) -> Self {
        ContactAngle { advancing: angle, receding: angle }
    }

    /// Sine and cosine of Young's angle.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn sin_cos(self) -> (Real, Real) {
        let (sin, cos) = libm::sincos(self.advancing.to_radians());
        if self.advancing == self.receding {
            return (sin as Real, cos as Real);
        }
        let mean = 0.5 * (cos + libm::cos(self.receding.to_radians()));
        ((1.0 - mean * mean).max(0.0).sqrt() as Real, mean as Real)
    }

    /// The most friction of a line over σ \[–\].
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn friction(self) -> Real {
        if self.advancing == self.receding {
            return 0.0; // Asked of every solid in every step.
        }
        let [advancing, receding] =
            [self.advancing, self.receding].map(|angle| libm::cos(angle.to_radians()));
        (0.5 * (receding - advancing)).max(0.0) as Real
    }
}

#[cfg(feature = "serde")]
impl Serialize for ContactAngle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.advancing == self.receding {
            true => self.advancing.serialize(serializer),
            false => (self.advancing, self.receding).serialize(serializer),
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for ContactAngle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AngleVisitor)
    }
}

#[cfg(feature = "serde")]
struct AngleVisitor;

#[cfg(feature = "serde")]
impl<'de> Visitor<'de> for AngleVisitor {
    type Value = ContactAngle;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an angle, or two: (advancing, receding)")
    }

    fn visit_f64<E: Error>(self, angle: f64) -> Result<ContactAngle, E> {
        Ok(ContactAngle::new(angle))
    }

    #[allow(clippy::cast_precision_loss, reason = "angles are small")]
    fn visit_u64<E: Error>(self, angle: u64) -> Result<ContactAngle, E> {
        Ok(ContactAngle::new(angle as f64))
    }

    #[allow(clippy::cast_precision_loss, reason = "angles are small")]
    fn visit_i64<E: Error>(self, angle: i64) -> Result<ContactAngle, E> {
        Ok(ContactAngle::new(angle as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut angles: A) -> Result<ContactAngle, A::Error> {
        let advancing = angles.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let receding = angles.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        match angles.next_element::<f64>()? {
            Some(_) => Err(A::Error::invalid_length(3, &self)),
            None => Ok(ContactAngle { advancing, receding }),
        }
    }
}

#[cfg(feature = "serde")]
impl JsonSchema for ContactAngle {
    fn schema_name() -> Cow<'static, str> {
        "ContactAngle".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A contact angle, or the advancing and the receding one.",
            "oneOf": [
                {
                    "description": "The same both ways [°].",
                    "type": "number",
                    "minimum": 0.0,
                    "maximum": 180.0,
                },
                {
                    "description": "The advancing and the receding angle [°], between which a \
                                    line stays where it is.",
                    "type": "array",
                    "items": { "type": "number", "minimum": 0.0, "maximum": 180.0 },
                    "minItems": 2,
                    "maxItems": 2,
                },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hysteresis_pulls_by_the_mean_cosine_and_holds_by_half_the_difference() {
        let pinned = ContactAngle { advancing: 110.0, receding: 50.0 };
        let [a, r] = [110.0_f64, 50.0].map(|angle| angle.to_radians().cos());
        let (sin, cos) = pinned.sin_cos();
        assert!((f64::from(cos) - 0.5 * (a + r)).abs() < 1e-6, "{cos}");
        assert!((sin * sin + cos * cos - 1.0).abs() < 1e-6, "{sin}");
        assert!((f64::from(pinned.friction()) - 0.5 * (r - a)).abs() < 1e-6);
        assert_eq!(ContactAngle::new(60.0).friction(), 0.0);
    }
}
