//! Files that are made to cost much: more than linear time, more memory than their data, or an
//! endless wait. Sizes are such that quadratic work would take far longer than the limit here.

use crate::support::{Ended, Place};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Case of this module: the Rust below writes the same file.
pub const CASE: &str = "robustness/gen_attrs_vtp.py";

/// Linear work takes a second or two of this, also on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);
/// Virtual memory in which linear work is possible [KiB].
const MEMORY: u64 = 3 << 20;

/// Waits for a program, which must end within the limit.
fn finish(mut child: Child, what: &str) -> Ended {
    let start = Instant::now();
    // What it says is short, so no pipe fills before it ends.
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{what}: more than {LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ended::of(child.wait_with_output().unwrap())
}

fn surface(place: &Place, file: &str) -> Ended {
    let args = ["surface", file, "-r", "0.5", "-a", "all", "--overwrite", "-o", "x.vtp"];
    finish(place.command(args).spawn().unwrap(), file)
}

/// A file of one particle with more markup at three places.
fn xml(in_file: &str, in_data_set: &str, in_piece: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" {in_file}>\n<PolyData>{in_data_set}\
         <Piece NumberOfPoints=\"1\">{in_piece}<Points><DataArray type=\"Float32\" \
         NumberOfComponents=\"3\" format=\"ascii\">0 0 0</DataArray></Points></Piece></PolyData>\
         </VTKFile>\n"
    )
}

fn many(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect()
}

#[test]
fn attributes_of_an_element_are_refused_where_their_number_would_cost_quadratic_time() {
    let place = Place::new();
    for count in [300, 60_000, 1_800_000] {
        let attributes = many(count, |i| format!(" a{i}=\"1\""));
        let file = format!("<?xml version=\"1.0\"?><VTKFile{attributes}></VTKFile>");
        place.write("attributes.vtp", file);
        let part = "line 1: an element with more than 256 attributes";
        surface(&place, "attributes.vtp").assert_refused(&["attributes.vtp", part]);
    }
}

#[test]
fn a_tag_of_any_text_is_refused_or_read_in_linear_time() {
    let place = Place::new();
    let n = 1_000_000;
    let long = "a".repeat(n);
    for (tag, part) in [
        (format!("<VTKFile{}>", "=".repeat(n)), "more than 256 attributes"),
        (format!("<VTKFile {long}{}>", "=".repeat(n)), "more than 256 attributes"),
        (format!("<VTKFile {}>", "a=".repeat(n)), "more than 256 attributes"),
        (format!("<VTKFile {}", "= ".repeat(n)), "more than 256 attributes"),
        (format!("<VTKFile {long}>"), "line 1"),
        (format!("<VTKFile {}>", "\"".repeat(n)), "line 1"),
        (format!("<VTKFile {}>", "'\"".repeat(n)), "line 1"),
        ("<".repeat(n), "line 1"),
        ("<>".repeat(n), "line 1"),
        ("<a ".repeat(n), "line 1"),
        ("</a>".repeat(n), "line 1"),
    ] {
        place.write("tag.vtp", tag + "</VTKFile>");
        surface(&place, "tag.vtp").assert_refused(&["tag.vtp", part]);
    }
    // Names and values may be long, and blanks and `=` may stand in a value.
    for attribute in [format!("{long}=\"1\""), format!("a=\"{}\"", "= ".repeat(n))] {
        place.write("tag.vtp", xml(&attribute, "", ""));
        assert_eq!(surface(&place, "tag.vtp").code, Some(0));
    }
}

/// No bytes are needed for arrays of as many components as one likes of no points.
#[test]
fn arrays_without_tuples_are_left_out_beyond_4096_components() {
    let place = Place::new();
    let n = 2000;
    let fields = many(n, |i| format!("a{i} 1024 0 int\n"));
    let head = "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 0 float\n";
    place.write("empty.vtk", format!("{head}POINT_DATA 0\nFIELD f {n}\n{fields}"));
    let array = |i| format!("<DataArray type=\"Int8\" Name=\"a{i}\" NumberOfComponents=\"1024\"/>");
    let arrays = format!("<PointData>{}</PointData>", many(n, array));
    place.write("empty.vtp", xml("", "", &arrays).replace("Points=\"1\"", "Points=\"0\""));
    for file in ["empty.vtk", "empty.vtp"] {
        let ended = surface(&place, file);
        assert!(ended.stderr.contains("more than 4096 components"), "{file}: {ended:?}");
    }
}

