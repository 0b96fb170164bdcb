//! Number types of files, and their numbers as the program keeps them.

use hashfall_core::{Real, Values, Vec3};

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

    /// A number of this type in double precision, from its bytes.
    pub(super) fn double(self, bytes: &[u8], order: ByteOrder) -> f64 {
        let push = |bits: u64, &byte: &u8| bits << 8 | u64::from(byte);
        let bits = match order {
            ByteOrder::Little => bytes.iter().rev().fold(0, push),
            ByteOrder::Big => bytes.iter().fold(0, push),
        };
        match self {
            NumberType::I8 => f64::from(bits as i8),
            NumberType::I16 => f64::from(bits as i16),
            NumberType::I32 => f64::from(bits as i32),
            NumberType::I64 => bits as i64 as f64,
            NumberType::U8 | NumberType::U16 | NumberType::U32 | NumberType::U64 => bits as f64,
            NumberType::F32 => f64::from(f32::from_bits(bits as u32)),
            NumberType::F64 => f64::from_bits(bits),
        }
    }

    pub(super) fn is_whole(self) -> bool {
        !matches!(self, NumberType::F32 | NumberType::F64)
    }
}

/// The type of the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementType {
    Numbers(NumberType),
    /// Packed into bytes, the highest bit of a byte first.
    Bits,
    Strings,
}

impl ElementType {
    /// Bytes of `count` elements as raw data; 0 for strings, which have no common size.
    pub(super) fn byte_length(self, count: usize) -> usize {
        match self {
            ElementType::Numbers(number_type) => count.saturating_mul(number_type.size()),
            ElementType::Bits => count.div_ceil(8),
            ElementType::Strings => 0,
        }
    }

    /// Decodes `count` numbers.
    pub(super) fn decode(self, bytes: &[u8], count: usize, order: ByteOrder) -> Numbers {
        match self {
            ElementType::Numbers(number_type) => Numbers::decode(bytes, number_type, order),
            ElementType::Bits => Numbers::decode_bits(bytes, count),
            ElementType::Strings => Numbers::Real(Vec::new()),
        }
    }

    /// The first number in some bytes, in double precision.
    pub(super) fn first_double(self, bytes: &[u8], order: ByteOrder) -> Option<f64> {
        match self {
            ElementType::Numbers(number_type) => {
                bytes.get(..number_type.size()).map(|number| number_type.double(number, order))
            }
            _ => self.decode(bytes, 1, order).into_reals().first().map(|&x| f64::from(x)),
        }
    }

    /// The type as which numbers in text are read.
    pub(super) fn text_type(self) -> NumberType {
        match self {
            ElementType::Numbers(number_type) => number_type,
            ElementType::Bits | ElementType::Strings => NumberType::U8,
        }
    }
}

