//! Asynchronous output: a thread writes a frame while the next steps are computed.
//!
//! The thread holds one frame at a time, and the run waits for it before it hands over the next:
//! memory stays bounded, and a slow disk slows the run down. A write error ends the run at the next
//! frame or checkpoint.

use super::resume::Notes;
use hashfall_output::{FileError, Forecast, FrameContent, FrameRow, Recorder, State};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Data to write, with the samples of the probes since the last job.
pub struct Job {
    /// Times \[s\] and values of the probes.
    pub samples: Vec<(f64, Vec<f64>)>,
    /// The frame or checkpoint.
    pub content: Content,
}

/// A frame or a checkpoint.
pub enum Content {
    /// A frame.
    Frame {
        /// Its row in the log.
        row: Box<FrameRow>,
        /// What it shows.
        content: Box<FrameContent>,
    },
    /// A checkpoint after a frame.
    Checkpoint {
        /// The last frame before it.
        frame: u32,
        /// The world.
        state: Box<State>,
        /// The frame loop's notes.
        notes: Box<Notes>,
    },
    /// Nothing, which is taken when all before is written.
    Nothing,
}

/// The handle of the writing thread.
pub struct Writer<'scope> {
    jobs: SyncSender<Job>,
    forecasts: Receiver<Forecast>,
    thread: ScopedJoinHandle<'scope, Result<(), FileError>>,
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
        // The thread holds only the job that it writes.
        let (jobs, queue) = sync_channel(0);
        let (sender, forecasts) = channel();
        let refused = recorder.thread_error();
        let work = move || write_all(&queue, &sender, recorder);
        let thread = Builder::new().spawn_scoped(scope, work).map_err(refused)?;
        Ok(Writer { jobs, forecasts, thread })
    }

    /// The latest disk forecast since the last call.
    pub fn forecast(&self) -> Option<Forecast> {
        self.forecasts.try_iter().last()
    }

    /// Hands over a job when the previous one is done.
    ///
    /// # Errors
    /// The error that ended the thread.
    pub fn write(self, job: Job) -> Result<Self, FileError> {
        match self.jobs.send(job) {
            Ok(()) => Ok(self),
            Err(_) => {
                self.finish().map(|()| unreachable!("without an error the thread waits for jobs"))
            }
        }
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    /// The error that ended the thread.
    pub fn finish(self) -> Result<(), FileError> {
        drop(self.jobs);
        self.thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Writes jobs until the channel closes or a file fails.
fn write_all(
    jobs: &Receiver<Job>,
    forecasts: &Sender<Forecast>,
    recorder: &mut Recorder,
) -> Result<(), FileError> {
    for Job { samples, content } in jobs {
        for (time, values) in samples {
            recorder.sample(time, &values);
        }
        match content {
            Content::Frame { row, content } => {
                recorder.frame(&row, &content)?;
                // The receiver is gone when the run has ended.
                let _ = forecasts.send(recorder.forecast());
            }
            Content::Checkpoint { frame, state, notes } => {
                recorder.checkpoint(frame, &state, &*notes)?;
            }
            Content::Nothing => {}
        }
    }
    Ok(())
}
