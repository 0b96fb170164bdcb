//! A dam break from a scene's text, without files: prints the front of the water beside the
//! shallow-water speed 2√(gH), and the surface at the end.
//!
//! ```sh
//! cargo run --release --example dam_break
//! ```

use hashfall::prelude::*;
use std::error::Error;

/// A column of water a = 0.2 m wide and H = 0.4 m high, let go.
const SCENE: &str = r#"
Scene(
    frames: (count: 4, rate: 10.0),
    domain: Box(min: (0.0, 0.0, 0.0), max: (1.2, 0.2, 0.6)),
    particle_radius: 0.02,
    fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0.0, 0.0, 0.0), max: (0.2, 0.2, 0.4))],
    )],
)
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::from_scene(SCENE)?;
    println!("{} particles", simulation.world().particles.len());
    println!("time [s]  steps  front [m]  shallow water [m]");
    for frame in 1..=4 {
        let time = 0.1 * f64::from(frame);
        let steps = simulation.advance_to(time)?;
        let front = front(simulation.world());
        let ritter = 0.2 + 2.0 * (9.81_f64 * 0.4).sqrt() * time;
        println!("{time:8.1}  {steps:5}  {front:9.3}  {ritter:17.3}");
        // No water is faster than the dam break on a dry bed that Ritter computed (1892).
        assert!(f64::from(front) < ritter, "the front is too fast");
    }
    let surfaces = simulation.surfaces();
    let mesh = &surfaces[0].main;
    println!("{} triangles around {:.4} m³", mesh.triangles.len(), mesh.volume());
    assert!(mesh.audit().is_sound());
    Ok(())
}

/// How far the water has come \[m\].
fn front(world: &World) -> Real {
    world.particles.position.iter().map(|x| x.x).fold(0.0, Real::max)
}
