//! Tables of particles, `.csv` and `.tsv`.

use super::*;

#[test]
fn tables_are_read_as_programs_write_them() {
    let rows = [["0", "0.5", "1"], ["-1.5", "2.0", "2.5e-1"], ["3", "0", "-8"]];
    let table = |header: &str, separator: &str, comma: &str, end: &str| {
        let lines = rows.iter().map(|row| row.map(|cell| cell.replace('.', comma)).join(separator));
        let lines: Vec<String> = [header.to_owned()].into_iter().chain(lines).collect();
        lines.join(end) + end
    };
    let comma = table("x,y,z", ",", ".", "\n");
    for text in [
        comma.clone(),
        table("X;Y;Z", ";", ",", "\n"),
        table("x\ty\tz", "\t", ".", "\r\n"),
        table("x,y,z", ",", ".", "\r"),
        format!("sep=;\r#made by hand\r{}", table("x;y;z", ";", ",", "\r")),
        // ParaView's spreadsheet, Excel's marks, numpy's header, a comment, blank lines, no end.
        table("\"Points:0\",\"Points:1\",\"Points:2\"", ",", ".", "\n"),
        format!("\u{feff}sep=;\r\n{}", table("x;y;z", ";", ",", "\r\n")),
        format!("# {comma}"),
        format!("# made by hand\n\n{}\n  \n", comma.replace("\n-", "\n\n-")),
        comma.trim_end().to_owned(),
        comma.replace("0.5", "\"0.5\""),
        comma.replace('\n', ",\n").replacen(",\n", "\n", 1),
    ] {
        assert_eq!(good(&text, Format::Csv).positions, points(), "{text}");
    }
    // An index without a name in front, as pandas writes it, and columns in another order.
    let pandas = ",z,y,x,density\n0,1,0.5,0,1000\n1,0.25,2,-1.5,\n2,-8,0,3,nan\n";
    let cloud = good(pandas, Format::Csv);
    assert_eq!(cloud.positions, points());
    let Values::Scalars(density) = attribute(&cloud, "density") else { panic!("{cloud:?}") };
    assert!(density[0] == 1000.0 && density[1].is_nan() && density[2].is_nan());
    for header in ["# by hand\nx,y,z\n", "# by hand\rx,y,z", "\nx,y,z\n\n# end\n"] {
        assert!(good(header, Format::Csv).positions.is_empty());
    }
}

#[test]
fn vectors_labels_and_text_in_tables_become_what_they_are() {
    let text = "x,y,z,vx,vy,vz,id,phase,kind,T\n0,0.5,1,1,2,3,7,0,wet,20\n\
                -1.5,2,0.25,4,5,6,12345678901,1,dry,21\n3,0,-8,7,8,9,-1,0,wet,22\n";
    let cloud = good(text, Format::Csv);
    let velocity = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]].map(Vec3::from);
    assert_eq!(*attribute(&cloud, "velocity"), Values::Vectors(velocity.to_vec().into()));
    assert_eq!(*attribute(&cloud, "id"), integers(&[7, 12_345_678_901, -1]));
    assert_eq!(*attribute(&cloud, "phase"), labels(&[0, 1, 0]));
    assert_eq!(*attribute(&cloud, "T"), scalars(&[20.0, 21.0, 22.0]));
    assert_eq!(reason(&cloud, "kind"), "it holds text in line 2");
    let filter = AttributeFilter::Named(vec!["T".into()]);
    let cloud = super::super::read(text.as_bytes(), Format::Csv, &filter).unwrap();
    assert_eq!(cloud.attributes.len(), 1);
    assert!(cloud.skipped.contains(&"kind".to_owned()) && cloud.unreadable.is_empty());
}

#[test]
fn numbers_of_particles_stay_whole_under_the_names_of_peers() {
    let text = "Pos.x [m];Pos.y [m];Pos.z [m];Idp;Mk;Rhop [kg/m^3];type\n\
                0;0,5;1;0;11;1000;1\n-1,5;2;0,25;1;12;1001;1.5\n3;0;-8;239;11;1000;2\n";
    let cloud = good(text, Format::Csv);
    assert_eq!(*attribute(&cloud, "Idp"), labels(&[0, 1, 239]));
    assert_eq!(*attribute(&cloud, "Mk"), labels(&[11, 12, 11]));
    assert_eq!(*attribute(&cloud, "Rhop"), scalars(&[1000.0, 1001.0, 1000.0]));
    assert_eq!(*attribute(&cloud, "type"), scalars(&[1.0, 1.5, 2.0]), "not all are whole");
    // Some write numbers of particles as floats.
    let ply = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n\
               property float z\nproperty float particle_id\nproperty float density\nend_header\n\
               0 0 0 7 1000\n1 1 1 9 1000\n";
    let cloud = good(ply, Format::Ply);
    assert_eq!(*attribute(&cloud, "particle_id"), labels(&[7, 9]));
    assert_eq!(*attribute(&cloud, "density"), scalars(&[1000.0, 1000.0]));
}

