//! Hand-made files: the variants of each format, and the errors of wrong files.

mod attributes;
mod others;
mod tables;

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

#[test]
fn legacy_text_has_all_kinds_of_arrays() {
    let file = format!(
        "{LEGACY_HEAD}FIELD f 1\nnames 1 2 string\none two\nthree\n{LEGACY_POINTS}\
         VERTICES 1 4\n3 0 1 2\nCELL_DATA 1\nSCALARS cell int\nLOOKUP_TABLE default\n7\n\
         POINT_DATA 3\nSCALARS id unsigned_int 1\nLOOKUP_TABLE id_table\n5 6 4294967295\n\
         METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n\
         SCALARS signed int\n-1 0 1\nVECTORS v float\n1 2 3 4 5 6 7 8 9\n\
         FIELD FieldData 2\nd 1 3 double\n0.5 1.5 2.5\nMETADATA\nCOMPONENT_NAMES\na\n\n\
         pair%20of%+5 2 3 float\n1 2 3 4 5 6\nLOOKUP_TABLE t 1\n0 0 0 1\n"
    );
    let cloud = good(&file, Format::VtkLegacy);
    assert_eq!(cloud.positions, points());
    assert_eq!(*attribute(&cloud, "id"), labels(&[5, 6, u32::MAX]));
    assert_eq!(*attribute(&cloud, "signed"), integers(&[-1, 0, 1]));
    assert_eq!(*attribute(&cloud, "d"), scalars(&[0.5, 1.5, 2.5]));
    assert_eq!(*attribute(&cloud, "pair of%+5_1"), scalars(&[2.0, 4.0, 6.0]));
    let rows: Vec<Vec3> = [1.0, 4.0, 7.0].map(|x| Vec3::new(x, x + 1.0, x + 2.0)).to_vec();
    assert_eq!(*attribute(&cloud, "v"), Values::Vectors(rows.into()));
    assert_eq!(cloud.attributes.len(), 6, "the cells' array is not a particle's");
    assert_eq!(reason(&cloud, "cell"), "it belongs to cells, not to points");
    let points_end = file.find("VERTICES").unwrap() - 1;
    assert_no_cut_changes_points(file.as_bytes(), Format::VtkLegacy, points_end);
}

#[test]
fn legacy_binary_is_big_endian_and_its_cells_are_stepped_over() {
    let head = b"# vtk DataFile Version 4.1\r\n\r\nBINARY\r\nDATASET UNSTRUCTURED_GRID\r\n";
    let data = big_endian(&coordinates());
    let bits = b"POINT_DATA 3\nSCALARS flag bit\nLOOKUP_TABLE default\n\xa0\n";
    let ids = b"FIELD FieldData 2\nid 1 3 long\n\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02\
                \0\0\0\x01\0\0\0\0\nnames 1 3 string\n\xc3abc\xc1d\xc0\n";
    let cells = b"CELLS 1 4\n\0\0\0\x03\0\0\0\0\0\0\0\x01\0\0\0\x02\nCELL_TYPES 1\n\0\0\0\x02\n";
    let file = join(&[head, b"POINTS 3 float\n", &data, b"\n", cells, bits, ids]);
    let cloud = good(&file, Format::VtkLegacy);
    assert_eq!(cloud.positions, points());
    assert_eq!(*attribute(&cloud, "flag"), labels(&[1, 0, 1]));
    assert_eq!(*attribute(&cloud, "id"), integers(&[1, 2, 1 << 32]), "2^32 is no label");
    assert_eq!(reason(&cloud, "names"), "it holds text");
    let points_end = head.len() + b"POINTS 3 float\n".len() + data.len();
    assert_no_cut_changes_points(&file, Format::VtkLegacy, points_end);
}

