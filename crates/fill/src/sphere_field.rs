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
    let mut balls = Vec::with_capacity(diameters.len());
    let mut grid =
        HashGrid::new(field.diameter[1], if field.overlap { 0 } else { diameters.len() });
    let mut tries_left = MAX_TRIES + 20 * u64::from(field.count);
    for diameter in diameters {
        let radius = 0.5 * diameter;
        let mut draw = || Ball { centre: field.random_centre(&mut rng, radius), radius };
        let found = if field.overlap {
            Some(draw())
        } else {
            let tries = MAX_TRIES_PER_BALL.min(tries_left);
            let mut places = (0..tries).map(|n| (n, draw()));
            let found = places.find(|(_, ball)| grid.is_free(ball, &balls));
            tries_left -= found.map_or(tries, |(n, _)| n + 1);
            found.map(|(_, ball)| ball)
        };
        let ball = found.ok_or(RegionFull { placed: balls.len(), diameter })?;
        if !field.overlap {
            grid.insert(&ball);
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

/// Balls by the cell of their centre. A cell is as large as the largest ball, so that those that
/// overlap have their centres in neighbouring cells. Cells share buckets, where the balls of one
/// are tested in vain for another.
struct HashGrid {
    cell: f64,
    /// The last ball of each bucket, or `NONE`; a power of two.
    last: Vec<u32>,
    /// For each ball the one before in its bucket.
    before: Vec<u32>,
}

/// No ball.
const NONE: u32 = u32::MAX;

impl HashGrid {
    fn new(cell: f64, balls: usize) -> Self {
        let buckets = (2 * balls).next_power_of_two();
        HashGrid { cell, last: vec![NONE; buckets], before: Vec::with_capacity(balls) }
    }

    fn cell_of(&self, ball: &Ball) -> [i64; 3] {
        ball.centre.map(|x| (x / self.cell).floor() as i64)
    }

    /// Multiplied by odd numbers (Teschner et al. 2003), and mixed from the highest bits down.
    fn bucket(&self, cell: [i64; 3]) -> usize {
        let factors = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];
        let terms = (0..3).map(|a| cell[a].cast_unsigned().wrapping_mul(factors[a]));
        let hash = terms.fold(0u64, |hash, term| hash ^ term);
        (hash >> 32) as usize & (self.last.len() - 1)
    }

    /// Adds the next ball.
    fn insert(&mut self, ball: &Ball) {
        let bucket = self.bucket(self.cell_of(ball));
        let number = self.before.len() as u32;
        self.before.push(std::mem::replace(&mut self.last[bucket], number));
    }

    fn is_free(&self, ball: &Ball, placed: &[Ball]) -> bool {
        let [x, y, z] = self.cell_of(ball);
        let overlaps_in = |cell: [i64; 3]| {
            let mut other = self.last[self.bucket(cell)];
            while other != NONE {
                if placed[other as usize].overlaps(ball) {
                    return true;
                }
                other = self.before[other as usize];
            }
            false
        };
        let neighbours = (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]);
        !neighbours.into_iter().any(overlaps_in)
    }
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
