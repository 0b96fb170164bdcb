//! Binary meshes of triangles, as the program writes its surfaces.

use super::cloud::AXES;
use super::head::{Element, Encoding, Head, Property, binary_length};
use crate::array::AttributeFilter;
use crate::cloud::Cloud;
use crate::error::{InputError, Problem};
use crate::numbers::Numbers;
use crate::scanner::Scanner;

/// Reads a mesh of triangles: its vertices, and their indices for each triangle.
pub(crate) fn read_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    let mut scanner = Scanner::new(bytes);
    let head = Head::read(&mut scanner)?;
    let (mut cloud, mut triangles) = (Cloud::default(), Vec::new());
    for element in &head.elements {
        match element.name.as_str() {
            "vertex" => {
                cloud = element.cloud(&mut scanner, head.encoding, AXES, &AttributeFilter::All)?;
            }
            "face" => triangles = element.triangles(&mut scanner, head.encoding)?,
            _ => element.skip(&mut scanner, head.encoding)?,
        }
    }
    let count = cloud.positions.len();
    match triangles.iter().flatten().find(|&&vertex| vertex as usize >= count) {
        None => Ok((cloud, triangles)),
        Some(vertex) => {
            let expected = format!("a vertex below {count}");
            Err(Problem::unexpected(expected, vertex.to_string().as_bytes()).into())
        }
    }
}

impl Element {
    /// Reads all rows as triangles, which are binary lists of three numbers.
    fn triangles(
        &self,
        scanner: &mut Scanner,
        encoding: Encoding,
    ) -> Result<Vec<[u32; 3]>, InputError> {
        let (
            Encoding::Binary(order),
            [Property { length_type: Some(length_type), number_type, .. }],
        ) = (encoding, self.properties.as_slice())
        else {
            let feature = "a mesh in text or with further face properties";
            let instead = "write binary triangles";
            let feature = feature.to_owned();
            return Err(Problem::Unsupported { feature, instead }.at(scanner.place()));
        };
        let row_size = length_type.size() + 3 * number_type.size();
        let rows = scanner.take(self.count.saturating_mul(row_size), "the triangles")?;
        rows.chunks_exact(row_size)
            .map(|row| {
                let (length, vertices) = row.split_at(length_type.size());
                let is_triangle = binary_length(length, *length_type, order) == 3;
                match Numbers::decode(vertices, *number_type, order) {
                    Numbers::Whole(v) if is_triangle => Ok([v[0], v[1], v[2]]),
                    _ => Err(Problem::unexpected("a triangle", row).into()),
                }
            })
            .collect()
    }
}
