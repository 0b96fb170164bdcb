//! The kind of a file by its content, whatever its name says, so that a reader that finds another
//! format than its own can name it.
//!
//! Most kinds begin with a signature of a few bytes. Text formats without one are recognised by
//! words near their beginning, a binary STL by its length.

use std::fmt;

/// A kind of file; its text completes "this is …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// No bytes, or white space alone.
    Empty,
    /// Text of two bytes a character.
    Utf16,
    /// Stereolithography, text.
    StlText,
    /// Stereolithography, binary.
    StlBinary,
    /// Stanford polygons.
    Ply,
    /// glTF as JSON.
    Gltf,
    /// glTF in one binary file.
    Glb,
    /// Autodesk's exchange format.
    Fbx,
    /// Data compressed by gzip.
    Gzip,
    /// Data compressed by bzip2.
    Bzip2,
    /// Data compressed by Zstandard.
    Zstandard,
    /// Data compressed by xz.
    Xz,
    /// Data compressed by LZ4.
    Lz4,
    /// A 7z archive.
    SevenZip,
    /// A ZIP archive that holds a 3D model.
    ThreeMf,
    /// Any other ZIP archive.
    Zip,
    /// Hierarchical data.
    Hdf5,
    /// An array of NumPy.
    Npy,
    /// Geometry of Houdini since version 12.
    HoudiniJson,
    /// A picture.
    Png,
    /// A document.
    Pdf,
    /// A scene of Blender.
    Blender,
    /// Object File Format.
    Off,
    /// A mesh of Gmsh.
    Gmsh,
    /// Data of VTK, legacy format.
    Vtk,
    /// Data of VTK in XML.
    VtkXml,
    /// Other XML: COLLADA, AMF, X3D or alike.
    Xml,
    /// A CAD model.
    Step,
    /// Universal Scene Description.
    Usd,
    /// Alembic, in the Ogawa layout.
    Alembic,
    /// Data of OpenFOAM.
    OpenFoam,
    /// Bytes that no text has.
    Binary,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Signatures at the beginning of files.
const SIGNATURES: [(&[u8], FileKind); 27] = [
    (b"\xff\xfe", FileKind::Utf16),
    (b"\xfe\xff", FileKind::Utf16),
    (b"\x1f\x8b\x08", FileKind::Gzip),
    (b"\x28\xb5\x2f\xfd", FileKind::Zstandard),
    (b"\xfd7zXZ\0", FileKind::Xz),
    (b"7z\xbc\xaf\x27\x1c", FileKind::SevenZip),
    (b"\x04\x22\x4d\x18", FileKind::Lz4),
    (b"PK\x03\x04", FileKind::Zip),
    (b"\x89HDF\r\n\x1a\n", FileKind::Hdf5),
    (b"\x93NUMPY", FileKind::Npy),
    (b"\x7fNSJb", FileKind::HoudiniJson),
    (b"\x89PNG\r\n\x1a\n", FileKind::Png),
    (b"%PDF-", FileKind::Pdf),
    (b"ply\n", FileKind::Ply),
    (b"ply\r", FileKind::Ply),
    (b"glTF", FileKind::Glb),
    (b"Kaydara FBX Binary", FileKind::Fbx),
    (b"; FBX", FileKind::Fbx),
    (b"BLENDER", FileKind::Blender),
    (b"OFF", FileKind::Off),
    (b"$MeshFormat", FileKind::Gmsh),
    (b"# vtk DataFile", FileKind::Vtk),
    (b"<", FileKind::Xml),
    (b"ISO-10303-21", FileKind::Step),
    (b"#usda", FileKind::Usd),
    (b"PXR-USDC", FileKind::Usd),
    (b"Ogawa\xff", FileKind::Alembic),
];
/// Bytes of bzip2 data that do not vary: `BZh`, a digit, and these.
const BZIP2_BLOCK: &[u8] = b"1AY&SY";
/// Keys of glTF; in alphabetical order one of them comes first.
const GLTF_KEYS: [&[u8]; 2] = [b"\"asset\"", b"\"accessors\""];
/// Length of the part that is searched for zeros (binary), `facet` (STL) and keys (glTF) \[bytes\].
const HEAD: usize = 4096;
/// The byte order mark of UTF-8.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
/// Bytes of a binary STL before its triangles, the last four of which are their count.
const STL_HEADER: usize = 84;
/// Bytes of a triangle in a binary STL.
const STL_TRIANGLE: usize = 50;

