//! Where fluid comes into the world and where it leaves, and the account of both.
//!
//! An emitter lets fluid out of a flat *opening*, layer by layer. Behind it lies its *nozzle*, as
//! deep as the support radius, in which layers move with the prescribed velocity whatever pushes
//! them. With s the place of a particle's centre along the opening's normal n, 0 in the opening, a
//! layer comes into the nozzle at s = −m d + d/2, with m layers the nozzle's depth, and is free
//! from s = d/2 on, when all of it is out. Layer k (0, 1, …) stands at
//!
//! - s = S − (k + ½) d,
//!
//! where S is the way that the nozzle's fluid has gone: speed across the opening times the time for
//! which it moved. So layers are d apart, however long the steps are. The nozzle is full from the
//! start on. It stands still while it *waits*: for room, if the world may hold no more particles,
//! or until fluid that is pressed against the opening gives way.
//!
//! Symbols: d spacing \[m\], s, S \[m\].

use super::OutsideWork;
use hashfall_core::{Vec3, to_f64, vec3};
use serde::{Deserialize, Serialize};

/// Part of a spacing by which a layer may be late through rounding.
const ROUNDING: f64 = 1e-6;

/// Fluid comes out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitter {
    /// Which fluid: an index into the world's.
    pub phase: u8,
    /// Centres of the particles of a layer that lies in the opening \[m\]; at least one.
    pub places: Vec<Vec3>,
    /// Square to the opening, outwards; of length 1.
    pub normal: [f64; 3],
    /// Of the fluid that comes out; its part along the normal is positive \[m/s\].
    pub velocity: [f64; 3],
    /// From when on fluid comes out \[s\].
    pub start: f64,
    /// Until when; may be infinite \[s\].
    pub end: f64,
    /// Layers in the nozzle.
    pub depth: u32,
    /// Where particles of a nozzle stand in solids, when their layers stand half a spacing behind
    /// the opening, one and a half, … \[m\].
    pub tunnel: Vec<Vec3>,
    /// Places like these around the nozzle, as far as the support radius, that lie in solids \[m\].
    pub rim: Vec<Vec3>,
}

impl Emitter {
    /// The speed across the opening \[m/s\].
    pub fn speed_across(&self) -> f64 {
        dot(&self.velocity, &self.normal)
    }

    /// s: how far a place is in front of the opening; behind it negative \[m\].
    pub fn out(&self, x: &Vec3) -> f64 {
        dot(&to_f64(&(x - self.places[0])), &self.normal)
    }

    /// Where a particle stands that has `place` in the opening when its layer stands at `s` \[m\].
    pub fn at(&self, place: &Vec3, s: f64) -> Vec3 {
        place + vec3(self.velocity.map(|v| v * (s / self.speed_across())))
    }

    /// How far its fluid goes in `dt` \[s\] after `time` \[s\], if it does not wait \[m\].
    pub fn travel(&self, time: f64, dt: f64) -> f64 {
        (time + dt - time.max(self.start)).max(0.0) * self.speed_across()
    }

    /// How many layers, `d` \[m\] apart, have come into the nozzle by `time` \[s\] when its fluid
    /// has gone `way` \[m\]: as many as leave it before the end.
    pub fn layers_due(&self, time: f64, travel: f64, d: f64) -> u64 {
        if time < self.start {
            return 0;
        }
        // Casts of floats saturate: none is negative, and infinitely many are very many.
        let whole = |length: f64| (length / d + ROUNDING).floor() as u64;
        let before_end = whole(travel + (self.end - time) * self.speed_across());
        before_end.min(whole(travel).saturating_add(u64::from(self.depth)))
    }

    /// Particles that come into the nozzle by `time` \[s\] if it never waits.
    pub fn particles_due(&self, time: f64, d: f64) -> f64 {
        let layers = self.layers_due(time, self.travel(0.0, time.max(0.0)), d);
        layers as f64 * self.places.len() as f64
    }

