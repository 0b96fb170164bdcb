//! Worlds built by hand.

use super::{
    BodyForce, Fluid, Interface, OpenBoundaries, Particles, Solver, ViscositySolver, World,
    WorldError,
};
use hashfall_core::kernel::KernelKind;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_search::HierarchicalHash;
use hashfall_solid::{KinematicLaw, Solids, Sphere};

/// Support radii in spacings, unless one is given.
const SUPPORT: Real = 2.0;

/// Builds a [`World`]: a domain, fluids that fill blocks, and solids. See [`World::builder`].
#[derive(Clone, Debug)]
pub struct WorldBuilder {
    dimension: Dimension,
    kernel: KernelKind,
    spacing: Real,
    support_radius: Option<Real>,
    domain: Aabb,
    periodic: [bool; 3],
    gravity: Vec3,
    frame: Option<KinematicLaw>,
    forces: Vec<BodyForce>,
    solver: Solver,
    viscosity: ViscositySolver,
    fluids: Vec<Fluid>,
    interfaces: Vec<Interface>,
    blocks: Vec<Block>,
    particles: Vec<(Vec3, Vec3, u8)>,
    spheres: Vec<Sphere>,
    meshes: Vec<TriangleMesh>,
}

/// A block of fluid.
#[derive(Clone, Copy, Debug)]
struct Block {
    min: Vec3,
    max: Vec3,
    velocity: Vec3,
    phase: u8,
}

impl World {
    /// A builder of worlds.
    ///
    /// Lengths are in metres, times in seconds, masses in kilograms; z points up. Defaults are a
    /// unit cube as domain, a spacing of 0.05 m, a support radius of twice the spacing, the cubic
    /// spline, gravity, and [`Dfsph`](super::Dfsph).
    ///
    /// ```
    /// use hashfall_search::Structures;
    /// use hashfall_sph::step::Stepper;
    /// use hashfall_sph::world::{Fluid, World};
    ///
    /// // A dam of water, 0.2 m wide and 0.4 m high, breaks.
    /// let mut world = World::builder()
    ///     .domain([0.0, 0.0, 0.0], [0.8, 0.2, 0.6])
    ///     .spacing(0.05)
    ///     .fluid(Fluid::default())
    ///     .block([0.0, 0.0, 0.0], [0.2, 0.2, 0.4])
    ///     .build()?;
    /// assert_eq!(world.particles.len(), 4 * 4 * 8);
    /// let mut stepper = Stepper::new(&Structures::default(), &mut world)?;
    /// while world.time < 0.1 {
    ///     stepper.step(&mut world, 0.1)?;
    /// }
    /// assert!(world.particles.position.iter().any(|x| x.x > 0.2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> WorldBuilder {
        WorldBuilder {
            dimension: Dimension::Three,
            kernel: KernelKind::default(),
            spacing: 0.05,
            support_radius: None,
            domain: Aabb::new(Vec3::zeros(), Vec3::repeat(1.0)),
            periodic: [false; 3],
            gravity: Vec3::new(0.0, 0.0, -9.81),
            frame: None,
            forces: Vec::new(),
            solver: Solver::default(),
            viscosity: ViscositySolver::default(),
            fluids: Vec::new(),
            interfaces: Vec::new(),
            blocks: Vec::new(),
            particles: Vec::new(),
            spheres: Vec::new(),
            meshes: Vec::new(),
        }
    }
}

impl WorldBuilder {
    /// Space, or the plane y = 0.
    pub fn dimension(mut self, dimension: Dimension) -> Self {
        self.dimension = dimension;
        self
    }

    /// The smoothing kernel; [`Multiphase`](super::Multiphase) takes
    /// [`KernelKind::Mueller`] alone.
    pub fn kernel(mut self, kernel: KernelKind) -> Self {
        self.kernel = kernel;
        self
    }

    /// The spacing d of particles, twice their radius \[m\].
    pub fn spacing(mut self, spacing: Real) -> Self {
        self.spacing = spacing;
        self
    }

    /// The support radius h of the kernel \[m\].
    pub fn support_radius(mut self, support_radius: Real) -> Self {
        self.support_radius = Some(support_radius);
        self
    }

    /// The box that walls enclose \[m\].
    pub fn domain(mut self, min: [Real; 3], max: [Real; 3]) -> Self {
        self.domain = Aabb::new(min.into(), max.into());
        self
    }

    /// Axes along which the domain repeats itself, in place of walls.
    pub fn periodic(mut self, axes: [bool; 3]) -> Self {
        self.periodic = axes;
        self
    }

    /// Gravity \[m/s²\].
    pub fn gravity(mut self, gravity: [Real; 3]) -> Self {
        self.gravity = gravity.into();
        self
    }

    /// The motion of the frame in which all else is given, such as a tank; gravity is fixed
    /// outside.
    pub fn frame(mut self, motion: KinematicLaw) -> Self {
        self.frame = Some(motion);
        self
    }

    /// Adds a body force.
    pub fn force(mut self, force: BodyForce) -> Self {
        self.forces.push(force);
        self
    }

    /// The pressure scheme and its settings.
    pub fn solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// How viscosity is solved for.
    pub fn viscosity(mut self, viscosity: ViscositySolver) -> Self {
        self.viscosity = viscosity;
        self
    }

    /// Adds a fluid, of which the blocks and particles are that are added after it.
    pub fn fluid(mut self, fluid: Fluid) -> Self {
        self.fluids.push(fluid);
        self
    }

