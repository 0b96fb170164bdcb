//! Splitting schemes: kicks and drifts in turn, which make a symplectic integrator of an order.
//!
//! The second order is velocity Verlet. The fourth, with 6 evaluations of the forces, and the
//! sixth, with 11, are those of Runge–Kutta–Nyström type of Blanes & Moan 2002, *Practical
//! symplectic partitioned Runge–Kutta and Runge–Kutta–Nyström methods*, tables 3 and 4 (SRKN₆ᵇ and
//! SRKN₁₁ᵇ). Some of their kicks and drifts go back in time: they are for forces of place and time
//! alone, without contact. Their drifts never lead out of the substep.

/// The order of a symplectic integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymplecticOrder {
    /// The sixth while nothing can touch, if no damping and no force depends on velocity; velocity
    /// Verlet otherwise.
    #[default]
    Automatic,
    /// Velocity Verlet.
    Second,
    /// For bodies without damping, contact and forces that depend on velocity.
    Fourth,
    /// For the same.
    Sixth,
}

/// A scheme, the same forwards and backwards: kicks and drifts up to its middle, over a substep.
#[derive(Clone, Copy, Debug)]
pub struct Splitting {
    kicks: &'static [f64],
    drifts: &'static [f64],
    /// How many drifts there are.
    stages: usize,
    /// The longest stable substep over that of velocity Verlet.
    pub stability: f64,
}

const FOURTH: Splitting = Splitting {
    kicks: &[
        0.0829844064174052,
        0.396309801498368,
        -0.0390563049223486,
        1.0 - 2.0 * (0.0829844064174052 + 0.396309801498368 - 0.0390563049223486),
    ],
    drifts: &[0.245298957184271, 0.604872665711080, 0.5 - (0.245298957184271 + 0.604872665711080)],
    stages: 6,
    stability: 1.58,
};

const SIXTH: Splitting = Splitting {
    kicks: &[
        0.0414649985182624,
        0.198128671918067,
        -0.0400061921041533,
        0.0752539843015807,
        -0.0115113874206879,
        0.5 - (0.0414649985182624 + 0.198128671918067 - 0.0400061921041533 + 0.0752539843015807
            - 0.0115113874206879),
    ],
    drifts: &[
        0.123229775946271,
        0.290553797799558,
        -0.127049212625417,
        -0.246331761062075,
        0.357208872795928,
        1.0 - 2.0
            * (0.123229775946271 + 0.290553797799558 - 0.127049212625417 - 0.246331761062075
                + 0.357208872795928),
    ],
    stages: 11,
    stability: 4.53,
};

const SECOND: Splitting = Splitting { kicks: &[0.5], drifts: &[1.0], stages: 1, stability: 1.0 };

impl SymplecticOrder {
    /// Its scheme for substeps in which nothing can touch.
    pub fn splitting(self) -> Splitting {
        match self {
            SymplecticOrder::Second => SECOND,
            SymplecticOrder::Fourth => FOURTH,
            SymplecticOrder::Automatic | SymplecticOrder::Sixth => SIXTH,
        }
    }
}

impl Splitting {
    /// A kick before each drift.
    pub fn stages(&self) -> impl Iterator<Item = (f64, f64)> {
        let Splitting { kicks, drifts, stages, .. } = *self;
        (0..stages).map(move |k| (kicks[k.min(stages - k)], drifts[k.min(stages - 1 - k)]))
    }

    /// How often it evaluates the forces.
    pub fn evaluations(&self) -> usize {
        self.stages
    }

    /// The kick after the last drift.
    pub fn last_kick(&self) -> f64 {
        self.kicks[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERS: [(SymplecticOrder, i32); 3] =
        [(SymplecticOrder::Second, 2), (SymplecticOrder::Fourth, 4), (SymplecticOrder::Sixth, 6)];

    /// A step of a point with a force.
    fn step(splitting: &Splitting, [x, v]: &mut [f64; 2], h: f64, force: fn(f64) -> f64) {
        for (kick, drift) in splitting.stages() {
            *v += kick * h * force(*x);
            *x += drift * h * *v;
        }
        *v += splitting.last_kick() * h * force(*x);
    }

    #[test]
    fn schemes_have_their_order_for_a_pendulum() {
        for (order, exponent) in ORDERS {
            let splitting = order.splitting();
            let end = |steps: usize| {
                let mut state = [1.0, 0.3];
                let h = 4.0 / steps as f64;
                (0..steps).for_each(|_| step(&splitting, &mut state, h, |x| -x.sin()));
                state[0]
            };
            let n = if exponent == 6 { 8 } else { 20 };
            let exact = {
                let mut state = [1.0, 0.3];
                let fine = SymplecticOrder::Sixth.splitting();
                (0..400).for_each(|_| step(&fine, &mut state, 0.01, |x| -x.sin()));
                state[0]
            };
            let ratio = (end(n) - exact) / (end(2 * n) - exact);
            let found = ratio.abs().log2();
            assert!((found - f64::from(exponent)).abs() < 0.6, "{order:?}: {found}");
        }
    }

    #[test]
    fn schemes_are_stable_up_to_their_limit() {
        for (order, _) in ORDERS {
            let splitting = order.splitting();
            // The trace of the matrix of a step of an oscillator with ω = 1.
            let is_stable = |h: f64| {
                let (mut a, mut b) = ([1.0, 0.0], [0.0, 1.0]);
                step(&splitting, &mut a, h, |x| -x);
                step(&splitting, &mut b, h, |x| -x);
                (a[0] + b[1]).abs() <= 2.0 + 1e-12
            };
            let limit = 2.0 * splitting.stability;
            assert!((1..=1000).all(|k| is_stable(limit * f64::from(k) / 1000.0)), "{order:?}");
            let is_sharp = (1..=100).any(|k| !is_stable(limit * (1.0 + f64::from(k) / 5000.0)));
            assert!(is_sharp, "{order:?} could be longer");
        }
    }
}
