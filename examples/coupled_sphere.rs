//! A solid that answers the fluid, coupled from outside: each step reads the force of the water on
//! a ball, adds the ball's weight, and sets its velocity for the next step.
//!
//! Such a partitioned coupling holds for bodies that are denser than the fluid; light ones need
//! their velocity as an unknown of the pressure solve.
//!
//! ```sh
//! cargo run --release --example coupled_sphere
//! ```

use hashfall::prelude::*;
use std::error::Error;
use std::f64::consts::PI;

const GRAVITY: f64 = 9.81;
/// Radius \[m\] and density \[kg/m³\] of the ball.
const RADIUS: f64 = 0.1;
const DENSITY: f64 = 4000.0;
/// The ball among all bodies: the walls are 0.
const BALL: usize = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::builder()
        .domain([-0.4, -0.4, 0.0], [0.4, 0.4, 1.2])
        .spacing(0.05)
        .fluid(Fluid::default())
        .block([-0.4, -0.4, 0.0], [0.4, 0.4, 0.9])
        .sphere([0.0, 0.0, 0.6], RADIUS as Real)
        .build()?;
    let law = KinematicLaw::driven([0.0, 0.0, 0.6]);
    world.solids = world.solids.with_kinematic_laws(vec![Some(law)]);
    let mut simulation = Simulation::new(world)?;

    let mass = DENSITY * 4.0 / 3.0 * PI * RADIUS.powi(3);
    let mut speed = 0.0;
    println!("time [s]  height [m]  speed [m/s]  force of the water / buoyancy");
    for frame in 1..=10 {
        let until = 0.02 * f64::from(frame);
        let (mut impulse, began) = (0.0, simulation.world().time);
        while simulation.world().time < until {
            let report = simulation.step(until)?;
            // What the fluid gave to the ball in this step, upwards [N s].
            let given = simulation.stepper_mut().take_impulses()[BALL].force.z;
            impulse += given;
            speed += given / mass - GRAVITY * report.dt;
            let velocity = Point::new(0.0, 0.0, speed);
            simulation.world_mut().solids.set_body_velocity(BALL, velocity, Point::zeros())?;
        }
        let state = simulation.world().solids.body_state(BALL).ok_or("the ball is gone")?;
        let force = impulse / (simulation.world().time - began);
        let buoyancy = 1000.0 * GRAVITY * mass / DENSITY;
        let [height, speed] = [state.position.z, state.velocity.z];
        println!("{until:8.2}  {height:10.3}  {speed:11.3}  {:29.2}", force / buoyancy);
        assert!(speed.is_finite() && speed > -GRAVITY * until, "slower than in free fall");
    }
    Ok(())
}
