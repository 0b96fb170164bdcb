//! `sim report`: the page holds the numbers of the run, whatever the run is called and however it
//! ended, and needs nothing but itself.

use super::scenes::small_with;
use super::support::Place;
use serde_json::Value;
use std::fs;

/// A name that would leave text, attributes and scripts if they let it.
const HOSTILE: &str = "</script><script>alert('1')</script>&amp;\u{2028}é";

/// The small scene with probes, one of them with a hostile name.
fn probed() -> String {
    let probes = format!(
        "solver: Wcsph(),\n    probes: (rate: 250.0, list: [\n        \
         Height(name: \"H1\", x: 0.2, y: 0.1),\n        \
         Pressure(name: \"{HOSTILE}\", at: (0.2, 0.1, 0.2)),\n    ]),"
    );
    small_with("solver: Wcsph(),", &probes).replace("\"water\"", &format!("\"{HOSTILE}\""))
}

/// A run in `run`, of the scene with probes.
fn place_with_run() -> Place {
    let place = Place::new();
    place.write("probed.ron", probed());
    place.sim(["probed.ron", "--out", "run"]).assert_done();
    place
}

/// The page of `run`.
fn page(place: &Place) -> String {
    place.sim(["report", "run"]).assert_done();
    place.read("run/report.html")
}

/// What the page's scripts draw.
fn data(page: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let rest = &page[page.find(start).unwrap() + start.len()..];
    serde_json::from_str(&rest[..rest.find("</script>").unwrap()]).unwrap()
}

/// A column of an embedded table.
fn column<'a>(table: &'a Value, name: &str) -> &'a Vec<Value> {
    let header = table["header"].as_array().unwrap();
    let at = header.iter().position(|column| column == name);
    table["columns"][at.unwrap_or_else(|| panic!("no {name}"))].as_array().unwrap()
}

/// Whether a cell of a page is that of the file.
fn is_same(embedded: &Value, cell: &str) -> bool {
    match embedded {
        Value::Null => cell.is_empty(),
        Value::String(text) => cell == text,
        number => number.as_f64() == cell.parse().ok(),
    }
}

#[track_caller]
fn assert_same_numbers(table: &Value, file: &str, without: &[&str]) {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(!rows.is_empty());
    let shown = header.iter().filter(|name| !without.contains(name));
    assert!(
        shown.eq(table["header"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()))
    );
    for (i, name) in header.iter().enumerate().filter(|(_, name)| !without.contains(name)) {
        let column = column(table, name);
        assert_eq!(column.len(), rows.len(), "{name}");
        for (embedded, row) in column.iter().zip(&rows) {
            assert!(is_same(embedded, &row[i]), "{name}: {embedded} for {}", &row[i]);
        }
    }
}

#[test]
fn the_page_holds_the_numbers_of_the_run_and_nothing_can_leave_its_place() {
    let place = place_with_run();
    let page = page(&place);
    let data = data(&page);
    assert_same_numbers(&data["log"], &place.read("run/log.csv"), &["digest"]);
    assert_same_numbers(&data["probes"], &place.read("run/probes.csv"), &[]);
    assert_eq!(data["probes"]["header"][2], HOSTILE);
    assert_eq!(data["units"], serde_json::json!([["H1", "m"], [HOSTILE, "Pa"]]));
    assert_eq!(data["fluid_volume"], place.manifest("run")["scene"]["fluid_volume"]);
    // The scene is shown, with its hostile names as text.
    assert!(page.contains("name: \"&lt;/script&gt;") || page.contains("&quot;&lt;/script&gt;"));
    assert_eq!(page.matches("<script").count(), 2, "the numbers, and the program");
    // Pictures stand in the page itself.
    let rest = page.replace(" src=\"data:image/png;base64,", "");
    assert!(rest.len() < page.len(), "there are pictures");
    assert!(!rest.contains("://") && !rest.contains(" src=") && !rest.contains("<link"));
    assert!(page.contains("default-src 'none'"), "no policy");
}

