//! The animated GIF of a run's pictures, up to a maximum file size.
//!
//! Frames share a palette and store only the pixels that change. If the film would be too large,
//! the picture is scaled down and frames are skipped, in a fixed order; a few sampled frames
//! predict the size. Pictures are read again for each attempt, so that memory does not grow with
//! the run.
//!
//! A GIF counts time in hundredths of a second, and players show a frame for at least two of them.
//! Each frame is shown until the time of the next selected one, rounded: the film is as long as the
//! run, even where frames are missing.

use super::palette::{COLOURS, Palette};
use super::picture::Picture;
use hashfall_core::parallel;
use std::borrow::Cow;

/// Maximum frame rate \[1/s\].
const MAX_FRAME_RATE: f64 = 25.0;
/// Frames that predict the size of the film.
const N_SAMPLED: usize = 7;
/// Frames that are encoded in parallel.
const BATCH: usize = 16;
/// Safety factor of the predicted size.
const MARGIN: f64 = 1.08;
/// Scale of the picture and stride of the frames for each attempt, best first.
const TRIES: [(f64, u64); 12] = [
    (1.0, 1),
    (0.75, 1),
    (2.0 / 3.0, 1),
    (0.5, 1),
    (0.5, 2),
    (0.4, 2),
    (1.0 / 3.0, 2),
    (1.0 / 3.0, 4),
    (0.25, 4),
    (0.25, 8),
    (0.2, 16),
    (0.2, 64),
];
/// Minimum side of a picture \[pixels\].
const MIN_SIDE: f64 = 16.0;

/// Reads a picture by its index among the frames; `None` if it cannot be read.
pub type ReadPicture<'a> = &'a (dyn Fn(usize) -> Option<Picture> + Sync);

/// A film.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// The GIF.
    pub bytes: Vec<u8>,
    /// Width and height \[pixels\].
    pub size: [u32; 2],
    /// The number of frames.
    pub frames: usize,
}

/// The film of pictures of one size, of the frames with these numbers, ascending, which grow by
/// `rate` in a second; none if it would be larger than `limit` bytes however small it is made, or
/// there are no pictures.
pub fn gif(frames: &[u32], rate: f64, limit: usize, read: ReadPicture) -> Option<Film> {
    let count = frames.len();
    let step = step(frames);
    let every = (rate / f64::from(step) / MAX_FRAME_RATE).ceil().max(1.0) as u64;
    let spread = |n: usize, of: usize| (0..n.min(of)).map(move |k| k * of / n.min(of));
    let sampled: Vec<usize> = spread(N_SAMPLED, count).collect();
    let pictures = parallel::filter_map(sampled.len(), |k| read(sampled[k]));
    let size = pictures.first()?.size;
    let palette = Palette::new(&pictures);
    let tries = TRIES.iter().map(|&(part, fewer)| {
        let part = part.max(MIN_SIDE / f64::from(size[0].min(size[1]))).min(1.0);
        let size = size.map(|side| ((f64::from(side) * part).round() as u32).max(1));
        let usual = u64::from(step).saturating_mul(every).saturating_mul(fewer);
        FilmPlan { size, usual, frames, rate, palette: &palette, read }
    });
    tries.filter(|plan| plan.expected() * MARGIN < limit as f64).find_map(|plan| plan.encode(limit))
}

/// The stride of the frame numbers of a run: their smallest difference.
pub fn step(frames: &[u32]) -> u32 {
    frames.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).min().unwrap_or(1).max(1)
}

/// An attempt at a film.
struct FilmPlan<'a> {
    size: [u32; 2],
    /// The stride of the selected frame numbers.
    usual: u64,
    frames: &'a [u32],
    rate: f64,
    palette: &'a Palette,
    read: ReadPicture<'a>,
}

