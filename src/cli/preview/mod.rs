//! `sim preview`: pictures, a film and a page of a run.

mod ffmpeg;
mod films;
pub mod memory;
mod subject;

use super::args::{Colour, Of, PreviewArgs};
use super::console::Console;
use super::running::{Process, refused};
use super::stop_signal::StopSignal;
use super::units;
use super::verdict::Verdict;
use hashfall_output::files::Write;
use hashfall_output::table::whole_rows;
use hashfall_output::{FileError, layout};
use hashfall_preview::frame::{Dye, Fluid, Showing};
use hashfall_preview::{Camera, Picture, Scene, Skin, ViewFrom, page, render};
use hashfall_scene as scene;
use hashfall_scene::PreviewOf;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use subject::{Refusal, Subject};

/// How often it is told how far the pictures are.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// Makes the previews that a run's scene asks for, at its end. The run is as it is: what goes wrong
/// here is only warned of; what is whole stays when it is asked to stop.
pub fn after_run(
    folder: &Path,
    settings: scene::Preview,
    quiet: bool,
    process: &Process,
    stop: &AtomicBool,
) {
    let Process { threads, console, .. } = *process;
    let (width, height) = settings.size;
    let args = PreviewArgs {
        of: match settings.of {
            PreviewOf::Auto => Of::Auto,
            PreviewOf::Particles => Of::Particles,
            PreviewOf::Surface => Of::Surface,
        },
        size: [width, height],
        every: settings.every,
        view: settings.view.map(|(azimuth, elevation)| [azimuth, elevation]),
        quiet,
        ..PreviewArgs::usual(folder)
    };
    let why = match made(&args, threads, console, stop) {
        Ok(_) => return,
        Err(refusal) => refusal.to_string(),
    };
    console.warning(format_args!("there are no previews: {why}"));
}

/// Makes the previews of a run.
pub fn preview(args: &PreviewArgs, threads: usize, console: Console) -> Verdict {
    let stop = match StopSignal::install(console) {
        Ok(stop) => stop,
        Err(verdict) => return verdict,
    };
    stop.let_files_be_finished();
    let stopping = &stop.requests().stop;
    match made(args, threads, console, stopping) {
        Ok(_) if stopping.load(Ordering::SeqCst) => Verdict::Stopped(stop.exit_code()),
        Ok(verdict) => verdict,
        Err(Refusal::Folder(error)) => refused(&error, console),
        Err(Refusal::Scene(faults)) => {
            console.diagnostics(&faults);
            Verdict::WrongInput
        }
        Err(Refusal::Nothing(why)) => {
            console.error(why);
            Verdict::WrongInput
        }
    }
}

/// Makes the previews that the arguments ask for.
fn made(
    args: &PreviewArgs,
    threads: usize,
    console: Console,
    stop: &AtomicBool,
) -> Result<Verdict, Refusal> {
    let of = match (args.of, args.colour) {
        (Of::Surface, Colour::Density) => {
            let why = "a surface has no density: `--colour density` goes with `--of particles`";
            return Err(Refusal::Nothing(why.to_owned()));
        }
        (Of::Auto, Colour::Density) => Of::Particles,
        (of, _) => of,
    };
    let subject = Subject::of(&args.folder, of)?;
    let mut frames = subject.frames.clone();
    frames.retain(|&frame| {
        let is_in = frame >= args.from && args.to.is_none_or(|to| frame <= to);
        is_in && (frame - args.from).is_multiple_of(args.every)
    });
    if frames.is_empty() {
        let last = subject.frames.last().copied().unwrap_or_default();
        return Err(Refusal::Nothing(format!(
            "`{}` has no frame from --from to --to: the last is {last}",
            args.folder.display()
        )));
    }
    // Others would remove what this call makes.
    let _held = subject.folder.hold_previews().map_err(|error| match error {
        FileError::InUse(folder) => Refusal::Nothing(format!(
            "another process makes the previews in `{}`: wait for its end",
            folder.display()
        )),
        error => Refusal::Folder(error),
    })?;
    let showing = subject.showing(args);
    let groups = memory::side_by_side(&subject, &frames, args.size, threads);
    let range = args.range.map_or_else(
        || range_of(&subject, &groups, showing, stop),
        |range| range.map(|value| value as f32),
    );
    let usual = subject.view;
    let view = args.view.map_or(usual, |[azimuth, elevation]| ViewFrom { azimuth, elevation });
    let camera = Camera::fit(&subject.domain, view, args.size, args.zoom);
    let dye = Dye { fluids: args.fluids(), ..Dye::new(showing, range) };
    let shoot = Shoot { args, subject: &subject, camera, view, dye, console, stop };
    Ok(shoot.all(&groups)?)
}

/// A frame, and its picture as PNG or why there is none.
pub type Thumbnail = (u32, Result<Vec<u8>, String>);

