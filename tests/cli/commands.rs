//! Commands as users type them: the short form of `run`, slips, built-in scenes and new ones.

use super::support::{Ended, Place};

#[test]
fn a_scene_runs_with_and_without_the_word_run() {
    let place = Place::new();
    for args in [
        &["run", "small.ron", "--frames", "1", "-o", "a"][..],
        &["small.ron", "--frames", "1", "-o", "b"],
        &["--frames", "1", "-o", "c", "small.ron"],
    ] {
        place.sim(args).assert_done();
    }
    let digest = |run: &str| place.manifest(run)["progress"]["last_state_digest"].clone();
    assert_eq!(digest("a"), digest("b"));
    assert_eq!(digest("a"), digest("c"));
}

#[test]
fn a_file_that_is_called_as_a_command_runs_by_run() {
    let place = Place::new();
    std::fs::copy(place.path("small.ron"), place.path("check")).unwrap();
    place.sim(["run", "check", "--frames", "1"]).assert_done();
    assert!(place.path("out/check/run.json").is_file());
}

#[test]
fn a_slip_is_answered_in_a_line_or_two() {
    let place = Place::new();
    for (word, answer) in [
        ("previw", "unknown command `previw`; did you mean `preview`?"),
        ("continue", "unknown command `continue`; did you mean `resume`?"),
        ("small", "unknown command `small`; did you mean the scene `small.ron`?"),
        ("dambreak", "unknown command `dambreak`; did you mean the scene `dam_break`?"),
        ("xyzzy", "unknown command `xyzzy`\n"),
        ("--list", "unknown command `--list`; did you mean `list`?"),
    ] {
        let ended = place.sim([word, "out/small"]);
        ended.assert_refused(&[answer, "`sim help` lists the commands"]);
        assert_eq!(ended.stderr.lines().count(), 2, "{}", ended.stderr);
    }
    place.sim(["smal.ron"]).assert_refused(&["cannot read the scene", "did you mean `small.ron`?"]);
    place.sim(["check", "small"]).assert_refused(&["did you mean `small.ron`?"]);
    place.sim(["tetrahedron.obj"]).assert_refused(&["this is a mesh, not a scene", "sim new"]);
    place.sim(["help", "reprot"]).assert_refused(&["no command `reprot`", "`report`"]);
    place.sim(["preview"]).assert_usage();
    for (args, tip) in [
        (&["--set", "frames.count", "3"][..], "one word: --set fluids[0].viscosity=0.05"),
        (&["small.ron"], "one scene is run at a time"),
        (&["--frame", "3"], "a similar argument exists: '--frames'"),
    ] {
        let ended = place.sim(["small.ron"].iter().chain(args));
        ended.assert_usage();
        assert!(ended.stderr.contains(tip), "{}", ended.stderr);
        assert!(ended.stderr.contains("\nUsage: sim run [OPTIONS] <SCENE>\n"), "{}", ended.stderr);
    }
    let odd = place.sim(["small.ron", "--resolution", "3"]);
    assert!(!odd.stderr.contains("tip:"), "{}", odd.stderr);
    place.sim(["run", "small.ron", "--fames", "3"]).assert_usage();
}

#[test]
fn help_of_a_command_is_what_its_flag_prints() {
    let place = Place::new();
    for command in ["run", "sweep", "new"] {
        let help = place.sim(["help", command]).assert_done().stdout.clone();
        assert_eq!(help, place.sim([command, "--help"]).stdout);
        assert!(help.contains(&format!("Usage: sim {command}")), "{help}");
        assert!(help.contains("Examples:"), "{help}");
    }
    let whole = place.sim(["help"]).assert_done().stdout.clone();
    assert_eq!(whole, place.sim(["--help"]).stdout);
    // One line each, as people read it.
    let (_, commands) = whole.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    assert!(commands.clone().all(|line| line.len() <= 90), "{whole}");
}

