//! What neighbours cost where points have support radii of their own.
//!
//! Points are a jittered lattice of spacing 1; one in a hundred, at random, has a radius larger
//! than the others' h = 2, by a factor that grows. The extended hash has a mask for each radius
//! (Onderik & Ďurikovič 2008, §4.1, footnote 19); a hash with cells of one size has to look as far
//! as the largest radius reaches for every point.

use crate::base::Real;
use crate::base::Vec3;
use crate::base::chance::Chance;
use crate::bench::measure::{Answer, alternate, timed};
use crate::bench::neighbor_lists::answer;
use crate::bench::rows::{self, Row};
use crate::bench::{Experiment, Findings, Halt, Lab, inputs};
use crate::output::plot::Panel;
use crate::search::{ExtendedHash, NeighborLists, NeighborSearch, SearchSettings, UniformHash};

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
/// One point of so many has a large one.
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
        let mut chance = Chance::new(lab.setup.seed);
        let points = inputs::jittered_lattice(count, 0.1, &mut chance);
        let points = inputs::points_and_moved(points, 0.05, false, &mut chance);
        let radius = |_| {
            let factor = if chance.below(RARE) == 0 { factor } else { 1.0 };
            (SUPPORT_RADIUS * factor) as Real
        };
        let radii = (0..count).map(radius).collect();
        let workload = Workload { factor, points, radii };
        measure(lab, UNIFORM, &workload, by_largest)?;
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

/// The seconds that the lists take, and the lists: all within the largest radius, of which those
/// farther than a point's own are dropped.
fn by_largest(points: &[Vec3], radii: &[Real]) -> (f64, Answer) {
    let largest = radii.iter().copied().fold(0.0, Real::max);
    let (seconds, lists) = timed(|| {
        let mut search = UniformHash::default();
        search.rebuild(points, largest);
        let near = |(i, at): (usize, &Vec3)| {
            let mut list = Vec::new();
            search.candidate_runs(i, at, |run| {
                let is_near = |j: u32| {
                    j as usize != i
                        && (at - points[j as usize]).norm_squared() < radii[i] * radii[i]
                };
                list.extend(run.iter().copied().filter(|&j| is_near(j)));
            });
            list
        };
        points.iter().enumerate().map(near).collect::<Vec<_>>()
    });
    let mut found = Answer::default();
    for (i, list) in (0..).zip(lists) {
        list.into_iter().for_each(|j| found.add(i, j));
    }
    (seconds, found)
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
