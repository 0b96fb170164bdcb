//! Which files of a run show what in which frame.

use hashfall_export::Part;
use std::collections::BTreeMap;

/// Extensions of files of points and of meshes, the best first.
const POINTS: [&str; 3] = ["vtp", "ply", "vtk"];
const MESHES: [&str; 2] = ["ply", "vtp"];

/// What a file shows: a part, and which of several things that is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shown {
    pub part: Part,
    pub name: String,
}

/// The files of a run by what they show.
#[derive(Debug, Default)]
pub struct FrameFiles {
    /// Of each frame.
    pub frames: BTreeMap<u32, BTreeMap<Shown, String>>,
    /// Of what stands, and of bodies.
    pub still: BTreeMap<Shown, String>,
}

impl FrameFiles {
    /// Sorts the files of a run, named relative to its folder.
    pub fn new(names: impl IntoIterator<Item = String>) -> FrameFiles {
        let mut files = FrameFiles::default();
        for name in names {
            let Some((shown, frame)) = classify(&name) else { continue };
            let place = match frame {
                Some(frame) => files.frames.entry(frame).or_default().entry(shown),
                None => files.still.entry(shown),
            };
            let held = place.or_insert_with(|| name.clone());
            if rank(&name) < rank(held) {
                *held = name;
            }
        }
        files
    }

    /// Whether some frame, or what stands, has a part.
    pub fn has(&self, part: Part) -> bool {
        let mut moving = self.frames.values().flat_map(BTreeMap::keys);
        moving.any(|shown| shown.part == part) || self.still.keys().any(|it| it.part == part)
    }
}

/// What a file shows, and the number of its frame, if it is of one.
fn classify(file: &str) -> Option<(Shown, Option<u32>)> {
    let (folder, name) = file.split_once('/')?;
    let (stem, extension) = name.split_once('.')?;
    let numbered = stem.rsplit_once('_').and_then(|(stem, number)| {
        let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
        Some((stem, is_number.then(|| number.parse().ok())??))
    });
    let part = match (folder, stem.get(..5)) {
        ("particles", _) => Part::Particles,
        ("foam", _) => Part::Foam,
        ("surface", _) => Part::Surface,
        ("spray", _) => Part::Spray,
        ("elastic", _) => Part::Elastic,
        ("solids", Some("body_")) => Part::Bodies,
        ("solids", _) => Part::Solids,
        _ => return None,
    };
    let known: &[&str] = if is_cloud(part) { &POINTS } else { &MESHES };
    if !known.contains(&extension) {
        return None;
    }
    let shown = |name: &str| Shown { part, name: name.to_owned() };
    match (part, numbered) {
        // `bodies_00012` has poses, `mesh_10000` is the mesh of that number.
        (Part::Solids, Some(("bodies", _))) => None,
        (Part::Solids, Some(("mesh", _))) => Some((shown(stem), None)),
        (Part::Bodies, _) => Some((shown(stem), None)),
        (_, Some((name, frame))) => Some((shown(name), Some(frame))),
        (Part::Solids, None) => Some((shown(stem), None)),
        _ => None,
    }
}

/// Whether a part is of points, not of meshes.
pub fn is_cloud(part: Part) -> bool {
    matches!(part, Part::Particles | Part::Foam)
}

/// The place of a file's format among those of its part.
fn rank(file: &str) -> usize {
    let is_cloud = ["particles/", "foam/"].iter().any(|folder| file.starts_with(folder));
    let known: &[&str] = if is_cloud { &POINTS } else { &MESHES };
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    known.iter().position(|it| *it == extension).unwrap_or(known.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_names() {
        let names = [
            "particles/particles_00007.ply",
            "particles/particles_00007.vtp",
            "particles/particles_00007.bgeo",
            "surface/surface_oil_2_00007.vtp",
            "surface/surface_oil_2_00007.ply",
            "solids/mesh_00.ply",
            "solids/mesh_10000.ply",
            "solids/mesh_01_00007.vtp",
            "solids/spheres.ply",
            "solids/body_02.ply",
            "solids/body_10000.ply",
            "solids/bodies_00007.vtp",
            "foam/foam_00008.vtp",
            "run.json",
            "surface/notes.ply",
        ];
        let files = FrameFiles::new(names.map(str::to_owned));
        let list = |files: &BTreeMap<Shown, String>| -> Vec<String> {
            files.iter().map(|(it, file)| format!("{} {} {file}", it.part, it.name)).collect()
        };
        assert_eq!(
            list(&files.frames[&7]),
            [
                "particles particles particles/particles_00007.vtp",
                "surface surface_oil_2 surface/surface_oil_2_00007.ply",
                "solids mesh_01 solids/mesh_01_00007.vtp",
            ]
        );
        assert_eq!(list(&files.frames[&8]), ["foam foam foam/foam_00008.vtp"]);
        assert_eq!(
            list(&files.still),
            [
                "solids mesh_00 solids/mesh_00.ply",
                "solids mesh_10000 solids/mesh_10000.ply",
                "solids spheres solids/spheres.ply",
                "bodies body_02 solids/body_02.ply",
                "bodies body_10000 solids/body_10000.ply",
            ]
        );
        assert!(files.has(Part::Foam) && !files.has(Part::Elastic));
    }
}
