//! A case with its own run and, in a study of convergence, its variations; and what the runs came
//! to.

use super::variations::{Variation, Variations};
use crate::{Case, CaseOutcome};
use hashfall_scene::{Diagnostic, Override};

/// A case and its runs, of which the first is the case's own.
#[derive(Debug)]
pub struct Study {
    case: &'static Case,
    /// The settings of each run.
    runs: Vec<StudyRun>,
    /// The variations, each with the number of its run.
    variations: Vec<(Variation, usize)>,
    notes: Vec<String>,
    /// What the runs came to, in their order, as far as they are done.
    outcomes: Vec<CaseOutcome>,
}

/// A run of a study.
#[derive(Clone, Debug)]
pub struct StudyRun {
    /// What is varied; `None` for the case's own run.
    pub variation: Option<String>,
    /// The settings.
    pub overrides: Vec<Override>,
}

/// A variation with what its run came to.
pub(super) struct Varied<'a> {
    pub variation: &'a Variation,
    pub outcome: &'a CaseOutcome,
}

impl Study {
    /// Of the case's own run alone, with these settings.
    pub fn new(case: &'static Case, overrides: &[Override]) -> Self {
        let own = StudyRun { variation: None, overrides: overrides.to_vec() };
        Study { case, runs: vec![own], variations: vec![], notes: vec![], outcomes: vec![] }
    }

    /// Of the case's own run and of its variations, all with these settings.
    ///
    /// # Errors
    /// What is wrong with the settings.
    pub fn with_variations(
        case: &'static Case,
        overrides: &[Override],
    ) -> Result<Self, Vec<Diagnostic>> {
        let Variations { list, notes } = Variations::new(case, overrides)?;
        let mut study = Study { notes, ..Study::new(case, overrides) };
        for variation in list {
            let run = if variation.is_own { 0 } else { study.runs.len() };
            if !variation.is_own {
                study.runs.push(StudyRun {
                    variation: Some(variation.label()),
                    overrides: [overrides, &variation.settings].concat(),
                });
            }
            study.variations.push((variation, run));
        }
        Ok(study)
    }

    /// The case.
    pub fn case(&self) -> &'static Case {
        self.case
    }

    /// How many runs there are.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// The first run that is not done, and its number from 0.
    pub fn next_run(&self) -> Option<(usize, StudyRun)> {
        let next = self.outcomes.len();
        self.runs.get(next).map(|run| (next, run.clone()))
    }

    /// Stores what the next run came to.
    pub fn push(&mut self, outcome: CaseOutcome) {
        self.outcomes.push(outcome);
    }

    /// What the case's own run came to.
    pub fn own(&self) -> Option<&CaseOutcome> {
        self.outcomes.first()
    }

    /// What is left out, and what failed, with the reasons.
    pub(super) fn notes(&self) -> Vec<String> {
        let failed = self.runs.iter().zip(&self.outcomes).filter_map(|(run, outcome)| {
            let name = run.variation.as_deref().unwrap_or("the case's own run");
            outcome.failure.as_ref().map(|why| format!("{name} failed: {why}"))
        });
        self.notes.iter().cloned().chain(failed).collect()
    }

    /// The variations whose runs are done.
    pub(super) fn varied(&self) -> impl Iterator<Item = Varied<'_>> {
        self.variations.iter().filter_map(|(variation, run)| {
            self.outcomes.get(*run).map(|outcome| Varied { variation, outcome })
        })
    }

    /// A run that came to its end, whose quantities all others have; `None` if there is none.
    pub(super) fn finished(&self) -> Option<&CaseOutcome> {
        self.outcomes.iter().find(|outcome| outcome.failure.is_none())
    }
}
