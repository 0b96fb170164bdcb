//! Recursive descent over the tokens of a formula, and the tree that it builds.
//!
//! ```text
//! sum     = [sign] product { (+|-) product }
//! product = factor { (*|/) [sign] factor }        evaluated from left to right
//! factor  = atom [ ^ [sign] atom ]
//! atom    = number | variable | pi | name(sum, …) | (sum)
//! ```
//!
//! What a reader could take in two ways is refused: a power of a power, a power of a value that
//! has a sign after an operator, a sign after another.

use crate::dual::{Dual, FUNCTIONS, Function};
use crate::error::FormulaError;
use crate::token::{Placed, Token, next_token};
use crate::variables::Variables;

/// The most characters of a formula.
const MAX_LENGTH: usize = 1000;

/// What stands for a number.
const CONSTANTS: [(&str, f64); 1] = [("pi", std::f64::consts::PI)];

/// The tree of a formula.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(f64),
    /// By its number.
    Variable(usize),
    Negative(Box<Expression>),
    Binary(char, Box<[Expression; 2]>),
    One(fn(Dual) -> Dual, Box<Expression>),
    Two(fn(Dual, Dual) -> Dual, Box<[Expression; 2]>),
}

impl Expression {
    /// The value for these of the variables, and its slope.
    pub fn at(&self, variables: &[Dual]) -> Dual {
        match self {
            Expression::Number(value) => Dual::constant(*value),
            Expression::Variable(number) => variables[*number],
            Expression::Negative(a) => -a.at(variables),
            Expression::Binary(operator, operands) => {
                let [a, b] = [operands[0].at(variables), operands[1].at(variables)];
                match operator {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ => a.power(b),
                }
            }
            Expression::One(function, a) => function(a.at(variables)),
            Expression::Two(function, arguments) => {
                function(arguments[0].at(variables), arguments[1].at(variables))
            }
        }
    }

    /// Whether no variable occurs in it.
    pub fn is_constant(&self) -> bool {
        match self {
            Expression::Number(_) => true,
            Expression::Variable(_) => false,
            Expression::Negative(a) | Expression::One(_, a) => a.is_constant(),
            Expression::Binary(_, both) | Expression::Two(_, both) => {
                both.iter().all(Expression::is_constant)
            }
        }
    }

    fn binary(operator: char, a: Expression, b: Expression) -> Self {
        Expression::Binary(operator, Box::new([a, b]))
    }

    fn signed(self, sign: Option<char>) -> Self {
        if sign == Some('-') { Expression::Negative(Box::new(self)) } else { self }
    }
}

/// Parses a whole formula of these variables.
///
/// # Errors
/// The first fault, with its place.
pub(crate) fn parse(text: &str, variables: Variables) -> Result<Expression, FormulaError> {
    let chars: Vec<char> = text.chars().collect();
    if text.trim().is_empty() {
        return Err(FormulaError::new(
            0,
            "the formula is empty",
            format!("such as \"0.1*sin(2*pi*{})\", or \"0\"", variables.example()),
        ));
    }
    if chars.len() > MAX_LENGTH {
        let message = format!("a formula of more than {MAX_LENGTH} characters");
        return Err(FormulaError::new(0, message, "a table"));
    }
    let next = next_token(&chars, 0, &variables)?;
    let mut parser = Parser { next, chars: &chars, variables };
    let expression = parser.sum()?;
    match parser.next {
        None => Ok(expression),
        Some((Token::Sign(')'), at, _)) => {
            Err(FormulaError::new(at, "nothing opens what this `)` closes", "it opens with `(`"))
        }
        Some((Token::Sign(','), at, _)) => {
            Err(FormulaError::new(at, "a `,` outside a function", "a point in numbers: 0.5"))
        }
        Some((_, at, _)) => {
            Err(FormulaError::new(at, "no operator before this", variables.product_help()))
        }
    }
}

