//! The variations of a case: each is a list of settings, as `--set` takes them, and so a run of the
//! case like any other.
//!
//! - *Courant numbers* at ten frames a second, and *frame rates* at one Courant number: together
//!   the axis of time steps. The number of frames goes with their rate, so that each run ends at
//!   the case's own time, up to rounding.
//! - *Spacings* over the case's own; see `spacing.rs` for how they are rounded. A support radius
//!   that the scene gives goes with them, so that particles have as many neighbours.

use super::scene_values::{number, value};
use super::spacing::{fitting, whole_lengths};
use crate::Case;
use hashfall_core::format_significant;
use hashfall_scene::{Diagnostic, Frames, Override, Prepared, Severity};
use std::f64::consts::SQRT_2;

/// Courant numbers \[–\], and the frames a second \[1/s\] at which they are run.
const COURANT_NUMBERS: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.8];
pub(super) const RATE: f64 = 10.0;
/// Frames a second \[1/s\], and the Courant number \[–\] at which they are run.
const RATES: [f64; 3] = [1.0, 40.0, 200.0];
pub(super) const COURANT: f64 = 0.4;
/// Spacings over the case's own \[–\].
const SPACING_RATIOS: [f64; 4] = [2.0, SQRT_2, 1.0, 0.5];
/// A finer spacing is left out if it makes more particles.
const MAX_PARTICLES: f64 = 20_000.0;
/// The key that the axis of time steps sets.
const COURANT_KEY: &str = "solver.courant";
/// Part of a frame by which a case may fall short of it through rounding.
const ROUNDING: f64 = 1e-6;
/// Figures of settings: more than a layer in a million needs.
const SETTING_FIGURES: usize = 12;

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// The Courant number \[–\].
    Courant,
    /// Frames a second of simulated time \[1/s\].
    FrameRate,
    /// The particle spacing d \[m\].
    Spacing,
}

impl Axis {
    /// Its name in files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Axis::Courant => "courant",
            Axis::FrameRate => "frame_rate",
            Axis::Spacing => "spacing",
        }
    }

    /// Whether time steps are varied, not the spacing.
    pub(super) fn is_of_steps(self) -> bool {
        self != Axis::Spacing
    }
}

/// A run that differs from the case's own in what an axis varies.
#[derive(Clone, Debug)]
pub(super) struct Variation {
    /// What is varied.
    pub axis: Axis,
    /// To what: in the unit of the axis.
    pub value: f64,
    /// The settings that do it.
    pub settings: Vec<Override>,
    /// Whether it is the case's own run.
    pub is_own: bool,
}

impl Variation {
    /// Its heading.
    pub(super) fn label(&self) -> String {
        let value = format_significant(self.value, 4);
        match self.axis {
            Axis::Courant => format!("courant {value}"),
            Axis::FrameRate => format!("frames {value}/s"),
            Axis::Spacing => format!("{value} m"),
        }
    }
}

