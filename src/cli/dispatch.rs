//! Reads the command line and runs the command that it names, on as many threads as it asks for.

use crate::cli::args::{Log, Request, Surroundings, ThreadArgs, UsageError};
use crate::cli::commands::{
    audit, bench, check, convert, foam, list, manual, new, report, resume, schema, simulate,
    surface, sweep, validate,
};
use crate::cli::console::{Console, Verdict};
use crate::cli::export;
use crate::cli::files::built_in;
use crate::cli::preview;
use crate::cli::session::Process;
use crate::cli::system::stop_signal;
use hashfall_core::program;
use hashfall_core::simd::Isa;
use hashfall_run::threads::{self, Threads};
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Runs the program `sim` with these arguments, the first being its own name, and returns its exit
/// code.
///
/// It installs signal handlers for the rest of the process, and prints to stdout and stderr.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    program::set_revision(env!("HASHFALL_REVISION"));
    stop_signal::survive_file_size_limit();
    let args: Vec<OsString> = args.into_iter().collect();
    let command_line = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let console = Console::new();
    let around = Surroundings { exists: &Path::exists, scenes: &built_in::names() };
    let request = match Request::parse(&args, &around) {
        Ok(request) => request,
        Err(message) => return print_usage(&message, console, Log::guess(&args)).code(),
    };
    let console = console.with_log(request.log());
    if let Err(message) = limit_instructions() {
        console.error(format_args!("{message}"));
        return console.end(Verdict::WrongInput).code();
    }
    console.end(run(request, command_line, console)).code()
}

/// Runs a command.
fn run(request: Request, command_line: Vec<String>, console: Console) -> Verdict {
    match request {
        Request::New(args) => new::new(&args, console.with_quiet(args.quiet)),
        Request::List(args) => list::list(&args, console),
        Request::Convert(args) => convert::convert(&args, console),
        Request::Check(check) => on_threads(check.scene.common.threads, console, |_| {
            check::check(&check, console.with_quiet(check.quiet))
        }),
        Request::Validate(validate) => on_threads(validate.common.threads, console, |_| {
            validate::validate(&validate, console.with_quiet(validate.quiet))
        }),
        Request::Bench(bench) => on_threads(bench.threads(), console, |threads| {
            bench::bench(&bench, threads, console.with_quiet(bench.quiet))
        }),
        Request::Surface(surface) => on_threads(surface.threads, console, |threads| {
            surface::surface(&surface, threads, console)
        }),
        Request::Schema(args) => schema::schema(&args, console),
        Request::Completions(args) => manual::completions(&args, console),
        Request::Man(args) => manual::man(&args, console),
        Request::Foam(args) => on_threads(args.common.threads, console, |_| {
            foam::foam(&args, console.with_quiet(args.quiet))
        }),
        Request::Preview(preview) => on_threads(preview.threads, console, |threads| {
            preview::preview(&preview, threads, console)
        }),
        Request::Export(args) => {
            on_threads(args.threads, console, |_| export::export(&args, console))
        }
        Request::Audit(audit) => on_threads(audit.threads, console, |_| {
            audit::audit(&audit, console.with_quiet(audit.quiet))
        }),
        Request::Report(report) => on_threads(ThreadArgs { threads: None }, console, |_| {
            report::report(&report, console.with_quiet(report.quiet))
        }),
        Request::Resume(resume) => {
            on_threads(resume.run.scene.common.threads, console, |threads| {
                resume::resume(&resume, &Process { command_line, threads, console })
            })
        }
        Request::Sweep(sweep) => on_threads(sweep.scene.common.threads, console, |threads| {
            sweep::sweep(&sweep, &Process { command_line, threads, console })
        }),
        Request::Simulate(simulate) => {
            on_threads(simulate.run.scene.common.threads, console, |threads| {
                simulate::simulate(&simulate, &Process { command_line, threads, console })
            })
        }
    }
}

/// Prints the help that was asked for to stdout, or a mistake to stderr. A mistake is also an event
/// if the arguments seem to ask for events.
fn print_usage(message: &UsageError, console: Console, log: Log) -> Verdict {
    let Some(help) = message.help() else {
        let console = console.with_log(log);
        console.usage(message);
        return console.end(Verdict::WrongInput);
    };
    match help.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            console.error(format_args!("cannot write the help: {error}"));
            Verdict::Failed
        }
        _ => Verdict::Done,
    }
}

/// An instruction set that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("HASHFALL_INSTRUCTIONS: {0}")]
struct InstructionsError(String);

/// Uses the instruction set that `HASHFALL_INSTRUCTIONS` names, if it is set.
fn limit_instructions() -> Result<(), InstructionsError> {
    const VARIABLE: &str = "HASHFALL_INSTRUCTIONS";
    match std::env::var(VARIABLE) {
        Ok(name) => Isa::limit_to(&name).map_err(|error| InstructionsError(error.to_string())),
        Err(std::env::VarError::NotPresent) => Ok(()),
        Err(error) => Err(InstructionsError(error.to_string())),
    }
}

/// Runs a command with its parallel loops on the number of threads of the user, Slurm or the
/// machine.
fn on_threads(
    requested: ThreadArgs,
    console: Console,
    command: impl FnOnce(usize) -> Verdict + Send,
) -> Verdict {
    let slurm = std::env::var_os("SLURM_CPUS_PER_TASK");
    let slurm = slurm.as_ref().map(|value| value.to_string_lossy());
    let threads = Threads::choose(requested.threads, slurm.as_deref());
    if let Some(why) = &threads.ignored_slurm {
        let value = slurm.unwrap_or_default();
        console.warning(format_args!("SLURM_CPUS_PER_TASK=`{value}` is ignored: {why}"));
    }
    if let Some(requested) = threads.too_many {
        console.warning(format_args!(
            "{requested} threads are too many for this machine; using {} (results do not change)",
            threads.count
        ));
    }
    threads::with_threads(threads.count, || command(threads.count)).unwrap_or_else(|error| {
        console.error(format_args!("cannot start {} threads: {error}", threads.count));
        Verdict::Failed
    })
}
