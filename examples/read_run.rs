//! Reads a run back: how it ended, and the particles of each frame.
//!
//! ```sh
//! cargo run --release -- scenes/dam_break.ron
//! cargo run --release --example read_run -- out/dam_break
//! ```

use hashfall::core::Real;
use hashfall::input::series::{self, SeriesFormat};
use hashfall::input::{AttributeFilter, Format, read};
use hashfall::output::{Manifest, RunFolder, layout};
use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("pass the folder of a run")?;
    let (folder, manifest) = RunFolder::for_reading(path)?;
    let manifest = Manifest::read(&manifest).ok_or("its manifest is not one of this version")?;
    println!("{} by {} threads: {}", manifest.started, manifest.threads, manifest.status);
    println!("time [s]  particles  mean height [m]");
    let series = folder.read(layout::PARTICLES_SERIES)?;
    for entry in series::read(&series, SeriesFormat::Pvd)? {
        // A run has one file for each frame.
        let file = &entry.files[0];
        let extension = Path::new(file).extension().unwrap_or_default().to_string_lossy();
        let format = Format::from_extension(&extension).ok_or("a format that is not read")?;
        let names = AttributeFilter::Named(vec!["density".to_owned()]);
        let cloud = read(&folder.read(file)?, format, &names)?;
        let (count, heights) = (cloud.positions.len(), cloud.positions.iter().map(|x| x.z));
        let mean = heights.sum::<Real>() / count as Real;
        let time = entry.time.unwrap_or_default();
        println!("{time:8.3}  {count:9}  {mean:15.4}");
        assert!(cloud.attributes[0].name == "density", "what was asked for");
    }
    Ok(())
}
