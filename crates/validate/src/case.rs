//! A case: a scene, what to watch while it runs, and what its run came to.

use super::findings::{Findings, Goal, Measured, Samples};
use hashfall_bodies::Wrench;
use hashfall_run::{End, Observer, Plan, Requests, RunProgress, RunReport};
use hashfall_scene::{self as scene, Diagnostic, Override, Prepared, Source};
use hashfall_sph::step::StepReport;
use hashfall_sph::world::World;
use std::io;

/// A scene whose outcome is known.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The name by which it is called.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// The scene's text.
    pub scene: &'static str,
    /// Whether it belongs to the quick set, which takes seven minutes of two cores.
    pub is_quick: bool,
    /// Meshes of the scene: path as the scene has it, and the file.
    pub meshes: &'static [(&'static str, &'static [u8])],
    /// Makes what watches a run.
    pub watch: fn() -> Box<dyn Watch>,
}

/// Watches a run of a case, and tells what it came to.
pub trait Watch: Send {
    /// Sees what each step has led to.
    fn step(&mut self, _world: &World, _step: &StepReport) {}
    /// Sees the world whenever probes are read: at the start, and then as their rate asks.
    fn sample(&mut self, _world: &World) {}
    /// Sees the mean forces of the fluid on the walls and on each solid since the frame before,
    /// with their moments about the origin.
    fn forces(&mut self, _time: f64, _forces: &[Wrench]) {}
    /// What it came to, after a run to the end.
    fn findings(&self, samples: &Samples) -> Findings;
}

/// A case that was run.
#[derive(Clone, Debug)]
pub struct CaseOutcome {
    /// What was run.
    pub case: &'static Case,
    /// Keys of the scene that were changed: `key=value`.
    pub changed: Vec<String>,
    /// How many particles.
    pub particles: usize,
    /// What was measured, and what is drawn.
    pub findings: Findings,
    /// Steps, time and digest.
    pub report: RunReport,
    /// Why the run did not come to its end, if it did not.
    pub failure: Option<String>,
}

impl CaseOutcome {
    /// Whether every goal is met.
    pub fn holds(&self) -> bool {
        self.findings.measured.iter().all(Measured::holds)
    }
}

impl Case {
    /// The case's scene, with keys changed.
    ///
    /// # Errors
    /// What is wrong with the changes.
    pub fn prepare(&self, overrides: &[Override]) -> Result<Prepared, Vec<Diagnostic>> {
        let source = Source { name: self.name.to_owned(), text: self.scene.to_owned() };
        scene::prepare(&source, overrides, &mut |path| self.mesh(path))
    }

    /// Runs the case, with keys of its scene changed; `None` if it was asked to stop.
    ///
    /// A run that blows up or stalls is an outcome: it has come to a time before its end.
    ///
    /// # Errors
    /// What is wrong with the changes.
    pub fn run(
        &'static self,
        overrides: &[Override],
        observer: &mut dyn Observer,
        requests: &Requests,
    ) -> Result<Option<CaseOutcome>, Vec<Diagnostic>> {
        let scene = self.prepare(overrides)?;
        let mut plan = Plan::from(&scene);
        plan.surface = None;
        let particles = plan.world.particles.len();
        let end_time = plan.frames.time(plan.frames.count);
        let names = plan.probes.columns().into_iter().map(|column| column.name).collect();
        let samples = Samples::new(names);
        let mut watching = Watching { observer, watch: (self.watch)(), samples };
        let (report, end) = plan.run(None, &mut watching, requests);
        let failure = match end {
            End::Finished => None,
            End::Interrupted => return Ok(None),
            End::BlewUp(blow_up) => Some(blow_up.to_string()),
            End::Breached(breach) => Some(breach.to_string()),
            End::Stalled(stall) => Some(stall.to_string()),
            End::WrongNeighbors(misled) => Some(misled.to_string()),
            End::Unwritable(error) => Some(error.to_string()),
        };
        let findings = match &failure {
            None => watching.watch.findings(&watching.samples),
            Some(_) => {
                let measured = vec![came_to(report.time, end_time)];
                Findings { measured, panels: Vec::new() }
            }
        };
        let changed = overrides.iter().map(|o| format!("{}={}", o.key, o.value)).collect();
        Ok(Some(CaseOutcome { case: self, changed, particles, findings, report, failure }))
    }

    fn mesh(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.meshes.iter().find(|(name, _)| *name == path);
        found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// How far a run came that should have come to `end` \[s\].
fn came_to(time: f64, end: f64) -> Measured {
    let goal = Goal::Within(end, end);
    Measured { quantity: "simulated time", value: time, reference: Some(end), goal, unit: "s" }
}

/// Shows a run to the case and to who waits for it.
struct Watching<'a> {
    observer: &'a mut dyn Observer,
    watch: Box<dyn Watch>,
    samples: Samples,
}

impl Observer for Watching<'_> {
    fn frame(&mut self, progress: &RunProgress) {
        self.observer.frame(progress);
    }

    fn step(&mut self, progress: &RunProgress) {
        self.observer.step(progress);
    }

    fn state(&mut self, world: &World, step: &StepReport) {
        self.watch.step(world, step);
    }

    fn sample(&mut self, world: &World, values: &[f64]) {
        self.samples.push(world.time, values);
        self.watch.sample(world);
    }

    fn forces(&mut self, time: f64, forces: &[Wrench]) {
        self.watch.forces(time, forces);
    }
}
