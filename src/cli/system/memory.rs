//! Free memory.

use crate::cli::system::memory_limits;
use hashfall_output::machine;
use std::path::Path;

/// The limit where free memory is unknown \[bytes\].
const DEFAULT_LIMIT: u64 = 4 << 30;
const GIB: f64 = (1u64 << 30) as f64;

/// Memory for frames that are processed in parallel: the user's limit in GiB, else half of the free
/// memory \[bytes\].
pub fn limit(requested: Option<f64>) -> u64 {
    match requested {
        Some(gib) => (gib * GIB) as u64,
        None => free().map_or(DEFAULT_LIMIT, |free| free / 2),
    }
}

/// Free memory of the machine; on Linux also below the limits of the process and of its control
/// groups \[bytes\].
pub fn free() -> Option<u64> {
    free_of(Path::new("/"))
}

/// As [`free`], with the folder `/` somewhere else.
fn free_of(root: &Path) -> Option<u64> {
    let meminfo = std::fs::read_to_string(root.join("proc/meminfo")).ok();
    let free = machine::free_memory(meminfo.as_deref());
    free.into_iter().chain(memory_limits::remaining(root)).min()
}

/// The length of a file; 0 if it cannot be read \[bytes\].
pub fn file_length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_users_else_half_of_what_is_free() {
        assert_eq!(limit(Some(1.5)), 3 << 29);
        assert!(limit(None) > 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn of_the_machine_and_the_limits_the_least_is_free() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(free_of(root.path()), None);
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(root.path().join("proc/self")).unwrap();
            std::fs::write(root.path().join("proc").join(name), text).unwrap();
        };
        write("meminfo", "MemTotal:       24689764 kB\nMemAvailable:     204800 kB\n");
        assert_eq!(free_of(root.path()), Some(200 << 20));
        write("self/limits", "Max address space         314572800  unlimited  bytes\n");
        write("self/status", "VmSize:\t 102400 kB\n");
        assert_eq!(free_of(root.path()), Some(200 << 20));
        write("self/status", "VmSize:\t 204800 kB\n");
        assert_eq!(free_of(root.path()), Some(100 << 20));
    }
}
