//! How much memory there is for frames side by side.

use std::path::Path;

/// Where a system does not tell what is free.
const USUAL_LIMIT: u64 = 4 << 30;
const GIB: f64 = (1u64 << 30) as f64;

/// Bytes that frames side by side may take: as many GiB as the user says, else half of what is
/// free.
pub fn limit(asked: Option<f64>) -> u64 {
    match asked {
        Some(gib) => (gib * GIB) as u64,
        None => free().map_or(USUAL_LIMIT, |free| free / 2),
    }
}

/// What Linux says is free.
fn free() -> Option<u64> {
    free_of(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn free_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// The length of a file; of one that cannot be read, none.
pub fn file_length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_users_else_half_of_what_is_free() {
        assert_eq!(limit(Some(1.5)), 3 << 29);
        let meminfo = "MemTotal:       24689764 kB\nMemAvailable:     204800 kB\n";
        assert_eq!(free_of(meminfo), Some(200 << 20));
        assert_eq!(free_of("MemFree: 1 kB\n"), None);
    }
}
