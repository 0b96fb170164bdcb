//! Emitters and sinks: jets keep their lattice, accounts agree with what is there, and a nozzle in
//! a wall is an opening in it.

use super::support::{DFSPH, SPACING, WCSPH, fill, run_with, world};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::{NeighborKind, Structures};
use hashfall_solid::Solids;
use hashfall_sph::step::{Limit, Stepper};
use hashfall_sph::world::{
    Audit, Ballistic, Density, Dfsph, Emitter, OpenBoundaries, Sink, Solver, ViscositySolver,
    Wcsph, World,
};

const D: f64 = SPACING as f64;

/// An opening of `n` by `n` particles at (0.5, 0.5, 0), in a floor or not.
fn opening(n: usize, velocity: [f64; 3], is_in_floor: bool) -> Emitter {
    let at = |k: isize| 0.5 + (k as Real - 0.5 * (n as Real - 1.0)) * SPACING;
    let around = if is_in_floor { 2 } else { 0 };
    let along = || -around..n as isize + around;
    let is_own = |k: isize| (0..n as isize).contains(&k);
    let (mut places, mut tunnel, mut rim) = (vec![], vec![], vec![]);
    for (i, j) in along().flat_map(|i| along().map(move |j| (i, j))) {
        let place = Vec3::new(at(i), at(j), 0.0);
        let is_place = is_own(i) && is_own(j);
        if is_place {
            places.push(place);
        }
        if is_in_floor {
            let list = if is_place { &mut tunnel } else { &mut rim };
            list.extend([0.5, 1.5].map(|depth| place - Vec3::z() * (depth * SPACING)));
        }
    }
    let (normal, start, end) = ([0.0, 0.0, 1.0], 0.0, f64::INFINITY);
    Emitter { phase: 0, places, normal, velocity, start, end, depth: 2, tunnel, rim }
}

fn with(solver: Solver, emitters: Vec<Emitter>, sinks: Vec<Sink>, most: Option<usize>) -> World {
    let exchange = OpenBoundaries::new(emitters, sinks, most, 1);
    World { open_boundaries: exchange, ..world([1.0, 1.0, 1.0], &[1000.0], 0.0, solver) }
}

/// Solvers of each kind.
fn solvers() -> [Solver; 4] {
    let density = Some(Density::Continuity { diffusion: 0.1 });
    [
        Solver::Dfsph(DFSPH),
        Solver::Wcsph(WCSPH),
        Solver::Wcsph(Wcsph { density, shifting: 1.0, ..WCSPH }),
        Solver::Ballistic(Ballistic { courant: 1.0 }),
    ]
}

/// Steps to each of these times.
fn run(world: &mut World, times: impl IntoIterator<Item = f64>) {
    let mut stepper = Stepper::new(&Structures::default(), world).unwrap();
    for until in times {
        while world.time < until {
            stepper.step(world, until).unwrap();
        }
    }
}

/// The heights of the layers of a column of particles at (x, y), ascending.
fn heights(world: &World, [x, y]: [Real; 2]) -> Vec<f64> {
    let p = &world.particles.position;
    let in_column = |c: &&Vec3| (c.x - x).abs() < 0.1 * SPACING && (c.y - y).abs() < 0.1 * SPACING;
    let mut heights: Vec<f64> = p.iter().filter(in_column).map(|c| f64::from(c.z)).collect();
    heights.sort_by(f64::total_cmp);
    heights
}

/// Whether fluid that leaves a floor is drawn apart: density goes with the flow.
fn is_drawn((solver, is_in_floor): &(Solver, bool)) -> bool {
    let flows = solver.settings().tait().is_some() && !solver.settings().has_compressed_layers();
    flows && *is_in_floor
}

#[test]
fn a_free_jet_keeps_its_layers_a_spacing_apart_whatever_the_steps() {
    let all = solvers().into_iter().flat_map(|s| [(s, true), (s, false)]);
    all.filter(|case| !is_drawn(case)).for_each(assert_keeps_layers);
}

#[test]
#[ignore = "misses its goal of a quarter of a spacing: 0.41"]
fn a_jet_from_a_floor_is_hardly_drawn_apart_where_density_goes_with_the_flow() {
    assert_keeps_layers((solvers()[2], true));
}

