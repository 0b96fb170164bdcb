//! VTK's legacy files.

use super::*;

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