/// Small pictures of the frames of a run that `choose` takes of those that there are: for pages
/// that show how runs look. Colours of speeds go to `fastest` \[m/s\], or to the largest of the
/// run.
///
/// # Errors
/// Why there are none.
pub fn thumbnails(
    folder: &Path,
    size: [u32; 2],
    fastest: Option<f32>,
    choose: impl FnOnce(&[u32]) -> Vec<u32>,
) -> Result<Vec<Thumbnail>, String> {
    let subject = Subject::of(folder, Of::Auto).map_err(|refusal| refusal.to_string())?;
    let frames = choose(&subject.frames);
    let showing = subject.usual_showing();
    let range = fastest.filter(|speed| *speed > 0.0).map(|speed| [0.0, speed]);
    let range = range.unwrap_or_else(|| {
        let groups: Vec<&[u32]> = frames.chunks(1).collect();
        range_of(&subject, &groups, showing, &AtomicBool::new(false))
    });
    let dye = Dye::new(showing, range);
    let camera = Camera::fit(&subject.domain, subject.view, size, 1.0);
    let draw = |frame: u32| {
        let fluid = subject.fluid(frame, subject.is_surface, dye.showing)?;
        Ok(picture(&subject, &camera, frame, fluid, &dye).png())
    };
    Ok(frames.into_iter().map(|frame| (frame, draw(frame))).collect())
}

/// Draws a frame.
fn picture(
    subject: &Subject,
    camera: &Camera,
    frame: u32,
    fluid: Vec<Fluid>,
    dye: &Dye,
) -> Picture {
    let moving = subject.moving(frame).unwrap_or_default();
    let (mut balls, mut skins): (Vec<_>, Vec<Skin>) = (Vec::new(), Vec::new());
    for fluid in fluid {
        if fluid.faces.is_none() {
            balls.push(fluid.balls(dye, subject.radius));
        }
        skins.extend(fluid.skin(dye));
    }
    let obstacles = [&subject.standing, &moving];
    let scene = Scene {
        bounds: subject.domain,
        has_floor: subject.has_floor,
        balls: balls
            .iter()
            .map(Vec::as_slice)
            .chain(obstacles.map(|it| it.balls.as_slice()))
            .collect(),
        skins: skins.iter().chain(obstacles.iter().flat_map(|it| &it.skins)).collect(),
    };
    render(&scene, camera)
}

/// The values at the ends of the colour scale: the same for all frames. Speeds begin at 0 and end
/// at the largest in the log; of other values all frames are asked.
fn range_of(subject: &Subject, groups: &[&[u32]], showing: Showing, stop: &AtomicBool) -> [f32; 2] {
    let found = match showing {
        Showing::Phase | Showing::Nothing => return [0.0, 1.0],
        Showing::Speed => logged_speed(subject),
        Showing::Density => None,
    };
    let found = found.or_else(|| {
        // What cannot be read is told when it is drawn.
        let of_frame = |&frame: &u32| {
            let fluid = subject.fluid(frame, subject.is_surface, showing).ok()?;
            fluid.iter().filter_map(Fluid::range).reduce(wider)
        };
        let goes_on = groups.iter().take_while(|_| !stop.load(Ordering::Relaxed));
        let of_group = |group: &&[u32]| group.par_iter().filter_map(of_frame).reduce_with(wider);
        goes_on.filter_map(of_group).reduce(wider)
    });
    let [low, high] = found.unwrap_or([0.0, 1.0]);
    let low = if showing == Showing::Speed { 0.0 } else { low };
    // Still water has a scale, too.
    if high > low { [low, high] } else { [low, low + 1.0] }
}

/// The range that holds two others.
fn wider(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// From 0 to the largest speed in the log, if there is one.
fn logged_speed(subject: &Subject) -> Option<[f32; 2]> {
    let log = subject.folder.read(layout::LOG).ok()?;
    let (names, rows) = whole_rows(&log);
    let column = names.iter().position(|name| name == "max_speed")?;
    let speeds = rows.iter().filter_map(|row| row[column].parse::<f32>().ok());
    let speed = speeds.filter(|speed| speed.is_finite()).fold(0.0, f32::max);
    (speed > 0.0).then_some([0.0, speed])
}

/// All that is made of a run.
struct Shoot<'a> {
    args: &'a PreviewArgs,
    subject: &'a Subject,
    camera: Camera,
    view: ViewFrom,
    dye: Dye,
    console: Console,
    /// Whether it is asked to stop.
    stop: &'a AtomicBool,
}

/// What was made of a frame.
struct Shot {
    /// Its files.
    files: Vec<String>,
    /// What is wrong with it all the same.
    flaw: Option<String>,
}

