//! Objects: properties, and objects below them.
//!
//! Source: Alembic 1.8.12, `AbcCoreOgawa/OwData.cpp` (`writeHeaders`).

use super::murmur3::{Digest, murmur3};
use super::ogawa::Ogawa;
use super::property::Compound;
use crate::format::Target;
use std::io;

/// An object.
#[derive(Default)]
pub struct Object {
    pub name: String,
    pub metadata: String,
    /// Its properties, if it has some.
    pub properties: Option<Compound>,
    pub children: Vec<Object>,
}

impl Object {
    /// Writes the object and all below it; returns its place and its hash.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(self, file: &mut Ogawa, target: &mut dyn Target) -> io::Result<(u64, Digest)> {
        let mut hashes = self.metadata.clone().into_bytes();
        let compounds = self.properties.into_iter().collect();
        let all = Compound { compounds, ..Compound::default() }.write(&mut hashes, file, target)?;
        let of_properties = murmur3(&hashes);
        let (mut places, mut heads, mut below) = (vec![all], Vec::new(), Vec::new());
        for child in self.children {
            heads.extend((child.name.len() as u32).to_le_bytes());
            heads.extend(child.name.as_bytes());
            // Metadata stand here, not in the list that the file may have of frequent ones.
            heads.push(0xff);
            heads.extend((child.metadata.len() as u32).to_le_bytes());
            heads.extend(child.metadata.as_bytes());
            let (place, hash) = child.write(file, target)?;
            places.push(place);
            below.extend(hash);
        }
        let children = if below.is_empty() { [0; 16] } else { murmur3(&below) };
        heads.extend(of_properties);
        heads.extend(children);
        places.push(file.data(&[&heads], target)?);
        let hash = murmur3(&[of_properties, children].concat());
        Ok((file.group(&places, target)?, hash))
    }
}