struct Parser<'a> {
    chars: &'a [char],
    /// The token that has not been taken yet; `None` at the end.
    next: Option<Placed>,
    variables: Variables,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Expression, FormulaError> {
        let sign = self.take_sign(&['+', '-'])?;
        let mut sum = self.product()?.signed(sign);
        while let Some(operator) = self.take_sign(&['+', '-'])? {
            if let Some((Token::Sign('+' | '-'), at, _)) = self.next {
                let help = format!("one of them, or brackets: {}-(-1)", self.variables.example());
                return Err(FormulaError::new(at, "a sign after another", help));
            }
            sum = Expression::binary(operator, sum, self.product()?);
        }
        Ok(sum)
    }

    fn product(&mut self) -> Result<Expression, FormulaError> {
        let mut product = self.factor(None)?;
        while let Some(operator) = self.take_sign(&['*', '/'])? {
            let sign = self.take_sign(&['+', '-'])?;
            product = Expression::binary(operator, product, self.factor(sign)?);
        }
        Ok(product)
    }

    fn factor(&mut self, sign: Option<char>) -> Result<Expression, FormulaError> {
        let base = self.atom()?;
        if let (Some((Token::Sign('^'), at, _)), Some(_)) = (&self.next, sign) {
            let v = self.variables.example();
            let help = format!("brackets: 2*(-{v}^2) or 2*(-{v})^2");
            return Err(FormulaError::new(*at, "a power of a value with a sign", help));
        }
        if self.take_sign(&['^'])?.is_none() {
            return Ok(base.signed(sign));
        }
        let sign = self.take_sign(&['+', '-'])?;
        let exponent = self.atom()?.signed(sign);
        if let Some((Token::Sign('^'), at, _)) = self.next {
            let v = self.variables.example();
            let help = format!("brackets: ({v}^2)^3 or {v}^(2^3)");
            return Err(FormulaError::new(at, "a power of a power", help));
        }
        Ok(Expression::binary('^', base, exponent))
    }

    fn atom(&mut self) -> Result<Expression, FormulaError> {
        let Some((token, start, end)) = self.take()? else {
            let names = self.variables.list();
            let help = format!("a number, {names}, `pi` or a function after the last operator");
            return Err(FormulaError::new(self.chars.len(), "the formula ends too early", help));
        };
        let word: String = self.chars[start..end].iter().collect();
        match token {
            Token::Number => match word.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Expression::Number(value)),
                _ => Err(FormulaError::new(
                    start,
                    format!("`{word}` is no number that can be meant"),
                    "",
                )),
            },
            Token::Name => self.name(&word, start, end),
            Token::Sign('(') => {
                let inner = self.sum()?;
                self.close(start)?;
                Ok(inner)
            }
            Token::Sign(sign) => {
                let message = format!("`{sign}` stands where a value is expected");
                let names = self.variables.list();
                let help = format!("a number, {names}, `pi` or a function before it");
                Err(FormulaError::new(start, message, help))
            }
        }
    }

    /// A variable, a constant, or a function with its arguments.
    fn name(&mut self, word: &str, start: usize, end: usize) -> Result<Expression, FormulaError> {
        if let Some(number) = self.variables.find(word) {
            return Ok(Expression::Variable(number));
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(name, _)| *name == word) {
            return Ok(Expression::Number(*value));
        }
        let Some((name, function)) = FUNCTIONS.iter().find(|(name, _)| *name == word) else {
            return Err(unknown_name(word, start, &self.variables));
        };
        let Some((Token::Sign('('), open, _)) = self.next else {
            let blanks = self.chars[end..].iter().take_while(|c| c.is_whitespace()).count();
            let message = format!("`{name}` takes its argument in brackets");
            return Err(FormulaError::new(end + blanks, message, {
                let v = self.variables.example();
                format!("such as {name}({v})")
            }));
        };
        self.take()?;
        match function {
            Function::One(function) => {
                let argument = self.sum()?;
                self.end_arguments(open, 1)?;
                Ok(Expression::One(*function, Box::new(argument)))
            }
            Function::Two(function) => {
                let first = self.sum()?;
                if let Some((Token::Sign(')'), at, _)) = self.next {
                    let message = "this function takes 2 arguments";
                    let help = format!("such as min({}, 1)", self.variables.example());
                    return Err(FormulaError::new(at, message, help));
                }
                if self.take_sign(&[','])?.is_none() {
                    return Err(self.never_closed(open));
                }
                let arguments = [first, self.sum()?];
                self.end_arguments(open, 2)?;
                Ok(Expression::Two(*function, Box::new(arguments)))
            }
        }
    }

    /// The bracket after the last argument of a function that takes `count`.
    fn end_arguments(&mut self, open: usize, count: usize) -> Result<(), FormulaError> {
        if let Some((Token::Sign(','), at, _)) = self.next {
            let plural = if count == 1 { "" } else { "s" };
            let message = format!("this function takes {count} argument{plural}");
            return Err(FormulaError::new(at, message, "a `)` in place of this"));
        }
        self.close(open)
    }

    /// The bracket that closes the one at `open`.
    fn close(&mut self, open: usize) -> Result<(), FormulaError> {
        match &self.next {
            Some((Token::Sign(')'), ..)) => self.take().map(drop),
            Some((Token::Sign(','), at, _)) => {
                Err(FormulaError::new(*at, "a `,` outside a function", "a point in numbers: 0.5"))
            }
            _ => Err(self.never_closed(open)),
        }
    }

    /// What is wrong where a bracket should close: the end of the formula, or a missing operator.
    fn never_closed(&self, open: usize) -> FormulaError {
        match self.next {
            None => FormulaError::new(open, "this bracket is never closed", "a `)` to it"),
            Some((Token::Sign('('), at, _)) => {
                let help = format!("such as `*`: 2*({})", self.variables.example());
                FormulaError::new(at, "no operator before this", help)
            }
            Some((_, at, _)) => {
                FormulaError::new(at, "no operator before this", self.variables.product_help())
            }
        }
    }

    /// Takes the next token if it is one of these signs.
    fn take_sign(&mut self, signs: &[char]) -> Result<Option<char>, FormulaError> {
        match self.next {
            Some((Token::Sign(sign), ..)) if signs.contains(&sign) => {
                self.take()?;
                Ok(Some(sign))
            }
            _ => Ok(None),
        }
    }

    fn take(&mut self) -> Result<Option<Placed>, FormulaError> {
        let Some(token) = self.next.take() else { return Ok(None) };
        self.next = next_token(self.chars, token.2, &self.variables)?;
        Ok(Some(token))
    }
}

fn unknown_name(word: &str, at: usize, variables: &Variables) -> FormulaError {
    let names = || FUNCTIONS.iter().map(|(name, _)| *name);
    let known = names().chain(CONSTANTS.iter().map(|(name, _)| *name));
    let near = known.map(|name| (strsim::damerau_levenshtein(name, word), name));
    let near = near.filter(|&(distance, name)| distance <= (name.len() / 3).max(1));
    // One letter is near to any other: it is another variable.
    let near = near.filter(|_| word.chars().count() > 1).min();
    let help = match near {
        Some((_, name)) => format!("did you mean `{name}`?"),
        None => {
            let functions: Vec<&str> = names().collect();
            format!("{}; known are `pi`, {}", variables.meaning, functions.join(", "))
        }
    };
    let message = format!("there is no `{word}` in a formula of {}", variables.what);
    FormulaError::new(at, message, help)
}
