//! A formula of the place: its text, and the tree that it is parsed into.

use crate::dual::Dual;
use crate::error::FormulaError;
use crate::parser::{self, Expression};
use crate::variables::PLACE;

/// A formula of the place, by its coordinates x, y and z \[m\].
#[derive(Clone, Debug)]
pub struct PlaceFormula {
    text: String,
    expression: Expression,
}

/// Two are equal if their texts are.
impl PartialEq for PlaceFormula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl PlaceFormula {
    /// Parses a formula.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        Ok(PlaceFormula { text: text.to_owned(), expression: parser::parse(text, PLACE)? })
    }

    /// The value at a place \[m\]; not finite where there is none.
    pub fn at(&self, place: &[f64; 3]) -> f64 {
        self.expression.at(&place.map(Dual::constant)).value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_of_the_place_is_what_its_terms_are() {
        let place @ [x, y, z]: [f64; 3] = [0.3, -0.7, 1.9];
        for (text, expected) in [
            ("x", x),
            ("2*y - z^2", 2.0 * y - z * z),
            ("-0.5*sin(2*pi*x)*cos(2*pi*z)", {
                let turn = std::f64::consts::TAU;
                -0.5 * (turn * x).sin() * (turn * z).cos()
            }),
            ("max(0, min(1, z - y))", 1.0),
            ("sqrt(x^2 + y^2 + z^2)", (x * x + y * y + z * z).sqrt()),
            ("0.25", 0.25),
        ] {
            let formula = PlaceFormula::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert!((formula.at(&place) - expected).abs() < 1e-15, "{text}");
        }
        assert!(!PlaceFormula::parse("1/x").unwrap().at(&[0.0; 3]).is_finite());
    }

    #[test]
    fn faults_speak_of_the_place() {
        for (text, at, message, help) in [
            ("2*t", 2, "there is no `t` in a formula of the place", "`x`, `y`, `z` in m"),
            ("2 x", 2, "no operator", "2*x"),
            ("", 0, "empty", "sin(2*pi*x)"),
            ("y^", 2, "ends too early", "`x`, `y`, `z`, `pi`"),
            ("z & 1", 2, "`&`", "`x`, `y`, `z`"),
        ] {
            let fault = PlaceFormula::parse(text).expect_err(text);
            assert_eq!(fault.at, at, "{text}: {fault:?}");
            assert!(fault.message.contains(message), "{text}: {fault:?}");
            assert!(fault.help.contains(help), "{text}: {fault:?}");
        }
    }
}
