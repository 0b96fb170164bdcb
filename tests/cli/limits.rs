//! Limits of a scene: a run that goes beyond one ends in that step and says where.

use super::scenes::small_with;
use super::support::{Ended, Place, assert_series_is_whole};

/// Runs the small scene with limits.
fn run(place: &Place, limits: &str, more: &[&str]) -> Ended {
    let limits = format!("limits={limits}");
    let checkpoints = "checkpoints=(frames: 1)";
    let args = ["small.ron", "--frames", "20", "--set", &limits, "--set", checkpoints];
    place.sim(args.iter().chain(more))
}

#[test]
fn a_run_beyond_a_limit_ends_naming_step_particle_and_place() {
    for (limits, parts) in [
        ("(compression: 0.05)", ["is compressed by", "(`limits.compression` is 0.05)"]),
        ("(speed: 0.3)", ["moves at 0.3", "(`limits.speed` is 0.3)"]),
    ] {
        let place = Place::new();
        let ended = run(&place, limits, &[]);
        assert_eq!(ended.code, Some(1), "{ended:?}");
        ended.assert_one_error(&["exceeded a limit: step ", ", t = ", "particle ", " at (0."]);
        ended.assert_one_error(&parts);
        assert!(ended.stderr.contains("the last checkpoint is `out/small/checkpoints/step_0"));
        let manifest = place.manifest("out/small");
        assert_eq!(manifest["status"], "failed");
        assert!(manifest["reason"].as_str().unwrap().contains(parts[1]), "{manifest}");
        let frames = assert_series_is_whole(&place, "out/small", "particles.pvd");
        assert_eq!(place.read("out/small/log.csv").lines().count(), frames + 1);
        let wider = ["--set", "limits=(compression: None)"];
        place.sim(["resume", "out/small"].iter().chain(&wider)).assert_done();
    }
}

#[test]
fn energy_that_a_force_brings_is_no_gain_and_is_told() {
    let place = Place::new();
    let shaken = "forces=[Table([(0.0, (20.0, 0.0, 0.0))])]";
    run(&place, "(energy_gain: 1.0)", &["--set", shaken]).assert_done();
    let log = place.read("out/small/log.csv");
    let mut lines = log.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let last = lines.next_back().unwrap();
    let of = |name: &str| -> f64 {
        let column = names.iter().position(|it| *it == name);
        last[column.unwrap_or_else(|| panic!("{name}: {names:?}"))].parse().unwrap()
    };
    let inside = of("kinetic_energy") + of("potential_energy");
    assert!(of("work_of_forces") > 5.0 && of("supplied_energy") > 5.0, "{log}");
    assert!(
        (of("net_energy") + of("work_of_forces") - inside).abs() < 1e-9 * inside.abs(),
        "{log}"
    );
}

/// Particles of a block too near each other for a density that sums over all of them.
#[test]
fn a_loaded_start_is_told_and_does_not_lift_the_limit() {
    let place = Place::new();
    let packed = [
        "--set",
        "solver=Wcsph(density: Summation)",
        "--set",
        "fluids[0].shapes[0].jitter=(seed: 1, amount: 0.25)",
        "--set",
        "limits=(compression: None)",
    ];
    let checked = place.sim(["check", "small.ron"].iter().chain(&packed));
    let load = "pressures of the start store";
    assert!(checked.assert_done().stdout.contains(load), "{checked:?}");
    let ended = place.sim(["small.ron", "--frames", "20"].iter().chain(&packed));
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["less what was supplied, grew from", load]);
}

