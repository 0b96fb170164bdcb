//! The light of the surroundings: a sky that is white at the horizon and blue above, a halo about
//! the key light, and a ground.
//!
//! Mirrors see the radiance of a direction. Matt faces get the irradiance of all directions above
//! them, from nine coefficients of spherical harmonics (Ramamoorthi & Hanrahan 2001, eq. 11–13),
//! which hold it within some percent for lights as soft as these. The coefficients are sums over
//! directions that are spread evenly on a spiral.

use super::camera::Eye;

/// Light of the three channels.
type Colour = nalgebra::Vector3<f32>;

/// The sky at the horizon and above, the ground, and the halo about the key light.
const HORIZON: [f32; 3] = [0.93, 0.96, 1.0];
const ZENITH: [f32; 3] = [0.30, 0.50, 0.80];
const GROUND: [f32; 3] = [0.42, 0.45, 0.48];
const HALO: [f32; 3] = [0.55, 0.48, 0.38];
/// The halo falls off with this power of the cosine: half of it within 24°.
const HALO_POWER: i32 = 8;
/// How much of a surface's light is of the surroundings, and how much of their colour it keeps:
/// with all of it, solids in the shade are as blue as the sky.
const EXPOSURE: f32 = 0.70;
const SATURATION: f32 = 0.45;
/// Directions that the coefficients are summed over.
const DIRECTIONS: u32 = 2048;
/// The factors of the bands of a cosine lobe, over π.
const BANDS: [f32; 3] = [1.0, 2.0 / 3.0, 0.25];

/// The surroundings as a camera sees them: all directions are unit vectors of eye space.
pub struct Environment {
    up: Eye,
    key: Eye,
    coefficients: [Colour; 9],
}

impl Environment {
    /// The surroundings with this direction upwards, and this one to the key light.
    pub fn new(up: Eye, key: Eye) -> Environment {
        let mut made = Environment { up, key, coefficients: [Colour::zeros(); 9] };
        let mut sums = [Colour::zeros(); 9];
        // Spread by the golden angle: each has the same solid angle.
        let golden = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
        for k in 0..DIRECTIONS {
            let z = 1.0 - (2.0 * k as f32 + 1.0) / DIRECTIONS as f32;
            let flat = (1.0 - z * z).sqrt();
            let angle = golden * k as f32;
            let direction = Eye::new(flat * angle.cos(), flat * angle.sin(), z);
            let light = made.radiance(&direction);
            harmonics(&direction).iter().zip(&mut sums).for_each(|(y, sum)| *sum += light * *y);
        }
        let solid_angle = 4.0 * std::f32::consts::PI / DIRECTIONS as f32;
        made.coefficients = std::array::from_fn(|k| {
            let band = [0, 1, 1, 1, 2, 2, 2, 2, 2][k];
            let sum = sums[k] * (solid_angle * BANDS[band]);
            let grey = Colour::repeat(sum.mean());
            (grey + (sum - grey) * SATURATION) * EXPOSURE
        });
        made
    }

    /// The light that comes from a direction.
    pub fn radiance(&self, direction: &Eye) -> Colour {
        let upward = direction.dot(&self.up);
        let (to, t) = match upward > 0.0 {
            true => (ZENITH, upward.sqrt()),
            false => (GROUND, (-4.0 * upward).min(1.0)),
        };
        let sky = Colour::from(HORIZON) * (1.0 - t) + Colour::from(to) * t;
        let halo = direction.dot(&self.key).max(0.0).powi(HALO_POWER);
        sky + Colour::from(HALO) * halo
    }

    /// What a white matt face with this normal gives back of the light of the surroundings.
    pub fn irradiance(&self, normal: &Eye) -> Colour {
        let terms = harmonics(normal);
        let sum = (0..9).fold(Colour::zeros(), |sum, k| sum + self.coefficients[k] * terms[k]);
        sum.map(|channel| channel.max(0.0))
    }
}

/// The real spherical harmonics of a direction, up to the second band.
fn harmonics(n: &Eye) -> [f32; 9] {
    const Y0: f32 = 0.282_095;
    const Y1: f32 = 0.488_603;
    const Y2: f32 = 1.092_548;
    [
        Y0,
        Y1 * n.y,
        Y1 * n.z,
        Y1 * n.x,
        Y2 * n.x * n.y,
        Y2 * n.y * n.z,
        0.315_392 * (3.0 * n.z * n.z - 1.0),
        Y2 * n.x * n.z,
        0.546_274 * (n.x * n.x - n.y * n.y),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of the radiance over the half space of a normal, weighed by the cosine.
    fn summed(environment: &Environment, normal: &Eye) -> Colour {
        let (mut sum, mut weights) = (Colour::zeros(), 0.0);
        for i in 0..200 {
            for j in 0..400 {
                let z = -1.0 + (2.0 * i as f32 + 1.0) / 200.0;
                let angle = std::f32::consts::TAU * j as f32 / 400.0;
                let flat = (1.0 - z * z).sqrt();
                let direction = Eye::new(flat * angle.cos(), flat * angle.sin(), z);
                let cosine = direction.dot(normal).max(0.0);
                sum += environment.radiance(&direction) * cosine;
                weights += cosine;
            }
        }
        sum / weights
    }

    #[test]
    fn irradiance_is_the_sum_over_the_half_space() {
        let up = Eye::new(0.1, 0.9, -0.3).normalize();
        let key = Eye::new(-0.6, 0.6, -0.4).normalize();
        let environment = Environment::new(up, key);
        for normal in [up, -up, key, Eye::x(), -Eye::x(), -Eye::z()] {
            let [shown, exact] = [environment.irradiance(&normal), summed(&environment, &normal)];
            let [shown, exact] = [shown.mean(), EXPOSURE * exact.mean()];
            assert!((shown / exact - 1.0).abs() < 0.04, "{normal}: {shown} for {exact}");
        }
        assert!(environment.irradiance(&up).mean() > 1.1 * environment.irradiance(&-up).mean());
    }
}
