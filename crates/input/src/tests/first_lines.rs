//! The first lines of tables: headers, comments and rows.

use super::columns::chosen;
use super::*;

#[test]
fn the_first_row_counts_if_the_cells_chosen_by_number_are_numbers() {
    let rows = |first: &str, last: &str| {
        ["0,0.5,1", "-1.5,2,0.25", "3,0,-8"].map(|row| format!("{first}{row}{last}\n")).concat()
    };
    for (first, last, text) in [
        ("", "", "x=1;y=2;z=3"),
        ("", ",", "x=1;y=2;z=3"),
        ("", ",", "x=1;y=2;z=3;density=4"),
        ("", ",water", "x=1;y=2;z=3"),
        ("A,", "", "x=2;y=3;z=4"),
        ("\"A b\",", "", "x=2;y=3;z=4"),
    ] {
        let file = rows(first, last);
        for format in [Format::Csv, Format::Dat] {
            let cloud = chosen(text, &file, format);
            assert_eq!(cloud.positions, points(), "{format:?}: {file}");
            assert!(cloud.warnings.is_empty() && cloud.unreadable.is_empty(), "{cloud:?}");
        }
    }
    let cloud = chosen("x=2;y=3;z=4", rows("A,", "").replace(',', " "), Format::Dat);
    assert_eq!((cloud.positions, cloud.unreadable.len()), (points(), 0));
    // A header stays one, chosen by its names or by numbers.
    for text in ["x=a;y=b;z=c", "x=1;y=2;z=3", "x=1;y=2;z=c"] {
        for format in [Format::Csv, Format::Dat] {
            let cloud = chosen(text, format!("a,b,c\n{}", rows("", "")), format);
            assert_eq!(cloud.positions, points(), "{text}");
        }
    }
}

#[test]
fn numbers_of_columns_in_the_first_line_are_doubtful() {
    let row = "line 1 counts as a row, as all its cells are numbers";
    for (file, warnings) in [
        ("0,1,2\n5,5,5\n", &[row][..]),
        ("1,2,3\n5,5,5\n", &[row]),
        ("0,1,3\n5,5,5\n", &[]),
        ("0,1,2.0\n5,5,5\n", &[]),
    ] {
        let cloud = chosen("x=1;y=2;z=3", file, Format::Csv);
        assert_eq!(cloud.positions.len(), 2, "{file}");
        assert_eq!(cloud.warnings, warnings, "{file}");
    }
    // With the empty name of pandas' index they are a header.
    let cloud = chosen("x=2;y=3;z=4", ",0,1,2\n0,5,5,5\n", Format::Csv);
    assert_eq!(cloud.positions, [Vec3::new(5.0, 5.0, 5.0)]);
}

#[test]
fn a_comment_is_no_header_for_columns_chosen_by_number() {
    let row = "0 0.5 1 1 2 3\n";
    let velocity = Values::Vectors(vec![Vec3::new(1.0, 2.0, 3.0)].into());
    for (head, has_velocity) in [
        ("# x y z vx vy vz\n# m m m m/s m/s m/s\n", true),
        ("# x y z vx vy vz\n", true),
        ("# by hand, with six words here\n", false),
    ] {
        for (file, format) in [
            (format!("{head}{row}"), Format::Dat),
            (format!("{head}{row}").replace(' ', ",").replace("#,", "# "), Format::Csv),
        ] {
            let cloud = chosen("x=1;y=2;z=3", &file, format);
            assert_eq!(cloud.positions, points()[..1], "{file}");
            let found = cloud.attributes.iter().find(|it| it.name == "velocity");
            assert_eq!(found.map(|it| &it.values), has_velocity.then_some(&velocity), "{file}");
        }
    }
    let text = "x=1;y=2;z=3;density=rho";
    let cloud = chosen(text, "# a b c rho\n# m m m kg\n0 0.5 1 7\n", Format::Dat);
    assert_eq!(*attribute(&cloud, "density"), scalars(&[7.0]));
}
