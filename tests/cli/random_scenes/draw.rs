//! Draws scenes of all that moves: fluids, free and driven bodies, elastic bodies, emitters.

#[allow(dead_code, reason = "the tests of physics draw more")]
#[path = "../../physics/random_scenes/draw.rs"]
mod numbers;

pub use numbers::Draw;
use numbers::vector;

/// Frames of a scene, and how many there are in a second.
pub const FRAMES: (u32, u32) = (10, 20);

impl Draw {
    /// The next scene.
    pub fn moving_scene(&mut self) -> String {
        self.flat = self.happens(0.4);
        self.d = 2.0 * self.order(0.008, 0.03);
        let (shortest, longest) = if self.flat { (18, 34) } else { (11, 14) };
        self.size = [0; 3].map(|_| self.whole(shortest, longest));
        if self.flat {
            self.size[1] = 0;
        }
        let fluids = self.wet();
        let solids = self.moving_solids();
        let elastic = self.elastic();
        let emitters = self.pouring();
        let forces = match self.happens(0.2) {
            true => format!(
                "Table([(0.0, {}), (0.4, {})])",
                vector(self.vector(4.0)),
                vector(self.vector(4.0))
            ),
            false => String::new(),
        };
        let solver = self.solver();
        let (radius, max) = (0.5 * self.d, vector(self.metres(self.size)));
        let dimensions = if self.flat { "Two" } else { "Three" };
        let (count, rate) = FRAMES;
        format!(
            "Scene(frames: (count: {count}, rate: {rate}), dimensions: {dimensions},
    domain: Box(min: (0, 0, 0), max: {max}), particle_radius: {radius:?},
    fluids: [{fluids}],\n    solids: [{solids}],\n    elastic: [{elastic}],
    emitters: [{emitters}], max_particles: 2000,\n    forces: [{forces}],
    solver: {solver},\n    surface: None, output: (particles: [Vtp]), checkpoints: None,\n)\n"
        )
    }

    /// A bed, and perhaps a block of another fluid above it that moves.
    fn wet(&mut self) -> String {
        let [x, y, z] = self.size;
        let (wide, level) = (self.whole(x / 3, x), self.whole(z / 6, z / 2));
        let bed = self.metres([wide, y, level]);
        let start = match self.whole(0, 3) {
            0 => format!(", jitter: (seed: {}, amount: 0.1)", self.whole(0, 99)),
            1 => ", pressure: Hydrostatic".to_owned(),
            _ => String::new(),
        };
        let viscosity = self.order(1e-6, 1e-2);
        let mut fluids = format!(
            "(name: \"bed\", rest_density: 1000, viscosity: {viscosity:?},
        shapes: [Box(min: (0, 0, 0), max: {}{start})])",
            vector(bed)
        );
        if self.happens(0.3) {
            let low = self.whole(level + 1, z - 4);
            let corner = self.metres([x / 4, y / 4, low]);
            let high = self.whole(low + 3, z);
            let end = self.metres([x / 2, y / 2, high]);
            fluids += &format!(
                ", (name: \"block\", rest_density: {:?}, viscosity: 1e-6,
        shapes: [Box(min: {}, max: {}, velocity: {})])",
                self.order(300.0, 2000.0),
                vector(corner),
                vector(end),
                vector(self.vector(1.5))
            );
        }
        fluids
    }

    /// One to three bodies that move freely, and perhaps one that a law moves.
    fn moving_solids(&mut self) -> String {
        let mut solids = String::new();
        for _ in 0..self.whole(1, 3) {
            let free = self.free_motion();
            solids += &self.solid(&free);
        }
        if self.happens(0.4) {
            let along = self.vector(self.d * 2.0);
            let [x, y, z] = along.map(|a| format!("\"{a:?}*sin(6*t)\""));
            solids += &self.solid(&format!("Formula(translate: ({x}, {y}, {z}))"));
        }
        solids
    }

    /// A box, ball or cylinder where there is room, a bar across the plane.
    fn solid(&mut self, motion: &str) -> String {
        let size = self.number(1.5, 4.0) * self.d;
        let centre = self.place(5);
        let side = |sign: f64| vector(centre.map(|x| x + sign * size));
        let across = |sign: f64| vector([centre[0], sign, centre[2]]);
        match (self.whole(0, 2), self.flat) {
            (0, _) => format!("Box(min: {}, max: {}, motion: {motion}), ", side(-1.0), side(1.0)),
            (_, true) => format!(
                "Cylinder(from: {}, to: {}, radius: {size:?}, motion: {motion}), ",
                across(-0.5),
                across(0.5)
            ),
            (1, _) => {
                format!("Ball(centre: {}, radius: {size:?}, motion: {motion}), ", vector(centre))
            }
            _ => format!(
                "Cylinder(from: {}, to: {}, radius: {:?}, motion: {motion}), ",
                vector([centre[0], centre[1], centre[2] - size]),
                vector([centre[0], centre[1], centre[2] + size]),
                0.7 * size
            ),
        }
    }

    fn free_motion(&mut self) -> String {
        let density = self.order(30.0, 8000.0);
        let velocity = if self.happens(0.5) { self.vector(2.0) } else { [0.0; 3] };
        let spin = match (self.happens(0.3), self.flat) {
            (true, true) => [0.0, self.number(-10.0, 10.0), 0.0],
            (true, false) => self.vector(10.0),
            _ => [0.0; 3],
        };
        format!(
            "Free(density: {density:?}, velocity: {}, spin: {}, restitution: {:?}, friction: {:?})",
            vector(velocity),
            vector(spin),
            if self.happens(0.3) { self.number(0.0, 0.9) } else { 0.0 },
            self.number(0.0, 0.8)
        )
    }

    /// Perhaps a sheet that is held by one edge, or a block of springs; in space alone.
    fn elastic(&mut self) -> String {
        if self.flat || self.happens(0.6) {
            return String::new();
        }
        let [x, y, z] = self.metres(self.size);
        let side = 0.3 * x.min(y);
        let origin = [0.3 * x, 0.3 * y, 0.85 * z];
        let held = [origin[0] + 0.05 * side, origin[1] + 2.0 * side, origin[2] + 0.1 * side];
        let low = origin.map(|c| c - 0.05 * side);
        format!(
            "(name: \"sheet\", shape: Sheet(origin: {}, u: ({side:?}, 0, 0), v: (0, {side:?}, 0),
        cells: (6, 6)), material: Shell(density: {:?}, thickness: 0.002, young_modulus: {:?},
        poisson_ratio: 0.3), fixings: [Fixed(nodes: Box(min: {}, max: {}))])",
            vector(origin),
            self.order(100.0, 3000.0),
            self.order(1e4, 1e6),
            vector(low),
            vector(held)
        )
    }

    /// Perhaps an opening in the ceiling.
    fn pouring(&mut self) -> String {
        if !self.happens(0.3) {
            return String::new();
        }
        let [x, y, z] = self.metres(self.size);
        let centre = vector([0.75 * x, 0.5 * y, z - 2.0 * self.d]);
        let (radius, speed) = (self.number(1.5, 3.0) * self.d, self.number(0.3, 2.0));
        format!(
            "(from: Disc(centre: {centre}, normal: (0, 0, -1), radius: {radius:?}), fluid: \"bed\",
        speed: {speed:?})"
        )
    }

    fn solver(&mut self) -> String {
        match self.whole(0, 3) {
            0 | 1 => "Dfsph()".to_owned(),
            2 => "Wcsph()".to_owned(),
            _ => "Wcsph(density: Summation)".to_owned(),
        }
    }
}
