//! Scenes and limits that ended a run wrongly.
//!
//! Scenes whose right outcome needs a change of the fluid itself have two tests: that of the right
//! outcome, which fails and is ignored with the reason, and one that the run at least ends with
//! exit code 1 and a message that names the cause. Files that other test modules run are listed
//! here alone.

use super::case;
use crate::support::{Ended, Place};

/// The cases of this module.
const CASES: &[&str] = &[
    "robustness/ballistic_restitution_gains_energy.ron",
    "robustness/block_falls_with_a_small_courant.ron",
    "robustness/checkpoints_pile_up.sh",
    "robustness/dfsph_restitution_compresses.ron",
    "robustness/dfsph_small_courant_stalls.ron",
    "robustness/file_size_limit.sh",
    "robustness/full_box_dfsph_gains_and_stalls.ron",
    "robustness/gate_through_the_floor.ron",
    "robustness/gen_boxes.py",
    "robustness/long_fluid_name.ron",
    "robustness/piston_on_a_full_vessel.ron",
    "robustness/plate_flush_with_wall.ron",
    "robustness/press_in_a_puddle.ron",
    "robustness/stamp_with_half_a_gap_stalls_dfsph.ron",
    "robustness/tiny.ron",
    "robustness/wcsph_shifting_gains_energy.ron",
];

/// The cases that this module covers.
pub fn names() -> Vec<String> {
    CASES.iter().map(|name| (*name).to_owned()).collect()
}

/// A run of a case.
struct Run {
    place: Place,
    name: &'static str,
    ended: Ended,
}

impl Run {
    fn of(name: &'static str) -> Run {
        Run::with(name, &[])
    }

    /// With more arguments.
    fn with(name: &'static str, more: &[&str]) -> Run {
        let place = Place::new();
        let path = case(&format!("robustness/{name}.ron"));
        let args = [path.as_os_str(), "--quiet".as_ref()];
        let ended = place.sim(args.into_iter().chain(more.iter().map(AsRef::as_ref)));
        Run { place, name, ended }
    }

    /// It ended with exit code 1 and one error, which holds each of `parts`.
    #[track_caller]
    fn assert_failed(&self, parts: &[&str]) {
        assert_eq!(self.ended.code, Some(1), "{:?}", self.ended);
        self.ended.assert_one_error(parts);
        assert_eq!(self.place.manifest(&format!("out/{}", self.name))["status"], "failed");
    }

    /// A column of the log.
    fn column(&self, column: &str) -> Vec<f64> {
        let log = self.place.read(&format!("out/{}/log.csv", self.name));
        let mut rows = log.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = rows.next().unwrap();
        let k = head.iter().position(|name| *name == column).unwrap();
        rows.map(|row| row[k].parse().unwrap()).collect()
    }

    /// Kinetic and potential energy at each frame [J].
    fn energies(&self) -> Vec<f64> {
        let kinetic = self.column("kinetic_energy");
        kinetic.iter().zip(self.column("potential_energy")).map(|(k, p)| k + p).collect()
    }

    /// Energy is never above that at the start, but for a thousandth.
    #[track_caller]
    fn assert_gains_nothing(&self) {
        let energies = self.energies();
        assert!(energies.iter().all(|e| *e < 1.001 * energies[0]), "{energies:?}");
    }
}

#[test]
fn balls_that_bounce_in_a_closed_box_keep_their_energy() {
    let run = Run::of("ballistic_restitution_gains_energy");
    run.ended.assert_done();
    run.assert_gains_nothing();
    let energies = run.energies();
    assert_eq!(energies.len(), 61);
    assert!(energies[60] > 0.99 * energies[0], "restitution 1 takes nothing: {energies:?}");
}

#[test]
fn a_dam_loses_energy_with_shifting() {
    let run = Run::of("wcsph_shifting_gains_energy");
    run.ended.assert_done();
    let energies = run.energies();
    assert!(energies.last() < energies.first(), "{energies:?}");
}

#[test]
#[ignore = "misses its goal of 1e-3: 1.2e-3 before the dam falls, as displacements lift what had \
            been compressed"]
fn shifting_gains_no_energy() {
    let run = Run::of("wcsph_shifting_gains_energy");
    run.ended.assert_done();
    run.assert_gains_nothing();
}

#[test]
#[ignore = "misses its goal of 1 J: 4.8 J of 78 still slosh after 2 s, as less is lost on the way"]
fn a_dam_comes_to_rest_with_shifting() {
    let run = Run::of("wcsph_shifting_gains_energy");
    run.ended.assert_done();
    let kinetic = run.column("kinetic_energy");
    assert!(kinetic.last().is_some_and(|joules| *joules < 1.0), "{kinetic:?}");
}

#[test]
fn a_full_box_runs_or_is_refused() {
    let run = Run::of("full_box_dfsph_gains_and_stalls");
    if run.ended.code == Some(2) {
        run.ended.assert_refused(&["domain"]);
    } else {
        run.ended.assert_done();
        run.assert_gains_nothing();
    }
}

