//! `sim bench`: the experiments by name, and the report that a short one leaves.

use super::support::Place;
use hashfall_bench::experiments;
use hashfall_search::{BroadPhaseKind, NeighborKind, OTHERS, PairKind};

#[test]
fn the_list_names_every_experiment_and_structure_and_runs_none() {
    let place = Place::new();
    let ended = place.sim(["bench", "--list"]);
    ended.assert_done();
    let first = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let names: Vec<String> = ended.stdout.lines().map(first).collect();
    for experiment in &experiments::ALL {
        assert!(names.iter().any(|name| name == experiment.name), "{}", ended.stdout);
        assert!(experiment.sizes.iter().all(|size| ended.stdout.contains(size)));
    }
    let structures = NeighborKind::ALL.map(NeighborKind::name).into_iter();
    let structures = structures
        .chain(BroadPhaseKind::ALL.map(BroadPhaseKind::name))
        .chain(PairKind::ALL.map(PairKind::name))
        .chain(OTHERS.map(|(name, _)| name));
    assert!(structures.into_iter().all(|kind| names.iter().any(|name| name == kind)), "{names:?}");
    assert!(ended.stdout.contains(BroadPhaseKind::MultilevelHash.about()));
    assert!(ended.stderr.is_empty() && !place.path("out").exists());
}

#[test]
fn an_unknown_experiment_or_a_senseless_number_is_refused_before_anything_runs() {
    let place = Place::new();
    let near = "no experiment `pouchol-fg4`: did you mean `pouchol-fig4`?";
    place.sim(["bench", "neighbors", "pouchol-fg4"]).assert_refused(&[near]);
    place.sim(["bench", "fig"]).assert_refused(&["known here: `pouchol-fig4`"]);
    place.sim(["bench", "--repeats", "0"]).assert_refused(&["--repeats", "from 1 to 10000"]);
    place.sim(["bench", "--threads", "0"]).assert_refused(&["from 1 to"]);
    assert!(!place.path("out").exists());
}

#[test]
fn an_experiment_is_measured_written_and_drawn() {
    let place = Place::new();
    let ended = place.sim(["bench", "poirrier-fig11", "--repeats", "1", "--out", "measured"]);
    ended.assert_done();
    assert!(ended.stdout.contains("| N = 500, steps 0 to 10  | HierarchicalHash"), "{ended:?}");
    assert!(ended.stdout.contains("\nclaim: ") && ended.stderr.contains("(1 of 1)"), "{ended:?}");
    let files: Vec<String> = place.files("measured").into_iter().map(|(name, _)| name).collect();
    assert_eq!(files, ["poirrier-fig11.csv", "poirrier-fig11.svg", "report.md"]);
    let page = place.read("measured/report.md");
    assert!(page.contains("(poirrier-fig11.svg)") && page.contains("Size: quick; 1 repeats"));
}
