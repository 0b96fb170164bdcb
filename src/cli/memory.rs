//! How much memory there is.

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

/// Bytes that are free, as Linux says; of a job with a limit, what is left of that.
pub fn free() -> Option<u64> {
    let of_machine = free_of(&std::fs::read_to_string("/proc/meminfo").ok()?)?;
    Some(left_of_group().map_or(of_machine, |left| left.min(of_machine)))
}

/// What is left of the limit of the group of processes that this one is in (cgroups, version 2),
/// as Slurm and containers set it; none without a limit.
fn left_of_group() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = Path::new("/sys/fs/cgroup").join(own);
    // A limit further up holds as well.
    let groups = folder.ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup"));
    groups.filter_map(left_of).min()
}

/// What is left of the limit of a group.
fn left_of(folder: &Path) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
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
    fn a_group_has_left_what_it_has_not_used() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(left_of(folder.path()), None);
        std::fs::write(folder.path().join("memory.current"), "300\n").unwrap();
        std::fs::write(folder.path().join("memory.max"), "max\n").unwrap();
        assert_eq!(left_of(folder.path()), None);
        std::fs::write(folder.path().join("memory.max"), "1000\n").unwrap();
        assert_eq!(left_of(folder.path()), Some(700));
    }

    #[test]
    fn the_limit_is_the_users_else_half_of_what_is_free() {
        assert_eq!(limit(Some(1.5)), 3 << 29);
        let meminfo = "MemTotal:       24689764 kB\nMemAvailable:     204800 kB\n";
        assert_eq!(free_of(meminfo), Some(200 << 20));
        assert_eq!(free_of("MemFree: 1 kB\n"), None);
    }
}
