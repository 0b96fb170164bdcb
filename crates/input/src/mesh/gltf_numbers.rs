//! The numbers of glTF's accessors: whether they lie in their buffers, and what they are.

use super::error::MeshError;
use super::gltf_document::fault;
use gltf::Accessor;
use gltf::accessor::{DataType, Dimensions, Item, Iter};
use gltf::buffer::View;

/// The buffers of a file.
pub(super) struct Numbers<'b> {
    pub(super) buffers: &'b [Vec<u8>],
}

impl Numbers<'_> {
    /// Positions of vertices; whole numbers as `KHR_mesh_quantization` has them, which stand for
    /// themselves or, normalised, for parts of the largest (glTF 2.0, § 3.6.2.2).
    pub(super) fn positions(&self, accessor: Accessor) -> Result<Vec<[f64; 3]>, MeshError> {
        let name = format!("accessors[{}]", accessor.index());
        if accessor.dimensions() != Dimensions::Vec3 {
            return Err(fault(format!("`{name}` has no positions: it is no VEC3")));
        }
        match accessor.data_type() {
            DataType::F32 => self.triples::<f32>(accessor, &name, 1.0),
            DataType::I8 => self.triples(accessor, &name, i8::MAX),
            DataType::U8 => self.triples(accessor, &name, u8::MAX),
            DataType::I16 => self.triples(accessor, &name, i16::MAX),
            DataType::U16 => self.triples(accessor, &name, u16::MAX),
            DataType::U32 => Err(fault(format!("`{name}` has no positions: it is of type U32"))),
        }
    }

    /// Triples of numbers, of which `largest` stands for 1 where they are normalised.
    fn triples<T: Copy + Into<f64>>(
        &self,
        accessor: Accessor,
        name: &str,
        largest: T,
    ) -> Result<Vec<[f64; 3]>, MeshError>
    where
        [T; 3]: Item,
    {
        let is_normalised = accessor.normalized();
        let real = |x: T| match is_normalised {
            true => (x.into() / largest.into()).max(-1.0),
            false => x.into(),
        };
        Ok(self.items::<[T; 3]>(accessor, name)?.into_iter().map(|it| it.map(real)).collect())
    }

    /// Numbers of vertices.
    pub(super) fn indices(&self, accessor: Accessor) -> Result<Vec<u32>, MeshError> {
        let name = format!("accessors[{}]", accessor.index());
        match (accessor.dimensions(), accessor.data_type()) {
            (Dimensions::Scalar, DataType::U8) => {
                Ok(self.items::<u8>(accessor, &name)?.into_iter().map(u32::from).collect())
            }
            (Dimensions::Scalar, DataType::U16) => {
                Ok(self.items::<u16>(accessor, &name)?.into_iter().map(u32::from).collect())
            }
            (Dimensions::Scalar, DataType::U32) => self.items(accessor, &name),
            _ => Err(fault(format!("`{name}` has no vertex numbers: they are unsigned scalars"))),
        }
    }

    /// All items of an accessor, once it is known to lie in its buffers.
    fn items<T: Item>(&self, accessor: Accessor, name: &str) -> Result<Vec<T>, MeshError> {
        let (count, size) = (accessor.count(), accessor.size());
        if count == 0 {
            return Err(fault(format!("`{name}` has no items")));
        }
        match accessor.view() {
            Some(view) => self.check(&view, accessor.offset(), count, size, name)?,
            None if accessor.sparse().is_none() => {
                return Err(fault(format!("`{name}` has no `bufferView`")));
            }
            None if count > self.buffers.iter().map(Vec::len).sum() => {
                return Err(fault(format!("`{name}` has more items than its file has bytes")));
            }
            None => {}
        }
        if let Some(sparse) = accessor.sparse() {
            let name = format!("{name}.sparse");
            let (replaced, indices, values) = (sparse.count(), sparse.indices(), sparse.values());
            if replaced == 0 || replaced > count {
                return Err(fault(format!("`{name}` replaces {replaced} of {count} items")));
            }
            let size_of_index = indices.index_type().size();
            self.check(&indices.view(), indices.offset(), replaced, size_of_index, &name)?;
            self.check(&values.view(), values.offset(), replaced, size, &name)?;
        }
        let buffer = |buffer: gltf::Buffer| self.buffers.get(buffer.index()).map(|it| &it[..]);
        let items = Iter::new(accessor, buffer).map(|items| items.collect::<Vec<T>>());
        match items {
            Some(items) if items.len() == count => Ok(items),
            _ => Err(fault(format!("`{name}` does not lie in its buffer"))),
        }
    }

    /// Checks that items from a byte of a view on lie in it, and the view in its buffer.
    fn check(
        &self,
        view: &View,
        offset: usize,
        count: usize,
        size: usize,
        name: &str,
    ) -> Result<(), MeshError> {
        let (index, length) = (view.index(), view.length());
        let there = self.buffers.get(view.buffer().index()).map_or(0, Vec::len);
        if view.offset().checked_add(length).is_none_or(|end| end > there) {
            return Err(fault(format!(
                "`bufferViews[{index}]` reaches beyond its buffer of {there} bytes"
            )));
        }
        let stride = view.stride().unwrap_or(size);
        if stride < size {
            return Err(fault(format!("`bufferViews[{index}].byteStride` is less than {size}")));
        }
        let end = stride.checked_mul(count - 1).and_then(|at| at.checked_add(size));
        match end.and_then(|end| end.checked_add(offset)).is_some_and(|end| end <= length) {
            true => Ok(()),
            false => Err(fault(format!(
                "`{name}` reaches beyond `bufferViews[{index}]` of {length} bytes"
            ))),
        }
    }
}
