//! Formulas of the time, as scenes have them, with their rates of change: `0.1*sin(2*pi*t)`; and of
//! the place.
//!
//! ```
//! let formula = hashfall_formula::Formula::parse("0.5*t^2 + 1")?;
//! let position = formula.at(2.0); // value 3, slope t = 2
//! assert_eq!((position.value, position.slope), (3.0, 2.0));
//! # Ok::<(), hashfall_formula::FormulaError>(())
//! ```
//!
//! A formula is parsed once into a tree, whose evaluation carries the derivative along (forward
//! differentiation). It has the same bits on every machine. Every error has its place in the text:
//!
//! ```
//! let error = hashfall_formula::Formula::parse("2*sine(t)").unwrap_err();
//! assert_eq!((error.at, error.help.as_str()), (2, "did you mean `sin`?"));
//! ```
//!
//! Why no crate: those that differentiate (exmex) compile a regular-expression engine, read −t² as
//! (−t)², and lose count of nested functions of two arguments.
//!
//! A [`PlaceFormula`] is one of the place: `2*x - sin(pi*z)`.
//!
//! Symbols: t time \[s\]; x, y, z coordinates \[m\].

mod dual;
mod error;
mod formula;
mod parser;
mod place_formula;
mod token;
mod variables;

pub use dual::Dual;
pub use error::FormulaError;
pub use formula::Formula;
pub use place_formula::PlaceFormula;
