//! Limits on the memory of this process, and the memory that remains below them.
//!
//! - `RLIMIT_AS` (`ulimit -v`) bounds the address space, `RLIMIT_DATA` (`ulimit -d`) its private
//!   writable part. Source: proc(5), getrlimit(2).
//! - Control groups bound the memory of all processes in a group, as Slurm, systemd and containers
//!   set it, in version 1 (`memory.limit_in_bytes`) or 2 (`memory.max`); a machine may mount both.
//!   The group stands in `/proc/self/cgroup`, its folder follows from `/proc/self/mountinfo`. A
//!   limit of a group above holds as well. Pages of files that nobody has used lately count as
//!   free: the kernel drops them first. Source: cgroups(7), the kernel's `cgroup-v1/memory.rst` and
//!   `cgroup-v2.rst`.
//!
//! All of it is read from files, which other systems than Linux do not have: there are no limits.

use hashfall_output::machine::size_in;
use std::fs;
use std::path::{Path, PathBuf};

/// Memory that remains below the limits \[bytes\]; `None` without a limit. `root` is the folder
/// `/`.
pub fn remaining(root: &Path) -> Option<u64> {
    remaining_of_process(root).into_iter().chain(remaining_of_groups(root)).min()
}

/// Memory that remains below the limits of the process.
fn remaining_of_process(root: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(root.join("proc/self").join(name)).ok();
    let (limits, status) = (read("limits")?, read("status")?);
    let left = |limit: &str, used: &str| {
        Some(soft_limit(&limits, limit)?.saturating_sub(size_in(&status, used)?))
    };
    let all = [left("Max address space", "VmSize"), left("Max data size", "VmData")];
    all.into_iter().flatten().min()
}

/// The soft limit of this name in `/proc/self/limits`; none if it is `unlimited`.
fn soft_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Memory that remains below the limit of each control group of the process.
fn remaining_of_groups(root: &Path) -> Vec<u64> {
    let read = |name: &str| fs::read_to_string(root.join("proc/self").join(name));
    let (Ok(groups), Ok(mounts)) = (read("cgroup"), read("mountinfo")) else {
        return Vec::new();
    };
    let folders = group_folders(&groups, &mounts);
    folders
        .into_iter()
        .filter_map(|(version, folder)| version.remaining(&below(root, &folder)))
        .collect()
}

/// An absolute path as it is below another root.
fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// A version of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Version {
    /// Names of the files with the limit and the use, and the key of pages that can be dropped.
    fn names(self) -> [&'static str; 3] {
        match self {
            Version::One => {
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "]
            }
            Version::Two => ["memory.max", "memory.current", "inactive_file "],
        }
    }

    /// Memory that remains below the limit of the group with this folder.
    fn remaining(self, folder: &Path) -> Option<u64> {
        let [limit, used, droppable] = self.names();
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let (limit, used) = (number(&read(limit)?)?, number(&read(used)?)?);
        let stat = read("memory.stat").unwrap_or_default();
        let droppable = stat.lines().find_map(|line| number(line.strip_prefix(droppable)?));
        Some(limit.saturating_sub(used.saturating_sub(droppable.unwrap_or(0))))
    }
}

/// The folders of the groups that hold the memory of a process, and of the groups above them.
fn group_folders(groups: &str, mounts: &str) -> Vec<(Version, PathBuf)> {
    let mounts: Vec<Mount> = mounts.lines().filter_map(Mount::read).collect();
    let mut folders = Vec::new();
    for (version, path) in groups.lines().filter_map(membership) {
        let mounted = || mounts.iter().filter(|mount| mount.version == version);
        let before = folders.len();
        for mount in mounted() {
            let Some(folder) = mount.folder(path) else { continue };
            let up = folder.ancestors().take_while(|up| up.starts_with(&mount.point));
            folders.extend(up.map(|up| (version, up.to_path_buf())));
        }
        if folders.len() == before {
            // In a container the path may be that of the host, and the mount that of the group.
            folders.extend(mounted().map(|mount| (version, mount.point.clone())));
        }
    }
    folders
}

/// The group that a line of `/proc/self/cgroup` tells of, if it may hold memory:
/// `4:memory:/job` in version 1, `0::/job` in version 2.
fn membership(line: &str) -> Option<(Version, &str)> {
    let mut parts = line.splitn(3, ':');
    let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    let is_memory = controllers.split(',').any(|controller| controller == "memory");
    match (number, controllers) {
        ("0", "") => Some((Version::Two, path)),
        _ => is_memory.then_some((Version::One, path)),
    }
}

/// Where groups are mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    version: Version,
    /// The group that is mounted.
    root: PathBuf,
    /// The folder it is mounted at.
    point: PathBuf,
}

