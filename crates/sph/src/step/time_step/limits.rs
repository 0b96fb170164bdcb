//! The time-step governor: how far a step may go, and what limits it.
//!
//! - *sound*:     dt ≤ C d/(c + vₘₐₓ)  – Courant; signals cross less than C spacings
//! - *speed*:     dt ≤ C d/vₘₐₓ        – the same where pressure acts at once: c = 0; emitters that
//!   are at work in the step count with the speed of their fluid, bodies that move with that of
//!   their fastest point. Spray with fewer than four neighbours and no solid within h has next to
//!   nobody to pass by: it may go h/2 in a step, if that is more than C d. (Near a solid it may
//!   not: how high it bounces depends on the step.)
//! - *pressure*:  dt ≤ C d/√(p/ρ₀)     – there, too: particles in a lattice under pressure p swing
//!   about their places as if sound went at √(p/ρ₀), and a longer step feeds the swing
//! - *force*:     dt ≤ ¼ √(d/aₘₐₓ)     – Monaghan 1992, eq. 10.1
//! - *tension*:   dt ≤ ½ √(ρ̄ d³/(2πσ)) – no capillary wave crosses more than the kernel sees;
//!   after Brackbill et al. 1992, eq. 61. ρ̄ is the mean density of the fluids on both sides, or
//!   that of the fluid where the other side is air
//! - *viscosity*: dt ≤ ⅛ d²/νₘₐₓ       – Morris et al. 1997, eq. 22; where it is implicit 1½ times
//!   the step that it was solved for ([`crate::step::terms::viscosity::implicit`]), as steps grow
//!   again after a fast time
//! - *frame*: the step is cut to land on the frame's time; when less than two steps are left they
//!   are made equal, so that no tiny step remains.
//! - *fixed*: the step is what the scene says, whatever the bounds; none is shortened.
//! - *rejection*: none of these bounds foresees an impact. A step after which the largest
//!   compression or speed has jumped, or anything is not finite, is taken back and repeated with
//!   half the time step, down to a 32nd of what the bounds allow, and then taken as it is. The
//!   steps after it are at most 1.5 times as long as the last, until another bound is shorter.
//!   That the shortest is a part of the bounds, and not of the step before, matters where density
//!   jumps from one place to the next: halved whenever it came there, a step would never arrive.
//!
//! With these limits a dam break takes back one step in 100 (divergence-free) or none (weakly
//! compressible). Its highest compression falls from 7.3 % to 5.2 %, that of two that meet from
//! 12 % to 9.3 %, of a block that falls on a floor from 1 m from 7.1 % to 4.8 %; of blocks that
//! meet at 60 m/s only from 6.3 % to 5.9 %. Where pressure follows from density a spike is as high
//! as sound is slow, v/c, however short the steps.
//!
//! Symbols: d spacing \[m\], c speed of sound \[m/s\], v speed \[m/s\], a acceleration \[m/s²\],
//! ν kinematic viscosity \[m²/s\], C Courant number \[–\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::world::{Fluid, ViscositySolver, World};
use hashfall_core::{Real, Vec3, parallel};

/// The shortest step that is tried, as a part of what the bounds allow.
pub const MIN_STEP_RATIO: f64 = 1.0 / 32.0;

/// The part of a step that rounding may leave of a frame: no step of its own.
const ROUNDING: f64 = 1e-6;

/// Neighbours with which a particle is no spray.
const MIN_NEIGHBORS: usize = 4;

/// How far spray may go in a step, in support radii.
const MAX_SPRAY_PATH: f64 = 0.5;

/// What bound a time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Courant condition on the speed of sound.
    Sound,
    /// The fastest particle.
    Speed,
    /// The largest pressure.
    Pressure,
    /// The largest acceleration.
    Force,
    /// Capillary waves.
    Tension,
    /// Diffusion of momentum.
    Viscosity,
    /// The end of the frame.
    Frame,
    /// A step that was taken back.
    Rejection,
    /// The scene, which gives all steps their length.
    Fixed,
}

impl Limit {
    /// Every limit.
    pub const ALL: [Limit; 9] = [
        Limit::Sound,
        Limit::Speed,
        Limit::Pressure,
        Limit::Force,
        Limit::Tension,
        Limit::Viscosity,
        Limit::Frame,
        Limit::Rejection,
        Limit::Fixed,
    ];

