//! What a paper claims, beside what is found here.

use hashfall_core::format_significant;
use std::fmt;
use std::ops::RangeInclusive;

/// A claim of a paper that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What it says.
    pub text: &'static str,
    /// Its figures.
    pub paper: &'static str,
    /// Ours.
    pub ours: String,
    /// Whether it holds here.
    pub holds: bool,
}

impl Claim {
    /// A claim on values that all must hold; `None` if none could be measured.
    pub fn new(
        text: &'static str,
        paper: &'static str,
        found: Option<RangeInclusive<f64>>,
        claimed: RangeInclusive<f64>,
    ) -> Option<Claim> {
        let found = found?;
        let holds = claimed.contains(found.start()) && claimed.contains(found.end());
        let [least, most] = [found.start(), found.end()].map(|x| format_significant(*x, 3));
        let ours = if least == most { least } else { format!("{least} to {most}") };
        Some(Claim { text, paper, ours, holds })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim { text, paper, ours, holds } = self;
        let verdict = if *holds { "holds" } else { "does not hold" };
        write!(f, "claim: {text} (paper: {paper}): here {ours}: {verdict}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_holds_if_all_that_was_found_does() {
        let claim = |found| Claim::new("twice as fast", "≥ 2", found, 2.0..=f64::INFINITY);
        let text = claim(Some(1.21..=1.6)).map(|claim| claim.to_string());
        let line = "claim: twice as fast (paper: ≥ 2): here 1.21 to 1.6: does not hold";
        assert_eq!(text.as_deref(), Some(line));
        assert!(claim(Some(2.0..=2.0)).is_some_and(|claim| claim.holds && claim.ours == "2"));
        assert_eq!(claim(None), None);
    }
}
