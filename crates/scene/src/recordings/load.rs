//! Loads the recorded motions of a scene into its model, and names the copies that a run keeps.

use super::read::read;
use crate::meshes::{MeshFile, Meshes};
use crate::model::{BodyMotion, Model};
use crate::problem::Problem;
use crate::text::diagnostic::Diagnostic;
use hashfall_core::Dimension;
use hashfall_solid::Recording;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::Arc;

/// The files of all recorded motions, each once, as the scene names them.
pub fn paths(model: &Model) -> BTreeSet<String> {
    let path = |(_, motion): (String, &BodyMotion)| match motion {
        BodyMotion::Table { path, .. } => Some(path.clone()),
        _ => None,
    };
    model.motions().filter_map(path).collect()
}

/// Reads every recorded motion; faults inside the files are returned, others are problems of the
/// scene. Copies and their names go to those of the meshes.
pub fn load(
    model: &mut Model,
    meshes: &mut Meshes,
    read_file: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let is_plane = model.dimensions == Dimension::Two;
    // By path: the motion, and the path of the copy.
    let mut loaded: HashMap<String, Option<(Arc<Recording>, String)>> = HashMap::new();
    for (key, motion) in model.motions_mut() {
        let BodyMotion::Table { path, axis, recording, .. } = motion else { continue };
        if path.trim().is_empty() {
            continue;
        }
        let read = loaded.entry(path.clone()).or_insert_with(|| match read_file(path) {
            Ok(bytes) => {
                let result = read(path, &bytes);
                let name = meshes.unique_names.give(path);
                let copy = format!("meshes/{name}");
                meshes.files.push(MeshFile { name, bytes });
                result.map_err(|fault| faults.push(*fault)).ok().map(|it| (Arc::new(it), copy))
            }
            Err(error) => {
                let message = format!("cannot read the table of a motion `{path}`: {error}");
                let is_missing = error.kind() == io::ErrorKind::NotFound;
                let help = if is_missing { "paths are relative to the scene file" } else { "" };
                meshes.problems.push(Problem::error(format!("{key}.path"), message, help));
                None
            }
        });
        if let Some((motion, copy)) = read {
            if is_plane && motion.has_y() {
                let message = "a motion out of the plane: `y` of the table is not 0";
                let problem = Problem::error(format!("{key}.path"), message, "0 in that column");
                meshes.problems.push(problem.also_at("dimensions"));
            }
            if is_plane && motion.has_turn() && (axis[0] != 0.0 || axis[2] != 0.0) {
                let message = "a rotation out of the plane";
                let problem = Problem::error(format!("{key}.axis"), message, "(0.0, 1.0, 0.0)");
                meshes.problems.push(problem.also_at("dimensions"));
            }
            *recording = Some(motion.clone());
            meshes.recordings.push(copy.clone());
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use crate::{Source, prepare};

    const ROLL: &str = "time,x,degrees\n0.0,0.0,0.0\n0.1,0.02,3.0\n0.2,0.05,0.0\n";

    /// A scene of two boxes that move by these tables.
    fn scene(dimensions: &str, tables: [&str; 2]) -> Source {
        let solid = |path: &str| {
            let motion = format!("Table(path: \"{path}\", axis: (0, 1, 0), pivot: (1, 0, 1))");
            format!("Box(min: (0.6, 0, 0), max: (0.7, 0, 0.3), motion: {motion})")
        };
        let [a, b] = tables.map(solid);
        let text = format!(
            "Scene(
            frames: (count: 1, rate: 10.0), dimensions: {dimensions},
            domain: Box(min: (0, 0, 0), max: (2, 0, 2)), particle_radius: 0.05,
            fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
                Box(min: (0, 0, 0), max: (0.4, 0, 0.2)),
            ])],
            solids: [{a}, {b}],
        )"
        );
        Source { name: "roll.ron".into(), text }
    }

    #[test]
    fn bodies_follow_the_table_and_the_run_keeps_a_copy() {
        let source = scene("Two", ["a/roll.csv", "b/roll.csv"]);
        let scene = prepare(&source, &[], &mut |_| Ok(ROLL.into())).unwrap();
        let names: Vec<&str> = scene.meshes.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["roll.csv", "roll-2.csv"]);
        for name in names {
            assert!(scene.resolved.contains(&format!("\"meshes/{name}\"")), "{}", scene.resolved);
        }
        let mut solids = scene.world.solids;
        solids.begin_step(0.1, 0.1);
        solids.move_bodies();
        solids.end_step();
        let state = solids.body_state(1).unwrap();
        assert!((state.position.x - 1.02).abs() < 1e-12);
        assert!((state.orientation.matrix()[(0, 2)] - 3f64.to_radians().sin()).abs() < 1e-12);
    }

    #[test]
    fn faults_are_shown_in_the_table_or_at_its_path() {
        let message = |csv: std::io::Result<&str>| {
            let mut csv = Some(csv.map(|text| text.as_bytes().to_vec()));
            let mut read = |_: &str| csv.take().unwrap();
            let faults = prepare(&scene("Two", ["r.csv", "r.csv"]), &[], &mut read).unwrap_err();
            faults[0].to_string()
        };
        let broken = message(Ok("time,x\n0,0\n1,one\n"));
        assert!(broken.starts_with("r.csv:3:3: ") && broken.contains("`one`"), "{broken}");
        let missing = message(Err(std::io::ErrorKind::NotFound.into()));
        assert!(missing.starts_with("roll.ron:7:"), "{missing}");
        let beside = message(Ok("time,y\n0,0\n1,1\n"));
        assert!(beside.contains("out of the plane"), "{beside}");
    }
}