    /// The name in logs.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Sound => "sound",
            Limit::Speed => "speed",
            Limit::Pressure => "pressure",
            Limit::Force => "force",
            Limit::Tension => "tension",
            Limit::Viscosity => "viscosity",
            Limit::Frame => "frame",
            Limit::Rejection => "rejection",
            Limit::Fixed => "fixed",
        }
    }
}

/// The length of a step, and what limits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLength {
    /// The time step \[s\].
    pub dt: f64,
    /// What bounds it.
    pub limit: Limit,
}

impl StepLength {
    /// A step of `dt` \[s\].
    pub fn new(dt: f64, limit: Limit) -> Self {
        StepLength { dt, limit }
    }

    /// The shorter of both; of equals the first.
    pub fn min(self, other: StepLength) -> StepLength {
        if other.dt < self.dt { other } else { self }
    }
}

/// What a solver asks of the governor.
#[derive(Clone, Copy, Debug)]
pub struct StepBounds {
    /// Speed of sound \[m/s\]; `None` where pressure acts at once.
    pub sound_speed: Option<f64>,
    /// √(p/ρ₀) \[m/s\].
    pub pressure_speed: f64,
    /// Courant number \[–\].
    pub courant: f64,
    /// Largest kinematic viscosity that acts as a force, physical and artificial together
    /// \[m²/s\].
    pub viscosity: f64,
    /// The largest acceleration, if not that of the particles \[m/s²\].
    pub acceleration: Option<f64>,
    /// The step that the scene gives \[s\].
    pub fixed: Option<f64>,
}

/// The largest stable step from the present state, in which particles have these surroundings;
/// without them, and before they are found, none is spray.
pub fn stable_step(
    world: &World,
    bounds: &StepBounds,
    neighborhood: Option<&Neighborhood>,
) -> StepLength {
    if let Some(dt) = bounds.fixed {
        return StepLength::new(dt, Limit::Fixed);
    }
    let particles = &world.particles;
    let speed = match bounds.sound_speed {
        None => {
            let part = speed_part(world, neighborhood, bounds.courant);
            let square = |i: usize| (particles.velocity[i] * part(i)).norm_squared();
            f64::from(parallel::max(particles.len(), 0.0, square)).sqrt()
        }
        Some(_) => largest(&particles.velocity),
    };
    let acceleration = bounds.acceleration.unwrap_or_else(|| largest(&particles.acceleration));
    bound(world, bounds, [speed, acceleration], |dt| boundary_speed(world, dt))
}

/// The part of its speed with which a particle counts: of spray so much that it goes as far in a
/// step as it may, of all else the whole \[–\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn speed_part(
    world: &World,
    neighborhood: Option<&Neighborhood>,
    courant: f64,
) -> impl Fn(usize) -> Real + Sync {
    let path = MAX_SPRAY_PATH * f64::from(world.support_radius);
    let part = (courant * f64::from(world.spacing()) / path).min(1.0) as Real;
    let found = neighborhood
        .map(|it| (&it.lists, &it.boundary.fraction))
        .filter(|(lists, solids)| lists.len().min(solids.len()) >= world.particles.len());
    move |i| match found {
        Some((lists, solids)) if lists.of(i).len() < MIN_NEIGHBORS && solids[i] <= 0.0 => part,
        _ => 1.0,
    }
}

/// The step that the present state would allow \[s\] if lighter fluid counted by what it does to
/// the densest that is there: speeds by their dynamic pressure, accelerations by their force (see
/// [`strongest_force`]).
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn horizon(world: &World, bounds: &StepBounds, neighborhood: &Neighborhood) -> f64 {
    let p = &world.particles;
    let density = |phase: u8| world.fluids[usize::from(phase)].rest_density;
    let densest = densest(world);
    if densest == 0.0 {
        return stable_step(world, bounds, Some(neighborhood)).dt;
    }
    let part = |phase: u8| density(phase) / densest;
    let counted = speed_part(world, Some(neighborhood), bounds.courant);
    let square = |i: usize| (p.velocity[i] * counted(i)).norm_squared() * part(p.phase[i]);
    let speed = parallel::max(p.len(), 0.0, square);
    let force = bounds.acceleration.unwrap_or_else(|| strongest_force(world));
    let coming = |dt| {
        let emitted = world.open_boundaries.fastest(world.time, dt, |phase| f64::from(part(phase)));
        emitted.max(world.solids.max_speed(world.time, dt))
    };
    bound(world, bounds, [(speed as f64).sqrt(), force], coming).dt
}