impl FileKind {
    /// What it is, with its article.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Empty => "an empty file",
            FileKind::Utf16 => "a UTF-16 text, not UTF-8",
            FileKind::StlText => "an STL file (text)",
            FileKind::StlBinary => "an STL file (binary)",
            FileKind::Ply => "a PLY file",
            FileKind::Gltf => "a glTF file",
            FileKind::Glb => "a binary glTF file (GLB)",
            FileKind::Fbx => "an FBX file",
            FileKind::Gzip => "a gzip-compressed file",
            FileKind::Bzip2 => "a bzip2-compressed file",
            FileKind::Zstandard => "a Zstandard-compressed file",
            FileKind::Xz => "an xz-compressed file",
            FileKind::Lz4 => "an LZ4-compressed file",
            FileKind::SevenZip => "a 7z archive",
            FileKind::ThreeMf => "a 3MF file",
            FileKind::Zip => "a ZIP archive",
            FileKind::Hdf5 => "an HDF5 file",
            FileKind::Npy => "a NumPy file",
            FileKind::HoudiniJson => "geometry of Houdini 12 or later, in binary JSON",
            FileKind::Png => "a PNG image",
            FileKind::Pdf => "a PDF document",
            FileKind::Blender => "a Blender file",
            FileKind::Off => "an OFF file",
            FileKind::Gmsh => "a mesh of Gmsh",
            FileKind::Vtk => "a VTK file",
            FileKind::VtkXml => "an XML file of VTK",
            FileKind::Xml => "an XML file",
            FileKind::Step => "a STEP file",
            FileKind::Usd => "a USD file",
            FileKind::Alembic => "an Alembic file",
            FileKind::OpenFoam => "an OpenFOAM dictionary",
            FileKind::Binary => "a binary file of an unknown kind",
        }
    }

    /// The kind of a file by its signature alone, if it has one.
    pub fn from_signature(bytes: &[u8]) -> Option<FileKind> {
        if bytes.starts_with(b"BZh") && bytes.get(4..).is_some_and(|b| b.starts_with(BZIP2_BLOCK)) {
            return Some(FileKind::Bzip2);
        }
        let known = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature));
        let kind = known.map(|&(_, kind)| kind);
        let head = &bytes[..bytes.len().min(HEAD)];
        let has_model = || contains(head, b"3D/") || contains(head, b"[Content_Types].xml");
        if kind == Some(FileKind::Zip) && has_model() { Some(FileKind::ThreeMf) } else { kind }
    }

    /// The kind of a file that is not plain text without a known structure.
    pub fn from_content(bytes: &[u8]) -> Option<FileKind> {
        if is_stl_binary(bytes) {
            return Some(FileKind::StlBinary);
        }
        let head = &bytes[..bytes.len().min(HEAD)];
        if let Some(kind) = FileKind::from_signature(bytes) {
            let is_vtk = kind == FileKind::Xml && contains(head, b"<VTKFile");
            return Some(if is_vtk { FileKind::VtkXml } else { kind });
        }
        let text = head.strip_prefix(UTF8_MARK).unwrap_or(head).trim_ascii_start();
        if bytes.trim_ascii().is_empty() {
            Some(FileKind::Empty)
        } else if is_damaged_stl(bytes) {
            Some(FileKind::StlBinary)
        } else if is_stl_text(text) {
            Some(FileKind::StlText)
        } else if text.starts_with(b"{") && GLTF_KEYS.iter().any(|key| contains(head, key)) {
            Some(FileKind::Gltf)
        } else if contains(head, b"\nFoamFile") {
            Some(FileKind::OpenFoam)
        } else if contains(head, b"\0") {
            Some(if has_alternating_zeros(head) { FileKind::Utf16 } else { FileKind::Binary })
        } else {
            None
        }
    }

    /// Whether the file holds compressed data, which another program can unpack.
    pub fn is_compressed(self) -> bool {
        use FileKind::{Bzip2, Gzip, Lz4, SevenZip, ThreeMf, Xz, Zip, Zstandard};
        matches!(self, Bzip2 | Gzip | Lz4 | SevenZip | ThreeMf | Xz | Zip | Zstandard)
    }
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|part| part == word)
}

fn is_stl_binary(bytes: &[u8]) -> bool {
    let count = bytes.get(STL_HEADER - 4..STL_HEADER).and_then(|count| count.try_into().ok());
    count.map(u32::from_le_bytes).is_some_and(|count| {
        bytes.len() as u64 == STL_HEADER as u64 + STL_TRIANGLE as u64 * u64::from(count)
    })
}

