//! Heads of tables: of laser scanners, `.pts`, and of many programs, `.dat`.

use super::*;

const ROWS: &str = "0 0.5 1 7\n-1.5 2 0.25 8\n3 0 -8 9\n";

#[test]
fn points_of_scanners_are_read_with_what_their_number_of_columns_says() {
    let row = |rest: &str| {
        ["0 0.5 1", "-1.5 2 0.25", "3 0 -8"].map(|place| format!("{place}{rest}\n")).concat()
    };
    for (file, names) in [
        (row(""), &[][..]),
        (format!("3\n{}", row("")), &[]),
        (format!("  3 \r\n{}", row(" -1200").replace('\n', "\r\n")), &["intensity"]),
        (row(" 1 2 3"), &["red", "green", "blue"]),
        (format!("3\n{}", row(" 9 1 2 3")), &["intensity", "red", "green", "blue"]),
        (row(" 1 2"), &[]),
        (format!("# of seven words by this very hand\n3\n{}", row(" 9")), &["intensity"]),
        (format!("# a b c\n{}", row(" 9")), &["intensity"]),
    ] {
        let cloud = good(&file, Format::Pts);
        assert_eq!(cloud.positions, points(), "{file}");
        assert_eq!(
            cloud.attributes.iter().map(|it| &*it.name).collect::<Vec<_>>(),
            names,
            "{file}"
        );
    }
    // Several scans, the second with the place of a particle of the first.
    let scans = format!("3\n{ROWS}1\n1 1 1 2\n");
    let cloud = good(&scans, Format::Pts);
    assert_eq!(cloud.positions, [points(), vec![Vec3::new(1.0, 1.0, 1.0)]].concat());
    assert_eq!(*attribute(&cloud, "intensity"), scalars(&[7.0, 8.0, 9.0, 2.0]));
    for (file, part) in [
        (
            format!("4\n{ROWS}"),
            "line 1: wrong number of particles, which the head counts: expected 4, found 3",
        ),
        (format!("2\n{ROWS}"), "expected 2, found 3"),
        (
            format!("{scans}2\n"),
            "line 7: wrong number of particles, which the head counts: expected 2, found 0",
        ),
        (
            "2\n0 0 0\n0 0\n".to_owned(),
            "line 3: wrong number of cells in this row: expected 3, found 2",
        ),
        (
            "0 0 0\n1 1 1\n0".to_owned(),
            "line 3: wrong number of cells in this row: expected 3, found 1",
        ),
        ("1\n0 0 wet\n".to_owned(), "line 2: expected a number in column 3 (`z`), found `wet`"),
    ] {
        assert_fault(file, Format::Pts, &[part]);
    }
}

