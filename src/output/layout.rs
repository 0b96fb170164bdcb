//! The run folder's layout: the name of every file in it, and which names are a run's.
//!
//! Names are relative to the folder, with `/`. Frames are numbered from 0, the start, in at
//! least five digits, so that they sort by name and Blender can count through them. Where several
//! fluids have a mesh each, its name is part of the file's.

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
/// All obstacles, for ParaView.
pub const SOLIDS_SERIES: &str = "solids.pvd";
/// The folders of a run; those of its frames, obstacles and copied meshes.
pub const FOLDERS: [&str; 5] = ["particles", "surface", "spray", "solids", MESHES];
/// Copies of the scene's meshes.
const MESHES: &str = "meshes";

/// What an unfinished file is called: it gets its name once it is whole.
pub(super) const TEMPORARY: (&str, &str) = (".hashfall-", ".tmp");

/// The particles of a frame.
pub fn particles(frame: u32) -> String {
    format!("particles/particles_{frame:05}.vtp")
}

/// The surfaces of a run, or its spray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All bodies, or those that are large enough.
    Surface,
    /// The smaller ones.
    Spray,
}

impl Part {
    const ALL: [Part; 2] = [Part::Surface, Part::Spray];

    /// What its folder, files and series are called.
    fn name(self) -> &'static str {
        match self {
            Part::Surface => "surface",
            Part::Spray => "spray",
        }
    }

    /// The mesh of a frame, in the format with this extension; of one of several fluids by its
    /// [name](fluid_names).
    pub fn mesh(self, fluid: Option<&str>, frame: u32, extension: &str) -> String {
        let name = self.name();
        let fluid = fluid.map(|fluid| format!("_{fluid}")).unwrap_or_default();
        format!("{name}/{name}{fluid}_{frame:05}.{extension}")
    }

    /// ParaView's series of the meshes.
    pub fn series(self, fluid: Option<&str>) -> String {
        let fluid = fluid.map(|fluid| format!("_{fluid}")).unwrap_or_default();
        format!("{}{fluid}.pvd", self.name())
    }
}

/// What fluids of these names are called in names of files: alike, but for characters that a file
/// system may not take, and each other than those before.
pub fn fluid_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let longer = (2..).map(|n| format!("{plain}_{n}"));
        let is_free = |name: &String| !taken.iter().any(|other| other.eq_ignore_ascii_case(name));
        taken.extend([plain.clone()].into_iter().chain(longer).find(is_free));
    }
    taken
}

/// An obstacle, in the format with this extension.
pub fn obstacle(name: &str, extension: &str) -> String {
    format!("solids/{name}.{extension}")
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
            let is_series = |part: Part| {
                let fluid = name.strip_prefix(part.name()).and_then(|n| n.strip_suffix(".pvd"));
                fluid.is_some_and(|fluid| fluid.is_empty() || is_of_fluid(fluid))
            };
            [MANIFEST, SCENE, LOG, PROBES, BLENDER, PARTICLES_SERIES, SOLIDS_SERIES].contains(&name)
                || Part::ALL.into_iter().any(is_series)
        }
        "particles" => is_numbered(name, "particles_", 5, &["vtp"]),
        "surface" | "spray" => name.strip_prefix(folder).is_some_and(|rest| {
            let (fluid, _) = rest.rsplit_once('_').unwrap_or_default();
            let number = rest.strip_prefix(fluid).unwrap_or_default();
            (fluid.is_empty() || is_of_fluid(fluid)) && is_numbered(number, "_", 5, &["vtp", "ply"])
        }),
        "solids" => {
            ["spheres.vtp", "spheres.ply"].contains(&name)
                || is_numbered(name, "mesh_", 2, &["vtp", "ply"])
        }
        _ => false,
    }
}

/// Whether a part of a name is that of a fluid, after its line.
fn is_of_fluid(part: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    part.strip_prefix('_').is_some_and(|fluid| !fluid.is_empty() && fluid.bytes().all(is_plain))
}

/// Whether a file was left unfinished by a run that was killed.
pub(super) fn is_unfinished(relative: &str) -> bool {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

fn is_numbered(name: &str, stem: &str, digits: usize, extensions: &[&str]) -> bool {
    name.strip_prefix(stem).and_then(|rest| rest.split_once('.')).is_some_and(
        |(number, extension)| {
            number.len() >= digits
                && number.bytes().all(|b| b.is_ascii_digit())
                && extensions.contains(&extension)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_knows_its_own_files_and_no_others() {
        let ours = [
            particles(7),
            Part::Surface.mesh(None, 123_456, "ply"),
            Part::Spray.mesh(None, 12, "vtp"),
            Part::Surface.mesh(Some("oil_2"), 7, "vtp"),
            Part::Spray.series(Some("oil_2")),
            Part::Surface.series(None),
            obstacle("spheres", "vtp"),
            obstacle("mesh_00", "ply"),
            MANIFEST.into(),
            SOLIDS_SERIES.into(),
            PROBES.into(),
        ];
        assert!(ours.iter().all(|name| is_of_a_run(name)));
        let others = [
            "particles/particles_00001.vtp.bak",
            "particles/particles_1.vtp",
            "particles/notes.txt",
            "surface/surface_0000x.ply",
            "meshes/column.obj",
            "renders/surface_00001.ply",
            "surface/surface__00001.ply",
            "surface/surface_oil 2_00001.ply",
            "surface/surfaces_00001.ply",
            "surface_.pvd",
            "surfaces.pvd",
            "scene.ron.old",
            "",
        ];
        assert!(!others.iter().any(|name| is_of_a_run(name)));
        let names = fluid_names(["oil", "fresh water", "Fresh/Water", "öl", "oil"]);
        assert_eq!(names, ["oil", "fresh_water", "Fresh_Water_2", "_l", "oil_2"]);
        assert!(is_unfinished("surface/.hashfall-a1b2.tmp") && !is_unfinished("a.tmp"));
    }
}
