//! Ahmad, "Polygons checking": what a time step misses.
//!
//! "It is easy to miss a collision if the time step is larger (i.e. the displacement is too big and
//! specially thin objects are missed)." Short threads fall from 5 to 30 cm on a thin cloth that is
//! held at its nodes, apart from each other, for half a second; gravity is their only force. Those
//! are counted that end below it. Contact is by hashed vertices, which finds what came to lie no
//! farther behind than half a cell or a whole one, or swept (full mode).

use crate::claim::Claim;
use crate::cloth_stack::{body, wrong};
use crate::experiment::{Experiment, Findings};
use crate::lab::{Halt, Lab};
use crate::measure::timed;
use crate::rows::{self, Row};
use crate::sample::{Answer, Sample};
use hashfall_core::format_significant;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Real, Vec3};
use hashfall_elastic::{
    BodySpec, Collisions, Drift, ElasticMesh, ElasticState, ElasticSystem, FullContact, NodeMotion,
    SolidMotion, SpatialHashContact, SpatialHashSettings,
};
use hashfall_geometry::{Aabb, Point};
use hashfall_output::curves::Curve;
use hashfall_output::plot::{Line, Panel};
use hashfall_search::BroadPhaseKind;
use hashfall_solid::Solids;
use std::ops::RangeInclusive;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "ahmad-misses",
    about: "How much falls through a thin cloth, by the time step: hashed vertices against swept",
    sizes: ["100 threads on a cloth of 800 triangles", "1000 threads on it"],
    run,
    conclude,
};

const TASK: &str = "contact of a step";
const HALF: &str = "hashed, half a cell deep";
const WHOLE: &str = "hashed, a cell deep";
const SWEPT: &str = "swept";
/// Time steps \[s\]: those of a hundred and of twenty-five frames a second, which the article
/// names, among others.
const STEPS: [f64; 6] = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08];
/// How long all fall \[s\].
const DURATION: f64 = 0.48;
/// Cells of the cloth along an edge of 1 m.
const CELLS: u32 = 20;
/// The edge of what falls \[m\].
const EDGE: f64 = 0.01;

/// What falls, and on what.
struct Fall {
    system: ElasticSystem,
    solids: Solids,
    /// 0 of the cloth, which is held.
    inverse_mass: Vec<f64>,
}

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let count = lab.setup.size.of([20, 100, 1000]);
    let fall = fall(count, &mut RandomStream::new(lab.setup.seed))?;
    for dt in STEPS {
        for (structure, depth) in [(HALF, 0.5), (WHOLE, 1.0)] {
            let settings = SpatialHashSettings { depth, ..SpatialHashSettings::default() };
            let mode = SpatialHashContact::new(&fall.system, &fall.solids, settings);
            let mut mode = mode.map_err(|error| wrong(&error))?;
            drop_on(lab, &fall, &mut mode, structure, dt)?;
        }
        let kind = BroadPhaseKind::default();
        let mut mode = FullContact::new(&fall.system, &fall.solids, kind);
        drop_on(lab, &fall, &mut mode, SWEPT, dt)?;
    }
    Ok(())
}

fn fall(count: usize, rng: &mut RandomStream) -> Result<Fall, Halt> {
    // So rough that nothing slides off.
    let cloth = BodySpec { friction: 1.0, ..body("cloth", Point::zeros(), 1.0, CELLS)? };
    let mut mesh = ElasticMesh::default();
    let side = (count as f64).sqrt().ceil() as u32;
    let spacing = 0.9 / f64::from(side);
    for k in 0..count as u32 {
        // Far enough apart that none falls on another.
        let [x, y] = [k % side, k / side].map(|place| {
            0.05 + spacing * f64::from(place) + rng.between(0.0, spacing - 2.0 * EDGE)
        });
        let at = Point::new(x, y, rng.between(0.05, 0.3));
        let off = [[0.0; 3], [EDGE, 0.0, 0.0]].map(Point::from);
        mesh.nodes.extend(off.map(|off| at + off));
        mesh.segments.push([2 * k, 2 * k + 1]);
    }
    let thrown = BodySpec { mesh, name: "thrown".to_owned(), ..cloth.clone() };
    let system = ElasticSystem::new(vec![cloth, thrown]).map_err(|error| wrong(&error))?;
    let held = system.bodies()[0].nodes.clone();
    let mut inverse_mass = system.inverse_mass().to_vec();
    inverse_mass[held].fill(0.0);
    let domain = Aabb::new(Vec3::repeat(-9.0 as Real), Vec3::repeat(9.0 as Real));
    let solids = Solids::new(domain, vec![], vec![]).with_open_axes([true; 3]);
    Ok(Fall { system, solids, inverse_mass })
}

