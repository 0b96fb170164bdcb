//! The tree of groups and arrays that a file gets at its end.

use super::array::GrowingArray;
use super::file::File;
use super::messages::{self, AttributeValue};
use crate::format::Target;
use std::io;

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

impl File {
    /// Writes the groups and arrays below a root, and ends the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, root: Group, target: &mut dyn Target) -> io::Result<()> {
        let root = self.group(root, target)?;
        self.complete(root, target)
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

    /// Writes what is left of an array with this number of links to it; returns the address of its
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
