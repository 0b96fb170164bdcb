//! A chain of equal masses and springs between two walls, in its modes.

use super::crossings::Crossings;
use crate::cases::elastic::chains::{MASS, MASSES, STIFFNESS, angle, omega};
use hashfall_elastic::testing::{Run, symplectic};
use hashfall_elastic::{
    BodySpec, ElasticAccount, ElasticMesh, ElasticSystem, Fixing, Material, SpringMass,
    SpringStiffness, Springs, StepError, SymplecticOrder, SymplecticSettings,
};
use hashfall_geometry::Point;
use std::f64::consts::PI;

/// Between masses \[m\].
const SPACING: f64 = 0.1;
/// Of a mode at the start, over the spacing.
const AMPLITUDE: f64 = 0.1;

/// What a mode did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainMode {
    /// Its frequency over the exact one.
    pub frequency_ratio: f64,
    /// The mean energy of the last tenth of the periods over that of the first tenth, less 1.
    pub energy_drift: f64,
    /// The largest energy less the smallest, over that at the start.
    pub energy_swing: f64,
}

/// Lets mode j, from 1 to [`MASSES`], swing from rest for this number of periods.
///
/// # Errors
/// If a step fails.
pub fn chain_mode(
    j: usize,
    periods: usize,
    settings: SymplecticSettings,
) -> Result<ChainMode, StepError> {
    // Steps of so few masses are short: a thread of the pool need not wait for them.
    rayon::scope(|_| swing(j, periods, settings))
}

fn swing(j: usize, periods: usize, settings: SymplecticSettings) -> Result<ChainMode, StepError> {
    let system = chain();
    let (angle, omega) = (angle(j), omega(j));
    let shape = |node: usize| libm::sin(angle * node as f64);
    let mut run = Run::new(system, symplectic(settings));
    for node in 1..=MASSES {
        run.state.position[node].x += AMPLITUDE * SPACING * shape(node);
    }
    let amplitude = |run: &Run| {
        let moved = |node: usize| run.state.position[node].x - node as f64 * SPACING;
        (1..=MASSES).map(|node| moved(node) * shape(node)).sum::<f64>()
    };
    let energy =
        |run: &Run| ElasticAccount::new(run.system(), &run.state, &Point::zeros()).energy();
    const STEPS: usize = 8;
    let (dt, start) = (2.0 * PI / omega / STEPS as f64, energy(&run));
    let (mut means, mut range) = (vec![], [start; 2]);
    let mut rise = Crossings::new(amplitude(&run));
    for _ in 0..periods {
        let mut mean = 0.0;
        for _ in 0..STEPS {
            run.advance(dt, &Point::zeros())?;
            rise.add(run.time, amplitude(&run));
            let now = energy(&run);
            range = [range[0].min(now), range[1].max(now)];
            mean += now / STEPS as f64;
        }
        means.push(mean);
    }
    let tenth = periods.div_ceil(10);
    let mean = |energies: &[f64]| energies.iter().sum::<f64>() / tenth as f64;
    Ok(ChainMode {
        frequency_ratio: 2.0 * PI / (omega * rise.period()),
        energy_drift: mean(&means[periods - tenth..]) / mean(&means[..tenth]) - 1.0,
        energy_swing: (range[1] - range[0]) / start,
    })
}

/// Masses in a row between two that are fixed.
fn chain() -> ElasticSystem {
    let nodes = (0..MASSES + 2).map(|k| Point::x() * (k as f64 * SPACING)).collect();
    let segments = (0..=MASSES as u32).map(|k| [k, k + 1]).collect();
    let mesh = ElasticMesh { nodes, segments, ..ElasticMesh::default() };
    let springs = Springs {
        stiffness: SpringStiffness::PerSpring(STIFFNESS),
        across: 0.0,
        mass: SpringMass::PerNode(MASS),
        thickness: 0.01,
        damping_time: 0.0,
    };
    let fixings = vec![(0, Fixing::Fixed), (MASSES as u32 + 1, Fixing::Fixed)];
    let spec = BodySpec { fixings, ..BodySpec::new("chain", mesh, Material::Springs(springs)) };
    ElasticSystem::new(vec![spec]).unwrap_or_else(|error| unreachable!("{error}"))
}

#[test]
fn every_mode_has_its_frequency() {
    let verlet = SymplecticSettings { substep_ratio: 0.07, ..Default::default() };
    let fourth = SymplecticSettings { order: SymplecticOrder::Fourth, ..Default::default() };
    for (settings, limit) in [(verlet, 1e-3), (fourth, 2e-5)] {
        for j in 1..=MASSES {
            let mode = chain_mode(j, 60, settings).unwrap();
            assert!((mode.frequency_ratio - 1.0).abs() < limit, "mode {j}: {mode:?}");
        }
    }
}

#[test]
fn energy_does_not_drift_in_ten_thousand_periods() {
    for j in [1, MASSES] {
        let mode = chain_mode(j, 10_000, SymplecticSettings::default()).unwrap();
        assert!(mode.energy_drift.abs() < 1e-3, "mode {j}: {mode:?}");
    }
}