#[test]
fn other_markup_is_refused_or_read_in_linear_time() {
    let place = Place::new();
    let n = 300_000;
    let nested = "<a>".repeat(n) + &"</a>".repeat(n);
    let spaces = many(n, |i| format!("<a xmlns:n{i}=\"u\">")) + &"</a>".repeat(n);
    let loose = spaces.replace('=', "\n = ");
    for (file, part) in [
        (xml("", &nested, ""), "line 3: nesting of more than 64 elements"),
        (xml("", &spaces, ""), "line 3: more than 16 namespaces"),
        (xml("", &loose, ""), "more than 16 namespaces"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]>".to_owned() + &xml("", "&b;", ""), "DTD"),
    ] {
        place.write("markup.vtp", file);
        surface(&place, "markup.vtp").assert_refused(&["markup.vtp", part]);
    }
    let array =
        |i| format!("<DataArray type=\"Int8\" Name=\"n{i}\" format=\"ascii\">1</DataArray>");
    let unknown = |i| format!("<DataArray type=\"Float7\" Name=\"n{i}\"/>");
    let appended = |i| format!("<DataArray type=\"Int8\" format=\"appended\" offset=\"{i}\"/>");
    for file in [
        xml("", &"<![CDATA[a]]>".repeat(n), ""),
        xml("", &"<a/><!-- b -->".repeat(n), ""),
        xml("", &"<Piece NumberOfPoints=\"0\"/>".repeat(n), ""),
        xml("", "", &format!("<PointData>{}</PointData>", many(n, unknown))),
        xml("", "", &format!("<CellData>{}</CellData>", many(n, array))),
        xml("", "", &format!("<Verts>{}</Verts>", many(n, appended))),
    ] {
        place.write("markup.vtp", file);
        assert_eq!(surface(&place, "markup.vtp").code, Some(0));
    }
    // Each of these becomes an attribute of the mesh.
    let few = format!("<PointData>{}</PointData>", many(n / 100, array));
    place.write("markup.vtp", xml("", "", &few));
    assert_eq!(surface(&place, "markup.vtp").code, Some(0));
}

#[test]
fn heads_of_many_lines_are_read_in_linear_time() {
    let place = Place::new();
    let n = 300_000;
    let axes = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
    let ply = |head: String, row: String| {
        format!("ply\nformat ascii 1.0\n{axes}{head}end_header\n0 0 0{row}\n")
    };
    let lists = many(n, |i| format!("property list uchar int p{i}\n"));
    let elements = many(n, |i| format!("element e{i} 0\nproperty float q\n"));
    let properties = many(n, |i| format!("property float p{i}\n"));
    for (file, code) in [
        (ply(lists, " 0".repeat(n)), 0),
        (ply(elements, String::new()), 0),
        (ply(properties, String::new()), 2),
    ] {
        place.write("head.ply", file);
        assert_eq!(surface(&place, "head.ply").code, Some(code));
    }
    let head = "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\n";
    for sections in [
        "CELL_DATA 1\n".to_owned() + &many(n, |i| format!("SCALARS s{i} int\n1\n")),
        "FIELD f 0\n".repeat(n),
        "METADATA\nINFORMATION 0\n\n".repeat(n),
        "POINTS 1 float\n0 0 0\n".repeat(n),
    ] {
        place.write("head.vtk", format!("{head}{sections}"));
        assert_eq!(surface(&place, "head.vtk").code, Some(0));
    }
}

/// Particles in one place would each be weighed against all others.
#[test]
fn particles_all_in_one_place_are_refused() {
    let place = Place::new();
    place.write("one.xyz", "1 2 3\n".repeat(500_000));
    surface(&place, "one.xyz").assert_refused(&["one.xyz", "500000 particles", "one place"]);
}

