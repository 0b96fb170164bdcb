//! Arrays of a file, the filter of attributes, and the attributes that arrays become.

use super::cloud::{Cloud, UnreadableAttribute};
use super::field_names::is_label;
use super::numbers::Numbers;
use hashfall_core::attribute::{Attribute, Values, is_named_after};
use std::collections::HashSet;

/// Maximum components of an array. Each may become an attribute, also those of an array without
/// tuples, which takes no bytes.
const MAX_COMPONENTS: usize = 1024;
/// Maximum components of all arrays of a file.
const MAX_COMPONENTS_IN_ALL: usize = 4096;

/// Which attributes of a file are read. Others are not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeFilter {
    /// All that can be read.
    All,
    /// Those of these names, and all components of arrays of these names.
    Named(Vec<String>),
}

impl AttributeFilter {
    /// Whether the filter includes an attribute of an array: `ARRAY`, or a component `ARRAY_0`.
    pub(super) fn includes(&self, array: &str) -> bool {
        match self {
            AttributeFilter::All => true,
            AttributeFilter::Named(names) => names.iter().any(|name| is_named_after(name, array)),
        }
    }

    /// Whether the filter includes an attribute of a name, by itself or as a component of an array.
    pub(super) fn includes_attribute(&self, attribute: &str) -> bool {
        let is_of = |names: &[String]| names.iter().any(|array| is_named_after(attribute, array));
        self.includes(attribute) || matches!(self, AttributeFilter::Named(names) if is_of(names))
    }
}

/// A named array of tuples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) components: usize,
    pub(super) numbers: Numbers,
}

impl Array {
    /// The attributes of an array: the array itself if its tuples have one number, or three that
    /// are not integers; otherwise one for each component, named `NAME_0`, `NAME_1` … Single
    /// numbers are integers, whatever their type, if all are whole and their name says that they
    /// name something.
    fn into_attributes(self) -> Vec<Attribute<'static>> {
        let Array { name, components, numbers } = self;
        match components {
            1 if is_label(&name) => vec![Attribute::new(name, numbers.into_labels().into_values())],
            1 => vec![Attribute::new(name, numbers.into_values())],
            3 if !numbers.are_whole() => {
                vec![Attribute::new(name, Values::Vectors(numbers.into_vectors().into()))]
            }
            _ => (0..components)
                .map(|k| {
                    let part = numbers.every(components, k);
                    Attribute::new(format!("{name}_{k}"), part.into_values())
                })
                .collect(),
        }
    }
}

/// The attributes of a file.
#[derive(Default)]
pub(super) struct FileAttributes {
    pub(super) attributes: Vec<Attribute<'static>>,
    /// Arrays that the filter excludes.
    pub(super) skipped: Vec<String>,
    pub(super) unreadable: Vec<UnreadableAttribute>,
}

impl From<FileAttributes> for Cloud {
    fn from(FileAttributes { attributes, skipped, unreadable }: FileAttributes) -> Cloud {
        Cloud { attributes, skipped, unreadable, ..Cloud::default() }
    }
}

/// Collects the attributes of a file as its reader meets them.
pub(super) struct Collector<'f> {
    filter: &'f AttributeFilter,
    attributes: FileAttributes,
    names: HashSet<String>,
    /// Components of all arrays that are read.
    components: usize,
}

impl<'f> Collector<'f> {
    pub(super) fn new(filter: &'f AttributeFilter) -> Self {
        Collector {
            filter,
            attributes: FileAttributes::default(),
            names: HashSet::new(),
            components: 0,
        }
    }

    /// Whether to decode an array; the name of a skipped array is recorded.
    pub(super) fn includes(&mut self, name: &str, components: usize) -> bool {
        if !self.filter.includes(name) {
            self.attributes.skipped.push(name.to_owned());
            return false;
        }
        let reason = match components {
            0 => "it has no components".to_owned(),
            1..=MAX_COMPONENTS => {
                if components <= MAX_COMPONENTS_IN_ALL - self.components {
                    self.components += components;
                    return true;
                }
                format!(
                    "with it, the arrays of the file have more than {MAX_COMPONENTS_IN_ALL} \
                     components"
                )
            }
            _ => format!("its {components} components are more than {MAX_COMPONENTS}"),
        };
        self.reject(name, reason);
        false
    }

    /// Records an array as unreadable, if the filter includes it.
    pub(super) fn reject(&mut self, name: &str, reason: impl Into<String>) {
        if self.filter.includes(name) {
            self.attributes
                .unreadable
                .push(UnreadableAttribute { name: name.to_owned(), reason: reason.into() });
        }
    }

    /// Adds the attributes of an array, unless others have the same names.
    pub(super) fn add(&mut self, array: Array) {
        for attribute in array.into_attributes() {
            self.add_attribute(attribute);
        }
    }

    /// Adds an attribute, unless another has the same name.
    pub(super) fn add_attribute(&mut self, attribute: Attribute<'static>) {
        if self.names.insert(attribute.name.clone().into_owned()) {
            self.attributes.attributes.push(attribute);
        } else {
            self.reject(&attribute.name, "another attribute has the same name");
        }
    }

    pub(super) fn finish(self) -> FileAttributes {
        self.attributes
    }
}
