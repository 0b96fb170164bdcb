//! Probes: what gauges in the fluid show. To read them changes nothing.
//!
//! - Pressure at a point x, the mean of near particles by Shepard's weights (Shepard 1968, A
//!   two-dimensional interpolation function for irregularly-spaced data):
//!   p(x) = Σⱼ pⱼ Wⱼ / Σⱼ Wⱼ over |x − xⱼ| < h; all particles have the same volume, which cancels.
//! - Height on a vertical line, as a wave gauge shows it: the line is wet where the volume fraction
//!   f(z) = V Σⱼ Wⱼ is at least ½, which in water at rest ends at its level; the height is the top
//!   of the lowest wet stretch. Spray above it does not count, nor a lone drop (f < ⅓), nor what
//!   lies over trapped air.
//! - Front along an axis: the largest coordinate of a particle's centre, and r.
//!
//! Symbols: W kernel \[1/m³\], h its support radius, V volume of a particle \[m³\], r its radius
//! \[m\], d spacing \[m\].

use super::World;
use hashfall_core::{Real, Vec3, parallel, vec3};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Volume fraction at which fluid ends.
const WET: Real = 0.5;
/// Places of a vertical line in a spacing d at which the volume fraction is evaluated; between
/// two of them it is a straight line.
const PLACES_PER_SPACING: Real = 8.0;

/// What is measured while a scene runs, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Probes {
    /// Samples per second of simulated time \[1/s\].
    #[schemars(range(min = 1e-3, max = 1e6))]
    pub rate: f64,
    /// The probes, in the order of their columns.
    pub list: Vec<Probe>,
}

impl Default for Probes {
    fn default() -> Self {
        Probes { rate: 100.0, list: Vec::new() }
    }
}

/// A gauge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Probe {
    /// Pressure at a point \[Pa\]; 0 where no particle is near.
    Pressure {
        /// Its column.
        name: String,
        /// The point \[m\].
        at: [f64; 3],
    },
    /// Level of the fluid on a vertical line \[m\]; that of the domain's floor where it is dry.
    Height {
        /// Its column.
        name: String,
        /// Where the line stands \[m\].
        x: f64,
        /// Where the line stands \[m\].
        y: f64,
    },
    /// The farthest fluid along an axis \[m\]; the domain's lowest coordinate if there is none.
    Front {
        /// Its column.
        name: String,
        /// Towards the larger coordinates of this axis.
        axis: Axis,
        /// Only particles whose centre is lower count \[m\]; `None` counts all.
        #[serde(default)]
        below: Option<f64>,
    },
}

/// An axis of space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Axis {
    /// Along the first coordinate.
    X,
    /// Along the second.
    Y,
    /// Upwards.
    Z,
}

impl Probes {
    /// The first of the times k / rate after `time` \[s\].
    pub fn time_after(&self, time: f64) -> f64 {
        // The product may be rounded up to the next whole number, or down to the last.
        let mut k = (time * self.rate).floor();
        while k / self.rate <= time {
            k += 1.0;
        }
        k / self.rate
    }

    /// What each probe shows now.
    pub fn read(&self, world: &World) -> Vec<f64> {
        self.list.iter().map(|probe| probe.read(world)).collect()
    }
}

impl Probe {
    /// Its column.
    pub fn name(&self) -> &str {
        match self {
            Probe::Pressure { name, .. }
            | Probe::Height { name, .. }
            | Probe::Front { name, .. } => name,
        }
    }

    /// The unit of what it shows.
    pub fn unit(&self) -> &'static str {
        match self {
            Probe::Pressure { .. } => "Pa",
            Probe::Height { .. } | Probe::Front { .. } => "m",
        }
    }

    /// What it shows now, in its unit.
    pub fn read(&self, world: &World) -> f64 {
        match *self {
            Probe::Pressure { at, .. } => pressure(world, &vec3(at)),
            Probe::Height { x, y, .. } => height(world, &vec3([x, y, 0.0])),
            Probe::Front { axis, below, .. } => front(world, axis as usize, below),
        }
    }
}

/// p(x) \[Pa\].
fn pressure(world: &World, at: &Vec3) -> f64 {
    let (particles, kernel) = (&world.particles, world.kernel());
    let [pressures, weights] = parallel::sum(particles.len(), |j| {
        let weight = f64::from(kernel.value((particles.position[j] - at).norm()));
        [weight * f64::from(particles.pressure[j]), weight]
    });
    if weights > 0.0 { pressures / weights } else { 0.0 }
}