/// Refuses settings of a key that the axis of time steps sets itself.
///
/// # Errors
/// A diagnostic for each.
pub fn refuse_varied(overrides: &[Override]) -> Result<(), Vec<Diagnostic>> {
    let faults: Vec<Diagnostic> = overrides
        .iter()
        .filter(|set| without_variants(&set.key) == COURANT_KEY)
        .map(|set| Diagnostic {
            severity: Severity::Error,
            source_name: set.source.name.clone(),
            source_text: set.source.text.clone(),
            span: Some(set.key_at.clone()),
            message: format!("`--convergence` sets `{COURANT_KEY}` itself"),
            help: Some(format!("leave out `--set {COURANT_KEY}=…`, or `--convergence`")),
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// A key in one spelling: without names of variants, as in `solver.Dfsph.courant`, and blanks.
fn without_variants(key: &str) -> String {
    let steps = key.split('.').map(str::trim);
    steps.filter(|step| !step.starts_with(char::is_uppercase)).collect::<Vec<_>>().join(".")
}

/// The variations of a case, and what is left out of them with the reason.
#[derive(Debug, Default)]
pub(super) struct Variations {
    pub list: Vec<Variation>,
    pub notes: Vec<String>,
}

impl Variations {
    /// All variations of a case with these settings.
    ///
    /// # Errors
    /// What is wrong with the settings.
    pub(super) fn new(case: &Case, overrides: &[Override]) -> Result<Self, Vec<Diagnostic>> {
        let own = case.prepare(overrides)?;
        let mut all = Variations::default();
        all.vary_steps(&own);
        if own.world.fluids.is_empty() {
            all.notes.push("no fluid: Courant numbers and spacings are left out".to_owned());
        } else {
            let is_set = |set: &Override| set.key.trim() == "support_radius";
            let has_support =
                value(case.scene, &["support_radius"]).is_some() || overrides.iter().any(is_set);
            all.vary_spacing(&own, has_support);
        }
        all.leave_out_refused(case, overrides);
        Ok(all)
    }

    fn vary_steps(&mut self, own: &Prepared) {
        let is_fixed = number(&own.resolved, &["solver", "time_step"]).is_some();
        let own_courant = own.world.solver.settings().courant();
        let has_courant = !own.world.fluids.is_empty() && !is_fixed;
        let mut add = |axis, value, courant: Option<f64>, frames: Frames| {
            let courant_set =
                courant.map(|courant| Override::new(COURANT_KEY, &format!("{courant}")));
            let frames_set = Override::new("frames", &written(frames));
            // Rates near each other are the same frames in a case that has few.
            if self.list.iter().any(|it| it.axis == axis && it.value == value) {
                return;
            }
            self.list.push(Variation {
                axis,
                value,
                settings: courant_set.into_iter().chain([frames_set]).collect(),
                is_own: courant.is_none_or(|it| it == own_courant) && frames == own.frames,
            });
        };
        let few = frames_at(own.frames, RATE)
            .unwrap_or(Frames { count: 1, rate: 1.0 / own.frames.time(own.frames.count) });
        if has_courant {
            COURANT_NUMBERS.iter().for_each(|&it| add(Axis::Courant, it, Some(it), few));
        } else {
            add(Axis::FrameRate, few.rate, None, few);
        }
        let courant = has_courant.then_some(COURANT);
        let mut rare = Vec::new();
        for rate in RATES {
            match frames_at(own.frames, rate) {
                Some(frames) => add(Axis::FrameRate, frames.rate, courant, frames),
                None => rare.push(rate),
            }
        }
        for rate in rare {
            let time = format_significant(own.frames.time(own.frames.count), 4);
            self.notes.push(format!("frames {rate}/s is left out: the case lasts {time} s"));
        }
        if is_fixed {
            self.notes.push("Courant numbers are left out: `time_step` fixes the step".to_owned());
        }
    }

    fn vary_spacing(&mut self, own: &Prepared, has_support: bool) {
        let known = |key: &str| number(&own.resolved, &[key]);
        let (Some(radius), Some(support)) = (known("particle_radius"), known("support_radius"))
        else {
            self.notes.push("spacings are left out: the scene has no `particle_radius`".to_owned());
            return;
        };
        let lengths = whole_lengths(&own.world, 2.0 * radius);
        for ratio in SPACING_RATIOS {
            let is_own = ratio == 1.0;
            let d = if is_own { 2.0 * radius } else { fitting(&lengths, 2.0 * radius * ratio) };
            let finer = 2.0 * radius / d;
            let dimensions = i32::from(own.world.dimension.count());
            let particles = own.world.particles.len() as f64 * finer.powi(dimensions);
            if !is_own && finer > 1.0 && particles > MAX_PARTICLES {
                let [d, particles] = [d, particles].map(|x| format_significant(x, 3));
                self.notes.push(format!(
                    "a spacing of {d} m is left out: some {particles} particles, of at most \
                     {MAX_PARTICLES}"
                ));
                continue;
            }
            let set = |key, x| Override::new(key, &format_significant(x, SETTING_FIGURES));
            let support = has_support.then(|| set("support_radius", support / finer));
            let settings = [set("particle_radius", 0.5 * d)].into_iter().chain(support).collect();
            self.list.push(Variation { axis: Axis::Spacing, value: d, settings, is_own });
        }
    }

    /// Leaves out what the scene does not take, such as a frame rate beyond its bounds.
    fn leave_out_refused(&mut self, case: &Case, overrides: &[Override]) {
        let Variations { list, notes } = self;
        list.retain(|variation| {
            let settings = [overrides, &variation.settings].concat();
            let refused = if variation.is_own { None } else { case.prepare(&settings).err() };
            let why = refused.as_ref().map(|faults| faults.first().map_or("", |it| &it.message));
            notes.extend(why.map(|why| format!("{} is left out: {why}", variation.label())));
            refused.is_none()
        });
    }
}

/// Frames near this rate \[1/s\] that end when these do; `None` if there is not even one.
fn frames_at(own: Frames, rate: f64) -> Option<Frames> {
    let time = own.time(own.count);
    let frames = time * rate;
    let count = if frames < 1.0 - ROUNDING { 0 } else { frames.round() as u32 };
    let rate = if count == own.count { own.rate } else { f64::from(count) / time };
    (count > 0).then_some(Frames { count, rate })
}

/// Frames as RON.
fn written(frames: Frames) -> String {
    format!("(count: {}, rate: {:?})", frames.count, frames.rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::find;

    fn variations(case: &str, sets: &[&str]) -> Variations {
        let sets: Vec<_> = sets.iter().map(|set| Override::parse(set).unwrap()).collect();
        Variations::new(find(case).unwrap(), &sets).unwrap()
    }

    fn settings(variation: &Variation) -> Vec<String> {
        variation.settings.iter().map(|set| format!("{}={}", set.key, set.value)).collect()
    }

    #[test]
    fn all_of_a_wave_that_is_one_of_them_itself() {
        let all = variations("standing_wave", &[]);
        let labels: Vec<String> = all.list.iter().map(Variation::label).collect();
        let courant = ["courant 0.05", "courant 0.1", "courant 0.2", "courant 0.4", "courant 0.8"];
        let rates = ["frames 1/s", "frames 40/s", "frames 200/s"];
        let spacings = ["0.1 m", "0.07143 m", "0.05 m", "0.025 m"];
        assert_eq!(labels, [&courant[..], &rates, &spacings].concat());
        let own: Vec<_> = all.list.iter().filter(|it| it.is_own).map(Variation::label).collect();
        assert_eq!(own, ["frames 1/s", "0.05 m"]);
        assert!(all.notes.is_empty(), "{:?}", all.notes);
        let ten_seconds = ["solver.courant=0.05", "frames=(count: 100, rate: 10.0)"];
        assert_eq!(settings(&all.list[0]), ten_seconds);
        assert_eq!(settings(&all.list[9]), ["particle_radius=0.0357142857143"]);
    }

    #[test]
    fn a_support_radius_that_the_scene_gives_goes_with_the_spacing() {
        let all = variations("taylor_green_wcsph", &[]);
        let coarse = all.list.iter().find(|it| it.axis == Axis::Spacing).unwrap();
        assert_eq!(settings(coarse), ["particle_radius=0.02", "support_radius=0.16"]);
        let set = ["particle_radius=0.05", "support_radius=0.2"];
        let all = variations("standing_wave", &set);
        let coarse = all.list.iter().find(|it| it.axis == Axis::Spacing).unwrap();
        assert_eq!(settings(coarse), ["particle_radius=0.1", "support_radius=0.4"]);
    }

    #[test]
    fn what_is_left_out_is_told() {
        let all = variations("kleefsman", &["frames.count=1"]);
        let notes = all.notes.join("\n");
        assert!(notes.contains("frames 1/s is left out: the case lasts 0.05 s"), "{notes}");
        assert!(notes.contains("m is left out: some "), "{notes}");
        assert!(notes.contains("particles, of at most 20000"), "{notes}");
        let finest = all.list.last().unwrap();
        assert!(finest.is_own && finest.axis == Axis::Spacing);

        let all = variations("elastic_flight", &[]);
        let rare = "frames 1/s is left out: the case lasts 0.5 s";
        assert_eq!(all.notes, [rare, "no fluid: Courant numbers and spacings are left out"]);
        assert!(all.list.iter().all(|it| it.axis == Axis::FrameRate));
        let frames: Vec<_> = all.list.iter().map(|it| settings(it).join(" ")).collect();
        assert_eq!(frames[0], "frames=(count: 5, rate: 10.0)");
        let short = variations("elastic_flight", &["frames=(count: 1, rate: 40.0)"]);
        let labels: Vec<_> = short.list.iter().map(Variation::label).collect();
        assert_eq!(labels, ["frames 40/s", "frames 200/s"], "each once");
    }

    #[test]
    fn a_fixed_step_has_no_courant_numbers() {
        let fixed = "solver=Multiphase(time_step: 0.002)";
        let sets = [fixed, "kernel=Mueller", "support_radius=0.2", "particle_radius=0.05"];
        let all = variations("standing_wave", &sets);
        assert!(all.list.iter().all(|it| it.axis != Axis::Courant));
        let note = "Courant numbers are left out: `time_step` fixes the step";
        assert!(all.notes.contains(&note.to_owned()), "{:?}", all.notes);
    }

    #[test]
    fn the_key_of_the_axis_is_refused_in_any_spelling() {
        for key in ["solver.courant", "solver.Dfsph.courant", " solver . courant "] {
            let faults = refuse_varied(&[Override::new(key, "0.1")]).unwrap_err();
            assert_eq!(faults.len(), 1);
            assert_eq!(faults[0].message, "`--convergence` sets `solver.courant` itself");
        }
        let others = ["solver.max_iterations", "elastic_solver.courant", "particle_radius"];
        assert!(refuse_varied(&others.map(|key| Override::new(key, "0.1"))).is_ok());
    }

    #[test]
    fn frames_end_when_the_case_does() {
        let own = Frames { count: 20, rate: 4.378_887_6 };
        let many = frames_at(own, 40.0).unwrap();
        assert_eq!(many.count, 183);
        assert!((many.time(many.count) - own.time(own.count)).abs() < 1e-14);
        assert_eq!(frames_at(own, 4.4), Some(own), "the same number is the same frames");
        assert_eq!(frames_at(Frames { count: 1, rate: 131.0 }, 40.0), None);
        assert_eq!(frames_at(Frames { count: 1, rate: 49.0 }, 40.0), None);
    }
}
