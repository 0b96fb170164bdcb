//! Hashfall's searches beside the best crates, on the same inputs, with the same answers.
//!
//! `peers neighbors` finds all neighbours within a radius, `peers boxes` the boxes that many
//! queries overlap, `peers pairs` the pairs of boxes that overlap, `peers cloths` the primitives of
//! deforming meshes that may meet, `peers contact` those that come together, substep by substep.
//! Every repetition rebuilds its structure on moved input. A table in Markdown goes to stdout,
//! progress to stderr; the program fails if two methods find different things. How the inputs are
//! made: [`sets`]; what is timed: [`measure`].

mod boxes;
mod cloths;
mod contact;
mod machine;
mod measure;
mod neighbors;
mod pairs;
mod sets;
mod table;
#[cfg(test)]
mod tests;

use clap::{Args, Parser, Subcommand};
use hashfall_core::simd::Isa;
use measure::{Effort, Failure, check_agreement};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sets::bodies::{BodySet, Sizes};
use sets::boxes::{BoxSet, Objects};
use sets::cloths::{ClothSet, Lie};
use sets::motions::MotionSet;
use sets::points::{Family, PointSet};
use sets::{Order, parse_count};
use std::path::PathBuf;

#[derive(Parser)]
#[command(version, about = "Hashfall's searches beside those of crates.io")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// All neighbours within a radius (T1).
    Neighbors {
        /// How the points lie.
        #[arg(long = "set", value_delimiter = ',', default_values = ["lat", "uni"])]
        sets: Vec<Family>,
        /// Points, such as 100k, 1M, 5M.
        #[arg(long, value_parser = parse_count, default_value = "1M")]
        count: usize,
        #[command(flatten)]
        common: Common,
    },
    /// The boxes that each of many queries overlaps (T2).
    Boxes {
        /// The objects.
        #[arg(
            long = "set",
            value_delimiter = ',',
            default_values = [
                "o2_100", "o2_1k", "o2_10k", "o3_2k", "mesh_100k", "mesh_100k_near", "decades_100k",
            ],
        )]
        sets: Vec<Objects>,
        /// Queries, such as 100k, 1M.
        #[arg(long, value_parser = parse_count, default_value = "1M")]
        count: usize,
        /// Write the sets to this folder instead, for programs in other languages (`embree`).
        #[arg(long)]
        dump: Option<PathBuf>,
        #[command(flatten)]
        common: Common,
    },
    /// The pairs of boxes that overlap (T3).
    Pairs {
        /// The sizes of the bodies.
        #[arg(long = "set", value_delimiter = ',', default_values = ["equal", "mixed"])]
        sets: Vec<Sizes>,
        /// Bodies, such as 50k,1M.
        #[arg(long, value_parser = parse_count, value_delimiter = ',',
              default_values = ["50k", "100k", "500k", "1M"])]
        count: Vec<usize>,
        #[command(flatten)]
        common: Common,
    },
    /// The primitives of deforming meshes that may meet (T4).
    Cloths {
        /// How the mesh lies.
        #[arg(long = "set", value_delimiter = ',',
              default_values = ["crumpled", "stacked", "twisted"])]
        sets: Vec<Lie>,
        /// Triangles, such as 10k,1M.
        #[arg(long, value_parser = parse_count, value_delimiter = ',',
              default_values = ["10k", "100k", "1M"])]
        count: Vec<usize>,
        #[command(flatten)]
        common: Common,
    },
    /// The primitives of meshes that come together, substep by substep (T5).
    Contact {
        /// How the mesh lies.
        #[arg(long = "set", value_delimiter = ',',
              default_values = ["crumpled", "stacked", "twisted", "apart"])]
        sets: Vec<Lie>,
        /// Triangles, such as 10k,1M.
        #[arg(long, value_parser = parse_count, value_delimiter = ',',
              default_values = ["10k", "100k", "1M"])]
        count: Vec<usize>,
        /// Substeps of a round, in which motion comes back to where it began.
        #[arg(long, value_parser = parse_positive, default_value = "32")]
        substeps: usize,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Args)]
struct Common {
    /// The order of points or queries.
    #[arg(long, value_delimiter = ',', default_values = ["cells", "sorted", "shuffled"])]
    order: Vec<Order>,
    /// Threads of the pool in which everything runs.
    #[arg(long, value_parser = parse_positive, default_value = "1")]
    threads: usize,
    /// Timed repetitions, alternately of set A and set B.
    #[arg(long, value_parser = parse_positive, default_value = "7")]
    repetitions: usize,
    /// Measure only methods whose name contains one of these, whatever the case.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Limit Hashfall to these instructions: `baseline`, `avx2` or `avx512`; what the crates use is
    /// up to the build.
    #[arg(long)]
    instructions: Option<String>,
}

