//! Properties: samples of one type under a name, and compounds of them.
//!
//! A sample is a block of its hash and its numbers; one that is the same as that before it is
//! written once. A property whose samples are all the same has the first alone.
//!
//! Source: Alembic 1.8.12, `AbcCoreOgawa/WriteUtil.cpp` (`WritePropertyInfo`), `ApwImpl.cpp`.

use super::murmur3::{Digest, murmur3};
use super::ogawa::{EMPTY_DATA, Ogawa};
use crate::format::Target;
use std::io;

/// Types of numbers, with the format's number for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pod {
    Bool = 0,
    U8 = 1,
    U32 = 5,
    I32 = 6,
    U64 = 7,
    F32 = 10,
    F64 = 11,
}

impl Pod {
    /// Bytes of a number.
    fn size(self) -> usize {
        match self {
            Pod::Bool | Pod::U8 => 1,
            Pod::U32 | Pod::I32 | Pod::F32 => 4,
            Pod::U64 | Pod::F64 => 8,
        }
    }

    /// What metadata call it.
    pub fn name(self) -> &'static str {
        match self {
            Pod::Bool => "bool_t",
            Pod::U8 => "uint8_t",
            Pod::U32 => "uint32_t",
            Pod::I32 => "int32_t",
            Pod::U64 => "uint64_t",
            Pod::F32 => "float32_t",
            Pod::F64 => "float64_t",
        }
    }
}

/// A sample: its hash, its place in the file, and how many elements it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sample {
    digest: Digest,
    place: u64,
    count: usize,
}

/// A property that grows.
pub struct Property {
    name: String,
    metadata: String,
    pod: Pod,
    /// Numbers of an element.
    extent: usize,
    is_array: bool,
    samples: Vec<Sample>,
}

impl Property {
    /// A property of one element.
    pub fn scalar(name: &str, metadata: &str, pod: Pod, extent: usize) -> Property {
        let (name, metadata) = (name.to_owned(), metadata.to_owned());
        Property { name, metadata, pod, extent, is_array: false, samples: Vec::new() }
    }

    /// A property of any number of elements.
    pub fn array(name: &str, metadata: &str, pod: Pod, extent: usize) -> Property {
        Property { is_array: true, ..Property::scalar(name, metadata, pod, extent) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of an element.
    pub fn element_size(&self) -> usize {
        self.extent * self.pod.size()
    }

    /// Adds a sample.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(
        &mut self,
        bytes: &[u8],
        file: &mut Ogawa,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        let digest = murmur3(bytes);
        let count = bytes.len() / self.element_size();
        let before = self.samples.last().filter(|it| it.digest == digest && it.count == count);
        let place = match before {
            Some(same) => same.place,
            // Nothing has no hash.
            None if bytes.is_empty() => EMPTY_DATA,
            None => file.data(&[&digest, bytes], target)?,
        };
        self.samples.push(Sample { digest, place, count });
        Ok(())
    }

    fn is_constant(&self) -> bool {
        self.samples.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Writes the group of its samples.
    fn write(&self, file: &mut Ogawa, target: &mut dyn Target) -> io::Result<u64> {
        let stored = if self.is_constant() { &self.samples[..1] } else { &self.samples };
        let mut children = Vec::new();
        for sample in stored {
            children.push(sample.place);
            // The shape of an array of one axis follows from its length.
            children.extend(self.is_array.then_some(EMPTY_DATA));
        }
        file.group(&children, target)
    }

    /// Its description for the header of its compound; `times` is the number of its times.
    fn head(&self, times: u32) -> Vec<u8> {
        let counts = || self.samples.iter().map(|sample| sample.count);
        let is_single = counts().all(|count| count == 1);
        let is_steady = self.samples.windows(2).all(|pair| pair[0].count == pair[1].count);
        let kind = if self.is_array { 2 | u32::from(is_single) } else { 1 };
        let mut info = kind | LONG | (self.pod as u32) << 4 | (self.extent as u32) << 12;
        info |= if times > 0 { 0x100 } else { 0 };
        info |= if is_steady { 0x400 } else { 0 };
        info |= if self.is_constant() { 0x800 } else { 0 };
        let mut numbers = vec![self.samples.len() as u32];
        numbers.extend((times > 0).then_some(times));
        head(info, &numbers, &self.name, &self.metadata)
    }
}

/// The bits that say that counts and lengths have four bytes.
const LONG: u32 = 2 << 2;

/// A description: bits, numbers, name and metadata.
fn head(info: u32, numbers: &[u32], name: &str, metadata: &str) -> Vec<u8> {
    let has_metadata = !metadata.is_empty();
    // Metadata stand here, not in the list that the file may have of frequent ones.
    let info = info | if has_metadata { 0xff << 20 } else { 0 };
    let mut bytes = info.to_le_bytes().to_vec();
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    let metadata = has_metadata.then_some(metadata);
    for text in [name].into_iter().chain(metadata) {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// Properties under a name.
#[derive(Default)]
pub struct Compound {
    pub name: String,
    pub metadata: String,
    pub properties: Vec<(Property, u32)>,
    pub compounds: Vec<Compound>,
}

impl Compound {
    /// Writes the group of what is in it; feeds all hashes to `hashes`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &self,
        hashes: &mut Vec<u8>,
        file: &mut Ogawa,
        target: &mut dyn Target,
    ) -> io::Result<u64> {
        let (mut children, mut heads) = (Vec::new(), Vec::new());
        for (property, times) in &self.properties {
            children.push(property.write(file, target)?);
            heads.extend(property.head(*times));
            property.samples.iter().for_each(|sample| hashes.extend(sample.digest));
        }
        for compound in &self.compounds {
            children.push(compound.write(hashes, file, target)?);
            heads.extend(head(LONG, &[], &compound.name, &compound.metadata));
        }
        hashes.extend(&heads);
        if !children.is_empty() {
            children.push(file.data(&[&heads], target)?);
        }
        file.group(&children, target)
    }
}
