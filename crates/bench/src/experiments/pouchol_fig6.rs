//! Pouchol et al. 2009, §4.2, figure 6: particles fall and bounce among 2000 spheres.
//!
//! Static spheres of diameter 2⁻⁴ to 2⁻² and particles of diameter 2⁻⁶ are placed at random in a
//! box; for 1000 steps the particles fly, hit and come to rest at the bottom. A step's time is that
//! of the whole collision detection, as in the paper: the spheres are indexed, though they stand
//! still; the box of each particle's path is asked for spheres; and the contacts are found exactly,
//! here by [`Solids::sweep`].
//!
//! The paper leaves open, and here is chosen: a box of 3.5³, of which spheres of uniform diameter,
//! none of which overlap, fill 12.7 %; steps of 5 ms, in which most of the particles come to rest
//! within the 1000; half the speed given back, half of it rubbed off. Particles do not meet each
//! other: the paper finds those pairs by uniform hashing, beside what the figure compares. Those
//! that would start in a sphere are left out.

use crate::claim::Claim;
use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::measure::timed;
use crate::rows::{self, Row};
use crate::sample::{Answer, Sample};
use hashfall_core::digest::Digest;
use hashfall_core::parallel::CHUNK;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_output::plot::Panel;
use hashfall_search::with_broad_phase;
use hashfall_search::{BroadPhase, BroadPhaseKind, for_each_overlap};
use hashfall_solid::{Solids, SweepBuffer, sweep_box};
use rayon::prelude::*;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "pouchol-fig6",
    about: "Particles bounce among 2000 spheres (Pouchol et al. 2009, fig. 6)",
    sizes: ["10 000 particles, 100 steps", "100 000 particles, 1000 steps"],
    run,
    conclude,
};

/// The task that is timed.
const COLLISIONS: &str = "collision detection";
/// Edge of the box \[m\], time step \[s\], gravity \[m/s²\].
const EDGE: f64 = 3.5;
const STEP: Real = 0.005;
const GRAVITY: Real = 9.81;
/// Radius of a particle \[m\].
const RADIUS: Real = 1.0 / 128.0;
/// Blocks of steps, each with a row.
const BLOCKS: usize = 10;

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let spheres = lab.setup.size.of([200, 2000, 2000]);
    let particles = lab.setup.size.of([300, 10_000, 100_000]);
    let steps = lab.setup.size.of([100, 100, 1000]) / BLOCKS;
    let (solids, flight) = start(lab.setup.seed, spheres, particles)?;
    for kind in BroadPhaseKind::ALL.into_iter().filter(|&kind| kind != BroadPhaseKind::Brute) {
        with_broad_phase!(kind, B => {
            fly::<B>(lab, kind.name(), &solids, flight.clone(), steps)?;
        });
    }
    Ok(())
}

/// The spheres and walls, and the particles that start clear of them, as a scene makes them.
fn start(seed: u64, spheres: usize, particles: usize) -> Result<(Solids, Flight), Halt> {
    let region = format!("(min: (0, 0, 0), max: ({EDGE}, {EDGE}, {EDGE}))");
    let law = "(restitution: 0.5, friction: 0.5)";
    let text = format!(
        "Scene(frames: (count: 1, rate: 1), particle_radius: {RADIUS}, solver: Ballistic(),
        domain: Box(min: (0, 0, 0), max: ({EDGE}, {EDGE}, {EDGE}), contact: {law}),
        fluids: [(name: \"particles\", rest_density: 1, viscosity: 0, shapes: [
            Random(seed: {seed}, count: {particles}, region: {region}),
        ])],
        solids: [SphereField(Random(seed: {seed}, count: {spheres}, diameter: (0.0625, 0.25),
            sizes: Uniform, region: {region}, contact: {law}))])"
    );
    let world = inputs::scene(EXPERIMENT.name, text)?.world;
    let (positions, velocities) = (world.particles.position, world.particles.velocity);
    Ok((world.solids, Flight { positions, velocities, candidates: 0, hits: 0 }))
}

/// Flies to the end with one structure, and keeps a row for each block of this number of steps.
fn fly<B: BroadPhase>(
    lab: &mut Lab<'_>,
    structure: &'static str,
    solids: &Solids,
    mut flight: Flight,
    steps: usize,
) -> Result<(), Halt> {
    let mut broad = B::default();
    for block in 0..BLOCKS {
        let mut seconds = Vec::new();
        for _ in 0..steps {
            lab.go_on()?;
            seconds.push(timed(|| flight.step(solids, &mut broad)).0);
        }
        let first = block * steps;
        lab.keep(Row {
            input: format!("steps {first} to {}", first + steps - 1),
            x: first as f64 + 0.5 * steps as f64,
            structure,
            task: COLLISIONS,
            items: flight.positions.len(),
            time: Sample::new(seconds),
            candidates: Some(flight.candidates),
            answer: Some(flight.answer()),
            bytes: Some(broad.bytes()),
        })?;
    }
    Ok(())
}

