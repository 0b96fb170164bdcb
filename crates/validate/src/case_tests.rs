//! Cases that run, shortened, and what they measure.

use crate::{CaseOutcome, cases};
use hashfall_run::{Observer, Requests, RunProgress};
use hashfall_scene::Override;
use std::sync::atomic::Ordering;

struct Silent;

impl Observer for Silent {
    fn frame(&mut self, _: &RunProgress) {}
    fn step(&mut self, _: &RunProgress) {}
}

/// A case with keys of its scene changed, run to its end.
fn run(case: &str, sets: &[&str]) -> CaseOutcome {
    let sets: Vec<_> = sets.iter().map(|set| Override::parse(set).unwrap()).collect();
    let case = cases::find(case).unwrap();
    case.run(&sets, &mut Silent, &Requests::default()).unwrap().unwrap()
}

fn value(outcome: &CaseOutcome, quantity: &str) -> f64 {
    let measured = &outcome.findings.measured;
    measured.iter().find(|m| m.quantity == quantity).unwrap_or_else(|| panic!("{quantity}")).value
}

/// A coarser tank of 216 particles; its probes stay where they are.
const COARSE_TANK: [&str; 2] =
    ["particle_radius=0.03333", "fluids[0].shapes[0].max=(0.50001, 0.50001, 0.50001)"];

#[test]
fn water_in_the_mesh_tank_stands_where_it_was_filled() {
    let outcome = run("mesh_tank", &[&COARSE_TANK[..], &["frames.count=2"]].concat());
    assert_eq!((outcome.particles, &outcome.failure), (216, &None));
    assert_eq!(value(&outcome, "particles that leaked"), 0.0);
    let level = value(&outcome, "error of the level");
    assert!(level < 0.3, "{level} spacings");
    assert!((0.98..=1.0).contains(&value(&outcome, "least volume of any step")));
    let panels = &outcome.findings.panels;
    assert_eq!(
        panels[0].lines.iter().map(|l| l.label).collect::<Vec<_>>()[1..],
        ["middle", "corner", "wall"]
    );
}

#[test]
fn a_tank_without_its_mesh_leaks_and_the_case_sees_it() {
    let free = [&COARSE_TANK[..], &["solids=[]", "frames.count=2"]].concat();
    let outcome = run("mesh_tank", &free);
    assert!(value(&outcome, "particles that leaked") > 50.0, "{:?}", outcome.findings.measured);
    assert!(value(&outcome, "error of the level") > 1.0 && !outcome.holds());
}

#[test]
fn the_front_of_the_dam_break_reaches_the_box_and_its_probes() {
    let sets = ["particle_radius=0.05", "frames=(count: 7, rate: 10.0)"];
    let outcome = run("kleefsman", &sets);
    let panel = &outcome.findings.panels[2];
    let [experiment, measured] = &panel.lines[..] else { panic!("{panel:?}") };
    assert!(experiment.is_reference && experiment.curve.points().len() > 150);
    // The reservoir sinks with the experiment's, even at ten centimetres a particle.
    let at = |curve: &hashfall_output::curves::Curve| curve.at(0.5).unwrap();
    let (found, known) = (at(&measured.curve), at(&experiment.curve));
    assert!((found - known).abs() < 0.1, "{found} m for {known} m");
    let arrival = value(&outcome, "arrival at P1");
    assert!((0.3..0.7).contains(&arrival), "{arrival} s");
    assert!(value(&outcome, "RMS error of level H4").is_nan(), "it ends before the record does");
}

#[test]
fn a_run_that_fails_is_an_outcome_that_misses_its_one_goal() {
    let explodes = ["particle_radius=0.05", "fluids[0].shapes[0].velocity=(9999, 9999, 9999)"];
    let changes =
        [&explodes[..], &["gravity=(0, 0, -1e6)", "frames=(count: 2, rate: 0.1)"]].concat();
    let outcome = run("incompressible_dam_break", &changes);
    if let Some(why) = &outcome.failure {
        assert!(!why.is_empty() && !outcome.holds(), "{why}");
        assert_eq!(outcome.findings.measured.len(), 1);
        assert_eq!(outcome.findings.measured[0].reference, Some(20.0));
    } else {
        panic!("{outcome:?}");
    }
}

#[test]
fn a_stopped_run_is_no_outcome() {
    let case = cases::find("kleefsman").unwrap();
    let requests = Requests::default();
    requests.stop.store(true, Ordering::Relaxed);
    assert!(case.run(&[], &mut Silent, &requests).unwrap().is_none());
}
