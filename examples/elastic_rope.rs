//! An elastic body: a rubber cord hangs from one end, and its own weight stretches it. At rest it
//! is longer by ρ g L²/(2E), 4.9 cm of a metre.
//!
//! ```sh
//! cargo run --release --example elastic_rope
//! ```

use hashfall::prelude::*;
use std::error::Error;

/// A cord of L = 1 m, density ρ = 1000 kg/m³ and Young's modulus E = 1e5 Pa.
const SCENE: &str = r#"
Scene(
    frames: (count: 6, rate: 2.0),
    domain: Box(min: (-0.5, -0.5, 0.0), max: (0.5, 0.5, 2.0)),
    particle_radius: 0.05,
    elastic: [(
        name: "cord",
        shape: Line(from: (0, 0, 1.8), to: (0, 0, 0.8), segments: 20),
        material: Rope(density: 1000, diameter: 0.01, young_modulus: 1e5, bending_stiffness: 0),
        fixings: [Fixed(nodes: Indices([0]))],
        damping: (rate: 8, time: 1e-4),
    )],
)
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::from_scene(SCENE)?;
    let expected = 1000.0 * 9.81 / (2.0 * 1e5);
    println!("time [s]  longer by [m]  at rest [m]");
    for frame in 0..=6 {
        simulation.advance_to(0.5 * f64::from(frame))?;
        let cord = simulation.world().elastic.as_ref().ok_or("the cord is gone")?;
        let stretch = 0.8 - cord.state.position[20].z;
        println!("{:8.1}  {stretch:13.5}  {expected:11.5}", simulation.world().time);
        assert!(frame < 6 || (stretch - expected).abs() < 0.01 * expected, "it hangs still");
    }
    Ok(())
}
