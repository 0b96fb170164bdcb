//! All methods against brute force, on 10 000 points and on 1000 boxes; contact against trees.

use crate::measure::{Effort, Failure, check_agreement};
use crate::sets::bodies::{BodySet, Sizes};
use crate::sets::boxes::{BoxSet, Objects};
use crate::sets::cloths::{ClothSet, Lie};
use crate::sets::motions::MotionSet;
use crate::sets::points::{Family, PointSet};
use crate::sets::{Order, parse_count};
use crate::{boxes, cloths, contact, neighbors, pairs};
use clap::ValueEnum;
use rayon::ThreadPoolBuilder;

#[test]
fn all_methods_find_the_neighbours_of_brute_force() -> Result<(), Failure> {
    for family in Family::value_variants() {
        for (order, threads) in [(Order::Shuffled, 1), (Order::Sorted, 2), (Order::Cells, 1)] {
            let set = PointSet::new(*family, 10_000, order);
            let pool = &ThreadPoolBuilder::new().num_threads(threads).build()?;
            let effort = Effort { repetitions: 1, pool };
            let outcomes = neighbors::compare(&set, effort, &|_| true)?;
            assert!(neighbors::tabulate(&outcomes, &set).contains("Hashfall Brute"));
            neighbors::check_agreement(&outcomes)?;
        }
    }
    Ok(())
}

#[test]
fn all_methods_find_the_overlaps_of_brute_force() -> Result<(), Failure> {
    for objects in [Objects::O2Hundred, Objects::O2Thousand, Objects::O3] {
        for (order, threads) in [(Order::Shuffled, 1), (Order::Sorted, 2)] {
            let set = BoxSet::new(objects, 20_000, order);
            let pool = &ThreadPoolBuilder::new().num_threads(threads).build()?;
            let effort = Effort { repetitions: 1, pool };
            let outcomes = boxes::compare(&set, effort, &|_| true)?;
            assert!(boxes::tabulate(&outcomes, &set).contains("Hashfall Brute"));
            check_agreement(&outcomes)?;
        }
    }
    Ok(())
}

#[test]
fn all_methods_find_the_same_of_many_boxes() -> Result<(), Failure> {
    for objects in [Objects::Mesh, Objects::MeshNear, Objects::Decades] {
        let set = BoxSet::new(objects, 5000, Order::Shuffled);
        let pool = &ThreadPoolBuilder::new().num_threads(1).build()?;
        let effort = Effort { repetitions: 1, pool };
        let is_wanted =
            |name: &str| !name.contains("Hashfall") || name.contains("HierarchicalHash");
        check_agreement(&boxes::compare(&set, effort, &is_wanted)?)?;
    }
    Ok(())
}

#[test]
fn all_methods_find_the_pairs_of_brute_force() -> Result<(), Failure> {
    for sizes in [Sizes::Equal, Sizes::Mixed] {
        for threads in [1, 2] {
            let set = BodySet::new(sizes, 5000);
            let pool = &ThreadPoolBuilder::new().num_threads(threads).build()?;
            let effort = Effort { repetitions: 1, pool };
            let outcomes = pairs::compare(&set, effort, &|_| true)?;
            assert!(pairs::tabulate(&outcomes, &set).contains("Hashfall Brute"));
            check_agreement(&outcomes)?;
        }
    }
    Ok(())
}

#[test]
fn all_methods_find_what_may_meet_by_brute_force() -> Result<(), Failure> {
    for lie in Lie::value_variants() {
        for threads in [1, 2] {
            let set = ClothSet::new(*lie, 2000);
            let pool = &ThreadPoolBuilder::new().num_threads(threads).build()?;
            let effort = Effort { repetitions: 2, pool };
            let outcomes = cloths::compare(&set, effort, &|_| true)?;
            assert!(cloths::tabulate(&outcomes, &set).contains("Hashfall Brute"));
            check_agreement(&outcomes)?;
        }
    }
    Ok(())
}

#[test]
fn contact_finds_what_trees_find() -> Result<(), Failure> {
    for lie in Lie::value_variants() {
        for threads in [1, 2] {
            let set = MotionSet::new(*lie, 2000, 16);
            let pool = &ThreadPoolBuilder::new().num_threads(threads).build()?;
            let effort = Effort { repetitions: 1, pool };
            let outcomes = contact::compare(&set, effort, &|_| true)?;
            check_agreement(&outcomes)?;
            let found = outcomes.iter().all(|lane| lane.answers.iter().all(|it| it.count() > 0));
            assert!(found || *lie == Lie::Apart);
        }
    }
    Ok(())
}

#[test]
fn sorting_moves_points_and_queries_but_keeps_them() {
    let totals = [Order::Sorted, Order::Cells, Order::Shuffled].map(|order| {
        let points = PointSet::new(Family::Lat, 10_000, order);
        let boxes = BoxSet::new(Objects::O3, 10_000, order);
        let places = points.sides.iter().flatten().flatten().map(|x| x.to_bits());
        let corners = boxes.queries.iter().flat_map(|q| q.min).map(|x| x.to_bits());
        places.chain(corners).map(u64::from).sum::<u64>()
    });
    assert_eq!([totals[1]; 2], [totals[0], totals[2]]);
}

#[test]
fn counts_have_suffixes() {
    assert_eq!(parse_count("100k"), Ok(100_000));
    assert_eq!(parse_count("5M"), Ok(5_000_000));
    assert_eq!(parse_count("12"), Ok(12));
    assert!(parse_count("1G").is_err());
}