/// The particles on their way.
#[derive(Clone, Debug)]
struct Flight {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// Spheres offered in the last step, and impacts in all.
    candidates: u64,
    hits: u64,
}

impl Flight {
    /// Pulls the particles down and moves them as far as the solids let them: what is timed.
    fn step<B: BroadPhase>(&mut self, solids: &Solids, broad: &mut B) {
        let boxes = solids.object_boxes();
        broad.rebuild(&boxes, 2.0 * RADIUS);
        let broad = &*broad;
        let move_chunk = |(positions, velocities): (&mut [Vec3], &mut [Vec3])| {
            let (mut objects, mut buffer) = (Vec::new(), SweepBuffer::default());
            let (mut offered, mut hits) = (0, 0);
            for (x, v) in positions.iter_mut().zip(velocities) {
                v.z -= GRAVITY * STEP;
                let target = *x + *v * STEP;
                objects.clear();
                let path: Aabb = sweep_box(x, &target, RADIUS);
                for_each_overlap(broad, &boxes, &path, |object| objects.push(object));
                // In one order for all structures: contacts are the same to the last bit.
                objects.sort_unstable();
                let contact = solids.sweep(&objects, x, &target, v, RADIUS, &mut buffer);
                (*x, *v) = (contact.position, contact.velocity);
                offered += objects.len() as u64;
                hits += u64::from(contact.hits);
            }
            [offered, hits]
        };
        let chunks =
            self.positions.par_chunks_mut(CHUNK).zip(self.velocities.par_chunks_mut(CHUNK));
        let [offered, hits] =
            chunks.map(move_chunk).reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        self.candidates = offered;
        self.hits += hits;
    }

    /// Impacts so far, and where the particles are.
    fn answer(&self) -> Answer {
        let mut places = Digest::default();
        self.positions.iter().for_each(|x| places.vec3(x));
        Answer { count: self.hits, checksum: places.value() }
    }
}

fn conclude(rows: &[Row]) -> Findings {
    let lines = rows::lines(rows, COLLISIONS, rows::milliseconds);
    let (title, y) = ("Collision detection of a step", "time [ms]");
    let panels = vec![Panel { title, x: "step", y, log: false, lines }];
    let compared = |pair, value| rows::ratios(rows, COLLISIONS, pair, value);
    let mean = |ratios: Vec<(f64, f64)>| {
        let mean = ratios.iter().map(|r| r.1).sum::<f64>() / ratios.len() as f64;
        (!ratios.is_empty()).then_some(mean..=mean)
    };
    let pair = ["MultilevelHash", "PlainHierarchicalHash"];
    let overhead = rows::range(&compared([pair[1], pair[0]], rows::megabytes))
        .map(|r| 100.0 * (r.start() - 1.0)..=100.0 * (r.end() - 1.0));
    let claims = [
        Claim::new(
            "the hierarchical hash faster than the multilevel hash, in the mean over the run",
            "about 1.25",
            mean(compared(pair, rows::milliseconds)),
            1.2..=f64::INFINITY,
        ),
        Claim::new(
            "the same of the flat hierarchical hash, our own",
            "about 1.25",
            mean(compared([pair[0], "HierarchicalHash"], rows::milliseconds)),
            1.2..=f64::INFINITY,
        ),
        Claim::new(
            "memory of the hierarchical hash beyond that of the multilevel hash [%]",
            "≤ 20",
            overhead,
            f64::NEG_INFINITY..=20.0,
        ),
    ];
    let notes = rows::fastest(rows, COLLISIONS);
    Findings { panels, claims: claims.into_iter().flatten().collect(), notes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_search::{HierarchicalHash, MultilevelHash};

    #[test]
    fn particles_never_lie_in_a_sphere_and_gain_no_energy() {
        let (solids, mut flight) = start(1, 400, 300).unwrap();
        let mut other = flight.clone();
        let (mut broad, mut plain) = (HierarchicalHash::default(), MultilevelHash::default());
        let all: Vec<u32> = (0..400).collect();
        let energy = |flight: &Flight| -> f64 {
            let one = |(x, v): (&Vec3, &Vec3)| {
                f64::from(v.norm_squared()) / 2.0 + f64::from(GRAVITY * x.z)
            };
            flight.positions.iter().zip(&flight.velocities).map(one).sum()
        };
        let mut before = energy(&flight);
        for _ in 0..200 {
            flight.step(&solids, &mut broad);
            other.step(&solids, &mut plain);
            let after = energy(&flight);
            assert!(after < 1.0001 * before, "{after} after {before}");
            before = after;
        }
        let depth = |x: &Vec3| solids.penetration(&all, x, RADIUS);
        let deepest = flight.positions.iter().map(depth).fold(0.0, Real::max);
        assert!(deepest < 0.01 * RADIUS, "{deepest}");
        assert!(flight.hits > 200 && flight.answer() == other.answer());
    }
}
