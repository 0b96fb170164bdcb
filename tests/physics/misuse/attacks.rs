//! Each public field gets wrong values, before a simulation is made and between its steps.

use super::worlds::{self, NUMBERS};
use hashfall::core::Real;
use hashfall::elastic::{ImplicitSettings, SpatialHashSettings, SymplecticSettings};
use hashfall::geometry::TriangleMesh;
use hashfall::prelude::*;
use hashfall::solid::{ContactAngle, ContactLaw};
use hashfall::world::{
    Ballistic, BodyForce, ContactMode, Density, ElasticSolver, FreeBody, Interface, OpenBoundaries,
    Sink,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is done to a world, with its name.
struct Attack {
    name: String,
    spoil: Box<dyn Fn(&mut World)>,
}

fn attack(name: impl Into<String>, spoil: impl Fn(&mut World) + 'static) -> Attack {
    Attack { name: name.into(), spoil: Box::new(spoil) }
}

/// Sets a field to each odd number.
fn with_numbers(
    attacks: &mut Vec<Attack>,
    name: &'static str,
    set: impl Fn(&mut World, Real) + Copy + 'static,
) {
    for number in NUMBERS {
        attacks.push(attack(format!("{name} = {number:e}"), move |world| set(world, number)));
    }
}

/// Takes the steps that follow; what comes is an error or not.
fn steps(simulation: &mut Simulation) -> Result<(), SimulationError> {
    (0..3).try_for_each(|_| simulation.step(simulation.world().time + 0.01).map(drop))
}

/// The attacks on every world that end in a panic.
fn panics(attacks: &[Attack]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, world) in worlds::all() {
        let mut begun = Simulation::new(world.clone()).unwrap();
        begun.step(0.01).unwrap();
        let begun = begun.world().clone();
        for attack in attacks {
            let at_the_start = || {
                let mut world = world.clone();
                (attack.spoil)(&mut world);
                Simulation::new(world).and_then(|mut simulation| steps(&mut simulation))
            };
            let on_the_way = || {
                let mut simulation = Simulation::new(begun.clone())?;
                simulation.step(begun.time + 0.01)?;
                (attack.spoil)(simulation.world_mut());
                steps(&mut simulation)
            };
            for (when, run) in [
                ("at the start", &at_the_start as &dyn Fn() -> Result<(), SimulationError>),
                ("on the way", &on_the_way),
            ] {
                if catch_unwind(AssertUnwindSafe(run)).is_err() {
                    found.push(format!("{name}, {when}: {}", attack.name));
                }
            }
        }
    }
    found
}

/// A field that is added must be attacked, too.
#[allow(dead_code, reason = "it is compiled")]
fn every_field(world: World) {
    let World {
        dimension: _,
        kernel: _,
        particles: _,
        fluids: _,
        interfaces: _,
        solids: _,
        free_bodies: _,
        rigid: _,
        elastic: _,
        periodic: _,
        gravity: _,
        forces: _,
        frame: _,
        particle_radius: _,
        support_radius: _,
        solver: _,
        viscosity: _,
        open_boundaries: _,
        time: _,
        steps: _,
    } = world;
}

