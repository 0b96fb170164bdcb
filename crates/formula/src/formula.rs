//! A formula of the time: its text, and the tree that it is parsed into.

use crate::dual::Dual;
use crate::error::FormulaError;
use crate::parser::{self, Expression};
use crate::variables::TIME;

/// A formula of the time.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    expression: Expression,
}

/// Two are equal if their texts are.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Formula {
    /// Parses a formula.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        Ok(Formula { text: text.to_owned(), expression: parser::parse(text, TIME)? })
    }

    /// The value at a time \[s\], and its slope; not finite where there is none.
    pub fn at(&self, t: f64) -> Dual {
        self.expression.at(&[Dual { value: t, slope: 1.0 }])
    }

    /// Whether the time does not occur in it.
    pub fn is_constant(&self) -> bool {
        self.expression.is_constant()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, t: f64) -> f64 {
        Formula::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}")).at(t).value
    }

    #[test]
    fn formulas_are_what_a_school_book_says() {
        let t = 0.7;
        for (text, expected) in [
            ("3", 3.0),
            ("-t^2", -t * t),
            ("(-t)^2", t * t),
            ("2*-t", -2.0 * t),
            ("2 - t - 1", 1.0 - t),
            ("8/4/2", 1.0),
            ("6/2*3", 9.0),
            ("2*6/3*t", 4.0 * t),
            ("1 - 2 + 3", 2.0),
            ("-t*2 + 1", 1.0 - 2.0 * t),
            ("t^-1", 1.0 / t),
            ("1e-3*t", 1e-3 * t),
            ("1.5E2 + .5", 150.5),
            ("2*pi", std::f64::consts::TAU),
            ("sin(t)^2 + cos(t)^2", 1.0),
            ("2*sin(-t)", -2.0 * t.sin()),
            ("-sin(t)", -t.sin()),
            ("max(min(t, 0.5), 0.2)*2", 1.0),
            ("max(0, min(1, t))", t),
            ("max(0.2, min(0.5, t))*2", 1.0),
            ("min(max(-t, -1), max(2, -t))^2", t * t),
            ("max(min(1, max(0, t)), min(0.1, max(0.05, -t))) - 1", t - 1.0),
            ("min(min(min(4, t), 3), min(2, min(1, sin(min(9, 2*t)))))", t),
            ("2*max(-1, -(min(t, 1) + 1)/2)", -1.0 - t),
            ("min(t, 2*t)^2", t * t),
            ("0.05*(1 - cos(pi*t))", 0.05 * (1.0 - (std::f64::consts::PI * t).cos())),
            ("sqrt(abs(-4*t))", (4.0 * t).sqrt()),
            ("exp(ln(t))", t),
            ("+t", t),
        ] {
            let found = value(text, t);
            assert!((found - expected).abs() < 1e-12, "{text}: {found}, not {expected}");
        }
    }

    #[test]
    fn formulas_without_the_time_are_constant() {
        for (text, is_constant) in [
            ("0", true),
            ("-(2*pi)^2 + sin(1)", true),
            ("max(1, 2)", true),
            ("0*t", false),
            ("1 - cos(-t)", false),
            ("min(3, 2 + t)", false),
        ] {
            assert_eq!(Formula::parse(text).unwrap().is_constant(), is_constant, "{text}");
        }
    }

    #[test]
    fn slopes_are_what_differences_tell() {
        for text in [
            "0.1*sin(2*pi*t)",
            "t^3",
            "2^t",
            "t^t",
            "exp(-t)*cos(3*t)",
            "1/(1 + t^2)",
            "tan(t)",
            "asin(t/2)",
            "acos(t/2)",
            "atan(3*t)",
            "sinh(t) - cosh(2*t)",
            "tanh(t)*t",
            "ln(t)",
            "sqrt(t)",
            "abs(t - 2)",
            "min(t, 0.1)",
            "max(2*t, 1)",
            "-t^2",
            "90*t",
            "7",
        ] {
            let formula = Formula::parse(text).unwrap();
            for t in [0.3, 0.9, 1.4] {
                let step = 1e-6;
                let by_difference =
                    (formula.at(t + step).value - formula.at(t - step).value) / (2.0 * step);
                let slope = formula.at(t).slope;
                assert!(
                    (slope - by_difference).abs() < 1e-7 * (1.0 + slope.abs()),
                    "{text} at {t}"
                );
            }
        }
        assert_eq!(Formula::parse("0*sqrt(t)").unwrap().at(0.0).value, 0.0);
        assert_eq!(Formula::parse("t^2").unwrap().at(0.0), Dual::constant(0.0));
    }

    #[test]
    fn faults_have_their_places() {
        for (text, at, message, help) in [
            ("", 0, "empty", "such as"),
            ("2*x", 2, "`x`", "`t`"),
            ("sine(t)", 0, "`sine`", "did you mean `sin`?"),
            ("2 t", 2, "no operator", "`*`"),
            ("2(t)", 1, "no operator", "`*`"),
            ("t+", 2, "ends", "number"),
            ("*t", 0, "`*`", "number"),
            ("sin(t", 3, "never closed", "`)`"),
            ("sin t", 4, "brackets", "sin(t)"),
            ("t)", 1, "`)`", "opens"),
            ("()", 1, "`)`", "number"),
            ("t^2^3", 3, "power", "brackets"),
            ("2*-t^2", 4, "sign", "brackets"),
            ("t--1", 2, "sign", ""),
            ("min(t)", 5, "2 arguments", ""),
            ("sin(t, 2)", 5, "1 argument", ""),
            ("(t, 2)", 2, "`,`", ""),
            ("t ä", 2, "`ä`", ""),
            ("t = 2", 2, "`=`", ""),
            ("1.2.3", 3, "no operator", ""),
            ("1e999", 0, "1e999", ""),
        ] {
            let fault = Formula::parse(text).expect_err(text);
            assert_eq!(fault.at, at, "{text}: {fault:?}");
            assert!(fault.message.contains(message), "{text}: {fault:?}");
            assert!(fault.help.contains(help), "{text}: {fault:?}");
        }
        assert!(Formula::parse(&"(".repeat(5000)).unwrap_err().message.contains("1000"));
        assert!(Formula::parse(&format!("{}t{}", "(".repeat(400), ")".repeat(400))).is_ok());
    }
}
