//! A free rigid body: a wooden beam, let go above water in the plane, comes to float. Archimedes:
//! it lies as deep as the part that its density is of the water's.
//!
//! ```sh
//! cargo run --release --example floating_body
//! ```

use hashfall::prelude::*;
use std::error::Error;

/// A beam 0.3 m wide and 0.1 m high, of 0.6 of the density of water, in a tank 0.9 m wide.
const SCENE: &str = r#"
Scene(
    dimensions: Two,
    frames: (count: 8, rate: 2.0),
    domain: Box(min: (-0.45, 0.0, 0.0), max: (0.45, 0.0, 0.5)),
    particle_radius: 0.00625,
    fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-3,
        shapes: [Box(min: (-0.45, 0.0, 0.0), max: (0.45, 0.0, 0.2), pressure: Hydrostatic)],
    )],
    solids: [Polygon(
        points: [(-0.15, 0.21), (0.15, 0.21), (0.15, 0.31), (-0.15, 0.31)],
        contact: (slip: No),
        motion: Free(density: 600.0),
    )],
)
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::from_scene(SCENE)?;
    // It displaces 0.6 of its area, which raises the water.
    let expected = 0.6 * 0.1;
    let level = 0.2 + expected * 0.3 / 0.9;
    println!("time [s]  draught [m]  by Archimedes [m]");
    for frame in 1..=8 {
        simulation.advance_to(0.5 * f64::from(frame))?;
        let state = simulation.world().solids.body_state(1).ok_or("the beam is gone")?;
        let draught = level - (state.position.z - 0.05);
        println!("{:8.1}  {draught:11.3}  {expected:17.3}", simulation.world().time);
        // Less than a spacing, with the waves that are left.
        assert!(frame < 8 || (draught - expected).abs() < 0.01, "it floats");
    }
    Ok(())
}
