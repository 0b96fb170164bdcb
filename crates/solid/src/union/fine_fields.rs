//! The fields of fine meshes: of bodies that share a shape there is one.
//!
//! What a field of a body that moves takes of memory grows with its surface. Bodies of one shape
//! cost no more than one, but of thousands with a shape each the fields could take all there is:
//! shapes of many bodies come first, and those for which [`MAX_BYTES`] do not suffice keep nothing.
//! Which these are depends on the solids and on the support radius alone, as results do.

use crate::integral::MeshField;
use crate::mesh_tree::FineMesh;
use crate::solids::Solids;
use hashfall_core::Real;
use std::collections::HashMap;
use std::sync::Arc;

/// What fields of bodies that move may take of memory, all together, as is expected \[bytes\].
const MAX_BYTES: f64 = 512.0 * 1024.0 * 1024.0;

/// A shape that some bodies have.
struct Shape<'a> {
    fine: &'a FineMesh,
    count: usize,
}

/// By mesh the field of each that is fine.
pub(super) fn shared_fields(
    solids: &Solids,
    meshes: usize,
    support: Real,
) -> Vec<Option<Arc<MeshField>>> {
    let mut numbers: HashMap<*const FineMesh, usize> = HashMap::new();
    let mut shapes: Vec<Shape<'_>> = Vec::new();
    let of_mesh: Vec<Option<usize>> = (0..meshes)
        .map(|mesh| {
            let fine = solids.fine_mesh(mesh)?;
            let number = *numbers.entry(fine).or_insert(shapes.len());
            if number == shapes.len() {
                shapes.push(Shape { fine, count: 0 });
            }
            shapes[number].count += 1;
            Some(number)
        })
        .collect();
    let mut order: Vec<usize> = (0..shapes.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(shapes[number].count));
    let mut fields: Vec<Option<Arc<MeshField>>> = vec![None; shapes.len()];
    let mut bytes = 0.0;
    for number in order {
        let fine = shapes[number].fine;
        // Of one that stands: none, as it holds no triangles itself.
        let more = MeshField::expected_bytes(fine.own_area(), support);
        let is_kept = bytes + more <= MAX_BYTES;
        bytes += if is_kept { more } else { 0.0 };
        let field = match fine.own.is_empty() {
            true => MeshField::new(&fine.tree, support),
            false => MeshField::refined(&fine.tree, support).kept_if(is_kept),
        };
        fields[number] = Some(Arc::new(field));
    }
    of_mesh.into_iter().map(|number| fields[number?].clone()).collect()
}