#[test]
fn the_folder_of_a_run_is_answered_by_what_can_be_done_with_it() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    for args in [&["out/small"][..], &["run", "out/small"], &["check", "out/small"]] {
        let parts = ["sim resume out/small", "sim preview out/small", "sim report out/small"];
        place.sim(args).assert_refused(&parts);
    }
}

#[test]
fn built_in_scenes_run_where_no_file_has_their_name() {
    let place = Place::new();
    let listed = place.sim(["list"]).assert_done().stdout.clone();
    for part in ["dam_break  ", "glass  ", "2250 particles", "A column of water collapses"] {
        assert!(listed.contains(part), "no `{part}` in {listed}");
    }
    let one = place.sim(["list", "glass"]).assert_done().stdout.clone();
    assert!(one.starts_with("glass\n") && one.contains("Expect  spray over the rim"), "{one}");
    place.sim(["list", "glas"]).assert_refused(&["did you mean `glass`?"]);
    place.sim(["dam_break", "--frames", "1", "-q"]).assert_done();
    place.sim(["run", "dam_break", "--frames", "1", "-o", "other"]).assert_done();
    assert_eq!(place.manifest("out/dam_break")["scene"]["name"], "dam_break");
    assert_eq!(
        place.manifest("out/dam_break")["progress"]["last_state_digest"],
        place.manifest("other")["progress"]["last_state_digest"]
    );
    // One with a mesh, which the folder of the run keeps.
    let glass = ["glass", "--frames", "1", "--set", "particle_radius=0.02"];
    place.sim(glass).assert_done();
    assert!(place.path("out/glass/meshes/glass.obj").is_file());
    place.sim(["audit", "out/glass", "-q"]).assert_done();
    let set = ["--set", "solids[0].path=\"other.obj\""];
    let refused = place.sim(["check", "glass"].iter().chain(&set));
    refused.assert_refused(&["cannot read mesh `other.obj`", "sim new NAME --from glass"]);
    place.sim(["check", "dam_break.ron"]).assert_refused(&["built in", "`sim new dam_break`"]);
    // A file wins.
    std::fs::copy(place.path("small.ron"), place.path("honey")).unwrap();
    assert!(place.sim(["check", "honey"]).assert_done().stdout.contains("500 of \"water\""));
}

/// The built-in scene of a million particles, which takes minutes to check.
const LARGEST: &str = "breakwater";

