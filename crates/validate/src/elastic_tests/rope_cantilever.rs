//! A rope that is clamped at one end, and bends by its weight.
//!
//! Two fixed nodes clamp a rope in the middle between them: the joint at the second stands for
//! half a segment on either side. So its length is that of its n free segments and a half, L, and
//! its end sinks by w L⁴/(8 EI) (Euler–Bernoulli, small deflection); the joints sum this up to a
//! relative error of the order 1/n².

use hashfall_elastic::testing::{Run, symplectic};
use hashfall_elastic::{
    BodySpec, ElasticSystem, Fixing, Material, Rope, StepError, SymplecticSettings, rope,
};
use hashfall_geometry::Point;

/// Of a segment \[m\].
const SEGMENT: f64 = 0.02;
/// Deflection over length: linear theory holds to its square.
const DEFLECTION: f64 = 0.01;

/// How far the end of a rope with this number of free segments sinks, over what theory says.
///
/// # Errors
/// If a step fails.
pub fn rope_cantilever(segments: u32) -> Result<f64, StepError> {
    let end = Point::x() * (SEGMENT * f64::from(segments + 1));
    let mesh = rope(Point::zeros(), end, segments + 1);
    let mesh = mesh.unwrap_or_else(|error| unreachable!("{error}"));
    let material = Rope::rod(1e7, 1000.0, 0.01);
    let length = SEGMENT * (f64::from(segments) + 0.5);
    let per_length = 1000.0 * std::f64::consts::PI * 2.5e-5;
    // Gravity for the deflection, and the lowest frequency: 3.516 √(EI/(μ L⁴)).
    let stiffness = material.bending_stiffness;
    let gravity = DEFLECTION * 8.0 * stiffness / (per_length * length.powi(3));
    let omega = 3.516 * (stiffness / (per_length * length.powi(4))).sqrt();
    let spec = BodySpec {
        fixings: vec![(0, Fixing::Fixed), (1, Fixing::Fixed)],
        damping_rate: 2.0 * omega,
        ..BodySpec::new("rope", mesh, Material::Rope(material))
    };
    let system = ElasticSystem::new(vec![spec]).unwrap_or_else(|error| unreachable!("{error}"));
    let mut run = Run::new(system, symplectic(SymplecticSettings::default()));
    for _ in 0..20 {
        run.advance(1.0 / omega, &(Point::z() * -gravity))?;
    }
    Ok(-run.state.position[segments as usize + 1].z / (DEFLECTION * length))
}

#[test]
fn a_clamped_rope_sinks_as_a_beam() {
    let ratio = rope_cantilever(15).unwrap();
    assert!((ratio - 1.0).abs() < 5e-3, "{ratio}");
}
