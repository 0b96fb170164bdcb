//! Number types of files, and arrays of numbers on their way to attributes.

use super::error::Problem;
use crate::base::{Attribute, Real, Values, Vec3};

/// The type of a number in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl NumberType {
    /// Bytes of a number.
    pub(super) fn size(self) -> usize {
        match self {
            NumberType::I8 | NumberType::U8 => 1,
            NumberType::I16 | NumberType::U16 => 2,
            NumberType::I32 | NumberType::U32 | NumberType::F32 => 4,
            NumberType::I64 | NumberType::U64 | NumberType::F64 => 8,
        }
    }

    fn is_whole(self) -> bool {
        !matches!(self, NumberType::F32 | NumberType::F64)
    }
}

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Numbers as the program keeps them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    /// Whole numbers from 0 to 2³² − 1, of an integer type.
    Whole(Vec<u32>),
    /// All others.
    Real(Vec<Real>),
}

impl Numbers {
    /// Numbers from the bytes of a file, which are a whole number of them.
    pub(super) fn decode(bytes: &[u8], number_type: NumberType, order: ByteOrder) -> Numbers {
        macro_rules! values {
            ($number:ty) => {
                bytes.as_chunks().0.iter().map(move |&number| match order {
                    ByteOrder::Little => <$number>::from_le_bytes(number),
                    ByteOrder::Big => <$number>::from_be_bytes(number),
                })
            };
        }
        macro_rules! integers {
            ($number:ty) => {{
                let labels: Option<_> = values!($number).map(|x| u32::try_from(x).ok()).collect();
                labels.map_or_else(|| reals!($number), Numbers::Whole)
            }};
        }
        macro_rules! reals {
            ($number:ty) => {
                Numbers::Real(values!($number).map(|x| x as Real).collect())
            };
        }
        match number_type {
            NumberType::I8 => integers!(i8),
            NumberType::U8 => integers!(u8),
            NumberType::I16 => integers!(i16),
            NumberType::U16 => integers!(u16),
            NumberType::I32 => integers!(i32),
            NumberType::U32 => integers!(u32),
            NumberType::I64 => integers!(i64),
            NumberType::U64 => integers!(u64),
            NumberType::F32 => reals!(f32),
            NumberType::F64 => reals!(f64),
        }
    }

    /// Numbers from a file's text, which says of what type they are.
    pub(super) fn from_text(values: Vec<f64>, number_type: NumberType) -> Numbers {
        // A double tells all whole numbers of 32 bits apart.
        let whole = |&x: &f64| (x as u32 as f64 == x).then_some(x as u32);
        let labels = number_type.is_whole().then(|| values.iter().map(whole).collect());
        labels.flatten().map_or_else(
            || Numbers::Real(values.iter().map(|&x| x as Real).collect()),
            Numbers::Whole,
        )
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Numbers::Whole(labels) => labels.len(),
            Numbers::Real(reals) => reals.len(),
        }
    }

    /// Appends numbers; whole ones stay whole if all are.
    pub(super) fn append(&mut self, other: Numbers) {
        match (&mut *self, other) {
            (Numbers::Whole(all), Numbers::Whole(other)) => all.extend(other),
            (Numbers::Real(all), other) => all.extend(other.into_reals()),
            (Numbers::Whole(all), Numbers::Real(other)) => {
                let mut reals = Numbers::Whole(std::mem::take(all)).into_reals();
                reals.extend(other);
                *self = Numbers::Real(reals);
            }
        }
    }

    pub(super) fn into_reals(self) -> Vec<Real> {
        match self {
            Numbers::Whole(labels) => labels.into_iter().map(|x| x as Real).collect(),
            Numbers::Real(reals) => reals,
        }
    }

    /// Triples of numbers as vectors.
    pub(super) fn into_vectors(self) -> Vec<Vec3> {
        self.into_reals().as_chunks().0.iter().map(|&[x, y, z]| Vec3::new(x, y, z)).collect()
    }

    /// The place of the first number that is infinite or NaN.
    pub(super) fn first_invalid(&self) -> Option<usize> {
        match self {
            Numbers::Whole(_) => None,
            Numbers::Real(reals) => reals.iter().position(|x| !x.is_finite()),
        }
    }

    fn into_values(self) -> Values<'static> {
        match self {
            Numbers::Whole(labels) => Values::Labels(labels.into()),
            Numbers::Real(reals) => Values::Scalars(reals.into()),
        }
    }

    /// Every `step`-th number from the `first`.
    fn every(&self, step: usize, first: usize) -> Numbers {
        match self {
            Numbers::Whole(labels) => {
                Numbers::Whole(labels.iter().skip(first).step_by(step).copied().collect())
            }
            Numbers::Real(reals) => {
                Numbers::Real(reals.iter().skip(first).step_by(step).copied().collect())
            }
        }
    }
}

/// More components than any array has. Each may become an attribute, of which an array without
/// tuples would make as many as it likes.
const MOST_COMPONENTS: usize = 1024;

/// A named array of tuples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub(super) name: String,
    pub(super) components: usize,
    pub(super) numbers: Numbers,
}

impl Array {
    /// An array of points, unless its number of components cannot be meant.
    pub(super) fn new(name: String, components: usize, numbers: Numbers) -> Result<Self, Problem> {
        if components > MOST_COMPONENTS {
            let feature = format!("array `{name}` of {components} components");
            let instead = "a point has at most 1024 numbers of an array";
            return Err(Problem::Unsupported { feature, instead });
        }
        Ok(Array { name, components, numbers })
    }

    /// The attributes that an array stands for: itself if its tuples have one number or three,
    /// else one for each component, named `NAME_0`, `NAME_1` …
    pub(super) fn into_attributes(self) -> Vec<Attribute<'static>> {
        let Array { name, components, numbers } = self;
        match components {
            1 => vec![Attribute::new(name, numbers.into_values())],
            3 => vec![Attribute::new(name, Values::Vectors(numbers.into_vectors().into()))],
            _ => (0..components)
                .map(|k| {
                    let part = numbers.every(components, k);
                    Attribute::new(format!("{name}_{k}"), part.into_values())
                })
                .collect(),
        }
    }
}