/// Checks a built-in scene by its name and by its file, which must give the same.
fn assert_checked_as_its_file(place: &Place, name: &str, more: &[&str]) {
    let scenes = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes");
    let check = |scene: &str| {
        let args = ["check", scene].into_iter().chain(more.iter().copied());
        let checked = place.sim(args).assert_done().stdout.clone();
        // The time is of this machine in this moment.
        let is_exact = |line: &&str| {
            ["of this machine", "nothing else runs", "; a guess from"]
                .iter()
                .all(|part| !line.contains(part))
        };
        checked.lines().skip(1).filter(is_exact).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(check(name), check(&format!("{scenes}/{name}.ron")), "{name}");
}

#[test]
fn every_built_in_scene_can_be_checked_as_its_file() {
    let place = Place::new();
    let listed = place.sim(["list"]).assert_done().stdout.clone();
    let names = listed.lines().filter(|line| !line.starts_with(' '));
    let names: Vec<&str> = names.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(names.len() > 10 && names.contains(&LARGEST), "{listed}");
    for name in names {
        // Whole by the test below.
        let fewer = &["--set", "particle_radius=0.0125"][..];
        assert_checked_as_its_file(&place, name, if name == LARGEST { fewer } else { &[] });
    }
}

#[test]
#[ignore = "200 s: run by .ci/run --all"]
fn the_largest_built_in_scene_can_be_checked_as_its_file() {
    assert_checked_as_its_file(&Place::new(), LARGEST, &[]);
}

#[test]
fn a_sweep_of_a_built_in_scene_goes_on() {
    let place = Place::new();
    let set = "fluids[0].viscosity=0.001,0.1";
    let ended = place.sim(["sweep", "dam_break", "--frames", "1", "-q", "--set", set, "-o", "s"]);
    ended.assert_done();
    assert_eq!(place.read("s/results.csv").lines().count(), 3);
    place.sim(["sweep", "s", "-q"]).assert_done();
}

#[test]
fn a_new_scene_has_its_meshes_and_replaces_nothing() {
    let place = Place::new();
    let ended = place.sim(["new", "splash"]);
    ended.assert_done();
    assert!(ended.stderr.contains("run it: sim splash.ron"), "{}", ended.stderr);
    assert!(place.read("splash.ron").starts_with("// A column of water"));
    place.sim(["check", "splash.ron"]).assert_done();
    let again = place.sim(["new", "splash.ron", "--from", "honey"]);
    again.assert_refused(&["`splash.ron` exists", "--overwrite"]);
    place.sim(["new", "splash", "--from", "honey", "--overwrite", "-q"]).assert_done();
    assert!(place.read("splash.ron").starts_with("// Honey"));

    place.sim(["new", "deep/bottle", "--from", "glass"]).assert_done();
    assert!(place.read("deep/bottle.ron").contains("\"meshes/glass.obj\""));
    place.sim(["check", "deep/bottle.ron"]).assert_done();
    // The same mesh may be there, another one not.
    place.sim(["new", "deep/other", "--from", "glass"]).assert_done();
    place.write("deep/meshes/glass.obj", "v 0 0 0\n");
    let refused = place.sim(["new", "deep/third", "--from", "glass"]);
    refused.assert_refused(&["glass.obj` exists", "another folder: sim new FOLDER/NAME"]);
    // It may be another scene's, which nobody asked to replace.
    let refused = place.sim(["new", "deep/third", "--from", "glass", "--overwrite"]);
    refused.assert_refused(&["glass.obj` exists"]);
    assert!(!place.path("deep/third.ron").exists());
    assert_eq!(place.read("deep/meshes/glass.obj"), "v 0 0 0\n");

    // A schema is of the program, not of the user.
    place.sim(["new", "json/a.json"]).assert_done();
    place.write("json/scene.schema.json", "{}");
    let ended = place.sim(["new", "json/b.json"]);
    assert!(ended.assert_done().stderr.contains("wrote json/scene.schema.json"), "{ended:?}");
    let ended = place.sim(["new", "json/c.json"]);
    assert!(!ended.assert_done().stderr.contains("scene.schema.json"), "{ended:?}");

    place.sim(["new", "a", "--from", "glas"]).assert_refused(&["`glas`", "did you mean `glass`?"]);
    place.sim(["new", "a.toml"]).assert_refused(&["RON", "`a.ron`"]);
    place.sim(["new", "deep"]).assert_refused(&["is a folder"]);
}

#[test]
fn what_is_no_run_is_answered_by_the_run_that_was_meant() {
    let place = Place::new();
    for command in ["report", "preview", "resume", "audit"] {
        let scene = place.sim([command, "small.ron"]);
        scene.assert_refused(&["`small.ron` is a scene", "run it first with `sim small.ron`"]);
        let scene = place.sim([command, "honey"]);
        scene.assert_refused(&["`honey` is a scene", "run it first with `sim honey`"]);
    }
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    for command in ["report", "preview", "resume", "audit"] {
        let meant = format!("did you mean `sim {command} out/small`?");
        for path in ["small.ron", "small", "out/smal", "out/small/surface", "out/small/run.json"] {
            place.sim([command, path]).assert_refused(&[&meant]);
        }
        place.sim([command, "out"]).assert_refused(&["holds some: `out/small`"]);
        place.sim([command, "xyzzy"]).assert_refused(&["`xyzzy` holds no run"]);
    }
}

#[test]
fn the_radius_of_a_surface_fits_the_particles() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1", "-q"]).assert_done();
    let frame = "out/small/particles/particles_00001.vtp";
    for (radius, word) in [("20", "large"), ("0.0001", "small")] {
        let refused = place.sim(["surface", frame, "-r", radius, "-o", "m.ply"]);
        let word = format!("is too {word}");
        refused.assert_refused(&[&word, "their radius is about 0.01", "--allow-radius"]);
        assert!(!place.path("m.ply").exists());
    }
    place.sim(["surface", frame, "-r", "0.01", "-o", "m.ply"]).assert_done();
    place.sim(["surface", frame, "-r", "0.2", "--allow-radius", "-o", "n.ply"]).assert_done();
    let folder = place.sim(["surface", "out/small", "-r", "0.01"]);
    folder.assert_refused(&["is a folder", "`out/small/particles.pvd`"]);
}

