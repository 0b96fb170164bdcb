//! `--log json`: what programs are told of a run, on stdout, an object a line.

use super::scenes::small_with;
use super::support::{Ended, Place};
use serde_json::Value;
use std::process::Stdio;

/// The lines of a run that was told as JSON; each is an object with an `event`.
#[track_caller]
fn events(ended: &Ended) -> Vec<Value> {
    assert!(ended.stdout.ends_with('\n'), "{ended:?}");
    let read = |line: &str| -> Value {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert!(event["event"].is_string(), "{line}");
        event
    };
    ended.stdout.lines().map(read).collect()
}

/// All events of one name.
fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

/// The last event, which must be that of the end, and the only one.
#[track_caller]
fn end<'a>(events: &'a [Value], ended: &Ended, status: &str) -> &'a Value {
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["status"]), (&"end".into(), &status.into()), "{last}");
    assert_eq!(named(events, "end").len(), 1);
    assert_eq!(last["exit_code"].as_i64(), ended.code.map(i64::from), "{last}");
    last
}

#[test]
fn a_run_is_told_from_its_start_to_its_end() {
    let place = Place::new();
    let probes = "probes=(rate: 100.0, list: [Front(name: \"front\", axis: X)])";
    let ended = place.sim(["small.ron", "--log", "json", "--set", probes]);
    ended.assert_done();
    assert_eq!(ended.stderr, "", "talk and bars are for people");
    let events = events(&ended);
    let start = &events[0];
    let expected = serde_json::json!({
        "event": "start", "program": concat!("hashfall ", env!("CARGO_PKG_VERSION")),
        "scene": "small", "folder": "out/small", "particles": 500, "spheres": 1, "triangles": 4,
        "threads": 2, "frames": 2, "frame_rate": 100.0, "resumed_after": null,
    });
    assert_eq!(*start, expected);
    let frames = named(&events, "frame");
    let of_frames = |key: &str| frames.iter().map(|frame| frame[key].clone()).collect::<Vec<_>>();
    assert_eq!(of_frames("frame"), [0, 1, 2]);
    assert_eq!(of_frames("frames"), [2, 2, 2]);
    assert_eq!(of_frames("time"), [0.0, 0.01, 0.02]);
    assert_eq!(of_frames("progress"), [0.0, 0.5, 1.0]);
    let steps: Vec<u64> = of_frames("steps").iter().map(|n| n.as_u64().unwrap()).collect();
    assert!(steps[0] == 0 && steps.is_sorted_by(|a, b| a < b), "{steps:?}");
    let walls: Vec<f64> = frames.iter().map(|frame| frame["wall"].as_f64().unwrap()).collect();
    assert!(walls[0] > 0.0 && walls.is_sorted(), "{walls:?}");
    let samples = named(&events, "probes");
    assert_eq!(samples.len(), 3, "at the start, and after each hundredth of a second");
    let front = samples[0]["values"]["front"].as_f64().unwrap();
    assert!((front - 0.3).abs() < 1e-6, "{front}");
    let end = end(&events, &ended, "finished");
    assert_eq!((&end["frames"], &end["steps"]), (&3.into(), &steps[2].into()));
    assert_eq!((&end["time"], &end["reason"]), (&0.02.into(), &Value::Null));
    let progress = &place.manifest("out/small")["progress"];
    assert_eq!(end["digest"], progress["last_state_digest"]);
}

#[test]
fn a_run_that_was_told_in_words_writes_the_same_files() {
    let place = Place::new();
    place.sim(["small.ron", "--log", "text", "--out", "text"]).assert_done();
    place.sim(["small.ron", "--log=json", "--out", "json"]).assert_done();
    let [text, json] = ["text", "json"].map(|run| super::support::results(&place, run));
    super::support::assert_same(&json, &text, "told otherwise");
}

#[test]
fn a_scene_that_is_refused_is_told_fault_by_fault() {
    let place = Place::new();
    let two = super::scenes::SMALL
        .replace("particle_radius: 0.01", "particle_radius: -0.01")
        .replace("rate: 100.0", "rate: NaN");
    place.write("two.ron", two);
    let ended = place.sim(["two.ron", "--log", "json"]);
    let all = events(&ended);
    let errors = named(&all, "error");
    let places: Vec<String> = errors
        .iter()
        .map(|error| format!("{}:{}:{}", error["file"], error["line"], error["column"]))
        .collect();
    assert_eq!(places, ["\"two.ron\":3:30", "\"two.ron\":6:22"]);
    let end = end(&all, &ended, "refused");
    assert_eq!((&end["reason"], &end["exit_code"]), (&errors[0]["message"], &2.into()));
    assert_eq!((&end["frames"], &end["digest"]), (&0.into(), &Value::Null));
    assert_eq!(ended.stderr.matches("error:").count(), 2, "people are told, too");

    let typed = place.sim(["small.ron", "--log", "json", "--set", "partcle_radius=0.02"]);
    let all = events(&typed);
    let error = named(&all, "error")[0];
    assert_eq!(error["file"], "--set partcle_radius=0.02", "{error}");
    assert!(error["help"].as_str().unwrap().contains("`particle_radius`"), "{error}");
}

