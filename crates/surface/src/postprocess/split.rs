//! A mesh divided in two by the volumes of its components.

use crate::mesh::SurfaceMesh;
use crate::postprocess::components::Components;
use crate::postprocess::smoothing::volume;
use hashfall_core::Attribute;

impl SurfaceMesh {
    /// Splits the mesh in two: the components of at least a volume \[m³\], and the smaller ones,
    /// such as spray. Both keep the order of vertices and triangles.
    pub fn split_by_volume(&self, least: f64) -> (SurfaceMesh, SurfaceMesh) {
        let components = Components::new(&self.triangles, self.positions.len());
        let volumes = volume::component_volumes(&self.positions, &self.triangles, &components);
        let is_large: Vec<bool> = volumes.iter().map(|v| v.abs() >= least).collect();
        let pick = |large: bool| self.pick(|v| is_large[components.at(v)] == large);
        (pick(true), pick(false))
    }

    /// The vertices that `keep` accepts, of whole components, with their triangles.
    pub(crate) fn pick(&self, keep: impl Fn(u32) -> bool) -> SurfaceMesh {
        let kept: Vec<u32> = (0..self.positions.len() as u32).filter(|&v| keep(v)).collect();
        let mut places = vec![0; self.positions.len()];
        kept.iter().enumerate().for_each(|(place, &v)| places[v as usize] = place as u32);
        let all = || kept.iter().map(|&v| v as usize);
        let values =
            |a: &Attribute| Attribute::new(a.name.clone().into_owned(), a.values.at(all()));
        let triangles = self.triangles.iter().filter(|t| keep(t[0]));
        SurfaceMesh {
            positions: all().map(|v| self.positions[v]).collect(),
            normals: all().filter_map(|v| self.normals.get(v).copied()).collect(),
            attributes: self.attributes.iter().map(values).collect(),
            triangles: triangles.map(|t| t.map(|v| places[v as usize])).collect(),
        }
    }
}
