//! Polynomials with whole coefficients, their real roots, and the signs of others there.
//!
//! Distinct roots in an interval are counted by Sturm's theorem (Basu, Pollack & Roy, Algorithms in
//! real algebraic geometry (2006), §2.2.2). A root is an interval with one root of a polynomial
//! whose ends are not roots, or a dyadic number.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// A polynomial: the coefficient of tᵏ at place k, none of them 0 at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial(Vec<BigInt>);

/// `digits` / 2^`power`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dyadic {
    pub digits: BigInt,
    pub power: u32,
}

fn sign(x: &BigInt) -> Ordering {
    match x.sign() {
        Sign::Minus => Ordering::Less,
        Sign::NoSign => Ordering::Equal,
        Sign::Plus => Ordering::Greater,
    }
}

impl Dyadic {
    pub fn new(digits: impl Into<BigInt>, power: u32) -> Self {
        Dyadic { digits: digits.into(), power }
    }

    fn middle(a: &Dyadic, b: &Dyadic) -> Dyadic {
        let power = a.power.max(b.power);
        let digits = |x: &Dyadic| &x.digits << (power - x.power);
        Dyadic { digits: digits(a) + digits(b), power: power + 1 }
    }
}

impl Polynomial {
    pub fn new(coefficients: impl Into<Vec<BigInt>>) -> Self {
        let mut coefficients = coefficients.into();
        while coefficients.last().is_some_and(|last| *last == BigInt::ZERO) {
            coefficients.pop();
        }
        Polynomial(coefficients)
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn coefficient(&self, k: usize) -> BigInt {
        self.0.get(k).cloned().unwrap_or_default()
    }

    fn combined(&self, other: &Self, with: impl Fn(BigInt, BigInt) -> BigInt) -> Self {
        let count = self.0.len().max(other.0.len());
        let terms = (0..count).map(|k| with(self.coefficient(k), other.coefficient(k)));
        Polynomial::new(terms.collect::<Vec<_>>())
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a + b)
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a - b)
    }

    pub fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Polynomial(vec![]);
        }
        let mut product = vec![BigInt::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Polynomial(product)
    }

    fn derivative(&self) -> Self {
        let terms = self.0.iter().enumerate().skip(1).map(|(k, a)| a * BigInt::from(k));
        Polynomial(terms.collect())
    }

    /// The remainder of a division by `other`, times a number above 0.
    fn remainder(&self, other: &Self) -> Self {
        let (lead, degree) = (&other.0[other.0.len() - 1], other.0.len() - 1);
        let mut rest = self.clone();
        while rest.0.len() > degree {
            let (shift, top) = (rest.0.len() - 1 - degree, rest.0[rest.0.len() - 1].clone());
            let (scale, factor) = match sign(lead) {
                Ordering::Less => (-lead, -top),
                _ => (lead.clone(), top),
            };
            rest.0.iter_mut().for_each(|a| *a *= &scale);
            let terms = other.0.iter().enumerate();
            terms.for_each(|(k, a)| rest.0[k + shift] -= a * &factor);
            rest = Polynomial::new(rest.0);
        }
        rest
    }

    pub fn sign_at(&self, t: &Dyadic) -> Ordering {
        let mut value = BigInt::ZERO;
        for (k, a) in self.0.iter().rev().enumerate() {
            value = value * &t.digits + (a << (t.power as usize * k));
        }
        sign(&value)
    }

    /// Without the root `t`, however often it is one.
    fn without(&self, t: &Dyadic) -> Self {
        let mut rest = self.clone();
        // f(t) = Σ bₖ tᵏ (2ᵖ t − d), times a power of two, by Horner's rule.
        while rest.0.len() > 1 && rest.sign_at(t) == Ordering::Equal {
            let degree = rest.0.len() - 1;
            let mut quotient = vec![BigInt::ZERO; degree];
            let mut value = BigInt::ZERO;
            for k in (0..degree).rev() {
                let scaled = &rest.0[k + 1] << (t.power as usize * (degree - 1 - k));
                value = value * &t.digits + scaled;
                quotient[k] = &value << (t.power as usize * k);
            }
            rest = Polynomial::new(quotient);
        }
        rest
    }
}

/// A polynomial and its remainders.
#[derive(Clone, Debug)]
struct Sturm(Vec<Polynomial>);

impl Sturm {
    /// Of a polynomial and a second one: ends with their greatest common divisor.
    fn new(f: &Polynomial, second: Polynomial) -> Self {
        let mut chain = vec![f.clone(), second];
        while !chain[chain.len() - 1].is_zero() {
            let rest = chain[chain.len() - 2].remainder(&chain[chain.len() - 1]);
            chain.push(Polynomial(rest.0.into_iter().map(|a| -a).collect()));
        }
        chain.pop();
        Sturm(chain)
    }

    fn of_derivative(f: &Polynomial) -> Self {
        Sturm::new(f, f.derivative())
    }

    fn last(&self) -> &Polynomial {
        &self.0[self.0.len() - 1]
    }

    fn variations(&self, t: &Dyadic) -> usize {
        let mut signs = self.0.iter().map(|p| p.sign_at(t)).filter(|s| *s != Ordering::Equal);
        let Some(mut last) = signs.next() else { return 0 };
        let mut count = 0;
        for next in signs {
            count += usize::from(next != last);
            last = next;
        }
        count
    }

