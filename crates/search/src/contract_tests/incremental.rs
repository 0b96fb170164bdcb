//! What every [`IncrementalBroadPhase`] keeps: the overlaps of brute force, whatever came, moved,
//! deformed and went before.

use crate::DynamicHierarchicalHash;
use crate::contract::IncrementalBroadPhase;
use hashfall_core::geometry::Aabb;
use hashfall_core::geometry::random::Random;
use hashfall_core::{Real, Vec3};

/// Numbers that objects may have.
const NUMBERS: u32 = 150;

/// Objects as they should be.
type Objects = Vec<Option<Aabb>>;

/// A structure beside what it should hold.
struct Pair<B> {
    structure: B,
    objects: Objects,
    random: Random,
}

impl<B: IncrementalBroadPhase> Pair<B> {
    fn new(seed: u64) -> Self {
        let objects = vec![None; NUMBERS as usize];
        Pair { structure: B::default(), objects, random: Random::new(seed) }
    }

    /// A box of a random place, shape and size, over many octaves.
    fn any_box(&mut self) -> Aabb {
        let scale = [0.0, 1.0, 1.0, 1000.0][self.below(4) as usize];
        let low = self.random.vec3(-1.0, 1.0) * scale;
        let power = (2.0 as Real).powi(self.random.real(-22.0, 12.0) as i32);
        let edges = self.random.vec3(0.0, 1.0) * power;
        let is_point = self.below(10) == 0;
        Aabb::new(low, if is_point { low } else { low + edges })
    }

    fn below(&mut self, count: u32) -> u32 {
        self.random.real(0.0, count as Real) as u32
    }

    /// Changes one object in some way.
    fn change(&mut self) {
        let number = self.below(NUMBERS);
        let any = self.any_box();
        let old = self.objects[number as usize];
        let changed = old.map_or(Some(any), |old| self.moved(&old, any));
        match (old, changed) {
            (None, Some(new)) => self.structure.insert(number, &new),
            (Some(_), Some(new)) => self.structure.move_to(number, &new),
            (_, None) => self.structure.remove(number),
        }
        self.objects[number as usize] = changed;
    }

    /// What becomes of an object: moved a little or far, deformed, or gone.
    fn moved(&mut self, old: &Aabb, any: Aabb) -> Option<Aabb> {
        let shift = self.random.vec3(-0.01, 0.01);
        match self.below(6) {
            0 | 1 => Some(Aabb::new(old.min + shift, old.max + shift)),
            2 => Some(any),
            // As deformable objects do: by an octave, up to the limit of what is sensible.
            3 => Some(Aabb::new(old.min, old.min + (old.extent() * 2.0).map(|e| e.min(1e6)))),
            4 => Some(Aabb::new(old.min, old.min + old.extent() * 0.5)),
            _ => None,
        }
    }

    /// The same overlaps as brute force, each once.
    fn check(&mut self) {
        self.structure.assert_holds(&self.objects);
        let mut queries: Vec<Aabb> = (0..10).map(|_| self.any_box()).collect();
        queries.push(Aabb::new(Vec3::from_element(-1e7), Vec3::from_element(1e7)));
        queries.push(Aabb::EMPTY);
        queries.extend(self.objects.iter().flatten().take(30));
        for query in &queries {
            let mut found = vec![];
            self.structure.candidates(query, |object| found.push(object));
            found.sort_unstable();
            assert!(found.is_sorted_by(|a, b| a < b), "repeated for {query:?}");
            let overlaps = |&object: &u32| {
                let b = self.objects[object as usize];
                !query.is_empty() && b.is_some_and(|b| b.overlaps(query))
            };
            if !B::IS_EXACT {
                found.retain(&overlaps);
            }
            let wanted: Vec<u32> = (0..NUMBERS).filter(overlaps).collect();
            assert_eq!(found, wanted, "{query:?}");
        }
    }
}

fn check_random_changes<B: IncrementalBroadPhase>() {
    for seed in 0..8 {
        let mut pair = Pair::<B>::new(seed);
        for _ in 0..60 {
            (0..80).for_each(|_| pair.change());
            pair.check();
        }
        for number in 0..NUMBERS {
            if pair.objects[number as usize].take().is_some() {
                pair.structure.remove(number);
            }
        }
        pair.check();
    }
}

/// Rebuilds and single changes in turn, over boxes to the ends of numbers.
fn check_after_rebuilds<B: IncrementalBroadPhase>() {
    let mut pair = Pair::<B>::new(9);
    let cube = |low: Real, high: Real| Aabb::new(Vec3::from_element(low), Vec3::from_element(high));
    for round in 0..12 {
        let boxes: Vec<Aabb> = (0..NUMBERS).map(|_| pair.any_box()).collect();
        pair.structure.rebuild(&boxes, [0.05, 0.05, 2.0][round % 3]);
        pair.objects = boxes.into_iter().map(Some).collect();
        pair.check();
        for (number, b) in
            [cube(-Real::MAX, Real::MAX), cube(0.0, Real::MIN_POSITIVE)].into_iter().enumerate()
        {
            pair.structure.move_to(number as u32, &b);
            pair.objects[number] = Some(b);
        }
        (0..100).for_each(|_| pair.change());
        pair.check();
    }
}

fn check_refusals<B: IncrementalBroadPhase>() {
    let sound = Aabb::new(Vec3::zeros(), Vec3::from_element(1.0));
    let bad = Aabb::new(sound.min, Vec3::new(1.0, Real::NAN, 1.0));
    let refused = |change: &dyn Fn(&mut B), what: &str| {
        let attempt = std::panic::AssertUnwindSafe(|| {
            let mut structure = B::default();
            structure.insert(3, &sound);
            change(&mut structure);
        });
        let fault = std::panic::catch_unwind(attempt).unwrap_err();
        let text = fault.downcast_ref::<String>().unwrap();
        assert!(text.starts_with(what), "{text}");
    };
    refused(&|b| b.insert(3, &sound), "object 3 is there already");
    refused(&|b| b.insert(4, &bad), "box 4 is not finite or empty");
    refused(&|b| b.move_to(3, &bad), "box 3 is not finite or empty");
    refused(&|b| b.move_to(2, &sound), "there is no object 2");
    refused(&|b| b.remove(7), "there is no object 7");
}

#[test]
fn random_changes_leave_what_brute_force_finds() {
    check_random_changes::<DynamicHierarchicalHash>();
}

#[test]
fn rebuilds_and_changes_mix() {
    check_after_rebuilds::<DynamicHierarchicalHash>();
}

#[test]
fn what_is_not_there_is_refused() {
    check_refusals::<DynamicHierarchicalHash>();
}