#[test]
fn wrong_legacy_files_are_told_where() {
    let wrong = [
        ("ply\n", "line 1: expected `# vtk DataFile Version`, found `ply`"),
        ("# vtk DataFile Version 3.0\n\nTEXT\n", "line 3: expected `ASCII` or `BINARY`"),
        ("# vtk DataFile Version 3.0\n\nASCII\nDATASET STRUCTURED_POINTS\n", "line 4"),
    ];
    for (file, part) in wrong {
        assert_fault(file, Format::VtkLegacy, &[part]);
    }
    let sections = [
        ("POINTS 3 flaot\n", "line 5: expected a number type such as `float`, found `flaot`"),
        ("POINTS 3 float\n1 2 3\n4 five 6\n7 8 9\n", "line 7: expected a number of points"),
        ("POINTS 99999999999999999999 float\n", "line 5: expected the number of points"),
        ("POINTS 6148914691236517206 float\n1 2 3\n", "line 6: unexpected end of file"),
        ("POINTS -1 float\n", "expected the number of points, found `-1`"),
        ("POINTS 3 string\na\nb\n", "line 5: expected points of numbers such as `float`"),
        ("PIONTS 3 float\n", "line 5: expected a section such as `POINTS`, found `PIONTS`"),
        ("POINTS 1 float\n0 nan 0\n", "line 6: coordinate y of particle 0"),
        ("POINTS 1 float\n0 0 1e999\n", "line 6: coordinate z of particle 0"),
        (
            "POINTS 1 float\n0 0 0\nPOINT_DATA 2\n",
            "line 7: wrong number of points of `POINT_DATA`: expected 1",
        ),
        ("POINTS 1 float\n0 0 0\nPOINT_DATA 1\nSCALARS a int x\n1\n", "number of components"),
        ("VERTICES 0 0\n", "the section `POINTS` is missing"),
        ("POINTS 1 float\n0 0 0\nSCALARS a int\n1\n", "`POINT_DATA` before the first array"),
    ];
    for (section, part) in sections {
        assert_fault(format!("{LEGACY_HEAD}{section}"), Format::VtkLegacy, &[part]);
    }
    let head = b"# vtk DataFile Version 3.0\n\nBINARY\nDATASET POLYDATA\nPOINTS 2 float\n";
    let data = big_endian(&[0.0, 1.0, 2.0, 3.0, f32::INFINITY, 5.0]);
    let parts = ["byte 83: coordinate y of particle 1 (counted from 0) is not finite"];
    assert_fault(join(&[head, &data]), Format::VtkLegacy, &parts);
    assert_fault(
        join(&[head, &data[..20]]),
        Format::VtkLegacy,
        &["byte 67: unexpected end of file: 24 bytes for points, 20 bytes are left"],
    );
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

/// Zeros that unpack to 1000 times their size, or arrays that share their data, would fill memory.
#[test]
fn data_much_larger_than_their_file_are_refused_before_they_are_unpacked() {
    let count = 64 << 20;
    let length = 12 * count as u64;
    let header: Vec<u8> = [1, length, 0, 1].iter().flat_map(|x| x.to_le_bytes()).collect();
    let head = "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"";
    let file = xml(head, &count.to_string(), "format=\"appended\" offset=\"0\"><");
    let data = "<AppendedData encoding=\"raw\">_\n</AppendedData></VTKFile>";
    let file = file.replace("</VTKFile>", data);
    let (start, end) = file.split_at(file.find("_\n").unwrap() + 1);
    let file = join(&[start.as_bytes(), &header, end.as_bytes()]);
    assert_fault(&file, Format::VtkXml, &["line 6: its data unpack to at least 768 MiB"]);
    // Data of a size that any file may have are found to be too short.
    let small: Vec<u8> = [1, 12, 0, 1].iter().flat_map(|x: &u64| x.to_le_bytes()).collect();
    let few = start.replace(&count.to_string(), "1");
    let file = join(&[few.as_bytes(), &small, end.as_bytes()]);
    assert_fault(file, Format::VtkXml, &["the data of `p` cannot be unpacked"]);
}

/// A `.vtp` with one array of points; `data` ends the start of its element and goes on to the `<`
/// of its end.
fn xml(file: &str, count: &str, data: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" {file}>\n<PolyData>\n\
         <Piece NumberOfPoints=\"{count}\">\n<Points>\n<DataArray type=\"Float32\" Name=\"p\" \
         NumberOfComponents=\"3\" {data}/DataArray>\n</Points>\n</Piece>\n</PolyData>\n</VTKFile>\n"
    )
}

