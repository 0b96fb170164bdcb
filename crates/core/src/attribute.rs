//! What particles or vertices carry besides their places: named values, one each.

use super::{Real, Vec3};
use std::borrow::Cow;

/// Named values, one for each particle or vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute<'a> {
    /// The name in files, such as `velocity`.
    pub name: Cow<'a, str>,
    /// The values.
    pub values: Values<'a>,
}

/// The values of an [`Attribute`].
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'a> {
    /// Numbers, such as densities.
    Scalars(Cow<'a, [Real]>),
    /// Vectors, such as velocities.
    Vectors(Cow<'a, [Vec3]>),
    /// Numbers that name something, such as an id or a fluid: between two there is nothing.
    Labels(Cow<'a, [u32]>),
    /// Whole numbers as labels, for values outside the range of `u32`. Files have them of up to 64
    /// bits, signed or not; `i128` holds all of these exactly.
    Integers(Cow<'a, [i128]>),
}

/// Whether an attribute has the name of an array, or that of one of its components: `ARRAY_0` …
pub fn is_named_after(attribute: &str, array: &str) -> bool {
    let component = attribute.strip_prefix(array).and_then(|rest| rest.strip_prefix('_'));
    let is_number =
        |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    attribute == array || component.is_some_and(is_number)
}

impl<'a> Attribute<'a> {
    /// An attribute of this name.
    pub fn new(name: impl Into<Cow<'a, str>>, values: Values<'a>) -> Self {
        Attribute { name: name.into(), values }
    }

    /// Borrowed vectors under a name.
    pub fn vectors(name: &'a str, vectors: &'a [Vec3]) -> Self {
        Attribute::new(name, Values::Vectors(vectors.into()))
    }

    /// Borrowed numbers under a name.
    pub fn scalars(name: &'a str, scalars: &'a [Real]) -> Self {
        Attribute::new(name, Values::Scalars(scalars.into()))
    }
}

impl Values<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Scalars(scalars) => scalars.len(),
            Values::Vectors(vectors) => vectors.len(),
            Values::Labels(labels) => labels.len(),
            Values::Integers(integers) => integers.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values have a part that is not finite.
    pub fn count_invalid(&self) -> usize {
        match self {
            Values::Scalars(scalars) => scalars.iter().filter(|x| !x.is_finite()).count(),
            Values::Vectors(vectors) => {
                vectors.iter().filter(|v| v.iter().any(|x| !x.is_finite())).count()
            }
            Values::Labels(_) | Values::Integers(_) => 0,
        }
    }

    /// Adds the values of others; false, and nothing done, if they are of another kind.
    pub fn append(&mut self, others: Values) -> bool {
        match (self, others) {
            (Values::Scalars(all), Values::Scalars(others)) => all.to_mut().extend(&*others),
            (Values::Vectors(all), Values::Vectors(others)) => all.to_mut().extend(&*others),
            (Values::Labels(all), Values::Labels(others)) => all.to_mut().extend(&*others),
            (Values::Integers(all), Values::Integers(others)) => all.to_mut().extend(&*others),
            (Values::Integers(all), Values::Labels(others)) => {
                all.to_mut().extend(others.iter().copied().map(i128::from));
            }
            (all @ Values::Labels(_), Values::Integers(others)) => {
                let Values::Labels(labels) = &*all else { return false };
                let mut integers: Vec<i128> = labels.iter().copied().map(i128::from).collect();
                integers.extend(&*others);
                *all = Values::Integers(integers.into());
            }
            _ => return false,
        }
        true
    }

    /// The values at these indices, in their order.
    pub fn at(&self, indices: impl Iterator<Item = usize>) -> Values<'static> {
        match self {
            Values::Scalars(scalars) => {
                Values::Scalars(indices.map(|i| scalars[i]).collect::<Vec<_>>().into())
            }
            Values::Vectors(vectors) => {
                Values::Vectors(indices.map(|i| vectors[i]).collect::<Vec<_>>().into())
            }
            Values::Labels(labels) => {
                Values::Labels(indices.map(|i| labels[i]).collect::<Vec<_>>().into())
            }
            Values::Integers(integers) => {
                Values::Integers(indices.map(|i| integers[i]).collect::<Vec<_>>().into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_checked_and_picked() {
        let scalars = Values::Scalars([1.0, Real::NAN, 3.0].as_slice().into());
        assert_eq!((scalars.len(), scalars.count_invalid(), scalars.is_empty()), (3, 1, false));
        assert_eq!(scalars.at([2, 0].into_iter()), Values::Scalars(vec![3.0, 1.0].into()));
        let broken = Vec3::new(0.0, Real::INFINITY, Real::NAN);
        let vectors = Values::Vectors(vec![Vec3::zeros(), broken].into());
        assert_eq!((vectors.count_invalid(), vectors.len()), (1, 2));
        let labels = Values::Labels(vec![7, 8].into());
        assert_eq!(labels.at(std::iter::once(1)), Values::Labels(vec![8].into()));
        assert_eq!(labels.count_invalid(), 0);
        assert!(Values::Labels(Vec::new().into()).is_empty());
        let integers = Values::Integers(vec![-1, 1 << 40].into());
        assert_eq!((integers.len(), integers.count_invalid()), (2, 0));
        assert_eq!(integers.at([1].into_iter()), Values::Integers(vec![1 << 40].into()));
    }

    #[test]
    fn values_of_one_kind_are_joined_and_labels_become_integers_where_they_must() {
        let mut all = Values::Labels(vec![7].into());
        assert!(all.append(Values::Labels(vec![8].into())));
        assert!(all.append(Values::Integers(vec![-1].into())));
        assert!(all.append(Values::Labels(vec![9].into())));
        assert_eq!(all, Values::Integers(vec![7, 8, -1, 9].into()));
        assert!(!all.append(Values::Scalars(vec![0.5].into())));
        assert_eq!(all.len(), 4);
    }
}
