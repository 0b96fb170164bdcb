//! A file of grids.
//!
//! Source: OpenVDB, `io/Archive.cc` and `io/GridDescriptor.cc`, file version 224.

use super::tree::Tree;

/// What marks a file, and its version; the version of the library that would write it.
const MAGIC: i64 = 0x5644_4220;
const VERSION: u32 = 224;
const LIBRARY: [u32; 2] = [10, 0];
/// Flags of compression.
const ZIP: u32 = 1;
const ACTIVE_MASK: u32 = 2;

/// A grid's name and what is said of it.
pub struct GridHead<'a> {
    pub name: &'a str,
    /// Names and values, of strings.
    pub metadata: &'a [(&'a str, &'a str)],
    /// Edge of a voxel \[m\].
    pub voxel: f64,
}

/// A file that is put together in memory.
pub struct VdbFile {
    bytes: Vec<u8>,
}

impl VdbFile {
    /// The head of a file with this number of grids, with a note of the program.
    pub fn new(creator: &str, identity: u128, grids: u32) -> VdbFile {
        let mut file = VdbFile { bytes: Vec::new() };
        file.bytes.extend(MAGIC.to_le_bytes());
        for number in [VERSION, LIBRARY[0], LIBRARY[1]] {
            file.bytes.extend(number.to_le_bytes());
        }
        // Each grid says where it is.
        file.bytes.push(1);
        let hex = format!("{identity:032x}");
        let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
        file.bytes.extend(parts.join("-").as_bytes());
        file.metadata(&[("creator", creator)], false);
        file.bytes.extend(grids.to_le_bytes());
        file
    }

    /// Adds a grid.
    pub fn add<const N: usize>(&mut self, head: &GridHead<'_>, tree: &Tree<'_, N>) {
        let kind = if N == 3 { "Tree_vec3s_5_4_3" } else { "Tree_float_5_4_3" };
        let half = if tree.is_half { "_HalfFloat" } else { "" };
        self.string(head.name);
        self.string(&format!("{kind}{half}"));
        // It shares its tree with no other.
        self.string("");
        let places = self.bytes.len();
        self.bytes.extend([0; 24]);
        let start = self.bytes.len();
        let zip = if tree.level > 0 { ZIP } else { 0 };
        self.bytes.extend((zip | ACTIVE_MASK).to_le_bytes());
        let mut metadata = vec![("name", head.name)];
        metadata.extend(head.metadata);
        self.metadata(&metadata, tree.is_half);
        self.transform(head.voxel);
        self.bytes.extend(tree.topology());
        let blocks = self.bytes.len();
        self.bytes.extend(tree.buffers());
        let end = self.bytes.len();
        let all = [start, blocks, end].map(|place| (place as i64).to_le_bytes());
        self.bytes[places..places + 24].copy_from_slice(all.as_flattened());
    }

    /// The file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn string(&mut self, text: &str) {
        self.bytes.extend((text.len() as u32).to_le_bytes());
        self.bytes.extend(text.as_bytes());
    }

    fn metadata(&mut self, strings: &[(&str, &str)], is_half: bool) {
        self.bytes.extend((strings.len() as u32 + u32::from(is_half)).to_le_bytes());
        for (name, value) in strings {
            self.string(name);
            self.string("string");
            self.string(value);
        }
        if is_half {
            self.string("is_saved_as_half_float");
            self.string("bool");
            self.bytes.extend(1_u32.to_le_bytes());
            self.bytes.push(1);
        }
    }

    /// The map from voxels to metres.
    fn transform(&mut self, voxel: f64) {
        self.string("UniformScaleMap");
        // The scale, the size of a voxel, the inverse, its square, and half of the inverse.
        for x in [voxel, voxel, 1.0 / voxel, 1.0 / (voxel * voxel), 0.5 / voxel] {
            (0..3).for_each(|_| self.bytes.extend(x.to_le_bytes()));
        }
    }
}