/// Whether text begins with `solid` and has a `facet`, in whatever case.
fn is_stl_text(text: &[u8]) -> bool {
    let is = |part: &[u8], word: &[u8]| part.eq_ignore_ascii_case(word);
    text.get(..5).is_some_and(|start| is(start, b"solid"))
        && text.windows(5).any(|part| is(part, b"facet"))
        && !text.contains(&0)
}

/// Whether a file that is no text has a count and a facet where a binary STL has them, although its
/// length does not fit: a normal as long as 1 or 0, and three corners.
fn is_damaged_stl(bytes: &[u8]) -> bool {
    let Some(facet) = bytes.get(STL_HEADER..STL_HEADER + STL_TRIANGLE) else { return false };
    let numbers = facet.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
    let numbers: Vec<f32> = numbers.take(12).collect();
    let length: f32 = numbers[..3].iter().map(|n| n * n).sum();
    let is_usual = |x: &f32| *x == 0.0 || (1e-9..1e9).contains(&x.abs());
    let is_unset = bytes[STL_HEADER - 4..STL_HEADER] == [0xff; 4];
    (bytes[..STL_HEADER].contains(&0) || is_unset)
        && (length == 0.0 || (0.9..1.1).contains(&length))
        && numbers[3..].iter().all(is_usual)
        && numbers[3..].iter().any(|x| *x != 0.0)
}

/// Whether every other byte is 0, as in the UTF-16 of plain letters without a byte order mark.
fn has_alternating_zeros(head: &[u8]) -> bool {
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let half = head.len() / 2;
    let (even, odd) = (zeros(0), zeros(1));
    even.max(odd) * 10 >= half * 9 && even.min(odd) * 10 <= half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_recognised_by_content() {
        let mut stl = vec![b' '; 80];
        stl.extend(2_u32.to_le_bytes());
        stl.extend([0; 100]);
        let wide = |order: fn(u16) -> [u8; 2], mark: bool| -> Vec<u8> {
            let text = "v 0 0 0\nv 1 0 0\n".encode_utf16();
            mark.then_some(0xfeff).into_iter().chain(text).flat_map(order).collect()
        };
        let cases: [(&[u8], FileKind); 20] = [
            (b"", FileKind::Empty),
            (b" \n\r\n", FileKind::Empty),
            (&stl, FileKind::StlBinary),
            (b"solid box\nfacet normal 0 0 1\nouter loop\n", FileKind::StlText),
            (&wide(u16::to_le_bytes, true), FileKind::Utf16),
            (&wide(u16::to_be_bytes, true), FileKind::Utf16),
            (&wide(u16::to_le_bytes, false), FileKind::Utf16),
            (&wide(u16::to_be_bytes, false), FileKind::Utf16),
            (b"ply\nformat ascii 1.0\n", FileKind::Ply),
            (b"{ \"asset\": { \"version\": \"2.0\" } }", FileKind::Gltf),
            (b"{\n\"accessors\": [{ \"count\": 3 }]}", FileKind::Gltf),
            (b"glTF\x02\0\0\0", FileKind::Glb),
            (b"Kaydara FBX Binary  \0", FileKind::Fbx),
            (b"\x1f\x8b\x08\0", FileKind::Gzip),
            (b"PK\x03\x04\x14\0\0\0[Content_Types].xml", FileKind::ThreeMf),
            (b"PK\x03\x04\x14\0\0\0part.obj", FileKind::Zip),
            (b"$MeshFormat\n4.1 0 8\n", FileKind::Gmsh),
            (b"<?xml version=\"1.0\"?>\n<VTKFile>", FileKind::VtkXml),
            (b"<?xml version=\"1.0\"?>\n<COLLADA>", FileKind::Xml),
            (b"\x01\x02\0\0\x03\x04\0\x05\x06\x07", FileKind::Binary),
        ];
        for (bytes, kind) in cases {
            assert_eq!(
                FileKind::from_content(bytes),
                Some(kind),
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
        let signature = FileKind::from_signature;
        assert_eq!(signature(b"\x28\xb5\x2f\xfd\0"), Some(FileKind::Zstandard));
        assert_eq!(signature(b"BZh91AY&SY"), Some(FileKind::Bzip2));
        assert_eq!(signature(b"BZh is text"), None);
        assert!(FileKind::Zip.is_compressed() && !FileKind::Png.is_compressed());
        for text in [
            "v 0 0 0\n",
            "# solid, and no facet\no solid\n",
            "solid\nv 0 0 0\n",
            "g {\n",
            "{ \"vertices\": [0, 0, 0] }\n",
        ] {
            assert_eq!(FileKind::from_content(text.as_bytes()), None, "{text}");
        }
    }
}
