//! VTK's legacy format (`.vtk`), binary, for programs that read no other: by the crate vtkio.
//!
//! Source: *VTK File Formats* (Kitware), "Simple Legacy Formats". All arrays stand in one `FIELD`,
//! as readers skip further `SCALARS` unless they are told not to; normals are `NORMALS`. Names
//! are encoded as VTK does it: what is no letter, digit or plain sign is `%XX`. The time is a
//! field of the data set, `TIME`, which vtkio cannot write: it is put in afterwards.

use super::particle_arrays::{ParticleFrame, in_order};
use hashfall_core::{Attribute as Carried, Values, Vec3};
use hashfall_surface::SurfaceMesh;
use vtkio::model::{
    Attribute, ByteOrder, DataArray, DataSet, ElementType, FieldArray, IOBuffer, Piece,
    PolyDataPiece, Version, VertexNumbers, Vtk,
};

/// The line after which the data set's own fields stand.
const DATA_SET: &[u8] = b"DATASET POLYDATA\n";

/// The particles with the arrays of the `.vtp`, as one poly-vertex cell.
pub fn particles(frame: &ParticleFrame) -> Vec<u8> {
    let (positions, arrays) = in_order(frame);
    let count = positions.len() as u32;
    let vertices = std::iter::once(count).chain(0..count).collect();
    let verts = (count > 0).then_some(VertexNumbers::Legacy { num_cells: 1, vertices });
    let piece = PolyDataPiece { points: vectors(&positions), verts, ..Default::default() };
    encode("particles", piece, &[], &arrays, Some(frame.time))
}

/// The fluid's surface, with `Normals` and its attributes; at a time \[s\], if that is known.
pub fn surface(mesh: &SurfaceMesh, time: Option<f64>) -> Vec<u8> {
    let vertices = mesh.triangles.iter().flat_map(|&[a, b, c]| [3, a, b, c]).collect();
    let num_cells = mesh.triangles.len() as u32;
    let polys = (num_cells > 0).then_some(VertexNumbers::Legacy { num_cells, vertices });
    let piece = PolyDataPiece { points: vectors(&mesh.positions), polys, ..Default::default() };
    encode("surface", piece, &mesh.normals, &mesh.attributes, time)
}

/// The file's bytes.
fn encode(
    title: &str,
    mut piece: PolyDataPiece,
    normals: &[Vec3],
    arrays: &[Carried],
    time: Option<f64>,
) -> Vec<u8> {
    if !normals.is_empty() {
        let data = vectors(normals);
        let normals = DataArray { name: "Normals".to_owned(), elem: ElementType::Normals, data };
        piece.data.point.push(Attribute::DataArray(normals));
    }
    let data_array: Vec<FieldArray> = arrays.iter().map(field).collect();
    if !data_array.is_empty() {
        piece.data.point.push(Attribute::Field { name: "FieldData".to_owned(), data_array });
    }
    let file = Vtk {
        version: Version::new_legacy(3, 0),
        title: title.to_owned(),
        byte_order: ByteOrder::BigEndian,
        data: DataSet::PolyData { meta: None, pieces: vec![Piece::Inline(Box::new(piece))] },
        file_path: None,
    };
    let mut bytes = Vec::new();
    file.write_legacy(&mut bytes).expect("memory takes what is written, and data is one piece");
    if let Some(time) = time {
        put_time(&mut bytes, time);
    }
    bytes
}

/// Adds the data set's time.
fn put_time(bytes: &mut Vec<u8>, time: f64) {
    let start = bytes.windows(DATA_SET.len()).position(|window| window == DATA_SET);
    let at = start.map_or(0, |start| start + DATA_SET.len());
    let field = [b"FIELD FieldData 1\nTIME 1 1 double\n", &time.to_be_bytes()[..], b"\n"].concat();
    bytes.splice(at..at, field);
}

/// An array with its name.
fn field(attribute: &Carried) -> FieldArray {
    let (elem, data) = match &attribute.values {
        Values::Scalars(scalars) => (1, IOBuffer::from(scalars.to_vec())),
        Values::Vectors(all) => (3, vectors(all)),
        Values::Labels(labels) => (1, IOBuffer::from(labels.to_vec())),
        Values::Integers(integers) => (1, whole_numbers(integers)),
    };
    FieldArray { name: encoded(&attribute.name), elem, data }
}

/// Whole numbers in a type that holds them all.
fn whole_numbers(integers: &[i128]) -> IOBuffer {
    let signed: Result<Vec<i64>, _> = integers.iter().map(|&x| i64::try_from(x)).collect();
    signed.map_or_else(
        |_| IOBuffer::from(integers.iter().map(|&x| x as u64).collect::<Vec<_>>()),
        IOBuffer::from,
    )
}

fn vectors(vectors: &[Vec3]) -> IOBuffer {
    IOBuffer::from(vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect::<Vec<_>>())
}

/// A name as VTK writes it: quotes, per cent, and what is no visible ASCII are `%XX`.
fn encoded(name: &str) -> String {
    let byte = |b: u8| match b {
        b'"' | b'%' | 0..=b' ' | 127.. => format!("%{b:02X}"),
        _ => char::from(b).to_string(),
    };
    name.bytes().map(byte).collect()
}
