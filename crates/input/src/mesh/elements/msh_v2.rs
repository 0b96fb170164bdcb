//! Nodes and elements of `.msh` 2.0 to 2.2, ASCII and binary.
//!
//! Source: Gmsh Reference Manual, "MSH file format version 2 (Legacy)". There are no entities: each
//! element names its physical group by its first tag, 0 being none. Counts of sections are text in
//! binary files too, where elements of one type come in blocks.

use super::msh::{Msh, check_count, kind_of};
use crate::error::InputError;

impl Msh<'_> {
    /// Each with its tag.
    pub(super) fn nodes_v2(&mut self) -> Result<(), InputError> {
        let count = self.count_v2("nodes")?;
        for node in 0..count {
            self.node_tag_v2(node)?;
            let x = self.node(node)?;
            self.elements.nodes.push(x);
        }
        Ok(())
    }

    pub(super) fn elements_v2(&mut self) -> Result<(), InputError> {
        let count = self.count_v2("elements")?;
        let mut read = 0;
        while read < count {
            // In text each element is a block of its own, whose tag comes first.
            let is_text = self.numbers.binary.is_none();
            let at = self.numbers.scanner.at();
            let tag = if is_text { Some(self.element_tag()?) } else { None };
            let at_kind = self.numbers.scanner.at();
            let kind = self.numbers.int("the type of elements")?;
            let kind =
                kind_of(kind).map_err(|problem| problem.at(self.numbers.place_of_last(at_kind)))?;
            let in_block = match is_text {
                true => 1,
                false => self.numbers.int("the number of elements in a block")?.max(1) as u64,
            };
            let tags = self.numbers.int("the number of tags")?;
            for _ in 0..in_block {
                let (at, tag) = match tag {
                    Some((at, tag)) => (at, tag),
                    None => (self.numbers.scanner.at().max(at), self.element_tag()?.1),
                };
                let group = match tags {
                    1.. => self.numbers.int("the physical group of an element")?.abs(),
                    _ => 0,
                };
                for _ in 1..tags {
                    self.numbers.int("a tag of an element")?;
                }
                let set = match group {
                    0 => 0,
                    _ => self.set_of_group((kind.shape.dimension(), group)),
                };
                self.corners(kind, at, tag, set)?;
                read += 1;
            }
        }
        check_count("elements", count, read as usize)
    }

    /// The count at the beginning of a section.
    fn count_v2(&mut self, what: &str) -> Result<u64, InputError> {
        let count = self.numbers.scanner.count(&format!("the number of {what}"))?;
        self.numbers.line(&format!("the {what}"))?;
        Ok(count as u64)
    }

    fn node_tag_v2(&mut self, node: u64) -> Result<(), InputError> {
        let at = self.numbers.scanner.at();
        let tag = self.numbers.int("the tag of a node")? as u64;
        self.know_node(tag, node, at)
    }

    /// The tag of an element and the byte at which it begins; in text the white space before it
    /// belongs to the line before.
    fn element_tag(&mut self) -> Result<(usize, u64), InputError> {
        let at = self.numbers.scanner.at();
        let tag = self.numbers.int("the tag of an element")? as u64;
        let is_binary = self.numbers.binary.is_some();
        Ok((if is_binary { at } else { self.numbers.scanner.at() - 1 }, tag))
    }
}
