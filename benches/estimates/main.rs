//! What runs take of memory and disk, beside what is told before they run.
//!
//! ```text
//! cargo bench --bench estimates                                 small scenes, a minute
//! cargo bench --bench estimates -- scenes/glass.ron --frames 50 others, as `sim` takes them
//! ```

use hashfall_run::Plan;
use hashfall_scene::{Override, Source, prepare};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Scenes with changes; the first without surfaces, where nothing is a guess.
const SMALL: [&[&str]; 6] = [
    &["scenes/dam_break.ron", "--set", "surface=None"],
    &["scenes/double_dam.ron", "--set", "surface=None"],
    &[
        "scenes/double_dam.ron",
        "--set",
        "surface=None",
        "--set",
        "particle_radius=0.01",
        "--frames",
        "5",
    ],
    &["scenes/still_water.ron", "--frames", "20"],
    &["scenes/dam_break.ron"],
    &["scenes/double_dam.ron"],
];

/// Bytes of memory and of disk.
struct Taken {
    memory: f64,
    disk: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let given: Vec<&str> = args.iter().map(String::as_str).collect();
    let runs = if given.is_empty() { SMALL.to_vec() } else { vec![&given[..]] };
    println!("{:<72} {:>24} {:>24}", "", "memory, MB", "disk, MB");
    println!(
        "{:<72} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6}",
        "run", "told", "taken", "", "told", "taken", ""
    );
    for run in runs {
        let (estimated, taken) = (estimated(run)?, taken(run)?);
        let ratio = |a: f64, b: f64| format!("{:+.0} %", 100.0 * (a / b - 1.0));
        println!(
            "{:<72} {:>8.1} {:>8.1} {:>6} {:>8.1} {:>8.1} {:>6}",
            run.join(" "),
            estimated.memory / 1e6,
            taken.memory / 1e6,
            ratio(estimated.memory, taken.memory),
            estimated.disk / 1e6,
            taken.disk / 1e6,
            ratio(estimated.disk, taken.disk),
        );
    }
    Ok(())
}

/// What is told before a run.
fn estimated(run: &[&str]) -> Result<Taken, Box<dyn Error>> {
    let path = Path::new(run[0]);
    let source = Source { name: run[0].to_owned(), text: fs::read_to_string(path)? };
    let sets = run.windows(2).filter_map(|pair| match pair {
        ["--set", change] => Override::parse(change).ok(),
        ["--frames", count] => Some(Override::new("frames.count", count)),
        _ => None,
    });
    let sets: Vec<Override> = sets.collect();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut read = |mesh: &str| fs::read(folder.join(mesh));
    let scene = prepare(&source, &sets, &mut read).map_err(|faults| format!("{faults:?}"))?;
    let estimate = Plan::from(&scene).estimate()?;
    let meshes: u64 = scene.meshes.iter().map(|mesh| mesh.bytes.len() as u64).sum();
    let disk = estimate.disk(u64::from(scene.frames.count) + 1) + meshes;
    Ok(Taken { memory: estimate.memory as f64, disk: disk as f64 })
}

/// What a run takes.
fn taken(run: &[&str]) -> Result<Taken, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut sim = Command::new(env!("CARGO_BIN_EXE_sim"));
    sim.args(run).args(["--quiet", "--overwrite", "--out"]).arg(folder.path());
    if !sim.status()?.success() {
        return Err(format!("{run:?} failed").into());
    }
    let manifest = fs::read(folder.path().join("run.json"))?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest)?;
    let memory = manifest["peak_memory"].as_f64().ok_or("the system does not tell memory")?;
    Ok(Taken { memory, disk: size_of(folder.path())? })
}

/// Bytes of all files in a folder.
fn size_of(folder: &Path) -> Result<f64, Box<dyn Error>> {
    let mut bytes = 0.0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        bytes += if is_folder { size_of(&entry.path())? } else { entry.metadata()?.len() as f64 };
    }
    Ok(bytes)
}
