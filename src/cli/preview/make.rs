//! All previews of a run: pictures, films, and the page.

use super::draw::picture;
use super::films::Films;
use super::job::Job;
use super::subject::{FrameError, Subject};
use crate::cli::console::{Fields, Verdict};
use crate::cli::progress::FileBar;
use hashfall_core::{parallel, units};
use hashfall_output::{FileError, layout};
use hashfall_preview::page;
use std::collections::BTreeSet;
use std::time::Instant;

/// The files that were made of a frame.
struct Shot {
    /// Its files.
    files: Vec<String>,
    /// A problem with it, if any.
    flaw: Option<String>,
}

impl Job<'_> {
    /// Makes all previews, and removes those of an earlier call.
    pub fn all(&self, groups: &[&[u32]]) -> Result<Verdict, FileError> {
        let start = Instant::now();
        let mut current = BTreeSet::new();
        let (made, mut verdict) = self.frames(groups, &mut current)?;
        if made.is_empty() && self.is_stopped() {
            self.console.warning("interrupted before the first image; the previews are unchanged");
            return Ok(verdict);
        }
        let [width, height] = self.args.size;
        let seconds = start.elapsed().as_secs_f64();
        let count = units::count(made.len() as u64, "frame");
        let rate = units::three_figures(made.len() as f64 / seconds.max(1e-9));
        let mut report = Fields::under(self.args.folder.display(), 10);
        let images = format_args!("{count}, {width} x {height}, {rate} per second");
        report.add("images", images);
        if !made.is_empty() {
            if !self.is_stopped() {
                let films = Films { job: self, frames: &made };
                films.all(&mut report, &mut current, &mut verdict)?;
            }
            if !self.args.no_page {
                self.page(&made, &mut current)?;
                report.add("page", self.target.path(layout::PREVIEW_PAGE).display());
            }
        }
        self.target.remove_old(&current)?;
        if self.is_stopped() {
            self.console.warning("interrupted; all previews so far are complete");
        }
        if self.args.quiet {
            return Ok(verdict);
        }
        Ok(verdict.or_worse(self.console.output("report", report.into_text())))
    }

    /// Makes the images and the page's scripts; returns the frames that have them.
    fn frames(
        &self,
        groups: &[&[u32]],
        current: &mut BTreeSet<String>,
    ) -> Result<(Vec<u32>, Verdict), FileError> {
        let (mut made, mut verdict) = (Vec::new(), Verdict::Done);
        let all: usize = groups.iter().map(|group| group.len()).sum();
        if !self.args.quiet {
            let count = units::count(all as u64, "frame");
            self.console.message(format_args!("rendering previews of {count}"));
        }
        let bar = FileBar::or_lines(self.console, self.args.quiet, all, "images");
        for group in groups.iter().take_while(|_| !self.is_stopped()) {
            let done = parallel::map_pieces(group.len(), &|k| {
                let done = self.frame(group[k]);
                bar.advance();
                done
            });
            for (&frame, done) in group.iter().zip(done) {
                let flaw = match done? {
                    Ok(Shot { files, flaw }) => {
                        current.extend(files);
                        made.push(frame);
                        flaw.map(|why| {
                            format!("the page shows the surface of frame {frame}: {why}")
                        })
                    }
                    Err(why) => Some(format!("skipping frame {frame}: {why}")),
                };
                if let Some(flaw) = flaw {
                    bar.while_hidden(|| self.console.warning(flaw));
                    verdict = Verdict::Failed;
                }
            }
        }
        Ok((made, verdict))
    }

    /// Makes a frame's files; an inner error is why the frame cannot be shown.
    fn frame(&self, frame: u32) -> Result<Result<Shot, FrameError>, FileError> {
        let Subject { is_surface, .. } = self.subject;
        let fluid = match self.subject.fluid(frame, *is_surface, self.colouring.quantity) {
            Ok(fluid) => fluid,
            Err(why) => return Ok(Err(why)),
        };
        let beside = match self.subject.beside_fluid(frame) {
            Ok(beside) => beside,
            Err(why) => return Ok(Err(why)),
        };
        let mut shot = Shot { files: Vec::new(), flaw: None };
        if !self.args.no_page {
            let bounds = page::quantised(&self.subject.domain);
            let has_own = *is_surface && !self.subject.is_surface_on_page(frame);
            let particles = has_own
                .then(|| self.subject.fluid(frame, false, self.colouring.quantity))
                .transpose();
            let particles = particles.unwrap_or_else(|why| {
                shot.flaw = Some(why.to_string());
                None
            });
            let shown = particles.as_ref().unwrap_or(&fluid);
            let (moving, foam) = (beside.moving.as_ref(), &beside.foam);
            let shown = page::PageFrame { number: frame, fluids: shown, foam, moving };
            let (colouring, radius) = (&self.colouring, self.subject.radius);
            let script =
                page::frame(&shown, &page::Quantisation { colouring, bounds: &bounds, radius });
            let name = layout::preview_script(frame);
            self.target.write(&name, script.as_bytes())?;
            shot.files.push(name);
        }
        let picture = picture(self.subject, &self.camera, fluid, &beside, &self.colouring);
        let name = layout::preview(frame);
        self.target.write(&name, &picture.png())?;
        shot.files.push(name);
        Ok(Ok(shot))
    }

    /// Makes the page.
    fn page(&self, frames: &[u32], current: &mut BTreeSet<String>) -> Result<(), FileError> {
        let Subject { domain, rate, .. } = self.subject;
        let run = page::Run {
            name: self.subject.name.clone(),
            frames: frames.iter().map(|&frame| (frame, f64::from(frame) / rate)).collect(),
            rate: *rate,
            domain: page::Run::corners(domain),
            floor: self.subject.has_floor,
            quantised: page::Run::corners(&page::quantised(domain)),
            radius: self.subject.radius,
            view: page::Run::view(self.view),
            scale: page::Scale::new(&self.colouring, &self.subject.fluids),
        };
        let solids = page::solids(&self.subject.standing);
        for (name, bytes) in [(layout::PREVIEW_SOLIDS, solids), (layout::PREVIEW_PAGE, run.page())]
        {
            self.target.write(name, bytes.as_bytes())?;
            current.insert(name.to_owned());
        }
        Ok(())
    }
}
