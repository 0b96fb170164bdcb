//! A force of one's own: a drop in weightlessness is stirred by a torque per mass about the
//! vertical axis, and its angular momentum grows as it must.
//!
//! ```sh
//! cargo run --release --example custom_force
//! ```

use hashfall::prelude::*;
use std::error::Error;

/// The acceleration is a × r with a along z \[1/s²\].
const STRENGTH: Real = 2.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = World::builder()
        .domain([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0])
        .gravity([0.0; 3])
        .spacing(0.05)
        .fluid(Fluid { viscosity: 1e-3, ..Fluid::default() });
    for place in ball(0.3, 0.05) {
        builder = builder.particle(place, [0.0; 3]);
    }
    let mut simulation = Simulation::new(builder.build()?)?;
    simulation.stepper_mut().add_force(|world, accelerations| {
        for (acceleration, x) in accelerations.iter_mut().zip(&world.particles.position) {
            *acceleration += STRENGTH * Vec3::new(-x.y, x.x, 0.0);
        }
    });

    println!("time [s]  angular momentum [1/s]  expected");
    let inertia: Real =
        simulation.world().particles.position.iter().map(|x| x.x * x.x + x.y * x.y).sum();
    for frame in 1..=4 {
        let time = 0.05 * f64::from(frame);
        simulation.advance_to(time)?;
        let found = angular_momentum(simulation.world());
        // As long as the drop keeps its shape: dL/dt = strength · inertia.
        let expected = f64::from(STRENGTH * inertia) * time;
        println!("{time:8.2}  {found:22.3}  {expected:8.3}");
        assert!((found - expected).abs() < 0.05 * expected, "the force is not what was asked");
    }
    Ok(())
}

/// The points of a lattice in a ball.
fn ball(radius: Real, spacing: Real) -> Vec<[Real; 3]> {
    let count = (radius / spacing) as i32;
    let line = || (-count..=count).map(|k| k as Real * spacing);
    let cube = line().flat_map(|x| line().flat_map(move |y| line().map(move |z| [x, y, z])));
    cube.filter(|[x, y, z]| x * x + y * y + z * z <= radius * radius).collect()
}

/// Σ (x v_y − y v_x), for particles of unit mass.
fn angular_momentum(world: &World) -> f64 {
    let p = &world.particles;
    let spins = p.position.iter().zip(&p.velocity).map(|(x, v)| x.x * v.y - x.y * v.x);
    spins.map(f64::from).sum()
}