    /// Whether a place is in its nozzle or less than a spacing beside it.
    pub(super) fn is_around(&self, x: &Vec3, d: f64) -> bool {
        let s = self.out(x);
        let is_as_deep = s < 0.5 * d && s > -(f64::from(self.depth) + 1.0) * d;
        let back = x - self.at(&Vec3::zeros(), s);
        let is_within_spacing = |place: &Vec3| f64::from((place - back).norm()) < d;
        is_as_deep && self.places.iter().any(is_within_spacing)
    }
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// What takes out the free particles whose centre is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sink {
    /// A box along the axes.
    Box {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
    },
    /// A ball.
    Ball {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Radius \[m\].
        radius: f64,
    },
}

impl Sink {
    /// Whether a place is inside, or on the surface.
    pub fn takes(&self, x: &Vec3) -> bool {
        let x = to_f64(x);
        match self {
            Sink::Box { min, max } => (0..3).all(|a| (min[a]..=max[a]).contains(&x[a])),
            Sink::Ball { centre, radius } => {
                let displacement = [0, 1, 2].map(|a| x[a] - centre[a]);
                dot(&displacement, &displacement) <= radius * radius
            }
        }
    }
}

/// How often and how long an emitter has stood still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// How often it began.
    pub times: u64,
    /// How long in all \[s\].
    pub time: f64,
    /// When first \[s\].
    pub first: Option<f64>,
    /// Whether it stood in the last step.
    pub is_on: bool,
}

impl Wait {
    /// Notes a step of `dt` \[s\] from `time` \[s\] on.
    pub fn note(&mut self, waits: bool, time: f64, dt: f64) {
        if waits {
            self.times += u64::from(!self.is_on);
            self.time += dt;
            self.first.get_or_insert(time);
        }
        self.is_on = waits;
    }
}

/// How far an emitter is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EmitterState {
    /// S: the way that its fluid has gone \[m\].
    pub travelled: f64,
    /// Layers that have come into the nozzle.
    pub layers: u64,
    /// Particles that did not come with them, as others were in their place.
    pub left_out: u64,
    /// For room in the world.
    pub for_room: Wait,
    /// For fluid that is pressed against it.
    pub for_pressed: Wait,
    /// Until when it lets pressed fluid come to rest \[s\].
    pub rests_until: f64,
}

/// What has come in and gone out since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Each emitter's.
    pub emitters: Vec<EmitterState>,
    /// Particles that came in, by fluid.
    pub emitted: Vec<u64>,
    /// Particles that went out, by fluid.
    pub removed: Vec<u64>,
    /// Kinetic and potential energy that came in, less what went out \[J\].
    pub energy: f64,
    /// What bodies that move have done to the fluid \[J\].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub work: f64,
    /// The work of what is neither fluid nor a free body.
    #[serde(default, skip_serializing_if = "OutsideWork::is_none")]
    pub outside: OutsideWork,
}

impl Budget {
    /// Takes what another account says, in the memory that this one has.
    pub fn copy_from(&mut self, other: &Budget) {
        self.emitters.clone_from(&other.emitters);
        self.emitted.clone_from(&other.emitted);
        self.removed.clone_from(&other.removed);
        (self.energy, self.work, self.outside) = (other.energy, other.work, other.outside);
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_zero(work: &f64) -> bool {
    *work == 0.0
}

/// Emitters, sinks, and their account.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenBoundaries {
    /// What fluid comes out of.
    pub emitters: Vec<Emitter>,
    /// What takes it away.
    pub sinks: Vec<Sink>,
    /// The most particles that the world may hold for emitters to continue.
    pub most_particles: Option<usize>,
    /// What they have done.
    pub budget: Budget,
}

impl OpenBoundaries {
    /// Of a world with this number of fluids; nothing has come or gone.
    pub fn new(
        emitters: Vec<Emitter>,
        sinks: Vec<Sink>,
        most_particles: Option<usize>,
        fluids: usize,
    ) -> Self {
        let budget = Budget {
            emitters: vec![EmitterState::default(); emitters.len()],
            emitted: vec![0; fluids],
            removed: vec![0; fluids],
            energy: 0.0,
            work: 0.0,
            outside: OutsideWork::default(),
        };
        OpenBoundaries { emitters, sinks, most_particles, budget }
    }

    /// Whether particles may come or go.
    pub fn is_open(&self) -> bool {
        !self.emitters.is_empty() || !self.sinks.is_empty()
    }

