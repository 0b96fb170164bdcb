//! A file that grows, and the tree of groups that it gets at its end.

use super::array::GrowingArray;
use super::lookup3::lookup3;
use super::messages::{self, AttributeValue, UNDEFINED};
use crate::format::Target;
use std::io;

/// The length of the superblock \[bytes\].
const SUPERBLOCK: u64 = 48;

/// A file that grows.
pub struct File {
    name: String,
    position: u64,
}

impl File {
    /// A file of this name.
    pub fn new(name: String) -> File {
        File { name, position: 0 }
    }

    /// Where the next bytes will stand.
    pub(super) fn position(&self) -> u64 {
        self.position.max(SUPERBLOCK)
    }

    /// Appends bytes; returns their address.
    pub(super) fn append(&mut self, bytes: &[u8], target: &mut dyn Target) -> io::Result<u64> {
        if self.position == 0 {
            target.append(&self.name, &[0; SUPERBLOCK as usize])?;
            self.position = SUPERBLOCK;
        }
        let address = self.position;
        target.append(&self.name, bytes)?;
        self.position += bytes.len() as u64;
        Ok(address)
    }

    /// Writes the groups and arrays below a root, and ends the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, root: Group, target: &mut dyn Target) -> io::Result<()> {
        let root = self.group(root, target)?;
        // Version 2, offsets and lengths of 8 bytes.
        let mut head = b"\x89HDF\r\n\x1a\n\x02\x08\x08\x00".to_vec();
        for address in [0, UNDEFINED, self.position, root] {
            head.extend(address.to_le_bytes());
        }
        head.extend(lookup3(&head).to_le_bytes());
        target.complete(&self.name, &head)
    }

    /// Writes a group and what is in it; returns the address of its header.
    fn group(&mut self, group: Group, target: &mut dyn Target) -> io::Result<u64> {
        let mut messages = messages::group().to_vec();
        for (name, value) in &group.attributes {
            messages.push(messages::attribute(name, value));
        }
        for (name, node) in group.nodes {
            let address = match node {
                Node::Group(group) => self.group(group, target)?,
                Node::Array(array) => self.array(array, 1, target)?,
                Node::Written(address) => address,
            };
            messages.push(messages::link(&name, address));
        }
        self.append(&messages::object_header(&messages, 1), target)
    }

    /// Writes what is left of an array that so many links lead to; returns the address of its
    /// header.
    fn array(
        &mut self,
        array: GrowingArray,
        links: usize,
        target: &mut dyn Target,
    ) -> io::Result<u64> {
        let messages = array.finish(self, target)?;
        self.append(&messages::object_header(&messages, links), target)
    }
}

/// A group.
#[derive(Default)]
pub struct Group {
    attributes: Vec<(&'static str, AttributeValue)>,
    nodes: Vec<(String, Node)>,
}

impl Group {
    /// A group with attributes.
    pub fn new(attributes: Vec<(&'static str, AttributeValue)>) -> Group {
        Group { attributes, nodes: Vec::new() }
    }

    /// Adds what is in it, under a name.
    pub fn add(&mut self, name: impl Into<String>, node: Node) {
        self.nodes.push((name.into(), node));
    }

    /// Adds an array under several names, and writes what is left of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_shared(
        &mut self,
        names: &[String],
        array: GrowingArray,
        file: &mut File,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        let address = file.array(array, names.len(), target)?;
        names.iter().for_each(|name| self.add(name, Node::Written(address)));
        Ok(())
    }
}

/// What is in a group.
pub enum Node {
    Group(Group),
    Array(GrowingArray),
    /// An object whose header is at this address already.
    Written(u64),
}
