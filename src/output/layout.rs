//! The run folder's layout: the name of every file in it, and which names are a run's.
//!
//! Names are relative to the folder, with `/`. Frames are numbered from 0, the start, in at
//! least five digits, so that they sort by name and Blender can count through them.

/// What the run is and how far it got; written first, removed last.
pub const MANIFEST: &str = "run.json";
/// The scene as resolved.
pub const SCENE: &str = "scene.ron";
/// A row per frame.
pub const LOG: &str = "log.csv";
/// A row per sample of the probes.
pub const PROBES: &str = "probes.csv";
/// Opens the run in Blender.
pub const BLENDER: &str = "blender.py";
/// ParaView's series of the particles.
pub const PARTICLES_SERIES: &str = "particles.pvd";
/// ParaView's series of the surface.
pub const SURFACE_SERIES: &str = "surface.pvd";
/// ParaView's series of the spray.
pub const SPRAY_SERIES: &str = "spray.pvd";
/// All obstacles, for ParaView.
pub const SOLIDS_SERIES: &str = "solids.pvd";
/// The folders of a run; those of its frames, obstacles and copied meshes.
pub const FOLDERS: [&str; 6] = ["particles", "surface", "spray", "solids", "checkpoints", MESHES];
/// Copies of the scene's meshes.
const MESHES: &str = "meshes";

/// What an unfinished file is called: it gets its name once it is whole.
pub(super) const TEMPORARY: (&str, &str) = (".hashfall-", ".tmp");

/// The particles of a frame.
pub fn particles(frame: u32) -> String {
    format!("particles/particles_{frame:05}.vtp")
}

/// The surface of a frame, in the format with this extension.
pub fn surface(frame: u32, extension: &str) -> String {
    format!("surface/surface_{frame:05}.{extension}")
}

/// The spray of a frame, in the format with this extension.
pub fn spray(frame: u32, extension: &str) -> String {
    format!("spray/spray_{frame:05}.{extension}")
}

/// An obstacle, in the format with this extension.
pub fn obstacle(name: &str, extension: &str) -> String {
    format!("solids/{name}.{extension}")
}

/// The checkpoint after so many steps.
pub fn checkpoint(steps: u64) -> String {
    format!("checkpoints/step_{steps:09}.safetensors")
}

/// After how many steps the checkpoint of this name was made; `None` of other files.
pub(super) fn checkpoint_step(relative: &str) -> Option<u64> {
    let name = relative.strip_prefix("checkpoints/")?;
    let number = name.strip_prefix("step_")?.strip_suffix(".safetensors")?;
    is_number(number, 9).then(|| number.parse().ok()).flatten()
}

/// The number of the frame whose file this is; `None` of other files.
pub(super) fn frame_of(relative: &str) -> Option<u32> {
    let (folder, name) = relative.split_once('/')?;
    if !["particles", "surface", "spray"].contains(&folder) || !is_of_a_run(relative) {
        return None;
    }
    name.strip_prefix(folder)?.strip_prefix('_')?.split('.').next()?.parse().ok()
}

/// The copy of a mesh of the scene.
pub fn mesh(name: &str) -> String {
    format!("{MESHES}/{name}")
}

/// Whether a run writes a file of this name, or left it unfinished. Copies of meshes bear names
/// of the user's; the manifest lists them.
pub(super) fn is_of_a_run(relative: &str) -> bool {
    let (folder, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    match folder {
        "" => {
            let series = [PARTICLES_SERIES, SURFACE_SERIES, SPRAY_SERIES, SOLIDS_SERIES];
            [MANIFEST, SCENE, LOG, PROBES, BLENDER].contains(&name) || series.contains(&name)
        }
        "particles" => is_numbered(name, "particles_", 5, &["vtp"]),
        "surface" => is_numbered(name, "surface_", 5, &["vtp", "ply"]),
        "spray" => is_numbered(name, "spray_", 5, &["vtp", "ply"]),
        "checkpoints" => checkpoint_step(relative).is_some(),
        "solids" => {
            ["spheres.vtp", "spheres.ply"].contains(&name)
                || is_numbered(name, "mesh_", 2, &["vtp", "ply"])
        }
        _ => false,
    }
}

/// Whether a file was left unfinished by a run that was killed.
pub(super) fn is_unfinished(relative: &str) -> bool {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

fn is_numbered(name: &str, stem: &str, digits: usize, extensions: &[&str]) -> bool {
    name.strip_prefix(stem).and_then(|rest| rest.split_once('.')).is_some_and(
        |(number, extension)| is_number(number, digits) && extensions.contains(&extension),
    )
}

/// Whether this is a whole number of at least so many digits.
fn is_number(text: &str, digits: usize) -> bool {
    text.len() >= digits && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_knows_its_own_files_and_no_others() {
        let ours = [
            particles(7),
            surface(123_456, "ply"),
            spray(12, "vtp"),
            obstacle("spheres", "vtp"),
            obstacle("mesh_00", "ply"),
            MANIFEST.into(),
            SOLIDS_SERIES.into(),
            PROBES.into(),
            checkpoint(77),
        ];
        assert!(ours.iter().all(|name| is_of_a_run(name)));
        let others = [
            "particles/particles_00001.vtp.bak",
            "particles/particles_1.vtp",
            "particles/notes.txt",
            "surface/surface_0000x.ply",
            "meshes/column.obj",
            "renders/surface_00001.ply",
            "checkpoints/step_12.safetensors",
            "checkpoints/best.safetensors",
            "scene.ron.old",
            "",
        ];
        assert!(!others.iter().any(|name| is_of_a_run(name)));
        assert_eq!(checkpoint_step(&checkpoint(12_345_678_901)), Some(12_345_678_901));
        assert_eq!(
            [particles(3), surface(123_456, "ply")].map(|name| frame_of(&name)),
            [Some(3), Some(123_456)]
        );
        assert!([obstacle("mesh_00", "ply"), LOG.into()].iter().all(|n| frame_of(n).is_none()));
        assert!(is_unfinished("surface/.hashfall-a1b2.tmp") && !is_unfinished("a.tmp"));
    }
}
