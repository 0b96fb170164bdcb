//! Particle files of other programs in `sim surface`.

use super::case;
use crate::support::Place;
use Outcome::{Closed, Refused, Warned};
use hashfall_core::{Attribute, Values};
use hashfall_input::{self as input, AttributeFilter, Format};
use std::collections::BTreeSet;

/// What is right for a file.
#[derive(Clone, Copy)]
enum Outcome {
    /// A closed mesh of so many particles, and nothing on stderr.
    Closed(usize),
    /// The same, and a warning.
    Warned(usize, &'static str),
    /// An error with the file's name and these parts.
    Refused(&'static [&'static str]),
}

type Row = (&'static str, Outcome);

/// Coordinates alone.
const XYZ: &[Row] = &[
    ("xyz_bom.xyz", Closed(240)),
    ("xyz_bom_length_12n.xyz", Closed(240)),
    ("xyz_commas.xyz", Refused(&["line 1: ", "`0.0200,`", "decimal point"])),
    ("xyz_count_and_element.xyz", Refused(&["line 1: ", "expected 3, found 1"])),
    ("xyz_count_line.xyz", Refused(&["line 1: ", "expected 3, found 1"])),
    ("xyz_degree_sign_comment.xyz", Closed(240)),
    ("xyz_degree_sign_odd_length.xyz", Closed(240)),
    ("xyz_header_row.xyz", Refused(&["line 1: ", "expected a coordinate, found `x`"])),
    ("xyz_no_final_newline.xyz", Warned(240, "the file has no final newline")),
    ("xyz_plain.xyz", Closed(240)),
    (
        "xyz_raw_double.xyz",
        Refused(&["plausible as little-endian `f64`", "write them as little-endian `f32`"]),
    ),
    ("xyz_raw_float_big_endian.xyz", Refused(&["plausible as big-endian `f32`"])),
    ("xyz_unicode_minus_12n.xyz", Refused(&["line 1: ", "minus sign"])),
    ("xyz_velocity_columns.xyz", Closed(240)),
];

/// Polygon files.
const PLY: &[Row] = &[
    ("ply_big_endian.ply", Closed(240)),
    ("ply_crlf_binary.ply", Closed(240)),
    ("ply_data_starts_with_newline_byte.ply", Closed(240)),
    ("ply_double_map_coordinates.ply", Refused(&["too far from the origin", "radius"])),
    ("ply_double_offset_20000m.ply", Closed(240)),
    ("ply_double_offset_5000m.ply", Closed(240)),
    ("ply_double_offset_500m.ply", Closed(240)),
    ("ply_double_precision.ply", Closed(240)),
    ("ply_faces_first_uint_counts.ply", Closed(240)),
    ("ply_huge_count.ply", Refused(&["unexpected end of file", "1199999999999988 bytes"])),
    ("ply_int64_ids.ply", Closed(240)),
    ("ply_latin1_comment.ply", Closed(240)),
    ("ply_list_in_vertex.ply", Warned(240, "skipping attribute `neighbours`: it is a list")),
    ("ply_nan_row.ply", Refused(&["line 108: ", "coordinate x of particle 100"])),
    ("ply_no_final_newline.ply", Warned(240, "the file has no final newline")),
    ("ply_trailing_bytes.ply", Closed(240)),
    ("ply_truncated.ply", Refused(&["byte 117: ", "unexpected end of file"])),
    ("ply_uppercase_xyz.ply", Refused(&["no property `x`", "`X`, `Y`, `Z`"])),
    ("ply_velocity_uvw.ply", Closed(240)),
    ("ply_zero_vertices.ply", Closed(0)),
];

/// VTK's legacy files.
const LEGACY: &[Row] = &[
    ("vtk_ascii_comment_line.vtk", Refused(&["line 5: ", "found `#`"])),
    ("vtk_ascii_crlf.vtk", Closed(240)),
    ("vtk_ascii_loose_layout.vtk", Closed(240)),
    ("vtk_attribute_names_odd.vtk", Closed(240)),
    ("vtk_binary_crlf_heads.vtk", Closed(240)),
    ("vtk_binary_data_looks_like_space.vtk", Closed(240)),
    (
        "vtk_binary_little_endian.vtk",
        Refused(&["byte 87: ", "plausible as little-endian", "write them as big-endian"]),
    ),
    ("vtk_binary_no_newlines_between.vtk", Closed(240)),
    ("vtk_by_vtk_v42_ascii.vtk", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtk_by_vtk_v42_binary.vtk", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtk_by_vtk_v51_ascii.vtk", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtk_by_vtk_v51_binary.vtk", Warned(240, "skipping attribute `material`: it holds text")),
    (
        "vtk_cell_data_attributes.vtk",
        Warned(240, "skipping attribute `density`: it belongs to cells"),
    ),
    ("vtk_points_repeated.vtk", Closed(240)),
    ("vtk_scalars_no_lookup.vtk", Closed(240)),
    ("vtk_structured_points.vtk", Refused(&["line 4: ", "found `STRUCTURED_POINTS`"])),
    ("vtk_two_frames_in_one.vtk", Refused(&["line 970: ", "found `#`"])),
    ("vtk_unpaired_nan_attribute.vtk", Refused(&["line 981: ", "`-1.#IND`"])),
];

/// VTK's XML files.
const XML: &[Row] = &[
    ("frame_raw_appended.vtp", Closed(973)),
    ("frame_raw_appended_padded.vtp", Closed(973)),
    ("vtp_ascii_dtd_entity.vtp", Refused(&["line 1: ", "DTD"])),
    ("vtp_ascii_uppercase_format.vtp", Refused(&["line 3: ", "expected `ascii`"])),
    ("vtp_base64_header_apart.vtp", Closed(240)),
    ("vtp_base64_uint64.vtp", Closed(240)),
    ("vtp_big_endian_raw.vtp", Closed(240)),
    ("vtp_bit_array.vtp", Closed(240)),
    ("vtp_by_vtk_lz4_appended.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtp_by_vtk_lz4_appendedraw.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtp_by_vtk_lz4_binary.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtp_by_vtk_lzma_appended.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    (
        "vtp_by_vtk_lzma_appendedraw.vtp",
        Warned(240, "skipping attribute `material`: it holds text"),
    ),
    ("vtp_by_vtk_lzma_binary.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtp_by_vtk_none_appended.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    (
        "vtp_by_vtk_none_appendedraw.vtp",
        Warned(240, "skipping attribute `material`: it holds text"),
    ),
    ("vtp_by_vtk_none_ascii.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtp_by_vtk_none_binary.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtp_by_vtk_zlib_appended.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    (
        "vtp_by_vtk_zlib_appendedraw.vtp",
        Warned(240, "skipping attribute `material`: it holds text"),
    ),
    ("vtp_by_vtk_zlib_binary.vtp", Warned(240, "skipping attribute `material`: it holds text")),
    ("vtp_ids_above_2_24_signed.vtp", Closed(240)),
    ("vtp_ids_beyond_32_bits.vtp", Closed(240)),
    ("vtp_latin1_name.vtp", Closed(240)),
    ("vtp_no_header_type.vtp", Closed(240)),
    (
        "vtp_pieces_arrays_differ.vtp",
        Warned(240, "skipping attribute `extra`: a piece of the file lacks it"),
    ),
    (
        "vtp_pieces_second_lacks.vtp",
        Warned(240, "skipping attribute `density`: a piece of the file lacks it"),
    ),
    ("vtp_twod_points.vtp", Refused(&["line 3: ", "expected 3, found 2"])),
    ("vtp_utf16.vtp", Refused(&["UTF-16", "UTF-8"])),
    ("vtp_velocity_units_name.vtp", Closed(240)),
    ("vtp_zlib_last_block_full.vtp", Closed(240)),
    ("vtp_zlib_whole_blocks.vtp", Closed(240)),
    ("vtu_no_cells.vtu", Closed(240)),
    ("vtu_tetrahedra.vtu", Closed(240)),
];

/// Houdini's classic geometry, and files of other formats.
const OTHER: &[Row] = &[
    ("bgeo_classic.bgeo", Closed(240)),
    ("csv_header.csv", Closed(240)),
    ("csv_idp_becomes_mean.csv", Closed(240)),
    ("csv_semicolon_comma.csv", Closed(240)),
    ("csv_xcoord.csv", Closed(240)),
    ("gz_named_xyz.xyz", Refused(&["gzip", "unpack it first"])),
    ("gz_ply.ply.gz", Refused(&["compressed", "decompress it first"])),
    (
        "json_particles.json",
        Refused(&[" is unknown; use ", ".bgeo, .csv, .tsv, .dat, .pts and .xyz"]),
    ),
    ("npy_particles.npy", Refused(&[" is unknown; use ", ".vtk, .vtp"])),
    ("pvtu_index.pvtu", Closed(240)),
    ("vti_image.vti", Refused(&[" is unknown; use ", ".vtk, .vtp"])),
];

/// Those with a test of their own: particles in two files, and what names these.
const PARTS: [&str; 2] = ["pvd_two_parts.pvd", "vtm_two"];

/// The cases of this module.
pub fn names() -> Vec<String> {
    let rows = [XYZ, PLY, LEGACY, XML, OTHER].concat();
    let rows = rows.iter().map(|(name, _)| *name);
    rows.chain(PARTS).map(|name| format!("files/{name}")).collect()
}

/// Makes a mesh of each file and compares what the program says.
fn check(rows: &[Row]) {
    let place = Place::new();
    for (name, outcome) in rows {
        let path = case(&format!("files/{name}"));
        let path = path.to_str().unwrap();
        let mut args = vec!["surface", path, "-r", "0.02", "--check", "--overwrite", "-o", "x.vtp"];
        // Nobody asks for the array of bits.
        if *name != "vtp_bit_array.vtp" {
            args.extend(["-a", "all"]);
        }
        let ended = place.sim(args);
        match outcome {
            Refused(parts) => {
                ended.assert_refused(&[&[*name], *parts].concat());
                continue;
            }
            Closed(_) => assert!(ended.stderr.is_empty(), "{name}: {ended:?}"),
            Warned(_, part) => {
                let warning = ended.stderr.strip_prefix("warning: ").unwrap_or_default();
                assert!(warning.contains(name) && warning.contains(part), "{name}: {ended:?}");
                assert_eq!(ended.stderr.lines().count(), 1, "{name}: {ended:?}");
            }
        }
        let (Closed(count) | Warned(count, _)) = outcome else { continue };
        assert_eq!(ended.code, Some(0), "{name}: {ended:?}");
        let line = format!("x.vtp: {count} particles, ");
        assert!(ended.stdout.starts_with(&line), "{name}: {ended:?}");
        assert!(ended.stdout.contains(", closed, "), "{name}: {ended:?}");
    }
}

#[test]
fn coordinates_alone() {
    check(XYZ);
}

#[test]
fn polygon_files() {
    check(PLY);
}

#[test]
fn legacy_files() {
    check(LEGACY);
}

#[test]
fn xml_files() {
    check(XML);
}

#[test]
fn other_formats() {
    check(OTHER);
}

/// Two halves of a block are one set of particles without a wall between, whatever names them.
#[test]
fn parts_of_one_time_are_one_set() {
    let place = Place::new();
    let folder = case("files");
    let part = |n: usize| folder.join(format!("vtm_two/vtm_two_{n}.vtp")).display().to_string();
    let (first, second) = (part(0), part(1));
    place.write(
        "two.vtm",
        format!(
            "<VTKFile type=\"vtkMultiBlockDataSet\"><vtkMultiBlockDataSet>\
             <Block index=\"0\"><DataSet index=\"0\" file=\"{first}\"/>\
             <DataSet index=\"1\" file=\"{second}\"/></Block></vtkMultiBlockDataSet></VTKFile>"
        ),
    );
    place.write(
        "two.pvtp",
        format!(
            "<VTKFile type=\"PPolyData\"><PPolyData><Piece Source=\"{first}\"/>\
             <Piece Source=\"{second}\"/></PPolyData></VTKFile>"
        ),
    );
    place.write("nested.pvd", "<VTKFile><DataSet timestep=\"0.5\" file=\"two.vtm\"/></VTKFile>");
    let pvd = folder.join("pvd_two_parts.pvd").display().to_string();
    for index in [&pvd[..], "two.vtm", "two.pvtp", "nested.pvd"] {
        let args = ["surface", index, "-r", "0.02", "--check", "--overwrite", "-o", "x.vtp"];
        let ended = place.sim(args);
        ended.assert_done();
        assert!(ended.stderr.is_empty(), "{index}: {ended:?}");
        assert!(ended.stdout.contains("6416 triangles, 0.0149 m³"), "{index}: {ended:?}");
        assert!(ended.stdout.contains(", closed, "), "{index}: {ended:?}");
    }
    place.write("loop.vtm", "<VTKFile><DataSet file=\"loop.vtm\"/></VTKFile>");
    let ended = place.sim(["surface", "loop.vtm", "-r", "0.02", "-o", "y.vtp"]);
    ended.assert_refused(&["loop.vtm", "more than 8 deep"]);
}

/// Ids that a mean of two particles' would not be, and that `f32` or `i32` would not hold.
#[test]
fn ids_of_vertices_are_ids_of_particles() {
    let place = Place::new();
    for name in ["vtp_ids_above_2_24_signed.vtp", "vtp_ids_beyond_32_bits.vtp"] {
        let path = case(&format!("files/{name}"));
        let of_particles: BTreeSet<i128> = ids(&std::fs::read(&path).unwrap(), Format::VtkXml);
        assert_eq!(of_particles.len(), 240);
        for (mesh, format) in [("ids.vtp", Format::VtkXml), ("ids.ply", Format::Ply)] {
            let path = path.to_str().unwrap();
            let args = ["surface", path, "-r", "0.02", "-a", "id", "--overwrite", "-o", mesh];
            place.sim(args).assert_done();
            let of_vertices = ids(&std::fs::read(place.path(mesh)).unwrap(), format);
            assert!(of_vertices.len() > 100, "{name}: {of_vertices:?}");
            assert!(of_vertices.is_subset(&of_particles), "{name}: {of_vertices:?}");
        }
    }
}

/// The values of `id` in a file. Those of a PLY that need more than 32 bits stand as `double`.
fn ids(bytes: &[u8], format: Format) -> BTreeSet<i128> {
    if format == Format::Ply && bytes.windows(18).any(|part| part == b"property double id") {
        return double_ids(bytes);
    }
    let named = AttributeFilter::Named(vec!["id".to_owned()]);
    let cloud = input::read(bytes, format, &named).unwrap();
    match cloud.attributes.as_slice() {
        [Attribute { values: Values::Labels(ids), .. }] => {
            ids.iter().map(|&id| id.into()).collect()
        }
        [Attribute { values: Values::Integers(ids), .. }] => ids.iter().copied().collect(),
        other => panic!("{other:?}"),
    }
}

/// The ids of a mesh whose vertices are place, normal and id.
fn double_ids(bytes: &[u8]) -> BTreeSet<i128> {
    let end = b"end_header\n";
    let start = bytes.windows(end.len()).position(|part| part == end).unwrap() + end.len();
    let head = String::from_utf8_lossy(&bytes[..start]).into_owned();
    let count = head.lines().find_map(|line| line.strip_prefix("element vertex ")).unwrap();
    let rows = bytes[start..].chunks_exact(6 * 4 + 8).take(count.parse().unwrap());
    let id = |row: &[u8]| f64::from_le_bytes(row[24..].try_into().unwrap());
    rows.map(id).inspect(|id| assert_eq!(id.fract(), 0.0)).map(|id| id as i128).collect()
}

/// Attributes with the names of the mesh's own columns are in the mesh under others.
#[test]
fn attributes_named_as_columns_of_the_mesh_are_kept_and_told() {
    let place = Place::new();
    let mut rows = "px,py,pz,nx,T,Normals\n".to_owned();
    for i in 0..8 {
        let [x, y, z] = [i & 1, i >> 1 & 1, i >> 2].map(|k| 0.04 * f64::from(k));
        rows += &format!("{x},{y},{z},{i}.5,2.5,3.5\n");
    }
    place.write("a.csv", &rows);
    for (mesh, attribute) in [("a.ply", "all"), ("a.vtp", "all"), ("b.vtp", "nx")] {
        let ended = place.sim(["surface", "a.csv", "-r", "0.02", "-o", mesh, "-a", attribute]);
        ended.assert_done();
        let told = "attribute `nx` is `particle_nx` in the mesh, where `nx` is taken";
        assert!(ended.stderr.contains(told), "{mesh}: {}", ended.stderr);
        let bytes = std::fs::read(place.path(mesh)).unwrap();
        let has = |name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(has("particle_nx"), "{mesh}");
        assert_eq!(has("particle_Normals"), attribute == "all", "{mesh}");
    }
}

/// A named attribute that cannot be read is an error; one nobody named is no word.
#[test]
fn what_is_left_out_is_told_to_whom_it_concerns() {
    let place = Place::new();
    let path = case("files/vtk_cell_data_attributes.vtk");
    let args = |more: &[&'static str]| {
        let all = ["surface", path.to_str().unwrap(), "-r", "0.02", "--overwrite", "-o", "x.vtp"];
        all.iter()
            .map(|arg| (*arg).to_owned())
            .chain(more.iter().map(|&arg| arg.to_owned()))
            .collect::<Vec<String>>()
    };
    let reason = "attribute `density` cannot be read: it belongs to cells, not to points";
    place.sim(args(&["-a", "density"])).assert_refused(&[reason]);
    let ended = place.sim(args(&[]));
    ended.assert_done();
    assert!(ended.stderr.is_empty(), "{ended:?}");
    // A PLY holds 2^53 + 1 in no type, and says so.
    place.write(
        "wide.ply",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
         property float z\nproperty int64 id\nend_header\n0 0 0 9007199254740993\n",
    );
    let to = |mesh, attribute| {
        place.sim(["surface", "wide.ply", "-r", "0.02", "-o", mesh, "-a", attribute])
    };
    to("a.ply", "id").assert_refused(&["`id` cannot be read: PLY has no integers above 2^53"]);
    assert!(to("b.ply", "all").assert_done().stderr.contains("skipping attribute `id`: PLY"));
    to("c.vtp", "id").assert_done();
    let ids = ids(&std::fs::read(place.path("c.vtp")).unwrap(), Format::VtkXml);
    assert_eq!(ids, BTreeSet::from([9_007_199_254_740_993]));
}
