//! What an iteration of the pressure solution costs: `cargo bench -p hashfall-sph --bench
//! pressure_solve -- [--cpu NAME] [--threads N] [PARTICLES…]`.
//!
//! A column of water, a jittered lattice in the order of its cells, of some 27 neighbours a
//! particle, solves for its pressure with 30 and with 90 iterations and no tolerance: the
//! difference is 60 iterations, each with two sums over all pairs (the gradient of pressures, the
//! divergence of accelerations) and the vectors of conjugate gradients. On one thread the time is
//! that of the CPU, so that neighbours of the process do not count; on more it is that of the
//! clock. Medians of seven. Cycles are counted by a chain of multiplications of three cycles each.
//!
//! With `--features testing` it measures the two loops over pairs by themselves, too: G (rows of
//! coefficients, one number of each neighbour) and D (the same, and a row of each neighbour).
//!
//! `--cpu` limits the instructions (`baseline`, `avx2`, `avx512`).

use hashfall_core::simd::Isa;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::random::Random;
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells, Structures};
#[cfg(feature = "testing")]
use hashfall_sph::step::PressureLoops;
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Dfsph, Fluid, Solver, World};
use std::error;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

/// Iterations of the short solution and of the long one.
const ITERATIONS: [u32; 2] = [30, 90];

const REPETITIONS: usize = 7;

/// Times that a loop by itself runs in a repetition.
#[cfg(feature = "testing")]
const LOOPS: u32 = 60;

/// Bytes that the two sums of an iteration read of a pair from end to end of their lists: twice its
/// neighbour, and two rows of coefficients.
const STREAMED_BYTES: usize = 2 * size_of::<u32>() + 2 * size_of::<[i16; 4]>();

/// Whatever goes wrong.
type Failure = Box<dyn error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut threads, mut counts) = (1, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--cpu" => Isa::limit_to(&arguments.next().ok_or("--cpu takes a name")?)?,
            "--threads" => threads = arguments.next().ok_or("--threads takes a number")?.parse()?,
            count => counts.push(count.parse()?),
        }
    }
    if counts.is_empty() {
        counts = vec![25_000, 110_000, 400_000];
    }
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = if threads == 1 { builder.use_current_thread() } else { builder }.build()?;
    println!(
        "{}, {threads} threads, {STREAMED_BYTES} bytes streamed a pair",
        Isa::current().name()
    );
    println!("particles  pairs/particle  ns/particle  ns/pair  cycles/pair  GB/s streamed");
    for count in counts {
        pool.install(|| measure(count, threads))?;
    }
    Ok(())
}

/// Prints a row of the table.
fn measure(count: usize, threads: usize) -> Result<(), Failure> {
    let mut seconds = Vec::new();
    let mut gigahertz: Real = 0.0;
    let pairs = pairs(&column(count, 1)?);
    for _ in 0..REPETITIONS {
        let [(short, few), (long, many)] = [solve(count, 0)?, solve(count, 1)?];
        seconds.push((long - short) / f64::from(many - few));
        gigahertz = gigahertz.max(clock() as Real);
    }
    seconds.sort_unstable_by(f64::total_cmp);
    let median = seconds[REPETITIONS / 2];
    let of_pair = median * 1e9 / pairs as f64;
    println!(
        "{count:9}  {:14.1}  {:11.1}  {of_pair:7.2}  {:11.2}  {:13.1}",
        pairs as f64 / count as f64,
        median * 1e9 / count as f64,
        of_pair * f64::from(gigahertz) * threads as f64,
        STREAMED_BYTES as f64 / of_pair,
    );
    #[cfg(feature = "testing")]
    measure_loops(count)?;
    Ok(())
}

/// Prints what the loops over pairs take by themselves.
#[cfg(feature = "testing")]
fn measure_loops(count: usize) -> Result<(), Failure> {
    let mut world = column(count, ITERATIONS[0])?;
    let mut stepper = Stepper::new(&Structures::default(), &mut world)?;
    stepper.step(&mut world, 1e-4)?;
    let mut loops = stepper.pressure_loops(&world);
    let pairs = loops.pairs();
    let mut found = [Vec::new(), Vec::new()];
    for _ in 0..REPETITIONS {
        for (found, run) in found.iter_mut().zip([PressureLoops::push, PressureLoops::diverge]) {
            let start = seconds();
            (0..LOOPS).for_each(|_| run(&mut loops));
            found.push((seconds() - start) * 1e9 / (f64::from(LOOPS) * pairs as f64));
        }
    }
    let [push, diverge] = found.map(|mut found| {
        found.sort_unstable_by(f64::total_cmp);
        found[REPETITIONS / 2]
    });
    println!(
        "           the loops alone, ns/pair: G {push:.2}, D {diverge:.2}, both {:.2}",
        push + diverge
    );
    Ok(())
}

/// The time of a step with so many iterations \[s\], and how many it took.
fn solve(count: usize, which: usize) -> Result<(f64, u32), Failure> {
    let mut world = column(count, ITERATIONS[which])?;
    let mut stepper = Stepper::new(&Structures::default(), &mut world)?;
    let start = seconds();
    let report = stepper.step(&mut world, 1e-4)?;
    // Those of both half kicks of the first step.
    Ok((seconds() - start, report.divergence.iterations))
}

/// A column of water that stands in a box.
fn column(count: usize, max_iterations: u32) -> Result<World, Failure> {
    let side = (count as f64).cbrt().ceil() as usize;
    let spacing = 1.0 / side as Real;
    let mut random = Random::new(5);
    let place = |n: usize| {
        Vec3::new((n % side) as Real, (n / side % side) as Real, (n / side / side) as Real)
    };
    let points = (0..count).map(|n| {
        let jitter = random.point(-0.1, 0.1).map(|x| x as Real);
        (place(n) + jitter).add_scalar(0.5) * spacing
    });
    let points: Vec<Vec3> = points.collect();
    let settings = Dfsph {
        max_iterations: f64::from(max_iterations),
        max_divergence_error: 1e-12,
        ..Dfsph::default()
    };
    let mut builder = World::builder()
        .domain([0.0; 3], [1.0, 1.0, 1.5])
        .spacing(spacing)
        .fluid(Fluid::default())
        .solver(Solver::Dfsph(settings));
    for point in &points {
        builder = builder.particle((*point).into(), [0.0; 3]);
    }
    Ok(builder.build()?)
}

/// Directed pairs.
fn pairs(world: &World) -> usize {
    let (mut search, mut lists) = (SortedCells::default(), NeighborLists::default());
    search.rebuild(&world.particles.position, world.support_radius);
    lists.build(&search, &world.particles.position, world.support_radius);
    lists.pairs()
}

/// The time that this thread has run, or where nobody tells, the time of the clock \[s\].
fn seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let is_alone = rayon::current_num_threads() == 1;
    let nanoseconds = statistics
        .filter(|_| is_alone)
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |t| t * 1e-9)
}

/// Cycles in a nanosecond.
fn clock() -> f64 {
    const CHAIN: u32 = 20_000_000;
    let (start, mut x) = (seconds(), black_box(3_u64));
    for _ in 0..CHAIN {
        x = black_box(x.wrapping_mul(x | 1));
    }
    black_box(x);
    3.0 * f64::from(CHAIN) * 1e-9 / (seconds() - start)
}
