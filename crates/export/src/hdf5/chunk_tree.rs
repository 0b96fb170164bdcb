//! The index of an array's chunks: a B-tree of version 1.
//!
//! Source: *HDF5 File Format Specification Version 3.0*, III.A.1. Nodes hold up to 64 children, the
//! default of the library; each is written whole. A key is the size of a chunk, the filters it
//! was not passed through, and its offset along each axis and within a number, which is 0.

use super::messages::UNDEFINED;

/// The most children of a node: twice the default rank 32 of such trees.
pub const CHILDREN: usize = 64;

/// Where a chunk is: its address and length \[bytes\].
pub type Chunk = (u64, u32);

/// The nodes of a tree as bytes, which will stand at the address `start`, and the root's address.
/// Chunks follow each other along the first axis of `rank`, each of `rows`.
pub fn nodes(chunks: &[Chunk], rows: u64, rank: usize, start: u64) -> (Vec<u8>, u64) {
    let size = 24 + (CHILDREN + 1) * key_size(rank) + CHILDREN * 8;
    let key = |number: usize| {
        let length = chunks.get(number).map_or(0, |chunk| chunk.1);
        let mut key = Vec::with_capacity(key_size(rank));
        key.extend(length.to_le_bytes());
        key.extend(0_u32.to_le_bytes());
        key.extend((number as u64 * rows).to_le_bytes());
        key.resize(key_size(rank), 0);
        key
    };
    let mut bytes = Vec::new();
    // The first chunk below each child, and its address.
    let mut children: Vec<(usize, u64)> =
        chunks.iter().enumerate().map(|(number, chunk)| (number, chunk.0)).collect();
    for level in 0.. {
        let count = children.len().div_ceil(CHILDREN);
        let first = start + bytes.len() as u64;
        let address = |node: usize| first + (node * size) as u64;
        let mut parents = Vec::with_capacity(count);
        for (node, below) in children.chunks(CHILDREN).enumerate() {
            let begin = bytes.len();
            bytes.extend(b"TREE");
            bytes.extend([1, level]);
            bytes.extend((below.len() as u16).to_le_bytes());
            let left = if node > 0 { address(node - 1) } else { UNDEFINED };
            let right = if node + 1 < count { address(node + 1) } else { UNDEFINED };
            bytes.extend(left.to_le_bytes());
            bytes.extend(right.to_le_bytes());
            for (number, child) in below {
                bytes.extend(key(*number));
                bytes.extend(child.to_le_bytes());
            }
            let next = children.get((node + 1) * CHILDREN).map_or(chunks.len(), |child| child.0);
            bytes.extend(key(next));
            bytes.resize(begin + size, 0);
            parents.push((below[0].0, address(node)));
        }
        if let [(_, root)] = parents[..] {
            return (bytes, root);
        }
        if parents.is_empty() {
            break;
        }
        children = parents;
    }
    (bytes, UNDEFINED)
}

fn key_size(rank: usize) -> usize {
    8 + 8 * (rank + 1)
}
