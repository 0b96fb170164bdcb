//! Grids as OpenVDB's trees: a root of nodes of 32³ children, those of nodes of 16³, those of
//! leaves of 8³ voxels. First all nodes are written with their masks, then all leaves' values.
//!
//! Values outside the masks are the background, above 0 or below: a bit for each says which, and
//! of the others each is written. That is the format's mask compression; what is left may be
//! deflated by nodes.
//!
//! Source: OpenVDB 7 to 12, `tree/RootNode.h`, `InternalNode.h`, `LeafNode.h` (`writeTopology`,
//! `writeBuffers`) and `io/Compression.h` (`writeCompressedValues`), file version 224.

use super::half::half_bits;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hashfall_core::parallel;
use std::collections::BTreeMap;
use std::io::Write;

/// Voxels along the edges of the two kinds of inner nodes and of leaves.
const UPPER: i64 = 4096;
const LOWER: i64 = 128;
const LEAF: i64 = 8;

/// How values outside of masks are given.
#[repr(u8)]
enum Inactive {
    /// All are the background.
    Background = 0,
    /// A mask tells the background from its negative.
    TwoByMask = 3,
}

/// A leaf: its lowest voxel, which voxels are active, the values of all, `N` each, and which of
/// the others are the background, not its negative.
pub struct Leaf<const N: usize> {
    pub origin: [i64; 3],
    pub active: [u64; 8],
    pub values: Vec<[f32; N]>,
    pub outside: [u64; 8],
}

/// A tree of leaves, which ascend.
pub struct Tree<'a, const N: usize> {
    pub background: [f32; N],
    pub leaves: &'a [Leaf<N>],
    /// Whether the voxels of a place without leaves have the negative of the background.
    pub is_inside: &'a (dyn Fn([i64; 3]) -> bool + Sync),
    /// Effort of deflation; 0 is none.
    pub level: u32,
    /// Whether numbers are of half precision.
    pub is_half: bool,
}