    /// The fastest that an emitter gives fluid in `dt` \[s\] after `time` \[s\] \[m/s\], with the
    /// squares of speeds weighed by fluid.
    pub fn fastest(&self, time: f64, dt: f64, weight: impl Fn(u8) -> f64) -> f64 {
        let is_on = |emitter: &&Emitter| emitter.start <= time + dt && time <= emitter.end;
        let squared = |it: &Emitter| weight(it.phase) * dot(&it.velocity, &it.velocity);
        self.emitters.iter().filter(is_on).map(squared).fold(0.0, f64::max).sqrt()
    }

    /// The most particles that there may be at `time` \[s\], of `start` at the start.
    pub fn most_at(&self, time: f64, start: usize, d: f64) -> f64 {
        let emitted: f64 = self.emitters.iter().map(|it| it.particles_due(time, d)).sum();
        let most = self.most_particles.map_or(f64::INFINITY, |most| most.max(start) as f64);
        most.min(start as f64 + emitted)
    }
}

impl Budget {
    /// Particles that came in.
    pub fn all_emitted(&self) -> u64 {
        self.emitted.iter().sum()
    }

    /// Particles that went out.
    pub fn all_removed(&self) -> u64 {
        self.removed.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emitter() -> Emitter {
        Emitter {
            phase: 0,
            places: vec![Vec3::new(0.5, 0.5, 0.0), Vec3::new(0.6, 0.5, 0.0)],
            normal: [0.0, 0.0, 1.0],
            velocity: [1.0, 0.0, 2.0],
            start: 0.5,
            end: 1.5,
            depth: 2,
            tunnel: vec![],
            rim: vec![],
        }
    }

    #[test]
    fn layers_come_a_spacing_apart_and_all_leave_before_the_end() {
        let emitter = emitter();
        let due = |time| emitter.layers_due(time, emitter.travel(0.0, time), 0.1);
        assert_eq!([0.0, 0.499, 0.5, 0.549, 0.55, 1.0].map(due), [0, 0, 2, 2, 3, 12]);
        // 2 m/s for a second.
        assert_eq!([1.4, 1.5, 9.0].map(due), [20, 20, 20]);
        let endless = Emitter { end: f64::INFINITY, ..emitter };
        assert_eq!(endless.layers_due(2.5, endless.travel(0.0, 2.5), 0.1), 42);
        assert_eq!(endless.particles_due(2.5, 0.1), 84.0);
    }

    #[test]
    fn after_a_wait_fewer_layers_are_left() {
        assert_eq!(emitter().layers_due(1.0, 0.4, 0.1), 6);
        assert_eq!(emitter().layers_due(1.4, 0.4, 0.1), 6);
        assert_eq!(emitter().layers_due(1.5, 0.4, 0.1), 4);
    }

    #[test]
    fn places_go_along_the_velocity_and_the_opening_is_measured_across() {
        let emitter = emitter();
        let x = emitter.at(&emitter.places[1], 0.5);
        assert!((x - Vec3::new(0.85, 0.5, 0.5)).norm() < 1e-6, "{x}");
        assert!((emitter.out(&x) - 0.5).abs() < 1e-6);
        assert!(emitter.is_around(&emitter.at(&emitter.places[0], -0.15), 0.1));
        assert!(!emitter.is_around(&emitter.at(&emitter.places[0], 0.1), 0.1));
        assert!(!emitter.is_around(&Vec3::new(0.5, 0.8, -0.05), 0.1));
    }

    #[test]
    fn sinks_take_what_is_inside() {
        let ball = Sink::Ball { centre: [1.0, 0.0, 0.0], radius: 0.5 };
        assert!(ball.takes(&Vec3::new(1.5, 0.0, 0.0)) && !ball.takes(&Vec3::new(1.4, 0.4, 0.0)));
        let flat = Sink::Box { min: [0.0; 3], max: [1.0, 0.0, 1.0] };
        assert!(flat.takes(&Vec3::new(1.0, 0.0, 0.5)) && !flat.takes(&Vec3::new(0.5, 0.1, 0.5)));
    }
}
