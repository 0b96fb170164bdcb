//! The particles of a file.

use hashfall_core::{Attribute, Vec3};

/// An attribute that the filter includes, but that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableAttribute {
    /// Its name in the file.
    pub name: String,
    /// Why it cannot be read, as a clause: `it belongs to cells, not to points`.
    pub reason: String,
}

/// The particles of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cloud {
    /// Centres \[m\]; finite.
    pub positions: Vec<Vec3>,
    /// Attributes with a value for each particle; these may be infinite or NaN.
    pub attributes: Vec<Attribute<'static>>,
    /// Names of attributes in the file that the filter excludes.
    pub skipped: Vec<String>,
    /// Attributes that the filter includes, but that cannot be read.
    pub unreadable: Vec<UnreadableAttribute>,
    /// The time of the particles \[s\], if the file has it.
    pub time: Option<f64>,
    /// Doubts about the file, for the user.
    pub warnings: Vec<String>,
}

impl Cloud {
    /// Adds the particles of another part of the same data set. Attributes that not both have, or
    /// of different kinds, become unreadable.
    pub fn append(&mut self, other: Cloud) {
        let Cloud { positions, attributes, skipped, unreadable, time, warnings } = other;
        let mut others: Vec<Attribute<'static>> = attributes;
        let all = std::mem::take(&mut self.attributes);
        for mut attribute in all {
            let place = others.iter().position(|it| it.name == attribute.name);
            let other = place.map(|place| others.swap_remove(place));
            match other.is_some_and(|other| attribute.values.append(other.values)) {
                true => self.attributes.push(attribute),
                false => self.unreadable.push(in_one_part(attribute)),
            }
        }
        self.unreadable.extend(others.into_iter().map(in_one_part));
        self.positions.extend(positions);
        let is_new = |name: &String| !self.skipped.contains(name);
        let skipped: Vec<String> = skipped.into_iter().filter(is_new).collect();
        self.skipped.extend(skipped);
        let is_new = |it: &UnreadableAttribute| self.unreadable.iter().all(|at| at.name != it.name);
        let unreadable: Vec<UnreadableAttribute> = unreadable.into_iter().filter(is_new).collect();
        self.unreadable.extend(unreadable);
        self.time = self.time.or(time);
        self.warnings.extend(warnings);
    }
}

/// An attribute that a part of the data set lacks.
fn in_one_part(attribute: Attribute<'static>) -> UnreadableAttribute {
    let reason = "a part of the data set lacks it, or has it of another type".to_owned();
    UnreadableAttribute { name: attribute.name.into_owned(), reason }
}