#[test]
fn quiet_commands_say_nothing() {
    let place = Place::new();
    place.sim(["run", "small.ron", "-q", "--frames", "1"]).assert_done();
    for args in [
        &["check", "small.ron", "-q"][..],
        &["audit", "out/small", "-q"],
        &["report", "out/small", "-q", "-o", "page.html"],
        &["preview", "out/small", "-q", "--size", "64x64"],
        &["new", "fresh", "-q"],
    ] {
        let ended = place.sim(args);
        ended.assert_done();
        assert_eq!((&*ended.stdout, &*ended.stderr), ("", ""), "{args:?}");
    }
    assert!(place.path("page.html").is_file());
    place.sim(["check", "absent.ron", "-q"]).assert_refused(&["absent.ron"]);
}

/// Commands that messages show are copied into a shell as they are.
#[cfg(unix)]
#[test]
fn commands_to_copy_are_quoted_for_the_shell() {
    let place = Place::new();
    let ended = place.sim(["new", "it's a $HOME"]);
    let (_, typed) = ended.assert_done().stderr.split_once("run it: sim ").unwrap();
    let understood = |typed: &str| {
        let script = format!("printf %s {typed}");
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(understood(typed.trim()), "it's a $HOME.ron");

    place.sim(["small.ron", "--frames", "1", "-o", "it's a run", "-q"]).assert_done();
    let quoted = r"'it'\''s a run'";
    let resume = format!("`sim resume {quoted}`");
    for args in [&["check", "it's a run"][..], &["it's a run"]] {
        place.sim(args).assert_refused(&[&resume]);
    }
    let meant = format!("did you mean `sim audit {quoted}`?");
    place.sim(["audit", "it's a run/surface"]).assert_refused(&[&meant]);
    let endless = ["--frames", "100000", "--max-time", "1s", "--allow-shortage"];
    let ended = place.sim(["small.ron", "-o", "it's a tank"].iter().chain(&endless));
    assert!(ended.stderr.contains(r"`sim resume 'it'\''s a tank'`"), "{ended:?}");
    let ended = place.sim(["small.ron", "-o", "it's a tank"]);
    ended.assert_refused(&[r"`sim resume 'it'\''s a tank'`"]);
}

/// The commands that `sim help` lists.
fn commands(place: &Place) -> Vec<String> {
    let help = place.sim(["help"]).assert_done().stdout.clone();
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let listed = listed.lines().take_while(|line| !line.is_empty());
    let names = listed.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_command_is_quiet_if_asked_and_names_its_output_or_tells_why_not() {
    let place = Place::new();
    let commands = commands(&place);
    assert!(commands.len() >= 16, "{commands:?}");
    for command in &commands {
        let help = place.sim(["help", command]).assert_done().stdout.clone();
        assert!(help.contains("-q, --quiet"), "{command}: {help}");
        if ["new", "resume", "foam"].contains(&&**command) {
            assert!(!help.contains("--out"), "{command}: {help}");
        } else {
            assert!(help.contains("-o, --out <"), "{command}: {help}");
        }
    }
    for (args, tip) in [
        (["new", "splash", "-o", "x"], "the name is the file to write: sim new FOLDER/NAME"),
        (["resume", "out/small", "--out", "x"], "a run goes on in its own folder"),
        (["foam", "out/small", "--out", "x"], "foam goes into the folder of its run"),
    ] {
        let ended = place.sim(args);
        ended.assert_usage();
        assert!(ended.stderr.contains(tip), "{}", ended.stderr);
    }
}

#[test]
fn what_a_command_prints_goes_into_the_file_that_is_named() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1", "-q"]).assert_done();
    for args in [
        &["schema", "solver"][..],
        &["schema", "--json"],
        &["list"],
        &["list", "glass"],
        &["completions", "fish"],
        &["audit", "out/small", "out/small"],
        &["convert", "small.ron"],
    ] {
        let printed = place.sim(args).assert_done().stdout.clone();
        let quiet = place.sim(args.iter().chain(&["-q", "-o", "told"]));
        let output = (&*quiet.assert_done().stdout, &*quiet.stderr);
        assert_eq!(output, ("", ""), "{args:?}");
        assert_eq!(place.read("told"), printed, "{args:?}");
        place.write("told", "other");
        let refused = place.sim(args.iter().chain(&["-o", "told"]));
        refused.assert_refused(&["`told` exists", "--overwrite"]);
        let loud = place.sim(args.iter().chain(&["-o", "told", "--overwrite"]));
        assert!(loud.assert_done().stderr.contains("wrote told"), "{loud:?}");
        std::fs::remove_file(place.path("told")).unwrap();
    }
    let ended = place.sim(["check", "small.ron", "dam_break", "-o", "told"]);
    assert!(ended.assert_done().stdout.is_empty(), "{ended:?}");
    let heads = place.read("told").lines().filter(|line| !line.starts_with(' ')).count();
    assert_eq!(heads, 2);
    assert!(place.sim(["list", "-q"]).assert_done().stderr.is_empty());
    assert!(place.sim(["man", "-o", "pages", "-q"]).assert_done().stderr.is_empty());
}

#[test]
fn a_dash_is_a_scene_on_stdin() {
    let place = Place::new();
    let with = |args: &[&str], scene: &str| {
        let mut command = place.command(args);
        let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // One that refuses its arguments reads nothing.
        drop(std::io::Write::write_all(&mut stdin, scene.as_bytes()));
        drop(stdin);
        Ended::of(child.wait_with_output().unwrap())
    };
    let scene = place.read("small.ron");
    let checked = with(&["check", "-"], &scene);
    let output = &checked.assert_done().stdout;
    assert!(output.starts_with("<stdin>\n") && output.contains("500 of \"water\""), "{output}");
    // The pilot of the run reads the scene once more.
    assert!(output.contains("of this machine"), "{output}");
    // Its mesh is found from the working folder.
    with(&["-", "--frames", "1", "-q"], &scene).assert_done();
    place.sim(["small.ron", "--frames", "1", "-q"]).assert_done();
    let digest = |run: &str| place.manifest(run)["progress"]["last_state_digest"].clone();
    assert_eq!(digest("out/stdin"), digest("out/small"));
    assert_eq!(place.manifest("out/stdin")["scene"]["name"], "stdin");
    place.sim(["resume", "out/stdin", "--frames", "2", "-q"]).assert_done();
    let json = place.sim(["convert", "small.ron"]).assert_done().stdout.clone();
    assert_eq!(with(&["convert", "-"], &scene).assert_done().stdout, json);
    with(&["check", "-"], &json).assert_done();
    with(&["check", "-"], "Scene(frame: 3)").assert_refused(&["<stdin>:1:7", "unknown key"]);
    with(&["check", "-"], "").assert_refused(&["<stdin>"]);
    with(&["-", "--slurm"], &scene).assert_refused(&["stdin", "write it to a file"]);
    let sweep = ["sweep", "-", "--set", "particle_radius=0.01,0.02"];
    with(&sweep, &scene).assert_refused(&["stdin", "write it to a file"]);
}
