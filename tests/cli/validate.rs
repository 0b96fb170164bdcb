//! `sim validate`: the cases by name, the report, and the exit code that goals ask for.

use super::support::Place;

/// The dam break of few particles, for so many frames at so many a second.
fn shortened(frames: &str) -> [String; 3] {
    let coarse = ["particle_radius=0.05", "fluids[0].shapes[0].max=(0.6, 0.5, 0.6)"];
    [format!("frames={frames}"), coarse[0].to_owned(), coarse[1].to_owned()]
}

/// Arguments that run the dam break with these changes.
fn args<'a>(changes: &'a [String], out: &'a str) -> Vec<&'a str> {
    let sets = changes.iter().flat_map(|change| ["--set", change]);
    ["validate", "incompressible_dam_break", "--out", out].into_iter().chain(sets).collect()
}

#[test]
fn the_list_names_every_case_and_runs_none() {
    let place = Place::new();
    let ended = place.sim(["validate", "--list"]);
    ended.assert_done();
    let names: Vec<&str> =
        ended.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, hashfall_validate::cases::ALL.map(|case| case.name));
    assert!(ended.stdout.contains("SPHERIC Test 2 (Kleefsman et al. 2005)"), "{}", ended.stdout);
    assert!(ended.stderr.is_empty() && !place.path("out").exists());

    let quick = place.sim(["validate", "--list", "--quick"]);
    quick.assert_done();
    assert!(quick.stdout.contains("kleefsman ") && !quick.stdout.contains("static_drops"));
    assert!(quick.stdout.lines().all(|line| ended.stdout.lines().any(|other| other == line)));
    let some = place.sim(["validate", "--list", "--quick", "elastic_bodies*", "kleefsman"]);
    some.assert_done();
    let names = some.stdout.lines().filter_map(|line| line.split_whitespace().next());
    assert_eq!(names.collect::<Vec<_>>(), ["elastic_bodies", "kleefsman"]);
    let none = place.sim(["validate", "--quick", "static_drops"]);
    none.assert_refused(&["`static_drops`: no case of these is quick"]);
}

#[test]
fn an_unknown_case_or_key_is_refused_before_anything_runs() {
    let place = Place::new();
    let near = "no case `klefsman`: did you mean `kleefsman`?";
    place.sim(["validate", "mesh_tank", "klefsman"]).assert_refused(&[near]);
    place.sim(["validate", "hydrofoil"]).assert_refused(&["known here: `hydrostatic_tank`"]);
    let wrong = place.sim(["validate", "kleefsman", "--set", "colour=3"]);
    wrong.assert_refused(&["`colour`", "--set colour=3"]);
    assert!(!wrong.stderr.contains("(1 of 1)") && !place.path("out").exists(), "{wrong:?}");
    place.write("file", "mine");
    place.sim(["validate", "kleefsman", "--out", "file"]).assert_refused(&["`file`"]);
    assert_eq!(place.read("file"), "mine");
}

#[test]
fn a_case_is_run_measured_and_drawn() {
    let place = Place::new();
    let changes = shortened("(count: 3, rate: 10.0)");
    let ended = place.sim(args(&changes, "report"));
    // A scene so coarse may miss a goal, and says so.
    let table = ended.stdout.lines().collect::<Vec<_>>();
    assert_eq!(table.len(), 2 + 4, "{ended:?}");
    let missed = table.iter().filter(|line| line.ends_with("| NO    |")).count();
    assert_eq!(ended.code, Some(i32::from(missed > 0)), "{ended:?}");
    assert!(ended.stderr.contains(&format!("{missed} of 4 goals missed")), "{}", ended.stderr);
    assert!(ended.stderr.contains("incompressible_dam_break (1 of 1)"), "{}", ended.stderr);

    let page = place.read("report/validation.md");
    assert!(page.contains(&ended.stdout), "the table stands in the page too:\n{page}");
    assert!(page.contains("180 particles") && page.contains("`frames=(count: 3, rate: 10.0)`"));
    let plot = place.read("report/incompressible_dam_break.svg");
    assert!(page.contains("(incompressible_dam_break.svg)") && plot.contains("</svg>"));
    let values = place.read("report/validation.csv");
    assert_eq!(values.lines().count(), 1 + 4);
    let files: Vec<String> = place.files("report").into_iter().map(|(name, _)| name).collect();
    assert_eq!(files, ["incompressible_dam_break.svg", "validation.csv", "validation.md"]);

    // The report is replaced, and the same run gives the same values.
    let again = place.sim(args(&changes, "report"));
    assert_eq!((again.code, &again.stdout), (ended.code, &ended.stdout));
    assert_eq!(place.read("report/validation.csv"), values);
}

