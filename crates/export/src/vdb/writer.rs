//! A file for each frame and surface: its level set, and its velocities.

use super::file::{GridHead, VdbFile};
use super::level_set::{HALF_WIDTH, LevelSet, level_set};
use super::tree::{Leaf, Tree};
use crate::format::{Format, Options, Target, Writer};
use crate::frame::{Frame, FramePart, Mesh, Run, bounds};
use std::io;

/// OpenVDB: `surface_00000.vdb` and so on, with the grids `surface` and `velocity`.
pub struct Vdb;

impl Format for Vdb {
    fn name(&self) -> &'static str {
        "vdb"
    }

    fn parts(&self) -> &'static [FramePart] {
        &[FramePart::Surface, FramePart::Spray]
    }

    fn has_voxels(&self) -> bool {
        true
    }

    fn writer(&self, run: &Run, options: &Options) -> Box<dyn Writer> {
        Box::new(Volumes { program: run.program.clone(), options: *options })
    }
}

/// Voxels along the longest side of a mesh, at the most.
const MAX_VOXELS: f64 = 16384.0;
/// Voxels from the origin to a place, at the most: numbers of blocks have 21 bits.
const MAX_PLACE: f64 = 8.0e6;

/// The least edge of a voxel for a mesh with these vertices \[m\]; none if there are none.
fn least_voxel(vertices: &[[f32; 3]]) -> Option<f64> {
    let [min, max] = bounds(vertices).map(|corner| corner.map(f64::from));
    let side = (0..3).map(|k| max[k] - min[k]).fold(0.0, f64::max);
    let place = (0..3).map(|k| max[k].max(-min[k])).fold(0.0, f64::max);
    (!vertices.is_empty()).then(|| (side / MAX_VOXELS).max(place / MAX_PLACE))
}

struct Volumes {
    program: String,
    options: Options,
}

impl Writer for Volumes {
    fn add(&mut self, frame: &Frame, target: &mut dyn Target) -> io::Result<()> {
        for mesh in frame.meshes.iter().filter(|mesh| Vdb.parts().contains(&mesh.part)) {
            let name = format!("{}_{:05}.vdb", mesh.name, frame.number);
            let bytes = self.file(mesh, frame.number)?;
            target.put(&name, &bytes)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _: &mut dyn Target) -> io::Result<()> {
        Ok(())
    }
}

impl Volumes {
    /// The file of a mesh.
    fn file(&self, mesh: &Mesh, frame: u32) -> io::Result<Vec<u8>> {
        let voxel = self.options.voxel;
        let scaled = |x: &[f32; 3]| x.map(|x| f64::from(x) / voxel);
        let vertices: Vec<[f64; 3]> = mesh.points.positions.iter().map(scaled).collect();
        let refuse = |why: String| {
            let why = format!("`{}` of frame {frame} {why}", mesh.name);
            io::Error::new(io::ErrorKind::InvalidData, why)
        };
        if let Some(least) = least_voxel(&mesh.points.positions).filter(|least| voxel < *least) {
            let why = format!("is too large for voxels of {voxel} m: take {least:.3e} m or more");
            return Err(refuse(why));
        }
        let velocities = mesh.points.vectors("velocity");
        let open = |_| refuse("is not closed: it has no inside".to_owned());
        let LevelSet { blocks, rows } =
            level_set(&vertices, &mesh.triangles, velocities).map_err(open)?;
        let is_inside = |place: [i64; 3]| rows.is_inside(place);
        let leaf = |block: &super::level_set::Block| {
            let is_outside = |k: usize| block.distances[k] > 0.0;
            Leaf {
                origin: block.origin,
                active: block.mask,
                values: block.distances.iter().map(|d| [(f64::from(*d) * voxel) as f32]).collect(),
                outside: std::array::from_fn(|word| {
                    (0..64).fold(0, |bits, k| bits | u64::from(is_outside(64 * word + k)) << k)
                }),
            }
        };
        let distances: Vec<Leaf<1>> = blocks.iter().map(leaf).collect();
        let Options { level, half: is_half, .. } = self.options;
        let background = [(HALF_WIDTH * voxel) as f32];
        let tree = Tree { background, leaves: &distances, is_inside: &is_inside, level, is_half };
        // The same file for the same run and frame: what tells it from others is no chance.
        let identity = u128::from(frame) << 64 | mesh.triangles.len() as u128;
        let grids = if velocities.is_some() { 2 } else { 1 };
        let mut file = VdbFile::new(&self.program, identity, grids);
        file.add(&GridHead { name: "surface", metadata: &[("class", "level set")], voxel }, &tree);
        if velocities.is_some() {
            let leaf = |block: super::level_set::Block| Leaf {
                origin: block.origin,
                active: block.mask,
                values: block.velocities,
                outside: [u64::MAX; 8],
            };
            let leaves: Vec<Leaf<3>> = blocks.into_iter().map(leaf).collect();
            let (background, is_inside) = ([0.0; 3], |_| false);
            let tree = Tree { background, leaves: &leaves, is_inside: &is_inside, level, is_half };
            let metadata = [("class", "unknown"), ("vector_type", "contravariant relative")];
            file.add(&GridHead { name: "velocity", metadata: &metadata, voxel }, &tree);
        }
        Ok(file.into_bytes())
    }
}
