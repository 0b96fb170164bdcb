//! Poirrier 2009, table 1: what cutting boxes into parts does to a linear kd-tree.
//!
//! Spheres of one size at random places, at five densities. With and without cuts it counts the
//! parts (the paper's sub-elements), the volume V_n of their cells over the volume V_e of the
//! spheres, the pairs that are selected, and those of them that overlap, both as often as they
//! come. The root is a cube around all spheres; the paper names neither root nor depth, so its V_n
//! without cuts, that of a root some times larger, is not ours.
//!
//! Counts stand in the column of candidates; the answer is the pairs that overlap, each once.

use crate::claim::Claim;
use crate::experiment::{Experiment, Findings};
use crate::falling_spheres::FallingSpheres;
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::pair_steps::{NarrowPhase, SEARCH};
use crate::rows::{self, Row};
use crate::sample::{Answer, Sample};
use hashfall_core::rng::RandomStream;
use hashfall_output::plot::Panel;
use hashfall_search::{LinearKdTree1, LinearKdTreeSettings, PairSearch, RootCell};
use std::f64::consts::PI;

/// What cutting does.
pub const EXPERIMENT: Experiment = Experiment {
    name: "poirrier-table1",
    about: "What cutting boxes into parts does to a linear kd-tree (Poirrier 2009, table 1)",
    sizes: ["10 000 spheres at five densities", "the same"],
    run,
    conclude,
};

/// d: the part of space that the spheres fill \[–\].
const DENSITIES: [f64; 5] = [0.01, 0.05, 0.1, 0.5, 1.0];
const UNCUT: &str = "LinearKdTree1 uncut";
const CUT: &str = "LinearKdTree1";
const PARTS: &str = "parts";
const VOLUME: &str = "V_n / V_e";
const OVERLAPPING: &str = "selected that overlap";

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let count = lab.setup.size.of([200, 10_000, 10_000]);
    for density in DENSITIES {
        let mut rng = RandomStream::new(lab.setup.seed);
        let sets = [(); 2].map(|()| FallingSpheres::new(count, density, &mut rng));
        for (structure, cuts) in [(UNCUT, false), (CUT, true)] {
            measure(lab, &sets, density, structure, cuts)?;
        }
    }
    Ok(())
}

/// Keeps the rows of a tree at one density.
fn measure(
    lab: &mut Lab<'_>,
    sets: &[FallingSpheres; 2],
    density: f64,
    structure: &'static str,
    cuts: bool,
) -> Result<(), Halt> {
    let settings = LinearKdTreeSettings { cuts, octree: false, root: RootCell::Cubic };
    let mut tree = LinearKdTree1::with(settings);
    // Of parts, volume, selected pairs and those that overlap, on A and B together.
    let mut counts = [[0.0; 4]; 2];
    let measured = alternate(lab, |side| {
        let spheres = &sets[side];
        let (seconds, found) = timed(|| {
            tree.rebuild(spheres.boxes());
            tree.pairs(&NarrowPhase(|low, high| spheres.overlap(low, high)))
        });
        let selected: u64 = found.iter().map(|part| part.candidates).sum();
        let mut pairs: Vec<[u32; 2]> = found.into_iter().flat_map(|it| it.overlapping).collect();
        let volume = tree.cell_volume() / (spheres.boxes().len() as f64 * PI / 6.0);
        counts[side] = [tree.part_count() as f64, volume, selected as f64, pairs.len() as f64];
        pairs.sort_unstable();
        pairs.dedup();
        let mut answer = Answer::default();
        pairs.iter().for_each(|&[a, b]| answer.add(a, b));
        ([seconds], answer)
    })?;
    let mean = |k: usize| ((counts[0][k] + counts[1][k]) / 2.0).round() as u64;
    let row = Row {
        input: format!("d = {density}"),
        x: density,
        structure,
        task: SEARCH,
        items: sets[0].boxes().len(),
        time: measured.times[0],
        candidates: Some(mean(2)),
        answer: Some(measured.answer),
        bytes: Some(PairSearch::bytes(&tree)),
    };
    for (k, task) in [(0, PARTS), (1, VOLUME), (3, OVERLAPPING)] {
        let untimed = Sample::new(Vec::new());
        let (candidates, answer, bytes) = (Some(mean(k)), None, None);
        lab.keep(Row { task, time: untimed, candidates, answer, bytes, ..row.clone() })?;
    }
    lab.keep(row)
}

/// The count of a row; NaN if it has none.
fn counted(row: &Row) -> f64 {
    row.candidates.map_or(f64::NAN, |count| count as f64)
}

fn conclude(rows: &[Row]) -> Findings {
    let panel = |title, y, task| {
        let x = "d, the part of space that spheres fill";
        Panel { title, x, y, log: true, lines: rows::lines(rows, task, counted) }
    };
    let panels = vec![
        panel("Selected pairs", "pairs", SEARCH),
        panel("Volume of cells over that of spheres", "V_n / V_e", VOLUME),
    ];
    let ratio =
        |task, [of, over]: [&str; 2]| rows::range(&rows::ratios(rows, task, [of, over], counted));
    let claims = [
        Claim::new(
            "cuts multiply the elements by about 6.5",
            "6.01 to 6.67",
            ratio(PARTS, [CUT, UNCUT]),
            6.0..=6.7,
        ),
        Claim::new(
            "cuts save selected pairs by a factor of 10 to 100",
            "11 to 256",
            ratio(SEARCH, [UNCUT, CUT]),
            10.0..=f64::INFINITY,
        ),
        Claim::new(
            "cuts save volume of cells by a factor of almost a million",
            "1e5 to 7e5",
            ratio(VOLUME, [UNCUT, CUT]),
            1e5..=f64::INFINITY,
        ),
    ];
    Findings {
        panels,
        claims: claims.into_iter().flatten().collect(),
        notes: rows::fastest(rows, SEARCH),
    }
}