    /// How many distinct roots lie between two numbers that are no roots.
    fn count(&self, low: &Dyadic, high: &Dyadic) -> usize {
        self.variations(low) - self.variations(high)
    }
}

/// A time: a dyadic number, or the one root of a polynomial between two that are none.
#[derive(Clone, Debug)]
pub enum Time {
    Dyadic(Dyadic),
    Root(Box<Root>),
}

#[derive(Clone, Debug)]
pub struct Root {
    f: Polynomial,
    chain: Sturm,
    low: Dyadic,
    high: Dyadic,
}

/// All roots of f strictly between two numbers, in any order; f is not 0.
pub fn roots(f: &Polynomial, low: &Dyadic, high: &Dyadic) -> Vec<Time> {
    let f = f.without(low).without(high);
    let (mut found, mut open) = (vec![], vec![(f, low.clone(), high.clone())]);
    while let Some((f, low, high)) = open.pop() {
        if f.0.len() < 2 {
            continue;
        }
        let chain = Sturm::of_derivative(&f);
        match chain.count(&low, &high) {
            0 => {}
            1 => found.push(Time::Root(Box::new(Root { f, chain, low, high }))),
            _ => {
                let middle = Dyadic::middle(&low, &high);
                let rest = f.without(&middle);
                if rest.0.len() < f.0.len() {
                    found.push(Time::Dyadic(middle.clone()));
                }
                open.push((rest.clone(), low, middle.clone()));
                open.push((rest, middle, high));
            }
        }
    }
    found
}

impl Time {
    /// The sign of g at this time.
    pub fn sign_of(&mut self, g: &Polynomial) -> Ordering {
        if g.0.len() < 2 {
            return g.sign_at(&Dyadic::new(0, 0));
        }
        let chain = Sturm::of_derivative(g);
        let mut is_common = None;
        for round in 0.. {
            let root = match self {
                Time::Dyadic(t) => return g.sign_at(t),
                Time::Root(root) => root,
            };
            let ends = [&root.low, &root.high].map(|t| g.sign_at(t));
            let is_apart = ends[0] == ends[1] && ends[0] != Ordering::Equal;
            if is_apart && chain.count(&root.low, &root.high) == 0 {
                return ends[0];
            }
            if round > 8 && *is_common.get_or_insert_with(|| root.is_root_of(g)) {
                return Ordering::Equal;
            }
            self.refine();
        }
        unreachable!()
    }

    fn refine(&mut self) {
        let Time::Root(root) = self else { return };
        let middle = Dyadic::middle(&root.low, &root.high);
        if root.f.sign_at(&middle) == Ordering::Equal {
            *self = Time::Dyadic(middle);
        } else if root.chain.count(&root.low, &middle) == 1 {
            root.high = middle;
        } else {
            root.low = middle;
        }
    }
}

impl Root {
    fn is_root_of(&self, g: &Polynomial) -> bool {
        let divisor = Sturm::new(&self.f, g.clone()).last().clone();
        // Its roots are roots of f, so neither end is one.
        divisor.0.len() > 1 && Sturm::of_derivative(&divisor).count(&self.low, &self.high) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|a| BigInt::from(*a)).collect::<Vec<_>>())
    }

    fn product(factors: &[&[i64]]) -> Polynomial {
        factors.iter().fold(polynomial(&[1]), |p, factor| p.times(&polynomial(factor)))
    }

    #[test]
    fn roots_are_found_once_and_ends_are_left_out() {
        let (zero, one) = (Dyadic::new(0, 0), Dyadic::new(1, 0));
        let count = |factors: &[&[i64]]| roots(&product(factors), &zero, &one).len();
        assert_eq!(count(&[&[-1, 2], &[-1, 3], &[-2, 3]]), 3); // 1/2, 1/3, 2/3
        assert_eq!(count(&[&[-1, 3], &[-1, 3]]), 1, "a double root");
        assert_eq!(count(&[&[-1, 2], &[-1, 2], &[-1, 2]]), 1, "a triple one in the middle");
        assert_eq!(count(&[&[0, 1], &[-1, 1], &[-1, 4]]), 1, "0 and 1 are ends");
        assert_eq!(count(&[&[1, 0, 1], &[-3, 1]]), 0, "complex, and 3");
        // Two that are 1e-9 apart.
        assert_eq!(count(&[&[-500_000_000, 1_000_000_001], &[-1, 2]]), 2);
    }

    #[test]
    fn signs_at_roots_are_exact() {
        let (zero, one) = (Dyadic::new(0, 0), Dyadic::new(1, 0));
        // √2/2, at which 2t² − 1 is 0 and 10⁸ t − 70710678 is above 0 by 0.12.
        let f = product(&[&[-1, 0, 2], &[5, 1]]);
        let [root] = &mut roots(&f, &zero, &one)[..] else { panic!() };
        let mut sign = |coefficients: &[i64]| root.sign_of(&polynomial(coefficients));
        assert_eq!(sign(&[-1, 0, 2]), Ordering::Equal);
        assert_eq!(sign(&[1, 0, -4, 0, 4]), Ordering::Equal, "its square");
        assert_eq!(sign(&[-70_710_678, 100_000_000]), Ordering::Greater);
        assert_eq!(sign(&[-70_710_679, 100_000_000]), Ordering::Less);
        assert_eq!(sign(&[-7]), Ordering::Less);
        assert_eq!(sign(&[]), Ordering::Equal);
    }
}
