"""The scenes of `compare.py`, for all programs; Hashfall's z is SPlisHSPlasH's y."""

import dataclasses
import pathlib
import shutil
import sys

import spheres

# √(stiffness · exponent / ρ₀) with stiffness 50 000 and exponent 7 [m/s].
SOUND_SPEED = 18.708

# Of the cases for LAMMPS, which loses particles at 0.4.
COURANT = 0.2


@dataclasses.dataclass(frozen=True)
class Case:
    """A block of fluid in a box, with or without spheres below it."""

    name: str
    per_metre: int
    seconds: float
    weakly: bool = False
    spheres: bool = False
    # "Summation" or "Continuity": of the cases for LAMMPS alone.
    density: str = ""
    # Support radius, in spacings.
    support: float = 2.0

    @property
    def spacing(self):
        return 1 / self.per_metre

    def box(self):
        """Size of the domain along x, across and up [m]."""
        return (4.0, 4.0, 5.0) if self.spheres else (2.0, 1.0, 2.0)

    def block(self):
        """Corners of the block of fluid, along x, across and up [m]."""
        d = self.spacing
        if self.density:
            return (0.0,) * 3, (1.0,) * 3
        if self.spheres:
            low, high = 1.5 + d / 2, 2.5 - d / 2
            return (low, low, 3.1 + d / 2), (high, high, 4.1 - d / 2)
        return (d, d, d), (1.0, 1.0 - d, 1.0)

    def ron(self):
        """The scene for Hashfall."""
        # Rounding must cost no layer; what fills the box to its walls has room for none.
        slack = 0.0 if self.density else 1e-6
        low, high = self.block()
        corners = [tuple(c - slack for c in low), tuple(c + slack for c in high)]
        balls = ""
        if self.spheres:
            listed = ",\n".join(
                f"(centre: ({x:.6f}, {z:.6f}, {y:.6f}), radius: {r:.6f})"
                for (x, y, z), r in spheres.placed()
            )
            balls = f"solids: [SphereField(List([\n{listed}\n]))],\n"
        solver = "Dfsph(max_density_error: 5e-4, max_divergence_error: 1e-3)"
        if self.weakly:
            solver = f"Wcsph(sound_speed: {SOUND_SPEED}, artificial_viscosity: 0.0)"
        if self.density:
            scheme = "Summation" if self.density == "Summation" else "Continuity(diffusion: 0.2)"
            friction = "0.0" if self.density == "Summation" else "0.2"
            solver = (f"Wcsph(sound_speed: {SOUND_SPEED}, density: {scheme}, "
                      f"artificial_viscosity: {friction}, courant: {COURANT})")
        return f"""// Written by compare.py.
Scene(
frames: (count: 5, rate: {5 / self.seconds}),
domain: Box(min: (0.0, 0.0, 0.0), max: {self.box()}),
particle_radius: {self.spacing / 2}, support_radius: {self.support * self.spacing},
fluids: [(name: "water", rest_density: 1000.0, viscosity: 0.01,
    shapes: [Box(min: {corners[0]}, max: {corners[1]})])],
{balls}solver: {solver},
surface: None, output: (particles: false),
)
"""

    def lammps(self, dt, steps):
        """What `lammps_run.py` needs to know, with the steps that Hashfall took."""
        # Half a spacing from the sides, as a box is filled.
        axes = [[a + (n + 0.5) * self.spacing for n in range(round((b - a) / self.spacing))]
                for a, b in zip(*self.block())]
        return {
            "positions": [(x, y, z) for x in axes[0] for y in axes[1] for z in axes[2]],
            "box": self.box(),
            "spacing": self.spacing,
            "support": self.support * self.spacing,
            "sound_speed": SOUND_SPEED,
            "viscosity": 10.0,
            "dt": dt,
            "steps": steps,
            "summation": self.density == "Summation",
        }

    def json(self, folder, boundary):
        """The scene for SPlisHSPlasH; writes its meshes into `folder`."""
        models = pathlib.Path(folder) / "models"
        models.mkdir(exist_ok=True)
        shutil.copy(pathlib.Path(sys.prefix) / "bin/data/models/UnitBox.obj", models)
        d = self.spacing
        longest = 0.4 * d / SOUND_SPEED if self.weakly else 0.005
        size_x, across, up = self.box()
        (x0, z0, y0), (x1, z1, y1) = self.block()
        configuration = {
            "particleRadius": d / 2,
            "simulationMethod": 0 if self.weakly else 4,
            "gravitation": [0, -9.81, 0],
            "timeStepSize": longest if self.weakly else 0.001,
            "cflMethod": 1,
            "cflFactor": 1,
            "cflMinTimeStepSize": min(0.0001, longest),
            "cflMaxTimeStepSize": longest,
            "boundaryHandlingMethod": boundary,
            "WCSPH": {"stiffness": 50000, "exponent": 7},
            "DFSPH": {
                "minIterations": 2,
                "maxIterations": 100,
                "maxError": 0.05,
                "maxIterationsV": 100,
                "maxErrorV": 0.1,
                "enableDivergenceSolver": True,
            },
        }
        rigid = {"isDynamic": False, "mapThickness": 0.0}
        nodes = [round(20 * length) for length in (size_x, up, across)]
        bodies = [{
            **rigid,
            "geometryFile": "models/UnitBox.obj",
            "translation": [size_x / 2, up / 2, across / 2],
            "scale": [size_x, up, across],
            "isWall": True,
            "mapInvert": True,
            "mapResolution": nodes,
        }]
        if self.spheres:
            spheres.write_obj(models / "spheres.obj")
            bodies.append({
                **rigid,
                "geometryFile": "models/spheres.obj",
                "translation": [0, 0, 0],
                "scale": [1, 1, 1],
                "isWall": False,
                "mapResolution": [20, 20, 20],
            })
        # Its lattice leaves half a spacing free on every side.
        half = d / 2
        block = {
            "denseMode": 0,
            "start": [x0 - half, y0 - half, z0 - half],
            "end": [x1 + half, y1 + half, z1 + half],
            "translation": [0, 0, 0],
            "scale": [1, 1, 1],
        }
        water = {"id": "Fluid", "density0": 1000, "viscosityMethod": 1,
                 "Standard viscosity": {"viscosity": 0.01}}
        return {"Configuration": configuration, "Materials": [water], "RigidBodies": bodies,
                "FluidBlocks": [block]}


CASES = {
    case.name: case
    for case in [
        Case("dam-25k", 31, 0.5),
        Case("dam-100k", 48, 0.5),
        Case("dam-250k", 64, 0.5),
        Case("wcsph-25k", 31, 0.5, weakly=True),
        Case("wcsph-100k", 48, 0.2, weakly=True),
        *(Case(f"{density.lower()}-{support}d", 31, 0.15, True, False, density, support)
          for density in ("Summation", "Continuity") for support in (2.0, 3.46)),
        Case("spheres-32", 32, 0.5, spheres=True),
        Case("spheres-64", 64, 0.2, spheres=True),
    ]
}
