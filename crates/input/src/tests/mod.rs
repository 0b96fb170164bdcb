//! Hand-made files: the variants of each format, and the errors of wrong files.

mod attributes;
mod columns;
mod first_lines;
mod heads;
mod legacy;
mod others;
mod tables;
mod vtk_xml;

use super::*;
use hashfall_core::Vec3;
use hashfall_core::{Real, Values};

/// Three particles, with what hand-made files say of them.
fn points() -> Vec<Vec3> {
    vec![Vec3::new(0.0, 0.5, 1.0), Vec3::new(-1.5, 2.0, 0.25), Vec3::new(3.0, 0.0, -8.0)]
}

fn coordinates() -> Vec<f32> {
    vec![0.0, 0.5, 1.0, -1.5, 2.0, 0.25, 3.0, 0.0, -8.0]
}

fn big_endian(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_be_bytes()).collect()
}

fn little_endian(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn read(bytes: &[u8], format: Format) -> Result<Cloud, InputError> {
    super::read(bytes, format, &AttributeFilter::All)
}

#[track_caller]
fn good(bytes: impl AsRef<[u8]>, format: Format) -> Cloud {
    read(bytes.as_ref(), format).unwrap_or_else(|error| panic!("{error}"))
}

/// The message of a file that is refused.
#[track_caller]
fn fault(bytes: impl AsRef<[u8]>, format: Format) -> String {
    read(bytes.as_ref(), format).expect_err("the file is wrong").to_string()
}

#[track_caller]
fn assert_fault(bytes: impl AsRef<[u8]>, format: Format, parts: &[&str]) {
    let message = fault(bytes, format);
    for part in parts {
        assert!(message.contains(part), "no `{part}` in: {message}");
    }
}

fn attribute<'a>(cloud: &'a Cloud, name: &str) -> &'a Values<'static> {
    let found = cloud.attributes.iter().find(|attribute| attribute.name == name);
    &found.unwrap_or_else(|| panic!("no {name} in {:?}", cloud.attributes)).values
}

fn scalars(values: &[Real]) -> Values<'static> {
    Values::Scalars(values.to_vec().into())
}

fn labels(values: &[u32]) -> Values<'static> {
    Values::Labels(values.to_vec().into())
}

fn integers(values: &[i128]) -> Values<'static> {
    Values::Integers(values.to_vec().into())
}

/// Why an attribute that was asked for is not there.
#[track_caller]
fn reason<'a>(cloud: &'a Cloud, name: &str) -> &'a str {
    let found = cloud.unreadable.iter().find(|unreadable| unreadable.name == name);
    &found.unwrap_or_else(|| panic!("`{name}` is not in {:?}", cloud.unreadable)).reason
}

/// A cut file is an error, or where only attributes are lost holds the same points. Of text that is
/// cut within its last word, a warning tells.
#[track_caller]
fn assert_no_cut_changes_points(bytes: &[u8], format: Format, points_end: usize) {
    let whole = good(bytes, format);
    for length in 0..bytes.trim_ascii_end().len() {
        if let Ok(cloud) = read(&bytes[..length], format) {
            if !cloud.warnings.is_empty() && !bytes[..length].ends_with(b"\n") {
                continue;
            }
            assert!(length >= points_end, "cut to {length} bytes");
            assert_eq!(cloud.positions, whole.positions, "cut to {length} bytes");
        }
    }
}

const LEGACY_HEAD: &str = "# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET POLYDATA\n";
const LEGACY_POINTS: &str = "POINTS 3 float\n0 0.5 1\n-1.5 2 0.25 3\n0 -8\n";

/// A `.vtp` with one array of points; `data` ends the start of its element and continues to the `<`
/// of its end.
fn xml(file: &str, count: &str, data: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" {file}>\n<PolyData>\n\
         <Piece NumberOfPoints=\"{count}\">\n<Points>\n<DataArray type=\"Float32\" Name=\"p\" \
         NumberOfComponents=\"3\" {data}/DataArray>\n</Points>\n</Piece>\n</PolyData>\n</VTKFile>\n"
    )
}

const PLY_VERTEX: &str = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";

fn ply(format: &str, more: &str, data: &[u8]) -> Vec<u8> {
    let head = format!("ply\nformat {format} 1.0\ncomment by hand\n{PLY_VERTEX}{more}end_header\n");
    join(&[head.as_bytes(), data])
}

