//! Keys that were renamed: the old name works, with a warning that gives the new one.

use hashfall_scene::{Diagnostic, Override, Prepared, Severity, Source, prepare};
use hashfall_scene::{prepare_to_resume, schema};

/// A scene with all old names, each in a line of its own.
const OLD: &str = "Scene(
    frames: (count: 2, rate: 50.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.025,
    fluids: [
        (name: \"a\", rest_density: 1000, viscosity: 0, shapes: [
            Box(
                min: (0, 0, 0), max: (0.2, 0.2, 0.2),
                motion: Linear(centre: (0, 0, 0), rows: ((0, 0, 1), (0, 0, 0), (-1, 0, 0))),
            ),
        ]),
        (name: \"b\", rest_density: 900, viscosity: 0, shapes: [
            Box(min: (0.5, 0, 0), max: (0.7, 0.2, 0.2)),
        ]),
    ],
    solver: Wcsph(
        interface_repulsion: 0.05, sound_speed: 20.0,
    ),
    surface: (
        together: true,
        smallest_body: 3.0,
    ),
)";

/// Old name, new name, line of the old one.
const NAMES: [(&str, &str, usize); 4] = [
    ("motion", "initial_velocity", 9),
    ("interface_repulsion", "interface_sharpening", 17),
    ("together", "merge_fluids", 20),
    ("smallest_body", "min_component_volume", 21),
];

fn source(text: &str) -> Source {
    Source { name: "old.ron".to_owned(), text: text.to_owned() }
}

fn prepared(text: &str, overrides: &[&str]) -> Result<Prepared, Vec<Diagnostic>> {
    let overrides: Vec<_> = overrides.iter().map(|set| Override::parse(set).unwrap()).collect();
    prepare(&source(text), &overrides, &mut |_| unreachable!("no mesh"))
}

fn renamed(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (old, new, _)| {
        text.replace(&format!("{old}: "), &format!("{new}: "))
    })
}

#[test]
fn old_names_give_the_same_scene_and_a_warning_each() {
    let old = prepared(OLD, &[]).unwrap();
    let new = prepared(&renamed(OLD), &[]).unwrap();
    assert_eq!(old.resolved, new.resolved);
    assert_eq!(new.warnings, []);
    assert_eq!(old.warnings.len(), NAMES.len(), "{:?}", old.warnings);
    for ((before, after, line), warning) in NAMES.iter().zip(&old.warnings) {
        assert_eq!(warning.severity, Severity::Warning);
        assert_eq!(warning.message, format!("`{before}` is now called `{after}`"));
        assert_eq!(warning.line(), *line, "{warning}");
        let shown: String =
            OLD.chars().skip(warning.span.clone().unwrap().start).take(before.len()).collect();
        assert_eq!(shown, *before);
    }
    let settings = old.surface.unwrap();
    assert!(settings.merge_fluids && settings.min_component_volume == 3.0);
}

#[test]
fn overrides_may_use_old_names() {
    let text = renamed(OLD);
    for (set, expected) in [
        ("surface.smallest_body=7.0", "min_component_volume: 7.0"),
        ("surface=(smallest_body: 7.0)", "min_component_volume: 7.0"),
        ("solver.interface_repulsion=0.25", "interface_sharpening: 0.25"),
        ("fluids[0].shapes[0].motion.centre[1]=0.5", "0.5"),
        ("fluids[1].shapes[0].motion=TaylorGreen(speed: 0.5, wavelength: 3)", "TaylorGreen"),
    ] {
        for text in [OLD, &text] {
            let scene = prepared(text, &[set]).unwrap();
            assert!(scene.resolved.contains(expected), "{set}: {}", scene.resolved);
            let typed = scene.warnings.iter().filter(|it| it.source_name.starts_with("--set"));
            let typed: Vec<_> = typed.collect();
            assert_eq!(typed.len(), 1, "{set}: {:?}", scene.warnings);
            assert!(typed[0].message.contains("is now called"), "{}", typed[0]);
        }
    }
}

#[test]
fn both_names_at_once_are_an_error() {
    for (old, new, line) in NAMES {
        let value = if old == "motion" { "Still" } else { "false" };
        let both = OLD.replace(&format!("{old}: "), &format!("{new}: {value}, {old}: "));
        let errors = prepared(&both, &[]).unwrap_err();
        let [error] = &errors[..] else { panic!("{errors:?}") };
        assert_eq!(error.message, format!("`{old}` is now called `{new}`, and both are given"));
        assert_eq!(error.line(), line);
        assert_eq!(error.help, Some(format!("keep `{new}`")));
    }
    let errors = prepared(&renamed(OLD), &["surface=(together: true, merge_fluids: true)"]);
    let errors = errors.unwrap_err();
    assert!(errors[0].source_name.starts_with("--set"), "{errors:?}");
}

#[test]
fn a_run_with_old_names_can_be_resumed() {
    let set = Override::parse("surface.together=false").unwrap();
    let scene = prepare_to_resume(&source(OLD), &[set], &mut |_| unreachable!("no mesh")).unwrap();
    assert!(!scene.surface.unwrap().merge_fluids);
}

#[test]
fn the_schema_lists_the_new_names_and_finds_the_old_ones() {
    let keys = schema::keys();
    for (old, new, _) in NAMES {
        assert!(keys.iter().any(|key| key.path.ends_with(new)), "{new}");
        if old != "motion" {
            let found = schema::part(&keys, old);
            assert!(found.iter().any(|key| key.path.ends_with(new)), "{old}: {found:?}");
        }
    }
    let found = schema::part(&keys, "surface.smallest_body");
    assert_eq!(found[0].path, "surface.min_component_volume");
}