#[test]
fn a_body_without_room_ends_the_run_and_names_what_presses_it_into_what() {
    let place = Place::new();
    let solids = "solids: [
        Box(min: (0.1, 0.1, 0.3), max: (0.3, 0.3, 0.35),
            motion: Formula(translate: (\"0\", \"0\", \"-0.5*t\"))),
        SphereField(Balls(list: [(centre: (0.2, 0.2, 0.05), radius: 0.05)],
            motion: Free(density: 1000)))],";
    let scene = format!(
        "Scene(frames: (count: 20, rate: 20), domain: Box(min: (0, 0, 0), max: (0.4, 0.4, 0.4)),
         particle_radius: 0.01, fluids: [(name: \"water\", rest_density: 1000, viscosity: 1e-6,
         shapes: [Box(min: (0, 0, 0), max: (0.04, 0.04, 0.02))])], {solids} surface: None)"
    );
    place.write("press.ron", scene);
    let ended = place.sim(["press.ron"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["exceeded a limit: step ", "t = 0.4", "`solids[1]` is pressed 0.0"]);
    // As deep into both, up to rounding.
    let into = ["the walls", "`solids[0]`"].map(|solid| format!("deep into {solid} at (0.2"));
    assert!(into.iter().any(|into| ended.stderr.contains(into)), "{ended:?}");
    ended.assert_one_error(&["`solids[0]`, which moves by a law"]);
}

#[test]
#[ignore = "misses its goal of 1e-3 J: displacements lift what had been compressed, by up to 0.1 J"]
fn a_dam_gains_no_energy_without_a_force() {
    run(&Place::new(), "(energy_gain: 1e-3)", &[]).assert_done();
}

#[test]
fn a_breach_may_be_no_more_than_a_warning() {
    let place = Place::new();
    let ended = run(&place, "(compression: 0.05, on_breach: Warn)", &["--quiet"]);
    ended.assert_done();
    assert!(ended.stderr.starts_with("warning: the run exceeded its limits "), "{ended:?}");
    assert!(ended.stderr.contains("times, first at step ") && ended.stderr.contains("particle "));
    assert_eq!(ended.stderr.lines().count(), 1);
}

#[test]
fn limits_are_checked_like_any_setting() {
    let place = Place::new();
    place.write("odd.ron", small_with("solver: Wcsph(),", "solver: Wcsph(), limits: (speed: -1),"));
    place.sim(["odd.ron"]).assert_refused(&["odd.ron:15:", "`speed` must not be negative"]);
    let set = ["--set", "limits.compresion=0.1"];
    place.sim(["small.ron"].iter().chain(&set)).assert_refused(&["compresion", "compression"]);
    for wrong in ["Atuo", "(1.0)", "[Auto]", "\"much\""] {
        let set = format!("limits.energy_gain={wrong}");
        let help = "in J: Auto | number | None";
        place.sim(["small.ron", "--set", &set]).assert_refused(&[
            "`limits.energy_gain",
            "cannot read `",
            help,
        ]);
    }
    for (wrong, message) in [("-1", "must not be negative"), ("1e31", "1e30")] {
        let set = format!("limits.energy_gain={wrong}");
        place.sim(["small.ron", "--set", &set]).assert_refused(&["`energy_gain`", message]);
    }
}

/// A dam in a closed box; the slopes of Müller's kernels are not those of his densities, by which it
/// gains energy within a second.
const GAINING: &str = "Scene(
    frames: (count: 20, rate: 20.0), dimensions: Two,
    domain: Box(min: (0, 0, 0), max: (0.8, 0, 0.6)),
    particle_radius: 0.02, kernel: Mueller,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 1e-6,
              shapes: [Box(min: (0, 0, 0), max: (0.4, 0, 0.2))])],
    solver: Wcsph(density: Summation, artificial_viscosity: 0.0), surface: None, output: (particles: false, surface: []),
    checkpoints: (frames: 1),
)";

/// Runs the scene that gains energy with this limit.
fn gaining(place: &Place, limit: &str) -> Ended {
    place.write("gaining.ron", GAINING);
    place.sim(["gaining.ron", "--quiet", "--overwrite", "--set", limit])
}

#[test]
fn energy_from_nowhere_ends_a_run_by_default() {
    let place = Place::new();
    let ended = gaining(&place, "limits=()");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["exceeded a limit: step ", "kinetic and potential energy, less what"]);
    ended.assert_one_error(&["(`limits.energy_gain: Auto`)", "check `solver.sound_speed`"]);
    assert_eq!(place.manifest("out/gaining")["status"], "failed");
    // What was written is within the limit.
    place.sim(["audit", "out/gaining"]).assert_done();
}

#[test]
fn energy_may_be_gained_if_the_scene_says_so() {
    let place = Place::new();
    let ended = gaining(&place, "limits=(compression: None, on_breach: Warn)");
    ended.assert_done();
    assert!(ended.stderr.starts_with("warning: the run exceeded its limits "), "{ended:?}");
    assert!(ended.stderr.contains("check `solver.sound_speed`"), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    let ended = place.sim(["audit", "out/gaining"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("exceeds `limits.energy_gain`"), "{ended:?}");
    for limit in ["None", "1e6"] {
        let limits = format!("limits=(compression: None, energy_gain: {limit})");
        let ended = gaining(&place, &limits);
        ended.assert_done();
        assert_eq!(ended.stderr, "", "{limit}");
        place.sim(["audit", "out/gaining"]).assert_done();
    }
}

#[test]
fn a_run_that_goes_on_is_stopped_in_the_same_step() {
    let place = Place::new();
    let whole = gaining(&place, "limits=()");
    place.write("gaining.ron", GAINING);
    let args = ["gaining.ron", "--quiet", "--out", "parts", "--frames", "1"];
    place.sim(args).assert_done();
    let resumed = place.sim(["resume", "parts", "--quiet", "--frames", "20", "--threads", "1"]);
    assert_eq!(resumed.code, Some(1), "{resumed:?}");
    let reason = |ended: &Ended| {
        let error = ended.stderr.lines().find(|line| line.starts_with("error:"));
        error.unwrap_or_else(|| panic!("{ended:?}")).to_owned()
    };
    assert_eq!(reason(&resumed), reason(&whole));
    // With what gained the energy turned off, the run goes on from its last checkpoint.
    place
        .sim(["resume", "parts", "--quiet", "--set", "solver.artificial_viscosity=0.5"])
        .assert_done();
}

#[test]
fn the_check_tells_which_energy_limit_holds() {
    let place = Place::new();
    place.write("gaining.ron", GAINING);
    for (set, limit) in [
        ("limits=()", "1.41 J above the start, 78.5 J, beyond what is supplied and 5 % of it"),
        ("limits.energy_gain=2", "2.00 J above the start, 78.5 J"),
        ("limits.energy_gain=None", "none"),
    ] {
        let ended = place.sim(["check", "gaining.ron", "--set", set]);
        ended.assert_done();
        let line = ended.stdout.lines().find(|line| line.trim_start().starts_with("energy limit"));
        let line = line.unwrap_or_else(|| panic!("{ended:?}"));
        assert!(line.contains(&format!("energy limit     {limit}")), "{set}: {line}");
    }
}