impl Common {
    fn is_wanted(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.only.is_empty() || self.only.iter().any(|part| name.contains(&part.to_lowercase()))
    }

    /// The headline of a table.
    fn announce(&self, what: &str) {
        println!("\n### {what}; {} thread(s), {} repetitions\n", self.threads, self.repetitions);
        println!("{}.\n", machine::describe());
    }
}

fn parse_positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err(format!("{text} is not a positive number")),
        Ok(count) => Ok(count),
    }
}

fn compare_neighbors(
    family: Family,
    count: usize,
    common: &Common,
    pool: &ThreadPool,
) -> Result<(), Failure> {
    for &order in &common.order {
        let set = PointSet::new(family, count, order);
        common.announce(&set.name);
        let effort = Effort { repetitions: common.repetitions, pool };
        let outcomes = neighbors::compare(&set, effort, &|name| common.is_wanted(name))?;
        print!("{}", neighbors::tabulate(&outcomes, &set));
        neighbors::check_agreement(&outcomes)?;
    }
    Ok(())
}

fn compare_boxes(
    objects: Objects,
    count: usize,
    common: &Common,
    pool: &ThreadPool,
) -> Result<(), Failure> {
    for &order in &common.order {
        let set = BoxSet::new(objects, count, order);
        common.announce(&set.name);
        let effort = Effort { repetitions: common.repetitions, pool };
        let outcomes = boxes::compare(&set, effort, &|name| common.is_wanted(name))?;
        print!("{}", boxes::tabulate(&outcomes, &set));
        check_agreement(&outcomes)?;
    }
    Ok(())
}

fn compare_pairs(
    sizes: Sizes,
    count: usize,
    common: &Common,
    pool: &ThreadPool,
) -> Result<(), Failure> {
    let set = BodySet::new(sizes, count);
    common.announce(&set.name);
    let effort = Effort { repetitions: common.repetitions, pool };
    let outcomes = pairs::compare(&set, effort, &|name| common.is_wanted(name))?;
    print!("{}", pairs::tabulate(&outcomes, &set));
    check_agreement(&outcomes)
}

fn compare_cloths(
    lie: Lie,
    count: usize,
    common: &Common,
    pool: &ThreadPool,
) -> Result<(), Failure> {
    let set = ClothSet::new(lie, count);
    common.announce(&set.name);
    let effort = Effort { repetitions: common.repetitions, pool };
    let outcomes = cloths::compare(&set, effort, &|name| common.is_wanted(name))?;
    print!("{}", cloths::tabulate(&outcomes, &set));
    check_agreement(&outcomes)
}

fn compare_contact(
    (lie, count, substeps): (Lie, usize, usize),
    common: &Common,
    pool: &ThreadPool,
) -> Result<(), Failure> {
    let set = MotionSet::new(lie, count, substeps);
    common.announce(&set.name);
    let effort = Effort { repetitions: common.repetitions, pool };
    let outcomes = contact::compare(&set, effort, &|name| common.is_wanted(name))?;
    print!("{}", contact::tabulate(&outcomes, &set));
    check_agreement(&outcomes)
}

fn main() -> Result<(), Failure> {
    let task = Arguments::parse().task;
    let (Task::Neighbors { common, .. }
    | Task::Boxes { common, .. }
    | Task::Pairs { common, .. }
    | Task::Cloths { common, .. }
    | Task::Contact { common, .. }) = &task;
    if let Some(name) = &common.instructions {
        Isa::limit_to(name)?;
    }
    let pool = ThreadPoolBuilder::new().num_threads(common.threads).build()?;
    match &task {
        Task::Neighbors { sets, count, common } => {
            sets.iter().try_for_each(|&set| compare_neighbors(set, *count, common, &pool))
        }
        Task::Boxes { sets, count, dump: Some(folder), common } => {
            sets.iter().try_for_each(|&set| {
                common.order.iter().try_for_each(|&order| {
                    BoxSet::new(set, *count, order).dump(folder)?;
                    Ok(())
                })
            })
        }
        Task::Boxes { sets, count, dump: None, common } => {
            sets.iter().try_for_each(|&set| compare_boxes(set, *count, common, &pool))
        }
        Task::Pairs { sets, count, common } => sets.iter().try_for_each(|&set| {
            count.iter().try_for_each(|&count| compare_pairs(set, count, common, &pool))
        }),
        Task::Cloths { sets, count, common } => sets.iter().try_for_each(|&set| {
            count.iter().try_for_each(|&count| compare_cloths(set, count, common, &pool))
        }),
        Task::Contact { sets, count, substeps, common } => sets.iter().try_for_each(|&set| {
            let compare = |&count| compare_contact((set, count, *substeps), common, &pool);
            count.iter().try_for_each(compare)
        }),
    }
}
