//! What the system tells of the machine and of this process: the processor's name, free memory, and
//! the most memory that the process has held.
//!
//! On Linux it stands in files under `/proc`; elsewhere `sysinfo` asks the system. `sysinfo` knows
//! no peak of memory: that comes from getrusage(2), on Windows from `GetProcessMemoryInfo`.

use super::files::system_text;

/// Keys of `/proc/cpuinfo` under which kernels name the processor or, on ARM, the board.
const CPU_KEYS: [&str; 3] = ["model name", "Model", "Hardware"];

/// The processor's name.
pub fn cpu_name() -> Option<String> {
    match cfg!(target_os = "linux") {
        true => cpu_model(&system_text("/proc/cpuinfo")?),
        false => portable::cpu_name(),
    }
}

/// Free memory of the machine, whatever the limits of the process \[bytes\]; on Linux `meminfo` is
/// the text of `/proc/meminfo`, if there is one.
pub fn free_memory(meminfo: Option<&str>) -> Option<u64> {
    match cfg!(target_os = "linux") {
        true => size_in(meminfo?, "MemAvailable"),
        false => portable::free_memory(),
    }
}

/// The most memory that this process has held at once \[bytes\].
pub fn peak_memory() -> Option<u64> {
    match cfg!(target_os = "linux") {
        true => size_in(&system_text("/proc/self/status")?, "VmHWM"),
        false => portable::peak_memory(),
    }
}

/// A size in a file of `/proc` such as `VmSize:  200 kB` \[bytes\].
pub fn size_in(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The processor's name in `/proc/cpuinfo`.
fn cpu_model(cpu_info: &str) -> Option<String> {
    let value = |line: &str, key: &str| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == key && !value.trim().is_empty()).then(|| value.trim().to_owned())
    };
    CPU_KEYS.iter().find_map(|key| cpu_info.lines().find_map(|line| value(line, key)))
}

/// Where no file tells it. Compiled for tests on Linux, too, where both can be compared.
#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

    pub fn cpu_name() -> Option<String> {
        let names = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
        let system = System::new_with_specifics(names);
        let name = system.cpus().first()?.brand().trim().to_owned();
        (!name.is_empty()).then_some(name)
    }

    pub fn free_memory() -> Option<u64> {
        let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        let free = System::new_with_specifics(ram).available_memory();
        (free > 0).then_some(free)
    }

    #[cfg(unix)]
    pub fn peak_memory() -> Option<u64> {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is to a whole `rusage` that the call may write.
        let code = unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) };
        // SAFETY: all zeros are a `rusage` of plain numbers, whether or not the call wrote it.
        let usage = unsafe { usage.assume_init() };
        let most = u64::try_from(usage.ru_maxrss).ok().filter(|_| code == 0)?;
        // Apple's systems count bytes, all others KiB.
        if cfg!(target_vendor = "apple") { Some(most) } else { most.checked_mul(1024) }
    }

    #[cfg(windows)]
    pub fn peak_memory() -> Option<u64> {
        use windows_sys::Win32::System::ProcessStatus::{
            GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS,
        };
        use windows_sys::Win32::System::Threading::GetCurrentProcess;
        let size = u32::try_from(size_of::<PROCESS_MEMORY_COUNTERS>()).ok()?;
        // SAFETY: all zeros are counters of plain numbers.
        let mut counters: PROCESS_MEMORY_COUNTERS = unsafe { std::mem::zeroed() };
        // SAFETY: the handle of the own process is always valid and needs no closing; the pointer
        // is to counters of the size that is passed.
        let is_known = unsafe { GetProcessMemoryInfo(GetCurrentProcess(), &mut counters, size) };
        (is_known != 0).then(|| u64::try_from(counters.PeakWorkingSetSize).ok())?
    }

    #[cfg(not(any(unix, windows)))]
    pub fn peak_memory() -> Option<u64> {
        None
    }
}

/// Linux has files for all of it.
#[cfg(all(target_os = "linux", not(test)))]
mod portable {
    pub fn cpu_name() -> Option<String> {
        None
    }

    pub fn free_memory() -> Option<u64> {
        None
    }

    pub fn peak_memory() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_processor_is_read_where_kernels_write_it() {
        let pc = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Some CPU @ 2.00GHz\n";
        assert_eq!(cpu_model(pc).as_deref(), Some("Some CPU @ 2.00GHz"));
        let arm = "processor\t: 0\nCPU part\t: 0xd08\n\nModel\t\t: Raspberry Pi 4 Model B\n";
        assert_eq!(cpu_model(arm).as_deref(), Some("Raspberry Pi 4 Model B"));
        assert_eq!(cpu_model("processor: 0\nmodel name:\n"), None);
    }

    #[test]
    fn sizes_are_in_kib() {
        let status = "VmPeak:\t  400000 kB\nVmData:\t  51200 kB\n";
        assert_eq!(size_in(status, "VmData"), Some(50 << 20));
        assert_eq!(size_in(status, "Vm"), None);
        assert_eq!(size_in("VmData: 7 B\n", "VmData"), None);
    }

    /// Two ways to the same figures: what other systems than Linux use, beside Linux' files.
    #[cfg(target_os = "linux")]
    #[test]
    fn files_and_the_system_tell_the_same() {
        if let Some(name) = cpu_name() {
            assert_eq!(portable::cpu_name(), Some(name));
        }
        // Other processes take and free memory meanwhile.
        let meminfo = system_text("/proc/meminfo");
        let free = [free_memory(meminfo.as_deref()), portable::free_memory()];
        let [by_file, by_system] = free.map(Option::unwrap);
        assert!(by_file.abs_diff(by_system) < by_file / 2, "{by_file} {by_system}");
        let held = vec![1_u8; 64 << 20];
        let [by_file, by_system] = [peak_memory(), portable::peak_memory()].map(Option::unwrap);
        assert!(held.iter().all(|byte| *byte == 1) && by_system > 64 << 20);
        // The system also counts what the program held that started this one.
        assert!(by_file <= by_system + (8 << 20), "{by_file} {by_system}");
    }
}