#[test]
fn tables_of_many_programs_are_read_with_their_heads_or_without() {
    let named = |separator: &str, mark: &str, head: &str| {
        format!("{mark}{head}\n{}", ROWS.replace(' ', separator))
    };
    let head = |separator: &str| ["x", "y", "z", "rho"].join(separator);
    for file in [
        named(" ", "", &head(" ")),
        named("\t", "", &head("\t")),
        named("  \t ", "", &head(" ")),
        named(",", "", &head(",")),
        named(", ", "", &head(", ")),
        named(";", "", &head(";")).replace("0.", "0,"),
        named("\t", "", &head("\t")).replace("0.", "0,"),
        named(" ", "# ", &head(" ")),
        named(" ", "%", &head("\t")),
        named(" ", "// ", &head(", ")),
        named("\t", "", "x [m]\ty [m]\tz [m]\trho"),
        named(" ", "", "\"x [m]\" \"y [m]\" \"z [m]\" \"rho\""),
        named(" ", "# by hand at t = 0.5\n# ", &format!("{}\n# kg m s", head(" "))),
        named(" ", "\n", &head(" ")).replace('\n', "\r\n"),
        named(",", "", &head(",")).replace("\n-", "\n! a, \"pause\n%\n  / b\n-"),
        named(";", "%", &head(";")).replace("\n-", "\n// 1;2;3\n-"),
        named(" ", "", &head(" ")).replace("\n-", "\n! a pause\n-"),
        named(" ", "", &head(" ")).replace('\n', "\r"),
    ] {
        let cloud = good(&file, Format::Dat);
        assert_eq!(cloud.positions, points(), "{file}");
        assert_eq!(*attribute(&cloud, "rho"), scalars(&[7.0, 8.0, 9.0]), "{file}");
    }
    for file in [
        ROWS.to_owned(),
        format!("# 1 2 3 4\n% no head here at all\n{ROWS}"),
        ROWS.replace(' ', ";"),
    ] {
        let cloud = good(&file, Format::Dat);
        assert_eq!((cloud.positions, cloud.attributes.len()), (points(), 0), "{file}");
    }
    for (file, part) in [
        ("# only a comment\n".to_owned(), "no row of numbers"),
        (format!("a b c d\n{ROWS}"), "line 1: no position columns"),
        (format!("Particles at t 5 s\n{ROWS}"), "there are `Particles`, `at`"),
        (
            format!("x y z\n{ROWS}"),
            "line 2: wrong number of cells in this row: expected 3, found 4",
        ),
        (format!("{ROWS}1 2 3 wet\n1 2 wet 4\n"), "line 5: expected a coordinate, found `wet`"),
        ("0 0 1D0\n".to_owned(), "write exponents with `e`"),
    ] {
        assert_fault(file, Format::Dat, &[part]);
    }
    assert_fault(little_endian(&coordinates()), Format::Dat, &["this is not text"]);
}

/// A zone of Tecplot around rows.
fn tecplot(zone: &str, rows: &str) -> String {
    format!(
        "TITLE = \"by hand\"\nVARIABLES = \"X [m]\", \"Y [m]\"\n\"Z [m]\" \"rho\"\n{zone}\n{rows}"
    )
}

#[test]
fn points_of_tecplot_are_read_zone_by_zone() {
    for file in [
        tecplot("ZONE T=\"I=9 of all\", I=3, F=POINT", ROWS),
        tecplot(
            "zone t=\"a\"\n i = 3, j=1\n DATAPACKING=POINT\n DT=(SINGLE SINGLE SINGLE SINGLE)",
            ROWS,
        ),
        tecplot("ZONE N=3, E=1, F=FEPOINT, ET=TRIANGLE", &format!("{ROWS}1 2 3\n")),
        tecplot("AUXDATA i=\"9\"\nZONE", &ROWS.replace('\n', "\n# a remark\n")),
        tecplot("", &ROWS.replace(' ', ", ")),
        format!(
            "# by hand\nvariables = X Y Z rho\nZONE I=2\n{}",
            ROWS.replace("3 0", "ZONE I=1\n3 0")
        ),
    ] {
        let cloud = good(&file, Format::Dat);
        assert_eq!(cloud.positions, points(), "{file}");
        assert_eq!(*attribute(&cloud, "rho"), scalars(&[7.0, 8.0, 9.0]), "{file}");
    }
    let timed = tecplot("ZONE I=3, SOLUTIONTIME=0.25, STRANDID=1", ROWS);
    assert_eq!(good(&timed, Format::Dat).time, Some(0.25));
    let block = "DATAPACKING=POINT, a row for each point";
    for (file, parts) in [
        (
            tecplot("ZONE I=3, DATAPACKING=BLOCK", ROWS),
            ["line 4: a Tecplot zone in BLOCK packing", block],
        ),
        (tecplot("ZONE N=3, E=1, F=FEBLOCK", ROWS), ["line 4: ", block]),
        (tecplot("ZONE I=4", ROWS), ["line 4: ", "expected 4, found 3"]),
        (tecplot("ZONE I=3, J=2", ROWS), ["line 4: ", "expected 6, found 3"]),
        (
            tecplot("ZONE", "0 0 0\n"),
            ["line 5: a Tecplot zone without DATAPACKING", "has 3 numbers, and not 4"],
        ),
        (
            tecplot("ZONE F=POINT", "0 0 0\n"),
            ["line 5: ", "cells in this row: expected 4, found 3"],
        ),
        (
            format!("{timed}{}", timed.replace("0.25", "0.5")),
            ["line 11: ", "zones of several times"],
        ),
        ("ZONE I=1\n0 0 0\n".to_owned(), ["no line VARIABLES", "columns"]),
        ("VARIABLES = A B C\n0 0 0\n".to_owned(), ["line 1: no position columns", "`A`, `B`, `C`"]),
        ("#!TDV112\u{1}\0\0\0".to_owned(), ["this is not text", "a row of numbers"]),
    ] {
        assert_fault(file, Format::Dat, &parts);
    }
}