/// A free jet's layers stay a spacing apart.
fn assert_keeps_layers((solver, is_in_floor): (Solver, bool)) {
    let speed = 2.5;
    // Times that cut steps to odd lengths.
    let odd = |k: i32| 0.006 * f64::from(k) + 1e-5 * f64::from(k * k % 7);
    let mut jet = with(solver, vec![opening(3, [0.0, 0.0, speed], is_in_floor)], vec![], None);
    jet.gravity = Vec3::zeros();
    if !is_in_floor {
        jet.solids = Solids::new(Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(2.0)), vec![], vec![]);
    }
    run(&mut jet, (1..=40).map(odd));
    let heights = heights(&jet, [0.5, 0.5]);
    // Two layers fill the nozzle at the start; then there is one for each spacing of way.
    let layers = 2 + (speed * jet.time / D) as usize;
    assert_eq!(heights.len(), layers, "{solver:?}");
    assert_eq!(jet.open_boundaries.budget.emitted, [9 * layers as u64]);
    // ScriptPaths are rounded in each step.
    let mut rounding = jet.steps as f64 * f64::from(Real::EPSILON) * 0.5;
    let is_drawn = is_drawn(&(solver, is_in_floor));
    if is_drawn {
        rounding = 0.25 * D;
    }
    for pair in heights.windows(2) {
        let off = pair[1] - pair[0] - D;
        assert!(off.abs() < rounding, "{solver:?} {is_in_floor}: {off} at {}", pair[0]);
    }
    if is_drawn {
        return;
    }
    let front = heights[layers - 1] - (speed * jet.time - 0.5 * D);
    assert!(front.abs() < rounding, "{solver:?}: {front}");
    let (p, time) = (&jet.particles, jet.time);
    for (i, age) in p.ages(time).into_iter().enumerate() {
        let out = f64::from(p.position[i].z) - 0.5 * D;
        let wanted = (out / speed).max(0.0);
        assert!((f64::from(age) - wanted).abs() < 1e-5, "{age} at {out}");
    }
}

#[test]
fn an_oblique_jet_comes_in_layers_a_spacing_apart_across_the_opening() {
    let mut jet = with(Solver::Dfsph(DFSPH), vec![opening(4, [1.5, 0.0, 2.0], true)], vec![], None);
    jet.gravity = Vec3::zeros();
    run(&mut jet, [0.11]);
    let mut layers: Vec<i64> = jet
        .particles
        .position
        .iter()
        .map(|x| ((f64::from(x.z) - 2.0 * jet.time) / D * 2.0).round() as i64)
        .collect();
    layers.sort_unstable();
    layers.dedup();
    assert_eq!(layers.len(), 2 + (2.0 * 0.11 / D) as usize);
    assert!(layers.windows(2).all(|pair| pair[1] - pair[0] == 2), "{layers:?}");
}

/// Mass of what is there is that at the start, and what came, less what went; ids are unique.
fn assert_account(world: &World, at_start: usize) {
    let [brought, taken] = world.masses_exchanged();
    let own = at_start as f64 * world.particle_mass(0);
    let audit = Audit::new(world);
    assert!((audit.mass - (own + brought - taken)).abs() < 1e-9 * audit.mass.max(1e-9));
    assert!(world.particles.has_each_id_once());
    let given = at_start as u64 + world.open_boundaries.budget.all_emitted();
    assert_eq!(u64::from(world.particles.next_id), given);
    assert_eq!(audit.outside, 0);
}

#[test]
fn a_jet_in_gravity_keeps_its_account_and_drains() {
    for solver in solvers() {
        let sink = Sink::Box { min: [0.6, 0.0, 0.0], max: [1.0, 1.0, 0.02] };
        let mut jet = with(solver, vec![opening(3, [0.6, 0.0, 1.6], true)], vec![sink], None);
        let mut first_gone = None;
        run_to_frames(&mut jet, 10, |jet| {
            assert_account(jet, 0);
            first_gone =
                first_gone.or((jet.open_boundaries.budget.all_removed() > 0).then_some(jet.time));
        });
        // Back on the floor after 2 v/g.
        let landed = first_gone.expect("fluid lands");
        assert!((0.3..0.5).contains(&landed), "{solver:?}: {landed}");
        assert!(!jet.particles.is_empty());
    }
}