#[test]
fn every_refusal_ends_with_an_end() {
    let place = Place::new();
    place.sim(["small.ron", "--quiet", "--frames", "1"]).assert_done();
    let refused = [
        &["absent.ron"][..],
        &["small.ron"],
        &["small.ron", "--frames", "none"],
        &["small.ron", "--fames", "3"],
        &["resume", "nowhere"],
        &["resume", "out/small", "--set", "particle_radius=0.02"],
    ];
    for args in refused {
        let ended = place.sim(args.iter().chain(&["--log", "json"]));
        assert_eq!(ended.code, Some(2), "{args:?}: {ended:?}");
        let all = events(&ended);
        let reason = end(&all, &ended, "refused")["reason"].as_str().unwrap().to_owned();
        assert_eq!(all[0]["event"], "error", "{args:?}");
        assert_eq!(all[0]["message"], *reason, "{args:?}");
        assert!(ended.stderr.contains(reason.lines().next().unwrap()), "{ended:?}");
    }
}

#[test]
fn a_run_that_fails_says_why() {
    let place = Place::new();
    let limits = "limits=(speed: 0.3)";
    let args = ["small.ron", "--frames", "20", "--log", "json", "--set", limits];
    let ended = place.sim(args);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let all = events(&ended);
    let end = end(&all, &ended, "failed");
    let errors = named(&all, "error");
    assert_eq!(errors.len(), 1);
    assert_eq!((&errors[0]["message"], &errors[0]["file"]), (&end["reason"], &Value::Null));
    assert_eq!(end["reason"], place.manifest("out/small")["reason"]);
    assert_eq!(end["frames"].as_u64().unwrap(), named(&all, "frame").len() as u64);
    assert_eq!(end["digest"].as_str().unwrap().len(), 16);
}

#[test]
fn warnings_are_told_with_their_place() {
    let place = Place::new();
    let far = "Mesh(path: \"tetrahedron.obj\", translate: (9.0, 9.0, 9.0)),\n    ],\n    solver";
    place.write("far.ron", small_with("],\n    solver", far));
    let ended = place.sim(["far.ron", "--frames", "1", "--log", "json"]);
    ended.assert_done();
    let all = events(&ended);
    let warning = named(&all, "warning")[0];
    assert_eq!((&warning["file"], &warning["line"]), (&"far.ron".into(), &14.into()), "{warning}");
    assert_eq!(all[0], *warning, "it comes before the start");
    assert!(ended.stderr.starts_with("warning: "), "{ended:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_one_that_goes_on_says_from_where() {
    let place = Place::new();
    let child = super::signals::endless_run(&place, Some("--log=json"));
    let kill = ["-INT", &child.id().to_string()];
    assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let all = events(&ended);
    let stopped = end(&all, &ended, "interrupted");
    let written = stopped["frames"].as_u64().unwrap();
    assert_eq!(written, named(&all, "frame").len() as u64);
    assert_eq!(stopped["reason"], Value::Null);

    let frames = (written + 2).to_string();
    let way_on = ["resume", "out/small", "--log", "json", "--frames", &frames];
    let resumed = place.sim(way_on);
    resumed.assert_done();
    let all = events(&resumed);
    assert_eq!(
        (&all[0]["event"], &all[0]["resumed_after"]),
        (&"start".into(), &(written - 1).into())
    );
    assert_eq!(named(&all, "frame")[0]["frame"], written);
    let finished = end(&all, &resumed, "finished").clone();
    assert_eq!(finished["frames"], written + 3);

    let again = place.sim(way_on);
    again.assert_done();
    let all = events(&again);
    let mut end_event = end(&all, &again, "finished").clone();
    end_event["wall"] = finished["wall"].clone();
    assert_eq!((all.len(), end_event), (1, finished), "a finished run is told as it ended");
}

#[test]
fn a_run_goes_on_when_no_program_listens() {
    let place = Place::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = place.command(["small.ron", "--log", "json"]).stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    assert_eq!(place.manifest("out/small")["status"], "finished");
}

#[cfg(target_os = "linux")]
#[test]
fn events_that_are_lost_are_an_error() {
    let place = Place::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = place.command(["small.ron", "--log", "json"]);
    let output = command.stdout(Stdio::from(full)).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: cannot write the events: "), "{stderr}");
    assert_eq!(place.manifest("out/small")["status"], "finished");
}