#[test]
fn ply_is_read_in_its_three_encodings() {
    let more = "property float vx\nproperty float vy\nproperty float vz\nproperty uchar phase\n\
                property float a_x\nproperty float a_y\nproperty float b_z\n\
                element face 1\nproperty list uchar int vertex_indices\n";
    let rows = coordinates();
    let text: String = rows
        .chunks(3)
        .map(|p| format!("{} {} {} 1 2 3 7 0 0 0\n", p[0], p[1], p[2]))
        .chain(["3 0 1 2\n".to_owned()])
        .collect();
    let binary = |encode: &dyn Fn(&[f32]) -> Vec<u8>, face: &[u8]| {
        let row = |p: &[f32]| join(&[&encode(p), &encode(&[1.0, 2.0, 3.0]), b"\x07", &[0; 12]]);
        join(&[&rows.chunks(3).flat_map(row).collect::<Vec<u8>>(), face])
    };
    let little = binary(&|x| little_endian(x), b"\x03\0\0\0\0\x01\0\0\0\x02\0\0\0");
    let big = binary(&|x| big_endian(x), b"\x03\0\0\0\0\0\0\0\x01\0\0\0\x02");
    let files = [
        ply("ascii", more, text.as_bytes()),
        ply("binary_little_endian", more, &little),
        ply("binary_big_endian", more, &big),
    ];
    for file in files {
        let cloud = good(&file, Format::Ply);
        assert_eq!(cloud.positions, points());
        let velocity = vec![Vec3::new(1.0, 2.0, 3.0); 3];
        assert_eq!(*attribute(&cloud, "velocity"), Values::Vectors(velocity.into()));
        assert_eq!(*attribute(&cloud, "phase"), labels(&[7, 7, 7]));
        assert_eq!(*attribute(&cloud, "a_x"), scalars(&[0.0; 3]), "no triple");
        assert_eq!(cloud.attributes.len(), 5);
        assert_no_cut_changes_points(&file, Format::Ply, file.len());
    }
}