#[test]
fn particles_of_any_lengths_and_numbers_do_no_harm() {
    let mut attacks = vec![
        attack("no particle", |it| it.particles = Particles::default()),
        attack("one position more", |it| it.particles.position.push(Vec3::zeros())),
        attack("one position less", |it| it.particles.position.truncate(1)),
        attack("no position", |it| it.particles.position.clear()),
        attack("no velocity", |it| it.particles.velocity.clear()),
        attack("no acceleration", |it| it.particles.acceleration.clear()),
        attack("one acceleration", |it| it.particles.acceleration.truncate(1)),
        attack("no density", |it| it.particles.density.clear()),
        attack("no fraction", |it| it.particles.fluid_fraction.clear()),
        attack("more pressures", |it| it.particles.pressure.push(0.0)),
        attack("no id", |it| it.particles.id.clear()),
        attack("more ids", |it| it.particles.id.push(1000)),
        attack("no phase", |it| it.particles.phase.clear()),
        attack("no birth", |it| it.particles.birth.clear()),
        attack("no nozzle", |it| it.particles.in_nozzle.clear()),
        attack("an id twice", |it| it.particles.id[1] = it.particles.id[0]),
        attack("the highest id", |it| it.particles.id[1] = u32::MAX),
        attack("ids that were given", |it| it.particles.next_id = 0),
        attack("the last id is given", |it| it.particles.next_id = u32::MAX),
        attack("a fluid that is not there", |it| it.particles.phase[3] = 255),
        attack("an emitter that is not there", |it| it.particles.in_nozzle[3] = 255),
        attack("in a nozzle", |it| it.particles.in_nozzle[0] = 1),
        attack("all at one place", |it| {
            let place = it.particles.position[0];
            it.particles.position.fill(place);
        }),
        attack("one far away", |it| it.particles.position[0].z = 1e6),
        attack("one in another order", |it| it.particles.position.swap(0, 5)),
        attack("other ids", |it| it.particles.id.reverse()),
        attack("one more", |it| it.particles.push(Vec3::new(0.2, 0.0, 0.4), Vec3::zeros(), 0, 1e3)),
        attack("half of them", |it| it.particles.remove(|i| i % 2 == 0)),
    ];
    let odd = &mut attacks;
    with_numbers(odd, "position", |it, x| it.particles.position[2].x = x);
    with_numbers(odd, "position.y", |it, x| it.particles.position[2].y = x);
    with_numbers(odd, "velocity", |it, x| it.particles.velocity[2].z = x);
    with_numbers(odd, "acceleration", |it, x| it.particles.acceleration[2].x = x);
    with_numbers(odd, "density", |it, x| it.particles.density[2] = x);
    with_numbers(odd, "fluid_fraction", |it, x| it.particles.fluid_fraction[2] = x);
    with_numbers(odd, "pressure", |it, x| it.particles.pressure[2] = x);
    with_numbers(odd, "birth", |it, x| it.particles.birth[2] = x);
    assert_eq!(panics(&attacks), Vec::<String>::new());
}

#[test]
fn settings_of_any_numbers_do_no_harm() {
    let mut attacks = vec![
        attack("plane", |it| it.dimension = Dimension::Two),
        attack("space", |it| it.dimension = Dimension::Three),
        attack("periodic", |it| it.periodic = [true; 3]),
        attack("periodic and open", |it| {
            it.periodic = [true; 3];
            it.solids.open = [true; 3];
        }),
        attack("no walls", |it| it.solids.open = [true; 3]),
        attack("walls everywhere", |it| it.solids.open = [false; 3]),
        attack("no fluid", |it| it.fluids.clear()),
        attack("one fluid", |it| it.fluids.truncate(1)),
        attack("many fluids", |it| it.fluids = vec![Fluid::default(); 300]),
        attack("implicit", |it| it.viscosity = ViscositySolver::Implicit),
        attack("an endless clock", |it| it.time = f64::MAX),
        attack("the last step", |it| it.steps = u64::MAX),
        attack("a wide kernel", |it| it.support_radius *= 1.5),
        attack("another order of fluids", |it| it.fluids.reverse()),
        attack("an interface with itself", |it| {
            it.interfaces = vec![Interface { fluids: [0, 0], tension: 1.0 }];
        }),
        attack("an interface with nothing", |it| {
            it.interfaces = vec![Interface { fluids: [0, 200], tension: 1.0 }];
        }),
        attack("an empty table", |it| it.forces = vec![BodyForce::Table(vec![])]),
        attack("a table back in time", |it| {
            it.forces = vec![BodyForce::Table(vec![(1.0, [0.0; 3]), (0.0, [0.0; 3])])];
        }),
    ];
    for kernel in [KernelKind::CubicSpline, KernelKind::WendlandC2, KernelKind::Mueller] {
        attacks.push(attack(format!("{kernel:?}"), move |it| it.kernel = kernel));
    }
    let odd = &mut attacks;
    with_numbers(odd, "particle_radius", |it, x| it.particle_radius = x);
    with_numbers(odd, "support_radius", |it, x| it.support_radius = x);
    with_numbers(odd, "both radii", |it, x| {
        (it.particle_radius, it.support_radius) = (x, 4.0 * x);
    });
    with_numbers(odd, "time", |it, x| it.time = f64::from(x));
    with_numbers(odd, "gravity", |it, x| it.gravity.z = x);
    with_numbers(odd, "gravity.y", |it, x| it.gravity.y = x);
    with_numbers(odd, "rest_density", |it, x| it.fluids[0].rest_density = x);
    with_numbers(odd, "viscosity", |it, x| it.fluids[0].viscosity = x);
    with_numbers(odd, "surface_tension", |it, x| it.fluids[0].surface_tension = x);
    with_numbers(odd, "stiffness", |it, x| it.fluids[0].stiffness = x);
    with_numbers(odd, "tension", |it, tension| {
        it.interfaces = vec![Interface { fluids: [0, 1], tension }];
    });
    with_numbers(odd, "central force", |it, x| {
        let stiffness = f64::from(x);
        it.forces = vec![BodyForce::Central { centre: [stiffness; 3], stiffness }];
    });
    with_numbers(odd, "table", |it, x| {
        it.forces = vec![BodyForce::Table(vec![(f64::from(x), [f64::from(x), 0.0, 0.0])])];
    });
    with_numbers(odd, "frame", |it, x| {
        it.frame = Some(KinematicLaw::spin([0.0; 3], [0.0, 1.0, 0.0], f64::from(x)));
    });
    assert_eq!(panics(&attacks), Vec::<String>::new());
}