    /// Adds tension between two fluids.
    pub fn interface(mut self, interface: Interface) -> Self {
        self.interfaces.push(interface);
        self
    }

    /// Fills a box \[m\] with the last fluid, at rest, on a lattice of the spacing: as many
    /// particles as fit along each axis, half a spacing from the lower sides. Places in a solid, or
    /// closer to one than a particle's radius, stay empty.
    pub fn block(self, min: [Real; 3], max: [Real; 3]) -> Self {
        self.moving_block(min, max, [0.0; 3])
    }

    /// As [`WorldBuilder::block`], with a velocity \[m/s\].
    pub fn moving_block(mut self, min: [Real; 3], max: [Real; 3], velocity: [Real; 3]) -> Self {
        let (min, max, velocity) = (min.into(), max.into(), velocity.into());
        self.blocks.push(Block { min, max, velocity, phase: self.last_phase() });
        self
    }

    /// Adds a particle of the last fluid at a place \[m\], with a velocity \[m/s\].
    pub fn particle(mut self, position: [Real; 3], velocity: [Real; 3]) -> Self {
        self.particles.push((position.into(), velocity.into(), self.last_phase()));
        self
    }

    /// Adds a solid sphere \[m\].
    pub fn sphere(mut self, centre: [Real; 3], radius: Real) -> Self {
        self.spheres.push(Sphere { centre: centre.into(), radius });
        self
    }

    /// Adds a solid that a closed mesh encloses \[m\].
    pub fn mesh(mut self, mesh: TriangleMesh) -> Self {
        self.meshes.push(mesh);
        self
    }

    /// The world, which [can be stepped](World::validate).
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn build(self) -> Result<World, WorldError> {
        // The plane has no walls across.
        let mut open = self.periodic;
        open[1] |= self.dimension == Dimension::Two;
        self.validate_lattice()?;
        let solids = Solids::new(self.domain, self.spheres.clone(), self.meshes.clone())
            .with_open_axes(open);
        let particles = self.fill(&solids);
        let world = World {
            dimension: self.dimension,
            kernel: self.kernel,
            particles,
            open_boundaries: OpenBoundaries::new(vec![], vec![], None, self.fluids.len()),
            fluids: self.fluids,
            interfaces: self.interfaces,
            solids,
            free_bodies: Vec::new(),
            rigid: None,
            elastic: None,
            periodic: self.periodic,
            gravity: self.gravity,
            frame: self.frame,
            forces: self.forces,
            particle_radius: 0.5 * self.spacing,
            support_radius: self.support_radius.unwrap_or(SUPPORT * self.spacing),
            solver: self.solver,
            viscosity: self.viscosity,
            time: 0.0,
            steps: 0,
        };
        world.validate()?;
        Ok(world)
    }

    /// Checks that the blocks have finitely many places.
    fn validate_lattice(&self) -> Result<(), WorldError> {
        let refuse = |name: &str, value: Real, range| {
            Err(WorldError::Value { name: name.to_owned(), value: f64::from(value), range })
        };
        if !(self.spacing.is_finite() && self.spacing > 0.0) {
            return refuse("spacing", self.spacing, "positive and finite");
        }
        let corners = self.blocks.iter().flat_map(|block| block.min.iter().chain(block.max.iter()));
        match corners.copied().find(|x| !x.is_finite()) {
            Some(x) => refuse("block", x, "finite"),
            None => Ok(()),
        }
    }

    /// The fluid of what is added now.
    fn last_phase(&self) -> u8 {
        self.fluids.len().saturating_sub(1) as u8
    }

    /// The particles of all blocks that have room among the solids, and the single ones.
    fn fill(&self, solids: &Solids) -> Particles {
        let mut particles = Particles::default();
        let mut push = |x: Vec3, v: Vec3, phase: u8| {
            let fluid = self.fluids.get(usize::from(phase));
            particles.push(x, v, phase, fluid.map_or(0.0, |fluid| fluid.rest_density));
        };
        let is_hollow = vec![false; solids.meshes().len()];
        for block in &self.blocks {
            let points = self.lattice(block);
            let is_occluded =
                solids.occluded::<HierarchicalHash>(&points, 0.5 * self.spacing, &is_hollow);
            for (x, _) in points.iter().zip(is_occluded).filter(|(_, is_occluded)| !is_occluded) {
                push(*x, block.velocity, block.phase);
            }
        }
        self.particles.iter().for_each(|&(x, v, phase)| push(x, v, phase));
        particles
    }

    /// The points of the lattice that fills a block.
    fn lattice(&self, block: &Block) -> Vec<Vec3> {
        let count = |a: usize| match (self.dimension, a) {
            (Dimension::Two, 1) => 1,
            // Rounding must not cost a layer. Casts of floats saturate.
            _ => ((block.max[a] - block.min[a]) / self.spacing + 0.01).floor() as usize,
        };
        let columns = (0..count(0)).flat_map(|i| (0..count(1)).map(move |j| (i, j)));
        let places = columns.flat_map(|(i, j)| (0..count(2)).map(move |k| [i, j, k]));
        let point = |place: [usize; 3]| {
            let offset = place.map(|n| (n as Real + 0.5) * self.spacing);
            let mut x = block.min + Vec3::from(offset);
            if self.dimension == Dimension::Two {
                x.y = 0.0;
            }
            x
        };
        places.map(point).collect()
    }
}
