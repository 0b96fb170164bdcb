//! The arrays that a checkpoint is made of, as tensors of the safetensors format.

use crate::formats::little_endian::Scalar;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Point;
use hashfall_solid::BodyState;
use safetensors::tensor::{Dtype, View};
use std::borrow::Cow;

/// The type of the state's numbers in the file.
pub const REAL: Dtype = if size_of::<Real>() == 4 { Dtype::F32 } else { Dtype::F64 };

/// Values to be written into a file.
pub enum Array<'a> {
    Vectors(&'a [Vec3]),
    Reals(&'a [Real]),
    Ids(&'a [u32]),
    Bytes(&'a [u8]),
    Bodies(&'a [[f64; BodyState::LENGTH]]),
    Points(&'a [Point]),
}

impl Array<'_> {
    fn shape(&self) -> Vec<usize> {
        match self {
            Array::Vectors(vectors) => vec![vectors.len(), 3],
            Array::Reals(reals) => vec![reals.len()],
            Array::Ids(ids) => vec![ids.len()],
            Array::Bytes(bytes) => vec![bytes.len()],
            Array::Bodies(bodies) => vec![bodies.len(), BodyState::LENGTH],
            Array::Points(points) => vec![points.len(), 3],
        }
    }
}

/// An array with its shape; only one of them is held as bytes at a time.
pub struct Tensor<'a> {
    shape: Vec<usize>,
    array: Array<'a>,
}

impl<'a> From<Array<'a>> for Tensor<'a> {
    fn from(array: Array<'a>) -> Self {
        Tensor { shape: array.shape(), array }
    }
}

impl View for Tensor<'_> {
    fn dtype(&self) -> Dtype {
        match self.array {
            Array::Vectors(_) | Array::Reals(_) => REAL,
            Array::Ids(_) => Dtype::U32,
            Array::Bytes(_) => Dtype::U8,
            Array::Bodies(_) | Array::Points(_) => Dtype::F64,
        }
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let mut bytes = Vec::with_capacity(self.data_len());
        match self.array {
            Array::Vectors(vectors) => {
                vectors.iter().flat_map(|v| [v.x, v.y, v.z]).for_each(|x| x.put(&mut bytes));
            }
            Array::Reals(reals) => reals.iter().for_each(|x| x.put(&mut bytes)),
            Array::Ids(ids) => ids.iter().for_each(|id| id.put(&mut bytes)),
            Array::Bytes(bytes) => return bytes.into(),
            Array::Bodies(bodies) => bodies.iter().flatten().for_each(|x| x.put(&mut bytes)),
            Array::Points(points) => {
                points.iter().flat_map(|p| [p.x, p.y, p.z]).for_each(|x| x.put(&mut bytes));
            }
        }
        bytes.into()
    }

    fn data_len(&self) -> usize {
        self.shape.iter().product::<usize>() * self.dtype().bitsize() / 8
    }
}