impl Mount {
    /// Reads a line of `/proc/self/mountinfo`: number, parent, device, root, point, options, fields
    /// that may be missing, a dash, the type of the file system, the source, its options.
    fn read(line: &str) -> Option<Mount> {
        let (mount, system) = line.split_once(" - ")?;
        let (mut mount, mut system) = (mount.split(' ').skip(3), system.split(' '));
        let (root, point) = (unescape(mount.next()?), unescape(mount.next()?));
        let (kind, options) = (system.next()?, system.nth(1).unwrap_or_default());
        let version = match kind {
            "cgroup2" => Version::Two,
            "cgroup" if options.split(',').any(|option| option == "memory") => Version::One,
            _ => return None,
        };
        Some(Mount { version, root: root.into(), point: point.into() })
    }

    /// The folder of a group, if it is in this mount.
    fn folder(&self, path: &str) -> Option<PathBuf> {
        let inside = Path::new(path).strip_prefix(&self.root).ok()?;
        // A group outside of the name space is told by the way up to it.
        let leads_up = inside.components().any(|part| part.as_os_str() == "..");
        (!leads_up).then(|| self.point.join(inside))
    }
}

/// Replaces what stands for a space, tab, line break or backslash, such as `\040`.
fn unescape(text: &str) -> String {
    let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    escapes.iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const UNLIMITED: &str = "\
Limit                     Soft Limit           Hard Limit           Units
Max data size             unlimited            unlimited            bytes
Max address space         unlimited            unlimited            bytes
";
    const STATUS: &str =
        "Name:\tsim\nVmPeak:\t  400000 kB\nVmSize:\t  307200 kB\nVmData:\t  51200 kB\n";

    /// A file system with these files.
    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn limits_of_the_process_leave_what_it_has_not_taken() {
        let of = |limits: &str| {
            remaining(root(&[("proc/self/limits", limits), ("proc/self/status", STATUS)]).path())
        };
        assert_eq!(of(UNLIMITED), None);
        let space = UNLIMITED.replace("space         unlimited", "space         524288000");
        assert_eq!(of(&space), Some(200 * MIB));
        let data = space.replace("size             unlimited", "size             62914560");
        assert_eq!(of(&data), Some(10 * MIB));
        let over = UNLIMITED.replace("space         unlimited", "space         1024");
        assert_eq!(of(&over), Some(0));
        assert_eq!(remaining(root(&[]).path()), None, "not Linux");
    }

    #[test]
    fn version_2_counts_every_group_up_to_the_mount() {
        let files = [
            ("proc/self/cgroup", "0::/system.slice/job\n"),
            (
                "proc/self/mountinfo",
                "24 1 0:22 / /proc rw shared:5 - proc proc rw\n\
                 31 24 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
            ),
            ("sys/fs/cgroup/system.slice/job/memory.max", "max\n"),
            ("sys/fs/cgroup/system.slice/job/memory.current", "4096\n"),
            ("sys/fs/cgroup/system.slice/memory.max", "104857600\n"),
            ("sys/fs/cgroup/system.slice/memory.current", "83886080\n"),
            ("sys/fs/cgroup/system.slice/memory.stat", "anon 7\ninactive_file 10485760\n"),
        ];
        assert_eq!(remaining(root(&files).path()), Some(30 * MIB));
    }

    #[test]
    fn version_1_beside_version_2_is_counted() {
        let files = [
            ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/slurm/job 7\n0::/\n"),
            (
                "proc/self/mountinfo",
                "40 30 0:35 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                 41 30 0:36 / /sys/fs/cgroup/me\\040mory rw shared:1 - cgroup cgroup rw,memory\n\
                 42 30 0:37 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
            ),
            ("sys/fs/cgroup/me mory/slurm/job 7/memory.limit_in_bytes", "52428800\n"),
            ("sys/fs/cgroup/me mory/slurm/job 7/memory.usage_in_bytes", "41943040\n"),
            ("sys/fs/cgroup/me mory/slurm/job 7/memory.stat", "total_inactive_file 1048576\n"),
            ("sys/fs/cgroup/me mory/slurm/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/me mory/slurm/memory.usage_in_bytes", "41943040\n"),
        ];
        assert_eq!(remaining(root(&files).path()), Some(11 * MIB));
    }

    #[test]
    fn in_a_container_the_mount_is_the_group() {
        let limit = [
            ("memory/memory.limit_in_bytes", "20971520\n"),
            ("memory/memory.usage_in_bytes", "10485760\n"),
        ];
        let of = |group: &str, root_of_mount: &str| {
            let group = format!("4:memory:{group}\n");
            let mount =
                format!("41 30 0:36 {root_of_mount} /memory ro - cgroup cgroup rw,memory\n");
            let cgroup = [("proc/self/cgroup", &*group), ("proc/self/mountinfo", &*mount)];
            remaining(root(&[&cgroup[..], &limit].concat()).path())
        };
        // Docker without a name space for groups, with one, a group beside the mounted one, and one
        // below it.
        for (group, mounted) in
            [("/docker/ab", "/docker/ab"), ("/", "/"), ("/../cd", "/"), ("/docker/ab", "/docker")]
        {
            assert_eq!(of(group, mounted), Some(10 * MIB), "{group} in {mounted}");
        }
    }
}
