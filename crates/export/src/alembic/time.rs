//! At which times samples are: the same step from one to the next, or a list.
//!
//! Source: Alembic 1.8.12, `AbcCoreAbstract/TimeSamplingType.h`, `AbcCoreOgawa/WriteUtil.cpp`.

/// The period that stands for times in a list.
const NO_PERIOD: f64 = f64::MAX / 32.0;

/// The times of all objects, each kind once.
pub struct Times {
    rate: f64,
    /// Frames of samples, with how many samples there are.
    kinds: Vec<Vec<u32>>,
}

impl Times {
    /// Times of frames at this frame rate \[1/s\].
    pub fn new(rate: f64) -> Times {
        // The first is of what does not change.
        Times { rate, kinds: vec![vec![0]] }
    }

    /// The number of the times of samples of these frames.
    pub fn number(&mut self, frames: &[u32]) -> u32 {
        let known = self.kinds.iter().position(|kind| kind == frames);
        let number = known.unwrap_or_else(|| {
            self.kinds.push(frames.to_vec());
            self.kinds.len() - 1
        });
        number as u32
    }

    /// All times as the file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for frames in &self.kinds {
            let time = |frame: &u32| f64::from(*frame) / self.rate;
            let step = frames.get(1).map_or(1, |second| second - frames[0]);
            let is_regular = frames.windows(2).all(|pair| pair[1] - pair[0] == step);
            let period = match frames.len() {
                1 => 1.0,
                _ if is_regular => f64::from(step) / self.rate,
                _ => NO_PERIOD,
            };
            let stored = if is_regular { &frames[..1] } else { frames };
            bytes.extend((frames.len() as u32).to_le_bytes());
            bytes.extend(period.to_le_bytes());
            bytes.extend((stored.len() as u32).to_le_bytes());
            stored.iter().for_each(|frame| bytes.extend(time(frame).to_le_bytes()));
        }
        bytes
    }
}
