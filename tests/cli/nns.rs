//! `--nns` and `--nns-verify`: the neighbour structure of a run by a flag of its own.

use super::support::{Place, assert_same, results};
use hashfall_search::NeighborKind;

/// A short run of the small scene.
const SHORT: [&str; 4] = ["small.ron", "--frames", "3", "--out"];

/// The structure that the resolved scene of a run names.
fn recorded(place: &Place, run: &str) -> String {
    let resolved = place.read(&format!("{run}/scene.ron"));
    let line = resolved.lines().find_map(|line| line.trim().strip_prefix("neighbors: "));
    line.unwrap().trim_end_matches(',').to_owned()
}

#[test]
fn a_structure_by_flag_is_as_if_the_scene_named_it() {
    let place = Place::new();
    place.sim(SHORT.into_iter().chain(["set", "--set", "neighbors=KdTree"])).assert_done();
    place.sim(SHORT.into_iter().chain(["flag", "--nns", "KdTree"])).assert_done();
    assert_eq!(recorded(&place, "flag"), "KdTree");
    assert_same(&results(&place, "set"), &results(&place, "flag"), "--nns");
    place.sim(SHORT.into_iter().chain(["bad", "--nns", "KdTre"])).assert_refused(&["KdTree"]);
}

#[test]
fn the_fastest_structure_is_told_and_recorded() {
    let place = Place::new();
    let ended = place.sim(SHORT.into_iter().chain(["auto", "--nns", "auto"]));
    ended.assert_done();
    let line = ended.stderr.lines().find(|line| line.starts_with("neighbors: ")).unwrap();
    let chosen = recorded(&place, "auto");
    assert!(line.contains(&format!("{chosen} is the fastest; {chosen} ")), "{line}");
    assert!(NeighborKind::ALL.iter().any(|kind| format!("{kind:?}") == chosen), "{chosen}");
    // Each is told, with its time or as given up.
    let (times, given_up) = line.split_once("; more than 5 times slower: ").unwrap_or((line, ""));
    for kind in NeighborKind::ALL {
        let name = kind.name();
        let is_timed = times.contains(&format!(" {name} "));
        let is_given_up = given_up.split(", ").any(|given_up| given_up == name);
        assert!(is_timed != is_given_up, "{name}: {line}");
    }
    // Only those are tried that take the scene's settings.
    let set = ["table", "--nns", "auto", "--set", "search.table_size=64"];
    let set = set.into_iter().chain(["--set", "neighbors=GridCellHash"]);
    place.sim(SHORT.into_iter().chain(set)).assert_done();
    assert!(["GridCellHash", "FixedUniformHash"].contains(&&*recorded(&place, "table")));
}

#[test]
fn where_nobody_searches_that_is_said() {
    let place = Place::new();
    let flight = ["--set", "solver=Ballistic()", "--nns", "auto", "--nns-verify"];
    let ended = place.sim(SHORT.into_iter().chain(["flight"]).chain(flight));
    ended.assert_done();
    for flag in ["`--nns auto` has no effect", "`--nns-verify` has no effect"] {
        assert!(ended.stderr.contains(flag), "{}", ended.stderr);
    }
}

#[test]
fn a_verified_run_leaves_the_same_files() {
    let place = Place::new();
    place.sim(SHORT.into_iter().chain(["plain"])).assert_done();
    for kind in ["InsertionHash", "FixedUniformHash"] {
        let flags = [kind, "--nns", kind, "--nns-verify"];
        place.sim(SHORT.into_iter().chain(flags)).assert_done();
        assert_same(&results(&place, "plain"), &results(&place, kind), kind);
    }
}