#[test]
fn solvers_of_any_numbers_do_no_harm() {
    let mut attacks = Vec::new();
    let odd = &mut attacks;
    for individual_steps in [f64::NAN, -1.0, 0.5, 1.0, 17.0, 1e30] {
        let wcsph = Wcsph { individual_steps, ..worlds::wcsph() };
        odd.push(attack("halvings", move |it| it.solver = Solver::Wcsph(wcsph)));
        let wcsph = Wcsph { density: Some(Density::Summation), ..wcsph };
        odd.push(attack("halvings of sums", move |it| it.solver = Solver::Wcsph(wcsph)));
    }
    for exponent in [f64::NAN, 0.0, 0.5, 1.0, 100.0, 1e30] {
        let wcsph = Wcsph { exponent, ..worlds::wcsph() };
        odd.push(attack("exponent", move |it| it.solver = Solver::Wcsph(wcsph)));
    }
    for max_iterations in [f64::NAN, -1.0, 0.0, 0.5, 1.0] {
        let dfsph = Dfsph { max_iterations, ..Dfsph::default() };
        odd.push(attack("iterations", move |it| it.solver = Solver::Dfsph(dfsph)));
    }
    let dfsph: [fn(&mut Dfsph, f64); 4] = [
        |it, x| it.max_density_error = x,
        |it, x| it.max_divergence_error = x,
        |it, x| it.artificial_viscosity = x,
        |it, x| it.courant = x,
    ];
    for set in dfsph {
        with_numbers(odd, "Dfsph", move |it, x| {
            let mut dfsph = Dfsph::default();
            set(&mut dfsph, f64::from(x));
            it.solver = Solver::Dfsph(dfsph);
        });
    }
    let wcsph: [fn(&mut Wcsph, f64); 7] = [
        |it, x| it.sound_speed = Some(x),
        |it, x| it.artificial_viscosity = Some(x),
        |it, x| it.courant = Some(x),
        |it, diffusion| it.density = Some(Density::Continuity { diffusion }),
        |it, x| it.shifting = x,
        |it, x| it.background_pressure = x,
        |it, x| it.interface_sharpening = x,
    ];
    for set in wcsph {
        with_numbers(odd, "Wcsph", move |it, x| {
            let mut wcsph = worlds::wcsph();
            set(&mut wcsph, f64::from(x));
            it.solver = Solver::Wcsph(wcsph);
        });
    }
    let multiphase: [fn(&mut Multiphase, f64); 4] = [
        |it, x| it.stiffness = x,
        |it, x| it.wet_friction = x,
        |it, x| it.courant = x,
        |it, x| it.time_step = Some(x),
    ];
    for set in multiphase {
        with_numbers(odd, "Multiphase", move |it, x| {
            let mut multiphase = Multiphase::default();
            set(&mut multiphase, f64::from(x));
            it.solver = Solver::Multiphase(multiphase);
            it.kernel = KernelKind::Mueller;
        });
    }
    with_numbers(odd, "Ballistic", |it, x| {
        it.solver = Solver::Ballistic(Ballistic { courant: f64::from(x) });
    });
    assert_eq!(panics(&attacks), Vec::<String>::new());
}