#[test]
fn what_a_run_does_not_tell_misses_its_goal() {
    let place = Place::new();
    // It ends before the time from which the compression counts.
    let ended = place.sim(args(&shortened("(count: 1, rate: 20.0)"), "report"));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let line = ended.stdout.lines().find(|line| line.contains("largest mean")).unwrap();
    assert!(line.contains("| –") && line.ends_with("| NO    |"), "{line}");
}

/// Arguments that study the standing wave, coarse and short, with more arguments.
fn study<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let sets = ["--set", "particle_radius=0.05", "--set", "frames=(count: 2, rate: 1.0)"];
    let named = ["validate", "standing_wave", "--convergence", "--out", out];
    [&named[..], &sets, more].concat()
}

#[test]
fn a_study_of_convergence_has_a_table_and_values_of_all_runs() {
    let place = Place::new();
    let ended = place.sim(study("report", &[]));
    // Goals are told and do not count: so coarse a wave misses one.
    ended.assert_done();
    assert!(ended.stdout.contains("| NO    |"), "{}", ended.stdout);
    for part in ["### standing_wave: steps", "### standing_wave: resolutions", "0.1 m (as it is)"] {
        assert!(ended.stdout.contains(part), "no `{part}` in:\n{}", ended.stdout);
    }
    let header = ended.stdout.lines().find(|line| line.contains("as it is")).unwrap();
    let columns = header.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let courant = ["courant 0.05", "courant 0.1", "courant 0.2", "courant 0.4", "courant 0.8"];
    assert_eq!(columns[2..7], courant);
    assert_eq!(columns[7..], ["frames 1/s", "frames 40/s", "frames 200/s", "spread"]);
    assert!(ended.stderr.contains("standing_wave, courant 0.05 (run 2 of 11)"), "{ended:?}");

    let page = place.read("report/validation.md");
    assert!(page.contains("### standing_wave: steps") && page.contains("_convergence.svg)"));
    let values = place.read("report/convergence.csv");
    assert_eq!(values.lines().count(), 1 + 2 * (1 + 8 + 4), "{values}");
    assert!(values.contains(",courant,\"solver.courant=0.05 frames=(count: 20, rate: 10.0)\","));
    let files: Vec<String> = place.files("report").into_iter().map(|(name, _)| name).collect();
    let plots = ["standing_wave.svg", "standing_wave_convergence.svg"];
    assert_eq!(
        files,
        [&["convergence.csv"], &plots[..], &["validation.csv", "validation.md"]].concat()
    );

    // A row's settings make the same run by themselves.
    let set = ["--set", "solver.courant=0.8", "--set", "frames=(count: 20, rate: 10.0)"];
    let coarse = ["validate", "standing_wave", "-o", "alone", "--set", "particle_radius=0.05"];
    place.sim([&coarse[..], &set].concat());
    let alone = place.read("alone/validation.csv");
    let lost = alone.lines().nth(2).unwrap().split(',').nth(2).unwrap();
    let row = values.lines().find(|row| row.contains("lost") && row.contains("courant=0.8"));
    assert_eq!(row.unwrap().rsplit(',').next(), Some(lost));
}

#[test]
fn a_study_of_convergence_refuses_what_it_sets_itself_and_needs_cases() {
    let place = Place::new();
    let set = place.sim(study("report", &["--set", "solver.courant=0.2"]));
    set.assert_refused(&["`--convergence` sets `solver.courant` itself", "--set solver.courant"]);
    place.sim(["validate", "--convergence"]).assert_refused(&["name the cases, or '*'"]);
    place.sim(["validate", "--convergence", "--quick"]).assert_refused(&["name the cases"]);
    let list = place.sim(["validate", "standing_wave", "--convergence", "--list"]);
    list.assert_refused(&["'--convergence' cannot be used with '--list'"]);
    let long = place.sim(["validate", "--convergence", "--quick", "static_drops"]);
    long.assert_refused(&["no case of these is quick"]);
    assert!(!place.path("report").exists() && !place.path("out").exists());
}
