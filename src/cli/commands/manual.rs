//! `sim completions` and `sim man`: shell completion scripts and man pages.

use crate::cli::args::select::UnknownName;
use crate::cli::args::{CompletionsArgs, ManArgs, examples, whole, whole_with_scene};
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::text_output::deliver;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use hashfall_core::units;
use hashfall_output::files::{self, Write};
use std::io;
use std::path::Path;

/// The program in the footer of the pages.
const SOURCE: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// Prints a shell completion script.
pub fn completions(args: &CompletionsArgs, console: Console) -> Verdict {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole_with_scene(), "sim", &mut script);
    let messages = console.with_quiet(args.quiet);
    let script = String::from_utf8_lossy(&script);
    deliver("completions", &script, &args.text, console, messages)
}

/// Prints a man page, or writes all man pages.
pub fn man(args: &ManArgs, console: Console) -> Verdict {
    let whole = whole();
    if let Some(folder) = &args.out {
        return write_all(&whole, folder, console.with_quiet(args.quiet));
    }
    let command = match &args.command {
        None => Ok(&whole),
        Some(name) => find(&whole, name),
    };
    match command {
        Ok(command) => console.output("page", String::from_utf8_lossy(&page(command))),
        Err(why) => {
            console.error(why);
            Verdict::WrongInput
        }
    }
}

/// The commands that have pages: all but `help`, which prints what they hold.
fn pages(whole: &Command) -> impl Iterator<Item = &Command> {
    whole.get_subcommands().filter(|command| command.get_name() != "help").chain([whole])
}

/// The command of a name.
fn find<'a>(whole: &'a Command, name: &str) -> Result<&'a Command, UnknownName> {
    pages(whole).find(|command| command.get_name() == name).ok_or_else(|| {
        let known: Vec<&str> = pages(whole).map(Command::get_name).collect();
        UnknownName::new("command", name, &known)
    })
}

/// Writes the page of every command.
fn write_all(whole: &Command, folder: &Path, console: Console) -> Verdict {
    for command in pages(whole) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        if let Err(error) = files::write(&path, page(command), Write::Replace) {
            console.error(error);
            return Verdict::Failed;
        }
    }
    let pages = units::count(pages(whole).count() as u64, "page");
    console.message(format_args!("wrote {pages} into {}", folder.display()));
    Verdict::Done
}

/// A page in roff.
fn page(command: &Command) -> Vec<u8> {
    render(command).expect("writing to memory does not fail")
}

fn render(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone()).source(SOURCE).manual("Hashfall");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = examples(command) {
        let mut roff = Roff::new();
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        roff.text([roman(examples)]).control("fi", []);
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}