/// Lets all fall in steps of `dt` \[s\]; keeps how many stay above the cloth.
fn drop_on(
    lab: &mut Lab<'_>,
    fall: &Fall,
    mode: &mut dyn Collisions,
    structure: &'static str,
    dt: f64,
) -> Result<(), Halt> {
    let mut state = fall.system.start().clone();
    let thrown = fall.system.bodies()[1].nodes.clone();
    let mut times = Vec::new();
    for step in 0..(DURATION / dt).round() as u32 {
        lab.go_on()?;
        let gravity = Point::new(0.0, 0.0, -9.81 * dt);
        state.velocity[thrown.clone()].iter_mut().for_each(|v| *v += gravity);
        let (seconds, done) =
            timed(|| advance(mode, &fall.inverse_mass, f64::from(step) * dt, dt, &mut state));
        done?;
        times.push(seconds);
    }
    let mut answer = Answer::default();
    for (k, corners) in (0..).zip(state.position[thrown.clone()].chunks(2)) {
        if corners.iter().all(|x| x.z > 0.0) {
            answer.add(k, 0);
        }
    }
    let count = thrown.len() / 2;
    lab.keep(Row {
        // What is found is to differ.
        input: format!("{count} threads, dt = {dt} s, {structure}"),
        x: dt,
        structure,
        task: TASK,
        items: count,
        time: Sample::new(times),
        candidates: Some(mode.take_counts().tested),
        answer: Some(answer),
        bytes: None,
    })
}

/// One step of contact and motion; more, if contact cuts it.
fn advance(
    mode: &mut dyn Collisions,
    inverse_mass: &[f64],
    start: f64,
    step: f64,
    state: &mut ElasticState,
) -> Result<(), Halt> {
    let mut done = 0.0;
    // Anything below a rounding of the step is none.
    while step - done > 1e-12 * step {
        let (time, dt, solids) = (start + done, step - done, SolidMotion::default());
        let motion = NodeMotion { position: &state.position, inverse_mass, time, dt, solids };
        let part = mode.resolve(&motion, &mut state.velocity).map_err(|error| wrong(&error))?;
        let drift = Drift { inverse_mass, time, dt: part * dt, solids };
        mode.drift(&drift, &mut state.position, &mut state.velocity);
        done = if part == 1.0 { step } else { done + part * dt };
    }
    Ok(())
}

/// The part that got through.
fn missed(row: &Row) -> f64 {
    row.answer.map_or(f64::NAN, |above| 1.0 - above.count as f64 / row.items as f64)
}

fn conclude(rows: &[Row]) -> Findings {
    let part = |structure: &str, steps: RangeInclusive<f64>| {
        let selected =
            rows.iter().filter(|row| row.structure == structure && steps.contains(&row.x));
        rows::range(&selected.map(|row| (row.x, missed(row))).collect::<Vec<_>>())
    };
    let some = f64::MIN_POSITIVE..=1.0;
    let claims = [
        Claim::new(
            "steps of at most 0.01 s miss nothing: the part that falls through, half a cell deep",
            "\"limited to 0.01\"",
            part(HALF, 0.0..=0.01),
            0.0..=0.0,
        ),
        Claim::new(
            "\"easy to miss a collision if the time step is larger\": the part at 0.04 and 0.08 s",
            "no figure",
            part(HALF, 0.04..=0.08),
            some.clone(),
        ),
        Claim::new(
            "the same if vertices are found a whole cell behind",
            "no figure",
            part(WHOLE, 0.04..=0.08),
            some,
        ),
        Claim::new(
            "swept contact misses nothing at any step",
            "not of the paper",
            part(SWEPT, 0.0..=1.0),
            0.0..=0.0,
        ),
    ];
    let line = |label| {
        let selected = rows.iter().filter(|row| row.structure == label);
        let points = selected.map(|row| [row.x, 100.0 * missed(row)]).collect();
        Line { label, is_reference: false, curve: Curve::new(points) }
    };
    let (x, y) = ("time step [s]", "fallen through [%]");
    let lines = vec![line(HALF), line(WHOLE), line(SWEPT)];
    let cost = rows::lines(rows, TASK, rows::milliseconds);
    let panels = vec![
        Panel { title: "What falls through a thin cloth", x, y, log: false, lines },
        Panel { title: "Contact of a step", x, y: "time [ms]", log: true, lines: cost },
    ];
    let note = |row: &Row| {
        let percent = format_significant(100.0 * missed(row), 3);
        format!("{}: {percent} % fall through.", row.input)
    };
    let mut notes: Vec<String> = rows.iter().map(note).collect();
    let of_step = |row: &Row| Row { input: format!("dt = {} s", row.x), ..row.clone() };
    notes.extend(rows::fastest(&rows.iter().map(of_step).collect::<Vec<_>>(), TASK));
    Findings { panels, claims: claims.into_iter().flatten().collect(), notes }
}
