//! Which command the user asks for, with its arguments.

use super::measure::{BenchArgs, ValidateArgs};
use super::preview::PreviewArgs;
use super::report::ReportArgs;
use super::runs::{AuditArgs, CheckArgs, ResumeArgs};
use super::schema::SchemaArgs;
use super::shared::Log;
use super::simulate::SimulateArgs;
use super::surface::SurfaceArgs;
use super::sweep::SweepArgs;
use super::whole::{CompletionsArgs, ManArgs};
use clap::Parser;
use std::ffi::OsString;

/// A command with its arguments.
#[derive(Debug)]
pub enum Request {
    /// Run a scene.
    Simulate(SimulateArgs),
    /// Check scenes without running them.
    Check(CheckArgs),
    /// Check the files of runs.
    Audit(AuditArgs),
    /// Write an HTML page of a run.
    Report(ReportArgs),
    /// Resume a run.
    Resume(ResumeArgs),
    /// Run the validation cases.
    Validate(ValidateArgs),
    /// Run the papers' experiments.
    Bench(BenchArgs),
    /// Reconstruct surfaces of particle files.
    Surface(Box<SurfaceArgs>),
    /// Run a scene with many parameter values.
    Sweep(Box<SweepArgs>),
    /// Print the keys of a scene.
    Schema(SchemaArgs),
    /// Print a shell completion script.
    Completions(CompletionsArgs),
    /// Print man pages.
    Man(ManArgs),
    /// Render images of a run.
    Preview(PreviewArgs),
}

impl Request {
    /// Reads the command line, whose first argument is the program's own name.
    ///
    /// The second argument selects the command, instead of clap's subcommands: next to a positional
    /// SCENE, clap would report a second scene as an unknown command.
    ///
    /// # Errors
    /// Clap's error: a usage mistake, or the help or version that the user asked for.
    pub fn parse(args: &[OsString]) -> Result<Request, clap::Error> {
        let rest = args.get(1..).unwrap_or_default();
        match rest.first().and_then(|command| command.to_str()) {
            Some("check") => read(rest, Request::Check),
            Some("resume") => read(rest, Request::Resume),
            Some("sweep") => read(rest, |args| Request::Sweep(Box::new(args))),
            Some("audit") => read(rest, Request::Audit),
            Some("report") => read(rest, Request::Report),
            Some("preview") => read(rest, Request::Preview),
            Some("validate") => read(rest, Request::Validate),
            Some("bench") => read(rest, Request::Bench),
            Some("surface") => read(rest, |args| Request::Surface(Box::new(args))),
            Some("schema") => read(rest, Request::Schema),
            Some("completions") => read(rest, Request::Completions),
            Some("man") => read(rest, Request::Man),
            _ => read(args, Request::Simulate),
        }
    }

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

/// Parses the arguments of one command; the first is its name.
fn read<A: Parser>(args: &[OsString], request: fn(A) -> Request) -> Result<Request, clap::Error> {
    A::try_parse_from(args).map(request)
}
