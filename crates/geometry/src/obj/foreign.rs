//! Files that are no OBJ, told by how they begin, so that an error can say what they are.

use thiserror::Error;

/// A kind of file.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Format {
    /// Nothing.
    #[error("an empty file")]
    Nothing,
    /// Text of two bytes a character.
    #[error("a UTF-16 text, not UTF-8")]
    Utf16,
    /// Stereolithography, text.
    #[error("an STL file (text)")]
    StlText,
    /// Stereolithography, binary.
    #[error("an STL file (binary)")]
    StlBinary,
    /// Stanford polygons.
    #[error("a PLY file")]
    Ply,
    /// glTF as JSON.
    #[error("a glTF file")]
    Gltf,
    /// glTF in one binary file.
    #[error("a binary glTF file (GLB)")]
    Glb,
    /// Autodesk's exchange format.
    #[error("an FBX file")]
    Fbx,
    /// What gzip packed.
    #[error("a gzip-compressed file")]
    Gzip,
    /// A ZIP archive that holds a 3D model.
    #[error("a 3MF file")]
    ThreeMf,
    /// Any other ZIP archive.
    #[error("a ZIP archive")]
    Zip,
    /// A scene of Blender.
    #[error("a Blender file")]
    Blender,
    /// Object File Format.
    #[error("an OFF file")]
    Off,
    /// Data of VTK.
    #[error("a VTK file")]
    Vtk,
    /// XML that is VTK's, COLLADA, AMF, X3D or alike.
    #[error("an XML file")]
    Xml,
    /// A CAD model.
    #[error("a STEP file")]
    Step,
    /// Universal Scene Description.
    #[error("a USD file")]
    Usd,
    /// Data of OpenFOAM.
    #[error("an OpenFOAM dictionary")]
    OpenFoam,
    /// Bytes that no text has.
    #[error("a binary file of an unknown kind")]
    Binary,
}

/// How files begin that a few bytes tell.
const BEGINNINGS: [(&[u8], Format); 15] = [
    (b"\xff\xfe", Format::Utf16),
    (b"\xfe\xff", Format::Utf16),
    (b"\x1f\x8b", Format::Gzip),
    (b"ply\n", Format::Ply),
    (b"ply\r", Format::Ply),
    (b"glTF", Format::Glb),
    (b"Kaydara FBX Binary", Format::Fbx),
    (b"; FBX", Format::Fbx),
    (b"BLENDER", Format::Blender),
    (b"OFF", Format::Off),
    (b"# vtk DataFile", Format::Vtk),
    (b"<", Format::Xml),
    (b"ISO-10303-21", Format::Step),
    (b"#usda", Format::Usd),
    (b"PXR-USDC", Format::Usd),
];
/// Keys of glTF, which by the alphabet are among the first.
const GLTF: [&[u8]; 2] = [b"\"asset\"", b"\"accessors\""];
/// Bytes in which a text would have no zero, a text of STL a facet, and glTF a key of its own.
const BEGINNING: usize = 4096;
/// Bytes before the triangles of a binary STL, the last four their number, and of each triangle.
const STL: (usize, usize) = (84, 50);

/// What a file is, if it is no OBJ.
pub(super) fn format_of(bytes: &[u8]) -> Option<Format> {
    if is_stl_binary(bytes) {
        return Some(Format::StlBinary);
    }
    let told = BEGINNINGS.iter().find(|(beginning, _)| bytes.starts_with(beginning));
    if let Some((_, format)) = told {
        return Some(*format);
    }
    let head = &bytes[..bytes.len().min(BEGINNING)];
    let contains = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
    let text = head.trim_ascii_start();
    if bytes.trim_ascii().is_empty() {
        Some(Format::Nothing)
    } else if head.starts_with(b"PK\x03\x04") {
        let is_model = contains(b"3D/") || contains(b"[Content_Types].xml");
        Some(if is_model { Format::ThreeMf } else { Format::Zip })
    } else if text.starts_with(b"solid") && contains(b"facet") {
        Some(Format::StlText)
    } else if text.starts_with(b"{") && GLTF.iter().any(|key| contains(key)) {
        Some(Format::Gltf)
    } else if contains(b"\nFoamFile") {
        Some(Format::OpenFoam)
    } else if contains(b"\0") {
        Some(if is_wide(head) { Format::Utf16 } else { Format::Binary })
    } else {
        None
    }
}

fn is_stl_binary(bytes: &[u8]) -> bool {
    let (header, triangle) = STL;
    let count = bytes.get(header - 4..header).and_then(|count| count.try_into().ok());
    let count = count.map(u32::from_le_bytes);
    count.is_some_and(|count| {
        bytes.len() as u64 == header as u64 + triangle as u64 * u64::from(count)
    })
}

/// Whether every other byte is 0, as in the UTF-16 of plain letters without a byte order mark.
fn is_wide(head: &[u8]) -> bool {
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let half = head.len() / 2;
    let (even, odd) = (zeros(0), zeros(1));
    even.max(odd) * 10 >= half * 9 && even.min(odd) * 10 <= half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_told_by_their_beginning() {
        let mut stl = vec![b' '; 80];
        stl.extend(2_u32.to_le_bytes());
        stl.extend([0; 100]);
        let wide = |order: fn(u16) -> [u8; 2], mark: bool| -> Vec<u8> {
            let text = "v 0 0 0\nv 1 0 0\n".encode_utf16();
            mark.then_some(0xfeff).into_iter().chain(text).flat_map(order).collect()
        };
        let cases: [(&[u8], Format); 18] = [
            (b"", Format::Nothing),
            (b" \n\r\n", Format::Nothing),
            (&stl, Format::StlBinary),
            (b"solid box\nfacet normal 0 0 1\nouter loop\n", Format::StlText),
            (&wide(u16::to_le_bytes, true), Format::Utf16),
            (&wide(u16::to_be_bytes, true), Format::Utf16),
            (&wide(u16::to_le_bytes, false), Format::Utf16),
            (&wide(u16::to_be_bytes, false), Format::Utf16),
            (b"ply\nformat ascii 1.0\n", Format::Ply),
            (b"{ \"asset\": { \"version\": \"2.0\" } }", Format::Gltf),
            (b"{\n\"accessors\": [{ \"count\": 3 }]}", Format::Gltf),
            (b"glTF\x02\0\0\0", Format::Glb),
            (b"Kaydara FBX Binary  \0", Format::Fbx),
            (b"\x1f\x8b\x08\0", Format::Gzip),
            (b"PK\x03\x04\x14\0\0\0[Content_Types].xml", Format::ThreeMf),
            (b"PK\x03\x04\x14\0\0\0part.obj", Format::Zip),
            (b"<?xml version=\"1.0\"?>\n<VTKFile>", Format::Xml),
            (b"\x01\x02\0\0\x03\x04\0\x05\x06\x07", Format::Binary),
        ];
        for (bytes, format) in cases {
            assert_eq!(format_of(bytes), Some(format), "{:?}", String::from_utf8_lossy(bytes));
        }
        for text in [
            "v 0 0 0\n",
            "# solid, and no facet\no solid\n",
            "solid\nv 0 0 0\n",
            "g {\n",
            "{ \"vertices\": [0, 0, 0] }\n",
        ] {
            assert_eq!(format_of(text.as_bytes()), None, "{text}");
        }
    }
}