impl FilmPlan<'_> {
    /// The palette indices of a picture.
    fn numbers(&self, k: usize) -> Option<Vec<u8>> {
        let picture = (self.read)(k)?.downscaled(self.size);
        Some(self.palette.numbers(&picture))
    }

    /// The indices of the selected frames: the first of each stretch of time.
    fn selected(&self) -> Vec<usize> {
        let first = self.frames.first().copied().unwrap_or_default();
        let stretch = |number: u32| u64::from(number.saturating_sub(first)) / self.usual;
        let mut selected: Vec<usize> = (0..self.frames.len()).collect();
        selected.dedup_by_key(|k| stretch(self.frames[*k]));
        selected
    }

    /// The predicted size \[bytes\].
    fn expected(&self) -> f64 {
        let selected = self.selected();
        let pairs = N_SAMPLED.min(selected.len());
        let sizes = parallel::filter_map(pairs, |n| {
            let at = n * selected.len() / pairs;
            let before = match at {
                0 => None,
                _ => Some(self.numbers(selected[at - 1])?),
            };
            let frame = self.frame(&self.numbers(selected[at])?, before.as_deref());
            Some(frame.buffer.len())
        });
        sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64 * selected.len() as f64
    }

    /// Encodes the film; `None` if it is larger than `limit` bytes.
    fn encode(&self, limit: usize) -> Option<Film> {
        let [width, height] = self.size.map(|side| u16::try_from(side).ok());
        let mut bytes = Vec::new();
        let mut encoder = gif::Encoder::new(&mut bytes, width?, height?, &self.palette.rgb).ok()?;
        encoder.set_repeat(gif::Repeat::Infinite).ok()?;
        let selected = self.selected();
        let (mut last, mut frames, mut written) = (None, 0, 0);
        // How long a frame is shown is known when the next one comes.
        let mut pending: Option<(usize, gif::Frame)> = None;
        for part in selected.chunks(BATCH) {
            let numbers =
                parallel::filter_map(part.len(), |n| Some((part[n], self.numbers(part[n])?)));
            let made = parallel::map_pieces(numbers.len(), &|n| {
                let before = if n == 0 { last.as_ref() } else { Some(&numbers[n - 1].1) };
                self.frame(&numbers[n].1, before.map(Vec::as_slice))
            });
            frames += made.len();
            for (frame, &(k, _)) in made.into_iter().zip(&numbers) {
                written += frame.buffer.len();
                if let Some((before, mut frame)) = pending.replace((k, frame)) {
                    frame.delay = self.delay(before, Some(k));
                    encoder.write_lzw_pre_encoded_frame(&frame).ok()?;
                }
            }
            if written > limit {
                return None;
            }
            last = numbers.into_iter().next_back().map(|(_, numbers)| numbers).or(last);
        }
        let (k, mut frame) = pending?;
        frame.delay = self.delay(k, None);
        encoder.write_lzw_pre_encoded_frame(&frame).ok()?;
        drop(encoder);
        (bytes.len() <= limit).then_some(Film { bytes, size: self.size, frames })
    }

    /// How long a picture is shown \[s/100\]: until the next one; the last for one stride.
    fn delay(&self, k: usize, next: Option<usize>) -> u16 {
        let number = f64::from(self.frames[k]);
        let until = next.map_or(number + self.usual as f64, |next| f64::from(self.frames[next]));
        let at = |number: f64| (number / self.rate * 100.0).round();
        (at(until) - at(number)).clamp(2.0, 6000.0) as u16
    }

    /// A frame of what has changed since the one before.
    fn frame(&self, numbers: &[u8], before: Option<&[u8]>) -> gif::Frame<'static> {
        const SAME: u8 = COLOURS as u8;
        let [width, height] = self.size.map(|side| side as usize);
        let has_changed = |i: usize| before.is_none_or(|before| before[i] != numbers[i]);
        let rows = (0..height).filter(|y| (0..width).any(|x| has_changed(y * width + x)));
        let (top, bottom) = ends(rows);
        let columns = (0..width).filter(|x| (top..=bottom).any(|y| has_changed(y * width + x)));
        let (left, right) = ends(columns);
        let place = |x: usize, y: usize| y * width + x;
        let changes = (top..=bottom).flat_map(|y| (left..=right).map(move |x| place(x, y)));
        let changes = changes.map(|i| if has_changed(i) { numbers[i] } else { SAME });
        let mut frame = gif::Frame {
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(SAME),
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            buffer: Cow::Owned(changes.collect()),
            ..gif::Frame::default()
        };
        frame.make_lzw_pre_encoded();
        frame
    }
}

/// The first and the last of some numbers; 0 and 0 if there are none.
fn ends(mut numbers: impl DoubleEndedIterator<Item = usize>) -> (usize, usize) {
    let first = numbers.next().unwrap_or(0);
    (first, numbers.next_back().unwrap_or(first))
}
