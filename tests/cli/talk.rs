//! What the program says, on which stream, and what it takes from its surroundings.

use super::support::Place;
use std::process::Stdio;

#[test]
fn a_run_sums_up_on_stdout_and_talks_on_stderr() {
    let place = Place::new();
    let ended = place.sim(["small.ron"]);
    ended.assert_done();
    assert!(ended.summary("frames").starts_with("3 "), "{}", ended.stdout);
    assert!(ended.summary("steps").parse::<u64>().unwrap() > 20);
    assert!(ended.summary("ms per step").contains("search"));
    assert!(ended.summary("shares of time").contains("surface "), "{}", ended.stdout);
    let error = ended.summary("density error");
    assert!(error.contains(" % in the mean; largest ") && error.contains(" % at (0."), "{error}");
    assert!(error.ends_with(" s"), "{error}");
    assert!(ended.summary("max penetration").ends_with('d'));
    assert_eq!(ended.summary("state digest").len(), 16);
    for part in ["out/small/paraview.py", "out/small/blender.py"] {
        assert!(ended.stdout.contains(part), "no {part} in {}", ended.stdout);
        assert!(place.path(part).is_file(), "no {part}");
    }
    assert_eq!(ended.summary("images and a film"), "sim preview out/small");
    assert_eq!(ended.summary("charts"), "sim report out/small");
    for part in ["500 particles", "1 sphere", "4 triangles", "2 threads", "frame 0/2"] {
        assert!(ended.stderr.contains(part), "no {part} in {}", ended.stderr);
    }
    assert!(!ended.stderr.contains('\x1b'), "escapes in a pipe");
}

#[test]
fn impacts_and_solutions_that_were_given_up_are_summed_up() {
    let place = Place::new();
    let sets =
        ["solver=Dfsph(max_iterations: 1.0)", "fluids[0].shapes[0].velocity=(11.0, 0.0, -11.0)"];
    let ended = place.sim(["small.ron", "--set", sets[0], "--set", sets[1]]);
    ended.assert_done();
    let warning = "hit `max_iterations` before converging";
    assert_eq!(ended.stderr.matches(warning).count(), 1, "{}", ended.stderr);
    let rejected: u64 = ended.summary("rejected steps").parse().unwrap();
    let log = place.read("out/small/log.csv");
    let column = |name: &str| -> u64 {
        let at = log.lines().next().unwrap().split(',').position(|n| n == name).unwrap();
        log.lines().skip(1).map(|row| row.split(',').nth(at).unwrap().parse::<u64>().unwrap()).sum()
    };
    assert!(rejected > 0 && column("rejected_steps") == rejected, "{log}");
    assert!(column("divergence_capped") > 0, "{log}");
    let calm = Place::new().sim(["small.ron"]);
    assert!(
        !calm.stdout.contains("rejected") && !calm.stderr.contains("max_iterations"),
        "{calm:?}"
    );
}

#[test]
fn quiet_means_nothing_but_errors() {
    let place = Place::new();
    let ended = place.sim(["small.ron", "--quiet", "--frames", "1"]);
    ended.assert_done();
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""));
    place.sim(["small.ron", "--quiet"]).assert_refused(&["--overwrite"]);
}

#[test]
fn check_reports_and_writes_nothing() {
    let place = Place::new();
    let ended = place.sim(["check", "small.ron", "small.ron"]);
    ended.assert_done();
    assert_eq!(ended.stdout.matches("small.ron\n").count(), 2);
    for part in [
        "500 of \"water\", 0.00400 m³",
        "1 sphere, 4 triangles",
        "sound speed",
        "viscosity        Explicit",
        "first time step",
        "limited by sound",
        "frames           2 at 100 per second",
        "memory           about",
        "disk             about",
    ] {
        assert!(ended.stdout.contains(part), "no `{part}` in\n{}", ended.stdout);
    }
    assert!(!place.path("out").exists());
}

#[test]
fn check_tells_every_error_of_every_scene_and_reports_the_good_ones() {
    let place = Place::new();
    let two = super::scenes::SMALL
        .replace("particle_radius: 0.01", "particle_radius: -0.01")
        .replace("rate: 100.0", "rate: NaN");
    place.write("two.ron", two);
    let ended = place.sim(["check", "two.ron", "small.ron", "absent.ron"]);
    assert_eq!(ended.code, Some(2));
    for part in ["two.ron:3:30", "two.ron:6:22", "--> absent.ron"] {
        assert!(ended.stderr.contains(part), "no `{part}` in\n{}", ended.stderr);
    }
    assert_eq!(ended.stderr.matches("error:").count(), 3, "{}", ended.stderr);
    assert!(ended.stdout.starts_with("small.ron\n"), "{}", ended.stdout);
}

