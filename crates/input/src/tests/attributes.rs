//! Which attributes are read, and that whole numbers stay whole.

use super::*;

/// What nobody asks for refuses no file; what is asked for by name does.
#[test]
fn arrays_that_nobody_asks_for_are_not_decoded() {
    let arrays = "<PointData><DataArray type=\"Float32\" Name=\"broken\" format=\"binary\">!!!!\
                  </DataArray><DataArray type=\"Int32\" Name=\"id\" format=\"ascii\">7</DataArray>\
                  <DataArray type=\"Int32\" Name=\"two\" NumberOfComponents=\"2\" \
                  format=\"ascii\">1 2</DataArray></PointData>";
    let file =
        xml("", "1", "format=\"ascii\">0 0 0<").replace("</Piece>", &format!("{arrays}</Piece>"));
    let named = |names: &[&str]| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        crate::read(file.as_bytes(), Format::VtkXml, &AttributeFilter::Named(names))
    };
    let cloud = named(&["id"]).unwrap();
    assert_eq!(*attribute(&cloud, "id"), labels(&[7]));
    assert_eq!((cloud.attributes.len(), cloud.skipped.len()), (1, 2));
    for name in ["two", "two_1"] {
        assert_eq!(*attribute(&named(&[name]).unwrap(), "two_1"), labels(&[2]));
    }
    for name in ["broken_", "broken_0x", "brok"] {
        assert_eq!(named(&[name]).unwrap().skipped.len(), 3, "`{name}` is no part of `broken`");
    }
    assert!(named(&["broken"]).unwrap_err().to_string().contains("`broken` cannot be unpacked"));
}

#[test]
fn whole_numbers_stay_whole_in_every_range() {
    for (number_type, values) in [
        ("Int8", vec![-1, 127]),
        ("Int32", vec![-1, 1 << 24]),
        ("Int64", vec![i64::MIN.into(), i64::MAX.into()]),
        ("UInt64", vec![0, u64::MAX.into()]),
    ] {
        let text: Vec<String> = values.iter().map(i128::to_string).collect();
        let array = format!(
            "<PointData><DataArray type=\"{number_type}\" Name=\"id\" format=\"ascii\">{}\
             </DataArray></PointData></Piece>",
            text.join(" ")
        );
        let file = xml("", "2", "format=\"ascii\">0 0 0 1 1 1<").replace("</Piece>", &array);
        assert_eq!(*attribute(&good(file, Format::VtkXml), "id"), integers(&values));
    }
    let parts = "property int c_x\nproperty int c_y\nproperty int c_z\n";
    let cloud = good(ply("ascii", parts, b"0 0 0 1 2 -3\n1 0 0 4 5 6\n2 0 0 7 8 9\n"), Format::Ply);
    assert_eq!(*attribute(&cloud, "c_x"), labels(&[1, 4, 7]), "no mean of a vector");
    assert_eq!(*attribute(&cloud, "c_z"), integers(&[-3, 6, 9]));
}

#[test]
fn the_time_of_a_frame_is_read() {
    let file = format!("{LEGACY_HEAD}FIELD f 1\nTIME 1 1 double\n0.1\n{LEGACY_POINTS}");
    assert_eq!(good(file, Format::VtkLegacy).time, Some(0.1));
    let field = "<PolyData><FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" \
                 NumberOfTuples=\"1\" format=\"ascii\">0.1</DataArray></FieldData>";
    let file = xml("", "1", "format=\"ascii\">0 0 0<").replace("<PolyData>", field);
    assert_eq!(good(file, Format::VtkXml).time, Some(0.1));
}

#[test]
fn lists_among_the_properties_of_a_vertex_are_left_out() {
    let list = "property list uchar short l\nproperty uchar phase\n";
    let binary = |row: &[f32]| join(&[&little_endian(row), b"\x02\x01\0\x02\0\x05"]);
    let rows: Vec<u8> = coordinates().chunks(3).flat_map(binary).collect();
    let text = b"0 0.5 1 2 1 2 5\n-1.5 2 0.25 0 5\n3 0 -8 1 9 5\n";
    for file in [ply("ascii", list, text), ply("binary_little_endian", list, &rows)] {
        let cloud = good(&file, Format::Ply);
        assert_eq!(cloud.positions, points());
        assert_eq!(*attribute(&cloud, "phase"), labels(&[5, 5, 5]));
        assert_eq!(reason(&cloud, "l"), "it is a list");
    }
}
