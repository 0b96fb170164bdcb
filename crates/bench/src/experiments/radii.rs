//! What neighbours cost where points have support radii of their own.
//!
//! Points are a jittered lattice of spacing 1; one in a hundred, at random, has a radius larger
//! than the others' h = 2, by a factor that grows. The extended hash has a mask for each radius
//! (Onderik & Ďurikovič 2008, §4.1, footnote 19); a hash with cells of one size has to look as far
//! as the largest radius reaches for every point.

use crate::experiment::{Experiment, Findings};
use crate::inputs;
use crate::lab::{Halt, Lab};
use crate::measure::{alternate, timed};
use crate::neighbor_lists::answer;
use crate::rows::{self, Row};
use crate::sample::Answer;
use hashfall_core::Real;
use hashfall_core::Vec3;
use hashfall_core::rng::RandomStream;
use hashfall_output::plot::Panel;
use hashfall_search::{ExtendedHash, NeighborLists, NeighborSearch, SearchSettings, UniformHash};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "radii",
    about: "What neighbours within radii of their own cost, by masks or by one large cell",
    sizes: ["20 000 points", "200 000 points"],
    run,
    conclude,
};

const TASK: &str = "build + lists";
/// The usual radius; the spacing is 1.
const SUPPORT_RADIUS: f64 = 2.0;
/// How much larger the large ones are.
const FACTORS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];
/// One point in this number has a large one.
const RARE: usize = 100;
/// The extended hash with cells of h/(2H + 1).
const EXTENDED: [&str; 4] =
    ["ExtendedHash, H = 0", "ExtendedHash, H = 1", "ExtendedHash, H = 2", "ExtendedHash, H = 3"];
/// The hash with cells of the largest radius.
const UNIFORM: &str = "UniformHash";

/// Points and the radius of each, A and B.
struct Workload {
    factor: f64,
    points: [Vec<Vec3>; 2],
    radii: Vec<Real>,
}

fn run(lab: &mut Lab<'_>) -> Result<(), Halt> {
    let count = lab.setup.size.of([300, 20_000, 200_000]);
    for factor in FACTORS {
        let mut rng = RandomStream::new(lab.setup.seed);
        let points = inputs::jittered_lattice(count, 0.1, &mut rng);
        let points = inputs::points_and_moved(points, 0.05, false, &mut rng);
        let radius = |_| {
            let factor = if rng.below(RARE) == 0 { factor } else { 1.0 };
            (SUPPORT_RADIUS * factor) as Real
        };
        let radii = (0..count).map(radius).collect();
        let workload = Workload { factor, points, radii };
        let mut by_largest = ByLargest::default();
        measure(lab, UNIFORM, &workload, |points, radii| {
            let (seconds, ()) = timed(|| by_largest.find(points, radii));
            (seconds, by_largest.answer())
        })?;
        for (subdivision, structure) in (0..).zip(EXTENDED) {
            let mut hash = ExtendedHash::default();
            hash.configure(&SearchSettings { subdivision, ..SearchSettings::default() });
            let mut lists = NeighborLists::default();
            measure(lab, structure, &workload, |points, radii| {
                let (seconds, ()) = timed(|| hash.find_with_radii(points, radii, &mut lists));
                (seconds, answer(&lists))
            })?;
        }
    }
    Ok(())
}

/// A hash with cells of the largest radius, and what it lists.
#[derive(Default)]
struct ByLargest {
    search: UniformHash,
    /// All within the largest radius.
    lists: NeighborLists,
    /// Those that are not farther than a point's own radius, point by point.
    neighbors: Vec<u32>,
    ends: Vec<usize>,
}

impl ByLargest {
    fn find(&mut self, points: &[Vec3], radii: &[Real]) {
        let largest = radii.iter().copied().fold(0.0, Real::max);
        self.search.rebuild(points, largest);
        self.lists.build(&self.search, points, largest);
        self.neighbors.clear();
        self.ends.clear();
        for (i, (at, h)) in points.iter().zip(radii).enumerate() {
            let is_near = |j: &u32| (at - points[*j as usize]).norm_squared() < h * h;
            self.neighbors.extend(self.lists.of(i).iter().copied().filter(is_near));
            self.ends.push(self.neighbors.len());
        }
    }

    fn answer(&self) -> Answer {
        let (mut answer, mut start) = (Answer::default(), 0);
        for (i, &end) in (0..).zip(&self.ends) {
            self.neighbors[start..end].iter().for_each(|&j| answer.add(i, j));
            start = end;
        }
        answer
    }
}

fn measure(
    lab: &mut Lab<'_>,
    structure: &'static str,
    Workload { factor, points, radii }: &Workload,
    mut find: impl FnMut(&[Vec3], &[Real]) -> (f64, Answer),
) -> Result<(), Halt> {
    let measured = alternate(lab, |side| {
        let (seconds, answer) = find(&points[side], radii);
        ([seconds], answer)
    })?;
    lab.keep(Row {
        input: format!("N = {}, 1 % with {factor} h", radii.len()),
        x: *factor,
        structure,
        task: TASK,
        items: radii.len(),
        time: measured.times[0],
        candidates: None,
        answer: Some(measured.answer),
        bytes: None,
    })
}

fn conclude(rows: &[Row]) -> Findings {
    let x = "the largest radius over the usual one";
    let lines = rows::lines(rows, TASK, rows::nanoseconds_each);
    let title = "All neighbours within radii of their own";
    let panels = vec![Panel { title, x, y: "time [ns a point]", log: true, lines }];
    Findings { panels, claims: Vec::new(), notes: rows::fastest(rows, TASK) }
}