/// 3 MB that unpack to 3 GB, all of which the head demands.
#[cfg(unix)]
#[test]
fn compressed_zeros_take_no_more_memory_than_their_file_may() {
    use std::io::Write;
    let place = Place::new();
    let count = 250_000_000u64;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0; 12 * 1_000_000];
    (0..250).for_each(|_| packer.write_all(&zeros).unwrap());
    let packed = packer.finish().unwrap();
    assert!(packed.len() < 4_000_000);
    let mut file = format!(
        "<VTKFile type=\"PolyData\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\
         <PolyData><Piece NumberOfPoints=\"{count}\"><Points><DataArray type=\"Float32\" \
         NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/></Points></Piece></PolyData>\
         <AppendedData encoding=\"raw\">_"
    )
    .into_bytes();
    for number in [1, 12 * count, 0, packed.len() as u64] {
        file.extend(number.to_le_bytes());
    }
    file.extend(packed);
    file.extend(b"</AppendedData></VTKFile>");
    place.write("bomb.vtp", file);
    let command = place.command(["surface", "bomb.vtp", "-r", "0.5", "-o", "x.vtp"]);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(place.path(""))
        .env("SLURM_CPUS_PER_TASK", "2")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let ended = finish(limited.spawn().unwrap(), "bomb.vtp");
    ended.assert_refused(&[
        "bomb.vtp",
        "unpack to at least 2861 MiB",
        "400 times the size of the file",
    ]);
}

/// A pipe that nobody writes, a device and a folder, wherever the program reads a file.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let place = Place::new();
    let make = |name: &str| {
        let pipe = place.path(&format!("pipe{name}"));
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        std::fs::create_dir(place.path(&format!("folder{name}"))).unwrap();
        let device = place.path(&format!("device{name}"));
        std::os::unix::fs::symlink("/dev/zero", device).unwrap();
    };
    let commands: [(&str, &[&str]); 6] = [
        (".xyz", &["surface", "FILE", "-r", "0.5", "-o", "x.vtp"]),
        (".pvd", &["surface", "FILE", "-r", "0.5", "-o", "y.vtp"]),
        (".vtp.series", &["surface", "FILE", "-r", "0.5", "-o", "z.vtp"]),
        (".ron", &["FILE"]),
        ("_2.ron", &["check", "FILE"]),
        ("_3.ron", &["sweep", "FILE"]),
    ];
    for (name, args) in commands {
        make(name);
        for (kind, what) in
            [("pipe", "a pipe or device"), ("device", "a pipe or device"), ("folder", "a folder")]
        {
            let file = format!("{kind}{name}");
            let args: Vec<&str> =
                args.iter().map(|&arg| if arg == "FILE" { &*file } else { arg }).collect();
            let ended = finish(place.command(&args).spawn().unwrap(), &file);
            assert_eq!(ended.code, Some(2), "{args:?}: {ended:?}");
            // A folder may be that of a sweep which goes on.
            let what = if file == "folder_3.ron" { "holds no sweep" } else { what };
            assert!(ended.stderr.contains(what), "{args:?}: {ended:?}");
        }
    }
}

/// The files of a run that a report and a preview read.
#[cfg(unix)]
#[test]
fn a_run_whose_files_are_pipes_is_refused_at_once() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    let file = "out/small/run.json";
    for args in [
        &["report", "out/small", "--out", "page.html"][..],
        &["preview", "out/small"],
        &["resume", "out/small"],
        &["audit", "out/small"],
    ] {
        let bytes = std::fs::read(place.path(file)).unwrap();
        std::fs::remove_file(place.path(file)).unwrap();
        assert!(Command::new("mkfifo").arg(place.path(file)).status().unwrap().success());
        let ended = finish(place.command(args).spawn().unwrap(), file);
        assert!(ended.code.is_some_and(|code| code != 0), "{args:?}: {ended:?}");
        std::fs::remove_file(place.path(file)).unwrap();
        place.write(file, bytes);
    }
}