#[test]
fn facts_tell_what_ran_and_how_it_ended() {
    let place = place_with_run();
    let manifest = place.manifest("run");
    let finished = page(&place);
    let facts = [
        ("Particles", manifest["scene"]["particles"].to_string()),
        ("Domain", "0.4 × 0.2 × 0.4 m".into()),
        ("Solids", "1 sphere, 4 triangles".into()),
        ("Frames", "3 of 3, 100 per second".into()),
        ("Threads", "2".into()),
    ];
    for (name, value) in facts {
        let fact = format!("<dt>{name}</dt><dd>{value}</dd>");
        assert!(finished.contains(&fact), "no {fact}");
    }
    assert!(finished.contains("<span class=\"status finished\">finished</span>"));
    assert!(finished.contains(&format!("<dt>Steps</dt><dd>{},", manifest["progress"]["steps"])));
    let stages = manifest["stage_ms"].as_object().unwrap();
    let all: f64 = stages.values().map(|ms| ms.as_f64().unwrap()).sum();
    assert!(finished.contains(&format!("<td>{:.2}</td>", all / 1e3)), "no sum of {all} ms");

    // As if it had been killed; and as if it went on, with the folder taken.
    let text = place.read("run/run.json").replace("\"finished\",", "\"running\",");
    place.write("run/run.json", text);
    assert!(page(&place).contains("<span class=\"status killed\">"));
    // Elsewhere folders cannot be held.
    #[cfg(unix)]
    {
        let taken = fs::File::open(place.path("run")).unwrap();
        taken.lock().unwrap();
        let running = page(&place);
        let status = "<span class=\"status running\">";
        assert!(running.contains(status) && running.contains("It goes on"));
    }

    let limit = ["--set", "limits.speed=1e-3", "--overwrite"];
    let failed = place.sim(["probed.ron", "--out", "run"].iter().chain(&limit));
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(!place.path("run/report.html").exists(), "the page of the run before is left");
    let reason = place.manifest("run")["reason"].as_str().unwrap().to_owned();
    let failed = page(&place);
    assert!(failed.contains("<span class=\"status failed\">"), "not failed");
    assert!(failed.contains(&reason.replace('\'', "&#39;")), "no reason: {reason}");
}

#[test]
fn tables_that_are_cut_short_or_gone_show_what_there_is() {
    let place = place_with_run();
    let log = place.read("run/log.csv");
    // Killed in the middle of a row: the whole rows count, down to the first frame alone.
    for (lines, part) in [(3, 20), (2, 1)] {
        let mut cut: String = log.split_inclusive('\n').take(lines).collect();
        let whole = cut.clone();
        cut.push_str(&log.lines().nth(lines).unwrap()[..part]);
        place.write("run/log.csv", cut);
        let data = data(&page(&place));
        assert_eq!(column(&data["log"], "frame").len(), lines - 1);
        assert_same_numbers(&data["log"], &whole, &["digest"]);
    }
    // A log of an older program, with fewer columns and a number that is none.
    place.write("run/log.csv", "frame,time,max_speed\n0,0.0,0.0\n1,0.01,NaN\n2,0.02,\n");
    let older = data(&page(&place));
    assert_eq!(*column(&older["log"], "max_speed"), [0.0.into(), "NaN".into(), Value::Null]);
    // Nothing but the manifest.
    for name in ["log.csv", "probes.csv", "scene.ron"] {
        fs::remove_file(place.path(&format!("run/{name}"))).unwrap();
    }
    let bare = data(&page(&place));
    assert_eq!(bare["log"], serde_json::json!({ "header": [], "columns": [] }));
    assert_eq!(bare["probes"], bare["log"]);
}

#[test]
fn the_page_goes_where_it_is_asked_to_and_a_folder_without_a_run_is_refused() {
    let place = place_with_run();
    place.sim(["report", "run", "--out", "pages/small.html"]).assert_done();
    assert!(place.read("pages/small.html").starts_with("<!DOCTYPE html>"));
    assert!(!place.path("run/report.html").exists());

    let manifest = place.read("run/run.json");
    place
        .sim(["report", "run", "--out", "run/run.json"])
        .assert_refused(&["exists and is not a report"]);
    assert_eq!(place.read("run/run.json"), manifest);
    place.write("empty.html", "");
    place.sim(["report", "run", "--out", "empty.html"]).assert_done();
    // It does not wait for somebody to write to a pipe.
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap();
        assert!(made.success());
        place
            .sim(["report", "run", "--out", "pipe"])
            .assert_refused(&["exists and is not a report"]);
    }
    place.sim(["report", "nowhere"]).assert_refused(&["`nowhere` holds no run", "no such folder"]);
    place.sim(["report", "pages"]).assert_refused(&["`pages` holds no run", "no `run.json`"]);
    place.write("pages/run.json", "{\"program\": {\"name\": \"other\"}}");
    place
        .sim(["report", "pages"])
        .assert_refused(&["`pages` holds no run", "not a run of this program"]);
    place.sim(["report", "run", "run"]).assert_usage();
    place.sim(["report"]).assert_usage();
}
