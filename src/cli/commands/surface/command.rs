//! `sim surface`: makes surfaces of particle files, several at a time where memory allows.

use super::error::{JobError, MeshingError};
use super::files::{self, Job};
use super::frame::{Meshed, Task};
use super::series::SeriesFiles;
use super::spacing;
use crate::cli::args::{MeshFormat, SurfaceArgs};
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::progress::FileBar;
use crate::cli::system::memory;
use crate::cli::system::stop_signal::StopSignal;
use hashfall_core::{Real, parallel, units, vec3};
use hashfall_geometry::Aabb;
use hashfall_input::{AttributeFilter, ColumnChoice, Quantity};
use hashfall_run::reconstruct::{Settings, groups};
use hashfall_surface::SurfaceSettings;
use hashfall_surface::grid_spacing;
use std::collections::BTreeSet;
use std::io;
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;

/// The name that selects all attributes.
const ALL_ATTRIBUTES: &str = "all";
/// Relative difference from the requested cell size above which it is printed.
const CELL_TOLERANCE: f64 = 0.01;

/// Makes a mesh of each file.
pub fn surface(args: &SurfaceArgs, threads: usize, console: Console) -> Verdict {
    try_surface(args, threads, console).unwrap_or_else(|verdict| verdict)
}

/// Makes the meshes; an error that comes back as a verdict has been printed.
fn try_surface(args: &SurfaceArgs, threads: usize, console: Console) -> Result<Verdict, Verdict> {
    let refuse = |error: JobError| {
        console.error(error);
        Verdict::WrongInput
    };
    let jobs = files::jobs(args).map_err(refuse)?;
    let is_obj = jobs[0].meshes().any(|mesh| mesh.format == MeshFormat::Obj);
    if is_obj && !args.interpolate_attribute.is_empty() {
        return Err(refuse(JobError::Options("OBJ files have no attributes; use ply or vtp")));
    }
    let settings = settings(args).map_err(refuse)?;
    let columns = args.columns.clone().unwrap_or_default();
    warn_of_unused(&columns, &settings.attributes_to_read(), console);
    let series = SeriesFiles::new(&jobs);
    series.protect(&args.files, args.overwrite).map_err(refuse)?;
    if !args.allow_radius {
        spacing::check(&jobs, &columns, args.particle_radius)
            .map_err(|error| refuse(error.into()))?;
    }
    if !args.quiet {
        report_cell_size(args, &settings, console);
    }
    let stop = StopSignal::install(console)?;
    stop.finish_files_first();
    let inputs = jobs.iter().flat_map(Job::existing).collect();
    let (check, overwrite) = (args.check, args.overwrite);
    let task = Task { settings, columns, check, overwrite, inputs };
    let length = |job: &Job| job.parts.iter().map(|it| memory::file_length(&it.path)).sum();
    let needed: Vec<u64> = jobs.iter().map(|job| task.settings.memory(length(job))).collect();
    let bar = FileBar::new(console, args.quiet, jobs.len(), "files");
    let mut reporter =
        Reporter { console, quiet: args.quiet, verdict: Verdict::Done, meshed: Vec::new() };
    for group in groups(&needed, memory::limit(args.memory), threads) {
        let jobs = &jobs[group];
        let meshed = parallel::map_pieces(jobs.len(), &|k| {
            // After a signal, frames are finished but none is started.
            let is_running = !stop.requests().stop.load(Ordering::Relaxed);
            is_running.then(|| task.run(&jobs[k])).inspect(|_| bar.advance())
        });
        bar.while_hidden(|| meshed.into_iter().flatten().for_each(|result| reporter.add(result)));
    }
    drop(bar);
    reporter.write_series(&series);
    if stop.requests().stop.load(Ordering::Relaxed) {
        if !args.quiet {
            console.message("interrupted; all meshes so far are complete");
        }
        return Ok(Verdict::Stopped(stop.exit_code()));
    }
    Ok(reporter.verdict)
}

/// Radii of particles and kernels \[m\], the cubes of which are numbers of single precision.
const LENGTHS: RangeInclusive<f64> = 1e-9..=1e9;