#[test]
fn pieces_are_joined_and_empty_ones_need_no_arrays() {
    let piece = |points: &str, id: &str| {
        let count = points.split_whitespace().count() / 3;
        format!(
            "<Piece NumberOfPoints=\"{count}\"><PointData><DataArray type=\"Int32\" Name=\"id\" \
             format=\"ascii\">{id}<InformationKey name=\"x\"/></DataArray></PointData><Points>\
             <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\
             <InformationKey name=\"x\"> </InformationKey>\n{points}</DataArray></Points></Piece>"
        )
    };
    let file = |pieces: &[&str]| {
        let pieces = pieces.concat();
        let inner = format!("<UnstructuredGrid>{pieces}</UnstructuredGrid>");
        format!("<VTKFile type=\"UnstructuredGrid\">{inner}</VTKFile>")
    };
    let (first, second) = (piece("0 0.5 1 -1.5 2 0.25", "3 -4"), piece("3 0 -8", "5"));
    let empty = "<Piece NumberOfPoints=\"0\"/>";
    for pieces in [vec![&*first, empty, &second], vec![empty, &first, &second]] {
        let cloud = good(file(&pieces), Format::VtkXml);
        assert_eq!(cloud.positions, points());
        assert_eq!(*attribute(&cloud, "id"), integers(&[3, -4, 5]));
    }
    let other = second.replace("\"id\"", "\"number\"");
    let cloud = good(file(&[&first, &other]), Format::VtkXml);
    assert_eq!((cloud.positions, cloud.attributes.len()), (points(), 0));
    for name in ["id", "number"] {
        assert_eq!(
            reason(&good(file(&[&first, &other]), Format::VtkXml), name),
            "a piece of the file lacks it"
        );
    }
    assert_eq!(good(file(&[empty]), Format::VtkXml), Cloud::default());
    assert_fault(file(&[]), Format::VtkXml, &["there is no `Piece`"]);
    let short = piece("0 0 0", "3 4");
    assert_fault(
        file(&[&short]),
        Format::VtkXml,
        &["wrong number of values of `id`: expected 1, found 2"],
    );
}

#[test]
fn wrong_xml_files_are_told_where() {
    let wrong = [
        ("0 0 0\n".to_owned(), "line 1: expected an XML file of VTK"),
        (xml("", "1", "format=\"ascii\">0 0 x<"), "line 6: expected a number, found `x`"),
        (xml("", "1", "format=\"ascii\">0 nan 0<"), "line 6: coordinate y of particle 0"),
        (
            xml("", "1", "format=\"ascii\">0 0<"),
            "line 6: wrong number of values of `p`: expected 3",
        ),
        (xml("", "1", "format=\"ascii\">0 0 0<").replace("=\"3\"", "=\"2\""), "expected 3"),
        (xml("", "1", "format=\"binary\">!!!!<"), "line 6: the data of `p` cannot be unpacked"),
        (xml("", "1", "format=\"appended\" offset=\"0\"><"), "the file has no `AppendedData`"),
        (xml("", "1", "format=\"appended\"><"), "a whole number as `offset`"),
        (xml("", "one", "format=\"ascii\"><"), "line 4: expected a whole number"),
        (
            xml("byte_order=\"Middle\"", "0", "format=\"ascii\"><"),
            "line 2: expected `LittleEndian`",
        ),
        (xml("compressor=\"zip\"", "0", "format=\"ascii\"><"), "expected a compressor of VTK"),
        (xml("", "1", "format=\"ascii\">0 0 0<").replace("Float32", "Half"), "found `Half`"),
        (xml("", "1", "><").replace("PolyData\" ", "PPolyData\" "), "parallel processes"),
        (xml("", "1", "format=\"ascii\">0 0 0<").replace("</Piece>", ""), "invalid XML"),
    ];
    for (file, part) in wrong {
        assert_fault(&file, Format::VtkXml, &[part]);
    }
    let file = xml("", "1", "format=\"ascii\">0 0 0<");
    good(&file, Format::VtkXml);
    assert_no_cut_changes_points(file.as_bytes(), Format::VtkXml, file.len());
}

#[test]
fn xyz_is_text_or_raw_triples_by_its_content() {
    let text = "# x y z\n0 0.5 1\n\n-1.5\t2 0.25\r\n3 0 -8e0\n";
    assert_eq!(good(text, Format::Xyz).positions, points());
    let wider = "0 .5 1 9\n-1.5 2 .25 9\n3 0 -8 9\n";
    assert_eq!(good(wider, Format::Xyz).positions, points());
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
    for extension in Format::EXTENSIONS {
        let format = Format::from_extension(&extension.to_uppercase());
        assert_fault("", format.expect("a known extension"), &["the file is empty"]);
    }
    assert_eq!(Format::from_extension("json"), None);
}
