//! Elements of VTK's XML files: their children, names, numbers and types.

use crate::error::{InputError, Problem};
use crate::numbers::{ElementType, NumberType};
use crate::xml::line_of;
use roxmltree::Node;

/// Children that are elements of a name.
pub(super) fn elements<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

pub(super) fn name_of<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("Name").unwrap_or("unnamed")
}

pub(super) fn components(node: Node) -> Result<usize, InputError> {
    match node.attribute("NumberOfComponents") {
        None | Some("") => Ok(1),
        Some(_) => whole(node, "NumberOfComponents"),
    }
}

/// The type of the elements of an array.
pub(super) fn element_type(node: Node) -> Option<ElementType> {
    Some(ElementType::Numbers(match node.attribute("type").unwrap_or_default() {
        "Bit" => return Some(ElementType::Bits),
        "String" => return Some(ElementType::Strings),
        "Int8" => NumberType::I8,
        "UInt8" => NumberType::U8,
        "Int16" => NumberType::I16,
        "UInt16" => NumberType::U16,
        "Int32" => NumberType::I32,
        "UInt32" => NumberType::U32,
        "Int64" => NumberType::I64,
        "UInt64" => NumberType::U64,
        "Float32" => NumberType::F32,
        "Float64" => NumberType::F64,
        _ => return None,
    }))
}

/// The first child of a name.
pub(super) fn child<'a, 'input>(
    node: Node<'a, 'input>,
    name: &str,
) -> Result<Node<'a, 'input>, InputError> {
    let missing = || {
        let parent = node.tag_name().name();
        Problem::ends_early(format!("`{parent}` lacks `{name}`")).at(line_of(node))
    };
    node.children().find(|child| child.has_tag_name(name)).ok_or_else(missing)
}

/// An XML attribute that is a whole number.
pub(super) fn whole(node: Node, name: &str) -> Result<usize, InputError> {
    let value = node.attribute(name).unwrap_or_default();
    value
        .trim()
        .parse()
        .map_err(|_| unexpected(&format!("a whole number as `{name}`"), value, node))
}

pub(super) fn unexpected(expected: &str, found: &str, node: Node) -> InputError {
    Problem::unexpected(expected, found.as_bytes()).at(line_of(node))
}