/// The top of the lowest wet stretch of the vertical line through `foot` \[m\].
fn height(world: &World, foot: &Vec3) -> f64 {
    let (kernel, volume) = (world.kernel(), world.kernel().rest_volume(world.spacing()));
    let h = kernel.support_radius();
    // Height, and squared distance from the line; in the order of the particles.
    let near: Vec<(Real, Real)> = world
        .particles
        .position
        .par_iter()
        .map(|x| (x.z, (x - foot).xy().norm_squared()))
        .filter(|&(_, aside)| aside < h * h)
        .collect();
    let fraction = |z: Real| -> Real {
        let weight =
            |&(at, aside): &(Real, Real)| kernel.value((aside + (z - at) * (z - at)).sqrt());
        volume * near.iter().map(weight).sum::<Real>()
    };
    let lowest = near.iter().map(|&(z, _)| z).fold(Real::INFINITY, Real::min) - h;
    let highest = near.iter().map(|&(z, _)| z).fold(Real::NEG_INFINITY, Real::max) + h;
    let step = world.spacing() / PLACES_PER_SPACING;
    let mut last: Option<(Real, Real)> = None;
    let places = (0..).map(|k| lowest + k as Real * step).take_while(|&z| z <= highest + step);
    for z in places {
        let now = fraction(z);
        match last {
            Some((below, wet)) if now < WET => {
                return f64::from(below + (z - below) * (wet - WET) / (wet - now));
            }
            _ => last = (now >= WET).then_some((z, now)),
        }
    }
    f64::from(world.solids.domain.min.z)
}