/// Steps to so many times 0.05 s apart; looks at each.
fn run_to_frames(world: &mut World, frames: u32, mut look: impl FnMut(&World)) {
    let mut stepper = Stepper::new(&Structures::default(), world).unwrap();
    for frame in 1..=frames {
        let until = 0.05 * f64::from(frame);
        while world.time < until {
            stepper.step(world, until).unwrap();
        }
        look(world);
    }
}

#[test]
fn a_sink_empties_a_tank_and_an_empty_world_goes_on() {
    for solver in solvers() {
        let sinks = vec![
            Sink::Ball { centre: [0.1, 0.1, 0.05], radius: 0.08 },
            Sink::Box { min: [0.0; 3], max: [0.5, 0.5, 0.04] },
        ];
        let mut tank = with(solver, vec![], sinks, None);
        fill(&mut tank, Vec3::zeros(), [8, 6, 5], 0, |_| Vec3::zeros());
        run_to_frames(&mut tank, 10, |tank| assert_account(tank, 240));
        assert!(tank.particles.is_empty(), "{solver:?}: {} are left", tank.particles.len());
        assert_eq!(tank.open_boundaries.budget.removed, [240]);
    }
}

#[test]
fn emitters_wait_for_room_with_whole_layers_and_go_on_when_there_is_some() {
    let sink = Sink::Box { min: [0.0, 0.0, 0.5], max: [1.0; 3] };
    for solver in solvers() {
        let two = vec![opening(3, [0.0, 0.0, 3.0], true), {
            let mut other = opening(2, [0.0, 0.0, 2.0], true);
            let shift = Vec3::new(0.25, 0.25, 0.0);
            for x in other.places.iter_mut().chain(&mut other.tunnel).chain(&mut other.rim) {
                *x += shift;
            }
            Emitter { start: 0.1, ..other }
        }];
        let mut jet = with(solver, two, vec![sink], Some(100));
        jet.gravity = Vec3::zeros();
        let mut most = 0;
        run_to_frames(&mut jet, 12, |jet| {
            assert_account(jet, 0);
            most = most.max(jet.particles.len());
        });
        assert!((88..=100).contains(&most), "{solver:?}: {most}");
        let [one, two] = jet.open_boundaries.budget.emitters[..] else { panic!("two") };
        assert_eq!(9 * one.layers + 4 * two.layers, jet.open_boundaries.budget.all_emitted());
        assert!(one.for_room.times > 0 && one.for_room.time > 0.01, "{one:?}");
        let removed = jet.open_boundaries.budget.all_removed();
        assert!(
            one.for_room.first.unwrap() > 0.03 && removed > 50,
            "{solver:?}: {removed} {one:?}"
        );
        assert_eq!((one.for_pressed.times, one.left_out), (0, 0));
    }
}

#[test]
fn an_emitter_starts_and_ends_in_time() {
    let (start, end) = (0.0432, 0.2);
    let mut jet = with(Solver::Dfsph(DFSPH), vec![opening(3, [0.0, 0.0, 2.0], true)], vec![], None);
    jet.gravity = Vec3::zeros();
    (jet.open_boundaries.emitters[0].start, jet.open_boundaries.emitters[0].end) = (start, end);
    let mut counts = vec![];
    run_to_frames(&mut jet, 6, |jet| counts.push(jet.particles.len()));
    assert_eq!(counts[..1], [9 * 2], "{counts:?}");
    let layers = (2.0 * (end - start) / D).floor() as usize;
    assert_eq!(counts[5], 9 * layers, "{counts:?}");
    assert!(
        jet.particles.in_nozzle.iter().all(|&held| held == 0),
        "the nozzle is empty in the end"
    );
    let front = heights(&jet, [0.5, 0.5]).last().unwrap() - (2.0 * (0.3 - start) - 0.5 * D);
    assert!(front.abs() < 1e-4, "{front}");
}

