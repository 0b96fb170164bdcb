//! `sim completions` and `sim man`: every command and option is in them.

use super::support::Place;
use std::process::{Command, Stdio};

/// The commands that `sim --help` lists, but for `help` itself.
fn commands(place: &Place) -> Vec<String> {
    let help = place.sim(["--help"]).assert_done().stdout.clone();
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let listed = listed.lines().take_while(|line| !line.is_empty());
    let names: Vec<String> =
        listed.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect();
    let [names @ .., help] = &names[..] else { panic!("no commands") };
    assert!(names.len() >= 15 && help == "help", "{names:?}");
    names.to_vec()
}

/// The long options in the help of a command; of `sim` itself without one.
fn options(place: &Place, command: Option<&str>) -> Vec<String> {
    let help = place.sim(command.into_iter().chain(["--help"])).assert_done().stdout.clone();
    let named = help.lines().filter_map(|line| {
        let line = line.trim_start();
        let long = line.starts_with('-').then(|| line.split("--").nth(1)).flatten()?;
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
        Some(format!("--{}", long.split(is_end).next().unwrap()))
    });
    let named: Vec<String> = named.collect();
    assert!(named.contains(&"--help".to_owned()), "{help}");
    named
}

#[test]
fn completions_know_every_command_and_option() {
    let place = Place::new();
    let commands = commands(&place);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.sim(["completions", shell]).assert_done().stdout.clone();
        let has = |word: &str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
            script.split(|c| !is_part(c)).any(|found| found == word)
        };
        for command in &commands {
            assert!(has(command), "{shell} lacks {command}");
        }
        for command in commands.iter().map(|name| Some(name.as_str())).chain([None]) {
            for option in options(&place, command) {
                let bare = option.trim_start_matches('-');
                assert!(has(&option) || has(bare), "{shell} lacks {option} of {command:?}");
            }
        }
    }
    place.sim(["completions", "cmd"]).assert_refused(&["invalid value 'cmd'"]);
}

#[test]
fn bash_reads_the_completions_and_completes() {
    if Command::new("bash").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    let place = Place::new();
    place.write("sim.bash", place.sim(["completions", "bash"]).assert_done().stdout.clone());
    let complete = |words: &str| {
        let count = words.split(' ').count() - 1;
        let script = format!(
            "source sim.bash; COMP_WORDS=({words}); COMP_CWORD={count}; \
             _sim sim \"${{COMP_WORDS[{count}]}}\" \"${{COMP_WORDS[{}]}}\"; echo \"${{COMPREPLY[@]}}\"",
            count - 1
        );
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", &script]).current_dir(place.path(""));
        let output = bash.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(complete("sim res"), "resume");
    assert_eq!(complete("sim help prev"), "preview");
    assert_eq!(complete("sim run --nns-v"), "--nns-verify");
    assert_eq!(complete("sim resume --nns-v"), "--nns-verify");
    assert_eq!(complete("sim check --allow-o"), "--allow-outside");
    assert_eq!(complete("sim --log j"), "json");
}

#[test]
fn a_man_page_is_made_of_every_command_and_tells_its_options() {
    let place = Place::new();
    place.sim(["man", "--dir", "pages/man1"]).assert_done();
    let commands = commands(&place);
    assert_eq!(place.files("pages/man1").len(), commands.len() + 1);
    for command in commands.iter().map(|name| Some(name.as_str())).chain([None]) {
        let file = command.map_or("sim.1".to_owned(), |name| format!("sim-{name}.1"));
        let page = place.read(&format!("pages/man1/{file}"));
        assert_eq!(page, place.sim(["man"].into_iter().chain(command)).assert_done().stdout);
        let plain = page.replace("\\-", "-");
        for option in options(&place, command) {
            assert!(plain.contains(&option), "{file} lacks {option}");
        }
        assert!(plain.starts_with(".ie") || plain.contains(".TH sim"), "{plain}");
    }
    let whole = place.read("pages/man1/sim.1").replace("\\-", "-");
    for command in &commands {
        assert!(whole.contains(&format!("sim-{command}(1)")), "sim.1 lacks {command}");
    }
    assert!(whole.contains("EXAMPLES") && whole.contains("sim check splash.ron"), "{whole}");
    place.sim(["man", "resum"]).assert_refused(&["no command `resum`", "`resume`"]);
}