/// The farthest fluid along an axis, of particles below a height \[m\].
fn front(world: &World, axis: usize, below: Option<f64>) -> f64 {
    let positions = &world.particles.position;
    let ceiling = below.unwrap_or(f64::INFINITY);
    let farthest = parallel::max(positions.len(), Real::NEG_INFINITY, |i| {
        let x = &positions[i];
        if f64::from(x.z) < ceiling { x[axis] } else { Real::NEG_INFINITY }
    });
    f64::from((farthest + world.particle_radius).max(world.solids.domain.min[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Density, Fluid, OpenBoundaries, Particles, Solver, Wcsph};
    use hashfall_core::Dimension;
    use hashfall_core::kernel::KernelKind;
    use hashfall_core::parallel::with_threads;
    use hashfall_geometry::Aabb;
    use hashfall_solid::Solids;

    const D: Real = 0.1;

    /// Lattices of spacing d, each by its lowest corner and counts, in a box of 2 m whose floor
    /// lies at −0.5 m; pressure is 100 Pa per metre of x and 1000 per metre below z = 1 m.
    fn world(blocks: &[([f64; 3], [usize; 3])]) -> World {
        let mut particles = Particles::default();
        for &(corner, [nx, ny, nz]) in blocks {
            for n in 0..nx * ny * nz {
                let place = [n % nx, n / nx % ny, n / (nx * ny)].map(|k| (k as Real + 0.5) * D);
                particles.push(vec3(corner) + Vec3::from(place), Vec3::zeros(), 0, 1000.0);
            }
        }
        let pressure = |x: &Vec3| 100.0 * x.x + 1000.0 * (1.0 - x.z);
        particles.pressure = particles.position.iter().map(pressure).collect();
        let fluid = Fluid {
            name: "water".into(),
            rest_density: 1000.0,
            viscosity: 0.0,
            surface_tension: 0.0,
            stiffness: 0.0,
        };
        let domain = Aabb::new(Vec3::new(0.0, 0.0, -0.5), Vec3::new(2.0, 2.0, 2.0));
        World {
            dimension: Dimension::Three,
            kernel: KernelKind::CubicSpline,
            periodic: [false; 3],
            forces: vec![],
            particles,
            fluids: vec![fluid],
            solids: Solids::new(domain, vec![], vec![]),
            gravity: Vec3::zeros(),
            particle_radius: D / 2.0,
            support_radius: 2.0 * D,
            solver: Solver::Wcsph(Wcsph {
                sound_speed: 10.0,
                exponent: 7,
                artificial_viscosity: 0.0,
                courant: 0.4,
                density: Density::Summation,
                shifting: 0.0,
                background_pressure: 0.0,
                interface_sharpening: 0.0,
                individual_steps: 0,
            }),
            interfaces: Vec::new(),
            open_boundaries: OpenBoundaries::default(),
            viscosity: Default::default(),
            time: 0.0,
            steps: 0,
        }
    }

    /// A pool of 12 × 12 × 10 particles on z = 0.
    const POOL: ([f64; 3], [usize; 3]) = ([0.0; 3], [12, 12, 10]);

    fn height_of(blocks: &[([f64; 3], [usize; 3])], x: f64) -> f64 {
        Probe::Height { name: String::new(), x, y: 0.6 }.read(&world(blocks))
    }

    #[test]
    fn pressure_is_the_mean_of_what_is_near() {
        let world = world(&[POOL]);
        let at = |at| Probe::Pressure { name: String::new(), at }.read(&world);
        // The weights are symmetric about a particle and about the middle of a cell of the lattice.
        for x in [[0.55, 0.65, 0.45], [0.5, 0.6, 0.4]] {
            let exact = 100.0 * x[0] + 1000.0 * (1.0 - x[2]);
            assert!((at(x) - exact).abs() < 0.1, "{} for {exact}", at(x));
        }
        // On the floor it sees the layers above alone: 0.05 m up, and less of those at 0.15 m.
        assert!((850.0 + 60.0..950.0 + 60.0).contains(&at([0.6, 0.6, 0.0])));
        assert_eq!(at([0.6, 0.6, 1.5]), 0.0, "no particle is near");
    }

    #[test]
    fn the_level_of_a_pool_is_the_top_of_its_lattice() {
        for x in [0.5, 0.55, 0.62] {
            let level = height_of(&[POOL], x);
            assert!((level - 1.0).abs() < 0.01 * f64::from(D), "at {x}: {level}");
        }
        assert_eq!(height_of(&[POOL], 1.7), -0.5, "a dry line shows the floor");
        assert_eq!(height_of(&[], 0.5), -0.5);
    }

    #[test]
    fn spray_and_what_lies_over_trapped_air_do_not_count() {
        let drop = ([0.5, 0.5, 1.5], [1, 1, 1]);
        let blob = ([0.3, 0.3, 1.5], [6, 6, 4]);
        assert!((height_of(&[POOL, drop], 0.55) - 1.0).abs() < 1e-3);
        assert!((height_of(&[POOL, blob], 0.6) - 1.0).abs() < 1e-3);
        assert_eq!(height_of(&[drop], 0.55), -0.5, "a drop alone is no water level");
        assert!((height_of(&[blob], 0.6) - 1.9).abs() < 0.01, "a blob alone is the lowest stretch");
    }

    #[test]
    fn a_front_is_the_outermost_particle_and_its_radius() {
        let world = world(&[POOL, ([1.5, 0.0, 0.9], [1, 1, 1])]);
        let front = |axis, below| Probe::Front { name: String::new(), axis, below }.read(&world);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(near(front(Axis::X, None), 1.6), "{}", front(Axis::X, None));
        assert!(near(front(Axis::X, Some(0.9)), 1.2) && near(front(Axis::Z, None), 1.0));
        assert_eq!(front(Axis::Z, Some(0.0)), -0.5, "no particle is that low");
    }

    #[test]
    fn any_number_of_threads_reads_the_same() {
        let world = world(&[POOL, ([1.2, 0.0, 0.0], [5, 12, 3])]);
        let name = || String::new();
        let list = vec![
            Probe::Pressure { name: name(), at: [0.61, 0.57, 0.33] },
            Probe::Height { name: name(), x: 1.21, y: 0.6 },
            Probe::Front { name: name(), axis: Axis::Y, below: None },
        ];
        let probes = Probes { rate: 1.0, list };
        let read = |threads| with_threads(threads, || probes.read(&world));
        assert_eq!([read(2), read(5)], [read(1), read(1)]);
    }

    #[test]
    fn the_next_sample_comes_after_any_time() {
        let probes = Probes { rate: 30.0, list: vec![] };
        for k in 0..3000 {
            let sample = f64::from(k) / 30.0;
            assert_eq!(probes.time_after(sample), f64::from(k + 1) / 30.0);
            let just_before = f64::from_bits(sample.to_bits().saturating_sub(1));
            assert!(k == 0 || probes.time_after(just_before) == sample);
        }
    }
}
