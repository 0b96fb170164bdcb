//! What is read of VTK's XML files as surfaces, and what is refused.

use super::{parse, read};

/// Corners and sides of a box of 0.4 m × 0.4 m × 0.3 m.
const POINTS: &str = "0 0 0 0.4 0 0 0.4 0.4 0 0 0.4 0 0 0 0.3 0.4 0 0.3 0.4 0.4 0.3 0 0.4 0.3";
const SIDES: [[u32; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

fn words<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    numbers.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(" ")
}

fn array(kind: &str, name: &str, numbers: &str) -> String {
    format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">{numbers}</DataArray>")
}

/// A group of cells with these corners.
fn group(name: &str, cells: &[&[u32]], more: &str) -> String {
    let corners = array("Int64", "connectivity", &words(cells.concat()));
    let ends = cells.iter().scan(0, |end, cell| {
        *end += cell.len();
        Some(*end)
    });
    let ends = array("Int64", "offsets", &words(ends));
    format!("<{name}>{corners}{ends}{more}</{name}>")
}

fn points() -> String {
    let points = "type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\"";
    format!("<Points><DataArray {points}>{POINTS}</DataArray></Points>")
}

fn file(kind: &str, pieces: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"{kind}\" version=\"1.0\" \
         header_type=\"UInt64\" byte_order=\"LittleEndian\">\n<{kind}>{pieces}</{kind}></VTKFile>\n"
    )
}

/// A `.vtp` of polygons.
fn polygons(cells: &[&[u32]]) -> String {
    let counts = format!("NumberOfPoints=\"8\" NumberOfPolys=\"{}\"", cells.len());
    let cells = group("Polys", cells, "");
    file("PolyData", &format!("<Piece {counts}>{}{cells}</Piece>", points()))
}

/// A `.vtu` of cells with these types.
fn grid(cells: &[(u8, &[u32])]) -> String {
    let types = array("UInt8", "types", &words(cells.iter().map(|cell| cell.0)));
    let corners: Vec<&[u32]> = cells.iter().map(|cell| cell.1).collect();
    let counts = format!("NumberOfPoints=\"8\" NumberOfCells=\"{}\"", cells.len());
    let cells = group("Cells", &corners, &types);
    file("UnstructuredGrid", &format!("<Piece {counts}>{}{cells}</Piece>", points()))
}

#[track_caller]
fn assert_is_the_box(bytes: &[u8]) {
    let mesh = parse(bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(mesh.triangles.len(), 12);
    assert!((mesh.signed_volume() - 0.048).abs() < 1e-8);
    assert_eq!(read(bytes).unwrap().format, "VTK XML");
}

#[test]
fn polygons_and_cells_are_read() {
    let sides = SIDES.each_ref().map(|side| &side[..]);
    assert_is_the_box(polygons(&sides).as_bytes());
    assert_is_the_box(grid(&sides.map(|side| (9, side))).as_bytes());
    assert_is_the_box(grid(&sides.map(|side| (7, side))).as_bytes());
    let halves: Vec<[u32; 3]> =
        SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mut cells: Vec<(u8, &[u32])> = halves.iter().map(|half| (5, &half[..])).collect();
    // A vertex and a line are left out.
    cells.extend([(1, &[0][..]), (3, &[0, 6][..])]);
    assert_is_the_box(grid(&cells).as_bytes());
}

#[test]
fn strips_and_pixels_are_read() {
    let counts = "NumberOfPoints=\"8\" NumberOfPolys=\"2\" NumberOfStrips=\"1\"";
    let ends = group("Polys", &[&SIDES[0][..], &SIDES[1][..]], "");
    let strip = group("Strips", &[&[0, 1, 4, 5, 7, 6, 3, 2][..]], "");
    // The strip goes over three sides; the other two are missing, so that the mesh is open.
    let piece = format!("<Piece {counts}>{}{ends}{strip}</Piece>", points());
    let mesh = read(file("PolyData", &piece).as_bytes()).unwrap();
    assert_eq!(mesh.mesh.triangles.len(), 10);
    let pixels = SIDES.map(|[a, b, c, d]| [a, b, d, c]);
    assert_is_the_box(grid(&pixels.each_ref().map(|it| (8, &it[..]))).as_bytes());
}

/// Each piece counts its points from 0.
#[test]
fn pieces_are_one_mesh_and_raw_data_is_read() {
    let piece = |sides: &[[u32; 4]]| {
        let cells: Vec<&[u32]> = sides.iter().map(|side| &side[..]).collect();
        let counts = format!("NumberOfPoints=\"8\" NumberOfPolys=\"{}\"", cells.len());
        format!("<Piece {counts}>{}{}</Piece>", points(), group("Polys", &cells, ""))
    };
    let pieces = piece(&SIDES[..2]) + &piece(&SIDES[2..]);
    assert_is_the_box(file("PolyData", &pieces).as_bytes());
    let mut data = Vec::new();
    let mut append = |bytes: Vec<u8>| {
        let offset = data.len();
        data.extend((bytes.len() as u64).to_le_bytes());
        data.extend(bytes);
        offset
    };
    let numbers = POINTS.split(' ').map(|word| word.parse::<f64>().unwrap());
    let places = append(numbers.flat_map(f64::to_le_bytes).collect());
    let corners = append(SIDES.concat().into_iter().flat_map(u32::to_le_bytes).collect());
    let ends = append((1..=6_i64).flat_map(|k| (4 * k).to_le_bytes()).collect());
    let head = format!(
        "<VTKFile type=\"PolyData\" version=\"1.0\" header_type=\"UInt64\">\n<PolyData>\
         <Piece NumberOfPoints=\"8\" NumberOfPolys=\"6\"><Points>\
         <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" \
         offset=\"{places}\"/></Points><Polys>\
         <DataArray type=\"UInt32\" Name=\"connectivity\" format=\"appended\" \
         offset=\"{corners}\"/>\
         <DataArray type=\"Int64\" Name=\"offsets\" format=\"appended\" offset=\"{ends}\"/>\
         </Polys></Piece></PolyData>\n<AppendedData encoding=\"raw\">_"
    );
    let raw = [head.as_bytes(), &data, b"</AppendedData></VTKFile>\n"].concat();
    assert_is_the_box(&raw);
    (0..raw.len()).for_each(|length| drop(read(&raw[..length])));
}

#[test]
fn what_is_no_surface_is_refused() {
    let sides = SIDES.each_ref().map(|side| &side[..]);
    let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
    let text = error(&grid(&[(12, &[0, 1, 2, 3, 4, 5, 6, 7])]));
    assert!(text.contains("a cell of type 12, which is neither a polygon nor a line"), "{text}");
    let text = error(&polygons(&sides).replace("0 3 2 1", "0 3 2 8"));
    assert!(text.contains("8 of 8"), "{text}");
    let text = error(&polygons(&sides).replace("4 8 12", "4 3 12"));
    assert!(text.contains("ascending `offsets`"), "{text}");
    assert!(error(&polygons(&[])).contains("no faces"));
    assert!(error(&polygons(&[&[0, 1]])).contains("corners"));
    let missing = polygons(&sides).replace("\"offsets\"", "\"ends\"");
    assert!(error(&missing).contains("`Polys` lacks `offsets`"));
}
