//! Frames of a million particles in files: CPU time and bytes of each format, beside a copy of the
//! same bytes.
//!
//! ```text
//! cargo bench --bench frames                a folder in the system's temporary one
//! cargo bench --bench frames -- FOLDER      a folder on another disk
//! ```
//!
//! Each file is written as a run writes it: to a temporary name, in order of id, and renamed. *In
//! order* are particles that lie in memory as their ids say, *shuffled* such that have mixed. A
//! copy writes bytes that stand in memory, which is what the system alone takes.

use cpu_time::ProcessTime;
use hashfall_core::vec3;
use hashfall_output::files::{self, Write};
use hashfall_output::{Content, ParticleFrame, ply, vtp};
use hashfall_sph::world::Particles;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const COUNT: u32 = 1_000_000;
const REPEATS: usize = 11;

fn main() -> Result<(), Box<dyn Error>> {
    let given = std::env::args().skip(1).find(|arg| arg != "--bench");
    let folder = match given {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let in_order = particles();
    let mut shuffled = in_order.clone();
    shuffle(&mut shuffled.id);
    println!(
        "{COUNT} particles, medians of {REPEATS}; ms of CPU, of wall time, and of a copy's CPU"
    );
    println!("{:<14} {:>8} {:>8} {:>8} {:>12}", "", "CPU", "wall", "copy", "bytes each");
    for (order, particles) in [("in order", &in_order), ("shuffled", &shuffled)] {
        let frame = ParticleFrame { particles, radius: 0.01, time: 0.5 };
        measure(folder.path(), &format!("vtp {order}"), || vtp::particles(&frame))?;
        measure(folder.path(), &format!("ply {order}"), || ply::particles(&frame))?;
    }
    Ok(())
}

/// Prints a row of the table.
fn measure<'a>(
    folder: &Path,
    name: &str,
    content: impl Fn() -> Content<'a>,
) -> Result<(), Box<dyn Error>> {
    let bytes = content().into_bytes();
    let path = folder.join("frame");
    let [mut cpu, mut wall, mut copy] = [const { Vec::new() }; 3];
    for _ in 0..REPEATS {
        let taken = timed(|| files::write(&path, content(), Write::Replace))?;
        cpu.push(taken[0]);
        wall.push(taken[1]);
        copy.push(timed(|| files::write(&path, &bytes, Write::Replace))?[0]);
    }
    let [cpu, wall, copy] = [cpu, wall, copy].map(median);
    let each = bytes.len() as f64 / f64::from(COUNT);
    println!("{name:<14} {cpu:>8.1} {wall:>8.1} {copy:>8.1} {each:>12.1}");
    Ok(())
}

/// Milliseconds of CPU and of wall time.
fn timed<E>(work: impl FnOnce() -> Result<(), E>) -> Result<[f64; 2], E> {
    let (cpu, wall) = (ProcessTime::now(), Instant::now());
    work()?;
    Ok([cpu.elapsed(), wall.elapsed()].map(|time| 1e3 * time.as_secs_f64()))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A cube of particles with velocities.
fn particles() -> Particles {
    let mut random = Pcg32::seed_from_u64(1);
    let mut uniform = || f64::from(random.next_u32()) / f64::from(u32::MAX);
    let mut particles = Particles::default();
    for k in 0..COUNT {
        let place = [k % 100, k / 100 % 100, k / 10_000].map(|n| 0.02 * f64::from(n));
        particles.push(vec3(place), vec3([uniform(), uniform(), uniform()]), 0, 1000.0);
    }
    particles
}

/// Puts ids into another order, each as likely as any other (Fisher & Yates).
fn shuffle(ids: &mut [u32]) {
    let mut random = Pcg32::seed_from_u64(2);
    for k in (1..ids.len()).rev() {
        ids.swap(k, random.next_u32() as usize % (k + 1));
    }
}