#[test]
fn an_emitter_that_gets_a_later_end_makes_up_for_nothing() {
    let mut jet = with(Solver::Dfsph(DFSPH), vec![opening(3, [0.0, 0.0, 1.0], true)], vec![], None);
    jet.gravity = Vec3::zeros();
    jet.open_boundaries.emitters[0].end = 0.2;
    run(&mut jet, [0.4]);
    assert_eq!(jet.particles.len(), 9 * 8);
    jet.open_boundaries.emitters[0].end = f64::INFINITY;
    run(&mut jet, [0.5]);
    // Four layers in 0.1 s, and two in the nozzle.
    let layers = jet.particles.len() / 9;
    assert!((13..=15).contains(&layers), "{layers}");
    let held = jet.particles.in_nozzle.iter().filter(|&&held| held > 0).count();
    assert_eq!(held, 9 * 2);
    let column = heights(&jet, [0.5, 0.5]);
    let apart = column.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    assert!(apart > 0.99 * D, "{apart} m apart");
}

#[test]
fn a_jet_that_stopped_goes_on_to_the_same_bits() {
    let sink = Sink::Box { min: [0.0; 3], max: [1.0, 1.0, 0.03] };
    for solver in solvers() {
        let emitter = opening(3, [0.4, 0.0, 1.2], true);
        let mut world = with(solver, vec![emitter], vec![sink], Some(150));
        world.solids = world.solids.with_open_axes([true, false, false]);
        world.periodic = [true, false, false];
        let structures = Structures::default();
        let mut first = Stepper::new(&structures, &mut world).unwrap();
        for step in 0..150 {
            if step % 10 == 0 {
                let mut other = world.clone();
                let mut second = Stepper::resume(&structures, &mut other, &first.memory()).unwrap();
                let mut ahead = world.clone();
                let mut again = Stepper::resume(&structures, &mut ahead, &first.memory()).unwrap();
                for _ in 0..3 {
                    second.step(&mut other, 10.0).unwrap();
                    again.step(&mut ahead, 10.0).unwrap();
                }
                assert_eq!(other, ahead, "{solver:?}, step {step}");
                for _ in 0..3 {
                    first.step(&mut world, 10.0).unwrap();
                }
                assert_eq!(other, world, "{solver:?}, step {step}");
            } else {
                first.step(&mut world, 10.0).unwrap();
            }
        }
        assert!(world.open_boundaries.budget.all_emitted() > 30, "{solver:?}");
    }
}

#[test]
fn an_opening_under_water_stirs_it_gently() {
    let compressed = stir(Solver::Wcsph(WCSPH));
    assert!(compressed < 0.05, "compressed by {compressed}");
    stir(Solver::Dfsph(DFSPH));
}

#[test]
#[ignore = "misses its goal of 0.05: compressed by 0.051"]
fn an_opening_under_water_hardly_compresses_it_with_dfsph() {
    let compressed = stir(Solver::Dfsph(DFSPH));
    assert!(compressed < 0.05, "compressed by {compressed}");
}

/// The largest compression of a pool that an opening under water stirs.
fn stir(solver: Solver) -> f64 {
    let mut pool = with(solver, vec![opening(6, [0.0, 0.0, 0.3], true)], vec![], None);
    pool.solids = Solids::new(
        Aabb::new(Vec3::new(0.25, 0.25, 0.0), Vec3::new(0.75, 0.75, 1.0)),
        vec![],
        vec![],
    );
    fill(&mut pool, Vec3::new(0.25, 0.25, 0.0), [20, 20, 8], 0, |_| Vec3::zeros());
    let reports = run_with(NeighborKind::default(), &mut pool, 0.3);
    let fastest = Audit::new(&pool).max_speed;
    assert!(fastest < 1.2, "{solver:?}: {fastest} m/s of 0.3 m/s");
    assert_account(&pool, 3200);
    let progress = pool.open_boundaries.budget.emitters[0];
    assert_eq!((progress.for_pressed.times, progress.left_out), (0, 0), "{progress:?}");
    reports.iter().map(|step| step.density_error_max).fold(0.0, f64::max)
}

