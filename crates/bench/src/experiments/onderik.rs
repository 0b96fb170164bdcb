//! Onderik & Ďurikovič 2008, §5, table I: neighbour search in a dam break of 1600 particles.
//!
//! The paper's fluid: ρ₀ = 1000 kg/m³, m = 0.0012 kg, h = 0.05 m, μ = 50 Pa s, steps of 2 ms; the
//! gas stiffness is 20, 40 and 70. A particle of that mass has the spacing d = (m/ρ₀)^⅓ = 10.6 mm,
//! so h = 4.7 d, and some 400 neighbours.
//!
//! Here the fluid is our weakly compressible SPH with γ = 1, whose pressure c²(ρ − ρ₀) is the
//! paper's k(ρ − ρ₀) for c² = k. The stiffness is read as 20 J/kg and not "Nm/g": with a thousand
//! times as much, sound would cross five support radii in one of the paper's steps. Our time step
//! is the stable one, not 2 ms, and its support radius 8 r = 4 d, the most that a scene takes; the
//! search is measured with the paper's. There is no surface tension. The column's shape is not
//! given: it is of 10 × 10 × 16 particles, in a box three times as long.
//!
//! Each structure is given the positions of instants along the run, one after the other, and lists
//! all neighbours. `Dynamics` is the rest of our time step, which shares nothing with theirs but
//! its task.

use crate::claim::Claim;
use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::measure::timed;
use crate::neighbor_lists::answer;
use crate::rows::{self, Row};
use crate::sample::{Answer, Sample};
use hashfall_core::timer::Stage;
use hashfall_core::{Real, Vec3};
use hashfall_output::plot::Panel;
use hashfall_search::with_neighbor_search;
use hashfall_search::{NeighborKind, NeighborLists, NeighborSearch};
use hashfall_sph::step::{StepError, Stepper};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "onderik-table1",
    about: "Neighbour search in a dam break of 1600 particles (Onderik & Ďurikovič 2008, table I)",
    sizes: ["10 instants of 0.2 s", "50 instants of 1 s"],
    run,
    conclude,
};

/// The time of building and listing; and of the rest of a step.
const SEARCH: &str = "neighbour search";
const DYNAMICS: &str = "dynamics";
/// Gas stiffness k \[J/kg\] of the test cases.
const STIFFNESS: [f64; 3] = [20.0, 40.0, 70.0];
/// Support radius h of the search \[m\].
const SUPPORT_RADIUS: Real = 0.05;
/// Between instants \[s\].
const INTERVAL: f64 = 0.02;

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let instants = lab.setup.size.of([1, 10, 50]);
    let cases = lab.setup.size.of([1, 3, 3]);
    for (case, &stiffness) in STIFFNESS.iter().enumerate().take(cases) {
        let input = format!("test case {}", case + 1);
        let film = film(lab, stiffness, instants)?;
        let count = film.instants[0].len();
        for kind in NeighborKind::ALL {
            let row = with_neighbor_search!(kind, S => search::<S>(lab, &film)?);
            let row = Row { input: input.clone(), structure: kind.name(), ..row };
            lab.keep(Row { x: stiffness, items: count, ..row })?;
        }
        lab.keep(Row {
            input,
            x: stiffness,
            structure: "(our SPH)",
            task: DYNAMICS,
            items: count,
            time: film.dynamics,
            candidates: None,
            answer: None,
            bytes: None,
        })?;
    }
    Ok(())
}

/// A run of the dam break.
struct Film {
    /// The particles' places along it.
    instants: Vec<Vec<Vec3>>,
    /// Time of a step without the search for neighbours.
    dynamics: Sample,
}

/// Runs the dam break, and keeps this number of instants of it and the start.
fn film(lab: &Lab<'_>, stiffness: f64, instants: usize) -> Result<Film, Halt> {
    let text = format!(
        "Scene(frames: (count: 1, rate: 1), particle_radius: 0.0053133, support_radius: 0.0425,
        domain: Box(min: (0, 0, 0), max: (0.32, 0.1063, 0.4)),
        fluids: [(name: \"fluid\", rest_density: 1000, viscosity: 0.05, shapes: [
            Box(min: (0, 0, 0), max: (0.1063, 0.1063, 0.1701)),
        ])],
        solver: Wcsph(sound_speed: {}, exponent: 1, density: Summation), surface: None)",
        stiffness.sqrt()
    );
    let prepared = inputs::scene(EXPERIMENT.name, text)?;
    let mut world = prepared.world;
    let failed = |why: StepError| Halt::Wrong(why.to_string());
    let mut stepper = Stepper::new(&prepared.structures, &mut world)
        .map_err(|why| Halt::Wrong(why.to_string()))?;
    let mut film = vec![world.particles.position.clone()];
    let mut dynamics = Vec::new();
    for instant in 1..=instants {
        let until = instant as f64 * INTERVAL;
        while world.time < until {
            lab.go_on()?;
            let before = stepper.times;
            stepper.step(&mut world, until).map_err(failed)?;
            let spent = stepper.times.since(&before);
            dynamics.push((spent.total() - spent.of(Stage::Search)).as_secs_f64());
        }
        film.push(world.particles.position.clone());
    }
    Ok(Film { instants: film, dynamics: Sample::new(dynamics) })
}

/// Measures a structure on all instants; the first is for warming.
fn search<S: NeighborSearch>(lab: &Lab<'_>, film: &Film) -> Result<Row, Halt> {
    let (mut search, mut lists) = (S::default(), NeighborLists::default());
    let mut seconds = Vec::new();
    let (mut found, mut candidates) = (Answer::default(), 0);
    for points in &film.instants {
        lab.go_on()?;
        let (time, ()) = timed(|| {
            search.rebuild(points, SUPPORT_RADIUS);
            lists.build(&search, points, SUPPORT_RADIUS);
        });
        seconds.push(time);
        found = found.and(answer(&lists));
        points.iter().for_each(|p| search.candidates(p, |_| candidates += 1));
    }
    let time = Sample::new(seconds.split_off(1));
    let instants = film.instants.len() as u64;
    Ok(Row {
        input: String::new(),
        x: 0.0,
        structure: "",
        task: SEARCH,
        items: 0,
        time,
        candidates: Some(candidates / instants),
        answer: Some(Answer { count: found.count / instants, ..found }),
        bytes: Some(search.bytes()),
    })
}

fn conclude(rows: &[Row]) -> Findings {
    let panel = |title, task| {
        let lines = rows::lines(rows, task, rows::milliseconds);
        Panel { title, x: "gas stiffness [J/kg]", y: "time [ms]", log: true, lines }
    };
    let panels = vec![panel("Neighbour search of a step", SEARCH), panel("The rest", DYNAMICS)];
    let compared = |pair| rows::range(&rows::ratios(rows, SEARCH, pair, rows::milliseconds));
    let claims = [
        Claim::new(
            "cell indexing faster than spatial hashing, with tables that grow",
            "1.6 to 1.7",
            compared(["UniformHash", "CellIndex"]),
            1.55..=f64::INFINITY,
        ),
        Claim::new(
            "cell indexing faster than spatial hashing, in a table of fixed length",
            "1.6 to 1.7",
            compared(["FixedUniformHash", "CellIndex"]),
            1.55..=f64::INFINITY,
        ),
        Claim::new(
            "all pairs slower than cell indexing",
            "7.1 to 7.8",
            compared(["Brute", "CellIndex"]),
            7.0..=f64::INFINITY,
        ),
    ];
    let notes = rows::fastest(rows, SEARCH);
    Findings { panels, claims: claims.into_iter().flatten().collect(), notes }
}