/// The largest of the forces on the particles, as an acceleration of the densest fluid that is
/// there \[m/s²\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
pub fn strongest_force(world: &World) -> f64 {
    let (p, densest) = (&world.particles, densest(world));
    if densest == 0.0 {
        return 0.0;
    }
    let squared = parallel::max(p.len(), 0.0, |i| {
        let part = world.fluids[usize::from(p.phase[i])].rest_density / densest;
        p.acceleration[i].norm_squared() * part * part
    });
    (squared as f64).sqrt()
}

/// The rest density of the densest fluid that is there \[kg/m³\].
fn densest(world: &World) -> Real {
    let phases = &world.particles.phase;
    let density = |i: usize| world.fluids[usize::from(phases[i])].rest_density;
    parallel::max(phases.len(), 0.0, density)
}

/// The largest stable step of particles with this largest speed \[m/s\] and acceleration \[m/s²\],
/// when so much comes in a time.
fn bound(
    world: &World,
    bounds: &StepBounds,
    [speed, acceleration]: [f64; 2],
    coming: impl Fn(f64) -> f64,
) -> StepLength {
    let d = f64::from(world.spacing());
    let way = bounds.courant * d;
    let courant = |speed: f64| match bounds.sound_speed {
        Some(sound_speed) => StepLength::new(way / (sound_speed + speed), Limit::Sound),
        None => StepLength::new(way / speed, Limit::Speed),
    };
    let others = [
        StepLength::new(way / bounds.pressure_speed, Limit::Pressure),
        StepLength::new(by_force(d, acceleration), Limit::Force),
        StepLength::new(by_tension(world), Limit::Tension),
        StepLength::new(by_viscosity(d, bounds.viscosity), Limit::Viscosity),
    ];
    let by_particles = others.into_iter().fold(courant(speed), StepLength::min);
    // What comes in such a step may be faster than all that is there.
    let coming = coming(by_particles.dt);
    if coming > speed { by_particles.min(courant(coming)) } else { by_particles }
}

/// The largest speed \[m/s\] of what emitters give and of bodies that move, within `dt` \[s\].
pub fn boundary_speed(world: &World, dt: f64) -> f64 {
    let emitted = world.open_boundaries.fastest(world.time, dt, |_| 1.0);
    emitted.max(world.solids.max_speed(world.time, dt))
}

/// The step by the acceleration \[m/s²\] of a particle of spacing `d` \[m\] \[s\].
pub fn by_force(d: f64, acceleration: f64) -> f64 {
    0.25 * (d / acceleration).sqrt()
}

/// The step by capillary waves \[s\].
pub fn by_tension(world: &World) -> f64 {
    let d = f64::from(world.spacing());
    0.5 * (d * d * d / capillary(world)).sqrt()
}

/// The step by a kinematic viscosity \[m²/s\] at the spacing `d` \[m\] \[s\].
pub fn by_viscosity(d: f64, viscosity: f64) -> f64 {
    0.125 * d * d / viscosity
}

/// The largest kinematic viscosity of some of the fluids, if it acts as a force \[m²/s\].
pub fn explicit_viscosity(world: &World, fluids: &[Fluid]) -> f64 {
    match world.viscosity {
        ViscositySolver::Explicit => {
            fluids.iter().map(|f| f64::from(f.viscosity)).fold(0.0, f64::max)
        }
        ViscositySolver::Implicit => 0.0,
    }
}

/// The largest 2πσ/ρ̄ of all surfaces \[m³/s²\].
fn capillary(world: &World) -> f64 {
    let fluids = &world.fluids;
    let free = fluids.iter().map(|fluid| fluid.surface_tension / fluid.rest_density);
    let between = world.interfaces.iter().map(|interface| {
        let [a, b] = interface.fluids.map(|fluid| fluids[usize::from(fluid)].rest_density);
        2.0 * interface.tension / (a + b)
    });
    2.0 * std::f64::consts::PI * f64::from(free.chain(between).fold(0.0, Real::max))
}

/// The length of the longest of some vectors.
pub fn largest(vectors: &[Vec3]) -> f64 {
    f64::from(parallel::max(vectors.len(), 0.0 as Real, |i| vectors[i].norm_squared())).sqrt()
}