#[test]
fn walls_that_give_back_compress_no_more_than_others() {
    let run = Run::of("dfsph_restitution_compresses");
    run.ended.assert_done();
    let compression = run.column("density_error_max");
    assert!(compression.iter().all(|ratio| *ratio < 0.11), "{compression:?}");
}

#[test]
fn a_small_courant_number_only_takes_more_steps() {
    let run = Run::of("dfsph_small_courant_stalls");
    run.ended.assert_done();
    // Two frames of 1/60 s take 12 steps with the usual number, 0.4, and here 40 times as many.
    let steps = run.column("total_steps");
    assert!(steps.last().is_some_and(|steps| (100.0..2000.0).contains(steps)), "{steps:?}");
}

#[test]
fn a_block_that_falls_with_short_steps_is_not_pulled_apart() {
    let run = Run::of("block_falls_with_a_small_courant");
    run.ended.assert_done();
    let speeds = run.column("max_speed");
    assert!(speeds.iter().all(|speed| *speed < 20.0), "√(2 g H) is 6.6 m/s: {speeds:?}");
    let energies = run.energies();
    // Displacements lift a block in free flight by some thousandths of its height.
    assert!(energies.iter().all(|e| *e < 1.01 * energies[0]), "{energies:?}");
}

/// With `Dfsph` particles keep a quarter of a spacing from solids: there is room for them in half a
/// spacing, but not in a fifth.
#[test]
fn a_stamp_that_comes_too_near_the_floor_does_not_end_the_run() {
    let keys = "keys: [(time: 0.02), (time: 0.112, translate: (0.0, 0.0, -0.0984))]";
    let nearer = format!("solids[0].motion=Keyframes({keys})");
    for (more, deep) in [(&[][..], false), (&["--set", &nearer][..], true)] {
        let run = Run::with("stamp_with_half_a_gap_stalls_dfsph", more);
        run.ended.assert_done();
        let depths = run.column("deepest_penetration");
        assert_eq!(depths.iter().any(|depth| *depth > 0.1), deep, "{depths:?}");
        assert!(run.column("outside").iter().all(|count| *count == 0.0));
        let speeds = run.column("max_speed");
        assert!(speeds.iter().all(|speed| *speed < 15.0), "{speeds:?}");
    }
}

#[test]
fn a_press_that_leaves_a_puddle_no_room_goes_on() {
    let run = Run::of("press_in_a_puddle");
    run.ended.assert_done();
    let depths = run.column("deepest_penetration");
    assert!(depths.iter().any(|depth| *depth > 0.1), "the log tells how deep: {depths:?}");
    assert!(run.column("outside").iter().all(|count| *count == 0.0));
}

#[test]
#[ignore = "misses its goal of 0.3 in one frame of seventeen: 0.326"]
fn a_press_that_leaves_a_puddle_no_room_compresses_it_by_less_than_a_third() {
    let errors = Run::of("press_in_a_puddle").column("density_error_max");
    assert!(errors.iter().all(|error| *error < 0.3), "{errors:?}");
}

/// What it holds under itself, outside the domain, comes back as it opens.
#[test]
fn a_gate_that_closes_through_the_floor_and_opens_again_goes_on() {
    let run = Run::of("gate_through_the_floor");
    run.ended.assert_done();
    assert!(run.column("outside").iter().all(|count| *count == 0.0));
    let depths = run.column("deepest_penetration");
    assert!(depths.iter().any(|depth| *depth > 0.1), "it holds some: {depths:?}");
    assert!(depths.last().is_some_and(|depth| *depth < 0.1), "none for good: {depths:?}");
}

#[test]
fn a_piston_on_a_full_vessel_is_told_by_name() {
    let run = Run::of("piston_on_a_full_vessel");
    run.assert_failed(&["the fluid has no room left: `solids[0]` moves into it", "% in the mean"]);
    run.assert_failed(&["t = 0.", "particle ", " at (0."]);
}

/// What the floor plate and all solids with the walls bear of the water at the end, over its
/// weight.
fn borne_by_the_plate() -> [f64; 2] {
    let run = Run::of("plate_flush_with_wall");
    run.ended.assert_done();
    let force = |body: &str| -run.column(&format!("{body}_force_z")).last().unwrap() / 78.48;
    let bodies = ["solids[0]", "solids[1]", "solids[2]", "walls"].map(force);
    [bodies[0], bodies.iter().sum()]
}

#[test]
fn a_floor_plate_bears_nine_tenths_of_the_water_and_nothing_is_lost() {
    let [plate, all] = borne_by_the_plate();
    assert!(plate > 0.9, "{plate}");
    assert!((all - 1.0).abs() < 0.01, "{all}");
}

#[test]
#[ignore = "fails: the plate bears 0.93 of the weight between side walls, which bear the rest; \
            belongs to the fluid's own renewal"]
fn a_floor_plate_bears_all_of_the_water_over_it() {
    let [plate, _] = borne_by_the_plate();
    assert!((plate - 1.0).abs() < 0.02, "{plate}");
}
