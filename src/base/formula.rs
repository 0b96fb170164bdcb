//! Formulas of the time, as a scene has them: `0.1*sin(2*pi*t)`, with their rates of change.
//!
//! The crate exmex reads and evaluates them, for numbers that carry their derivative along
//! (forward differentiation: the value a and the slope a′ of each part). Functions are those of
//! the crate libm, so that a formula has the same bits on every machine.
//!
//! Deviations from exmex's own language, by a look at the text before: a sign in front
//! counts after powers, −t² = −(t²), where exmex has (−t)²; what is not clear, a power of a power,
//! is refused; numbers may have exponents; functions of two arguments nest in any way; every fault
//! has its place.
//!
//! Symbols: t time \[s\].

mod scan;

use exmex::{
    BinOp, Express, FlatEx, MakeOperators, MatchLiteral, Operator, literal_matcher_from_pattern,
};
use scan::scan;
use std::str::FromStr;

/// A value and its slope, its derivative by the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// The slope \[1/s\].
    pub slope: f64,
}

/// What is wrong with the text of a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Characters before it.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

/// A formula of the time.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    parsed: FlatEx<Dual, Operators, Number>,
    /// Whether the time is in it.
    varies: bool,
}

/// Two are equal if their texts are.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &str) -> Result<Self, Fault> {
        let plain = scan(text)?;
        // What the look at the text lets through, the crate takes.
        let unclear = |_| Fault {
            at: 0,
            message: "this formula is not understood".to_owned(),
            help: "a formula of t, such as \"0.1*sin(2*pi*t)\"".to_owned(),
        };
        let parsed = FlatEx::<Dual, Operators, Number>::parse(&plain).map_err(unclear)?;
        let varies = !parsed.var_names().is_empty();
        Ok(Formula { text: text.to_owned(), parsed, varies })
    }

    /// The value at a time \[s\], and its slope; not finite where there is none.
    pub fn at(&self, t: f64) -> Dual {
        let time = [Dual { value: t, slope: 1.0 }];
        let none = Dual { value: f64::NAN, slope: f64::NAN };
        self.parsed.eval(if self.varies { &time } else { &[] }).unwrap_or(none)
    }
}

literal_matcher_from_pattern!(Number, r"^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?");

impl FromStr for Dual {
    type Err = <f64 as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(constant(text.parse()?))
    }
}

/// The operators and functions.
#[derive(Clone, Debug)]
struct Operators;

/// The functions, with the number of their arguments.
const FUNCTIONS: [(&str, usize); 15] = [
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("exp", 1),
    ("ln", 1),
    ("sqrt", 1),
    ("abs", 1),
    ("min", 2),
    ("max", 2),
];

/// What stands for a number.
const CONSTANTS: [&str; 1] = ["pi"];

impl MakeOperators<Dual> for Operators {
    fn make<'a>() -> Vec<Operator<'a, Dual>> {
        let binary = |name, prio, apply| {
            Operator::make_bin(name, BinOp { apply, prio, is_commutative: false })
        };
        let function = Operator::make_unary;
        vec![
            binary("^", 4, power),
            binary("*", 2, product),
            binary("/", 3, |a, b| {
                let value = a.value / b.value;
                Dual {
                    value,
                    slope: chain(1.0 / b.value, a.slope) - chain(value / b.value, b.slope),
                }
            }),
            binary("+", 0, |a, b| Dual { value: a.value + b.value, slope: a.slope + b.slope }),
            Operator::make_bin_unary(
                "-",
                BinOp {
                    apply: |a: Dual, b: Dual| Dual {
                        value: a.value - b.value,
                        slope: a.slope - b.slope,
                    },
                    prio: 1,
                    is_commutative: false,
                },
                |a| Dual { value: -a.value, slope: -a.slope },
            ),
            binary("min", 5, |a, b| if b.value < a.value { b } else { a }),
            binary("max", 5, |a, b| if b.value > a.value { b } else { a }),
            Operator::make_constant("pi", constant(std::f64::consts::PI)),
            function("sin", |a| of(a, libm::sin(a.value), libm::cos(a.value))),
            function("cos", |a| of(a, libm::cos(a.value), -libm::sin(a.value))),
            function("tan", |a| {
                let tan = libm::tan(a.value);
                of(a, tan, 1.0 + tan * tan)
            }),
            function("asin", |a| {
                of(a, libm::asin(a.value), 1.0 / (1.0 - a.value * a.value).sqrt())
            }),
            function("acos", |a| {
                of(a, libm::acos(a.value), -1.0 / (1.0 - a.value * a.value).sqrt())
            }),
            function("atan", |a| of(a, libm::atan(a.value), 1.0 / (1.0 + a.value * a.value))),
            function("sinh", |a| of(a, libm::sinh(a.value), libm::cosh(a.value))),
            function("cosh", |a| of(a, libm::cosh(a.value), libm::sinh(a.value))),
            function("tanh", |a| {
                let tanh = libm::tanh(a.value);
                of(a, tanh, 1.0 - tanh * tanh)
            }),
            function("exp", |a| of(a, libm::exp(a.value), libm::exp(a.value))),
            function("ln", |a| of(a, libm::log(a.value), 1.0 / a.value)),
            function("sqrt", |a| of(a, a.value.sqrt(), 0.5 / a.value.sqrt())),
            function("abs", |a| of(a, a.value.abs(), if a.value < 0.0 { -1.0 } else { 1.0 })),
        ]
    }
}

fn constant(value: f64) -> Dual {
    Dual { value, slope: 0.0 }
}

/// A function's value, and the slope by its derivative.
fn of(a: Dual, value: f64, derivative: f64) -> Dual {
    Dual { value, slope: chain(derivative, a.slope) }
}

/// A derivative times a slope: nothing of what does not change, however steep it is.
fn chain(derivative: f64, slope: f64) -> f64 {
    if slope == 0.0 { 0.0 } else { derivative * slope }
}

fn product(a: Dual, b: Dual) -> Dual {
    Dual { value: a.value * b.value, slope: chain(b.value, a.slope) + chain(a.value, b.slope) }
}

fn power(a: Dual, b: Dual) -> Dual {
    let value = libm::pow(a.value, b.value);
    let by_base = chain(b.value * libm::pow(a.value, b.value - 1.0), a.slope);
    let by_exponent = chain(value * libm::log(a.value), b.slope);
    Dual { value, slope: by_base + by_exponent }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, t: f64) -> f64 {
        Formula::read(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}")).at(t).value
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
            let formula = Formula::read(text).unwrap();
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
        assert_eq!(Formula::read("0*sqrt(t)").unwrap().at(0.0).value, 0.0);
        assert_eq!(Formula::read("t^2").unwrap().at(0.0), constant(0.0));
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
            let fault = Formula::read(text).expect_err(text);
            assert_eq!(fault.at, at, "{text}: {fault:?}");
            assert!(fault.message.contains(message), "{text}: {fault:?}");
            assert!(fault.help.contains(help), "{text}: {fault:?}");
        }
        assert!(Formula::read(&"(".repeat(5000)).unwrap_err().message.contains("1000"));
        assert!(Formula::read(&format!("{}t{}", "(".repeat(400), ")".repeat(400))).is_ok());
    }
}
