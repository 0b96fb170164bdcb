//! Every experiment at a tiny size, and a structure that answers wrongly.

use super::broad_phases::{Scale, Workload, measure_one};
use super::sample::Sample;
use super::{Halt, Lab, Row, Setup, Size, experiments, inputs, report};
use hashfall_core::Real;
use hashfall_core::rng::RandomStream;
use hashfall_geometry::Aabb;
use hashfall_output::plot;
use hashfall_search::{BroadPhase, BruteBoxes, HierarchicalHash};
use std::sync::atomic::AtomicBool;

const SETUP: Setup = Setup { size: Size::Tiny, repeats: 2, seed: 5, threads: 1, memory: u64::MAX };

#[test]
fn every_experiment_runs_to_its_end_and_its_structures_agree() {
    for experiment in &experiments::ALL {
        let mut rows = 0;
        let outcome = experiment.run(SETUP, &AtomicBool::new(false), &mut |_| rows += 1);
        let name = experiment.name;
        assert_eq!(outcome.halt, None, "{name}");
        assert!(rows == outcome.rows.len() && rows > 1, "{name}");
        assert!(outcome.rows.iter().any(|row| row.answer.is_some_and(|a| a.count > 0)), "{name}");
        let values = report::csv(&outcome);
        let mut values = csv::Reader::from_reader(&values[..]);
        assert_eq!(values.records().filter(|row| row.is_ok()).count(), rows, "{name}");
        let drawn = plot::svg(&outcome.findings.panels).unwrap();
        assert_eq!(drawn.matches("</svg>").count(), 1, "{name}");
        assert!(outcome.findings.panels.iter().all(|panel| !panel.lines.is_empty()), "{name}");
        let text = report::text(&outcome);
        assert!(!outcome.findings.notes.is_empty() && text.contains("is fastest at"), "{text}");
        let papers = ["pouchol", "onderik", "ahmad"];
        let is_of_a_paper = papers.iter().any(|paper| name.starts_with(paper));
        let claimed = text.lines().filter(|line| line.starts_with("claim: ")).count();
        assert!(claimed > 0 || !is_of_a_paper, "{text}");
        let page = report::page(&[outcome]);
        assert!(page.contains(&text) && page.contains(&format!("![{name}]({name}.svg)")));
    }
}

#[test]
fn experiments_are_found_by_names_of_their_own() {
    for experiment in &experiments::ALL {
        let found = experiments::find(experiment.name).map(|found| found.about);
        assert_eq!(found, Some(experiment.about));
        assert!(!experiment.about.ends_with('.'), "{}", experiment.name);
    }
    assert!(experiments::find("pouchol-fig7").is_none());
}

/// Forgets the first box.
#[derive(Default)]
struct Forgetful(BruteBoxes);

impl BroadPhase for Forgetful {
    fn rebuild(&mut self, boxes: &[Aabb], smallest: Real) {
        self.0.rebuild(boxes, smallest);
    }

    fn candidates(&self, query: &Aabb, mut visit: impl FnMut(u32)) {
        self.0.candidates(query, |object| {
            if object > 0 {
                visit(object);
            }
        });
    }

    fn examined(&self, query: &Aabb) -> usize {
        self.0.examined(query)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        self.0.assert_well_formed(boxes);
    }
}

#[test]
fn a_structure_that_answers_wrongly_is_an_error() {
    let mut rng = RandomStream::new(1);
    let boxes = |rng: &mut RandomStream| -> Vec<Aabb> {
        (0..50).map(|_| inputs::ball(inputs::point(rng, 4.0, false), 1.0)).collect()
    };
    let sets = [boxes(&mut rng), boxes(&mut rng)];
    let input = "fifty".to_owned();
    let scale = Scale { smallest: 1.0, reach: 0.1, is_flat: false };
    let workload = Workload::moving(input, Some(1.0), sets, scale, &mut rng);
    let (stop, mut tell) = (AtomicBool::new(false), |_: &_| {});
    let mut lab = Lab::new(SETUP, &stop, &mut tell);
    measure_one::<HierarchicalHash>(&mut lab, "right", &workload).unwrap();
    measure_one::<BruteBoxes>(&mut lab, "oracle", &workload).unwrap();
    let known = lab.rows().len();
    match measure_one::<Forgetful>(&mut lab, "forgetful", &workload) {
        Err(Halt::Wrong(why)) => assert!(why.starts_with("fifty: forgetful finds "), "{why}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(lab.rows().len(), known, "what is wrong is not kept");
}

#[test]
fn a_structure_is_not_followed_beyond_its_time_and_memory() {
    let (stop, mut tell) = (AtomicBool::new(false), |_: &_| {});
    let mut lab = Lab::new(Setup { memory: 5000, ..SETUP }, &stop, &mut tell);
    let row = |structure, x: f64, seconds, bytes| Row {
        input: format!("N = {x}, moving"),
        x,
        structure,
        task: "pairs",
        items: 1,
        time: Sample::new(vec![seconds]),
        candidates: None,
        answer: None,
        bytes: Some(bytes),
    };
    lab.keep(row("quick", 10.0, 0.1, 10)).unwrap();
    lab.keep(row("slow", 10.0, 0.5, 10)).unwrap();
    lab.keep(row("large", 10.0, 0.1, 1000)).unwrap();
    let may = |structure, motion| lab.may_go_on(structure, "pairs", motion, 100.0);
    assert!(may("quick", "moving") && !may("slow", "moving") && !may("large", "moving"));
    assert!(may("slow", "at rest") && may("unknown", "moving"), "nothing is known of them");
}

#[test]
fn an_experiment_that_is_stopped_keeps_what_it_has() {
    let stop = AtomicBool::new(false);
    let experiment = experiments::find("broad-phase").unwrap();
    let mut rows = 0;
    let outcome = experiment.run(SETUP, &stop, &mut |_| {
        rows += 1;
        stop.store(rows == 3, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!((outcome.halt, outcome.rows.len()), (Some(Halt::Stopped), 3));
    assert_eq!(outcome.findings.panels.len(), 6);
}
