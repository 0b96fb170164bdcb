//! Steps on one thread and on several, with and without a busy neighbour:
//! `cargo bench -p hashfall-sph --bench steps -- [CASE…] [--threads 1,2] [--busy 0,1]
//! [--steps 40] [--rounds 5] [--isa avx2]`.
//!
//! The same dam breaks by every case. After steps that do not count, all numbers of threads go on
//! from one state, in turn in each round, beside so many foreign processes that compute without
//! end. Told are medians over the rounds: wall clock and CPU time, of all threads, in nanoseconds
//! a particle and step; how many times as fast as the first number of threads in the same round;
//! and the parts of the stages. CPU time is that of `/proc/self/stat`, in steps of 10 ms; without
//! it, none is told.

use hashfall_core::Real;
use hashfall_core::simd::Isa;
use hashfall_core::timer::{Stage, StageTimes};
use hashfall_search::Structures;
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Density, Dfsph, Fluid, Solver, Wcsph, World};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::error::Error;
use std::process::{Child, Command};
use std::time::Instant;

/// Spacings along a side of the column.
const SIDE: usize = 31;

/// Ticks of `/proc/self/stat` \[1/s\].
const TICKS: f64 = 100.0;

/// The speed of sound \[m/s\], as in `benches/simulators`.
const SOUND_SPEED: f64 = 18.708;

/// A solver and its support radius, in spacings.
struct Case {
    name: &'static str,
    support: Real,
    solver: Solver,
}

fn wcsph(density: Density) -> Solver {
    let (artificial_viscosity, courant) = match density {
        Density::Summation => (0.05, 0.4),
        Density::Continuity { .. } => (0.2, 0.4),
    };
    Solver::Wcsph(Wcsph {
        sound_speed: Some(SOUND_SPEED),
        exponent: 7.0,
        artificial_viscosity: Some(artificial_viscosity),
        courant: Some(courant),
        density: Some(density),
        shifting: 1.0,
        background_pressure: 0.0,
        interface_sharpening: 0.0,
        individual_steps: 0.0,
    })
}

fn cases() -> Vec<Case> {
    let flowing = wcsph(Density::FLOWING);
    let summed = wcsph(Density::Summation);
    vec![
        Case { name: "summation", support: 2.0, solver: summed },
        Case { name: "continuity", support: 2.0, solver: flowing },
        Case { name: "summation-wide", support: 3.46, solver: summed },
        Case { name: "continuity-wide", support: 3.46, solver: flowing },
        Case { name: "dfsph", support: 2.0, solver: Solver::Dfsph(Dfsph::default()) },
    ]
}

impl Case {
    fn world(&self) -> Result<World, Box<dyn Error>> {
        let spacing = 1.0 / SIDE as Real;
        let fluid = Fluid { viscosity: 0.01, ..Fluid::default() };
        let world = World::builder()
            .domain([0.0; 3], [2.0, 1.0, 2.0])
            .spacing(spacing)
            .support_radius(self.support * spacing)
            .solver(self.solver)
            .fluid(fluid)
            .block([0.0; 3], [1.0; 3])
            .build()?;
        Ok(world)
    }
}

/// What the command line asks for.
struct Options {
    cases: Vec<String>,
    threads: Vec<usize>,
    busy: Vec<usize>,
    steps: usize,
    skipped: usize,
    rounds: usize,
}

fn numbers(text: &str) -> Result<Vec<usize>, Box<dyn Error>> {
    text.split(',').map(|part| Ok(part.trim().parse()?)).collect()
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut found = Options {
        cases: Vec::new(),
        threads: vec![1, 2],
        busy: vec![0, 1],
        steps: 40,
        skipped: 200,
        rounds: 5,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
        match word.as_str() {
            "--bench" => {}
            "--threads" => found.threads = numbers(&value()?)?,
            "--busy" => found.busy = numbers(&value()?)?,
            "--steps" => found.steps = value()?.parse()?,
            "--skip" => found.skipped = value()?.parse()?,
            "--rounds" => found.rounds = value()?.parse()?,
            "--isa" => Isa::limit_to(&value()?)?,
            name if cases().iter().any(|case| case.name == name) => found.cases.push(word),
            _ => return Err(format!("there is no option or case `{word}`").into()),
        }
    }
    Ok(found)
}

