//! Fields of static balls, after the scene of Pouchol, Ahmad, Crespin & Terraz (2009), §4.2: balls
//! of random sizes at random positions.
//!
//! - Diameters lie between the bounds (the paper gives no more), either uniform or with a density
//!   proportional to D⁻³, so that each octave has the same expected surface area: many small balls
//!   and few large ones. With u uniform in [0, 1): `D = 1/√(D₀⁻² − u (D₀⁻² − D₁⁻²))`.
//! - Centres are uniform in the region shrunk by the radius of the ball, so that no ball reaches
//!   out.
//! - Without overlap: in descending order of size, each ball tries random positions until it is
//!   clear of all others, which a hash grid with cells of the largest diameter finds.
//!
//! [`RandomStream`] is pinned, and only `+ − × ÷ √` are used, so that a seed gives the same bits
//! everywhere.

use crate::cell_hash::CellHash;
use hashfall_core::rng::RandomStream;

/// Places tried for a ball before the region counts as full.
const MAX_TRIES_PER_BALL: u64 = 20_000;
/// Places tried for all balls together, besides a few for each: about ten seconds.
const MAX_TRIES: u64 = 20_000_000;

/// Balls of random diameters at random positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomField {
    /// Of the random numbers.
    pub seed: u64,
    /// How many balls.
    pub count: u32,
    /// The least and the largest diameter \[m\].
    pub diameter: [f64; 2],
    /// How diameters are distributed between these.
    pub sizes: SizeLaw,
    /// Lowest and highest corner of the box that holds the balls \[m\].
    pub region: [[f64; 3]; 2],
    /// Whether balls may overlap.
    pub overlap: bool,
}

/// How the diameters of random balls are distributed between their bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeLaw {
    /// Density proportional to D⁻³, so that each octave has the same expected surface area.
    EqualAreas,
    /// All diameters are equally likely.
    Uniform,
}

/// Equal balls on a lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticeField {
    /// Centre of the ball with the lowest coordinates \[m\].
    pub min: [f64; 3],
    /// Between centres along each axis \[m\].
    pub spacing: [f64; 3],
    /// Balls along each axis.
    pub counts: [u32; 3],
    /// \[m\]
    pub diameter: f64,
}

/// A ball in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre \[m\].
    pub centre: [f64; 3],
    /// Radius \[m\].
    pub radius: f64,
}

impl Ball {
    fn overlaps(&self, other: &Ball) -> bool {
        let reach = self.radius + other.radius;
        let apart = (0..3).map(|a| self.centre[a] - other.centre[a]);
        apart.map(|x| x * x).sum::<f64>() < reach * reach
    }

    /// Whether no point of a box is in the ball; touching counts as being in.
    pub fn is_outside(&self, min: &[f64; 3], max: &[f64; 3]) -> bool {
        let beyond =
            (0..3).map(|a| (min[a] - self.centre[a]).max(self.centre[a] - max[a]).max(0.0));
        beyond.map(|x| x * x).sum::<f64>() > self.radius * self.radius
    }
}

/// Why a field could not be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionFull {
    /// Balls that fitted.
    pub placed: usize,
    /// Diameter of the one that did not \[m\].
    pub diameter: f64,
}

/// Draws a random field, the largest ball first.
///
/// # Errors
/// [`RegionFull`] when overlap is forbidden and a ball finds no free place.
pub fn random(field: &RandomField) -> Result<Vec<Ball>, RegionFull> {
    let mut rng = RandomStream::new(field.seed);
    let mut diameters: Vec<f64> =
        (0..field.count).map(|_| field.random_diameter(&mut rng)).collect();
    diameters.sort_by(|a, b| b.total_cmp(a));
    let mut balls: Vec<Ball> = Vec::with_capacity(diameters.len());
    let mut placed = CellHash::new(if field.overlap { 0 } else { diameters.len() });
    let cell = |ball: &Ball| cell(ball, field.diameter[1]);
    let mut tries_left = MAX_TRIES + 20 * u64::from(field.count);
    for diameter in diameters {
        let radius = 0.5 * diameter;
        let mut draw = || Ball { centre: field.random_centre(&mut rng, radius), radius };
        let found = if field.overlap {
            Some(draw())
        } else {
            let tries = MAX_TRIES_PER_BALL.min(tries_left);
            let mut places = (0..tries).map(|n| (n, draw()));
            let is_free =
                |ball: &Ball| !placed.any_around(cell(ball), |other| balls[other].overlaps(ball));
            let found = places.find(|(_, ball)| is_free(ball));
            tries_left -= found.map_or(tries, |(n, _)| n + 1);
            found.map(|(_, ball)| ball)
        };
        let ball = found.ok_or(RegionFull { placed: balls.len(), diameter })?;
        if !field.overlap {
            placed.insert(cell(&ball));
        }
        balls.push(ball);
    }
    Ok(balls)
}