#[test]
fn solids_of_any_shape_do_no_harm() {
    let ball = |centre: Vec3, radius: Real| Sphere { centre, radius };
    let solids = move |it: &World, balls: Vec<Sphere>| {
        Solids::new(it.solids.domain, balls, vec![]).with_open_axes(it.solids.open)
    };
    let mut attacks = vec![
        attack("no solid", move |it| it.solids = solids(it, vec![])),
        attack("a ball more", move |it| {
            let mut balls = it.solids.spheres().to_vec();
            balls.push(ball(Vec3::new(0.2, 0.0, 0.05), 0.04));
            it.solids = solids(it, balls);
        }),
        attack("a ball around all", move |it| {
            it.solids = solids(it, vec![ball(Vec3::zeros(), 10.0)]);
        }),
        attack("a mesh that is none", |it| {
            let mesh =
                TriangleMesh { vertices: vec![Vec3::repeat(Real::NAN); 3], triangles: vec![] };
            let open = it.solids.open;
            it.solids = Solids::new(it.solids.domain, vec![], vec![mesh]).with_open_axes(open);
        }),
        attack("an empty domain", |it| it.solids.domain = Aabb::EMPTY),
        attack("a law of motion", |it| {
            let law = KinematicLaw::driven([0.0; 3]);
            if it.solids.body_count() > 1 {
                it.solids = it.solids.clone().with_kinematic_laws(vec![Some(law)]);
            }
        }),
        attack("a leap of the ball", |it| {
            let state = BodyState::at_rest(Point::new(0.2, 0.2, 0.2));
            let _ = it.solids.set_body_state(1, state);
        }),
        attack("a fast ball", |it| {
            let _ = it.solids.set_body_velocity(1, Point::repeat(1e30), Point::zeros());
        }),
        attack("free bodies", |it| it.free_bodies.clear()),
        attack("the walls are free", |it| {
            it.free_bodies = vec![FreeBody::new(0, 1.0, nalgebra::Matrix3::identity())];
        }),
        attack("a body that is not there", |it| {
            it.free_bodies = vec![FreeBody::new(99, 1.0, nalgebra::Matrix3::identity())];
        }),
        attack("a body twice", |it| {
            let twice = [it.free_bodies.clone(), it.free_bodies.clone()].concat();
            it.free_bodies = twice;
        }),
        attack("no contact", |it| it.rigid = None),
    ];
    let odd = &mut attacks;
    with_numbers(odd, "domain.max", |it, x| it.solids.domain.max.z = x);
    with_numbers(odd, "domain.min", |it, x| it.solids.domain.min.x = x);
    with_numbers(odd, "ball", move |it, x| {
        it.solids = solids(it, vec![ball(Vec3::repeat(0.3), x)]);
    });
    with_numbers(odd, "centre", move |it, x| {
        it.solids = solids(it, vec![ball(Vec3::repeat(x), 0.1)]);
    });
    with_numbers(odd, "mass", |it, x| {
        it.free_bodies.iter_mut().for_each(|body| body.mass = f64::from(x));
    });
    with_numbers(odd, "inertia", |it, x| {
        it.free_bodies.iter_mut().for_each(|body| body.inertia *= f64::from(x));
    });
    with_numbers(odd, "release", |it, x| {
        it.free_bodies.iter_mut().for_each(|body| body.release = f64::from(x));
    });
    let laws: [fn(&mut ContactLaw, f64); 6] = [
        |it, x| it.friction = x,
        |it, x| it.restitution = x,
        |it, x| it.velocity[0] = x,
        |it, x| it.contact_angle = ContactAngle::new(x),
        |it, x| it.contact_angle.advancing = x,
        |it, x| it.contact_angle.receding = x,
    ];
    for set in laws {
        with_numbers(odd, "walls", move |it, x| {
            let mut law = ContactLaw::default();
            set(&mut law, f64::from(x));
            it.solids = it.solids.clone().with_walls([law; 6]);
        });
    }
    assert_eq!(panics(&attacks), Vec::<String>::new());
}