#[test]
fn help_and_version_are_data() {
    let place = Place::new();
    for (flag, part) in [("--help", "  bench "), ("--version", env!("CARGO_PKG_VERSION"))] {
        let ended = place.sim([flag]);
        ended.assert_done();
        assert!(ended.stdout.contains(part) && ended.stderr.is_empty(), "{ended:?}");
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let place = Place::new();
    for args in [&["check", "small.ron"][..], &["small.ron"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = place.command(args).stdout(writer).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
        assert!(!stderr.contains("error") && !stderr.contains("panicked"), "{args:?}: {stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn data_that_is_lost_is_an_error() {
    let place = Place::new();
    for args in [&["check", "small.ron"][..], &["small.ron"], &["--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = place.command(args).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains("error: cannot write the "), "{args:?}: {stderr}");
    }
    assert_eq!(place.manifest("out/small")["status"], "finished");
}

#[test]
fn a_run_goes_on_when_nobody_listens() {
    let place = Place::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = place.command(["small.ron"]);
    let status = command.stderr(writer).stdout(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(place.manifest("out/small")["status"], "finished");
}

#[test]
fn threads_come_from_the_flag_else_from_slurm() {
    let place = Place::new();
    let threads = |args: &[&str], slurm: &str| {
        let args = ["small.ron", "--frames", "1", "--overwrite"].iter().chain(args);
        let output = place.command(args).env("SLURM_CPUS_PER_TASK", slurm).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let count = place.manifest("out/small")["threads"].as_u64().unwrap();
        (count, String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(threads(&[], "3").0, 3);
    assert_eq!(threads(&["--threads", "5"], "3").0, 5);
    let (count, warnings) = threads(&[], "many");
    let cores = std::thread::available_parallelism().unwrap().get() as u64;
    assert_eq!(count, cores);
    assert!(warnings.contains("warning: SLURM_CPUS_PER_TASK=`many`"), "{warnings}");
}

#[test]
fn set_reaches_nested_keys() {
    let place = Place::new();
    let sets = [
        "fluids[0].viscosity=0.05",
        "fluids[0].shapes[0].velocity=(0.0, 0.0, -1.0)",
        "solver.courant=0.25",
        "solids[1].translate=(0.2, 0.05, 0.02)",
        "neighbors=UniformHash",
    ];
    let args = sets.iter().flat_map(|set| ["--set", set]);
    place.sim(["small.ron", "--frames", "1"].into_iter().chain(args)).assert_done();
    let resolved = place.read("out/small/scene.ron");
    let plain: String = resolved.chars().filter(|c| !c.is_whitespace()).collect();
    for part in [
        "count:1,",
        "viscosity:0.05",
        "velocity:(0.0,0.0,-1.0)",
        "courant:0.25",
        "translate:(0.2,0.05,0.02)",
        "neighbors:UniformHash",
    ] {
        assert!(plain.contains(part), "no {part} in\n{resolved}");
    }
}

/// What `check` tells of the disk, in bytes, with `all` the end of its line.
fn told_of_disk(report: &str, all: &str) -> f64 {
    let line = report.lines().find_map(|line| line.trim_end().strip_suffix(all)).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [.., number, unit] = words[..] else { panic!("{line}") };
    let factor = ["B", "kB", "MB", "GB"].iter().position(|known| *known == unit).unwrap();
    number.parse::<f64>().unwrap() * 1000f64.powi(factor as i32)
}

#[test]
fn check_tells_what_a_run_without_surfaces_takes_of_the_disk() {
    let place = Place::new();
    let sets = ["--set", "particle_radius=0.004", "--set", "surface=None"];
    let sets = sets.into_iter().chain(["--set", "checkpoints=(frames:1)", "--frames", "4"]);
    let estimated = place.sim(["check", "small.ron"].into_iter().chain(sets.clone()));
    place.sim(["small.ron"].into_iter().chain(sets)).assert_done();
    let estimated = told_of_disk(&estimated.stdout, "in total");
    let taken = place.files("out/small").iter().map(|(_, bytes)| bytes.len()).sum::<usize>() as f64;
    assert!((estimated / taken - 1.0).abs() < 0.1, "{estimated} told, {taken} taken");
}

#[test]
fn check_tells_copied_files_from_solids() {
    let place = Place::new();
    place.write("water.csv", "x,y,z\n0.05,0.05,0.05\n0.05,0.09,0.05\n");
    let shapes = "fluids[0].shapes=[Particles(path: \"water.csv\")]";
    let with = |solids: &[&str]| {
        let ended = place.sim(["check", "small.ron", "--set", shapes].iter().chain(solids));
        ended.assert_done().stdout.clone()
    };
    let output = with(&["--set", "solids=[]"]);
    assert!(output.contains(" 36 B of copies of the scene's files,"), "{output}");
    assert!(!output.contains("of solids"), "{output}");
    let output = with(&[]);
    assert!(output.contains("of solids,") && output.contains("of copies of"), "{output}");
}
