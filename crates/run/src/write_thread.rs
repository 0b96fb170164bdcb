//! Writing beside the simulation: a thread takes a frame while the next steps are computed.
//!
//! It holds one at a time, and the run waits for it before it hands over the next: memory stays
//! bounded, and on a disk that is too slow the run goes at the disk's pace. A file that fails ends
//! the run at the next frame or checkpoint.

use super::resume::Notes;
use hashfall_output::{FileError, Forecast, FrameRow, Recorder, State};
use hashfall_sph::world::Particles;
use hashfall_surface::Surfaces;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// What is to be written, with the samples of the probes since the last time.
pub struct Job {
    /// Times \[s\], and what the probes showed.
    pub samples: Vec<(f64, Vec<f64>)>,
    /// The rest.
    pub what: What,
}

/// A frame or a checkpoint.
pub enum What {
    /// A frame.
    Frame {
        /// Its row in the log.
        row: Box<FrameRow>,
        /// The particles; none if they are not written.
        particles: Particles,
        /// The surfaces of each fluid, or of all together, if there are any.
        surfaces: Vec<Surfaces>,
    },
    /// A checkpoint after a frame.
    Checkpoint {
        /// The last frame before it.
        frame: u32,
        /// The world.
        state: State,
        /// The frame loop's.
        notes: Box<Notes>,
    },
}

/// Hands over to the thread that writes.
pub struct Writer<'scope> {
    jobs: SyncSender<Job>,
    forecasts: Receiver<Forecast>,
    thread: ScopedJoinHandle<'scope, Result<(), FileError>>,
    writes_particles: bool,
}

impl<'scope> Writer<'scope> {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        recorder: &'env mut Recorder,
    ) -> Result<Writer<'scope>, FileError> {
        // Nothing is held but what is being written.
        let (jobs, taken) = sync_channel(0);
        let writes_particles = recorder.writes_particles();
        let (tell, forecasts) = channel();
        let refused = recorder.refused_thread();
        let work = move || write_all(&taken, &tell, recorder);
        let thread = Builder::new().spawn_scoped(scope, work).map_err(refused)?;
        Ok(Writer { jobs, forecasts, thread, writes_particles })
    }

    /// Whether frames have files of particles.
    pub fn writes_particles(&self) -> bool {
        self.writes_particles
    }

    /// What is known of the disk since this was asked last.
    pub fn forecast(&self) -> Option<Forecast> {
        self.forecasts.try_iter().last()
    }

    /// Hands over a job when the one before is done.
    ///
    /// # Errors
    /// What made the thread end.
    pub fn write(self, job: Job) -> Result<Self, FileError> {
        match self.jobs.send(job) {
            Ok(()) => Ok(self),
            Err(_) => self.finish().map(|()| unreachable!("without a fault the thread waits")),
        }
    }

    /// Waits until all is written.
    pub fn finish(self) -> Result<(), FileError> {
        drop(self.jobs);
        self.thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Writes until no more comes, or a file fails.
fn write_all(
    jobs: &Receiver<Job>,
    tell: &Sender<Forecast>,
    recorder: &mut Recorder,
) -> Result<(), FileError> {
    for Job { samples, what } in jobs {
        for (time, values) in samples {
            recorder.sample(time, &values);
        }
        match what {
            What::Frame { row, particles, surfaces } => {
                recorder.frame(&row, &particles, &surfaces)?;
                // Nobody listens any more when the run has ended.
                let _ = tell.send(recorder.forecast());
            }
            What::Checkpoint { frame, state, notes } => {
                recorder.checkpoint(frame, &state, &*notes)?;
            }
        }
    }
    Ok(())
}
