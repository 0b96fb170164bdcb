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

/// What the user asked for.
#[derive(Debug)]
pub enum Request {
    /// Run a scene.
    Simulate(SimulateArgs),
    /// Look at scenes.
    Check(CheckArgs),
    /// Look at runs again.
    Audit(AuditArgs),
    /// Show a run as a page.
    Report(ReportArgs),
    /// Go on with a run.
    Resume(ResumeArgs),
    /// Run the validation cases.
    Validate(ValidateArgs),
    /// Run the papers' experiments.
    Bench(BenchArgs),
    /// Mesh particle files.
    Surface(Box<SurfaceArgs>),
    /// Run a scene with many parameters.
    Sweep(Box<SweepArgs>),
    /// Tell what a scene may hold.
    Schema(SchemaArgs),
    /// Tell a shell how to complete.
    Completions(CompletionsArgs),
    /// Make man pages.
    Man(ManArgs),
    /// Make pictures of a run.
    Preview(PreviewArgs),
}

impl Request {
    /// Reads the command line, whose first argument is the program's own name.
    ///
    /// A command is known by the second argument, not by clap's subcommands: beside a free-standing
    /// SCENE those would take a second scene for a command, and say so.
    ///
    /// # Errors
    /// What clap has to say: a mistake, or the help that was asked for.
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

    /// How a run is told; other commands have their own ways.
    pub fn log(&self) -> Log {
        match self {
            Request::Simulate(simulate) => simulate.run.log,
            Request::Resume(resume) => resume.run.log,
            Request::Sweep(sweep) => sweep.log,
            _ => Log::Text,
        }
    }
}

/// Reads the arguments of one command, whose name stands first.
fn read<A: Parser>(args: &[OsString], request: fn(A) -> Request) -> Result<Request, clap::Error> {
    A::try_parse_from(args).map(request)
}
