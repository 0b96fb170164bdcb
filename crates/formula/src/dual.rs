//! Numbers that carry their derivative along: forward differentiation.
//!
//! Functions are those of the crate libm, so that a formula has the same bits on every machine.
//!
//! Symbols: a, b values; a′, b′ their derivatives by the time \[1/s\].

/// A value and its slope, its derivative by the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// The slope \[1/s\].
    pub slope: f64,
}

/// A function of a formula, by its number of arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    One(fn(Dual) -> Dual),
    Two(fn(Dual, Dual) -> Dual),
}

/// The functions by name.
pub(crate) const FUNCTIONS: [(&str, Function); 15] = [
    ("sin", Function::One(|a| with_derivative(a, libm::sin(a.value), libm::cos(a.value)))),
    ("cos", Function::One(|a| with_derivative(a, libm::cos(a.value), -libm::sin(a.value)))),
    ("tan", Function::One(tan)),
    ("asin", Function::One(|a| with_derivative(a, libm::asin(a.value), arc_slope(a.value)))),
    ("acos", Function::One(|a| with_derivative(a, libm::acos(a.value), -arc_slope(a.value)))),
    ("atan", Function::One(atan)),
    ("sinh", Function::One(|a| with_derivative(a, libm::sinh(a.value), libm::cosh(a.value)))),
    ("cosh", Function::One(|a| with_derivative(a, libm::cosh(a.value), libm::sinh(a.value)))),
    ("tanh", Function::One(tanh)),
    ("exp", Function::One(|a| with_derivative(a, libm::exp(a.value), libm::exp(a.value)))),
    ("ln", Function::One(|a| with_derivative(a, libm::log(a.value), 1.0 / a.value))),
    ("sqrt", Function::One(|a| with_derivative(a, a.value.sqrt(), 0.5 / a.value.sqrt()))),
    ("abs", Function::One(abs)),
    ("min", Function::Two(|a, b| if b.value < a.value { b } else { a })),
    ("max", Function::Two(|a, b| if b.value > a.value { b } else { a })),
];

impl Dual {
    /// A number that does not depend on the time.
    pub fn constant(value: f64) -> Self {
        Dual { value, slope: 0.0 }
    }

    /// Not a number, with no slope either.
    pub const NAN: Dual = Dual { value: f64::NAN, slope: f64::NAN };

    /// a^b, with the slope b a^(b−1) a′ + a^b ln(a) b′.
    pub fn power(self, b: Dual) -> Dual {
        let value = libm::pow(self.value, b.value);
        let by_base = chain(b.value * libm::pow(self.value, b.value - 1.0), self.slope);
        let by_exponent = chain(value * libm::log(self.value), b.slope);
        Dual { value, slope: by_base + by_exponent }
    }
}

impl std::ops::Neg for Dual {
    type Output = Dual;

    fn neg(self) -> Dual {
        Dual { value: -self.value, slope: -self.slope }
    }
}

impl std::ops::Add for Dual {
    type Output = Dual;

    fn add(self, b: Dual) -> Dual {
        Dual { value: self.value + b.value, slope: self.slope + b.slope }
    }
}

impl std::ops::Sub for Dual {
    type Output = Dual;

    fn sub(self, b: Dual) -> Dual {
        Dual { value: self.value - b.value, slope: self.slope - b.slope }
    }
}

impl std::ops::Mul for Dual {
    type Output = Dual;

    fn mul(self, b: Dual) -> Dual {
        let slope = chain(b.value, self.slope) + chain(self.value, b.slope);
        Dual { value: self.value * b.value, slope }
    }
}

impl std::ops::Div for Dual {
    type Output = Dual;

    fn div(self, b: Dual) -> Dual {
        let value = self.value / b.value;
        let slope = chain(1.0 / b.value, self.slope) - chain(value / b.value, b.slope);
        Dual { value, slope }
    }
}

fn tan(a: Dual) -> Dual {
    let tan = libm::tan(a.value);
    with_derivative(a, tan, 1.0 + tan * tan)
}

fn atan(a: Dual) -> Dual {
    with_derivative(a, libm::atan(a.value), 1.0 / (1.0 + a.value * a.value))
}

fn tanh(a: Dual) -> Dual {
    let tanh = libm::tanh(a.value);
    with_derivative(a, tanh, 1.0 - tanh * tanh)
}

fn abs(a: Dual) -> Dual {
    with_derivative(a, a.value.abs(), if a.value < 0.0 { -1.0 } else { 1.0 })
}

/// The derivative of the arc sine.
fn arc_slope(a: f64) -> f64 {
    1.0 / (1.0 - a * a).sqrt()
}

/// The value of a function of `a`, with the slope by the function's derivative there.
fn with_derivative(a: Dual, value: f64, derivative: f64) -> Dual {
    Dual { value, slope: chain(derivative, a.slope) }
}

/// A derivative times a slope: zero where nothing changes, however steep the function is.
fn chain(derivative: f64, slope: f64) -> f64 {
    if slope == 0.0 { 0.0 } else { derivative * slope }
}