impl Shoot<'_> {
    /// Whether somebody has asked to stop.
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Makes all previews, and removes those of an earlier call.
    fn all(&self, groups: &[&[u32]]) -> Result<Verdict, FileError> {
        let start = Instant::now();
        let mut kept = BTreeSet::new();
        let (made, mut verdict) = self.frames(groups, &mut kept)?;
        if made.is_empty() && self.is_stopped() {
            self.console
                .warning("interrupted before the first picture: the previews are as before");
            return Ok(verdict);
        }
        let [width, height] = self.args.size;
        let seconds = start.elapsed().as_secs_f64();
        let count = units::count(made.len() as u64, "frame");
        let rate = units::three_figures(made.len() as f64 / seconds.max(1e-9));
        let mut told = format!("{}\n", self.args.folder.display());
        told += &format!("  pictures  {count}, {width} x {height}, {rate} a second\n");
        if !made.is_empty() {
            if !self.is_stopped() {
                let films = films::Films { shoot: self, frames: &made };
                told += &films.all(&mut kept, &mut verdict)?;
            }
            if !self.args.no_page {
                told += &self.page(&made, &mut kept)?;
            }
        }
        self.subject.folder.keep_previews(&kept)?;
        if self.is_stopped() {
            self.console.warning("interrupted: the previews so far are whole");
        }
        if self.args.quiet {
            return Ok(verdict);
        }
        Ok(verdict.or_worse(self.console.answer("report", told)))
    }

    /// Makes the pictures, and the page's scripts; which frames have them.
    fn frames(
        &self,
        groups: &[&[u32]],
        kept: &mut BTreeSet<String>,
    ) -> Result<(Vec<u32>, Verdict), FileError> {
        let (mut made, mut verdict) = (Vec::new(), Verdict::Done);
        let (mut told, mut tried) = (Instant::now(), 0);
        let all: usize = groups.iter().map(|group| group.len()).sum();
        for group in groups.iter().take_while(|_| !self.is_stopped()) {
            let done: Vec<_> = group.par_iter().map(|&frame| self.frame(frame)).collect();
            for (&frame, done) in group.iter().zip(done) {
                let flaw = match done? {
                    Ok(Shot { files, flaw }) => {
                        kept.extend(files);
                        made.push(frame);
                        flaw.map(|why| {
                            format!("the page shows the surface of frame {frame}: {why}")
                        })
                    }
                    Err(why) => Some(format!("frame {frame} is left out: {why}")),
                };
                if let Some(flaw) = flaw {
                    self.console.warning(flaw);
                    verdict = Verdict::Failed;
                }
            }
            tried += group.len();
            if !self.args.quiet && told.elapsed() > TOLD_EVERY {
                told = Instant::now();
                self.console.talk(format_args!("picture {tried}/{all}"));
            }
        }
        Ok((made, verdict))
    }

    /// Makes a frame's files, and names them; or tells why it cannot be shown.
    fn frame(&self, frame: u32) -> Result<Result<Shot, String>, FileError> {
        let Subject { folder, is_surface, .. } = self.subject;
        let fluid = match self.subject.fluid(frame, *is_surface, self.dye.showing) {
            Ok(fluid) => fluid,
            Err(why) => return Ok(Err(why)),
        };
        let mut shot = Shot { files: Vec::new(), flaw: None };
        if !self.args.no_page {
            let bounds = page::quantised(&self.subject.domain);
            let has_own = *is_surface && !self.subject.is_surface_on_page(frame);
            let particles =
                has_own.then(|| self.subject.fluid(frame, false, self.dye.showing)).transpose();
            let particles = particles.unwrap_or_else(|why| {
                shot.flaw = Some(why);
                None
            });
            let shown = particles.as_ref().unwrap_or(&fluid);
            let moving = self.subject.moving(frame);
            let script = page::frame(frame, shown, moving.as_ref(), &self.dye, &bounds);
            let name = layout::preview_script(frame);
            folder.write(&name, script.as_bytes(), Write::Replace)?;
            shot.files.push(name);
        }
        let picture = picture(self.subject, &self.camera, frame, fluid, &self.dye);
        let name = layout::preview(frame);
        folder.write(&name, &picture.png(), Write::Replace)?;
        shot.files.push(name);
        Ok(Ok(shot))
    }

    /// Makes the page.
    fn page(&self, frames: &[u32], kept: &mut BTreeSet<String>) -> Result<String, FileError> {
        let Subject { folder, domain, rate, .. } = self.subject;
        let run = page::Run {
            name: self.subject.name.clone(),
            frames: frames.iter().map(|&frame| (frame, f64::from(frame) / rate)).collect(),
            rate: *rate,
            domain: page::Run::corners(domain),
            floor: self.subject.has_floor,
            quantised: page::Run::corners(&page::quantised(domain)),
            radius: self.subject.radius,
            view: page::Run::view(self.view),
            scale: page::Scale::of(&self.dye, &self.subject.fluids),
        };
        let solids = page::solids(&self.subject.standing);
        for (name, bytes) in [(layout::PREVIEW_SOLIDS, solids), (layout::PREVIEW_PAGE, run.page())]
        {
            folder.write(name, bytes.as_bytes(), Write::Replace)?;
            kept.insert(name.to_owned());
        }
        Ok(format!("  page      {}\n", folder.path().join(layout::PREVIEW_PAGE).display()))
    }
}
