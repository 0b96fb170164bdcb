//! Poirrier 2009, §6: all pairs among spheres that fall and pack.
//!
//! Figures 11 and 12 show times for up to some thousand spheres with their standard deviations, at
//! the start and after fifty steps; tables 2 and 3 times, candidates and memory for 50 000 and
//! more. The simulation is [`falling_spheres`](crate::falling_spheres), with its deviations;
//! a time is that of finding the pairs alone ([`pair_steps`](crate::pair_steps)), while the
//! paper's are those of a step.
//!
//! Every structure for pairs takes part, in the tables for as long as a step is expected to take no
//! more than some seconds; brute force, the paper's quadratic method, in full tables only.

use crate::claim::Claim;
use crate::experiment::{Experiment, Findings};
use crate::lab::{Halt, Lab, Size};
use crate::pair_steps::{Runs, SEARCH, measure};
use crate::rows::{self, Row};
use hashfall_output::plot::Panel;
use hashfall_search::PairKind;
use std::ops::RangeInclusive;

/// The start of the run, where spheres hardly touch.
pub const FIG11: Experiment = Experiment {
    name: "poirrier-fig11",
    about: "Pairs among falling spheres, steps 0 to 10 (Poirrier 2009, fig. 11)",
    sizes: ["500 to 5000 spheres, 2 runs", "500 to 10 000 spheres, 4 runs"],
    run: |lab| few(lab, EARLY),
    conclude: conclude_figure,
};

/// Later, where they have begun to pack.
pub const FIG12: Experiment = Experiment {
    name: "poirrier-fig12",
    about: "Pairs among falling spheres, steps 50 to 60 (Poirrier 2009, fig. 12)",
    sizes: FIG11.sizes,
    run: |lab| few(lab, LATE),
    conclude: conclude_figure,
};

/// Times and candidates of many.
pub const TABLE2: Experiment = Experiment {
    name: "poirrier-table2",
    about: "Times and candidate pairs among many falling spheres (Poirrier 2009, table 2)",
    sizes: [
        "50 000 and 100 000 spheres, 1 run",
        "50 000 to 5 000 000 spheres, 4 runs, 1 from a million on",
    ],
    run: |lab| many(lab, |_| true),
    conclude: conclude_table,
};

/// Linear kd-trees with and without pairs that repeat, and their memory.
pub const TABLE3: Experiment = Experiment {
    name: "poirrier-table3",
    about: "Times and memory of linear kd-trees beside the default (Poirrier 2009, table 3)",
    sizes: TABLE2.sizes,
    run: |lab| many(lab, |kind| kind == PairKind::default() || kind.name().contains(LINEAR)),
    conclude: conclude_table,
};

const EARLY: RangeInclusive<usize> = 0..=10;
const LATE: RangeInclusive<usize> = 50..=60;
/// What the names of the paper's trees have in common.
const LINEAR: &str = "LinearKdTree";
/// From this number on the steps of a single run are counted.
const MANY: usize = 1_000_000;

/// Up to some thousand.
fn few(lab: &mut Lab<'_>, steps: RangeInclusive<usize>) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[40, 80],
        &[500, 1000, 2000, 3500, 5000],
        &[500, 1000, 2000, 3500, 5000, 7000, 10_000],
    ]);
    let runs = lab.setup.size.of([2, 2, 4]);
    for &count in counts {
        measure(lab, &Runs { count, steps: steps.clone(), runs }, |_| true)?;
    }
    Ok(())
}

/// From 50 000.
fn many(lab: &mut Lab<'_>, takes_part: impl Fn(PairKind) -> bool) -> Result<(), Halt> {
    let counts: &[usize] = lab.setup.size.of([
        &[100],
        &[50_000, 100_000],
        &[50_000, 100_000, 500_000, 1_000_000, 5_000_000],
    ]);
    let is_full = lab.setup.size == Size::Full;
    for &count in counts {
        let runs = if is_full && count < MANY { 4 } else { 1 };
        let is_quick = |kind: PairKind| lab.may_go_on(kind.name(), SEARCH, "", count as f64);
        let may_try = |kind| takes_part(kind) && (is_full || kind != PairKind::Brute);
        let taking_part: Vec<PairKind> =
            PairKind::ALL.into_iter().filter(|&kind| may_try(kind) && is_quick(kind)).collect();
        let runs = Runs { count, steps: LATE, runs };
        measure(lab, &runs, |kind| taking_part.contains(&kind))?;
    }
    Ok(())
}

fn conclude_figure(rows: &[Row]) -> Findings {
    let panel = |title, of| {
        let (x, y) = ("spheres", "time [ms]");
        Panel { title, x, y, log: false, lines: rows::lines(rows, SEARCH, of) }
    };
    let panels = vec![
        panel("Mean time of a step's pairs", |row| 1e3 * row.time.mean),
        panel("Standard deviation", |row| 1e3 * row.time.deviation),
    ];
    Findings { panels, claims: claims(rows), notes: rows::fastest(rows, SEARCH) }
}

fn conclude_table(rows: &[Row]) -> Findings {
    let panel = |title, y, of| {
        let x = "spheres";
        Panel { title, x, y, log: true, lines: rows::lines(rows, SEARCH, of) }
    };
    let candidates = |row: &Row| row.candidates.map_or(f64::NAN, |count| count as f64);
    let panels = vec![
        panel("Mean time of a step's pairs", "time [ms]", |row| 1e3 * row.time.mean),
        panel("Candidate pairs of a step", "pairs", candidates),
        panel("Memory", "memory [MB]", rows::megabytes),
    ];
    Findings { panels, claims: claims(rows), notes: rows::fastest(rows, SEARCH) }
}

/// The claims that the rows tell something about.
fn claims(rows: &[Row]) -> Vec<Claim> {
    let compared = |of, over, least: f64| {
        let ratios = rows::ratios(rows, SEARCH, [of, over], rows::milliseconds);
        let large: Vec<_> = ratios.into_iter().filter(|ratio| ratio.0 >= least).collect();
        rows::range(&large)
    };
    let claims = [
        Claim::new(
            "from 2000 spheres on, the linear kd-tree fifty times as fast as sweep and prune",
            "> 50",
            compared("SweepAndPrune", "LinearKdTree1", 2000.0),
            50.0..=f64::INFINITY,
        ),
        Claim::new(
            "from 50 000 spheres on, the linear kd-tree a hundred times as fast as all pairs",
            "113 and 218",
            compared("Brute", "LinearKdTree1", 50_000.0),
            100.0..=f64::INFINITY,
        ),
        Claim::new(
            "pairs that come once cost the linear kd-tree a third more time, within a tenth",
            "1.28 to 1.47",
            compared("LinearKdTree2", "LinearKdTree1", 50_000.0),
            1.15..=1.62,
        ),
    ];
    claims.into_iter().flatten().collect()
}
