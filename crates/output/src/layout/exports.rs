//! Files of exports, in a folder for each format: of a frame, or of all.

/// The folder of a run's exports.
pub const EXPORTS: &str = "export";
/// The formats of exports, and how their files end.
const FORMATS: [(&str, &str); 5] =
    [("usd", "usda"), ("vtkhdf", "vtkhdf"), ("vdb", "vdb"), ("gltf", "glb"), ("alembic", "abc")];
/// What files may be called, before the number of a frame.
const WHOLE: [&str; 7] = ["run", "manifest", "frame", "particles", "foam", "solids", "bodies"];
/// What files of meshes may be called, before the name of one of several.
const MESHES: [&str; 4] = ["surface", "spray", "elastic", "moving"];

/// Whether this is a file of the exports.
pub fn is_export(relative: &str) -> bool {
    let Some((folder, name)) = relative.rsplit_once('/') else { return false };
    let Some((stem, extension)) = name.split_once('.') else { return false };
    let is_format = |(format, end): &(&str, &str)| {
        let own = folder.strip_prefix(EXPORTS).and_then(|rest| rest.strip_prefix('/'));
        own == Some(format) && extension == *end
    };
    let frame = stem.rsplit_once('_').filter(|(_, number)| is_frame(number));
    let stem = frame.map_or(stem, |(stem, _)| stem);
    let is_mesh = |mesh: &&'static str| {
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        let owner = stem.strip_prefix(*mesh);
        owner.is_some_and(|it| it.is_empty() || it.starts_with('_') && it.bytes().all(is_plain))
    };
    let is_known = WHOLE.contains(&stem) || MESHES.iter().any(is_mesh);
    is_known && FORMATS.iter().any(is_format)
}

/// Whether this is the number of a frame.
fn is_frame(number: &str) -> bool {
    number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_export;

    #[test]
    fn exports_are_told_by_their_names() {
        for name in [
            "export/usd/run.usda",
            "export/usd/frame_00012.usda",
            "export/vdb/surface_oil_2_00012.vdb",
            "export/vtkhdf/elastic_cloth.vtkhdf",
            "export/vtkhdf/moving.vtkhdf",
            "export/alembic/run.abc",
        ] {
            assert!(is_export(name), "{name}");
        }
        for name in [
            "export/usd/shot.usda",
            "export/usd/frame_1.usda",
            "export/usd/surfaces.usda",
            "export/usd/run.abc",
            "export/run.usda",
            "exports/usd/run.usda",
            "run.usda",
        ] {
            assert!(!is_export(name), "{name}");
        }
    }
}
