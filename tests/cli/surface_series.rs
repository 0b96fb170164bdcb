//! `sim surface` of a series: times go from the particles to the meshes, and to the `.pvd` by which
//! ParaView knows them.

use super::support::Place;
use hashfall_input::{AttributeFilter, Format, read};

/// Two particles at a time.
fn frame(time: Option<f64>) -> String {
    let field = time
        .map_or(String::new(), |time| format!("FIELD FieldData 1\nTimeValue 1 1 double\n{time}\n"));
    format!(
        "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\n{field}POINTS 2 float\n0 0 0\n1 0 0\n"
    )
}

/// The entries of a series: file and time.
fn entries(place: &Place, name: &str) -> Vec<(String, f64)> {
    let text = place.read(name);
    let value = |line: &str, key: &str| {
        let rest = line.split(&format!("{key}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let lines = text.lines().filter(|line| line.starts_with("<DataSet "));
    lines.map(|line| (value(line, "file"), value(line, "timestep").parse().unwrap())).collect()
}

/// The time that a mesh tells.
fn time(place: &Place, name: &str) -> Option<f64> {
    let bytes = std::fs::read(place.path(name)).unwrap();
    read(&bytes, Format::VtkXml, &AttributeFilter::All).unwrap().time
}

fn pair<const N: usize>(pairs: [(&str, f64); N]) -> Vec<(String, f64)> {
    pairs.iter().map(|&(file, time)| (file.to_owned(), time)).collect()
}

#[test]
fn times_of_frames_are_those_of_meshes_and_of_their_series() {
    let place = Place::new();
    for (number, time) in [(8, 0.1), (9, 0.25), (10, 1.0 / 3.0)] {
        place.write(&format!("f_{number}.vtk"), frame(Some(time)));
    }
    let args = ["surface", "f_{}.vtk", "-r", "0.5", "--format", "vtp", "-o", "m"];
    let ended = place.sim(args);
    ended.assert_done();
    assert!(ended.stderr.is_empty(), "{ended:?}");
    let expected = pair([("f_8.vtp", 0.1), ("f_9.vtp", 0.25), ("f_10.vtp", 1.0 / 3.0)]);
    assert_eq!(entries(&place, "m/f.pvd"), expected);
    for (file, expected) in expected {
        assert_eq!(time(&place, &format!("m/{file}")), Some(expected));
    }
    place.sim(["surface", "f_{}.vtk", "-r", "0.5", "--format", "ply", "-o", "p"]).assert_done();
    assert!(!place.path("p/f.pvd").exists(), "ParaView opens no PLY by a `.pvd`");
    let series: serde_json::Value = serde_json::from_str(&place.read("p/f.ply.series")).unwrap();
    let files = series["files"].as_array().unwrap();
    let found: Vec<_> = files.iter().map(|it| (&it["name"], it["time"].as_f64())).collect();
    assert_eq!(found[2], (&serde_json::Value::from("f_10.ply"), Some(1.0 / 3.0)));
    // What stands there is not replaced unasked.
    for number in [8, 9, 10] {
        std::fs::remove_file(place.path(&format!("m/f_{number}.vtp"))).unwrap();
    }
    place.sim(args).assert_refused(&["`m/f.pvd` exists", "--overwrite"]);
    place.sim(args.iter().chain(&["--overwrite"])).assert_done();
}

#[test]
fn frames_are_counted_where_times_are_not_known() {
    let place = Place::new();
    let args = |out: &str| ["surface", "f_{}.vtk", "-r", "0.5", "-o", out].map(str::to_owned);
    for number in [3, 5] {
        place.write(&format!("f_{number}.vtk"), frame(None));
    }
    let ended = place.sim(args("none/m_{}.vtp"));
    ended.assert_done();
    assert!(ended.stderr.is_empty(), "{ended:?}");
    let counted = pair([("m_3.vtp", 0.0), ("m_5.vtp", 1.0)]);
    assert_eq!(entries(&place, "none/m.pvd"), counted);
    assert_eq!(time(&place, "none/m_5.vtp"), None);
    for (out, times) in [("one", [Some(0.5), None]), ("same", [Some(0.5), Some(0.5)])] {
        for (number, time) in [3, 5].iter().zip(times) {
            place.write(&format!("f_{number}.vtk"), frame(time));
        }
        let meshes = format!("{out}/m_{{}}.vtp");
        let ended = place.sim(args(&meshes));
        ended.assert_done();
        assert!(ended.stderr.contains("has frame numbers instead of times"), "{ended:?}");
        assert_eq!(entries(&place, &format!("{out}/m.pvd")), counted);
    }
}

#[test]
fn a_series_of_paraview_gives_its_files_and_times() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).unwrap();
    for number in [0, 1] {
        place.write(&format!("in/a & b_{number}.vtk"), frame(Some(9.0)));
    }
    place.write(
        "in/s.pvd",
        "<VTKFile type=\"Collection\"><Collection>\
         <DataSet timestep=\"0.5\" file=\"a &amp; b_0.vtk\"/>\
         <DataSet timestep=\"0.75\" file=\"a &amp; b_1.vtk\"/></Collection></VTKFile>",
    );
    place.write(
        "in/s.vtk.series",
        "{\"file-series-version\": \"1.0\", \"files\": [\
         {\"name\": \"a & b_0.vtk\", \"time\": 0.5}, {\"name\": \"a & b_1.vtk\", \"time\": 0.75}]}",
    );
    for (series, out) in [("in/s.pvd", "pvd"), ("in/s.vtk.series", "json")] {
        place.sim(["surface", series, "-r", "0.5", "--format", "vtp", "-o", out]).assert_done();
        let expected = pair([("a &#38; b_0.vtp", 0.5), ("a &#38; b_1.vtp", 0.75)]);
        assert_eq!(entries(&place, &format!("{out}/a & b.pvd")), expected);
        assert_eq!(time(&place, &format!("{out}/a & b_1.vtp")), Some(0.75));
        // What is written is a series, too.
        let again = format!("{out}/a & b.pvd");
        let args = ["surface", &again, "-r", "0.5", "--format", "vtp", "-o", out, "--overwrite"];
        place.sim(args).assert_refused(&["would replace the particles"]);
    }
    place.write("in/s.pvd", "<VTKFile><DataSet timestep=\"x\" file=\"a.vtk\"/></VTKFile>");
    place
        .sim(["surface", "in/s.pvd", "-r", "0.5"])
        .assert_refused(&["in/s.pvd", "line 1", "a time"]);
    place.write("in/s.pvd", "<VTKFile></VTKFile>");
    place.sim(["surface", "in/s.pvd", "-r", "0.5"]).assert_refused(&["`in/s.pvd` lists no files"]);
}

#[test]
fn each_fluid_is_a_part_of_the_series_and_spray_has_its_own() {
    let place = Place::new();
    let phases = "POINT_DATA 2\nSCALARS phase int\nLOOKUP_TABLE default\n0 7\n";
    for number in [0, 1] {
        place.write(&format!("f_{number}.vtk"), frame(Some(f64::from(number))) + phases);
    }
    let args = ["surface", "f_{}.vtk", "-r", "0.5", "--phases", "phase", "-o", "m_{}.vtp"];
    place.sim(args).assert_done();
    let names = ["m_0_phase0.vtp", "m_0_phase7.vtp", "m_1_phase0.vtp", "m_1_phase7.vtp"];
    let times = [0.0, 0.0, 1.0, 1.0];
    let expected: Vec<(String, f64)> = names.map(str::to_owned).into_iter().zip(times).collect();
    assert_eq!(entries(&place, "m.pvd"), expected);
    let parts: Vec<bool> = place
        .read("m.pvd")
        .lines()
        .filter(|line| line.contains("<DataSet"))
        .map(|line| line.contains("part=\"1\""))
        .collect();
    assert_eq!(parts, [false, true, false, true]);
    let args = ["surface", "f_{}.vtk", "-r", "0.5", "--smallest-body", "9", "--spray", "s_{}.vtp"];
    place.sim(args.iter().chain(&["-o", "n_{}.vtp"])).assert_done();
    assert_eq!(entries(&place, "s.pvd"), pair([("s_0.vtp", 0.0), ("s_1.vtp", 1.0)]));
}

/// What stands behind the number tells the series apart, or else a name of its own for the spray.
#[test]
fn the_series_of_the_spray_never_replaces_that_of_the_meshes() {
    let place = Place::new();
    for number in [9, 10] {
        place.write(&format!("f_{number}.xyz"), "0 0 0\n");
    }
    let named =
        |stem: &str| [9, 10].map(|number| format!("{stem}.vtp").replace("{}", &number.to_string()));
    for (folder, meshes, spray) in [("a", "m_{}", "m_{}_spray"), ("b", "m_{}", "./m-{}")] {
        std::fs::create_dir(place.path(folder)).unwrap();
        let out = |stem: &str| format!("{folder}/{stem}.vtp");
        let args = ["surface", "f_{}.xyz", "-r", "0.05", "--smallest-body", "5"];
        let targets = ["-o", &out(meshes), "--spray", &out(spray)].map(str::to_owned);
        place.sim(args.map(str::to_owned).iter().chain(&targets)).assert_done();
        for (series, stem) in [("m.pvd", meshes), ("m_spray.pvd", spray.trim_start_matches("./"))] {
            let expected = named(stem).into_iter().zip([0.0, 1.0]).collect::<Vec<_>>();
            assert_eq!(entries(&place, &format!("{folder}/{series}")), expected);
        }
    }
}
