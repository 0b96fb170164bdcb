//! Contact of elastic bodies: every broad phase of the full mode, and Ahmad's mode.
//!
//! No paper's. Four flat cloths on one another, whose nodes are thrown about until creases of each
//! meet the next one and themselves: substeps of contact and motion alone. All broad phases must
//! leave the same bits. Ahmad's mode meets the same cloths, but neither edges with edges nor what
//! is swept.

use crate::claim::Claim;
use crate::cloth_stack::{ClothStack, wrong};
use crate::experiment::{Experiment, Findings};
use crate::lab::{Halt, Lab};
use crate::measure::timed;
use crate::rows::{self, Row};
use crate::sample::{Answer, Sample};
use hashfall_core::rng::RandomStream;
use hashfall_core::{Real, Vec3};
use hashfall_elastic::{
    Collisions, Drift, ElasticState, FullContact, NodeMotion, SolidMotion, SpatialHashContact,
    SpatialHashSettings,
};
use hashfall_geometry::{Aabb, Point};
use hashfall_output::plot::Panel;
use hashfall_search::BroadPhaseKind;
use hashfall_solid::Solids;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "elastic-contact",
    about: "What a substep of contact between cloths costs, by broad phase, and in Ahmad's mode",
    sizes: [
        "4 cloths of 1000 and 5000 triangles in all",
        "1000 to 100 000 triangles, and a million in the default",
    ],
    run,
    conclude,
};

const TASK: &str = "substep of contact";
const HASHED: &str = "SpatialHash";
/// Brute force is left out beyond this number of triangles.
const MAX_BRUTE: usize = 2000;
/// All broad phases but the default are left out beyond this number of triangles.
const MAX_OTHERS: usize = 200_000;
/// The length of a substep \[s\].
const DT: f64 = 0.02;
/// The fastest that nodes are along each axis \[m/s\]; edges are of 1 m.
const SPEED: f64 = 1.0;
/// Substeps, in which nodes go half an edge.
const SUBSTEPS: u32 = 25;

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    const FULL: [usize; 4] = [1000, 10_000, 100_000, 1_000_000];
    let counts: &[usize] = lab.setup.size.of([&[200][..], &[1000, 5000], &FULL]);
    for &count in counts {
        let mut rng = RandomStream::new(lab.setup.seed);
        let stack = ClothStack::new(count, &mut rng)?;
        let mut start = stack.system.start().clone();
        let mut speed = || rng.between(-SPEED, SPEED);
        start.velocity.iter_mut().for_each(|v| *v = Point::new(speed(), speed(), speed()));
        let nowhere = Aabb::new(Vec3::repeat(-1e6 as Real), Vec3::repeat(1e6 as Real));
        let solids = Solids::new(nowhere, vec![], vec![]).with_open_axes([true; 3]);
        let triangles = stack.corners().len();
        for kind in BroadPhaseKind::ALL {
            let most = match kind {
                BroadPhaseKind::Brute => MAX_BRUTE,
                kind if kind == BroadPhaseKind::default() => usize::MAX,
                _ => MAX_OTHERS,
            };
            if triangles <= most {
                let mut mode = FullContact::new(&stack.system, &solids, kind);
                measure(lab, &stack, &start, &mut mode, kind.name(), triangles)?;
            }
        }
        let settings = SpatialHashSettings { counts_passages: false, ..Default::default() };
        let mode = SpatialHashContact::new(&stack.system, &solids, settings);
        let mut mode = mode.map_err(|error| wrong(&error))?;
        measure(lab, &stack, &start, &mut mode, HASHED, triangles)?;
    }
    Ok(())
}

/// Measures some substeps.
fn measure(
    lab: &mut Lab<'_>,
    stack: &ClothStack,
    start: &ElasticState,
    mode: &mut dyn Collisions,
    structure: &'static str,
    triangles: usize,
) -> Result<(), Halt> {
    let (mut state, mut whole) = (start.clone(), 0.0);
    for step in 0..SUBSTEPS {
        lab.go_on()?;
        let time = f64::from(step) * DT;
        let (seconds, done) = timed(|| advance(mode, stack, time, &mut state));
        done?;
        whole += seconds;
    }
    let counts = mode.take_counts();
    let is_hashed = structure == HASHED;
    // What is left differs by mode.
    let input =
        format!("{triangles} triangles{}", if is_hashed { ", hashed vertices" } else { "" });
    lab.keep(Row {
        input,
        x: triangles as f64,
        structure,
        task: TASK,
        items: triangles,
        // Substeps differ: at first nothing touches.
        time: Sample::new(vec![whole / f64::from(SUBSTEPS)]),
        candidates: Some(counts.tested),
        answer: Some(Answer { count: counts.contacts, checksum: state.digest() }),
        bytes: None,
    })
}

/// A substep, or the part of it that is free.
fn advance(
    mode: &mut dyn Collisions,
    stack: &ClothStack,
    time: f64,
    state: &mut ElasticState,
) -> Result<(), Halt> {
    let (inverse_mass, solids) = (stack.system.inverse_mass(), SolidMotion::default());
    let motion = NodeMotion { position: &state.position, inverse_mass, time, dt: DT, solids };
    let part = mode.resolve(&motion, &mut state.velocity).map_err(|error| wrong(&error))?;
    let drift = Drift { inverse_mass, time, dt: part * DT, solids };
    mode.drift(&drift, &mut state.position, &mut state.velocity);
    Ok(())
}

fn conclude(rows: &[Row]) -> Findings {
    let default = BroadPhaseKind::default().name();
    let find =
        |structure: &str, x: f64| rows.iter().find(|row| row.structure == structure && row.x == x);
    let hashed = rows.iter().filter(|row| row.structure == HASHED);
    let over_hashed: Vec<(f64, f64)> = hashed
        .filter_map(|hashed| {
            let full = find(default, hashed.x)?;
            Some((hashed.x, full.time.median / hashed.time.median))
        })
        .collect();
    let of_structure: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| row.structure == default)
        .map(|row| (row.x, rows::nanoseconds_each(row)))
        .collect();
    let growth = of_structure
        .first()
        .map(|first| of_structure.iter().map(|(x, each)| (*x, each / first.1)).collect::<Vec<_>>());
    let anything = 0.0..=f64::INFINITY;
    let claims = [
        Claim::new(
            "full contact with the default broad phase, times as long as Ahmad's mode",
            "not of a paper",
            rows::range(&over_hashed),
            anything,
        ),
        Claim::new(
            "its cost is linear: times as long for each triangle as with the fewest",
            "not of a paper",
            growth.and_then(|growth| rows::range(&growth)),
            0.0..=2.0,
        ),
    ];
    let full: Vec<Row> = rows.iter().filter(|row| row.structure != HASHED).cloned().collect();
    Findings {
        panels: vec![Panel {
            title: "Contact of cloths",
            x: "triangles",
            y: "time [ns a triangle and substep]",
            log: true,
            lines: rows::lines(rows, TASK, rows::nanoseconds_each),
        }],
        claims: claims.into_iter().flatten().collect(),
        notes: rows::fastest(&full, TASK),
    }
}
