//! VTK's XML files.

use super::*;

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
