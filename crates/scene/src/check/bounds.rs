//! Refuses numbers outside the bounds that the schema of the model states.
//!
//! Bounds and units stand in the model alone: `#[schemars(range(…))]` and the `[unit]` of the doc
//! comment. The model is serialized into [`Walker`], which follows the schema beside it and keeps
//! nothing but the key path and the numbers out of bounds. NaN and infinity are out of any bounds.

use super::checks::out_of_range;
use crate::model::Model;
use crate::problem::Problem;
use crate::schema::cached;
use crate::schema::navigate::{kinds, number_of, resolved, unit_of};
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Value;
use std::fmt::{self, Error, Write};

/// The numbers of a model that are out of their bounds, in the order of its keys.
pub fn numbers_out_of_bounds(model: &Model) -> Vec<Problem> {
    let root = cached();
    let mut problems = Vec::new();
    let walker = Walker {
        root,
        schema: root,
        description: "",
        path: &mut String::new(),
        problems: &mut problems,
    };
    // A walker fails at nothing.
    let _ = model.serialize(walker);
    problems
}

/// Visits a value of the model.
struct Walker<'a> {
    root: &'a Value,
    /// The schema of the value.
    schema: &'a Value,
    /// Description of the key that holds it, with the unit.
    description: &'a str,
    /// Key path of the value: one text for all, as there may be a million.
    path: &'a mut String,
    problems: &'a mut Vec<Problem>,
}

/// Visits the parts of a value.
struct Parts<'a> {
    walker: Walker<'a>,
    /// Number of the next part.
    next: usize,
}

impl<'a> Walker<'a> {
    /// Visits a part of this value, whose key path continues like this.
    fn part<T: Serialize + ?Sized>(
        &mut self,
        schema: &'a Value,
        description: &'a str,
        step: fmt::Arguments,
        value: &T,
    ) -> Result<(), Error> {
        let length = self.path.len();
        self.path.write_fmt(step)?;
        let (path, problems) = (&mut *self.path, &mut *self.problems);
        value.serialize(Walker { root: self.root, schema, description, path, problems })?;
        self.path.truncate(length);
        Ok(())
    }

    fn parts(self) -> Parts<'a> {
        let schema = resolved(self.root, self.schema);
        Parts { walker: Walker { schema, ..self }, next: 0 }
    }

    /// The same value as a variant of an enum.
    fn variant(mut self, variant: &str) -> Walker<'a> {
        let schema = resolved(self.root, self.schema);
        let content = kinds(schema).find(|(name, _)| *name == variant);
        self.schema = content.and_then(|(_, content)| content).unwrap_or(&Value::Null);
        self
    }

    fn number(self, x: f64) -> Result<(), Error> {
        let schema = number_of(resolved(self.root, self.schema));
        let bound = |name: &str| schema[name].as_f64();
        if let (Some(min), Some(max)) = (bound("minimum"), bound("maximum")) {
            let unit = unit_of(self.description).1.unwrap_or_default();
            self.problems.extend(out_of_range(self.path, x, min..=max, &unit));
        } else if bound("minimum").is_some_and(|min| x < min) {
            let range = bound("minimum").unwrap_or_default()..=f64::INFINITY;
            self.problems.extend(out_of_range(self.path, x, range, ""));
        }
        Ok(())
    }
}

impl Parts<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        let dot = if self.walker.path.is_empty() { "" } else { "." };
        let schema = &self.walker.schema["properties"][key];
        let description = schema["description"].as_str().unwrap_or_default();
        self.walker.part(schema, description, format_args!("{dot}{key}"), value)
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let Walker { schema, description, .. } = self.walker;
        let items = schema["prefixItems"].get(self.next).unwrap_or(&schema["items"]);
        let number = self.next;
        self.next += 1;
        self.walker.part(items, description, format_args!("[{number}]"), value)
    }
}

/// Numbers of all widths.
macro_rules! numbers {
    ($($method:ident: $number:ty),*) => {
        $(fn $method(self, x: $number) -> Result<(), Error> {
            self.number(x as f64)
        })*
    };
}

#[allow(clippy::cast_lossless, reason = "one macro for all widths")]
impl<'a> Serializer for Walker<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    numbers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64);
    numbers!(serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);
    numbers!(serialize_f32: f32, serialize_f64: f64);

    fn serialize_bool(self, _: bool) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_char(self, _: char) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_str(self, _: &str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &str, _: u32, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self.variant(variant))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Error> {
        Ok(self.parts())
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Error> {
        Ok(self.parts())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Error> {
        Ok(self.parts())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Error> {
        Ok(self.variant(variant).parts())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, Error> {
        Ok(self.parts())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Error> {
        Ok(self.parts())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Error> {
        Ok(self.variant(variant).parts())
    }
}

/// Compound values whose parts are numbered.
macro_rules! numbered {
    ($($of:ident: $method:ident),*) => {
        $(impl $of for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

numbered!(
    SerializeSeq: serialize_element, SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field, SerializeTupleVariant: serialize_field
);

/// Compound values whose parts have names.
macro_rules! named {
    ($($of:ident),*) => {
        $(impl $of for Parts<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.field(key, value)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

named!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}