#[test]
fn no_row_of_tecplot_vanishes() {
    for (file, parts) in [
        (tecplot("ZONE F=POINT", "0 0 0 1\n***** 0 0 1\n"), ["line 6: ", "found `*****`"]),
        (tecplot("ZONE F=POINT", "***** 0 0 1\n0 0 0 1\n"), ["line 5: ", "found `*****`"]),
        (tecplot("ZONE", "-nan(ind) 0 0 1\n0 0 0 1\n"), ["line 5: ", "found `-nan(ind)`"]),
        (tecplot("ZONE", "0 0 0 1\nnan(ind) 0 0 1\n"), ["line 6: ", "found `nan(ind)`"]),
        (
            format!("{}VARIABLES = X Y Z T\nZONE\n0 0 0 1\n", tecplot("ZONE", ROWS)),
            ["line 8: ", "other VARIABLES than its first"],
        ),
    ] {
        assert_fault(file, Format::Dat, &parts);
    }
    let same = "VARIABLES = \"X [m]\" \"Y [m]\"\n\"Z [m]\", \"rho\"\nZONE\n";
    for (file, warning) in [
        (format!("VARIABLES = X Y Z rho\nTITLE = \"late\"\n{ROWS}"), "line 3 has no DATAPACKING"),
        (
            tecplot("ZONE", &ROWS.replace("3 0", &format!("{same}3 0"))),
            "line 4 has no DATAPACKING: read as POINT (one of 2 such zones)",
        ),
    ] {
        let cloud = good(&file, Format::Dat);
        assert_eq!(cloud.positions, points(), "{file}");
        assert!(cloud.warnings.len() == 1 && cloud.warnings[0].contains(warning), "{cloud:?}");
    }
    let told = tecplot("ZONE\nDT=(SINGLE SINGLE\nSINGLE SINGLE)\nDATAPACKING=\nPOINT", ROWS);
    let cloud = good(&told, Format::Dat);
    assert!(cloud.positions == points() && cloud.warnings.is_empty(), "{cloud:?}");
    // Numbers of a drawing are no rows.
    let drawn = tecplot("ZONE F=POINT", &format!("{ROWS}GEOMETRY X=0, T=LINE\n1\n2\n0 0\n"));
    assert_eq!(good(&drawn, Format::Dat).positions, points());
}

/// Each zone is searched once for its keys, not once for each row.
#[test]
fn memory_and_time_of_heads_are_in_proportion_to_the_file() {
    let zones = "ZONE I=1\n0 0 0 1\n".repeat(20_000);
    assert_eq!(good(tecplot("", &zones), Format::Dat).positions.len(), 20_000);
    let scans = "1\n0 0 0\n".repeat(20_000);
    assert_eq!(good(scans, Format::Pts).positions.len(), 20_000);
    let remarks = "# x y z\n".repeat(20_000);
    assert_eq!(good(format!("{remarks}0 0 0\n"), Format::Dat).positions.len(), 1);
}
