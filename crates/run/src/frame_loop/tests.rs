//! Tests of the frame loop: a search that is wrong ends it, observers act before each step.

use super::*;
use hashfall_scene::{self as scene, Source};
use hashfall_search::testing::short_sighted;

const SCENE: &str = "Scene(
    frames: (count: 4, rate: 10.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.05,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 0,
              shapes: [Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5))])],
)";

struct Nobody;

impl Observer for Nobody {
    fn frame(&mut self, _: &RunProgress) {}
    fn step(&mut self, _: &RunProgress) {}
}

#[test]
fn a_search_that_is_found_wrong_ends_the_run() {
    let source = Source { name: String::new(), text: SCENE.to_owned() };
    let scene = scene::prepare(&source, &[], &mut |_| unreachable!("no mesh")).unwrap();
    let mut plan = Plan::from(&scene);
    let mut stepper = Stepper::new(&plan.structures, &mut plan.world).unwrap();
    stepper.search_by(short_sighted());
    let (requests, mut nobody) = (Requests::default(), Nobody);
    let mut run = FrameLoop {
        stepper,
        writer: None,
        samples: Vec::new(),
        observer: &mut nobody,
        requests: &requests,
        checkpoints: Schedule::new(None),
        frame: None,
        frame_stats: FrameStats::default(),
        report: RunReport::default(),
        times_before: StageTimes::default(),
        last_step: None,
        next_sample: f64::INFINITY,
        plan,
    };
    let Err(End::WrongNeighbors(misled)) = run.all_frames() else { panic!("not seen") };
    assert!(misled.step <= 1 && misled.what.is_missing, "{misled}");
    assert!(misled.to_string().contains(" lacks point "), "{misled}");
    assert_eq!(run.report.frames, 1, "the start is written, and no frame after it");
}

/// Takes weight away before the first step, and asks for a stop before the fourth.
#[derive(Default)]
struct Weightless {
    requests: Requests,
    steps: u64,
    last: Option<World>,
}

impl Observer for Weightless {
    fn frame(&mut self, _: &RunProgress) {}

    fn step(&mut self, _: &RunProgress) {
        self.steps += 1;
    }

    fn before_step(&mut self, world: &mut World, _: &mut Stepper) {
        assert_eq!(world.steps, self.steps);
        world.gravity.fill(0.0);
        self.requests.stop.store(self.steps == 3, Ordering::Relaxed);
    }

    fn end(&mut self, world: World, _: Stepper) {
        self.last = Some(world);
    }
}

#[test]
fn an_observer_acts_before_each_step_and_gets_the_last_state() {
    let source = Source { name: String::new(), text: SCENE.to_owned() };
    let scene = scene::prepare(&source, &[], &mut |_| unreachable!("no mesh")).unwrap();
    let mut observer = Weightless::default();
    let requests = observer.requests.clone();
    let (report, end) = Plan::from(&scene).run(None, &mut observer, &requests);
    assert!(matches!(end, End::Interrupted), "{end:?}");
    let last = observer.last.unwrap();
    assert_eq!((last.steps, report.steps, observer.steps), (3, 3, 3));
    assert_eq!(report.digest, last.digest());
    assert!(scene.world.gravity.norm() > 1.0 && last.gravity.norm() == 0.0);
}
