//! The known name nearest to a misspelt one.

/// Longer names have no suggestion: the cost of the distance is the product of two lengths.
const MAX_LENGTH: usize = 255;

/// The candidate nearest to `name`, if it is near enough to be what was meant.
///
/// Near means a Damerau–Levenshtein distance, without regard to case, of at most a third of the
/// name's length (and at least 1); ties go to the first candidate.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let length = wanted.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let farthest = (length / 3).max(1);
    let distance = |c: &str| strsim::damerau_levenshtein(&wanted, &c.to_lowercase());
    // Each character that one has more is a step.
    let is_as_long = |c: &&str| c.chars().count().abs_diff(length) <= farthest;
    candidates
        .into_iter()
        .filter(is_as_long)
        .map(|seed| (distance(seed), seed))
        .filter(|&(distance, _)| distance <= farthest)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, seed)| seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let known = ["viscosity", "rest_density", "name"];
        assert_eq!(nearest("viscosty", known), Some("viscosity"));
        assert_eq!(nearest("Rest_Density", known), Some("rest_density"));
        assert_eq!(nearest("nmae", known), Some("name"));
        assert_eq!(nearest("colour", known), None);
    }
}