#[test]
fn openings_and_elastic_bodies_of_any_numbers_do_no_harm() {
    let mut attacks = vec![
        attack("no emitter", |it| it.open_boundaries.emitters.clear()),
        attack("no account", |it| it.open_boundaries.budget = Default::default()),
        attack("no opening", |it| it.open_boundaries = OpenBoundaries::default()),
        attack("an emitter twice", |it| {
            let twice = [it.open_boundaries.emitters.clone(), it.open_boundaries.emitters.clone()];
            it.open_boundaries.emitters = twice.concat();
        }),
        attack("no place", |it| {
            it.open_boundaries.emitters.iter_mut().for_each(|it| it.places.clear());
        }),
        attack("a fluid that is not there", |it| {
            it.open_boundaries.emitters.iter_mut().for_each(|it| it.phase = 9);
        }),
        attack("an endless nozzle", |it| {
            it.open_boundaries.emitters.iter_mut().for_each(|it| it.depth = u32::MAX);
        }),
        attack("no nozzle", |it| {
            it.open_boundaries.emitters.iter_mut().for_each(|it| it.depth = 0);
        }),
        attack("no room", |it| it.open_boundaries.most_particles = Some(0)),
        attack("more layers than came", |it| {
            it.open_boundaries.budget.emitters.iter_mut().for_each(|it| it.layers = u64::MAX);
        }),
        attack("a node less", |it| {
            it.elastic.iter_mut().for_each(|it| it.state.position.truncate(1));
        }),
        attack("no node", |it| it.elastic.iter_mut().for_each(|it| it.state = Default::default())),
        attack("no elastic body", |it| it.elastic = None),
        attack("no contact", |it| it.elastic.iter_mut().for_each(|it| it.contact = None)),
    ];
    let odd = &mut attacks;
    with_numbers(odd, "sink", |it, x| {
        it.open_boundaries.sinks = vec![Sink::Ball { centre: [f64::from(x); 3], radius: x.into() }];
    });
    with_numbers(odd, "sink.min", |it, x| {
        it.open_boundaries.sinks = vec![Sink::Box { min: [x.into(); 3], max: [0.4; 3] }];
    });
    let emitters: [fn(&mut hashfall::world::Emitter, f64); 5] = [
        |it, x| it.velocity[2] = x,
        |it, x| it.normal[2] = x,
        |it, x| it.start = x,
        |it, x| it.end = x,
        |it, x| it.places[0].x = x as Real,
    ];
    for set in emitters {
        with_numbers(odd, "emitter", move |it, x| {
            it.open_boundaries.emitters.iter_mut().for_each(|it| set(it, x.into()));
        });
    }
    with_numbers(odd, "travelled", |it, x| {
        it.open_boundaries.budget.emitters.iter_mut().for_each(|it| it.travelled = x.into());
    });
    with_numbers(odd, "rests_until", |it, x| {
        it.open_boundaries.budget.emitters.iter_mut().for_each(|it| it.rests_until = x.into());
    });
    with_numbers(odd, "node", |it, x| {
        it.elastic.iter_mut().for_each(|it| it.state.position[1].x = x.into());
    });
    with_numbers(odd, "speed of a node", |it, x| {
        it.elastic.iter_mut().for_each(|it| it.state.velocity[1].x = x.into());
    });
    with_numbers(odd, "substeps", |it, x| {
        let settings = SymplecticSettings { substep_ratio: x.into(), ..Default::default() };
        it.elastic.iter_mut().for_each(|it| it.solver = ElasticSolver::Symplectic(settings));
    });
    with_numbers(odd, "Newton", |it, x| {
        let settings = ImplicitSettings { tolerance: x.into(), ..Default::default() };
        it.elastic.iter_mut().for_each(|it| it.solver = ElasticSolver::Implicit(settings));
    });
    with_numbers(odd, "hash", |it, x| {
        let settings = SpatialHashSettings { cell_ratio: x.into(), ..Default::default() };
        it.elastic.iter_mut().for_each(|it| it.contact = Some(ContactMode::SpatialHash(settings)));
    });
    assert_eq!(panics(&attacks), Vec::<String>::new());
}