/// The settings of the arguments.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn settings(args: &SurfaceArgs) -> Result<Settings, JobError> {
    let corner = |corner: &Option<Vec<f64>>| {
        let corner: Option<[f64; 3]> = corner.as_deref()?.try_into().ok();
        corner.map(vec3)
    };
    let region = corner(&args.particle_aabb_min)
        .zip(corner(&args.particle_aabb_max))
        .map(|(min, max)| Aabb::new(min, max));
    if region.is_some_and(|region| region.is_empty()) {
        return Err(JobError::Options("--particle-aabb-min exceeds --particle-aabb-max"));
    }
    let attributes = if args.interpolate_attribute.iter().any(|name| name == ALL_ATTRIBUTES) {
        AttributeFilter::All
    } else {
        AttributeFilter::Named(args.interpolate_attribute.clone())
    };
    if args.spray.is_some() && args.smallest_body == 0.0 {
        return Err(JobError::Options("--spray needs --smallest-body"));
    }
    let support_radius = 2.0 * args.smoothing_length * args.particle_radius;
    let is_sound = |length: f64| LENGTHS.contains(&length);
    if !(is_sound(args.particle_radius) && is_sound(support_radius)) {
        return Err(JobError::Lengths {
            radius: args.particle_radius,
            support: support_radius,
            min: *LENGTHS.start(),
            max: *LENGTHS.end(),
        });
    }
    Ok(Settings {
        particle_radius: args.particle_radius as Real,
        support_radius: support_radius as Real,
        surface: SurfaceSettings {
            cell: args.cube_size,
            iso: args.surface_threshold,
            raw: args.raw,
            anisotropy: args.anisotropy,
            cleanup: args.mesh_cleanup,
            smoothing: args.mesh_smoothing_iters,
            smoothing_weights: args.mesh_smoothing_weights,
            normals_smoothing: args.normals_smoothing_iters,
            decimation: args.decimation,
            min_component_volume: args.smallest_body,
            spray: args.spray.is_some(),
            ..SurfaceSettings::default()
        },
        region,
        attributes,
        phases: args.phases.clone(),
    })
}

/// Warns of columns that are chosen for attributes which no mesh is to have.
fn warn_of_unused(columns: &ColumnChoice, read: &AttributeFilter, console: Console) {
    let AttributeFilter::Named(names) = read else { return };
    let attributes: BTreeSet<&str> = columns.quantities().filter_map(Quantity::attribute).collect();
    for attribute in attributes.into_iter().filter(|it| !names.iter().any(|name| name == it)) {
        console.warning(format_args!(
            "the columns of `{attribute}` are chosen, but the mesh does not have it; pass \
             -a {attribute}"
        ));
    }
}

/// Prints the size of cells if it differs from the requested one.
fn report_cell_size(args: &SurfaceArgs, settings: &Settings, console: Console) {
    let Settings { particle_radius, support_radius, surface, .. } = settings;
    let spacing = grid_spacing(*support_radius, surface, *particle_radius);
    let cube_size = spacing / args.particle_radius;
    if (cube_size / args.cube_size - 1.0).abs() > CELL_TOLERANCE {
        let (used, requested) = (units::three_figures(cube_size), args.cube_size);
        let support = units::three_figures(2.0 * args.smoothing_length);
        console.message(format_args!(
            "using a cell size of {used} radii instead of {requested}: it must be from 1/32 of the \
             support radius ({support} radii) to the support radius"
        ));
    }
}

/// Reports each file, in order, with the worst verdict.
struct Reporter {
    console: Console,
    /// Whether valid meshes are not reported: on request, or after stdout was closed.
    quiet: bool,
    verdict: Verdict,
    /// Files that became meshes.
    meshed: Vec<Meshed>,
}

impl Reporter {
    fn add(&mut self, result: Result<Meshed, MeshingError>) {
        let verdict = match result {
            Ok(meshed) => {
                meshed.warnings.iter().for_each(|warning| self.console.warning(warning));
                let printed = if self.quiet { Verdict::Done } else { self.line(&meshed) };
                let verdict = printed.or_worse(self.faults(&meshed));
                self.meshed.push(meshed);
                verdict
            }
            Err(error) => {
                self.console.error(&error);
                error.verdict()
            }
        };
        self.verdict = self.verdict.or_worse(verdict);
    }

    /// Writes the series of the files that became meshes.
    fn write_series(&mut self, series: &SeriesFiles) {
        if self.meshed.is_empty() {
            return;
        }
        match series.write(&self.meshed) {
            Ok(warnings) => warnings.iter().for_each(|warning| self.console.warning(warning)),
            Err(error) => {
                self.console.error(error);
                self.verdict = self.verdict.or_worse(Verdict::Failed);
            }
        }
    }

    fn line(&mut self, meshed: &Meshed) -> Verdict {
        match self.console.data(format_args!("{meshed}\n")) {
            Ok(()) => Verdict::Done,
            Err(error) => {
                self.quiet = true;
                if error.kind() == io::ErrorKind::BrokenPipe {
                    return Verdict::Done;
                }
                self.console.error(format_args!("cannot write the report: {error}"));
                Verdict::Failed
            }
        }
    }

    fn faults(&self, meshed: &Meshed) -> Verdict {
        let report = |faults| {
            self.console.error(faults);
            Verdict::Failed
        };
        meshed.faults().map(report).fold(Verdict::Done, Verdict::or_worse)
    }
}