/// CPU time of this process, user and system \[s\].
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |k: usize| after_name.split_whitespace().nth(k).and_then(|t| t.parse::<f64>().ok());
    ticks(11).zip(ticks(12)).map_or(f64::NAN, |(user, system)| (user + system) / TICKS)
}

/// What some steps took.
struct Taken {
    wall: f64,
    cpu: f64,
    stages: StageTimes,
}

/// A run that goes on in its own threads.
struct Run {
    pool: ThreadPool,
    world: World,
    stepper: Stepper,
}

impl Run {
    fn new(threads: usize, world: &World) -> Result<Run, Box<dyn Error>> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut world = world.clone();
        let stepper = pool.install(|| Stepper::new(&Structures::default(), &mut world))?;
        Ok(Run { pool, world, stepper })
    }

    fn step(&mut self, steps: usize) -> Result<Taken, Box<dyn Error>> {
        let Run { pool, world, stepper } = self;
        let (start, cpu, stages) = (Instant::now(), cpu_seconds(), stepper.times);
        pool.install(|| (0..steps).try_for_each(|_| stepper.step(world, 1e9).map(drop)))?;
        let count = (steps * world.particles.len()) as f64 / 1e9;
        Ok(Taken {
            wall: start.elapsed().as_secs_f64() / count,
            cpu: (cpu_seconds() - cpu) / count,
            stages: stepper.times.since(&stages),
        })
    }
}

/// Foreign processes that compute until they are dropped.
struct Neighbors(Vec<Child>);

impl Neighbors {
    fn new(count: usize) -> Result<Neighbors, Box<dyn Error>> {
        let program = std::env::current_exe()?;
        let start = || Command::new(&program).arg("--spin").spawn();
        Ok(Neighbors((0..count).map(|_| start()).collect::<Result<_, _>>()?))
    }
}

impl Drop for Neighbors {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // A process that has ended already is no fault.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn shares(stages: &StageTimes) -> String {
    let total = stages.total().as_secs_f64();
    let share = |stage: &Stage| 100.0 * stages.of(*stage).as_secs_f64() / total;
    let shares = Stage::ALL.iter().filter(|stage| share(stage) >= 0.5);
    shares
        .map(|stage| format!("{} {:.0} %", stage.name(), share(stage)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn measure(case: &Case, options: &Options) -> Result<(), Box<dyn Error>> {
    let mut world = case.world()?;
    let mut first = Run::new(options.threads[0], &world)?;
    first.step(options.skipped)?;
    world = first.world;
    for &busy in &options.busy {
        let _neighbors = Neighbors::new(busy)?;
        let mut runs: Vec<Run> =
            options.threads.iter().map(|&n| Run::new(n, &world)).collect::<Result<_, _>>()?;
        let mut taken: Vec<Vec<Taken>> = runs.iter().map(|_| Vec::new()).collect();
        runs.iter_mut().try_for_each(|run| run.step(2).map(drop))?;
        for _ in 0..options.rounds {
            for (run, taken) in runs.iter_mut().zip(&mut taken) {
                taken.push(run.step(options.steps)?);
            }
        }
        for (threads, steps) in options.threads.iter().zip(&taken) {
            let of = |what: &dyn Fn(&Taken) -> f64| median(steps.iter().map(what).collect());
            let ratios = taken[0].iter().zip(steps).map(|(a, b)| a.wall / b.wall).collect();
            println!(
                "{}, {} particles, threads {threads}, busy {busy}: wall {:.0} ns, CPU {:.0} ns, \
                 {:.2} times as fast; {}",
                case.name,
                world.particles.len(),
                of(&|t| t.wall),
                of(&|t| t.cpu),
                median(ratios),
                shares(&steps[0].stages),
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|word| word == "--spin") {
        loop {
            std::hint::spin_loop();
        }
    }
    let options = options()?;
    let is_asked =
        |case: &Case| options.cases.is_empty() || options.cases.contains(&case.name.into());
    cases().iter().filter(|case| is_asked(case)).try_for_each(|case| measure(case, &options))
}
