//! What a run's scene calls the things of its frames.

use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use hashfall_export::{FluidMaterial, Label};
use hashfall_output::layout::{self, SurfacePart};
use hashfall_preview::colour_map::FLUIDS;
use hashfall_scene::{Checked, SceneNames, SolidName};
use std::collections::BTreeMap;
use std::path::Path;

/// The scene of a run, if it can be read.
pub fn scene(folder: &Path) -> Option<Checked> {
    load::check(&folder.join(layout::SCENE), &[], PathPolicy::NearScene).ok()
}

/// Labels by the names of frames' things, which are those of files. Several fluids have the colours
/// that previews give them.
pub fn labels(names: &SceneNames) -> BTreeMap<String, Label> {
    let mut labels = BTreeMap::new();
    let fluids = &names.fluids;
    let in_files = layout::file_names(fluids.iter().map(String::as_str));
    for (number, (fluid, in_files)) in fluids.iter().zip(&in_files).enumerate() {
        let is_one = fluids.len() == 1;
        let owner = (!is_one).then_some(in_files.as_str());
        let colour = (!is_one).then(|| FLUIDS[number % FLUIDS.len()]);
        let material = Some(FluidMaterial { name: fluid.clone(), colour });
        for (part, title) in
            [(SurfacePart::Surface, fluid.clone()), (SurfacePart::Spray, format!("{fluid} spray"))]
        {
            labels.insert(part.stem(owner), Label { title, material: material.clone() });
        }
    }
    let in_files = layout::file_names(names.elastic.iter().map(String::as_str));
    for (title, in_files) in names.elastic.iter().zip(&in_files) {
        let label = Label { title: title.clone(), material: None };
        labels.insert(SurfacePart::Elastic.stem(Some(in_files)), label);
    }
    let with_balls = names.solids.iter().filter(|solid| solid.has_balls).count();
    for (number, SolidName { name, mesh, has_balls }) in names.solids.iter().enumerate() {
        let Some(title) = name else { continue };
        let alone = match mesh {
            Some(mesh) => Some(layout::mesh_name(*mesh)),
            // All balls that do not move freely are one mesh.
            None => (*has_balls && with_balls == 1).then(|| layout::SPHERES.to_owned()),
        };
        for name in alone.into_iter().chain([layout::body_name(number)]) {
            labels.insert(name, Label { title: title.clone(), material: None });
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(fluids: &[&str], solids: Vec<SolidName>) -> Vec<String> {
        let fluids = fluids.iter().map(|&name| name.to_owned()).collect();
        let names = SceneNames { fluids, elastic: vec!["Seil 1".into()], solids };
        labels(&names).into_iter().map(|(name, it)| format!("{name}: {}", it.title)).collect()
    }

    #[test]
    fn things_are_called_as_in_the_scene() {
        let solid = |name: Option<&str>, mesh: Option<usize>| SolidName {
            name: name.map(str::to_owned),
            mesh,
            has_balls: mesh.is_none(),
        };
        let solids = vec![solid(Some("größe"), Some(0)), solid(None, Some(1))];
        assert_eq!(
            titles(&["wässer 1/2", "öl"], solids),
            [
                "body_00: größe",
                "elastic_Seil_1: Seil 1",
                "mesh_00: größe",
                "spray__l: öl spray",
                "spray_w_sser_1_2: wässer 1/2 spray",
                "surface__l: öl",
                "surface_w_sser_1_2: wässer 1/2",
            ]
        );
        let balls = solid(Some("stones"), None);
        let one = titles(&["oil"], vec![balls.clone()]);
        assert!(one.contains(&"surface: oil".to_owned()), "{one:?}");
        assert!(one.contains(&"spheres: stones".to_owned()), "{one:?}");
        let two = titles(&["oil"], vec![balls.clone(), balls]);
        assert!(!two.iter().any(|it| it.starts_with("spheres")), "{two:?}");
    }
}