/// Cuts a step so that the steps land exactly on `remaining` \[s\] from now.
pub fn trim(stable: StepLength, remaining: f64) -> StepLength {
    let StepLength { dt, limit } = stable;
    if remaining <= dt * (1.0 + ROUNDING) {
        StepLength::new(remaining, Limit::Frame)
    } else if remaining < 2.0 * dt && limit != Limit::Fixed {
        StepLength::new(0.5 * remaining, Limit::Frame)
    } else {
        stable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Stepper;
    use crate::step::tests::{DFSPH, splash};
    use hashfall_core::simd::Isa;
    use hashfall_search::Structures;

    #[test]
    fn steps_land_exactly_and_none_is_tiny() {
        let (mut time, until, mut steps) = (0.0, 1.0, 0);
        while time < until {
            let StepLength { dt, .. } = trim(StepLength::new(0.3, Limit::Sound), until - time);
            assert!(dt > 0.14);
            time = if dt >= until - time { until } else { time + dt };
            steps += 1;
        }
        assert_eq!((time, steps), (1.0, 4));
    }

    #[test]
    fn steps_of_a_given_length_leave_no_tiny_one_before_a_frame() {
        for (rate, given) in [(100.0, 0.0005), (30.0, 1.0 / 300.0), (25.0, 1e-4)] {
            let first = 1000 * rate as u32;
            let mut time = f64::from(first) / rate;
            for frame in first + 1..=first + 50 {
                let until = f64::from(frame) / rate;
                while time < until {
                    let length = StepLength::new(given, Limit::Fixed);
                    let StepLength { dt, .. } = trim(length, until - time);
                    assert!(dt > 0.999 * given, "{dt} s at {time} s");
                    time = if dt >= until - time { until } else { time + dt };
                }
            }
        }
    }

    #[test]
    fn light_fluid_ends_the_horizon_by_its_dynamic_pressure() {
        let mut world = crate::step::tests::box_of_one(Vec3::zeros());
        let water = world.fluids[0].clone();
        world.fluids =
            vec![water.clone(), Fluid { rest_density: water.rest_density / 100.0, ..water }];
        world.gravity = Vec3::zeros();
        let bounds = StepBounds {
            sound_speed: None,
            pressure_speed: 0.0,
            courant: 0.4,
            viscosity: 0.0,
            acceleration: None,
            fixed: None,
        };
        world.particles = Default::default();
        world.particles.push(Vec3::zeros(), Vec3::x() * 3.0, 0, water.rest_density);
        let none = Neighborhood::new(&world, Isa::current());
        let alone = horizon(&world, &bounds, &none);
        assert_eq!(alone, stable_step(&world, &bounds, Some(&none)).dt);
        world.particles.push(Vec3::zeros(), Vec3::x() * 20.0, 1, water.rest_density / 100.0);
        assert_eq!(horizon(&world, &bounds, &none), alone);
        world.particles.velocity[1] *= 3.0;
        let twice = horizon(&world, &bounds, &none);
        assert!((alone / twice - 2.0).abs() < 1e-5, "{alone} {twice}");
        assert!(stable_step(&world, &bounds, Some(&none)).dt < 0.06 * alone);
    }

    /// A particle of spray ahead of a block limits the step by h/2, one of the block or beside a
    /// wall by its Courant number.
    #[test]
    fn spray_has_longer_steps() {
        let stable_step = |place: [Real; 3]| {
            let mut world = splash(DFSPH);
            world.forces.clear();
            world.gravity = Vec3::zeros();
            let particles = &mut world.particles;
            particles.velocity.fill(Vec3::zeros());
            particles.push(Vec3::from(place), Vec3::z() * 10.0, 0, 1000.0);
            Stepper::new(&Structures::default(), &mut world).unwrap().stable_step(&world)
        };
        let (d, h) = (0.025, 0.05);
        let spray = ([0.2, 0.2, 0.53], 0.5 * h);
        for (place, way) in [spray, ([0.2, 0.2, 0.3], 0.4 * d), ([0.02, 0.2, 0.53], 0.4 * d)] {
            let (dt, limit) = stable_step(place);
            assert_eq!(limit, Limit::Speed);
            assert!((10.0 * dt / way - 1.0).abs() < 1e-4, "{place:?}: {dt}");
        }
    }
}
