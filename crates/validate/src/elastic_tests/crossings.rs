//! The period of what swings.

/// When a number that swings about zero rises through it.
#[derive(Clone, Copy, Debug)]
pub struct Crossings {
    before: (f64, f64),
    first: Option<f64>,
    last: f64,
    count: usize,
}

impl Crossings {
    pub fn new(value: f64) -> Self {
        Crossings { before: (0.0, value), first: None, last: 0.0, count: 0 }
    }

    pub fn add(&mut self, time: f64, value: f64) {
        let (t, x) = self.before;
        if x < 0.0 && value >= 0.0 {
            self.last = t + (time - t) * x / (x - value);
            self.first.get_or_insert(self.last);
            self.count += 1;
        }
        self.before = (time, value);
    }

    /// Between the first and the last.
    pub fn period(&self) -> f64 {
        (self.last - self.first.unwrap_or(self.last)) / self.count.saturating_sub(1) as f64
    }
}
