//! Columns that a user chooses.

use super::*;

/// A choice of columns: `x=Points:0;y=2`.
fn choice(text: &str) -> ColumnChoice {
    let mut choice = ColumnChoice::default();
    for pair in text.split(';') {
        let (key, column) = pair.split_once('=').expect("KEY=COLUMN");
        let number = column.parse().map(ColumnRef::Number);
        let column = number.unwrap_or_else(|_| ColumnRef::Name(column.to_owned()));
        assert!(choice.insert(Quantity::from_name(key).expect(key), column), "{key} twice");
    }
    choice
}

fn read_of(text: &str, file: impl AsRef<[u8]>, format: Format) -> Result<Cloud, InputError> {
    read_columns(file.as_ref(), format, &choice(text), &AttributeFilter::All)
}

#[track_caller]
pub(super) fn chosen(text: &str, file: impl AsRef<[u8]>, format: Format) -> Cloud {
    read_of(text, file, format).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The quantity that a choice fails for, and its message and help.
#[track_caller]
pub(super) fn refused(text: &str, file: impl AsRef<[u8]>, format: Format) -> (Quantity, String) {
    match read_of(text, file, format).expect_err(text).problem {
        Problem::Column(ColumnProblem { quantity, message, help }) => {
            (quantity, format!("{message}; {help}"))
        }
        other => panic!("{text}: {other}"),
    }
}

fn vectors(vectors: [[Real; 3]; 3]) -> Values<'static> {
    Values::Vectors(vectors.map(Vec3::from).to_vec().into())
}

/// [`points`] under names that nobody knows, with what else a particle has.
const TABLE: &str = "Ort Ost,Ort Nord,Hoehe [m],vel 0,vel 1,vel 2,rho,mk,x,y,z,density\n\
                     0,0.5,1,1,2,3,1001,4,7,8,9,5\n\
                     -1.5,2,0.25,4,5,6,1002,0,7,8,9,5\n\
                     3,0,-8,7,8,9,1003,4,7,8,9,5\n";