#[test]
fn faults_in_tables_are_told_with_their_lines() {
    for (text, parts) in [
        ("x,y,z\n0,0,0\n1,two,3\n", ["line 3", "a number in column 2 (`y`), found `two`"]),
        ("id,Points:2,y,z [m],x\n1,2,0,0x,0\n", ["line 2", "column 4 (`z [m]`), found `0x`"]),
        ("x,y,z\n0,0,0\n\n1,2\n", ["line 4", "cells in this row: expected 3, found 2"]),
        ("x,y,z\n0,0,0,0\n", ["line 2", "expected 3, found 4"]),
        ("x,y,z\n0,0,nan\n", ["line 2", "coordinate z of particle 0"]),
        ("x,y,z\n0,,0\n", ["line 2", "found ``"]),
        ("# by hand\rx,y,z\r0,0,0\r\r1,two,3\r", ["line 5", "found `two`"]),
        ("x,y,z\r\n0,0,0\r1,two,3\r\n", ["line 3", "found `two`"]),
        ("0,0,0\n1,1,1\n", ["line 1", "a line such as x,y,z"]),
        ("x y z\n1 2 3\n", ["line 1", "no position columns"]),
        ("a,b\n1,2\n", ["line 1", "there are `a`, `b`"]),
        ("\n\n", ["no header", "x,y,z"]),
        ("x;y;z\n1.000,5;2;3\n", ["line 2", "1.000.5"]),
    ] {
        assert_fault(text, Format::Csv, &parts);
    }
    assert_fault(b"x\0,\0y\0,\0z\0\n\0", Format::Csv, &["UTF-16"]);
    assert_fault(format!("x,y,z{}\n", ",a".repeat(5000)), Format::Csv, &["line 1", "4096"]);
}

/// A search of the whole header for each of its columns would take minutes.
#[test]
fn a_header_of_many_columns_of_one_name_takes_no_longer_than_its_length() {
    let line = |start: &str, count| format!("{start}{}\n", ",x".repeat(count));
    assert_fault(line("#x", 200_000), Format::Csv, &["no header", "x,y,z"]);
    let many = line("x:0,x:1,x:2", 200_000).replace(",x", ",x:1");
    assert_fault(format!("#{many}"), Format::Csv, &["no header"]);
    assert_fault(&many, Format::Csv, &["line 1: expected at most 4096 columns, found `200003"]);
}

#[test]
fn a_second_velocity_is_an_attribute_with_a_warning() {
    let read = |header: &str| good(format!("x,y,z,{header}\n0,0,0,1,2,3,4,5,6\n"), Format::Csv);
    let vector = |x, y, z| Values::Vectors(vec![Vec3::new(x, y, z)].into());
    for (header, name) in [
        ("vx,vy,vz,u,v,w", "uvw"),
        ("vel_x,vel_y,vel_z,vx,vy,vz", "v"),
        ("velocity.x,velocity.y,velocity.z,vel_x,vel_y,vel_z", "vel"),
    ] {
        let cloud = read(header);
        assert_eq!(*attribute(&cloud, "velocity"), vector(1.0, 2.0, 3.0), "{header}");
        assert_eq!(*attribute(&cloud, name), vector(4.0, 5.0, 6.0), "{header}");
        assert!(cloud.unreadable.is_empty(), "{header}: {:?}", cloud.unreadable);
        let [first, .., other, _, _] = &header.split(',').collect::<Vec<_>>()[..] else { panic!() };
        let parts = format!("of `{first}` is read as such, that of `{other}` as the attribute");
        assert!(cloud.warnings[0].contains(&parts), "{:?}", cloud.warnings);
    }
    assert!(read("u,v,w,a_x,a_y,a_z").warnings.is_empty());
    let text = "x,y,z,vx,vy,vz,u,v,w\n0,0,0,1,2,3,4,5,6\n";
    let none = AttributeFilter::Named(Vec::new());
    assert!(super::super::read(text.as_bytes(), Format::Csv, &none).unwrap().warnings.is_empty());
}

/// The rows after such a quote would be text of a cell, and lost.
#[test]
fn quotes_that_are_not_closed_are_refused_at_the_line_where_they_open() {
    let head = "x,y,z,name\n0,0,0,\"a \"\"b\"\"\" \n# \"\n";
    for rest in [
        "0.1,0.1,0.1,\"a\n0.2,0.2,0.2,b\n0.3,0.3,0.3,c\n",
        "0.1,0.1,0.1,\"a\n0.2,0.2,0.2,b\n\n\n\n",
        "0.1,0.1,0.1,\"a",
        "0.1,\"0.1,0.1,a\n0.1,0.1,0.1,a\n",
        "\"0.1,0.1,0.1,a\n0.1,0.1,0.1,a\n",
    ] {
        let file = format!("{head}{rest}");
        assert_fault(&file, Format::Csv, &["line 4", "the quoted cell that begins in this line"]);
        let file = file.replace('\n', "\r\n");
        assert_fault(&file, Format::Csv, &["line 4", "the quoted cell that begins in this line"]);
    }
    // The next quote of another row closes it.
    let row = "0.1,0.1,0.1,\"a\n0.2,0.2,0.2,\"b\"\n";
    let expected = ["line 4: expected a separator or the end of the line", "found `b\"`"];
    assert_fault(format!("{head}{row}"), Format::Csv, &expected);
    assert_fault("\"x,y,z\n0,0,0\n", Format::Csv, &["line 1", "the quoted cell that begins"]);
    // A quote inside a bare cell is text; a quoted cell may have several lines.
    for row in ["1,1,1,5\" pipe\n", "1,1,1,a\"\"b\n", "\"1\",1,1,\"a,\n# b\"\n", "1,1,1,\"\"\n"] {
        let cloud = good(format!("{head}{row}1,1,1,\"c\"\n"), Format::Csv);
        assert_eq!(cloud.positions.len(), 3, "{row}");
    }
}
