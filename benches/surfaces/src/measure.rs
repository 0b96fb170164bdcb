//! CPU time, wall time and peak memory of one method on one set, and the table of all.

use crate::methods::{Method, read_points, run};
use cpu_time::ProcessTime;
use rayon::ThreadPoolBuilder;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Runs a method and tells its figures as a line: method, set, particles, vertices, triangles,
/// least CPU seconds, least wall seconds, peak memory beyond the input in MB.
pub fn measure(
    method: Method,
    set: &Path,
    threads: usize,
    repetitions: usize,
) -> Result<String, String> {
    // The peer uses the global pool.
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| error.to_string())?;
    let points = read_points(set)?;
    let (mut cpu, mut wall) = (f64::MAX, f64::MAX);
    let mut size = (0, 0);
    let mut peak = 0.0;
    for _ in 0..repetitions {
        let mesh = run(method, &points, |work| {
            let before = memory("VmRSS:")?;
            let (start, clock) = (ProcessTime::now(), Instant::now());
            work();
            cpu = cpu.min(start.elapsed().as_secs_f64());
            wall = wall.min(clock.elapsed().as_secs_f64());
            if peak == 0.0 {
                peak = memory("VmHWM:")? - before;
            }
            Some(())
        });
        size = (mesh.vertices.len(), mesh.triangles);
    }
    let name = set.file_stem().unwrap_or_default().to_string_lossy();
    let (vertices, triangles) = size;
    let count = points.len();
    Ok(format!("{method} {name} {count} {vertices} {triangles} {cpu:.4} {wall:.4} {peak:.1}"))
}

/// A line of the process's memory figures \[MB\].
fn memory(line: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|l| l.strip_prefix(line))?;
    Some(value.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0 / 1e6)
}

/// Prints the table: medians over the turns, and the peer's figures over ours.
pub fn table(sets: &[PathBuf], threads: usize, turns: usize) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    println!("{threads} thread(s); medians of {turns} turns, each the least of 3\n");
    println!(
        "| set | particles | method | vertices | triangles | CPU s | wall s | MB | CPU: peer/ours | MB: peer/ours |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for set in sets {
        let mut rows = vec![Vec::new(); Method::ALL.len()];
        for _ in 0..turns {
            for (method, rows) in Method::ALL.iter().zip(&mut rows) {
                let run = Command::new(&program)
                    .arg("measure")
                    .arg(method.to_string())
                    .arg(set)
                    .args(["--threads", &threads.to_string()])
                    .output()
                    .map_err(|error| error.to_string())?;
                if !run.status.success() {
                    return Err(String::from_utf8_lossy(&run.stderr).into_owned());
                }
                rows.push(String::from_utf8_lossy(&run.stdout).trim().to_owned());
            }
        }
        print_set(&rows)?;
    }
    Ok(())
}

fn print_set(rows: &[Vec<String>]) -> Result<(), String> {
    let figures: Vec<[f64; 3]> = rows
        .iter()
        .map(|turns| [5, 6, 7].map(|column| median(turns.iter().map(|row| number(row, column)))))
        .collect();
    let [peer_cpu, _, peer_memory] = *figures.last().ok_or("no method")?;
    for (turns, [cpu, wall, memory]) in rows.iter().zip(&figures) {
        let words: Vec<&str> = turns.first().ok_or("no turn")?.split(' ').collect();
        let [method, set, particles, vertices, triangles, ..] = words[..] else {
            return Err(format!("not a row of figures: {words:?}"));
        };
        println!(
            "| {set} | {particles} | {method} | {vertices} | {triangles} | {cpu:.3} | {wall:.3} | \
             {memory:.0} | {:.1} | {:.1} |",
            peer_cpu / cpu,
            peer_memory / memory
        );
    }
    Ok(())
}

fn number(row: &str, column: usize) -> f64 {
    row.split(' ').nth(column).and_then(|word| word.parse().ok()).unwrap_or(f64::NAN)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
