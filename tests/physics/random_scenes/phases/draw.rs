//! Draws scenes of several fluids.

use super::super::draw::{Draw, vector};

/// Which scenes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// All that several fluids have, and perhaps a ball that swings.
    Balls,
    /// The same in space, with a cube that tumbles.
    Cubes,
    /// What goes with individual steps: densities that are sums, explicit viscosity, no tension,
    /// no opening, and no solid that moves.
    IndividualSteps,
}

impl Draw {
    /// The next scene of several fluids.
    pub fn phases(&mut self, kind: Kind) -> String {
        let is_common = kind != Kind::IndividualSteps;
        self.flat = self.happens(0.5) && kind != Kind::Cubes;
        self.d = 2.0 * self.order(0.008, 0.03);
        let (shortest, longest) = if self.flat { (16, 40) } else { (10, 16) };
        self.size = [0; 3].map(|_| self.whole(shortest, longest));
        self.periodic = [self.happens(0.15), !self.flat && self.happens(0.15), false];
        if self.flat {
            self.size[1] = 0;
        }
        let incompressible = is_common && self.happens(0.6);
        let pulls = is_common && self.happens(0.5);
        let count = self.whole(2, 3) as usize;
        let densities = self.densities(count, if incompressible { 1e3 } else { 30.0 });
        // A viscosity that is a force bounds the steps.
        let (viscosity_solver, thickest) =
            if is_common { ("Auto", 10.0) } else { ("Explicit", 0.1) };
        let fluids = self.layers(&densities, thickest, pulls);
        let interfaces = match is_common && self.happens(0.5) {
            true => self.interfaces(&densities),
            false => String::new(),
        };
        let contact = match pulls && self.happens(0.5) {
            true => format!("contact: (contact_angle: {:?}),", self.number(30.0, 150.0)),
            false => String::new(),
        };
        let emitters = if is_common { self.emitter(count) } else { String::new() };
        let budget = if emitters.is_empty() { "" } else { "max_particles: 1500," };
        let sinks = self.sink();
        let solids = match kind {
            Kind::Balls if self.happens(0.4) => self.swinging_ball(),
            Kind::Cubes => self.tumbling_cube(),
            _ => String::new(),
        };
        let solver = match kind {
            Kind::IndividualSteps => self.wcsph_by_levels(),
            _ if incompressible => self.dfsph(),
            _ => self.wcsph(),
        };
        let kernel = self.choice(&["CubicSpline", "WendlandC2"]);
        let (max, [x, y, z]) = (vector(self.metres(self.size)), self.periodic);
        let (dimensions, radius) = (if self.flat { "Two" } else { "Three" }, 0.5 * self.d);
        format!(
            "Scene(frames: (count: 1, rate: 0.5), dimensions: {dimensions},
    domain: Box(min: (0, 0, 0), max: {max}, periodic: ({x}, {y}, {z}), {contact}),
    particle_radius: {radius:?}, kernel: {kernel}, viscosity_solver: {viscosity_solver},
    fluids: [{fluids}],\n    interfaces: [{interfaces}],\n    solids: [{solids}],
    emitters: [{emitters}],\n    sinks: [{sinks}], {budget}
    solver: {solver},\n)\n"
        )
    }

    /// Rest densities, the first the largest \[kg/m³\].
    fn densities(&mut self, count: usize, most_apart: f64) -> Vec<f64> {
        let first = self.order(500.0, 3000.0);
        let mut all = vec![first];
        while all.len() < count {
            all.push(first / self.order(1.0, most_apart));
        }
        all
    }

    /// A bed of the first fluid, and blocks and balls of the others over it or in it.
    fn layers(&mut self, densities: &[f64], thickest: f64, pulls: bool) -> String {
        let size = self.size;
        let level = self.whole(size[2] / 4, size[2] / 2);
        let mut fluids = String::new();
        for (name, density) in densities.iter().enumerate() {
            let viscosity = self.order(1e-6, thickest);
            let tension = if pulls { self.tension(*density) } else { 0.0 };
            let shape = match name {
                0 => {
                    let end = vector(self.metres([size[0], size[1], level]));
                    format!("Box(min: (0, 0, 0), max: {end})")
                }
                _ if self.happens(0.3) => {
                    let centre = vector(self.metres([size[0] / 2, size[1] / 2, level]));
                    let radius = self.number(2.5, 5.0) * self.d;
                    format!("Ball(centre: {centre}, radius: {radius:?}, replaces: true)")
                }
                _ => self.block(level),
            };
            fluids += &format!(
                "(name: \"{name}\", rest_density: {density:?}, viscosity: {viscosity:?},
        surface_tension: {tension:?}, shapes: [{shape}]), "
            );
        }
        fluids
    }

    /// A block over the bed that moves.
    fn block(&mut self, level: u32) -> String {
        let size = self.size;
        let corner = [0, 1].map(|axis| self.whole(0, size[axis].saturating_sub(4)));
        let low = self.whole(level, size[2] - 3);
        let mut end = [0; 3];
        for axis in 0..2 {
            let longest = size[axis] - corner[axis];
            end[axis] = corner[axis] + self.whole(3.min(longest), longest);
        }
        end[2] = self.whole(low + 2, size[2]);
        let min = vector(self.metres([corner[0], corner[1], low]));
        let (max, velocity) = (vector(self.metres(end)), vector(self.vector(1.0)));
        format!("Box(min: {min}, max: {max}, velocity: {velocity})")
    }

    /// A tension whose waves of a few spacings go at up to about a metre a second \[N/m\].
    fn tension(&mut self, density: f64) -> f64 {
        density * self.d * self.order(1e-3, 0.5)
    }

    fn interfaces(&mut self, densities: &[f64]) -> String {
        let mut interfaces = String::new();
        for (b, &density) in densities.iter().enumerate().skip(1) {
            for a in 0..b {
                if self.happens(0.7) {
                    let tension = self.tension(density);
                    interfaces += &format!("(between: (\"{a}\", \"{b}\"), tension: {tension:?}), ");
                }
            }
        }
        interfaces
    }

    /// Perhaps an opening in the ceiling.
    fn emitter(&mut self, fluids: usize) -> String {
        if !self.happens(0.4) {
            return String::new();
        }
        let [x, y, z] = self.metres(self.size);
        let (radius, speed) = (self.number(1.5, 3.0) * self.d, self.number(0.3, 2.0));
        let (fluid, end) = (self.whole(0, fluids as u32 - 1), self.number(0.2, 1.5));
        let centre = vector([0.5 * x, 0.5 * y, z]);
        format!(
            "(fluid: \"{fluid}\", from: Disc(centre: {centre}, normal: (0, 0, -1), \
             radius: {radius:?}), speed: {speed:?}, end: {end:?})"
        )
    }

    /// Perhaps a sink in a corner of the floor.
    fn sink(&mut self) -> String {
        if !self.happens(0.25) {
            return String::new();
        }
        let edge = 3.0 * self.d;
        let depth = if self.flat { 0.0 } else { edge };
        format!("Box(min: (0, {:?}, 0), max: ({edge:?}, {depth:?}, {edge:?}))", -depth)
    }

    /// A ball that swings in the middle, clear of all walls.
    fn swinging_ball(&mut self) -> String {
        let radius = self.number(1.5, 2.5) * self.d;
        let (centre, translate) = self.swing(radius);
        format!(
            "SphereField(Balls(list: [(centre: {centre}, radius: {radius:?})], \
             motion: Formula(translate: {translate})))"
        )
    }

    /// A cube that does so, and turns.
    fn tumbling_cube(&mut self) -> String {
        let edge = self.number(2.0, 4.0) * self.d;
        let (centre, translate) = self.swing(0.5 * 3.0_f64.sqrt() * edge);
        let (rate, axis) = (self.number(-720.0, 720.0), vector(self.vector(1.0)));
        format!(
            "Mesh(path: \"cube.obj\", scale: {edge:?}, translate: {centre}, motion: \
             Formula(translate: {translate}, degrees: \"{rate:.1}*t\", axis: {axis}, pivot: {centre}))"
        )
    }

    /// The middle, and formulas of how something of that radius swings about it.
    fn swing(&mut self, radius: f64) -> (String, String) {
        let [x, y, z] = self.metres(self.size);
        let room = (0.5 * x.min(z) - radius - 3.0 * self.d).max(0.0);
        let (far, pace) = (self.number(0.3, 1.0) * room, self.number(2.0, 10.0));
        let way = format!("{far:.5}*sin({pace:.3}*t)");
        let translate = match self.happens(0.5) {
            true => format!("(\"{way}\", \"0\", \"0\")"),
            false => format!("(\"0\", \"0\", \"{way}\")"),
        };
        (vector([0.5 * x, 0.5 * y, 0.5 * z]), translate)
    }

    fn wcsph_by_levels(&mut self) -> String {
        format!(
            "Wcsph(exponent: {}, artificial_viscosity: {:?}, courant: {:?}, individual_steps: {:?})",
            self.choice(&["1.0", "7.0"]),
            self.number(0.02, 0.3),
            self.number(0.2, 0.4),
            f64::from(self.whole(1, 6)),
        )
    }
}