#[test]
fn wrong_ply_files_are_told_where() {
    let wrong = [
        ("plx\n".into(), "line 1: expected `ply`"),
        ("ply\nformat ascii 2.0\n".into(), "line 2: expected a line of a PLY head"),
        ("ply\nelement vertex 0\nend_header\n".into(), "the head has no `format`"),
        ("ply\nformat ascii 1.0\nend_header\n".into(), "the head has no `element vertex`"),
        (ply("ascii", "property list uchar int l\n", b""), "words of `vertex`"),
        (ply("ascii", "property flaot w\n", b""), "line 8"),
        (ply("ascii", "", b"0 0 0\n1 1 inf\n2 2 2\n"), "line 10: coordinate z of particle 1"),
        (ply("ascii", "", b"0 0 0\n1 1 1\n2 2 2\n3\n"), "expected the end of the file"),
        (ply("binary_little_endian", "", &[0; 35]), "36 bytes for the vertices, 35 bytes"),
        (ply("binary_little_endian", "", &[0; 37]), "expected the end of the file"),
    ];
    for (file, part) in wrong {
        assert_fault(file, Format::Ply, &[part]);
    }
    let mut data = little_endian(&coordinates());
    data[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    let file = ply("binary_little_endian", "", &data);
    let place = format!("byte {}: coordinate y of particle 1", file.len() - 36 + 16);
    assert_fault(file, Format::Ply, &[&place]);
}

#[test]
fn hostile_counts_cost_no_memory_and_no_time() {
    let huge = usize::MAX;
    let vertex = format!("element vertex {huge}\nproperty float x\nproperty float y\n");
    let files = [
        format!("ply\nformat binary_little_endian 1.0\n{vertex}property float z\nend_header\n"),
        format!("ply\nformat ascii 1.0\n{vertex}property float z\nend_header\n0 0 0\n"),
        format!("ply\nformat ascii 1.0\nelement vertex {huge}\nend_header\n0 0 0\n"),
        format!("ply\nformat ascii 1.0\nelement none {huge}\n{PLY_VERTEX}end_header\n"),
        format!("ply\nformat ascii 1.0\nelement l {huge}\nproperty list int int l\nend_header\n"),
    ];
    for file in files {
        fault(file, Format::Ply);
    }
    for section in [
        format!("POINTS {huge} float\n"),
        format!("POINTS 0 float\nCELLS {huge} {huge}\n"),
        format!("POINTS 0 float\nPOINT_DATA 0\nFIELD f {huge}\n"),
        format!("POINTS 0 float\nFIELD f 1\na {huge} {huge} string\n"),
        format!("POINTS 0 float\nLOOKUP_TABLE l {huge}\n"),
    ] {
        for format in ["ASCII", "BINARY"] {
            let head = LEGACY_HEAD.replace("ASCII", format);
            assert_fault(
                format!("{head}{section}"),
                Format::VtkLegacy,
                &["unexpected end of file"],
            );
        }
    }
    let array = |data: &str| xml("", &huge.to_string(), data);
    for data in ["format=\"ascii\">0 0 0<", "format=\"binary\">DAAAAA==<", "format=\"binary\"><"] {
        fault(array(data), Format::VtkXml);
    }
    // Blocks of 2³² bytes each, which the data cannot hold.
    for compressor in ["vtkZLibDataCompressor", "vtkLZ4DataCompressor", "vtkLZMADataCompressor"] {
        let file = xml(
            &format!("header_type=\"UInt64\" compressor=\"{compressor}\""),
            "1431655765",
            "format=\"binary\">AQAAAAAAAAD8////AwAAAAAAAAAAAAAACAAAAAAAAAA=AAAAAAAAAAA=<",
        );
        assert_fault(file, Format::VtkXml, &["its data unpack to at least 16383 MiB"]);
    }
}

/// No bytes are needed for as many components as one likes of no points.
#[test]
fn an_array_of_more_components_than_can_be_meant_is_left_out() {
    let legacy = format!("{LEGACY_HEAD}POINTS 0 float\nPOINT_DATA 0\n");
    for array in ["FIELD f 1\na 1025 0 float\n", "TEXTURE_COORDINATES a 1025 float\n"] {
        let cloud = good(format!("{legacy}{array}"), Format::VtkLegacy);
        assert!(reason(&cloud, "a").contains("1025 components"));
    }
    let array = "<PointData><DataArray type=\"Int8\" Name=\"a\" NumberOfComponents=\"1025\"";
    for data in ["/>", " format=\"binary\"/>"] {
        let file =
            xml("", "0", "><").replace("</Piece>", &format!("{array}{data}</PointData></Piece>"));
        assert!(reason(&good(&file, Format::VtkXml), "a").contains("1025 components"));
        let cloud = good(file.replace("1025", "1024"), Format::VtkXml);
        assert_eq!(cloud.attributes.len(), 1024);
    }
}

#[test]
fn xyz_is_text_or_raw_triples_by_its_content() {
    let text = "# x y z\n0 0.5 1\n\n-1.5\t2 0.25\r\n3 0 -8e0\n";
    assert_eq!(good(text, Format::Xyz).positions, points());
    for last in ["9", "a,b", "\"a", "\"a b\""] {
        let wider = format!("0 .5 1 {last}\n-1.5 2 .25 {last}\n3 0 -8 {last}\n");
        assert_eq!(good(wider, Format::Xyz).positions, points(), "{last}");
    }
    let raw = little_endian(&coordinates());
    assert_eq!(good(&raw, Format::Xyz).positions, points());
    for length in (1..raw.len()).filter(|length| length % 12 != 0) {
        fault(&raw[..length], Format::Xyz);
    }
    let wrong = [
        ("0 0 0\n1 1\n", "line 2: wrong number of coordinates: expected 3, found 2"),
        ("0 0 0 7\n1 1 1\n", "line 2: wrong number of columns: expected 4, found 3"),
        ("2\n", "line 1: wrong number of coordinates: expected 3, found 1"),
        ("0 0 0\n1 1 one\n", "line 2: expected a coordinate, found `one`"),
        ("0 0 0\n1 NaN 1\n", "line 2: coordinate y of particle 1"),
        ("0 0 0\n1 1 0,2\n", "line 2: expected a coordinate, found `0,2`; write a decimal"),
        ("0 0 \u{2212}1\n", "write the minus sign as ASCII `-`"),
        ("0 0 1D0\n", "write exponents with `e`"),
        ("0 0 0\n\0\0\0", "line 2: expected a coordinate, found `\\0\\0\\0`; zero bytes"),
    ];
    for (file, part) in wrong {
        assert_fault(file, Format::Xyz, &[part]);
    }
    let mut raw = raw;
    raw[20..24].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes());
    assert_fault(&raw, Format::Xyz, &["byte 20: coordinate z of particle 1"]);
    let comment = b"# 20 \xb0C \xc4\xd6\xdc\n0 0.5 1\n-1.5 2 0.25\n3 0 -8";
    let cloud = good(comment, Format::Xyz);
    assert_eq!((cloud.positions, cloud.warnings.len()), (points(), 1), "no newline at its end");
    assert_eq!(good([b"\xef\xbb\xbf", text.as_bytes()].concat(), Format::Xyz).positions, points());
    assert_fault(&raw[..35], Format::Xyz, &["byte 24", "has 11 of its 12 bytes"]);
}

#[test]
fn formats_are_known_by_extension_and_empty_files_are_refused() {
    for extension in Format::extensions() {
        let format = Format::from_extension(&extension.to_uppercase());
        assert_fault("", format.expect("a known extension"), &["the file is empty"]);
    }
    assert_eq!(Format::from_extension("json"), None);
}
