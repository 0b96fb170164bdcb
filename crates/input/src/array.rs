//! Arrays of a file on their way to attributes: which are asked for, and which are left out.

use super::Cloud;
use super::numbers::Numbers;
use hashfall_core::attribute::{Attribute, Values, is_named_after};
use std::collections::HashSet;

/// More components than any array has. Each may become an attribute, of which an array without
/// tuples would make as many as it likes.
const MAX_COMPONENTS: usize = 1024;
/// More components than the arrays of a file have in all.
const MAX_COMPONENTS_IN_ALL: usize = 4096;

/// Which attributes are read of a file. Data that nobody asks for are not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeFilter {
    /// All that can be read.
    All,
    /// Those of these names, and all components of arrays of these names.
    Named(Vec<String>),
}

impl AttributeFilter {
    /// Whether an attribute of an array is asked for: `ARRAY`, or a component `ARRAY_0`.
    pub(super) fn includes(&self, array: &str) -> bool {
        match self {
            AttributeFilter::All => true,
            AttributeFilter::Named(names) => names.iter().any(|name| is_named_after(name, array)),
        }
    }
}

/// An attribute that was asked for and is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// Its name in the file.
    pub name: String,
    /// Why it is not read, as a clause: `it belongs to cells, not to points`.
    pub reason: String,
}

/// A named array of tuples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) components: usize,
    pub(super) numbers: Numbers,
}

impl Array {
    /// The attributes that an array stands for: itself if its tuples have one number, or three that
    /// are not whole; else one for each component, named `NAME_0`, `NAME_1` …
    fn into_attributes(self) -> Vec<Attribute<'static>> {
        let Array { name, components, numbers } = self;
        match components {
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

/// What a reader has found out about a file's attributes.
#[derive(Default)]
pub(super) struct Found {
    pub(super) attributes: Vec<Attribute<'static>>,
    /// Arrays that nobody asked for.
    pub(super) not_read: Vec<String>,
    pub(super) omitted: Vec<Omitted>,
}

impl From<Found> for Cloud {
    fn from(Found { attributes, not_read, omitted }: Found) -> Cloud {
        Cloud { attributes, not_read, omitted, ..Cloud::default() }
    }
}

/// Collects the attributes of a file as its reader meets them.
pub(super) struct Collector<'f> {
    filter: &'f AttributeFilter,
    found: Found,
    names: HashSet<String>,
    /// Components of all arrays that are read.
    components: usize,
}

impl<'f> Collector<'f> {
    pub(super) fn new(filter: &'f AttributeFilter) -> Self {
        Collector { filter, found: Found::default(), names: HashSet::new(), components: 0 }
    }

    /// Whether to decode an array, whose name is remembered if not.
    pub(super) fn takes(&mut self, name: &str, components: usize) -> bool {
        if !self.filter.includes(name) {
            self.found.not_read.push(name.to_owned());
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
                    "with it the arrays that are read have more than {MAX_COMPONENTS_IN_ALL} \
                     components in all"
                )
            }
            _ => format!("its {components} components are more than {MAX_COMPONENTS}"),
        };
        self.omit(name, reason);
        false
    }

    /// Leaves an array out, which is told if it was asked for.
    pub(super) fn omit(&mut self, name: &str, reason: impl Into<String>) {
        if self.filter.includes(name) {
            self.found.omitted.push(Omitted { name: name.to_owned(), reason: reason.into() });
        }
    }

    /// Takes the attributes of an array, unless others have their names already.
    pub(super) fn add(&mut self, array: Array) {
        for attribute in array.into_attributes() {
            self.add_attribute(attribute);
        }
    }

    /// Takes an attribute, unless another has its name already.
    pub(super) fn add_attribute(&mut self, attribute: Attribute<'static>) {
        if self.names.insert(attribute.name.clone().into_owned()) {
            self.found.attributes.push(attribute);
        } else {
            self.omit(&attribute.name, "another attribute has the same name");
        }
    }

    pub(super) fn finish(self) -> Found {
        self.found
    }
}