#[test]
fn an_emitter_waits_where_fluid_cannot_give_way() {
    let impatient = Dfsph { max_iterations: 30.0, ..DFSPH };
    let mut full =
        with(Solver::Dfsph(impatient), vec![opening(2, [0.0, 0.0, 1.0], true)], vec![], None);
    let corner = Vec3::new(0.425, 0.425, 0.0);
    full.solids = Solids::new(Aabb::new(corner, corner.add_scalar(0.15)), vec![], vec![]);
    fill(&mut full, corner, [6, 6, 6], 0, |_| Vec3::zeros());
    let reports = run_with(NeighborKind::default(), &mut full, 0.04);
    let worst = reports.iter().map(|step| step.density_error_max).fold(0.0, f64::max);
    assert!(worst < 0.2, "compressed by {worst}");
    let progress = full.open_boundaries.budget.emitters[0];
    assert!(progress.for_pressed.time > 0.03 && progress.travelled < 0.01, "{progress:?}");
    assert_account(&full, 216);
}

/// Fluid that is pushed on where no room is left finds some at any speed: without a stalled emitter
/// the last voids close at hundreds of metres a second.
#[test]
fn a_vessel_is_filled_to_the_brim_and_nothing_bursts() {
    let mut vessel =
        with(Solver::Dfsph(DFSPH), vec![opening(4, [0.0, 0.0, 1.0], true)], vec![], None);
    let corner = Vec3::new(0.375, 0.375, 0.0);
    vessel.solids = Solids::new(Aabb::new(corner, corner.add_scalar(0.25)), vec![], vec![]);
    fill(&mut vessel, corner, [10, 10, 7], 0, |_| Vec3::zeros());
    let mut fastest = 0.0;
    run_to_frames(&mut vessel, 14, |vessel| {
        fastest = f64::max(fastest, Audit::new(vessel).max_speed)
    });
    let progress = vessel.open_boundaries.budget.emitters[0];
    assert!(progress.for_pressed.time > 0.1, "{progress:?}");
    let count = vessel.particles.in_nozzle.iter().filter(|&&held| held == 0).count();
    assert!((850..=1010).contains(&count), "{count} of 1000");
    assert!(fastest < 20.0, "{fastest} m/s of 1 m/s");
}

#[test]
fn no_layer_comes_where_fluid_stands_behind_the_opening() {
    // ScriptPaths amid the faces of the lattice's cubes, and amid the cubes.
    for height in [0.15, 0.15 + 0.5 * SPACING] {
        let mut drowned =
            with(Solver::Dfsph(DFSPH), vec![opening(3, [0.0, 0.0, 0.5], false)], vec![], None);
        for x in &mut drowned.open_boundaries.emitters[0].places {
            x.z += height;
        }
        fill(&mut drowned, Vec3::new(0.25, 0.25, 0.0), [20, 20, 12], 0, |_| Vec3::zeros());
        drowned.gravity = Vec3::zeros();
        let reports = run_with(NeighborKind::default(), &mut drowned, 0.1);
        let worst = reports.iter().map(|step| step.density_error_max).fold(0.0, f64::max);
        assert!(worst < 0.3, "{height}: compressed by {worst}");
        assert!(drowned.open_boundaries.budget.emitters[0].left_out > 9, "{height}");
    }
}

#[test]
fn what_a_nozzle_holds_does_not_limit_the_step() {
    for (solver, viscosity) in
        [Solver::Dfsph(DFSPH), Solver::Wcsph(WCSPH)].into_iter().flat_map(|solver| {
            [ViscositySolver::Explicit, ViscositySolver::Implicit]
                .map(|viscosity| (solver, viscosity))
        })
    {
        let mut jet = with(solver, vec![opening(4, [0.0, 0.0, 1.0], true)], vec![], None);
        (jet.viscosity, jet.fluids[0].viscosity) = (viscosity, 1e-3);
        // So much that the force would allow a step of a ten-thousandth of a second alone.
        jet.gravity = Vec3::z() * -1e5;
        let stepper = Stepper::new(&Structures::default(), &mut jet).unwrap();
        assert!(jet.particles.in_nozzle.iter().all(|&held| held > 0) && !jet.particles.is_empty());
        let (_, limit) = stepper.stable_step(&jet);
        let courant = matches!(limit, Limit::Speed | Limit::Sound);
        assert!(courant, "{solver:?} {viscosity:?}: {limit:?}");
    }
}