/// Which byte of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Numbers as the program stores them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    /// Whole numbers from 0 to 2³² − 1, of an integer type.
    Whole(Vec<u32>),
    /// Whole numbers of an integer type, some of which lie outside that range.
    Wide(Vec<i128>),
    /// Numbers of another type.
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
                let wide = || Numbers::Wide(values!($number).map(i128::from).collect());
                labels.map_or_else(wide, Numbers::Whole)
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

    /// Numbers from the bits of a file, the highest of a byte first.
    fn decode_bits(bytes: &[u8], count: usize) -> Numbers {
        let bit = |i: usize| u32::from(bytes[i / 8] >> (7 - i % 8) & 1);
        Numbers::Whole((0..count).map(bit).collect())
    }

    /// Whole numbers, as labels if all fit.
    fn whole(integers: Vec<i128>) -> Numbers {
        let labels: Option<_> = integers.iter().map(|&x| u32::try_from(x).ok()).collect();
        labels.map_or(Numbers::Wide(integers), Numbers::Whole)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Numbers::Whole(labels) => labels.len(),
            Numbers::Wide(integers) => integers.len(),
            Numbers::Real(reals) => reals.len(),
        }
    }

    /// Whether these are of an integer type.
    pub(super) fn are_whole(&self) -> bool {
        !matches!(self, Numbers::Real(_))
    }

    /// Appends numbers; whole ones stay whole if all are.
    pub(super) fn append(&mut self, other: Numbers) {
        match (&mut *self, other) {
            (Numbers::Whole(all), Numbers::Whole(other)) => all.extend(other),
            (Numbers::Real(all), other) => all.extend(other.into_reals()),
            (Numbers::Wide(all), other) if other.are_whole() => all.extend(other.into_integers()),
            (_, other) => {
                let first = std::mem::replace(self, Numbers::Real(Vec::new()));
                *self = if other.are_whole() {
                    let mut integers = first.into_integers();
                    integers.extend(other.into_integers());
                    Numbers::Wide(integers)
                } else {
                    let mut reals = first.into_reals();
                    reals.extend(other.into_reals());
                    Numbers::Real(reals)
                };
            }
        }
    }

    pub(super) fn into_reals(self) -> Vec<Real> {
        match self {
            Numbers::Whole(labels) => labels.into_iter().map(|x| x as Real).collect(),
            Numbers::Wide(integers) => integers.into_iter().map(|x| x as Real).collect(),
            Numbers::Real(reals) => reals,
        }
    }

    /// Whole numbers as they are; no others.
    fn into_integers(self) -> Vec<i128> {
        match self {
            Numbers::Whole(labels) => labels.into_iter().map(i128::from).collect(),
            Numbers::Wide(integers) => integers,
            Numbers::Real(_) => Vec::new(),
        }
    }

    /// Numbers of any type as whole ones, if all are whole and not too large to be told apart.
    pub(super) fn into_labels(self) -> Numbers {
        const EXACT: Real = (1_u64 << Real::MANTISSA_DIGITS) as Real;
        let is_label = |x: &Real| *x >= 0.0 && *x <= EXACT && x.fract() == 0.0;
        match self {
            Numbers::Real(reals) if !reals.is_empty() && reals.iter().all(is_label) => {
                Numbers::whole(reals.into_iter().map(|x| x as i128).collect())
            }
            other => other,
        }
    }

    /// Triples of numbers as vectors.
    pub(super) fn into_vectors(self) -> Vec<Vec3> {
        self.into_reals().as_chunks().0.iter().map(|&[x, y, z]| Vec3::new(x, y, z)).collect()
    }

    /// The index of the first number that is infinite or NaN.
    pub(super) fn first_invalid(&self) -> Option<usize> {
        match self {
            Numbers::Whole(_) | Numbers::Wide(_) => None,
            Numbers::Real(reals) => reals.iter().position(|x| !x.is_finite()),
        }
    }

    pub(super) fn into_values(self) -> Values<'static> {
        match self {
            Numbers::Whole(labels) => Values::Labels(labels.into()),
            Numbers::Wide(integers) => Values::Integers(integers.into()),
            Numbers::Real(reals) => Values::Scalars(reals.into()),
        }
    }

    /// Every `step`-th number from the `first`.
    pub(super) fn every(&self, step: usize, first: usize) -> Numbers {
        match self {
            Numbers::Whole(labels) => Numbers::Whole(every(labels, step, first)),
            Numbers::Wide(integers) => Numbers::whole(every(integers, step, first)),
            Numbers::Real(reals) => Numbers::Real(every(reals, step, first)),
        }
    }
}

fn every<T: Copy>(numbers: &[T], step: usize, first: usize) -> Vec<T> {
    numbers.iter().skip(first).step_by(step).copied().collect()
}

/// Numbers of a given type that are read one by one from text.
pub(super) enum TextNumbers {
    /// Of an integer type, and whole so far.
    Whole(Vec<i128>),
    /// Others.
    Real(Vec<f64>),
}

impl TextNumbers {
    pub(super) fn with_capacity(count: usize, number_type: NumberType) -> Self {
        match number_type.is_whole() {
            true => TextNumbers::Whole(Vec::with_capacity(count)),
            false => TextNumbers::Real(Vec::with_capacity(count)),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            TextNumbers::Whole(integers) => integers.len(),
            TextNumbers::Real(reals) => reals.len(),
        }
    }

    /// Appends a word as a number; `None` if it is not one.
    pub(super) fn push(&mut self, word: &str) -> Option<()> {
        match self {
            TextNumbers::Real(reals) => reals.push(word.parse().ok()?),
            TextNumbers::Whole(integers) => match word.parse().ok().or_else(|| whole_real(word)) {
                Some(integer) => integers.push(integer),
                None => self.push_real(word.parse().ok()?),
            },
        }
        Some(())
    }

    /// Appends a real number; none is whole then.
    pub(super) fn push_real(&mut self, real: f64) {
        if let TextNumbers::Whole(integers) = self {
            *self = TextNumbers::Real(integers.iter().map(|&x| x as f64).collect());
        }
        if let TextNumbers::Real(reals) = self {
            reals.push(real);
        }
    }

    pub(super) fn finish(self) -> Numbers {
        match self {
            TextNumbers::Whole(integers) => Numbers::whole(integers),
            TextNumbers::Real(reals) => {
                Numbers::Real(reals.into_iter().map(|x| x as Real).collect())
            }
        }
    }
}

/// The whole number that a word such as `1.0` or `1e3` is, if a double holds it exactly.
fn whole_real(word: &str) -> Option<i128> {
    let real: f64 = word.parse().ok()?;
    let is_exact = real.fract() == 0.0 && real.abs() <= (1u64 << f64::MANTISSA_DIGITS) as f64;
    is_exact.then_some(real as i128)
}