impl<const N: usize> Tree<'_, N> {
    /// The nodes of the tree, without the values of leaves.
    pub fn topology(&self) -> Vec<u8> {
        // One buffer.
        let mut bytes = 1_u32.to_le_bytes().to_vec();
        let background = self.background.map(|x| if self.is_half { truncated(x) } else { x });
        put(&background, &mut bytes);
        let uppers = group(self.leaves.iter().enumerate().map(|(k, leaf)| (leaf.origin, k)), UPPER);
        // No tiles: what is outside all nodes is the background.
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend((uppers.len() as u32).to_le_bytes());
        for (origin, leaves) in &uppers {
            origin.iter().for_each(|x| bytes.extend((*x as i32).to_le_bytes()));
            let lowers = group(leaves.iter().map(|k| (self.leaves[*k].origin, *k)), LOWER);
            let all: Vec<[i64; 3]> = lowers.keys().copied().collect();
            bytes.extend(self.inner_node(*origin, LOWER, 5, &all));
            let lowers: Vec<_> = lowers.into_iter().collect();
            let parts = parallel::map_pieces(lowers.len(), &|n| {
                let (origin, leaves) = &lowers[n];
                let all: Vec<_> = leaves.iter().map(|k| self.leaves[*k].origin).collect();
                let mut bytes = self.inner_node(*origin, LEAF, 4, &all);
                in_order(leaves, |k| self.leaves[k].origin, LEAF, 4).for_each(|k| {
                    put_mask(&self.leaves[k].active, &mut bytes);
                });
                bytes
            });
            in_order(&(0..lowers.len()).collect::<Vec<_>>(), |k| lowers[k].0, LOWER, 5)
                .for_each(|k| bytes.extend(&parts[k]));
        }
        bytes
    }

    /// The values of all leaves, in the order of the nodes.
    pub fn buffers(&self) -> Vec<u8> {
        let parts = parallel::map(self.leaves.len(), |k| self.buffer(&self.leaves[k]));
        let mut bytes = Vec::with_capacity(parts.iter().map(Vec::len).sum());
        let uppers = group(self.leaves.iter().enumerate().map(|(k, leaf)| (leaf.origin, k)), UPPER);
        for leaves in uppers.values() {
            let lowers = group(leaves.iter().map(|k| (self.leaves[*k].origin, *k)), LOWER);
            let lowers: Vec<_> = lowers.into_iter().collect();
            in_order(&(0..lowers.len()).collect::<Vec<_>>(), |k| lowers[k].0, LOWER, 5).for_each(
                |lower| {
                    in_order(&lowers[lower].1, |k| self.leaves[k].origin, LEAF, 4)
                        .for_each(|k| bytes.extend(&parts[k]));
                },
            );
        }
        bytes
    }

    /// A node with children at these origins, each of `side` voxels, 2ᵇ along its edge.
    fn inner_node(&self, origin: [i64; 3], side: i64, log2: u32, children: &[[i64; 3]]) -> Vec<u8> {
        let count = 1_usize << (3 * log2);
        let mut child_mask = vec![0_u64; count / 64];
        let set = |mask: &mut Vec<u64>, k: usize| mask[k / 64] |= 1 << (k % 64);
        children.iter().for_each(|child| set(&mut child_mask, slot(*child, side, log2)));
        let mut outside = vec![0_u64; count / 64];
        let mut is_any_inside = false;
        for k in 0..count {
            let has_child = child_mask[k / 64] >> (k % 64) & 1 == 1;
            let along = |shift: u32| (k >> shift & ((1 << log2) - 1)) as i64 * side;
            let at = [along(2 * log2), along(log2), along(0)];
            let corner = [0, 1, 2].map(|axis| origin[axis] + at[axis]);
            if !has_child && (self.is_inside)(corner) {
                is_any_inside = true;
            } else {
                set(&mut outside, k);
            }
        }
        let mut bytes = Vec::new();
        put_mask(&child_mask, &mut bytes);
        // No tile is active.
        put_mask(&vec![0; count / 64], &mut bytes);
        self.put_values(is_any_inside.then_some(&outside), &[], &mut bytes);
        bytes
    }

    /// The mask and the values of a leaf.
    fn buffer(&self, leaf: &Leaf<N>) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_mask(&leaf.active, &mut bytes);
        let is_active = |k: usize| leaf.active[k / 64] >> (k % 64) & 1 == 1;
        let all_outside = (0..8).all(|k| leaf.active[k] | leaf.outside[k] == u64::MAX);
        // Bits of active voxels are off, as OpenVDB has them.
        let outside: [u64; 8] = std::array::from_fn(|k| leaf.outside[k] & !leaf.active[k]);
        let values = leaf.values.iter().enumerate().filter(|(k, _)| is_active(*k));
        let values: Vec<f32> = values.flat_map(|(_, value)| *value).collect();
        self.put_values((!all_outside).then_some(&outside), &values, &mut bytes);
        bytes
    }

    /// Which inactive values are the background, if not all are, and the active values.
    fn put_values(&self, outside: Option<&[u64]>, values: &[f32], bytes: &mut Vec<u8>) {
        match outside {
            None => bytes.push(Inactive::Background as u8),
            Some(mask) => {
                bytes.push(Inactive::TwoByMask as u8);
                put_mask(mask, bytes);
            }
        }
        let mut data = Vec::with_capacity(4 * values.len());
        if self.is_half {
            if values.is_empty() {
                return;
            }
            values.iter().for_each(|x| data.extend(half_bits(*x).to_le_bytes()));
        } else {
            put(values, &mut data);
        }
        if self.level == 0 {
            bytes.extend(data);
            return;
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(self.level));
        // Writing to memory does not fail.
        let _ = encoder.write_all(&data);
        let packed = encoder.finish().unwrap_or_default();
        if !packed.is_empty() && packed.len() < data.len() {
            bytes.extend((packed.len() as i64).to_le_bytes());
            bytes.extend(packed);
        } else {
            // A length below 0 says that what follows is as it was.
            bytes.extend((-(data.len() as i64)).to_le_bytes());
            bytes.extend(data);
        }
    }
}

/// Groups of things at places by the node of a size that they are in.
fn group(
    things: impl Iterator<Item = ([i64; 3], usize)>,
    size: i64,
) -> BTreeMap<[i64; 3], Vec<usize>> {
    let mut groups: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (place, thing) in things {
        groups.entry(place.map(|x| x.div_euclid(size) * size)).or_default().push(thing);
    }
    groups
}

/// Things of a node in the order of its slots.
fn in_order(
    things: &[usize],
    place: impl Fn(usize) -> [i64; 3],
    side: i64,
    log2: u32,
) -> impl Iterator<Item = usize> {
    let mut things: Vec<(usize, usize)> =
        things.iter().map(|&thing| (slot(place(thing), side, log2), thing)).collect();
    things.sort_unstable();
    things.into_iter().map(|(_, thing)| thing)
}

/// The slot of a child in its node.
fn slot(child: [i64; 3], side: i64, log2: u32) -> usize {
    let [x, y, z] = child.map(|x| x.div_euclid(side).rem_euclid(1 << log2) as usize);
    x << (2 * log2) | y << log2 | z
}

/// A number as one of half precision would be read.
fn truncated(x: f32) -> f32 {
    let bits = half_bits(x);
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size = if exponent == 0 {
        mantissa * 2_f32.powi(-24)
    } else {
        (1.0 + mantissa / 1024.0) * 2_f32.powi(exponent - 15)
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

fn put(values: &[f32], bytes: &mut Vec<u8>) {
    values.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
}

fn put_mask(mask: &[u64], bytes: &mut Vec<u8>) {
    mask.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}