#[test]
fn columns_of_a_table_are_what_they_are_chosen_for() {
    let cloud = chosen(
        "x=Ort Ost;y=Ort Nord;z=Hoehe [m];u=vel 0;v=vel 1;w=6;density=rho;phase=mk",
        TABLE,
        Format::Csv,
    );
    assert_eq!(cloud.positions, points());
    let velocity = vectors([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
    assert_eq!(*attribute(&cloud, "velocity"), velocity);
    assert_eq!(*attribute(&cloud, "density"), scalars(&[1001.0, 1002.0, 1003.0]));
    assert_eq!(*attribute(&cloud, "phase"), labels(&[4, 0, 4]));
    // What is chosen for a name hides the column of that name, and is nothing else.
    assert_eq!(reason(&cloud, "density"), "another attribute has the same name");
    assert!(cloud.attributes.iter().all(|it| !["rho", "mk"].contains(&&*it.name)));
    assert_eq!(*attribute(&cloud, "position"), vectors([[7.0, 8.0, 9.0]; 3]));
}

#[test]
fn what_is_not_chosen_is_found_by_its_name() {
    let cloud = chosen("z=Hoehe [m]", TABLE, Format::Csv);
    assert_eq!(cloud.positions[1], Vec3::new(7.0, 8.0, 0.25));
    assert_eq!(*attribute(&cloud, "z"), scalars(&[9.0; 3]));
    let table = "a,b,c,vx,vy,vz,s\n0,0.5,1,1,2,3,0\n-1.5,2,0.25,4,5,6,1\n3,0,-8,7,8,9,2\n";
    let cloud = chosen("x=a;y=b;z=c;w=s", table, Format::Csv);
    let velocity = vectors([[1.0, 2.0, 0.0], [4.0, 5.0, 1.0], [7.0, 8.0, 2.0]]);
    assert_eq!(*attribute(&cloud, "velocity"), velocity);
    assert_eq!(*attribute(&cloud, "vz"), scalars(&[3.0, 6.0, 9.0]));
    assert!(cloud.warnings.is_empty());
    let (quantity, message) = refused("x=a;z=c", table, Format::Csv);
    assert_eq!(quantity, Quantity::Y);
    assert!(message.contains("no column is known as `y`") && message.contains("`vx`"), "{message}");
}

#[test]
fn a_table_without_a_head_has_columns_by_their_numbers() {
    let rows = "9 1 0 0.5\n9 0.25 -1.5 2\n9 -8 3 0\n";
    for (rows, format) in [
        (rows.replace(' ', ","), Format::Csv),
        (rows.to_owned(), Format::Xyz),
        (rows.to_owned(), Format::Dat),
        (rows.to_owned(), Format::Pts),
    ] {
        let cloud = chosen("x=3;y=4;z=2;density=1", &rows, format);
        assert_eq!(cloud.positions, points(), "{format:?}");
        assert_eq!(*attribute(&cloud, "density"), scalars(&[9.0; 3]), "{format:?}");
    }
    let (_, message) = refused("x=east", rows, Format::Xyz);
    assert!(
        message.contains("this table has no column names, but `east` is chosen")
            && message.contains("1 to 4"),
        "{message}"
    );
    for (number, part) in
        [("x=5", "no column 5; columns have numbers from 1 to 4"), ("x=0", "no column 0")]
    {
        assert!(refused(number, rows, Format::Dat).1.contains(part), "{number}");
    }
    let raw = little_endian(&coordinates());
    assert!(refused("x=1", raw, Format::Xyz).1.contains("raw numbers have no columns"));
}

#[test]
fn a_choice_that_the_table_does_not_have_is_told_with_those_that_it_has() {
    for (text, quantity, part) in [
        ("x=Ort  Ost", Quantity::X, "no column `Ort  Ost`; did you mean `Ort Ost`? there are"),
        ("z=hoehe", Quantity::Z, "did you mean `Hoehe [m]`?"),
        ("density=Dichte", Quantity::Density, "`mk`, `x`, `y`, `z`, `density`"),
        ("x=Ort Ost;y=Ort Ost", Quantity::Y, "`Ort Ost` is the column of `x` already"),
        ("x=Ort Ost;u=1", Quantity::U, "column 1 is the column of `x` already"),
    ] {
        let (found, message) = refused(text, TABLE, Format::Csv);
        assert!(found == quantity && message.contains(part), "{text}: {found:?}, {message}");
    }
    let twice = "x,y,z,a,a\n0,0,0,1,2\n";
    assert!(refused("density=a", twice, Format::Csv).1.contains("by its number: 4 or 5"));
    let text = "x,y,z,kind,n\n0,0,0,1,0\n1,1,1,wet,0.5\n";
    let error = read_of("density=kind", text, Format::Csv).unwrap_err().to_string();
    assert_eq!(error, "line 3: expected a number in column 4 (`kind`), found `wet`");
    assert!(refused("phase=n", text, Format::Csv).1.contains("`n` holds other than whole numbers"));
}

/// Legacy, XML, polygons and Houdini's geometry, with one vector and single numbers each.
#[test]
fn arrays_and_their_components_are_columns() {
    let file = format!(
        "{LEGACY_HEAD}{LEGACY_POINTS}POINT_DATA 3\nVECTORS Vel float\n1 2 3 4 5 6 7 8 9\n\
         SCALARS rho float 1\nLOOKUP_TABLE default\n10 20 30\n\
         SCALARS density float 1\nLOOKUP_TABLE default\n5 5 5\n"
    );
    let cloud = chosen(
        "x=Points:1;y=Points:0;u=Vel:2;v=Vel:1;w=Vel:0;density=rho",
        &file,
        Format::VtkLegacy,
    );
    let turned: Vec<Vec3> = points().iter().map(|x| Vec3::new(x.y, x.x, x.z)).collect();
    assert_eq!(cloud.positions, turned);
    assert_eq!(
        *attribute(&cloud, "velocity"),
        vectors([[3.0, 2.0, 1.0], [6.0, 5.0, 4.0], [9.0, 8.0, 7.0]])
    );
    assert_eq!(*attribute(&cloud, "density"), scalars(&[10.0, 20.0, 30.0]));
    assert_eq!(cloud.attributes.len(), 2, "what is chosen is nothing else: {:?}", cloud.attributes);
    assert_eq!(reason(&cloud, "density"), "other columns are chosen for it");
    // A part of the velocity that has a known name.
    let cloud = chosen("w=rho", &file, Format::VtkLegacy);
    assert_eq!(
        *attribute(&cloud, "velocity"),
        vectors([[1.0, 2.0, 10.0], [4.0, 5.0, 20.0], [7.0, 8.0, 30.0]])
    );
    for (text, part) in [
        ("x=Point:0", "no column `Point:0`; did you mean `Points:0`?"),
        ("density=3", "numbers choose columns of tables only"),
        ("density=Vel", "there are `Points:0`, `Points:1`, `Points:2`, `Vel:0`"),
    ] {
        let (_, message) = refused(text, &file, Format::VtkLegacy);
        assert!(message.contains(part), "{text}: {message}");
    }
    let twice = file.replace("SCALARS density", "SCALARS Vel:0");
    let (_, message) = refused("density=Vel:0", twice, Format::VtkLegacy);
    assert!(message.contains("components are called `Vel:0`; they cannot"), "{message}");
    let none = file.replace("Vel", "Spin");
    assert!(refused("u=rho", none, Format::VtkLegacy).1.contains("no column is known as `v`"));
}

#[test]
fn properties_of_polygons_are_columns_by_their_own_names() {
    let short = "property float vx\nproperty float vy\nproperty float vz\nproperty float kind\n";
    let long =
        short.replace("vx", "velocity_x").replace("vy", "velocity_y").replace("vz", "velocity_z");
    let rows = b"0 0.5 1 1 2 3 0\n-1.5 2 0.25 4 5 6 1\n3 0 -8 7 8 9 0\n";
    for (properties, text) in
        [(short, "u=vz;phase=kind;x=y;y=x"), (&long, "u=velocity_z;phase=kind;x=y;y=x")]
    {
        let cloud = chosen(text, ply("ascii", properties, rows), Format::Ply);
        assert_eq!(cloud.positions[1], Vec3::new(2.0, -1.5, 0.25));
        assert_eq!(
            *attribute(&cloud, "velocity"),
            vectors([[3.0, 2.0, 3.0], [6.0, 5.0, 6.0], [9.0, 8.0, 9.0]])
        );
        assert_eq!(*attribute(&cloud, "phase"), labels(&[0, 1, 0]));
    }
    let list = ply("ascii", "property list uchar int l\n", b"0 0 0 0\n1 1 1 0\n2 2 2 0\n");
    assert!(refused("density=l", list, Format::Ply).1.contains("`l` cannot be read: it is a list"));
}

#[test]
fn polygons_without_coordinates_have_those_that_are_chosen() {
    let rows = b"0 0.5 1 4\n-1.5 2 0.25 5\n3 0 -8 6\n";
    let file = |names: [&str; 4]| {
        let mut file = String::from_utf8(ply("ascii", "property float d\n", rows)).unwrap();
        for (name, other) in ["x", "y", "z", "d"].iter().zip(names) {
            let property = |name: &str| format!("property float {name}\n");
            file = file.replace(&property(name), &property(&format!("new {other}")));
        }
        file.replace("new ", "")
    };
    for (names, text) in [
        (["east", "north", "up", "rho"], "x=east;y=north;z=up;density=rho"),
        (["vx", "vy", "vz", "rho"], "x=vx;y=vy;z=vz;density=rho"),
        (["x", "y", "up", "rho"], "z=up;density=rho"),
        (["east", "x", "up", "rho"], "x=east;y=x;z=up;density=rho"),
    ] {
        let cloud = chosen(text, file(names), Format::Ply);
        assert_eq!(cloud.positions, points(), "{text}");
        assert_eq!(*attribute(&cloud, "density"), scalars(&[4.0, 5.0, 6.0]), "{text}");
        assert_eq!(cloud.attributes.len(), 1, "{text}: {:?}", cloud.attributes);
    }
    // A part of a vector is a coordinate, and the others are numbers.
    let cloud = chosen("x=h;y=vy;z=vz", file(["vx", "vy", "vz", "h"]), Format::Ply);
    assert_eq!(cloud.positions[1], Vec3::new(5.0, 2.0, 0.25));
    assert_eq!(*attribute(&cloud, "vx"), scalars(&[0.0, -1.5, 3.0]));
    let names = ["a", "b", "c", "z"];
    for (text, part) in [
        ("x=a;y=a", "`a` is the column of `x` already"),
        ("x=a;z=b", "no column is known as `y`"),
        ("x=a;y=z", "no column is known as `z`"),
        ("x=A;y=b", "no column `A`; did you mean `a`?"),
        ("x=1;y=b", "numbers choose columns of tables only"),
    ] {
        assert!(refused(text, file(names), Format::Ply).1.contains(part), "{text}");
    }
    let list = ply("ascii", "property list uchar int l\n", b"0 0 0 0\n1 1 1 0\n2 2 2 0\n");
    let list = String::from_utf8(list).unwrap().replace(" z\n", " h\n");
    let error = read_of("z=l", list, Format::Ply).unwrap_err().to_string();
    assert!(error.contains("expected a number in `l`, found `a list`"), "{error}");
}

/// A NaN among places is refused wherever it comes from, and the filter holds for what is chosen.
#[test]
fn chosen_places_are_finite_and_chosen_attributes_are_filtered() {
    let array = "<PointData><DataArray type=\"Float32\" Name=\"h\" \
                 format=\"ascii\">nan</DataArray></PointData>";
    let file =
        xml("", "1", "format=\"ascii\">0 0 0<").replace("</Piece>", &format!("{array}</Piece>"));
    let error = read_of("z=h", &file, Format::VtkXml).unwrap_err().to_string();
    assert_eq!(error, "coordinate z of particle 0 (counted from 0) is not finite");
    for (names, count) in [(vec![], 0), (vec!["density".to_owned()], 1), (vec!["h".to_owned()], 0)]
    {
        let filter = AttributeFilter::Named(names);
        let cloud = read_columns(file.as_bytes(), Format::VtkXml, &choice("density=h"), &filter);
        assert_eq!(cloud.unwrap().attributes.len(), count, "{filter:?}");
        let cloud = read_columns(TABLE.as_bytes(), Format::Csv, &choice("density=rho"), &filter);
        assert_eq!(cloud.unwrap().attributes.len(), count, "{filter:?}");
    }
}