/// The balls of a lattice, x fastest, then y, then z.
pub fn lattice(field: &LatticeField) -> Vec<Ball> {
    let [nx, ny, nz] = field.counts;
    let at = |a: usize, i: u32| field.min[a] + f64::from(i) * field.spacing[a];
    let mut balls = Vec::new();
    for k in 0..nz {
        for j in 0..ny {
            balls.extend((0..nx).map(|i| Ball {
                centre: [at(0, i), at(1, j), at(2, k)],
                radius: 0.5 * field.diameter,
            }));
        }
    }
    balls
}

impl RandomField {
    fn random_diameter(&self, rng: &mut RandomStream) -> f64 {
        let [least, largest] = self.diameter;
        let diameter = match self.sizes {
            SizeLaw::Uniform => rng.between(least, largest),
            SizeLaw::EqualAreas => {
                let (few, many) = (1.0 / (largest * largest), 1.0 / (least * least));
                1.0 / (many - rng.number() * (many - few)).sqrt()
            }
        };
        diameter.clamp(least, largest)
    }

    fn random_centre(&self, rng: &mut RandomStream, radius: f64) -> [f64; 3] {
        std::array::from_fn(|a| {
            let (low, high) = (self.region[0][a] + radius, self.region[1][a] - radius);
            low + rng.number() * (high - low)
        })
    }
}

/// The cell of a ball's centre. A cell is as large as the largest ball, so that those that overlap
/// have their centres in neighbouring cells.
fn cell(ball: &Ball, largest: f64) -> [i64; 3] {
    ball.centre.map(|x| (x / largest).floor() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::digest::Digest;

    fn field(count: u32, overlap: bool) -> RandomField {
        RandomField {
            seed: 7,
            count,
            diameter: [0.0625, 0.25],
            sizes: SizeLaw::EqualAreas,
            region: [[0.0, -1.0, 0.5], [2.0, 1.0, 3.0]],
            overlap,
        }
    }

    fn digest(balls: &[Ball]) -> u64 {
        let mut digest = Digest::default();
        for ball in balls {
            ball.centre.iter().for_each(|x| digest.word(x.to_bits()));
            digest.word(ball.radius.to_bits());
        }
        digest.value()
    }

    #[test]
    fn a_seed_gives_the_same_field_for_ever() {
        let clear = random(&field(1000, false)).expect("a thousand fit");
        let mixed = random(&field(1000, true)).expect("overlap always fits");
        let golden = [0x51c3_9e58_b3e4_cdf1, 0x899a_18a7_0d52_c6e1];
        assert_eq!([digest(&clear), digest(&mixed)], golden);
    }

    #[test]
    fn balls_stay_inside_between_their_bounds_and_apart() {
        let field = field(1000, false);
        let balls = random(&field).expect("a thousand fit");
        for (i, ball) in balls.iter().enumerate() {
            assert!((0.03125..=0.125).contains(&ball.radius));
            for a in 0..3 {
                assert!(ball.centre[a] - ball.radius >= field.region[0][a]);
                assert!(ball.centre[a] + ball.radius <= field.region[1][a]);
            }
            assert!(balls[..i].iter().all(|other| !other.overlaps(ball)));
        }
    }

    #[test]
    fn each_octave_has_the_same_area() {
        let balls = random(&field(200_000, true)).expect("overlap always fits");
        let area = |small: f64, large: f64| -> f64 {
            let inside = balls.iter().filter(|b| (small..large).contains(&b.radius));
            inside.map(|b| b.radius * b.radius).sum()
        };
        let ratio = area(0.03125, 0.0625) / area(0.0625, 0.126);
        assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn uniform_diameters_of_the_paper_fill_an_eighth_of_its_box() {
        let edge = [[0.0; 3], [3.5; 3]];
        let uniform = RandomField { sizes: SizeLaw::Uniform, region: edge, ..field(2000, false) };
        let volume = |balls: &[Ball]| -> f64 {
            balls.iter().map(|b| 4.0 / 3.0 * std::f64::consts::PI * b.radius.powi(3)).sum()
        };
        let filled = volume(&random(&uniform).expect("they fit")) / 3.5f64.powi(3);
        assert!((filled - 0.127).abs() < 0.004, "{filled}");
        let by_area = RandomField { sizes: SizeLaw::EqualAreas, ..uniform };
        let filled = volume(&random(&by_area).expect("they fit")) / 3.5f64.powi(3);
        assert!((filled - 0.038).abs() < 0.003, "{filled}");
    }

    #[test]
    fn a_full_region_says_how_many_fit() {
        let full = random(&field(100_000, false)).expect_err("ten cubic metres are soon full");
        assert!(full.placed > 100 && full.placed < 100_000, "{full:?}");
    }

    #[test]
    fn a_lattice_runs_x_first() {
        let field = LatticeField {
            min: [1.0, 2.0, 3.0],
            spacing: [0.5, 1.0, 2.0],
            counts: [2, 1, 2],
            diameter: 0.2,
        };
        let centres: Vec<_> = lattice(&field).iter().map(|b| b.centre).collect();
        let expected = [[1.0, 2.0, 3.0], [1.5, 2.0, 3.0], [1.0, 2.0, 5.0], [1.5, 2.0, 5.0]];
        assert_eq!(centres, expected);
    }
}
