//! Which command the user asks for, with its arguments.

use super::export::ExportArgs;
use super::foam::FoamArgs;
use super::measure::{BenchArgs, ValidateArgs};
use super::preview::PreviewArgs;
use super::report::ReportArgs;
use super::runs::{AuditArgs, CheckArgs, ResumeArgs};
use super::schema::SchemaArgs;
use super::shared::Log;
use super::shell::{CompletionsArgs, ManArgs};
use super::simulate::SimulateArgs;
use super::starters::{ConvertArgs, ListArgs, NewArgs};
use super::surface::SurfaceArgs;
use super::sweep::SweepArgs;
use clap::{Parser, Subcommand};

/// `sim COMMAND`
#[derive(Debug, Parser)]
#[command(
    name = "sim",
    version,
    about = "Simulates a fluid among solids and writes frames for ParaView and Blender",
    override_usage = "sim <SCENE> [OPTIONS]\n       sim <COMMAND> [OPTIONS]",
    after_help = "Examples:\n  \
        sim list                                  scenes that are built in\n  \
        sim dam_break                             runs one; frames go to out/dam_break/\n  \
        sim new splash                            writes splash.ron to start from\n  \
        sim splash.ron --frames 20 --set fluids[0].viscosity=0.05\n  \
        sim check splash.ron                      particles, memory and disk before a run\n  \
        sim resume out/splash\n  \
        sim foam out/splash                       spray, foam and bubbles of its frames\n  \
        sim preview out/splash                    images, a film and a page with a player\n  \
        sim export out/splash --format usd        files for Houdini, Blender, Maya, ParaView\n  \
        sim sweep splash.ron --set fluids[0].viscosity=0.01,0.1,1\n  \
        sim surface 'frames/fluid_{}.vtk' -r 0.01 -o meshes\n\n\
        `sim help <COMMAND>` describes a command.",
    arg_required_else_help = true
)]
pub struct CommandLine {
    #[command(subcommand)]
    pub(super) request: Request,
}

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub enum Request {
    #[command(name = "run")]
    Simulate(Box<SimulateArgs>),
    New(NewArgs),
    List(ListArgs),
    Convert(ConvertArgs),
    Check(CheckArgs),
    Resume(Box<ResumeArgs>),
    Foam(FoamArgs),
    Preview(Box<PreviewArgs>),
    Export(Box<ExportArgs>),
    Report(ReportArgs),
    Sweep(Box<SweepArgs>),
    Surface(Box<SurfaceArgs>),
    Audit(AuditArgs),
    Validate(ValidateArgs),
    Bench(BenchArgs),
    Schema(SchemaArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Request {
    /// The output format of commands that run scenes; text for the others.
    pub fn log(&self) -> Log {
        match self {
            Request::Simulate(simulate) => simulate.run.log,
            Request::Resume(resume) => resume.run.log,
            Request::Sweep(sweep) => sweep.log,
            _ => Log::Text,
        }
    }
}
